"""The judged part of rankings straight from Parquet files, by columns: what an evaluation needs.

It is for tables of rankings alone: `query_id`, `document_id`, `score` or `rank`, and `system`, under the
names by which columns of plain tables are recognised. Where the rows of each query of a system stand together
memory follows the longest ranking, else the file.
"""

from collections.abc import Container, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotator import ranking_order
from annotator.formats import column_scanner
from annotator.formats.column_scanner import Bytes, Odd, Places
from annotator.formats.hits import Collector, Mixed, RunHits
from annotator.formats.judged_pairs import Qrels, QueryNumbers
from annotator.formats.parquet import pyarrow_here, refusing
from annotator.formats.scanned_runs import Rows
from annotator.formats.table_columns import ROLES, mapping_of
from annotator.formats.text_lines import UNPACKED_FREE, UNPACKED_RATIO
from annotator.formats.whole_files import stem
from annotator.records import ID_BYTES, id_problem

PLACED = ({"query_id", "document_id", "score"}, {"query_id", "document_id", "rank"})
BESIDE = {"system", "rank", "score"}
LINE_ENDS = b"\t\n\r"
SPACE, DELETE = 32, 127
AT_ONCE = 1 << 16
"""So many rows are read at once."""

Numbers = NDArray[np.int32]
Values = NDArray[np.float64]


def hits_of_parquet(path: Path, qrels: Qrels) -> list[RunHits]:
    """Return the hits of every system of a table of rankings, in the order of their first rows.

    Raises Odd for what the reader of plain tables must decide on, InputError for what is no Parquet file.
    """
    column_scanner.keep_freed_memory()
    try:
        return _hits(path, qrels, mixed=False)
    except Mixed:
        return _hits(path, qrels, mixed=True)


def _hits(path: Path, qrels: Qrels, mixed: bool) -> list[RunHits]:
    arrow = pyarrow_here()
    systems: dict[str, _System] = {}
    with refusing(path, arrow):
        for batch in batches(arrow, path):
            for name, codes, rows in by_system(batch, stem(path)):
                if name not in systems:
                    systems[name] = _System(arrow, qrels, mixed, "rank" in batch)
                systems[name].take(codes, *rows)
    if not systems:
        raise Odd
    return [one.hits().result(name) for name, one in systems.items()]


def rankings_in(path: Path, numbers: QueryNumbers) -> Iterator[tuple[str, Numbers]]:
    """Yield systems and the numbers of queries that these have rankings of, each maybe several times.

    Only the columns of both are read. Raises Odd and InputError as `hits_of_parquet` does.
    """
    arrow, queries = pyarrow_here(), Numbered(numbers)
    with refusing(path, arrow):
        for batch in batches(arrow, path, {"query_id", "system"}):
            codes, texts = _coded(batch["query_id"])
            known, at = queries.of(texts), _changes(codes)
            if "system" not in batch:
                yield stem(path), known[codes[at]]
                continue
            of, systems = _coded(batch["system"])
            at = np.union1d(at, _changes(of))
            of, query = of[at], known[codes[at]]
            for one in dict.fromkeys(of.tolist()):
                yield systems[one].as_py(), query[of == one]


def batches(arrow: Any, path: Path, wanted: Container[str] = ROLES) -> Iterator[Mapping[str, Any]]:
    """Yield the wanted columns of some rows by their roles; raises Odd for a table with any other columns."""
    with arrow.parquet.ParquetFile(path) as file:
        names, meta = file.schema_arrow.names, file.metadata
    roles = mapping_of(names, {}, f"{path.parent.name}/{path.name}")
    if not any(one <= set(roles) <= one | BESIDE for one in PLACED) or len(names) != len(roles):
        raise Odd
    groups = [meta.row_group(one) for one in range(meta.num_row_groups)]
    most = UNPACKED_FREE + UNPACKED_RATIO * path.stat().st_size
    if sum(one.total_byte_size for one in groups) > most:
        raise Odd
    coded = [roles[role] for role in ("query_id", "system") if role in roles]
    document = names.index(roles["document_id"])
    if any(one.column(document).has_dictionary_page for one in groups):
        coded.append(roles["document_id"])
    roles = {role: column for role, column in roles.items() if role in wanted}
    # without pre_buffer: it keeps all that was read of the file until its end
    with arrow.parquet.ParquetFile(path, read_dictionary=coded, pre_buffer=False) as file:
        for batch in file.iter_batches(AT_ONCE, columns=list(roles.values()), use_threads=False):
            yield {role: batch.column(column) for role, column in roles.items()}


def by_system(
    batch: Mapping[str, Any], unnamed: str
) -> Iterator[tuple[str, tuple[Numbers, Any], tuple[Any, Values]]]:
    """Yield each system's part of some rows: name, queries as (codes, dictionary), documents and values.

    The value of a row is its score, or where ranks are given less its rank.
    """
    codes, queries = _coded(batch["query_id"])
    documents = _texts(batch["document_id"])
    values = -_numbers(batch["rank"]) if "rank" in batch else _numbers(batch["score"])
    if "rank" in batch and "score" in batch:
        _numbers(batch["score"])
    if "system" not in batch:
        yield unnamed, (codes, queries), (documents, values)
        return
    of, systems = _coded(batch["system"])
    for one in dict.fromkeys(of[_changes(of)].tolist()):
        rows, name = np.flatnonzero(of == one), systems[one].as_py()
        if id_problem(name):
            raise Odd
        part: slice | Places = rows
        if len(rows) and rows[-1] - rows[0] + 1 == len(rows):
            part = slice(int(rows[0]), int(rows[-1]) + 1)
            mine = documents[part]
        else:
            mine = documents.take(rows)
        yield name, (codes[part], queries), (mine, values[part])


