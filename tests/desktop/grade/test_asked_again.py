"""Own earlier candidates come again between two queries, marked, without the grade of the first time."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from annotator.desktop.grade.flow import ONLY_A_GRADE
from annotator.desktop.grade.page import GradePage
from annotator.desktop.grade.query_head import AGAIN
from annotator.project import browse, history, judging, self_agreement, settings
from annotator.project.project import Project
from tests.desktop.conftest import OpenWindow
from tests.desktop.grade.test_grading_loop import judgments, press, wait_for

CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def asked(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path, monkeypatch: pytest.MonkeyPatch
) -> GradePage:
    """The Grade page when the second query was completed and the first one's candidates come again."""
    monkeypatch.setattr(self_agreement, "FRESH", 0)
    with Project.open(project_path, annotator="ann") as project:
        for one in browse.query(project, 1).candidates:
            judging.set_grade(project, 1, one.key, 5)
        settings.set_setting(project, "repeat_share", 1.0)
    page = open_window(project_path).pages[0]
    assert isinstance(page, GradePage)
    wait_for(qtbot, lambda: page.flow.ready and page.flow.query == 2)
    wait_for(qtbot, lambda: page.flow._ahead.again is not None)
    press(qtbot, page, *"444444")
    wait_for(qtbot, lambda: page.flow.ready and page.flow.query == 1)
    return page


def repeats(page: GradePage) -> list[str]:
    return [
        line.said
        for line in history.history(page.project, 1)
        if line.said.startswith("grade") and "again" in line.said and not line.undone
    ]


def test_earlier_candidates_come_between_two_queries_and_are_marked(asked: GradePage) -> None:
    assert asked.flow.asking_again
    assert "ASKED AGAIN" in asked.parts.head._where.text()
    assert asked.parts.head._note.text() == AGAIN
    assert asked.parts.head._note.isVisible()


def test_the_first_grade_is_not_told(asked: GradePage) -> None:
    assert len(judgments(asked)) == 6
    assert {one.grade for one in judgments(asked)} == {None}
    assert all("Unjudged" in asked.parts.cards.card(at).accessibleName() for at in range(2))
    assert not asked.flow.prepared.view.candidates[0].places
    assert asked.parts.scores.hidden
    assert not asked.parts.scores._unblind.isVisible()


def test_the_list_tells_its_score_again_when_it_is_asked_no_more(qtbot: QtBot, asked: GradePage) -> None:
    score = asked.model.index(asked.model.row_of(1), 2)
    wait_for(qtbot, lambda: score.data() == "")
    asked.model.hide_score(None)
    wait_for(qtbot, lambda: score.data() == "1.000")  # all have the same grade
    asked.model.hide_score(1)
    assert score.data() == ""
    press(qtbot, asked, "n")
    wait_for(qtbot, lambda: asked.flow.query == 3 and score.data() == "1.000")


def test_a_digit_is_stored_beside_the_first_grade_and_the_walk_goes_on(
    qtbot: QtBot, asked: GradePage
) -> None:
    press(qtbot, asked, *"333333")
    wait_for(qtbot, lambda: asked.flow.ready and asked.flow.query == 3)
    wait_for(qtbot, lambda: not asked.flow.asking_again)
    assert {one.judgment.grade for one in browse.query(asked.project, 1).candidates} == {5}
    assert len(repeats(asked)) == 6
    assert all(said.startswith("grade 3 when asked again") for said in repeats(asked))


def test_undo_takes_back_what_was_said_again_not_an_earlier_grade(qtbot: QtBot, asked: GradePage) -> None:
    press(qtbot, asked, "3")
    wait_for(qtbot, lambda: judgments(asked)[0].grade == 3)
    qtbot.keyClick(asked.parts.cards, Qt.Key.Key_Z, CONTROL)
    wait_for(qtbot, lambda: asked.flow.ready and [one.grade for one in judgments(asked)] == [None] * 6)
    assert repeats(asked) == []
    assert {one.judgment.grade for one in browse.query(asked.project, 2).candidates} == {4}


@pytest.mark.parametrize("key", [Qt.Key.Key_Backspace, "s", "t", "f", "m", "i", "b", "u", "q"])
def test_nothing_but_a_grade_is_taken_and_nothing_of_the_first_time_is_shown(
    qtbot: QtBot, asked: GradePage, key: str | Qt.Key
) -> None:
    said = []
    asked.said.connect(said.append)
    before = len(history.history(asked.project))
    press(qtbot, asked, key)
    assert said == ([] if key == "b" else [ONLY_A_GRADE])
    assert asked.flow.asking_again
    assert len(history.history(asked.project)) == before


def test_n_goes_on_without_an_answer(qtbot: QtBot, asked: GradePage) -> None:
    press(qtbot, asked, "n")
    wait_for(qtbot, lambda: asked.flow.ready and asked.flow.query == 3)
    assert repeats(asked) == []


def test_the_query_itself_can_be_looked_at_meanwhile(qtbot: QtBot, asked: GradePage) -> None:
    asked.show_query(1)
    wait_for(qtbot, lambda: asked.flow.ready and not asked.flow.asking_again)
    assert [one.grade for one in judgments(asked)] == [5] * 6


def test_at_the_end_all_that_is_due_comes_before_it_is_said_that_all_is_done(
    qtbot: QtBot, asked: GradePage
) -> None:
    done = []
    asked.flow.all_done.connect(lambda: done.append(asked.flow.query))
    press(qtbot, asked, *"333333")
    wait_for(qtbot, lambda: asked.flow.ready and asked.flow.query == 3)
    press(qtbot, asked, *"222222")
    asked_again = []
    for _ in range(2):
        wait_for(
            qtbot,
            lambda: asked.flow.ready and asked.flow.asking_again and asked.flow.query not in asked_again,
        )
        assert done == []
        asked_again.append(asked.flow.query)
        press(qtbot, asked, *"222222")
    wait_for(qtbot, lambda: bool(done))
    assert sorted(asked_again) == [2, 3]
    words = "Asked again: 18, the same grade 6 times."  # 3 after 5, 2 after 4, and 2 after 2
    message = asked.parts.message
    wait_for(qtbot, lambda: any(words in one.text() for one in message.findChildren(QLabel)))
    wait_for(qtbot, lambda: not asked.flow.asking_again)
