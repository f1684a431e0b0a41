"""The export dialog: what a format cannot hold is said before, then one file is written, or nothing."""

import sqlite3
from pathlib import Path

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from annotator.desktop.safety.export_dialog import ExportDialog
from annotator.desktop.window import Window
from annotator.project import data_export, text_twin
from tests.desktop.conftest import PATIENCE, OpenWindow
from tests.desktop.safety.conftest import graded, looked_after, shown, wait_for

OFFERED = {
    "TREC qrels": ("grades",),
    "TREC run": ("system",),
    "CSV or TSV table": ("system", "grades", "guarded"),
    "Plain text of everything": ("pseudonyms",),
}
"""What makes a difference to a format, in a project of several systems and one annotator."""


def asked(qtbot: QtBot, window: Window, title: str) -> ExportDialog:
    """Give the command, choose a format, and wait until it was looked at."""
    looked_after(qtbot, window)
    window.commands["export_data"].trigger()
    dialog = shown(qtbot, window, ExportDialog)
    wait_for(qtbot, dialog.run.isEnabled)
    dialog.format.setCurrentText(title)
    wait_for(qtbot, dialog.run.isEnabled)
    return dialog


def test_what_a_format_cannot_hold_is_said_and_the_grades_are_mapped_back(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path
) -> None:
    graded(project_path, 5)
    window = open_window(project_path)
    dialog = asked(qtbot, window, "TREC qrels")
    assert dialog.said.toPlainText().startswith("Written: the judgments.")
    assert "cannot hold the systems' rankings" in dialog.said.toPlainText()
    assert dialog.said.toPlainText().endswith(data_export.BESIDE)
    target = Path(dialog.place.text())
    assert target.suffix == ".qrels"
    dialog.grades.setText("0=0,1=3,2=5")
    dialog.look()
    wait_for(qtbot, dialog.run.isEnabled)
    dialog.place.setFocus()
    with qtbot.waitSignal(dialog.written, timeout=PATIENCE):
        qtbot.keyClick(dialog.place, Qt.Key.Key_Return)
    assert target.read_text().split() == ["q1", "0", "d1-1", "2"]


def test_everything_is_written_as_text_with_names_or_without(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path, tmp_path: Path
) -> None:
    graded(project_path, 5)
    window = open_window(project_path)
    dialog = asked(qtbot, window, "Plain text of everything")
    assert data_export.NOTHING_LOST in dialog.said.toPlainText()
    assert (dialog.pseudonyms.isVisible(), dialog.grades.isVisible()) == (True, False)
    dialog.pseudonyms.setChecked(True)
    wait_for(qtbot, lambda: data_export.UNNAMED in dialog.said.toPlainText())
    wait_for(qtbot, dialog.run.isEnabled)
    assert data_export.NOTHING_LOST not in dialog.said.toPlainText()
    folder = Path(dialog.place.text())
    with qtbot.waitSignal(dialog.written, timeout=PATIENCE):
        dialog.run.click()
    events = (folder / "events.jsonl").read_text("utf-8")
    assert '"annotator": "annotator 1"' in events
    assert '"ann"' not in events
    with text_twin.load(folder, tmp_path / "loaded.annot") as loaded:
        assert loaded.store.value("annotator 1", "grade", ("q1", "d1-1"))["grade"] == 5


def test_a_file_that_is_there_is_replaced_only_when_said_twice(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path, tmp_path: Path
) -> None:
    graded(project_path, 5)
    window = open_window(project_path)
    dialog = asked(qtbot, window, "TREC qrels")
    target = tmp_path / "mine.qrels"
    target.write_text("mine")
    dialog.place.setText(str(target))
    dialog.run.click()
    assert "exists already" in dialog.problem.text()
    assert target.read_text() == "mine"
    with qtbot.waitSignal(dialog.written, timeout=PATIENCE):
        dialog.run.click()
    assert "d1-1" in target.read_text()


def test_a_rule_that_cannot_be_turned_back_is_refused_before_anything_is_written(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path
) -> None:
    graded(project_path, 4)
    window = open_window(project_path)
    dialog = asked(qtbot, window, "TREC qrels")
    dialog.grades.setText("0=0,1=5")
    dialog.look()
    wait_for(qtbot, dialog.problem.text)
    assert "from no number to grade 4" in dialog.problem.text()
    assert not dialog.run.isEnabled()
    for title, choices in OFFERED.items():
        dialog.format.setCurrentText(title)
        parts = (dialog.system, dialog.whose, dialog.grades, dialog.guarded, dialog.pseudonyms)
        assert tuple(part for part in parts if part.isVisible()) == tuple(
            getattr(dialog, one) for one in choices
        )
    dialog.reject()


def test_nothing_leaves_a_damaged_project(qtbot: QtBot, open_window: OpenWindow, project_path: Path) -> None:
    graded(project_path, 4)
    db = sqlite3.connect(project_path)
    db.execute("UPDATE judgment SET grade = 5")
    db.commit()
    db.close()
    window = open_window(project_path)
    before = sorted(project_path.parent.iterdir())
    window.commands["export_data"].trigger()
    dialog = shown(qtbot, window, ExportDialog)
    wait_for(qtbot, lambda: "nothing is written" in dialog.problem.text())
    assert not dialog.run.isEnabled()
    assert sorted(project_path.parent.iterdir()) == before
    dialog.reject()
