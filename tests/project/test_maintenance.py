"""Care for a project: checked, backed up when that is due, indexed, merged, imports taken back."""

import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from annotator.errors import Stopped
from annotator.project import browse, data_import, judging, maintenance, text_twin
from annotator.project.data_import import ImportChoices, Tally
from annotator.project.project import Project
from annotator.project.views import Filters
from annotator.watch import Watch
from tests.project.scores import by


def test_a_sound_project_is_backed_up_once_an_hour_and_its_texts_are_found(project: Project) -> None:
    care = maintenance.look_after(project.path, project.path)
    assert care.findings == ()
    assert care.backup is not None
    assert maintenance.inside(care.backup).queries == 3
    assert "checked and backed up" in care.sentence
    assert maintenance.look_after(project.path, project.path).backup is None
    assert len(maintenance.backups_of(project.path)) == 1
    assert browse.query_keys(project, Filters(text="Document 7")).tolist() == [2]


def test_a_backup_that_cannot_be_written_is_told_and_ends_nothing(project: Project) -> None:
    folder = maintenance.backups_folder(project.path)
    folder.parent.parent.mkdir(parents=True, exist_ok=True)
    folder.parent.write_text("a file where the folder of backups would be")
    care = maintenance.look_after(project.path, project.path)
    assert care.warning.startswith("No backup was made.")
    assert browse.query_keys(project, Filters(text="Document 7")).tolist() == [2]


def test_a_changed_project_is_told_and_not_backed_up(project: Project) -> None:
    judging.set_grade(project, 1, browse.query(project, 1).candidates[0].key, 2)
    project.close()
    with sqlite3.connect(project.path) as db:
        db.execute("UPDATE judgment SET grade = 5")
    db.close()
    with Project.open(project.path, read_only=True) as changed:
        care = maintenance.look_after(changed.path, changed.path)
        assert care.backup is None
        assert "Restore a backup" in care.sentence
        assert maintenance.backups_of(changed.path) == []


def test_values_are_told_in_words() -> None:
    assert maintenance.in_words({"state": "graded", "grade": 3}) == "grade 3"
    assert maintenance.in_words({"state": "cannot_tell"}) == "cannot tell"
    assert maintenance.in_words({"note": "ask Ben"}) == "note: ask Ben"
    assert maintenance.in_words(None) == "nothing"


LATE = {
    "corpus.jsonl": '{"_id": "d1", "title": "", "text": "Ducks swim."}\n{"_id": "d9", "text": "Geese."}\n',
    "queries.jsonl": '{"_id": "q9", "text": "geese"}\n',
    "qrels/test.tsv": "query-id\tcorpus-id\tscore\nq1\td1\t4\nq9\td9\t5\n",
}


@pytest.fixture
def late(project: Project, tmp_path: Path) -> str:
    """Import texts and judgments, some of which replace others, and return the name of the import."""
    for name, text in LATE.items():
        (tmp_path / "late" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "late" / name).write_text(text, "utf-8")
    plan = data_import.plan_import(
        project, [tmp_path / "late"], ImportChoices(replace=True, grades="1=1,4=4,5=5")
    )
    tally = data_import.run_import(project, plan).after
    assert isinstance(tally, Tally)
    assert tally.changed == {"documents": 1}
    return tally.identity


class Looking:
    """Follows something long: keeps what it was told, and stops it at one of its looks."""

    def __init__(self, last: int) -> None:
        self.told: list[tuple[int, int]] = []
        self._left = last

    @property
    def watch(self) -> Watch:
        """What is handed to something long."""
        return Watch(on_progress=self._tell, should_stop=self._look)

    def _tell(self, done: int, total: int, _: str) -> None:
        self.told.append((done, total))

    def _look(self) -> bool:
        self._left -= 1
        return self._left < 0


def stopped_at_each_look(
    verb: Callable[[Looking], object], same: Callable[[], object], most: int = 200
) -> Looking:
    """Do something as often as it looks whether to stop, prove that nothing happened, then let it be done."""
    before = same()
    for looks in range(most):
        looking = Looking(looks)
        try:
            verb(looking)
        except Stopped:
            assert same() == before
            continue
        assert looks > 5
        return looking
    raise AssertionError("it never came to its end")


def assert_rising(looking: Looking) -> None:
    """Prove that the part that is done was told all the time and never fell."""
    shares = [done / total for done, total in looking.told]
    assert shares == sorted(shares)
    assert 0 < max(shares) <= 1


def canonical(project: Project, tmp_path: Path) -> str:
    return text_twin.dump(project, tmp_path / "text")


def test_taking_an_import_back_may_be_stopped_at_every_look_and_tells_how_far_it_is(
    project: Project, late: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotator.watch.STEPS_BETWEEN_LOOKS", 200)

    def take_back(looking: Looking) -> None:
        maintenance.withdraw(by(project, "Ann"), late, looking.watch)

    assert_rising(stopped_at_each_look(take_back, lambda: canonical(project, tmp_path)))
    assert [one.in_force for one in maintenance.imports(project)][:1] == [False]
    assert maintenance.check(project.path)[0] == ()


def test_a_merge_may_be_stopped_at_every_look_leaves_no_file_and_tells_how_far_it_is(
    project: Project, late: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Path(shutil.copy(project.path, tmp_path / "other.annot"))
    with Project.open(other, annotator="Bob") as copy:
        maintenance.withdraw(by(copy, "Bob"), late)
        judging.set_grade(copy, 1, browse.query(copy, 1).candidates[0].key, 2)
    judging.set_grade(project, 1, browse.query(project, 1).candidates[0].key, 5)
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setattr("annotator.watch.STEPS_BETWEEN_LOOKS", 2_000)
    tried = []

    def merge(looking: Looking) -> None:
        tried.append(maintenance.try_merge(project.path, other, looking.watch))

    def as_before() -> object:
        assert list(folder.iterdir()) == []
        return project.path.read_bytes(), other.read_bytes()

    assert_rising(stopped_at_each_look(merge, as_before))
    tried[0].drop()
    assert list(folder.iterdir()) == []


def test_what_was_stored_after_a_merge_was_tried_is_merged_too(project: Project, tmp_path: Path) -> None:
    other = Path(shutil.copy(project.path, tmp_path / "other.annot"))
    with Project.open(other, annotator="Bob") as copy:
        judging.set_grade(copy, 1, browse.query(copy, 1).candidates[0].key, 2)
    tried = maintenance.try_merge(project.path, other)
    judging.set_grade(project, 1, browse.query(project, 1).candidates[1].key, 5)
    project.close()
    merged, aside = maintenance.take(tried, project.path)
    assert merged.only_second == tried.merged.only_second == 2
    assert aside is not None
    assert not tried.file.parent.exists()
    with Project.open(project.path, annotator="Ann", read_only=True) as both:
        assert {one.name: one.graded for one in browse.annotators(both)} == {"Ann": 1, "Bob": 1}
