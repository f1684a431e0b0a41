"""The Report page: choose what goes in, see it, and write it down."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QStandardItemModel
from PySide6.QtWidgets import QCheckBox, QFileDialog, QSplitter, QWidget

from annotator.desktop.controls import button, combo
from annotator.desktop.layouts import FLUSH, column
from annotator.desktop.pages import Surroundings
from annotator.desktop.report.choices import (
    SPREADSHEETS,
    TABLES,
    Choices,
    difference_field,
    explain_field,
    sections_list,
    ticked,
    without_scores,
)
from annotator.desktop.report.preview import FIGURE, Paper, Preview, pictures
from annotator.desktop.results.check_list import KEY, check_list, checked
from annotator.desktop.results.comparison_choice import comparison_of, fitting
from annotator.desktop.results.job_bar import JobBar
from annotator.desktop.results.scores_page import ScoresPage, say_source
from annotator.desktop.style import breakable, factor, label, prose, px
from annotator.desktop.worker import Job
from annotator.evaluation.results import EvaluationResult
from annotator.figures.catalogue import FIGURES
from annotator.project import blindness
from annotator.project.report_files import (
    FORMATS,
    NOTHING,
    SECTIONS,
    Choice,
    assembled,
    nothing,
    tables_of,
    write_bundle,
    write_report,
    write_report_of_scores,
)
from annotator.project.report_material import gathered, gathered_of_scores
from annotator.project.state import State
from annotator.theme import Theme
from annotator.watch import Watch

if TYPE_CHECKING:
    from annotator.reports.report import Report
    from annotator.reports.sections import Material

LEAST = 220
"""So high choices and preview are at least, at the normal text size."""


@dataclass(frozen=True, slots=True, eq=False)
class Made:
    """A preview: what it was gathered from, the tables there, the report or its text, the figures drawn.

    `lacking` says which queries that were to be taken apart have no scores.
    """

    material: "Material"
    tables: frozenset[str]
    made: "Report | str"
    pictures: dict[str, QImage]
    lacking: str


class ReportPage(ScoresPage):
    """The choices at the left, the preview at the right; a change of the choices changes the preview."""

    def __init__(self, surroundings: Surroundings, parent: QWidget | None = None) -> None:
        super().__init__(surroundings, parent)
        self.choice = Choice(comparison=comparison_of(surroundings))
        self._prepared: Made | None = None
        self._unwritten = False
        """Whether a file could not be written, which is told until something else is chosen or written."""
        self._paper = Paper(px(FIGURE), self.devicePixelRatioF(), factor())
        self.format = combo("Format", self._chosen, ((one.title, one.key) for one in FORMATS.values()))
        self.table = combo("Table", self._chosen, ((words, key) for key, words in TABLES.items()))
        self.spreadsheet = combo("Kind of CSV", self._chosen, SPREADSHEETS.items())
        self.sections = sections_list(self._chosen)
        kinds = [(one.title, one.key, one.key in self.choice.figures) for one in FIGURES.values()]
        self.figures = check_list("Figures", kinds, self._chosen)
        self.explain = explain_field(self._chosen)
        self.lacking = prose(kind="danger")
        self.difference = difference_field(self._chosen)
        self.named = QCheckBox("Name the annotators")
        self.named.toggled.connect(self._chosen)
        self.export = button("Export…", self._ask_file, kind="primary")
        self.bundle = button("Folder for trec_eval…", self._ask_folder)
        self.source = button("", self.choose_scores)
        say_source(self.source, None)
        self.preview = Preview(self.theme)
        self.preview.other_room.connect(self._draw_for)
        self.writing = JobBar(self.worker)
        self.writing.problem.connect(self._not_written)
        self._lay_out()
        self._show_choices()

    def _lay_out(self) -> None:
        halves = QSplitter(Qt.Orientation.Horizontal, self.content)
        left = Choices(halves)
        left.content.setProperty("kind", "panel")
        left.take_lines(self.sections, self.figures)
        self._captions: dict[QWidget, QWidget] = {}
        for caption, part in (
            ("Format", self.format),
            ("Table", self.table),
            ("For", self.spreadsheet),
            ("Sections", self.sections),
            ("Figures", self.figures),
            ("Why: scores taken apart", self.explain),
            ("Smallest difference that matters", self.difference),
        ):
            self._captions[part] = label(caption, "caption")
        choices = [one for part, caption in self._captions.items() for one in (caption, part)]
        choices.insert(choices.index(self.explain) + 1, self.lacking)
        first = choices.index(self._captions[self.sections])
        deed = (self.export, self.bundle)  # in sight before anything is scrolled
        column(
            *choices[:first],
            *deed,
            *choices[first:],
            self.named,
            1,
            self.source,
            on=left.content,
            around=(16, 12, 16, 16),
        )
        halves.addWidget(left)
        halves.addWidget(self.preview)
        halves.setStretchFactor(1, 1)
        self._halves, self._left = halves, left
        halves.setMinimumHeight(px(LEAST))
        halves.setChildrenCollapsible(False)
        column(self.writing, (halves, 1), on=self.content, around=FLUSH, gap=0)

    def source_changed(self) -> None:
        """Offer the file, or the project again, and hide what takes rankings and judgments."""
        say_source(self.source, self.scores)
        self.options.setVisible(self.scores is None)
        self.bundle.setVisible(self.scores is None)
        self._show_choices()

    def prepare(self, result: EvaluationResult, state: State | None, watch: Watch) -> "Made":
        """Gather the report's material from the queries that may be seen, and make the preview of it."""
        choice = self._fitting(result)
        if state is None:
            material = gathered_of_scores(result, choice, watch)
        else:
            material = gathered(state, result.options, choice, self._only(result), watch)
        lacking = without_scores(state, choice.queries, result.query_ids)
        return self._made(material, tables_of(material), choice, lacking)

    def _made(self, material: "Material", tables: frozenset[str], choice: Choice, lacking: str) -> "Made":
        """Make the preview of a report, its figures drawn; no widget may be touched."""
        made = nothing(choice) or assembled(material, choice)
        drawn = {} if isinstance(made, str) else pictures(made, self.theme, self._paper)
        return Made(material, tables, made, drawn, lacking)

    def present(self, result: EvaluationResult, prepared: "Made") -> None:
        """Show the preview."""
        self._prepared = prepared
        self.lacking.setText(breakable(prepared.lacking))
        self._show_choices()
        self._left.share()
        self.wrong.setVisible(self._unwritten)
        offered = self.table.model()
        assert isinstance(offered, QStandardItemModel)
        for at in range(self.table.count()):
            key = self.table.itemData(at)
            offered.item(at).setEnabled(not key or key in prepared.tables)
        if isinstance(prepared.made, str):
            self.preview.show_text(prepared.made, wraps=self.choice.format != "csv")
        else:
            self.preview.show_report(prepared.made, prepared.pictures)

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size."""
        super().theme_changed(theme)
        self._paper = replace(self._paper, scale=self.devicePixelRatioF(), text=factor())
        self._halves.setMinimumHeight(px(LEAST))
        self._left.share()
        self.preview.theme_changed(theme)
        if self._prepared is not None:
            self._make_again(self._prepared)

    def shown(self) -> None:
        """Bring the preview up to date, with systems compared as on the Compare page."""
        comparison = comparison_of(self.surroundings)
        if comparison != self.choice.comparison:
            self.choice = replace(self.choice, comparison=comparison)
            self.stale = True
        super().shown()

    def _fitting(self, result: EvaluationResult) -> Choice:
        """Return the choices for a result that may lack systems which were compared before."""
        choice = replace(self.choice, comparison=fitting(self.choice.comparison, result))
        return choice if self.scores is None else replace(choice, queries=())

    def _only(self, result: EvaluationResult) -> frozenset[str] | None:
        """Return the queries that the report is about while others are hidden; None means all."""
        hidden = blindness.seen_queries(self.project)[1]
        return frozenset(result.query_ids) if hidden else None

    def _show_choices(self) -> None:
        """Show the choices that the format has."""
        is_csv, whole = self.choice.format == "csv", not self.choice.table
        visible: dict[QWidget, bool] = {
            self.spreadsheet: is_csv,
            self.sections: whole,
            self.explain: whole and self.scores is None,
            self.difference: whole or self.choice.table == "planning",
            self.figures: whole and self.choice.format == "html" and "figures" in checked(self.sections),
        }
        for part, shown in visible.items():
            part.setVisible(shown)
            self._captions[part].setVisible(shown)
        self.lacking.setVisible(visible[self.explain] and bool(self.lacking.text()))
        self.export.setEnabled(nothing(self.choice) is None)
        for at in range(self.sections.count()):
            if self.sections.item(at).data(KEY) == "figures":
                self.sections.setRowHidden(at, self.choice.format != "html")

    def _table(self) -> str:
        """Return the table that is to stand alone, "" for the whole report, which a CSV cannot hold."""
        is_csv, was_csv = self.format.currentData() == "csv", self.choice.format == "csv"
        if is_csv and not self.table.currentData():
            self.table.setCurrentIndex(self.table.findData("scores"))
        elif was_csv and not is_csv:
            self.table.setCurrentIndex(self.table.findData(""))
        return str(self.table.currentData())

    def _chosen(self) -> None:
        """Take the choices; what only changes the order of what is known is shown at once."""
        choice = Choice(
            format=self.format.currentData(),
            sections=ticked(checked(self.sections)),
            table=self._table(),
            spreadsheet=self.spreadsheet.currentData(),
            queries=tuple(part.strip() for part in self.explain.text().split(",") if part.strip()),
            figures=checked(self.figures),
            named=self.named.isChecked(),
            comparison=self.choice.comparison,
            difference=self.difference.value() or None,
        )
        before, self.choice = self.choice, choice
        if choice == before:
            return
        self._unwritten = False
        self._show_choices()
        gathers = ("queries", "named", "figures", "difference")
        known = self._prepared is not None and all(
            getattr(before, name) == getattr(choice, name) for name in gathers
        )
        had = before.sections or tuple(SECTIONS)
        known = known and set(choice.sections or SECTIONS) <= {*had}
        if known and self._prepared is not None:
            self._make_again(self._prepared)
        else:
            self.refresh()

    def _make_again(self, before: Made) -> None:
        """Make the preview anew from what is gathered already."""
        result, choice = self.result, self.choice
        if result is not None:
            self.job.run(
                "Making the preview",
                lambda *_: self._made(before.material, before.tables, choice, before.lacking),
                partial(self.present, result),
            )

    def _draw_for(self, room: int) -> None:
        """Draw the figures for another width."""
        self._paper = replace(self._paper, wide=room)
        if self._prepared is not None and not self.job.busy:  # else the preview asks again
            self._make_again(self._prepared)

    def save_shown(self) -> None:
        """Write what is in the preview."""
        self._ask_file()

    def _ask_file(self) -> None:
        if nothing(self.choice):
            self.said.emit(f"{NOTHING}.")
            return
        form = FORMATS[self.choice.format]
        source = self.scores or self.project.path
        name = f"{source.stem} report{form.ending}"
        path, _ = QFileDialog.getSaveFileName(
            self,
            "Export the report",
            str(source.with_name(name)),
            f"{form.title} (*{form.ending})",
        )
        if path:
            self.write_to(Path(path if path.endswith(form.ending) else path + form.ending))

    def write_to(self, path: Path) -> None:
        """Write the report; the status bar says when it is done."""
        result = self.result
        if result is None:
            return
        choice = self._fitting(result)
        options, of_scores = self.options.options, self.scores is not None

        def job(watch: Watch) -> str:
            if of_scores:
                note = write_report_of_scores(result, path, choice, watch)
            else:
                note = write_report(self.project, path, options, choice, self._only(result), watch)
            return f"Written: {path} {note}".strip()

        self._write("Writing the report", job, self.said.emit)

    def _write(self, what: str, job: Job, done: Callable[[Any], object]) -> None:
        """Write something; what was wrong before is over."""
        self._unwritten = False
        self.wrong.hide()
        self.writing.run(what, job, done)

    def _not_written(self, why: str) -> None:
        """Tell why, and nothing of what was written before."""
        self._unwritten = True
        self.said.emit("")
        self.tell(why)

    def _ask_folder(self) -> None:
        path = QFileDialog.getExistingDirectory(self, "Folder for qrels, runs and the command")
        if path:
            self.write_bundle_to(Path(path))

    def write_bundle_to(self, folder: Path) -> None:
        """Write qrels, runs and a script for trec_eval."""
        options, result = self.options.options, self.result
        if result is None:
            return

        def job(*_: object) -> list[str]:
            return write_bundle(self.project, folder, options, self._only(result))

        self._write(
            "Writing the files", job, lambda names: self.said.emit(f"Written to {folder}: {', '.join(names)}")
        )
