"""Importing a data set in one transaction: all of it, or nothing.

Rows go through the driver in chunks, sorted by their keys, so that memory stays flat and pages are written
once. The import is one event, which states the digests of what it brought; gold answers and texts that
replace others are events of their own right behind it, imported judgments are rows that name it. Those that
only repeat what an earlier import gave are an event of their own too.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from operator import length_hint
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotator.errors import ChoiceError, ProjectError, UserError
from annotator.records import Dataset, GoldList, Json, JudgmentTable, LongRun, RunTable, text_problem
from annotator.storage.content import digests, plain_rows, repeated
from annotator.storage.content.contents import (
    Counts,
    Import,
    add_answers,
    add_documents,
    add_queries,
    candidate_keys,
    query_keys,
    sort_out,
)
from annotator.storage.ledger import chain, current_values, events
from annotator.storage.ledger.events import Event
from annotator.storage.reads.arrays import Ints
from annotator.storage.store import Store
from annotator.watch import Watch

ROWS = 20_000
"""Rows that are stored between two looks at the user."""

INSERT_IMPORTED = "INSERT INTO imported VALUES ({}, ?, ?, ?)"
"""Adds rows of query, candidate and grade, best sorted, to those of an event."""

BATCH = 300_000
"""Rows of a long run that are stored together: the memory that an import takes."""


def import_dataset(store: Store, dataset: Dataset, how: Import) -> tuple[Event, Counts]:
    """Import everything a data set holds, in one transaction, and return the event and what it did.

    Raises ChoiceError when a query, document, gold list, judgment or system is there already with other
    content and `replace` is off, ProjectError when a predicted answer is named that nobody brought; and
    Stopped.
    Nothing is changed then.
    """
    counts = Counts()
    with store.writing(checked=False) as db, how.watch.over(db):
        who = chain.annotator_key(db, how.annotator, how.annotator_kind)
        chain.open_session(db, store.file.ledger, how.annotator, how.annotator_kind, who, events.now())
        key = db.execute("SELECT max(id) + 1 FROM event").fetchone()[0]
        before = count_queries(db)
        parts = (replace(how, watch=watch) for watch in how.watch.parts(sizes(dataset, how)))
        add_queries(db, dataset.queries, key, next(parts), counts)
        add_documents(db, dataset.documents, key, next(parts), counts)
        add_answers(db, dataset.answers, key, next(parts), counts)
        ranked: list[RunTable | LongRun] = [*dataset.runs, *dataset.long_runs]
        runs: list[Json] = [add_run(db, run, key, next(parts), counts) for run in ranked]
        after: dict[str, Json] = {**how.about, "source": how.source}
        if runs:
            after["runs"] = runs
        again: dict[int, Ints] = {}
        if dataset.judgments is not None:
            after["judgments"], again = add_judgments(db, dataset.judgments, key, who, next(parts), counts)
        gold = changed_gold(db, dataset.gold, how, counts)
        named = count_queries(db) - before - counts.added.get("queries", 0)
        counts.count(counts.added, "queries without text", named)
        if gold:
            after["gold"] = len(gold)
        for name, kinds in (("new", counts.added), ("same", counts.same)):
            of_texts: dict[str, Json] = {part: kinds[part] for part in digests.SETS if part in kinds}
            if of_texts:
                after[name] = of_texts
        event = record(store, how, "import", (how.source,), {**after, **events.stated(db)})
        fold_import(db, key)
        for query, value in gold.items():
            record(store, how, "gold", (query,), value)
        *_, last = parts
        for subject, row in last.watch.each(counts.texts.items(), len(counts.texts), "texts"):
            record(store, how, "text", subject, current_values.text_value(subject[0], row))
        record_repeated(store, how, event, again, last.watch.silent)
        return event, counts


def count_queries(db: sqlite3.Connection) -> int:
    """Return how many queries there are."""
    return int(db.execute("SELECT count(*) FROM query").fetchone()[0])


def sizes(dataset: Dataset, how: Import) -> list[float]:
    """Return how long each part of an import takes, next to the others: a text as long as four rows."""
    texts = [4 * length_hint(part) for part in (dataset.queries, dataset.documents, dataset.answers)]
    rows = [*(len(one.query) for one in dataset.runs), *(one.rows for one in dataset.long_runs)]
    judged = [len(dataset.judgments.query)] if dataset.judgments else []
    return [*texts, *rows, *judged, sum(texts) if how.replace else 0]


def record(store: Store, how: Import, task: str, subject: tuple[str, ...], after: Any) -> Event:
    """Append one event of an import."""
    event = store.record(how.annotator, task, subject, after, how="import", annotator_kind=how.annotator_kind)
    assert event is not None
    return event


def record_repeated(store: Store, how: Import, event: Event, again: Mapping[int, Ints], watch: Watch) -> None:
    """Append what an import repeats of each earlier one as an event of its own, whose rows it is."""
    names = plain_rows.import_names(store.db) if again else {}
    for first, rows in again.items():
        (key,) = store.db.execute("SELECT max(id) + 1 FROM event").fetchone()
        sorted_rows = watch.each(zip(*rows.tolist(), strict=True), rows.shape[1], "judgments")
        store.db.executemany(INSERT_IMPORTED.format(key), sorted_rows)
        after: dict[str, Json] = {
            "again": names[first],
            "with": event.identity,
            "source": how.source,
            "judgments": judgments_stated(store.db, key, rows.shape[1], watch),
            **events.stated(store.db),
        }
        record(store, how, "import", (how.source,), after)


def add_run(
    db: sqlite3.Connection, run: RunTable | LongRun, event: int, how: Import, counts: Counts
) -> dict[str, Json]:
    """Add one system's rankings and make them its current run; return what the event states of them."""
    system = system_key(db, run.system, how.replace)
    key = db.execute("SELECT coalesce(max(id), 0) + 1 FROM run").fetchone()[0]
    total = run.rows if isinstance(run, LongRun) else len(run.query)
    hashes = rows = answered = 0

    def step(done: int) -> None:
        how.watch.step(rows + done, total, run.system)

    for table in gathered(run.pieces, step) if isinstance(run, LongRun) else [run]:
        add_rankings(db, key, table, step)
        for ranking in rankings_of(table):
            hashes += digests.of_ranking(ranking)
            answered += 1
        rows += len(table.query)
    if not rows:
        raise ProjectError(f"The run of {run.system!r} ranks nothing. Nothing was imported.")
    files = how.about.get("files", {})
    stated: dict[str, Json] = {
        "system": run.system,
        "source": run.source,
        "sha256": files.get(run.source, "") if isinstance(files, dict) else "",
        "order": run.order_rule,
        "queries": answered,
        "rows": rows,
        "digest": digests.of_rows([hashes]),
    }
    db.execute(
        "INSERT INTO run(id, system, event, source, sha256, order_rule, queries, rows, digest, current) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1)",
        (key, system, event, *list(stated.values())[1:]),
    )
    counts.count(counts.added, "runs", 1)
    counts.count(counts.added, "ranked candidates", rows)
    return stated


