"""The grading loop, line by line: every promise to the annotator has a test named after it."""

import json
from collections.abc import Callable
from itertools import chain, repeat
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QToolTip
from pytestqt.qtbot import QtBot

from annotator.desktop.actions import COMMANDS
from annotator.desktop.annotator_dialog import AnnotatorDialog
from annotator.desktop.grade.loop import TOO_EARLY
from annotator.desktop.grade.page import GradePage
from annotator.desktop.grade.plain_text import PlainText
from annotator.desktop.grade.timing import Stopwatch
from annotator.desktop.grade.wording_field import WordingField
from annotator.desktop.question import Ask, Choose, Confirm
from annotator.desktop.window import Window
from annotator.errors import UserError
from annotator.project import blindness, browse, history, judging
from annotator.project.project import Project
from annotator.project.views import Filters, JudgmentView
from annotator.records import GoldAnswer, GoldList
from tests.desktop.building import DOCUMENTS, imported, make_questions
from tests.desktop.conftest import PATIENCE, OpenWindow, heard


def press(qtbot: QtBot, page: GradePage, *keys: str | Qt.Key) -> None:
    """Press keys one after the other, each once the page is ready for it."""
    for key in keys:
        qtbot.waitUntil(lambda: page.flow.ready, timeout=PATIENCE)
        if isinstance(key, str):
            qtbot.keyClicks(page.parts.cards, key)
        else:
            qtbot.keyClick(page.parts.cards, key)
        qtbot.waitUntil(lambda: not page.flow.storing, timeout=PATIENCE)


def judgments(page: GradePage) -> list[JudgmentView]:
    assert page.flow.prepared is not None
    return [one.judgment for one in page.flow.prepared.view.candidates]


def stored(path: Path, query: int, annotator: str = "ann") -> dict[str, int | None]:
    with Project.open(path, annotator=annotator) as project:
        return {one.id: one.judgment.grade for one in browse.query(project, query).candidates}


def wait_for(qtbot: QtBot, condition: Callable[[], bool]) -> None:
    qtbot.waitUntil(condition, timeout=PATIENCE)


def test_pressing_a_digit_stores_the_grade_and_moves_on(
    qtbot: QtBot, window: Window, page: GradePage
) -> None:
    first = page.flow.prepared.view.candidates[0]
    press(qtbot, page, "4")
    assert page.flow.position == 1
    assert judgments(page)[0].grade == 4
    path, query = window.session.path, page.flow.query
    window.close()
    assert stored(path, query)[first.id] == 4


@pytest.mark.parametrize("grade", range(6))
def test_the_number_pad_grades_like_the_digit_row(qtbot: QtBot, page: GradePage, grade: int) -> None:
    qtbot.keyClick(page.parts.cards, Qt.Key(Qt.Key.Key_0 + grade), Qt.KeyboardModifier.KeypadModifier)
    wait_for(qtbot, lambda: judgments(page)[0].grade == grade)


def test_a_key_held_down_grades_once(qtbot: QtBot, window: Window, page: GradePage) -> None:
    """What is sent anew while a key is held reaches no command, and no widget that would grade by it."""
    assert {command.name for command in COMMANDS if window.commands[command.name].autoRepeat()} == {
        "next_candidate",
        "previous_candidate",
    }
    press(qtbot, page, "3")
    for target in (page.parts.cards, page.parts.cards.card(1), page.parts.cards.card(1).button(3)):
        event = QKeyEvent(QKeyEvent.Type.KeyPress, Qt.Key.Key_3, Qt.KeyboardModifier.NoModifier, "3", True)
        QApplication.sendEvent(target, event)
    press(qtbot, page, "2")
    assert [one.grade for one in judgments(page)][:3] == [3, 2, None]


def test_keys_do_nothing_while_a_text_field_has_the_focus(qtbot: QtBot, page: GradePage) -> None:
    page.parts.head.line.setFocus()
    qtbot.keyClicks(page.parts.head.line, "4 snup")
    assert page.parts.head.line.text() == "4 snup"
    assert not page.flow.storing
    assert {one.state for one in judgments(page)} == {None}


def test_ctrl_z_goes_to_the_focused_text_field_first(qtbot: QtBot, page: GradePage) -> None:
    press(qtbot, page, "4")
    field = page.parts.head.line
    field.setFocus()
    qtbot.keyClicks(field, "Ada")
    qtbot.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert field.text() == ""
    assert judgments(page)[0].grade == 4


