"""Between two queries the finished one's scores stay in sight; the end says what was done and comes next."""

import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from annotator.desktop.grade.between import FILTERED, ON
from annotator.desktop.grade.page import GradePage
from annotator.desktop.window import Window
from annotator.errors import DiskError
from annotator.project import browse, judging, panel, self_agreement, settings
from annotator.project.project import Project
from annotator.project.views import Change, Filters
from tests.desktop.agreement.conftest import shown
from tests.desktop.building import make_project
from tests.desktop.conftest import PATIENCE, OpenWindow, heard
from tests.desktop.grade.test_grading_loop import judgments, press, wait_for


@pytest.fixture
def short(open_window: OpenWindow, tmp_path: Path, qtbot: QtBot) -> GradePage:
    """A project of one query with three documents."""
    page = open_window(make_project(tmp_path / "p", topics=1, documents=3)).pages[0]
    assert isinstance(page, GradePage)
    qtbot.waitUntil(lambda: page.flow.ready, timeout=PATIENCE)
    return page


def before(page: GradePage) -> str:
    line = page.parts.head._before
    return line.text() if line.isVisible() else ""


def told(page: GradePage) -> str:
    """Return what the message in the middle says, if it is in front."""
    message = page.parts.message
    return "\n".join(one.text() for one in message.findChildren(QLabel)) if message.isVisible() else ""


def test_the_scores_of_the_finished_query_stand_above_the_next_one(
    qtbot: QtBot, window: Window, page: GradePage
) -> None:
    first = page.flow.query
    assert before(page) == ""
    press(qtbot, page, *"543210")
    wait_for(qtbot, lambda: page.flow.query != first and page.flow.ready)
    wait_for(qtbot, lambda: bool(before(page)))
    found = panel.query_panel(page.project, first, ("nDCG@10", "AP"))
    assert before(page).startswith("Just finished:  nDCG@10")
    assert before(page).endswith(f"  ·  {found.system}  ·  {browse.query(page.project, first).text}")
    for name, value in found.values:
        assert f"{name}\u00a0{value:.3f}" in before(page)
    page.project_changed(Change("annotator"))
    assert before(page) == "", "another annotator may be blind for it"


def test_the_scores_of_the_finished_query_go_when_one_goes_elsewhere(
    qtbot: QtBot, window: Window, page: GradePage
) -> None:
    first = page.flow.query
    press(qtbot, page, *"543210")
    wait_for(qtbot, lambda: page.flow.query != first and page.flow.ready)
    wait_for(qtbot, lambda: bool(before(page)))
    press(qtbot, page, "1")
    assert before(page) != ""
    qtbot.keyClick(page.parts.cards, Qt.Key.Key_P)
    wait_for(qtbot, lambda: page.flow.query == first and page.flow.ready)
    assert before(page) == "", "they would stand above another query, or above their own a second time"


def test_the_end_says_what_was_given_and_what_comes_next(qtbot: QtBot, short: GradePage) -> None:
    window = short.window()
    press(qtbot, short, "4", "4", "1")
    wait_for(qtbot, lambda: "Everything in this list is done" in told(short))
    assert "This session: 3 in 1 min. Grade 1:\u00a01, 4:\u00a02" in told(short)
    assert ON in told(short)
    assert not re.search("grade|skip|full text|next unjudged", window.keys.text())
    assert "↑ ↓ candidate" in window.keys.text()
    assert "Asked again" not in told(short)
    grades = [one.grade for one in judgments(short)]
    qtbot.keyClick(short.parts.message, Qt.Key.Key_Backspace)
    qtbot.keyClick(short.parts.message, Qt.Key.Key_F)
    qtbot.keyClick(short.parts.message, Qt.Key.Key_2)
    wait_for(qtbot, lambda: heard(window, "is judged, and you did not go to it"))
    assert [one.grade for one in judgments(short)] == grades, "what is not in sight is not changed"
    assert all(one.marks == {} for one in judgments(short))
    qtbot.keyClick(short.parts.message, Qt.Key.Key_Up)
    wait_for(qtbot, short.parts.cards.isVisible)
    assert "0–5 grade" in window.keys.text()
    press(qtbot, short, "j")
    wait_for(qtbot, lambda: "Everything in this list is done" in told(short))
    [see] = [one for one in short.parts.message.findChildren(QPushButton) if one.isVisible()]
    see.click()
    wait_for(qtbot, window.pages[1].isVisible)


