"""Looking after a project: checked, backed up when that is due, its texts indexed; a changed one is told."""

import sqlite3

from annotator.project import keeping
from annotator.project.project import Project
from annotator.project.views import Filters


def test_a_sound_project_is_backed_up_once_an_hour_and_its_texts_are_found(project: Project) -> None:
    care = keeping.look_after(project.path, project.path)
    assert care.findings == ()
    assert care.backup is not None
    assert keeping.inside(care.backup).queries == 3
    assert "checked and backed up" in care.sentence
    assert keeping.look_after(project.path, project.path).backup is None
    assert len(keeping.backups(project.store)) == 1
    assert project.query_keys(Filters(text="Document 7")).tolist() == [2]


def test_a_backup_that_cannot_be_written_is_told_and_ends_nothing(project: Project) -> None:
    folder = keeping.backups_folder(project.path)
    folder.parent.parent.mkdir(parents=True, exist_ok=True)
    folder.parent.write_text("a file where the folder of backups would be")
    care = keeping.look_after(project.path, project.path)
    assert care.warning.startswith("No backup was made.")
    assert project.query_keys(Filters(text="Document 7")).tolist() == [2]


def test_a_changed_project_is_told_and_not_backed_up(project: Project) -> None:
    project.set_grade(1, project.query(1).candidates[0].key, 2)
    project.close()
    with sqlite3.connect(project.path) as db:
        db.execute("UPDATE judgment SET grade = 5")
    db.close()
    with Project.open(project.path, read_only=True) as changed:
        care = keeping.look_after(changed.path, changed.path)
        assert care.backup is None
        assert "Restore a backup" in care.sentence
        assert keeping.backups(changed.store) == []


def test_values_are_told_in_words() -> None:
    assert keeping.in_words({"state": "graded", "grade": 3}) == "grade 3"
    assert keeping.in_words({"state": "cannot_tell"}) == "cannot tell"
    assert keeping.in_words({"note": "ask Ben"}) == "note: ask Ben"
    assert keeping.in_words(None) == "nothing"
