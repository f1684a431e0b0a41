"""From what is judged and ranked to an `EvaluationResult`: the one way files, projects and tables go."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from annotator.errors import MeasureError, UserError
from annotator.evaluation.options import GoldMatch, Options, check_threshold
from annotator.evaluation.results import EvaluationResult, Provenance
from annotator.metrics import catalogue, judged_parts
from annotator.metrics.answer_credit import credit_gold
from annotator.metrics.collection import Ranked, count
from annotator.metrics.measures import OF_PARTS
from annotator.metrics.ties import Ties, settled, settled_value
from annotator.tasks import GRADE
from annotator.text.counts import counted as counted_in_words
from annotator.text.times import in_words
from annotator.watch import UNWATCHED, Watch

if TYPE_CHECKING:
    from annotator.metrics.answers import AnswerTable
    from annotator.metrics.judged_parts import PartTable
    from annotator.metrics.measures import Measure, Needs

PANEL_CUTOFF = 10


@dataclass(frozen=True, slots=True, eq=False)
class SystemRows:
    """What one system returned, as far as measures can see it.

    `ranked` holds the judged retrieved candidates of the collection's queries, in their order; `answers` the
    predictions beside the gold answers where the queries are questions, `parts` what its answers at rank 1
    are judged by part by part, by what a measure needs; `tied[q]` counts candidates that
    share their score with another one, and `ties` are the groups of the hits, where scores are known.
    """

    name: str
    ranked: Ranked
    answers: "AnswerTable | None" = None
    parts: "Mapping[Needs, PartTable]" = field(default_factory=dict)
    tied: NDArray[np.int64] | None = None
    ties: Ties | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Collection:
    """Everything an evaluation depends on besides the options.

    `query_ids` are the queries of the mean; `left_out` names the others. `graded[q]` says which of them have
    judgments (None: all): a measure of grades has no value for the others. `names(system, query)` looks up
    what an explanation shows: the system's candidates in their order, and the grade of each judged one.
    """

    query_ids: tuple[str, ...]
    systems: tuple[SystemRows, ...]
    query_texts: tuple[str, ...] = ()
    tags: tuple[tuple[str, ...], ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    graded: NDArray[np.bool_] | None = None
    names: Callable[[str, str], tuple[list[str], dict[str, int]]] | None = None


def evaluate(
    collection: Collection, options: Options, provenance: Provenance, watch: Watch = UNWATCHED
) -> EvaluationResult:
    """Return the scores of every system under every measure for every query that the options choose.

    A query counts in a mean unless the options leave it out (`skip_without_relevant`, `fully_judged_to`) or
    the measure has no value for it (NaN). Raises MeasureError for an unknown measure or system, and Stopped.
    """
    measures = parsed(options)
    systems = _chosen_systems(collection, options)
    refuse_without_answers(measures, systems)
    chosen = _chosen_queries(collection, options)
    scores = np.full((len(systems), len(measures), len(collection.query_ids)), np.nan)
    for row, system in enumerate(systems):
        watch.step(row, len(systems), system.name)
        scores[row] = _scores(measures, system, collection.graded)
    counted = np.stack([_counted(one.ranked, options) for one in systems])
    judged = np.stack([judged_at(one.ranked, PANEL_CUTOFF) for one in systems])
    first = systems[0].ranked
    uncounted = np.full(len(collection.query_ids), -1)
    ties = [uncounted if one.tied is None else one.tied for one in systems]
    return EvaluationResult(
        systems=tuple(one.name for one in systems),
        measures=measures,
        query_ids=_kept(collection.query_ids, chosen),
        scores=scores[:, :, chosen],
        counted=counted[:, chosen],
        options=options,
        provenance=provenance,
        query_texts=_kept(collection.query_texts, chosen),
        tags=_kept(collection.tags, chosen),
        retrieved=np.stack([one.ranked.retrieved for one in systems])[:, chosen],
        relevant=first.n_relevant(options.relevant_from)[chosen],
        judged=np.diff(first.judged_offsets)[chosen],
        judged_at_10=judged[:, chosen] / PANEL_CUTOFF if _by_grades(measures, options) else None,
        tied=np.stack(ties)[:, chosen],
        tie_range=_tie_range(measures, systems, scores, chosen),
        left_out=collection.left_out,
        notes=(
            *collection.notes,
            *(strangers(_what_was_found(systems)) if _by_grades(measures, options) else ()),
            *_without_passage(measures, systems, scores[:, :, chosen]),
        ),
    )


def refuse_beyond(collection: Collection, highest: int) -> None:
    """Raise UserError where a grade is above the highest of the scale, with its query and candidate."""
    for system in collection.systems[:1]:
        ranked = system.ranked
        above = np.flatnonzero(ranked.judged > highest)
        if not len(above):
            continue
        grade = int(ranked.judged[above[0]])
        query = collection.query_ids[int(np.searchsorted(ranked.judged_offsets, above[0], "right")) - 1]
        _, judged = collection.names(system.name, query) if collection.names else ([], {})
        name = next((one for one, given in judged.items() if given == grade), "a candidate")
        raise UserError(
            f"The judgments give {name} of query {query} the grade {grade}, and grades go from 0 to "
            f"{highest}; mend it, or say how high your scale goes: --highest-grade {grade}, in Python "
            f"highest_grade={grade}."
        )


def _without_passage(
    measures: Sequence["Measure"], systems: Sequence[SystemRows], scores: NDArray[np.float64]
) -> Iterator[str]:
    """Yield a sentence for each system and measure that leaves out what it has no passage or nuggets for."""
    why = {
        "passages": "no passage of the answer is known",
        "nuggets": "no nuggets, or not all that count are judged",
        "citations": "no answer cites anything, or not all that counts is judged",
    }
    for column, measure in enumerate(measures):
        for row, system in enumerate(systems) if measure.needs in why else ():
            unknown = int(np.isnan(scores[row, column]).sum())
            if unknown:
                of = f"{unknown:,} of {counted_in_words(scores.shape[2], 'question')}"
                yield f"{measure.name} of {system.name} leaves out {of}: {why[measure.needs]}."


def strangers(found: Mapping[str, tuple[bool, bool]]) -> list[str]:
    """Return a sentence for the systems that share no query, or no candidate, with the judgments.

    `found` says of each whether it has a ranking for a judged query, and whether a judged candidate in one.
    """
    absent = [name for name, (ranked, _) in found.items() if not ranked]
    unknown = [name for name, (ranked, judged) in found.items() if ranked and not judged]
    return [
        f"Nothing that {', '.join(names)} returned {seen} judged; are the ids of {what} written alike?"
        for names, seen, what in (
            (absent, "is for a query that was", "queries"),
            (unknown, "was", "candidates"),
        )
        if names
    ]


def _what_was_found(systems: Sequence[SystemRows]) -> dict[str, tuple[bool, bool]]:
    there = [one for one in systems if len(one.ranked.retrieved)]
    return {one.name: (bool(one.ranked.retrieved.any()), len(one.ranked.rank) > 0) for one in there}


def _by_grades(measures: Sequence["Measure"], options: Options) -> bool:
    """Say whether any score depends on grades, so that it matters how much is judged."""
    return options.relevance is None and any(one.needs == GRADE.measures for one in measures)


def _tie_range(
    measures: Sequence["Measure"],
    systems: Sequence[SystemRows],
    scores: NDArray[np.float64],
    chosen: NDArray[np.int64],
) -> NDArray[np.float64] | None:
    """Return the scores with every tie settled at worst and at best, NaN where unknown; None without ties."""
    if not any(one.tied is not None and one.tied.any() and one.ties is not None for one in systems):
        return None
    reach = np.stack((scores, scores))
    for row, system in enumerate(systems):
        if system.ties is None:
            continue
        for end, best in enumerate((False, True)):
            ranked = settled(system.ranked, system.ties, best)
            for column, measure in enumerate(measures):
                if measure.needs == "grades":
                    values = settled_value(measure, ranked, system.ties, best)
                    known = measure.claims("ties") & ~np.isnan(scores[row, column])
                    reach[end, row, column] = np.where(known, values, np.nan)
    return reach[:, :, :, chosen]


def parsed(options: Options) -> tuple["Measure", ...]:
    """Return the measures that the options name, with the threshold and `judged_only` they ask for.

    Raises MeasureError for one that is none, and for a threshold beyond the scale of the grades.
    """
    check_threshold(options.rel, options.highest_grade)
    measures = catalogue.parse_all(options.measures, rel=options.relevant_from)
    for one in measures if options.relevance is None else ():
        if one.rel is not None:
            check_threshold(one.rel, options.highest_grade, one.name)
    if not options.judged_only:
        return measures
    return tuple(one.with_parameters(judged_only=True) if one.needs == "grades" else one for one in measures)


def ranked_by_gold(table: "AnswerTable", match: GoldMatch) -> Ranked:
    """Return predicted answers as rankings whose grades are the gains of the gold answers credited there."""
    if table.normaliser != match.normaliser:
        table = replace(table, normaliser=match.normaliser)
    credited = credit_gold(table, match.match, match.threshold, match.credit, match.gains)
    return Ranked.build(
        credited.query,
        credited.rank,
        credited.grade,
        np.diff(table.prediction_offsets),
        credited.judged_query,
        credited.judged_grade,
    )


def with_answerability(
    tags: Sequence[tuple[str, ...]], unanswerable: Sequence[bool | None]
) -> tuple[tuple[str, ...], ...]:
    """Return the tags of queries with HasAns or NoAns, as SQuAD calls them, where both kinds occur.

    `unanswerable` is None for a query without gold answers.
    """
    if not {True, False} <= set(unanswerable):
        return tuple(tags)
    kinds = {True: ("NoAns",), False: ("HasAns",), None: ()}
    return tuple((*own, *kinds[one]) for own, one in zip(tags, unanswerable, strict=True))


def judged_at(ranked: Ranked, cutoff: int) -> NDArray[np.int64]:
    """Return, for each query, how many of the first `cutoff` candidates are judged."""
    return count(ranked.query, ranked.rank <= cutoff, ranked.n_queries)


def _scores(
    measures: Sequence["Measure"], system: SystemRows, graded: NDArray[np.bool_] | None
) -> NDArray[np.float64]:
    """Return one system's scores under each measure, float64[m, q]."""
    scores = np.full((len(measures), system.ranked.n_queries), np.nan)
    for row, measure in enumerate(measures):
        if measure.needs in OF_PARTS:
            if measure.needs in system.parts:
                scores[row] = judged_parts.values(measure, system.parts[measure.needs])
            continue
        if measure.needs != "grades":
            if system.answers is not None:
                scores[row] = measure.per_answers(system.answers)
            continue
        scores[row] = measure.per_query(system.ranked)
        if graded is not None:
            scores[row, ~graded] = np.nan
    return scores


