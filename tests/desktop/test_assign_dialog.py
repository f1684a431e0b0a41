"""A lead assigns queries in the window: by keyboard, seeing what each would get, undone by one key."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QComboBox, QWidget
from pytestqt.qtbot import QtBot

from annotator.desktop.annotator_dialog import AnnotatorDialog
from annotator.desktop.assign_dialog import AssignDialog
from annotator.desktop.dialog import Scrolled
from annotator.desktop.grade.page import GradePage
from annotator.desktop.question import Confirm
from annotator.desktop.window import Window
from annotator.project import assignments, browse, judging, lead_role
from annotator.project.assignments import Terms
from annotator.project.project import Project
from annotator.project.views import Filters
from annotator.watch import Watch
from tests.desktop.conftest import PATIENCE, heard
from tests.desktop.test_lead import CTRL, SHIFT, answer
from tests.desktop.test_tab_order import in_reading_order, visited


def in_front(qtbot: QtBot, kind: type[QWidget]) -> QWidget:
    qtbot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), kind), timeout=PATIENCE)
    return QApplication.activeModalWidget()


def opened(qtbot: QtBot, window: Window, page: GradePage) -> AssignDialog:
    """Press the keys of the command; return the dialog when it has read what there is to judge."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow, timeout=PATIENCE)
    qtbot.keyClick(page.parts.cards, Qt.Key.Key_A, CTRL | SHIFT)
    dialog = in_front(qtbot, AssignDialog)
    assert isinstance(dialog, AssignDialog)
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow, timeout=PATIENCE)
    qtbot.waitUntil(lambda: bool(dialog.people.lines) and dialog.take.isEnabled(), timeout=PATIENCE)
    return dialog


def dealt(qtbot: QtBot, dialog: AssignDialog) -> dict[str, str]:
    """Wait for the outcome of what is chosen; return what is said that each would get."""

    def there() -> bool:
        return not dialog._typed.isActive() and not dialog._bar.busy

    qtbot.waitUntil(there, timeout=PATIENCE)
    return {name: line.gets.text().replace("\n", ", ") for name, line in dialog.people.lines.items()}


@pytest.fixture
def led(qtbot: QtBot, window: Window, page: GradePage) -> Window:
    """The window of ann, who has the role of lead."""
    page.do(lead_role.take, window.spread)
    qtbot.waitUntil(lambda: window.header.part.annotator.text() == "ann · lead", timeout=PATIENCE)
    return window


def test_who_has_not_the_role_is_asked_to_take_it_first(
    qtbot: QtBot, window: Window, page: GradePage
) -> None:
    qtbot.keyClick(page.parts.cards, Qt.Key.Key_A, CTRL | SHIFT)
    box = in_front(qtbot, Confirm)
    assert lead_role.CONVENTION in box.more.text()
    answer(qtbot, box, "Take the role")
    in_front(qtbot, AssignDialog).reject()
    assert lead_role.leads(window.session.project) == ("ann",)


def test_by_keyboard_alone_queries_are_assigned_and_ones_own_queue_is_shown(
    qtbot: QtBot, led: Window, page: GradePage
) -> None:
    dialog = opened(qtbot, led, page)
    assert dialog.width() < 700, "no half of it is empty"
    assert dialog.focusWidget() is dialog.judgments
    assert in_reading_order(visited(qtbot, dialog))
    qtbot.keyClick(dialog.judgments, Qt.Key.Key_Up)
    while dialog.focusWidget() is not dialog.people.name:
        qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
    for name in ("bo", "cy & di"):
        qtbot.keyClicks(dialog.focusWidget(), name)
        qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Return)
        assert dialog.isVisible(), "Enter adds the name"
    assert dealt(qtbot, dialog) == dict.fromkeys(("ann", "bo", "cy & di"), "2 queries, 12 candidates")
    assert dialog.said.text() == "3 queries with 2 judgments of each candidate. Every query is assigned."
    planned = assignments.deal_out(assignments.ground(page.project), dialog.terms())
    assert dialog.people.lines["bo"].shared.text() == "ann 1, cy & di 1"
    assert dialog.people.lines["bo"].shared.shown() == "ann 1, cy & di 1"
    qtbot.keyClick(dialog.people.name, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: heard(led, "Assigned 3 queries to 3 people."), timeout=PATIENCE)
    assert assignments.assignment(page.project).people == planned.people
    mine = browse.query_keys(page.project, Filters(assigned=True)).tolist()
    qtbot.waitUntil(lambda: page.flow.walk.order.keys.tolist() == mine, timeout=PATIENCE)
    assert len(mine) == 2
    led.activateWindow()
    qtbot.waitUntil(led.isActiveWindow, timeout=PATIENCE)
    qtbot.keyClick(page.parts.cards, Qt.Key.Key_Z, CTRL)
    qtbot.waitUntil(lambda: page.flow.walk.order.keys.tolist() == [1, 2, 3], timeout=PATIENCE)
    led.commands["annotator"].trigger()
    asked = in_front(qtbot, AnnotatorDialog)
    asked.reject()


