"""Which systems are preferred: strengths, wins of every two, and which side annotators favour."""

from typing import TYPE_CHECKING

from annotator.desktop.layouts import FLUSH, column
from annotator.desktop.results.job_bar import CANCELLED
from annotator.desktop.results.table_choice import TableChoice
from annotator.desktop.results.tabs import ProjectTab
from annotator.desktop.worker import Worker
from annotator.evaluation.options import Options
from annotator.evaluation.result_table import Column, Table, intervals_below
from annotator.project.blindness import seen_queries
from annotator.project.state import State
from annotator.tasks import PREFERENCE
from annotator.theme import Theme
from annotator.watch import Watch

if TYPE_CHECKING:
    from annotator.project.project import Project

ESTIMATES = {"preferences": "strength", "position-bias": "left_share"}


def has_preferences(state: State | None) -> bool:
    """Say whether anybody said which of two answers is better."""
    return state is not None and bool(state.said.get(PREFERENCE.name))


class PreferencesTab(ProjectTab):
    """Computes when it is looked at, over the queries that the annotator has finished."""

    def __init__(self, project: "Project", worker: Worker, theme: Theme) -> None:
        super().__init__(project, worker)
        self.tables = TableChoice("preferences", theme)
        self.views = (self.tables,)
        self.job.problem.connect(self._tell)
        self.job.cancelled.connect(lambda: self._tell(CANCELLED))
        column(self.job, (self.tables, 1), on=self, around=FLUSH, gap=0)

    def show_state(self, state: State, options: Options) -> None:
        """Show what is preferred by a state, as somebody chose systems, queries and the annotator."""
        project = self._project

        def job(_: Watch) -> list[Table]:
            from annotator.project.preference_strengths import NO_TWO, UNFINISHED, tables

            seen, hidden = seen_queries(project)
            found = tables(state, options, seen if hidden else None)
            return found or [nothing(UNFINISHED if hidden else NO_TWO)]

        self.job.run("Reading preferences", job, self._show)

    def _show(self, found: list[Table]) -> None:
        self.tables.show_tables(
            [intervals_below(one, ESTIMATES[one.key]) if one.key in ESTIMATES else one for one in found]
        )

    def _tell(self, words: str) -> None:
        self.tables.show_tables([nothing(words)])


def nothing(words: str) -> Table:
    """Return a table that only says something."""
    return Table("nothing", "Preferences", (Column("System", "text"),), ([],), words)
