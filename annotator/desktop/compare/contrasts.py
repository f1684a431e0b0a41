"""The queries on which two systems differ, and both rankings of the one in front."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex

from annotator.desktop.compare.pair_bar import Chosen
from annotator.desktop.compare.sides import Sides
from annotator.desktop.results.grid_view import GridView
from annotator.desktop.results.halves import Halves
from annotator.desktop.worker import Worker
from annotator.evaluation.comparison_tables import contrasts
from annotator.evaluation.options import Options
from annotator.evaluation.results import EvaluationResult
from annotator.project.state import State
from annotator.theme import Theme

if TYPE_CHECKING:
    from annotator.project.project import Project

COMPARES_TEXTS = "This measure compares texts; choose one such as nDCG@10 to see the ranks."
SCORES_ALONE = "A file of scores holds no rankings."

SHARE, SIDES = 0.48, 340
"""How much of the width the queries have, and how wide both rankings of one are at least."""

AT_LEAST = 3
"""So many queries are in sight above both rankings of one."""


def no_rankings(result: EvaluationResult | None, state: State | None, measure: str) -> str:
    """Say why a query has no rankings to show under a measure, "" where it has."""
    if state is None or result is None:
        return SCORES_ALONE
    return "" if result.measures[result.position(measure)].needs == "grades" else COMPARES_TEXTS


class Contrasts(Halves):
    """Lists the queries, those that the systems differ on most first; the rankings follow the arrow keys.

    Where there are no rankings, as under a measure of texts, the queries have all the room.
    """

    def __init__(self, project: "Project", worker: Worker, theme: Theme) -> None:
        table = GridView("Queries by contrast", theme, at_least=AT_LEAST)
        sides = Sides(project, worker, theme)
        super().__init__(table, sides, SHARE, SIDES, stacks=True)
        self.table, self.sides = table, sides
        self._result: EvaluationResult | None = None
        self._state: State | None = None
        self._chosen, self._options = Chosen(), Options()
        table.setSelectionBehavior(GridView.SelectionBehavior.SelectRows)
        table.selectionModel().currentRowChanged.connect(self._follow)

    def show_pair(
        self, result: EvaluationResult, state: State | None, chosen: Chosen, options: Options
    ) -> None:
        """Show the queries of a pair, the one before in front again if it is among them."""
        self._result, self._state, self._chosen, self._options = result, state, chosen, options
        before = self.sides.query
        self.sides.setVisible(self._has_rankings())
        self.table.show_table(contrasts(result, chosen.measure, chosen.first, chosen.second))
        queries = list(self.table.grid.table.data[0])
        if queries and self._has_rankings():
            row = queries.index(before) if before in queries else 0
            self.table.setCurrentIndex(self.table.grid.index(self.table.grid.place_of(row) or 0, 0))
        else:
            self.sides.clear()

    def show_query(self, query: str) -> None:
        """Show both rankings of a query."""
        if self._state is not None:
            options = self._options.of_measures(self._chosen.measure)
            self.sides.show_query(self._state, query, self._chosen.first, self._chosen.second, options)

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size."""
        self.table.theme_changed(theme)
        self.sides.theme_changed(theme)

    def _follow(self, current: QModelIndex) -> None:
        """Show the rankings of the query that the arrow keys came to."""
        if current.isValid() and self._has_rankings():
            grid = self.table.grid
            self.show_query(str(grid.table.data[0][grid.row_at(current.row())]))

    def _has_rankings(self) -> bool:
        return not no_rankings(self._result, self._state, self._chosen.measure)
