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
    """The page of a project that ann graded, and a model that is one too high on the first query."""
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
        return True

    window.session.worker.submit(window, import_model, done.append)
    qtbot.waitUntil(lambda: bool(done), timeout=PATIENCE)
    return shown(window, qtbot)


def titles(page: AgreementPage) -> list[str]:
    return [page.tabs.tabText(at) for at in range(page.tabs.count()) if page.tabs.isTabVisible(at)]


def test_one_person_and_one_model_are_told_of(page: AgreementPage) -> None:
    assert page.sentence.text().startswith("gpt gives 12 candidates the grade of ann ")
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
    assert "the model" not in queue.candidate.text()
    qtbot.waitUntil(lambda: queue.settling.ready, timeout=PATIENCE)
    with qtbot.waitSignal(queue.settling.changed, timeout=PATIENCE):
        qtbot.keyClick(queue.table, Qt.Key.Key_4)
    settled = queue.settling.rows[0]
    assert (settled.candidate_id, settled.settled) == (first.candidate_id, 4)
    assert queue.table.grid.index(0, SETTLED).data() == "4"
    assert queue.table.grid.index(0, MODEL).data() == str(first.model)
    assert queue.settling.current != settled, "the next one is in front"
    queue.settling.choose(0)
    qtbot.waitUntil(lambda: f"the model gave {first.model}" in queue.candidate.text(), timeout=PATIENCE)
