"""What is asked beside the grade: set up in the window, answered by digits, undone, settled, evaluated."""

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import settings as drawing
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from annotator.desktop.actions import status_keys
from annotator.desktop.grade.asked_panel import AskedPanel
from annotator.desktop.grade.page import GradePage
from annotator.desktop.nuggets_dialog import NuggetsDialog
from annotator.desktop.project_settings import ProjectSettings
from annotator.desktop.window import Window
from annotator.evaluation.options import Options
from annotator.project import browse, judging, project_scores, settings
from annotator.project.project import Project
from annotator.project.views import Asked
from tests.desktop.agreement.conftest import shown
from tests.desktop.conftest import PATIENCE, OpenWindow, heard
from tests.project.cited import made

FAITHFUL = {
    "name": "Faithful",
    "meaning": "True to its sources?",
    "values": ["no", "partly", "yes"],
    "asked": True,
}
FLUENT = {"name": "Fluent", "meaning": "", "values": ["no", "yes"], "asked": True}


@pytest.fixture
def asking(project_path: Path, open_window: OpenWindow, qtbot: QtBot) -> GradePage:
    """The Grade page of a project that asks two things of each candidate, its first query painted."""
    with Project.open(project_path, annotator="ann") as project:
        settings.set_setting(project, "aspects", [FAITHFUL, FLUENT])
    page = open_window(project_path).pages[0]
    assert isinstance(page, GradePage)
    qtbot.waitUntil(lambda: page.flow.ready, timeout=PATIENCE)
    return page


def said(page: GradePage, candidate: int) -> dict[str, int]:
    """Return what is stored of the candidate of a query in front, by aspect."""
    with Project.open(page.window().session.path, read_only=True) as project:
        project.use_annotator("ann")
        view = browse.query(project, page.flow.query)
    return {name: level for (_, name), level in view.candidates[candidate].said.items()}


def press(qtbot: QtBot, page: QWidget, *keys: Qt.Key) -> None:
    for key in keys:
        qtbot.keyClick(page.window().focusWidget(), key)


def in_sight(part: QWidget) -> bool:
    return part.visibleRegion().boundingRect() == part.rect()


def stored(qtbot: QtBot, page: GradePage) -> None:
    qtbot.waitUntil(lambda: page.flow.ready, timeout=PATIENCE)


def test_digits_answer_one_question_after_the_other_and_the_next_candidate_comes(
    qtbot: QtBot, asking: GradePage
) -> None:
    press(qtbot, asking, Qt.Key.Key_E)
    panel = asking.parts.asked
    assert panel.hasFocus()
    asking.window().resize(1_400, 800)
    qtbot.waitUntil(lambda: not asking.parts.folded, timeout=PATIENCE)
    asking.window().resize(1_000, 800)
    qtbot.waitUntil(lambda: asking.parts.folded, timeout=PATIENCE)
    assert panel.hasFocus(), "else digits would be grades"
    assert asking.window().keys.text() == status_keys("asked", asking.window().commands)
    assert panel.rows[0].title.text() == "▸ Faithful"
    press(qtbot, asking, Qt.Key.Key_5)  # no value of it
    press(qtbot, asking, Qt.Key.Key_2, Qt.Key.Key_1, Qt.Key.Key_0)  # faster than they are stored
    stored(qtbot, asking)
    assert asking.flow.position == 1
    assert panel.current == 1
    assert (said(asking, 0), said(asking, 1)) == ({"Faithful": 2, "Fluent": 1}, {"Faithful": 0})
    assert asking.flow.prepared.view.decided == 0, "no digit was a grade"
    press(qtbot, asking, Qt.Key.Key_Up, Qt.Key.Key_Backspace)
    stored(qtbot, asking)
    assert said(asking, 1) == {}
    press(qtbot, asking, Qt.Key.Key_Escape, Qt.Key.Key_4)
    stored(qtbot, asking)
    assert asking.flow.prepared.view.candidates[1].judgment.grade == 4
    assert asking.window().keys.text() == status_keys("grade", asking.window().commands)


