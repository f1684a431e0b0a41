"""Several candidates in one action on the Grade page: the question before it, what follows, undo."""

import json
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from annotator.desktop.actions import COMMANDS
from annotator.desktop.dialog import Standard
from annotator.desktop.grade.page import GradePage
from annotator.desktop.grade.together import CONSEQUENCE, NO_GRADE_YET, NOTHING_ALIKE, NOTHING_OPEN
from annotator.desktop.question import Confirm
from annotator.desktop.window import Window
from annotator.project import browse, history
from annotator.text.counts import counted
from tests.desktop.building import imported
from tests.desktop.conftest import PATIENCE, OpenWindow, heard
from tests.desktop.grade.test_grading_loop import judgments, press, stored, wait_for

CONTROL = Qt.KeyboardModifier.ControlModifier


def ask(qtbot: QtBot, page: GradePage) -> Confirm:
    """Press the key and return the question."""
    qtbot.keyClick(page.parts.cards, Qt.Key.Key_0, CONTROL)
    wait_for(qtbot, lambda: isinstance(QApplication.activeModalWidget(), Confirm))
    question = QApplication.activeModalWidget()
    assert isinstance(question, Confirm)
    return question


def answer(qtbot: QtBot, question: Confirm, words: str) -> None:
    """Take the button with these words by the keyboard."""
    [wanted] = [one for one in question.buttons.buttons() if one.text().replace("&", "") == words]
    while question.focusWidget() is not wanted:
        qtbot.keyClick(question, Qt.Key.Key_Tab)
    window = question.parentWidget().window()
    qtbot.keyClick(wanted, Qt.Key.Key_Space)
    window.activateWindow()  # as a window manager does when the question goes
    qtbot.waitUntil(window.isActiveWindow, timeout=PATIENCE)


def end(qtbot: QtBot, page: GradePage) -> None:
    qtbot.waitUntil(lambda: page.flow.ready, timeout=PATIENCE)


def test_no_letter_and_no_digit_alone_gives_several_grades() -> None:
    (rest,) = (one for one in COMMANDS if one.name == "rest")
    assert all("+" in key for key in rest.keys)


def test_the_question_says_what_becomes_of_which_and_undo_takes_it_back(
    qtbot: QtBot, window: Window, page: GradePage
) -> None:
    first, title = page.flow.query, page.flow.prepared.view.title
    press(qtbot, page, "4", "s")
    question = ask(qtbot, page)
    assert question.asked.text() == f"Give grade 0 to the 4 unjudged candidates of “{title}”?"
    assert question.more.text() == (
        "These are all that you have not judged, also those that you never looked at. "
        f"1 skipped stays as it is. Ctrl+Z takes it back, all of it at once.\n\n{CONSEQUENCE}"
    )
    assert question.buttons.button(Standard.Cancel).isDefault()
    answer(qtbot, question, "Give 0 to 4 candidates")
    wait_for(qtbot, lambda: page.flow.query != first)
    assert heard(window, f"Given: grade 0 for the rest of “{title}”: 4 candidates")
    end(qtbot, page)
    view = browse.query(page.project, first)
    assert sorted(str(one.judgment.grade) for one in view.candidates) == ["0", "0", "0", "0", "4", "None"]
    assert page.flow.pace.summary().endswith("4:\u00a01, skipped:\u00a01; 4 given together")
    assert page.tally.of(own_queue=False)[0] == 6
    qtbot.keyClick(page.parts.cards, Qt.Key.Key_Z, CONTROL)
    wait_for(qtbot, lambda: page.flow.query == first and page.flow.ready)
    assert [one.state for one in judgments(page)][:2] == ["graded", "skipped"]
    assert [one.state for one in judgments(page)][2:] == [None] * 4
    assert page.tally.of(own_queue=False)[0] == 2
    assert page.flow.position == 2
    assert page.flow.pace.together == 0
    path = window.session.path
    window.close()
    assert sorted(map(str, stored(path, first).values())) == ["4", "None", "None", "None", "None", "None"]


