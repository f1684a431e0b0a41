"""The judged part of rankings straight from TREC files: what an evaluation needs, at the speed of reading.

Rows that nobody judged are thrown away by their keys before anything else is done with them. Memory follows
the longest ranking, not the file; a file whose queries are mixed is kept whole and sorted once.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from annotator.formats import scanning, trec_run
from annotator.formats.declaring import Reading
from annotator.formats.judged_pairs import Ids, Qrels, QueryNumbers
from annotator.formats.scanned_runs import Rows, ScannedRun
from annotator.formats.scanning import Keys, Odd, Places
from annotator.records import RunTable

TABLE_BITS = 23


@dataclass(frozen=True, slots=True, eq=False)
class RunHits:
    """One system's judged retrieved candidates, and how much it retrieved.

    `query`, `rank` (from 1, ascending in each query) and `grade` have one entry a hit; `retrieved` and `tied`
    (rows that share their score with another row of the ranking) one for each query of the qrels. `unjudged`
    are the ids of the run's queries that the qrels do not know. `first` and `last` (one entry a hit) are the
    ranks between which the candidates with the hit's score stand.
    """

    system: str
    query: NDArray[np.int32]
    rank: NDArray[np.int32]
    grade: NDArray[np.int64]
    retrieved: NDArray[np.int64]
    tied: NDArray[np.int64]
    first: NDArray[np.int32]
    last: NDArray[np.int32]
    unjudged: tuple[str, ...] = ()


def hits_of_run(path: Path, qrels: Qrels, reading: Reading | None = None) -> list[RunHits]:
    """Return the hits of every system in a TREC run, one for each tag of the file.

    `reading.system` renames the only system. Raises InputError with the places that cannot be taken.
    """
    reading = reading or Reading()
    scanning.keep_freed_memory()
    try:
        run = ScannedRun(QueryNumbers(qrels.query_ids))
        hits = _Hits(qrels, run.numbers)
        try:
            for rows in run.whole_queries(path, reading):
                hits.add(rows)
        except _Mixed:
            hits = _Hits(qrels, run.numbers)
            hits.add(run.all_rows(path, reading).in_order())
        return [hits.result(reading.system or run.tag.decode("utf-8"))]
    except Odd:
        return [hits_of_table(table, qrels) for table in trec_run.read_plainly(path, reading).runs]


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
    hits = _Hits(qrels, numbers)
    hits.add(rows)
    return hits.result(run.system)


class _Mixed(Exception):
    """The rows of a query do not stand together."""


class _Hits:
    """Collects the hits of rankings that come a few whole queries at a time."""

    def __init__(self, qrels: Qrels, numbers: QueryNumbers) -> None:
        self._qrels = qrels
        self._numbers = numbers
        bits = min(max((16 * len(qrels.key)).bit_length(), 10), TABLE_BITS)
        self._shift = np.uint64(64 - bits)
        self._may_be = np.zeros(1 << bits, bool)
        self._may_be[qrels.key >> self._shift] = True
        self._done: set[int] = set()
        self._lengths: list[tuple[NDArray[np.int32], Places, Places]] = []
        self._found: list[tuple[NDArray[np.int32], Places, NDArray[np.int64], Places, Places]] = []

    def add(self, rows: Rows) -> None:
        """Take whole rankings; raises Odd for a repeated candidate, _Mixed for a query that came before."""
        if not len(rows.query):
            return
        same = rows.query[1:] == rows.query[:-1]
        if (same & (rows.score[1:] > rows.score[:-1])).any():
            rows = rows.in_order()
            same = rows.query[1:] == rows.query[:-1]
        starts = np.concatenate(([0], np.flatnonzero(~same) + 1))
        queries = rows.query[starts]
        known = set(queries.tolist())
        if len(known) < len(queries) or self._done & known:
            raise _Mixed
        self._done |= known
        keys = scanning.pair_key(rows.query, rows.key)
        ordered = np.sort(keys)
        if (ordered[1:] == ordered[:-1]).any():
            raise Odd
        hit, judged = self._judged(rows, keys)
        tied = np.concatenate(([False], same & (rows.score[1:] == rows.score[:-1])))
        place = upper = lower = hit
        shared = np.zeros(len(starts), np.int64)
        if tied.any():
            shared = np.add.reduceat((tied | np.append(tied[1:], False)).astype(np.int64), starts)
            place = _places_among_tied(rows, hit, tied)
            order = np.argsort(place)
            place, judged = place[order], judged[order]
            upper, lower = _ends_of_groups(place, tied)
        before = starts[np.searchsorted(starts, place, "right") - 1] - 1
        grade = self._qrels.grade[judged]
        self._found.append((rows.query[place], place - before, grade, upper - before, lower - before))
        self._lengths.append((queries, np.diff(starts, append=len(rows.query)), shared))

    def _judged(self, rows: Rows, keys: Keys) -> tuple[Places, Places]:
        """Return which rows are judged, and where in the qrels; equal keys are proved by the ids' bytes."""
        likely = np.flatnonzero(self._may_be[keys >> self._shift])
        place = np.searchsorted(self._qrels.key, keys[likely])
        place[place == len(self._qrels.key)] = 0
        equal = self._qrels.key[place] == keys[likely] if len(place) else np.zeros(0, bool)
        hit, place = likely[equal], place[equal]
        width = int((rows.end[hit] - rows.start[hit]).max(initial=1))
        proved = (
            scanning.fixed(rows.data, rows.start[hit], rows.end[hit], width) == self._qrels.candidate[place]
        )
        proved &= self._qrels.query[place] == rows.query[hit]
        return hit[proved], place[proved]

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


def _ends_of_groups(place: Places, tied: NDArray[np.bool_]) -> tuple[Places, Places]:
    """Return the first and the last row with the score of each place."""
    starts = np.flatnonzero(~tied)
    group = np.searchsorted(starts, place, "right") - 1
    return starts[group], np.append(starts[1:], len(tied))[group] - 1


def _places_among_tied(rows: Rows, hit: Places, tied: NDArray[np.bool_]) -> Places:
    """Return where the hits stand once rows of equal score are in descending order of their ids' bytes.

    `tied` marks the rows whose score is that of the row before. Only groups with a hit are ordered.
    """
    group = np.cumsum(~tied) - 1
    wanted = np.zeros(int(group[-1]) + 1, bool)
    wanted[group[hit]] = True
    member = np.flatnonzero(wanted[group] & (tied | np.append(tied[1:], False)))
    if not len(member):
        return hit
    width = int((rows.end[member] - rows.start[member]).max())
    ids = scanning.fixed(rows.data, rows.start[member], rows.end[member], width)
    _, by_id = np.unique(ids, return_inverse=True)
    place = np.arange(len(tied))
    place[member[np.lexsort((-by_id, group[member]))]] = member
    return place[hit]