def test_what_is_assigned_is_shown_again_with_how_far_everybody_is(
    qtbot: QtBot, led: Window, page: GradePage
) -> None:
    def assign(project: Project) -> object:
        ground = assignments.ground(project)
        terms = Terms({"ann": 1, "bo": 2}, 1, seed=9, numbers=True)
        change = assignments.assign(project, assignments.deal_out(ground, terms))
        project.use_annotator("bo")
        (first, *_) = browse.query_keys(project, Filters(assigned=True)).tolist()
        for one in browse.query(project, first).candidates[:3]:
            judging.set_grade(project, first, one.key, 5)
        project.use_annotator("ann")
        return change

    page.do(assign, led.spread)
    dialog = opened(qtbot, led, page)
    assert dialog.terms() == Terms({"ann": 1, "bo": 2}, 1, seed=9, numbers=True)
    done = {name: line.done.text() for name, line in dialog.people.lines.items()}
    assert done["ann"].startswith("0 of 6, 0%\nactive 20")
    assert done["bo"].startswith("3 of 12, 25%\nactive 20")
    qtbot.waitUntil(lambda: dialog.width() >= dialog.sizeHint().width(), timeout=PATIENCE)
    assert not any(digit in done["bo"].split("\n")[0].replace("25%", "") for digit in "5"), (
        "it tells no grade"
    )
    led.dialogs.session.project.use_annotator("ann")
    assert dialog.nobody.isVisible()
    dialog.nobody.click()
    qtbot.waitUntil(lambda: heard(led, "Nothing is assigned any more."), timeout=PATIENCE)
    assert assignments.assignment(page.project) is None


def test_shares_are_evened_out_until_they_are_put_in_by_hand_and_said_in_two_ways(
    qtbot: QtBot, led: Window, page: GradePage
) -> None:
    dialog = opened(qtbot, led, page)
    assert dialog.people.shares() == {"ann": 100}
    assert not dialog.nobody.isVisible(), "there is nothing to take back"
    for name in ("bo", "cy"):
        qtbot.keyClicks(dialog.people.name, name)
        dialog.people.more.click()
    assert dialog.people.shares() == dict.fromkeys(("ann", "bo", "cy"), 33)
    dialog.people.lines["cy"].takes_part.click()
    assert dialog.people.shares() == {"ann": 50, "bo": 50}
    dialog.people.lines["bo"].share.setValue(100)
    assert dealt(qtbot, dialog) == {
        "ann": "1 query, 6 candidates",
        "bo": "2 queries, 12 candidates",
        "cy": "–",
    }
    dialog.numbers.setCurrentIndex(1)
    dialog.numbers.activated.emit(1)
    assert dialog.people.shares() == {"ann": 1, "bo": 2}
    dialog.people.lines["bo"].share.setValue(1)
    assert dealt(qtbot, dialog)["bo"] == "1 query, 6 candidates"
    assert dialog.said.text() == (
        "2 queries with 1 judgment of each candidate. 1 query is assigned to nobody."
    )
    scrolled = dialog.findChild(Scrolled)
    for beside in (dialog.said, dialog.problem, dialog.take):
        assert not scrolled.isAncestorOf(beside), "what comes of it stays in sight beside the button"
    dialog.judgments.setValue(3)
    dealt(qtbot, dialog)
    assert dialog.said.text() == (
        "1 query with 2 judgments of each candidate. Only 2 people can judge. "
        "2 queries are assigned to nobody."
    )
    dialog.people.lines["bo"].takes_part.click()
    dialog.people.lines["ann"].takes_part.click()
    dealt(qtbot, dialog)
    assert dialog.problem.text() == "Nobody is named with a share; name at least one person."
    assert not dialog.take.isEnabled()
    dialog.reject()
    assert assignments.assignment(page.project) is None


def test_a_name_that_nobody_can_have_is_refused_and_can_be_taken_away(
    qtbot: QtBot, led: Window, page: GradePage
) -> None:
    dialog = opened(qtbot, led, page)
    dialog.people.name.setText("a\x01b")
    dialog.people.more.click()
    dealt(qtbot, dialog)
    dialog.take.click()
    qtbot.waitUntil(lambda: "cannot be used" in dialog.problem.text(), timeout=PATIENCE)
    assert assignments.assignment(page.project) is None
    dialog.people.lines["a\x01b"].takes_part.click()
    dealt(qtbot, dialog)
    assert dialog.problem.text() == ""
    dialog.reject()


def test_who_is_to_judge_is_offered_where_the_annotator_is_asked_for(
    qtbot: QtBot, led: Window, page: GradePage
) -> None:
    def assign(project: Project) -> object:
        return assignments.assign(
            project, assignments.deal_out(assignments.ground(project), Terms({"zoë": 1}))
        )

    page.do(assign, led.spread)
    qtbot.waitUntil(lambda: assignments.assignment(page.project) is not None, timeout=PATIENCE)
    led.commands["annotator"].trigger()
    asked = in_front(qtbot, AnnotatorDialog)
    (names,) = asked.findChildren(QComboBox)
    assert [names.itemText(at) for at in range(names.count())] == ["ann", "zoë"]
    asked.reject()


def test_what_is_shown_is_assigned_without_another_deal_and_what_was_just_typed_is_dealt_first(
    qtbot: QtBot, led: Window, page: GradePage, monkeypatch: pytest.MonkeyPatch
) -> None:
    deals, dealing = list[Terms](), assignments.deal_out

    def counted(ground: assignments.Ground, terms: Terms, watch: Watch) -> assignments.Assignment:
        deals.append(terms)
        return dealing(ground, terms, watch)

    monkeypatch.setattr(assignments, "deal_out", counted)
    for seed in (7, 8):
        dialog = opened(qtbot, led, page)
        deals.clear()
        dialog.seed.setValue(seed)
        if seed == 7:
            dealt(qtbot, dialog)
        with qtbot.waitSignal(dialog.changed, timeout=PATIENCE):
            dialog.take.click()
        assert [one.seed for one in deals] == [seed]
        now = assignments.assignment(led.session.project)
        assert now is not None
        assert now.terms.seed == seed