NO_PARTS = {
    "nuggets": "nuggets, and there are none here; write some on the Grade page of a project (Shift+E)",
    "citations": "answers whose sentences cite passages, and no system here ranks one first; import answers "
    "of TREC RAG into a project",
}
"""What a measure asks for, and how to come by it."""


def refuse_without_answers(measures: Sequence["Measure"], systems: Sequence[SystemRows]) -> None:
    """Raise MeasureError for a measure of answer texts where no system has any."""
    for measure in measures:
        if measure.needs in OF_PARTS:
            if not any(measure.needs in one.parts for one in systems):
                raise MeasureError(f"{measure.name} asks for {NO_PARTS[measure.needs]}.")
            continue
        if measure.needs != "grades" and all(one.answers is None for one in systems):
            raise MeasureError(
                f"{measure.name} compares answer texts, and there are no predicted answers with gold answers "
                "here; choose a ranking measure such as nDCG@10, or import predictions and gold answers."
            )


def _counted(ranked: Ranked, options: Options) -> NDArray[np.bool_]:
    counted = np.ones(ranked.n_queries, dtype=bool)
    if options.skip_without_relevant:
        counted &= ranked.n_relevant(options.relevant_from) > 0
    if options.fully_judged_to is not None:
        to_be_judged = np.minimum(ranked.retrieved, options.fully_judged_to)
        counted &= judged_at(ranked, options.fully_judged_to) >= to_be_judged
    return counted


