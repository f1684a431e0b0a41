"""The Evaluate page: scores appear, follow the grades, stay hidden from the blind, and open their reasons."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from annotator.desktop import log
from annotator.desktop.compare.tags_tab import TagsTab
from annotator.desktop.dialog import Standard
from annotator.desktop.evaluate.page import EvaluatePage
from annotator.desktop.grade.page import GradePage
from annotator.desktop.question import Confirm
from annotator.desktop.report.page import ReportPage
from annotator.desktop.results.evaluated_page import (
    REMEMBERED,
    EvaluatedPage,
    nothing_in_words,
    remembered_options,
)
from annotator.desktop.results.grid_view import GridView
from annotator.desktop.results.job_bar import CANCELLED
from annotator.desktop.results.table_choice import TableChoice
from annotator.desktop.style import breakable
from annotator.desktop.window import Window
from annotator.evaluation.options import ComparisonChoice, Options
from annotator.evaluation.results import EvaluationResult
from annotator.project import browse, history, judging, project_scores, samples, settings
from annotator.project.evidence import Evidence
from annotator.project.no_answer import WARNING
from annotator.project.views import Change
from annotator.tasks import JUDGED, Task
from annotator.watch import UNWATCHED
from tests.desktop.building import make_project
from tests.desktop.conftest import PATIENCE, OpenWindow
from tests.desktop.evaluate.conftest import press, settle
from tests.desktop.graded import grade_queries


def test_systems_and_measures_are_shown_with_their_means(evaluate: EvaluatePage) -> None:
    grid = evaluate.summary.grid
    assert grid.rowCount() == 2
    headings = [grid.headerData(at, Qt.Orientation.Horizontal) for at in range(3)]
    assert headings == ["System", "nDCG@10 ↓", "AP"]
    assert grid.index(0, 0).data() == "sys1"
    assert grid.index(0, 1).data() == "1.0000", "the first system ranks as the grades do"
    assert grid.index(1, 1).data() < "1.0000"


def test_queries_that_the_annotator_has_not_finished_stay_hidden(
    evaluate: EvaluatePage, qtbot: QtBot
) -> None:
    assert evaluate.queries.map.grid.rowCount() == 2
    assert evaluate.blind.isVisible()
    assert "hidden: 1" in evaluate.blind.words.text()
    card = evaluate.blind.words.parentWidget()
    assert card is not None
    margins = (card.x(), evaluate.blind.width() - card.x() - card.width())
    assert margins == (16, 16), "its round corners touch no edge of the page"
    with qtbot.waitSignal(evaluate.changed, timeout=PATIENCE) as changed:
        show_all(evaluate, qtbot)
    assert changed.args[0].kind == "unblind"
    qtbot.waitUntil(evaluate.blind.isHidden, timeout=PATIENCE)
    settle(evaluate, qtbot)
    window = evaluate.window()
    assert isinstance(window, Window)
    assert not window.pages[0].isAncestorOf(window.focusWidget()), "no page behind takes the keys"
    window.activateWindow()
    evaluate.open_query("q1")
    evaluate.panel.setFocus()
    qtbot.waitUntil(evaluate.panel.hasFocus, timeout=PATIENCE)
    image = evaluate.panel.grab().toImage()
    middle, right, low = image.height() // 2, image.width() - 1, image.height() - 1
    places = ((0, middle), (right, middle), (right // 2, 0), (right // 2, low))
    assert {image.pixelColor(*place).name() for place in places} == {evaluate.theme.accent.lower()}


def test_a_small_window_with_large_text_shows_the_first_query_at_once(
    evaluate: EvaluatePage, window: Window, qtbot: QtBot
) -> None:
    caption = evaluate.summary.caption.text()
    assert caption
    window.appearance.choose("light", 150)
    window.resize(1024, 700)
    view, queries = evaluate.whole_page.viewport(), evaluate.queries.map

    def seen() -> int:
        """Return how much of the first query's row is above the lower edge of the page, unscrolled."""
        top = queries.viewport().mapTo(view, queries.visualRect(queries.model().index(0, 0)).topLeft()).y()
        return view.height() - top

    qtbot.waitUntil(lambda: seen() >= queries.verticalHeader().defaultSectionSize(), timeout=PATIENCE)
    assert evaluate.blind.isVisible()
    assert not evaluate.whole_page.verticalScrollBar().value()
    assert not evaluate.summary.caption.text()
    window.appearance.choose("light", 100)
    window.resize(1280, 800)
    qtbot.waitUntil(lambda: evaluate.summary.caption.text() == caption, timeout=PATIENCE)


def test_a_moment_that_cannot_be_evaluated_is_told_and_the_scores_stay(
    evaluate: EvaluatePage, qtbot: QtBot
) -> None:
    before = evaluate.result
    for as_of, told in (
        ("next Friday", "'next Friday' is neither a snapshot nor a moment"),
        ("2001-01-01", "There was no system as of Mon 2001-01-01 23:59 "),
    ):
        evaluate.options.options = replace(evaluate.options.options, as_of=as_of)
        evaluate.refresh()
        settle(evaluate, qtbot)
        assert told in evaluate.wrong.text()
        assert evaluate.result is before, "what was shown stays"
    assert "as of 2001-01-01" in nothing_in_words(0, "2001-01-01")