def test_undo_puts_the_candidate_in_front_whose_answer_it_took_back(qtbot: QtBot, asking: GradePage) -> None:
    press(qtbot, asking, Qt.Key.Key_E, Qt.Key.Key_2, Qt.Key.Key_1)
    stored(qtbot, asking)
    assert asking.flow.position == 1
    asking.surroundings.actions["undo"].trigger()
    qtbot.waitUntil(lambda: asking.flow.position == 0 and asking.flow.ready, timeout=PATIENCE)
    assert said(asking, 0) == {"Faithful": 2}
    assert [one.isChecked() for one in asking.parts.asked.rows[1].buttons[:2]] == [False, False]
    asking.surroundings.actions["redo"].trigger()
    qtbot.waitUntil(asking.parts.asked.rows[1].buttons[1].isChecked, timeout=PATIENCE)
    assert said(asking, 0) == {"Faithful": 2, "Fluent": 1}


def test_a_value_is_pressed_too_and_what_is_said_anew_leads_nowhere(qtbot: QtBot, asking: GradePage) -> None:
    panel = asking.parts.asked
    press(qtbot, asking, Qt.Key.Key_E, Qt.Key.Key_2)
    stored(qtbot, asking)
    qtbot.mouseClick(panel.rows[0].buttons[1], Qt.MouseButton.LeftButton)
    stored(qtbot, asking)
    assert (asking.flow.position, panel.current, said(asking, 0)) == (0, 1, {"Faithful": 1})


def test_without_aspects_there_is_no_tab_and_the_lead_sets_them_up_in_the_window(
    qtbot: QtBot, window: Window, page: GradePage
) -> None:
    assert page.parts.side.indexOf(page.parts.asked) < 0
    assert not page.parts.asked.isVisible(), "it would stand over the others"
    page.surroundings.actions["project_settings"].trigger()
    qtbot.waitUntil(lambda: window.findChild(ProjectSettings) is not None, timeout=PATIENCE)
    dialog = window.findChild(ProjectSettings)
    dialog.aspects.more.click()
    (line,) = dialog.aspects.lines
    qtbot.keyClicks(line.name, "Faithful")
    qtbot.keyClicks(line.values, "no")
    qtbot.keyClick(line.values, Qt.Key.Key_Return)
    assert "Faithful has 1 values; name 2 to 6" in dialog.wrong.text()
    qtbot.keyClicks(line.values, ", partly, yes")
    qtbot.keyClick(line.values, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: page.parts.side.indexOf(page.parts.asked) > 0, timeout=PATIENCE)
    page.parts.side.setCurrentWidget(page.parts.asked)
    assert page.parts.asked.rows[0].title.text() == "Faithful"
    (stored_one,) = settings.value_of(page.project, "aspects")
    assert stored_one["values"] == ["no", "partly", "yes"]


def test_two_people_disagree_and_it_is_settled_by_a_key(
    qtbot: QtBot, project_path: Path, open_window: OpenWindow
) -> None:
    with Project.open(project_path, annotator="ann") as project:
        settings.set_setting(project, "aspects", [FAITHFUL, FLUENT])
        query = browse.key_of(project, "q1")
        candidates = sorted(browse.query(project, query).candidates, key=lambda one: one.id)
        for name, level in (("bob", 2), ("ann", 0)):
            project.use_annotator(name)
            for one in candidates:
                judging.rate(project, query, one.key, "Faithful", level if one is candidates[0] else 1)
                judging.rate(project, query, one.key, "Fluent", 1)
    page = shown(open_window(project_path), qtbot)
    assert [page.by.itemText(at) for at in range(page.by.count())] == ["Grades", "Faithful", "Fluent"]
    page.by.setCurrentIndex(1)
    page.by.activated.emit(1)
    qtbot.waitUntil(lambda: page.found.judged_by == "Faithful", timeout=PATIENCE)
    assert page.levels.text() == "Faithful: 0 no, 1 partly, 2 yes"
    page.tabs.look_at("To settle")
    queue = page.adjudication
    qtbot.waitUntil(lambda: len(queue.settling.rows) == 1, timeout=PATIENCE)
    qtbot.waitUntil(lambda: queue.settling.ready, timeout=PATIENCE)
    assert [one.isVisibleTo(queue) for one in queue.buttons] == [True] * 3 + [False] * 3
    assert [one.title for one in queue.table.grid.table.columns] == [
        "Query",
        "Candidate",
        "Levels",
        "Settled",
    ]
    page.window().activateWindow()
    qtbot.waitUntil(page.window().isActiveWindow, timeout=PATIENCE)
    queue.table.setFocus()
    press(qtbot, page, Qt.Key.Key_1)
    qtbot.waitUntil(lambda: queue.settling.rows[0].settled == 1, timeout=PATIENCE)
    qtbot.waitUntil(lambda: not queue.settling.storing, timeout=PATIENCE)
    options = Options(measures=("CG@1",), judged_by="Faithful")
    assert project_scores.evaluate_project(page.project, options).mean("sys1", "CG@1") == 1


