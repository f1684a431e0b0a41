"""Who is preferred to whom, as tables: strengths, wins of every two systems, which side is favoured."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotator.evaluation.bradley_terry import TAIL, Strengths, strengths
from annotator.evaluation.result_table import Cell, Column, Table
from annotator.evaluation.statistics import share_interval
from annotator.text.counts import counted

Floats = NDArray[np.float64]

HOW = (
    "Several annotators' judgments of one pair of answers share its one comparison; where they found both "
    "equally good, each has half a win."
)


@dataclass(frozen=True, slots=True, eq=False)
class Preferred:
    """What is preferred among the first answers of some systems.

    `better[q, i, j]` is in what share of the judgments the answer of i to query q was preferred to that of j,
    `equal[q, i, j]` in what share both were equally good; both are 0 where nobody judged the two. `same` and
    `unjudged` are int64[i, j]: in how many queries two systems give the same answer, and in how many their
    two answers differ and nobody judged them.
    """

    systems: tuple[str, ...]
    better: Floats
    equal: Floats
    same: NDArray[np.int64]
    unjudged: NDArray[np.int64]

    @property
    def wins(self) -> Floats:
        """How often each was preferred to each other one, query by query; half of each tie."""
        return self.better + self.equal / 2

    def compared(self) -> "Preferred":
        """Return it for those systems alone of which something is judged."""
        met = self.wins.sum(axis=0)
        kept = np.flatnonzero((met + met.T).any(axis=0))
        one, other = np.ix_(kept, kept)
        return Preferred(
            tuple(self.systems[at] for at in kept),
            self.better[:, one, other],
            self.equal[:, one, other],
            self.same[one, other],
            self.unjudged[one, other],
        )

    def left_out(self) -> str:
        """Return in words which pairs count for nothing; "" where none does."""
        parts = [
            f"{counted(int(np.triu(pairs).sum()), 'pair')} {why}"
            for pairs, why in ((self.same, "of the same answer"), (self.unjudged, "that nobody judged"))
            if pairs.any()
        ]
        return f"Left out: {', and '.join(parts)}." if parts else ""


@dataclass(frozen=True, slots=True)
class Sides:
    """How often somebody preferred the left answer, the right one, and neither."""

    annotator: str
    left: int
    equal: int
    right: int

    @property
    def p(self) -> float:
        """The p-value of the exact two-sided binomial test that either side is as likely; ties do not count.

        >>> Sides("Ann", 9, 3, 1).p
        0.021484375
        """
        from scipy.special import bdtr

        of = self.left + self.right
        return min(1.0, 2 * float(bdtr(min(self.left, self.right), of, 0.5))) if of else float("nan")


def strength_table(preferred: Preferred, seed: int = 1) -> Table:
    """Return the strengths with intervals over the queries, the strongest first, or why there are none."""
    known = preferred.compared()
    found = strengths(known.systems, known.wins, seed)
    better, equal = known.better.sum(axis=0), known.equal.sum(axis=0)
    rows: list[tuple[Cell, ...]] = []
    shares = known.wins.sum(axis=(0, 2)) / (known.wins + known.wins.swapaxes(1, 2)).sum(axis=(0, 2))
    order = [one.value for one in found.found] or shares.tolist()
    for at in sorted(range(len(known.systems)), key=lambda one: (-order[one], known.systems[one])):
        ends = (*found.found[at][:3],) if found.found else (None, None, None)
        bounded: list[Cell] = [None if one is None or not np.isfinite(one) else one for one in ends]
        won, tied, lost = float(better[at].sum()), float(equal[at].sum()), float(better[:, at].sum())
        rows.append((known.systems[at], *bounded, won, tied, lost, float(shares[at])))
    columns = (
        Column("System", "text", key="system"),
        Column("Strength", decimals=3, key="strength", best="high", note="Natural logarithm; the mean is 0."),
        Column("95% low", decimals=3, key="low"),
        Column("95% high", decimals=3, key="high"),
        Column("Won", decimals=2, key="won", note="Comparisons in which its answer was preferred."),
        Column("Equal", decimals=2, key="equal"),
        Column("Lost", decimals=2, key="lost"),
        Column("Win share", decimals=3, key="win_share", note="Won and half of the equal ones, of all."),
    )
    gone = [name for name in preferred.systems if name not in known.systems]
    said = [
        found.problem
        or "Bradley-Terry: a system is preferred to another one with the probability 1 / (1 + exp(-d)), d "
        "being its strength minus the other's.",
        HOW,
        _intervals(found, len(known.better)) if found.found else "",
        f"Nobody judged a pair of {', '.join(gone)}." if gone else "",
        preferred.left_out(),
    ]
    caption = " ".join(filter(None, said))
    return Table.of_rows("preferences", "Strengths by preference", columns, rows, caption)


def _intervals(found: Strengths, queries: int) -> str:
    """Return what the intervals are, and why an end may have no number."""
    if queries < 2:
        return "One query has no interval."
    said = f"Intervals: 95%, bootstrap over {counted(queries, 'query', 'queries')}."
    if found.unbounded:
        said += f" In {found.unbounded:,} of {found.draws:,} draws no finite strengths fit; they count as "
        boundless = found.unbounded > TAIL * found.draws
        said += f"beyond either end{', so the ends have no bound (–)' if boundless else ''}."
    return said


def win_matrix(preferred: Preferred) -> Table:
    """Return how often each system (a row) was preferred to each other one (a column), ties as halves.

    What nobody judged is empty.
    """
    known = preferred.compared()
    wins = known.wins.sum(axis=0)
    met = wins + wins.T
    names = known.systems
    cells: list[list[Cell]] = [
        [float(wins[row, at]) if met[row, at] else None for row in range(len(names))]
        for at in range(len(names))
    ]
    columns = (
        Column("System", "text", key="system"),
        *(
            Column(name, decimals=2, note=f"How often the row's answer was preferred to that of {name}.")
            for name in names
        ),
    )
    caption = f"How often the answer of the row was preferred to that of the column. {HOW}"
    table = Table("preference-wins", "Wins by preference", columns, (names, *cells), caption)
    return table.noted(preferred.left_out())


def side_table(sides: Sequence[Sides]) -> Table:
    """Return how often each annotator preferred the left answer, with the exact test that sides are alike."""
    rows = []
    for one in sides:
        share = share_interval(one.left, one.left + one.right)
        rows.append((one.annotator, one.left, one.equal, one.right, *share[:3], one.p))
    columns = (
        Column("Annotator", "text", key="annotator"),
        Column("Left", "count", key="left"),
        Column("Equal", "count", key="equal"),
        Column("Right", "count", key="right"),
        Column("Left share", "share", key="left_share", note="Of those that are not equal."),
        Column("95% low", "share", key="low"),
        Column("95% high", "share", key="high"),
        Column("p", "p", key="p", note="Exact binomial test, two-sided, that either side is as likely."),
    )
    caption = (
        "Which side was preferred. Where sides are drawn by lot, as on the Prefer page, the left one is as "
        "likely as the right one for whoever favours neither. Intervals: Clopper-Pearson. Interval and test "
        "take each judgment for one of its own."
    )
    return Table.of_rows("position-bias", "Whether a side is favoured", columns, rows, caption)