@pytest.mark.parametrize("task", JUDGED)
def test_where_nothing_is_graded_it_is_said_what_else_is_judged_and_where_to_see_it(task: Task) -> None:
    assert nothing_in_words(0, "", {task.name}).startswith("Nothing is graded yet. There are judgments of ")


def test_a_click_on_a_score_opens_its_reasons(evaluate: EvaluatePage, window: Window, qtbot: QtBot) -> None:
    press(evaluate.queries.map, 0, "sys2", qtbot)
    qtbot.waitUntil(lambda: evaluate.panel.evidence is not None, timeout=PATIENCE)
    evidence = evaluate.panel.evidence
    assert evidence is not None
    assert evidence.system == "sys2"
    assert evidence.explanation.measure.name == "nDCG@10"
    assert "costs most" in evaluate.panel.costs.text()
    rows = evaluate.panel.table.grid
    assert rows.rowCount() == 6
    with qtbot.waitSignal(evaluate.query_wanted) as wanted:
        qtbot.mouseClick(evaluate.panel.grade, Qt.MouseButton.LeftButton)
    assert wanted.args == [evidence.key]
    assert isinstance(evidence, Evidence)
    last = evidence.actual[-1].candidate
    evaluate.panel.orderings.candidate_wanted.emit(last)
    grade = window.pages[0]
    assert isinstance(grade, GradePage)
    qtbot.waitUntil(
        lambda: (grade.flow.query, grade.flow.candidate) == (evidence.key, last), timeout=PATIENCE
    )


def test_a_candidate_of_a_query_that_the_filters_hide_is_shown_all_the_same(
    evaluate: EvaluatePage, window: Window, qtbot: QtBot
) -> None:
    evaluate.open_query("q1", "sys2", "nDCG@10")
    qtbot.waitUntil(lambda: isinstance(evaluate.panel.evidence, Evidence), timeout=PATIENCE)
    evidence = evaluate.panel.evidence
    assert isinstance(evidence, Evidence)
    grade = window.pages[0]
    assert isinstance(grade, GradePage)
    grade.search_for("words that stand nowhere")
    qtbot.waitUntil(lambda: not len(grade.flow.walk.order.keys), timeout=PATIENCE)
    last = evidence.actual[-1].candidate
    evaluate.panel.orderings.candidate_wanted.emit(last)
    qtbot.waitUntil(
        lambda: (grade.flow.query, grade.flow.candidate) == (evidence.key, last), timeout=PATIENCE
    )


def test_the_scores_follow_a_grade_given_elsewhere(
    evaluate: EvaluatePage, window: Window, qtbot: QtBot
) -> None:
    project = evaluate.project
    before = evaluate.result

    def regrade() -> object:
        query = browse.query(project, 1)
        return judging.set_grade(project, 1, next(one.key for one in query.candidates if one.id == "d1-1"), 0)

    evaluate.worker.submit(window, regrade, window.spread)
    qtbot.waitUntil(lambda: evaluate.result is not before, timeout=PATIENCE)
    assert evaluate.summary.grid.index(0, 1).data() < "1.0000"


def test_another_choice_of_measures_is_remembered(evaluate: EvaluatePage, qtbot: QtBot) -> None:
    before = evaluate.result
    evaluate.options.change(measures=("P@5", "RR"))
    qtbot.waitUntil(lambda: evaluate.result is not before, timeout=PATIENCE)
    assert [one.name for one in evaluate.result.measures] == ["P@5", "RR"]  # type: ignore[union-attr]
    kept = evaluate.surroundings.settings.get("evaluate", dict[str, object]())
    assert remembered_options(kept).measures == ("P@5", "RR")


def test_how_answers_are_compared_is_remembered_and_a_name_of_another_version_is_not() -> None:
    kept = {"measures": ["EM"], "normaliser": "mlqa-de", "stemming": True}
    assert remembered_options(kept) == Options(measures=("EM",), normaliser="mlqa-de", stemming=True)
    assert remembered_options({**kept, "normaliser": "of 2031"}).normaliser == Options().normaliser
    assert {"normaliser", "stemming"} <= set(REMEMBERED)


def test_the_best_no_answer_thresholds_are_shown_with_their_warning(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = samples.copied("superhero-qa", tmp_path / "qa.annot")
    window = open_window(path)
    window.stack.show_page(1)
    page = window.pages[1]
    assert isinstance(page, EvaluatePage)
    qtbot.waitUntil(lambda: page.result is not None and not page.job.busy, timeout=PATIENCE)
    doubts = tmp_path / "na_prob.json"
    doubts.write_text("{}")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(doubts), ""))
    menu = page.options.answers.menu()
    menu.aboutToShow.emit()
    assert menu.actions()[-1].text().startswith("The best no-answer thresholds")
    menu.actions()[-1].trigger()
    qtbot.waitUntil(lambda: bool(vars(page).get("thresholds")), timeout=PATIENCE)
    assert page.thresholds.isVisible()
    assert page.thresholds.grid.grid.table.columns[1].title == "EM"
    assert page.thresholds.grid.grid.rowCount() > 1
    assert any(breakable(WARNING) in one.text() for one in page.thresholds.findChildren(QLabel))
    page.thresholds.close()


