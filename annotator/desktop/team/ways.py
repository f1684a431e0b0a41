"""What the window does so that several people work on one project: sharing, joining, a word in the header."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from annotator.desktop.actions import Actions
from annotator.desktop.header import Header
from annotator.text.counts import counted

if TYPE_CHECKING:
    from annotator.desktop.session import Session
    from annotator.desktop.team.exchanging import Standing, Team
    from annotator.desktop.worker import Worker

BEGIN_MS = 1_000
"""So long after opening a project it is looked whether it is shared: its first page goes first."""


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

    def begin(self) -> None:
        """Look whether the open project is shared, and exchange if it is."""
        from annotator.desktop.team.exchanging import Team

        session = self._session
        if session is None or session.project is None:
            return
        if self.team is None:
            self.team = Team(session.project, session.worker, session)
            self.team.told.connect(self._tell)
            self.team.changed.connect(self.changed)
        self.team.begin()

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
        from annotator.desktop.team.dialogs import ShareDialog, TeamDialog

        self.begin()
        session = self._session
        if self.team is None or session is None or session.project is None:
            return
        if self.team.standing is not None:
            TeamDialog(self.team, self._window).open()
        else:
            dialog = ShareDialog(session.project, session.worker, self._window)
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
        people = ", ".join(f"{one.name} {one.judged:,}" for one in standing.exchanged.people)
        silent = "cannot exchange" if standing.trouble else ""
        some = f"{len(standing.exchanged.problems):,} to look at" if standing.exchanged.problems else ""
        short = ", ".join(filter(None, (silent, standing.behind, some)))
        told = standing.trouble or f"Shared through {standing.address}."
        self._header.show_team(
            short or counted(len(standing.exchanged.people), "person", "people"),
            "\n".join(filter(None, (f"Judged: {people}." if people else "", told))),
            bool(standing.trouble or standing.exchanged.problems),
        )
