"""The Compare page: the sentence, the queries by contrast, both rankings, what would change it."""

import math
import re
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QLabel, QPushButton, QStyleOptionComboBox, QWidget
from pytestqt.qtbot import QtBot

from annotator.desktop.choice import Choice
from annotator.desktop.compare.audit_dialog import AuditDialog
from annotator.desktop.compare.page import ComparePage
from annotator.desktop.compare.pair_bar import PairBar
from annotator.desktop.compare.plan_dialog import PlanDialog
from annotator.desktop.question import Ask
from annotator.desktop.results.check_list import check_list
from annotator.desktop.results.job_bar import CANCELLED
from annotator.desktop.results.orderings import HEAD, ROW, Orderings
from annotator.desktop.results.tabs import made
from annotator.desktop.style import breakable, px
from annotator.desktop.window import Window
from annotator.evaluation.comparison import Comparison
from annotator.evaluation.equivalence import equivalences
from annotator.evaluation.power import power, queries_needed
from annotator.metrics.catalogue import parse
from annotator.project import blindness
from annotator.project.evidence import Standing
from annotator.project.samples import copied
from annotator.project.snapshots import snapshots
from annotator.theme import LIGHT
from tests.desktop.building import make_project
from tests.desktop.conftest import OpenWindow
from tests.desktop.graded import PATIENCE, grade_queries


@pytest.fixture
def compare(window: Window, qtbot: QtBot) -> ComparePage:
    grade_queries(window, qtbot, (1, 2, 3))
    window.stack.show_page(2)
    page = window.pages[2]
    assert isinstance(page, ComparePage)
    qtbot.waitUntil(lambda: page.result is not None, timeout=PATIENCE)
    return page


def choose(page: ComparePage, combo: str, text: str) -> None:
    box = getattr(page.bar, combo)
    box.setCurrentIndex(box.findText(text))
    box.activated.emit(box.currentIndex())


def settle(page: ComparePage, qtbot: QtBot) -> None:
    tabs = made(page, "measures", "deciding", "since")
    jobs = [page.job, page.contrasts.sides.job, *(tab.job for tab in tabs)]
    qtbot.waitUntil(lambda: not any(one.busy for one in jobs), timeout=PATIENCE)


def test_the_conclusion_is_one_plain_sentence(compare: ComparePage) -> None:
    assert "sys1" in compare.sentence.text()
    assert "nDCG@10" in compare.sentence.text()
    assert "Only 3 queries" in compare.sentence.text()
    assert "of 3 queries" in compare.numbers.text()
    assert "effect size d_z – (sys1 minus sys2) ·" in compare.numbers.text(), "all differences are the same"


def test_all_pairs_stand_under_every_measure(compare: ComparePage) -> None:
    compare.tabs.look_at("List of pairs")
    assert compare.pairs.grid.rowCount() == 4


def test_all_pairs_under_the_chosen_measure_stand_in_a_square_that_opens_them(
    compare: ComparePage, qtbot: QtBot
) -> None:
    compare.tabs.look_at("All pairs")
    grid = compare.matrix.grid
    one = next(one for one in compare.found if one.measure == "nDCG@10")
    ahead, behind = sorted(
        (one.first, one.second), key=lambda name: name != one.first, reverse=one.difference > 0
    )
    assert list(grid.table.data[0]) == [ahead, behind], "the better one first"
    assert grid.cell(grid.index(0, 2)) == abs(one.difference) == -float(str(grid.cell(grid.index(1, 1))))
    assert grid.index(0, 1).data() == "–", "no system is compared with itself"
    choose(compare, "measure", "AP")
    assert grid.table.title.startswith("AP")
    choose(compare, "second", "sys1")
    assert compare.sentence.text() == "Choose two different systems."
    compare.matrix.setFocus()
    compare.matrix.setCurrentIndex(grid.index(0, 1))
    qtbot.keyClick(compare.matrix, Qt.Key.Key_Return)
    assert compare.sentence.text() == "Choose two different systems.", "a dash is no pair"
    qtbot.keyClick(compare.matrix, Qt.Key.Key_Right)
    qtbot.keyClick(compare.matrix, Qt.Key.Key_Return)
    assert {compare.bar.first.currentText(), compare.bar.second.currentText()} == {"sys1", "sys2"}
    assert " AP" in compare.sentence.text()
    assert compare.tabs.currentIndex() == compare.tabs.place("All pairs"), "the square stays in sight"
    settle(compare, qtbot)


