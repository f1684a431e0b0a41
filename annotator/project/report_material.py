"""What a report shows, gathered: of a state of the project, or of scores alone."""

from collections.abc import Container, Sequence
from dataclasses import replace

import numpy as np

from annotator.evaluation.comparison import Comparison
from annotator.evaluation.equivalence import Equivalence, equivalences
from annotator.evaluation.evaluator import Collection, evaluate
from annotator.evaluation.family import compared_measures
from annotator.evaluation.model_tables import ModelPair
from annotator.evaluation.options import Options
from annotator.evaluation.pairs import compare_all
from annotator.evaluation.result_table import Table
from annotator.evaluation.results import EvaluationResult
from annotator.evaluation.subsets import narrowed
from annotator.figures.catalogue import FIGURES
from annotator.figures.subject import Subject
from annotator.project import annotator_agreement, assignments, audit_result, model_agreement
from annotator.project.answer_models import models_for, naming
from annotator.project.audit_claim import audited
from annotator.project.audit_compare import beside
from annotator.project.explanations import explained
from annotator.project.figure_data import judging_subject, with_others
from annotator.project.grade_table import graded_of
from annotator.project.leniency import lenient
from annotator.project.preference_strengths import tables as preference_tables
from annotator.project.project_scores import collected
from annotator.project.provenance import HIDDEN, provenance
from annotator.project.run_overlap import overlap
from annotator.project.state import of_state
from annotator.reports.report_formats import Choice
from annotator.reports.sections import Explained, Material
from annotator.storage.reads.states import State
from annotator.watch import UNWATCHED, Watch

PAIRED = {"agreement", "confusion"}
"""The figures of pairs of annotators."""

MOST_RANKINGS = 10_000
"""So many pairs of rankings are compared without being asked for: a few seconds."""

EXPLAINED = 3
"""So many queries are taken apart when nobody chose any."""


def gathered(
    state: State,
    options: Options,
    choice: Choice,
    only: Container[str] | None = None,
    watch: Watch = UNWATCHED,
) -> Material:
    """Evaluate a state of the project and gather everything that a report shows."""
    watch = watch.saying("The report was cancelled; nothing was written.")
    steps = ("Evaluating", "Comparing", "Explaining", "Drawing")

    def step(at: int) -> None:
        watch.step(at, len(steps), steps[at])

    def kept(result: EvaluationResult) -> EvaluationResult:
        return result if only is None else narrowed(result, only)

    step(0)
    options = of_state(state, options)
    models = models_for(options, watch.silent)
    collection = collected(state, options, models, watch=watch.silent)
    result = evaluate(collection, options, provenance(state, options, only), watch.silent)
    result = kept(naming(models, result))
    known = replace(result.provenance, assigned=assignments.assigned(state))
    notes = result.notes if only is None else (*result.notes, HIDDEN)
    result = replace(result, provenance=known, notes=notes)
    step(1)
    comparisons, of_tags, matters = _compared(result, choice, watch.silent)
    step(2)
    taken_apart = _explained(collection, result, choice.queries)
    step(3)
    more = {
        key: kept(evaluate(collection, options.of_measures(*names), result.provenance))
        for key, names in asked_measures(result, choice.figures).items()
    }
    pairs = annotator_agreement.agreement(state, options.seed, only) if PAIRED & set(choice.figures) else None
    with_agreement = only is None and (not choice.sections or "agreement" in choice.sections)
    return Material(
        result=result,
        comparisons=comparisons,
        of_tags=of_tags,
        matters=matters,
        explained=taken_apart,
        overlap=_overlap(state, options, choice, only, watch.silent),
        preferred=_preferred(state, result, choice, only),
        agreement=_agreement(state, options, choice.named, watch.silent) if with_agreement else (),
        audits=[audited(one, beside(state, one, only)) for one in audit_result.results(state)],
        more=more,
        subject=replace(
            _beside_others(
                judging_subject(state, choice.named, shown_measure(result), only, pairs),
                *(state, options, choice, only, watch.silent),
            ),
            level=choice.comparison.alpha,
        ),
        figures=choice.figures,
        named=choice.named,
    )


def gathered_of_scores(result: EvaluationResult, choice: Choice, watch: Watch = UNWATCHED) -> Material:
    """Gather what a report shows of scores alone, without what only a project holds."""
    watch = watch.saying("The report was cancelled; nothing was written.")
    comparisons, of_tags, matters = _compared(result, choice, watch)
    return Material(
        result=result,
        comparisons=comparisons,
        of_tags=of_tags,
        matters=matters,
        subject=Subject(measure=shown_measure(result), level=choice.comparison.alpha),
        figures=choice.figures,
        named=choice.named,
    )


