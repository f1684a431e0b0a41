"""What one score is made of: the ranking beside the ideal ordering, rank by rank, and how far it may move."""

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from annotator.evaluation.evaluating import Collection, parsed
from annotator.evaluation.options import Options
from annotator.metrics.bounds import Bounds, Unjudged, bounds
from annotator.project.evaluating import collected, qrels_of
from annotator.project.explaining import explain_answer, explained
from annotator.project.settings import setting
from annotator.project.views import EMPTY_ANSWER, AnswerEvidence, Evidence, Standing
from annotator.storage import asking, current, reading
from annotator.storage.store import Store

DEPTH = 100
"""Ranks that are shown of a ranking."""

TITLE_LENGTH = 160


def evidence(store: Store, options: Options, system: str, query: str) -> Evidence:
    """Return the evidence for one score; the measure is the first of the options."""
    options = _of_one_query(options, system)
    collection = collected(store, options)
    with store.reading() as db:
        key = current.query_key(db, query)
        text = reading.queries(db, [key])[0][1].text
        runs = [one.key for one in reading.runs(db) if one.name == system]
        ranking = [pair for run in runs for pair in asking.ranking(db, run, key, DEPTH)]
        qrels = qrels_of(db, options)
        mine = np.flatnonzero(qrels.pairs.query == key)
        grades = dict(zip(qrels.pairs.candidate[mine].tolist(), qrels.grade[mine].tolist(), strict=True))
        unjudged = _unjudged(db, key, system, grades)
        open_names = asking.names(db, unjudged)
        titles = _titles(db, {*grades, *(candidate for candidate, _ in ranking)})
        named = asking.names(db, grades)
    by_grades = options.relevance is None
    names = [name for _, name in ranking]
    judged = {named[candidate]: grade for candidate, grade in grades.items()} if by_grades else None
    explanation = explained(collection, options, system, query, names, judged)
    known = by_grades and explanation.measure.claims("bounds")
    found = _bounds(collection, options, system, query, list(unjudged.values())) if known else None
    ends = (found.worst_grades.tolist(), found.best_grades.tolist()) if found else ((), ())
    gains = [row.grade or 0 for row in explanation.rows] + [0] * len(ranking)
    actual = tuple(
        Standing(one, name or EMPTY_ANSWER, titles.get(one, ""), grades.get(one) if by_grades else gains[at])
        for at, (one, name) in enumerate(ranking)
    )
    place = {candidate: at for at, (candidate, _) in enumerate(ranking)}
    ideal = sorted(grades, key=lambda one: (-grades[one], place.get(one, len(place)), named[one]))
    if explanation.measure.parameters["over"] == "retrieved":
        ideal = [one for one in ideal if one in place]
    return Evidence(
        key=key,
        query=query,
        text=text,
        system=system,
        explanation=explanation,
        actual=actual,
        ideal=tuple(
            Standing(one, named[one] or EMPTY_ANSWER, titles.get(one, ""), grades[one])
            for one in ideal[: explanation.ideal_length]
            if by_grades
        ),
        unjudged=len(unjudged),
        bounds=(float(found.worst[0]), float(found.estimate[0]), float(found.best[0])) if found else None,
        ends=tuple((open_names[one], *grades) for one, *grades in zip(unjudged, *ends, strict=known)),
    )


def answer_evidence(store: Store, options: Options, system: str, query: str) -> AnswerEvidence:
    """Return the evidence for one score of answers; the measure is the first of the options."""
    options = _of_one_query(options, system)
    explanation = explain_answer(store, options, system, query)
    with store.reading() as db:
        key = current.query_key(db, query)
        text = reading.queries(db, [key])[0][1].text
    return AnswerEvidence(key, query, text, system, explanation)


def _of_one_query(options: Options, system: str) -> Options:
    """Return the options with the first measure and one system, without what only a mean depends on."""
    first = options.measures[:1]
    return replace(options, measures=first, systems=(system,), queries=(), tags=(), count_ties=False)


def _unjudged(db: sqlite3.Connection, query: int, system: str, grades: Mapping[int, int]) -> dict[int, int]:
    """Return the candidates of the pool without a grade by their rank in a system's list, 0 outside of it."""
    open_ones = [one for one in asking.pool(db, query, setting(db, "pool_depth")) if one not in grades]
    ranks = {one.candidate: one.rank for one in asking.places(db, query, open_ones) if one.name == system}
    return {one: ranks.get(one, 0) for one in open_ones}


def _bounds(collection: Collection, options: Options, system: str, query: str, unjudged: list[int]) -> Bounds:
    """Return the bounds of one query's value over the grades that the unjudged may get."""
    ranked = next(one.ranked for one in collection.systems if one.name == system)
    open_ones = Unjudged(np.zeros(len(unjudged), np.int64), np.array(unjudged, np.int32))
    one = ranked.one(collection.query_ids.index(query))
    return bounds(parsed(options)[0], one, open_ones, seed=options.seed)


def _titles(db: sqlite3.Connection, candidates: Iterable[int]) -> dict[int, str]:
    """Return a line that says what each candidate is: its title, or how its text begins."""
    said = asking.contents(db, candidates, TITLE_LENGTH)
    return {key: " ".join((one.title or one.text).split()) for key, one in said.items()}
