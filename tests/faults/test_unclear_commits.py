"""An error in the last step of storing: whether it is stored is read again, told, and the session goes on."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.errors import ProjectError, UnclearError
from annotator.project.project import Project
from annotator.storage.care import integrity
from annotator.storage.ledger import events
from annotator.storage.store import Store
from tests.faults import programs
from tests.faults.system_calls import undeletable, unreadable, unsynced_folder

Count = Callable[[int, int], int]


class Failing:
    """Fails the n-th time for every n among `times`, counted from when it was armed."""

    def __init__(self, *times: int) -> None:
        self.times = set(times)
        self.asked = 0

    def __call__(self) -> bool:
        self.asked += 1
        return self.asked in self.times


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    programs.new_project(tmp_path / "unclear.annot")
    with Project.open(tmp_path / "unclear.annot", annotator="Ana") as opened:
        programs.grade(opened, (1, 1, 5))
        yield opened


def grade_of(project: Project, query: int, candidate: int) -> int | None:
    value = project.store.value("Ana", "grade", (f"q{query - 1}", f"d{candidate - 1}"))
    return value["grade"] if value else None


def sound(path: Path) -> bool:
    with Store.open(path, read_only=True) as store:
        return integrity.check(store.db) == []


def test_a_grade_whose_last_sync_failed_is_stored_and_the_session_goes_on(project: Project) -> None:
    fails = Failing(2)
    with unsynced_folder(fails):
        assert programs.grade(project, (1, 2, 3)) == ("q0", "d1", 3)
        assert fails.asked > 2
        for number in range(3, 8):
            programs.grade(project, (1, number, number % 6))
    assert [grade_of(project, 1, one) for one in range(1, 8)] == [5, 3, 3, 4, 5, 0, 1]
    assert sound(project.path)


def test_a_grade_whose_journal_stays_is_not_stored_and_the_session_goes_on(project: Project) -> None:
    with undeletable(Failing(1)), pytest.raises(ProjectError, match="saved earlier was removed"):
        programs.grade(project, (1, 2, 3))
    assert grade_of(project, 1, 2) is None
    assert programs.grade(project, (1, 2, 4)) == ("q0", "d1", 4)
    assert grade_of(project, 1, 2) == 4
    assert sound(project.path)


def test_a_grade_that_the_disk_does_not_confirm_is_told_as_such_until_it_does(project: Project) -> None:
    fails = Failing(*range(1, 100))
    with unsynced_folder(fails):
        with pytest.raises(UnclearError, match="power cut could still"):
            programs.grade(project, (1, 2, 3))
        for _ in range(2):  # nothing is acknowledged meanwhile, not even the same grade once more
            with pytest.raises(UnclearError, match="power cut could still"):
                programs.grade(project, (1, 2, 3))
    assert grade_of(project, 1, 2) == 3
    assert programs.grade(project, (1, 2, 3)) == ("q0", "d1", 3)
    assert programs.grade(project, (1, 3, 1)) == ("q0", "d2", 1)
    assert [event.sequence for event in events.all_events(project.store.db)][-3:] == [1, 2, 3]
    assert sound(project.path)


def test_a_file_that_cannot_be_read_after_the_failure_is_not_told_as_stored_or_not(project: Project) -> None:
    fails = Failing(2)
    unread = Failing()
    with unsynced_folder(fails), unreadable(lambda: fails.asked >= 2 and unread()):
        unread.times = set(range(1, 1_000))
        with pytest.raises(UnclearError, match="not known"):
            programs.grade(project, (1, 2, 3))
        with pytest.raises(UnclearError, match="not known"):
            programs.grade(project, (1, 3, 3))
    assert programs.grade(project, (1, 3, 2)) == ("q0", "d2", 2)
    assert grade_of(project, 1, 2) == 3
    assert sound(project.path)


@st.composite
def sessions(draw: st.DrawFn) -> list[tuple[tuple[int, int, int], bool, int]]:
    """Draw steps, each with the call of the disk's that fails in it: which, and how many are left out."""
    step = st.tuples(st.integers(1, 3), st.integers(1, 3), st.integers(0, 5))
    return draw(st.lists(st.tuples(step, st.booleans(), st.integers(1, 5)), min_size=1, max_size=8))


def test_whatever_fails_what_was_acknowledged_is_there_and_what_was_refused_is_not(
    tmp_path: Path, count: Count
) -> None:
    path = tmp_path / "drawn.annot"
    programs.new_project(path)
    good = path.read_bytes()

    @settings(max_examples=count(15, 300), deadline=None, database=None)
    @given(sessions())
    def hold(steps: list[tuple[tuple[int, int, int], bool, int]]) -> None:
        path.write_bytes(good)
        known: dict[tuple[int, int], set[int | None]] = {}
        with Project.open(path, annotator="Ana") as project:
            for step, deleting, after in steps:
                pair, before = step[:2], known.get(step[:2], {None})
                try:
                    with (undeletable if deleting else unsynced_folder)(Failing(after)):
                        programs.grade(project, step)
                    known[pair] = {step[2]}
                except UnclearError:
                    known[pair] = {step[2]} | before
                except ProjectError:
                    known[pair] = before
            for pair, grades in known.items():
                assert grade_of(project, *pair) in grades
            programs.grade(project, (1, 9, 1))
        assert sound(path)

    hold()