def test_one_bar_of_choices_is_in_sight_and_the_others_open_on_demand(
    compare: ComparePage, qtbot: QtBot
) -> None:
    rest = (compare.options, compare.bar.test, compare.bar.correction, compare.bar.against)
    assert not any(part.isVisible() for part in rest)
    assert compare.bar.how.text() == "randomisation test · Holm · every pair · Everybody"
    compare.bar.how.setFocus()
    qtbot.keyClick(compare.bar.how, Qt.Key.Key_Space)
    assert all(part.isVisible() for part in rest)
    choose(compare, "test", "randomised Tukey HSD test")
    settle(compare, qtbot)
    assert compare.bar.how.text() == "randomised Tukey HSD test · every pair · Everybody"
    compare.options.change(rel=2, fully_judged_to=5)
    settle(compare, qtbot)
    words = "· Everybody · judged to 5"
    assert compare.bar.how.text().endswith(words), "no choice is out of sight unsaid"
    qtbot.keyClick(compare.bar.how, Qt.Key.Key_Space)
    assert not any(part.isVisible() for part in rest)


def test_the_bar_has_room_in_one_row_of_a_usual_window(compare: ComparePage, window: Window) -> None:
    assert window.width() == 1280
    compare.bar.how.setText("randomisation test · Holm · every pair · Everybody, median (lower of two)")
    rows = compare.bar.layout()
    assert rows is not None
    assert rows.heightForWidth(compare.bar.width()) == rows.heightForWidth(9_999)


def test_a_query_opens_both_rankings(compare: ComparePage, qtbot: QtBot) -> None:
    compare.contrasts.table.setCurrentIndex(compare.contrasts.table.grid.index(0, 0))
    qtbot.keyClick(compare.contrasts.table, Qt.Key.Key_Return)
    qtbot.waitUntil(compare.contrasts.sides.grade.isEnabled, timeout=PATIENCE)
    assert "for sys1" in compare.contrasts.sides.values.text()
    assert compare.contrasts.sides.orderings.accessibleName().startswith("sys1: ")
    with qtbot.waitSignal(compare.query_wanted, timeout=PATIENCE):
        qtbot.mouseClick(compare.contrasts.sides.grade, Qt.MouseButton.LeftButton)


def test_another_test_computes_anew_and_a_cancel_says_that_what_is_shown_is_not_of_it(
    compare: ComparePage, qtbot: QtBot
) -> None:
    choose(compare, "test", "sign test")
    compare.job.cancel()
    assert "with the choices before" in compare.wrong.text()
    choose(compare, "test", "sign test")
    qtbot.waitUntil(lambda: "Sign test" in compare.numbers.text(), timeout=PATIENCE)
    settle(compare, qtbot)


def test_tukeys_test_takes_no_correction_and_says_why(compare: ComparePage, qtbot: QtBot) -> None:
    assert compare.bar.correction.isEnabled()
    choose(compare, "test", "randomised Tukey HSD test")
    assert not compare.bar.correction.isEnabled()
    assert "need no correction" in compare.bar.correction.toolTip()
    settle(compare, qtbot)
    choose(compare, "test", "sign test")
    assert compare.bar.correction.isEnabled()
    assert not compare.bar.correction.toolTip()
    settle(compare, qtbot)


def test_another_measure_is_shown_at_once(compare: ComparePage) -> None:
    choose(compare, "measure", "RR")
    assert " RR" in compare.sentence.text()
    assert not compare.job.busy


def test_a_system_against_itself_says_so_and_shows_no_other_pair(compare: ComparePage, qtbot: QtBot) -> None:
    titles = ("Queries by contrast", "Figures", "What would change it", "Power")
    parts = [
        lambda: (compare.contrasts.table, compare.contrasts.sides),
        lambda: (compare.figures,),
        lambda: (compare.deciding,),
        lambda: (compare.planner,),
    ]
    for second in ("sys1", "sys2", "sys1"):  # a tab is also made while there is no pair
        choose(compare, "second", second)
        assert (compare.sentence.text() == "Choose two different systems.") == (second == "sys1")
        for title, some in zip(titles, parts, strict=True):
            compare.tabs.look_at(title)
            assert {part.isVisible() for part in some()} == {second == "sys2"}, title
    settle(compare, qtbot)


