"""What stands around the candidates: selections, orders, chips, guidelines, notes, meanings, the session."""

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QApplication, QComboBox, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from annotator.desktop.grade.annotations import REASONS
from annotator.desktop.grade.filter_bar import ORDERS
from annotator.desktop.grade.page import GradePage
from annotator.desktop.history_dialog import HistoryDialog
from annotator.desktop.question import Ask, Choose
from annotator.desktop.window import Window
from annotator.grades import MEANINGS
from annotator.project import blindness, history, settings
from annotator.project.blindness import HIDDEN
from tests.desktop.building import imported
from tests.desktop.conftest import OpenWindow, heard
from tests.desktop.grade.test_grading_loop import judgments, press, wait_for
from tests.desktop.graded import grade_queries

NO_BUTTONS = (Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier)


def select(qtbot: QtBot, page: GradePage, words: str) -> tuple[int, str]:
    """Read the candidate in front and select words in it; return where they stand and the candidate's id."""
    press(qtbot, page, Qt.Key.Key_Space)
    wait_for(qtbot, lambda: page.reading.on)
    editor = page.parts.reader.findChildren(QPlainTextEdit)[0]
    at = editor.toPlainText().index(words)
    cursor = editor.textCursor()
    cursor.setPosition(at)
    cursor.setPosition(at + len(words), QTextCursor.MoveMode.KeepAnchor)
    editor.setTextCursor(cursor)
    return at, page.flow.prepared.view.candidates[page.flow.position].id


def test_selected_words_become_a_gold_answer_with_the_place_they_stand_at(
    qtbot: QtBot, page: GradePage
) -> None:
    at, document = select(qtbot, page, "of Iceland")
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_A)
    wait_for(qtbot, lambda: bool(page.flow.prepared.view.gold))
    (gold,) = page.flow.prepared.view.gold
    assert (gold.text, gold.document_id, gold.start, gold.end) == ("of Iceland", document, at, at + 10)


def test_selected_words_are_kept_as_the_rationale(qtbot: QtBot, page: GradePage) -> None:
    select(qtbot, page, "of Iceland")
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_R)
    wait_for(qtbot, lambda: judgments(page)[0].marks == {"rationale": "of Iceland"})
    assert judgments(page)[0].state is None
    assert "rationale “of Iceland”" in history.history(page.project, limit=1)[0].said


def test_half_selected_words_are_kept_whole_and_shown_again_on_card_and_in_the_text(
    qtbot: QtBot, open_window: OpenWindow, window: Window, page: GradePage
) -> None:
    select(qtbot, page, "f Icela")
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_R)
    wait_for(qtbot, lambda: judgments(page)[0].marks == {"rationale": "of Iceland"})
    wait_for(qtbot, lambda: "of Iceland" in reasons_in_reader(page))
    page.reading.close()
    assert reasons_on_card(page) == ["of Iceland"]
    path = window.session.path
    window.close()
    page = open_window(path).pages[0]
    wait_for(qtbot, lambda: page.flow.ready)
    assert reasons_on_card(page) == ["of Iceland"]
    assert "of Iceland" in page.parts.cards.card(0).accessibleName()
    press(qtbot, page, Qt.Key.Key_Space)
    wait_for(qtbot, lambda: page.reading.on and "of Iceland" in reasons_in_reader(page))
    page.reading.close()
    page.flow.move(1)
    wait_for(qtbot, lambda: page.flow.position == 1)
    press(qtbot, page, Qt.Key.Key_Space)
    wait_for(qtbot, lambda: page.reading.on)
    wait_for(qtbot, lambda: page.parts.reader.candidate.key == page.flow.candidate)
    wait_for(qtbot, lambda: not any(reasons_in_reader(page)))


def test_a_note_on_the_query_that_is_left_is_not_shown_to_the_next_annotator(
    qtbot: QtBot, window: Window, page: GradePage
) -> None:
    ask = asked(qtbot, window, page, "q")
    qtbot.keyClicks(ask.field, "half a thought")
    ask.reject()
    page.project.use_annotator("bo")
    ask = asked(qtbot, window, page, "q")
    assert ask.text() == ""


def test_half_words_selected_on_a_card_become_whole(qtbot: QtBot, page: GradePage) -> None:
    passage = page.parts.cards.card(0).passage
    at = passage.marked.text.index("Iceland")
    passage._anchor, passage._caret = at + 2, at + 4
    release = QMouseEvent(QEvent.Type.MouseButtonRelease, QPointF(), QPointF(), *NO_BUTTONS)
    passage.mouseReleaseEvent(release)
    chosen = page.parts.cards.selection()
    assert (chosen.text, chosen.start, chosen.end) == ("Iceland", at, at + 7)
    assert (passage._anchor, passage._caret) == (at, at + 7), "and are seen to be"
    press(qtbot, page, "r")
    wait_for(qtbot, lambda: judgments(page)[0].marks == {"rationale": "Iceland"})
    wait_for(qtbot, lambda: set(reasons_on_card(page)) == {"Iceland"})