def _chosen_systems(collection: Collection, options: Options) -> Sequence[SystemRows]:
    if not collection.systems and options.as_of:
        raise MeasureError(f"There was no system as of {in_words(options.as_of)}.")
    if not collection.systems:
        raise MeasureError("There is no system to evaluate; import a run or predictions first.")
    if not options.systems:
        return collection.systems
    by_name = {one.name: one for one in collection.systems}
    for name in options.systems:
        if name not in by_name:
            raise MeasureError(f"There is no system {name!r} here; there are: {', '.join(by_name)}.")
    return [by_name[name] for name in dict.fromkeys(options.systems)]


def _chosen_queries(collection: Collection, options: Options) -> NDArray[np.int64]:
    if not options.queries and not options.tags:
        return np.arange(len(collection.query_ids))
    ids, tags = frozenset(options.queries), frozenset(options.tags)
    known = frozenset(collection.query_ids)
    for name in options.queries:
        if name not in known:
            raise MeasureError(f"There is no judged query {name!r} here.")
    there = sorted({tag for of_query in collection.tags for tag in of_query})
    for name in options.tags:
        if name not in there:
            raise MeasureError(
                f"No query that can be evaluated has the tag {name!r}; "
                + (f"there are: {', '.join(there)}." if there else "there are no tags here.")
            )
    tags_of = collection.tags or ((),) * len(collection.query_ids)
    chosen = [
        at
        for at, query in enumerate(collection.query_ids)
        if (not ids or query in ids) and (not tags or tags.intersection(tags_of[at]))
    ]
    return np.array(chosen, dtype=np.int64)


T = TypeVar("T")


def _kept(values: Sequence[T], chosen: NDArray[np.int64]) -> tuple[T, ...]:
    return tuple(values[at] for at in chosen) if values else ()
