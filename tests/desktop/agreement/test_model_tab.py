"""A model beside one person: what the page says of it, and the queue of what it graded otherwise."""

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from annotator.desktop.agreement.page import AgreementPage
from annotator.desktop.agreement.settle_tab import MODEL, SETTLED
from annotator.desktop.window import Window
from annotator.project import browse
from tests.desktop.agreement.conftest import shown
from tests.desktop.graded import PATIENCE, grade_queries


@pytest.fixture
def page(window: Window, qtbot: QtBot) -> AgreementPage:
    """The page of a project that ann graded, a model one too high on the first query, and one of noughts."""
    grade_queries(window, qtbot, (1, 2, 3))
    project, done = window.session.project, list[object]()

    def import_model() -> object:
        for key in (1, 2):
            view = browse.query(project, key)
            for candidate in view.candidates:
                grade = max(6 - int(candidate.id.rpartition("-")[2]), 0)
                grade = min(grade + (key == 1), 5)
                subject, value = (view.id, candidate.id), {"state": "graded", "grade": grade}
                project.store.record("gpt", "grade", subject, value, annotator_kind="model")
        view = browse.query(project, 1)
        for candidate in view.candidates:
            subject, value = (view.id, candidate.id), {"state": "graded", "grade": 0}
            project.store.record("zephyr", "grade", subject, value, annotator_kind="model")
        return True

    window.session.worker.submit(window, import_model, done.append)
    qtbot.waitUntil(lambda: bool(done), timeout=PATIENCE)
    return shown(window, qtbot)


def titles(page: AgreementPage) -> list[str]:
    return [page.tabs.tabText(at) for at in range(page.tabs.count()) if page.tabs.isTabVisible(at)]


def test_one_person_and_one_model_are_told_of(page: AgreementPage) -> None:
    said = page.sentence.text()
    assert said.startswith("The model “gpt” and ann give the same grade to ")
    assert " of the 12 candidates that both judged; " in said
    assert "count in no score" in page.meaning.text()
    assert {"Coefficients", "Models", "Where a model differs"} <= set(titles(page))
    assert not {"Queries", "To settle"} & set(titles(page)), "they take two people"
    page.tabs.look_at("Models")
    tables = [page.models.choice.itemText(at) for at in range(page.models.choice.count())]
    assert tables[0] == "Models' grades against people's"
    assert any(title.endswith("model alone, uncorrected") for title in tables)
    page.models.choice.setCurrentText("Could gpt replace an annotator?")
    page.models.choice.activated.emit(page.models.choice.currentIndex())
    assert "takes 3 people" in page.models.grid.words()


def test_the_models_grade_is_hidden_until_one_has_decided(page: AgreementPage, qtbot: QtBot) -> None:
    page.tabs.look_at("Where a model differs")
    queue = page.differing
    rows = queue.settling.rows
    assert {one.query_id for one in rows} == {"q1"}
    assert [one.candidate_id for one in rows] == sorted(one.candidate_id for one in rows)
    assert {queue.table.grid.index(at, MODEL).data() for at in range(len(rows))} == {"–"}
    first = rows[0]
    qtbot.waitUntil(lambda: bool(queue.text.toPlainText()), timeout=PATIENCE)
    assert "model" not in queue.state.text()
    assert "shown once you have settled" in queue.table.grid.table.caption, "why there are dashes"
    qtbot.waitUntil(lambda: queue.settling.ready, timeout=PATIENCE)
    with qtbot.waitSignal(queue.settling.changed, timeout=PATIENCE):
        qtbot.keyClick(queue.table, Qt.Key.Key_4)
    settled = queue.settling.rows[0]
    assert (settled.candidate_id, settled.settled) == (first.candidate_id, 4)
    assert queue.table.grid.index(0, SETTLED).data() == "4"
    assert queue.table.grid.index(0, MODEL).data() == str(first.model)
    assert queue.settling.current != settled, "the next one is in front"
    queue.settling.choose(0)
    qtbot.waitUntil(lambda: f"The model gave {first.model}" in queue.state.text(), timeout=PATIENCE)


def test_each_model_has_a_queue_of_its_own_and_undo_hides_its_grade_again(
    page: AgreementPage, window: Window, qtbot: QtBot
) -> None:
    page.tabs.look_at("Where a model differs")
    queue = page.differing
    assert [page.model.itemText(at) for at in range(page.model.count())] == ["gpt", "zephyr"]
    assert page.model.isVisible()
    of_gpt = {one.candidate_id: one.model for one in queue.settling.rows}
    page.model.setCurrentText("zephyr")
    page.model.activated.emit(page.model.currentIndex())
    rows = queue.settling.rows
    assert {one.model for one in rows} == {0}
    assert {one.candidate_id for one in rows} != set(of_gpt)
    assert {queue.table.grid.index(at, MODEL).data() for at in range(len(rows))} == {"–"}
    both = next(at for at, one in enumerate(rows) if one.candidate_id in of_gpt)
    name = rows[both].candidate_id
    queue.settling.choose(both)
    qtbot.waitUntil(lambda: queue.settling.ready, timeout=PATIENCE)
    with qtbot.waitSignal(queue.settling.changed, timeout=PATIENCE):
        qtbot.keyClick(queue.table, Qt.Key.Key_3)
    assert queue.table.grid.index(both, MODEL).data() == "0"
    queue.settling.choose(both)
    qtbot.waitUntil(lambda: "The model gave 0" in queue.state.text(), timeout=PATIENCE)
    page.model.setCurrentText("gpt")
    page.model.activated.emit(page.model.currentIndex())
    assert queue.settling.current is not None
    assert queue.settling.current.candidate_id == name
    assert f"The model gave {of_gpt[name]}" in queue.state.text(), "it is decided, for this model too"
    window.commands["undo"].trigger()
    qtbot.waitUntil(lambda: queue.settling.current.settled is None, timeout=PATIENCE)
    qtbot.waitUntil(lambda: "model" not in queue.state.text(), timeout=PATIENCE)
    at = queue.settling.row
    assert queue.table.grid.index(at, MODEL).data() == "–"


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
def test_the_first_table_of_models_needs_no_scrolling_sideways(
    page: AgreementPage, window: Window, qtbot: QtBot, size: tuple[int, int]
) -> None:
    window.resize(*size)
    page.tabs.look_at("Models")
    qtbot.waitUntil(lambda: page.models.grid.grid.rowCount() > 0, timeout=PATIENCE)
    assert page.models.grid.horizontalScrollBar().maximum() == 0
    assert len(page.models.grid.grid.table.columns) == 9