def reasons_on_card(page: GradePage) -> list[str]:
    """Return the words that are marked as rationale on the first card."""
    passage = page.parts.cards.card(0).passage
    return [
        passage.marked.text[one.start : one.start + one.length]
        for one in passage.looks()
        if one.format.underlineStyle() == QTextCharFormat.UnderlineStyle.DashUnderline
    ]


def reasons_in_reader(page: GradePage) -> list[str]:
    """Return the words that are marked as rationale in the full text."""
    return [
        one.cursor.selectedText()
        for one in page.parts.reader.findChildren(QPlainTextEdit)[0].extraSelections()
        if one.format.underlineStyle() == QTextCharFormat.UnderlineStyle.DashUnderline
    ]


@pytest.mark.parametrize("order", list(ORDERS))
def test_queries_come_in_every_order(qtbot: QtBot, page: GradePage, order: str) -> None:
    press(qtbot, page, "4")
    first = page.flow.query
    combo = page.parts.filter_bar._order
    combo.setCurrentIndex(combo.findData(order))
    combo.activated.emit(combo.currentIndex())
    wait_for(qtbot, lambda: page.flow.walk.filters.order == order)
    expected = {"disagreements": [], "my earlier ones": [first]}.get(order, [1, 2, 3])
    wait_for(qtbot, lambda: page.flow.walk.order.keys.tolist() == expected)
    wait_for(
        qtbot,
        lambda: page.flow.ready if expected else page.parts.middle.currentWidget() is page.parts.message,
    )


def test_a_chip_takes_its_filter_away(qtbot: QtBot, page: GradePage) -> None:
    press(qtbot, page, "s")
    bar = page.parts.filter_bar
    bar._fill_menu()
    next(one for one in bar._menu.actions() if one.text() == "Skipped").trigger()
    wait_for(qtbot, lambda: page.flow.walk.order.keys.tolist() == [1])
    [chip] = [
        one
        for one in bar.findChildren(QPushButton)
        if one.accessibleName() == "Take the filter away: Skipped" and not one.isHidden()
    ]
    chip.click()
    wait_for(qtbot, lambda: page.flow.walk.order.keys.tolist() == [1, 2, 3])


def test_guidelines_are_read_and_written_beside_the_work(qtbot: QtBot, page: GradePage) -> None:
    press(qtbot, page, Qt.Key.Key_F2)
    guide = page.parts.guide
    assert guide.isVisible()
    assert page.parts.cards.isVisible()
    guide._edit.click()
    qtbot.keyClicks(guide._editor, "4 means: *answers it*")
    guide._edit.click()
    wait_for(qtbot, lambda: settings.value_of(page.project, "guidelines") == "4 means: *answers it*")
    wait_for(qtbot, lambda: "4 means: answers it" in guide._shown.toPlainText())


