"""Files without ids: what they call by its text is the query, or the document, that has this text already."""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from annotator.errors import InputError
from annotator.formats.declaration import Format
from annotator.formats.umbrela import passage_id
from annotator.project.project import Project
from annotator.records import Dataset, Document, Query, as_id
from annotator.storage.reads.query_list import SOME
from annotator.text.counts import counted

QUERIES = f"SELECT external, text FROM query WHERE text IN {SOME}"
DOCUMENTS = (
    "SELECT external, text FROM content JOIN candidate ON candidate.id = candidate "
    f"WHERE candidate.query IS NULL AND text IN {SOME}"
)


def joined_by_text(
    project: Project, files: Sequence[Path], tried: Sequence[tuple[Format, Dataset] | InputError]
) -> list[tuple[Format, Dataset] | InputError]:
    """Return what was read of files: of those without ids, with the ids that their texts have already.

    A text that several have keeps its own, and so does one whose other id the file itself gives to something.
    """
    read = [one for one in tried if not isinstance(one, InputError)]
    others = [query for form, one in read if not form.named_by_text for query in one.queries]
    with project.store.reading() as db:
        return [
            (one[0], _joined(db, one[1], path.name, others))
            if not isinstance(one, InputError) and one[0].named_by_text
            else one
            for path, one in zip(files, tried, strict=True)
        ]


def _joined(db: sqlite3.Connection, dataset: Dataset, name: str, others: Sequence[Query]) -> Dataset:
    queries = [one for one in dataset.queries if one.text and one.id == as_id(one.text)]
    documents = [one for one in dataset.documents if one.id == passage_id(one.text)]
    of_queries, several = _known(db, QUERIES, queries, dataset.queries, others)
    of_documents, more = _known(db, DOCUMENTS, documents, dataset.documents)
    notes = [
        f"{name}: {counted(len(found), one, many)} without an id {known} text, such as "
        f"{next(iter(found.values()))[:60]!r}."
        for found, one, many in ((of_queries, "query", "queries"), (of_documents, "passage", "passages"))
        if found
        for known in ("is known by its" if len(found) == 1 else "are known by their",)
    ]
    notes += [
        f"{name}: {text[:60]!r} is the text of several and stands beside them, under an id of its own."
        for text in (several + more)[:1]
    ]
    plain = [one for one in dataset.queries if one == Query(one.id, one.text)]
    bare = [one for one in dataset.documents if one == Document(one.id, text=one.text)]
    there = _there(db, QUERIES, plain), _there(db, DOCUMENTS, bare)
    table = dataset.judgments
    if table is not None:
        table = replace(
            table,
            query_ids=[of_queries.get(one, one) for one in table.query_ids],
            candidate_ids=[of_documents.get(one, one) for one in table.candidate_ids],
        )
    known = {*of_queries, *there[0]}, {*of_documents, *there[1]}
    return replace(
        dataset,
        queries=[one for one in dataset.queries if one.id not in known[0]],
        documents=[one for one in dataset.documents if one.id not in known[1]],
        judgments=table,
        notes=(*dataset.notes, *notes),
    )


def _there(db: sqlite3.Connection, sql: str, plain: Sequence[Query] | Sequence[Document]) -> set[str]:
    """Return the ids under which the project has the same texts, with tags or titles that the file lacks."""
    texts = [one.text for one in plain if one.text]
    pairs = set(db.execute(sql, (json.dumps(texts),)).fetchall()) if texts else set()
    return {one.id for one in plain if (one.id, one.text) in pairs}


def _known(
    db: sqlite3.Connection,
    sql: str,
    wanted: Sequence[Query] | Sequence[Document],
    own: Iterable[Query] | Iterable[Document],
    others: Sequence[Query] = (),
) -> tuple[Mapping[str, str], list[str]]:
    """Return the ids that texts have elsewhere, by the id they have in a file, and the texts of several."""
    texts = {one.text for one in wanted}
    ids: dict[str, set[str]] = {}
    there = db.execute(sql, (json.dumps([*texts]),)).fetchall() if texts else []
    for name, text in (*there, *((one.id, one.text) for one in others if one.text in texts)):
        ids.setdefault(text, set()).add(name)
    taken = {one.id for one in own}
    alone = [one for one in wanted if one.id not in ids.get(one.text, ())]
    found = {
        one.id: name
        for one in alone
        for name in ids.get(one.text, ())
        if len(ids[one.text]) == 1 and name not in taken
    }
    return found, [one.text for one in alone if len(ids.get(one.text, ())) > 1]
