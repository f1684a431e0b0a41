"""Filling an empty project file from a ledger and the content that its imports brought.

The events are taken over as they are, hashes included; the current tables are folded from them. What the
hashes promise is for `checking` to prove afterwards.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from annotator.errors import ProjectError
from annotator.records import Answer, Document, Query, RunTable
from annotator.storage.content import bulk, contents, digests, standing
from annotator.storage.content.contents import WHATEVER, Counts, Import, Item
from annotator.storage.ledger import chain, current_values, event_fold, events
from annotator.storage.ledger.arrivals import Arrived
from annotator.storage.ledger.events import Event
from annotator.tasks import about
from annotator.watch import UNWATCHED, Watch

Keys = Mapping[str, int]
"""Identity of an event -> its key in this file."""


def put_events(db: sqlite3.Connection, ledger: Iterable[Event]) -> Keys:
    """Insert events in their fold order and return their keys by identity."""
    sessions: dict[str, int] = {}
    keys: dict[str, int] = {}
    for event in ledger:
        if event.session not in sessions:
            done = db.execute("INSERT INTO session(identity) VALUES (?)", (event.session,))
            assert done.lastrowid is not None
            sessions[event.session] = done.lastrowid
        who = chain.annotator_key(db, event.annotator, event.annotator_kind)
        key = events.insert(db, event.columns, sessions[event.session], who, event.hash)
        assert key is not None
        keys[event.identity] = key
    return keys


def put_queries(db: sqlite3.Connection, keys: Keys, queries: Iterable[tuple[str, Query]]) -> None:
    """Insert queries, each with the identity of the import that brought it, or an empty one."""
    for event, some in grouped({**keys, "": 0}, queries):
        contents.add_queries(db, some, event or None, WHATEVER, Counts())


def put_documents(db: sqlite3.Connection, keys: Keys, documents: Iterable[tuple[str, Document]]) -> None:
    """Insert documents, each with the identity of the import that brought it."""
    for event, some in grouped(keys, documents):
        contents.add_documents(db, some, event, WHATEVER, Counts())


def put_answers(db: sqlite3.Connection, keys: Keys, answers: Iterable[tuple[str, Answer]]) -> None:
    """Insert predicted answers, each with the identity of the import that brought it."""
    for event, some in grouped(keys, answers):
        contents.add_answers(db, some, event, WHATEVER, Counts())


def put_run(
    db: sqlite3.Connection, keys: Keys, event: str, run: RunTable, sha256: str, watch: Watch = UNWATCHED
) -> None:
    """Insert one run of an import."""
    of_answers = [contents.ANSWER_ID.fullmatch(one) is not None for one in run.candidate_ids]
    at = np.flatnonzero(np.array(of_answers)[run.candidate])
    answers = {run.candidate_ids[run.candidate[one]]: run.query_ids[run.query[one]] for one in at.tolist()}
    name_answers(db, answers)
    how = Import("", run.source, replace=True, about={"files": {run.source: sha256}}, watch=watch)
    bulk.add_run(db, run, key_of(keys, event), how, Counts())


def put_imported(
    db: sqlite3.Connection,
    keys: Keys,
    event: str,
    judged: Iterable[tuple[str, Mapping[str, int]]],
    watch: Watch = UNWATCHED,
) -> None:
    """Insert the judgments that an import brought, one query at a time."""
    key = key_of(keys, event)
    for query, grades in judged:
        watch.look()
        of_query = contents.query_keys(db, [query])[query]
        name_answers(db, {one: query for one in grades if contents.ANSWER_ID.fullmatch(one)})
        candidates = contents.candidate_keys(db, list(grades))
        rows = sorted((candidates[one], grade) for one, grade in grades.items())
        db.executemany(f"INSERT INTO imported VALUES ({key}, {of_query}, ?, ?)", rows)


def name_answers(db: sqlite3.Connection, answers: Mapping[str, str]) -> None:
    """Insert predicted answers, given with their queries, whose texts are gone with their import."""
    queries = contents.query_keys(db, list(dict.fromkeys(answers.values())))
    contents.candidate_keys(db, list(answers), {one: queries[query] for one, query in answers.items()})


def put_named(db: sqlite3.Connection, ledger: Iterable[Event | Arrived]) -> None:
    """Insert the candidates that events name and nobody brought, or whose import was taken back."""
    places = about("candidate")
    named: dict[str, dict[str, None]] = {}
    for event in ledger:
        if event.task in places:
            subject = event.subject
            named.setdefault(subject[0], {}).update(dict.fromkeys(subject[at] for at in places[event.task]))
    queries = current_values.known_keys(db, "query", named)
    for query, ids in named.items():
        if query in queries:
            answers = {one: queries[query] for one in ids if contents.ANSWER_ID.fullmatch(one)}
            contents.candidate_keys(db, list(ids), answers)


def finish(db: sqlite3.Connection, watch: Watch = UNWATCHED) -> None:
    """Fold the events to the current tables once everything is in."""
    event_fold.write_current(db, watch)
    standing.write_texts(db, standing.withdrawn(db))
    digests.recount(db)


def key_of(keys: Keys, event: str) -> int:
    """Return an event's key; raises ProjectError for one that the ledger does not have."""
    if event not in keys:
        raise ProjectError(f"The ledger has no event {event}, which content names as its import.")
    return keys[event]


def grouped(
    keys: Keys, items: Iterable[tuple[str, Item]], size: int = contents.CHUNK
) -> Iterator[tuple[int, list[Item]]]:
    """Yield (key of the event, rows of it) in pieces, the rows of one event in their order."""
    waiting: dict[str, list[Item]] = {}
    for event, one in items:
        rows = waiting.setdefault(event, [])
        rows.append(one)
        if len(rows) == size:
            yield key_of(keys, event), waiting.pop(event)
    for event, rows in waiting.items():
        yield key_of(keys, event), rows
