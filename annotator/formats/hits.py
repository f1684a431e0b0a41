"""The judged part of rankings straight from TREC files: what an evaluation needs, at the speed of reading.

Rows that nobody judged are thrown away by their keys before anything else is done with them. Memory follows
the longest ranking, not the file; a file whose queries are mixed is kept whole and sorted once.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from annotator.formats import scanning, trec_run
from annotator.formats.declaring import Reading
from annotator.formats.judged_pairs import Ids, Qrels, QueryNumbers
from annotator.formats.scanning import Bytes, Keys, Odd, Places
from annotator.formats.text_lines import blocks
from annotator.records import RunTable, id_problem

TABLE_BITS = 23


@dataclass(frozen=True, slots=True, eq=False)
class RunHits:
    """One system's judged retrieved candidates, and how much it retrieved.

    `query`, `rank` (from 1, ascending in each query) and `grade` have one entry a hit; `retrieved` and `tied`
    (rows that share their score with another row of the ranking) one for each query of the qrels. `unjudged`
    are the ids of the run's queries that the qrels do not know.
    """

    system: str
    query: NDArray[np.int32]
    rank: NDArray[np.int32]
    grade: NDArray[np.int64]
    retrieved: NDArray[np.int64]
    tied: NDArray[np.int64]
    unjudged: tuple[str, ...] = ()


def hits_of_run(path: Path, qrels: Qrels, reading: Reading | None = None) -> list[RunHits]:
    """Return the hits of every system in a TREC run, one for each tag of the file.

    `reading.system` renames the only system. Raises InputError with the places that cannot be taken.
    """
    reading = reading or Reading()
    scanning.keep_freed_memory()
    try:
        run = _Run(qrels)
        try:
            for rows in run.whole_queries(path, reading):
                run.hits.add(rows)
        except _Mixed:
            run = _Run(qrels)
            run.hits.add(run.all_rows(path, reading))
        return [run.hits.result(reading.system or run.tag.decode("utf-8"))]
    except Odd:
        return [hits_of_table(table, qrels) for table in trec_run.FORMAT.read(path, reading).runs]


def hits_of_table(run: RunTable, qrels: Qrels) -> RunHits:
    """Return the hits of a run that was read by any format's reader."""
    ids = Ids(run.candidate_ids)
    numbers = QueryNumbers(qrels.query_ids)
    query = np.array([numbers.number(one.encode("utf-8")) for one in run.query_ids], np.int32)
    scored = run.score is not None and run.order_rule == "score"
    rows = _Rows(
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


@dataclass(slots=True)
class _Rows:
    """Rows of a run: where the id of each candidate stands in `data`, and what was read of the row."""

    data: Bytes
    query: NDArray[np.int32]
    start: Places
    end: Places
    key: Keys
    score: NDArray[np.float64]

    def taken(self, rows: "Places | slice") -> "_Rows":
        """Return some of the rows, in the order asked for."""
        return _Rows(
            self.data, self.query[rows], self.start[rows], self.end[rows], self.key[rows], self.score[rows]
        )

    def in_order(self) -> "_Rows":
        """Return the rows by query, score descending; tied rows in any order."""
        order = np.argsort(-self.score)
        small = self.query.astype(np.uint16 if int(self.query.max(initial=0)) < 1 << 16 else np.uint32)
        return self.taken(order[np.argsort(small[order], kind="stable")])


class _Run:
    """The rows of one run file."""

    def __init__(self, qrels: Qrels) -> None:
        self.tag = b""
        self.numbers = QueryNumbers(qrels.query_ids)
        self.hits = _Hits(qrels, self.numbers)

    def whole_queries(self, path: Path, reading: Reading) -> Iterator[_Rows]:
        """Yield the rows in pieces that end where a query ends."""
        waiting: list[bytes] = []
        enough = 0
        for block in blocks(path, reading):
            waiting.append(block)
            if sum(map(len, waiting)) < enough:
                continue
            table = scanning.table(waiting, 6)
            rows = self._rows(table)
            others = np.flatnonzero(rows.query != rows.query[-1:])
            last = int(others[-1]) + 1 if len(others) else 0
            if last:
                yield rows.taken(slice(last))
            rest = table.data[table.bounds(0)[0][last] : -scanning.PAD].tobytes() if len(table) else b""
            waiting, enough = [rest], 0 if last else 2 * len(rest)
        yield self._rows(scanning.table(waiting, 6))

    def all_rows(self, path: Path, reading: Reading) -> _Rows:
        """Return all rows of a file whose queries are mixed, in order."""
        pieces = [self._rows(scanning.table([block], 6)) for block in blocks(path, reading)]
        at = np.cumsum([0] + [len(piece.data) for piece in pieces])
        for piece, offset in zip(pieces, at, strict=False):
            piece.start = piece.start + offset
            piece.end = piece.end + offset
        columns = ("data", "query", "start", "end", "key", "score")
        return _Rows(*(np.concatenate([getattr(one, name) for one in pieces]) for name in columns)).in_order()

    def _rows(self, table: scanning.Table) -> _Rows:
        self._check_tag(table)
        starts, ends = table.bounds(2)
        return _Rows(
            table.data,
            self.numbers.of_rows(table),
            starts,
            ends,
            scanning.key(scanning.words(table.data, starts, ends), len(table)),
            scanning.decimals(table.data, *table.bounds(4)),
        )

    def _check_tag(self, table: scanning.Table) -> None:
        tag = scanning.same_last_column(table) if len(table) else self.tag
        if self.tag not in (b"", tag) or (tag and id_problem(tag.decode("utf-8"))):
            raise Odd
        self.tag = tag


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
        self._found: list[tuple[NDArray[np.int32], Places, NDArray[np.int64]]] = []

    def add(self, rows: _Rows) -> None:
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
        place = hit
        shared = np.zeros(len(starts), np.int64)
        if tied.any():
            shared = np.add.reduceat((tied | np.append(tied[1:], False)).astype(np.int64), starts)
            place = _places_among_tied(rows, hit, tied)
            order = np.argsort(place)
            place, judged = place[order], judged[order]
        first = starts[np.searchsorted(starts, place, "right") - 1]
        self._found.append((rows.query[place], place - first + 1, self._qrels.grade[judged]))
        self._lengths.append((queries, np.diff(starts, append=len(rows.query)), shared))

    def _judged(self, rows: _Rows, keys: Keys) -> tuple[Places, Places]:
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
        query, rank, grade = (np.concatenate(column) for column in zip(*self._found, strict=True))
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
            unjudged,
        )


def _places_among_tied(rows: _Rows, hit: Places, tied: NDArray[np.bool_]) -> Places:
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