def test_nuggets_are_written_in_the_window_and_matched_by_digits(
    qtbot: QtBot, window: Window, page: GradePage
) -> None:
    page.surroundings.actions["nuggets"].trigger()
    qtbot.waitUntil(lambda: window.findChild(NuggetsDialog) is not None, timeout=PATIENCE)
    dialog = window.findChild(NuggetsDialog)
    dialog.more.click()
    for line in dialog.lines:
        qtbot.keyClicks(line.text, "It has volcanoes.")
    qtbot.keyClick(dialog.lines[0].text, Qt.Key.Key_Return)
    assert "is there twice" in dialog.wrong.text()
    qtbot.keyClick(dialog.lines[0].text, Qt.Key.Key_Escape)
    assert heard(window, "The nuggets are not kept yet")
    qtbot.waitUntil(lambda: window.findChild(NuggetsDialog) is None, timeout=PATIENCE)
    page.surroundings.actions["nuggets"].trigger()
    qtbot.waitUntil(lambda: window.findChild(NuggetsDialog) is not None, timeout=PATIENCE)
    dialog = window.findChild(NuggetsDialog)
    assert [one.text for one in dialog.values()] == ["It has volcanoes."] * 2, "left by Esc, and not lost"
    for _ in range(30):
        dialog.more.click()
    qtbot.waitUntil(lambda: in_sight(dialog.lines[-1].text), timeout=PATIENCE)
    dialog.lines[1].importance.setCurrentIndex(1)
    dialog.lines[1].text.setText("It is cold.")
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow, timeout=PATIENCE)
    qtbot.waitUntil(dialog.lines[1].text.isVisible, timeout=PATIENCE)
    dialog.lines[1].text.setFocus()
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Up):
        qtbot.keyClick(dialog.focusWidget(), key, Qt.KeyboardModifier.AltModifier)
    assert [one.text.text() for one in dialog.lines[:2]] == ["It is cold.", "It has volcanoes."]
    assert dialog.lines[0].text.accessibleName() == "Nugget 1"
    qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
    qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
    assert dialog.focusWidget() is dialog.lines[1].text, "its lines follow each other, too"
    away = window.session.path.rename(window.session.path.with_name("away.annot"))
    qtbot.keyClick(dialog.lines[0].text, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "Not stored" in window.safety.notice.text(), timeout=PATIENCE)
    away.rename(window.session.path)
    page.surroundings.actions["nuggets"].trigger()
    qtbot.waitUntil(lambda: window.findChild(NuggetsDialog) is not None, timeout=PATIENCE)
    dialog = window.findChild(NuggetsDialog)
    assert [one.text for one in dialog.values()] == ["It is cold.", "It has volcanoes."], "nothing is lost"
    qtbot.keyClick(dialog.lines[0].text, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: page.parts.side.indexOf(page.parts.asked) > 0, timeout=PATIENCE)
    assert page.parts.asked.rows == [], "nothing is made before it is looked at"
    window.activateWindow()
    qtbot.waitUntil(lambda: window.isActiveWindow() and page.flow.ready, timeout=PATIENCE)
    page.parts.cards.setFocus()
    press(qtbot, page, Qt.Key.Key_E)
    assert [row.meaning.text() for row in page.parts.asked.rows[:2]] == ["okay", "vital"]
    press(qtbot, page, Qt.Key.Key_2, Qt.Key.Key_1)
    stored(qtbot, page)
    assert page.flow.position == 1
    with Project.open(window.session.path, read_only=True) as project:
        project.use_annotator("ann")
        view = browse.query(project, page.flow.query)
        assert [view.candidates[0].said[one.task, *one.ending] for one in view.questions] == [2, 1]
        assert [one.title for one in view.questions] == ["It is cold.", "It has volcanoes."]


