"""Whether a ledger still holds what a head stood for that was noted elsewhere.

A chain proves that a file fits together. Who can write the file can also forge an event and compute anew all
hashes that follow, or leave a session out; what is left fits together as well. Only a head that was kept
where they could not write tells the two apart.
"""

import hashlib
import json
import re
import sqlite3
from collections.abc import Iterator, Sequence

from annotator.storage.ledger import arrivals
from annotator.storage.ledger.events import NO_HASH


def is_head(text: str) -> bool:
    """Tell whether a text is a ledger head: 64 hexadecimal digits for each end, with + between them."""
    return re.fullmatch("[0-9a-f]{64}([+][0-9a-f]{64})*", text) is not None


def contains(db: sqlite3.Connection, head: str) -> bool:
    """Tell whether all events are there that a head stood for.

    For a ledger in which the check found nothing wrong. The hash of an event covers all that its author knew,
    so it is there with every event behind which it stands.
    """
    ends = set(head.split("+"))
    return head == NO_HASH or arrivals.known(db, ends) == ends or in_one(db, head)


def in_one(db: sqlite3.Connection, head: str) -> bool:
    """Tell whether a head is one hash of several ends, as earlier versions noted it, that were there once.

    It is looked for among those ends that a session named when it began, and those of the events up to each
    one, in their order and in that of their times; others are not found.
    """
    return any(hashlib.sha256("\n".join(ends).encode()).hexdigest() == head for ends in ends_of_several(db))


def ends_of_several(db: sqlite3.Connection) -> Iterator[Sequence[str]]:
    """Yield the sorted hashes of the ends of past states that had more than one."""
    for order in ("event.id", "time, event.id"):
        last: dict[int, tuple[int, str]] = {}
        named: set[str] = set()
        ends: set[str] = set()
        rows = db.execute(
            "SELECT session, sequence, hash, iif(sequence = 0, after, NULL) FROM event ORDER BY " + order
        )
        for session, sequence, hashed, began in rows:
            if began is not None:
                known = json.loads(began)["heads"]
                named.update(known)
                ends.difference_update(known)
                yield known
            before = last.get(session, (-1, ""))
            if sequence > before[0]:
                last[session] = sequence, hashed.hex()
                ends.discard(before[1])
                if hashed.hex() not in named:
                    ends.add(hashed.hex())
            if len(ends) > 1:
                yield sorted(ends)
