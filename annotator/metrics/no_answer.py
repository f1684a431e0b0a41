"""The no-answer threshold that would have served a system best on the questions it is judged on.

SQuAD 2's script prints it as best_exact and best_f1. It is fitted to the right answers, so on other questions
the value it leads to need not be reached.
"""

import numpy as np
from numpy.typing import NDArray

from annotator.metrics.collection import Floats


def best_threshold(kept: Floats, emptied: Floats, doubt: Floats) -> tuple[float, float]:
    """Return the highest mean score that a threshold reaches, and the lowest threshold that reaches it.

    `kept` (float64[q]) is what each question scores with its answer, `emptied` with the empty one; an answer
    is emptied where its `doubt` is above the threshold. Only thresholds that a file of doubts can be cut at
    count: the published script also cuts between equal doubts. NaN without questions.

    >>> kept, emptied = np.array([1.0, 0.5, 0.0, 0.0]), np.array([0.0, 0.0, 0.0, 1.0])
    >>> best_threshold(kept, emptied, np.array([0.1, 0.4, 0.2, 0.9]))
    (0.625, 0.4)
    """
    if not len(doubt):
        return np.nan, np.nan
    order = np.argsort(doubt, kind="stable")
    gained = np.concatenate(([0.0], np.cumsum((kept - emptied)[order])))
    at: NDArray[np.float64] = np.concatenate(([doubt.min() - 1.0], doubt[order]))
    possible = np.append(at[1:] != at[:-1], True)
    total = np.where(possible, emptied.sum() + gained, -np.inf)
    best = int(total.argmax())
    return float(total[best] / len(doubt)), float(at[best])
