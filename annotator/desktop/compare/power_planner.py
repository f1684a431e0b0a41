"""A difference that matters: is less than that shown, and how many queries does it take to see it."""

from collections.abc import Sequence

from PySide6.QtWidgets import QDoubleSpinBox, QWidget

from annotator.desktop.controls import roomy
from annotator.desktop.layouts import FLUSH, column, row
from annotator.desktop.results.job_bar import JobBar
from annotator.desktop.style import breakable, label, prose
from annotator.desktop.worker import Worker
from annotator.desktop.wrap_layout import WrapLayout
from annotator.evaluation.comparison import TEST_NAMES, Comparison
from annotator.evaluation.equivalence import Equivalence, equivalences
from annotator.evaluation.power import power, queries_needed, smallest_difference
from annotator.evaluation.results import EvaluationResult
from annotator.evaluation.statistics import EPSILON
from annotator.text.counts import in_digits
from annotator.theme import STEPS
from annotator.watch import Watch

WANTED = 80


class PowerPlanner(QWidget):
    """Answers for a difference and a power that the user sets; spread and level come from the comparison."""

    def __init__(self, worker: Worker, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._result: EvaluationResult | None = None
        self._family: Sequence[Comparison] = ()
        self._comparison: Comparison | None = None
        self.job = JobBar(worker)
        self.answer, self.equivalent = prose(), prose()
        self.job.problem.connect(self.equivalent.setText)
        self.difference = self._box("Smallest difference that matters", 4, 0, 1000)
        self.difference.setSpecialValueText("choose")
        self.wanted = self._box("Power in per cent", 0, 10, 99)
        self.wanted.setValue(WANTED)
        for box in (self.difference, self.wanted):
            box.valueChanged.connect(self._answer)
        self.difference.valueChanged.connect(self._ask_whether_equivalent)
        asked = WrapLayout()
        for words, box in (
            ("The smallest difference that matters:", self.difference),
            ("to be found with a power of (%)", self.wanted),
        ):
            part = QWidget()  # words and number stay on one line
            row(label(words), box, on=part, around=FLUSH, gap=STEPS[0])
            asked.addWidget(part)
        column(asked, self.job, self.equivalent, self.answer, 1, on=self, around=(16, 16, 16, 16), gap=12)

    def show_comparison(
        self, result: EvaluationResult, family: Sequence[Comparison], one: Comparison
    ) -> None:
        """Take a comparison of a family: its queries, its spread, and the level that correcting leaves it."""
        self._result, self._family, self._comparison = result, family, one
        self._answer()
        self._ask_whether_equivalent()

    def _ask_whether_equivalent(self) -> None:
        """Say whether less than the difference that matters is shown; p-values ask for the whole family."""
        result, family, margin = self._result, self._family, self.difference.value()
        self.job.cancel()
        self.equivalent.clear()
        self.equivalent.setVisible(margin > 0)
        if result is None or not margin:
            return

        def job(watch: Watch) -> list[Equivalence]:
            return equivalences(result, family, margin, watch)

        self.job.run("Asking what is equivalent", job, self._show_equivalent)

    def _show_equivalent(self, found: list[Equivalence]) -> None:
        names = [(one.comparison.measure, one.comparison.first, one.comparison.second) for one in found]
        if (one := self._comparison) is not None:
            told = found[names.index((one.measure, one.first, one.second))]
            self.equivalent.setText(breakable(told.sentence))

    def _box(self, name: str, decimals: int, low: float, high: float) -> QDoubleSpinBox:
        box = roomy(QDoubleSpinBox())
        box.setAccessibleName(name)
        box.setDecimals(decimals)
        box.setRange(low, high)
        box.setSingleStep(0.01 if decimals else 5)
        return box

    def _answer(self) -> None:
        one = self._comparison
        if one is None or not one.spread > EPSILON:
            self.answer.setText("There are too few queries on which the systems differ to plan with.")
            return
        difference, chance, level = self.difference.value(), self.wanted.value() / 100, one.corrected_level
        least, most = smallest_difference(one.n, one.spread, chance, level), one.span[1]
        found = f"{least:.4f} {one.measure}" if least <= most else f"more than {one.measure} can differ"
        there = f"With the {one.n:,} queries there are"
        test = f"{there}, the smallest difference that a paired t test"
        shown = f"{test} finds in {chance:.0%} of cases is {found}."
        if difference > most:
            shown = f"{one.measure} can differ by {most:g} at most. {shown}"
        elif difference:
            needed = queries_needed(difference, one.spread, chance, level)
            takes = "more than a million queries" if needed is None else f"{needed:,} queries"
            has = f"{power(one.n, difference, one.spread, level):.0%} of cases"
            shown = (
                f"{there}, a paired t test finds a difference of {difference:g} in {has}; {chance:.0%} takes "
                f"{takes}. The smallest difference that it finds in {chance:.0%} is {found}."
            )
        if one.open:
            shown += f" But the {TEST_NAMES[one.test]}{one.after} cannot decide with {one.too_few}."
        of_one = f", {one.alpha:g} shared by {one.comparisons} comparisons" if level < one.alpha else ""
        of_all = ""
        if one.test == "tukey":
            of_one, of_all = (
                ", what Tukey's HSD asks of one pair with many queries",
                " for all pairs in common",
            )
        self.answer.setText(
            f"{shown} (Paired t test at a level of {in_digits(level)}{of_one}; the differences' deviation is "
            f"{one.spread:.4f}{of_all}. The difference that was found is no difference to plan with.)"
        )
