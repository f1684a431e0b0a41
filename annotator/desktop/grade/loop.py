"""The loop of a page that takes decisions: one key, one stored decision, and the next one's turn."""

from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QWindow

from annotator.desktop.grade.timing import Pace, Stopwatch
from annotator.desktop.worker import Worker

TOO_EARLY = "That key did not count: what comes next was not there yet."


class Decision(NamedTuple):
    """A verb for the storage thread; what follows once it is stored, or when it could not be."""

    verb: Callable[[], Any]
    stored: Callable[[Any], object]
    not_stored: Callable[[], object] = lambda: None


Begin = Callable[[int], Decision | None]
"""Decides, when its turn has come, on what is in front then; it is told the milliseconds this has been."""


class _Turn(NamedTuple):
    take: Callable[[], object]
    decides: bool
    refused: Callable[[], object] = lambda: None


class Loop(QObject):
    """Stores decisions on what is in front, in order, each on another thing.

    A key counts only once what is in front is painted (`count_keys`). While something is stored, or what
    follows a decision comes to the screen (`come`), further keys wait for their turn; what they were meant
    for may be gone by then (`leave`), and they do not count. After a failure none of them does.

    `changed(Change)`: stored. `said(text)`: for the status bar. `failed(error)`: not stored.
    """

    changed = Signal(object)
    said = Signal(str)
    failed = Signal(object)

    def __init__(self, worker: Worker, parent: QObject) -> None:
        super().__init__(parent)
        self._worker = worker
        self.stopwatch = Stopwatch()
        self.pace = Pace()
        self._painted = False
        self._coming = False
        self._storing = False
        self._waiting: deque[_Turn] = deque()
        self._why = TOO_EARLY
        app = QGuiApplication.instance()
        assert isinstance(app, QGuiApplication)
        app.focusWindowChanged.connect(self._window_focused)

    @property
    def ready(self) -> bool:
        """Whether a key would count now: what is in front is painted and nothing is being stored."""
        return self._painted and not self._storing

    @property
    def storing(self) -> bool:
        """Whether something is on its way to the disk."""
        return self._storing

    def decide(self, begin: Begin, refused: Callable[[], object] = lambda: None) -> None:
        """Decide on what is in front when the turn comes; `refused` follows where the key does not count."""
        if not (self._painted or self._coming):
            self.said.emit(self._why)
            refused()
        elif self._storing or self._coming:
            self._waiting.append(_Turn(lambda: self.decide(begin, refused), True, refused))
        elif (decision := begin(self.stopwatch.elapsed())) is not None:
            self._store(decision)

    def do(self, verb: Callable[[], Any], done: Callable[[Any], object]) -> None:
        """Run a verb that is about nothing in front, such as undo, in its turn."""
        if self._storing or self._coming:
            self._waiting.append(_Turn(lambda: self.do(verb, done), decides=False))
        else:
            self._store(Decision(verb, done))

    def in_turn(self, take: Callable[[], object]) -> None:
        """Do something with what is in front, after the keys that wait for their turn with it."""
        if self._storing or self._coming:
            self._waiting.append(_Turn(take, decides=True))
        else:
            take()

    def count_keys(self) -> None:
        """Let keys count: what is in front has reached the screen."""
        self._painted, self._coming = True, False
        self.stopwatch.restart()
        self._go_on()

    def come(self) -> None:
        """Let keys wait until what follows a decision has reached the screen."""
        self._painted, self._coming = False, True

    def leave(self, why: str = TOO_EARLY) -> None:
        """Let no key count until something is painted again, and say why to those that do not."""
        gone = [turn for turn in self._waiting if turn.decides]
        self._waiting = deque(turn for turn in self._waiting if not turn.decides)
        if gone:
            self.said.emit(why)
        for turn in gone:
            turn.refused()
        self._painted = self._coming = False
        self._why = why
        QTimer.singleShot(0, self, self._go_on)  # not halfway through what calls this

    def _window_focused(self, window: QWindow | None) -> None:
        self.stopwatch.run(window is not None)

    def _store(self, decision: Decision) -> None:
        self._storing = True

        def stored(result: Any) -> None:
            self._storing = False
            decision.stored(result)
            self._go_on()

        def not_stored(error: Exception) -> None:
            self._storing = False
            self._waiting.clear()
            decision.not_stored()
            self.failed.emit(error)

        self._worker.submit(self, decision.verb, stored, not_stored)

    def _go_on(self) -> None:
        while self._waiting and not (self._storing or self._coming):
            self._waiting.popleft().take()