def test_what_would_change_it_is_computed_when_looked_at(compare: ComparePage, qtbot: QtBot) -> None:
    compare.tabs.look_at("What would change it")
    qtbot.waitUntil(lambda: bool(compare.deciding.flip.text()), timeout=PATIENCE)
    assert " by mean nDCG@10: the difference, sys2 minus sys1, goes from " in compare.deciding.flip.text()
    told = compare.deciding.changes.grid.table.caption
    assert "over 3 queries, sys2 minus sys1." in told
    compare.options.change(queries=("q1",))
    settle(compare, qtbot)
    qtbot.waitUntil(lambda: "over 1 query" in compare.deciding.changes.grid.table.caption, timeout=PATIENCE)
    assert compare.deciding.changes.isVisible()
    assert "Enter open" in compare.window().keys.text()
    compare.deciding.job.problem.emit("EM does not come from grades here.")
    told = [one.text() for one in compare.deciding.nothing.findChildren(QLabel)]
    assert "EM does not come from grades here." in told
    assert not compare.deciding.changes.isVisible(), "it is of another measure"
    (again,) = compare.deciding.nothing.findChildren(QPushButton)
    for left in (lambda: compare.deciding.job.problem.emit("No space."), compare.deciding.job.cancelled.emit):
        left()
        assert again.isVisible()
        qtbot.keyClick(again, Qt.Key.Key_Space)
        qtbot.waitUntil(compare.deciding.changes.isVisible, timeout=PATIENCE)


def test_the_measure_stands_under_the_conventions_of_other_tools(compare: ComparePage, qtbot: QtBot) -> None:
    compare.tabs.look_at("Measures and conventions")
    shown = compare.measures.tables
    qtbot.waitUntil(lambda: shown.choice.count() == 3, timeout=PATIENCE)
    assert shown.choice.itemText(0) == "The systems' places under each measure"
    seen = {}
    for at in range(3):
        shown.choice.setCurrentIndex(at)
        shown.choice.activated.emit(at)
        seen[shown.shown] = [str(row[0]) for row in shown.grid.grid.table.rows]
        qtbot.waitUntil(lambda: shown.grid.horizontalScrollBar().maximum() == 0, timeout=PATIENCE)
    assert seen["orders"] == ["sys1", "sys2"]
    assert set(seen["together"]) >= {"systems, nDCG@10", "orders"}
    assert "Quepid" in seen["conventions"]
    settle(compare, qtbot)


def test_the_difference_is_drawn(compare: ComparePage, qtbot: QtBot) -> None:
    compare.tabs.look_at("Figures")
    qtbot.waitUntil(lambda: compare.figures.canvas.drawn is not None, timeout=PATIENCE)
    assert compare.figures.canvas.drawn is not None
    assert set(compare.figures.canvas.drawn.marks[0].queries) == {"q1", "q2", "q3"}


