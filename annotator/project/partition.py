"""Runs of any size and order as a folder of Parquet files that hold whole rankings, out of core.

Every query belongs to one file, by a hash of its id. Rows are first thrown into a pile for each file, some at
a time, then each pile is put in order and written. Memory follows the rows that are held at a time and the
rows of one file, never the runs.
"""

import zlib
from array import array
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotator import ranking_order, unfinished
from annotator.errors import UserError
from annotator.formats.declaration import Reading, refuse_odd
from annotator.formats.parquet import pyarrow_here, refusing
from annotator.formats.registry import format_taken_for
from annotator.formats.run_pieces import Piece, pieces
from annotator.formats.text_lines import open_bytes, unreadable
from annotator.formats.whole_files import replacing_all
from annotator.watch import UNWATCHED, Watch

ROWS = 1_000_000
"""So many rows a file holds, about."""
MOST_FILES = 500
"""More files than this are not open at a time, nor half as many as the system lets a program open."""
AT_ONCE = 1 << 16
"""So many rows are ordered by their files at a time: more of them cost more, for want of cache."""
HELD = 1 << 26
"""So many bytes of ordered rows are held before they are thrown: of fewer each file gets small pieces."""
SAMPLE = 1 << 20
PACKED = 4
"""A gzipped run is taken to be so many times its size."""


@dataclass(frozen=True, slots=True)
class Partitioned:
    """What was written: how many files, rows, and the systems by name."""

    files: int
    rows: int
    systems: tuple[str, ...]


