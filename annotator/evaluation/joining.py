"""Which rows of a run are judged: millions of (query, candidate) codes looked up a few queries at a time."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]

TABLE = 1 << 21
"""Entries of the table of one block of queries: small enough to stay in the processor's cache."""
ROWS_OF_A_BLOCK = 2_000
"""With fewer rows for each block than this, sorting is faster than going block by block."""


class Joined(NamedTuple):
    """The rows that are judged, where each stands among the judged keys, and some row that comes twice."""

    rows: Numbers
    at: Numbers
    twice: int | None


def join(query: Numbers, code: Numbers, n_codes: int, known: Numbers) -> Joined:
    """Look the rows up among the ascending, distinct keys `known`, each query * n_codes + code.

    `query` ascends; `code` is from 0 to n_codes - 1.
    """
    if not len(query):
        return Joined(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), None)
    span = max(1, min(TABLE // n_codes, int(query[-1]) - int(query[0]) + 1))
    starts = np.arange(int(query[0]), int(query[-1]) + 1 + span, span)
    if len(starts) * ROWS_OF_A_BLOCK > len(query):
        return _by_sorting(query * n_codes + code, known)
    places = np.full(span * n_codes, -1, dtype=np.int32)
    last = np.zeros(span * n_codes, dtype=np.int32)
    rows_of, known_of = np.searchsorted(query, starts), np.searchsorted(known, starts * n_codes)
    rows, found = [], []
    for block, start in enumerate(starts[:-1].tolist()):
        first, end = rows_of[block], rows_of[block + 1]
        key = (query[first:end] - start) * n_codes + code[first:end]
        number = np.arange(end - first, dtype=np.int32)
        last[key] = number
        repeated = np.flatnonzero(last[key] != number)
        if len(repeated):
            return Joined(rows_of[:0], rows_of[:0], int(first + repeated[0]))
        inside = slice(known_of[block], known_of[block + 1])
        places[known[inside] - start * n_codes] = np.arange(inside.start, inside.stop)
        at = places[key]
        places[known[inside] - start * n_codes] = -1
        hits = np.flatnonzero(at >= 0)
        rows.append(hits + first)
        found.append(at[hits])
    return Joined(np.concatenate(rows), np.concatenate(found).astype(np.int64), None)


def _by_sorting(key: Numbers, known: Numbers) -> Joined:
    order = np.argsort(key, kind="stable")
    repeated = np.flatnonzero(key[order[1:]] == key[order[:-1]])
    twice = int(order[repeated[0]]) if len(repeated) else None
    at = np.searchsorted(known, key)
    rows = np.flatnonzero(known[np.minimum(at, len(known) - 1)] == key) if len(known) else key[:0]
    return Joined(rows, at[rows], twice)
