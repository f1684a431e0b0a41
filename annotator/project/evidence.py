"""What one score is made of: the ranking beside the ideal ordering, rank by rank, and how far it may move."""

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from annotator.errors import MeasureError
from annotator.evaluation.evaluator import Collection, parsed
from annotator.evaluation.options import Options
from annotator.metrics.answer_explanation import AnswerExplanation
from annotator.metrics.bounds import Bounds, Unjudged, bounds
from annotator.metrics.collection import Ranked
from annotator.metrics.explanation import Explanation
from annotator.metrics.judged_parts import PartExplanation
from annotator.metrics.measures import OF_PARTS
from annotator.project.explanations import explain_answer, explain_parts, explained
from annotator.project.project_scores import DEEPEST, collected
from annotator.project.state import keys_of, qrels_of, runs_of
from annotator.project.views import EMPTY_ANSWER
from annotator.storage.reads import arrays, lookup
from annotator.storage.reads.states import State

DEPTH = 100
"""Ranks that are shown of a ranking."""

TITLE_LENGTH = 160


@dataclass(frozen=True, slots=True)
class Standing:
    """A candidate at a place of an ordering: its name (a document's id, an answer's text), a title line.

    `grade` is None for an unjudged one; for a gold match it is the gain of the gold answer credited there.
    """

    candidate: int
    name: str
    title: str
    grade: int | None


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one score of one query is made of, for the person who asks why.

    `actual` is the system's ranking, `ideal` the judged candidates of the ideal ordering, highest grade first
    (empty for a gold match, and where no ordering is known to be best). `bounds` are worst, estimate and best
    over the grades that the pool's `unjudged` candidates may still get; None for a gold match, and where the
    measure does not claim them. `ends` names these candidates, each with a grade that leads to the worst
    value and one that leads to the best.
    """

    key: int
    query: str
    text: str
    system: str
    explanation: Explanation
    actual: tuple[Standing, ...]
    ideal: tuple[Standing, ...]
    unjudged: int
    bounds: tuple[float, float, float] | None
    ends: tuple[tuple[str, int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerEvidence:
    """What one score of answers is made of: every prediction that counts beside every gold wording."""

    key: int
    query: str
    text: str
    system: str
    explanation: AnswerExplanation | PartExplanation


def evidence(state: State, options: Options, system: str, query: str) -> Evidence:
    """Return the evidence for one score; the measure is the first of the options."""
    options = _of_one_query(options, system)
    collection = collected(state, options)
    key = _key(state, query)
    qrels = qrels_of(state, options)
    mine = np.flatnonzero(qrels.pairs.query == key)
    grades = dict(zip(qrels.pairs.candidate[mine].tolist(), qrels.grade[mine].tolist(), strict=True))
    (run,) = runs_of(state, [system])
    with state.rows() as db:
        whole = lookup.ranking(db, run.key, key, DEEPEST)
        ranking = whole[:DEPTH]
        unjudged = _unjudged(state, db, key, run.key, grades)
        open_names = lookup.names(db, unjudged)
        titles = _titles(db, {*grades, *(candidate for candidate, _ in ranking)})
        named = lookup.names(db, grades)
    by_grades = options.relevance is None
    names = [name for _, name in whole]
    judged = {named[candidate]: grade for candidate, grade in grades.items()} if by_grades else None
    explanation = explained(collection, options, system, query, names, judged)
    known = by_grades and explanation.measure.claims("bounds")
    span = _bounds(collection, options, system, query, list(unjudged.values())) if known else None
    ends = (span.worst_grades.tolist(), span.best_grades.tolist()) if span else ((), ())
    credited = _ranked(collection, system, query)
    gains = dict(zip(credited.rank.tolist(), credited.grade.tolist(), strict=True))
    actual = tuple(
        Standing(
            one,
            name or EMPTY_ANSWER,
            titles.get(one, ""),
            grades.get(one) if by_grades else gains.get(rank, 0),
        )
        for rank, (one, name) in enumerate(ranking, 1)
    )
    place = {candidate: at for at, (candidate, _) in enumerate(whole)}
    ideal = sorted(grades, key=lambda one: (-grades[one], place.get(one, len(place)), named[one]))
    if explanation.measure.parameters["over"] == "retrieved":
        ideal = [one for one in ideal if one in place]
    return Evidence(
        key=key,
        query=query,
        text=state.queries[key].text,
        system=system,
        explanation=explanation,
        actual=actual,
        ideal=tuple(
            Standing(one, named[one] or EMPTY_ANSWER, titles.get(one, ""), grades[one])
            for one in ideal[: explanation.ideal_length]
            if by_grades
        ),
        unjudged=len(unjudged),
        bounds=(float(span.worst[0]), float(span.estimate[0]), float(span.best[0])) if span else None,
        ends=tuple((open_names[one], *grades) for one, *grades in zip(unjudged, *ends, strict=known)),
    )


def answer_evidence(state: State, options: Options, system: str, query: str) -> AnswerEvidence:
    """Return the evidence for one score of answers; the measure is the options' first."""
    options = _of_one_query(options, system)
    of_parts = parsed(options)[0].needs in OF_PARTS
    explanation = (explain_parts if of_parts else explain_answer)(state, options, system, query)
    key = _key(state, query)
    return AnswerEvidence(key, query, state.queries[key].text, system, explanation)


def _key(state: State, query: str) -> int:
    """Return the key of a query; raises MeasureError for one that is not there."""
    for key in keys_of(state, [query]):
        return key
    raise MeasureError(f"Query {query!r} has no score: it is not here.")


def _of_one_query(options: Options, system: str) -> Options:
    """Return the options with the first measure and one system, without what only a mean depends on."""
    first = options.measures[:1]
    return replace(options, measures=first, systems=(system,), queries=(), tags=(), count_ties=False)


def _unjudged(
    state: State, db: sqlite3.Connection, query: int, run: int, grades: Mapping[int, int]
) -> dict[int, int]:
    """Return the candidates of the pool without a grade by their rank in a run, 0 outside of it."""
    depth, (settled, _) = state.settings["pool_depth"], state.settled
    tops = (candidate for one in state.runs for candidate, _ in lookup.ranking(db, one.key, query, depth))
    judged = (pairs.candidate[pairs.query == query].tolist() for pairs in (state.judged, settled))
    candidates = np.array(sorted({*tops, *chain.from_iterable(judged)} - grades.keys()), np.int64)
    ranks = arrays.ranks(db, run, arrays.Pairs(np.full_like(candidates, query), candidates))
    return dict(zip(candidates.tolist(), ranks.tolist(), strict=True))


def _bounds(collection: Collection, options: Options, system: str, query: str, unjudged: list[int]) -> Bounds:
    """Return the bounds of one query's value over the grades that the unjudged may get."""
    open_ones = Unjudged(np.zeros(len(unjudged), np.int64), np.array(unjudged, np.int32))
    return bounds(parsed(options)[0], _ranked(collection, system, query), open_ones, seed=options.seed)


def _ranked(collection: Collection, system: str, query: str) -> Ranked:
    """Return one query of one system."""
    ranked = next(one.ranked for one in collection.systems if one.name == system)
    return ranked.one(collection.query_ids.index(query))


def _titles(db: sqlite3.Connection, candidates: Iterable[int]) -> dict[int, str]:
    """Return a line that says what each candidate is: its title, or how its text begins."""
    contents = lookup.contents(db, candidates, TITLE_LENGTH)
    return {key: " ".join((one.title or one.text).split()) for key, one in contents.items()}
