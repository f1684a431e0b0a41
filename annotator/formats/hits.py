"""The judged part of rankings straight from TREC files: what an evaluation needs, at the speed of reading.

Rows that nobody judged are thrown away by their keys before anything else is done with them. Memory follows
the longest ranking, not the file; of a file whose queries are mixed, each row's query, score and key are
kept and sorted once.
"""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from annotator import ranking_order
from annotator.formats import column_scanner, trec_run
from annotator.formats.column_scanner import Keys, Odd, Places
from annotator.formats.declaration import Reading
from annotator.formats.judged_pairs import Ids, Qrels, QueryNumbers, refuse_repeated
from annotator.formats.scanned_runs import Rows, ScannedRun, ids_at, tokens
from annotator.formats.text_lines import Reread
from annotator.records import RunTable
from annotator.watch import UNWATCHED, Watch

TABLE_BITS = 23


@dataclass(frozen=True, slots=True, eq=False)
class RunHits:
    """One system's judged retrieved candidates, and how much it retrieved.

    `query`, `rank` (from 1, ascending in each query) and `grade` have one entry a hit; `retrieved` and `tied`
    (rows that share their score with another row of the ranking) one for each query of the qrels. `unjudged`
    are the ids of the run's queries that the qrels do not know. `first` and `last` (one entry a hit) are the
    ranks between which the candidates with the hit's score stand. `notes` are the reader's sentences.
    """

    system: str
    query: NDArray[np.int32]
    rank: NDArray[np.int32]
    grade: NDArray[np.int32]
    retrieved: NDArray[np.int64]
    tied: NDArray[np.int64]
    first: NDArray[np.int32]
    last: NDArray[np.int32]
    unjudged: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def hits_of_run(path: Path, qrels: Qrels, watch: Watch = UNWATCHED) -> list[RunHits]:
    """Return the hits of every system in a TREC run, one for each tag of the file.

    Raises InputError with the places that cannot be taken.
    """
    reading = Reading(watch=watch)
    column_scanner.keep_freed_memory()
    with contextlib.suppress(Odd):
        run = ScannedRun(QueryNumbers(qrels.query_ids))
        hits = Collector(qrels, run.numbers)
        try:
            for rows in run.whole_queries(path, reading):
                hits.add(rows)
                del rows  # before the next ones are made
        except Mixed:
            hits = Collector(qrels, run.numbers)
            hits.add_mixed(run, path, reading)
        return [hits.result(run.tag.decode("utf-8"))]
    dataset = trec_run.read_plainly(path, reading)
    return [replace(hits_of_table(table, qrels), notes=dataset.notes) for table in dataset.runs]


def hits_of_table(run: RunTable, qrels: Qrels) -> RunHits:
    """Return the hits of a run that was read by any format's reader."""
    ids = Ids(run.candidate_ids)
    numbers = QueryNumbers(qrels.query_ids)
    query = np.array([numbers.number(one.encode("utf-8")) for one in run.query_ids], np.int32)
    scored = run.score is not None and run.order_rule == "score"
    rows = Rows(
        data=ids.data,
        query=query[run.query],
        start=ids.start[run.candidate],
        end=ids.end[run.candidate],
        key=ids.key[run.candidate],
        score=run.score if run.score is not None and scored else -run.rank.astype(np.float64),
    )
    hits = Collector(qrels, numbers)
    hits.add(rows)
    return hits.result(run.system)


class Mixed(Exception):
    """The rows of a query do not stand together."""


class _Judged:
    """Looks rows up among some of the judged pairs."""

    def __init__(self, qrels: Qrels, among: Places) -> None:
        keys = qrels.key[among]
        order = np.argsort(keys)
        self._qrels, self._place, self._key = qrels, among[order], keys[order]
        bits = min(max((32 * len(keys)).bit_length(), 10), TABLE_BITS)
        self._shift = np.uint64(64 - bits)
        self._may_be = np.zeros(1 << bits, bool)
        self._may_be[(keys >> self._shift).view(np.int64)] = True

    def find(self, rows: Rows, keys: Keys) -> tuple[Places, Places]:
        """Return which rows are judged, and where in the qrels; equal keys are proved by the ids' bytes."""
        hit = np.flatnonzero(self._may_be[(keys >> self._shift).view(np.int64)])
        if not len(hit) or not len(self._key):
            return hit[:0], hit[:0]
        sought = keys[hit]
        place = np.searchsorted(self._key, sought)
        place[place == len(self._key)] = 0
        equal = self._key[place] == sought
        hit, place = hit[equal], self._place[place[equal]]
        proved = (rows.ids(hit) == self._qrels.candidate[place]) & (
            self._qrels.query[place] == rows.query[hit]
        )
        return hit[proved], place[proved]


