"""The rows of runs in files of any size, some at a time and in the order of the file, as Arrow has them."""

import contextlib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotator.errors import UserError
from annotator.formats import column_scanner, trec_run
from annotator.formats.blanks import Comments
from annotator.formats.column_scanner import Odd
from annotator.formats.declaration import Format, Reading
from annotator.formats.judged_pairs import QueryNumbers
from annotator.formats.parquet import pyarrow_here, refusing
from annotator.formats.parquet_runs import Numbered, batches, by_system
from annotator.formats.rows import Codes
from annotator.formats.scanned_runs import ScannedRun
from annotator.formats.text_lines import Problems, refusal
from annotator.formats.whole_files import stem
from annotator.records import RunTable

AT_ONCE = 100_000
"""So many rows are collected line by line before they are handed on."""


class Piece(NamedTuple):
    """Some rows of a system: `query` int32[r] into `queries`, Arrow texts of `documents`, `score` float64[r].

    The order within a query is score descending, then id descending.
    """

    system: str
    query: NDArray[np.int32]
    queries: list[str]
    documents: Any
    score: NDArray[np.float64]


def pieces(path: Path, taken_for: Format, reading: Reading) -> Iterator[Piece]:
    """Yield the rows of a TREC run or of a Parquet table of rankings, whichever the file is taken for.

    Memory follows the rows at once; of a table that holds other columns too, the file. Ranks that are given
    come as scores, -1 for the first. Raises InputError, UserError for any other format, Stopped.
    """
    column_scanner.keep_freed_memory()
    if taken_for.key == "trec-run":
        yield from _of_trec(path, reading)
    elif taken_for.key == "parquet":
        yield from _of_parquet(path, taken_for, reading)
    else:
        raise UserError(f"{path} is neither a TREC run nor a Parquet table ({taken_for.title}); give one.")


def _of_trec(path: Path, reading: Reading) -> Iterator[Piece]:
    """Yield rows by columns as long as nothing is odd, from there on line by line."""
    arrow = pyarrow_here()
    run = ScannedRun(QueryNumbers(()))
    done = 0
    with contextlib.suppress(Odd):
        for rows in run.pieces(path, reading):
            if len(rows.query):
                documents = _texts(arrow, rows.ids(slice(None)))
                yield Piece(run.tag.decode("utf-8"), rows.query, run.numbers.ids, documents, rows.score)
            done += len(rows.query)
        if done:
            return
    yield from _line_by_line(arrow, path, done, reading)


def _line_by_line(arrow: Any, path: Path, skipped: int, reading: Reading) -> Iterator[Piece]:
    """Yield the rows behind the first ones, which were taken before."""
    problems, comments = Problems(path), Comments()
    queries, names = Codes(problems, "query"), Codes(problems, "candidate")
    tags: dict[bytes, str] = {}
    rows = trec_run.plain_rows(path, problems, comments, reading)
    done = sum(1 for _ in islice(rows, skipped))
    while some := list(islice(rows, AT_ONCE)):
        done += len(some)
        by_tag: dict[bytes, list[tuple[int, bytes, float]]] = {}
        names.numbers.clear()
        names.ids.clear()
        for line, query, document, score, tag in some:
            names.number(document, line)
            by_tag.setdefault(tag, []).append((queries.number(query, line), document, score))
            if tag not in tags:
                tags[tag] = trec_run.name_of(tag, line, problems)
        problems.check()
        for tag, of in by_tag.items():
            of_rows, ids, scores = zip(*of, strict=True)
            documents = _texts(arrow, np.array(ids))
            yield Piece(tags[tag], np.array(of_rows, np.int32), queries.ids, documents, np.array(scores))
    problems.check()
    if not done:
        raise refusal(path, f"holds no ranking; each line needs {trec_run.COLUMNS}", 1)


def _of_parquet(path: Path, taken_for: Format, reading: Reading) -> Iterator[Piece]:
    arrow = pyarrow_here()
    numbers, done = QueryNumbers(()), 0
    known = Numbered(numbers)
    with contextlib.suppress(Odd), refusing(path, arrow):
        total = arrow.parquet.read_metadata(path).num_rows
        for batch in batches(arrow, path):
            reading.watch.step(done, total, f"Reading {path.name}")
            for system, (query, queries), (documents, score) in by_system(batch, stem(path)):
                done += len(query)
                yield Piece(system, known.of(queries)[query], numbers.ids, documents, score)
        if done:
            return
    runs = taken_for.read(path, reading).runs  # which names what is wrong
    if done or not runs:
        raise refusal(path, "holds no rankings alone; give every row a query, a document, a score or a rank")
    yield from (_of_table(arrow, run) for run in runs)


def _of_table(arrow: Any, run: RunTable) -> Piece:
    scored = run.score is not None and run.order_rule == "score"
    score = run.score if run.score is not None and scored else -run.rank.astype(np.float64)
    documents = arrow.array(run.candidate_ids, arrow.large_string()).take(arrow.array(run.candidate))
    return Piece(run.system, run.query, list(run.query_ids), documents, score)


def _texts(arrow: Any, ids: NDArray[np.bytes_]) -> Any:
    return arrow.array(ids, arrow.binary()).cast(arrow.large_string())
