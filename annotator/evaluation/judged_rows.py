"""Which rows of a run are judged: millions of (query, candidate) codes looked up a few queries at a time."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]

ROWS = 1 << 15
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
    rows, places = [bounds[:0]], [bounds[:0]]
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
        places.append(at + low)
    return Joined(np.concatenate(rows), np.concatenate(places), None)


def _repeated(key: Numbers, mixed: NDArray[np.uint64]) -> int | None:
    """Return a row whose key comes a second time; half of each mixed key mostly proves that there is none."""
    halves = np.sort(mixed.view(np.uint32)[1::2])
    if not (halves[1:] == halves[:-1]).any():
        return None
    order = np.argsort(key, kind="stable")
    again = np.flatnonzero(key[order[1:]] == key[order[:-1]])
    return int(order[again[0] + 1]) if len(again) else None


def _found(key: Numbers, mixed: NDArray[np.uint64], known: Numbers) -> tuple[Numbers, Numbers]:
    """Return which keys are known, and where: two tables by their first bits settle most.

    The small one throws most keys away; the large one, only looked at where it was written, says where the
    others stand, -1 where two known keys want the same entry.
    """
    shift = np.uint64(64 - max((32 * len(known)).bit_length(), 10))
    slot = ((known.view(np.uint64) * MIX) >> shift).view(np.int64)
    may_be = np.zeros(1 << (64 - int(shift)), bool)
    may_be[slot] = True
    place, own = np.empty(len(may_be), np.int64), np.arange(len(known))
    place[slot] = own
    place[slot[place[slot] != own]] = -1
    slot = (mixed >> shift).view(np.int64)
    hits = np.flatnonzero(may_be[slot])
    at, keys = place[slot[hits]], key[hits]
    shared = np.flatnonzero(at < 0)
    at[shared] = np.minimum(np.searchsorted(known, keys[shared]), len(known) - 1)
    equal = known[at] == keys
    return hits[equal], at[equal]
