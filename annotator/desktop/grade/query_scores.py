"""When the scores beside a query are shown, and when they are computed."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from annotator.desktop.grade.flow import Flow
from annotator.desktop.grade.metric_panel import MEASURES, MetricPanel
from annotator.desktop.worker import Worker
from annotator.project import panel
from annotator.project.finished import finished
from annotator.project.views import QueryPanel, QueryView
from annotator.watch import Watch

if TYPE_CHECKING:
    from annotator.project.project import Project


DAMAGED = "This project is damaged, so no score is computed from it."


def may_see(view: QueryView) -> bool:
    """Say whether there are scores to be seen: the query counts, and is unblinded or this moment finished."""
    return not view.practice and (view.revealed or (not view.again and finished(view)))


def how_far(view: QueryView) -> str:
    """Return how much of a query is done, in words, also of what is asked beside the grade."""
    graded = f"{view.decided} of {len(view.candidates)} done"  # what is skipped is, and is not judged
    said = [(one.task, *one.ending) in each.said for each in view.candidates for one in view.asked_of(each)]
    return f"{graded}, {sum(said)} of {len(said)} said beside the grade" if said else graded


class Scoring(QObject):
    """Keeps the panel hidden while the query is blind; else computes what it shows in a thread."""

    def __init__(
        self, flow: Flow, panel: MetricPanel, project: "Project", worker: Worker, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._flow = flow
        self._panel = panel
        self._project = project
        self._worker = worker
        self._system: str | None = None
        panel.system_chosen.connect(self._choose_system)

    def refresh(self) -> None:
        """Hide the scores while blind; else compute them. Where nothing is ranked there are none to hide."""
        if self._flow.prepared is None or not self._flow.prepared.view.candidates:
            self._panel.show_nothing()
            return
        view = self._flow.prepared.view
        if self._project.damage:
            self._panel.show_nothing(DAMAGED)
        elif may_see(view):
            self._ask()
        else:
            self._panel.show_hidden(how_far(view), view.again, view.practice)

    def _ask(self) -> None:
        query, system = self._flow.query, self._system
        if query is None:
            return

        def job(watch: Watch) -> QueryPanel:
            return panel.query_panel(self._project, query, MEASURES, system, watch)

        self._worker.start(self, job, self._take)

    def _take(self, panel: QueryPanel) -> None:
        prepared = self._flow.prepared
        if prepared is not None and prepared.view.key == panel.query and may_see(prepared.view):
            self._panel.show_panel(panel)

    def _choose_system(self, system: str) -> None:
        self._system = system
        self._ask()
