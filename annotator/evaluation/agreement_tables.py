"""Agreement as tables: coefficients, the confusion of two annotators, the systems' places by annotator."""

import math
from collections.abc import Sequence

from annotator.evaluation.agreement import ENOUGH, Coefficient, PairAgreement
from annotator.evaluation.correlations import Correlation
from annotator.evaluation.result_table import Cell, Cells, Column, Place, Table
from annotator.evaluation.statistics import SMALL
from annotator.text.counts import counted
from annotator.text.names import pair

EVERYBODY = "everybody"
INTERVALS = (
    "Items judged by two or more count, each the same, in every coefficient. (Gwet's own AC2 also takes the "
    "spread of the judgments of items judged once.) Bootstrap intervals over the items."
)
SCARCE = f"not enough data: {ENOUGH} items are needed"


def coefficients(overall: Sequence[Coefficient], pairs: Sequence[tuple[str, str, PairAgreement]]) -> Table:
    """Return every coefficient of everybody together and of each pair (first, second, agreement).

    With too few items a coefficient is left out and the last column says so.
    """
    groups = [(EVERYBODY, "", overall), *((a, b, agreed.coefficients) for a, b, agreed in pairs)]
    rows: list[tuple[Cell, ...]] = [
        (first, second, one.name, *_value(one), one.n, "" if one.enough else SCARCE)
        for first, second, agreed in groups
        for one in agreed
    ]
    columns = (
        Column("First", "text", key="first"),
        Column("Second", "text", key="second"),
        Column("Coefficient", "text", key="coefficient"),
        Column("Value", decimals=3, key="value"),
        Column("95% low", decimals=3, key="low"),
        Column("95% high", decimals=3, key="high"),
        Column("Items", "count", key="items", note="Judged by both, or by two or more of all."),
        Column("Mind", "text", key="caution", prose=True),
    )
    return Table.of_rows("agreement", "Agreement", columns, rows, INTERVALS)


def by_group(overall: Sequence[Coefficient], pairs: Sequence[tuple[str, str, PairAgreement]]) -> Table:
    """Return one row per coefficient, a column for everybody and for each pair (first, second, agreement).

    The heading says of how many items they are, and how many it takes where there are too few.
    """
    everybody = [(EVERYBODY, overall)] if overall else []
    groups = [*everybody, *((pair(a, b), agreed.coefficients) for a, b, agreed in pairs)]
    names = list(dict.fromkeys(one.name for _, agreed in reversed(groups) for one in agreed))
    columns, data = [Column("Coefficient", "text", key="coefficient")], [list[Cell](names)]
    intervals: dict[Place, tuple[float, float]] = {}
    for at, (group, agreed) in enumerate(groups, 1):
        items = max((one.n for one in agreed), default=0)
        known = {one.name: one for one in agreed if one.enough}
        of = f"{items} items" if known or items >= ENOUGH else f"{items} of {ENOUGH} items"
        columns.append(Column(f"{group}, {of}", decimals=3, note=f"At least {ENOUGH} are needed."))
        data.append([known[name].value if name in known else None for name in names])
        intervals |= {
            (names.index(name), at): (one.low, one.high) for name, one in known.items() if one.low == one.low
        }
    return Table("agreement", "Agreement", tuple(columns), tuple(data), INTERVALS, intervals=intervals)


def _value(one: Coefficient) -> tuple[Cell, Cell, Cell]:
    return (one.value, one.low, one.high) if one.enough else (None, None, None)


def confusion(first: str, second: str, agreed: PairAgreement) -> Table:
    """Return how often each grade, or level, of the first met each of the second."""
    levels = range(len(agreed.confusion))
    most = (0.0, float(agreed.confusion.max(initial=0)))
    columns = (
        Column(first, "grade", key="first"),
        *(Column(str(grade), "count", shade=most) for grade in levels),
        Column("Same", "share", decimals=2, key="same", note="How often the second says the same."),
    )
    data: list[Cells] = [list(levels), *(agreed.confusion[:, grade] for grade in levels), agreed.by_grade]
    title = f"Judgments of {first} against those of {second}"
    return Table(
        "confusion", title, columns, tuple(data), f"Rows are judgments of {first}, columns of {second}."
    )


