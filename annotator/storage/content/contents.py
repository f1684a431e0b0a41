"""Queries, documents and predicted answers on their way into a project, with their keys and digests."""

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from operator import length_hint
from typing import Any, TypeVar

from annotator.errors import ChoiceError, ProjectError
from annotator.records import AnnotatorKind, Answer, Document, Json, Query
from annotator.storage.content import digests
from annotator.storage.ledger import current_values
from annotator.storage.ledger.current_values import Subject, canonical
from annotator.watch import UNWATCHED, Watch

CANCELLED = "The import was cancelled; the project is as it was before."
CHUNK = 2_000
MANY = 50_000
ANSWER_ID = re.compile("answer:[0-9a-f]{16}")

Item = TypeVar("Item")
Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Import:
    """Who imports what from where, and how it is followed.

    `annotator` is whom imported judgments and gold answers belong to. `replace` lets changed queries and
    documents replace the stored ones, and new runs the current ones of their systems. `about` is kept with
    the event (file hashes, the rule for grades). `watch` looks on between chunks.
    """

    annotator: str
    source: str
    annotator_kind: AnnotatorKind = "import"
    replace: bool = False
    about: Mapping[str, Json] = field(default_factory=dict)
    watch: Watch = UNWATCHED


WHATEVER = Import("", "", replace=True)
"""Rows of a twin, or of another copy, are taken as they are."""


@dataclass(slots=True)
class Counts:
    """What an import did: rows that are new, rows that replaced others, and rows that were there already.

    `left_out` fits, but what it is about is not in the project. `texts` are the rows that replace others:
    they are in the digests, but written only by the events behind the import, which keep what was there.
    """

    added: dict[str, int] = field(default_factory=dict)
    changed: dict[str, int] = field(default_factory=dict)
    same: dict[str, int] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)
    texts: dict[Subject, Row] = field(default_factory=dict)

    def seen(self, what: str, stored: Mapping[str, Row]) -> dict[str, Row]:
        """Return stored rows as they will be once all texts are written."""
        return {external: self.texts.get((what, external), row) for external, row in stored.items()}

    def count(self, into: dict[str, int], what: str, rows: int) -> None:
        """Add to one of the counts."""
        if rows:
            into[what] = into.get(what, 0) + rows

    def take(self, other: "Counts") -> None:
        """Add what another import of the same step did."""
        kinds = "added", "changed", "same", "left_out"
        for into, rows in ((getattr(self, one), getattr(other, one)) for one in kinds):
            for what, number in rows.items():
                self.count(into, what, number)


def chunks(items: Iterable[Item], size: int = CHUNK) -> Iterator[list[Item]]:
    """Cut items into lists."""
    rest = iter(items)
    while chunk := list(islice(rest, size)):
        yield chunk


BLANK_QUERY: Row = ("", "[]", "", "{}")
"""What is stored of a query that only a run or a judgment names, until its text comes."""

NEW_QUERY = "INSERT INTO query(external, text, tags, guidelines, fields, event) VALUES (?, ?, ?, ?, ?, ?)"


def add_queries(
    db: sqlite3.Connection, queries: Sequence[Query], event: int | None, how: Import, counts: Counts
) -> None:
    """Add queries; one that only had an id until now gets its text."""
    for done, chunk in enumerate(chunks(queries)):
        how.watch.step(done * CHUNK, len(queries), "queries")
        rows = {
            one.id: (one.text, canonical(list(one.tags)), one.guidelines, canonical(dict(one.fields)))
            for one in chunk
        }
        stored = {
            row[0]: row[1:]
            for row in db.execute(
                "SELECT external, text, tags, guidelines, fields FROM query "
                "WHERE external IN (SELECT value FROM json_each(?))",
                (canonical(list(rows)),),
            )
        }
        stored = counts.seen("queries", stored)
        new, changed = sort_out(rows, stored, BLANK_QUERY, "queries", how, counts)
        db.executemany(NEW_QUERY, [(external, *row, event) for external, row in new.items()])
        change_digest(db, "queries", new, changed, stored)


def sort_out(
    rows: Mapping[str, Row],
    stored: Mapping[str, Row],
    blank: Row | None,
    what: str,
    how: Import,
    counts: Counts,
) -> tuple[dict[str, Row], dict[str, Row]]:
    """Return which rows are new and which replace others; raises ChoiceError when they may not."""
    new, changed = {}, {}
    for external, row in rows.items():
        old = stored.get(external)
        if old is None:
            new[external] = row
        elif old == row:
            continue
        elif old == blank or how.replace:
            changed[external] = row
        else:
            raise ChoiceError(
                f"Among the {what}, {external!r} is in the project already with other content. Nothing was "
                "imported; import again and choose to replace, or give it another id.",
                "replace",
            )
    counts.count(counts.added, what, len(new))
    counts.count(counts.changed, what, len(changed))
    if what in current_values.TEXTS:
        counts.texts |= {(what, external): row for external, row in changed.items()}
    counts.count(counts.same, what, len(rows) - len(new) - len(changed))
    return new, changed


def change_digest(
    db: sqlite3.Connection,
    name: str,
    new: Mapping[str, Row],
    changed: Mapping[str, Row],
    stored: Mapping[str, Row],
) -> None:
    """Bring a set's digest up to date with rows that came and rows that were replaced."""
    came = sum(digests.of_row(external, *row) for external, row in (*new.items(), *changed.items()))
    went = sum(digests.of_row(external, *stored[external]) for external in changed)
    digests.add(db, name, len(new), came - went)


