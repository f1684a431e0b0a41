"""How many queries it takes to see a difference, and what those there are can show."""

from PySide6.QtWidgets import QDoubleSpinBox, QWidget

from annotator.desktop.controls import roomy
from annotator.desktop.layouts import column, row
from annotator.desktop.style import label, prose
from annotator.evaluation.power import power, queries_needed, smallest_difference

WANTED = 80


class PowerPlanner(QWidget):
    """Answers for a difference and a power that the user sets; the spread comes from the comparison."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._queries, self._deviation = 0, 0.0
        self.answer = prose()
        self.difference = self._box("Difference to be seen", 4, 0.0001, 1000)
        self.wanted = self._box("Power in per cent", 0, 10, 99)
        self.wanted.setValue(WANTED)
        for box in (self.difference, self.wanted):
            box.valueChanged.connect(self._answer)
        difference = (label("To see a difference of"), self.difference)
        chance = (label("with a power of (%)"), self.wanted)
        column(row(*difference, *chance, 1), self.answer, 1, on=self, around=(16, 16, 16, 16), gap=12)

    def show_comparison(self, queries: int, difference: float, deviation: float) -> None:
        """Take a comparison: its queries, its difference as the one to be seen, its spread."""
        self._queries, self._deviation = queries, deviation
        self.difference.setValue(max(abs(difference), self.difference.minimum()))
        self._answer()

    def _box(self, name: str, decimals: int, low: float, high: float) -> QDoubleSpinBox:
        box = roomy(QDoubleSpinBox())
        box.setAccessibleName(name)
        box.setDecimals(decimals)
        box.setRange(low, high)
        box.setSingleStep(0.01 if decimals else 5)
        return box

    def _answer(self) -> None:
        if self._queries < 2 or self._deviation <= 0:
            self.answer.setText("There are too few queries on which the systems differ to plan with.")
            return
        difference, chance = self.difference.value(), self.wanted.value() / 100
        needed = queries_needed(difference, self._deviation, chance)
        has = power(self._queries, difference, self._deviation)
        least = smallest_difference(self._queries, self._deviation, chance)
        takes = "more than a million queries" if needed is None else f"{needed:,} queries"
        self.answer.setText(
            f"It takes {takes}. The {self._queries:,} there are would find it with a power of {has:.0%}; "
            f"the smallest difference they show with {chance:.0%} is {least:.4f}. "
            f"(Paired t test at 5%, standard deviation of the differences {self._deviation:.4f}.)"
        )
