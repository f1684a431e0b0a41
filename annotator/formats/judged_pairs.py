"""What is judged, as arrays sorted for looking pairs up, read straight from a TREC qrels file."""

import contextlib
import pickle
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from annotator.formats import column_scanner, trec_qrels
from annotator.formats.blanks import JSON
from annotator.formats.column_scanner import Bytes, Keys, Odd, Places
from annotator.formats.declaration import Reading
from annotator.formats.rows import query_id_problem
from annotator.formats.text_lines import blocks
from annotator.records import JudgmentTable
from annotator.watch import UNWATCHED, Watch

Kind = TypeVar("Kind", bound=np.generic)


@dataclass(frozen=True, slots=True, eq=False)
class Qrels:
    """Judged pairs by query: the query's number, the candidate's id in UTF-8, the grade, the pair's key.

    The rows of query q stand from `starts[q]` to `starts[q + 1]`. `notes` are the reader's sentences.
    """

    query_ids: tuple[str, ...]
    query: NDArray[np.int32]
    candidate: NDArray[np.bytes_]
    grade: NDArray[np.int32]
    key: Keys
    starts: Places
    notes: tuple[str, ...] = ()

    def of_queries(self, numbers: NDArray[np.int32]) -> Places:
        """Return the rows of some queries."""
        first = self.starts[numbers]
        length = self.starts[numbers + 1] - first
        return np.repeat(first - np.cumsum(length) + length, length) + np.arange(int(length.sum()))

    def packed(self, numbers: NDArray[np.int32]) -> bytes:
        """Return the judgments of some queries in few bytes, for `unpacked`, which numbers them anew."""
        rows = self.of_queries(numbers)
        ids = tuple(self.query_ids[number] for number in numbers.tolist())
        length = np.diff(self.starts)[numbers]
        held = ids, length, self.candidate[rows], self.grade[rows], self.notes
        return zlib.compress(pickle.dumps(held), level=1)


def unpacked(packed: bytes) -> Qrels:
    """Return the judgments that `Qrels.packed` made bytes of, in another process of this program."""
    ids, length, candidate, grade, notes = pickle.loads(zlib.decompress(packed))
    query = np.repeat(np.arange(len(ids), dtype=np.int32), length)
    keys = column_scanner.pair_key(query, Ids(candidate).key)
    return replace(_by_query(ids, query, candidate, grade, keys), notes=notes)


def qrels_of(path: Path, watch: Watch = UNWATCHED) -> Qrels:
    """Return the judgments of a TREC qrels file; raises InputError with the places that cannot be taken."""
    column_scanner.keep_freed_memory()
    with contextlib.suppress(Odd):
        return _scanned_qrels(path, Reading(watch=watch))
    dataset = trec_qrels.FORMAT.read(path, Reading(watch=watch))
    assert dataset.judgments is not None
    return replace(qrels_of_table(dataset.judgments), notes=dataset.notes)


def qrels_of_table(table: JudgmentTable) -> Qrels:
    """Return judgments that were read by any format's reader."""
    ids = Ids(table.candidate_ids)
    keys = column_scanner.pair_key(table.query, ids.key[table.candidate])
    candidate = ids.encoded[table.candidate]
    return _by_query(tuple(table.query_ids), table.query, candidate, table.grade.astype(np.int32), keys)


class Ids:
    """Ids given as texts or as UTF-8, laid out as the tokens of a file are."""

    def __init__(self, ids: Sequence[str] | NDArray[np.bytes_]) -> None:
        if not isinstance(ids, np.ndarray):
            ids = np.array([one.encode("utf-8") for one in ids] or [b""])
        self.encoded = ids
        self.width = self.encoded.dtype.itemsize
        self.data = np.concatenate((self.encoded.view(np.uint8), np.zeros(column_scanner.PAD, np.uint8)))
        self.start = np.arange(len(self.encoded)) * self.width
        self.end = self.start + np.strings.str_len(self.encoded)
        self.key = column_scanner.key(
            column_scanner.words(self.data, self.start, self.end), len(self.encoded)
        )


def _by_query(
    query_ids: tuple[str, ...],
    query: NDArray[np.int32],
    candidate: NDArray[np.bytes_],
    grade: NDArray[np.int32],
    keys: Keys,
) -> Qrels:
    if (query[1:] < query[:-1]).any():
        order = np.argsort(query, kind="stable")
        query, candidate, grade, keys = query[order], candidate[order], grade[order], keys[order]
    return Qrels(
        query_ids, query, candidate, grade, keys, np.searchsorted(query, np.arange(len(query_ids) + 1))
    )


def _scanned_qrels(path: Path, reading: Reading) -> Qrels:
    numbers = QueryNumbers(())
    query, candidate, grade, keys = [], [], [], []
    for block in blocks(path, reading):
        table = column_scanner.table([block], 4)
        starts, ends = table.bounds(2)
        value = column_scanner.fixed_point(table.data, *table.bounds(3), after=0)
        if value is None:
            raise Odd
        query.append(numbers.of_rows(table))
        candidate.append(column_scanner.fixed(table.data, starts, ends, int((ends - starts).max(initial=1))))
        grade.append(value.astype(np.int32))
        parts = column_scanner.words(table.data, starts, ends)
        keys.append(column_scanner.pair_key(query[-1], column_scanner.key(parts, len(table))))
    if not query:
        raise Odd
    all_keys = _whole(keys)
    refuse_repeated(all_keys)
    return _by_query(tuple(numbers.ids), _whole(query), _whole(candidate), _whole(grade), all_keys)