class Numbered:
    """The numbers of the queries in a file; a dictionary that stays, or only grows, is looked up once."""

    def __init__(self, numbers: QueryNumbers) -> None:
        self._numbers, self._known = numbers, np.zeros(0, np.int32)
        self._texts: Any = None

    def of(self, texts: Any) -> Numbers:
        """Return the number of each text; raises Odd for one that can be no id."""
        if texts is not self._texts:
            if self._texts is None or not texts[: len(self._texts)].equals(self._texts):
                self._known = self._known[:0]
            new = texts[len(self._known) :]
            self._known = np.append(self._known, self._numbers.of_tokens(*bytes_of(new)))
            self._texts = texts
        return self._known


class _System:
    """One system's rows as they come, taken a few whole queries at a time, or all at once where mixed."""

    def __init__(self, arrow: Any, qrels: Qrels, mixed: bool, by_rank: bool) -> None:
        self._arrow, self._mixed, self._by_rank = arrow, mixed, by_rank
        self._numbers = QueryNumbers(qrels.query_ids)
        self._hits = Collector(qrels, self._numbers)
        self._waiting: list[tuple[Numbers, Any, Values]] = []

    def take(self, queries: tuple[Numbers, Any], documents: Any, values: Values) -> None:
        """Take some rows; raises Odd, and Mixed where a query comes again."""
        codes, texts = queries
        there = np.array(list(dict.fromkeys(codes[_changes(codes)].tolist())), np.int64)
        names = texts.take(self._arrow.array(there)).to_pylist()
        number = np.zeros(len(texts), np.int32)
        number[there] = [self._numbers.number(name.encode("utf-8")) for name in names]
        query = number[codes]
        others = np.flatnonzero(query != query[-1:])
        last = int(others[-1]) + 1 if len(others) and not self._mixed else 0
        if last:
            self._waiting.append((query[:last], documents[:last], values[:last]))
            self._flush()
        elif self._waiting and not self._mixed and self._waiting[-1][0][-1] != query[0]:
            self._flush()
        self._waiting.append((query[last:], documents[last:], values[last:]))

    def hits(self) -> Collector:
        """Return what was collected of all rows."""
        self._flush()
        return self._hits

    def _flush(self) -> None:
        query, documents, values = zip(*self._waiting, strict=True)
        self._waiting = []
        ids = self._arrow.concat_arrays(documents) if len(documents) > 1 else documents[0]
        data, starts, ends = bytes_of(ids)
        parts = column_scanner.words(data, starts, ends)
        keys = column_scanner.key(parts, len(ids))
        rows = Rows(data, np.concatenate(query), starts, ends, keys, np.concatenate(values))
        if self._mixed or self._by_rank:
            rows = rows.in_order()
        if self._by_rank and ranking_order.tied_with_above(rows.query, rows.score).any():
            raise Odd
        self._hits.add(rows)


def _changes(codes: Numbers) -> Places:
    """Return the rows whose code differs from the one above, the first row included."""
    return np.concatenate(([0] * min(len(codes), 1), np.flatnonzero(codes[1:] != codes[:-1]) + 1)).astype(int)


def _coded(column: Any) -> tuple[Numbers, Any]:
    """Return a column of texts as codes and the texts that they stand for, as Arrow has them."""
    if not hasattr(column, "dictionary"):
        column = _texts(column).dictionary_encode()
    if column.null_count or column.dictionary.null_count:
        raise Odd
    return column.indices.to_numpy(), _texts(column.dictionary)


def _texts(column: Any) -> Any:
    """Return a column of ids, texts or whole numbers, as texts; raises Odd for any other.

    What stands for many rows is looked at before it is repeated.
    """
    if hasattr(column, "dictionary"):
        if int(np.diff(_bounds(_texts(column.dictionary))).max(initial=0)) > ID_BYTES:
            raise Odd
        column = column.dictionary_decode()
    kind = str(column.type)
    if column.null_count or not (kind in ("string", "large_string") or kind.lstrip("u").startswith("int")):
        raise Odd
    return column.cast("large_string")


def _numbers(column: Any) -> Values:
    """Return a column of finite numbers; raises Odd for any other."""
    kind = str(column.type)
    if column.null_count or not kind.lstrip("u").startswith(("int", "float", "double")):
        raise Odd
    values: Values = column.to_numpy(zero_copy_only=False).astype(np.float64)
    if not np.isfinite(values).all():
        raise Odd
    return values


def bytes_of(ids: Any) -> tuple[Bytes, Places, Places]:
    """Return where texts stand in their bytes; raises Odd where one can be no id."""
    bounds, text = _bounds(ids), ids.buffers()[2]
    first, end = int(bounds[0]), int(bounds[-1])
    data = np.zeros(end - first + column_scanner.PAD, np.uint8)
    data[: end - first] = np.frombuffer(text or b"", np.uint8)[first:end]
    there = data[: end - first]
    if (bounds[1:] == bounds[:-1]).any() or not (_is_plain(there) or _is_text(there.tobytes())):
        raise Odd
    return data, bounds[:-1] - first, bounds[1:] - first


def _bounds(ids: Any) -> Places:
    """Return where each text ends and the next one begins, one more than there are texts."""
    bounds: Places = np.frombuffer(ids.buffers()[1], np.int64)[ids.offset : ids.offset + len(ids) + 1]
    return bounds


def _is_plain(data: Bytes) -> bool:
    return not len(data) or (int(data.min()) > SPACE and int(data.max()) < DELETE)


def _is_text(block: bytes) -> bool:
    return len(block.translate(None, LINE_ENDS)) == len(block) and column_scanner.is_text(block)
