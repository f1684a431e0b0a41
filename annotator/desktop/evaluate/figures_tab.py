"""The figures of a result: a list of those that can be drawn, the choices, the figure itself."""

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QListWidget,
    QListWidgetItem,
    QWidget,
)

from annotator.desktop.controls import button, combo, offer
from annotator.desktop.layouts import AROUND, column, row
from annotator.desktop.results.canvas import Canvas
from annotator.desktop.results.tabs import WrappingTab
from annotator.desktop.style import prose, px, tip
from annotator.desktop.worker import Worker
from annotator.desktop.wrap_layout import WrapLayout
from annotator.figures.catalogue import FIGURES, OF_RESULT, FigureKind, offered
from annotator.figures.subject import Subject
from annotator.theme import Theme

KEY = Qt.ItemDataRole.UserRole
FEWEST_LETTERS = 12
"""So much of a name that can be chosen has room at least; a long one makes no page wider."""

KINDS = 190
"""How wide the list of figures is, at the normal text size."""

NOTHING = "There is nothing to draw yet: figures come with judgments that may be shown."


class FiguresTab(WrappingTab):
    """Shows the figures of one subject. A subject with a pair leaves no choice of measure and systems.

    `query_wanted(id)` is a click on a query's mark. `more_wanted(measure names, done)` asks for a second
    result that a figure is drawn from; `done(result)` is to be called with it.
    """

    query_wanted = Signal(str)
    more_wanted = Signal(object, object)

    def __init__(
        self,
        worker: Worker,
        theme: Theme,
        only: Collection[str] = frozenset(FIGURES),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._subject = Subject()
        self._stale = False
        self._only = only
        self.kinds = QListWidget()
        self.kinds.setAccessibleName("Figures")
        self.kinds.currentItemChanged.connect(self._draw)
        self.measure, self.first, self.second = (
            combo(name, self._offer) for name in ("Measure", "First system", "Second system")
        )
        for box in (self.measure, self.first, self.second):
            box.setMinimumContentsLength(FEWEST_LETTERS)
        self.by_class = QCheckBox("by true class")
        self.by_class.toggled.connect(self._draw)
        self.sentence = prose(kind="muted")
        self.canvas = Canvas(worker, theme)
        self.canvas.query_wanted.connect(self.query_wanted)
        self.save = button("Save…", self.canvas.ask_file)
        choices = WrapLayout()
        for part in (self.measure, self.first, self.second, self.by_class, self.save):
            choices.addWidget(part)
        self.kinds.setFixedWidth(px(KINDS))
        right = column(choices, self.sentence, (self.canvas, 1))
        row(self.kinds, (right, 1), on=self, around=AROUND, gap=16)

    def show_subject(self, subject: Subject) -> None:
        """Show the figures of another subject; choices that still make sense are kept."""
        self._subject = subject
        result = subject.result
        names = result.systems if result else ()
        measures = tuple(one.name for one in result.measures) if result else ()
        offer(self.measure, measures)
        offer(self.first, names)
        offer(self.second, names, usual=1)
        self._offer()

    def theme_changed(self, theme: Theme) -> None:
        """Draw in another theme or text size."""
        self.kinds.setFixedWidth(px(KINDS))
        self.canvas.theme_changed(theme)

    def chosen(self) -> Subject:
        """Return the subject with what the combos say."""
        if self._subject.pair:
            return self._subject
        pair = (self.first.currentText(), self.second.currentText())
        return replace(
            self._subject,
            measure=self.measure.currentText(),
            pair=pair if all(pair) and pair[0] != pair[1] else None,
            by_true_class=self.by_class.isChecked(),
        )

    def _key(self) -> str:
        """Return the key of the chosen figure, "" when none is."""
        return str(self.kinds.currentItem().data(KEY)) if self.kinds.currentRow() >= 0 else ""

    def _offer(self) -> None:
        kept = self._key()
        kinds = [kind for kind in offered(self.chosen()) if kind.key in self._only]
        with QSignalBlocker(self.kinds):
            self.kinds.clear()
            for kind in kinds:
                item = QListWidgetItem(kind.title, self.kinds)
                item.setData(KEY, kind.key)
                item.setToolTip(tip(kind.sentence))
            keys = [kind.key for kind in kinds]
            self.kinds.setCurrentRow(keys.index(kept) if kept in keys else 0)
        self.kinds.setVisible(bool(kinds))
        self._draw()

    def showEvent(self, event: QShowEvent) -> None:
        """Draw what changed while nobody looked."""
        super().showEvent(event)
        if self._stale:
            self._draw()

    def _draw(self) -> None:
        """Draw the chosen figure, or when the tab is next looked at."""
        self._stale = not self.isVisible()
        if self._stale:
            return
        self.save.setVisible(bool(self._key()))
        if not self._key():
            for part in (self.measure, self.first, self.second, self.by_class):
                part.hide()
            self.sentence.setText(NOTHING)
            self.canvas.clear()
            return
        kind = FIGURES[self._key()]
        free = self._subject.pair is None
        self.measure.setVisible(free and kind.need in OF_RESULT)
        of_two = free and kind.need == "pair"
        self.first.setVisible(of_two or (free and kind.key == "per-query"))
        self.second.setVisible(of_two)
        self.by_class.setVisible(kind.need == "confusion")
        subject = self.chosen()
        self.sentence.setText(kind.said_of(subject))
        if kind.asks is None:
            self._show(kind, subject)
            return
        self.canvas.clear()
        names = kind.asks(subject.chosen_measure)
        done: Callable[[object], None] = partial(self._arrived, kind, subject)
        self.more_wanted.emit(names, done)

    def _arrived(self, kind: FigureKind, subject: Subject, more: object) -> None:
        if self._key() == kind.key and subject.measure == self.measure.currentText():
            self._show(kind, replace(subject, more=more))  # type: ignore[arg-type]

    def _show(self, kind: FigureKind, subject: Subject) -> None:
        self.canvas.show_figure(partial(kind.draw, subject), kind.title)