def add_documents(
    db: sqlite3.Connection, documents: Iterable[Document], event: int, how: Import, counts: Counts
) -> None:
    """Add documents; one that a run named before gets its content."""
    for done, chunk in enumerate(chunks(documents)):
        how.watch.step(done * CHUNK, length_hint(documents), "documents")
        rows = {one.id: (one.title, one.text, canonical(dict(one.fields)), "", None, None) for one in chunk}
        keys = candidate_keys(db, list(rows))
        stored = counts.seen("documents", stored_contents(db, keys))
        new, changed = sort_out(rows, stored, None, "documents", how, counts)
        put_contents(db, new, keys, event)
        cut = [{external: row[:3] for external, row in part.items()} for part in (new, changed, stored)]
        change_digest(db, "documents", *cut)


def add_answers(
    db: sqlite3.Connection, answers: Sequence[Answer], event: int, how: Import, counts: Counts
) -> None:
    """Add predicted answers; the first passage and the first fields that are known of one stay."""
    queries = query_keys(db, list(dict.fromkeys(one.query_id for one in answers)))
    for done, chunk in enumerate(chunks(answers)):
        how.watch.step(done * CHUNK, len(answers), "answers")
        of_query: dict[str, int] = {}
        rows: dict[str, Row] = {}
        for one in chunk:
            of_query[one.id] = queries[one.query_id]
            row = ("", one.text, canonical(dict(one.fields)), one.passage, one.start, one.end)
            rows[one.id] = fuller(rows.get(one.id, row), row)
        keys = candidate_keys(db, list(rows), of_query)
        stored = counts.seen("answers", stored_contents(db, keys))
        for external, old in stored.items():
            if old[1] != rows[external][1]:
                raise ProjectError(f"Two answers have the same id {external}. Nothing was imported.")
        fullest = {external: fuller(old, rows[external]) for external, old in stored.items()}
        changed = {external: row for external, row in fullest.items() if row != stored[external]}
        new = {external: row for external, row in rows.items() if external not in stored}
        counts.count(counts.added, "answers", len(new))
        counts.count(counts.same, "answers", len(rows) - len(new))
        put_contents(db, new, keys, event)
        counts.texts |= {("answers", external): row for external, row in changed.items()}
        cut = [{external: row[1:] for external, row in part.items()} for part in (new, changed, stored)]
        change_digest(db, "answers", *cut)


def fuller(old: Row, new: Row) -> Row:
    """Return the row of an answer with the fields and the passage of another where it has none."""
    return (*old[:2], new[2] if old[2] == "{}" else old[2], *(old[3:] if old[3] else new[3:]))


def stored_contents(db: sqlite3.Connection, keys: Mapping[str, int]) -> dict[str, Row]:
    """Return the stored contents of candidates, by external id."""
    by_key = {key: external for external, key in keys.items()}
    rows = db.execute(
        'SELECT candidate, title, text, fields, passage, start, "end" FROM content '
        "WHERE candidate IN (SELECT value FROM json_each(?))",
        (canonical(list(by_key)),),
    )
    return {by_key[row[0]]: row[1:] for row in rows}


def put_contents(
    db: sqlite3.Connection, rows: Mapping[str, Row], keys: Mapping[str, int], event: int
) -> None:
    """Write new contents in the order of their keys."""
    values = sorted((keys[external], event, *row) for external, row in rows.items())
    db.executemany("INSERT INTO content VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)


def query_keys(db: sqlite3.Connection, ids: Sequence[str]) -> dict[str, int]:
    """Return the keys of queries by their external ids; an unknown one is added, without text and import."""
    keys: dict[str, int] = {}
    for chunk in chunks(ids):
        known = current_values.known_keys(db, "query", chunk)
        new = [external for external in chunk if external not in known]
        for external in new:
            done = db.execute(NEW_QUERY, (external, *BLANK_QUERY, None))
            assert done.lastrowid is not None
            known[external] = done.lastrowid
        change_digest(db, "queries", dict.fromkeys(new, BLANK_QUERY), {}, {})
        keys |= known
    return keys


def candidate_keys(
    db: sqlite3.Connection, ids: Sequence[str], of_query: Mapping[str, int] | None = None
) -> dict[str, int]:
    """Return the keys of candidates by their external ids; an unknown one is added.

    `of_query` holds the queries of predicted answers. Otherwise the ids are documents' or known answers':
    raises ProjectError for an unknown id that is made like an answer's.
    """
    keys: dict[str, int] = {}
    for chunk in chunks(ids, MANY):
        here = current_values.known_keys(db, "candidate", chunk)
        new = [external for external in dict.fromkeys(chunk) if external not in here]
        if new:
            if of_query is None:
                refuse_unknown_answer(new)
            queries = of_query or {}
            first = db.execute("SELECT coalesce(max(id), 0) + 1 FROM candidate").fetchone()[0]
            here.update(zip(new, count(first), strict=False))
            db.executemany(
                "INSERT INTO candidate(id, external, query) VALUES (?, ?, ?)",
                [(here[external], external, queries.get(external)) for external in new],
            )
        keys |= here
    return keys


def refuse_unknown_answer(ids: Iterable[str]) -> None:
    """Raise ProjectError when an id is a predicted answer's: those come with their texts only."""
    for external in ids:
        if external.startswith("answer:") and ANSWER_ID.fullmatch(external):
            raise ProjectError(
                f"The predicted answer {external} is not in the project. Nothing was imported; import the "
                "answers with their texts first."
            )