def test_the_planner_answers_for_the_comparison(compare: ComparePage, qtbot: QtBot) -> None:
    assert "↑ ↓ query" in compare.window().keys.text()
    compare.tabs.look_at("List of pairs")
    assert "Enter open" in compare.window().keys.text()
    compare.tabs.look_at("Figures")
    assert "save it" in compare.window().keys.text()
    compare.tabs.look_at("Power")
    assert not re.search("query|table|save", compare.window().keys.text()), "there is no table"
    compare.tabs.look_at("Power")
    for box in (compare.planner.difference, compare.planner.wanted):
        needed = box.fontMetrics().horizontalAdvance(box.text())
        assert box.lineEdit().width() >= needed, "the number is there to be read"
    assert compare.compared is not None
    assert compare.result is not None
    one = replace(compare.compared, n=100, spread=0.2, comparisons=1)

    def show(one: Comparison) -> None:
        assert compare.result is not None
        compare.planner.show_comparison(compare.result, compare.found, one)

    show(one)
    assert (
        "With the 100 queries there are, the smallest difference that a paired t test finds in 80% of cases "
        "is 0.0566 nDCG@10." in compare.planner.answer.text()
    )
    assert "80% takes" not in compare.planner.answer.text(), "what matters is asked, not taken from the data"
    compare.planner.difference.setValue(0.05)
    has = f"{power(100, 0.05, 0.2):.0%}"
    words = f"a paired t test finds a difference of 0.05 in {has} of cases; 80% takes 128 queries."
    assert words in compare.planner.answer.text()
    assert "The smallest difference that it finds in 80% is 0.0566 nDCG@10." in compare.planner.answer.text()
    assert one.open
    assert "But the randomisation test cannot decide with only 3 queries that differ." in (
        compare.planner.answer.text()
    )
    show(replace(one, open=False))
    assert "cannot decide" not in compare.planner.answer.text()
    show(replace(one, comparisons=10))
    assert "a level of 0.005, 0.05 shared by 10 comparisons" in compare.planner.answer.text()
    assert f"80% takes {queries_needed(0.05, 0.2, 0.8, 0.005)} queries" in compare.planner.answer.text()
    compare.planner.difference.setValue(2)
    assert "nDCG@10 can differ by 1 at most" in compare.planner.answer.text()
    show(replace(one, n=2))
    assert "is more than nDCG@10 can differ" in compare.planner.answer.text()
    show(replace(one, n=1, spread=math.nan))
    assert "too few queries" in compare.planner.answer.text()
    qtbot.waitUntil(lambda: not compare.planner.job.busy, timeout=PATIENCE)


def test_what_is_equivalent_within_the_difference_that_matters_is_said(
    compare: ComparePage, qtbot: QtBot
) -> None:
    compare.tabs.look_at("Power")
    planner = compare.planner
    assert not planner.equivalent.isVisible(), "nobody has said yet what matters"
    planner.difference.setValue(0.9)
    assert compare.result is not None
    expected = breakable(equivalences(compare.result, compare.found, 0.9)[0].sentence)
    qtbot.waitUntil(lambda: planner.equivalent.text() == expected, timeout=PATIENCE)
    take(compare, "test", "tukey", qtbot)
    qtbot.waitUntil(lambda: "choose another test" in planner.equivalent.text(), timeout=PATIENCE)


def test_the_queries_of_each_tag_are_compared_where_there_are_tags(
    compare: ComparePage, qtbot: QtBot, open_window: OpenWindow, tmp_path: Path
) -> None:
    assert not compare.tabs.isTabVisible(compare.tabs.place("By tag"))
    window = open_window(copied("site-search", tmp_path / "tagged.annot"))
    window.stack.show_page(2)
    page = window.pages[2]
    assert isinstance(page, ComparePage)
    settle(page, qtbot)
    with qtbot.waitSignal(page.changed, timeout=PATIENCE):
        page.unblind()
    settle(page, qtbot)
    page.tabs.look_at("By tag")
    qtbot.waitUntil(lambda: page.tagged.grid.grid.rowCount() > 0, timeout=PATIENCE)
    table = page.tagged.grid.grid.table
    assert page.result is not None
    tags = {tag for own in page.result.tags for tag in own}
    assert {row[0] for row in table.rows} == tags
    assert {row[1] for row in table.rows} == {"nDCG@10"}
    choose(page, "measure", "RR")
    qtbot.waitUntil(lambda: {row[1] for row in page.tagged.grid.grid.table.rows} == {"RR"}, timeout=PATIENCE)
    assert len(page.tagged.grid.grid.table) == len(table)


def blind(window: Window, qtbot: QtBot) -> ComparePage:
    """Return the page of somebody who has finished two of three queries."""
    grade_queries(window, qtbot, (1, 2))
    window.stack.show_page(2)
    page = window.pages[2]
    assert isinstance(page, ComparePage)
    qtbot.waitUntil(lambda: page.result is not None, timeout=PATIENCE)
    return page


def test_a_blind_annotator_sees_no_candidate_of_an_unfinished_query(window: Window, qtbot: QtBot) -> None:
    page = blind(window, qtbot)
    assert page.contrasts.table.grid.rowCount() == 2
    assert not page.tabs.isTabVisible(page.tabs.place("What would change it"))


