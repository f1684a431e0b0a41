"""The query that comes next, and what is asked again before it, made ready while another is judged."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from annotator.desktop.grade.prepared import Prepared, prepare, prepare_again
from annotator.desktop.worker import Worker
from annotator.project.views import Order
from annotator.watch import Watch

if TYPE_CHECKING:
    from annotator.project.project import Project


class Ahead(QObject):
    """Holds at most one query that is ready; what was asked for before `forget` never arrives.

    `again` is what of an earlier query is asked again before it.
    """

    def __init__(self, project: "Project", worker: Worker, parent: QObject) -> None:
        super().__init__(parent)
        self._project = project
        self._worker = worker
        self._prepared: Prepared | None = None
        self.again: Prepared | None = None
        self._asked = 0

    def ready(self, query: int) -> Prepared | None:
        """Return the query if it is this one and ready."""
        made = self._prepared
        return made if made is not None and made.view.key == query else None

    def prepare(self, query: int, order: Order) -> None:
        """Make a query ready in a thread of its own: no grade waits behind it."""
        asked = self._asked

        def job(_: Watch) -> tuple[Prepared, Prepared | None]:
            return prepare(self._project, query, order), prepare_again(self._project)

        def take(made: tuple[Prepared, Prepared | None]) -> None:
            if asked == self._asked:
                self._prepared, self.again = made

        self._worker.start(self, job, take)

    def forget(self) -> None:
        """Drop what was made ready, or is being made ready: it is out of date."""
        self._prepared = self.again = None
        self._asked += 1