def partition(runs: Sequence[Path], folder: Path, rows: int = ROWS, watch: Watch = UNWATCHED) -> Partitioned:
    """Write the rankings of runs into Parquet files of about so many rows, each query whole in one of them.

    Within a file rows stand by system, query, score (highest first) and id (highest first). Rows of one
    system may come in several runs. Raises UserError, before anything is written, for a folder with files in
    it, InputError for a run that cannot be taken, Stopped; nothing is then left behind.
    """
    held = set(folder.iterdir()) - {*unfinished.there(folder)} if folder.is_dir() else set()
    if held:
        raise UserError(
            f"{folder} holds {min(held).name}; nothing was changed. Name a new or an empty folder."
        )
    arrow = pyarrow_here()
    sizes = [one.stat().st_size if one.is_file() else 0 for one in runs]
    files = min(max(1, -(-sum(map(_rows_in, runs)) // rows)), _most_files())
    watch = watch.saying("It was stopped; nothing was written.")
    throwing, ordering = watch.parts([2, 1])
    with replacing_all(folder) as part:
        with _Piles(arrow, part, files) as piles:
            for run, one in zip(runs, throwing.parts(sizes), strict=True):
                for piece in pieces(run, format_taken_for(run, wanted="trec-run"), Reading(watch=one)):
                    piles.throw(piece)
        written = 0
        for at, pile in enumerate(piles.written()):
            ordering.step(at, files, "Writing files")
            written += 1
            _write_part(arrow, pile, part / f"part-{written:04d}.parquet")
    return Partitioned(written, piles.rows, tuple(sorted(piles.systems)))


def _most_files() -> int:
    """Return how many files are written at most: all are open at a time."""
    try:
        from resource import RLIM_INFINITY, RLIMIT_NOFILE, getrlimit
    except ImportError:  # Windows has no such limit
        return MOST_FILES
    limit = getrlimit(RLIMIT_NOFILE)[0]
    return MOST_FILES if limit == RLIM_INFINITY else max(1, min(MOST_FILES, limit // 2))


def _rows_in(run: Path) -> int:
    """Return about how many rows a run holds."""
    refuse_odd(run)
    if not run.is_file():
        what = f"{run} is a folder" if run.is_dir() else f"There is no file {run}"
        raise UserError(f"{what}; name a run.")
    try:
        size = run.stat().st_size
        with open_bytes(run) as stream, run.open("rb") as plain:
            sample, start = stream.read(SAMPLE), plain.read(4)
        if start == b"PAR1":
            with refusing(run, arrow := pyarrow_here()):
                return int(arrow.parquet.read_metadata(run).num_rows)
    except OSError as error:
        raise unreadable(run, error) from error
    lines = max(sample.count(b"\n"), 1)
    return lines * size * (PACKED if start.startswith(b"\x1f\x8b") else 1) // max(len(sample), 1)


@dataclass
class _Piles:
    """Rows thrown into a file of Arrow's own for each part, many at a time."""

    arrow: Any
    folder: Path
    files: int
    rows: int = 0
    systems: dict[str, int] = field(default_factory=dict)
    _held: list[tuple[NDArray[np.int32], NDArray[np.int32], Any, NDArray[np.float64]]] = field(
        default_factory=list
    )
    _waiting: int = 0
    _ordered: list[tuple[Any, list[int]]] = field(default_factory=list)
    _bytes: int = 0
    _queries: dict[str, int] = field(default_factory=dict)
    _pile_of: "array[int]" = field(default_factory=partial(array, "H"))
    _looked_up: tuple[list[str], NDArray[np.int32]] = field(
        default_factory=lambda: ([], np.zeros(0, np.int32))
    )

    def __enter__(self) -> "_Piles":
        self._open = ExitStack()
        self._writers: dict[int, Any] = {}
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self._order()
            self._flush()
        self._open.close()

    def throw(self, piece: Piece) -> None:
        """Take some rows."""
        system = self.systems.setdefault(piece.system, len(self.systems))
        query = self._numbers(piece.queries)[piece.query]
        self._held.append((np.full(len(query), system, np.int32), query, piece.documents, piece.score))
        self.rows += len(query)
        self._waiting += len(query)
        if self._waiting >= AT_ONCE:
            self._order()

    def _numbers(self, names: list[str]) -> NDArray[np.int32]:
        """Return the numbers of queries; those of a list that only grew are looked up once."""
        last, known = self._looked_up
        if names is not last:
            known = np.zeros(0, np.int32)
        new = names[len(known) :]
        for name in new:
            if name not in self._queries:
                self._queries[name] = len(self._queries)
                self._pile_of.append(zlib.crc32(name.encode("utf-8")) % self.files)
        if new:
            known = np.append(known, np.array([self._queries[name] for name in new], np.int32))
        self._looked_up = names, known
        return known

    def _order(self) -> None:
        """Order what is waiting by its piles, and write what is held if that is enough."""
        if not self._held:
            return
        system, query, documents, score = zip(*self._held, strict=True)
        self._held, self._waiting = [], 0
        number = np.concatenate(query)
        pile = np.frombuffer(self._pile_of, np.uint16)[number]
        order = np.argsort(pile, kind="stable")
        bounds = np.searchsorted(pile[order], np.arange(self.files + 1)).tolist()
        columns = {
            "system": self.arrow.array(np.concatenate(system)),
            "query": self.arrow.array(number),
            "document": self.arrow.concat_arrays(documents),
            "score": self.arrow.array(np.concatenate(score)),
        }
        rows = self.arrow.record_batch(columns).take(self.arrow.array(order))
        self._ordered.append((rows, bounds))
        self._bytes += rows.nbytes
        if self._bytes >= HELD:
            self._flush()

    def _flush(self) -> None:
        """Write what is held to the piles."""
        ordered, self._ordered, self._bytes = self._ordered, [], 0
        for pile in range(self.files if ordered else 0):
            some = [rows.slice(at[pile], at[pile + 1] - at[pile]) for rows, at in ordered]
            piece = self.arrow.Table.from_batches(some).combine_chunks()
            if len(piece):
                self._writer(pile, piece.schema).write_table(piece)

    def _path(self, pile: int) -> Path:
        return self.folder / f"{pile}.pile"

    def _writer(self, pile: int, schema: Any) -> Any:
        if pile not in self._writers:
            packed = self.arrow.ipc.IpcWriteOptions(compression="lz4")
            made = self.arrow.ipc.new_file(str(self._path(pile)), schema, options=packed)
            self._writers[pile] = self._open.enter_context(made)
        return self._writers[pile]

    def written(self) -> Iterator[Any]:
        """Yield the rows of each pile, its file removed, with the texts of systems and queries."""
        systems, queries = self.arrow.array(list(self.systems)), self.arrow.array(list(self._queries))
        self._queries.clear()
        for pile in sorted(self._writers):
            with self.arrow.ipc.open_file(str(self._path(pile))) as file:
                table = file.read_all().combine_chunks()
            self._path(pile).unlink()
            for at, (name, texts) in enumerate((("system", systems), ("query", queries))):
                table = table.set_column(at, name, _coded(self.arrow, table[name], texts))
            yield table


def _coded(arrow: Any, numbers: Any, texts: Any) -> Any:
    """Return numbers of texts as codes of those texts alone that occur, in ascending order."""
    codes = numbers.to_numpy()
    occurs = np.zeros(len(texts), bool)
    occurs[codes] = True
    distinct = np.flatnonzero(occurs)
    names = texts.take(arrow.array(distinct))
    order = arrow.compute.array_sort_indices(names).to_numpy()
    place = np.zeros(len(texts), np.int32)
    place[distinct[order]] = np.arange(len(order), dtype=np.int32)
    return arrow.DictionaryArray.from_arrays(arrow.array(place[codes]), names.take(arrow.array(order)))


def _write_part(arrow: Any, table: Any, path: Path) -> None:
    """Write the rows of a part in their order."""
    system, query = (table[name].combine_chunks() for name in ("system", "query"))
    of = system.indices.to_numpy().astype(np.int64) * len(query.dictionary) + query.indices.to_numpy()
    documents = table["document"].combine_chunks()

    def falling_ids(rows: NDArray[np.int64]) -> NDArray[np.int64]:
        names = [one.encode("utf-8") for one in documents.take(arrow.array(rows)).to_pylist()]
        place = {name: at for at, name in enumerate(sorted(set(names), reverse=True))}
        return np.array([place[name] for name in names], np.int64)

    order, _ = ranking_order.ranked(of, table["score"].to_numpy(), falling_ids)
    names = ["system", "query_id", "document_id", "score"]
    arrow.parquet.write_table(
        table.rename_columns(names).take(arrow.array(order)),
        path,
        compression="zstd",
        use_dictionary=["system", "query_id"],
        row_group_size=1 << 18,
    )
