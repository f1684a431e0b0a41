"""What is judged, as arrays sorted for looking pairs up, read straight from a TREC qrels file."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from annotator.formats import scanning, trec_qrels
from annotator.formats.declaring import Reading
from annotator.formats.rows import query_id_problem
from annotator.formats.scanning import Keys, Odd
from annotator.formats.text_lines import blocks
from annotator.records import JudgmentTable


@dataclass(frozen=True, slots=True, eq=False)
class Qrels:
    """Judged pairs, sorted by `key`: the query's number, the candidate's id in UTF-8, the grade."""

    query_ids: tuple[str, ...]
    query: NDArray[np.int32]
    candidate: NDArray[np.bytes_]
    grade: NDArray[np.int64]
    key: Keys


def qrels_of(path: Path, reading: Reading | None = None) -> Qrels:
    """Return the judgments of a TREC qrels file; raises InputError with the places that cannot be taken."""
    reading = reading or Reading()
    scanning.keep_freed_memory()
    try:
        return _scanned_qrels(path, reading)
    except Odd:
        table = trec_qrels.FORMAT.read(path, reading).judgments
        assert table is not None
        return qrels_of_table(table)


def qrels_of_table(table: JudgmentTable) -> Qrels:
    """Return judgments that were read by any format's reader."""
    ids = Ids(table.candidate_ids)
    keys = scanning.pair_key(table.query, ids.key[table.candidate])
    candidate = ids.encoded[table.candidate]
    return _sorted(tuple(table.query_ids), table.query, candidate, table.grade, keys)


class Ids:
    """Ids given as texts, laid out as the tokens of a file are."""

    def __init__(self, ids: Sequence[str]) -> None:
        self.encoded = np.array([one.encode("utf-8") for one in ids] or [b""])
        self.width = self.encoded.dtype.itemsize
        self.data = np.concatenate((self.encoded.view(np.uint8), np.zeros(scanning.PAD, np.uint8)))
        self.start = np.arange(len(self.encoded)) * self.width
        self.end = self.start + np.strings.str_len(self.encoded)
        self.key = scanning.key(scanning.words(self.data, self.start, self.end), len(self.encoded))


def _sorted(
    query_ids: tuple[str, ...],
    query: NDArray[np.int32],
    candidate: NDArray[np.bytes_],
    grade: NDArray[np.int64],
    keys: Keys,
) -> Qrels:
    order = np.argsort(keys, kind="stable")
    return Qrels(query_ids, query[order], candidate[order], grade[order], keys[order])


def _scanned_qrels(path: Path, reading: Reading) -> Qrels:
    numbers = QueryNumbers(())
    query, candidate, grade, keys = [], [], [], []
    for block in blocks(path, reading):
        table = scanning.table([block], 4)
        starts, ends = table.bounds(2)
        value = scanning.fixed_point(table.data, *table.bounds(3), after=0)
        if value is None:
            raise Odd
        query.append(numbers.of_rows(table))
        candidate.append(scanning.fixed(table.data, starts, ends, int((ends - starts).max(initial=1))))
        grade.append(value)
        parts = scanning.words(table.data, starts, ends)
        keys.append(scanning.pair_key(query[-1], scanning.key(parts, len(table))))
    if not query:
        raise Odd
    found = _sorted(
        tuple(numbers.ids),
        np.concatenate(query),
        np.concatenate(candidate),
        np.concatenate(grade),
        np.concatenate(keys),
    )
    if (found.key[1:] == found.key[:-1]).any():
        raise Odd
    return found


class QueryNumbers:
    """Queries numbered in the order of their appearance, those of the qrels first."""

    def __init__(self, ids: Sequence[str]) -> None:
        self.ids = list(ids)
        self._known = {one.encode("utf-8"): number for number, one in enumerate(ids)}

    def of_rows(self, table: scanning.Table) -> NDArray[np.int32]:
        """Return the number of each row's query; raises Odd for an id that is not allowed."""
        starts, ends = table.bounds(0)
        parts = scanning.words(table.data, starts, ends)
        at = scanning.changes(parts, len(table))
        parts = [part[at] for part in parts]
        _, first, place = np.unique(scanning.key(parts, len(at)), return_index=True, return_inverse=True)
        if any((part != part[first][place]).any() for part in parts):
            raise Odd
        numbers = np.empty(len(first), np.int32)
        for new in np.argsort(first):
            row = at[first[new]]
            numbers[new] = self.number(table.data[starts[row] : ends[row]].tobytes())
        return np.repeat(numbers[place], np.diff(at, append=len(table)))

    def number(self, token: bytes) -> int:
        """Return the number of an id."""
        known = self._known.get(token)
        if known is None:
            text = token.decode("utf-8")
            if query_id_problem(text):
                raise Odd
            known = self._known[token] = len(self.ids)
            self.ids.append(text)
        return known