def test_a_snapshot_is_compared_with_today(compare: ComparePage, window: Window, qtbot: QtBot) -> None:
    compare.tabs.look_at("Then and now")
    narrow, name = compare.since.minimumSizeHint().width(), "before" + " and long before" * 9
    window.dialogs.take_snapshot(name)
    qtbot.waitUntil(lambda: compare.since.moment.currentText() == name, timeout=PATIENCE)
    assert compare.since.minimumSizeHint().width() == narrow, "a long name makes no page wider"
    grade_queries(window, qtbot, (1,), off=-1)
    compare.since.moment.activated.emit(0)
    qtbot.waitUntil(lambda: compare.since.grades.grid.rowCount() > 0, timeout=PATIENCE)
    assert compare.since.grades.grid.rowCount() == 5, "the last one was 0 and stays 0"
    assert compare.since.said.text().startswith(f"Since {name}: 5 grades and 5")
    means = compare.since.means
    compare.since.show_options(replace(compare.options.options, measures=("RR",)))
    qtbot.waitUntil(lambda: {row[1] for row in means.grid.table.rows} == {"RR"}, timeout=PATIENCE)
    compare.since.job.cancelled.emit()
    assert compare.since.said.text() == CANCELLED
    assert means.isHidden()
    settle(compare, qtbot)


def test_a_moment_that_is_neither_a_snapshot_nor_in_time_is_said(compare: ComparePage, qtbot: QtBot) -> None:
    compare.tabs.look_at("Then and now")
    compare.since.moment.setCurrentText("last week")
    compare.since.moment.activated.emit(0)
    qtbot.waitUntil(lambda: "neither a snapshot nor a moment" in compare.since.said.text(), timeout=PATIENCE)
    settle(compare, qtbot)


def test_a_snapshot_cannot_take_a_name_twice(window: Window, qtbot: QtBot) -> None:
    window.dialogs.take_snapshot("one")
    window.dialogs.take_snapshot("one")
    qtbot.waitUntil(lambda: any("choose another name" in one for one in window.heard), timeout=PATIENCE)


def test_a_snapshot_is_taken_blind_and_shows_no_score(window: Window, qtbot: QtBot) -> None:
    page = blind(window, qtbot)
    window.commands["snapshot"].trigger()
    dialog = window.findChild(Ask)
    assert dialog is not None
    qtbot.waitUntil(dialog.isActiveWindow, timeout=PATIENCE)
    qtbot.keyClicks(dialog.field, "half way")
    qtbot.keyClick(dialog.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "Snapshot half way" in window.heard, timeout=PATIENCE)
    assert window.session is not None
    assert window.session.project is not None
    assert [one.name for one in snapshots(window.session.project)] == ["half way"]
    qtbot.waitUntil(lambda: not page.stale and not page.job.busy, timeout=PATIENCE)
    assert not page.tabs.isTabVisible(page.tabs.place("Then and now"))
    assert blindness.seen_queries(window.session.project)[1] == 1, "the third query is still hidden"


def test_the_greatest_contrast_is_shown_before_anybody_chooses(compare: ComparePage, qtbot: QtBot) -> None:
    settle(compare, qtbot)
    table = compare.contrasts.table
    first = table.grid.index(0, 0)
    assert table.currentIndex() == first
    chosen = {(one.row(), one.column()) for one in table.selectedIndexes()}
    assert chosen == {(0, at) for at in range(compare.contrasts.table.grid.columnCount())}, (
        "its row, not a cell"
    )
    assert compare.contrasts.sides.query == first.data()
    assert compare.contrasts.sides.title.text().startswith(first.data())
    assert compare.contrasts.sides.grade.isEnabled()


def test_the_query_in_front_stays_under_another_measure(compare: ComparePage, qtbot: QtBot) -> None:
    compare.contrasts.table.opened.emit(2, 0)
    chosen = compare.contrasts.sides.query
    assert chosen != compare.contrasts.table.grid.index(0, 0).data()
    choose(compare, "measure", "P@5")
    settle(compare, qtbot)
    assert compare.contrasts.sides.query == chosen
    assert "P@5" in compare.contrasts.sides.values.text()
    assert (
        compare.contrasts.table.grid.index(compare.contrasts.table.currentIndex().row(), 0).data() == chosen
    )


