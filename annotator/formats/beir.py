"""BEIR: corpus.jsonl (`_id`, title, text), queries.jsonl (`_id`, text) and qrels/*.tsv with a header.

Read from the folder or from any of its files; documents are read again when they are stored, so that a large
corpus is never in memory as a whole. A folder may hold Parquet instead, as on Hugging Face: `corpus/` and
`queries/` with the same columns, and `qrels/`, `data/` or `default/` with those of qrels, in one part or
several (`test-00000-of-00002.parquet`; datasets `BeIR/fiqa` and `CoIR-Retrieval/cosqa`).
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from annotator.formats import numbers, parquet
from annotator.formats.declaration import Format, Head, Reading, Writing
from annotator.formats.delimited import named_rows, write_row
from annotator.formats.merged_datasets import join
from annotator.formats.rows import JudgmentRows
from annotator.formats.strict_json import Members, Once, compact, json_lines
from annotator.formats.text_lines import Problems, Reread, beginning, refusal
from annotator.formats.whole_files import folder_for, replacing
from annotator.records import Dataset, Document, Json, Query, text_problem

METADATA = "metadata"
TEXTS = ("_id", "title", "text")
TEXT_FILES = ("corpus.jsonl", "queries.jsonl")
TEXT_FOLDERS = ("corpus", "queries")
QRELS_FOLDERS = ("qrels", "data", "default")
PARQUET = ".parquet"
QUERIES_IN_A_TABLE = {"query_id": "_id", "query": "text", "document_id": "", "title": "", "text": ""}
QRELS_HEADER = ("query-id", "corpus-id", "score")


def recognises(head: Head) -> bool:
    """Say whether the file is one of the three, or the folder holds them."""
    if head.name.endswith("/"):
        return any(one.startswith(TEXT_FILES) or one in TEXT_FOLDERS for one in head.lines)
    first = head.lines[0] if head.lines else ""
    text = first.startswith("{") and '"_id"' in first and '"_source"' not in first  # as in OpenSearch's hits
    return tuple(first.split("\t")) == QRELS_HEADER or text


def read(path: Path, reading: Reading) -> Dataset:
    """Return what a folder or one of its files holds."""
    if path.is_dir():
        return join([read(one, reading) for one in _files(path)])
    if path.suffix == PARQUET:
        named = QUERIES_IN_A_TABLE if path.parent.name == "queries" else {}
        return parquet.read(path, replace(reading, mapping=named))
    if beginning(path, 100).startswith(QRELS_HEADER[0]):
        return _read_qrels(path, reading)
    problems = Problems(path)
    if _holds_documents(path):
        return Dataset(documents=documents_in(path, reading, TEXTS))
    once = Once("query", problems)
    queries = []
    for line, value in json_lines(path, problems, reading):
        members = Members(value, problems, line)
        query = Query(members.query_id("_id"), members.text("text"), fields=_fields(members, "_id", "text"))
        once.check(query.id, line)
        queries.append(query)
    problems.check()
    return Dataset(queries=queries)


def _files(folder: Path) -> list[Path]:
    """Return the files of a dataset; of several qrels the test set, or the only one."""
    texts = [one for one in sorted(folder.iterdir()) if one.name.startswith(TEXT_FILES)]
    texts += [one for name in TEXT_FOLDERS for one in sorted((folder / name).glob(f"*{PARQUET}"))]
    qrels = [
        one
        for name in QRELS_FOLDERS
        for ending in (".tsv*", PARQUET)
        for one in sorted((folder / name).glob(f"*{ending}"))
    ]
    chosen = [one for one in qrels if _split(one) == "test"] or qrels
    if len({(one.parent, _split(one), one.suffix) for one in chosen}) > 1:
        names = ", ".join(f"{one.parent.name}/{one.name}" for one in chosen)
        raise refusal(folder, f"holds several qrels ({names}); give the files one by one")
    if not texts + chosen:
        raise refusal(folder, "holds no corpus.jsonl, queries.jsonl or qrels/test.tsv, nor any as Parquet")
    return texts + chosen


def _split(path: Path) -> str:
    """Return what a file of qrels is for, as `test` of `test.tsv` or `test-00000-of-00001.parquet`."""
    return path.name.partition(".")[0].partition("-")[0]


def _holds_documents(path: Path) -> bool:
    """Say whether a file of texts is a corpus: queries have no title."""
    problems = Problems(path)
    first = next((value for _, value in json_lines(path, problems, Reading())), None)
    if first is None:
        problems.check()
        raise refusal(path, 'holds no texts; each line needs an object with "_id" and "text"', 1)
    return "title" in first or path.name.startswith("corpus")


def documents_in(path: Path, reading: Reading, names: tuple[str, str, str]) -> Reread[Document]:
    """Return the documents of lines of JSON, read again when asked for, after a pass that checks them.

    `names` are those of the members with id, title and text; all others are fields.
    """
    first = _documents(path, reading, names, Once("document", Problems(path)))
    return Reread.checked(path, first, lambda: _documents(path, Reading(), names))


def _documents(
    path: Path, reading: Reading, names: tuple[str, str, str], once: Once | None = None
) -> Iterator[Document]:
    """Yield the documents of a corpus; raises InputError at the end for what cannot be taken."""
    problems = once.problems if once else Problems(path)
    identity, title, text = names
    for line, value in json_lines(path, problems, reading):
        members = Members(value, problems, line)
        texts = members.id(identity), members.text(title, ""), members.text(text, "")
        if once:
            once.check(texts[0], line)
        yield Document(*texts, _fields(members, *names))
    problems.check()


def _fields(members: Members, *known: str) -> dict[str, Json]:
    """Return the metadata, and the other members that a text has beside it."""
    others = {name: one for name, one in members.value.items() if name not in (*known, METADATA)}
    if others and (wrong := text_problem(compact(others), ", ".join(others))):
        members.wrong(wrong)
    return others | members.fields(METADATA)


def _read_qrels(path: Path, reading: Reading) -> Dataset:
    problems = Problems(path)
    judged = JudgmentRows(problems)
    for line, row in named_rows(path, problems, reading, "\t"):
        if missing := [name for name in QRELS_HEADER if name not in row]:
            raise refusal(path, f"has no column {', '.join(missing)}; it needs {', '.join(QRELS_HEADER)}", 1)
        query, document, score = (row[name] for name in QRELS_HEADER)
        grade = numbers.whole(score)
        if grade is None:
            problems.add(line, f"the score {score[:40]!r} is not a whole number; write one")
        else:
            judged.add(query, document, grade, line)
    table = judged.table(path.name)
    problems.check()
    return Dataset(judgments=table)


def write(dataset: Dataset, path: Path, writing: Writing) -> None:
    """Write the three files into a folder; a part that is empty is left out."""
    if dataset.queries:
        with replacing(path / "queries.jsonl", writing.step) as file:
            for query in dataset.queries:
                row = {"_id": query.id, "text": query.text, METADATA: dict(query.fields)}
                file.write(compact(row) + "\n")
    if dataset.documents != ():
        with replacing(path / "corpus.jsonl", writing.step) as file:
            for document in dataset.documents:
                texts = {"_id": document.id, "title": document.title, "text": document.text}
                file.write(compact({**texts, METADATA: dict(document.fields)}) + "\n")
    if dataset.judgments is not None:
        with replacing(folder_for(path / "qrels") / "test.tsv", writing.step) as file:
            write_row(file, QRELS_HEADER, "\t")
            for judgment in dataset.judged():
                write_row(file, judgment, "\t")


def details(dataset: Dataset) -> list[str]:
    """Return what of the queries is lost."""
    tagged = sum(bool(one.tags or one.guidelines) for one in dataset.queries)
    return [f"BEIR cannot hold tags and guidelines; {tagged} queries have some."] if tagged else []


FORMAT = Format(
    key="beir",
    title="BEIR",
    extensions=(".jsonl", ".tsv"),
    holds=frozenset({"queries", "documents", "judgments"}),
    recognises=recognises,
    reader=read,
    writer=write,
    details=details,
    folder=True,
)