def test_who_cancels_changes_nothing(qtbot: QtBot, page: GradePage) -> None:
    before = history.history(page.project)
    question = ask(qtbot, page)
    qtbot.keyClick(question, Qt.Key.Key_Return)
    wait_for(qtbot, lambda: QApplication.activeModalWidget() is None)
    end(qtbot, page)
    assert history.history(page.project) == before
    assert [one.state for one in judgments(page)] == [None] * 6


def test_where_nothing_is_left_it_says_so(qtbot: QtBot, window: Window, page: GradePage) -> None:
    first = page.flow.query
    press(qtbot, page, *"543210")
    wait_for(qtbot, lambda: page.flow.query != first and page.flow.ready)
    page.show_query(first)
    wait_for(qtbot, lambda: page.flow.query == first and page.flow.ready)
    qtbot.keyClick(page.parts.cards, Qt.Key.Key_0, CONTROL)
    wait_for(qtbot, lambda: heard(window, NOTHING_OPEN))


@pytest.mark.parametrize("grades", ["", "3"])
def test_the_card_says_that_it_was_given_with_the_rest(qtbot: QtBot, page: GradePage, grades: str) -> None:
    first = page.flow.query
    press(qtbot, page, *grades)
    answer(qtbot, ask(qtbot, page), f"Give 0 to {counted(6 - len(grades), 'candidate')}")
    wait_for(qtbot, lambda: page.flow.query != first and page.flow.ready)
    page.show_query(first)
    wait_for(qtbot, lambda: page.flow.query == first and page.flow.ready)
    names = [page.parts.cards.card(at).accessibleName() for at in page.parts.cards._cards]
    told = [name for name in names if "given with the rest" in name]
    assert len(told) == sum(judgments(page)[at].how == "rest" for at in page.parts.cards._cards) > 0


STORY = (
    "The same report from the same agency, printed again by another paper on the next morning, word for word"
)


@pytest.fixture
def alike(open_window: OpenWindow, tmp_path: Path, qtbot: QtBot) -> GradePage:
    """A query with five documents, three of them nearly the same, and one with two pairs of such."""
    texts = {"a1": STORY, "a2": f"{STORY}!", "a3": STORY.upper(), "b": "Another one", "c": "And a third one"}
    texts |= dict.fromkeys(("d1", "d2"), STORY[::-1])
    corpus = [{"_id": name, "title": "", "text": text} for name, text in texts.items()]
    queries = [{"_id": "q1", "text": "reports"}, {"_id": "q2", "text": "papers"}]
    run = [f"q1 Q0 {name} {at} {9 - at} sys" for at, name in enumerate(("a1", "a2", "a3", "b", "c"), 1)]
    run += [f"q2 Q0 {name} {at} {9 - at} sys" for at, name in enumerate(("b", "a1", "d1", "a2", "d2"), 1)]
    files = {
        "queries.jsonl": "\n".join(map(json.dumps, queries)),
        "corpus.jsonl": "\n".join(map(json.dumps, corpus)),
        "sys.run": "\n".join(run),
    }
    page = open_window(imported(tmp_path / "alike", files)).pages[0]
    assert isinstance(page, GradePage)
    qtbot.waitUntil(lambda: page.flow.ready, timeout=PATIENCE)
    return page


def at(page: GradePage, *names: str) -> list[int]:
    """Return the places of documents."""
    ids = [one.id for one in page.flow.prepared.view.candidates]
    return [ids.index(name) for name in names]


def said(page: GradePage) -> dict[str, tuple[int | None, str]]:
    view = page.flow.prepared.view
    return {one.id: (one.judgment.grade, one.judgment.how) for one in view.candidates}


def test_cards_say_of_what_they_are_near_duplicates(alike: GradePage) -> None:
    cards = alike.parts.cards
    for name in ("a1", "a2", "a3"):
        others = sorted(place + 1 for place in at(alike, *({"a1", "a2", "a3"} - {name})))
        words = f"near-duplicate of {others[0]}, {others[1]}"
        [place] = at(alike, name)
        assert words in cards.card(place).accessibleName()
    for place in at(alike, "b", "c"):
        assert "near-duplicate" not in cards.card(place).accessibleName()


