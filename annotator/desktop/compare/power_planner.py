"""How many queries it takes to see a difference that matters, and what those there are can show."""

from PySide6.QtWidgets import QDoubleSpinBox, QWidget

from annotator.desktop.controls import roomy
from annotator.desktop.layouts import column, row
from annotator.desktop.style import label, prose
from annotator.evaluation.comparison import Comparison
from annotator.evaluation.power import power, queries_needed, smallest_difference

WANTED = 80


class PowerPlanner(QWidget):
    """Answers for a difference and a power that the user sets; spread and level come from the comparison."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._comparison: Comparison | None = None
        self.answer = prose()
        self.difference = self._box("Smallest difference that matters", 4, 0, 1000)
        self.difference.setSpecialValueText("choose")
        self.wanted = self._box("Power in per cent", 0, 10, 99)
        self.wanted.setValue(WANTED)
        for box in (self.difference, self.wanted):
            box.valueChanged.connect(self._answer)
        difference = (label("The smallest difference that matters:"), self.difference)
        chance = (label("to be found with a power of (%)"), self.wanted)
        column(row(*difference, *chance, 1), self.answer, 1, on=self, around=(16, 16, 16, 16), gap=12)

    def show_comparison(self, one: Comparison) -> None:
        """Take a comparison: its queries, its spread, and the level that its correction leaves for it."""
        self._comparison = one
        self._answer()

    def _box(self, name: str, decimals: int, low: float, high: float) -> QDoubleSpinBox:
        box = roomy(QDoubleSpinBox())
        box.setAccessibleName(name)
        box.setDecimals(decimals)
        box.setRange(low, high)
        box.setSingleStep(0.01 if decimals else 5)
        return box

    def _answer(self) -> None:
        one = self._comparison
        if one is None or one.n < 2 or not one.deviation > 0:
            self.answer.setText("There are too few queries on which the systems differ to plan with.")
            return
        difference, chance, level = self.difference.value(), self.wanted.value() / 100, one.corrected_level
        least = smallest_difference(one.n, one.deviation, chance, level)
        shown = f"The smallest difference that the {one.n:,} queries there are show with {chance:.0%} is "
        shown += f"{least:.4f} {one.measure}."
        if difference:
            needed = queries_needed(difference, one.deviation, chance, level)
            takes = "more than a million queries" if needed is None else f"{needed:,} queries"
            has = power(one.n, difference, one.deviation, level)
            shown = f"It takes {takes}. Those there are would find it with a power of {has:.0%}. {shown}"
        of_one = f", {one.alpha:g} shared by {one.comparisons} comparisons" if level < one.alpha else ""
        self.answer.setText(
            f"{shown} (Paired t test at a level of {level:.4g}{of_one}; the differences' deviation is "
            f"{one.deviation:.4f}. The difference that was found is no difference to plan with.)"
        )