def add_rankings(db: sqlite3.Connection, run: int, table: RunTable, step: Callable[[int], None]) -> None:
    """Add the rankings of some queries, in the order of their keys; `step(rows)` comes between the chunks."""
    queries = query_keys(db, table.query_ids)
    query_of = np.array([queries[one] for one in table.query_ids], dtype=np.int64)
    candidate_of = keys_of(db, table.candidate_ids, step)
    lengths = np.bincount(table.query, minlength=len(query_of)).tolist()
    of_query = sorted(row for row in zip(query_of.tolist(), lengths, strict=True) if row[1])
    db.executemany(f"INSERT INTO ranking_length VALUES ({run}, ?, ?)", of_query)
    order = np.argsort((query_of[table.query] << 32) | candidate_of[table.candidate], kind="stable")
    for start in range(0, len(order), ROWS):
        step(start)
        part = order[start : start + ROWS]
        columns: list[Sequence[object]] = [
            query_of[table.query[part]].tolist(),
            candidate_of[table.candidate[part]].tolist(),
            table.rank[part].tolist(),
            [None] * len(part) if table.score is None else table.score[part].tolist(),
        ]
        db.executemany(f"INSERT INTO ranking VALUES ({run}, ?, ?, ?, ?)", zip(*columns, strict=True))


def keys_of(db: sqlite3.Connection, ids: Sequence[str], step: Callable[[int], None]) -> NDArray[np.int64]:
    """Return the keys of candidates, looked up in the order of the ids: each page of the index once.

    Neither numpy's sort nor a chunk's lookup keeps other threads waiting, as a dict of all ids would.
    """
    names = np.empty(len(ids), np.dtypes.StringDType())
    for start in range(0, len(ids), ROWS):
        step(0)
        names[start : start + ROWS] = ids[start : start + ROWS]
    order = np.argsort(names)
    keys = np.empty(len(ids), np.int64)
    for start in range(0, len(ids), ROWS):
        step(0)
        part = order[start : start + ROWS]
        some = [ids[at] for at in part.tolist()]
        known = candidate_keys(db, some)
        keys[part] = [known[one] for one in some]
    return keys


