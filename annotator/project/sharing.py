"""Sharing a project: handing over what was done here, and taking in what others did, through a carrier.

Nothing is ever settled between two copies: events merge in any order, so an exchange only sees to it that
each copy comes to hold the events of all. It may end at any moment, and the next one goes on.
"""

import gc
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from annotator.carriers import addresses
from annotator.carriers.carrier import Carrier, CarrierError, SilentError
from annotator.errors import DamagedError, ReadOnlyError
from annotator.places import SUFFIX
from annotator.project import handing_over, sharing_problems
from annotator.project.arriving import Arriving
from annotator.project.project import Project
from annotator.project.segments import PROJECT
from annotator.project.share_record import ShareRecord
from annotator.storage.care import integrity, taking_in
from annotator.storage.file import new_file
from annotator.storage.ledger import arrivals
from annotator.storage.ledger.arrivals import Arrived
from annotator.storage.store import Store
from annotator.watch import UNWATCHED, Watch

SLICE = 200
"""So many events are taken in as one step, so that a grade waits for some tens of milliseconds at most."""

NOTE_SECONDS = 20.0
"""So long at least lies between two notes of what was seen: each names all that lies in the carrier."""

SAFE = "What you did is safe in your own project and is handed over once that is mended."
"""Said where a carrier does not answer, or does not take what was done here."""

STOPPED = "The exchange was stopped; what was handed over and taken in until then stays."

SAID = (
    "Who can read {address} can read everything in the project. Blindness and roles are this program's "
    "manners, not a protection. What is rewritten there is noticed by everyone who read it before or "
    "holds something later that names it."
)
"""What is to be said to who shares a project or joins one."""


class Person(NamedTuple):
    """Who works on a project, and how far: how many candidates are judged, the time of what came last.

    The time is UTC milliseconds by that person's own clock.
    """

    name: str
    judged: int
    time: int


@dataclass(frozen=True, slots=True)
class Exchanged:
    """What an exchange did and left: events that came and went, who is at work, what is the matter, by name.

    `behind` counts this copy's events that are not handed over, `waiting` those that arrived and cannot be
    taken in before others. `end` is up to where that counts: the sequence of the last event that was recorded
    here since the project is open, -1 before the first.
    """

    came: int = 0
    went: int = 0
    behind: int = 0
    waiting: int = 0
    people: tuple[Person, ...] = ()
    problems: tuple[str, ...] = ()
    end: int = -1

    @property
    def sentence(self) -> str:
        """The outcome in one line."""
        left = ((self.behind, "not handed over yet"), (self.waiting, "waiting for others"))
        rest = [f"{number:,} {what}" for number, what in left if number]
        return "; ".join([f"Events handed over: {self.went:,}, taken in: {self.came:,}", *rest]) + "."


class Exchange:
    """One open project and its carrier: `look`, `prepare`, `hand_over` in any thread, `take` in its own.

    A window calls `look` beside the work, `prepare` and `take` until nothing is `ready`, then `hand_over`;
    `exchange` does all of it at once, and reads of imports when they are taken in. Raises CarrierError where
    the project is not shared.
    """

    def __init__(
        self, project: Project, carrier: Carrier | None = None, record: ShareRecord | None = None
    ) -> None:
        self.project = project
        self.record = record or ShareRecord.of(project.identity, project.path)
        if carrier is None and not self.record.carrier:
            raise CarrierError(not_shared(project.path, self.record))
        self.carrier = carrier or addresses.carrier(self.record.carrier)
        self.arriving = Arriving(self.carrier, self.record, project.identity)
        self.came = self.went = 0
        self._noted = -NOTE_SECONDS

    @property
    def ready(self) -> int:
        """How many events can be taken in."""
        return len(self.arriving.ready)

    def look(self, watch: Watch = UNWATCHED) -> int:
        """Read and prove what has arrived; return how many events can be taken in.

        Raises CarrierError when the carrier does not answer, or carries another project by now, and Stopped.
        """
        _marked(self.project, self.carrier)
        with self.project.store.reading() as db:
            self.arriving.look(db, watch.saying(STOPPED))
        return self.ready

    def prepare(self, most: int = SLICE, watch: Watch = UNWATCHED) -> None:
        """Read, in any thread, what `take` would read otherwise. Raises Stopped."""
        self.arriving.prepare(most, watch)

    def take(self, most: int = SLICE, watch: Watch = UNWATCHED) -> list[Arrived]:
        """Take in the first events that are ready, as one step, and return them.

        Of an import they are all that it brought, which takes as long as importing it, and all up to where it
        is taken back. A step that the watch stops is as if it had not begun, and is taken anew: raises
        Stopped.
        """
        some = self.arriving.first(most)
        taken = taking_in.take(
            self.project.store, some, self.arriving.brought, self.arriving.taken_back, watch
        )
        self.arriving.took(taken.events, taken.left, len(some))
        self.came += len(taken.events)
        return taken.events

    def hand_over(self, watch: Watch = UNWATCHED) -> int:
        """Hand over what the carrier lacks of this copy's own; return how many events.

        What was seen is noted, unless it just was. Raises CarrierError, DamagedError for a project that is
        not what was recorded, and Stopped.
        """
        self.project.store.prove(watch=watch)
        _mark(self.project, self.carrier, watch.saying(STOPPED))
        before = {name: self.record.seen.get(name) for name in self.arriving.problems}
        try:
            with self.project.store.reading() as db:
                names = self.arriving.names = self.arriving.names or self.carrier.names("segments")
                went = handing_over.hand_over(db, self.carrier, self.record, names, watch.saying(STOPPED))
        finally:
            if time.monotonic() - self._noted >= NOTE_SECONDS:
                self.note()
        for name, mark in before.items():
            if mark != self.record.seen.get(name):  # it was missing and is written again
                del self.arriving.problems[name]
        self.went += went
        return went

    def note(self) -> None:
        """Note beside the project what was seen; what is not is soon found anew. Raises ProjectError."""
        self.record.save()
        self._noted = time.monotonic()

    def give_up(self) -> None:
        """Note nothing more of what is under way, in any thread: the project goes on at another place."""
        self.record.carrier = ""

    def outcome(self) -> Exchanged:
        """Return what was done since this was made, and what is left, as far as the last look found."""
        with self.project.store.reading() as db:
            stretches = handing_over.behind(db, self.record, self.record.seen)
            people = tuple(_people(db))
            problems = sharing_problems.told(db, self.carrier, self.arriving.behind, self.arriving.problems)
            end = arrivals.end_of(db, self.project.store.file.ledger.identity)
        behind = sum(last - first + 1 for _, first, last in stretches)
        return Exchanged(self.came, self.went, behind, self.arriving.waiting, people, problems, end)


