"""MS MARCO: queries.tsv and collection.tsv (id, text), runs (query, passage, rank), top1000 files.

Cells are separated by tabs and never quoted. Its qrels are TREC qrels. A file of two columns is a collection
when its name says so (collection, passages, docs), else it holds queries. top1000 (`query`, `passage`, query
text, passage text) has no ranks: its rows are documents and queries only.
"""

import re
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

from annotator.formats import numbers, trec_qrels
from annotator.formats.declaration import Format, Head, Reading, Writing
from annotator.formats.rows import RunRows, query_id_problem
from annotator.formats.table_columns import is_table, mapping_of
from annotator.formats.text_lines import Problems, Reread, refusal, text_lines
from annotator.formats.whole_files import file_name, named_by, replacing
from annotator.records import Dataset, Document, Query, id_problem, text_problem

QUERY_WORDS = ("queries", "topics", "questions")
COLLECTION_WORDS = ("collection", "passage", "docs", "corpus")
RUN = "run."
HEADED = 2
_BREAK = re.compile(r"\r\n|[\t\r\n]")


def recognises(head: Head) -> bool:
    """Say whether most lines have two cells and a number first, or the three or four cells of its runs.

    Only lines of two cells may stand below a header.
    """
    if head.name.endswith("/"):
        return any(one in ("queries.tsv", "collection.tsv") for one in head.lines)
    rows = [line.split("\t") for line in head.lines[:50]]
    if rows and len(rows[0]) != HEADED and is_table(rows[0]):
        return False
    fitting = [row for row in rows if _looks_right(row, head.name)]
    return len(fitting) * 2 > len(rows)


def _looks_right(row: list[str], name: str) -> bool:
    first = numbers.whole(row[0]) is not None
    if len(row) == 2:
        return first or name.startswith(COLLECTION_WORDS) or any(word in name for word in QUERY_WORDS)
    if len(row) == 3:
        return (first or name.startswith(RUN)) and numbers.whole(row[2]) is not None
    return len(row) == 4 and first and numbers.whole(row[1]) is not None and numbers.whole(row[3]) is None


def read(path: Path, reading: Reading) -> Dataset:
    """Return what one of its files holds, judged by the number of cells in the first line."""
    if path.is_dir():
        return _read_folder(path, reading)
    first = next((cells for _, cells in _rows(path, Problems(path), Reading())), [])
    width = len(first)
    if width == 4 and numbers.whole(first[3]) is not None:
        return trec_qrels.FORMAT.read(path, reading)
    if width == 2 and path.name.lower().startswith(COLLECTION_WORDS):
        return Dataset(documents=_collection(path, 0, 1, reading))
    if width == 2:
        return Dataset(queries=_queries(path, 0, 1, reading))
    if width == 3:
        return _read_run(path, reading)
    if width == 4:
        return Dataset(_queries(path, 0, 2, reading), _collection(path, 1, 3, reading))
    raise refusal(path, f"has {width} tab-separated cells in its first line; two, three or four are known", 1)


def _read_folder(path: Path, reading: Reading) -> Dataset:
    texts = [
        read(path / name, reading) for name in ("queries.tsv", "collection.tsv") if (path / name).exists()
    ]
    judged = path / "qrels.tsv"
    qrels = trec_qrels.FORMAT.read(judged, reading) if judged.exists() else Dataset()
    runs = [run for one in sorted(path.glob(f"{RUN}*.tsv")) for run in _read_run(one, reading).runs]
    queries = [query for one in texts for query in one.queries]
    documents: Iterable[Document] = next((one.documents for one in texts if one.documents != ()), ())
    return Dataset(queries, documents, runs=runs, judgments=qrels.judgments)


def _rows(path: Path, problems: Problems, reading: Reading) -> Iterator[tuple[int, list[str]]]:
    """Yield (line, cells) below a header, if there is one; each line has as many cells as the first."""
    width = 0
    for line, text in text_lines(path, problems, reading):
        cells = text.split("\t", 5)
        named = not width and len(cells) == len(mapping_of(cells, {})) == HEADED
        width = width or len(cells)
        if named:
            continue
        if len(cells) == width:
            yield line, cells
        else:
            problems.add(
                line, f"has {len(cells)} tab-separated cells, the first line has {width}; mend the tabs"
            )


