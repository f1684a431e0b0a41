"""The panel of one query: a score of answers wording by wording, the way from a rank to judging."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from pytestqt.qtbot import QtBot

from annotator.desktop.evaluate.page import EvaluatePage
from annotator.desktop.evaluate.query_panel import QueryPanel, bounds_in_words
from annotator.evaluation.options import Options
from annotator.project import browse, judging
from annotator.project.evidence import AnswerEvidence, Evidence
from annotator.project.project import Project
from annotator.project.state import State
from annotator.records import Answer, Dataset, GoldAnswer, GoldList, Query, RunTable
from annotator.storage.content.bulk import import_dataset
from annotator.storage.content.contents import Import
from annotator.theme import LIGHT
from tests.desktop.conftest import PATIENCE, OpenWindow
from tests.metrics.throwaway import bare, offer
from tests.project import scores


def made(folder: Path) -> Path:
    """A project of one question, two predicted answers, one graded, and a gold answer with two wordings."""
    answers = [Answer("iron", "Stark"), Answer("iron", "Elon Musk")]
    place = np.arange(2, dtype=np.int32)
    ids = [one.id for one in answers]
    run = RunTable("reader", ["iron"], ids, np.zeros(2, np.int32), place, place + 1, ids_of_answers=True)
    gold = [GoldList("iron", (GoldAnswer("Tony Stark", ("Anthony Edward Stark",)),))]
    with Project.create(folder / "heroes.annot", "Heroes", annotator="ann") as project:
        data = Dataset([Query("iron", "Who is Iron Man?")], answers=answers, gold=gold, runs=[run])
        import_dataset(project.store, data, Import("ann", "test", "person"))
        judging.set_grade(project, 1, browse.query(project, 1).candidates[0].key, 3)
        return project.path


@pytest.fixture
def page(open_window: OpenWindow, tmp_path: Path, qtbot: QtBot) -> EvaluatePage:
    window = open_window(made(tmp_path))
    window.stack.show_page(1)
    page = window.pages[1]
    assert isinstance(page, EvaluatePage)
    qtbot.waitUntil(lambda: not page.job.busy, timeout=PATIENCE)
    page.sheet.come()
    return page


@pytest.fixture
def panel(page: EvaluatePage) -> QueryPanel:
    return page.panel


@pytest.fixture
def state(page: EvaluatePage) -> State:
    assert page.state is not None
    return page.state


def test_a_score_of_answers_is_shown_wording_by_wording(
    panel: QueryPanel, state: State, qtbot: QtBot
) -> None:
    assert panel.orderings.isHidden(), "no headings without rankings"
    panel.show_query(state, "iron", ["reader"], ["TokenF1", "RR"], "reader", "TokenF1", Options())
    qtbot.waitUntil(lambda: isinstance(panel.evidence, AnswerEvidence), timeout=PATIENCE)
    assert panel.title.text() == "Who is Iron Man?"
    assert panel.costs.text() == "TokenF1 = 0.6667."
    assert panel.table.grid.rowCount() == 2
    assert "Texts are compared in lower case" in panel.sentence.text()
    assert panel.orderings.isHidden()
    assert panel.gain.isHidden()
    qtbot.waitUntil(lambda: not panel.job.busy, timeout=PATIENCE)


def test_a_score_is_taken_apart_under_the_threshold_that_its_name_says(
    panel: QueryPanel, state: State, qtbot: QtBot
) -> None:
    panel.show_query(state, "iron", ["reader"], ["SetR"], "reader", "SetR", Options(rel=4))
    qtbot.waitUntil(lambda: isinstance(panel.evidence, Evidence), timeout=PATIENCE)
    assert isinstance(panel.evidence, Evidence)
    assert panel.evidence.explanation.value == 1, "the candidate of grade 3 is the only relevant one"
    qtbot.waitUntil(lambda: not panel.job.busy, timeout=PATIENCE)
    high = panel.gain.minimumHeight()
    panel.gain.theme_changed(LIGHT)
    panel.resizeEvent(QResizeEvent(panel.size(), panel.size()))
    assert panel.gain.minimumHeight() == high < panel.gain.maximumHeight(), "its figure says how high it is"


def test_enter_on_the_rank_of_an_unjudged_candidate_leads_to_judging_it(
    panel: QueryPanel, state: State, qtbot: QtBot
) -> None:
    panel.show_query(state, "iron", ["reader"], ["nDCG@2"], "reader", "nDCG@2", Options())
    qtbot.waitUntil(lambda: isinstance(panel.evidence, Evidence), timeout=PATIENCE)
    evidence = panel.evidence
    assert isinstance(evidence, Evidence)
    (unjudged,) = [at for at, one in enumerate(evidence.actual) if one.grade is None]
    with qtbot.assertNotEmitted(panel.candidate_wanted):
        panel.table.setCurrentIndex(panel.table.grid.index(1 - unjudged, 0))
        qtbot.keyClick(panel.table, Qt.Key.Key_Return)
    panel.table.setCurrentIndex(panel.table.grid.index(unjudged, 0))
    with qtbot.waitSignal(panel.candidate_wanted) as wanted:
        qtbot.keyClick(panel.table, Qt.Key.Key_Return)
    assert wanted.args == [evidence.key, evidence.actual[unjudged].candidate]
    qtbot.waitUntil(lambda: not panel.job.busy, timeout=PATIENCE)


def test_the_bounds_name_the_unjudged_with_the_grades_that_lead_there(tmp_path: Path) -> None:
    path = made(tmp_path)
    with Project.open(path) as project:
        evidence = scores.evidence(project, "reader", "iron", Options(measures=("DCG@10",)))
    (second,) = (one.name for one in evidence.actual if one.grade is None)
    assert bounds_in_words(evidence).endswith(f"Worst with 0 for {second}. Best with 5 for {second}.")
    many = replace(evidence, ends=tuple((f"d{at}", 0, 5 * (at < 6)) for at in range(7)))
    assert bounds_in_words(many).endswith("Best with 5 for d0, d1, d2, d3, d4 and 1 more, 0 for d6.")
    certain = replace(evidence, bounds=(0.5, 0.5, 0.5))
    assert bounds_in_words(certain).endswith("by the grades so far about 0.5000.")


def test_what_a_measure_does_not_claim_is_not_shown(
    panel: QueryPanel, state: State, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer(monkeypatch, bare)
    panel.show_query(state, "iron", ["reader"], ["Bare"], "reader", "Bare", Options())
    qtbot.waitUntil(lambda: isinstance(panel.evidence, Evidence), timeout=PATIENCE)
    qtbot.waitUntil(lambda: not panel.job.busy, timeout=PATIENCE)
    assert panel.costs.text().split() == ["Bare", "=", "1.0000."]
    assert panel.bounds.isHidden()
    table = panel.table.grid.table
    for title in ("Contribution", "Ideal grade", "Ideal gain", "Ideal contribution", "Loss"):
        place = [one.title for one in table.columns].index(title)
        assert {row[place] for row in table.rows} == {None}, title
    panel.orderings.setMouseTracking(True)
    assert "loses" not in panel.orderings._words(0)
