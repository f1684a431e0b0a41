"""A late joiner with a million events, and keys stored while the segments of twenty people arrive."""

import os
import queue
import random
import secrets
import sqlite3
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEventLoop

from annotator.carriers.folder import Folder
from annotator.carriers.postgres import Postgres
from annotator.desktop.app import SWITCH_SECONDS
from annotator.desktop.team.exchanging import Team
from annotator.desktop.worker import Worker
from annotator.project import segments, sharing
from annotator.project.project import Project
from annotator.records import Dataset, Document, Query
from annotator.storage.content import rebuild
from annotator.storage.content.bulk import import_dataset
from annotator.storage.content.contents import Import
from annotator.storage.ledger import events
from annotator.storage.ledger.current_values import Subject
from annotator.storage.ledger.events import NO_HASH, Event

EVENTS = int(os.environ.get("EVENTS", "1000000"))
PEOPLE, DOCUMENTS = 20, 500
TURNS, TURN_SECONDS, KEYS_A_SECOND = int(os.environ.get("TURNS", "4")), 20, 20
MEMORY = Path("/dev/shm")
"""Where a place lies that stands for a database: that one's disk is another computer's."""


def main() -> None:
    """Print how long each takes."""
    with tempfile.TemporaryDirectory() as name:
        for kind in ("CONFIG", "CACHE", "STATE", "DATA"):
            os.environ[f"XDG_{kind}_HOME"] = f"{name}/{kind.lower()}"
        with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as elsewhere:
            while_segments_arrive(Path(name) / "folder", Path(name) / "place", int(Folder.pause))
            while_segments_arrive(Path(name) / "database", Path(elsewhere) / "place", int(Postgres.pause))
        join(Path(name))


def while_segments_arrive(folder: Path, place: Path, pause: int) -> None:
    """Grade alone and while others' segments arrive, in turns, and compare how long a key takes to be stored.

    The window's own storage thread stores, and its own exchange goes on beside: what arrived is proved, taken
    in, and what was done here handed over. Each of the others gives a grade a second; their segments are put
    into the folder as by a service that copies files, at any time of the pause that each leaves.
    """
    folder.mkdir()
    Folder.pause = pause
    path = folder / "mine.annot"
    with Project.create(path, "Load", annotator="me") as mine:
        fill(mine, 20_000)
    with Project.open(path, annotator="me") as mine:
        sharing.share(mine, str(place))
        _, clock = events.tips(mine.store.db)
    sent = segments_of(list(grades(clock, PEOPLE * TURNS * TURN_SECONDS, of(5))), pause)
    each = len(sent) // TURNS
    app = QCoreApplication.instance() or QCoreApplication([])
    sys.setswitchinterval(SWITCH_SECONDS)
    worker = Worker()
    opened: queue.SimpleQueue[Project] = queue.SimpleQueue()
    worker.submit(app, lambda: opened.put(Project.open(path, annotator="me")), str)
    mine = opened.get()
    before = count(path)
    alone, together = list[list[float]](), list[list[float]]()
    for turn in range(TURNS):
        alone.append(keys(worker, mine))
        arriving = sent[turn * each : (turn + 1) * each]
        team = Team(mine, worker, app)
        team.begin()
        together.append(keys(worker, mine, team, arriving, place / "segments"))
        team.close()
    worker.submit(app, mine.close, str)
    worker.close()
    came = count(path) - before - 2 * TURNS * TURN_SECONDS * KEYS_A_SECOND
    assert came > PEOPLE * TURN_SECONDS * (TURNS - 1) * 0.9, came
    print(f"  a key until it is stored, {len(alone[0]) * TURNS} each; {came:,} arrive, every {pause} s:")
    for share in (50, 99):
        one, other = (percentile([key for turn in some for key in turn], share) for some in (alone, together))
        goal = " (goal 1.20)" if share == 99 else ""
        print(f"    p{share} alone {one:.1f} ms, together {other:.1f} ms, ratio {other / one:.2f}{goal}")
    for what, some in (("alone", alone), ("together", together)):
        said = ", ".join(f"{percentile(turn, 99):.1f}" for turn in some)
        print(f"    p99 of each turn {what}: {said} ms, longest {max(map(max, some)) * 1000:.1f}")


