"""The side panel of one query: scores of one system, its gain against the ideal, the ideal ordering."""

import sqlite3
from collections.abc import Sequence

import numpy as np

from annotator.metrics import catalogue
from annotator.metrics.answers import AnswerTable
from annotator.metrics.collection import Ranked
from annotator.metrics.measures import OF_PARTS, Measure
from annotator.metrics.semantic import semantic_match
from annotator.project.project import Project
from annotator.project.settings import setting
from annotator.project.stored_values import gold_list
from annotator.project.views import EMPTY_ANSWER, QueryPanel
from annotator.storage.reads import holdings, lookup
from annotator.watch import UNWATCHED, Watch

DEPTH = 10
"""Ranks that the curves show."""


def query_panel(
    project: Project,
    query: int,
    measures: Sequence[str],
    system: str | None = None,
    watch: Watch = UNWATCHED,
) -> QueryPanel:
    """Return the panel from the annotator's own grades; the first system's where none is named.

    Raises DamagedError for a file that is not what was recorded, and Stopped while it is checked.
    """
    project.store.prove(watch=watch)
    with project.store.reading() as db:
        runs = holdings.runs(db)
        run = next((one for one in runs if one.name == system), runs[0] if runs else None)
        chosen = catalogue.parse_all(measures, rel=setting(db, "relevant_from"))
        judgments = lookup.judgments_of(db, query, lookup.annotator_key(db, project.annotator))
        grades = {
            key: value["grade"]
            for key, value in judgments.items()
            if value and value.get("grade") is not None
        }
        names = lookup.names(db, grades)
        best = sorted(grades, key=lambda one: (-grades[one], names[one]))
        ordering = tuple((names[one] or EMPTY_ANSWER, grades[one]) for one in best)
        ideal = np.cumsum([grade for _, grade in ordering[:DEPTH]], dtype=np.float64)
        if run is None:
            return QueryPanel(query, "", (), (), (), tuple(ideal.tolist()), ordering)
        ranks = {one.candidate: one.rank for one in lookup.places(db, query, grades) if one.name == run.name}
        length = lookup.length(db, run.key, query)
        ranked = Ranked.build(
            np.zeros(len(ranks), np.int64),
            list(ranks.values()),
            [grades[one] for one in ranks],
            [length],
            np.zeros(len(grades), np.int64),
            list(grades.values()),
        )
        depth = max((int(one.cutoff or 1) for one in chosen if one.needs == "answers"), default=0)
        table = _answers(db, run.key, query, depth) if depth else None
    gained = np.zeros(min(length, DEPTH))
    shown = ranked.rank <= DEPTH
    gained[ranked.rank[shown] - 1] = np.maximum(ranked.grade[shown], 0)
    curve = np.pad(ideal, (0, max(len(gained) - len(ideal), 0)), mode="edge") if len(ideal) else gained
    return QueryPanel(
        query=query,
        system=run.name,
        systems=tuple(one.name for one in runs),
        values=tuple((one.name, _value(one, ranked if grades else None, table)) for one in chosen),
        gained=tuple(np.cumsum(gained).tolist()),
        ideal=tuple(curve.tolist()),
        ideal_ordering=ordering,
    )


def _value(measure: Measure, ranked: Ranked | None, table: AnswerTable | None) -> float | None:
    """Return the query's score, None where the measure has none or would wait for a model or for passages."""
    if semantic_match(measure) or measure.needs in ("passages", *OF_PARTS):
        return None
    if measure.needs == "grades":
        return float(measure.per_query(ranked)[0]) if ranked is not None else None
    value = float(measure.per_answers(table)[0]) if table is not None else float("nan")
    return None if np.isnan(value) else value


def _answers(db: sqlite3.Connection, run: int, query: int, depth: int) -> AnswerTable:
    ranking = lookup.ranking(db, run, query, depth)
    gold = gold_list("", lookup.gold_of(db, query))
    return AnswerTable.build(
        [0] * len(ranking),
        range(1, len(ranking) + 1),
        [text for _, text in ranking],
        [[one.wordings for one in gold.answers]],
        [gold.unanswerable],
    )
