"""Whatever happens on the way, no grade that was acknowledged is lost, and all come to the same."""

import json
import os
import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from annotator.carriers import addresses
from annotator.carriers.carrier import CarrierError
from annotator.project import maintenance, segments, sharing
from annotator.project.project import Project
from annotator.records import Dataset, Query
from annotator.storage.content.bulk import import_dataset
from annotator.storage.content.contents import Import
from annotator.storage.ledger import current_values, events, undo_stack
from tests.carriers import database
from tests.carriers.conftest import NewPlace
from tests.carriers.database import Server
from tests.carriers.test_sharing import twin
from tests.carriers.weather import Held, Killed, View, World, exchange
from tests.storage.projects import fill

DAY_MS = 86_400_000


class Writer:
    """One person at one computer, whose clock is wrong; `said` names the events that were acknowledged."""

    def __init__(self, path: Path, world: World, killed: float) -> None:
        self.path, self.name = path, path.stem
        self.view = View(world, killed=killed)
        self.random = world.random
        self.wrong_ms = self.random.choice((-DAY_MS, 0, DAY_MS))
        self.project = Project.open(path, annotator=self.name)
        self.said: list[str] = []

    def grade(self, times: int) -> None:
        """Grade some candidates, now and then take a grade back; each is acknowledged once it is stored."""
        for _ in range(times):
            store = self.project.store
            if self.random.random() < 0.1:
                event = undo_stack.undo(store, self.name)
            else:
                pair = self.random.choice(("q1", "q2")), self.random.choice(("d1", "d2", "d3", "d9"))
                given = {"state": "graded", "grade": self.random.randrange(6)}
                event = store.record(self.name, "grade", pair, given)
            if event is not None:
                self.said.append(event.identity)

    def exchange(self) -> None:
        """Exchange; who is killed while doing it starts the program anew."""
        try:
            with suppress(CarrierError):
                exchange(self.project, self.view)
        except Killed:
            self.project.close()
            self.project = Project.open(self.path, annotator=self.name)


WorldAt = Callable[[str, Random], World]


@pytest.fixture
def world_at() -> Iterator[WorldAt]:
    """Return a function that gives the world around the carrier at an address; all are closed at the end."""
    opened: list[World] = []

    def made(place: str, random: Random) -> World:
        opened.append(World(addresses.carrier(place), random))
        return opened[-1]

    yield made
    for one in opened:
        one.carrier.close()


def live(
    folder: Path, place: str, world: World, people: int, grades: int, patch: pytest.MonkeyPatch
) -> list[Writer]:
    """Let some people grade and exchange in bad weather until each has given so many grades."""
    random = world.random
    with Project.create(folder / "lead.annot", "Team", annotator="lead") as lead:
        fill(lead.store)
        sharing.share(lead, place)
    for number in range(people - 1):
        sharing.join(place, folder / f"person {number}.annot")
    writers = [Writer(path, world, 0.02) for path in sorted(folder.glob("*.annot"))]
    now = events.now
    while busy := [one for one in writers if len(one.said) < grades]:
        one = random.choice(busy)
        patch.setattr(events, "now", lambda wrong=one.wrong_ms: now() + wrong)
        one.grade(random.choice((1, 2, 10)))
        if random.random() < 0.5:
            one.exchange()
        if random.random() < 0.1:
            with suppress(CarrierError):
                world.delete_one()
        if random.random() < 0.3:
            world.come_back()
    world.come_back()
    patch.setattr(events, "now", now)
    return writers


@pytest.fixture
def stoppable(
    request: pytest.FixtureRequest, new_place: NewPlace, count: Callable[[int, int], int], worker_id: str
) -> Iterator[tuple[NewPlace, Server | None]]:
    """Return what gives new places, and at night the server behind them, which nobody else uses."""
    if request.node.callspec.params["new_place"] == "folder" or not count(0, 1):
        yield new_place, None
        return
    with database.running(f"weather-{worker_id}-{os.getpid()}") as server:
        yield server.new_place, server