def percentile(some: list[float], share: int) -> float:
    """Return what a share of some times, in seconds, stays below, in milliseconds."""
    return statistics.quantiles(some, n=100)[share - 1] * 1000


def count(path: Path) -> int:
    """Return how many events a project has."""
    with closing(sqlite3.connect(path)) as db:
        return int(db.execute("SELECT count(*) FROM event").fetchone()[0])


def segments_of(some: list[Event], seconds: int) -> list[tuple[str, bytes]]:
    """Return the segments of so many seconds each, in the order in which they are handed over."""
    of: dict[str, list[Event]] = {}
    for one in some:
        of.setdefault(one.session, []).append(one)
    cut = []
    for every in of.values():
        for start in range(0, len(every), seconds):
            previous = every[start - 1].hash if start else NO_HASH
            cut.append((start, segments.segment(every[start : start + seconds], previous)))
    return [one for _, one in sorted(cut)]


def keys(
    worker: Worker,
    project: Project,
    team: Team | None = None,
    arriving: Iterable[tuple[str, bytes]] = (),
    place: Path = Path(),
) -> list[float]:
    """Give grades for some seconds, not quite regularly; return how long each took until it was stored."""
    loop, took = QEventLoop(), list[float]()
    moments = [random.uniform(at, at + 0.5) / KEYS_A_SECOND for at in range(TURN_SECONDS * KEYS_A_SECOND)]
    arriving = list(arriving)
    copied = [(at * TURN_SECONDS / len(arriving), one) for at, one in enumerate(arriving)]

    def stored(key: float, at: int) -> None:
        given = {"state": "graded", "grade": at % 6, "note": secrets.token_hex(4)}
        project.store.record("me", "grade", (f"q{at % 5}", f"d{secrets.randbelow(DOCUMENTS)}"), given)
        took.append(time.perf_counter() - key)

    def press() -> None:
        begin = time.perf_counter()
        for at, moment in enumerate(moments):
            while copied and copied[0][0] < moment:
                name, data = copied.pop(0)[1]
                (place / f".{name}").write_bytes(data)
                (place / f".{name}").rename(place / name)
            time.sleep(max(begin + moment - time.perf_counter(), 0))
            worker.submit(worker, partial(stored, begin + moment, at), lambda _: team and team.want())
        worker.submit(worker, lambda: None, lambda _: loop.quit())

    pressing = threading.Thread(target=press)
    pressing.start()
    loop.exec()
    pressing.join()
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
        rebuild.put_events(db, grades(clock, count, of(len(queries))))
        rebuild.finish(db)


def of(queries: int) -> Callable[[int], Subject]:
    """Return what tells the candidate of so many queries that comes at a place."""
    return lambda at: (f"q{at % queries}", f"d{at // queries % DOCUMENTS}")


def grades(clock: int, count: int, about: Callable[[int], Subject]) -> Iterator[Event]:
    """Yield grades of some people, a session each, in fold order, and `about` what each of them is."""
    people = sorted(secrets.token_hex(16) for _ in range(PEOPLE))
    ends = dict.fromkeys(people, (-1, NO_HASH))
    now = events.now()
    for at in range(count + PEOPLE):
        who = people[at % PEOPLE]
        sequence, hashed = ends[who]
        subject = about(at) if sequence >= 0 else ()
        given = {"state": "graded", "grade": at % 6, "time": now + at, "milliseconds": 1200}
        event = Event(
            who, sequence + 1, clock + 1 + at, now + at, f"person {at % PEOPLE}", "person",
            "grade" if subject else "session", subject, None, given if subject else {"heads": []},
            1200 if subject else None, True, "key" if subject else "opening", None, "",
        )  # fmt: skip
        hashed = events.digest(hashed, *event.columns)
        ends[who] = sequence + 1, hashed
        yield replace(event, hash=hashed)
