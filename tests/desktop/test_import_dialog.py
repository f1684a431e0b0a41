"""The import assistant by keys: what files are, what would happen, what happened, and the way back."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QComboBox, QWidget
from pytestqt.qtbot import QtBot

from annotator.desktop.earlier_imports import EarlierImports
from annotator.desktop.import_dialog import ImportDialog
from annotator.desktop.window import Window
from annotator.project import browse
from annotator.project import data_import as importing_verbs
from annotator.project.data_import import ImportPlan
from annotator.project.project import Project
from annotator.project.views import Contents
from annotator.watch import Watch
from tests.desktop.conftest import PATIENCE

Key = Qt.Key
Opener = Callable[..., ImportDialog]
GOOD = "".join(f"q1 Q0 d1-{rank} {rank} {9 - rank} a\n" for rank in range(1, 5))
TABLE = "frage;treffer;urteil\nq1;d1-1;1\nq1;d1-2;2\nq2;d2-1;0\n"


def write(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text, "utf-8")
    return folder / name


@pytest.fixture
def importing(window: Window, qtbot: QtBot) -> Opener:
    """Return a function that opens the assistant as dropped files do, and waits until it has looked."""

    def opened(*files: Path) -> ImportDialog:
        for one in window.findChildren(ImportDialog):
            qtbot.waitUntil(one.isHidden, timeout=PATIENCE)
            one.deleteLater()
            qtbot.waitUntil(lambda: not window.findChildren(ImportDialog), timeout=PATIENCE)
        window.dialogs.import_files(files)
        dialog = window.findChildren(ImportDialog)[0]
        qtbot.waitUntil(dialog.isActiveWindow, timeout=PATIENCE)
        idle(dialog, qtbot)
        return dialog

    return opened


def idle(dialog: ImportDialog | EarlierImports, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not dialog.bar.busy, timeout=PATIENCE)


def press(qtbot: QtBot, *keys: Qt.Key) -> None:
    for key in keys:
        focused = QApplication.focusWidget()
        assert focused is not None
        qtbot.keyClick(focused, key)


def tab_to(qtbot: QtBot, wanted: QWidget) -> None:
    """Press Tab until the keyboard is there; a control that cannot be reached fails the test."""
    for _ in range(150):
        if wanted.hasFocus():
            return
        press(qtbot, Key.Key_Tab)
    raise AssertionError(f"Tab does not lead to {wanted.accessibleName() or wanted}")


def contents(window: Window, qtbot: QtBot) -> Contents:
    found: list[Contents] = []
    assert window.session is not None
    window.session.do(browse.contents, found.append)
    qtbot.waitUntil(lambda: bool(found), timeout=PATIENCE)
    return found[0]


def choose(box: QComboBox, wanted: str, qtbot: QtBot) -> None:
    """Go to a box and down its list."""
    tab_to(qtbot, box)
    press(qtbot, Key.Key_Home, *[Key.Key_Down] * box.findData(wanted))
    assert box.currentData() == wanted


def say_columns(dialog: ImportDialog, qtbot: QtBot, roles: dict[str, str]) -> None:
    """Choose what columns hold, in the boxes above them."""
    one = dialog.pane.current()
    assert one is not None
    assert one.glance is not None
    for column, role in roles.items():
        choose(dialog.pane.boxes[one.glance.header.index(column)], role, qtbot)
    idle(dialog, qtbot)


def test_ctrl_c_in_the_first_rows_copies_them_without_the_boxes_above(
    importing: Opener, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog = importing(write(tmp_path, "grades.csv", "query,doc,label\nq1,d1-1,3\nq1,d1-2,=1+1\n"))
    assert dialog.pane.boxes
    qtbot.keyClick(dialog.pane.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    clipboard = QGuiApplication.clipboard()
    assert clipboard.text() == "query\tdoc\tlabel\nq1\td1-1\t3\nq1\td1-2\t'=1+1\n"
    assert "<tr><td>q1</td><td>d1-1</td><td>3</td></tr>" in clipboard.mimeData().html()
    clipboard.clear()  # offscreen it would outlive Python, and what Python made with it


def test_files_are_recognised_and_imported_and_the_import_is_taken_back_with_keys_alone(
    importing: Opener, window: Window, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog = importing(write(tmp_path, "third.run", "q1 Q0 d1-1 1 9 third\nq1 Q0 d1-2 2 8 third\n"))
    assert dialog.pane.format.currentText() == "TREC run"
    assert dialog.pane.table.item(0, 2).text() == "d1-1"
    assert dialog.state.text() == "Ready"
    assert "runs: 1 would be added" in dialog.said.toPlainText()
    assert not dialog.take_back.isVisible()
    assert not dialog.form.grades.isVisible()
    tab_to(qtbot, dialog.form.system)
    qtbot.keyClicks(dialog.form.system, "mine")
    tab_to(qtbot, dialog.pane.add)
    idle(dialog, qtbot)
    tab_to(qtbot, dialog.run)
    with qtbot.waitSignal(dialog.changed, timeout=PATIENCE):
        press(qtbot, Key.Key_Space)
    assert dialog.state.text() == "Imported"
    assert "ranked candidates: 2 added" in dialog.said.toPlainText()
    assert QApplication.focusWidget() is dialog.close_button
    assert [one.name for one in contents(window, qtbot).systems] == ["sys1", "sys2", "mine"]
    tab_to(qtbot, dialog.take_back)
    with qtbot.waitSignal(dialog.changed, timeout=PATIENCE):
        press(qtbot, Key.Key_Space)
    assert dialog.state.text() == "Taken back"
    assert [one.name for one in contents(window, qtbot).systems] == ["sys1", "sys2"]
    press(qtbot, Key.Key_Return)
    assert dialog.isHidden()


def test_what_columns_hold_is_said_once_and_remembered_for_the_next_file(
    importing: Opener, window: Window, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog = importing(write(tmp_path, "made.csv", TABLE))
    assert dialog.pane.format.currentText() == "CSV or TSV table"
    assert dialog.state.text() == "One place cannot be taken"
    assert not dialog.run.isEnabled()
    assert dialog.pane.boxes[1].accessibleName() == "What the column treffer holds"
    say_columns(dialog, qtbot, {"frage": "query_id", "treffer": "document_id", "urteil": "grade"})
    assert [box.currentData() for box in dialog.pane.boxes] == ["query_id", "document_id", "grade"]
    assert "judgments: 3 would be added" in dialog.said.toPlainText()
    assert "judged by: imported:made" in dialog.said.toPlainText()
    with qtbot.waitSignal(dialog.changed, timeout=PATIENCE):
        tab_to(qtbot, dialog.run)
        press(qtbot, Key.Key_Space)
    press(qtbot, Key.Key_Escape)
    again = importing(write(tmp_path, "later.csv", TABLE.replace("d1-1;1", "d1-1;4")))
    assert [box.currentData() for box in again.pane.boxes] == ["query_id", "document_id", "grade"]
    assert again.state.text() == "Ready"
    press(qtbot, Key.Key_Escape)


def test_a_role_moves_from_one_column_to_another(importing: Opener, qtbot: QtBot, tmp_path: Path) -> None:
    dialog = importing(write(tmp_path, "made.csv", "query_id,document_id,grade,better\nq1,d1-1,1,5\n"))
    assert [box.currentData() for box in dialog.pane.boxes] == ["query_id", "document_id", "grade", ""]
    say_columns(dialog, qtbot, {"better": "grade"})
    assert [box.currentData() for box in dialog.pane.boxes] == ["query_id", "document_id", "", "grade"]
    assert dialog.state.text() == "Ready"
    press(qtbot, Key.Key_Escape)


def test_a_rule_for_grades_says_what_it_does_while_it_is_typed(
    importing: Opener, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog = importing(write(tmp_path, "x.qrels", "q1 0 d1-1 -1\nq1 0 d1-2 7\n"))
    assert dialog.form.rule.text() == "Grades are taken as they are: whole numbers from 0 to 5."
    assert dialog.state.text() == "This cannot be imported as it is"
    assert "-1, 7" in dialog.said.toPlainText()
    tab_to(qtbot, dialog.form.grades)
    qtbot.keyClicks(dialog.form.grades, "-1=skip,7=")
    assert "cannot be read" in dialog.form.rule.text()
    qtbot.keyClicks(dialog.form.grades, "5")
    assert dialog.form.rule.text() == "-1 → left out; 7 → grade 5. Any other number is refused."
    press(qtbot, Key.Key_Return)
    idle(dialog, qtbot)
    assert "judgments: 1 would be added" in dialog.said.toPlainText()
    press(qtbot, Key.Key_Escape)


def test_every_refused_line_can_be_copied_and_a_mended_file_looked_at_again(
    importing: Opener, window: Window, qtbot: QtBot, tmp_path: Path
) -> None:
    path = write(tmp_path, "broken.run", f"{GOOD}q1 Q0 d2-2 2 high a\nq1 Q0 d2-3 3 low a\n")
    dialog = importing(path)
    assert dialog.state.text() == "2 places cannot be taken"
    tab_to(qtbot, dialog.copy)
    press(qtbot, Key.Key_Space)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert [line.split(":")[:2] for line in lines[2:]] == [[str(path), "5"], [str(path), "6"]]
    path.write_text(GOOD)
    tab_to(qtbot, dialog.again)
    press(qtbot, Key.Key_Space)
    idle(dialog, qtbot)
    assert dialog.state.text() == "Ready"
    press(qtbot, Key.Key_Escape)
    assert len(contents(window, qtbot).systems) == 2


def test_a_file_of_no_known_format_waits_for_a_word_and_can_be_removed(
    importing: Opener, qtbot: QtBot, tmp_path: Path
) -> None:
    run = write(tmp_path, "third.run", "q1 Q0 d1-1 1 9 third\n")
    dialog = importing(run, write(tmp_path, "letter.txt", "Dear reader,\nthis is no data.\n"))
    assert dialog.state.text() == "Not recognised"
    assert "letter.txt: is in no format known here" in dialog.said.toPlainText()
    assert not dialog.run.isEnabled()
    tab_to(qtbot, dialog.pane.list)
    press(qtbot, Key.Key_Down)
    choose(dialog.pane.format, "trec-qrels", qtbot)
    idle(dialog, qtbot)
    assert "letter.txt:1" in dialog.said.toPlainText()
    tab_to(qtbot, dialog.pane.list)
    press(qtbot, Key.Key_Delete)
    idle(dialog, qtbot)
    assert dialog.state.text() == "Ready"
    press(qtbot, Key.Key_Up, Key.Key_Delete)
    idle(dialog, qtbot)
    assert dialog.state.text() == "Nothing to import yet"
    assert dialog.pane.nothing.isVisible()
    press(qtbot, Key.Key_Escape)


def test_files_dropped_onto_the_assistant_join_those_it_shows(
    importing: Opener, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog = importing(write(tmp_path, "third.run", "q1 Q0 d1-1 1 9 third\n"))
    dropped = QMimeData()
    dropped.setUrls([QUrl.fromLocalFile(str(write(tmp_path, "mara.qrels", "q1 0 d1-1 3\n")))])
    modifiers, button = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton
    place = QPointF(dialog.rect().center())
    come = QDragEnterEvent(place.toPoint(), Qt.DropAction.CopyAction, dropped, button, modifiers)
    QApplication.sendEvent(dialog, come)
    assert come.isAccepted()
    QApplication.sendEvent(dialog, QDropEvent(place, Qt.DropAction.CopyAction, dropped, button, modifiers))
    idle(dialog, qtbot)
    assert [one.path.name for one in dialog.pane.files] == ["third.run", "mara.qrels"]
    assert dialog.state.text() == "Ready"
    assert "judged by: imported:mara" in dialog.said.toPlainText()
    press(qtbot, Key.Key_Escape)


def test_an_import_cancelled_in_the_middle_leaves_the_project_as_it_was(
    importing: Opener, window: Window, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = importing(write(tmp_path, "third.run", "q1 Q0 d1-1 1 9 third\n"))
    run_import = importing_verbs.run_import
    begun = threading.Event()

    def slow(project: Project, plan: ImportPlan, watch: Watch) -> object:
        """Import once somebody asked to stop: the import finds that out by itself."""
        begun.set()
        waiting = threading.Event()
        while not watch.asked():
            waiting.wait(0.01)
        return run_import(project, plan, watch)

    monkeypatch.setattr(importing_verbs, "run_import", slow)
    tab_to(qtbot, dialog.run)
    press(qtbot, Key.Key_Space)
    qtbot.waitUntil(lambda: begun.is_set() and dialog.bar.isVisible(), timeout=PATIENCE)
    dialog.setFocus()
    press(qtbot, Key.Key_Escape)
    assert dialog.isVisible()
    idle(dialog, qtbot)
    assert dialog.state.text() == "Not imported"
    assert "cancelled; the project is as it was" in dialog.said.toPlainText()
    assert len(contents(window, qtbot).systems) == 2
    press(qtbot, Key.Key_Escape)
    assert dialog.isHidden()


def test_a_system_that_is_there_is_replaced_only_when_that_is_wanted(
    importing: Opener, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog = importing(write(tmp_path, "new.run", "q1 Q0 d1-1 1 9 sys1\n"))
    assert "'sys1' has a run already" in dialog.said.toPlainText()
    tab_to(qtbot, dialog.form.replace)
    press(qtbot, Key.Key_Space)
    idle(dialog, qtbot)
    assert dialog.run.isEnabled()
    press(qtbot, Key.Key_Escape)


def test_an_earlier_import_is_taken_back_from_the_list(window: Window, qtbot: QtBot) -> None:
    window.commands["imports"].trigger()
    dialog = window.findChildren(EarlierImports)[0]
    qtbot.waitUntil(lambda: dialog.table.rowCount() == 4 and dialog.table.hasFocus(), timeout=PATIENCE)
    assert dialog.table.item(0, 1).text() == "sys2.run"
    tab_to(qtbot, dialog.take_back)
    with qtbot.waitSignal(dialog.changed, timeout=PATIENCE):
        press(qtbot, Key.Key_Space)
    qtbot.waitUntil(lambda: dialog.table.item(0, 3).text() == "taken back", timeout=PATIENCE)
    idle(dialog, qtbot)
    assert dialog.said.text() == "Taken back: import of sys2.run."
    assert not dialog.take_back.isEnabled()
    assert [one.name for one in contents(window, qtbot).systems] == ["sys1"]
    press(qtbot, Key.Key_Escape)
    assert dialog.isHidden()


def test_a_table_of_hundreds_of_columns_gets_a_box_for_each(
    importing: Opener, qtbot: QtBot, tmp_path: Path
) -> None:
    names = ["query_id", "document_id", "grade", *(f"c{number}" for number in range(97))]
    path = write(tmp_path, "wide.csv", f"{','.join(names)}\n{','.join(['1'] * 100)}\n")
    dialog = importing(path)
    qtbot.waitUntil(lambda: len(dialog.pane.boxes) == 100, timeout=PATIENCE)
    assert dialog.pane.boxes[99].accessibleName() == "What the column c96 holds"
    say_columns(dialog, qtbot, {"c96": "grade"})
    assert dialog.pane.boxes[2].currentData() == ""
    assert dialog.pane.table.horizontalScrollBar().value() > 0
    press(qtbot, Key.Key_Escape)
