"""Comparisons of systems as tables: pairs with their tests, queries by contrast, measures by their orders."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from annotator.evaluation.comparison import Comparison, paired
from annotator.evaluation.options import FEW_SYSTEMS
from annotator.evaluation.power import queries_needed, smallest_difference
from annotator.evaluation.result_table import Cell, Cells, Column, Table
from annotator.evaluation.results import EvaluationResult
from annotator.evaluation.statistics import EPSILON
from annotator.metrics.conventions import Convention

SIGNIFICANT = "†"


def comparisons(compared: Sequence[Comparison]) -> Table:
    """Return one row per comparison, with difference, interval, corrected p, effect size and wins."""
    fields = (
        *("measure", "first", "second", "first_mean", "second_mean", "difference", "low", "high"),
        *("p", "p_alone", "effect", "wins", "ties", "losses", "n"),
    )
    rows = [tuple(getattr(one, name) for name in fields) for one in compared]
    how = f"{compared[0].test_in_words}." if compared else ""
    columns = (
        Column("Measure", "text", key="measure"),
        Column("First", "text", key="first"),
        Column("Second", "text", key="second"),
        Column("First mean", key="first_mean"),
        Column("Second mean", key="second_mean"),
        Column("Difference", key="difference", note="Second minus first."),
        Column("95% low", key="low"),
        Column("95% high", key="high"),
        Column("p", "p", key="p", note=how),
        Column("p alone", "p", key="p_alone", note="Not corrected."),
        Column("d_z", decimals=3, key="effect", note="Mean difference over the SD of the differences."),
        Column("Wins", "count", key="wins", note="Queries on which the second is better."),
        Column("Ties", "count", key="ties"),
        Column("Losses", "count", key="losses"),
        Column("Queries", "count", key="queries"),
    )
    marks = {(row, 5): SIGNIFICANT for row, one in enumerate(compared) if one.significant}
    caption = f"{how_compared(compared)} {SIGNIFICANT} p < 0.05." if compared else ""
    return Table.of_rows("comparisons", "Comparisons", columns, rows, caption, marks)


def how_compared(compared: Sequence[Comparison]) -> str:
    """Say of comparisons what their p-values are, what is not compared, and which family they are."""
    one, family = compared[0], compared[0].family
    sentences = [f"{one.test_in_words}."]
    if family.baseline is not None:
        sentences.append(f"Each system is compared with {family.baseline}.")
    if family.not_compared:
        alone = ", ".join(family.measures)
        sentences.append(f"With more than {FEW_SYSTEMS} systems one measure is compared, here {alone}.")
    return " ".join((*sentences, f"Comparison {one.identity}."))


def tests(compared: Sequence[Comparison]) -> Table:
    """Return comparisons for programs: beside each p its test, correction, size of the family, identity."""
    table = comparisons(compared)
    columns = (
        Column("Test", "text", key="test"),
        Column("Correction", "text", key="correction"),
        Column(
            "Comparisons", "count", key="comparisons", note="How many have a p that is corrected together."
        ),
        Column("Baseline", "text", key="baseline"),
        Column("Identity", "text", key="identity"),
    )
    data = tuple([getattr(one, column.name) for one in compared] for column in columns)
    return replace(
        table, key="tests", columns=(*table.columns, *columns), data=(*table.data, *data), marks={}
    )


def planning(compared: Sequence[Comparison], difference: float | None = None) -> Table:
    """Return how many queries each comparison takes: to see its difference, and what its queries can show.

    `difference` is to be seen in place of the one that was found.
    """
    rows = []
    for one in compared:
        known = one.n > 1 and one.deviation > 0
        seen = one.difference if difference is None else difference
        needed = queries_needed(seen, one.deviation) if known else None
        visible = smallest_difference(one.n, one.deviation) if known else None
        rows.append((one.measure, one.first, one.second, one.n, seen, one.deviation, needed, visible))
    columns = (
        Column("Measure", "text", key="measure"),
        Column("First", "text", key="first"),
        Column("Second", "text", key="second"),
        Column("Queries", "count", key="queries"),
        Column("Difference", key="difference"),
        Column("SD", key="deviation", note="Standard deviation of the differences."),
        Column("Queries needed", "count", key="needed", note="To find this difference in 4 of 5 studies."),
        Column("Smallest difference", key="visible", note="What these queries find in 4 of 5 studies."),
    )
    return Table.of_rows(
        "planning", "How many queries it takes", columns, rows, "Paired t test, 5%, power 80%."
    )


def marked(summary: Table, result: EvaluationResult, compared: Sequence[Comparison]) -> Table:
    """Return the summary with a sign at each mean that differs significantly from the baseline's.

    Where every pair was compared the first system stands for it.
    """
    baseline = next((one.baseline for one in compared if one.baseline), result.systems[0])
    marks = {
        (result.systems.index(one.second), 1 + result.position(one.measure)): SIGNIFICANT
        for one in compared
        if one.first == baseline and one.significant and one.second in result.systems
    }
    if not marks:
        return summary
    words = f"{SIGNIFICANT} differs from {baseline} (p < 0.05). {how_compared(compared)}"
    return replace(summary, marks=marks, caption=f"{summary.caption} {words}")


def contrasts(result: EvaluationResult, measure: str, first: str, second: str) -> Table:
    """Return the queries of two systems by the size of their difference, largest first."""
    queries, differences = paired(result, measure, first, second)
    order = np.lexsort((queries, -np.round(np.abs(differences), 12)))
    chosen = queries[order]
    bar = result.measures[result.position(measure)].range == (0.0, 1.0)
    columns = [Column("Query", "text", key="query")]
    data: list[Cells] = [[result.query_ids[at] for at in chosen]]
    if any(result.query_texts):
        columns.append(Column("Text", "text", key="text"))
        data.append([result.query_texts[at] for at in chosen])
    columns += [
        Column(first, bar=bar),
        Column(second, bar=bar),
        Column("Difference", key="difference", note=f"{second} minus {first}."),
    ]
    data += [result.of(first, measure)[chosen], result.of(second, measure)[chosen], differences[order]]
    return Table("contrasts", f"{measure}, largest contrast first", tuple(columns), tuple(data))


def orders(result: EvaluationResult) -> Table:
    """Return how the systems rank under each measure: the place of each, 1 is best; equal means share one."""
    columns = [Column("System", "text", key="system")]
    data: list[Cells] = [list(result.systems)]
    for measure in result.measures:
        means = np.array([result.mean(system, measure.name) for system in result.systems])
        columns.append(Column(measure.name, "count", best="low"))
        data.append((1 + (means > means[:, None] + EPSILON).sum(axis=1)).tolist())
    return Table("orders", "The systems' places under each measure", tuple(columns), tuple(data))


def under_conventions(
    result: EvaluationResult, named: Sequence[tuple[Convention, str, str]], title: str
) -> Table:
    """Return the means under the conventions of other tools: (tool, measure as written, as computed) each."""
    rows: list[tuple[Cell, ...]] = [
        (tool.title, written, name, *(result.mean(system, name) for system in result.systems), tool.says)
        for tool, written, name in named
    ]
    columns = (
        Column("Convention", "text", key="convention"),
        Column("Measure", "text", key="measure"),
        Column("Computed as", "text", key="computed_as"),
        *(Column(system) for system in result.systems),
        Column("In words", "text", key="in_words"),
    )
    return Table.of_rows("conventions", title, columns, rows)
