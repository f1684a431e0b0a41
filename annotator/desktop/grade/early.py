"""What was pressed between two queries counts for nothing unseen: Enter gives it to what is in sight."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from annotator.desktop.actions import Actions
from annotator.desktop.grade.flow import Flow
from annotator.desktop.grade.prepared import Prepared
from annotator.desktop.grade.workspace import Workspace
from annotator.project.views import JudgmentView

WAITS = "{} was pressed too early. {}"
WAY = "{key} gives it to the candidate in front; judging it or moving on lets it go."
WORDS = {"skipped": "Skip", "cannot_tell": "Can't tell"}
NOTHING = "Nothing was pressed too early."


class Early(QObject):
    """Keeps the last grade or state pressed before its query was in sight, and says so above that query.

    It goes with the next judgment or move there, and when one leaves the query; nothing is stored of it.
    """

    def __init__(self, flow: Flow, parts: Workspace, actions: Actions, parent: QObject) -> None:
        super().__init__(parent)
        self._flow = flow
        self._parts = parts
        self._actions = actions
        self._again: Callable[[], object] | None = None
        self._words = ""
        self._offered: int | None = None
        """The query above which it is offered."""
        flow.too_early.connect(self._keep)
        flow.query_shown.connect(self._offer)
        flow.current_changed.connect(lambda _: self._let_go())
        flow.judgment_shown.connect(self._judged)
        for signal in (flow.all_done, flow.practised):
            signal.connect(self._let_go)
        actions.on("give_early", self._give)

    def _judged(self, _at: int, _judgment: JudgmentView, pending: bool) -> None:
        if pending:
            self._let_go()

    def _keep(self, said: JudgmentView, again: Callable[[], object]) -> None:
        self._again, self._offered = again, None
        self._words = str(said.grade) if said.grade is not None else WORDS[str(said.state)]

    def _offer(self, prepared: Prepared | None) -> None:
        shown = prepared.view.key if prepared is not None and prepared.view.candidates else None
        if self._again is None:
            return
        if shown is None or self._offered not in (None, shown):
            self._let_go()
            return
        self._offered = shown
        way = WAY.format(key=self._actions.first_key("give_early") or "A command")
        self._parts.head.show_early(WAITS.format(self._words, way))

    def _give(self) -> None:
        again = self._again if self._offered is not None else None
        if again is None:
            self._flow.said.emit(NOTHING)
            return
        self._let_go()
        again()

    def _let_go(self) -> None:
        self._again = self._offered = None
        self._parts.head.show_early("")
