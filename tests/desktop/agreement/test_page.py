"""The Agreement page: coefficients, confusion, the queue to settle, what one sees while blind."""

import json
import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from annotator.desktop.agreement import settle_tab
from annotator.desktop.agreement.page import AgreementPage
from annotator.desktop.agreement.words import ALONE
from annotator.desktop.window import Window
from annotator.evaluation.result_table import Column, Table
from annotator.project import browse, judging, settings
from tests.desktop.agreement.conftest import shown
from tests.desktop.graded import PATIENCE, grade_queries


def test_with_one_annotator_the_page_says_what_is_missing(window: Window, qtbot: QtBot) -> None:
    grade_queries(window, qtbot, (1, 2, 3))
    page = shown(window, qtbot)
    assert "takes two people" in page.sentence.text()
    assert page.other.isVisible()
    titles = [page.tabs.tabText(at) for at in range(page.tabs.count()) if page.tabs.isTabVisible(at)]
    assert titles == ["Figures", "Threshold", "Each annotator"]


def test_to_whom_everything_is_hidden_the_page_says_what_to_do(window: Window, qtbot: QtBot) -> None:
    grade_queries(window, qtbot, (1, 2, 3), annotator="bob")
    project, done = window.session.project, list[object]()

    def begin() -> object:
        return judging.set_grade(project, 1, browse.query(project, 1).candidates[0].key, 3)

    window.session.worker.submit(window, begin, done.append)
    qtbot.waitUntil(lambda: bool(done), timeout=PATIENCE)
    page = shown(window, qtbot)
    assert page.blind.isVisible()
    assert page.sentence.text() == ALONE
    assert page.meaning.text().startswith("It is shown for the queries that you have finished")
    assert page.blind.unblind_wanted.text() in page.meaning.text()
    page.tabs.look_at("Figures")
    window.resize(window.width(), 420)
    page.refresh()
    bar = page.whole_page.verticalScrollBar()
    qtbot.waitUntil(lambda: not page.job.busy and bar.maximum() > 0 == bar.value(), timeout=PATIENCE)
    assert page.figures.isVisible()
    assert "table" not in window.keys.text()
    assert "Ctrl+S" not in window.keys.text(), "nothing can be saved"
    assert page.figures.kinds.isHidden()
    assert page.figures.sentence.text().startswith("There is nothing to draw yet")
    parts = (page.figures.measure, page.figures.first, page.figures.second, page.figures.by_class)
    assert all(part.isHidden() for part in parts)


def test_without_any_grade_the_page_says_so(window: Window, qtbot: QtBot) -> None:
    page = shown(window, qtbot)
    assert page.message.isVisible()
    assert page.tabs.isHidden()


def test_too_few_items_are_said_and_no_number_is_made_of_them(agreement: AgreementPage) -> None:
    assert "not enough data (12 items" in agreement.sentence.text()
    assert agreement.meaning.text() == ""
    assert agreement.meaning.isHidden(), "it would keep its place"
    table = agreement.agreeing.coefficients.grid.table
    assert [column.title for column in table.columns[1:]] == [
        "everybody, 12 of 30 items",
        "ann – bob, 12 of 30 items",
    ]
    assert {cell for row in table.rows for cell in row[1:]} == {None}


