"""A threshold as a classifier: what EM, F1 or an annotator says against the grades taken for true."""

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDoubleSpinBox, QWidget

from annotator.desktop.controls import combo, offer, roomy
from annotator.desktop.layouts import AROUND, FLUSH, column
from annotator.desktop.messages import Message
from annotator.desktop.results.grid_view import GridView
from annotator.desktop.results.halves import Halves
from annotator.desktop.results.tabs import ProjectTab
from annotator.desktop.style import label, prose
from annotator.desktop.worker import Worker
from annotator.desktop.wrap_layout import WrapLayout
from annotator.evaluation.options import GoldMatch, Options
from annotator.grades import HIGHEST
from annotator.project.state import state_of
from annotator.theme import Theme

if TYPE_CHECKING:
    from annotator.evaluation.result_table import Table
    from annotator.project.project import Project
    from annotator.project.thresholds import Classified

MATCHES = {"Exact match": "em", "Token F1": "f1", "Contained": "contains", "Word overlap": "overlap"}

NAMES = {
    **{key: key.upper() for key in ("tp", "fp", "fn", "tn", "tpr", "fpr", "tnr", "fnr", "f1", "mcc")},
    **{key: key.capitalize() for key in ("negative", "positive", "right", "precision", "recall", "accuracy")},
    "negative_precision": "Precision of negatives",
    "negative_recall": "Recall of negatives",
    "negative_f1": "F1 of negatives",
}
"""How counts and rates are called where people read."""

CLASSES = 2

SHARE, RATES = 0.5, 480
"""How much of the width the sweep takes, and what the other tables have beside it at least."""


class ThresholdTab(ProjectTab):
    """Compares a prediction with a truth at a threshold, and at every other threshold."""

    def __init__(self, project: "Project", worker: Worker, theme: Theme) -> None:
        super().__init__(project, worker)
        self.job.leave_edges()
        self._stale = True
        self._together = False
        """Whether grades count that were given with the rest or with a near-duplicate."""
        self.predicted = combo("What predicts", self.compute)
        self.truth = combo("What is taken for true", self.compute)
        grades = ((f"grade {grade} or higher", grade) for grade in range(1, HIGHEST + 1))
        self.rel = combo("Positive from grade", self.compute, grades)
        self.rel.setCurrentIndex(2)
        self.threshold = roomy(QDoubleSpinBox())
        self.threshold.setAccessibleName("Threshold")
        self.threshold.setRange(0, 1)
        self.threshold.setSingleStep(0.05)
        self.threshold.setValue(1)
        self.said = prose()
        self.nothing = Message()
        self.job.problem.connect(self._tell)
        self.counts = GridView("Confusion of the threshold", theme)
        self.rates = GridView("Rates at the threshold", theme, at_least=3)
        self.sweep = GridView("Rates at every threshold", theme, at_least=3)
        self.threshold.editingFinished.connect(self.compute)
        choices = WrapLayout()
        for part in (self.predicted, self.threshold, label("against", "muted"), self.truth, self.rel):
            choices.addWidget(part)
        self.views = (self.counts, self.rates, self.sweep)
        beside = QWidget()
        column(self.counts, (self.rates, 1), on=beside, around=FLUSH)
        self.below = Halves(self.sweep, beside, SHARE, RATES, stacks=True)
        self.counts.fitted.connect(lambda: self.counts.setFixedHeight(self.counts.height_of(CLASSES)))
        column(choices, self.job, self.said, (self.nothing, 1), (self.below, 1), on=self, around=AROUND)
        self._tell("")

    def show_annotators(self, names: tuple[str, ...], together: bool) -> None:
        """Offer the annotators on both sides, the matches on the predicted one; grades count as asked for."""
        self._together = together
        offer(self.predicted, [*MATCHES, *names])
        offer(self.truth, ["All grades", *names])
        self._stale = True
        if self.isVisible():
            self.compute()

    def showEvent(self, event: QShowEvent) -> None:
        """Compare what changed while nobody looked."""
        super().showEvent(event)
        if self._stale:
            self.compute()

    def compute(self) -> None:
        """Compare what the combos say."""
        self._stale = False
        project = self._project
        predicted, truth = self.predicted.currentText(), self.truth.currentText()
        rel, threshold = self.rel.currentData(), self.threshold.value()
        by_match, together = predicted in MATCHES, self._together
        self.threshold.setEnabled(by_match)
        if not by_match and truth == "All grades":
            self._tell("Choose whose grades are taken for true.")
            return

        def job(*_: object) -> "Classified":
            from annotator.project import thresholds

            if not by_match:
                return thresholds.annotator_against_annotator(
                    state_of(project), predicted, truth, rel, together
                )
            options = Options(annotator=None if truth == "All grades" else truth)
            match = GoldMatch(MATCHES[predicted], threshold)
            return thresholds.match_against_grades(state_of(project), match, rel, options, together)

        self.job.run("Comparing", job, self._show)

    def _tell(self, problem: str) -> None:
        """Say in place of the tables why there are none."""
        self.said.setText(problem)
        self.nothing.say("Nothing to compare yet", problem)
        self.nothing.setVisible(bool(problem))
        for part in (self.said, self.below):
            part.setHidden(bool(problem))

    def _show(self, made: "Classified") -> None:
        from annotator.project.thresholds import confusion_table, rates_table, sweep_table

        self._tell("")
        one = made.confusion
        undefined = ", ".join(NAMES[name] for name in one.undefined)
        note = f" Undefined, shown as 0: {undefined}." if undefined else ""
        predicted = made.predicted
        for words, key in MATCHES.items():
            if predicted.startswith(f"{key} "):
                predicted = f"{words} {predicted.removeprefix(f'{key} ')}"
        self.said.setText(
            f"{predicted}, against {made.truth}, over {made.n} pairs: F1 {one.rates['f1']:.3f}, "
            f"MCC {one.rates['mcc']:.3f}.{note} {made.together}".strip()
        )
        self.counts.show_table(_named(confusion_table(made)))
        self.rates.show_table(_named(rates_table(made)))
        self.sweep.show_table(_named(sweep_table(made)))


def _named(table: "Table") -> "Table":
    """Return a table with the names that people read in headings and in the column of rates."""
    columns = tuple(
        replace(one, title=NAMES.get(one.title, one.title), key=one.name) for one in table.columns
    )
    data = tuple(
        [NAMES.get(str(cell), cell) for cell in cells] if one.name in ("rate", "true") else cells
        for one, cells in zip(columns, table.data, strict=True)
    )
    return replace(table, columns=columns, data=data)