def test_the_other_pages_show_and_report_what_was_chosen_here(
    evaluate: EvaluatePage, window: Window, qtbot: QtBot
) -> None:
    before = evaluate.result
    evaluate.options.change(fully_judged_to=5, annotator=evaluate.project.annotator)
    chosen = evaluate.options.options
    qtbot.waitUntil(lambda: evaluate.result is not before and not evaluate.job.busy, timeout=PATIENCE)
    window.stack.show_page(4)
    report = window.pages[4]
    assert isinstance(report, EvaluatedPage)
    assert report.options.options == chosen
    report.options.change(measures=("P@5",))
    window.stack.show_page(1)
    assert evaluate.options.options == replace(chosen, measures=("P@5",))
    qtbot.waitUntil(lambda: not report.job.busy and not evaluate.job.busy, timeout=PATIENCE)


def test_the_queries_that_a_filter_shows_can_be_evaluated_alone(evaluate: EvaluatePage, qtbot: QtBot) -> None:
    assert evaluate.result is not None
    assert evaluate.queries.only_these.isHidden()
    every = len(evaluate.result.query_ids)
    assert evaluate.search()
    evaluate.queries.filter.setText("no query has these words")
    assert evaluate.queries.only_these.isHidden(), "nothing is found that could be evaluated"
    evaluate.queries.filter.clear()
    qtbot.keyClicks(evaluate.queries.filter, evaluate.result.query_ids[0])
    before = evaluate.result
    qtbot.mouseClick(evaluate.queries.only_these, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: evaluate.result is not before and not evaluate.job.busy, timeout=PATIENCE)
    assert evaluate.result.query_ids == before.query_ids[:1]
    assert evaluate.options.queries.text() == "1 chosen"
    menu = evaluate.options.queries.menu()
    menu.aboutToShow.emit()
    before = evaluate.result
    menu.actions()[0].trigger()
    qtbot.waitUntil(lambda: evaluate.result is not before and not evaluate.job.busy, timeout=PATIENCE)
    assert len(evaluate.result.query_ids) == every


def test_a_click_on_what_is_judged_leads_to_what_is_not(evaluate: EvaluatePage, qtbot: QtBot) -> None:
    assert evaluate.result is not None
    judged = len(evaluate.result.measures) + 1
    evaluate.summary.setCurrentIndex(evaluate.summary.grid.index(0, judged))
    qtbot.keyClick(evaluate.summary, Qt.Key.Key_Return)
    assert evaluate.tabs.currentIndex() == evaluate.tabs.place("Unjudged")
    qtbot.waitUntil(lambda: not evaluate.coverage.job.busy, timeout=PATIENCE)


def test_of_a_cancelled_job_of_a_tab_nothing_stands_that_was_computed_otherwise(
    evaluate: EvaluatePage, qtbot: QtBot
) -> None:
    coverage, state = evaluate.coverage, evaluate.state
    assert state is not None
    assert evaluate.result is not None
    overlap, preferred = evaluate.empty.overlap, evaluate.empty.preferred
    tags = TagsTab(evaluate.project, evaluate.worker, evaluate.theme)
    qtbot.addWidget(tags)
    coverage.show_unjudged(evaluate._tables.unjudged, True)
    coverage.compute(state, evaluate.options.options)
    overlap.show_state(state, ())
    preferred.show_state(state, evaluate.options.options)
    tags.show_result(evaluate.result, ComparisonChoice(by_tag=True), "AP")
    tabs = (coverage, overlap, preferred, tags)
    qtbot.waitUntil(lambda: not any(one.job.busy for one in tabs), timeout=PATIENCE)
    assert coverage.tables.choice.count() == 3
    assert overlap.grid.grid.rowCount() == 1
    for one in tabs:
        one.job.run("Waiting", until_stopped, print)
        one.job.cancel()
    assert [coverage.tables.choice.itemText(at) for at in range(coverage.tables.choice.count())] == [
        evaluate._tables.unjudged.title
    ]
    for grid in (overlap.grid, preferred.tables.grid, tags.grid):
        assert (grid.grid.rowCount(), grid.empty) == (0, CANCELLED)


def test_what_cannot_be_evaluated_is_said(evaluate: EvaluatePage, qtbot: QtBot) -> None:
    before = evaluate.result
    evaluate.options.change(measures=("EM",))
    qtbot.waitUntil(evaluate.wrong.isVisible, timeout=PATIENCE)
    assert "EM compares answer texts" in evaluate.wrong.text()
    assert evaluate.wrong.text().endswith(". What is shown was computed with the choices before.")
    assert evaluate.result is before


def test_a_mean_leads_to_its_queries_worst_first(evaluate: EvaluatePage, qtbot: QtBot) -> None:
    evaluate.tabs.setCurrentIndex(3)
    evaluate.summary.setCurrentIndex(evaluate.summary.grid.index(1, 2))
    qtbot.keyClick(evaluate.summary, Qt.Key.Key_Return)
    assert evaluate.tabs.currentIndex() == 0
    assert evaluate.queries.map.hasFocus()