def gathered(pieces: Iterable[RunTable], step: Callable[[int], None]) -> Iterator[RunTable]:
    """Join pieces to tables of at least `BATCH` rows, but for the last."""
    waiting: list[RunTable] = []
    for piece in pieces:
        step(0)
        waiting.append(piece)
        if sum(len(one.query) for one in waiting) >= BATCH:
            yield joined(waiting)
            waiting = []
    if waiting:
        yield joined(waiting)


def joined(pieces: Sequence[RunTable]) -> RunTable:
    """Return pieces of one run as one table."""
    queries = np.cumsum([0] + [len(one.query_ids) for one in pieces])
    candidates = np.cumsum([0] + [len(one.candidate_ids) for one in pieces])
    scores = [one.score for one in pieces if one.score is not None]
    return replace(
        pieces[0],
        query_ids=[query for one in pieces for query in one.query_ids],
        candidate_ids=[candidate for one in pieces for candidate in one.candidate_ids],
        query=np.concatenate([one.query + at for one, at in zip(pieces, queries, strict=False)]),
        candidate=np.concatenate([one.candidate + at for one, at in zip(pieces, candidates, strict=False)]),
        rank=np.concatenate([one.rank for one in pieces]),
        score=np.concatenate(scores) if scores else None,
    )


def system_key(db: sqlite3.Connection, name: str, replace: bool) -> int:
    """Return a system's key with no run current any more; raises ChoiceError when one is and may not go.

    Raises UserError for a name that cannot be stored.
    """
    wrong = text_problem(name, "system's name", lines=False) if name else "the name is empty"
    if wrong:
        raise UserError(f"This cannot be a system's name: {wrong}.")
    db.execute("INSERT OR IGNORE INTO system(name) VALUES (?)", (name,))
    key = int(db.execute("SELECT id FROM system WHERE name = ?", (name,)).fetchone()[0])
    done = db.execute("UPDATE run SET current = 0 WHERE system = ? AND current", (key,))
    if done.rowcount and not replace:
        raise ChoiceError(
            f"The system {name!r} has a run already. Nothing was imported; import again and choose to "
            "replace it, or give the new run another system name.",
            "system",
            "replace",
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
) -> tuple[dict[str, Json], dict[int, Ints]]:
    """Add judgments as rows of the import; return what the event states of them, and what it only repeats.

    Raises ChoiceError when the annotator has judged one of the pairs otherwise, unless they are replaced.
    """
    queries = query_keys(db, table.query_ids)
    query_of = np.array([queries[one] for one in table.query_ids], dtype=np.int64)
    total = len(table.query)
    keys, rows, compared, proof = how.watch.parts([1, 1, 1, 1])
    candidate_of = keys_of(db, table.candidate_ids, lambda done: keys.step(done, total, "judgments"))
    columns = (query_of[table.query], candidate_of[table.candidate], table.grade)
    order = np.lexsort(columns[1::-1])
    sorted_rows = zip(*(column[order].tolist() for column in columns), strict=True)
    db.executemany(INSERT_IMPORTED.format(event), rows.each(sorted_rows, total, "judgments"))
    there, other = repeated.held(db, event, who)
    if other and not how.replace:
        raise ChoiceError(
            f"{how.annotator!r} has judged {other} of these pairs already, differently or with a note. "
            "Nothing was imported; import under another annotator's name, or choose to replace.",
            "annotator",
            "replace",
        )
    counts.count(counts.added, "judgments", total - there)
    counts.count(counts.changed, "judgments", other)
    counts.count(counts.same, "judgments", there - other)
    same = repeated.set_apart(db, event, who, compared) if there > other else {}
    return judgments_stated(db, event, total - (there - other), proof), same


def judgments_stated(db: sqlite3.Connection, event: int, rows: int, watch: Watch) -> dict[str, Json]:
    """Return what an event states of the judgments that are rows of it."""
    return {"rows": rows, "digest": digests.stored_imported(db, event, rows, watch)}


def fold_import(db: sqlite3.Connection, event: int) -> None:
    """Make the judgments of the newest event, an import, the current ones."""
    db.execute(
        "REPLACE INTO judgment SELECT annotator, query, candidate, 'graded', grade, time, '{}' "
        "FROM event JOIN imported ON imported.event = event.id WHERE event.id = ?",
        (event,),
    )


def changed_gold(
    db: sqlite3.Connection, gold: Sequence[GoldList], how: Import, counts: Counts
) -> dict[str, Any]:
    """Return the gold values that are new, by query id; raises ChoiceError for others than are there."""
    query_keys(db, [one.query_id for one in gold])
    rows = {one.query_id: (current_values.of_gold(one),) for one in gold}
    stored = {query: (value,) for query in rows if (value := current_values.read(db, "gold", 0, (query,)))}
    new, changed = sort_out(rows, stored, None, "gold answers", how, counts)
    return {query: value for query, (value,) in (new | changed).items() if value}
