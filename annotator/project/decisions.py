"""Deciding between two systems: what to judge next, and which grades would put the other one ahead."""

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from annotator.errors import MeasureError
from annotator.evaluation.evaluator import parsed
from annotator.evaluation.grade_flips import DEPTH, TwoSystems, fewest_changes
from annotator.evaluation.next_judgment import UNJUDGED, TwoRankings, next_judgments
from annotator.evaluation.options import Options
from annotator.evaluation.pairs import paired
from annotator.evaluation.result_table import Column, Table
from annotator.project.coverage import UNRANKED, ToJudge, named
from annotator.project.project_scores import evaluated, lengths
from annotator.project.run_overlap import chosen_queries
from annotator.project.state import Qrels, keys_of, named_pairs, qrels_of, runs_of
from annotator.project.views import Pair
from annotator.storage.reads import arrays
from annotator.storage.reads.states import State
from annotator.text.counts import counted
from annotator.watch import UNWATCHED, Watch

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class NamedChange(Pair):
    """One grade that would have to be another one."""

    before: int
    after: int
    difference: float


@dataclass(frozen=True, slots=True)
class WhatIf:
    """The fewest changed grades that were found to put the other one of two systems ahead, if any do.

    `basis` says of which mean the differences are, over which queries, and what was tried.
    """

    sentence: str
    flipped: bool
    changes: tuple[NamedChange, ...]
    basis: str


def changed_grades(found: WhatIf) -> Table:
    """Return the grades that would have to be others, each with the mean difference once it is so."""
    columns = (
        Column("Query", "text", key="query_id"),
        Column("Candidate", "text", key="candidate_id"),
        Column("Grade", "grade", key="before"),
        Column("Would be", "grade", key="after"),
        Column("Mean difference then", key="difference", note=found.basis),
    )
    title = "Grades that put the other system ahead" if found.flipped else "Grade changes tried in vain"
    return replace(Table.of("what-if", title, found.changes, columns), caption=found.basis)


def to_judge_next(
    state: State, first: str, second: str, depth: int = 10, count: int = 50, options: Options = Options()
) -> list[ToJudge]:
    """Return the judgments that matter most for deciding between two systems, weightiest first.

    They are of the queries and tags that the options choose. Raises UserError for one that is not there.
    """
    pairs, two = two_rankings(state, first, second, depth, chosen_queries(state, options))
    rows = next_judgments(two, depth)[:count]
    ranks = np.stack((two.first_rank, two.second_rank))
    best = np.where(ranks > 0, ranks, UNRANKED).min(axis=0)
    return named(state, pairs, rows, best, (ranks > 0).sum(axis=0))


def two_rankings(
    state: State, first: str, second: str, depth: int, only: Collection[str] | None
) -> tuple[arrays.Pairs, TwoRankings]:
    """Return the top of two systems side by side with the grades there are, of `only` these queries."""
    runs = runs_of(state, (first, second))
    with state.rows() as db:
        tops = [state.of_queries(arrays.top(db, run.key, depth)) for run in runs]
        pairs = arrays.Pairs.of(
            *(np.concatenate([getattr(top, at) for top in tops]) for at in ("query", "candidate"))
        )
        if only is not None:
            kept = np.isin(pairs.query, [*keys_of(state, only)])
            pairs = arrays.Pairs(pairs.query[kept], pairs.candidate[kept])
        ranks = [arrays.ranks(db, run.key, pairs) for run in runs]
    grades = _grades(qrels_of(state, Options()), pairs)
    return pairs, TwoRankings(pairs.query, ranks[0], ranks[1], grades)


def what_if(state: State, first: str, second: str, options: Options, watch: Watch = UNWATCHED) -> WhatIf:
    """Find the fewest changes of grades that put the other system ahead by the mean.

    The measure is the options' first; the queries are those that count for both systems, as options and
    grades are now. Raises MeasureError where the score does not come from grades, and Stopped.
    """
    measure = parsed(options)[0]
    if measure.needs != "grades" or options.relevance is not None:
        raise MeasureError(
            f"{measure.name} does not come from grades here; ask for one such as nDCG@10 of them."
        )
    runs = runs_of(state, (first, second))
    of_two = replace(options, measures=options.measures[:1], systems=(first, second))
    result = evaluated(state, of_two, watch=watch.silent)
    shared, _ = paired(result, result.measures[0].name, first, second)
    ids = {result.query_ids[at] for at in shared.tolist()}
    qrels = qrels_of(state, options)
    kept = np.isin(qrels.pairs.query, [*keys_of(state, ids)])
    pairs = arrays.Pairs(qrels.pairs.query[kept], qrels.pairs.candidate[kept])
    queries = np.unique(pairs.query)
    with state.rows() as db:
        ranks = [arrays.ranks(db, run.key, pairs) for run in runs]
        returned = [lengths(db, run.key, queries) for run in runs]
    place = np.searchsorted(queries, pairs.query)
    flip = fewest_changes(TwoSystems(place, qrels.grade[kept], *ranks, *returned), measure)
    changed = named_pairs(state, pairs, [one.row for one in flip.changes])
    changes = tuple(
        NamedChange(*pair, one.before, one.after, one.difference)
        for pair, one in zip(changed, flip.changes, strict=True)
    )
    basis = (
        f"Differences of the mean {measure.name} over {counted(len(queries), 'query', 'queries')}, {second} "
        f"minus {first}. Tried is what either has up to rank {DEPTH}. Who is ahead is no result of a test."
    )
    if options.skip_without_relevant:
        basis += " The queries stay those that something is relevant for now."
    return WhatIf(flip.sentence(measure.name, first, second), flip.flipped, changes, basis)


def _grades(qrels: Qrels, pairs: arrays.Pairs) -> Ints:
    """Return the grade of each pair, `UNJUDGED` where there is none."""
    grade = np.full(len(pairs.query), UNJUDGED, dtype=np.int64)
    known = np.isin(pairs.codes, qrels.pairs.codes)
    grade[known] = qrels.grade[np.searchsorted(qrels.pairs.codes, pairs.codes[known])]
    return grade
