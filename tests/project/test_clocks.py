"""Clocks that jump and differ: as-of goes by recorded time and says so, and backups go on."""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.evaluation.options import Options
from annotator.project import history, judging, maintenance, project_scores
from annotator.project.changes_since import since
from annotator.project.project import Project
from annotator.project.report_files import Choice, write_report
from annotator.project.state import state_of
from annotator.storage.file import file_copies
from annotator.storage.file.file_copies import DAY, HOUR
from annotator.storage.ledger import events
from annotator.storage.reads.states import State
from annotator.storage.store import Store
from tests.storage.projects import empty_store, fill

Count = Callable[[int, int], int]
START = 1_700_000_040_000
MINUTE = 60_000
Step = tuple[str, str, int, int]
"""Who graded which document how, and when, in minutes of the clock of their computer."""

STEPS = st.lists(
    st.tuples(
        st.sampled_from(["Ana", "Ben"]), st.sampled_from(["d1", "d2"]), st.integers(0, 5), st.integers(1, 9)
    ),
    max_size=12,
)


def at(minute: int) -> str:
    return datetime.fromtimestamp((START + minute * MINUTE) / 1000, UTC).isoformat(" ", "minutes")


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a project in which all was said in the first minute."""
    monkeypatch.setattr(events, "now", lambda: START)
    with empty_store(tmp_path / "p.annot") as store:
        fill(store)
    return tmp_path / "p.annot"


def graded(store: Store, steps: list[Step], monkeypatch: pytest.MonkeyPatch) -> None:
    """Grade by clocks that say what is drawn."""
    for who, document, grade, minute in steps:
        monkeypatch.setattr(events, "now", lambda minute=minute: START + minute * MINUTE)
        store.record(who, "grade", ("q2", document), {"state": "graded", "grade": grade})


def told(state: State) -> dict[tuple[str, str], int]:
    """Return the grades of a state by annotator and document."""
    names = {key: name for key, name, *_ in state.annotators}
    with state.rows() as db:
        ids = dict(db.execute("SELECT id, external FROM candidate").fetchall())
    judged = state.judged
    rows = zip(
        judged.annotator.tolist(), judged.candidate.tolist(), judged.grade.tolist(), judged.query.tolist(),
        strict=True,
    )  # fmt: skip
    return {
        (names[who], ids[what]): grade
        for who, what, grade, query in rows
        if grade >= 0 and names[who] in ("Ana", "Ben") and state.queries[query].id == "q2"
    }


def expected(store: Store, minute: int) -> tuple[dict[tuple[str, str], int], bool]:
    """Return the grades by a plain reading of the ledger, and whether times run backwards for the moment."""
    limit = START + minute * MINUTE + 59_999
    ledger = list(events.all_events(store.db))
    found: dict[tuple[str, str], int] = {}
    for event in ledger:
        if event.task == "grade" and event.subject[0] == "q2" and event.time <= limit:
            found.pop((event.annotator, event.subject[1]), None)
            if event.after and event.after.get("grade") is not None:
                found[event.annotator, event.subject[1]] = event.after["grade"]
    late = [event.time > limit for event in ledger]
    return found, late != sorted(late)


def test_as_of_is_what_had_been_recorded_by_then_whatever_the_clocks_said(
    path: Path, count: Count, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = path.read_bytes()
    backwards = set()

    @settings(max_examples=count(20, 500), deadline=None, database=None)
    @given(STEPS, st.integers(0, 9))
    def hold(steps: list[Step], minute: int) -> None:
        path.write_bytes(good)
        with Project.open(path, annotator="Ana") as project:
            graded(project.store, steps, monkeypatch)
            options = Options(measures=("P@5",), as_of=at(minute))
            state = state_of(project, options)
            grades, late = expected(project.store, minute)
            assert told(state) == grades
            assert (state.late is not None) == late
            notes = " ".join(project_scores.evaluate_project(project, options).notes)
            assert ("Recorded times run backwards" in notes) == late
            backwards.add(late)

    hold()
    assert backwards == {True, False}


def test_what_two_people_graded_in_copies_counts_by_the_time_of_each(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "bens.annot"
    copy.write_bytes(path.read_bytes())
    with Store.open(path) as anns:
        graded(anns, [("Ana", "d1", 1, 1), ("Ana", "d2", 2, 2), ("Ana", "d1", 5, 3)], monkeypatch)
    with Store.open(copy) as bens:
        graded(bens, [("Ben", "d1", 0, 7), ("Ben", "d2", 0, 8), ("Ben", "d1", 4, 9)], monkeypatch)
    maintenance.merge(path, copy, tmp_path / "both.annot")
    with Project.open(tmp_path / "both.annot", annotator="Ana") as project:
        morning = state_of(project, Options(as_of=at(4)))
        assert told(morning) == {("Ana", "d1"): 5, ("Ana", "d2"): 2}
        assert morning.changed == START + 3 * MINUTE
        now = state_of(project)
        assert told(now)["Ben", "d1"] == 4
        found = since(now, Options(measures=("P@5",)), at(4))
        assert "the first is Ben's" in " ".join(found.notes)
        assert set(found.notes) <= set(found.then.notes)


def test_a_backup_whose_date_is_still_to_come_stops_no_other(path: Path) -> None:
    now = time.time()
    with Store.open(path) as store:
        wrong = file_copies.back_up(path, now=now + 400 * DAY)
        assert wrong is not None
        assert file_copies.back_up(path, now=now) is None  # the same is kept already
        store.record("Ana", "setting", ("x",), 1)
        made = file_copies.back_up(path, now=now)
        assert made is not None
        store.record("Ana", "setting", ("x",), 2)
        assert file_copies.back_up(path, now=now + HOUR / 2) is None
        assert file_copies.back_up(path, now=now + HOUR) is not None
        kept = file_copies.backups(store.identity)
        assert wrong.path in [one.path for one in kept]
        gone = file_copies.thin(file_copies.by_age(kept, now + HOUR), now + HOUR, cap=kept[1].size)
        assert wrong.path in [one.path for one in gone]


def test_whatever_the_clock_says_a_change_is_backed_up_once_an_hour_has_passed_on_it(
    path: Path, count: Count
) -> None:
    good = path.read_bytes()

    @settings(max_examples=count(8, 200), deadline=None, database=None)
    @given(st.lists(st.integers(-50, 50), min_size=1, max_size=6))
    def hold(jumps: list[int]) -> None:
        path.write_bytes(good)
        now = 1_700_000_000.0
        with Store.open(path) as store:
            for one in file_copies.backups(store.identity):
                one.path.unlink()
            made: list[float] = []
            for number, hours in enumerate(jumps):
                now += hours * HOUR / 4
                store.record("Ana", "setting", ("x",), number)
                due = all(not 0 <= now - one < HOUR for one in made)
                if file_copies.back_up(path, now=now) is not None:
                    made.append(now)
                    newest = next(one for one in file_copies.backups(store.identity) if one.time <= now)
                    assert file_copies.inside(newest.path).head == store.head()
                else:
                    assert not due

    hold()


@pytest.mark.parametrize("year", [1969, 1970, 2100])
def test_a_clock_that_is_decades_off_is_recorded_and_stops_neither_grades_nor_backups_nor_reports(
    path: Path, monkeypatch: pytest.MonkeyPatch, year: int
) -> None:
    moment = datetime(year, 12, 31, 23, tzinfo=UTC)
    monkeypatch.setattr(events, "now", lambda: int(moment.timestamp() * 1000))
    with Project.open(path, annotator="Ana") as project:
        judging.set_grade(project, 2, 1, 5)
        assert history.history(project)[0].time == moment.timestamp() * 1000
        write_report(project, path.with_name("r.md"), Options(measures=("CG@2",)), Choice("markdown"))
        grades = told(state_of(project, Options()))
        assert told(state_of(project, Options(as_of=f"{year}-12-31"))).items() <= grades.items()
    assert 5 in grades.values()
    assert ("2100-12-31 23:00:00 UTC" in path.with_name("r.md").read_text()) == (year == 2100)
    assert maintenance.check(path)[0] == ()
    made = file_copies.back_up(path, now=moment.timestamp())
    assert made is not None
    assert [one.time for one in file_copies.backups("*")] == [moment.timestamp()]
    assert file_copies.inside(made.path).changed == moment.timestamp() * 1000
