"""Which rows of a run are judged: millions of (query, candidate) codes looked up a few queries at a time."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]

ROWS = 1 << 14
"""About so many rows at a time: few enough that all that is made of them stays in the processor's cache."""
MIX = np.uint64(0x9E3779B97F4A7C15)


class Joined(NamedTuple):
    """The rows that are judged, where each stands among the judged keys, and some row that comes twice."""

    rows: Numbers
    at: Numbers
    twice: int | None


def join(query: Numbers, bounds: Numbers, code: Numbers, n_codes: int, known: Numbers) -> Joined:
    """Look the rows up among the ascending, distinct keys `known`, each query * n_codes + code.

    `query` ascends; the rows of query[i] stand from bounds[i] to bounds[i + 1]; `code`, one for each row, is
    from 0 to n_codes - 1.
    """
    first_key = query * n_codes
    cuts = [0, *(np.flatnonzero(np.diff(bounds[:-1] // ROWS)) + 1).tolist(), len(query)]
    rows, found = [bounds[:0]], [bounds[:0]]
    for begin, end in pairwise(cuts):
        if begin == end:
            continue
        start = int(bounds[begin])
        key = code[start : bounds[end]] + np.repeat(first_key[begin:end], np.diff(bounds[begin : end + 1]))
        mixed = key.view(np.uint64) * MIX
        twice = _repeated(key, mixed)
        if twice is not None:
            return Joined(bounds[:0], bounds[:0], start + twice)
        low, high = np.searchsorted(known, (first_key[begin], first_key[end - 1] + n_codes))
        hits, at = _found(key, mixed, known[low:high])
        rows.append(hits + start)
        found.append(at + low)
    return Joined(np.concatenate(rows), np.concatenate(found), None)


def _repeated(key: Numbers, mixed: NDArray[np.uint64]) -> int | None:
    """Return a row whose key comes a second time; half of each mixed key mostly proves that there is none."""
    halves = np.sort(mixed.view(np.uint32)[1::2])
    if not (halves[1:] == halves[:-1]).any():
        return None
    order = np.argsort(key, kind="stable")
    again = np.flatnonzero(key[order[1:]] == key[order[:-1]])
    return int(order[again[0] + 1]) if len(again) else None


def _found(key: Numbers, mixed: NDArray[np.uint64], known: Numbers) -> tuple[Numbers, Numbers]:
    """Return which keys are known, and where: one look at a table by their first bits settles most."""
    shift = np.uint64(64 - max((32 * len(known)).bit_length(), 10))
    place = np.zeros(1 << (64 - int(shift)), np.int32)
    place[((known.view(np.uint64) * MIX) >> shift).view(np.int64)] = np.arange(1, len(known) + 1)
    likely = place[(mixed >> shift).view(np.int64)]
    hits = np.flatnonzero(likely != 0)
    at, wanted = likely[hits].astype(np.int64) - 1, key[hits]
    displaced = np.flatnonzero(known[at] != wanted)
    at[displaced] = np.minimum(np.searchsorted(known, wanted[displaced]), len(known) - 1)
    equal = known[at] == wanted
    return hits[equal], at[equal]
