"""What is still unjudged: by system and query, and what it means for the scores."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from annotator.evaluation.conventions_text import head
from annotator.evaluation.evaluator import evaluate
from annotator.evaluation.options import Options
from annotator.evaluation.result_table import Cells, Column, Table
from annotator.evaluation.results import Provenance
from annotator.formats.beside import write_with_origin
from annotator.metrics.bounds import WITHOUT_BOUNDS, Unjudged, bounds
from annotator.metrics.ideal import has_ideal, reordered_value
from annotator.project.project_scores import collected
from annotator.project.provenance import provenance
from annotator.project.state import Qrels, keys_of, named_pairs, qrels_of, runs_of
from annotator.project.views import Pair
from annotator.reports import csv
from annotator.storage.reads import arrays
from annotator.storage.reads.states import State
from annotator.watch import UNWATCHED, Watch

Ints = NDArray[np.int64]
UNRANKED = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True, eq=False)
class Coverage:
    """How many of the first `depth` candidates nobody judged: `unjudged[s, q]` of `offered[s, q]`."""

    depth: int
    systems: tuple[str, ...]
    query_ids: tuple[str, ...]
    unjudged: Ints
    offered: Ints


@dataclass(frozen=True, slots=True)
class ScoreBounds:
    """What a system's mean may still become, over the grades that the pool's unjudged candidates may get.

    `mean` is the mean as it is, `reordered` what it would be with the system's own candidates in their best
    order (None where no order is known to be better than another). The bounds are None where the measure does
    not claim them.
    """

    system: str
    measure: str
    mean: float
    worst: float | None
    estimate: float | None
    best: float | None
    reordered: float | None
    by_query: Table


@dataclass(frozen=True, slots=True)
class ToJudge(Pair):
    """One candidate to be judged: the best rank that a system gave it, and how many systems offer it."""

    best_rank: int
    systems: int


def coverage(state: State, depth: int | None = None, options: Options = Options()) -> Coverage:
    """Count the unjudged candidates in the top of every system, for every query that a system answers."""
    deep = depth or state.settings["pool_depth"]
    judged = qrels_of(state, options).pairs.codes
    runs = state.runs
    with state.rows() as db:
        tops = [state.of_queries(arrays.top(db, run.key, deep)) for run in runs]
    queries = np.unique(np.concatenate([one.query for one in tops])) if tops else np.zeros(0, np.int64)
    offered = np.zeros((len(runs), len(queries)), dtype=np.int64)
    unjudged = np.zeros_like(offered)
    for row, top in enumerate(tops):
        at = np.searchsorted(queries, top.query)
        offered[row] = np.bincount(at, minlength=len(queries))
        unjudged[row] = np.bincount(at[~np.isin(top.codes, judged)], minlength=len(queries))
    names = tuple(run.name for run in runs)
    return Coverage(deep, names, tuple(state.queries[key].id for key in queries.tolist()), unjudged, offered)


def score_bounds(
    state: State,
    options: Options,
    watch: Watch = UNWATCHED,
) -> list[ScoreBounds]:
    """Return worst, estimate and best of every system's mean under every measure of grades.

    The means are over the queries that count in the evaluation with the same options; where relevance comes
    from gold answers, no grade moves them. `watch` is asked between steps. Raises Stopped.
    """
    watch = watch.saying("The bounds were cancelled.")
    collection = collected(state, options)
    result = evaluate(collection, options, Provenance("", ""), watch.silent)
    chosen = np.flatnonzero(np.isin(collection.query_ids, result.query_ids))
    queries = np.array(sorted(keys_of(state, frozenset(collection.query_ids))), dtype=np.int64)
    with state.rows() as db:
        open_ones = unjudged_pool(state, db, qrels_of(state, options))
        known = np.isin(open_ones.query, queries) & (options.relevance is None)
        open_ones = arrays.Pairs(open_ones.query[known], open_ones.candidate[known])
        ranks = {run.name: arrays.ranks(db, run.key, open_ones) for run in runs_of(state, result.systems)}
    ranked = {one.name: one.ranked for one in collection.systems}
    measures = [one for one in result.measures if one.needs == "grades"]
    each: list[ScoreBounds] = []
    for row, system in enumerate(result.systems):
        unjudged = Unjudged(np.searchsorted(queries, open_ones.query), ranks[system].astype(np.int32))
        for measure in measures:
            watch.tell(len(each), len(result.systems) * len(measures), "Computing bounds")
            ends: list[NDArray[np.float64]] = []
            if measure.claims("bounds"):
                one = bounds(measure, ranked[system], unjudged, seed=options.seed, watch=watch)
                ends = [one.worst, one.estimate, one.best]
            use = chosen[result.counted[row] & ~np.isnan(result.of(system, measure.name))]
            means = [measure.aggregate(values[use]) for values in ends]
            worst, estimate, best = means or (None, None, None)
            ordered = reordered_value(measure, ranked[system])[use] if has_ideal(measure) else None
            reordered = None if ordered is None else measure.aggregate(ordered)
            mean = result.mean(system, measure.name)
            value = measure.per_query(ranked[system])
            left = np.bincount(unjudged.query, minlength=len(queries))
            columns = [values[use] for values in (left, value, *ends)]
            title = f"{measure.name} of {system}"
            table = _by_query(title, [collection.query_ids[at] for at in use.tolist()], columns)
            each.append(ScoreBounds(system, measure.name, mean, worst, estimate, best, reordered, table))
    return each


BY_QUERY = (
    Column("Query", "text", key="query"),
    Column("Unjudged", "count", key="unjudged", note="Candidates of the pool that nobody judged."),
    *(Column(title, key=key) for title, key in (("Score", "value"), ("Worst", "worst"))),
    *(Column(title, key=title.lower()) for title in ("Estimate", "Best")),
)


def _by_query(title: str, query_ids: list[str], values: list[NDArray[np.float64]]) -> Table:
    """Return the bounds of each query: how many are unjudged, the score, worst, estimate and best."""
    left, value, *ends = values
    worst, _, best = ends or (value, value, value)
    order = np.argsort(worst - best if ends else -left, kind="stable")
    moving = int((worst < best).sum())
    words = f"{moving:,} of {len(query_ids):,} scores may still move; those that may move most come first."
    if not ends:
        words = "How far these scores may still move is not known; those with most unjudged come first."
    unknown = [None] * len(query_ids)
    data: tuple[Cells, ...] = (
        [query_ids[at] for at in order.tolist()],
        *(one[order] for one in values),
        *([] if ends else (unknown, unknown, unknown)),
    )
    return Table("bounds-by-query", title, BY_QUERY, data, words)


def unjudged_pool(state: State, db: sqlite3.Connection, qrels: Qrels) -> arrays.Pairs:
    """Return the pool's pairs that have no grade."""
    runs = [run.key for run in state.runs]
    pool = state.of_queries(
        arrays.pooled(db, state.settings["pool_depth"], runs, state.judged, state.settled[0])
    )
    open_ones = ~np.isin(pool.codes, qrels.pairs.codes)
    return arrays.Pairs(pool.query[open_ones], pool.candidate[open_ones])


