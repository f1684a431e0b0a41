"""The figures there are: what each is called, what it shows, what it needs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from annotator.evaluation.family import can_compare
from annotator.evaluation.results import EvaluationResult
from annotator.figures import comparisons, curves, distributions, heatmaps
from annotator.figures.sheet import Drawn
from annotator.figures.subject import Subject
from annotator.metrics.measures import Measure
from annotator.theme import Theme

Need = Literal[
    "result",
    "systems",
    "pair",
    "tags",
    "grade_counts",
    "confusion",
    "intervals",
    "lenient",
    "calibration",
    "seconds",
    "drifts",
    "curves",
    "looks",
    "nothing",
]

OF_RESULT: tuple[Need, ...] = ("result", "systems", "pair", "tags")
"""The needs that a result can meet: it has systems, two of them, or tags."""


@dataclass(frozen=True, slots=True)
class FigureKind:
    """One figure: its key and title, a sentence on how to read it, what it needs, and who draws it.

    `asks(measure name)` names further measures that it is drawn from, evaluated into `Subject.more`;
    `suits(measure)` says whether it can be drawn for a measure.
    """

    key: str
    title: str
    sentence: str
    need: Need
    draw: Callable[[Subject, Theme], Drawn]
    asks: Callable[[str], tuple[str, ...]] | None = None
    suits: Callable[[Measure], bool] = lambda _: True

    def said_of(self, subject: Subject) -> str:
        """Return how to read the figure of a subject, and which grades it leaves out."""
        of_people = self.need in ("grade_counts", "confusion", "intervals")
        return f"{self.sentence} {subject.together if of_people else ''}".strip()

    def measure_of(self, result: EvaluationResult) -> str | None:
        """Return the first of a result's measures of grades that the figure can be drawn for."""
        return next((one.name for one in result.measures if one.needs == "grades" and self.suits(one)), None)


FIGURES: dict[str, FigureKind] = {
    one.key: one
    for one in (
        FigureKind(
            "intervals",
            "Systems with interval",
            "Each system's mean and 95% interval over the queries.",
            "result",
            comparisons.system_intervals,
        ),
        FigureKind(
            "cutoff",
            "Measure by cut-off",
            "How the mean changes as more of the ranking is looked at.",
            "result",
            curves.by_cutoff,
            curves.cutoff_measures,
            lambda measure: measure.declaration.at is not None and measure.declaration.at.name == "k",
        ),
        FigureKind(
            "precision-recall",
            "Precision and recall",
            "Interpolated precision at eleven recalls; dotted, the raw means by rank.",
            "result",
            curves.precision_recall,
            curves.recall_measures,
        ),
        FigureKind(
            "distribution",
            "Distribution over queries",
            "How many queries score how much; each of more than three systems has a panel, best mean first.",
            "result",
            distributions.over_queries,
        ),
        FigureKind(
            "ecdf",
            "Cumulative distribution",
            "Which share of the queries scores at most so much: the further right a line, the better.",
            "result",
            distributions.cumulative,
        ),
        FigureKind(
            "per-query",
            "Queries sorted",
            "One bar per query, worst first.",
            "result",
            distributions.per_query,
        ),
        FigureKind(
            "difference",
            "Difference per query",
            "What the second system wins and loses against the first, query by query.",
            "pair",
            distributions.differences,
        ),
        FigureKind(
            "scatter",
            "System against system",
            "Each point a query; above the diagonal the second system is better.",
            "pair",
            comparisons.scatter,
        ),
        FigureKind(
            "critical",
            "Critical differences",
            "Mean ranks. Where Friedman's test finds that systems differ, a bar joins those that "
            "Nemenyi's test cannot tell apart.",
            "systems",
            comparisons.critical_differences,
        ),
        FigureKind(
            "difficulty",
            "Score by difficulty",
            "Each point a query, hard ones left. Above the line the system does better than the others.",
            "systems",
            comparisons.by_difficulty,
            suits=can_compare,
        ),
        FigureKind(
            "tags",
            "Systems by tag",
            "Each system's mean over the queries of each tag.",
            "tags",
            heatmaps.system_by_tag,
        ),
        FigureKind(
            "threshold",
            "Threshold sweep",
            "The same measure when only higher grades count as relevant.",
            "result",
            curves.threshold_sweep,
            curves.threshold_measures,
            lambda measure: measure.rel is not None,
        ),
        FigureKind(
            "grades",
            "Grade distribution",
            "How often each grade was given.",
            "grade_counts",
            distributions.grade_distribution,
        ),
        FigureKind(
            "confusion",
            "Confusion",
            "Which grades of one annotator met which of the other.",
            "confusion",
            heatmaps.confusion,
        ),
        FigureKind(
            "agreement",
            "Agreement by pair",
            "Each pair of annotators with its interval.",
            "intervals",
            comparisons.intervals,
        ),
        FigureKind(
            "leniency",
            "Leniency and scatter",
            "How far each one's grades lie above (right) or below the others', and how much they scatter.",
            "lenient",
            comparisons.leniency,
        ),
        FigureKind(
            "calibration",
            "Models' calibration",
            "What a person gives on average where a model gives a grade: on the line, if calibrated.",
            "calibration",
            comparisons.calibration,
        ),
        FigureKind(
            "time",
            "Time per judgment",
            "How long judgments took; grades given together with others took none.",
            "seconds",
            distributions.time_per_judgment,
        ),
        FigureKind(
            "drift",
            "Drift",
            "The mean grade along each annotator's work, of what was decided on one by one; a line that "
            "falls or rises is drift.",
            "drifts",
            curves.drifts,
        ),
        FigureKind(
            "query", "Gain by rank", "One query against its ideal ordering.", "curves", curves.query_curves
        ),
        FigureKind(
            "narrowing",
            "Interval by judgments",
            "Between which values the difference is after each block; decided where it leaves 0.",
            "looks",
            curves.narrowing,
        ),
        FigureKind(
            "discount",
            "Discount by rank",
            "How much a candidate at each rank counts.",
            "nothing",
            curves.discounts,
        ),
        FigureKind(
            "f1-mcc",
            "F1 against MCC",
            "What F1 does not see in one-sided data.",
            "nothing",
            curves.f1_against_mcc,
        ),
    )
}
"""Every figure by key, in the order they are offered."""


def has(subject: Subject, need: Need) -> bool:
    """Say whether a subject holds what a figure needs."""
    result = subject.result
    if need == "nothing":
        return True
    if need in OF_RESULT:
        if result is None or not result.systems or not result.query_ids:
            return False
        return {"result": True, "tags": any(result.tags)}.get(need, len(result.systems) > 1)
    value = getattr(subject, need)
    return value is not None if need in ("curves", "confusion") else len(value) > 0


def offered(subject: Subject) -> list[FigureKind]:
    """Return the figures that can be drawn from a subject, for its chosen measure."""
    kinds = [one for one in FIGURES.values() if has(subject, one.need)]
    if subject.result is None:
        return kinds
    measure = subject.result.measures[subject.result.position(subject.chosen_measure)]
    return [one for one in kinds if one.suits(measure)]
