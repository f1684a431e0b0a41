"""Which texts nearly are the same: those that share nearly all of their runs of words."""

import re
from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

RUN = 5
"""So many words in a row are one run."""

PARTS, OF = 9, 10
"""From this share of their runs on, two texts are near-duplicates; whole numbers, so that it is exact."""

RULE = (
    f"Near-duplicates have at least {100 * PARTS // OF} % of their runs of {RUN} words in common, whatever "
    "the case of letters and the signs between words; shorter texts have the same words."
)

MIX = -7046029254386353131
"""An odd number whose bits are as good as drawn: the golden ratio's, as a 64-bit whole number."""

WORD = re.compile(r"\w+")

Ints = NDArray[np.int64]


def near_duplicates(texts: Sequence[str]) -> list[tuple[int, ...]]:
    """Return for each text the places of its near-duplicates, ascending; a text without words has none.

    Two texts are near-duplicates when the runs of five words that stand in both are at least nine tenths of
    those that stand in either (the Jaccard index of their sets of runs). A text of fewer words is one run.

    >>> near_duplicates(["A grey duck.", "a grey DUCK", "two grey ducks", "...", ""])
    [(1,), (0,), (), (), ()]
    """
    places: dict[tuple[str, ...], list[int]] = {}
    for place, text in enumerate(texts):
        if words := tuple(WORD.findall(text.casefold())):
            places.setdefault(words, []).append(place)
    same = list(places.values())
    near: list[tuple[int, ...]] = [()] * len(texts)
    for here, others in zip(same, _near(list(places)), strict=True):
        alike = sorted(chain(here, *(same[other] for other in others)))
        for place in here:
            near[place] = tuple(one for one in alike if one != place)
    return near


def _near(texts: Sequence[tuple[str, ...]]) -> list[list[int]]:
    """Return the near-duplicates of each of some different texts, given as words."""
    text, run = _runs(texts)
    sizes = np.bincount(text, minlength=len(texts))
    text, run = _hopeful(text, run, sizes)
    counts = np.bincount(run)
    begins = np.cumsum(counts) - counts
    by_text = np.argsort(text, kind="stable")
    bounds = np.searchsorted(text[by_text], np.arange(len(texts) + 1))
    near: list[list[int]] = []
    for one in range(len(texts)):
        mine = run[by_text[bounds[one] : bounds[one + 1]]]
        many = counts[mine]
        at = np.arange(many.sum()) + np.repeat(begins[mine] - (np.cumsum(many) - many), many)
        common = np.bincount(text[at], minlength=len(texts))
        enough = (OF + PARTS) * common >= PARTS * (sizes + sizes[one])  # of those that stand in either
        near.append([other for other in np.flatnonzero(enough).tolist() if other != one])
    return near


def _runs(texts: Sequence[tuple[str, ...]]) -> tuple[Ints, Ints]:
    """Return (text, run) of every run that a text has, once, sorted by run; equal runs have equal numbers.

    A run is told by 64 bits that are mixed from its words.
    """
    numbers: dict[str, int] = {}
    known = [[numbers.setdefault(word, len(numbers) + 1) for word in words] for words in texts]
    rows = [np.array(row + [0] * (RUN - len(row)), np.int64) for row in known]
    code = np.zeros(sum(len(row) - RUN + 1 for row in rows), np.int64)
    for at in range(RUN if rows else 0):
        code = (code ^ (code >> 32)) * MIX + np.concatenate(
            [row[at : len(row) - RUN + 1 + at] for row in rows]
        )
    text = np.repeat(np.arange(len(rows)), [len(row) - RUN + 1 for row in rows])
    order = np.argsort(code, kind="stable")
    text, code = text[order], code[order]
    other = np.diff(code, prepend=code[:1] - 1) != 0
    once = other | (np.diff(text, prepend=-1) != 0)
    return text[once], np.cumsum(other)[once]


def _hopeful(text: Ints, run: Ints, sizes: Ints) -> tuple[Ints, Ints]:
    """Return the rows of the texts that may have a near-duplicate: nearly all their runs stand elsewhere."""
    while True:
        shared = np.bincount(run)[run] > 1 if len(run) else np.zeros(0, np.bool_)
        text, run = text[shared], run[shared]
        kept = (OF * np.bincount(text, minlength=len(sizes)) >= PARTS * sizes)[text]
        if kept.all():
            return text, run
        text, run = text[kept], run[kept]