def test_a_table_is_saved_and_says_of_which_state_it_is(
    agreement: AgreementPage, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "confusion.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    agreement.tabs.look_at("Coefficients")
    confusion = agreement.agreeing.confusion
    confusion.setFocus()
    qtbot.keyClick(confusion, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    with qtbot.waitSignal(agreement.said, timeout=PATIENCE) as said:
        qtbot.keyClick(QApplication.activeModalWidget(), Qt.Key.Key_Return)
    assert said.args == [f"Written: {path}"]
    table, origin = json.loads(path.read_text("utf-8"))["sections"]
    assert len(table["tables"][0]["rows"]) == 6
    assert "Ledger head" in " ".join(origin["text"])


def test_the_confusion_counts_what_both_graded(agreement: AgreementPage) -> None:
    agreement.tabs.look_at("Coefficients")
    grid = agreement.agreeing.confusion.grid
    assert grid.rowCount() == 6
    assert agreement.agreeing.pair.currentText() == "ann – bob"
    total = sum(int(grid.index(row, at).data()) for row in range(6) for at in range(1, 7))
    assert total == 12


def test_the_grades_that_settle_are_called_as_the_lead_calls_them_and_those_of_many_are_told_whole(
    agreement: AgreementPage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settle_tab, "IN_SIGHT", 1)
    words = ("Off topic", "b", "c", "d", "Q&A", "Answers every part of it")
    settings.set_setting(agreement.project, "meanings", list(words))
    keys = agreement.window().keys
    assert "settle" not in keys.text()
    agreement.tabs.look_at("To settle")
    assert "0, 1, … settle" in keys.text()
    first, *_, fourth, fifth = agreement.adjudication.buttons
    qtbot.waitUntil(lambda: first.text() == "0  Off topic", timeout=PATIENCE)
    assert fourth.text() == "4  Q&&A", "an ampersand is no underline"
    assert (fifth.text(), fifth.toolTip()) == ("5  Answers every par…", words[5])
    listed = agreement.adjudication.table.grid.index(0, 2).data()
    assert re.fullmatch(r"\d, \d", listed)
    assert (agreement.adjudication.state.text(), agreement.adjudication.state.isVisible()) == (
        f"Grades: {listed}.",
        True,
    )


def test_the_others_grades_of_an_unfinished_query_stay_hidden(window: Window, qtbot: QtBot) -> None:
    grade_queries(window, qtbot, (1,))
    grade_queries(window, qtbot, (1, 2), annotator="bob", off=-1)
    grade_queries(window, qtbot, (2,), annotator="eve", off=1)
    page = shown(window, qtbot)
    page.tabs.look_at("To settle")
    assert {one.query_id for one in page.adjudication.settling.rows} == {"q1"}
    assert page.blind.isVisible()
    assert page.found is not None
    assert {one.query_id for one in page.found.agreement.queries} == {"q1"}
    assert {name: sum(counts) for name, counts in page.found.subject.grade_counts.items()} == {
        "ann": 6,
        "bob": 6,
    }
    assert not page.tabs.isTabVisible(page.tabs.place("Threshold"))


def test_the_effect_on_the_ranking_is_shown_by_annotator(agreement: AgreementPage) -> None:
    agreement.tabs.look_at("Effect on the ranking")
    grid = agreement.effect.grid
    assert [grid.index(row, 0).data() for row in range(grid.rowCount())] == ["sys1", "sys2"]
    headings = [one.title for one in grid.table.columns]
    assert headings == ["System", "ann", "Place", "Queries", "bob", "Place", "Queries"]
    assert "1.00 between ann and bob" in grid.table.caption
    agreement.tabs.look_at("Queries")
    table = agreement.queries.grid.table
    assert all(title in table.caption for title in ("Mean range", "Queries without"))
    texts = [one.text for one in agreement.found.agreement.queries] if agreement.found else []
    assert texts
    assert all(texts)
    assert [row[1] for row in table.rows] == texts, "an id alone says nothing"


def test_the_figures_about_annotators_are_offered(agreement: AgreementPage, qtbot: QtBot) -> None:
    agreement.tabs.look_at("Figures")
    kinds = agreement.figures.kinds
    titles = [kinds.item(at).text() for at in range(kinds.count())]
    assert titles == ["Grade distribution", "Confusion", "Time per judgment", "Drift"]
    qtbot.waitUntil(lambda: agreement.figures.canvas.drawn is not None, timeout=PATIENCE)


def test_one_annotator_is_held_against_the_other_at_a_threshold(
    agreement: AgreementPage, qtbot: QtBot
) -> None:
    agreement.tabs.look_at("Threshold")
    tab = agreement.threshold
    needed = tab.threshold.fontMetrics().horizontalAdvance(tab.threshold.text())
    assert tab.threshold.lineEdit().width() >= needed, "the number is there to be read"
    tab.predicted.setCurrentText("bob")
    tab.predicted.activated.emit(0)
    assert "Choose whose grades" in tab.said.text()
    assert tab.nothing.isVisible()
    assert not tab.below.isVisible(), "empty tables say nothing"
    tab.truth.setCurrentText("ann")
    tab.truth.activated.emit(0)
    qtbot.waitUntil(lambda: "over 12 pairs" in tab.said.text(), timeout=PATIENCE)
    cells = [[tab.counts.grid.index(row, at).data() for at in (1, 2)] for row in (0, 1)]
    assert cells == [["6", "0"], ["2", "4"]], "bob gives 3 or more to two of ann's three, in two queries"
    assert tab.rates.grid.rowCount() == 12
    named = [tab.rates.grid.index(row, 0).data() for row in range(12)]
    assert (named[0], named[7], named[11]) == ("TPR", "Precision of negatives", "MCC")
    heads = [(one.title, one.name) for one in tab.sweep.grid.table.columns]
    assert heads[1:3] + heads[7:8] == [("TP", "tp"), ("FP", "fp"), ("F1", "f1")]
    assert tab.below.isVisible()
    assert not tab.nothing.isVisible()


def test_answers_that_nobody_graded_cannot_be_held_against_grades(
    agreement: AgreementPage, qtbot: QtBot
) -> None:
    agreement.tabs.look_at("Threshold")
    qtbot.waitUntil(lambda: "No graded answer" in agreement.threshold.said.text(), timeout=PATIENCE)


def test_grades_given_together_are_left_out_until_asked_for_and_both_are_said(
    window: Window, qtbot: QtBot
) -> None:
    grade_queries(window, qtbot, (1, 2, 3), annotator="bob")
    grade_queries(window, qtbot, (1,))
    project, done = window.session.project, list[object]()

    def give() -> object:
        return judging.grade_rest(project, 2, [one.key for one in browse.query(project, 2).candidates])

    window.session.worker.submit(window, give, done.append)
    qtbot.waitUntil(lambda: bool(done), timeout=PATIENCE)
    page = shown(window, qtbot)
    assert page.with_together.isVisible()
    assert page.found.coefficients.caption.endswith(
        "6 grades given with the rest of a query or with a near-duplicate are left out."
    )
    assert page.found.coefficients.columns[1].title == "everybody, 6 of 30 items"
    assert page.found.subject.together.endswith("left out.")
    page.with_together.click()
    qtbot.waitUntil(lambda: page.found.coefficients.caption.endswith("count, too."), timeout=PATIENCE)
    page.tabs.look_at("Threshold")
    page.threshold.predicted.setCurrentText("bob")
    page.threshold.truth.setCurrentText("ann")
    page.threshold.truth.activated.emit(0)
    qtbot.waitUntil(lambda: page.threshold.said.text().endswith("count, too."), timeout=PATIENCE)
    assert page.threshold.counts.grid.table.caption.endswith("count, too.")
    assert page.found.coefficients.columns[1].title == "everybody, 12 of 30 items"


def test_where_every_grade_was_decided_on_nothing_is_asked(agreement: AgreementPage) -> None:
    assert not agreement.with_together.isVisible()


def test_the_grades_of_a_pair_stand_shaded_beside_the_coefficients(window: Window, qtbot: QtBot) -> None:
    grade_queries(window, qtbot, (1, 2, 3))
    for name, off in (("bob", -1), ("eve", 1)):
        grade_queries(window, qtbot, (1, 2, 3), annotator=name, off=off)
    page = shown(window, qtbot)
    tab = page.agreeing
    assert tab.coefficients.isVisible()
    assert tab.confusion.isVisible()
    assert tab.pair.count() == 3
    for chosen in range(3):
        tab.pair.setFocus()
        tab.pair.setCurrentIndex(chosen)
        tab.pair.activated.emit(chosen)
        first, second = tab.pair.currentText().split(" – ")
        table = tab.confusion.grid.table
        assert table.caption == f"Rows are judgments of {first}, columns of {second}."
        shaded = [at for at, one in enumerate(table.columns) if one.shade is not None]
        assert [table.columns[at].title for at in shaded] == [*"012345"]
        most = max(int(cell) for at in shaded for cell in table.data[at])
        assert {table.columns[at].shade for at in shaded} == {(0.0, most)}
        assert tab.confusion.verticalScrollBar().maximum() == 0
    qtbot.waitUntil(lambda: tab.grades.drawn is not None, timeout=PATIENCE)
    assert not tab.stacked
    pair, rows = Column("Mara – Anneliese, 85 items"), [("Same grade", *[0.5] * 30)]
    before, several = (
        tab.coefficients.grid.table,
        Table.of_rows("c", "C", (Column("Coefficient", "text"), *[pair] * 30), rows),
    )
    tab.coefficients.show_table(several)
    assert tab.stacked, "as many pairs have no room beside it"
    tab.coefficients.show_table(before)
    assert not tab.stacked
    window.appearance.choose("light", 150)
    window.resize(1024, 700)
    qtbot.waitUntil(
        lambda: tab.stacked and tab.coefficients.width() == tab.viewport().width(), timeout=PATIENCE
    )
    confusion = tab.confusion
    qtbot.waitUntil(
        lambda: confusion.horizontalHeader().length() <= confusion.viewport().width(), timeout=PATIENCE
    )
    window.appearance.choose("light", 100)


def test_the_page_says_in_words_what_alpha_means_once_there_is_one(
    window: Window, qtbot: QtBot, agreement: AgreementPage
) -> None:
    assert agreement.meaning.text() == "", "12 items are not enough for an alpha"