def test_the_queries_have_all_the_room_under_a_measure_of_texts(compare: ComparePage) -> None:
    both, result = compare.contrasts, compare.result
    assert result is not None
    assert both.sides.isVisible()
    of_texts = replace(result, measures=[parse("EM"), *result.measures[1:]])
    chosen, options = compare.chosen, compare.options.options
    both.show_pair(of_texts, compare.state, replace(chosen, measure="EM"), options)
    assert not both.sides.isVisible()
    both.show_pair(result, compare.state, chosen, options)
    assert both.sides.isVisible()


def test_every_number_of_the_contrasts_is_in_sight(compare: ComparePage, window: Window) -> None:
    window.resize(1280, 800)
    assert compare.contrasts.table.horizontalScrollBar().maximum() == 0


def test_the_rankings_follow_the_arrow_keys(compare: ComparePage, qtbot: QtBot) -> None:
    settle(compare, qtbot)
    qtbot.keyClick(compare.contrasts.table, Qt.Key.Key_Down)
    second = compare.contrasts.table.grid.index(1, 0).data()
    qtbot.waitUntil(lambda: compare.contrasts.sides.title.text().startswith(second), timeout=PATIENCE)


def take(page: ComparePage, combo: str, value: str, qtbot: QtBot) -> None:
    box = getattr(page.bar, combo)
    box.setCurrentIndex(box.findData(value))
    box.activated.emit(box.currentIndex())
    settle(page, qtbot)


def test_each_system_can_be_compared_with_the_first_alone(compare: ComparePage, qtbot: QtBot) -> None:
    compare.tabs.look_at("List of pairs")
    choose(compare, "first", "sys2")
    choose(compare, "second", "sys1")
    take(compare, "against", "first", qtbot)
    assert {(one.first, one.second) for one in compare.found} == {("sys2", "sys1")}
    assert "Each system is compared with sys2." in compare.pairs.grid.table.caption


def test_all_pairs_follow_another_test_also_without_a_pair_in_front(
    compare: ComparePage, qtbot: QtBot
) -> None:
    compare.tabs.look_at("List of pairs")
    choose(compare, "second", "sys1")
    take(compare, "test", "sign", qtbot)
    assert compare.sentence.text() == "Choose two different systems."
    assert compare.pairs.grid.table.caption.startswith("Sign test")


def test_a_test_chosen_back_while_another_is_computed_is_the_one_that_is_shown(
    compare: ComparePage, qtbot: QtBot
) -> None:
    for words in ("sign test", "randomisation test"):
        choose(compare, "test", words)
    settle(compare, qtbot)
    assert {one.test for one in compare.found} == {"randomisation"}
    assert "Randomisation test" in compare.numbers.text()


def test_how_systems_are_compared_is_remembered(
    compare: ComparePage, window: Window, qtbot: QtBot, open_window: OpenWindow, project_path: Path
) -> None:
    choose(compare, "first", "sys2")
    choose(compare, "second", "sys1")
    for combo, value in (("test", "t"), ("correction", "bh"), ("against", "first")):
        take(compare, combo, value, qtbot)
    kept = compare.chosen.comparison
    window.close()
    again = open_window(project_path)
    again.stack.show_page(4)
    report = again.pages[4]
    qtbot.waitUntil(lambda: bool(report.preview.toPlainText()) and not report.job.busy, timeout=PATIENCE)
    assert report.choice.comparison == kept
    shown = report.preview.toPlainText()
    assert "Paired t test at the level 0.05. " in shown
    assert "Each system is compared with sys2." in shown
    again.stack.show_page(2)
    page = again.pages[2]
    qtbot.waitUntil(lambda: page.compared is not None, timeout=PATIENCE)
    settle(page, qtbot)
    assert (page.chosen.first, page.chosen.second) == ("sys2", "sys1")
    assert page.chosen.comparison == kept