def test_several_digits_pressed_at_once_all_count_in_order(qtbot: QtBot, page: GradePage) -> None:
    qtbot.keyClicks(page.parts.cards, "5432")
    wait_for(qtbot, lambda: [one.grade for one in judgments(page)] == [5, 4, 3, 2, None, None])


@pytest.mark.parametrize(("milliseconds", "quick"), [(249, True), (250, False)])
def test_a_judgment_faster_than_250_ms_is_stored_and_marked(
    qtbot: QtBot, page: GradePage, milliseconds: int, quick: bool
) -> None:
    times = chain([0], repeat(milliseconds))
    page.flow.stopwatch = Stopwatch(lambda: next(times))
    qtbot.keyClicks(page.parts.cards, "5")
    wait_for(qtbot, lambda: judgments(page)[0].grade == 5)
    assert judgments(page)[0].milliseconds == milliseconds
    assert judgments(page)[0].quick == quick


def test_no_digit_reaches_a_query_before_it_is_painted(qtbot: QtBot, page: GradePage) -> None:
    first = page.flow.query
    said = []
    page.said.connect(said.append)
    press(qtbot, page, *"55555")
    qtbot.keyClicks(page.parts.cards, "5000")  # the first completes the query, three come too early
    wait_for(qtbot, lambda: page.flow.query != first)
    wait_for(qtbot, lambda: page.flow.ready)
    assert {one.state for one in judgments(page)} == {None}
    assert said == [TOO_EARLY]


@pytest.mark.parametrize("key", ["t", "m"])
def test_words_asked_for_on_one_query_reach_no_other(
    qtbot: QtBot, window: Window, page: GradePage, key: str
) -> None:
    first, told = page.flow.query, list[object]()
    page.said.connect(told.append)
    press(qtbot, page, key)
    page.changed.connect(told.append)
    wait_for(qtbot, lambda: window.findChild(Choose if key == "t" else Ask) is not None)
    ask = window.findChild(Choose if key == "t" else Ask)
    wait_for(qtbot, ask.isActiveWindow)
    field = ask.line if isinstance(ask, Choose) else ask.field
    page.flow.step(1)  # as the pause behind a query does
    wait_for(qtbot, lambda: page.flow.query != first and page.flow.ready)
    qtbot.keyClicks(field, "why")
    qtbot.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    wait_for(qtbot, lambda: bool(told))
    assert (told == [TOO_EARLY]) == (key == "t")
    states = {
        (one.judgment.state, one.judgment.marks.get("note"))
        for one in browse.query(page.project, page.flow.query).candidates
    }
    assert states == {(None, None)}
    kept = {one.judgment.marks.get("note") for one in browse.query(page.project, first).candidates}
    assert kept == ({None} if key == "t" else {None, "why"})


def test_a_complete_query_says_so_and_leads_to_the_next_without_a_key(qtbot: QtBot, page: GradePage) -> None:
    first = page.flow.query
    press(qtbot, page, *"555555")
    wait_for(qtbot, lambda: page.parts.middle.currentWidget() is page.parts.message)
    wait_for(qtbot, lambda: page.flow.query != first and page.flow.ready)
    assert page.parts.cards.isVisible()
    assert not page.reading.on
    assert page.flow.position == 0


