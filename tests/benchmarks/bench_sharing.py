"""A late joiner with a million events, and a key stored while the segments of twenty people arrive."""

import os
import secrets
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from annotator.project import segments, sharing
from annotator.project.project import Project
from annotator.records import Dataset, Document, Query
from annotator.storage.content import rebuild
from annotator.storage.content.bulk import import_dataset
from annotator.storage.content.contents import Import
from annotator.storage.ledger import events
from annotator.storage.ledger.events import NO_HASH, Event

EVENTS = int(os.environ.get("EVENTS", "1000000"))
PEOPLE, DOCUMENTS = 20, 500
TURNS, TURN_SECONDS, KEYS_A_SECOND = 6, 10, 20


def main() -> None:
    """Print how long each takes."""
    with tempfile.TemporaryDirectory() as name:
        for kind in ("CONFIG", "CACHE", "STATE", "DATA"):
            os.environ[f"XDG_{kind}_HOME"] = f"{name}/{kind.lower()}"
        while_segments_arrive(Path(name))
        join(Path(name))


def while_segments_arrive(folder: Path) -> None:
    """Grade alone and while others' segments arrive, in turns, and compare how long a key takes to be stored.

    Each of the others gives a grade a second and hands over every ten. Arriving is looked at by another
    thread, as in the window; what is ready is taken in between two keys, by the thread that stores.
    """
    path, place = folder / "mine.annot", str(folder / "load")
    with Project.create(path, "Load", annotator="me") as mine:
        fill(mine, 20_000)
    with Project.open(path, annotator="me") as mine:
        sharing.share(mine, place)
        _, clock = events.tips(mine.store.db)
        seconds = TURNS * TURN_SECONDS
        sent = segments_of(list(grades(clock, PEOPLE * seconds, 5)))
        alone, together = list[float](), list[float]()
        exchange = sharing.Exchange(mine)
        for turn in range(TURNS):
            alone += keys(mine, None)
            for name, data in sent[turn * PEOPLE : (turn + 1) * PEOPLE]:
                exchange.carrier.append("segments", name, data)
            together += keys(mine, exchange)
        assert exchange.came > PEOPLE * TURN_SECONDS, exchange.arriving.problems
        print(
            f"  a key until it is stored, {len(alone)} alone, {len(together)} while {exchange.came:,} arrive:"
        )
        for share in (50, 99):
            one, other = (statistics.quantiles(some, n=100)[share - 1] * 1000 for some in (alone, together))
            print(f"    p{share} {one:.1f} and {other:.1f} ms, ratio {other / one:.2f} (goal of p99 1.20)")


def segments_of(some: list[Event]) -> list[tuple[str, bytes]]:
    """Return the segments of ten seconds each, in the order in which they are handed over."""
    of: dict[str, list[Event]] = {}
    for one in some:
        of.setdefault(one.session, []).append(one)
    cut = []
    for every in of.values():
        for start in range(0, len(every), TURN_SECONDS):
            previous = every[start - 1].hash if start else NO_HASH
            cut.append((start, segments.segment(every[start : start + TURN_SECONDS], previous)))
    return [one for _, one in sorted(cut)]


def keys(project: Project, exchange: sharing.Exchange | None) -> list[float]:
    """Give grades for some seconds; return how long each took from the key until it was stored."""
    looking = threading.Thread(target=exchange.look) if exchange else None
    if looking:
        looking.start()
    took = []
    begin = time.perf_counter()
    for at in range(TURN_SECONDS * KEYS_A_SECOND):
        key = begin + at / KEYS_A_SECOND
        while (left := key - time.perf_counter()) > 0:
            if exchange and looking and not looking.is_alive() and exchange.ready:
                exchange.take()
            else:
                time.sleep(min(left, 0.002))
        given = {"state": "graded", "grade": at % 6}
        project.store.record("me", "grade", (f"q{at % 5}", f"d{secrets.randbelow(DOCUMENTS)}"), given)
        took.append(time.perf_counter() - key)
    if looking:
        looking.join()
    return took


def join(folder: Path) -> None:
    """Join a project with a million events."""
    with Project.create(folder / "lead.annot", "Large", annotator="lead") as lead:
        fill(lead, EVENTS)
        clocks = time.perf_counter(), time.process_time()
        sharing.share(lead, str(folder / "carrier"))
        told(f"sharing {EVENTS:,} events", clocks)
    size = sum(one.stat().st_size for one in (folder / "carrier").rglob("*") if one.is_file())
    print(f"  they are {size / 1e6:,.0f} MB in the folder")
    clocks = time.perf_counter(), time.process_time()
    sharing.join(str(folder / "carrier"), folder / "late.annot")
    told("joining until the project is open (goal 60 s)", clocks)


def told(what: str, since: tuple[float, float]) -> None:
    """Print what took how long, and how much of it was computed."""
    wall, own = time.perf_counter() - since[0], time.process_time() - since[1]
    print(f"  {what}: {wall:.1f} s, of which {own:.1f} s computed", flush=True)


def fill(project: Project, count: int) -> None:
    """Let people give so many grades in turns, a thousand and more events in each of their files."""
    queries = [Query(f"q{at}", f"question {at}") for at in range(count // DOCUMENTS // 10 + 1)]
    documents = [Document(f"d{at}", "", f"text of document {at}") for at in range(DOCUMENTS)]
    import_dataset(
        project.store, Dataset(queries=queries, documents=documents), Import("lead", "x", "person")
    )
    with project.store.writing(checked=False) as db:
        _, clock = events.tips(db)
        rebuild.put_events(db, grades(clock, count, len(queries)))
        rebuild.finish(db)


def grades(clock: int, count: int, queries: int) -> Iterator[Event]:
    """Yield grades of some people, a session each, in fold order."""
    people = sorted(secrets.token_hex(16) for _ in range(PEOPLE))
    ends = dict.fromkeys(people, (-1, NO_HASH))
    now = events.now()
    for at in range(count + PEOPLE):
        who = people[at % PEOPLE]
        sequence, hashed = ends[who]
        subject = (f"q{at % queries}", f"d{at // queries % DOCUMENTS}") if sequence >= 0 else ()
        given = {"state": "graded", "grade": at % 6, "time": now + at, "milliseconds": 1200}
        event = Event(
            who, sequence + 1, clock + 1 + at, now + at, f"person {at % PEOPLE}", "person",
            "grade" if subject else "session", subject, None, given if subject else {"heads": []},
            1200 if subject else None, True, "key" if subject else "opening", None, "",
        )  # fmt: skip
        hashed = events.digest(hashed, *event.columns)
        ends[who] = sequence + 1, hashed
        yield replace(event, hash=hashed)
