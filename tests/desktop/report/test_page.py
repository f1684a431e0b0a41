"""The Report page: what is chosen is seen before it is written, and written as seen."""

import json
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QComboBox, QFileDialog
from pytestqt.qtbot import QtBot
from typer.testing import CliRunner

from annotator.commands.program import app
from annotator.desktop.report import page as report_page
from annotator.desktop.report.page import Choice, ReportPage
from annotator.desktop.report.preview import Paper
from annotator.desktop.window import Window
from annotator.reports.report import Report
from annotator.theme import DARK, LIGHT, Theme
from tests.desktop.compare.test_scores_of_a_file import scores as scores
from tests.desktop.graded import PATIENCE, grade_queries

FIGURE = ("intervals",)
"""Each preview draws the chosen figures: one is enough here."""


@pytest.fixture
def report(window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> ReportPage:
    monkeypatch.setattr(report_page, "Choice", partial(Choice, figures=FIGURE))
    grade_queries(window, qtbot, (1, 2))
    window.stack.show_page(4)
    page = window.pages[4]
    assert isinstance(page, ReportPage)
    qtbot.waitUntil(lambda: bool(page.preview.toPlainText()), timeout=PATIENCE)
    return page


def choose(page: ReportPage, combo: QComboBox, key: str, qtbot: QtBot) -> None:
    combo.setCurrentIndex(combo.findData(key))
    combo.activated.emit(combo.currentIndex())
    settle(page, qtbot)


def settle(page: ReportPage, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not page.job.busy and not page.writing.busy, timeout=PATIENCE)


def test_the_preview_shows_the_report_without_what_is_hidden(
    report: ReportPage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = report.preview.toPlainText()
    assert "2 systems, 2 queries" in text
    assert "Means over the queries." in text, "the preview shows no intervals, and tells of none"
    assert "Where this comes from" in text
    assert "moons of Saturn" not in text, "the third query is not finished"
    assert report.blind.isVisible()
    assert "Estimates (2 of 2)" in text
    assert report.preview.horizontalScrollBar().maximum() == 0, "wide tables are in parts"
    assert report.whole_page.verticalScrollBar().maximum() == 0, "the choices scroll beside it"
    last = report.figures.count() - 1
    line = report.figures.visualItemRect(report.figures.item(last))
    assert not report.figures.visibleRegion().intersects(line)
    report.figures.setCurrentRow(last)
    assert report.figures.visibleRegion().contains(line)
    drawn: list[tuple[Theme, int]] = []

    def draw(_: Report, theme: Theme, paper: Paper) -> dict[str, QImage]:
        drawn.append((theme, paper.wide))
        return {}

    monkeypatch.setattr(report_page, "pictures", draw)
    report.preview.other_room.emit(321)
    settle(report, qtbot)
    report.theme_changed(DARK)
    settle(report, qtbot)
    assert drawn == [(LIGHT, 321), (DARK, 321)]


def test_a_section_is_left_out_at_a_click(report: ReportPage, qtbot: QtBot) -> None:
    item = report.sections.item(0)
    assert item.text() == "Summary"
    item.setCheckState(Qt.CheckState.Unchecked)
    settle(report, qtbot)
    assert "Estimates" not in report.preview.toPlainText()
    assert not report.figures.isHidden()
    last = report.sections.item(report.sections.count() - 1)
    assert last.text() == "Where this comes from (always)"
    report.sections.blockSignals(True)
    for at in range(report.sections.count()):
        report.sections.item(at).setCheckState(Qt.CheckState.Unchecked)
    report.sections.blockSignals(False)
    assert last.checkState() is Qt.CheckState.Checked
    report.sections.itemChanged.emit(item)
    settle(report, qtbot)
    assert report.preview.toPlainText().startswith("Nothing is ticked")
    assert report.figures.isHidden(), "none of them would be in a report"
    assert not report.export.isEnabled()
    with qtbot.waitSignal(report.said, check_params_cb=lambda text: text.startswith("Nothing is ticked")):
        report.save_shown()
    item.setCheckState(Qt.CheckState.Checked)
    settle(report, qtbot)
    assert "Estimates" in report.preview.toPlainText()
    assert report.export.isEnabled()


def test_a_difference_that_matters_is_asked_of_every_pair(report: ReportPage, qtbot: QtBot) -> None:
    assert "one-sided" not in report.preview.toPlainText()
    report.difference.setValue(0.9)
    settle(report, qtbot)
    assert "may differ by 0.9 nDCG@10 or more" in report.preview.toPlainText(), "of two queries"
    told = report.preview.toPlainText().replace("\u2060", "")
    assert "--difference 0.9" in told, "the command makes it again"
    report.difference.setValue(0)
    settle(report, qtbot)
    assert "one-sided" not in report.preview.toPlainText()


def test_a_section_that_was_left_out_when_the_rest_was_made_is_made_when_it_is_chosen(
    report: ReportPage, qtbot: QtBot
) -> None:
    (item,) = report.sections.findItems("How alike the systems rank", Qt.MatchFlag.MatchExactly)
    item.setCheckState(Qt.CheckState.Unchecked)
    settle(report, qtbot)
    report.refresh()
    settle(report, qtbot)
    assert "Rank-biased overlap" not in report.preview.toPlainText()
    item.setCheckState(Qt.CheckState.Checked)
    settle(report, qtbot)
    assert "Rank-biased overlap" in report.preview.toPlainText()


def test_the_question_answering_tables_are_offered_with_their_preset(
    report: ReportPage, qtbot: QtBot
) -> None:
    model = report.table.model()
    at_k, tags = (model.index(report.table.findData(one), 0) for one in ("cqa-at-k", "tags"))
    assert not model.flags(at_k) & Qt.ItemFlag.ItemIsEnabled
    assert not model.flags(tags) & Qt.ItemFlag.ItemIsEnabled, "no query has one"
    report.options.show_options(replace(report.options.options, measures=("cQA",)))
    report.refresh()
    settle(report, qtbot)
    assert model.flags(at_k) & Qt.ItemFlag.ItemIsEnabled
    assert "MRR, MAP and AvgRec" in report.preview.toPlainText()
    choose(report, report.format, "csv", qtbot)
    choose(report, report.table, "cqa-at-k", qtbot)
    head, *rows = report.preview.toPlainText().splitlines()
    assert head.startswith("k,REC-1 sys1,ACC sys1,AC1 sys1,AC2 sys1,REC-1 sys2")
    assert len([row for row in rows if row]) == 15


def test_other_formats_are_seen_as_their_text(report: ReportPage, qtbot: QtBot) -> None:
    beginnings = {
        "markdown": "# Heroes and rivers",
        "latex": "% \\usepackage{booktabs}",
        "json": "{",
        "csv": "system,query",
    }
    for key, beginning in beginnings.items():
        choose(report, report.format, key, qtbot)
        assert report.preview.toPlainText().startswith(beginning)
        assert report.spreadsheet.isVisible() == (key == "csv")
        assert report.sections.isHidden() == (key == "csv")
        offered = [report.sections.item(at) for at in range(report.sections.count())]
        assert "Figures" not in [one.text() for one in offered if not one.isHidden()]


def test_a_table_alone_is_seen_and_written_in_every_format(
    report: ReportPage, qtbot: QtBot, tmp_path: Path
) -> None:
    choose(report, report.format, "latex", qtbot)
    choose(report, report.table, "summary", qtbot)
    text = report.preview.toPlainText()
    assert text.count("\\begin{tabular}") == 1
    assert "Means" in text
    assert report.sections.isHidden()
    with qtbot.waitSignal(report.said, timeout=PATIENCE):
        report.write_to(tmp_path / "means.tex")
    written = (tmp_path / "means.tex").read_text("utf-8")
    assert written.strip() == text.strip()
    assert "\n% annotator report" in written
    choose(report, report.format, "csv", qtbot)
    assert report.preview.toPlainText().startswith("system,nDCG@10"), "the table stays"
    choose(report, report.format, "html", qtbot)
    assert report.table.currentData() == "", "from a CSV one comes back to the whole report"
    assert "Where this comes from" in report.preview.toPlainText()
    settle(report, qtbot)


def test_the_file_holds_what_was_chosen(report: ReportPage, qtbot: QtBot, tmp_path: Path) -> None:
    choose(report, report.format, "json", qtbot)
    report.explain.setText("q2, q9, q3")
    report.explain.editingFinished.emit()
    settle(report, qtbot)
    lacking = "Not in the project: q9. Without scores to take apart: q3."
    assert (report.lacking.isVisible(), report.lacking.text()) == (True, lacking)
    report.explain.setText("q2")
    report.explain.editingFinished.emit()
    settle(report, qtbot)
    assert not report.lacking.isVisible()
    target = tmp_path / "report.json"
    with qtbot.waitSignal(report.said, timeout=PATIENCE) as said:
        report.write_to(target)
    assert str(target) in said.args[0]
    value = json.loads(target.read_text("utf-8"))
    explained = next(one for one in value["sections"] if one["key"] == "explanations")
    assert [table["title"][:8] for table in explained["tables"]] == ["q2, sys1"]
    assert "q3" not in target.read_text("utf-8")


def test_a_folder_that_cannot_be_made_is_said(
    report: ReportPage, window: Window, qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "taken").write_text("by a file", "utf-8")
    report.said.emit("Written: another report")
    report.write_to(tmp_path / "taken" / "report.html")
    qtbot.waitUntil(report.wrong.isVisible, timeout=PATIENCE)
    assert "is a file, and a folder is to be written" in report.wrong.text()
    assert not window.statusBar().currentMessage()
    settle(report, qtbot)
    report.theme_changed(DARK)
    settle(report, qtbot)
    assert report.wrong.isVisible(), "the file is not there all the same"
    choose(report, report.format, "json", qtbot)
    assert not report.wrong.isVisible(), "what is shown now is right"


def test_the_bundle_for_trec_eval_is_written(report: ReportPage, qtbot: QtBot, tmp_path: Path) -> None:
    with qtbot.waitSignal(report.said, timeout=PATIENCE):
        report.write_bundle_to(tmp_path / "bundle")
    assert {one.name for one in (tmp_path / "bundle").iterdir()} == {
        "qrels.txt",
        "sys1.run",
        "sys2.run",
        "evaluate.sh",
    }
    rows = (tmp_path / "bundle" / "sys1.run").read_text("utf-8").splitlines()
    assert {row.split()[0] for row in rows} == {"q1", "q2"}, "the third query is not finished"
    settle(report, qtbot)


def test_scores_of_a_file_are_reported_as_the_command_does_and_the_projects_come_back(
    report: ReportPage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, scores: Path
) -> None:
    before = report.preview.toPlainText()
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(scores), ""))
    qtbot.keyClick(report.source, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: "2 systems, 8 queries" in report.preview.toPlainText(), timeout=PATIENCE)
    shown = (report.options.isVisible(), report.bundle.isVisible(), report.explain.isVisible())
    assert shown == (False, False, False), "a file holds no rankings and no judgments"
    report.write_to(scores.with_name("window.html"))
    settle(report, qtbot)
    made = CliRunner().invoke(
        app, ["report", str(scores), "-o", str(scores.with_name("command.html")), "--figure", *FIGURE]
    )
    assert made.exit_code == 0, made.output
    assert scores.with_name("window.html").read_bytes() == scores.with_name("command.html").read_bytes()
    qtbot.keyClick(report.source, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: report.preview.toPlainText() == before, timeout=PATIENCE)
    assert report.options.isVisible()
