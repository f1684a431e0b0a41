"""Taking back a whole import: runs, judgments, values, texts, and content that nothing else uses.

The import's event stays in the ledger, with one behind it that names it. Where nothing happened since, the
project holds again what it held before; values (gold answers, nuggets, what is said of parts of answers) and
texts that were changed since stay as they are now, and so does content that anything later names. When a
later import brought some of the same rows again, all of that kind stay: which ones it brought is not
recorded. So do those that an import in force brought too which did not know of this one. Which texts go is
stated, so that they are the same ones in every copy.
"""

import sqlite3
from collections.abc import Sequence
from typing import Any

from annotator.errors import ProjectError
from annotator.storage.content import digests, standing
from annotator.storage.content.standing import Gone, brought, key_of, withdrawn
from annotator.storage.ledger import event_fold, events
from annotator.storage.ledger.current_values import canonical
from annotator.storage.ledger.events import Event
from annotator.storage.store import Store
from annotator.tasks import declared
from annotator.watch import UNWATCHED, Watch

KEPT = "Taking back was stopped; the import is still in force."


def used_later() -> str:
    """Return the SELECT of the candidates that something after the event `:after` names."""
    return (
        "SELECT candidate FROM ranking JOIN run ON run.id = run WHERE run.event > :after "
        "UNION SELECT candidate FROM imported WHERE event > :after "
        f"UNION {standing.named_by_events('candidate')} UNION SELECT id FROM candidate WHERE {standing.NAMED}"
    )


OF_A_DOCUMENT = "(SELECT query FROM candidate c WHERE c.id = content.candidate) IS NULL"
BROUGHT_ONCE = (
    f"event > iif({OF_A_DOCUMENT}, :documents, :answers) "
    f"AND event < iif({OF_A_DOCUMENT}, :of_documents, :of_answers)"
)


def imports(store: Store) -> list[tuple[Event, bool]]:
    """Return every import, newest first, and whether it is in force."""
    imported = [event for _, event in events.history(store.db, tasks=("import",), limit=1_000_000)]
    gone = {event.undoes for event in imported}
    return [(event, event.identity not in gone) for event in imported if event.undoes is None]


def withdraw(store: Store, identity: str, annotator: str, watch: Watch = UNWATCHED) -> Event:
    """Take back the import with this identity, in one transaction, and return the event that says so.

    Raises ProjectError when there is no such import in force, and Stopped; nothing is changed then.
    """
    event = events.find(store.db, identity)
    if event is None or (event, True) not in imports(store):
        raise ProjectError("This import was taken back already, or is not in this project.")
    values, contents, folds, writes = watch.parts([2, 1, 1, 2])
    with store.writing(checked=False) as db, watch.over(db):
        whole = [*parts_of(db, identity), identity]
        gone = [*withdrawn(db), *whole]
        behind = {one for name in gone for one in brought(db, name)}
        take_back_values(store, identity, behind, values)
        judged = [delete_rows(db, key_of(db, name)) for name in whole]
        standing.write_texts(db, gone, texts_of(db, identity))
        lost = unused(db, gone)
        standing.delete_unnamed(db, gone, contents)
        for name in whole:
            of = {"gone": lost} if name == identity else {"with": identity}
            after = {"withdrawn": True, **of, **events.stated(db)}
            taken = store.record(annotator, "import", event.subject, after, how="withdraw", undoes=name)
        assert taken is not None
        folded = event_fold.fold(db, watch=folds)
        if any(judged):
            event_fold.write_judgments(db, folded, writes)
        event_fold.write_current_runs(db, folded.withdrawn)
        return taken


def parts_of(db: sqlite3.Connection, identity: str) -> list[str]:
    """Return the names of the events that are parts of an import: what it repeats of earlier ones."""
    rows = db.execute(
        "SELECT identity || ':' || sequence FROM event JOIN session ON session.id = session "
        f"WHERE undoes IS NULL AND {events.PART_OF} = ?",
        (identity,),
    ).fetchall()
    return [name for (name,) in rows]


def texts_of(db: sqlite3.Connection, identity: str) -> list[str]:
    """Return the subjects of the texts that an import replaced."""
    found = (events.find(db, name) for name in brought(db, identity))
    return [canonical([*one.subject]) for one in found if one is not None and one.task == "text"]


