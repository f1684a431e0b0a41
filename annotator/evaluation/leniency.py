"""How far each annotator's grades lie above or below the others', and how much they scatter around them."""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from annotator.evaluation.agreement import DRAWS, ENOUGH
from annotator.evaluation.result_table import Cell, Column, Table
from annotator.evaluation.statistics import EPSILON, Estimate, mean_interval

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Leniency:
    """One annotator beside the others, over the items that both graded.

    A deviation is the own grade minus the mean of the others' grades of the item. `mean` is that of the
    deviations, with Student's interval: above 0 is lenient. `scatter` is their standard deviation (n - 1),
    with a bootstrap interval over the items.
    """

    annotator: str
    mean: Estimate
    scatter: Estimate

    def mirrors(self, other: "Leniency") -> bool:
        """Say whether the other's leniency is this one with the other sign."""
        return self.mean.n == other.mean.n and all(
            abs(one) <= EPSILON or math.isnan(one)
            for one in (self.mean.value + other.mean.value, self.scatter.value - other.scatter.value)
        )


def leniencies(names: tuple[str, ...], table: ArrayLike, seed: int = 1) -> list[Leniency]:
    """Return each annotator's leniency; `table` is int[items, annotators], -1 where no grade is."""
    grades = np.asarray(table, np.int64)
    there = grades >= 0
    count = there.sum(axis=1)
    total = np.where(there, grades, 0).sum(axis=1)
    found = []
    for at, name in enumerate(names):
        both = there[:, at] & (count >= 2)
        own = grades[both, at]
        deviations = own - (total[both] - own) / (count[both] - 1)
        found.append(Leniency(name, mean_interval(deviations), _scatter(deviations, seed)))
    return found


def _scatter(deviations: Floats, seed: int) -> Estimate:
    """Return the standard deviation with its percentile interval; what is drawn is how often each occurs."""
    n = len(deviations)
    if n < 2:
        return Estimate(math.nan, math.nan, math.nan, n)
    values, times = np.unique(deviations, return_counts=True)
    drawn = np.random.default_rng(seed).multinomial(n, times / n, DRAWS)
    means = drawn @ values / n
    spread = np.sqrt(np.maximum(drawn @ values**2 - n * means**2, 0) / (n - 1))
    low, high = np.quantile(spread, (0.025, 0.975)).tolist()
    return Estimate(float(deviations.std(ddof=1)), low, high, n)


def leniency_table(found: list[Leniency]) -> Table:
    """Return leniency and scatter as a table; with too few items the numbers are left out, and it says so.

    Two people who graded the same items beside each other alone mirror each other: one row tells of both.
    """
    rows: list[tuple[Cell, ...]] = []
    mirrored = ""
    if len(found) == 2 and found[0].mirrors(found[1]):
        first, second = found
        found = [replace(first, annotator=f"{first.annotator} beside {second.annotator}")]
        mirrored = " Two alone mirror each other: the other way round the leniency has the other sign."
    for one in found:
        enough = one.mean.n >= ENOUGH
        cells = (*one.mean[:3], *one.scatter[:3]) if enough else (None,) * 6
        caution = "" if enough else f"not enough data: {ENOUGH} items are needed"
        rows.append((one.annotator, *cells, one.mean.n, caution))
    columns = (
        Column("Annotator", "text", key="annotator"),
        Column("Leniency", decimals=2, key="leniency", note="Own grade minus the others' mean."),
        Column("95% low", decimals=2, key="leniency_low"),
        Column("95% high", decimals=2, key="leniency_high"),
        Column("Scatter", decimals=2, key="scatter", note="Standard deviation around one's own leniency."),
        Column("95% low", decimals=2, key="scatter_low"),
        Column("95% high", decimals=2, key="scatter_high"),
        Column("Items", "count", key="items", note="Graded by the annotator and by others."),
        Column("Mind", "text", key="caution", prose=True),
    )
    caption = (
        "Own grade minus the mean of the other people's grades of the same candidate. Intervals over the "
        "items: Student's of the leniency, bootstrap of the scatter."
        f"{mirrored}"
    )
    return Table.of_rows("leniency", "Leniency and scatter", columns, rows, caption)