def rankings(
    measure: str,
    systems: Sequence[str],
    annotators: Sequence[str],
    means: Sequence[Sequence[float]],
    queries: Sequence[int],
    taus: Sequence[tuple[str, str, Correlation]],
    most: int | None = None,
) -> Table:
    """Return a row per system: its mean and place by the grades of each annotator alone; equals share one.

    `queries` are how many each annotator judged. The caption says how alike any two rank the systems; of more
    than `most` pairs, which are so the least and the most.
    """
    columns = [Column("System", "text", key="system")]
    data: list[Cells] = [list(systems)]
    for name, row, count in zip(annotators, means, queries, strict=True):
        columns += [
            Column(name, note=f"Mean {measure} by the judgments of {name} alone.", begins=True),
            Column("Place", "count", best="low", key=f"{name} place", note=f"By {name}; 1 is best."),
            Column("Queries", "count", key=f"{name} queries", note=f"Those that {name} judged."),
        ]
        data += [list(row), places(row), [count] * len(systems)]
    known = [tau for tau in taus if tau[2].value == tau[2].value]
    ends = sorted(known, key=lambda tau: tau[2].value)[:: max(len(known) - 1, 1)]
    brief = most is not None and len(known) > most
    values = {f"{one.value:.2f}" for _, _, one in known}
    alike = [f"{one.value:.2f} between {a} and {b}" for a, b, one in (ends if brief else known)]
    caption = (
        f"Mean {measure} by each annotator's judgments alone, over the queries that this annotator judged."
    )
    if alike:
        said = "; ".join(alike)
        if brief and len(values) == 1:
            every = f"all {len(known)}" if len(known) == len(taus) else f"{len(known)} of {len(taus)}"
            said = f"{values.pop()} for {every} pairs of annotators"
        elif brief:
            said = f"from {' to '.join(alike)}; a report has all {len(known)} pairs"
        caption += f" Kendall's tau-b of the order of {counted(len(systems), 'system')}: {said}."
        caption += few_orders(len(systems))
    title = f"{measure} by each annotator's judgments alone"
    return Table("annotator-rankings", title, tuple(columns), tuple(data), caption)


def few_orders(systems: int) -> str:
    """Return a caution for a tau of few systems: their pairs leave it few values."""
    pairs = math.comb(systems, 2)
    if systems >= SMALL:
        return ""
    of = f"{counted(pairs, 'pair')} of systems"
    return f" With {of} and no ties tau takes one of {pairs + 1} values: chance alone may make it 1."


def places(means: Sequence[float]) -> list[Cell]:
    """Return the place of each mean, 1 for the highest; equal ones share theirs, what is missing has none."""
    known = [round(mean, 12) for mean in means if mean == mean]
    return [1 + sum(one > round(mean, 12) for one in known) if mean == mean else None for mean in means]


def blind_shifts(rows: Sequence[tuple[str, int, int, float, float, float, float, float]]) -> Table:
    """Return (annotator, blind, seen, both means, shift, low, high) as a table."""
    columns = (
        Column("Annotator", "text", key="annotator"),
        Column("Blind", "count", key="blind", note="Grades given without seeing scores, ranks or systems."),
        Column("Seen", "count", key="seen", note="Grades given after seeing them."),
        Column("Mean blind", decimals=2, key="blind_mean"),
        Column("Mean seen", decimals=2, key="seen_mean"),
        Column("Shift", decimals=2, key="shift"),
        Column("95% low", decimals=2, key="low"),
        Column("95% high", decimals=2, key="high"),
    )
    caption = "Welch's interval. The candidates differ too, so a shift is a hint, no proof."
    return Table.of_rows("blind-shift", "Grades given blind and after", columns, rows, caption)
