"""Practice on the Grade page: a lead marks, a beginner grades, compares and begins the real work."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from annotator.desktop.grade.annotations import READ, READ_IF_PRACTICE, READ_IN_PRACTICE
from annotator.desktop.grade.page import GradePage
from annotator.desktop.grade.practice import AT_WORK
from annotator.desktop.grade.query_head import LEARNING
from annotator.desktop.question import Ask, Confirm
from annotator.desktop.window import Window
from annotator.project import browse, history, judging, lead_role, practice, settings
from annotator.project.practice import DONE
from annotator.project.project import Project
from tests.desktop.conftest import PATIENCE, OpenWindow, heard
from tests.desktop.grade.test_grading_loop import judgments, press, wait_for

BOTH = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
MEANINGS = ["off topic", "touches it", "partly", "mostly", "nearly all", "all of it"]


def graded(path: Path, queries: tuple[int, ...] = (1, 2)) -> None:
    """Let Lea grade queries, 5 for the first document and one less for each further, and become the lead."""
    with Project.open(path, "Lea") as project:
        settings.set_setting(project, "meanings", MEANINGS)
        settings.set_setting(project, "examples", ["", "a list of names", "", "", "", ""])
        for query in queries:
            for one in browse.query(project, query).candidates:
                judging.set_grade(project, query, one.key, 6 - int(one.id.rpartition("-")[2]))
            last = browse.query(project, query).candidates[-1]
            judging.set_mark(project, query, last.key, "rationale", "Nothing to see")
        lead_role.take(project)


@pytest.fixture
def beginner(open_window: OpenWindow, project_path: Path, qtbot: QtBot) -> GradePage:
    """The page of somebody new where two of three queries are for practice."""
    graded(project_path)
    with Project.open(project_path, "Lea") as project:
        for query in (1, 2):
            practice.mark(project, query)
    return painted(open_window(project_path, "Nia"), qtbot)


def painted(window: Window, qtbot: QtBot) -> GradePage:
    page = window.pages[0]
    assert isinstance(page, GradePage)
    qtbot.waitUntil(lambda: page.flow.ready, timeout=PATIENCE)
    return page


def reviewed(qtbot: QtBot, page: GradePage) -> list[str]:
    """Wait until the review is in front and return everything that it says."""
    wait_for(qtbot, lambda: page.parts.middle.currentWidget() is page.practice.review)
    wait_for(qtbot, lambda: page.practice.review.shown is not None)
    inside = page.practice.review._area.widget()
    return [one.text() for one in (*inside.findChildren(QLabel), *inside.findChildren(QPushButton))]


def button(page: GradePage, words: str) -> QPushButton:
    [found] = [
        one
        for one in page.practice.review.findChildren(QPushButton)
        if one.text().startswith(words) and one.isVisible()
    ]
    return found


def test_a_beginner_sees_practice_alone_and_what_it_is(beginner: GradePage, qtbot: QtBot) -> None:
    assert beginner.flow.walk.order.keys.tolist() == [1, 2]
    assert beginner.parts.head._note.text() == LEARNING
    assert "PRACTICE" in beginner.parts.head._where.text()
    wait_for(qtbot, lambda: beginner.parts.filter_bar._progress.text().startswith("Practice: 0 of 12 done"))
    assert beginner.parts.scores._why.text() == "Practice counts in no score, so there is none to show."
    assert not beginner.parts.scores._unblind.isVisibleTo(beginner.parts.scores)


def test_behind_a_query_it_is_shown_where_and_why_one_differs(beginner: GradePage, qtbot: QtBot) -> None:
    stands = {one.id: 6 - int(one.id.rpartition("-")[2]) for one in beginner.flow.prepared.view.candidates}
    shown = [one.id for one in beginner.flow.prepared.view.candidates]
    press(qtbot, beginner, *"11111")
    assert beginner.practice.review.shown is None, "not before the last one is judged"
    press(qtbot, beginner, "1")
    told = reviewed(qtbot, beginner)
    wait_for(qtbot, beginner.parts.head._note.isHidden)  # what practice is was said until here
    away = [1 - stands[name] for name in shown]
    are = "is the one on record" if away.count(0) == 1 else "are those on record"
    assert f"{away.count(0)} of 6 grades {are}. Practice counts in no score." in told
    assert told.count("the same") == away.count(0)
    for steps in filter(None, away):
        assert f"{abs(steps)} {'higher' if steps > 0 else 'lower'}" in told
    assert told.count("1  touches it. For example: a list of names") == 6 - away.count(0)
    assert "5  all of it" in told
    assert "Rationale: “Nothing to see”" in told
    assert beginner.parts.side.currentWidget() is beginner.parts.guide
    titles = [
        one.property("kind") for one in beginner.practice.review._area.widget().findChildren(QPushButton)
    ]
    assert titles == ["link"] * 6
    qtbot.keyClick(beginner.practice.review, Qt.Key.Key_4)
    wait_for(qtbot, lambda: heard(beginner.window(), DONE))
    assert [one.grade for one in judgments(beginner)] == [1] * 6


@pytest.mark.parametrize("key", [Qt.Key.Key_Space, Qt.Key.Key_Return])
def test_by_the_keyboard_alone_one_goes_on_and_begins_the_real_work(
    beginner: GradePage, qtbot: QtBot, key: Qt.Key
) -> None:
    window = beginner.window()
    press(qtbot, beginner, *"111111")
    reviewed(qtbot, beginner)
    following = button(beginner, "Next practice query  (1 left)")
    wait_for(qtbot, following.hasFocus)
    qtbot.keyClick(following, key)
    wait_for(qtbot, lambda: beginner.flow.query == 2 and beginner.flow.ready)
    press(qtbot, beginner, *"222222")
    reviewed(qtbot, beginner)
    work = button(beginner, "Start the real work")
    wait_for(qtbot, work.hasFocus)
    qtbot.keyClick(work, key)
    wait_for(qtbot, lambda: heard(window, "Nia begins the real work."))
    wait_for(qtbot, lambda: beginner.flow.query == 3 and beginner.flow.ready)
    assert not beginner.flow.prepared.view.practice
    assert beginner.flow.pace.judged == 0
    wait_for(qtbot, lambda: beginner.parts.filter_bar._progress.text().startswith("0 of 6 done"))
    qtbot.keyClick(beginner.parts.cards, Qt.Key.Key_W, BOTH)
    wait_for(qtbot, lambda: heard(window, AT_WORK))


def test_one_looks_at_a_candidate_from_there_and_comes_back_by_the_list(
    beginner: GradePage, qtbot: QtBot
) -> None:
    press(qtbot, beginner, *"111111")
    reviewed(qtbot, beginner)
    first = beginner.practice.review.shown[0].rows[0].candidate
    link = beginner.practice.review._area.widget().findChildren(QPushButton)[0]
    qtbot.mouseClick(link, Qt.MouseButton.LeftButton)
    wait_for(qtbot, lambda: beginner.flow.ready)
    assert beginner.flow.candidate == first.key
    assert beginner.parts.cards.isVisible()
    beginner.parts.list.query_chosen.emit(1)
    reviewed(qtbot, beginner)


def test_to_grade_it_again_takes_ones_grades_away_at_once(beginner: GradePage, qtbot: QtBot) -> None:
    press(qtbot, beginner, *"111111")
    reviewed(qtbot, beginner)
    qtbot.mouseClick(button(beginner, "Grade it again"), Qt.MouseButton.LeftButton)
    wait_for(qtbot, lambda: beginner.flow.ready)
    assert beginner.flow.query == 1
    assert [one.state for one in judgments(beginner)] == [None] * 6
    assert beginner.parts.cards.isVisible()
    qtbot.keyClick(beginner.parts.cards, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    wait_for(qtbot, lambda: [one.grade for one in judgments(beginner)] == [1] * 6)


def answered(qtbot: QtBot, page: GradePage, words: str) -> str:
    """Press the key of practice, take the button with these words, and return what was asked."""
    qtbot.keyClick(page.parts.cards, Qt.Key.Key_P, BOTH)
    wait_for(qtbot, lambda: isinstance(QApplication.activeModalWidget(), Confirm))
    question = QApplication.activeModalWidget()
    asked = question.asked.text()
    [wanted] = [one for one in question.buttons.buttons() if one.text().replace("&", "") == words]
    qtbot.mouseClick(wanted, Qt.MouseButton.LeftButton)
    page.window().activateWindow()
    qtbot.waitUntil(page.window().isActiveWindow, timeout=PATIENCE)
    return asked


def test_a_lead_marks_and_lets_count_again(open_window: OpenWindow, project_path: Path, qtbot: QtBot) -> None:
    graded(project_path, (1,))
    window = open_window(project_path, "Lea")
    page = painted(window, qtbot)
    page.show_query(1)
    wait_for(qtbot, lambda: page.flow.query == 1 and page.flow.ready)
    title = page.flow.prepared.view.title
    assert answered(qtbot, page, "For practice") == f"Make “{title}” a query for practice?"
    wait_for(qtbot, lambda: heard(window, f"“{title}” is for practice and counts in nothing from now on."))
    wait_for(qtbot, lambda: page.flow.ready and page.flow.prepared.view.practice)
    assert page.parts.cards.isVisible(), "nothing to compare herself with"
    assert answered(qtbot, page, "Count it again") == f"Let “{title}” count again?"
    wait_for(qtbot, lambda: page.flow.ready and not page.flow.prepared.view.practice)


def test_who_is_no_lead_is_told_so_and_nothing_is_asked(beginner: GradePage, qtbot: QtBot) -> None:
    qtbot.keyClick(beginner.parts.cards, Qt.Key.Key_P, BOTH)
    wait_for(qtbot, lambda: heard(beginner.window(), "Nia has not taken the role of lead."))
    assert QApplication.activeModalWidget() is None


def test_the_evaluate_page_says_that_practice_is_left_out(
    open_window: OpenWindow, project_path: Path, qtbot: QtBot
) -> None:
    graded(project_path)
    with Project.open(project_path, "Lea") as project:
        practice.mark(project, 1)
    window = open_window(project_path, "Lea")
    window.stack.show_page(1)
    wait_for(qtbot, lambda: window.pages[1].result is not None)
    window.pages[1].tabs.look_at("Conventions")
    assert "1 practice query is left out." in window.pages[1].words.text()
    assert window.pages[1].result.query_ids == ("q2",)


@pytest.mark.parametrize("percent", [100, 150, 200])
def test_what_is_compared_fits_a_small_window_with_large_text(
    beginner: GradePage, qtbot: QtBot, percent: int
) -> None:
    press(qtbot, beginner, *"111111")
    reviewed(qtbot, beginner)
    window, review = beginner.window(), beginner.practice.review
    assert isinstance(window, Window)
    window.resize(1024, 700)
    window.appearance.choose("light", percent)
    area = review._area
    wait_for(qtbot, lambda: 0 < area.widget().width() <= area.viewport().width())
    edge = area.widget().layout().contentsMargins().left()
    wait_for(qtbot, lambda: button(beginner, "Grade it again").x() == edge)
    window.appearance.choose("light", 100)


@pytest.mark.parametrize(
    ("who", "marked", "promised", "told"),
    [
        ("Lea", True, READ_IN_PRACTICE, True),
        ("Lea", False, READ_IF_PRACTICE, True),
        ("Nia", True, "", False),
    ],
)
def test_who_writes_a_note_is_told_who_reads_it_and_they_do(
    open_window: OpenWindow,
    project_path: Path,
    qtbot: QtBot,
    who: str,
    marked: bool,
    promised: str,
    told: bool,
) -> None:
    graded(project_path, (1,))
    if marked:
        with Project.open(project_path, "Lea") as project:
            practice.mark(project, 1)
    window = open_window(project_path, who)
    page = painted(window, qtbot)
    page.show_query(1)
    wait_for(qtbot, lambda: page.flow.query == 1 and page.flow.ready)
    qtbot.keyClicks(page.parts.cards, "m")
    wait_for(qtbot, lambda: isinstance(QApplication.activeModalWidget(), Ask))
    asked = QApplication.activeModalWidget()
    assert isinstance(asked, Ask)
    hint = " ".join(one.text() for one in asked.findChildren(QLabel))
    assert READ in hint
    said = [one for one in (READ_IN_PRACTICE, READ_IF_PRACTICE) if one in hint]
    assert said == ([promised] if promised else [])
    qtbot.keyClicks(asked.field, "mind the date")
    next(one for one in asked.findChildren(QPushButton) if one.text() == "Keep").click()
    window.close_project()
    with Project.open(project_path, "Lea") as project:
        practice.mark(project, 1)
        project.use_annotator("Eve")
        assert not [one for one in history.history(project, 1, as_seen=True) if "mind the" in one.said]
        for one in browse.query(project, 1).candidates:
            judging.set_grade(project, 1, one.key, 2)
        words = [text for row in practice.review(project, 1).rows for text in row.words]
        assert ("Note: “mind the date”" in words) == told
        assert [one for one in history.history(project, 1, as_seen=True) if "mind the" in one.said]