def test_a_baseline_that_is_not_evaluated_any_more_gives_way_to_the_first_system(
    open_window: OpenWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    window = open_window(make_project(tmp_path / "made", systems=3))
    grade_queries(window, qtbot, (1, 2, 3))
    window.stack.show_page(2)
    page = window.pages[2]
    qtbot.waitUntil(lambda: page.result is not None, timeout=PATIENCE)
    choose(page, "first", "sys3")
    take(page, "against", "first", qtbot)
    page.options.change(systems=("sys1", "sys2"))
    settle(page, qtbot)
    assert {(one.first, one.second) for one in page.found} == {("sys1", "sys2")}
    assert page.bar.first.currentText() == "sys1"
    assert page.compared is not None
    window.stack.show_page(4)
    report = window.pages[4]
    qtbot.waitUntil(lambda: bool(report.preview.toPlainText()) and not report.job.busy, timeout=PATIENCE)
    assert page.compared.identity in report.preview.toPlainText()


def test_few_judgments_can_be_planned_where_nothing_is_finished_yet(window: Window, qtbot: QtBot) -> None:
    window.stack.show_page(2)
    page = window.pages[2]
    assert isinstance(page, ComparePage)
    qtbot.waitUntil(lambda: page.result is not None, timeout=PATIENCE)
    assert page.stack.currentWidget() is page.empty
    assert page.bar.more.isVisible()
    (few, _) = page.bar.more.menu().actions()
    assert few.shortcut() == QKeySequence("Ctrl+R")
    few.trigger()
    dialog = window.findChild(AuditDialog)
    assert dialog is not None
    qtbot.waitUntil(dialog.beginning.first.hasFocus, timeout=PATIENCE)
    assert dialog.beginning.isVisible()
    assert not dialog.plans.isVisible(), "there is none"
    qtbot.keyClick(dialog.beginning.first, Qt.Key.Key_Return)
    plan = dialog.findChild(PlanDialog)
    assert plan is not None
    plan.reject()
    dialog.reject()


def test_the_pair_on_show_is_the_one_that_a_plan_begins_with(compare: ComparePage, window: Window) -> None:
    first, second = compare.chosen.first, compare.chosen.second
    choose(compare, "first", second)
    choose(compare, "second", first)
    window.commands["audit"].trigger()
    dialog = window.findChild(AuditDialog)
    assert dialog is not None
    assert dialog._pair == (second, first)
    dialog.reject()


def test_how_alike_the_systems_rank_stands_beside_how_they_score(compare: ComparePage, qtbot: QtBot) -> None:
    compare.tabs.look_at("Overlap")
    grid = compare.alike.grid.grid
    qtbot.waitUntil(lambda: grid.rowCount() == 1, timeout=PATIENCE)
    assert grid.table.data[:2] == (["sys1"], ["sys2"])
    assert 0 < grid.table.data[2][0] < 1


def test_a_long_name_of_a_system_asks_for_no_wider_page(qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    bar = PairBar(QAction(page), page)
    bar.first.addItem("bm25-" * 40)
    assert bar.first.sizeHint().width() > 600 > bar.minimumSizeHint().width()


def test_names_that_differ_in_the_middle_are_told_apart_wherever_one_is_chosen(qtbot: QtBot) -> None:
    names = [f"bm25-with-query-expansion-run-{at:02}-of-the-winter-campaign" for at in range(12)]
    rows, box = check_list("Systems", ((one, one, False) for one in names), lambda _: None), Choice()
    for one in (rows, box):
        qtbot.addWidget(one)
        one.resize(200, 400)
    box.addItems(names)
    seen = set()
    for at in range(12):
        box.setCurrentIndex(at)
        option = QStyleOptionComboBox()
        box.initStyleOption(option)
        row = rows.grab(rows.visualItemRect(rows.item(at))).toImage()
        seen.add((option.currentText, bytes(row.constBits())))
    assert len({words for words, _ in seen}) == len({row for _, row in seen}) == 12


def test_ids_that_differ_at_their_ends_alone_are_told_apart_in_both_rankings(qtbot: QtBot) -> None:
    view = Orderings(LIGHT)
    qtbot.addWidget(view)
    rows = tuple(Standing(at, f"FR940511-0-000{at}", "", 3) for at in range(30, 40))
    view.show_rankings("first", rows, "second", ())
    view.resize(px(360), view.sizeHint().height())
    places = (QRect(px(32), px(HEAD + ROW * at), px(76), px(ROW - 4)) for at in range(10))
    assert len({bytes(view.grab(place).toImage().constBits()) for place in places}) == 10