def test_they_get_the_same_grade_on_request_and_undo_takes_these_back(qtbot: QtBot, alike: GradePage) -> None:
    window = alike.window()
    [first] = at(alike, "a2")
    alike.flow.put_in_front(first)
    press(qtbot, alike, "3")
    wait_for(qtbot, lambda: heard(window, "2 near-duplicates are unjudged: D gives grade 3 there, too."))
    assert said(alike)["a1"] == said(alike)["a3"] == (None, "")
    press(qtbot, alike, "d")
    wait_for(qtbot, lambda: said(alike)["a1"] == (3, "duplicate"))
    assert said(alike) == {
        "a1": (3, "duplicate"),
        "a2": (3, ""),
        "a3": (3, "duplicate"),
        "b": (None, ""),
        "c": (None, ""),
    }
    assert heard(window, "Given: grade 3 for 2 near-duplicates of a2")
    wait_for(qtbot, lambda: alike.flow.position in at(alike, "b", "c"))
    press(qtbot, alike, "d")
    wait_for(qtbot, lambda: heard(window, NOTHING_ALIKE))
    qtbot.keyClick(alike.parts.cards, Qt.Key.Key_Z, CONTROL)
    wait_for(qtbot, lambda: heard(window, "Undone: grade 3 for 2 near-duplicates of a2"))
    wait_for(qtbot, lambda: alike.flow.ready and said(alike)["a1"] == (None, ""))
    assert said(alike)["a2"] == (3, "")
    assert alike.flow.position in at(alike, "a1", "a3")


def test_without_a_grade_there_is_nothing_to_give(qtbot: QtBot, alike: GradePage) -> None:
    press(qtbot, alike, "d")
    wait_for(qtbot, lambda: heard(alike.window(), NO_GRADE_YET))
    assert not history.recent(alike.project)


def test_one_that_is_not_judged_gets_the_grade_of_its_own_near_duplicate_not_of_the_last_one(
    qtbot: QtBot, alike: GradePage
) -> None:
    first, other, third = at(alike, "a1", "b", "a3")
    for place, key in ((first, "4"), (other, "1")):
        alike.flow.put_in_front(place)
        press(qtbot, alike, key)
    alike.flow.put_in_front(third)
    press(qtbot, alike, "s")
    alike.flow.put_in_front(*at(alike, "a2"))
    press(qtbot, alike, "d")
    wait_for(qtbot, lambda: said(alike)["a2"] == (4, "duplicate"))
    assert said(alike)["a3"] == (None, ""), "what was skipped stays"


def test_when_all_is_given_the_next_query_comes(qtbot: QtBot, alike: GradePage) -> None:
    first = alike.flow.query
    for place in at(alike, "b", "c", "a1"):
        alike.flow.put_in_front(place)
        press(qtbot, alike, "2")
    press(qtbot, alike, "d")
    wait_for(qtbot, lambda: alike.flow.query != first and alike.flow.ready)
    assert alike.flow.pace.together == 2


def test_it_is_not_offered_where_the_key_gives_another_grade(qtbot: QtBot, alike: GradePage) -> None:
    alike.show_query(int(alike.flow.walk.order.keys[1]))
    wait_for(qtbot, lambda: alike.flow.ready and len(said(alike)) == 5)
    names = [one for one in said(alike) if one != "b"]
    last, front = next((one, other) for one, other in pairwise(names) if one[0] != other[0])
    [twin] = (one for one in names if one[0] == front[0] and one != front)
    for name, key in (("b", "s"), (twin, "1"), (last, "4")):
        alike.flow.put_in_front(*at(alike, name))
        press(qtbot, alike, key)
    assert alike.flow.position in at(alike, front)
    press(qtbot, alike, "d")
    wait_for(qtbot, lambda: said(alike)[front] == (1, "duplicate"))
    assert heard(alike.window(), "1 near-duplicate is unjudged: D gives grade 1 there, too.")
    assert not heard(alike.window(), "1 near-duplicate is unjudged: D gives grade 4 there, too.")
