"""The one bar of the Compare page: two systems and a measure; what else can be chosen opens on demand."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QIcon, QPixmap
from PySide6.QtWidgets import QComboBox, QMenu, QPushButton, QWidget

from annotator.desktop.controls import button, combo, literal, offer
from annotator.desktop.layouts import FLUSH, column, row
from annotator.desktop.results.comparison_choice import LEVELS
from annotator.desktop.results.options_bar import FEWEST_LETTERS, NOW, OptionsBar
from annotator.desktop.results.scores_page import SCORES, say_source
from annotator.desktop.style import label, tip
from annotator.desktop.wrap_layout import WrapLayout
from annotator.evaluation.comparison import CORRECTION_NAMES, OVER_NAMES, TEST_NAMES
from annotator.evaluation.family import Family
from annotator.evaluation.options import ComparisonChoice
from annotator.evaluation.results import EvaluationResult
from annotator.theme import STEPS

AGAINST = {"every": "every pair", "first": "each against the first"}

NOT_CORRECTED = "Tukey's test holds for all pairs at once: its p-values need no correction."

USUAL = ("All queries", f"As of {NOW}")
"""What is not said of the evaluation, being what everybody expects."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """What the lists of the bar say; plain values, so that a job may read them."""

    first: str = ""
    second: str = ""
    measure: str = ""
    comparison: ComparisonChoice = ComparisonChoice()


class PairBar(QWidget):
    """Shows two systems and a measure, and a button that says how they are compared and opens the choices.

    `chosen` follows every choice of the user; `opened(on)` says whether all that can be chosen is in sight.
    Its menu offers `few`, the command that compares by few judgments, and scores from a file, also when
    nothing can be shown; `scores_wanted` when these are asked for, and by the way back from them.
    """

    chosen = Signal()
    scores_wanted = Signal()
    opened = Signal(bool)

    def __init__(self, few: QAction, parent: QWidget) -> None:
        super().__init__(parent)
        self.first = self._combo("First system")
        self.second = self._combo("Second system")
        self.measure = self._combo("Measure")
        for one in (self.first, self.second, self.measure):
            one.setSizeAdjustPolicy(one.SizeAdjustPolicy.AdjustToContents)  # a file brings others
            one.setMinimumContentsLength(FEWEST_LETTERS)
        self.test = self._combo("Test", TEST_NAMES)
        self.correction = self._combo("Correction", CORRECTION_NAMES)
        self.over = self._combo("What is corrected together", OVER_NAMES)
        self.level = self._combo("Level", {level: f"level {level:g}" for level in LEVELS})
        self.against = self._combo("Which pairs", AGAINST)
        self.how = QPushButton(self)
        self.how.setCheckable(True)
        self.how.setProperty("kind", "opens")
        self.how.setIcon(QIcon(QPixmap(1, 1)))  # room for the arrow of the style sheet
        self.how.setToolTip("Test, correction and pairs; whose grades, which queries, which moment")
        self.how.toggled.connect(self._open)
        self.more = QPushButton("More", self)
        self.more.setToolTip("By few judgments drawn by chance, or the scores of a file")
        menu = QMenu(self.more)
        menu.addAction(few)
        menu.addAction(SCORES, self.scores_wanted.emit)
        self.more.setMenu(menu)
        self.back = button("", self.scores_wanted.emit, self)
        self.show_scores(None)
        self.tests = QWidget(self)
        above, below = WrapLayout(), WrapLayout()
        between, by = (label(text, "muted", self) for text in ("against", "by"))
        second, measure, ways = QWidget(self), QWidget(self), QWidget(self)  # what no line parts
        beside = ((second, between, self.second), (measure, by, self.measure))
        for together, *parts in (*beside, (ways, self.how, self.more, self.back)):
            row(*parts, on=together, around=FLUSH, gap=STEPS[0])
        self._pair = (self.first, second, measure)
        for part in (*self._pair, ways):
            above.addWidget(part)
        for part in (self.test, self.correction, self.over, self.level, self.against):
            below.addWidget(part)
        column(below, on=self.tests, around=(0, 8, 0, 0))
        column(above, self.tests, on=self, around=(16, 12, 16, 12), gap=0)

    def stand_above(self, choices: bool) -> None:
        """Leave the room below to the choices that stand there, or to what shows the comparison."""
        if (layout := self.layout()) is not None:
            layout.setContentsMargins(16, 12, 16, 0 if choices else 12)

    def offer(self, result: EvaluationResult, family: Family) -> None:
        """Offer what the result has, with what was compared in front."""
        new = not self.first.count()
        offer(self.first, result.systems)
        offer(self.second, result.systems, usual=1)
        offer(self.measure, family.measures)
        if family.baseline is not None:
            self.first.setCurrentText(family.baseline)
        if new and self.first.currentText() == self.second.currentText():
            self.second.setCurrentIndex(0)

    def take(self, first: str, second: str, measure: str) -> None:
        """Show another pair without announcing it."""
        for box, text in ((self.first, first), (self.second, second), (self.measure, measure)):
            box.setCurrentText(text)

    def says(self) -> Chosen:
        """Return what is chosen."""
        first, second, measure = (one.currentText() for one in (self.first, self.second, self.measure))
        return Chosen(first, second, measure, self.comparison())

    def comparison(self) -> ComparisonChoice:
        """Return how systems are compared."""
        baseline = self.first.currentText() if self.against.currentData() == "first" else None
        chosen = (box.currentData() for box in (self.test, self.correction, self.level, self.over))
        return ComparisonChoice(baseline, *chosen)

    def show_comparison(self, choice: ComparisonChoice) -> None:
        """Let the lists say how systems are compared."""
        against = "every" if choice.baseline is None else "first"
        for box, value in (
            (self.test, choice.test),
            (self.correction, choice.correction),
            (self.over, choice.over),
            (self.level, choice.alpha),
            (self.against, against),
        ):
            box.setCurrentIndex(box.findData(value))
        self._show_use_of_correction()

    def show_pair_choice(self, on: bool) -> None:
        """Offer a choice of two systems where there are two; without, what else can be chosen is in sight."""
        for part in (*self._pair, self.how):
            part.setVisible(on)
        self._open(self.how.isChecked() or not on)
        self.tests.setVisible(on and self.how.isChecked())

    def show_scores(self, path: Path | None) -> None:
        """Offer scores from a file, or the project's again while those of a file are shown."""
        say_source(self.back, path)
        self.back.setVisible(path is not None)
        self.more.setVisible(path is None)

    def say_how(self, options: OptionsBar | None) -> None:
        """Let the button say how systems are compared and of which scores, but for what is usual.

        Of a file's scores only the comparison is said: all else is settled there.
        """
        parts = [self.test.currentText()]
        parts += [self.correction.currentText()] * self.correction.isEnabled()
        parts += [self.over.currentText()] * (self.over.isEnabled() and self.over.currentIndex() > 0)
        parts += [self.level.currentText()] * (self.level.currentData() != ComparisonChoice().alpha)
        parts.append(self.against.currentText())
        if options is not None:
            parts.append(options.people.currentText())
            parts += [text for text in (options.queries.text(), options.moment.text()) if text not in USUAL]
        self.how.setText(literal(" · ".join(parts)))

    def _open(self, on: bool) -> None:
        self.tests.setVisible(on)
        self.opened.emit(on)

    def _combo(self, name: str, named: Mapping[Any, str] | None = None) -> QComboBox:
        items = ((words, value) for value, words in (named or {}).items())
        return combo(name, self._choose, items, self)

    def _choose(self) -> None:
        self._show_use_of_correction()
        self.chosen.emit()

    def _show_use_of_correction(self) -> None:
        """Offer corrections only to a test whose p-values are corrected, and say why."""
        corrects = self.test.currentData() != "tukey"
        for box in (self.correction, self.over):
            box.setEnabled(corrects)
            box.setToolTip(tip("" if corrects else NOT_CORRECTED))