def test_a_query_has_a_difficulty_and_a_note(qtbot: QtBot, window: Window, page: GradePage) -> None:
    ask = asked(qtbot, window, page, "q")
    difficulty = ask.findChild(QComboBox)
    qtbot.keyClicks(ask.field, "two readings")
    qtbot.keyClick(ask.field, Qt.Key.Key_Backtab)
    qtbot.keyClicks(difficulty, "hard")
    qtbot.keyClick(difficulty, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    wait_for(qtbot, lambda: page.parts.head._note.text() == "Difficulty: hard; two readings")
    page.surroundings.actions["undo"].trigger()
    wait_for(qtbot, lambda: not page.parts.head._note.isVisible())


@pytest.mark.parametrize("key", ["q", "m"])
def test_a_note_that_is_left_is_there_again_also_after_a_restart(
    qtbot: QtBot, open_window: OpenWindow, window: Window, page: GradePage, key: str
) -> None:
    ask = asked(qtbot, window, page, key)
    qtbot.keyClicks(ask.field, "half a thought")
    qtbot.keyClick(ask.field, Qt.Key.Key_Escape)
    wait_for(qtbot, lambda: heard(window, "not kept yet"))
    assert judgments(page)[0].marks == {}
    path = window.session.path
    window.close()
    again = open_window(path)
    page = again.pages[0]
    wait_for(qtbot, lambda: page.flow.ready)
    ask = asked(qtbot, again, page, key)
    assert ask.text() == "half a thought"
    qtbot.keyClick(ask.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    wait_for(qtbot, lambda: "half a thought" in noted(page))
    ask = asked(qtbot, again, page, key)
    ask.field.setPlainText("another")
    again.heard.clear()
    ask.field.setPlainText("half a thought")
    ask.reject()
    assert not heard(again, "not kept yet"), "nothing was changed"


def test_a_note_that_is_left_belongs_to_its_candidate(qtbot: QtBot, window: Window, page: GradePage) -> None:
    qtbot.keyClicks((ask := asked(qtbot, window, page, "m")).field, "for the first")
    ask.reject()
    page.flow.move(1)
    ask = asked(qtbot, window, page, "m")
    assert ask.text() == ""
    ask.reject()
    page.flow.move(-1)
    ask = asked(qtbot, window, page, "m")
    assert ask.text() == "for the first"
    ask.field.clear()
    ask.reject()
    assert asked(qtbot, window, page, "m").text() == "", "it was taken away by hand"


@pytest.mark.parametrize("digit", range(1, len(REASONS) + 1))
def test_one_digit_gives_the_reason_why_one_cannot_tell(
    qtbot: QtBot, window: Window, page: GradePage, digit: int
) -> None:
    press(qtbot, page, "t")
    wait_for(qtbot, lambda: isinstance(QApplication.activeModalWidget(), Choose))
    choose = QApplication.activeModalWidget()
    wait_for(qtbot, choose.isActiveWindow)
    assert f"{digit}   {REASONS[digit - 1]}" in [one.text() for one in choose.findChildren(QPushButton)]
    qtbot.keyClick(QApplication.focusWidget(), str(digit))
    wait_for(qtbot, lambda: judgments(page)[0].state == "cannot_tell")
    assert judgments(page)[0].reason == REASONS[digit - 1]


def test_enter_in_the_empty_line_gives_no_reason(qtbot: QtBot, page: GradePage) -> None:
    press(qtbot, page, "t")
    wait_for(qtbot, lambda: isinstance(QApplication.activeModalWidget(), Choose))
    choose = QApplication.activeModalWidget()
    wait_for(qtbot, choose.isActiveWindow)
    choose.line.setFocus()
    qtbot.keyClick(choose.line, Qt.Key.Key_Return)
    assert choose.isVisible()
    qtbot.keyClick(choose.line, Qt.Key.Key_Backtab)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    wait_for(qtbot, lambda: judgments(page)[0].reason == REASONS[-1])


def asked(qtbot: QtBot, window: Window, page: GradePage, key: str) -> Ask:
    """Press a key and return the question that it asks, once the keys are in it."""
    window.activateWindow()
    wait_for(qtbot, lambda: window.isActiveWindow() and page.flow.ready)
    page.parts.cards.setFocus()
    press(qtbot, page, key)
    wait_for(qtbot, lambda: isinstance(QApplication.activeModalWidget(), Ask))
    ask = QApplication.activeModalWidget()
    assert isinstance(ask, Ask)
    wait_for(qtbot, lambda: ask.isActiveWindow() and ask.field.hasFocus())
    return ask


def noted(page: GradePage) -> str:
    """Return the notes on the query and its first candidate."""
    view = page.flow.prepared.view
    return f"{view.note} {view.candidates[0].judgment.marks.get('note', '')}"


def test_what_is_graded_skipped_and_not_told_is_counted_apart(qtbot: QtBot, page: GradePage) -> None:
    press(qtbot, page, "4", "s", "3")
    wait_for(qtbot, lambda: page.flow.position == 3 and page.flow.ready)
    press(qtbot, page, "t")
    wait_for(qtbot, lambda: isinstance(QApplication.activeModalWidget(), Choose))
    choose = QApplication.activeModalWidget()
    wait_for(qtbot, choose.isActiveWindow)
    qtbot.keyClick(QApplication.focusWidget(), "1")
    wait_for(qtbot, lambda: "CAN'T TELL" in page.parts.head._where.text())
    counts = "2 OF 6 GRADED  ·  1 SKIPPED  ·  1 CAN'T TELL"
    assert page.parts.head._where.text() == f"{page.flow.prepared.view.id}  ·  {counts}"
    wait_for(qtbot, lambda: page.model.data(page.model.index(0, 1)) == "4/6")


def test_the_grades_and_their_meanings_are_always_in_sight(qtbot: QtBot, page: GradePage) -> None:
    def words(at: int) -> list[str]:
        return [page.parts.cards.card(at).button(grade).word for grade in range(6)]

    assert words(0) == list(MEANINGS)
    assert words(1) == [""] * 6
    page.flow.move(1)
    assert words(1) == list(MEANINGS)
    assert words(2) == [""] * 6
    page.flow.move(-1)
    tips = [page.parts.cards.card(0).button(grade).toolTip() for grade in range(6)]
    assert tips == [f"{grade} · {meaning}" for grade, meaning in enumerate(MEANINGS)]
    press(qtbot, page, Qt.Key.Key_Space)
    wait_for(qtbot, lambda: page.reading.on)
    bar = page.parts.reader.grades
    assert [one.word for one in bar.buttons] == list(MEANINGS)
    assert all(one.isVisible() for one in bar.buttons)


def test_what_the_lead_calls_a_grade_is_said_of_the_last_judgments_too(qtbot: QtBot, page: GradePage) -> None:
    page.wishes.do(
        lambda project: settings.set_setting(project, "meanings", ["Off", "1", "2", "3", "4", "Spot on"])
    )
    wait_for(qtbot, lambda: page.parts.filter_bar.meanings[5] == "Spot on")
    press(qtbot, page, "5")
    newest = page.parts.recent.buttons[0]
    wait_for(qtbot, lambda: newest.isVisible() and ": Spot on" in newest.toolTip())
    assert ": Spot on" in newest.accessibleName()


def test_what_others_gave_stands_on_the_cards_once_the_project_and_blindness_allow_it(
    qtbot: QtBot, window: Window, page: GradePage
) -> None:
    grade_queries(window, qtbot, (1,), annotator="bo")
    settings.set_setting(page.project, "show_others", True)
    page.flow.reload()
    wait_for(qtbot, lambda: page.flow.ready)

    def said(position: int) -> str:
        cards = page.parts.cards
        return cards.card(position).accessibleName() if position in cards._cards else ""

    assert "bo" not in said(page.flow.position), "still blind"
    page.wishes.do(lambda project: blindness.unblind(project, 1))
    wait_for(qtbot, lambda: page.flow.ready and page.flow.prepared.view.revealed)
    page.flow.put_in_front(0)
    assert said(0).endswith("Unjudged, bo 5")
    press(qtbot, page, "3")
    wait_for(qtbot, lambda: page.flow.position == 1 and page.flow.ready)
    page.flow.move(-1)
    wait_for(qtbot, lambda: "Good" in said(0) and said(0).endswith("bo 5"))


def test_the_history_of_a_candidate_tells_nothing_of_others_while_one_is_blind(
    qtbot: QtBot, window: Window, page: GradePage
) -> None:
    grade_queries(window, qtbot, (1,), annotator="bo")
    for command, rows in (("history", 1), ("project_history", 6)):
        window.commands[command].trigger()
        wait_for(qtbot, lambda: window.findChild(HistoryDialog) is not None)
        dialog = window.findChild(HistoryDialog)
        table = dialog.table
        lines = [[table.item(row, at).text() for at in range(table.columnCount())] for row in range(rows)]
        assert {(line[1], line[2]) for line in lines} == {("bo", HIDDEN)}
        assert [table.isColumnHidden(at) for at in (3, 4)] == [command == "history"] * 2, "the title names it"
        dialog.close()
        wait_for(qtbot, lambda: window.findChild(HistoryDialog) is None)


def test_of_a_query_without_candidates_no_scores_are_said_to_be_hidden(
    qtbot: QtBot, tmp_path: Path, open_window: OpenWindow
) -> None:
    page = open_window(imported(tmp_path, {"queries.jsonl": '{"_id": "q", "text": "ducks"}'})).pages[0]
    wait_for(qtbot, lambda: page.parts.message.title == "Nothing to judge for this query")
    assert not page.parts.scores._why.isVisible()


def test_the_session_is_summed_up_and_ranks_nobody(qtbot: QtBot, page: GradePage) -> None:
    press(qtbot, page, "4", "4", "s")
    told = page.parts.filter_bar._progress
    wait_for(qtbot, lambda: told.text().startswith("3 of 18 done"))
    assert told.toolTip().startswith("This session: 3 in ")
    assert "4:\u00a02, skipped:\u00a01" in told.toolTip()


def test_while_a_project_opens_nothing_is_shown_of_a_query_that_is_not_there(
    qtbot: QtBot, window: Window, page: GradePage
) -> None:
    seen: list[tuple[bool, ...]] = []
    path = window.session.path
    window.close_project()

    def look() -> None:
        parts = window.pages[0].parts
        empty = parts.scores.findChild(QPushButton)
        seen.append((parts.head.isVisible(), empty.isVisible(), parts.message.isVisible()))

    window.project_opened.connect(look)
    window.open_project(path)
    wait_for(qtbot, lambda: bool(seen))
    assert seen[0] == (False, False, True)
    wait_for(qtbot, lambda: window.pages[0].flow.ready)
    top = window.pages[0].parts.list.y()
    wait_for(qtbot, lambda: "done" in window.pages[0].parts.filter_bar._progress.text())
    QApplication.processEvents()
    assert window.pages[0].parts.list.y() == top, "the list does not jump when the counts come"
    assert window.pages[0].parts.head.isVisible()
