"""What has arrived in a carrier: read, proved, put in order; and what has to wait, by name.

An event waits for the one before it in its session, for the events that its session began with, for those
that its author's clock counted, and an import for all that it brought. Nothing is taken on trust: each event
is hashed behind the one before it, each part of an import by its name.
"""

import os
import shutil
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress

from annotator import kept_files
from annotator.carriers.carrier import Carrier
from annotator.errors import DiskError, NewerError
from annotator.project import segments, whole_steps
from annotator.project.segments import MANIFEST, Broken, Named
from annotator.project.share_record import ShareRecord
from annotator.storage.care import taking_in
from annotator.storage.care.taking_in import Part
from annotator.storage.ledger import arrivals
from annotator.storage.ledger.arrivals import Arrived
from annotator.watch import Watch

HELD = 8
"""So many parts of imports, but for runs, are held in memory before they are taken in."""

WHOLE_SECONDS = 20.0
"""So often everything in a carrier is looked at, where one that tells what came later is asked for that."""

LEFT_OUT = "it is left out"
CHANGED = "it holds other events than those that were there before: it was rewritten"


class Arriving:
    """The events of a carrier that a project does not hold yet.

    `ready` are those that can be taken in, sorted by their places. `problems` says of each name that
    something is the matter with, and of each session that waits, what it is. `taken_back` are the imports
    that events to come take back, as far as they have arrived. `names` are the segments that the last look
    found, with their marks.
    """

    def __init__(self, carrier: Carrier, record: ShareRecord, identity: str) -> None:
        self.carrier = carrier
        self.record = record
        self.cache = kept_files.place("arriving") / identity
        self.behind: dict[str, list[Arrived]] = {}
        self.ready: list[Arrived] = []
        self.refused: dict[str, tuple[int, str]] = {}
        self.problems: dict[str, str] = {}
        self.taken_back: set[str] = set()
        self.names: dict[str, str] = {}
        self._missed: dict[str, str] = {}
        self._unread: set[str] = set()
        self._whole = -WHOLE_SECONDS
        self._ends: dict[str, int] = {}
        for one in filter(None, map(segments.named, record.seen)):
            self._ends[one.session] = max(one.last, self._ends.get(one.session, -1))
        self._taken = self._size = 0
        self._parts: dict[str, list[str]] = {}
        self._read_parts: dict[str, Part] = {}
        self._needs: dict[str, list[str]] = {}

    @property
    def waiting(self) -> int:
        """How many events have arrived that wait for others."""
        return sum(map(len, self.behind.values())) - self._taken - len(self.ready)

    def look(self, db: sqlite3.Connection, watch: Watch) -> None:
        """Read what is new and put it in order; may take long, and asks the watch at each event.

        Raises CarrierError, DiskError, Stopped.
        """
        held = arrivals.held(db)
        new = self._new(held, self._listed())
        names = self.names
        for session in self.behind.keys() & held.keys():
            later = [one for one in self.behind[session] if one.sequence > held[session][0]]
            self.behind[session] = later
        self._taken = 0
        for done, (one, name) in enumerate(new):
            watch.step(done, len(new), "segments")
            try:
                if self._read(db, one, name, names[name], held, watch):
                    self.record.seen[name] = names[name]
                    self._ends[one.session] = max(one.last, self._ends.get(one.session, -1))
                    self._unread.discard(name)
            except (Broken, NewerError) as error:
                self.problems[name] = str(error)
        if (size := sum(map(len, self.behind.values()))) != self._size:
            self._size, self.refused = size, {}  # what was left out may have what it needs now
        self._order(db, watch)

    def _listed(self) -> dict[str, str]:
        """Bring the names up to date; return all, or those that came later and those that were not read."""
        now = time.monotonic()
        later = self.carrier.later("segments") if now - self._whole < WHOLE_SECONDS else None
        if later is None:
            self.names = listed = self.carrier.names("segments")
            self._whole, self._missed, self._unread = now, {}, set()
            self._missing(listed)
        else:
            self.names.update(later)
            listed = later | {name: self.names[name] for name in self._unread}
        self.problems = {name: why for name, why in self._missed.items() if name not in self.names}
        return listed

    def _new(self, held: Mapping[str, tuple[int, str]], listed: Mapping[str, str]) -> list[tuple[Named, str]]:
        """Return in order what was not seen as it is, and what holds events that the project does not."""
        lacking = {one for one, end in self._ends.items() if end > held.get(one, (-1, ""))[0]}
        new = []
        for name, mark in listed.items():  # of which there are many, mostly seen
            if (changed := self.record.seen.get(name) != mark) or name[:32] in lacking:
                says = segments.named(name)
                if says is None:
                    self._unread.add(name)
                    self.problems[name] = "it is nothing that Annotator writes"
                elif changed or says.last > held.get(says.session, (-1, ""))[0]:
                    new.append((says, name))
        self._unread |= {name for _, name in new}
        return sorted(new, key=in_order)

    def _read(
        self,
        db: sqlite3.Connection,
        says: Named,
        name: str,
        mark: str,
        held: Mapping[str, tuple[int, str]],
        watch: Watch,
    ) -> bool:
        """Read a segment, unless it was, and keep what is new; tell whether it is what it should be."""
        before = self.record.seen.get(name) or None
        more = self.behind.setdefault(says.session, [])
        stored = held.get(says.session, (-1, ""))[0]
        reach = more[-1].sequence if more else stored
        if says.last <= reach and before in (None, mark):
            if before is None and hash_of(db, more, says.session, says.last) != says.hash:
                raise Broken(CHANGED)
            return True
        if says.first > reach + 1:
            self.problems[name] = (
                f"it waits for the events from {reach + 1} to {says.first - 1} of its session"
            )
            return False
        data = self.carrier.read("segments", name)
        if data is None:
            return False
        previous, found = segments.events_of(says, data, watch)
        known = [(says.first - 1, previous)] + [(one.sequence, one.hash) for one in found]
        if any(
            0 <= sequence <= reach and hash_of(db, more, says.session, sequence) != hashed
            for sequence, hashed in known
        ):
            raise Broken(CHANGED)
        more += [one for one in found if one.sequence > reach]
        return True

    def _missing(self, names: Mapping[str, str]) -> None:
        """Name what was seen and is gone, unless others hold the same events."""
        missing = self.record.seen.keys() - names.keys()
        there = sorted(one for one in map(segments.named, names) if one) if missing else []
        for name in missing:
            gone = segments.named(name)
            if gone is None or covers(there, gone):
                del self.record.seen[name]
            else:
                self._missed[name] = "it was there and is missing; who wrote it writes it again"

    def _order(self, db: sqlite3.Connection, watch: Watch) -> None:
        """Find out which events can be taken in."""
        self.ready = []
        left: dict[str, str] = {one: f"{LEFT_OUT}: {why}" for one, (_, why) in self.refused.items()}
        every = sorted((one for some in self.behind.values() for one in some), key=arrivals.place_of)
        self.taken_back = taking_in.undone(every)
        named = {head for one in every if one.task == "session" for head in one.after["heads"]}
        known = arrivals.known(db, named)
        (top,) = db.execute(
            "SELECT max(clock) FROM (SELECT clock FROM event ORDER BY id DESC LIMIT 1)"
        ).fetchone()
        top = top or 0
        contents = self.carrier.names("contents") if any(one.task == "import" for one in every) else {}
        for event in every:
            watch.look()
            if event.session in left and event.sequence >= self.refused.get(event.session, (0, ""))[0]:
                continue
            if event.clock > top + 1:
                left[event.session] = "it waits for events that its author had"
            elif event.task == "session" and not known.issuperset(event.after["heads"]):
                left[event.session] = "it waits for the events that its session began with"
            elif (
                event.task == "import" and event.undoes is None and not self._fetched(event, contents, watch)
            ):
                left[event.session] = "it waits for what an import brought"
            else:
                self.ready.append(event)
                top = max(top, event.clock)
                known.add(event.hash)
        self._needs = whole_steps.needs(self.ready)
        some = {one.session for one in every}
        self.problems |= {session: why for session, why in left.items() if session in some}

    def _fetched(self, event: Arrived, contents: Mapping[str, str], watch: Watch) -> bool:
        """Fetch what an import brought, unless it is here, and tell whether all of it is."""
        identity = event.identity
        if identity in self._parts:
            return True
        by_hash: dict[str, list[str]] = {}
        for name in contents:
            by_hash.setdefault(name[:64], []).append(name)
        for name in contents:
            found = MANIFEST.match(name)
            if found is None or f"{found[1]}:{found[2]}" != identity:
                continue
            try:
                data = self.carrier.read("contents", name)
                parts = segments.parts_named(name, data or b"")
            except Broken as error:
                self.problems[name] = str(error)
                continue
            fetched = [self._fetch(one, by_hash.get(one, []), watch) for one in parts]
            if all(fetched):
                self._parts[identity] = parts
                return True
        return False

    def _fetch(self, part: str, names: list[str], watch: Watch) -> bool:
        """Keep a part in the user's own folder, unless it is there, and tell whether it is."""
        place = self.cache / part
        with suppress(OSError):
            if segments.sha256(place.read_bytes()) == part:
                return True
        for name in names:
            watch.look()
            data = self.carrier.read("contents", name)
            if data is None or segments.sha256(data) != part:
                self.problems[name] = "it is not whole yet, or was changed"
                continue
            beside = place.with_name(f"{part}.{os.getpid()}")
            try:
                kept_files.made(self.cache)
                kept_files.new(beside)
                beside.write_bytes(data)
                os.replace(beside, place)
            except OSError as error:
                with suppress(OSError):
                    beside.unlink()
                raise DiskError(
                    f"What an import brought cannot be kept in {self.cache.parent} ({error.strerror}). What "
                    "is in the project stays; once that folder can be written to, exchange again."
                ) from error
            self.problems.pop(name, None)
            return True
        return False

    def first(self, most: int) -> list[Arrived]:
        """Return the first events that are ready, and more where these are not to be taken in without."""
        return whole_steps.first(self.ready, most, self._needs)

    def prepare(self, most: int, watch: Watch) -> None:
        """Read what the imports among the first events that are ready brought, as far as `HELD` allows.

        In any thread: taking them in takes less then. Raises Stopped.
        """
        read = dict[str, Part]()
        for event in self.first(most):
            for name in self._parts.get(event.identity, ()):
                watch.look()
                if sum(one.run is None for one in read.values()) < HELD:
                    read[name] = self._read_parts.get(name) or self._part(name).prepared()
        self._read_parts = read

    def _part(self, name: str) -> Part:
        return segments.part_of((self.cache / name).read_bytes())

    def brought(self, identity: str) -> Iterator[Part]:
        """Yield what an import brought, which was fetched."""
        for part in self._parts[identity]:
            yield self._read_parts.get(part) or self._part(part)

    def took(self, events: list[Arrived], left: Mapping[str, tuple[int, str]], tried: int) -> None:
        """Note which of the first events that were ready, so many, are in the project now, and which not."""
        self._taken += len(events)
        done = {one.hash for one in events}
        self.ready[:tried] = [one for one in self.ready[:tried] if one.hash not in done]
        self.record.came |= {one.session for one in events}
        if left:
            self.refused |= left
            self.problems |= {one: f"{LEFT_OUT}: {why}" for one, (_, why) in left.items()}
            ends = {session: sequence for session, (sequence, _) in self.refused.items()}
            self.ready = [one for one in self.ready if one.sequence < ends.get(one.session, one.sequence + 1)]
            self._needs = whole_steps.needs(self.ready)
        if not self.ready and not self.waiting:
            shutil.rmtree(self.cache, ignore_errors=True)
            self._parts = {}


def in_order(one: tuple[Named, str]) -> tuple[str, int, int, str]:
    """Return the order in which segments are read: of those that begin alike the longest first."""
    says, name = one
    return says.session, says.first, -says.last, name


def covers(there: list[Named], gone: Named) -> bool:
    """Tell whether segments hold all events of one that is gone."""
    reach = gone.first
    for one in there:
        if one.session == gone.session and one.first <= reach <= one.last:
            reach = one.last + 1
    return reach > gone.last


def hash_of(db: sqlite3.Connection, more: list[Arrived], session: str, sequence: int) -> str:
    """Return the hash of an event that the project holds or that arrived, an empty one where it did not."""
    if more and sequence >= more[0].sequence:
        at = sequence - more[0].sequence
        return more[at].hash if at < len(more) else ""
    row = db.execute(
        "SELECT hash FROM event JOIN session ON session.id = session WHERE identity = ? AND sequence = ?",
        (session, sequence),
    ).fetchone()
    return row[0].hex() if row else ""
