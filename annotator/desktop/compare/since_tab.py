"""Today against an earlier state: which judgments and rankings changed, and which scores by how much."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction

from annotator.desktop.controls import button, combo
from annotator.desktop.layouts import AROUND, column
from annotator.desktop.line_field import let_write
from annotator.desktop.messages import Message
from annotator.desktop.results.grid_view import GridView
from annotator.desktop.results.halves import Halves
from annotator.desktop.results.job_bar import CANCELLED
from annotator.desktop.results.tabs import ProjectTab
from annotator.desktop.style import prose
from annotator.desktop.worker import Worker
from annotator.desktop.wrap_layout import WrapLayout
from annotator.evaluation.options import Options
from annotator.project.state import state_of
from annotator.text.times import in_words
from annotator.theme import Theme
from annotator.watch import Watch

if TYPE_CHECKING:
    from annotator.project.changes_since import Since
    from annotator.project.project import Project
    from annotator.project.snapshots import SnapshotView


SHARE, SCORES = 0.4, 420
"""How much of the width changed judgments have, and how wide changed scores are at least beside them."""

AT_LEAST = 3
"""So many rows of each table are in sight."""

LETTERS = 24
"""So much of a moment is seen."""


class SinceTab(ProjectTab):
    """Compares with a snapshot, or with a date that is typed in; `take` is the command that takes one.

    `query_wanted(key)` follows a click on a changed judgment, `tables_shown` the coming of the tables.
    """

    query_wanted = Signal(int)
    tables_shown = Signal()

    def __init__(self, project: "Project", worker: Worker, theme: Theme, take: QAction) -> None:
        super().__init__(project, worker)
        self.job.leave_edges()
        self._worker = worker
        self._options = Options()
        self._keys: list[int] = []
        self.moment = combo("Snapshot or moment", self._compare)
        self.moment.setSizeAdjustPolicy(self.moment.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.moment.setMinimumContentsLength(LETTERS)
        let_write(self.moment)
        compare = button("Compare with today", self._compare)
        self.nothing = Message()
        self.nothing.say(
            "What has changed, and which scores?",
            "Choose a snapshot above, or type a moment such as last Friday or 2026-11-20.",
            "Take a snapshot of today…",
            take.trigger,
        )
        self.said = prose()
        self.job.problem.connect(self._tell)
        self.job.cancelled.connect(lambda: self._tell(CANCELLED))
        self.means = GridView("Means then and now", theme, at_least=AT_LEAST)
        no_grade, no_score = "No combined grade is different.", "No score is different."
        self.grades = GridView("Changed judgments", theme, empty=no_grade, at_least=AT_LEAST)
        self.grades.opened.connect(lambda row, _: self.query_wanted.emit(self._keys[row]))
        self.scores = GridView("Changed scores", theme, empty=no_score, at_least=AT_LEAST)
        self.views = (self.means, self.grades, self.scores)
        self.below = Halves(self.grades, self.scores, SHARE, SCORES, stacks=True)
        head = WrapLayout()
        for part in (self.moment, compare, button("Take a snapshot…", take.trigger)):
            head.addWidget(part)
        parts = ((self.nothing, 1), (self.means, 1), (self.below, 2))
        column(head, self.job, self.said, *parts, on=self, around=AROUND)
        self._show_tables(False)

    def show_options(self, options: Options) -> None:
        """Take the options to compare under, list the snapshots there are, and compare anew what is shown."""
        anew = self.means.isVisibleTo(self) and options != self._options
        self._options = options
        project = self._project

        def read() -> "list[SnapshotView]":
            from annotator.project.snapshots import snapshots

            return snapshots(project)

        self._worker.submit(self, read, self._list)
        if anew:
            self._compare()

    def _list(self, taken: "list[SnapshotView]") -> None:
        kept = self.moment.currentText()
        self.moment.clear()
        self.moment.addItems([one.name for one in reversed(taken)])
        if kept or not taken:
            self.moment.setCurrentText(kept)

    def _compare(self) -> None:
        project, options, moment = self._project, self._options, self.moment.currentText().strip()
        if not moment:
            return

        def job(watch: Watch) -> "Since":
            from annotator.project.changes_since import since

            return since(state_of(project, options), options, moment, watch)

        self.job.run(f"Comparing with {moment}", job, self._show)

    def _show_tables(self, on: bool) -> None:
        self.nothing.setHidden(on)
        for part in (self.means, self.below):
            part.setVisible(on)
        self.tables_shown.emit()

    def _tell(self, words: str) -> None:
        """Say why nothing is shown: what was before is of what was chosen before."""
        self._show_tables(False)
        self.said.setText(words)

    def _show(self, since: "Since") -> None:
        from annotator.project.changes_since import changed_grades, changed_means, changed_scores

        self._show_tables(True)
        if (line := self.moment.lineEdit()) is not None:
            line.home(False)  # its beginning is in sight
        runs = f"; new rankings of {', '.join(since.systems)}" if since.systems else ""
        several = any(one.provenance.combining for one in (since.then, since.now))
        combined = ", several annotators combined," if several else ""
        self.said.setText(
            f"Since {in_words(since.then.options.as_of)}: {len(since.grades)} grades{combined} and "
            f"{len(since.scores)} scores are different{runs}. {' '.join(since.notes)}".rstrip()
        )
        self._keys = [one.query for one in since.grades]
        self.means.show_table(changed_means(since))
        self.grades.show_table(changed_grades(since))
        self.scores.show_table(changed_scores(since))
