"""What is unjudged, how wide that leaves the scores, and the list of what is to be judged."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog

from annotator.desktop.controls import button
from annotator.desktop.layouts import FLUSH, column
from annotator.desktop.results.grid import EMPTY
from annotator.desktop.results.job_bar import JobBar
from annotator.desktop.results.reasons_dialog import Reasons
from annotator.desktop.results.table_choice import TableChoice
from annotator.desktop.results.tabs import ProjectTab
from annotator.desktop.worker import Worker
from annotator.evaluation.options import Options
from annotator.evaluation.result_table import Table, columns_of, is_missing, plain
from annotator.project.state import State, state_of
from annotator.theme import Theme
from annotator.watch import Watch

if TYPE_CHECKING:
    from annotator.project.coverage import Coverage, ScoreBounds
    from annotator.project.project import Project


MOVING = "How far the means may still move until the pool is judged"


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
        self._unjudged = EMPTY
        self._known: list[int] = []
        self._bounds_wanted = False
        self._found: list[ScoreBounds] = []
        self.writing = JobBar(worker)
        self.tables = TableChoice("what is unjudged", theme)
        self.tables.grid.opened.connect(self._open)
        self.views = (self.tables,)
        self.export = button("Export judging list…", self._ask_file)
        self.tables.above.addWidget(self.export)
        for job in (self.job, self.writing):
            job.problem.connect(self.said)
        self.job.cancelled.connect(self._forget)
        column(self.job, self.writing, (self.tables, 1), on=self, around=FLUSH, gap=0)

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size."""
        super().theme_changed(theme)
        self._theme = theme

    def show_unjudged(self, table: Table, all_may_be_seen: bool) -> None:
        """Show what of the unjudged is known; bounds over all queries are not for a blind annotator."""
        known = [at for at, cells in enumerate(table.data) if not all(map(is_missing, plain(cells)))]
        self._known = known or [*range(len(table.columns))]
        table = columns_of(table, self._known)
        self._unjudged, self._bounds_wanted = table, all_may_be_seen
        if self._found and all_may_be_seen:
            self.tables.replace_first(table)  # the others stay until they are computed anew
        else:
            self.tables.show_tables([table])
        self.export.setVisible(all_may_be_seen)

    def compute(self, state: State, options: Options) -> None:
        """Compute the bounds."""
        if not self._bounds_wanted:
            return

        def job(watch: Watch) -> "tuple[list[ScoreBounds], Coverage]":
            from annotator.project.coverage import coverage, score_bounds

            return score_bounds(state, options, watch), coverage(state, options=options)

        self.job.run("Computing bounds", job, self._show)

    def _forget(self) -> None:
        """Show no bounds: those before were of what was chosen before."""
        self._found = []
        self.tables.show_tables([self._unjudged])

    def write_to(self, path: Path) -> None:
        """Write the judging list as CSV."""
        project = self._project

        def job(*_: object) -> str:
            from annotator.project.coverage import write_judging_list

            return write_judging_list(state_of(project), path)

        self.writing.run("Writing", job, self.said.emit)

    def _show(self, computed: "tuple[list[ScoreBounds], Coverage]") -> None:
        from annotator.project.coverage import bounds_of_means, unjudged_by_query

        self._found, top = computed
        bounds, queries = bounds_of_means(self._found, top), unjudged_by_query(top)
        self.tables.show_tables(
            (
                self._unjudged,
                replace(bounds, title=MOVING),
                replace(queries, caption="" if len(queries) else "Every query is judged."),
            )
        )

    def _open(self, row: int, column: int) -> None:
        """Show what a number is made of: a mean of its queries, a bound of theirs."""
        table = self.tables.grid.grid.table
        title, name = table.columns[column].title, str(table.data[0][row])
        if self.tables.shown == self._unjudged.key:
            self.reasons_wanted.emit(name, self._known[column])
        elif self.tables.shown == "by-query":
            self.query_wanted.emit(name, title * (column > 0), "")
        elif title in ("Mean", "Best order"):
            self.mean_wanted.emit(self._found[row].system, self._found[row].measure)
        else:
            one = self._found[row]
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