@pytest.mark.parametrize(
    ("passage", "written_in"),
    [("<p>Ducks <i>swim</i> &amp; fly.</p>", ""), ("# Ducks *swim* & fly.", "markdown")],
)
def test_a_passage_is_read_without_its_marks(qtbot: QtBot, passage: str, written_in: str) -> None:
    panel = AskedPanel(None)
    qtbot.addWidget(panel)
    panel.show()
    asked = Asked("citation", ("0-11", "p"), "Ducks swim.", "cites p", ("no", "yes"), passage, written_in)
    panel.show_questions("An answer", [asked], {})
    assert panel.rows[0].passage.text() == "<b>Ducks</b> <b>swim</b> &amp; fly."


SENTENCES = st.lists(st.text("aeist", min_size=1, max_size=60), min_size=1, max_size=9).map(" ".join)


@drawing(max_examples=4, deadline=None)
@given(
    width=st.integers(260, 480),
    questions=st.lists(
        st.tuples(SENTENCES, st.lists(SENTENCES, min_size=2, max_size=6)), min_size=1, max_size=5
    ),
    front=st.integers(0, 4),
)
@example(260, [("long" * 15, ["no", "so clear that a child of ten could follow it"])] * 5, 4)
def test_in_a_narrow_panel_all_that_is_asked_has_room_and_what_is_in_front_is_in_sight(
    qapp: QApplication, width: int, questions: list[tuple[str, list[str]]], front: int
) -> None:
    panel = AskedPanel(None)
    panel.resize(480, 700)
    panel.show()
    asked = [
        Asked("aspect", (str(at),), one, one, tuple(values), one)
        for at, (one, values) in enumerate(questions)
    ]
    panel.show_questions("An answer", asked, {})
    panel.put_in_front(front)
    panel.resize(width, 700)
    for _ in range(
        4
    ):  # values break, then rows are as high as they are, then what is in front comes to sight
        qapp.processEvents()
    for row in panel.rows:
        assert row.height() >= row.heightForWidth(row.width()), "nothing is cut below"
        for part in (row.title, row.meaning, *row.buttons):
            assert part.mapTo(panel.viewport(), part.rect().topRight()).x() < panel.viewport().width()
            assert part.width() >= part.minimumSizeHint().width(), "nor at the side"
    shown = panel.rows[panel.current]
    assert in_sight(shown) or shown.height() > panel.viewport().height()
    panel.deleteLater()


def test_each_sentence_is_judged_by_digits_beside_the_passage_that_it_cites(
    qtbot: QtBot, tmp_path: Path, open_window: OpenWindow
) -> None:
    made(tmp_path / "cited.annot")
    window = open_window(tmp_path / "cited.annot")
    page = window.pages[0]
    assert isinstance(page, GradePage)
    qtbot.waitUntil(lambda: page.flow.ready, timeout=PATIENCE)
    start = page.flow.position
    if page.flow.prepared.view.candidates[start].missing:
        press(qtbot, page, Qt.Key.Key_Down)
        qtbot.waitUntil(lambda: page.flow.position != start and page.flow.ready, timeout=PATIENCE)
    press(qtbot, page, Qt.Key.Key_E)
    panel, front = page.parts.asked, page.flow.position
    assert [row.title.text() for row in panel.rows[:2]] == ["▸ Ducks live for ten years.", "Ducks fly."]
    assert panel.rows[0].passage.text() == "<b>Ducks</b> <b>live</b> long."
    assert not panel.rows[1].passage.isVisibleTo(panel)
    press(qtbot, page, Qt.Key.Key_2)
    stored(qtbot, page)
    assert panel.rows[1].passage.text() == (
        "<b>Ducks</b> swim. A <b>duck</b> <b>flies</b> well, as drakes do."
    ), "words of the same stem are marked"
    press(qtbot, page, Qt.Key.Key_1, Qt.Key.Key_0)
    stored(qtbot, page)
    assert page.flow.position != front
    assert "2 cited passages cannot be judged" in panel.candidate.text()
    assert page.parts.scores.hidden
    press(qtbot, page, Qt.Key.Key_2, Qt.Key.Key_2)
    stored(qtbot, page)
    qtbot.waitUntil(lambda: not page.parts.scores.hidden, timeout=PATIENCE)
    with Project.open(window.session.path, read_only=True) as project:
        project.use_annotator("ann")
        candidates = browse.query(project, page.flow.query).candidates
    assert [one.places[0].system for one in candidates] == ["long", "brief"], "no longer blind"
    assert candidates[0].said == {
        ("citation", "0-25", "p1"): 2,
        ("citation", "26-36", "p2"): 1,
        ("citation", "26-36", "p1"): 0,
    }