class Collector:
    """Collects the hits of rankings that come a few whole queries at a time, or of all rows at once."""

    def __init__(self, qrels: Qrels, numbers: QueryNumbers) -> None:
        self._qrels = qrels
        self._numbers = numbers
        self._done: set[int] = set()
        self._lengths: list[tuple[NDArray[np.int32], Places, Places]] = []
        self._found: list[tuple[NDArray[np.int32], Places, NDArray[np.int32], Places, Places]] = []

    def add(self, rows: Rows) -> None:
        """Take whole rankings; raises Odd for a repeated candidate, Mixed for a query that came before."""
        if not len(rows.query):
            return
        same = rows.query[1:] == rows.query[:-1]
        if (same & (rows.score[1:] > rows.score[:-1])).any():
            rows = rows.in_order()
            same = rows.query[1:] == rows.query[:-1]
        queries = rows.query[np.concatenate(([0], np.flatnonzero(~same) + 1))]
        known = set(queries.tolist())
        if len(known) < len(queries) or self._done & known:
            raise Mixed
        self._done |= known
        keys = column_scanner.pair_key(rows.query, rows.key)
        refuse_repeated(keys)
        judged = _Judged(self._qrels, self._qrels.of_queries(queries[queries < len(self._qrels.query_ids)]))
        hit, place = judged.find(rows, keys)
        self._take(rows.query, rows.score, hit, place, rows.ids)

    def add_mixed(self, run: ScannedRun, path: Path, reading: Reading) -> None:
        """Take all rows of a file in any order; raises Odd for a repeated candidate."""
        judged = _Judged(self._qrels, np.arange(len(self._qrels.key)))
        again = Reread.from_now(path, lambda: tokens(path, reading))
        columns, hits, before = [], [], 0
        for rows in run.pieces(path, reading):
            keys = column_scanner.pair_key(rows.query, rows.key)
            hit, place = judged.find(rows, keys)
            columns.append((rows.query, rows.score, keys))
            hits.append((hit + before, place))
            before += len(rows.query)
        query, score, keys = (np.concatenate(column) for column in zip(*columns, strict=True))
        del columns
        refuse_repeated(keys)
        del keys
        rows_in_order = ranking_order.by_score(query, score)
        sorted_at = np.empty(len(rows_in_order), np.int32)
        sorted_at[rows_in_order] = np.arange(len(rows_in_order), dtype=np.int32)
        hit, place = (np.concatenate(column) for column in zip(*hits, strict=True))
        hit = sorted_at[hit].astype(np.int64)
        by_rank = np.argsort(hit)
        self._take(
            query[rows_in_order],
            score[rows_in_order],
            hit[by_rank],
            place[by_rank],
            lambda some: ids_at(again, rows_in_order[some]),
        )

    def _take(
        self,
        query: NDArray[np.int32],
        score: NDArray[np.float64],
        hit: Places,
        judged: Places,
        ids: Callable[[Places], NDArray[np.bytes_]],
    ) -> None:
        """Keep the hits of rows by query and descending score; `ids` gives the candidates' ids of rows."""
        same = query[1:] == query[:-1]
        starts = np.concatenate(([0], np.flatnonzero(~same) + 1))
        tied = ranking_order.tied_with_above(query, score)
        place = upper = lower = hit
        shared = np.zeros(len(starts), np.int64)
        if tied.any():
            shared = np.add.reduceat(ranking_order.in_a_tie(tied).astype(np.int64), starts)
            place = _places_among_tied(ids, hit, tied)
            by_place = np.argsort(place)
            place, judged = place[by_place], judged[by_place]
            upper, lower = ranking_order.ends(tied, place)
        before = starts[np.searchsorted(starts, place, "right") - 1] - 1
        grade = self._qrels.grade[judged]
        self._found.append((query[place], place - before, grade, upper - before, lower - before))
        self._lengths.append((query[starts], np.diff(starts, append=len(query)), shared))

    def result(self, system: str) -> RunHits:
        """Return what was collected, by query and rank."""
        if not self._found:
            raise Odd
        queries = len(self._qrels.query_ids)
        query, rank, grade, first, last = (
            np.concatenate(column) for column in zip(*self._found, strict=True)
        )
        order = np.argsort(query, kind="stable")
        number, length, shared = (np.concatenate(column) for column in zip(*self._lengths, strict=True))
        retrieved, tied = np.zeros((2, len(self._numbers.ids)), np.int64)
        retrieved[number] = length
        tied[number] = shared
        unjudged = tuple(one for one in self._numbers.ids[queries:])
        return RunHits(
            system,
            query[order],
            rank[order].astype(np.int32),
            grade[order],
            retrieved[:queries],
            tied[:queries],
            first[order].astype(np.int32),
            last[order].astype(np.int32),
            unjudged,
        )


def _places_among_tied(
    ids: Callable[[Places], NDArray[np.bytes_]], hit: Places, tied: NDArray[np.bool_]
) -> Places:
    """Return where the hits stand once rows of equal score are in descending order of their ids' bytes.

    `tied` marks the rows whose score is that of the row before. Only groups with a hit are ordered.
    """
    group = np.cumsum(~tied) - 1
    with_hits = np.zeros(int(group[-1]) + 1, bool)
    with_hits[group[hit]] = True
    member = np.flatnonzero(with_hits[group] & ranking_order.in_a_tie(tied))
    if not len(member):
        return hit
    _, by_id = np.unique(ids(member), return_inverse=True)
    place = np.arange(len(tied))
    place[member[np.lexsort((-by_id, group[member]))]] = member
    return place[hit]
