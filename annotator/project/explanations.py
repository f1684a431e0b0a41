"""Why a score is what it is: one query of one system, taken apart rank by rank."""

from dataclasses import replace

from annotator.errors import MeasureError
from annotator.evaluation.evaluator import NO_PARTS, Collection, SystemRows, parsed
from annotator.evaluation.options import Options
from annotator.metrics import explanation, judged_parts
from annotator.metrics.answer_explanation import AnswerExplanation, explain_answers
from annotator.metrics.explanation import Explanation
from annotator.metrics.judged_parts import PartExplanation
from annotator.metrics.measures import OF_PARTS
from annotator.project.project_scores import collected
from annotator.storage.reads.states import State


def explain_in_project(state: State, options: Options, system: str, query: str) -> Explanation:
    """Take one score apart, with the names of the candidates; the measure is the first of the options."""
    return explained(collected(state, replace(options, systems=(system,))), options, system, query)


def explained(
    collection: Collection,
    options: Options,
    system: str,
    query: str,
    names: list[str] | None = None,
    judged: dict[str, int] | None = None,
) -> Explanation:
    """Take one score of a collection apart; raises MeasureError for what is not in it.

    Where names are not handed in, the collection looks them up; predicted answers are shown by their texts.
    """
    measure = parsed(options)[0]
    if measure.needs in OF_PARTS:
        raise MeasureError(f"No ranks add up to {measure.name}; it is taken apart by its {measure.needs}.")
    if measure.needs != "grades":
        raise MeasureError(
            f"{measure.name} compares texts, so no ranks add up to it; ask for a measure such as nDCG@10."
        )
    row, at = _place(collection, system, query)
    if names is None and collection.names is not None:
        names, judged = collection.names(system, query)
    elif names is None and row.answers is not None:
        names = row.answers.predicted(at)
    return explanation.explain(measure, row.ranked, at, names, judged)


def explain_answer(state: State, options: Options, system: str, query: str) -> AnswerExplanation:
    """Take one score of answers apart, wording by wording; the measure is the first of the options."""
    return explained_answer(collected(state, replace(options, systems=(system,))), options, system, query)


def explained_answer(collection: Collection, options: Options, system: str, query: str) -> AnswerExplanation:
    """Take one score of a collection's answers apart; raises MeasureError for what is not in it."""
    measure = parsed(options)[0]
    row, at = _place(collection, system, query)
    if row.answers is None:
        raise MeasureError(f"{system} ranks documents, and {measure.name} compares the texts of answers.")
    return explain_answers(measure, row.answers, at)


def take_apart(
    state: State, options: Options, system: str, query: str
) -> Explanation | AnswerExplanation | PartExplanation:
    """Take one score apart as its measure asks: rank by rank, wording by wording, or part by part."""
    needs = parsed(options)[0].needs
    if needs == "grades":
        return explain_in_project(state, options, system, query)
    return (explain_parts if needs in OF_PARTS else explain_answer)(state, options, system, query)


def explain_parts(state: State, options: Options, system: str, query: str) -> PartExplanation:
    """Take one score apart, nugget by nugget or sentence by sentence; the measure is the options' first."""
    collection = collected(state, replace(options, systems=(system,)))
    row, at = _place(collection, system, query)
    measure = parsed(options)[0]
    if measure.needs not in row.parts:
        raise MeasureError(f"{measure.name} asks for {NO_PARTS[measure.needs]}.")
    return judged_parts.explain_parts(measure, row.parts[measure.needs], at)


def _place(collection: Collection, system: str, query: str) -> tuple[SystemRows, int]:
    """Return a system's rows and the place of a query in them; MeasureError when either is not there."""
    rows = [one for one in collection.systems if one.name == system]
    if not rows:
        known = ", ".join(one.name for one in collection.systems)
        raise MeasureError(f"There is no system {system!r} here; there are: {known}.")
    if query not in collection.query_ids:
        why = dict(collection.left_out).get(query, "it is not here")
        raise MeasureError(f"Query {query!r} has no score: {why}.")
    return rows[0], collection.query_ids.index(query)