@settings(
    max_examples=3,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
@given(seed=st.integers(0, 1 << 32))
def test_all_that_was_acknowledged_is_everywhere_and_comes_to_the_same(
    stoppable: tuple[NewPlace, Server | None],
    world_at: WorldAt,
    tmp_path_factory: pytest.TempPathFactory,
    count: Callable[[int, int], int],
    counted: Callable[[str], None],
    seed: int,
) -> None:
    people, grades = count(3, 8), count(12, 500)
    with pytest.MonkeyPatch.context() as patch:
        folder, place = tmp_path_factory.mktemp("team"), stoppable[0]()
        addresses.carrier(place, begin=True).close()
        world = world_at(place, Random(seed))
        world.server, world.stops = stoppable[1], 20
        writers = live(folder, place, world, people, grades, patch)
    assert world.server is None or not world.stops, "it was stopped too few times"
    world.fair = True
    for _ in range(2):
        last = [exchange(one.project, one.view) for one in writers]
    last = [exchange(one.project, one.view) for one in writers]
    assert [(one.came, one.went, one.behind, one.waiting, one.problems) for one in last] == [
        (0, 0, 0, 0, ())
    ] * people
    for one in writers:
        held = {event.identity for event in events.all_events(one.project.store.db)}
        for other in writers:
            assert held.issuperset(other.said)
    assert len({twin(one.project) for one in writers}) == 1
    for one in writers:
        one.project.close()
    how = "PostgreSQL stopped 20 times" if world.server else "no server"
    counted(f"{people} people x {grades} grades, seed {seed}, {how}: none lost, all equal")


def forged(name: str, data: bytes) -> tuple[str, bytes]:
    """Return a segment in which a grade is another and all hashes are computed anew, under its own name."""
    says = segments.named(name)
    assert says is not None
    previous, found = segments.events_of(says, data)
    chain, hashed = [], previous
    for one in found:
        graded = one.task == "grade" and one.after.get("state") == "graded"
        after = {**one.after, "grade": 0} if graded else one.after
        hashed = events.digest(hashed, *one._replace(left=events.text(after))[:-1])
        values = one.subject, one.before and json.loads(one.before), after
        others = one[10], bool(one.blind), one.how, one.undoes, hashed
        chain.append(events.Event(*one[:7], *values, *others))
    return segments.segment(chain, previous)


def test_a_rewritten_segment_is_found_by_who_saw_it_and_by_who_holds_a_later_head(
    new_place: NewPlace, world_at: WorldAt, tmp_path: Path
) -> None:
    place = new_place()
    with Project.create(tmp_path / "ana.annot", "Team", annotator="Ana") as ana:
        fill(ana.store)
        sharing.share(ana, place)
    sharing.join(place, tmp_path / "ben.annot")
    with Project.open(tmp_path / "ben.annot", annotator="Ben") as ben:
        ben.store.record("Ben", "grade", ("q2", "d1"), {"state": "graded", "grade": 1})
        sharing.exchange(ben)
        world = world_at(place, Random(0))
        world.fair = True
        bens = ben.store.file.ledger.identity
        (name,) = (one for one in world.carrier.names("segments") if not one.startswith(bens))
        data = world.carrier.read("segments", name)
        assert data is not None
        new, other = forged(name, data)
        assert new != name
        world.carrier.append("segments", new, other)
        world.gone.add(("segments", name))
        found = exchange(ben, View(world)).problems
        place_of = f"{new}, of Ana, in {world.carrier.where('segments')}: "
        assert any(one.startswith(place_of) and "it was rewritten" in one for one in found)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(addresses, "carrier", lambda _: View(world))
        newcomer = sharing.join(place, tmp_path / "cy.annot")
    waits = r"What Ben did from [-\d]+ [-+:\d]+ on: it waits for the events that its session began with\."
    assert any(re.fullmatch(waits, one) for one in newcomer.problems)
    assert newcomer.waiting == 2


@pytest.mark.parametrize("cut", [0.0, 0.5, 0.99])
def test_what_is_cut_short_or_altered_is_named_and_not_taken(
    new_place: NewPlace, world_at: WorldAt, tmp_path: Path, cut: float
) -> None:
    place = new_place()
    with Project.create(tmp_path / "ana.annot", "Team", annotator="Ana") as ana:
        fill(ana.store)
        sharing.share(ana, place)
        sharing.join(place, tmp_path / "ben.annot")
        ana.store.record("Ana", "grade", ("q2", "d1"), {"state": "graded", "grade": 1})
        world = world_at(place, Random(0))
        world.fair = True
        before = world.carrier.names("segments").keys()
        sharing.exchange(ana)
        (new,) = world.carrier.names("segments").keys() - before
    whole = world.carrier.read("segments", new)
    assert whole is not None
    altered = bytearray(whole)
    altered[len(whole) // 2] ^= 255
    with Project.open(tmp_path / "ben.annot", annotator="Ben") as ben:
        for data in (whole[: int(len(whole) * cut)], bytes(altered), b"{}", b"\x1f\x8b" + bytes(40)):
            view = View(world, instead={new: data})
            done = exchange(ben, view)
            assert done.came == 0
            assert any(new in one for one in done.problems)
        assert exchange(ben, View(world)).came == 1


def test_a_grade_that_comes_before_what_it_is_about_waits_for_it(
    new_place: NewPlace, world_at: WorldAt, tmp_path: Path
) -> None:
    place = new_place()
    with Project.create(tmp_path / "ana.annot", "Team", annotator="Ana") as ana:
        fill(ana.store)
        sharing.share(ana, place)
        copies = [tmp_path / "ben.annot", tmp_path / "cy.annot"]
        for path in copies:
            sharing.join(place, path)
        world = world_at(place, Random(0))
        world.fair = True
        with Project.open(copies[0], annotator="Ben") as ben, Project.open(copies[1], annotator="Cy") as cy:
            ben.store.record("Ben", "grade", ("q1", "d1"), {"state": "graded", "grade": 1})
            import_dataset(ana.store, Dataset(queries=[Query("late", "?")]), Import("Ana", "x", "person"))
            there = world.carrier.names("segments").keys()
            exchange(ana, View(world))
            world.gone = {("segments", one) for one in world.carrier.names("segments").keys() - there}
            late, world.gone = world.gone, set()
            exchange(ben, View(world))
            ben.store.record("Ben", "grade", ("late", "d1"), {"state": "graded", "grade": 5})
            exchange(ben, View(world))
            for grade in (0, 1, 2, 3, 4, 5):
                cy.store.record("Cy", "grade", ("q1", "d1"), {"state": "graded", "grade": grade})
            world.gone = late
            one = sharing.Exchange(cy, View(world))
            for waiting in (1, 0, 0):
                one.look()
                while one.ready:
                    one.take()
                assert one.outcome().waiting == waiting
                assert any("late" in problem for problem in one.outcome().problems) == bool(waiting)
                world.gone = set()
            assert cy.store.value("Ben", "grade", ("late", "d1"))["grade"] == 5


ANY = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 1 << 64) | st.sampled_from(["", "q2", "d1", "graded", "\0"]),
    lambda some: (
        st.lists(some, max_size=2)
        | st.dictionaries(
            st.sampled_from(["grade", "state", "text", "answers", "runs", "heads"]), some, max_size=2
        )
    ),
    max_leaves=4,
)
SAID = {
    "grade": (["q2", "d1"], {"state": "graded", "grade": 1}),
    "gold": (["q1"], {"answers": [{"text": "x"}]}),
    "text": (["documents", "d1"], {"text": "new"}),
    "import": (["file"], {"source": "file"}),
    "setting": (["about"], "it"),
}


