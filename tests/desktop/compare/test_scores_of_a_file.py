"""The Compare page takes a file of scores in place of the project's, by keyboard, and goes back."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from annotator.desktop.compare.contrasts import SCORES_ALONE
from annotator.desktop.compare.page import ComparePage
from annotator.desktop.results.tabs import made
from annotator.desktop.style import breakable
from annotator.desktop.window import Window
from annotator.evaluation.options import Options
from annotator.evaluation.pairs import compare_all
from annotator.project.files import evaluate_runs
from annotator.project.score_files import write_scores
from tests.desktop.compare.test_page import compare as compare
from tests.desktop.graded import PATIENCE

QRELS = "".join(f"q{query} 0 d{query % 3} {1 + query % 2}\n" for query in range(8))
RUNS = {
    "bm25": "".join(f"q{query} Q0 d{at} 0 {9 - at} bm25\n" for query in range(8) for at in range(3)),
    "dense": "".join(f"q{query} Q0 d{2 - at} 0 {9 - at} dense\n" for query in range(8) for at in range(3)),
}


@pytest.fixture
def scores(tmp_path: Path) -> Path:
    """Return a file of scores of two systems that no project knows."""
    (tmp_path / "qrels.txt").write_text(QRELS)
    for name, text in RUNS.items():
        (tmp_path / f"{name}.run").write_text(text)
    runs = [tmp_path / f"{name}.run" for name in RUNS]
    options = Options(measures=("RR", "P@1"))
    write_scores(evaluate_runs(tmp_path / "qrels.txt", runs, options), tmp_path / "scores.parquet")
    return tmp_path / "scores.parquet"


def press_scores(page: ComparePage, qtbot: QtBot) -> None:
    """Ask for scores from a file, or for the way back by a key, and wait until what that led to is shown."""
    if page.bar.back.isVisible():
        page.bar.back.setFocus()
        qtbot.keyClick(page.bar.back, Qt.Key.Key_Space)
    else:
        page.bar.more.menu().actions()[1].trigger()
    qtbot.waitUntil(lambda: not page.job.busy, timeout=PATIENCE)


def test_scores_of_a_file_are_compared_and_the_projects_come_back(
    compare: ComparePage, window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, scores: Path
) -> None:
    before, of_project = compare.sentence.text(), compare.options.options
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(scores), ""))
    press_scores(compare, qtbot)
    assert compare.result is not None
    (one,) = (each for each in compare_all(compare.result) if each.measure == "RR")
    assert (compare.sentence.text(), one.n) == (breakable(one.sentence), 8)
    assert {one.first, one.second} == set(RUNS)
    assert compare.numbers.text().startswith("Scores of scores.parquet · ")
    offered = {
        compare.tabs.tabText(at) for at in range(compare.tabs.count()) if compare.tabs.isTabVisible(at)
    }
    assert {"Overlap", "Measures and conventions", "What would change it", "Then and now"}.isdisjoint(offered)
    assert {"Queries by contrast", "All pairs", "Figures", "Power"} <= offered
    assert len(compare.contrasts.table.grid.table.data[0]) == 8
    assert not compare.contrasts.sides.isVisible()
    boxes = compare.bar.first, compare.bar.second
    qtbot.waitUntil(lambda: all(box.width() >= box.sizeHint().width() for box in boxes), timeout=PATIENCE)
    compare.contrasts.table.setCurrentIndex(compare.contrasts.table.grid.index(0, 0))
    qtbot.keyClick(compare.contrasts.table, Qt.Key.Key_Return)
    assert window.heard[-1] == SCORES_ALONE  # type: ignore[attr-defined]
    assert not compare.bar.more.isVisible()
    compare.bar.how.click()
    assert (compare.bar.tests.isVisible(), compare.options.isVisible()) == (True, False)
    assert compare.surroundings.choices.pair == ("sys1", "sys2")
    compare.bar.measure.setCurrentText("P@1")
    compare.bar.measure.activated.emit(compare.bar.measure.currentIndex())
    assert compare.sentence.text() == next(
        breakable(each.sentence) for each in compare_all(compare.result) if each.measure == "P@1"
    )
    assert "annotator evaluate scores.parquet" in compare.result.provenance.command
    press_scores(compare, qtbot)
    qtbot.waitUntil(lambda: compare.sentence.text() == before, timeout=PATIENCE)
    assert compare.options.options == of_project
    assert (compare.bar.more.isVisible(), compare.bar.back.isVisible()) == (True, False)
    assert compare.options.isVisible()
    assert compare.contrasts.sides.isVisible()
    assert "Overlap" in {
        compare.tabs.tabText(at) for at in range(compare.tabs.count()) if compare.tabs.isTabVisible(at)
    }


def test_what_is_no_file_of_scores_is_said_and_what_is_shown_stays(
    compare: ComparePage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, scores: Path
) -> None:
    before = compare.sentence.text()
    scores.write_text("system,query,RR\n")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(scores), ""))
    press_scores(compare, qtbot)
    assert "scores.parquet is no file of scores" in compare.wrong.text().replace("\u200b", "")
    assert compare.wrong.isVisible()
    assert (compare.sentence.text(), compare.scores) == (before, None)
    assert made(compare, "contrasts")


def test_a_file_with_one_system_says_so_and_leads_back(
    compare: ComparePage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, scores: Path
) -> None:
    options = Options(measures=("RR",))
    one = evaluate_runs(scores.with_name("qrels.txt"), [scores.with_name("bm25.run")], options)
    write_scores(one, scores)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(scores), ""))
    before = compare.sentence.text()
    press_scores(compare, qtbot)
    assert "one system alone" in compare.message._text.text()
    press_scores(compare, qtbot)
    qtbot.waitUntil(compare.content.isVisible, timeout=PATIENCE)
    assert compare.sentence.text() == before
