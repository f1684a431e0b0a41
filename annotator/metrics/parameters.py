"""The parameters of a measure: read from its function's signature, checked when somebody sets one."""

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from annotator.errors import MeasureError

ALWAYS_PRINTED = {"max_rel"}

PARAMETERS = {
    "rel": "relevant from this grade on",
    "norm": "what the sum is divided by",
    "dcg": "gain of a grade: log2 takes the grade itself, exp-log2 takes 2^grade - 1",
    "gains": "gain of each grade, as {grade: gain}; a grade between takes the gain of the one below",
    "ideal": "where the ideal ordering ends: cut at k, whole never, length with the system's own list",
    "p": "patience: the chance that the reader goes on to the next rank",
    "max_rel": "the highest grade there is; 'query' takes the query's own highest",
    "beta": "in SetF how many times recall counts as much as precision, in Q how much gain counts",
    "rounding": "how many relevant candidates a recall needs: nearest as trec_eval 10, up as trec_eval 9",
    "judged_only": "remove unjudged candidates from the ranking first",
    "over": "which judged candidates count for R and the ideal: all judged, or the retrieved ones",
    "match": "how a predicted answer is compared with the gold answers",
    "threshold": "a match counts from this value on",
    "part": "which of its three numbers: P, R or F",
    "idf": "whether a word counts the more the fewer of all the gold answers hold it",
}
"""What each parameter means, in one clause."""

HIGHEST_GRADE = 1_000
"""Two to the power of a higher one, summed, is no number any more."""

LIMITS: dict[str, tuple[float, float, str]] = {
    "rel": (1, HIGHEST_GRADE, "with 0 every judged candidate is relevant"),
    "max_rel": (1, HIGHEST_GRADE, "it is the highest grade"),
    "p": (0, 1, "it is a chance"),
    "beta": (0, 1_000_000, "it is a weight"),
}
"""Parameter -> lowest and highest value, and why."""

SHARED: dict[str, Any] = {"judged_only": False, "over": "judged"}
"""Parameters that every measure of grades has, with their defaults."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter as the function's signature declares it."""

    name: str
    default: Any
    hint: Any

    @property
    def said(self) -> str:
        """What it means, and what it takes where that is not said."""
        clause = PARAMETERS[self.name]
        taken = get_args(self.hint) if get_origin(self.hint) is Literal else ()
        if all(str(one) in clause.split(":")[-1] for one in taken):
            return clause
        return f"{clause}: {_spoken(self.hint)}"

    def checked(self, value: Any) -> Any:
        """Return the value in its own type, or raise MeasureError saying what would be taken."""
        if self.name == "gains" and isinstance(value, dict):
            return _rising(value)
        if not _fits(self.hint, value):
            raise MeasureError(f"{self.name} takes {_spoken(self.hint)}, not {value!r}")
        if self.name in LIMITS and isinstance(value, int | float):
            low, high, why = LIMITS[self.name]
            if not low <= value <= high:
                raise MeasureError(f"{self.name} is from {low:g} to {high:g}, not {value:g}: {why}")
        return float(value) if self.hint is float else value


def _rising(gains: Mapping[Any, Any]) -> dict[int, float]:
    """Return gains by grade in order of the grades; they are finite, not negative and never fall."""
    whole = all(
        _fits(int, grade) and 0 <= grade <= HIGHEST_GRADE and _fits(float, gain)
        for grade, gain in gains.items()
    )
    if not gains or not whole:
        raise MeasureError("gains takes whole grades from 0 with a number each, such as {0:0,1:1,2:5}")
    named = {grade: gains[grade] for grade in sorted(gains)}
    values = list(named.values())
    if values != sorted(values) or values[0] < 0 or not math.isfinite(values[-1]):
        raise MeasureError("gains start at 0 or above and never fall as the grade rises")
    return named


def _fits(hint: Any, value: Any) -> bool:
    origin = get_origin(hint)
    if origin is Literal:
        return value in get_args(hint) and not isinstance(value, bool)
    if origin in (Union, UnionType):
        return any(_fits(one, value) for one in get_args(hint))
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, origin or hint)


def _spoken(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return " or ".join(repr(value) for value in get_args(hint))
    if get_origin(hint) in (Union, UnionType):
        return " or ".join(_spoken(one) for one in get_args(hint) if one is not NoneType)
    return {int: "a whole number", float: "a number", bool: "True or False"}.get(hint, "{grade:gain}")


def printed(value: Any) -> str:
    """Write a parameter's value as it is read back."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{grade}:{gain:g}" for grade, gain in value.items()) + "}"
    return repr(value)


def signature(function: Callable[..., Any], shared: bool) -> tuple[Parameter, ...]:
    """Read the parameters from a function's keyword-only arguments; `shared` adds those all measures have."""
    hints = get_type_hints(function)
    own = [
        Parameter(one.name, one.default, hints[one.name])
        for one in inspect.signature(function).parameters.values()
        if one.kind is inspect.Parameter.KEYWORD_ONLY
    ]
    if not shared:
        return tuple(own)
    common = [
        Parameter("judged_only", SHARED["judged_only"], bool),
        Parameter("over", SHARED["over"], Literal["judged", "retrieved"]),
    ]
    return (*own, *common)
