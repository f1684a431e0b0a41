"""The rows of TREC run files as arrays: in pieces of whole queries, all at once, or as a table to store."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from annotator import ranking_order
from annotator.formats import column_scanner
from annotator.formats.column_scanner import Bytes, Keys, Odd, Places
from annotator.formats.declaration import Reading
from annotator.formats.judged_pairs import QueryNumbers
from annotator.formats.rows import by_score, ranks
from annotator.formats.text_lines import blocks
from annotator.records import RunTable, id_problem

AT_ONCE = 100_000


@dataclass(slots=True)
class Rows:
    """Rows of a run: where the id of each candidate stands in `data`, and what was read of the row."""

    data: Bytes
    query: NDArray[np.int32]
    start: Places
    end: Places
    key: Keys
    score: NDArray[np.float64]

    def taken(self, rows: "Places | slice") -> "Rows":
        """Return some of the rows, in the order asked for."""
        return Rows(
            self.data, self.query[rows], self.start[rows], self.end[rows], self.key[rows], self.score[rows]
        )

    def in_order(self) -> "Rows":
        """Return the rows by query, score descending; tied rows in any order."""
        return self.taken(ranking_order.by_score(self.query, self.score))

    def ids(self, rows: "Places | slice") -> NDArray[np.bytes_]:
        """Return the candidates' ids of some rows."""
        starts, ends = self.start[rows], self.end[rows]
        return column_scanner.fixed(self.data, starts, ends, int((ends - starts).max(initial=1)))


def tokens(path: Path, reading: Reading) -> Iterator[column_scanner.Table]:
    """Yield a run file's columns, a block at a time."""
    return (column_scanner.table([block], 6) for block in blocks(path, reading))


def ids_at(tables: Iterable[column_scanner.Table], rows: Places) -> NDArray[np.bytes_]:
    """Return the candidates' ids in some rows of a file that is gone through again."""
    order = np.argsort(rows)
    parts, before, ordered = [], 0, rows[order]
    for table in tables:
        first, end = np.searchsorted(ordered, (before, before + len(table)))
        starts, ends = (bound[ordered[first:end] - before] for bound in table.bounds(2))
        parts.append(column_scanner.fixed(table.data, starts, ends, int((ends - starts).max(initial=1))))
        before += len(table)
    ids = np.concatenate(parts)
    back = np.empty_like(ids)
    back[order] = ids
    return back


class ScannedRun:
    """The rows of one run file."""

    def __init__(self, numbers: QueryNumbers) -> None:
        self.tag = b""
        self.numbers = numbers

    def whole_queries(self, path: Path, reading: Reading) -> Iterator[Rows]:
        """Yield the rows in pieces that end where a query ends."""
        waiting: list[bytes] = []
        enough = 0
        for block in blocks(path, reading):
            waiting.append(block)
            if sum(map(len, waiting)) < enough:
                continue
            table = column_scanner.table(waiting, 6)
            rows = self._rows(table)
            others = np.flatnonzero(rows.query != rows.query[-1:])
            last = int(others[-1]) + 1 if len(others) else 0
            rest = table.data[table.bounds(0)[0][last] : -column_scanner.PAD].tobytes() if len(table) else b""
            waiting, enough = [rest], 0 if last else 2 * len(rest)
            whole = rows.taken(slice(last))
            del block, table, rows, others  # or two blocks would be held at a time
            if last:
                yield whole
            del whole
        yield self._rows(column_scanner.table(waiting, 6))

    def pieces(self, path: Path, reading: Reading) -> Iterator[Rows]:
        """Yield all rows, in the order of the file."""
        yield from map(self._rows, tokens(path, reading))

    def _rows(self, table: column_scanner.Table) -> Rows:
        self._check_tag(table)
        starts, ends = table.bounds(2)
        return Rows(
            table.data,
            self.numbers.of_rows(table),
            starts,
            ends,
            column_scanner.key(column_scanner.words(table.data, starts, ends), len(table)),
            column_scanner.decimals(table.data, *table.bounds(4)),
        )

    def _check_tag(self, table: column_scanner.Table) -> None:
        tag = column_scanner.same_last_column(table) if len(table) else self.tag
        if self.tag not in (b"", tag) or (tag and id_problem(tag.decode("utf-8"))):
            raise Odd
        self.tag = tag

    def tables(self, path: Path, reading: Reading) -> Iterator[RunTable]:
        """Yield the run as tables of whole queries; raises Odd also where a query comes again."""
        done = 0
        for rows in self.whole_queries(path, reading):
            if not len(rows.query):
                continue
            first, done = done, int(rows.query.max()) + 1
            if rows.query.min() < first:
                raise Odd
            width = int((rows.end - rows.start).max(initial=1))
            text = column_scanner.fixed(rows.data, rows.start, rows.end, width)
            name = reading.system or self.tag.decode("utf-8")
            ids = self.numbers.ids[first:done]
            yield _table(rows.query - np.int32(first), rows.score, rows.key, text, name, ids, path.name)
        if not done:
            raise Odd

    def table(self, path: Path, reading: Reading) -> RunTable:
        """Return the run as columns; the text of a candidate's id is kept once."""
        columns = self._columns(path, reading)
        return _table(*columns, reading.system or self.tag.decode("utf-8"), self.numbers.ids, path.name)

    def _columns(
        self, path: Path, reading: Reading
    ) -> tuple[NDArray[np.int32], NDArray[np.float64], Keys, NDArray[np.bytes_]]:
        """Return each row's query, score, and its candidate's key and id."""
        query, score, key, text = [], [], [], []
        for rows in self.pieces(path, reading):
            query.append(rows.query)
            score.append(rows.score)
            key.append(rows.key)
            text.append(rows.ids(slice(None)))
        if not self.tag:
            raise Odd
        return np.concatenate(query), np.concatenate(score), np.concatenate(key), np.concatenate(text)


def _table(
    query: NDArray[np.int32],
    score: NDArray[np.float64],
    key: Keys,
    text: NDArray[np.bytes_],
    system: str,
    query_ids: list[str],
    source: str,
) -> RunTable:
    """Return rows in the order of trec_eval; raises Odd when a query has a candidate twice."""
    ids, candidate = _numbered(key, text)
    pairs = query.astype(np.int64) * len(ids) + candidate
    pairs.sort()
    if (pairs[1:] == pairs[:-1]).any():
        raise Odd
    rows = by_score(query, candidate, score, ids)
    query = query[rows]
    return RunTable(system, query_ids, ids, query, candidate[rows], ranks(query), score[rows], source)


def _numbered(key: Keys, text: NDArray[np.bytes_]) -> tuple[list[str], NDArray[np.int32]]:
    """Return the distinct ids and each row's number among them; raises Odd when two ids share a key."""
    _, first, code = np.unique(key, return_index=True, return_inverse=True)
    if (text[first][code] != text).any():
        raise Odd
    distinct = text[first]
    ids: list[str] = []
    for start in range(0, len(distinct), AT_ONCE):  # ids hold no line ends
        ids += b"\n".join(distinct[start : start + AT_ONCE].tolist()).decode("utf-8").split("\n")
    return ids, code.astype(np.int32)
