"""A page that follows what is graded, and lets each of its tables and figures be saved."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QContextMenuEvent, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from annotator.desktop.pages import Page, Surroundings
from annotator.desktop.results.canvas import Canvas
from annotator.desktop.results.grid_view import GridView
from annotator.desktop.results.table_saving import SaveTable
from annotator.project import blindness
from annotator.project.report_files import Choice
from annotator.project.shown_files import write_table
from annotator.project.views import Change
from annotator.project.written_from import written_from
from annotator.tasks import STATED

if TYPE_CHECKING:
    from annotator.project.project import Project

NOWHERE = "Tab or a click leads to a table or figure; the one that has the keys is saved."
LIVE_MS = 400
"""The pause after a grade before the scores follow it."""

SCORES = (
    *(
        "grade",
        "together",
        "gold",
        "import",
        "system",
        "setting",
        "unblind",
        "annotator",
        "adjudication",
        "practice",
    ),
    *STATED,
    "snapshot",  # which can be compared with
    "arrived",  # what others judged
)


class FollowingPage(Page):
    """A page that follows what is graded: at once while in front, otherwise when shown.

    The table or figure that has the keys is saved by `save_shown`, which a right click offers, too; `origin`
    is what the file of a table says of where it comes from.
    """

    def __init__(self, surroundings: Surroundings, parent: QWidget | None = None) -> None:
        super().__init__(surroundings, parent)
        self.stale = True
        self._live = QTimer(self, singleShot=True, interval=LIVE_MS)
        self._live.timeout.connect(self.refresh)

    def refresh(self) -> None:
        """Compute anew and be stale no more."""
        raise NotImplementedError

    def shown(self) -> None:
        """Bring what is shown up to date."""
        if self.stale:
            self.refresh()

    def project_changed(self, change: Change) -> None:
        """Follow what was judged."""
        if change.kind in SCORES:
            self.stale = True
            if change.kind == "annotator":
                self.hide_found()
            if self.isVisible():
                self._live.start()

    def hide_found(self) -> None:
        """Show nothing of what was computed: another annotator may be blind for it."""
        raise NotImplementedError

    def name_keys(self, of_tables: str) -> None:
        """Name in the status bar the keys of what is in sight: of tables, of figures alone, or of neither."""
        tables, figures = (
            any(one.isVisibleTo(self) for one in self.findChildren(kind)) for kind in (GridView, Canvas)
        )
        self.keys_become(of_tables if tables else "figure" if figures else "unmatched")

    def unblind(self) -> None:
        """Show what is hidden from the blind annotator, which is recorded."""

        def done(change: Change) -> None:
            self.changed.emit(change)
            self.refresh()

        self.worker.submit(self, partial(blindness.unblind_all, self.project), done)

    def origin(self) -> Sequence[str]:
        """Return where the tables on show come from, a sentence each; none where that is the project now."""
        return ()

    def save_shown(self) -> None:
        """Save the table or figure that has the keys, or the only one in sight."""
        here = self._with_keys()
        if isinstance(here, Canvas) and here.drawn is not None:
            here.ask_file()
        elif isinstance(here, GridView) and here.grid.rowCount():
            table, origin = here.table_on_show(), tuple(self.origin())
            path, name = self.project.path, self.project.path.stem

            def written(to: Path, choice: Choice, *_: object) -> str:
                told = origin or (written_from(self.project),)
                return write_table(to, table, choice, name, told)

            def save(to: Path, choice: Choice) -> None:
                self.worker.start(self, partial(written, to, choice), self.said.emit)

            SaveTable(table, path, save, self).open()
        else:
            self.said.emit(NOWHERE)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer to copy and to save the table below the pointer, or the one that has the keys."""
        by_key = event.reason() is QContextMenuEvent.Reason.Keyboard
        over = self._holding(self.focusWidget() if by_key else self.childAt(event.pos()))
        if not isinstance(over, GridView):
            super().contextMenuEvent(event)
            return
        over.setFocus()
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Copy", QKeySequence.StandardKey.Copy, over.copy)
        menu.addAction(self.surroundings.actions["save_shown"])
        menu.popup(event.globalPos())

    def _holding(self, part: QWidget | None) -> GridView | Canvas | None:
        """Return the table or figure that a part of the page is in."""
        while part is not None and part is not self:
            if isinstance(part, GridView | Canvas):
                return part
            part = part.parentWidget()
        return None

    def _with_keys(self) -> GridView | Canvas | None:
        if (here := self._holding(self.focusWidget())) is not None:
            return here
        every: list[GridView | Canvas] = [*self.findChildren(GridView), *self.findChildren(Canvas)]
        there = [one for one in every if one.isVisible()]
        return there[0] if len(there) == 1 else None


def of_damaged(project: "Project", title: str, why: str) -> tuple[str, str]:
    """Return a title and the reason for it; of a damaged project the bar of the window tells more."""
    if not project.damage:
        return title, why
    return (
        f"{title}: the project is damaged",
        "What is damaged, and what can be done about it, is told above.",
    )
