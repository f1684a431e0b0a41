"""What the program keeps of a day in its log: that something happened, never what a project says."""

import re
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel

from annotator.desktop import log, session
from annotator.desktop.crash import CrashDialog
from annotator.project import browse
from annotator.project.project import Project
from tests.desktop.building import TOPICS, make_project
from tests.desktop.safety.test_open_file import alter
from tests.journeys.conftest import Tell, User

SECRETS = (
    *TOPICS,
    "About",
    "Nothing to see",
    "Heroes",
    "q1",
    "d1-1",
    "sys1",
    "ann",
    "look again",
    "project.annot",
)


@pytest.fixture(autouse=True)
def _no_quiet_before_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "QUIET_MS", 0)


def words(text: str) -> set[str]:
    """Return which secrets stand in a text as words, but for where the program lies."""
    said = text.replace(str(Path(__file__).parents[2]), "")
    return {one for one in SECRETS if re.search(rf"(?<!\w){re.escape(one)}(?!\w)", said)}


def test_a_day_with_a_fault_and_a_damaged_project_leaves_no_text_in_the_log(
    tell: Tell, tmp_path: Path
) -> None:
    path = make_project(tmp_path)

    def story(user: User) -> None:
        user.opened()
        user.grade("4")
        user.wait(lambda: "checked: sound" in log.place().read_text("utf-8"))
        title = user.page.flow.prepared.view.candidates[0].title
        with pytest.raises(ValueError, match="invalid literal") as caught:
            int(title)
        assert words(str(caught.value)), "the error quotes it"
        user.window.failed(caught.value)
        dialog = user.dialog(CrashDialog)
        assert str(log.place()) in " ".join(one.text() for one in dialog.findChildren(QLabel))
        dialog.reject()

    tell(story, path, faulty=True)
    alter(path, "UPDATE judgment SET grade = 5")

    def another(user: User) -> None:
        user.opened()
        user.wait(lambda: "not sound" in log.place().read_text("utf-8"))

    tell(another, path)
    said = log.place().read_text("utf-8")
    for happened in (
        "opened project",
        "checked: not sound in current values",
        "fault in Annotator",
        "ValueError",
    ):
        assert happened in said
    assert words(said) == set()


def test_control_the_words_are_found_where_they_stand(tmp_path: Path) -> None:
    with Project.open(make_project(tmp_path), annotator="ann") as project:
        assert words(browse.query(project, 1).candidates[0].text) >= {"About", "Nothing to see"}
    log.note("Nothing to see about d1-1")
    assert words(log.place().read_text("utf-8")) == {"Nothing to see", "d1-1"}


def test_the_log_stays_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "BYTES", 1_000)
    for number in range(200):
        log.note(f"line {number}")
    files = sorted(log.place().parent.glob("annotator.log*"))
    assert len(files) == log.KEPT + 1
    assert all(file.stat().st_size <= 1_000 for file in files)
    assert "line 199" in files[0].read_text("utf-8")


def test_a_folder_that_takes_no_file_is_no_fault(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(log, "place", lambda: tmp_path / "file" / "annotator.log")
    log.note("nobody hears this")
    assert (tmp_path / "file").read_bytes() == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no disk that is always full")
def test_a_log_on_a_full_disk_is_gone_without_and_nothing_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(log, "place", lambda: Path("/dev/full"))
    log.note("opened project")
    assert capsys.readouterr() == ("", "")