@pytest.fixture(scope="module")
def shared_project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """Return a project that nobody else works in."""
    with Project.create(tmp_path_factory.mktemp("fuzz") / "ana.annot", "Team", annotator="Ana") as made:
        fill(made.store)
        yield made


@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@given(
    task=st.sampled_from(sorted(SAID)),
    part=st.sampled_from(["time", "subject", "after", "how", "undoes"]),
    value=ANY,
)
@example("text", "after", {"text": True})
@example("grade", "after", {"state": "graded", "grade": True})
@example("grade", "after", {"grade": -1})
def test_whatever_somebody_writes_into_a_segment_is_taken_or_named(
    shared_project: Project, task: str, part: str, value: object
) -> None:
    session = f"{secrets.randbits(128):032x}"
    subject, after = SAID[task]
    opened = {"subject": [], "task": "session", "after": {"heads": []}, "how": "opening"}
    _, clock = events.tips(shared_project.store.db)
    lines: list[dict[str, Any]] = [
        {"clock": clock + 1 + at, "time": 1, "annotator": "Eve", "annotator_kind": "person", "blind": True}
        | one
        for at, one in enumerate(
            (opened, {"subject": subject, "task": task, "after": after, "how": "key", part: value})
        )
    ]
    hashed = events.NO_HASH
    for sequence, one in enumerate(lines):
        texts = current_values.canonical(one["subject"]), None, events.text(one["after"])
        parts = (
            one["clock"],
            one["time"],
            "Eve",
            "person",
            one["task"],
            *texts,
            None,
            1,
            one["how"],
            one.get("undoes"),
        )
        hashed = events.digest(hashed, session, sequence, *parts)
    carrier = Held(
        {
            "segments": {f"{session}.0-1.{hashed}": segments.packed([{"previous": events.NO_HASH}, *lines])},
            "contents": dict([segments.manifest(f"{session}:1", [])]),
        }
    )
    before = shared_project.store.head()
    one = sharing.Exchange(shared_project, carrier)
    one.look()
    while one.ready:
        one.take()
    done = one.outcome()
    assert done.came + done.waiting == 2 or done.problems
    assert (shared_project.store.head() != before) == (done.came > 0)
    found = maintenance.check(shared_project.path)[0]
    assert found == ()
