"""A carrier in bad weather: what others wrote comes late, in any order, doubled, cut short, or is gone."""

from dataclasses import dataclass, field
from random import Random

from annotator.carriers.carrier import Carrier, CarrierError, Shelf
from annotator.project import sharing
from annotator.project.project import Project
from tests.carriers.database import Server

CONFLICTS = (".sync-conflict-20260101-120000-ABCDEFG", " (conflicted copy 2026-01-01 120000)")


@dataclass
class Held:
    """A carrier that holds what it was made of, and takes nothing."""

    shelves: dict[Shelf, dict[str, bytes]]
    address: str = "nowhere"

    def where(self, shelf: Shelf) -> str:
        return f"{self.address}, {shelf}"

    def names(self, shelf: Shelf) -> dict[str, str]:
        return dict.fromkeys(self.shelves[shelf], "")

    def later(self, shelf: Shelf) -> None:
        """It never tells."""

    def read(self, shelf: Shelf, name: str) -> bytes | None:
        return self.shelves[shelf].get(name)

    def append(self, shelf: Shelf, name: str, data: bytes) -> None:
        raise CarrierError("the place takes nothing")

    def close(self) -> None:
        """Nothing is held open."""


class Killed(BaseException):
    """The program of a writer ends here, with whatever it was doing."""


@dataclass
class World:
    """What is true of a carrier for everybody; `gone` are names that somebody deleted.

    A `server` behind it is stopped, as by a power cut, when it was asked `asks` times, `stops` times in all.
    """

    carrier: Carrier
    random: Random
    fair: bool = False
    gone: set[tuple[Shelf, str]] = field(default_factory=set)
    server: Server | None = None
    stops: int = 0
    asks: int = 1

    def asked(self) -> None:
        """Count that the server is asked, and stop it when it is time."""
        self.asks -= 1
        if self.server and self.stops and self.asks == 0:
            self.server.break_off()
            self.stops -= 1

    def come_back(self) -> None:
        """Start the server again, when it is stopped."""
        if self.server and self.asks <= 0:
            self.server.come_back()
            self.asks = self.random.randint(1, 200)

    def delete_one(self) -> None:
        """Delete a segment or a part of an import."""
        shelf: Shelf = self.random.choice(("segments", "contents"))
        names = sorted(one for one in self.carrier.names(shelf) if not one.startswith("project."))
        if names:
            self.gone.add((shelf, self.random.choice(names)))


@dataclass
class View:
    """One writer's view of the carrier; a carrier itself. `one` is the exchange that goes on with it."""

    world: World
    late: dict[tuple[Shelf, str], int] = field(default_factory=dict)
    own: set[tuple[Shelf, str]] = field(default_factory=set)
    killed: float = 0.0
    instead: dict[str, bytes] = field(default_factory=dict)
    listed: dict[tuple[Shelf, str], str] = field(default_factory=dict)
    one: sharing.Exchange | None = None

    @property
    def address(self) -> str:
        return self.world.carrier.address

    def where(self, shelf: Shelf) -> str:
        return self.world.carrier.where(shelf)

    def _maybe_killed(self) -> None:
        self.world.asked()
        if not self.world.fair and self.world.random.random() < self.killed:
            raise Killed

    def names(self, shelf: Shelf) -> dict[str, str]:
        self._maybe_killed()
        found: dict[str, str] = {}
        for name, mark in self.world.carrier.names(shelf).items():
            at = shelf, name
            if at in self.world.gone:
                continue
            if not self.world.fair and at not in self.own:
                self.late.setdefault(at, self.world.random.choice((0, 0, 1, 2, 4)))
                self.late[at] -= 1
                if self.late[at] >= 0:
                    continue
            cut = self._cut(at)
            found[name] = f"{mark} cut" if cut else mark
            if self.late.get(at, 0) % 3 == 1 and not name.startswith("project."):
                stem, dot, end = name.rpartition(".")
                found[f"{stem}{CONFLICTS[len(name) % 2]}{dot}{end}"] = mark
        self.listed |= {(shelf, name): mark for name, mark in found.items()}
        return found

    def later(self, shelf: Shelf) -> dict[str, str]:
        before = dict(self.listed)
        return {name: mark for name, mark in self.names(shelf).items() if before.get((shelf, name)) != mark}

    def _cut(self, at: tuple[Shelf, str]) -> bool:
        """Tell whether a name that has just come is not whole yet: for some, at the first look."""
        return not self.world.fair and at not in self.own and self.late.get(at) == -1 and len(at[1]) % 3 == 0

    def read(self, shelf: Shelf, name: str) -> bytes | None:
        self._maybe_killed()
        for mark in CONFLICTS:
            name = name.replace(mark, "")
        if (shelf, name) in self.world.gone:
            return None
        data = self.instead[name] if name in self.instead else self.world.carrier.read(shelf, name)
        return data[: len(data) // 2] if data and self._cut((shelf, name)) else data

    def append(self, shelf: Shelf, name: str, data: bytes) -> None:
        self._maybe_killed()
        if not self.world.fair and self.world.random.random() < self.killed:
            raise CarrierError("the place does not answer")
        self.world.carrier.append(shelf, name, data)
        self.world.gone.discard((shelf, name))
        self.own.add((shelf, name))
        self._maybe_killed()

    def close(self) -> None:
        """Nothing is held open."""


def exchange(project: Project, view: View) -> sharing.Exchanged:
    """Exchange once, as `sharing.exchange` does, or with what was known before, as a window does."""
    world, one = view.world, view.one
    if one is None or one.project is not project or world.fair or world.random.random() < 0.3:
        one = sharing.Exchange(project, view)
    view.one = one
    one.look()
    while one.ready:
        one.take(view.world.random.choice((1, 3, 200)))
    one.hand_over()
    return one.outcome()
