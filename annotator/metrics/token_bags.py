"""Many texts as bags of tokens: how many tokens two of them share, repetitions counted."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from annotator.metrics.collection import Ints

BLOCK = 1 << 20
"""About so many tokens are held beside each other at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class TokenBags:
    """The tokens of text i are the numbers `token[start[i] : start[i] + size[i]]`, below `limit`.

    What stands a second time in a text has another number there than the first: a bag is a set of numbers.
    """

    size: Ints
    start: Ints
    token: Ints
    limit: int

    @classmethod
    def of(cls, texts: Sequence[str], size: Ints) -> "TokenBags":
        """Return the bags of texts whose tokens stand between white space, `size` of them in each."""
        code: dict[str, int] = {}
        words = " ".join(texts).split()
        number = np.array([code.setdefault(word, len(code)) for word in words], np.int64)
        n = max(len(code), 1)
        key = np.sort(np.repeat(np.arange(len(texts)), size) * n + number)
        first = np.flatnonzero(np.diff(key, prepend=-1))
        times = np.arange(len(key)) - np.repeat(first, np.diff(first, append=len(key)))
        token = key % n
        repeated = np.flatnonzero(times)
        distinct, again = np.unique(token[repeated] + times[repeated] * n, return_inverse=True)
        token[repeated] = n + again
        return cls(size, np.cumsum(size) - size, token, n + len(distinct))

    def shared(self, left: Ints, right: Ints) -> Ints:
        """Return how many tokens each text on the left shares with the one beside it on the right.

        >>> bags = TokenBags.of(["the the cat", "the the the", "dog"], np.array([3, 3, 1]))
        >>> bags.shared(np.array([0, 0, 1]), np.array([1, 2, 1])).tolist()
        [2, 0, 3]
        """
        block = np.cumsum(self.size[left] + self.size[right]) // BLOCK
        cuts = [0, *(np.flatnonzero(np.diff(block)) + 1).tolist(), len(left)]
        parts = [self._shared(left[low:high], right[low:high]) for low, high in pairwise(cuts)]
        return np.concatenate(parts)

    def _shared(self, left: Ints, right: Ints) -> Ints:
        keys = [
            np.repeat(np.arange(len(side)), self.size[side]) * self.limit
            + self.token[ranges(self.start[side], self.size[side])]
            for side in (left, right)
        ]
        both = np.sort(np.concatenate(keys))
        return np.bincount(both[1:][both[1:] == both[:-1]] // self.limit, minlength=len(left))


def ranges(start: Ints, size: Ints) -> Ints:
    """Return start[0], start[0] + 1, .. for size[0] numbers, then the next range, and so on."""
    ends = np.cumsum(size)
    return np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - size - start, size)
