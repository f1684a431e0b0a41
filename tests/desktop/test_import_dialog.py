"""The import assistant by keys: what files are, what would happen, what happened, and the way back."""

import threading
from collections.abc import Callable
from pathlib import Path

import PySide6
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, QRect, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication, QPalette, QWheelEvent
from PySide6.QtWidgets import QApplication, QComboBox, QFormLayout, QLabel, QStyleOptionComboBox, QWidget
from pytestqt.qtbot import QtBot

from annotator.desktop.dialog import Content, Scrolled
from annotator.desktop.earlier_imports import EarlierImports
from annotator.desktop.import_dialog import ImportDialog
from annotator.desktop.import_success import ImportSuccess
from annotator.desktop.system_dialogs import BaselineDialog
from annotator.desktop.window import Window
from annotator.project import browse
from annotator.project import data_import as importing_verbs
from annotator.project.data_import import ImportPlan
from annotator.project.project import Project
from annotator.project.views import Contents
from annotator.watch import Watch
from tests.desktop.conftest import PATIENCE, OpenWindow

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


def cells(dialog: ImportDialog) -> list[list[str]]:
    """Return the table of files as it is shown, the formats as they are chosen."""
    table = dialog.pane.table
    return [
        [
            str(table.item(at, 0).text()),
            table.box(at).currentText(),
            *(table.item(at, c).text() for c in (2, 3)),
        ]
        for at in range(table.rowCount())
    ]


def roles(dialog: ImportDialog) -> list[str]:
    """Return what the columns of the chosen file hold, as it is shown."""
    return [box.currentData() for box in dialog.details.first_rows.boxes]


def imported(dialog: ImportDialog, window: Window, qtbot: QtBot) -> ImportSuccess:
    """Import with keys, and return what then says so once it offers what can be done next."""
    tab_to(qtbot, dialog.run)
    with qtbot.waitSignal(dialog.imported, timeout=PATIENCE):
        press(qtbot, Key.Key_Space)
    done = [one for one in window.findChildren(ImportSuccess) if one.isVisible()][-1]
    qtbot.waitUntil(lambda: bool(done.ways) and done.isActiveWindow(), timeout=PATIENCE)
    return done


def said(done: ImportSuccess) -> list[tuple[str, str]]:
    """Return what an import brought, as it is shown."""
    form = done.said.layout()
    assert isinstance(form, QFormLayout)
    roles = (QFormLayout.ItemRole.LabelRole, QFormLayout.ItemRole.FieldRole)
    shown = [[form.itemAt(at, role).widget() for role in roles] for at in range(form.rowCount())]
    return [(a.text(), b.text()) for a, b in shown if isinstance(a, QLabel) and isinstance(b, QLabel)]


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
        choose(dialog.details.first_rows.boxes[one.glance.header.index(column)], role, qtbot)
    idle(dialog, qtbot)


