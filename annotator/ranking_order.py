"""The order of rankings and their ties, in one place: by query, score descending, then id descending.

That is the order of trec_eval 10; ids compare by their UTF-8 bytes. Only tied rows need their ids.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.int64]
Mask = NDArray[np.bool_]
Numbers = NDArray[np.integer[Any]]
Scores = NDArray[np.float64]

ROOM = 2
"""Rankings of different lengths are sorted side by side where that takes so many times their room at most."""


def by_score(query: Numbers, score: Scores) -> Places:
    """Return the order of rows by query, score descending; tied rows in any order. Scores are finite.

    >>> by_score(np.array([1, 0, 1]), np.array([2.0, 1.0, 3.0])).tolist()
    [1, 2, 0]
    """
    same = query[1:] == query[:-1]
    if not (same | (query[1:] > query[:-1])).all():
        order = np.argsort(-score)
        small = query.astype(np.uint16) if int(query.max(initial=0)) < 1 << 16 else query
        return order[np.argsort(small[order], kind="stable")]
    if (score[1:] <= score[:-1])[same].all():
        return np.arange(len(query))
    starts = np.flatnonzero(np.concatenate(([True], ~same)))
    lengths = np.diff(starts, append=len(query))
    longest = int(lengths.max())
    if longest * len(lengths) > ROOM * len(query):
        order = np.argsort(-score)
        return order[np.argsort(query[order], kind="stable")]
    there = np.arange(longest) < lengths[:, None]
    side_by_side = np.full(there.shape, np.inf)
    side_by_side[there] = -score
    sorted_rows: Places = (np.argsort(side_by_side, axis=1) + starts[:, None])[there]
    return sorted_rows


def tied_with_above(query: Numbers, score: Scores) -> Mask:
    """Return which rows, in their order, have the score of the row above in the same ranking."""
    same = (query[1:] == query[:-1]) & (score[1:] == score[:-1])
    return np.concatenate((np.zeros(min(len(query), 1), bool), same))


def in_a_tie(tied: Mask) -> Mask:
    """Return which rows share their score with another, given which are tied with the row above.

    >>> in_a_tie(np.array([False, False, True])).tolist()
    [False, True, True]
    """
    below: Mask = np.concatenate((tied[1:], np.zeros(min(len(tied), 1), bool)))
    return tied | below


def ends(tied: Mask, rows: Places) -> tuple[Places, Places]:
    """Return the first and the last row of the group of tied rows that each of some rows is in.

    >>> [end.tolist() for end in ends(np.array([False, False, True]), np.array([0, 2]))]
    [[0, 1], [0, 2]]
    """
    starts = np.flatnonzero(~tied)
    group = np.searchsorted(starts, rows, "right") - 1
    return starts[group], np.append(starts[1:], len(tied))[group] - 1


def ranked(query: Numbers, score: Scores, by_id: Callable[[Places], Places]) -> tuple[Places, Mask]:
    """Return the order of rows, ties settled by id, and which rows of it are tied with the row above.

    `by_id` gives some rows numbers that rise as their ids fall.
    """
    order = by_score(query, score)
    tied = tied_with_above(query[order], score[order])
    if tied.any():
        rows = np.flatnonzero(in_a_tie(tied))
        group = np.cumsum(~tied)[rows]
        order[rows] = order[rows][np.lexsort((by_id(order[rows]), group))]
    return order, tied