def _queries(path: Path, at_id: int, at_text: int, reading: Reading) -> list[Query]:
    problems = Problems(path)
    queries: dict[str, Query] = {}
    for line, cells in _rows(path, problems, reading):
        query = Query(cells[at_id], cells[at_text])
        if wrong := query_id_problem(query.id) or text_problem(query.text, "query"):
            problems.add(line, wrong)
        known = queries.setdefault(query.id, query)
        if known is not query and (known != query or at_text == 1):
            problems.add(line, f"the query id {query.id[:60]!r} is given twice; keep one")
    problems.check()
    return list(queries.values())


def _documents(path: Path, at_id: int, at_text: int, reading: Reading) -> Iterator[Document]:
    """Yield the passages of a file, each once; raises InputError at the end for what cannot be taken.

    Only a top1000 file, whose ids do not stand first, may repeat passages.
    """
    problems = Problems(path)
    seen: set[str] = set()
    for line, cells in _rows(path, problems, reading):
        document = Document(cells[at_id], text=cells[at_text])
        if wrong := id_problem(document.id) or text_problem(document.text, "passage"):
            problems.add(line, wrong)
        if document.id not in seen:
            yield document
        elif at_id == 0:
            problems.add(line, f"the document id {document.id[:60]!r} is given twice; keep one")
        seen.add(document.id)
    problems.check()


def _collection(path: Path, at_id: int, at_text: int, reading: Reading) -> Reread[Document]:
    """Return the passages of a file, after a first pass that found it sound."""
    documents = partial(_documents, path, at_id, at_text)
    return Reread.checked(path, documents(reading), partial(documents, Reading()))


def _read_run(path: Path, reading: Reading) -> Dataset:
    problems = Problems(path)
    rows = RunRows(problems, reading.system or named_by(path, RUN))
    for line, (query, passage, rank) in _rows(path, problems, reading):
        place = numbers.whole(rank)
        if place is None:
            problems.add(line, f"the rank {rank[:40]!r} is not a whole number; write one")
        else:
            rows.add(query, passage, place, line)
    run = rows.by_rank(path.name)
    problems.check()
    return Dataset(runs=[run])


def write(dataset: Dataset, path: Path, writing: Writing) -> None:
    """Write queries.tsv, collection.tsv, qrels.tsv and a run.<system>.tsv for each system into a folder."""
    if dataset.queries:
        _write_cells(path / "queries.tsv", ((one.id, one.text) for one in dataset.queries), writing)
    if dataset.documents != ():
        _write_cells(path / "collection.tsv", ((one.id, one.text) for one in dataset.documents), writing)
    if dataset.judgments is not None:
        trec_qrels.FORMAT.write(Dataset(judgments=dataset.judgments), path / "qrels.tsv", writing)
    for run in dataset.runs:
        rows = ((query, passage, str(rank)) for query, passage, rank, _ in run.rows())
        _write_cells(path / f"{RUN}{file_name(run.system)}.tsv", rows, writing)


def _write_cells(path: Path, rows: Iterable[tuple[str, ...]], writing: Writing) -> None:
    with replacing(path, writing.step) as file:
        for row in rows:
            file.write("\t".join(_BREAK.sub(" ", cell) for cell in row) + "\n")


def details(dataset: Dataset) -> list[str]:
    """Return what of queries, passages and runs is lost."""
    lost = []
    if any(one.tags or one.guidelines or one.fields for one in dataset.queries):
        lost.append("MS MARCO cannot hold tags, guidelines and other fields of queries.")
    if dataset.documents != ():
        lost.append("MS MARCO cannot hold the documents' titles and other fields.")
        lost.append("MS MARCO writes a blank for every tab and line end in a text.")
    if any(run.score is not None for run in dataset.runs):
        lost.append("MS MARCO runs hold ranks, not scores.")
    return lost


FORMAT = Format(
    key="msmarco",
    title="MS MARCO",
    extensions=(".tsv",),
    holds=frozenset({"queries", "documents", "runs", "judgments"}),
    partly={"documents": "the documents' texts"},
    recognises=recognises,
    reader=read,
    writer=write,
    details=details,
    folder=True,
)
