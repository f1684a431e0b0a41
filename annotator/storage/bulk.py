"""Importing a data set in one transaction: all of it, or nothing.

Rows go through the driver in chunks, sorted by their keys, so that memory stays flat and pages are written
once. The import is one event, which states the digests of what it brought; gold answers and texts that
replace others are events of their own right behind it, imported judgments are rows that name it.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from annotator.errors import ProjectError
from annotator.records import Dataset, GoldList, Json, JudgmentTable, RunTable
from annotator.storage import current, digests, events, ledger
from annotator.storage.contents import (
    CANCELLED,
    Counts,
    Import,
    add_answers,
    add_documents,
    add_queries,
    candidate_keys,
    chunks,
    query_keys,
    sort_out,
)
from annotator.storage.events import Event
from annotator.storage.store import Store

ROWS = 100_000


def import_dataset(store: Store, dataset: Dataset, how: Import) -> tuple[Event, Counts]:
    """Import everything a data set holds, in one transaction, and return the event and what it did.

    Raises ProjectError when a query, document, gold list, judgment or system is there already with other
    content and `replace` is off, or when a predicted answer is named that nobody brought; and Stopped.
    Nothing is changed then.
    """
    counts = Counts()
    with store.writing(checked=False) as db, store.stoppable(how.should_stop, CANCELLED):
        who = ledger.annotator_key(db, how.annotator, how.annotator_kind)
        ledger.follow(db, store.ledger, how.annotator, how.annotator_kind, who, events.now())
        key = db.execute("SELECT max(id) + 1 FROM event").fetchone()[0]
        add_queries(db, dataset.queries, key, how, counts)
        add_documents(db, dataset.documents, key, how, counts)
        add_answers(db, dataset.answers, key, how, counts)
        runs: list[Json] = [add_run(db, run, key, how, counts) for run in dataset.runs]
        after: dict[str, Json] = {**how.about, "source": how.source}
        if runs:
            after["runs"] = runs
        if dataset.judgments is not None:
            after["judgments"] = add_judgments(db, dataset.judgments, key, who, how, counts)
        gold = changed_gold(db, dataset.gold, key, how, counts)
        if gold:
            after["gold"] = len(gold)
        event = record(store, how, "import", (how.source,), {**after, **events.stated(db)})
        fold_import(db, key)
        for query, value in gold.items():
            record(store, how, "gold", (query,), value)
        for done, (subject, row) in enumerate(counts.texts.items()):
            how.step(done, len(counts.texts), "texts")
            record(store, how, "text", subject, current.text_value(subject[0], row))
        return event, counts


def record(store: Store, how: Import, kind: str, subject: tuple[str, ...], after: Any) -> Event:
    """Append one event of an import."""
    event = store.record(how.annotator, kind, subject, after, how="import", annotator_kind=how.annotator_kind)
    assert event is not None
    return event


def add_run(
    db: sqlite3.Connection, run: RunTable, event: int, how: Import, counts: Counts
) -> dict[str, Json]:
    """Add one system's rankings and make them its current run; return what the event states of them."""
    if not len(run.query):
        raise ProjectError(f"The run of {run.system!r} ranks nothing. Nothing was imported.")
    system = system_key(db, run.system, how.replace)
    queries = query_keys(db, run.query_ids, event)
    query_of = np.array([queries[one] for one in run.query_ids], dtype=np.int64)
    candidates = candidate_keys(db, sorted(run.candidate_ids))
    candidate_of = np.array([candidates[one] for one in run.candidate_ids], dtype=np.int64)
    del queries, candidates
    digest = digests.of_run(rankings_of(run))
    lengths = np.bincount(run.query, minlength=len(query_of))
    files = how.about.get("files", {})
    sha256 = files.get(run.source, "") if isinstance(files, dict) else ""
    rows, answered = len(run.query), int(np.count_nonzero(lengths))
    key = db.execute(
        "INSERT INTO run(system, event, source, sha256, order_rule, queries, rows, digest, current) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1)",
        (system, event, run.source, sha256, run.order_rule, answered, rows, digest),
    ).lastrowid
    db.executemany(
        "INSERT INTO ranking_length VALUES (?, ?, ?)",
        sorted(
            (key, query, length)
            for query, length in zip(query_of.tolist(), lengths.tolist(), strict=True)
            if length
        ),
    )
    order = np.argsort((query_of[run.query] << 32) | candidate_of[run.candidate], kind="stable")
    for start in range(0, rows, ROWS):
        how.step(start, rows, run.system)
        part = order[start : start + ROWS]
        columns: list[Sequence[object]] = [
            [key] * len(part),
            query_of[run.query[part]].tolist(),
            candidate_of[run.candidate[part]].tolist(),
            run.rank[part].tolist(),
            [None] * len(part) if run.score is None else run.score[part].tolist(),
        ]
        db.executemany("INSERT INTO ranking VALUES (?, ?, ?, ?, ?)", zip(*columns, strict=True))
    counts.count(counts.added, "runs", 1)
    counts.count(counts.added, "rows", rows)
    return {
        "system": run.system,
        "source": run.source,
        "sha256": sha256,
        "order": run.order_rule,
        "queries": answered,
        "rows": rows,
        "digest": digest,
    }