def _compared(
    result: EvaluationResult, choice: Choice, watch: Watch
) -> tuple[list[Comparison], list[Comparison], list[Equivalence]]:
    """Return the comparisons over all queries, those by tag, and what they say of a difference that matters.

    There are none where none can be made, and nothing of the last where no difference was named.
    """
    if len(result.systems) < 2 or not compared_measures(result):
        whole, of_tags = list[Comparison](), list[Comparison]()
    else:
        whole = compare_all(result, replace(choice.comparison, by_tag=False), watch)
        by_tag = replace(choice.comparison, by_tag=True)
        of_tags = compare_all(result, by_tag, watch) if any(result.tags) else []
    differs = choice.difference
    return whole, of_tags, [] if differs is None else equivalences(result, whole, differs, watch)


def _beside_others(
    subject: Subject,
    state: State,
    options: Options,
    choice: Choice,
    only: Container[str] | None,
    watch: Watch,
) -> Subject:
    """Return a subject with what the chosen figures show of each annotator and of models."""
    each: Sequence[Table] = ()
    pairs: Sequence[ModelPair] = ()
    named = choice.named
    if "leniency" in choice.figures:
        each = lenient(state, graded_of(state).called(named), options.seed, only)
    if "calibration" in choice.figures:
        pairs = model_agreement.against_people(state, options, named, only, watch=watch).pairs
    return with_others(subject, each, pairs)


def _overlap(
    state: State, options: Options, choice: Choice, only: Container[str] | None, watch: Watch
) -> Table | str:
    """Return how alike the systems rank, or a sentence why that is left out."""
    systems = options.systems or tuple(run.name for run in state.runs)
    asked = "overlap" in (*choice.sections, choice.table)
    if len(systems) < 2 or not (asked or not choice.sections):
        return ""
    rankings = len(systems) * (len(systems) - 1) // 2 * len(state.queries)
    if rankings > MOST_RANKINGS and not asked:
        return (
            f"How alike the systems rank is left out for its time: it takes {rankings:,} pairs of rankings. "
            "Ask for this section, or for the table “overlap”, alone."
        )
    return overlap(state, systems, only=only, watch=watch)


def _preferred(
    state: State, result: EvaluationResult, choice: Choice, only: Container[str] | None
) -> Sequence[Table]:
    """Return whose answers are preferred, if that is asked for; numbers of who gave no grade come last."""
    if choice.sections and "preferences" not in choice.sections:
        return ()
    known = result.provenance
    assigned = [name for name, _ in known.assigned.shares] if known.assigned else []
    others = [name for _, name, kind, *_ in state.annotators if kind != "model"]
    people = dict.fromkeys((*known.annotators, *assigned, *others))
    called = {name: name if choice.named else f"annotator {at}" for at, name in enumerate(people, 1)}
    return preference_tables(state, result.options, only, called)


def _agreement(state: State, options: Options, named: bool, watch: Watch) -> list[Table]:
    """Return the tables of people's agreement, each beside the others too, and of models against them."""
    models = model_agreement.against_people(state, options, named, watch=watch)
    each = lenient(state, graded_of(state).called(named), options.seed)
    return [*annotator_agreement.tables(state, options, named), *each, *models.tables]


def _explained(collection: Collection, result: EvaluationResult, queries: Sequence[str]) -> list[Explained]:
    """Take the chosen scores apart: of the first system, under the first measure of grades."""
    measure = next((one for one in result.measures if one.needs == "grades"), None)
    if measure is None or not result.query_ids:
        return []
    system = result.systems[0]
    chosen = [one for one in queries if one in result.query_ids]
    if not queries:
        values = result.of(system, measure.name)
        worst = np.argsort(values, kind="stable")[: min(EXPLAINED, int((~np.isnan(values)).sum()))]
        chosen = [result.query_ids[at] for at in worst]
    options = result.options.of_measures(measure.name)
    return [Explained(system, query, explained(collection, options, system, query)) for query in chosen]


def asked_measures(result: EvaluationResult, figures: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the measures that each chosen figure asks for."""
    asked = {}
    for kind in (FIGURES[key] for key in figures):
        name = kind.measure_of(result)
        if kind.asks is not None and name is not None:
            asked[kind.key] = kind.asks(name)
    return asked


def shown_measure(result: EvaluationResult) -> str:
    """Return the measure that the figures show: the first of grades, or the first."""
    return next((one.name for one in result.measures if one.needs == "grades"), result.measures[0].name)
