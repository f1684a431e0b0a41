"""An exchange goes on beside the work: it holds nobody up who grades, however much there is already."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from annotator.carriers.carrier import Shelf
from annotator.carriers.folder import Folder
from annotator.errors import Stopped
from annotator.project import arriving, handing_over, judging, maintenance, segments, sharing
from annotator.project.project import Project
from annotator.records import Dataset, Document, JudgmentTable, Query
from annotator.storage.care import integrity
from annotator.storage.content import withdrawal
from annotator.storage.content.bulk import import_dataset
from annotator.storage.content.contents import Import
from annotator.watch import Watch
from tests.carriers.test_sharing import twin
from tests.carriers.weather import View, World
from tests.storage.projects import fill, whole_dataset


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[tuple[Project, Project]]:
    """Return the copies of two people, the first of whom imported what is there."""
    place = str(tmp_path / "place")
    with Project.create(tmp_path / "ana.annot", "Team", annotator="Ana") as ana:
        fill(ana.store)
        sharing.share(ana, place)
        sharing.join(place, tmp_path / "ben.annot")
        with Project.open(tmp_path / "ben.annot", annotator="Ben") as ben:
            yield ana, ben


def test_an_exchange_reads_no_more_of_the_ledger_and_of_the_carrier_than_is_new(
    pair: tuple[Project, Project], monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, ben = pair
    one = sharing.Exchange(ana)
    one.look()
    one.hand_over()
    judging.set_grade(ben, 2, 1, 3)
    sharing.exchange(ben)
    statements, files, read = list[str](), list[str](), Folder.read
    monkeypatch.setattr(Folder, "read", lambda *of: (files.append(of[2]), read(*of))[1])
    ana.store.db.set_trace_callback(statements.append)
    assert one.look() == 2, "a session and its grade"
    one.hand_over()
    one.outcome()
    ana.store.db.set_trace_callback(None)
    assert [name.partition(".")[2].partition(".")[0] for name in files] == ["0-1"]
    asked = [said for said in statements if "FROM event" in said or "JOIN event" in said]
    assert len(asked) > 3
    for said in asked:
        plan = [row[3] for row in ana.store.db.execute(f"EXPLAIN QUERY PLAN {said}").fetchall()]
        assert "LIMIT" in said or not any(step.startswith(("SCAN event", "SCAN e ")) for step in plan), said


def test_what_was_handed_over_is_not_handed_over_again_before_it_is_looked_at(
    pair: tuple[Project, Project],
) -> None:
    ana, ben = pair
    one = sharing.Exchange(ana)
    one.look()
    for grade in range(3):
        judging.set_grade(ana, 2, 1, grade)
        assert one.hand_over() == 1
    assert (one.hand_over(), one.look(), one.hand_over(), one.outcome().behind) == (0, 0, 0, 0)
    assert sharing.exchange(ben).came == 3


def test_who_proves_what_arrived_asks_at_each_event_whether_others_are_to_go_first(
    pair: tuple[Project, Project],
) -> None:
    ana, ben = pair
    for grade in range(5):
        judging.set_grade(ben, 2, 1, grade)
    sharing.exchange(ben)
    asked = list[bool]()
    arrived = sharing.Exchange(ana).look(Watch(should_stop=lambda: bool(asked.append(True))))
    assert arrived == 6
    assert len(asked) >= 2 * arrived, "while it is proved, and while it is put in order"


def test_a_grade_goes_before_an_import_that_is_being_taken_in_or_back(pair: tuple[Project, Project]) -> None:
    """Stopped at any moment the step is as if it had not begun; behind the grade it is taken anew."""
    ana, ben = pair
    first, _ = withdrawal.imports(ana.store)[0]
    again = Import("Ana", "again", "person", replace=True)
    texts = [Document("d1", "", "Closed."), Document("d7", "", "New.")]
    import_dataset(ana.store, replace(whole_dataset(), documents=texts), again)
    maintenance.withdraw(ana, first.identity)
    import_dataset(ana.store, whole_dataset(), again)
    sharing.exchange(ana)
    one = sharing.Exchange(ben)
    arrived = one.look()
    one.prepare()
    stopped = 0
    while one.ready:
        looks, before = count(), ben.path.read_bytes()
        try:
            one.take(watch=Watch(should_stop=lambda: next(looks) >= stopped))  # noqa: B023
        except Stopped:
            assert (ben.path.read_bytes(), one.ready) == (before, arrived - one.came)
            stopped += 1
            judging.set_grade(ben, 2, 1, stopped % 6)
    assert stopped > 20
    assert one.came == arrived
    for copy in (ben, ana):
        assert sharing.exchange(copy).problems == ()
    assert twin(ben) == twin(ana)


DONE = st.tuples(
    st.booleans(), st.sampled_from(["judged", "judged", "grade", "grade", "back"]), st.integers(0, 2)
)


@settings(max_examples=6, suppress_health_check=list(HealthCheck))
@given(done=st.lists(DONE, min_size=3, max_size=7))
@example([(True, "judged", 1), (False, "grade", 2), (True, "judged", 1), (True, "judged", 2)])
def test_grades_of_who_imported_some_too_come_to_the_same_event_by_event(
    pair: tuple[Project, Project], done: list[tuple[bool, str, int]]
) -> None:
    """Ana works on two computers, each of which takes in later what she did on the other."""
    at = np.arange(2, dtype=np.int32)
    for first, what, number in done:
        store = pair[first].store
        if what == "grade":
            store.record("Ana", "grade", ("q2", "d1"), {"state": "graded", "grade": number})
        elif what == "judged":
            table = JudgmentTable(["q2"], ["d1", "d2"], at * 0, at, np.array([number, 1]))
            import_dataset(store, Dataset(judgments=table), Import("Ana", "x", "person", replace=True))
        else:
            made = [one.identity for one, there in withdrawal.imports(store) if there]
            for last in made[:-1][:1]:
                withdrawal.withdraw(store, last, "Ana")
    for copy in (*pair, *pair):
        one = sharing.Exchange(copy)
        one.look()
        while one.ready:
            one.take(1)
            assert integrity.check(copy.store.db) == []
        one.hand_over()


def test_the_file_is_sound_behind_each_step_however_little_of_an_import_has_arrived(
    pair: tuple[Project, Project], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Texts that it or a later one replaced, and what it repeats of an earlier one, are events behind it."""
    ana, ben = pair
    monkeypatch.setattr(handing_over, "MOST_EVENTS", 2)
    how = Import("Ana", "texts", "person", replace=True)
    texts = [Document("d1", "", "Closed."), Document("d2", "", "None.")]
    at = np.arange(2, dtype=np.int32)
    judged = [
        JudgmentTable(["q2"], ["d1", "d2"][:some], at[:some] * 0, at[:some], at[:some]) for some in (1, 2)
    ]
    import_dataset(ana.store, Dataset(documents=texts, judgments=judged[0]), how)
    event, _ = import_dataset(ana.store, Dataset(documents=texts[:1], judgments=judged[1]), how)
    maintenance.withdraw(ana, event.identity)
    for words in ("first", "second", ""):
        import_dataset(
            ana.store, Dataset(queries=[Query("q7", words)], documents=[Document("d7", words)]), how
        )
    names, hidden = Folder.names, set[str]()
    monkeypatch.setattr(
        Folder, "names", lambda *of: {one: mark for one, mark in names(*of).items() if one not in hidden}
    )
    shelves: tuple[Shelf, ...] = ("contents", "segments")
    carrier = sharing.Exchange(ben).carrier
    before = {name for shelf in shelves for name in carrier.names(shelf)}
    sharing.exchange(ana)
    new = [name for shelf in shelves for name in carrier.names(shelf) if name not in before]
    new.sort(key=lambda name: one.first if (one := segments.named(name)) else -1)
    came = 0
    for arrived in range(len(new) + 1):
        hidden |= {*new}
        hidden -= {*new[:arrived]}
        one = sharing.Exchange(ben)
        one.look()
        while one.ready:
            one.take(1)
            assert integrity.check(ben.store.db) == []
        came += one.came
    assert came == sum(one.last - one.first + 1 for one in map(segments.named, new) if one) > 6