def up_to_now(project: Project, done: Exchanged) -> Exchanged:
    """Return what an exchange left, where what was recorded here since is not handed over either."""
    ledger = project.store.file.ledger
    since = ledger.sequence - done.end if ledger.session is not None else 0
    return replace(done, behind=done.behind + since, end=done.end + since) if since > 0 else done


def not_shared(path: Path, record: ShareRecord) -> str:
    """Return a sentence about a file that is not shared: a copy of one that is, or nobody knows where."""
    if record.damaged:
        return (
            f"Nothing is exchanged: what was noted of where {path.name} is shared is damaged "
            f"({record.path}). Share it again through the same place; what lies there is then looked at anew."
        )
    if (beside := record.beside) is None:
        return f"{path.name} is not shared; “annotator share” names where to."
    return (
        f"“{path.name}” is not shared. It is a copy of “{beside.file}”, which is shared through "
        f"{beside.carrier}: name that place to share the copy as well."
    )


def exchange(project: Project, watch: Watch = UNWATCHED) -> Exchanged:
    """Hand over what the carrier lacks, and take in what has arrived there, all at once.

    Raises CarrierError where the project is not shared or the carrier does not answer, DamagedError, Stopped.
    """
    one = Exchange(project)
    with closing(one.carrier), saying(SAFE):
        return _exchanged(one, watch)


@contextmanager
def saying(words: str) -> Iterator[None]:
    """Say what becomes of what was begun inside, where a carrier does not answer."""
    try:
        yield
    except SilentError as error:
        raise SilentError(f"{error} {words}") from error


def _exchanged(one: Exchange, watch: Watch) -> Exchanged:
    looks, takes, hands = watch.parts([2, 2, 1])
    total = one.look(looks)
    while one.ready:
        takes.step(total - one.ready, total, "events")
        one.take(watch=takes.silent)
    try:
        one.hand_over(hands)
    except CarrierError as error:  # of a place that one may only read, what is there has come
        raise type(error)(f"{error} What has arrived was taken in ({one.came:,} events).") from error
    return one.outcome()


def share(project: Project, address: str, watch: Watch = UNWATCHED) -> Exchanged:
    """Share a project through a carrier from now on, and exchange with it for the first time.

    Raises what `begin` and `exchange` raise; what was written until then stays, and sharing again goes on.
    """
    begin(project, address, watch=watch)
    return exchange(project, watch)


def begin(project: Project, address: str, anew: bool = True, watch: Watch = UNWATCHED) -> None:
    """Let a carrier be the one that a project is shared through; the next exchange writes all there.

    Raises CarrierError for a carrier that holds another project, or none unless it may be shared there
    `anew`, or in which the project file lies, and what `refuse_unwritable` raises.
    """
    refuse_unwritable(project)
    project.store.prove(watch=watch)
    with saying("Nothing was shared there."), closing(addresses.carrier(address, begin=anew)) as carrier:
        _refuse_inside(project.path, carrier)
        if not (anew or _marked(project, carrier)):
            raise CarrierError(f"No project has arrived in {carrier.address}. Nothing was shared there.")
        _mark(project, carrier, watch)
        watch.look()
        record = ShareRecord.of(project.identity, project.path)
        if record.carrier != carrier.address:
            record.seen = {}
        record.came = set()  # who names a place hands over all that it lacks: others may be gone for good
        record.carrier = carrier.address
        record.save()