def _whole(parts: list[NDArray[Kind]]) -> NDArray[Kind]:
    """Return arrays as one, and let go of them."""
    whole = np.concatenate(parts)
    parts.clear()
    return whole


def refuse_repeated(keys: Keys) -> None:
    """Raise Odd where a key comes twice; mostly the halves of the keys prove that none does."""
    for part in (keys.view(np.uint32)[::2], keys):
        ordered = np.sort(part)
        if not (ordered[1:] == ordered[:-1]).any():
            return
    raise Odd


class QueryNumbers:
    """Queries numbered in the order of their appearance, those of the qrels first."""

    def __init__(self, ids: Sequence[str]) -> None:
        self.ids = list(ids)
        self._known = {one: number for number, one in enumerate(ids)}
        self._slots: dict[int, _Slots] = {}

    def of_rows(self, table: column_scanner.Table) -> NDArray[np.int32]:
        """Return the number of each row's query; raises Odd for an id that is not allowed and for JSON."""
        starts, ends = table.bounds(0)
        if (table.data[starts] == ord(JSON)).any():
            raise Odd
        return self.of_tokens(table.data, starts, ends)

    def of_tokens(self, data: Bytes, starts: Places, ends: Places) -> NDArray[np.int32]:
        """Return the number of each id that stands in some bytes; raises Odd for one that is not allowed."""
        parts = column_scanner.words(data, starts, ends)
        at = column_scanner.changes(parts, len(starts))
        if len(at) < len(starts):
            parts = [part[at] for part in parts]
        if len(parts) not in self._slots:
            self._slots[len(parts)] = _Slots(len(parts))
        slots = self._slots[len(parts)]
        numbers, new = slots.look_up(parts)
        if len(new):
            parts = [part[new] for part in parts]
            _, first, place = np.unique(
                column_scanner.key(parts, len(new)), return_index=True, return_inverse=True
            )
            if any((part != part[first][place]).any() for part in parts):
                raise Odd
            codes = np.empty(len(first), np.int32)
            for one in np.argsort(first):
                row = at[new[first[one]]]
                codes[one] = self.number(data[starts[row] : ends[row]].tobytes())
            numbers[new] = codes[place]
            slots.keep([part[first] for part in parts], codes)
        return np.repeat(numbers, np.diff(at, append=len(starts))) if len(at) < len(starts) else numbers

    def number(self, token: bytes) -> int:
        """Return the number of an id."""
        text = token.decode("utf-8")
        known = self._known.get(text)
        if known is None:
            if query_id_problem(text):
                raise Odd
            known = self._known[text] = len(self.ids)
            self.ids.append(text)
        return known


class _Slots:
    """Tokens of so many words with their numbers: each at the place its key says, or the next that is free.

    So the rows of a file whose queries are mixed are numbered without an object for each.
    """

    BITS, ROOM, FAR = 12, 4, 16
    """There is room for `ROOM` times the tokens; one that is not among `FAR` places is not remembered."""

    def __init__(self, count: int) -> None:
        self._clear(count, self.BITS)

    def _clear(self, count: int, bits: int) -> None:
        self._held, self._bits = 0, bits
        self._words = [np.zeros(1 << bits, np.uint64) for _ in range(count)]
        self._number = np.full(1 << bits, -1, np.int32)

    def _place(self, parts: list[Keys]) -> Places:
        mixed = column_scanner.key(parts, 0) * column_scanner.MIX
        return (mixed >> np.uint64(64 - self._bits)).view(np.int64)

    def _differ(self, parts: list[Keys], place: Places) -> NDArray[np.bool_]:
        differ = np.zeros(len(place), bool)
        for part, words in zip(parts, self._words, strict=True):
            differ |= words[place] != part
        return differ

    def look_up(self, parts: list[Keys]) -> tuple[NDArray[np.int32], Places]:
        """Return the tokens' numbers, and for which of them none is known (-1)."""
        first = place = self._place(parts)
        numbers = self._number[place]
        left = np.flatnonzero((numbers >= 0) & self._differ(parts, place))
        for step in range(1, self.FAR):
            if not len(left):
                break
            place = (first[left] + step) & (len(self._number) - 1)
            found = numbers[left] = self._number[place]
            left = left[(found >= 0) & self._differ([part[left] for part in parts], place)]
        numbers[left] = -1
        return numbers, np.flatnonzero(numbers < 0)

    def keep(self, parts: list[Keys], numbers: NDArray[np.int32]) -> None:
        """Remember the numbers of distinct tokens that are not there."""
        if (self._held + len(numbers)) * self.ROOM > len(self._number):
            used = np.flatnonzero(self._number >= 0)
            parts = [np.append(words[used], part) for words, part in zip(self._words, parts, strict=True)]
            numbers = np.append(self._number[used], numbers)
            self._clear(len(parts), (len(numbers) * self.ROOM).bit_length())
        first, left = self._place(parts), np.arange(len(numbers))
        for step in range(self.FAR):
            place = (first[left] + step) & (len(self._number) - 1)
            free = np.flatnonzero(self._number[place] < 0)
            self._number[place[free]] = numbers[left[free]]
            came = free[self._number[place[free]] == numbers[left[free]]]
            for part, words in zip(parts, self._words, strict=True):
                words[place[came]] = part[left[came]]
            self._held += len(came)
            left = np.delete(left, came)
