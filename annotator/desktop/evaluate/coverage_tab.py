"""What is unjudged, how wide that leaves the scores, and the list of what is to be judged."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QSplitter

from annotator.desktop.controls import button
from annotator.desktop.layouts import AROUND, column, row
from annotator.desktop.results.grid_view import GridView
from annotator.desktop.results.job_bar import JobBar
from annotator.desktop.results.reasons_dialog import Reasons
from annotator.desktop.results.tabs import ProjectTab
from annotator.desktop.style import label
from annotator.desktop.worker import Worker
from annotator.evaluation.options import Options
from annotator.evaluation.result_table import Table
from annotator.project.state import State, state_of
from annotator.theme import Theme
from annotator.watch import Watch

if TYPE_CHECKING:
    from annotator.project.coverage import Coverage, ScoreBounds
    from annotator.project.project import Project


ROWS_IN_SIGHT = 4
"""So many systems are seen without scrolling."""


class CoverageTab(ProjectTab):
    """Shows the unjudged by system; the bounds are computed when the tab is looked at.

    `said(text)` tells where the judging list was written, `query_wanted(id, system, measure)` follows a click
    on a query, `reasons_wanted(system, column)` one on a number of the first table, `mean_wanted(system,
    measure)` one on a mean.
    """

    said = Signal(str)
    query_wanted = Signal(str, str, str)
    reasons_wanted = Signal(str, int)
    mean_wanted = Signal(str, str)

    def __init__(self, project: "Project", worker: Worker, theme: Theme) -> None:
        super().__init__(project, worker)
        self._theme = theme
        self.writing = JobBar(worker)
        self.unjudged = GridView("What is unjudged", theme)
        self.words = label("How far the means may still move while the pool is judged to its end", "caption")
        self.bounds = GridView("Bounds of the means", theme)
        self.by_query = GridView("What is unjudged, by query", theme, empty="Every query is judged.")
        self.by_query.opened.connect(self._open_query)
        self.unjudged.opened.connect(self._open_unjudged)
        self.bounds.opened.connect(self._open_bounds)
        self._found: list[ScoreBounds] = []
        self.views = (self.unjudged, self.bounds, self.by_query)
        self.export = button("Export judging list…", self._ask_file)
        for job in (self.job, self.writing):
            job.problem.connect(self.said)
        self.below = QSplitter()
        self.below.addWidget(self.bounds)
        self.below.addWidget(self.by_query)
        self.below.setSizes([700, 500])
        head = row((self.words, 1), self.export)
        parts = ((self.unjudged, 1), head, self.job, self.writing, (self.below, 1))
        column(*parts, on=self, around=AROUND)

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size."""
        super().theme_changed(theme)
        self._theme = theme

    def show_unjudged(self, table: Table, all_may_be_seen: bool) -> None:
        """Show what is unjudged; bounds over all queries are not for a blind annotator."""
        self.unjudged.show_table(table)
        self.unjudged.setMaximumHeight(self.unjudged.height_of(ROWS_IN_SIGHT))
        for part in (self.words, self.below, self.export):
            part.setVisible(all_may_be_seen)

    def compute(self, state: State, options: Options) -> None:
        """Compute the bounds."""
        if not self.bounds.isVisibleTo(self):
            return

        def job(watch: Watch) -> "tuple[list[ScoreBounds], Coverage]":
            from annotator.project.coverage import coverage, score_bounds

            return score_bounds(state, options, watch), coverage(state, options=options)

        self.job.run("Computing bounds", job, self._show)

    def write_to(self, path: Path) -> None:
        """Write the judging list as CSV."""
        project = self._project

        def job(*_: object) -> str:
            from annotator.project.coverage import write_judging_list

            return write_judging_list(state_of(project), path)

        self.writing.run("Writing", job, self.said.emit)

    def _show(self, computed: "tuple[list[ScoreBounds], Coverage]") -> None:
        from annotator.project.coverage import bounds_of_means, unjudged_by_query

        bounds, top = computed
        self._found = bounds
        self.bounds.show_table(bounds_of_means(bounds, top))
        self.by_query.show_table(unjudged_by_query(top))

    def _open_query(self, row: int, column: int) -> None:
        table = self.by_query.grid.table
        self.query_wanted.emit(str(table.data[0][row]), table.columns[column].title * (column > 0), "")

    def _open_unjudged(self, row: int, column: int) -> None:
        self.reasons_wanted.emit(str(self.unjudged.grid.table.data[0][row]), column)

    def _open_bounds(self, row: int, column: int) -> None:
        """A mean is made of its queries; each bound of their bounds."""
        one = self._found[row]
        if self.bounds.grid.column(column).title in ("Mean", "Best order"):
            self.mean_wanted.emit(one.system, one.measure)
            return
        self.reasons = Reasons(one.by_query, self._theme, self)
        self.reasons.query_wanted.connect(
            lambda query: self.query_wanted.emit(query, one.system, one.measure)
        )
        self.reasons.open()

    def _ask_file(self) -> None:
        name = str(self._project.path.with_name("to judge.csv"))
        path, _ = QFileDialog.getSaveFileName(self, "Export judging list", name, "CSV (*.csv)")
        if path:
            self.write_to(Path(path))