def test_the_figures_are_drawn_when_their_tab_is_looked_at(evaluate: EvaluatePage, qtbot: QtBot) -> None:
    assert "figures" not in vars(evaluate), "it is made when it is looked at"
    evaluate.tabs.look_at("Figures")
    qtbot.waitUntil(lambda: evaluate.figures.canvas.drawn is not None, timeout=PATIENCE)
    keys = [evaluate.figures.kinds.item(at).text() for at in range(evaluate.figures.kinds.count())]
    assert "System against system" in keys
    evaluate.figures.kinds.setCurrentRow(keys.index("Measure by cut-off"))
    qtbot.waitUntil(lambda: evaluate.figures.canvas.drawn is not None, timeout=PATIENCE)
    assert evaluate.figures.canvas.accessibleName() == "Measure by cut-off"


def test_a_figure_leaves_the_choice_only_of_what_it_shows(evaluate: EvaluatePage, qtbot: QtBot) -> None:
    evaluate.tabs.look_at("Figures")
    figures = evaluate.figures
    keys = [figures.kinds.item(at).text() for at in range(figures.kinds.count())]
    chosen = {}
    for title in ("System against system", "Queries sorted", "Critical differences", "Discount by rank"):
        figures.kinds.setCurrentRow(keys.index(title))
        qtbot.waitUntil(lambda: figures.canvas.drawn is not None, timeout=PATIENCE)
        combos = (figures.measure, figures.first, figures.second)
        chosen[title] = tuple(combo.isVisible() for combo in combos)
    assert chosen == {
        "System against system": (True, True, True),
        "Queries sorted": (True, True, False),
        "Critical differences": (True, False, False),
        "Discount by rank": (False, False, False),
    }


def test_ctrl_f_leads_to_the_filter_of_the_queries(
    evaluate: EvaluatePage, window: Window, qtbot: QtBot
) -> None:
    assert evaluate.search()
    qtbot.keyClicks(evaluate.queries.filter, "rivers")
    assert evaluate.queries.map.grid.rowCount() == 1
    window.resize(1024, 420)
    bar, said = evaluate.whole_page.verticalScrollBar(), evaluate.queries.map.caption
    qtbot.waitUntil(lambda: bar.maximum() > 0, timeout=PATIENCE)
    bar.triggerAction(bar.SliderAction.SliderToMinimum)
    qtbot.keyClicks(evaluate.queries.filter, " of nowhere")
    qtbot.waitUntil(lambda: said.text() == "Nothing found.", timeout=PATIENCE)
    qtbot.waitUntil(lambda: said.visibleRegion().contains(said.rect().center()), timeout=PATIENCE)


@pytest.mark.parametrize(
    "kept", [{"measures": []}, {"rel": "3"}, {"unknown": 1}, {"measures": 5}, {"judged_only": None}]
)
def test_remembered_choices_that_make_no_sense_are_forgotten(kept: dict[str, object]) -> None:
    assert remembered_options(kept) == Options()


def test_the_question_answering_table_appears_with_its_preset(
    evaluate: EvaluatePage, window: Window, qtbot: QtBot
) -> None:
    tab = evaluate.tabs.place("cQA")
    assert not evaluate.tabs.isTabVisible(tab)
    evaluate.options.show_options(replace(evaluate.options.options, measures=("cQA",)))
    evaluate.refresh()
    qtbot.waitUntil(lambda: evaluate.tabs.isTabVisible(tab), timeout=PATIENCE)
    evaluate.tabs.look_at("cQA")
    assert evaluate.cqa.at_k.grid.rowCount() == 15
    means = evaluate.cqa.means
    assert [row[0] for row in means.grid.table.rows] == ["sys1", "sys2"]
    window.appearance.choose("light", 150)
    settle(evaluate, qtbot)
    assert means.viewport().rect().contains(means.visualRect(means.grid.index(1, 0)))


def sorted_by(evaluate: EvaluatePage) -> str:
    """Return measure and system that the queries are sorted by, and see that the current cell is of it."""
    view = evaluate.queries.map
    at = view.horizontalHeader().sortIndicatorSection()
    assert evaluate.tabs.currentIndex() == 0
    assert view.currentIndex().column() == at
    return f"{evaluate.queries.measure.currentText()} {view.grid.column(at).title}"


@pytest.mark.parametrize(
    ("of_means", "row", "title", "opened"),
    [
        (True, 1, "MRR", "RR(rel=3)@15 sys2"),
        (True, 0, "MAP", "AP(rel=3,norm='rel_ret')@15 sys1"),
        (True, 0, "AvgRec", "P(rel=3)@15 sys1"),
        (False, 3, "REC-1 sys2", "Success(rel=3)@4 sys2"),
        (False, 1, "AC2 sys1", "P(rel=3)@2 sys1"),
    ],
)
def test_a_number_of_the_question_answering_tables_opens_the_queries_that_it_is_made_of(
    evaluate: EvaluatePage, qtbot: QtBot, of_means: bool, row: int, title: str, opened: str
) -> None:
    evaluate.options.show_options(replace(evaluate.options.options, measures=("cQA",), rel=3))
    evaluate.refresh()
    qtbot.waitUntil(lambda: evaluate.tabs.isTabVisible(evaluate.tabs.place("cQA")), timeout=PATIENCE)
    evaluate.tabs.look_at("cQA")
    press(evaluate.cqa.means if of_means else evaluate.cqa.at_k, row, title, qtbot)
    assert sorted_by(evaluate) == opened
    settle(evaluate, qtbot)