def system_key(db: sqlite3.Connection, name: str, replace: bool) -> int:
    """Return a system's key with no run current any more; raises ProjectError when one is and may not go."""
    db.execute("INSERT OR IGNORE INTO system(name) VALUES (?)", (name,))
    key = int(db.execute("SELECT id FROM system WHERE name = ?", (name,)).fetchone()[0])
    done = db.execute("UPDATE run SET current = 0 WHERE system = ? AND current", (key,))
    if done.rowcount and not replace:
        raise ProjectError(
            f"The system {name!r} has a run already. Nothing was imported; import again and choose to "
            "replace it, or give the new run another system name."
        )
    return key


def rankings_of(run: RunTable) -> Iterator[digests.Ranked]:
    """Yield the rankings of a run by query, as its digest takes them."""
    names = np.array(run.candidate_ids, dtype=object)
    starts = np.flatnonzero(np.diff(run.query, prepend=-1)).tolist()
    for start, end in pairwise([*starts, len(run.query)]):
        scores = None if run.score is None else run.score[start:end]
        ids = names[run.candidate[start:end]].tolist()
        yield run.query_ids[run.query[start]], ids, run.rank[start:end].astype(np.int64), scores


def add_judgments(
    db: sqlite3.Connection, table: JudgmentTable, event: int, who: int, how: Import, counts: Counts
) -> dict[str, Json]:
    """Add judgments as rows of the import; return what the event states of them.

    Raises ProjectError when the annotator has judged one of the pairs otherwise, unless they are replaced.
    """
    queries = query_keys(db, table.query_ids, event)
    candidates = candidate_keys(db, sorted(table.candidate_ids))
    query_of = np.array([queries[one] for one in table.query_ids], dtype=np.int64)
    candidate_of = np.array([candidates[one] for one in table.candidate_ids], dtype=np.int64)
    columns = (query_of[table.query], candidate_of[table.candidate], table.grade)
    order = np.lexsort(columns[1::-1])
    rows = zip(*(column[order].tolist() for column in columns), strict=True)
    for done, chunk in enumerate(chunks(rows, ROWS)):
        how.step(done * ROWS, len(order), "judgments")
        db.executemany(f"INSERT INTO imported VALUES ({event}, ?, ?, ?)", chunk)
    there, other = db.execute(
        "SELECT count(*), count(*) FILTER (WHERE j.grade IS NOT i.grade OR j.flagged OR j.note <> '' "
        "OR j.rationale <> '') FROM imported i CROSS JOIN judgment j "
        "ON j.annotator = ? AND j.query = i.query AND j.candidate = i.candidate WHERE i.event = ?",
        (who, event),
    ).fetchone()
    if other and not how.replace:
        raise ProjectError(
            f"{how.annotator!r} has judged {other} of these pairs already, otherwise or with a note. Nothing "
            "was imported; import under another annotator's name, or choose to replace."
        )
    counts.count(counts.added, "judgments", len(order) - there)
    counts.count(counts.changed, "judgments", other)
    counts.count(counts.same, "judgments", there - other)
    return {"rows": len(order), "digest": digests.stored_imported(db, event)}


def fold_import(db: sqlite3.Connection, event: int) -> None:
    """Make the judgments of the newest event, an import, the current ones."""
    db.execute(
        "REPLACE INTO judgment SELECT annotator, query, candidate, 'graded', grade, '', 0, '', '', time, "
        "NULL FROM event JOIN imported ON imported.event = event.id WHERE event.id = ?",
        (event,),
    )


def changed_gold(
    db: sqlite3.Connection, gold: Sequence[GoldList], event: int, how: Import, counts: Counts
) -> dict[str, Any]:
    """Return the gold values that are new, by query id; raises ProjectError for others than are there."""
    query_keys(db, [one.query_id for one in gold], event)
    rows = {one.query_id: (current.of_gold(one),) for one in gold}
    stored = {query: (value,) for query in rows if (value := current.read(db, "gold", 0, (query,)))}
    new, changed = sort_out(rows, stored, None, "gold answers", how, counts)
    return {query: value for query, (value,) in (new | changed).items() if value}
