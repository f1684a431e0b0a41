"""The options of an evaluation as they are typed in a notebook."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, get_args

from annotator.errors import MeasureError, UserError
from annotator.evaluation.options import GoldMatch, Options
from annotator.tasks import CombiningRule


def options_of(given: Mapping[str, Any]) -> Options:
    """Return the options that are given; None stands for what is usual, one text for a list of one.

    The name of a match stands for a gold match. Raises UserError (MeasureError) for what is none.
    """
    usual = {one.name: one.default for one in fields(Options)}
    taken = {name: value for name, value in given.items() if value is not None}
    for name, value in taken.items():
        if isinstance(usual[name], tuple):
            taken[name] = (value,) if isinstance(value, str) else tuple(map(_name, value))
        if name == "relevance" and isinstance(value, str):
            taken[name] = GoldMatch(value)
        if name == "combine" and value not in get_args(CombiningRule):
            raise UserError(f"combine is one of {', '.join(get_args(CombiningRule))}, not {value!r}.")
    options = Options(**taken)
    if not options.measures:
        raise MeasureError("No measure was asked for; name one such as nDCG@10.")
    return options


def _name(one: Any) -> str:
    """Return what is named; ir_measures' own Judged divides by the length of a short list.

    Raises MeasureError for gains and Compat of ir_measures, which say less than ours do.
    """
    if getattr(one, "params", {}).get("gains"):
        raise MeasureError(
            f"In ir_measures a grade without a gain in {one} gains itself; write the measure as a text with "
            "the gain of every grade, such as 'nDCG(gains={0:0,1:1,2:3})@10'."
        )
    kind = getattr(one, "NAME", "")
    if kind == "Compat":
        raise MeasureError(
            f"ir_measures ends {one} with the longer of ranking and ideal; write the measure as a text with "
            "the depth you mean, such as 'Compat@1000'."
        )
    if kind == "Judged":
        return str(one).replace("Judged", "Judged(norm='retrieved')", 1)
    return str(one)
