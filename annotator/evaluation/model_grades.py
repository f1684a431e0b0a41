"""A model's grades against people's: grade by grade, how lenient it is, whether it could stand in for one.

Grades are arrays of the same items, -1 where there is none.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from annotator.evaluation.agreement import ENOUGH
from annotator.evaluation.statistics import Estimate, corrected, mean_interval, share_interval
from annotator.grades import GRADES, HIGHEST

Ints = NDArray[np.int64]

EPSILONS = {0.2: "experts", 0.15: "skilled annotators", 0.1: "crowd workers"}
"""What a model saves is worth so much, by whom it would replace (Calderon et al. 2025)."""

FDR, WON, PEOPLE = 0.05, 0.5, 3


@dataclass(frozen=True, slots=True)
class GradeAgainst:
    """One grade: how often a person gave it, how often the model gave the same, and the other way round.

    `same` is the share of the person's candidates of this grade to which the model gives it, `mean` what the
    person gives on average where the model gives this grade: that is the grade if the model is calibrated.
    """

    grade: int
    by_person: int
    same: Estimate
    by_model: int
    mean: Estimate


@dataclass(frozen=True, slots=True)
class AgainstPerson:
    """A model against one person: `leniency` is its mean difference from the person, `scatter` its SD."""

    n: int
    same: int
    leniency: Estimate
    scatter: float
    grades: tuple[GradeAgainst, ...]


@dataclass(frozen=True, slots=True)
class Replaced:
    """One person left out: how often the model, and how often the person, is at least as near to the others.

    `p[k]` is the corrected p of the k-th epsilon: that the model is nearer, or not farther by more than it.
    """

    person: int
    n: int
    model_share: float
    person_share: float
    p: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class AlternativeTest:
    """The alternative annotator test: `replaced` are the people whom it could be made for.

    `items[a]` says how many candidates person a has in common with the model and somebody else.
    """

    items: tuple[int, ...]
    replaced: tuple[Replaced, ...]

    @property
    def made(self) -> bool:
        """Whether there are enough people and candidates."""
        return len(self.replaced) >= PEOPLE

    @property
    def advantage(self) -> float:
        """The average advantage probability rho: how often the model is at least as near, over the people."""
        return float(np.mean([one.model_share for one in self.replaced])) if self.replaced else math.nan

    def winning_rate(self, at: int) -> float:
        """Return omega, the share of people whom the model could replace, for an epsilon by its place."""
        return float(np.mean([one.p[at] <= FDR for one in self.replaced])) if self.replaced else math.nan


def against_person(model: ArrayLike, person: ArrayLike) -> AgainstPerson:
    """Hold a model's grades against those of one person, over the items that both graded."""
    its, theirs = np.asarray(model, np.int64), np.asarray(person, np.int64)
    both = (its >= 0) & (theirs >= 0)
    its, theirs = its[both], theirs[both]
    apart = its - theirs
    return AgainstPerson(
        len(apart),
        int((apart == 0).sum()),
        mean_interval(apart, span=(-HIGHEST, HIGHEST)),
        float(apart.std(ddof=1)) if len(apart) > 1 else math.nan,
        tuple(_grade_against(its, theirs, grade) for grade in GRADES),
    )


def _grade_against(its: Ints, theirs: Ints, grade: int) -> GradeAgainst:
    given, told = theirs == grade, its == grade
    return GradeAgainst(
        grade,
        int(given.sum()),
        share_interval(int((given & told).sum()), int(given.sum())),
        int(told.sum()),
        mean_interval(theirs[told], span=(0, HIGHEST)),
    )


def alternative_test(model: ArrayLike, people: ArrayLike) -> AlternativeTest:
    """Say whom a model could replace (Calderon, Reichart and Dror 2025).

    `people` is int[items, people]. One after the other is left out, and of each item that this one, the model
    and somebody else graded it is asked who is nearer to the others, by the root mean squared difference: the
    model, this one, or both alike. A one-sided t test then asks whether the model wins more often than this
    one less epsilon; the p of all people are corrected by Benjamini and Yekutieli. Who has fewer than 30 such
    items is not asked about.
    """
    its, table = np.asarray(model, np.int64), np.asarray(people, np.int64)
    there = table >= 0
    counted = (its >= 0)[:, None] & there & (there.sum(axis=1) >= 2)[:, None]
    items = counted.sum(axis=0)
    asked = np.flatnonzero(items >= ENOUGH).tolist()
    found = []
    for one in asked:
        rows = counted[:, one]
        others = there[rows] & (np.arange(table.shape[1]) != one)
        model_far, person_far = (
            (others * (grades[:, None] - table[rows]) ** 2).sum(axis=1)
            for grades in (its[rows], table[rows, one])
        )
        won, lost = model_far <= person_far, person_far <= model_far
        found.append((one, won, lost))
    p = np.array([[_below(lost - 1.0 * won, epsilon) for _, won, lost in found] for epsilon in EPSILONS])
    by = np.minimum(1.0, [corrected(row, "bh") * _harmonic(len(row)) for row in p]) if found else p
    return AlternativeTest(
        tuple(items.tolist()),
        tuple(
            Replaced(one, len(won), float(won.mean()), float(lost.mean()), tuple(by[:, at].tolist()))
            for at, (one, won, lost) in enumerate(found)
        ),
    )


def _below(differences: NDArray[np.float64], bound: float) -> float:
    """Return the p of Student's t test that the mean is not below a bound; 0 or 1 where nothing varies."""
    from scipy.special import stdtr

    n, deviation = len(differences), float(differences.std(ddof=1))
    away = float(differences.mean()) - bound
    if deviation == 0:
        return 0.0 if away < 0 else 1.0
    return float(stdtr(n - 1, away / deviation * math.sqrt(n)))


def _harmonic(count: int) -> float:
    return float((1 / np.arange(1, count + 1)).sum())


def why_not(found: AlternativeTest, people: Sequence[str]) -> str:
    """Say why the alternative annotator test was not made."""
    counts = ", ".join(f"{name} {items:,}" for name, items in zip(people, found.items, strict=True))
    return (
        f"The alternative annotator test takes {PEOPLE} people with {ENOUGH} candidates each that the model "
        f"and another person graded, too. Here are: {counts or 'nobody'}."
    )