def take_back_values(store: Store, identity: str, gone: set[str], watch: Watch) -> None:
    """Restore the values and texts that an import replaced, where nobody changed them since."""
    names = list(brought(store.db, identity))
    for done, name in enumerate(names):
        watch.step(done, len(names), "gold answers and texts")
        one = events.find(store.db, name)
        assert one is not None
        if store.value(one.annotator if declared(one.task).own else "", one.task, one.subject) == one.after:
            store.record(
                one.annotator,
                one.task,
                one.subject,
                value_without(store.db, one, gone),
                how="withdraw",
                undoes=one.identity,
                annotator_kind=one.annotator_kind,
            )


def value_without(db: sqlite3.Connection, event: Event, gone: set[str]) -> Any:
    """Return what an event's subject was before it, had the events in `gone` not been."""
    rows = db.execute(
        events.SELECT + "WHERE subject = ? AND task = ? ORDER BY event.id DESC",
        (canonical(list(event.subject)), event.task),
    )
    value = None
    for one in map(events.of_row, rows.fetchall()):
        if declared(one.task).own and one.annotator != event.annotator:
            continue
        if one.identity not in gone and one.how != "withdraw":
            return one.after
        value = one.before
    return value


def delete_rows(db: sqlite3.Connection, event: int) -> bool:
    """Delete the rankings and judgments that an import brought, and tell whether there were judgments."""
    for table in ("ranking", "ranking_length"):
        db.execute(f"DELETE FROM {table} WHERE run IN (SELECT id FROM run WHERE event = ?)", (event,))
    db.execute("DELETE FROM run WHERE event = ?", (event,))
    return db.execute("DELETE FROM imported WHERE event = ?", (event,)).rowcount > 0


def last_again(db: sqlite3.Connection, part: str, gone: Sequence[int]) -> int:
    """Return the key of the last import in force that brought rows of a part again, 0 when none did."""
    row = db.execute(
        "SELECT coalesce(max(id), 0) FROM event WHERE task = 'import' AND undoes IS NULL "
        "AND after ->> ('$.same.' || ?) > 0 AND id NOT IN (SELECT value FROM json_each(?))",
        (part, canonical([*gone])),
    ).fetchone()
    return int(row[0])


def first_covered(db: sqlite3.Connection, part: str, gone: Sequence[int]) -> int:
    """Return the key of the first import in force that lacks rows of a part which it brought; else the last.

    Somebody who did not know of it brought them later, and with that import they would be gone.
    """
    rows = (
        "SELECT event FROM query"
        if part == "queries"
        else "SELECT event FROM content JOIN candidate ON candidate.id = candidate "
        f"WHERE (query IS NULL) = {int(part == 'documents')}"
    )
    row = db.execute(
        f"WITH there AS (SELECT event, count(*) AS rows FROM ({rows}) GROUP BY event) "
        "SELECT coalesce(min(id), ?) FROM event LEFT JOIN there ON there.event = event.id "
        f"WHERE task = 'import' AND undoes IS NULL AND after ->> '$.new.{part}' > coalesce(rows, 0) "
        "AND id NOT IN (SELECT value FROM json_each(?))",
        (events.LAST, canonical([*gone])),
    ).fetchone()
    return int(row[0])


def unused(db: sqlite3.Connection, back: Sequence[str]) -> Gone:
    """Take away what only the imports with these names brought and nothing uses; return what that is."""
    keys = {key_of(db, name): name for name in back}
    texts = standing.replaced_in_force(db, back)
    again = {part: last_again(db, part, list(keys)) for part in digests.SETS}
    again |= {f"of_{part}": first_covered(db, part, list(keys)) for part in digests.SETS}
    found: Gone = {}
    for key, name in keys.items():
        later = canonical([one for at, part, one in texts if at > key and part != "queries"])
        rows = db.execute(
            "SELECT external, query IS NULL FROM content JOIN candidate ON id = candidate "
            f"WHERE event = :after AND {BROUGHT_ONCE} AND candidate NOT IN ({used_later()}) ORDER BY 1",
            {"after": key, "texts": later, **again},
        )
        for external, document in rows.fetchall():
            found.setdefault(name, {}).setdefault("documents" if document else "answers", []).append(external)
    standing.take_away(db, found)
    standing.delete_candidates(db)
    rows = db.execute(
        "SELECT external, event FROM query WHERE event IN (SELECT value FROM json_each(:gone)) "
        f"AND event > :queries AND event < :of_queries AND id NOT IN ({standing.used_queries()}) ORDER BY 1",
        {
            **again,
            "after": 0,
            "gone": canonical([*keys]),
            "texts": canonical([one for _, part, one in texts if part == "queries"]),
        },
    )
    for external, event in rows.fetchall():
        found.setdefault(keys[event], {}).setdefault("queries", []).append(external)
    standing.take_away(db, found)
    return found