@pytest.mark.parametrize("what", ["which", "one"])
def test_queries_that_could_not_be_read_are_read_again_on_request(
    qtbot: QtBot, page: GradePage, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    def failing(*_: object) -> None:
        raise DiskError("The disk reported an error.")

    with monkeypatch.context() as patch:
        patch.setattr("annotator.project.browse.query_keys", failing)
        page.flow.walk.show(Filters())
        wait_for(
            qtbot, lambda: heard(page.window(), "What there is to judge could not be read. The disk reported")
        )
        assert page.parts.cards.isVisible(), "what is in front can be judged"
        page.flow.query_shown.disconnect(page._show_query)
        page.flow._show(None)  # as before the first query
        page.flow.query_shown.connect(page._show_query)
        if what == "one":  # which there are is known, and not what the first one says
            patch.undo()
            patch.setattr("annotator.desktop.grade.in_front.prepare", failing)
        page.flow.walk.show(Filters())
        wait_for(
            qtbot,
            lambda: told(page).startswith("What there is to judge could not be read\nThe disk reported an"),
        )
    [again] = [one for one in page.parts.message.findChildren(QPushButton) if one.isVisible()]
    again.click()
    wait_for(qtbot, lambda: page.flow.ready and page.parts.cards.isVisible())


def test_the_end_of_a_filtered_list_says_that_there_may_be_more(qtbot: QtBot, page: GradePage) -> None:
    page._filter(Filters(text="Saturn"))
    wait_for(qtbot, lambda: page.flow.walk.order.keys.tolist() == [3] and page.flow.ready)
    press(qtbot, page, *"543210")
    wait_for(qtbot, lambda: FILTERED in told(page))
    assert ON not in told(page)


def test_no_digit_at_the_end_reaches_what_one_had_gone_to_before(qtbot: QtBot, short: GradePage) -> None:
    press(qtbot, short, "4", "4", "1")
    wait_for(qtbot, lambda: "Everything in this list is done" in told(short))
    qtbot.keyClick(short.parts.message, Qt.Key.Key_Up)
    wait_for(qtbot, short.parts.cards.isVisible)
    press(qtbot, short, "j")
    wait_for(qtbot, lambda: "Everything in this list is done" in told(short))
    window, grades = short.window(), [one.grade for one in judgments(short)]
    window.heard.clear()
    for key in "2s":
        qtbot.keyClick(short.parts.message, key)
    wait_for(qtbot, lambda: heard(window, "is judged, and you did not go to it"))
    assert [one.grade for one in judgments(short)] == grades
    assert sorted(grades) == [1, 4, 4]


def test_no_digit_behind_a_list_gone_over_reaches_its_first_one(
    qtbot: QtBot, open_window: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Own earlier ones are gone over, some are asked again between, and then the list ends."""
    monkeypatch.setattr(self_agreement, "FRESH", 0)
    path = make_project(tmp_path / "p", topics=1, documents=3)
    with Project.open(path, annotator="ann") as project:
        for one in browse.query(project, 1).candidates:
            judging.set_grade(project, 1, one.key, 5)
        settings.set_setting(project, "repeat_share", 1.0)
    page = open_window(path).pages[0]
    wait_for(qtbot, lambda: page.flow.ready)
    page._filter(Filters(order="my earlier ones"))
    wait_for(qtbot, lambda: page.flow.ready and page.flow.walk.filters.revisit and page.flow._own)
    press(qtbot, page, "3", "3", "3")
    wait_for(qtbot, lambda: page.flow.ready and page.flow.asking_again)
    press(qtbot, page, "2", "2", "2")
    wait_for(qtbot, lambda: "This is the end of the list" in told(page))
    window = page.window()
    window.heard.clear()
    qtbot.keyClick(page.parts.message, Qt.Key.Key_1)
    wait_for(qtbot, lambda: heard(window, "is judged, and you did not go to it"))
    assert [one.grade for one in judgments(page)] == [3, 3, 3]


def test_scores_that_come_after_another_annotator_took_over_are_not_shown(
    qtbot: QtBot, window: Window, page: GradePage
) -> None:
    first = page.flow.query
    press(qtbot, page, *"543210")
    wait_for(qtbot, lambda: page.flow.query != first and page.flow.ready and bool(before(page)))
    done: list[object] = []
    page.between._score(browse.query(page.project, first))
    assert before(page) == ""
    page.project.use_annotator("bo")  # while they are being computed
    page.worker.start(page, lambda _: panel.query_panel(page.project, first, ("AP",)), done.append)
    wait_for(qtbot, lambda: bool(done))
    qtbot.waitUntil(page.worker.at_rest, timeout=PATIENCE)
    assert before(page) == ""


def test_a_project_without_queries_says_how_to_begin_and_no_key_ends_it(
    qtbot: QtBot, open_window: OpenWindow, tmp_path: Path
) -> None:
    Project.create(tmp_path / "p.annot", "Nothing yet", annotator="ann").close()
    page = open_window(tmp_path / "p.annot").pages[0]
    wait_for(qtbot, lambda: "No queries yet" in told(page))
    assert "Import files…" in [one.text() for one in page.parts.message.findChildren(QPushButton)]
    qtbot.keyClick(page.parts.message, Qt.Key.Key_J)
    assert "No queries yet" in told(page)
    window = page.window()
    assert window.keys.text() == "F1 all keys  ·  Ctrl+K all commands  ·  Ctrl+I import files"
    window.stack.show_page(1)
    assert "import files" not in window.keys.text()
    assert [one.text() for one in shown(window, qtbot).message.findChildren(QPushButton)] == ["Import files…"]
    window.stack.show_page(0)
    assert window.keys.text().endswith("Ctrl+I import files")
    page.search_for("zzz")
    wait_for(qtbot, lambda: "No query matches" in told(page))
    assert "query" not in window.keys.text()
