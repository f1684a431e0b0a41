"""Is B really better than A: what the paired comparison of two systems found, and the words that say it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape

from annotator.evaluation.critical_difference import level_of_a_pair
from annotator.evaluation.family import Family
from annotator.evaluation.options import Correction, Over, Test
from annotator.evaluation.statistics import EPSILON, FEW, Span, share_interval
from annotator.text.counts import counted

TEST_NAMES: dict[Test, str] = {
    "t": "paired t test",
    "wilcoxon": "Wilcoxon signed rank test",
    "randomisation": "randomisation test",
    "sign": "sign test",
    "tukey": "randomised Tukey HSD test",
}
CORRECTION_NAMES: dict[Correction, str] = {
    "holm": "Holm",
    "bonferroni": "Bonferroni",
    "bh": "Benjamini-Hochberg",
    "none": "no correction",
}
OVER_NAMES: dict[Over, str] = {"measure": "over each measure", "all": "over all measures"}


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two systems under one measure over the queries that both are scored on, those of `tag` where named.

    Beside Tukey's test these are the queries that all systems of the family are scored on.

    `difference` is the mean of second - first, which lies in `span`. Its interval inverts the test (see
    `Tested`) where that is about means, and is Student's for `wilcoxon` and `sign`; it is that of this
    comparison alone, but for Tukey's test, where it holds for all pairs of the measure at once. `deviation`
    is the standard deviation of the differences and `effect` d_z; `spread` is the deviation that power comes
    from: the same, but for Tukey's test the one that all pairs have in common. `rank_share` is the share of
    the rank sum of the differences that the second's wins hold. `p` is corrected over the `comparisons` of
    its family that have one, `p_alone` is not. `wins` counts queries where the second is better. `floor` is
    the smallest p alone that there can be, `draws` how many were made at random; `open` says that no result
    of so many queries or draws could have been below the level here.
    """

    measure: str
    first: str
    second: str
    n: int
    first_mean: float
    second_mean: float
    difference: float
    span: Span
    low: float
    high: float
    deviation: float
    spread: float
    p: float
    p_alone: float
    effect: float
    wins: int
    ties: int
    losses: int
    rank_share: float
    floor: float
    draws: int
    open: bool
    comparisons: int
    family: Family
    tag: str = ""

    @property
    def test(self) -> Test:
        """The test that gave p."""
        return self.family.test

    @property
    def correction(self) -> Correction:
        """What p is corrected by; Tukey's test needs nothing more."""
        return self.family.correction

    @property
    def over(self) -> Over:
        """Whether p is corrected over its measure's comparisons, or over those of all measures."""
        return self.family.over

    @property
    def alpha(self) -> float:
        """The level that p is held against."""
        return self.family.alpha

    @property
    def by_tag(self) -> bool:
        """Whether the queries of each tag are compared by themselves."""
        return bool(self.family.tags)

    @property
    def baseline(self) -> str:
        """The system that every other one is compared with, nothing where every pair is compared."""
        return self.family.baseline or ""

    @property
    def identity(self) -> str:
        """The short name of what is compared."""
        return self.family.identity

    def turned(self) -> "Comparison":
        """Return the comparison of the second with the first: the same p, the differences the other way."""
        return replace(
            self,
            first=self.second,
            second=self.first,
            first_mean=self.second_mean,
            second_mean=self.first_mean,
            difference=-self.difference,
            low=-self.high,
            high=-self.low,
            effect=-self.effect,
            wins=self.losses,
            losses=self.wins,
            rank_share=1 - self.rank_share,
        )

    @property
    def significant(self) -> bool:
        """Whether p is below the level."""
        return self.p < self.alpha

    @property
    def corrected(self) -> bool:
        """Whether a correction had several p-values to look at."""
        return self.correction != "none" and self.comparisons > 1

    @property
    def excludes_nothing(self) -> bool:
        """Whether the interval holds every difference that there can be."""
        return self.low <= self.span[0] and self.high >= self.span[1]

    @property
    def corrected_level(self) -> float:
        """The strictest level that p alone is held against: what correcting leaves for one comparison."""
        if self.test == "tukey":
            return level_of_a_pair(len(self.family.systems), self.alpha)
        return self.alpha / self.comparisons if self.corrected else self.alpha

    @property
    def leader(self) -> str:
        """The system that is ahead by what the test looks at: wins, signed ranks or the mean; "" for none."""
        ahead = {"sign": float(self.wins - self.losses), "wilcoxon": self.rank_share - 0.5}
        by = ahead.get(self.test, self.difference)
        return "" if not abs(by) > EPSILON else self.second if by > 0 else self.first

    @property
    def sentence(self) -> str:
        """The result in plain words, true for the test that was made; says how few the queries are."""
        where = f"Queries tagged {self.tag}: " if self.tag else ""
        width = "" if math.isnan(self.p) else ": mind the width of the interval"
        few = f" Only {self.n} queries{width}." if 1 < self.n < FEW else ""
        all_share = " that all systems share" if self._of_all else ""
        if self.n == 0:
            those = "All systems together" if all_share else f"{self.second} and {self.first}"
            return f"{where}{those} share no query that {self.measure} scores."
        same = f"{where}{self.second} and {self.first} have the same {self.measure}"
        if self.wins == self.losses == 0:
            those = f"all {self.n:,} queries" if self.n > 1 else "the one query"
            return f"{same} on {those}{all_share or ' compared'}."
        if self._on_one:
            return f"{where}{self._by_mean} on one query: no test can say more."
        say = {"sign": self._of_wins, "wilcoxon": self._of_ranks}.get(self.test, self._of_means)
        return f"{where}{say()}{few}"

    @property
    def _of_all(self) -> bool:
        """Whether the queries are those of more systems than these two."""
        return self.test == "tukey" and len(self.family.systems) > 2

    @property
    def _on_one(self) -> bool:
        """Whether these two share one query."""
        return self.n == 1 and not self._of_all

    def _of_means(self) -> str:
        whole = " for all pairs at once" if self.test == "tukey" else ""
        alone = " of this pair alone" if self.corrected else ""
        nothing = ", which excludes nothing" if self.excludes_nothing else ""
        interval = f"{self._interval}{whole}{alone}{nothing}; " if not math.isnan(self.p) else ""
        return f"{self._by_mean}{self._verdict}; {interval}{self.p_in_words}."

    def _of_wins(self) -> str:
        differing, won = self.wins + self.losses, max(self.wins, self.losses)
        share = share_interval(won, differing, 1 - self.alpha)
        on = f"on {won} of the {differing} queries on which their {self.measure} differs"
        ends = f"{self._level} Clopper-Pearson interval {share.low:.1%} to {share.high:.1%}"
        level = f"({share.value:.1%}; {ends}{' of this pair alone' if self.corrected else ''})"
        said = (
            f"{self._ahead} {on}" if self.leader else f"{self.second} and {self.first} are each better {on}"
        )
        return f"{said} {level}{self._verdict}; {self.p_in_words}. {self._mean_beside}"

    def _of_ranks(self) -> str:
        share = max(self.rank_share, 1 - self.rank_share)
        said = f"{self._ahead} by signed ranks of {self.measure}: its wins hold {share:.1%} of the rank sum"
        if not self.leader:
            said = f"The wins of {self.second} and of {self.first} hold equal rank sums under {self.measure}"
        return f"{said}{self._verdict}; {self.p_in_words}. {self._mean_beside}"

    @property
    def _ahead(self) -> str:
        behind = self.first if self.leader == self.second else self.second
        return f"{self.leader} {'is better than' if self.significant else 'is ahead of'} {behind}"

    @property
    def _mean_beside(self) -> str:
        """Where the mean points, beside a test that does not look at it."""
        interval = f"its {self._interval.replace('interval', 't interval', 1)} is not of this test"
        if abs(self.difference) <= EPSILON:
            return f"The means are the same; {interval}."
        ahead = self.second if self.difference > 0 else self.first
        size = f"{ahead} is ahead by {self._size}"
        if self.leader not in ("", ahead):
            return f"But the mean points the other way: {size}; {interval}."
        return f"By the mean {size}; {interval}."

    @property
    def _by_mean(self) -> str:
        if abs(self.difference) <= EPSILON:
            return f"{self.second} and {self.first} have the same mean {self.measure}"
        ahead, behind = (self.second, self.first) if self.difference > 0 else (self.first, self.second)
        verb = "is better than" if self.significant or self._on_one else "is ahead of"
        return f"{ahead} {verb} {behind} by {self._size}"

    @property
    def _size(self) -> str:
        return f"{abs(self.difference):.3f} {self.measure}"

    @property
    def _level(self) -> str:
        return f"{100 * (1 - self.alpha):g}%"

    @property
    def _interval(self) -> str:
        low, high = (self.low, self.high) if self.difference >= 0 else (-self.high, -self.low)
        return f"{self._level} interval {_number(low)} to {_number(high)}"

    @property
    def _verdict(self) -> str:
        if self.significant or math.isnan(self.p):
            return ""
        if not self.open:
            return ", which chance may explain"
        return f", and whether by chance cannot be decided with {self.too_few}"

    @property
    def too_few(self) -> str:
        """What there is too little of for a comparison that is open."""
        if self.draws and self.floor > 2.0 ** (1 - self.wins - self.losses):
            return f"{self.draws:,} draws"
        differing = counted(self.wins + self.losses, "query that differs", "queries that differ")
        return f"only {differing}"

    def _repr_html_(self) -> str:
        """Return the sentence, as notebooks show it."""
        return f"<p>{escape(self.sentence)}</p>"

    @property
    def p_in_words(self) -> str:
        """p with the test that gave it, and what it is corrected over."""
        if math.isnan(self.p):
            return f"no p: {self.why_no_p}"
        p = "p < 0.001" if self.p < 0.001 else f"p = {self.p:.3f}"
        return f"{p}{self.after} ({TEST_NAMES[self.test]}{self.not_corrected}, level {self.alpha:g})"

    @property
    def after(self) -> str:
        """What p is corrected by, and over which comparisons; nothing where it is not."""
        if not self.corrected:
            return ""
        return f" after {CORRECTION_NAMES[self.correction]} over {self._family_in_words}"

    @property
    def why_no_p(self) -> str:
        """Why there is no p, where there is none."""
        if self.test == "t" and self.n > 1:
            return "all differences are the same, and the paired t test asks for some spread"
        share = "all systems" if self.test == "tukey" else "both systems"
        return f"the {TEST_NAMES[self.test]} asks for two queries that {share} share"

    @property
    def _family_in_words(self) -> str:
        """How many comparisons are corrected together, and of what."""
        what = f" by {self.measure}" if self.over == "measure" else ""
        measures = len(self.family.measures)
        what = f" by {measures} measures" if self.over == "all" and measures > 1 else what
        tags = f" for {counted(len(self.family.tags), 'tag')}" if self.by_tag else ""
        return f"{self.comparisons} comparisons{what}{tags}"

    @property
    def not_corrected(self) -> str:
        """How many comparisons there are where no correction speaks of them."""
        if self.corrected or self.comparisons < 2:
            return ""
        if self.test == "tukey":
            return f", for {self._family_in_words} together"
        return f", {self._family_in_words}, not corrected"


def _number(value: float) -> str:
    return f"{value:.3f}" if math.isfinite(value) else ("∞" if value > 0 else "−∞")


def beside_each(system: str, compared: Sequence[Comparison]) -> str:
    """Say in one sentence how a system, which is the first of each comparison, stands to every other one."""

    def names(some: Sequence[Comparison]) -> str:
        return ", ".join(one.second for one in some)

    found = [one for one in compared if one.significant]
    rest = [one for one in compared if not one.significant]
    groups = (
        ("is better than", [one for one in found if one.leader == system]),
        ("is worse than", [one for one in found if one.leader not in (system, "")]),
        ("differs from", [one for one in found if one.leader == ""]),
        ("is not told from", [one for one in rest if not one.open]),
        ("cannot be told with so few draws or differing queries from", [one for one in rest if one.open]),
    )
    said = [f"{words} {names(some)}" for words, some in groups if some]
    one = compared[0]
    how = f"told where p < {one.alpha:g}{one.after}, {TEST_NAMES[one.test]}{one.not_corrected}"
    return f"By {one.measure}, {system} {'; '.join(said)} ({how})."
