"""Judgments and runs, or the systems of a project, evaluated."""

from collections.abc import Container, Iterable, Mapping
from dataclasses import fields
from functools import partial
from typing import TYPE_CHECKING, Any, get_args

from annotator.errors import MeasureError, UserError
from annotator.evaluation.evaluator import Collection
from annotator.evaluation.evaluator import evaluate as evaluate_collection
from annotator.evaluation.options import GoldMatch, Options
from annotator.evaluation.results import EvaluationResult, Provenance
from annotator.metrics import catalogue
from annotator.notebook.inputs import Qrels, Runs, collection, is_path, is_project, opened
from annotator.notebook.scores import Scores
from annotator.tasks import CombiningRule

if TYPE_CHECKING:
    from annotator.metrics.answer_explanation import AnswerExplanation
    from annotator.metrics.explanation import Explanation

OF_PROJECTS = ("annotator", "combine", "as_of", "relevance", "normaliser", "stemming", "model")
"""Options that mean nothing for judgments and runs."""


def evaluate(
    qrels: Qrels, run: "Runs | None" = None, measures: Iterable[object] | None = None, **options: Any
) -> Scores:
    """Evaluate one or several runs against judgments, or the systems of a project.

    A measure is a name, or what prints as one, such as ir_measures' own. `options` are the fields of
    `annotator.evaluation.options.Options` (`rel`, `judged_only`, `queries`, …).
    Raises UserError (MeasureError, InputError) with a sentence for what cannot be taken.
    """
    from annotator.project.version import version

    chosen = _options(options if measures is None else {**options, "measures": measures})
    if not chosen.measures:
        raise MeasureError("No measure was asked for; name one such as nDCG@10.")
    if run is None:
        said = options.keys() if measures is None else {*options, "measures"}
        return Scores(_of_project(qrels, chosen, said), partial(_explained_in_project, qrels))
    if is_project(qrels):
        raise UserError("A project brings its own runs; evaluate it alone, or import the run first.")
    for name in OF_PROJECTS:
        if getattr(chosen, name) != getattr(Options(), name):
            raise UserError(f"The option {name} goes with a project alone; leave it out.")
    taken = collection(qrels, run)
    result = evaluate_collection(taken, chosen, Provenance(name="notebook", version=version()))
    return Scores(result, partial(_explained, taken))


def _options(given: Mapping[str, Any]) -> Options:
    """Return options; one text stands for a list of one, and the name of a match for a gold match."""
    usual = {one.name: one.default for one in fields(Options)}
    taken = dict(given)
    for name, value in given.items():
        if name not in usual:
            raise UserError(f"There is no option {name!r}; there are: {', '.join(usual)}.")
        if isinstance(usual[name], tuple):
            taken[name] = (value,) if isinstance(value, str) else tuple(map(_name, value))
        if name == "relevance" and isinstance(value, str):
            taken[name] = GoldMatch(value)
        if name == "combine" and value not in get_args(CombiningRule):
            raise UserError(f"combine is one of {', '.join(get_args(CombiningRule))}, not {value!r}.")
    return Options(**taken)


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


def _of_project(source: Any, options: Options, said: Container[str]) -> EvaluationResult:
    from annotator.project import project_scores, settings

    if not is_path(source) and not hasattr(source, "store"):
        raise UserError("Give a run beside the qrels, or the path of a project alone.")
    with opened(source) as project:
        return project_scores.evaluate_project(project, settings.usual_options(project, options, said))


def _explained(collection: Collection, options: Options, system: str, query: str) -> "Explanation":
    from annotator.project.explanations import explained

    return explained(collection, options, system, query)


def _explained_in_project(
    source: Any, options: Options, system: str, query: str
) -> "Explanation | AnswerExplanation":
    from annotator.project.explanations import explain_answer, explain_in_project
    from annotator.project.state import state_of

    with opened(source) as project:
        if catalogue.parse(options.measures[0]).needs == "grades":
            return explain_in_project(state_of(project, options), options, system, query)
        return explain_answer(state_of(project, options), options, system, query)