def test_the_count_of_queries_opens_which_count_and_why_others_do_not(
    evaluate: EvaluatePage, qtbot: QtBot
) -> None:
    press(evaluate.summary, 0, "Queries", qtbot)
    reasons = evaluate.reasons
    assert reasons.isVisible()
    assert [row[0] for row in reasons.grid.grid.table.rows if row[2] == "counts"] == ["q1", "q2"]
    qtbot.keyClick(reasons.grid, Qt.Key.Key_Return)
    assert not reasons.isVisible()
    qtbot.waitUntil(lambda: evaluate.panel.evidence is not None, timeout=PATIENCE)
    assert evaluate.panel.system.currentText() == "sys1"
    settle(evaluate, qtbot)


def test_numbers_of_what_is_unjudged_open_the_systems_queries_most_first(
    evaluate: EvaluatePage, qtbot: QtBot
) -> None:
    evaluate.tabs.look_at("Unjudged")
    for title, order in (("Unjudged@10", "Unjudged"), ("Judged@10", "Judged in the top 10")):
        press(evaluate.coverage.tables.grid, 1, title, qtbot)
        reasons = evaluate.reasons
        assert "sys2" in reasons.windowTitle()
        assert reasons.grid.grid.column(reasons.grid.horizontalHeader().sortIndicatorSection()).title == order
        reasons.reject()
    table = evaluate._tables.unjudged
    unknown = ("Judged@10", "Unjudged@10", "With unjudged")  # of texts that are scored by gold answers
    data = [
        [None] * len(cells) if one.title in unknown else cells
        for one, cells in zip(table.columns, table.data, strict=True)
    ]
    evaluate.coverage.show_unjudged(replace(table, data=tuple(data)), True)
    shown = [one.title for one in evaluate.coverage.tables.grid.grid.table.columns]
    assert shown == ["System", "Empty@10", "No ranking", "Left out"]
    with qtbot.waitSignal(evaluate.coverage.reasons_wanted) as asked:
        press(evaluate.coverage.tables.grid, 1, "No ranking", qtbot)
    assert asked.args == ["sys2", 5], "the place among all columns"
    evaluate.reasons.reject()
    settle(evaluate, qtbot)


def show_all(evaluate: EvaluatePage, qtbot: QtBot) -> str:
    """Ask for all scores and say yes to what that records; return what was said."""
    qtbot.mouseClick(evaluate.blind.unblind_wanted, Qt.MouseButton.LeftButton)
    box = evaluate.blind.findChild(Confirm)
    assert box is not None
    words = f"{box.asked.text()} {box.more.text()}"
    next(one for one in box.buttons.buttons() if one.text() == "Show all and record it").click()
    return words


def chosen_table(tables: TableChoice, number: int, qtbot: QtBot) -> GridView:
    """Choose one of the tables as soon as it is offered; none of them scrolls sideways."""
    qtbot.waitUntil(lambda: tables.choice.count() > number, timeout=PATIENCE)
    tables.choice.setCurrentIndex(number)
    tables.choice.activated.emit(number)
    qtbot.waitUntil(lambda: tables.grid.horizontalScrollBar().maximum() == 0, timeout=PATIENCE)
    return tables.grid


def test_who_says_no_to_showing_all_sees_and_records_nothing(
    evaluate: EvaluatePage, window: Window, qtbot: QtBot
) -> None:
    qtbot.mouseClick(evaluate.blind.unblind_wanted, Qt.MouseButton.LeftButton)
    box = evaluate.blind.findChild(Confirm)
    assert box is not None
    assert "1 query that you have not finished" in box.asked.text()
    assert box.buttons.button(Standard.Cancel).isDefault()
    qtbot.keyClick(box, Qt.Key.Key_Escape)
    assert evaluate.blind.isVisible()
    assert "unblind" not in [line.task for line in history.history(window.session.project)]


def test_a_bound_opens_the_bounds_of_its_queries_and_a_mean_its_queries(
    evaluate: EvaluatePage, qtbot: QtBot
) -> None:
    evaluate.tabs.look_at("Unjudged")
    show_all(evaluate, qtbot)
    coverage = evaluate.coverage
    bounds = chosen_table(coverage.tables, 1, qtbot)
    assert bounds.grid.rowCount() == 8
    press(bounds, 5, "Best", qtbot)
    rows = coverage.reasons.grid.grid.table.rows
    assert coverage.reasons.windowTitle() == "AP of sys2"
    assert np.mean([float(row[5]) for row in rows]) == pytest.approx(bounds.grid.table.rows[5][5])
    assert np.mean([float(row[3]) for row in rows]) == pytest.approx(bounds.grid.table.rows[5][3])
    qtbot.keyClick(coverage.reasons.grid, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: evaluate.panel.evidence is not None, timeout=PATIENCE)
    assert (evaluate.panel.system.currentText(), evaluate.panel.measure.currentText()) == ("sys2", "AP")
    press(bounds, 5, "Mean", qtbot)
    assert sorted_by(evaluate) == "AP sys2"
    evaluate.tabs.look_at("Unjudged")
    for system, measure in (("sys2", "RBP"), ("sys3", "AP")):
        coverage.mean_wanted.emit(system, measure)
    assert evaluate.tabs.currentIndex() == evaluate.tabs.place("Unjudged"), "of choices that are no more"
    settle(evaluate, qtbot)