def test_looking_at_what_came_later_finds_what_looking_at_all_finds(
    pair: tuple[Project, Project], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, ben = pair
    place = tmp_path / "place" / "segments"
    view = View(World(Folder(place.parent), Random(0), fair=True))
    one = sharing.Exchange(ana, view)
    one.look()
    (first,), cut = place.iterdir(), place / "cut"

    def judge() -> None:
        judging.set_grade(ben, 2, 1, len(list(place.iterdir())) % 6)
        sharing.exchange(ben)

    def break_newest() -> None:
        judge()
        newest = max(place.iterdir(), key=lambda one: one.stat().st_mtime_ns)
        cut.write_bytes(newest.read_bytes())
        newest.write_bytes(cut.read_bytes()[:20])
        cut.rename(newest.with_name(f".{newest.name}"))

    def heal() -> None:
        (hidden,) = place.glob(".*-*")
        hidden.rename(place / hidden.name[1:])

    def add_foreign() -> None:
        (place / "desktop.ini").write_bytes(b"x")

    def a_look_at_all_later() -> None:
        first.rename(place / ".gone")
        monkeypatch.setattr(arriving, "WHOLE_SECONDS", 0.0)

    steps: list[Callable[[], object]] = [judge, add_foreign, break_newest, judge, heal, judge]
    for step in [*steps, a_look_at_all_later]:
        step()
        whole = sharing.Exchange(ana, View(view.world))
        assert one.look() == whole.look()
        assert one.arriving.problems == whole.arriving.problems
        while one.ready:
            one.take()
    assert "it was there and is missing" in one.arriving.problems[first.name]
