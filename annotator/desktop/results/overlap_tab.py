"""How alike the systems rank: what can be seen of them before anything is judged."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from annotator.desktop.controls import combo
from annotator.desktop.layouts import FLUSH, column, row
from annotator.desktop.messages import Message
from annotator.desktop.results.grid_view import GridView
from annotator.desktop.results.job_bar import CANCELLED
from annotator.desktop.results.preferences_tab import PreferencesTab, has_preferences
from annotator.desktop.results.tabs import ProjectTab
from annotator.desktop.style import label
from annotator.desktop.worker import Worker
from annotator.evaluation.options import Options
from annotator.evaluation.rank_overlap import PERSISTENCE
from annotator.evaluation.result_table import Column, Table, intervals_below
from annotator.project.state import State
from annotator.theme import Theme
from annotator.watch import Watch

if TYPE_CHECKING:
    from annotator.project.project import Project

DEPTHS = {
    "the first 5 ranks (p = 0.8)": 0.8,
    "the first 10 ranks (p = 0.9)": PERSISTENCE,
    "the first 50 ranks (p = 0.98)": 0.98,
}
"""In which ranks some 85% of the weight of each p lies (Webber et al. 2010, equation 21)."""


class OverlapTab(ProjectTab):
    """Shows the rank-biased overlap of every two systems; computed when another state is shown."""

    def __init__(self, project: "Project", worker: Worker, theme: Theme) -> None:
        super().__init__(project, worker)
        self._state: State | None = None
        self._systems: tuple[str, ...] = ()
        self.persistence = combo("How deep the rankings count", self._compute, DEPTHS.items())
        self.persistence.setCurrentIndex(list(DEPTHS.values()).index(PERSISTENCE))
        self.grid = GridView("How alike the systems rank", theme, highest_first=2)
        self.views = (self.grid,)
        self.job.problem.connect(self._tell)
        self.job.cancelled.connect(lambda: self._tell(CANCELLED))
        words = label("How alike the systems rank, mostly by", "caption")
        above = row(words, self.persistence, 1, around=(16, 8, 16, 8), gap=8)
        column(above, self.job, (self.grid, 1), on=self, around=FLUSH, gap=0)

    def show_state(self, state: State, systems: tuple[str, ...]) -> None:
        """Compare the rankings of a state's systems, or of those named."""
        runs = self._state and self._state.runs
        if state.runs != runs or systems != self._systems:  # grades do not matter
            self._state, self._systems = state, systems
            self._compute()

    def _compute(self) -> None:
        state, systems, p = self._state, self._systems, self.persistence.currentData()
        if state is None:
            return

        def job(watch: Watch) -> Table:
            from annotator.project.run_overlap import overlap

            return overlap(state, systems, p, watch=watch)

        self.job.run("Comparing rankings", job, self._show)

    def _show(self, table: Table) -> None:
        self.grid.show_table(intervals_below(table, "overlap"))

    def _tell(self, words: str) -> None:
        self.grid.empty = words
        self.grid.show_table(Table("overlap", "", (Column("First", "text"),), ([],)))


class NothingYet(QWidget):
    """A message, and below it what there is without scores: preferences, or how alike the systems rank."""

    def __init__(self, project: "Project", worker: Worker, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.message = Message(self)
        self.overlap = OverlapTab(project, worker, theme)
        self.preferred = PreferencesTab(project, worker, theme)
        self.overlap.hide()
        self.preferred.hide()
        below = ((self.preferred, 2), (self.overlap, 2))
        column((self.message, 1), *below, on=self, around=FLUSH, gap=0)

    @property
    def has_table(self) -> bool:
        """Whether something stands below the message."""
        return not (self.overlap.isHidden() and self.preferred.isHidden())

    def show_state(self, state: State | None, options: Options) -> None:
        """Show what a state has of two systems or more; without them or a state, the message alone."""
        two = state is not None and len(options.systems or state.runs) > 1
        preferred = two and has_preferences(state)
        self.overlap.setVisible(two and not preferred)
        self.preferred.setVisible(preferred)
        if state is not None and preferred:
            self.preferred.show_state(state, options)
        elif state is not None and two:
            self.overlap.show_state(state, options.systems)

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size."""
        for tab in (self.overlap, self.preferred):
            tab.theme_changed(theme)
