"""Answers that nearly are a gold answer: what the gold answer editor offers as another wording."""

from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher

from annotator.text import normalisers

NEAR = 0.6
"""From this nearness on a text is offered."""

STEPS = 1_000_000
"""So many steps are taken at most, some tenths of a second: one for each character of a pair, and where those
may be near one for each two of them."""


def near_misses(
    texts: Sequence[str], wordings: Sequence[str], normaliser: str = "squad1", stemming: str | None = None
) -> list[tuple[str, float]]:
    """Return the texts that are nearly, but not exactly, one of the wordings, with their nearness.

    After normalising, nearness is the larger of token F1 and the similarity of the characters (difflib),
    and at least `NEAR` to be offered. The nearest comes first, then the order of the texts. A pair that takes
    more of the `STEPS` than are left is passed over, or its characters are.

    >>> near_misses(["Boston", "N.Y.C.", "New York City"], ["NYC", "New York"], "none")
    [('New York City', 0.8), ('N.Y.C.', 0.6666666666666666)]
    """
    golds = [normalisers.tokens(wording, normaliser, stemming) for wording in wordings]
    exact = {normalisers.compared(wording, normaliser, stemming) for wording in wordings}
    near: list[tuple[str, float]] = []
    budget = _Budget()
    for text in dict.fromkeys(texts):
        if normalisers.compared(text, normaliser, stemming) in exact:
            continue
        tokens = normalisers.tokens(text, normaliser, stemming)
        nearness = max((_nearness(tokens, gold, budget) for gold in golds if tokens and gold), default=0.0)
        if nearness >= NEAR:
            near.append((text, nearness))
    return sorted(near, key=lambda pair: -pair[1])


class _Budget:
    """The steps that are left."""

    def __init__(self) -> None:
        self.left = STEPS

    def covers(self, steps: int) -> bool:
        """Take so many steps from what is left if they are, and say whether they were."""
        enough = steps <= self.left
        self.left -= steps if enough else 0
        return enough


def _nearness(tokens: list[str], gold: list[str], budget: _Budget) -> float:
    """Return the larger of token F1 and the similarity of the characters (where that may be large)."""
    here, there = " ".join(tokens), " ".join(gold)
    if not budget.covers(len(here) + len(there)):
        return 0.0
    f1 = 2 * (Counter(tokens) & Counter(gold)).total() / (len(tokens) + len(gold))
    characters = SequenceMatcher(None, here, there, autojunk=False)
    near = characters.real_quick_ratio() >= NEAR and characters.quick_ratio() >= NEAR
    return max(f1, characters.ratio()) if near and budget.covers(len(here) * len(there)) else f1
