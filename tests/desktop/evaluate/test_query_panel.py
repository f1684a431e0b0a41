"""The panel of one query under a measure of answers."""

from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from annotator.desktop.evaluate.page import EvaluatePage
from annotator.desktop.evaluate.query_panel import QueryPanel
from annotator.evaluation.options import Options
from annotator.project.project import Project
from annotator.project.views import AnswerEvidence
from annotator.records import Answer, Dataset, GoldAnswer, GoldList, Query, RunTable
from annotator.storage.bulk import import_dataset
from annotator.storage.contents import Import
from tests.desktop.conftest import PATIENCE, OpenWindow


def made(folder: Path) -> Path:
    """A project of one question, two predicted answers and a gold answer with two wordings."""
    answers = [Answer("iron", "Stark"), Answer("iron", "Elon Musk")]
    place = np.arange(2, dtype=np.int32)
    ids = [one.id for one in answers]
    run = RunTable("reader", ["iron"], ids, np.zeros(2, np.int32), place, place + 1, ids_of_answers=True)
    gold = [GoldList("iron", (GoldAnswer("Tony Stark", ("Anthony Edward Stark",)),))]
    with Project.create(folder / "heroes.annot", "Heroes", annotator="ann") as project:
        data = Dataset([Query("iron", "Who is Iron Man?")], answers=answers, gold=gold, runs=[run])
        import_dataset(project.store, data, Import("ann", "test", "person"))
        return project.path


@pytest.fixture
def panel(open_window: OpenWindow, tmp_path: Path, qtbot: QtBot) -> QueryPanel:
    window = open_window(made(tmp_path))
    window.stack.show_page(1)
    page = window.pages[1]
    assert isinstance(page, EvaluatePage)
    qtbot.waitUntil(lambda: not page.job.busy, timeout=PATIENCE)
    page.panel.show()
    return page.panel


def test_a_score_of_answers_is_shown_wording_by_wording(panel: QueryPanel, qtbot: QtBot) -> None:
    panel.show_query("iron", ["reader"], ["TokenF1", "RR"], "reader", "TokenF1", Options())
    qtbot.waitUntil(lambda: isinstance(panel.evidence, AnswerEvidence), timeout=PATIENCE)
    assert panel.title.text() == "Who is Iron Man?"
    assert panel.costs.text() == "TokenF1 = 0.6667."
    assert panel.table.grid.rowCount() == 2
    assert "Texts are compared lower case" in panel.sentence.text()
    assert panel.orderings.isHidden()
    assert panel.gain.isHidden()
    qtbot.waitUntil(lambda: not panel.job.busy, timeout=PATIENCE)
