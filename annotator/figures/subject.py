"""What a figure is about: everything that some figure may need, each part present or not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from annotator.evaluation.results import EvaluationResult
from annotator.grades import GRADES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


Line: TypeAlias = "tuple[NDArray[np.float64], NDArray[np.float64] | None]"
"""One cumulated value by rank: the system's, and the ideal ordering's where there is one."""


@dataclass(frozen=True, slots=True, eq=False)
class Interval:
    """A named estimate with its interval, for figures that show several of them in a column."""

    label: str
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, eq=False)
class Confusion:
    """Counts of pairs: `counts[i, j]` were given `rows[i]` by the first and `columns[j]` by the second."""

    counts: "NDArray[np.int64]"
    rows: Sequence[str]
    columns: Sequence[str]
    row_title: str
    column_title: str


@dataclass(frozen=True, slots=True, eq=False)
class Curves:
    """One query rank by rank: the system's cumulated values and the ideal ordering's, by name.

    `lines["DCG"]` is (actual, ideal or None); every array has one value per rank from 1 on.
    """

    lines: Mapping[str, Line]


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """The parts that figures are drawn from; which part a figure needs is said in its declaration.

    `measure` is the printed name of one of the result's measures; `more` is a second result of the same
    queries and systems with the measures that the figure asks for (`FigureKind.asks`); `level` is that of its
    tests.
    """

    result: EvaluationResult | None = None
    measure: str = ""
    more: EvaluationResult | None = None
    level: float = 0.05
    pair: tuple[str, str] | None = None
    levels: Sequence[str] = ()
    """What the levels are called that stand in the place of grades, the lowest first; empty for grades."""
    grade_counts: Mapping[str, Sequence[int]] = field(default_factory=dict)
    together: str = ""
    """Whether the counts and pairs hold grades that nobody decided on one by one; "" without any."""
    confusion: Confusion | None = None
    by_true_class: bool = False
    intervals: Sequence[Interval] = ()
    intervals_title: str = ""
    lenient: Sequence[Interval] = ()
    """Each annotator's leniency; 0 is the mean of the others."""
    scatter: Sequence[Interval] = ()
    """The scatter of the same annotators."""
    calibration: Mapping[str, Sequence[tuple[int, int, float, float, float]]] = field(default_factory=dict)
    """(the model's grade, how often, people's mean grade there, low, high) by model and person."""
    seconds: Sequence[float] = ()
    drifts: Mapping[str, Sequence[tuple[float, float, int]]] = field(default_factory=dict)
    """(mean place in the annotator's work, mean grade, how many) of equally large parts, by annotator."""
    curves: Curves | None = None
    looks: Mapping[str, Sequence[tuple[int, float, float, float]]] = field(default_factory=dict)
    """(drawn, estimate, low, high) after each block of a comparison with a limited risk, by difference."""

    @property
    def evaluated(self) -> EvaluationResult:
        """The result; asking for it where there is none is a bug of the caller."""
        assert self.result is not None
        return self.result

    @property
    def ticks(self) -> tuple[Sequence[int], Sequence[str], str]:
        """The levels, what each is called, and what one of them is."""
        if not self.levels:
            return GRADES, [str(grade) for grade in GRADES], "grade"
        return range(len(self.levels)), [f"{at} {words}" for at, words in enumerate(self.levels)], "level"

    @property
    def chosen_measure(self) -> str:
        """The measure to draw: the chosen one, or the result's first."""
        return self.measure or self.evaluated.measures[0].name

    @property
    def compared(self) -> tuple[str, str]:
        """The two systems to compare: the chosen pair, or the result's first two."""
        if self.pair is not None:
            return self.pair
        first, second, *_ = self.evaluated.systems
        return first, second