def refuse_unwritable(project: Project) -> None:
    """Raise DamagedError for a project that is damaged, ReadOnlyError for one that is open for reading."""
    if project.damage:
        raise DamagedError(
            f"{project.path.name} is damaged, so nothing is exchanged. Restore a backup, or recover what is "
            "sound."
        )
    if project.read_only:
        raise ReadOnlyError(
            f"{project.path.name} is open for reading only, so nothing is exchanged. Open it where it can be "
            "written to."
        )


def file_name(address: str) -> str:
    """Return what a newcomer's file is called unless they say otherwise.

    >>> file_name("/mnt/team/search"), file_name("postgresql://ana@server/search?sslmode=require")
    ('search.annot', 'search.annot')

    Of an address that is still being written the person, and what stands beside the name, are not shown:

    >>> file_name("postgresql://ana:1234")
    'team.annot'
    """
    place, database, rest = address.partition("?")[0].partition("://")
    return f"{Path(rest.partition('/')[2] if database else place).name or 'team'}{SUFFIX}"


def join(address: str, path: Path, watch: Watch = UNWATCHED) -> Exchanged:
    """Make a project file of what a carrier holds, and share it from now on.

    What was fetched before an interruption is not fetched again. Raises CarrierError where nothing whole has
    arrived, DamagedError when what arrived does not fit together, ProjectError when the file cannot be
    written, and Stopped; no file is left then.
    """
    new_file.refuse_taken(path)
    collects = gc.isenabled()
    gc.disable()  # what is read stays: to look for garbage in it takes a fifth of the time
    try:
        with saying("No file was made."), closing(addresses.carrier(address)) as carrier:
            return _joined(carrier, path, watch)
    finally:
        if collects:
            gc.enable()


def _joined(carrier: Carrier, path: Path, watch: Watch) -> Exchanged:
    watch = watch.saying("Joining was stopped; no file was made. What was fetched is not fetched again.")
    _refuse_inside(path, carrier)
    there = _project_of(carrier)
    if there is None:
        raise CarrierError(
            f"No project has arrived in {carrier.address}. Wait until it has, or name another place."
        )
    looks, writes, checks = watch.parts([3, 3, 2])
    with Store.create(path, identity=there[0], created=there[1]) as store:
        record = ShareRecord.empty(there[0], path)
        record.carrier = carrier.address
        one = Exchange(Project(store), carrier, record)
        if not one.look(looks):
            raise CarrierError(
                f"What lies in {carrier.address} is not whole yet. Wait until it is, and join again."
            )
        one.take(one.ready, writes)
        with store.reading() as db, checks.over(db):
            findings = integrity.check(db, checks)
        if findings:
            raise DamagedError(
                f"What lies in {carrier.address} does not fit together: {findings[0]}. No file was made."
            )
        done = one.outcome()
        record.save()
    return done


def _project_of(carrier: Carrier) -> tuple[str, int] | None:
    """Return identity and time of the project that a carrier holds, None where it holds none."""
    found = [PROJECT.match(name) for name in carrier.names("contents")]
    return min(((one[1], int(one[2])) for one in found if one), default=None)


def _mark(project: Project, carrier: Carrier, watch: Watch) -> None:
    """Let a carrier say that it holds a project, unless it does; raises CarrierError as `_marked` does."""
    if _marked(project, carrier):
        return
    watch.look()
    with project.store.reading() as db:
        created = db.execute("SELECT created FROM project").fetchone()[0]
    carrier.append("contents", f"project.{project.identity}.{created}", b"")


def _marked(project: Project, carrier: Carrier) -> bool:
    """Tell whether a carrier says that it holds a project; raises CarrierError where it says another."""
    there = _project_of(carrier)
    if there is not None and there[0] != project.identity:
        raise CarrierError(
            f"{carrier.address} carries another project; nothing was written. Name another place."
        )
    return there is not None


def _refuse_inside(path: Path, carrier: Carrier) -> None:
    """Raise CarrierError for a project file inside the folder that carries it."""
    folder = Path(carrier.address)
    if folder.is_dir() and path.resolve().is_relative_to(folder.resolve()):
        raise CarrierError(
            f"{path} lies in {folder}, which is to carry the project: what copies files between computers "
            "does not know when a project is whole. Keep the file elsewhere; nothing was written."
        )


def _people(db: sqlite3.Connection) -> list[Person]:
    rows = db.execute(
        "SELECT name, (SELECT count(*) FROM judgment WHERE annotator = a.id AND state NOT NULL), "
        "(SELECT time FROM event WHERE annotator = a.id ORDER BY id DESC LIMIT 1) FROM annotator a "
        "WHERE kind = 'person' ORDER BY name"
    ).fetchall()
    return [Person(*row) for row in rows if row[2] is not None]
