"""The systems compared over the queries of each tag: differences, intervals and tests."""

from typing import TYPE_CHECKING

from annotator.desktop.layouts import FLUSH, column
from annotator.desktop.results.grid_view import GridView
from annotator.desktop.results.job_bar import CANCELLED
from annotator.desktop.results.tabs import ProjectTab
from annotator.desktop.worker import Worker
from annotator.evaluation.comparison import Comparison
from annotator.evaluation.comparison_tables import comparisons
from annotator.evaluation.options import ComparisonChoice
from annotator.evaluation.pairs import compare_all
from annotator.evaluation.result_table import Column, Table, intervals_below
from annotator.evaluation.results import EvaluationResult
from annotator.theme import Theme
from annotator.watch import Watch

if TYPE_CHECKING:
    from annotator.project.project import Project


class TagsTab(ProjectTab):
    """Compares when it is looked at; shows the chosen measure, whose p-values are corrected over all tags."""

    def __init__(self, project: "Project", worker: Worker, theme: Theme) -> None:
        super().__init__(project, worker)
        self._measure = ""
        self._known: tuple[EvaluationResult, ComparisonChoice, list[Comparison]] | None = None
        self.grid = GridView("Comparisons by tag", theme)
        self.views = (self.grid,)
        self.job.problem.connect(self._tell)
        self.job.cancelled.connect(lambda: self._tell(CANCELLED))
        column(self.job, (self.grid, 1), on=self, around=FLUSH, gap=0)

    def show_result(self, result: EvaluationResult, choice: ComparisonChoice, measure: str) -> None:
        """Compare the systems of a result, as somebody chose, over the queries of each tag."""
        self._measure = measure
        if self._known is not None and (self._known[0] is result and self._known[1] == choice):
            self._show(self._known)
            return

        def job(watch: Watch) -> tuple[EvaluationResult, ComparisonChoice, list[Comparison]]:
            return result, choice, compare_all(result, choice, watch)

        self.job.run("Comparing by tag", job, self._show)

    def _tell(self, words: str) -> None:
        """Say why nothing is shown: what was before is of what was chosen before."""
        self._known, self.grid.empty = None, words
        self.grid.show_table(Table("by-tag", "", (Column("Tag", "text"),), ([],)))

    def _show(self, known: tuple[EvaluationResult, ComparisonChoice, list[Comparison]]) -> None:
        self._known = known
        shown = [one for one in known[2] if one.measure == self._measure]
        self.grid.show_table(intervals_below(comparisons(shown), "difference"))
