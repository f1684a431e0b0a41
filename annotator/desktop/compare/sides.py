"""Two rankings of one query side by side: shared candidates joined, the others marked."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QScrollArea

from annotator.desktop.controls import button
from annotator.desktop.layouts import AROUND, column, row
from annotator.desktop.results.orderings import Orderings
from annotator.desktop.results.tabs import ProjectTab
from annotator.desktop.style import breakable, prose
from annotator.desktop.worker import Worker
from annotator.evaluation.options import Options
from annotator.project.evidence import Evidence, evidence
from annotator.project.state import State
from annotator.theme import Theme

if TYPE_CHECKING:
    from annotator.project.project import Project


class Sides(ProjectTab):
    """Shows what two systems return for one query.

    `query_wanted(key)` asks for the query on the Grade page, `candidate_wanted(query, candidate)` for one of
    its candidates.
    """

    query_wanted = Signal(int)
    candidate_wanted = Signal(int, int)

    def __init__(self, project: "Project", worker: Worker, theme: Theme) -> None:
        super().__init__(project, worker)
        self.job.leave_edges()
        self._key: int | None = None
        self.query = ""
        """The id of the query that is shown."""
        self.title = prose(kind="heading")
        self.values = prose(kind="muted")
        self.grade = button("Judge this query", self._want_query)
        self.orderings = Orderings(theme)
        self.orderings.candidate_wanted.connect(self._want_candidate)
        self.views = (self.orderings,)
        scroll = QScrollArea()
        scroll.setAccessibleName("Both rankings")
        scroll.setWidget(self.orderings)
        scroll.setWidgetResizable(True)
        head = row((self.title, 1), self.grade)
        column(head, self.job, self.values, (scroll, 1), on=self, around=AROUND)
        self.clear()

    def show_query(self, state: State, query: str, first: str, second: str, options: Options) -> None:
        """Show both rankings of a query under the first measure of the options."""
        self.query = query

        def job(*_: object) -> tuple[Evidence, Evidence]:
            return evidence(state, options, first, query), evidence(state, options, second, query)

        self.job.run("Reading both rankings", job, self._show)

    def clear(self) -> None:
        """Show no query: none is chosen, or there is none."""
        self.job.cancel()
        self.query, self._key = "", None
        self.grade.setEnabled(False)
        self.title.setText("Choose a query to see both rankings.")
        self.values.clear()
        self.orderings.show_rankings("", (), "", ())

    def _show(self, both: tuple[Evidence, Evidence]) -> None:
        first, second = both
        self._key = first.key
        self.grade.setEnabled(True)
        self.title.setText(breakable(f"{first.query}  {first.text}"))
        name = first.explanation.measure.name
        values = (
            f"{name}: {first.explanation.value:.4f} for {first.system}, "
            f"{second.explanation.value:.4f} for {second.system}. "
            f"In {second.system}: {second.explanation.costs}"
        )
        self.values.setText(breakable(values))
        self.orderings.show_rankings(first.system, first.actual, second.system, second.actual)

    def _want_candidate(self, candidate: int) -> None:
        if self._key is not None:
            self.candidate_wanted.emit(self._key, candidate)

    def _want_query(self) -> None:
        if self._key is not None:
            self.query_wanted.emit(self._key)