def test_ctrl_c_in_the_first_rows_copies_them_without_the_boxes_above(
    importing: Opener, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog = importing(write(tmp_path, "grades.csv", "query,doc,label\nq1,d1-1,3\nq1,d1-2,=1+1\n"))
    assert dialog.details.first_rows.boxes
    qtbot.keyClick(dialog.details.first_rows, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    clipboard = QGuiApplication.clipboard()
    assert clipboard.text() == "query\tdoc\tlabel\nq1\td1-1\t3\nq1\td1-2\t'=1+1\n"
    assert "<tr><td>q1</td><td>d1-1</td><td>3</td></tr>" in clipboard.mimeData().html()
    clipboard.clear()  # offscreen it would outlive Python, and what Python made with it


def test_files_are_recognised_and_imported_and_the_import_is_taken_back_with_keys_alone(
    importing: Opener, window: Window, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog = importing(write(tmp_path, "third.run", "q1 Q0 d1-1 1 9 third\nq1 Q0 d1-2 2 8 third\n"))
    assert cells(dialog) == [["third.run", "TREC run", "1 run of 2 candidates", ""]]
    assert dialog.state.text() == "Ready"
    assert "runs: 1 would be added" in dialog.said.text()
    assert not dialog.details.heading.isVisible()
    assert not dialog.form.isVisible(), "nothing has to be said of a run that names its system"
    tab_to(qtbot, dialog.form.more)
    press(qtbot, Key.Key_Space)
    assert dialog.form.system.hasFocus()
    assert not dialog.form.grades.isVisible()
    qtbot.keyClicks(dialog.form.system, "mine")
    tab_to(qtbot, dialog.pane.add)
    idle(dialog, qtbot)
    done = imported(dialog, window, qtbot)
    assert said(done) == [("Ranked candidates", "2 added"), ("Runs", "1 added")]
    assert QApplication.focusWidget() is done.ways[0]
    assert [one.name for one in contents(window, qtbot).systems] == ["sys1", "sys2", "mine"]
    tab_to(qtbot, done.take_back)
    with qtbot.waitSignal(done.changed, timeout=PATIENCE):
        press(qtbot, Key.Key_Space)
    assert done.state.text() == "Taken back: import of third.run."
    assert not any(one.isVisible() for one in (*done.ways, done.said, done.take_back))
    assert [one.name for one in contents(window, qtbot).systems] == ["sys1", "sys2"]
    press(qtbot, Key.Key_Return)
    assert done.isHidden()


def test_a_table_of_files_says_of_each_what_it_brings_and_what_is_wrong_first(
    importing: Opener, qtbot: QtBot, tmp_path: Path
) -> None:
    lines = "".join(f"q1 Q0 d1-{rank} {rank} high a\n" for rank in range(1, 251))
    other = tmp_path / "other"
    other.mkdir()
    dialog = importing(
        write(tmp_path, "a.run", GOOD),
        write(tmp_path, "broken.run", lines),
        write(tmp_path, "made.csv", "query_id,document_id,grade,Preis\nq1,d1-1,1,3\n"),
        write(other, "a.run", GOOD.replace(" a\n", " b\n")),
    )
    rows = cells(dialog)
    assert [one[0] for one in rows] == [f"{tmp_path.name}/a.run", "broken.run", "made.csv", "other/a.run"]
    assert [one[2] for one in rows] == ["1 run of 4 candidates", "", "1 judgment", "1 run of 4 candidates"]
    assert rows[1][3].startswith("1:14: the score 'high'")
    assert rows[1][3].endswith("(and 249 more)")
    assert rows[2][3].startswith("left out")
    assert rows[2][3].endswith("Preis.")
    assert [rows[at][3] for at in (0, 3)] == ["", ""]
    assert dialog.state.text() == "Not ready: 250 places to mend in 1 file"
    assert dialog.pane.table.chosen() == 1, "the first file that cannot be taken"
    shown = dialog.details.problems.toPlainText().splitlines()
    assert dialog.details.first.text().startswith("broken.run:1:14: ")
    assert shown[0].startswith("broken.run:2:14: ")
    assert (len(shown), shown[-1]) == (100, "and 150 more")
    danger = dialog.palette().color(QPalette.ColorRole.BrightText).name()
    assert danger in colours(dialog.details.first)
    place = dialog.pane.table.visualItemRect(dialog.pane.table.item(1, 3))
    assert danger in colours(dialog.pane.table.viewport(), place), "chosen, it is red all the same"
    whole, lists = dialog.findChild(Content), (dialog.details.problems, dialog.pane.table)
    low = dialog.height() - whole.height() + whole.heightForWidth(whole.width())
    dialog.resize(dialog.width(), low)
    qtbot.waitUntil(lambda: all(one.height() == one.minimumHeight() for one in lists), timeout=PATIENCE)
    assert not dialog.findChild(Scrolled).verticalScrollBar().maximum(), (
        "the lists scroll, not what is around"
    )
    tab_to(qtbot, dialog.pane.table)
    press(qtbot, Key.Key_Down)
    assert not dialog.details.problems.isVisible()
    assert "Preis" in dialog.details.hint.text()
    press(qtbot, Key.Key_Down)
    assert not dialog.details.heading.isVisible()
    press(qtbot, Key.Key_Escape)


def test_among_forty_files_tab_stops_at_the_format_of_the_chosen_one_alone(
    importing: Opener, qtbot: QtBot, tmp_path: Path
) -> None:
    files = [write(tmp_path, f"{at}.run", f"q1 Q0 d1-1 1 9 s{at}\n") for at in range(40)]
    dialog = importing(*files)
    assert "runs: 40 would be added" in dialog.said.text()
    tab_to(qtbot, dialog.pane.table)
    qtbot.keyClick(dialog.pane.table, Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    press(qtbot, Key.Key_Tab)
    assert dialog.pane.table.box(39).hasFocus()
    dialog.pane.table.box(39).initStyleOption(shown := QStyleOptionComboBox())
    assert shown.currentText == "TREC run"
    press(qtbot, Key.Key_Tab)
    assert dialog.pane.add.hasFocus()
    press(qtbot, Key.Key_Escape)


def test_the_wheel_over_a_list_in_the_table_changes_nothing(
    importing: Opener, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog = importing(write(tmp_path, "third.run", "q1 Q0 d1-1 1 9 third\n"))
    box = dialog.pane.table.box(0)
    before = box.currentText()
    turned(box)
    assert (box.currentText(), dialog.bar.busy) == (before, False)
    box.setFocus()
    turned(box)
    assert box.currentText() != before, "once the keyboard is there"
    idle(dialog, qtbot)
    press(qtbot, Key.Key_Escape)


def turned(widget: QWidget) -> None:
    """Turn the wheel over a widget by one notch."""
    place, none = QPointF(widget.rect().center()), Qt.MouseButton.NoButton
    turn = QWheelEvent(
        place,
        QPointF(widget.mapToGlobal(widget.rect().center())),
        QPoint(),
        QPoint(0, -120),
        none,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, turn)


def test_after_an_import_the_next_step_is_a_key_away(
    importing: Opener, window: Window, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog = importing(write(tmp_path, "mara.qrels", "q1 0 d1-1 3\n"))
    done = imported(dialog, window, qtbot)
    assert [one.text() for one in done.ways] == [
        "Grade now  (Ctrl+1)",
        "Evaluate  (Ctrl+2)",
        "Add more files  (Ctrl+I)",
    ]
    go_on(qtbot, done, Key.Key_2)
    assert window.stack.currentWidget() is window.pages[1]
    again = imported(importing(write(tmp_path, "jo.qrels", "q1 0 d1-1 3\n")), window, qtbot)
    go_on(qtbot, again, Key.Key_I)
    further = [one for one in window.findChildren(ImportDialog) if one.isVisible()]
    assert [one.pane.files for one in further] == [[]]
    further[0].reject()


def go_on(qtbot: QtBot, done: ImportSuccess, key: Qt.Key) -> None:
    """Press a step's key with Ctrl."""
    with qtbot.waitSignal(done.next_wanted, timeout=PATIENCE):
        qtbot.keyClick(done, key, Qt.KeyboardModifier.ControlModifier)
    assert done.isHidden()


def test_documents_and_queries_without_a_run_lead_to_a_baseline(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "empty.annot"
    Project.create(path, "Empty", "ann").close()
    window = open_window(path)
    window.dialogs.import_files(
        [write(tmp_path, "t.csv", "query_id,query,document_id,text\nq1,What?,d1,That.\n")]
    )
    dialog = window.findChildren(ImportDialog)[0]
    qtbot.waitUntil(lambda: dialog.isActiveWindow() and dialog.run.isEnabled(), timeout=PATIENCE)
    done = imported(dialog, window, qtbot)
    assert done.ways[0].text() == "Add a baseline run  (Ctrl+B)"
    go_on(qtbot, done, Key.Key_B)
    (baseline,) = window.findChildren(BaselineDialog)
    assert baseline.isVisible()
    baseline.reject()


def test_what_columns_hold_is_said_once_and_remembered_for_the_next_file(
    importing: Opener, window: Window, qtbot: QtBot, tmp_path: Path
) -> None:
    window.appearance.choose("light", 150)
    dialog = importing(*(write(tmp_path, name, TABLE) for name in ("made.csv", "more.csv")))
    assert not dialog.findChild(Scrolled).verticalScrollBar().maximum(), "all of it is in sight"
    assert not dialog.details.heading.isVisible(), "one place tells its file itself"
    dialog.reject()
    window.appearance.choose("light", 100)
    dialog = importing(write(tmp_path, "made.csv", TABLE))
    assert cells(dialog)[0][:2] == ["made.csv", "CSV or TSV table"]
    assert dialog.state.text() == "Not ready: 1 place to mend in 1 file"
    assert not dialog.run.isEnabled()
    assert dialog.details.first_rows.boxes[1].accessibleName() == "What the column treffer holds"
    say_columns(dialog, qtbot, {"frage": "query_id", "treffer": "document_id", "urteil": "grade"})
    assert roles(dialog) == [
        "query_id",
        "document_id",
        "grade",
    ]
    assert "judgments: 3 would be added" in dialog.said.text()
    assert "judged by: imported:made" in dialog.said.text()
    assert dialog.form.annotator.placeholderText() == "imported:made"
    imported(dialog, window, qtbot)
    press(qtbot, Key.Key_Escape)
    again = importing(write(tmp_path, "later.csv", TABLE.replace("d1-1;1", "d1-1;4")))
    assert roles(again) == [
        "query_id",
        "document_id",
        "grade",
    ]
    assert again.state.text() == "Ready"
    press(qtbot, Key.Key_Escape)


def test_a_role_moves_from_one_column_to_another(importing: Opener, qtbot: QtBot, tmp_path: Path) -> None:
    dialog = importing(write(tmp_path, "made.csv", "query_id,document_id,grade,better\nq1,d1-1,1,5\n"))
    assert roles(dialog) == [
        "query_id",
        "document_id",
        "grade",
        "",
    ]
    say_columns(dialog, qtbot, {"better": "grade"})
    assert roles(dialog) == [
        "query_id",
        "document_id",
        "",
        "grade",
    ]
    assert dialog.state.text() == "Ready"
    press(qtbot, Key.Key_Escape)


def test_several_columns_become_fields_of_the_documents(
    importing: Opener, window: Window, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog = importing(write(tmp_path, "shop.csv", "query,document_id,URL,Preis\nq9,n1,http://a,3\n"))
    assert dialog.pane.table.item(0, 3).text().endswith("URL, Preis.")
    say_columns(dialog, qtbot, {"URL": "field", "Preis": "field"})
    assert roles(dialog) == ["query", "document_id", "field", "field"], "the text is its own id"
    assert dialog.state.text() == "Ready"
    assert dialog.pane.table.item(0, 3).text() == ""
    assert "Kept as fields of each document: URL, Preis." in dialog.details.hint.text()
    press(qtbot, Key.Key_Escape)


def test_a_separator_of_gold_answers_is_asked_for_when_wanted(
    importing: Opener, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog = importing(write(tmp_path, "gold.csv", "query_id,gold\nq1,red|blue\n"))
    assert "1 query with gold answers" in dialog.pane.table.item(0, 2).text()
    tab_to(qtbot, dialog.form.more)
    press(qtbot, Key.Key_Space)
    tab_to(qtbot, dialog.form.separator)
    qtbot.keyClicks(dialog.form.separator, "|")
    tab_to(qtbot, dialog.pane.add)
    idle(dialog, qtbot)
    assert "a separator" not in dialog.details.hint.text()
    press(qtbot, Key.Key_Escape)


def test_a_rule_for_grades_says_what_it_does_while_it_is_typed(
    importing: Opener, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog = importing(write(tmp_path, "x.qrels", "q1 0 d1-1 -1\nq1 0 d1-2 7\n"))
    assert cells(dialog)[0][2] == "2 judgments"
    assert dialog.form.rule.text() == "Grades are taken as they are: whole numbers from 0 to 5."
    assert dialog.state.text() == "Not ready: something is to be said first"
    assert "-1 (x.qrels:1), 7 (x.qrels:2)" in dialog.said.text()
    tab_to(qtbot, dialog.form.grades)
    qtbot.keyClicks(dialog.form.grades, "-1=skip,7=")
    assert "cannot be read" in dialog.form.rule.text()
    qtbot.waitUntil(lambda: not dialog.form._pause.isActive(), timeout=PATIENCE)
    idle(dialog, qtbot)
    assert dialog.state.text() == "Not ready: the rule for grades cannot be read"
    qtbot.keyClicks(dialog.form.grades, "5")
    assert dialog.form.rule.text() == "-1 → left out; 7 → grade 5. Any other number is refused."
    press(qtbot, Key.Key_Return)
    idle(dialog, qtbot)
    assert "judgments: 1 would be added" in dialog.said.text()
    assert dialog.run.isEnabled()
    for typed, state in (
        (",1=", "Not ready: the rule for grades cannot be read"),
        ("1", "Not looked at yet"),
    ):
        qtbot.keyClicks(dialog.form.grades, typed)
        assert (dialog.state.text(), dialog.said.text(), dialog.run.isEnabled()) == (state, "", False)
    qtbot.waitUntil(dialog.run.isEnabled, timeout=PATIENCE)  # without leaving the field
    assert dialog.state.text() == "Ready"
    press(qtbot, Key.Key_Escape)


def test_every_refused_line_can_be_copied_and_a_mended_file_looked_at_again(
    importing: Opener, window: Window, qtbot: QtBot, tmp_path: Path
) -> None:
    path = write(tmp_path, "broken.run", f"{GOOD}q1 Q0 d2-2 2 high a\nq1 Q0 d2-3 3 low a\n")
    worse = write(tmp_path, "worse.qrels", "q1 0 d1 1\nq1 0 d2 no\n")
    dialog = importing(path, worse)
    assert dialog.state.text() == "Not ready: 3 places to mend in 2 files"
    tab_to(qtbot, dialog.copy)
    press(qtbot, Key.Key_Space)
    lines = [line.split(":")[:3] for line in QGuiApplication.clipboard().text().splitlines()]
    assert lines == [[str(path), "5", "14"], [str(path), "6", "14"], [str(worse), "2", "9"]]
    path.write_text(GOOD)
    worse.write_text("q1 0 d1-1 1\n")
    tab_to(qtbot, dialog.again)
    press(qtbot, Key.Key_Space)
    idle(dialog, qtbot)
    assert dialog.state.text() == "Ready"
    press(qtbot, Key.Key_Escape)
    assert len(contents(window, qtbot).systems) == 2


def colours(part: QWidget, place: QRect | None = None) -> set[str]:
    """Return the colours in which a part is painted, or a place of it."""
    image = part.grab(place or part.rect()).toImage()
    return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}


def test_a_file_of_no_known_format_waits_for_a_word_and_can_be_removed(
    importing: Opener, qtbot: QtBot, tmp_path: Path
) -> None:
    run = write(tmp_path, "third.run", "q1 Q0 d1-1 1 9 third\n")
    dialog = importing(run, write(tmp_path, "letter.txt", "Dear reader,\nthis is no data.\n"))
    assert dialog.state.text() == "Not ready: one file is not recognised"
    assert dialog.pane.table.chosen() == 1
    assert "letter.txt: is in no format known here" in dialog.details.first.text()
    assert not dialog.details.problems.isVisible()
    assert dialog.details.first_rows.item(0, 0).text() == "Dear reader,"
    assert not dialog.run.isEnabled()
    choose(dialog.pane.table.box(1), "trec-qrels", qtbot)
    idle(dialog, qtbot)
    assert dialog.details.first.text().startswith("letter.txt:1")
    tab_to(qtbot, dialog.pane.table)
    press(qtbot, Key.Key_Delete)
    idle(dialog, qtbot)
    assert dialog.state.text() == "Ready"
    press(qtbot, Key.Key_Delete)
    idle(dialog, qtbot)
    assert not dialog.state.isVisible()
    assert dialog.pane.nothing.isVisible()
    press(qtbot, Key.Key_Escape)


def test_grades_in_words_are_asked_for_and_taken_by_a_rule(
    importing: Opener, qtbot: QtBot, tmp_path: Path
) -> None:
    graded = "query_id,document_id,grade\nq1,d1-1,very good\nq1,d1-2,bad\n"
    dialog = importing(write(tmp_path, "graded.csv", graded))
    assert dialog.state.text() == "Not ready: something is to be said first"
    assert "'very good' (graded.csv:2), 'bad' (graded.csv:3)" in dialog.said.text()
    assert dialog.form.grades.isVisible()
    tab_to(qtbot, dialog.form.grades)
    qtbot.keyClicks(dialog.form.grades, "very good=5,bad=0")
    press(qtbot, Key.Key_Tab)
    idle(dialog, qtbot)
    assert dialog.form.rule.text() == "bad → grade 0; very good → grade 5. Any other grade is refused."
    assert dialog.state.text() == "Ready"
    press(qtbot, Key.Key_Escape)


def test_six_columns_without_ranks_wait_until_they_are_said_to_be_judgments(
    importing: Opener, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog = importing(
        write(tmp_path, "graded.tsv", "q1 Q0 d1-1 3 1 me\nq1 Q0 d1-2 3 1 me\nq1 Q0 x 0 1 me\n")
    )
    assert dialog.state.text() == "Not ready: one file is not recognised"
    assert "no ranks in the fourth" in dialog.pane.files[0].wrong
    choose(dialog.pane.table.box(0), "judgments", qtbot)
    idle(dialog, qtbot)
    assert dialog.state.text() == "Ready"
    assert dialog.pane.files[0].left_out == "left out, as judgments have no place for them: confidence, tag."
    press(qtbot, Key.Key_Escape)


def test_what_files_bring_has_the_room_of_problems_that_there_are_none_of(
    importing: Opener, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog = importing(write(tmp_path, "good.run", GOOD))
    table = dialog.pane.table
    assert table.columnWidth(2) > table.columnWidth(3)
    dialog.take_files([write(tmp_path, "bad.run", GOOD + "q1 Q0 d1-5 5 x a\n")])
    qtbot.waitUntil(lambda: bool(dialog.problems()), timeout=PATIENCE)
    idle(dialog, qtbot)
    assert table.columnWidth(2) < table.columnWidth(3)
    press(qtbot, Key.Key_Escape)


@pytest.mark.parametrize("named", ["", "qrels.tsv", "nuggets.jsonl"])
def test_who_judged_is_asked_only_of_files_that_hold_something_judged(
    importing: Opener, qtbot: QtBot, tmp_path: Path, named: str
) -> None:
    """Of the files that are taken for BEIR's one alone holds judgments."""
    judged, texts = bool(named), '{"_id": "new", "title": "", "text": "A river."}\n'
    of = {
        "qrels.tsv": "query-id\tcorpus-id\tscore\nq1\td1-1\t1\n",
        "nuggets.jsonl": '{"qid": "q1", "nuggets": [{"text": "It is cold.", "importance": "okay"}]}\n',
    }
    files = [write(tmp_path, name, of[name]) for name in (named,) if name]
    dialog = importing(write(tmp_path, "corpus.jsonl", texts), *files)
    assert dialog.state.text() == "Ready"
    assert ("judged by" in dialog.said.text()) is judged
    assert dialog.form._rows.isRowVisible(dialog.form._whose) is judged
    if dialog.form.more.isVisible():
        dialog.form.more.click()
        assert dialog.form._rows.isRowVisible(dialog.form._whose) is judged
    press(qtbot, Key.Key_Escape)


def test_files_dropped_onto_the_assistant_join_those_it_shows(
    importing: Opener, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog = importing(write(tmp_path, "third.run", "q1 Q0 d1-1 1 9 third\n"))
    dropped = QMimeData()
    dropped.setUrls([QUrl.fromLocalFile(str(write(tmp_path, "mara.qrels", "q1 0 d1-1 3\n")))])
    modifiers, button = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton
    place = QPointF(dialog.rect().center())
    at = place if PySide6.__version_info__ >= (6, 12) else place.toPoint()
    come = QDragEnterEvent(at, Qt.DropAction.CopyAction, dropped, button, modifiers)
    QApplication.sendEvent(dialog, come)
    assert come.isAccepted()
    QApplication.sendEvent(dialog, QDropEvent(place, Qt.DropAction.CopyAction, dropped, button, modifiers))
    idle(dialog, qtbot)
    assert [one.path.name for one in dialog.pane.files] == ["third.run", "mara.qrels"]
    assert dialog.state.text() == "Ready"
    assert "judged by: imported:mara" in dialog.said.text()
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
    assert "cancelled; the project is as it was" in dialog.said.text()
    assert len(contents(window, qtbot).systems) == 2
    press(qtbot, Key.Key_Escape)
    assert dialog.isHidden()


def test_a_system_that_is_there_is_replaced_only_when_that_is_wanted(
    importing: Opener, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog = importing(write(tmp_path, "new.run", "q1 Q0 d1-1 1 9 sys1\n"))
    assert "'sys1' has a run already" in dialog.said.text()
    assert dialog.form.system.isVisible()
    tab_to(qtbot, dialog.form.replace)
    press(qtbot, Key.Key_Space)
    idle(dialog, qtbot)
    assert dialog.run.isEnabled()
    press(qtbot, Key.Key_Escape)


def test_enter_presses_the_button_that_has_the_keys_and_no_other(
    window: Window, project_path: Path, qtbot: QtBot
) -> None:
    window.dialogs.import_files([project_path.with_name("more.run")])
    dialog = window.findChild(ImportDialog)
    assert dialog is not None
    dialog.run.setEnabled(True)  # it is the dialog's own button
    pressed: list[str] = []
    dialog.run.clicked.connect(lambda: pressed.append("run"))
    dialog.again.clicked.connect(lambda: pressed.append("again"))
    dialog.again.setEnabled(True)
    dialog.again.show()
    dialog.again.setFocus()
    qtbot.keyClick(dialog.again, Qt.Key.Key_Return)
    assert pressed == ["again"]
    dialog.reject()


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
    qtbot.waitUntil(lambda: len(dialog.details.first_rows.boxes) == 100, timeout=PATIENCE)
    assert dialog.details.first_rows.boxes[99].accessibleName() == "What the column c96 holds"
    say_columns(dialog, qtbot, {"c96": "grade"})
    assert dialog.details.first_rows.boxes[2].currentData() == ""
    assert dialog.details.first_rows.horizontalScrollBar().value() > 0
    press(qtbot, Key.Key_Escape)
