"""What is the matter in a carrier, in words: which file or whose work, and where it lies."""

import re
import sqlite3
from collections.abc import Mapping, Sequence

from annotator.carriers.carrier import Carrier
from annotator.project.segments import HEX, MANIFEST
from annotator.storage.ledger.arrivals import Arrived
from annotator.text.times import MINUTES, local_time
from annotator.text.visible import telling

SESSION = re.compile(f"{HEX}{{32}}")
PART = re.compile(f"{HEX}{{64}}")


CALMER = ("it was there and is missing", "it is not whole yet", "it waits", "it is nothing that Annotator")
"""How what mends itself begins, the worst first, and what does no harm; all else is told before it."""


def told(
    db: sqlite3.Connection,
    carrier: Carrier,
    waiting: Mapping[str, Sequence[Arrived]],
    problems: Mapping[str, str],
) -> tuple[str, ...]:
    """Return a sentence for each problem, the worst first, by the name of what is on a shelf or of a session.

    Who it is about is known of events that the project holds, or that arrived and are `waiting`.
    """
    ordered = sorted(problems.items(), key=lambda one: (gravity(one[1]), one[0]))
    return tuple(f"{words(db, carrier, waiting, name)}: {why}." for name, why in ordered)


def gravity(why: str) -> int:
    """Return how early a problem is told: what was altered or left out before what is only on its way."""
    return next((at for at, begins in enumerate(CALMER, start=1) if why.startswith(begins)), 0)


def words(
    db: sqlite3.Connection, carrier: Carrier, waiting: Mapping[str, Sequence[Arrived]], name: str
) -> str:
    """Return what a person calls a session, or what is on a shelf under a name."""
    session = SESSION.match(name.removeprefix("import."))
    who, time = author(db, waiting, session[0]) if session else ("", 0)
    if SESSION.fullmatch(name) and who:
        return f"What {who} did from {local_time(time, MINUTES)} on"
    shelf = carrier.where("contents" if MANIFEST.match(name) or PART.match(name) else "segments")
    return f"{name}, of {who}, in {shelf}" if who else f"{name} in {shelf}"


def author(db: sqlite3.Connection, waiting: Mapping[str, Sequence[Arrived]], session: str) -> tuple[str, int]:
    """Return whose events a session holds, and when the first was recorded, in UTC ms by their clock."""
    if some := waiting.get(session):
        return telling(some[0].annotator), some[0].time
    sql = (
        "SELECT name, event.time FROM event JOIN session ON session.id = session "
        "JOIN annotator ON annotator.id = annotator WHERE identity = ? ORDER BY sequence LIMIT 1"
    )
    name, time = db.execute(sql, (session,)).fetchone() or ("", 0)
    return telling(name), time