def test_undo_takes_back_the_last_grade_and_shows_it(qtbot: QtBot, page: GradePage) -> None:
    press(qtbot, page, "4", "2")
    qtbot.keyClick(page.parts.cards, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    wait_for(qtbot, lambda: judgments(page)[1].state is None)
    assert page.flow.position == 1
    assert judgments(page)[0].grade == 4
    shift = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(page.parts.cards, Qt.Key.Key_Z, shift)
    wait_for(qtbot, lambda: judgments(page)[1].grade == 2)


def test_taking_away_nothing_is_said_and_is_not_what_undo_takes_back(
    qtbot: QtBot, window: Window, page: GradePage
) -> None:
    press(qtbot, page, "4")
    recorded = len(history.history(page.project))
    press(qtbot, page, Qt.Key.Key_Backspace)
    wait_for(qtbot, lambda: heard(window, "no grade here to take away"))
    assert len(history.history(page.project)) == recorded
    qtbot.keyClick(page.parts.cards, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    wait_for(qtbot, lambda: heard(window, "Undone: grade 4"))


def test_undo_takes_its_turn_among_keys_that_are_pressed_faster_than_they_are_stored(
    qtbot: QtBot, page: GradePage
) -> None:
    for keys in ("54", "z", "3", "zz", "1"):
        for key in keys:
            if key == "z":
                qtbot.keyClick(page.parts.cards, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
            else:
                qtbot.keyClicks(page.parts.cards, key)
    wait_for(qtbot, lambda: [one.grade for one in judgments(page)] == [1, None, None, None, None, None])
    wait_for(qtbot, lambda: page.flow.ready and page.flow.position == 1)


def test_undo_works_after_a_restart(qtbot: QtBot, open_window: OpenWindow, project_path: Path) -> None:
    first = open_window(project_path)
    page = first.pages[0]
    press(qtbot, page, "4")
    query = page.flow.query
    first.close()
    second = open_window(project_path)
    page = second.pages[0]
    wait_for(qtbot, lambda: page.flow.ready)
    assert page.flow.query == query
    assert judgments(page)[0].grade == 4
    qtbot.keyClick(page.parts.cards, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    wait_for(qtbot, lambda: judgments(page)[0].state is None)


def test_ranks_scores_and_systems_stay_hidden_until_the_query_is_complete(
    qtbot: QtBot, page: GradePage
) -> None:
    first = page.flow.query
    view = page.flow.prepared.view
    assert not view.revealed
    assert [one.places for one in view.candidates] == [()] * 6
    assert page.parts.scores.hidden
    press(qtbot, page, *"543210")
    wait_for(qtbot, lambda: page.flow.query != first and page.flow.ready)
    assert page.parts.scores.hidden
    press(qtbot, page, "p")
    wait_for(qtbot, lambda: page.flow.query == first and not page.parts.scores.hidden)
    assert page.flow.prepared.view.candidates[0].places


def test_unblinding_is_asked_and_recorded(qtbot: QtBot, window: Window, page: GradePage) -> None:
    press(qtbot, page, "b")
    box = window.findChild(Confirm)
    assert box is not None
    next(one for one in box.buttons.buttons() if one.text() == "Show").click()
    wait_for(qtbot, lambda: page.flow.prepared.view.unblinded and not page.parts.scores.hidden)
    path, query = window.session.path, page.flow.query
    window.close()
    with Project.open(path, annotator="ann") as project:
        assert "unblind" in [line.task for line in history.history(project, query)]


def test_enter_leaves_the_ranks_hidden(qtbot: QtBot, window: Window, page: GradePage) -> None:
    press(qtbot, page, "b")
    box = window.findChild(Confirm)
    wait_for(qtbot, box.isActiveWindow)
    qtbot.keyClick(box.focusWidget(), Qt.Key.Key_Return)
    wait_for(qtbot, lambda: window.findChild(Confirm) is None)
    assert "unblind" not in [line.task for line in history.history(page.project, page.flow.query)]


def test_every_state_has_its_key(qtbot: QtBot, window: Window, page: GradePage) -> None:
    press(qtbot, page, "s")
    wait_for(qtbot, lambda: judgments(page)[0].state == "skipped")
    press(qtbot, page, "t")
    choose = window.findChild(Choose)
    wait_for(qtbot, choose.isActiveWindow)
    for letter in "In Welsh":
        qtbot.keyClicks(QApplication.focusWidget(), letter)
    qtbot.keyClick(choose.line, Qt.Key.Key_Return)
    wait_for(qtbot, lambda: judgments(page)[1].state == "cannot_tell")
    assert judgments(page)[1].reason == "In Welsh", "a reason of one's own takes the place of the offered one"
    assert judgments(page)[1].grade is None
    window.activateWindow()  # as a window manager does when the dialog goes
    wait_for(qtbot, window.isActiveWindow)
    press(qtbot, page, "f")
    wait_for(qtbot, lambda: judgments(page)[2].marks == {"flag": True})
    assert judgments(page)[2].state is None


def test_grades_count_in_the_full_text_when_the_query_is_read_anew_below_it(
    qtbot: QtBot, page: GradePage
) -> None:
    press(qtbot, page, Qt.Key.Key_Space)
    wait_for(qtbot, lambda: page.reading.on)
    page.flow.reload()
    assert not page.flow.ready
    wait_for(qtbot, lambda: page.flow.ready)
    assert page.reading.on
    qtbot.keyClick(page.parts.reader, "4")
    wait_for(qtbot, lambda: judgments(page)[0].grade == 4)


def test_the_full_text_may_be_opened_before_the_cards_are_painted(qtbot: QtBot, page: GradePage) -> None:
    page.flow.query_shown.connect(lambda _: page.reading.open())
    page.flow.reload()
    wait_for(qtbot, lambda: page.reading.on and page.flow.ready)


def test_a_note_is_kept(qtbot: QtBot, window: Window, page: GradePage) -> None:
    press(qtbot, page, "m")
    ask = window.findChild(Ask)
    wait_for(qtbot, ask.isActiveWindow)
    qtbot.keyClicks(ask.field, "look again")
    qtbot.keyClick(ask.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    wait_for(qtbot, lambda: judgments(page)[0].marks == {"note": "look again"})


def test_the_last_ten_judgments_lead_back_to_their_candidates(qtbot: QtBot, page: GradePage) -> None:
    press(qtbot, page, "4", "1")
    wait_for(qtbot, lambda: sum(one.isVisible() for one in page.parts.recent.buttons) == 2)
    buttons = page.parts.recent.buttons
    assert [one.recent.judgment.grade for one in buttons[:2]] == [1, 4]
    buttons[1].click()
    wait_for(qtbot, lambda: page.flow.position == 0)
    press(qtbot, page, "2")
    assert judgments(page)[0].grade == 2


def test_a_grade_that_cannot_be_stored_comes_back_and_is_told(
    qtbot: QtBot, window: Window, page: GradePage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise UserError("The disk is full. What you graded before is safe.")

    monkeypatch.setattr(judging, "set_grade", refuse)
    qtbot.keyClicks(page.parts.cards, "4")
    wait_for(qtbot, lambda: heard(window, "disk is full"))
    assert page.flow.position == 0
    assert judgments(page)[0].state is None
    assert "Unjudged" in page.parts.cards.card(0).accessibleName()


def test_grading_by_a_button_is_grading(qtbot: QtBot, page: GradePage) -> None:
    card = page.parts.cards.card(0)
    qtbot.mouseClick(card.button(3), Qt.MouseButton.LeftButton)
    wait_for(qtbot, lambda: judgments(page)[0].grade == 3)
    assert page.flow.position == 1


def test_the_time_of_a_grade_by_a_button_counts_from_the_judgment_before(
    qtbot: QtBot, page: GradePage
) -> None:
    """Not from the press, which also puts the card in front: that would be a grade in no time."""
    times = chain([0], repeat(4_000))
    page.flow.stopwatch = Stopwatch(lambda: next(times))
    qtbot.mouseClick(page.parts.cards.card(2).button(3), Qt.MouseButton.LeftButton)
    wait_for(qtbot, lambda: judgments(page)[2].grade == 3)
    assert judgments(page)[2].milliseconds == 4_000
    assert not judgments(page)[2].quick


def test_a_button_pressed_before_its_query_is_painted_comes_up_again(qtbot: QtBot, page: GradePage) -> None:
    page.flow._painted = False
    button = page.parts.cards.card(1).button(4)
    button.click()
    assert not button.isChecked()
    page.flow.painted(page.flow.query)
    button.click()
    wait_for(qtbot, lambda: judgments(page)[1].grade == 4)


def test_a_button_pressed_while_another_grade_is_stored_grades_its_own_card(
    qtbot: QtBot, page: GradePage
) -> None:
    qtbot.keyClicks(page.parts.cards, "4")
    page.parts.cards.card(2).button(1).click()
    wait_for(qtbot, lambda: [one.grade for one in judgments(page)][:3] == [4, None, 1])


def test_a_screen_readers_own_action_grades(qtbot: QtBot, page: GradePage) -> None:
    from PySide6.QtGui import QAccessible

    button = page.parts.cards.card(1).button(5)
    seen = QAccessible.queryAccessibleInterface(button)
    assert seen.text(QAccessible.Text.Name) == "Grade 5, Perfect"
    actions = seen.actionInterface()
    actions.doAction(actions.actionNames()[0])
    wait_for(qtbot, lambda: judgments(page)[1].grade == 5)


def test_space_opens_the_full_text_and_goes_back(qtbot: QtBot, page: GradePage) -> None:
    press(qtbot, page, Qt.Key.Key_Space)
    wait_for(qtbot, lambda: page.reading.on)
    assert page.parts.reader.candidate == page.flow.prepared.view.candidates[0]
    qtbot.keyClick(page.parts.reader, Qt.Key.Key_Space)
    assert page.parts.cards.isVisible()
    assert not page.reading.on


def test_grading_goes_on_while_reading(qtbot: QtBot, page: GradePage) -> None:
    press(qtbot, page, Qt.Key.Key_Space)
    wait_for(qtbot, lambda: page.reading.on)
    qtbot.keyClick(QApplication.focusWidget() or page.parts.reader, Qt.Key.Key_4)
    wait_for(qtbot, lambda: judgments(page)[0].grade == 4)
    wait_for(qtbot, lambda: page.parts.reader.candidate == page.flow.prepared.view.candidates[1])


def test_the_arrows_and_letters_walk(qtbot: QtBot, page: GradePage) -> None:
    first = page.flow.query
    press(qtbot, page, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up)
    assert page.flow.position == 1
    press(qtbot, page, "n")
    wait_for(qtbot, lambda: page.flow.query != first and page.flow.ready)
    press(qtbot, page, "p")
    wait_for(qtbot, lambda: page.flow.query == first and page.flow.ready)
    press(qtbot, page, "4", Qt.Key.Key_Up, "j")
    assert page.flow.position == 1


def test_highlighting_can_be_switched_off(qtbot: QtBot, page: GradePage) -> None:
    assert page.parts.cards.card(0).passage.marked.words
    press(qtbot, page, "h")
    assert not page.parts.cards.show_marks
    assert not page.parts.cards.card(0).passage.looks()


def test_the_query_filters_and_sizes_are_remembered(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path
) -> None:
    window = open_window(project_path)
    window.resize(1440, 780)
    page = window.pages[0]
    assert not page.parts.folded
    press(qtbot, page, "n", "n")
    last = page.flow.walk.order.keys[2]
    wait_for(qtbot, lambda: page.flow.query == last)
    filters = Filters(states=("unjudged",), order="by query", assigned=True)
    page.parts.filter_bar.show_filters(filters)
    page.parts.filter_bar.filters_changed.emit(filters)
    wait_for(qtbot, lambda: page.flow.walk.filters == filters and page.flow.ready)
    page.parts.moveSplitter(page.parts.handle(1).x() + 40, 1)
    widths = page.parts.sizes()
    window.close()
    opened = open_window(project_path)
    opened.resize(1440, 780)  # the window's own size would not fit the screen of the tests
    again = opened.pages[0]
    wait_for(qtbot, lambda: again.flow.ready)
    assert again.flow.query == last
    assert again.flow.walk.filters == again.parts.filter_bar.filters == filters
    wait_for(qtbot, lambda: again.parts.sizes() == widths)


@pytest.mark.parametrize(
    ("keys", "filters", "found"),
    [
        ("3s", Filters(states=("skipped",)), ("skipped", None, False)),
        ("34", Filters(grades=(4,)), ("graded", 4, False)),
        ("345321", Filters(grades=(5,)), ("graded", 5, False)),
        ("3f", Filters(states=("flag",)), (None, None, True)),
        ("345", Filters(states=("unjudged",)), (None, None, False)),
        ("345", Filters(), (None, None, False)),
    ],
)
def test_a_filter_leads_to_the_candidate_that_it_asks_for(
    qtbot: QtBot, page: GradePage, keys: str, filters: Filters, found: tuple[str | None, int | None, bool]
) -> None:
    first = page.flow.query
    press(qtbot, page, *keys)
    if len(keys) < DOCUMENTS:  # else the next query comes by itself
        page.flow.go(2)
    wait_for(qtbot, lambda: page.flow.ready and page.flow.query == 2 != first)
    with qtbot.waitSignal(page.flow.walk.chosen, timeout=PATIENCE):
        page.parts.filter_bar.filters_changed.emit(filters)
    page.flow.go(first)
    wait_for(qtbot, lambda: page.flow.ready and page.flow.query == first)
    front = judgments(page)[page.flow.position]
    assert (front.state, front.grade, front.marks.get("flag", False)) == found


def test_an_answer_being_typed_is_there_after_closing(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path
) -> None:
    window = open_window(project_path)
    page = window.pages[0]
    wait_for(qtbot, lambda: page.flow.ready)
    field: QLineEdit = page.parts.head.line
    field.setFocus()
    qtbot.keyClicks(field, "half an ans")
    window.close()
    again = open_window(project_path).pages[0]
    wait_for(qtbot, lambda: again.flow.ready)
    assert again.parts.head.line.text() == "half an ans"


def test_a_digit_goes_on_into_the_answer_being_typed_when_another_page_was_looked_at(
    qtbot: QtBot, window: Window, page: GradePage
) -> None:
    field: QLineEdit = page.parts.head.line
    page.parts.head.offer_gold(True)
    field.setFocus()
    qtbot.keyClicks(field, "route 6")
    for number in (1, 0):
        window.stack.show_page(number)
        wait_for(qtbot, window.pages[number].isVisible)
    assert window.focusWidget() is field
    qtbot.keyClicks(window.focusWidget(), "6")
    assert field.text() == "route 66"
    assert all(one.state is None for one in judgments(page))


def test_the_keys_belong_to_the_candidates_after_every_pause(qtbot: QtBot, page: GradePage) -> None:
    """Space in the next query must open its text: a grade button that got the focus would be pressed."""
    first = page.flow.query
    press(qtbot, page, *"433221")
    wait_for(qtbot, lambda: page.flow.ready and page.flow.query != first)
    assert page.window().focusWidget() is page.parts.cards
    qtbot.keyClick(page.window().focusWidget(), Qt.Key.Key_Space)
    wait_for(qtbot, lambda: page.reading.on)
    assert all(one.state is None for one in judgments(page))


def test_a_search_that_answers_leaves_the_keys_to_the_search_field(
    qtbot: QtBot, window: Window, page: GradePage
) -> None:
    """One who pauses while typing goes on typing: no letter is a command, no digit a grade."""
    qtbot.keyClick(page.parts.cards, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    field = window.focusWidget()
    assert isinstance(field, QLineEdit)
    qtbot.keyClicks(field, "moons")
    wait_for(qtbot, lambda: len(page.flow.walk.order.keys) == 1 and page.flow.ready)
    assert window.focusWidget() is field
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert window.focusWidget() is page.parts.cards


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Escape])
def test_enter_and_esc_lead_from_the_search_back_to_the_candidates(
    qtbot: QtBot, window: Window, page: GradePage, key: Qt.Key
) -> None:
    window.header.search()
    qtbot.keyClick(window.focusWidget(), key)
    assert window.focusWidget() is page.parts.cards


def test_a_short_query_after_a_long_one_shows_its_candidates(
    qtbot: QtBot, open_window: OpenWindow, tmp_path: Path
) -> None:
    """The long list was scrolled: what was laid out for it is not asked for in the short one."""
    corpus = [{"_id": f"d{n}", "text": "Nothing to see in this sentence. " * 9} for n in range(12)]
    queries = [{"_id": "q1", "text": "a long one"}, {"_id": "q2", "text": "a short one"}]
    run = [f"q1 Q0 d{n} {n + 1} {50 - n} sys" for n in range(12)] + ["q2 Q0 d3 1 9 sys"]
    files = {
        "queries.jsonl": "\n".join(map(json.dumps, queries)),
        "corpus.jsonl": "\n".join(map(json.dumps, corpus)),
        "sys.run": "\n".join(run),
    }
    window = open_window(imported(tmp_path / "two", files))
    page = window.pages[0]
    wait_for(qtbot, lambda: page.flow.ready)
    for _ in range(9):
        qtbot.keyClick(page.parts.cards, Qt.Key.Key_Down)
    assert page.parts.cards.verticalScrollBar().value() > 0
    qtbot.keyClick(page.parts.cards, Qt.Key.Key_N)
    wait_for(qtbot, lambda: page.flow.ready and page.flow.prepared.view.id == "q2")
    assert page.parts.cards.card(0).isVisible()


def test_a_query_one_goes_to_stays_in_front_while_the_next_open_one_is_looked_for(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path
) -> None:
    with Project.open(project_path, "ann") as project:
        for one in browse.query(project, 1).candidates:
            judging.set_grade(project, 1, one.key, 3)
    page = open_window(project_path).pages[0]
    wait_for(qtbot, lambda: page.flow.ready and page.flow.query == 2)
    page.show_query(1)
    wait_for(qtbot, lambda: page.flow.ready and page.flow.query == 1)
    walk = page.flow.walk
    with qtbot.waitSignal(walk.known, timeout=PATIENCE):
        walk._ask_open(walk._asked, seek=True)
        page.show_query(1)
    wait_for(qtbot, lambda: page.flow.ready)
    assert page.flow.query == 1


def test_the_keys_belong_to_the_candidates_once_a_name_is_chosen(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path
) -> None:
    window = open_window(annotator="")
    with qtbot.waitSignal(window.project_opened, timeout=PATIENCE):
        window.open_project(project_path)
    wait_for(qtbot, lambda: bool(window.findChildren(AnnotatorDialog)))
    [dialog] = window.findChildren(AnnotatorDialog)
    field = dialog.findChild(QLineEdit)
    qtbot.keyClicks(field, "Mara")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    wait_for(qtbot, lambda: window.session.project.annotator == "Mara" and window.pages[0].flow.ready)
    assert window.focusWidget() is window.pages[0].parts.cards


def test_the_pace_of_one_annotator_is_not_told_as_that_of_the_next(
    qtbot: QtBot, window: Window, page: GradePage
) -> None:
    press(qtbot, page, *"43210")
    labels = page.parts.filter_bar.findChildren(QLabel)
    wait_for(qtbot, lambda: any("an hour" in one.text() for one in labels))
    [progress] = [one for one in labels if "an hour" in one.text()]
    window.dialogs.ask_annotator()
    wait_for(qtbot, lambda: bool(window.findChildren(AnnotatorDialog)))
    field = window.findChildren(AnnotatorDialog)[0].findChild(QLineEdit)
    qtbot.keyClicks(field, "Tom")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    wait_for(qtbot, lambda: progress.text().startswith("0 of"))
    assert "an hour" not in progress.text()
    assert progress.toolTip() == "Nothing judged in this session yet."


def test_esc_leads_from_typing_a_gold_answer_back_to_the_candidates(qtbot: QtBot, page: GradePage) -> None:
    qtbot.keyClick(page.parts.cards, Qt.Key.Key_G)
    field = page.window().focusWidget()
    assert field is page.parts.gold.line
    qtbot.keyClicks(field, "half typed")
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert page.window().focusWidget() is page.parts.cards
    assert page.parts.gold.line.text() == "half typed"


def test_esc_leads_from_the_search_to_the_text_and_from_there_to_the_candidates(
    qtbot: QtBot, page: GradePage
) -> None:
    qtbot.keyClick(page.parts.cards, Qt.Key.Key_Space)
    wait_for(qtbot, lambda: page.reading.on)
    qtbot.keyClick(page.window().focusWidget(), Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert page.window().focusWidget() is page.parts.reader.searched.line
    qtbot.keyClick(page.parts.reader.searched.line, Qt.Key.Key_Escape)
    assert page.reading.on
    qtbot.keyClick(page.window().focusWidget(), Qt.Key.Key_Escape)
    assert not page.reading.on
    assert page.window().focusWidget() is page.parts.cards


def test_the_text_of_an_answer_is_shown_once_and_a_note_on_it_is_headed_by_its_words(
    qtbot: QtBot, open_window: OpenWindow, tmp_path: Path
) -> None:
    window = open_window(make_questions(tmp_path / "questions", 1))
    page = window.pages[0]
    wait_for(qtbot, lambda: page.flow.ready)
    words = page.flow.prepared.view.candidates[0].text
    qtbot.keyClick(page.parts.cards, Qt.Key.Key_Space)
    heads = {one.text() for one in page.parts.reader.findChildren(QLabel)}
    assert ("Answer" in heads, words in heads) == (True, False)
    assert page.parts.reader.findChildren(PlainText)[0].toPlainText() == words
    qtbot.keyClick(page.parts.reader, Qt.Key.Key_M)
    assert words in {
        one.text().removeprefix("Note on “").removesuffix("”")
        for one in window.findChild(Ask).findChildren(QLabel)
    }


def gold_of(page: GradePage, query: int = 1) -> list[str]:
    return [one.text for one in browse.query(page.project, query).gold]


def test_answers_entered_faster_than_they_are_stored_are_all_kept_in_order(
    qtbot: QtBot, page: GradePage
) -> None:
    for line in (page.parts.gold.line, page.parts.head.line):
        line.setFocus()
        for text in ("a", "b", "c", "d"):
            qtbot.keyClicks(line, f"{text} of {line.accessibleName()}")
            qtbot.keyClick(line, Qt.Key.Key_Return)
    names = [line.accessibleName() for line in (page.parts.gold.line, page.parts.head.line)]
    wanted = [f"{text} of {name}" for name in names for text in "abcd"]
    assert [one.text for one in page.wishes._view().gold] == wanted, "they are shown at once"
    wait_for(qtbot, lambda: gold_of(page) == wanted)
    wait_for(qtbot, lambda: page.flow.ready and not page.wishes._gold)
    assert [one.text for one in page.flow.prepared.view.gold] == wanted


def test_begun_answers_stay_with_their_query_and_annotator(
    qtbot: QtBot, open_window: OpenWindow, window: Window, page: GradePage
) -> None:
    fields = page.parts.head.line, page.parts.gold.line
    for field, text in zip(fields, ("half", "quarter"), strict=True):
        qtbot.keyClicks(field, text)
    page.flow.go(2)
    wait_for(qtbot, lambda: page.flow.ready and page.flow.query == 2)
    assert [field.text() for field in fields] == ["", ""]
    page.flow.go(1)
    wait_for(qtbot, lambda: page.flow.ready and page.flow.query == 1)
    assert [field.text() for field in fields] == ["half", "quarter"]
    window.dialogs._use_annotator("Tom")
    wait_for(qtbot, lambda: page.project.annotator == "Tom" and [one.text() for one in fields] == ["", ""])
    window.dialogs._use_annotator("ann")
    wait_for(qtbot, lambda: [one.text() for one in fields] == ["half", "quarter"])
    path = window.session.path
    window.close()
    again = open_window(path).pages[0]
    wait_for(qtbot, lambda: again.flow.ready)
    assert [again.parts.head.line.text(), again.parts.gold.line.text()] == ["half", "quarter"]


def test_an_answer_that_is_being_reworded_is_stored_on_closing(
    qtbot: QtBot, window: Window, page: GradePage
) -> None:
    page.wishes.set_gold(GoldList(page.flow.prepared.view.id, (GoldAnswer("volcano"),)))
    wait_for(qtbot, lambda: page.flow.ready and not page.wishes._gold and gold_of(page) == ["volcano"])
    tree = page.parts.gold.tree
    page.parts.side.setCurrentWidget(page.parts.gold)
    tree.setFocus()
    qtbot.keyClick(tree, Qt.Key.Key_Return)
    wait_for(qtbot, lambda: bool(tree.viewport().findChildren(WordingField)))
    [field] = tree.viewport().findChildren(WordingField)
    field.setPlainText("volcanoes")
    path = window.session.path
    window.close()
    with Project.open(path, annotator="ann") as project:
        assert [one.text for one in browse.query(project, 1).gold] == ["volcanoes"]


def test_without_a_query_no_answer_can_be_typed_and_no_scores_are_left(qtbot: QtBot, page: GradePage) -> None:
    query = page.flow.query
    page.wishes.do(lambda project: blindness.unblind(project, query))
    wait_for(qtbot, lambda: not page.parts.scores.hidden)
    page.search_for("zzzz")
    wait_for(qtbot, lambda: page.flow.query is None)
    assert page.parts.scores.hidden
    assert not page.parts.gold.isEnabled()
    assert page.parts.gold.tree.topLevelItemCount() == 0
    page.search_for("")
    wait_for(qtbot, lambda: page.flow.query is not None)
    assert page.parts.gold.isEnabled()


def test_unanswerable_takes_the_place_of_answers(
    qtbot: QtBot, page: GradePage, monkeypatch: pytest.MonkeyPatch
) -> None:
    said, told = list[str](), list[str]()
    monkeypatch.setattr(QToolTip, "showText", lambda _place, text, _field: told.append(text))
    page.said.connect(said.append)
    view = page.flow.prepared.view
    page.wishes.set_gold(GoldList(view.id, (GoldAnswer("volcano"),)))
    wait_for(qtbot, lambda: not page.wishes._gold and gold_of(page) == ["volcano"])
    box = page.parts.gold.unanswerable
    press(qtbot, page, "u")
    box.click()
    assert [one.startswith("Remove the gold answers first") for one in said] == [True, True]
    assert (box.isChecked(), gold_of(page)) == (False, ["volcano"])
    page.wishes.set_gold(GoldList(view.id, ()))
    box.click()
    wait_for(qtbot, lambda: browse.query(page.project, 1).unanswerable and box.isChecked())
    assert page.parts.gold.line.placeholderText() == "No answer: marked unanswerable"
    press(qtbot, page, "g")
    assert box.hasFocus()
    qtbot.keyClicks(box, "19s")
    assert [one.startswith("Nothing is written or graded") for one in told] == [True] * 3
    press(qtbot, page, "u")
    wait_for(qtbot, lambda: not browse.query(page.project, 1).unanswerable and not box.isChecked())
    assert not any(one.judgment.state for one in browse.query(page.project, 1).candidates)
