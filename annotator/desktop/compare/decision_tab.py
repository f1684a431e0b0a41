"""What would change it: what to judge next, and which grades would put the other system ahead."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from annotator.desktop.layouts import AROUND, column
from annotator.desktop.messages import Message
from annotator.desktop.results.grid_view import GridView
from annotator.desktop.results.job_bar import CANCELLED
from annotator.desktop.results.tabs import ProjectTab
from annotator.desktop.style import breakable, label, prose
from annotator.desktop.worker import Worker
from annotator.evaluation.options import Options
from annotator.metrics.catalogue import parse
from annotator.project.state import State
from annotator.theme import Theme
from annotator.watch import Watch

if TYPE_CHECKING:
    from annotator.project.coverage import ToJudge
    from annotator.project.decisions import WhatIf
    from annotator.project.project import Project

DEPTH = 10
ALL_JUDGED = f"Of the queries looked at here, all that weighs in the top {DEPTH} of the two is judged."
ROWS_IN_SIGHT = 6
"""So many rows of a table are seen without scrolling it: the page scrolls where it has no room for them."""


class DecidingTab(ProjectTab):
    """Shows the state of one decision.

    `candidate_wanted(query, candidate)` follows a click on a row, `tables_shown` the coming of the tables.
    """

    candidate_wanted = Signal(int, int)
    tables_shown = Signal()

    def __init__(self, project: "Project", worker: Worker, theme: Theme) -> None:
        super().__init__(project, worker)
        self.job.leave_edges()
        self._keys: dict[str, list[tuple[int, int]]] = {}
        self.flip = prose()
        self.nothing = Message()
        """Stands in the place of the tables while there are none."""
        self._again: Callable[[], object] = lambda: None
        self._possible = False
        self.job.problem.connect(lambda why: self._tell(why, "Try again" * self._possible))
        self.job.cancelled.connect(lambda: self._tell(CANCELLED, "Weigh what is unjudged"))
        self.next = GridView("To judge next", theme, empty=ALL_JUDGED, at_least=ROWS_IN_SIGHT)
        self.changes = GridView("Changes that put the other system ahead", theme, at_least=ROWS_IN_SIGHT)
        self.views = (self.next, self.changes)
        for view, name in ((self.next, "next"), (self.changes, "changes")):
            view.opened.connect(lambda row, _, key=name: self.candidate_wanted.emit(*self._keys[key][row]))
        above, between = (label(words, "caption") for words in ("What to judge next", "What if"))
        self._with_tables = (above, self.next, between, self.flip, self.changes)
        following, what_if = (above, (self.next, 1)), (between, self.flip, (self.changes, 1))
        column(self.job, *following, *what_if, (self.nothing, 1), on=self, around=AROUND)
        self._tell("")

    def show_pair(self, state: State, first: str, second: str, options: Options) -> None:
        """Ask about two systems under the first measure of the options."""
        self._again = partial(self.show_pair, state, first, second, options)
        self._possible = parse(options.measures[0]).needs == "grades"

        def job(watch: Watch) -> "tuple[list[ToJudge], WhatIf]":
            from annotator.project import decisions
            from annotator.project.state import as_called

            following = decisions.to_judge_next(state, first, second, DEPTH, options=options)
            found = decisions.what_if(state, first, second, options, watch)
            return as_called(state, following), replace(found, changes=tuple(as_called(state, found.changes)))

        self.job.run("Weighing what is unjudged", job, lambda weighed: self._show(*weighed))

    def _tell(self, why: str, way: str = "") -> None:
        """Say alone why there are no tables, and what computes them."""
        self.nothing.say("What would change it is not computed" if why else "", why, way, self._again)
        self._show_tables(False)

    def _show_tables(self, on: bool) -> None:
        for part in self._with_tables:
            part.setVisible(on)
        self.nothing.setHidden(on)
        self.tables_shown.emit()

    def _show(self, following: "list[ToJudge]", what_if: "WhatIf") -> None:
        from annotator.project.coverage import to_judge
        from annotator.project.decisions import changed_grades

        self._show_tables(True)
        self._keys = {
            "next": [(one.query, one.candidate) for one in following],
            "changes": [(one.query, one.candidate) for one in what_if.changes],
        }
        self.next.show_table(to_judge(following))
        self.flip.setText(breakable(what_if.sentence))
        self.changes.show_table(changed_grades(what_if))
        self._leave_height()

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size."""
        super().theme_changed(theme)
        self._leave_height()

    def _leave_height(self) -> None:
        """Leave the height that the rows of the upper table do not need to the lower one."""
        self.next.setMaximumHeight(self.next.height_of(ROWS_IN_SIGHT))