def test_the_bounds_wait_until_everything_may_be_seen(
    evaluate: EvaluatePage, window: Window, qtbot: QtBot, tmp_path: Path
) -> None:
    evaluate.tabs.look_at("Unjudged")
    tables = evaluate.coverage.tables
    assert tables.choice.count() == 1
    show_all(evaluate, qtbot)
    assert chosen_table(tables, 1, qtbot).grid.rowCount() == 8
    by_query = chosen_table(tables, 2, qtbot)
    assert by_query.grid.index(0, 0).data() == "q3", "the query with most unjudged is first"
    with qtbot.waitSignal(evaluate.said, timeout=PATIENCE) as said:
        by_query.opened.emit(0, 0)
    assert said.args == ["“moons of Saturn 3” has no score: nothing of it is judged, or it is left out here."]
    by_query.opened.emit(1, 2)
    assert evaluate.panel.query in ("q1", "q2")
    assert evaluate.panel.system.currentText() == "sys2"
    with qtbot.waitSignal(evaluate.said, timeout=PATIENCE) as said:
        evaluate.coverage.write_to(tmp_path / "to judge.csv")
        assert evaluate.state is not None
        evaluate.coverage.compute(evaluate.state, evaluate.options.options)  # as a grade does meanwhile
    assert said.args[0].startswith("6 candidates")
    assert len((tmp_path / "to judge.csv").read_text("utf-8").splitlines()) == 7
    settle(evaluate, qtbot)


def test_many_measures_do_not_make_the_window_taller(
    evaluate: EvaluatePage, window: Window, qtbot: QtBot
) -> None:
    height = window.height()
    evaluate.options.show_options(replace(evaluate.options.options, measures=("cQA", "trec_eval", "graded")))
    evaluate.refresh()
    qtbot.waitUntil(lambda: evaluate.summary.grid.columnCount() > 40, timeout=PATIENCE)
    evaluate.tabs.setCurrentIndex(evaluate.tabs.count() - 1)
    settle(evaluate, qtbot)
    assert window.height() == height
    assert window.minimumSizeHint().height() <= height


def test_the_open_panel_follows_another_choice(evaluate: EvaluatePage, qtbot: QtBot) -> None:
    evaluate.open_query("q1", "sys2", "AP")
    qtbot.waitUntil(lambda: evaluate.panel.evidence is not None, timeout=PATIENCE)
    evaluate.options.change(rel=4)
    qtbot.waitUntil(
        lambda: "(rel=4)" in evaluate.panel.costs.text() and not evaluate.panel.job.busy, timeout=PATIENCE
    )
    assert evaluate.panel.system.currentText() == "sys2"
    settle(evaluate, qtbot)


def test_the_projects_own_threshold_is_taken_until_somebody_chooses(window: Window, qtbot: QtBot) -> None:
    assert window.session is not None
    project = window.session.project
    assert project is not None
    done: list[object] = []
    window.session.worker.submit(
        window, lambda: settings.set_setting(project, "relevant_from", 3), done.append
    )
    qtbot.waitUntil(lambda: bool(done), timeout=PATIENCE)
    window.stack.show_page(1)
    page = window.pages[1]
    assert isinstance(page, EvaluatePage)
    qtbot.waitUntil(lambda: page.result is not None, timeout=PATIENCE)
    assert page.options.options.rel == 3
    assert page.options.rel.currentText() == "Relevant from 3"


def test_the_table_by_tag_is_there_when_queries_have_tags_and_leads_to_them(
    evaluate: EvaluatePage, qtbot: QtBot
) -> None:
    result, at = evaluate.result, evaluate.tabs.place("By tag")
    assert result is not None
    assert not evaluate.tabs.isTabVisible(at)
    tagged = replace(result, tags=(("heroes",), ("heroes", "rivers")))
    assert evaluate.state is not None
    evaluate.present(tagged, evaluate.prepare(tagged, evaluate.state, UNWATCHED))
    assert evaluate.tabs.isTabVisible(at)
    evaluate.tabs.look_at("By tag")
    assert evaluate.tags.grid.rowCount() > 0
    evaluate.tags.opened.emit(0, 2)
    assert evaluate.options.queries.text() == "heroes"
    assert evaluate.options.options.tags == ("heroes",), "a mean by tag leads to its queries"
    settle(evaluate, qtbot)