def judging_list(state: State, options: Options = Options()) -> list[ToJudge]:
    """Return the pool's unjudged candidates: by query, those first that stand highest in most systems."""
    with state.rows() as db:
        open_ones = unjudged_pool(state, db, qrels_of(state, options))
        ranks = np.zeros((len(state.runs), len(open_ones.query)), dtype=np.int64)
        for row, run in enumerate(state.runs):
            ranks[row] = arrays.ranks(db, run.key, open_ones)
    best = np.where(ranks > 0, ranks, UNRANKED).min(axis=0, initial=UNRANKED)
    many = (ranks > 0).sum(axis=0)
    order = np.lexsort((-many, best, open_ones.query))
    return named(state, open_ones, order, best, many)


def named(state: State, pairs: arrays.Pairs, rows: Ints, best: Ints, many: Ints) -> list[ToJudge]:
    """Return some rows of pairs by name, with their best rank (0 for none) and number of systems."""
    ranks = np.where(best == UNRANKED, 0, best)[rows].tolist()
    cells = zip(named_pairs(state, pairs, rows), ranks, many[rows].tolist(), strict=True)
    return [ToJudge(*pair, rank, systems) for pair, rank, systems in cells]


TO_JUDGE = (
    Column("Query", "text", key="query"),
    Column("Candidate", "text", key="candidate"),
    Column("Best rank", "count", key="best_rank"),
    Column("Systems", "count", key="systems"),
)


