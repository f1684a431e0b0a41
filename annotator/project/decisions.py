"""Deciding between two systems: what to judge next, and what would turn the conclusion round."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotator.errors import MeasureError
from annotator.evaluation.evaluator import parsed
from annotator.evaluation.grade_flips import TwoSystems, fewest_changes
from annotator.evaluation.next_judgment import UNJUDGED, TwoRankings, next_judgments
from annotator.evaluation.options import Options
from annotator.evaluation.result_table import Column, Table
from annotator.project.coverage import UNRANKED, ToJudge, named
from annotator.project.project_scores import lengths
from annotator.project.state import Qrels, named_pairs, qrels_of, runs_of
from annotator.project.views import Pair
from annotator.storage.reads import arrays
from annotator.storage.reads.states import State

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class NamedChange(Pair):
    """One grade that would have to be another one."""

    before: int
    after: int
    difference: float


@dataclass(frozen=True, slots=True)
class WhatIf:
    """The fewest changed grades that turn round which of two systems is better, if any do."""

    sentence: str
    flipped: bool
    changes: tuple[NamedChange, ...]


def changed_grades(found: WhatIf) -> Table:
    """Return the grades that would have to be others, each with the mean difference once it is so."""
    columns = (
        Column("Query", "text", key="query_id"),
        Column("Candidate", "text", key="candidate_id"),
        Column("Grade", "grade", key="before"),
        Column("Would be", "grade", key="after"),
        Column("Mean difference then", key="difference"),
    )
    return Table.of("what-if", "Grades that turn the conclusion round", found.changes, columns)


def to_judge_next(state: State, first: str, second: str, depth: int = 10, count: int = 50) -> list[ToJudge]:
    """Return the judgments that matter most for deciding between two systems, weightiest first."""
    pairs, two = two_rankings(state, first, second, depth)
    rows = next_judgments(two, depth)[:count]
    ranks = np.stack((two.first_rank, two.second_rank))
    best = np.where(ranks > 0, ranks, UNRANKED).min(axis=0)
    return named(state, pairs, rows, best, (ranks > 0).sum(axis=0))


def two_rankings(state: State, first: str, second: str, depth: int) -> tuple[arrays.Pairs, TwoRankings]:
    """Return the top of two systems side by side with the grades there are."""
    runs = runs_of(state, (first, second))
    with state.rows() as db:
        tops = [state.of_queries(arrays.top(db, run.key, depth)) for run in runs]
        pairs = arrays.Pairs.of(
            *(np.concatenate([getattr(top, at) for top in tops]) for at in ("query", "candidate"))
        )
        ranks = [arrays.ranks(db, run.key, pairs) for run in runs]
    grades = _grades(qrels_of(state, Options()), pairs)
    return pairs, TwoRankings(pairs.query, ranks[0], ranks[1], grades)


def what_if(state: State, first: str, second: str, options: Options) -> WhatIf:
    """Find the fewest changes of grades that turn the conclusion round; the measure is the options' first."""
    measure = parsed(options)[0]
    if measure.needs != "grades":
        raise MeasureError(f"{measure.name} does not come from grades; ask for a measure such as nDCG@10.")
    runs = runs_of(state, (first, second))
    qrels = qrels_of(state, options)
    pairs = qrels.pairs
    queries = np.unique(pairs.query)
    with state.rows() as db:
        ranks = [arrays.ranks(db, run.key, pairs) for run in runs]
        returned = [lengths(db, run.key, queries) for run in runs]
    place = np.searchsorted(queries, pairs.query)
    flip = fewest_changes(TwoSystems(place, qrels.grade, *ranks, *returned), measure)
    changed = named_pairs(state, pairs, [one.row for one in flip.changes])
    changes = tuple(
        NamedChange(*pair, one.before, one.after, one.difference)
        for pair, one in zip(changed, flip.changes, strict=True)
    )
    return WhatIf(flip.sentence, flip.flipped, changes)


def _grades(qrels: Qrels, pairs: arrays.Pairs) -> Ints:
    """Return the grade of each pair, `UNJUDGED` where there is none."""
    grade = np.full(len(pairs.query), UNJUDGED, dtype=np.int64)
    known = np.isin(pairs.codes, qrels.pairs.codes)
    grade[known] = qrels.grade[np.searchsorted(qrels.pairs.codes, pairs.codes[known])]
    return grade
