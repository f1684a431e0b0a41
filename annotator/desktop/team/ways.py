"""What the window does so that several people work on one project: sharing, joining, a word in the header."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from annotator.desktop.actions import Actions
from annotator.desktop.header import Header
from annotator.text.counts import counted
from annotator.text.visible import telling

if TYPE_CHECKING:
    from annotator.desktop.session import Session
    from annotator.desktop.team.exchange_thread import Standing
    from annotator.desktop.team.exchanging import Team
    from annotator.desktop.worker import Worker

BEGIN_MS = 1_000
"""So long after opening a project it is looked whether it is shared: its first page goes first."""


READ_ONLY = "This project is open for reading only, so nothing is exchanged with {address}."


class TeamWays(QObject):
    """Exchanges as long as a project is open and shared, and shows in the header how that stands.

    `changed(Change)` is what arrived, `project_chosen(path)` a project that was joined.
    """

    changed = Signal(object)
    project_chosen = Signal(Path)

    def __init__(self, commands: Actions, header: Header, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._header = header
        self._session: Session | None = None
        self._worker: Worker | None = None
        self.team: Team | None = None
        commands.on("team", self.show)
        commands.on("join", self.join)

    def opened(self, session: "Session") -> None:
        """Exchange from now on, where the project is shared."""
        self._session = session
        QTimer.singleShot(BEGIN_MS, session, self.begin)

    def begin(self, then: Callable[[], object] = lambda: None) -> None:
        """Look whether the open project is shared, and exchange if it is; then call `then`."""
        from annotator.desktop.team.exchanging import Team

        session = self._session
        if session is None or session.project is None:
            return
        if self.team is None:
            self.team = Team(session.project, session.worker, session)
            self.team.told.connect(self._tell)
            self.team.changed.connect(self.changed)
        self.team.begin(partial(self._begun, then))

    def _begun(self, then: Callable[[], object]) -> None:
        record = self.team.record if self.team is not None and self.team.standing is None else None
        if record is not None and record.carrier:
            self._header.show_team("not exchanged", READ_ONLY.format(address=record.carrier))
        elif record is not None and (record.damaged or record.beside is not None):
            from annotator.project import sharing

            short = "not exchanged" if record.damaged else "not shared, a copy"
            self._header.show_team(short, sharing.not_shared(Path(record.file), record), record.damaged)
        then()

    def stored(self) -> None:
        """Something was stored that is to be handed over."""
        if self.team is not None:
            self.team.want()

    def close(self) -> None:
        """Exchange no more: the project is closed."""
        if self.team is not None:
            self.team.close()
        self.team = self._session = None
        self._header.show_team("", "")

    def end(self) -> None:
        """Wait for what was begun without a project; the window closes."""
        if self._worker is not None:
            self._worker.close()

    def show(self) -> None:
        """Show how the sharing stands, or ask where to share."""
        self.begin(self._show)

    def _show(self) -> None:
        from annotator.desktop.team.dialogs import TeamDialog

        if self.team is not None and self.team.standing is not None:
            dialog = TeamDialog(self.team, self._window)
            dialog.move_wanted.connect(self._ask_where)
            dialog.open()
        else:
            self._ask_where()

    def _ask_where(self) -> None:
        from annotator.desktop.team.dialogs import ShareDialog

        session = self._session
        if self.team is not None and session is not None and session.project is not None:
            dialog = ShareDialog(session.project, self.team, session.worker, self._window)
            dialog.shared.connect(self.show)
            dialog.open()

    def join(self) -> None:
        """Ask for a carrier, make a project file of what it holds, and open that."""
        from platformdirs import user_documents_path

        from annotator.desktop.team.dialogs import JoinDialog
        from annotator.desktop.worker import Worker

        if self._worker is None:
            self._worker = Worker(self)
        dialog = JoinDialog(user_documents_path(), self._worker, self._window)
        dialog.joined.connect(self.project_chosen)
        dialog.open()

    def _tell(self, standing: "Standing") -> None:
        done = standing.exchanged
        people = ", ".join(f"{telling(one.name)} {one.judged:,}" for one in done.people)
        here = counted(len(done.people), "person", "people") if done.people else "asking…"
        left = standing.behind
        if standing.trouble:
            here = "cannot exchange"
            if standing.takes:
                here, left = f"cannot hand over {done.behind:,}", ""
        some = f"{len(done.problems):,} to look at" if done.problems else ""
        calm = (some, left, here) if some else (here, left)
        parts = (here, left, some) if standing.trouble else calm
        told = standing.trouble or f"Shared through {standing.address}."
        behind = f"Events of yours: {standing.behind}." if standing.behind else ""
        self._header.show_team(
            ", ".join(filter(None, parts)),  # the worst first, which is always shown
            "\n".join(filter(None, (f"Judged: {people}." if people else "", behind, told))),
            bool(standing.trouble or standing.exchanged.problems),
        )
