"""One grade per pair out of the grades of several annotators, by a rule that is printed with every result."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from annotator.evaluation.options import CombiningRule

Ints = NDArray[np.int64]

SENTENCES: dict[CombiningRule, str] = {
    "median": "the median of the annotators' grades, the lower middle one of an even number",
    "latest": "the latest grade",
    "mean": "the mean of the annotators' grades, rounded half up",
    "majority": "the grade that most annotators gave, the lowest of several",
    "max": "the highest grade",
    "min": "the lowest grade",
}
"""Each rule in words; an adjudicated grade wins over all of them."""


def combine(pair: Ints, grade: Ints, time: Ints, rule: CombiningRule) -> tuple[Ints, Ints]:
    """Return the distinct pairs, ascending, and one grade for each.

    `pair`, `grade` and `time` (UTC ms) have one row per judgment, in any order.

    >>> pairs, grades = combine(np.array([7, 7, 7, 9]), np.array([1, 4, 5, 2]), np.zeros(4, int), "median")
    >>> pairs.tolist(), grades.tolist()
    ([7, 9], [4, 2])
    """
    order = np.lexsort((time if rule == "latest" else grade, pair))
    sorted_pair, sorted_grade = pair[order], grade[order]
    start = np.flatnonzero(np.diff(sorted_pair, prepend=-1))
    size = np.diff(start, append=len(sorted_pair))
    return sorted_pair[start], _RULES[rule](sorted_grade, start, size)


def _mean(grade: Ints, start: Ints, size: Ints) -> Ints:
    total = np.add.reduceat(grade, start) if len(start) else grade
    rounded: Ints = (2 * total + size) // (2 * size)
    return rounded


def _majority(grade: Ints, start: Ints, size: Ints) -> Ints:
    """Return the longest stretch of equal grades in each group; grades ascend within a group."""
    new = np.zeros(len(grade), dtype=bool)
    new[start] = True
    new[1:] |= grade[1:] != grade[:-1]
    stretch = np.flatnonzero(new)
    length = np.diff(stretch, append=len(grade))
    group = np.repeat(np.arange(len(start)), size)[stretch]
    best = np.lexsort((grade[stretch], -length, group))
    first = np.flatnonzero(np.diff(group[best], prepend=-1))
    return grade[stretch[best[first]]]


_RULES: dict[CombiningRule, Callable[[Ints, Ints, Ints], Ints]] = {
    "median": lambda grade, start, size: grade[start + (size - 1) // 2],
    "latest": lambda grade, start, size: grade[start + size - 1],
    "mean": _mean,
    "majority": _majority,
    "max": lambda grade, start, size: grade[start + size - 1],
    "min": lambda grade, start, _: grade[start],
}