def test_what_is_computed_later_is_of_the_scores_on_show(
    evaluate: EvaluatePage, window: Window, qtbot: QtBot
) -> None:
    """Somebody grades, and the page has not heard of it yet."""
    shown = evaluate.result
    assert shown is not None
    name = shown.measures[0].name
    grade_queries(window, qtbot, (1, 2), off=-3)
    later = project_scores.evaluate_project(evaluate.project, shown.options.of_measures(name))
    assert later.of("sys2", name).tolist() != shown.of("sys2", name).tolist()
    found: list[EvaluationResult] = []
    evaluate.figures.more_wanted.emit((name,), found.append)
    evaluate.open_query("q1", "sys2", name)
    qtbot.waitUntil(lambda: bool(found) and evaluate.panel.evidence is not None, timeout=PATIENCE)
    assert found[0].of("sys2", name).tolist() == shown.of("sys2", name).tolist()
    assert evaluate.panel.evidence is not None
    assert evaluate.panel.evidence.explanation.value == shown.of("sys2", name)[0]
    settle(evaluate, qtbot)


@pytest.fixture
def second(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Let the second system be read only once this is set."""
    let = threading.Event()
    read = project_scores.ranked_of

    def reading(db: object, run: Any, *rest: Any) -> Any:
        if run.name == "sys2":
            assert let.wait(PATIENCE / 1000)
        return read(db, run, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(project_scores, "PART_SECONDS", 0.0)
    monkeypatch.setattr(project_scores, "ranked_of", reading)
    yield let
    let.set()


def means(page: EvaluatePage) -> tuple[list[object], list[str]]:
    """Return the systems and the measures that the page shows."""
    table = page.summary.grid.table
    return list(table.data[0]), [one.title for one in table.columns if one.bar]


def test_systems_appear_while_others_are_read(
    evaluate: EvaluatePage, second: threading.Event, qtbot: QtBot
) -> None:
    evaluate.open_query("q1", "sys2", "AP")
    second.set()
    settle(evaluate, qtbot)
    second.clear()
    evaluate.options.change(measures=("RR", "AP"))
    qtbot.waitUntil(lambda: means(evaluate) == (["sys1"], ["RR", "AP"]), timeout=PATIENCE)
    assert evaluate.job.busy
    assert evaluate.panel.system.currentText() == "sys2", "the open query waits for its system"
    second.set()
    qtbot.waitUntil(lambda: means(evaluate) == (["sys1", "sys2"], ["RR", "AP"]), timeout=PATIENCE)
    settle(evaluate, qtbot)
    assert evaluate.panel.system.currentText() == "sys2"


def test_cancel_goes_back_to_the_last_whole_result(
    evaluate: EvaluatePage, second: threading.Event, qtbot: QtBot
) -> None:
    before, result = means(evaluate), evaluate.result
    evaluate.options.change(measures=("RR",))
    qtbot.waitUntil(lambda: means(evaluate) == (["sys1"], ["RR"]), timeout=PATIENCE)
    evaluate.job.cancel()
    assert (means(evaluate), evaluate.result) == (before, result)
    assert evaluate.options.options.measures == ("RR",), "what was chosen can be asked for again"
    assert "the choices before" in evaluate.wrong.text()
    evaluate.project_changed(Change("annotator"))  # for whom nothing that was shown may count
    assert evaluate.wrong.isHidden(), "it tells of what was shown before"
    evaluate.refresh()
    evaluate.job.cancel()
    assert (evaluate.message.title, evaluate.result) == ("No scores", None)
    assert CANCELLED in [one.text() for one in evaluate.message.findChildren(QLabel)]


def glare(window: QWidget) -> float:
    """Return which share of a window is nearly white."""
    image = window.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)
    return float((pixels[..., :3].min(axis=2) > 200).mean())


def test_in_the_dark_nothing_flashes_while_pages_tabs_and_figures_come(
    evaluate: EvaluatePage, window: Window, qtbot: QtBot
) -> None:
    assert glare(window) > 0.5, "in the light most of a page is"
    window.appearance.choose("dark")
    frames = [glare(window)]
    for number in (2, 3, 4, 1):
        window.stack.show_page(number)
        frames.append(glare(window))
        if isinstance(page := window.pages[number], ReportPage):
            qtbot.waitUntil(lambda page=page: page.preview.toPlainText() != "", timeout=PATIENCE)
            frames.append(glare(window))
        tabs = getattr(window.pages.get(number), "tabs", None)
        for at in filter(tabs.isTabVisible, range(tabs.count())) if tabs is not None else ():
            tabs.setCurrentIndex(at)
            frames.append(glare(window))
    evaluate.tabs.look_at("Figures")
    for row in range(evaluate.figures.kinds.count()):
        evaluate.figures.kinds.setCurrentRow(row)
        frames.append(glare(window))
        qtbot.waitUntil(lambda: evaluate.figures.canvas.drawn is not None, timeout=PATIENCE)
        frames.append(glare(window))
    evaluate.open_query("q1")
    frames.append(glare(window))
    assert max(frames) < 0.05, "words alone"
    assert len(frames) > 20
    window.appearance.choose("light")
    for page in window.pages.values():
        qtbot.waitUntil(lambda page=page: not hasattr(page, "job") or not page.job.busy, timeout=PATIENCE)
    settle(evaluate, qtbot)


def test_an_open_dialog_follows_another_theme(evaluate: EvaluatePage, window: Window, qtbot: QtBot) -> None:
    press(evaluate.summary, 0, "Queries", qtbot)
    window.appearance.choose("dark")
    assert glare(evaluate.reasons) < 0.05, "as the system does in the evening"
    window.appearance.choose("light")
    assert glare(evaluate.reasons) > 0.5
    evaluate.reasons.reject()
    settle(evaluate, qtbot)


def test_the_hardest_queries_stand_first_and_open_their_reasons(evaluate: EvaluatePage, qtbot: QtBot) -> None:
    show_all(evaluate, qtbot)
    settle(evaluate, qtbot)
    evaluate.tabs.look_at("Difficulty")
    tab = evaluate.difficulty
    for width, beside in ((1600, True), (1024, False)):
        evaluate.window().resize(width, 800)
        assert tab.figure.isVisible() is beside, "a table of many columns needs the room"
    for height, beside in ((400, True), (250, False)):
        tab.resize(1600, height)
        assert tab.figure.isVisible() is beside, "of many panels none could be read"
    assert tab.measure.currentText() == "nDCG@10"
    queries = tab.tables.grid
    names = [one.title for one in queries.grid.table.columns]
    assert names[:1] == ["Query"]
    assert names[-2:] == ["sys1", "sys2"]
    means = list(queries.grid.table.data[names.index("Mean")])
    assert means == sorted(means)
    press(queries, 0, "sys2", qtbot)
    qtbot.waitUntil(lambda: evaluate.panel.evidence is not None, timeout=PATIENCE)
    assert evaluate.panel.evidence is not None
    assert evaluate.panel.evidence.system == "sys2"
    systems = chosen_table(tab.tables, 1, qtbot).grid.table
    assert list(systems.data[0]) == ["sys1", "sys2"]
    assert set(systems.intervals) == set(), "of two queries there is no interval"
    evaluate.options.change(systems=("sys1",))
    settle(evaluate, qtbot)
    assert not evaluate.tabs.isTabVisible(evaluate.tabs.place("Difficulty"))


def until_stopped(*given: Any) -> None:
    """Compute until the watch, the last thing given, is asked to stop."""
    while not given[-1].asked():
        threading.Event().wait(0.01)
    given[-1].look()


def test_a_page_says_what_failed_or_was_cancelled_and_before_anything_is_judged_how_alike_the_systems_rank(
    window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults: list[BaseException] = []
    monkeypatch.setattr("annotator.desktop.crash.show", lambda error, _: faults.append(error))
    evaluated = project_scores.evaluated
    monkeypatch.setattr(project_scores, "evaluated", lambda *_: 1 // 0)
    window.stack.show_page(1)
    first = window.pages[1]
    assert isinstance(first, EvaluatedPage)
    qtbot.waitUntil(lambda: bool(faults), timeout=PATIENCE)
    said = " ".join(one.text() for one in first.message.findChildren(QLabel))
    said = said.replace("\u200b", "").replace("\u2060", "")
    assert first.message.title == "No scores"
    assert "grade that was stored is safe" in said
    assert str(log.place()) in said
    assert "copy the table" not in window.keys.text(), "there is none"
    high = first.empty.minimumSizeHint().height()
    assert first.stack.minimumSizeHint().height() == high < first.content.minimumSizeHint().height()
    again = first.message.findChild(QPushButton)
    assert again is not None
    monkeypatch.setattr(project_scores, "evaluated", until_stopped)
    again.click()
    assert first.job.busy
    first.job.cancel()
    assert [one.text() for one in first.message.findChildren(QLabel)][1] == CANCELLED
    monkeypatch.setattr(project_scores, "evaluated", evaluated)
    again.click()
    for number in (1, 2):
        window.stack.show_page(number)
        page = window.pages[number]
        assert isinstance(page, EvaluatedPage)
        alike = page.empty.overlap
        qtbot.waitUntil(lambda shown=alike: shown.grid.grid.rowCount() == 1, timeout=PATIENCE)
        assert alike.isVisible()
        assert page.message.title == "No scores yet"
        assert again.text() == "Judge queries"
        assert "copy the table" in window.keys.text()
        at_ten = alike.grid.grid.table.data[2][0]
        alike.persistence.setCurrentIndex(2)
        alike.persistence.activated.emit(2)
        qtbot.waitUntil(lambda shown=alike: "p = 0.98" in shown.grid.grid.table.caption, timeout=PATIENCE)
        assert alike.grid.grid.table.data[2][0] > at_ten, "the whole of both lists is the same"
    grade_queries(window, qtbot, (1, 2, 3))
    project = window.session.project
    first = browse.query(project, 1).candidates[0].key
    window.session.worker.submit(window, lambda: judging.set_grade(project, 1, first, 3), window.spread)
    window.stack.show_page(1)
    page = window.pages[1]
    assert isinstance(page, EvaluatePage)
    page.refresh()  # nobody told the window of grades that came beside it
    qtbot.waitUntil(lambda: page.result is not None and page.result.query_ids != (), timeout=PATIENCE)
    assert not page.empty.isVisible()


def test_one_system_alone_leaves_the_message_alone(
    open_window: OpenWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    window = open_window(make_project(tmp_path / "one", systems=1))
    window.stack.show_page(1)
    page = window.pages[1]
    assert isinstance(page, EvaluatePage)
    settle(page, qtbot)
    assert page.message.isVisible()
    assert not page.empty.overlap.isVisible()