def to_judge(rows: Sequence[ToJudge]) -> Table:
    """Return candidates that are to be judged as a table."""
    cells = [(one.query_id, one.candidate_id, one.best_rank, one.systems) for one in rows]
    return Table.of_rows("to-judge", "To be judged", TO_JUDGE, cells)


MEANT = (
    "Worst and Best: the mean if those of the pool that nobody judged get the grades that lower or raise it "
    "most. Estimate: if their grades are drawn like those given so far. Best order: the mean of what the "
    "system retrieved, in the best order, as judged now. Unjudged candidates are counted over all queries "
    "that the system answers, the means are over those that count."
)


def bounds_of_means(bounds: Sequence[ScoreBounds], top: Coverage) -> Table:
    """Return how far the means may still move, and how much of each system's top nobody judged."""
    left, offered = top.unjudged.sum(axis=1).tolist(), top.offered.sum(axis=1).tolist()
    open_ones = {
        system: f"{unjudged} of {all_of_them}"
        for system, unjudged, all_of_them in zip(top.systems, left, offered, strict=True)
    }
    columns = (
        Column("System", "text", key="system"),
        Column("Measure", "text", key="measure"),
        Column("Mean", key="mean"),
        Column("Worst", key="worst", note="If the grades still missing are as bad for it as they can be."),
        Column("Estimate", key="estimate", note="With grades drawn like those given so far."),
        Column("Best", key="best"),
        Column(
            "Best order",
            key="reordered",
            note="With what the system retrieved in the best order, as judged now.",
        ),
        Column(f"Unjudged in the top {top.depth}", "text", key="unjudged"),
    )
    rows = [
        (
            one.system,
            one.measure,
            *(one.mean, one.worst, one.estimate, one.best, one.reordered),
            open_ones[one.system],
        )
        for one in bounds
    ]
    return Table.of_rows("bounds", "Bounds", columns, rows, f"{MEANT} {_why_none(bounds)}".strip())


def bounds_of_scores(bounds: Sequence[ScoreBounds]) -> Table:
    """Return how far the score of each query may still move, system by system."""
    names = (Column("System", "text", key="system"), Column("Measure", "text", key="measure"))
    rows = [(one.system, one.measure, *row) for one in bounds for row in one.by_query.rows]
    return Table.of_rows("bounds-by-query", "Bounds by query", (*names, *BY_QUERY), rows, _why_none(bounds))


def _why_none(bounds: Sequence[ScoreBounds]) -> str:
    """Say of which measures there are no bounds, and why; nothing where there are."""
    without = dict.fromkeys(one.measure for one in bounds if one.worst is None)
    return f"No bounds for {', '.join(without)}: {WITHOUT_BOUNDS}" if without else ""


def unjudged_by_query(top: Coverage) -> Table:
    """Return how many of each system's top nobody judged, the queries with most of them first."""
    order = np.argsort(-top.unjudged.sum(axis=0), kind="stable")
    columns = (Column("Query", "text", key="query"), *(Column(name, "count") for name in top.systems))
    ids = [top.query_ids[at] for at in order.tolist()]
    title = f"Unjudged in the top {top.depth}, by query"
    return Table("by-query", title, columns, (ids, *(row[order] for row in top.unjudged)))


def write_judging_list(state: State, path: Path, options: Options = Options()) -> str:
    """Write what is to be judged as a CSV of ids, best ranks and systems; return what is to be said of it."""
    table = to_judge(judging_list(state, options))
    write_with_origin(path, csv.write(table).encode(), head(provenance(state, options)))
    return f"{len(table.rows)} candidates written to {path}. {csv.note(table)}".strip()
