"""Is B no worse than A by more than a difference that matters: the other question beside "do they differ"."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
from numpy.typing import NDArray

from annotator.errors import UserError
from annotator.evaluation.comparison import TEST_NAMES, Comparison
from annotator.evaluation.options import Test
from annotator.evaluation.paired_tests import paired_tests, rank_share
from annotator.evaluation.pairs import paired
from annotator.evaluation.results import EvaluationResult
from annotator.evaluation.statistics import corrected, wins_ties_losses
from annotator.watch import UNWATCHED, Watch

Floats = NDArray[np.float64]

NO_TUKEY = "Tukey's test asks whether any systems differ, not by how little; choose another test for that."

MEANT: dict[Test, str] = {"sign": "By the median difference, ", "wilcoxon": "By signed ranks, "}
"""What is not worse, where it is not the mean."""


@dataclass(frozen=True, slots=True)
class Equivalence:
    """What a comparison says of a difference that matters.

    `p_second` is the one-sided p that the second is worse than the first by the margin or more, `p_first` the
    other way round; both below the level is equivalence, whose p is the larger (two one-sided tests,
    Schuirmann 1987). They are corrected as the comparison is, each over its own kind.
    """

    comparison: Comparison
    margin: float
    p_second: float
    p_first: float

    @property
    def p_equivalent(self) -> float:
        """The p that they differ by the margin or more, in either direction."""
        return max(self.p_second, self.p_first)

    @property
    def sentence(self) -> str:
        """What is shown, and what is not."""
        one, alpha = self.comparison, self.comparison.alpha
        size, meant = f"{self.margin:g} {one.measure}", MEANT.get(one.test, "")
        first, second = one.first, one.second
        how = f"{one.after} ({TEST_NAMES[one.test]}{one.not_corrected}, one-sided, level {alpha:g})"
        if math.isnan(self.p_equivalent):
            return f"Whether {second} and {first} are equivalent has no p: {one.why_no_p}."
        if self.p_equivalent < alpha:
            return f"{meant}{second} and {first} are equivalent within {size}; {_p(self.p_equivalent)}{how}."
        for better, other, p in ((second, first, self.p_second), (first, second, self.p_first)):
            if p < alpha:
                return f"{meant}{better} is not worse than {other} by {size} or more; {_p(p)}{how}."
        return (
            f"{meant}{second} and {first} may differ by {size} or more, in either direction; "
            f"{_p(self.p_second)} for {second}, {_p(self.p_first)} for {first}{how}."
        )

    def _repr_html_(self) -> str:
        """Return the sentence, as notebooks show it."""
        return f"<p>{escape(self.sentence)}</p>"


def _p(value: float) -> str:
    return "p < 0.001" if value < 0.001 else f"p = {value:.3f}"


def equivalences(
    result: EvaluationResult, compared: Sequence[Comparison], margin: float, watch: Watch = UNWATCHED
) -> list[Equivalence]:
    """Return what each comparison of a family says of a difference that matters.

    Raises UserError for a margin that is none, and for Tukey's test; Stopped.
    """
    if not compared:
        return []
    family = compared[0].family
    if not (margin > 0 and math.isfinite(margin)):
        raise UserError(f"A difference that matters is greater than 0, such as 0.02; {margin:g} is not.")
    if family.test == "tukey":
        raise UserError(NO_TUKEY)
    alone = np.full((len(compared), 2), np.nan)
    for at, one in enumerate(compared):
        watch.step(at, len(compared), "Asking what is equivalent")
        _, differences = paired(result, one.measure, one.first, one.second, one.tag)
        for side, shifted in enumerate((differences + margin, margin - differences)):
            alone[at, side] = one_sided_p(shifted, family.test, result.options.seed, watch)
    groups = [np.arange(len(compared))]
    if family.over == "measure":
        names = np.array([one.measure for one in compared])
        groups = [np.flatnonzero(names == measure) for measure in family.measures]
    p = alone.copy()
    for group in groups:
        for side in (0, 1):
            p[group, side] = corrected(alone[group, side], family.correction)
    return [
        Equivalence(one, margin, float(second), float(first))
        for one, (second, first) in zip(compared, p.tolist(), strict=True)
    ]


def one_sided_p(differences: Floats, test: Test, seed: int = 1, watch: Watch = UNWATCHED) -> float:
    """Return the p that differences are not above 0 by what the test looks at.

    Each test's distribution is the same on both sides of 0, so it is half of the two-sided p, or the rest.
    """
    found = paired_tests(differences, test, seed, watch=watch)[0].p
    if test == "sign":
        wins, _, losses = wins_ties_losses(differences)
        above = float(wins - losses)
    elif test == "wilcoxon":
        above = rank_share(differences) - 0.5
    else:
        above = float(differences.mean()) if len(differences) else math.nan
    return found / 2 if above > 0 else 1 - found / 2
