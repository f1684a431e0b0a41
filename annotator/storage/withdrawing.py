"""Taking back a whole import: its runs, judgments and gold answers, and content that nothing else uses.

The import's event stays in the ledger, with one behind it that names it. Gold answers that somebody changed
since stay as they are now.
"""

import sqlite3
from collections.abc import Callable

from annotator.errors import ProjectError
from annotator.storage import digests, events, folding
from annotator.storage.events import Event
from annotator.storage.store import Store

KEPT = "Taking back was stopped; the import is still in force."

USED_QUERIES = (
    "SELECT query FROM ranking_length UNION SELECT query FROM imported UNION SELECT query FROM judgment "
    "UNION SELECT query FROM gold UNION SELECT query FROM adjudication UNION SELECT query FROM unblinded "
    "UNION SELECT query FROM candidate WHERE query IS NOT NULL "
    "UNION SELECT query FROM query_state WHERE unanswerable OR note <> '' OR difficulty <> ''"
)
USED_CANDIDATES = (
    "SELECT candidate FROM ranking UNION SELECT candidate FROM imported UNION SELECT candidate FROM judgment "
    "UNION SELECT candidate FROM adjudication"
)


def imports(store: Store) -> list[tuple[Event, bool]]:
    """Return every import, newest first, and whether it is in force."""
    found = [event for _, event in events.history(store.db, kinds=("import",), limit=1_000_000)]
    gone = {event.undoes for event in found}
    return [(event, event.identity not in gone) for event in found if event.undoes is None]


def withdraw(
    store: Store, identity: str, annotator: str, should_stop: Callable[[], bool] | None = None
) -> Event:
    """Take back the import with this identity, in one transaction, and return the event that says so.

    Raises ProjectError when there is no such import in force, and Stopped; nothing is changed then.
    """
    event = events.find(store.db, identity)
    if event is None or (event, True) not in imports(store):
        raise ProjectError("This import was taken back already, or is not in this project.")
    with store.writing(checked=False) as db, store.stoppable(should_stop, KEPT):
        key = db.execute(
            "SELECT event.id FROM event JOIN session ON session.id = session "
            "WHERE identity = ? AND sequence = ?",
            (event.session, event.sequence),
        ).fetchone()[0]
        take_back_gold(store, event)
        delete_rows(db, key)
        taken = store.record(
            annotator, "import", event.subject, {"withdrawn": True}, how="withdraw", undoes=identity
        )
        assert taken is not None
        folded = folding.fold(db)
        folding.write_judgments(db, folded)
        folding.write_current_runs(db, folded)
        delete_unused(db, key)
        return taken


def take_back_gold(store: Store, event: Event) -> None:
    """Restore what the gold answers of an import replaced, where nobody changed them since."""
    for number in range(event.after.get("gold", 0)):
        gold = events.find(store.db, f"{event.session}:{event.sequence + 1 + number}")
        assert gold is not None
        assert gold.kind == "gold"
        if store.value("", "gold", gold.subject) == gold.after:
            store.record(
                gold.annotator,
                "gold",
                gold.subject,
                gold.before,
                how="withdraw",
                undoes=gold.identity,
                annotator_kind=gold.annotator_kind,
            )


def delete_rows(db: sqlite3.Connection, event: int) -> None:
    """Delete the rankings and judgments that an import brought."""
    for table in ("ranking", "ranking_length"):
        db.execute(f"DELETE FROM {table} WHERE run IN (SELECT id FROM run WHERE event = ?)", (event,))
    db.execute("DELETE FROM run WHERE event = ?", (event,))
    db.execute("DELETE FROM imported WHERE event = ?", (event,))


def delete_unused(db: sqlite3.Connection, event: int) -> None:
    """Delete the candidates and queries that an import brought and nothing uses, and mend the digests."""
    unused = f"event = ? AND id NOT IN ({USED_CANDIDATES})"
    db.execute(f"DELETE FROM content WHERE candidate IN (SELECT id FROM candidate WHERE {unused})", (event,))
    db.execute(f"DELETE FROM candidate WHERE {unused}", (event,))
    db.execute(f"DELETE FROM query WHERE event = ? AND id NOT IN ({USED_QUERIES})", (event,))
    digests.recount(db)
