"""Several annotators' grades of one pair become one grade: the rule that is printed with every result."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from annotator.tasks import CombiningRule

Ints = NDArray[np.int64]

SENTENCES: dict[CombiningRule, str] = {
    "median": "the median of the annotators' grades, the lower middle one of an even number",
    "upper-median": "the median of the annotators' grades, the upper middle one of an even number",
    "latest": "the grade given last",
    "mean": "the mean of the annotators' grades, rounded to the nearest grade, a half upwards",
    "majority": "the most frequent grade, the lower of equally frequent ones",
    "max": "the highest of the annotators' grades",
    "min": "the lowest of the annotators' grades",
}
"""Each rule in words."""

RULE_NAMES: dict[CombiningRule, str] = {
    "median": "median (lower of two)",
    "upper-median": "median (upper of two)",
    "latest": "latest",
    "mean": "mean",
    "majority": "majority",
    "max": "max",
    "min": "min",
}
"""Each rule in the words of a list."""


def combine(
    pairs: ArrayLike, grades: ArrayLike, times: ArrayLike, rule: CombiningRule = "median"
) -> tuple[Ints, Ints]:
    """Return the distinct pairs in ascending order and one grade for each, int64[p].

    `pairs` (a whole number per pair of query and candidate), `grades` and `times` are one row per judgment,
    in any order; of equal times the later row counts as the later one.
    """
    pair, grade = np.asarray(pairs, np.int64), np.asarray(grades, np.int64)
    second = np.asarray(times, np.int64) if rule == "latest" else grade
    order = np.lexsort((second, pair))
    pair, grade = pair[order], grade[order]
    first = np.flatnonzero(np.append(True, pair[1:] != pair[:-1])) if len(pair) else np.zeros(0, np.int64)
    count = np.diff(np.append(first, len(pair)))
    if rule == "median":
        one = grade[first + (count - 1) // 2]
    elif rule == "upper-median":
        one = grade[first + count // 2]
    elif rule in ("latest", "max"):
        one = grade[first + count - 1]
    elif rule == "min":
        one = grade[first]
    elif rule == "mean":
        sums = np.add.reduceat(grade, first) if len(first) else first
        one = (2 * sums + count) // (2 * count)
    else:
        one = _most_frequent(pair, grade)
    return pair[first], one


def _most_frequent(pair: Ints, grade: Ints) -> Ints:
    """Return the most frequent grade of each pair, for rows sorted by pair and grade."""
    if not len(pair):
        return grade
    new = np.append(True, (pair[1:] != pair[:-1]) | (grade[1:] != grade[:-1]))
    start = np.flatnonzero(new)
    times = np.diff(np.append(start, len(pair)))
    order = np.lexsort((grade[start], -times, pair[start]))
    best = order[np.append(True, np.diff(pair[start][order]) != 0)]
    most: Ints = grade[start][best]
    return most
