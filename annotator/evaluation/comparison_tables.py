"""Comparisons of systems as tables: pairs with their tests, queries by contrast, measures by their orders."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from annotator.evaluation.comparison import CORRECTION_NAMES, TEST_NAMES, Comparison
from annotator.evaluation.equivalence import Equivalence
from annotator.evaluation.missing_rankings import missing_marked
from annotator.evaluation.paired_tests import most_draws
from annotator.evaluation.pairs import paired
from annotator.evaluation.power import MOST, queries_needed, smallest_difference
from annotator.evaluation.result_table import (
    Cell,
    Cells,
    Column,
    Table,
    columns_of,
    explaining_what_is_shown,
    shown,
)
from annotator.evaluation.results import EvaluationResult
from annotator.evaluation.statistics import EPSILON
from annotator.metrics.conventions import Convention
from annotator.text.counts import counted

SIGNIFICANT, OPEN = "†", "‡"
NOT_OF_MEANS = ("sign", "wilcoxon")


def comparisons(compared: Sequence[Comparison]) -> Table:
    """Return one row per comparison, with difference, interval, corrected p, effect size and wins."""
    by_tag = bool(compared) and compared[0].by_tag
    fields = (
        *(("tag",) if by_tag else ()),
        *("measure", "first", "second", "first_mean", "second_mean", "difference", "low", "high"),
        *("p", "p_alone", "effect", "wins", "ties", "losses", "n"),
    )
    rows = [tuple(getattr(one, name) for name in fields) for one in compared]
    how = how_tested(compared) if compared else ""
    alpha = compared[0].alpha if compared else 0.05
    level = f"{100 * (1 - alpha):g}%"
    columns = (
        *((Column("Tag", "text", key="tag"),) if by_tag else ()),
        Column("Measure", "text", key="measure"),
        Column("First", "text", key="first"),
        Column("Second", "text", key="second"),
        Column("First mean", key="first_mean"),
        Column("Second mean", key="second_mean"),
        Column("Difference", key="difference", note="Second minus first."),
        Column(f"{level} low", key="low"),
        Column(f"{level} high", key="high"),
        Column("p", "p", key="p", note=how),
        Column("p alone", "p", key="p_alone", note="Not corrected."),
        Column("d_z", decimals=3, key="effect", note="Mean difference over the SD, second minus first."),
        Column("Wins", "count", key="wins", note="Queries on which the second is better."),
        Column("Ties", "count", key="ties"),
        Column("Losses", "count", key="losses"),
        Column("Queries", "count", key="queries"),
    )
    place = fields.index("difference")
    marks = {(row, place): SIGNIFICANT for row, one in enumerate(compared) if one.significant}
    marks |= {(row, fields.index("p")): OPEN for row, one in enumerate(compared) if one.open}
    explains = signs_in_words(alpha)
    way = "Differences and d_z are second minus first."
    caption = " ".join((how_compared(compared), way, *explains.values())) if compared else ""
    key, title = ("tag-comparisons", "Comparisons by tag") if by_tag else ("comparisons", "Comparisons")
    table = Table.of_rows(key, title, columns, rows, caption, marks)
    return explaining_what_is_shown(replace(table, explains=explains))


def signs_in_words(alpha: float) -> dict[str, str]:
    """Return what the signs beside comparisons at a level say."""
    return {
        SIGNIFICANT: f"{SIGNIFICANT} p < {alpha:g}.",
        OPEN: f"{OPEN} Cannot be decided with so few draws or differing queries.",
    }


def how_tested(compared: Sequence[Comparison]) -> str:
    """Say which test gave the p-values, at which level, and what they are corrected over."""
    family = compared[0].family
    sizes = sorted({one.comparisons for one in compared})
    number = f"{sizes[0]} to {counted(sizes[-1], 'comparison')}" if len(sizes) > 1 else ""
    number = number or counted(sizes[0], "comparison")
    over = " of each measure" if family.over == "measure" and len(family.measures) > 1 else ""
    over = " of all measures" if family.over == "all" and len(family.measures) > 1 else over
    over += " over all tags" if family.tags and family.test != "tukey" else ""
    over += " and tag" if family.tags and family.test == "tukey" else ""
    name = TEST_NAMES[family.test]
    words = f"{name[0].upper()}{name[1:]} at the level {family.alpha:g}"
    if family.test == "tukey":
        words += f", for {number}{over} together"
    elif sizes[-1] > 1:
        correction = CORRECTION_NAMES[family.correction]
        words += f", {correction} over {number}{over}" if family.correction != "none" else ""
        words += f", {number}{over}, not corrected" if family.correction == "none" else ""
    return f"{words}."


def in_numbers(one: Comparison, family: Sequence[Comparison]) -> str:
    """Return a comparison of a family in numbers: means, wins, effect, and how the family is compared.

    Wins and effect are those of the system that is ahead, as in the sentence.
    """
    means = f"{one.first} {one.first_mean:.4f} · {one.second} {one.second_mean:.4f}"
    one = one.turned() if one.leader == one.first else one
    return (
        f"{means} · {one.second} wins {one.wins}, ties {one.ties}, loses {one.losses} of {one.n} queries · "
        f"effect size d_z {shown(Column('d_z', decimals=2), one.effect)} "
        f"({one.second} minus {one.first}) · {how_compared(family)}"
    )


def how_compared(compared: Sequence[Comparison], with_intervals: bool = True) -> str:
    """Say of comparisons what their p-values and intervals are, what is not compared, and which family."""
    one, family = compared[0], compared[0].family
    sentences = [how_tested(compared), *_without_p(compared)]
    draws = max(one.draws for one in compared)
    if draws:
        declared = max(most_draws(one.n) for one in compared if one.draws)
        most = f"{draws:,}" if family.test == "tukey" else f"at most {declared:,}"
        sentences.append(f"p comes of {most} random draws, seed {family.options.seed}.")
    if with_intervals:
        sentences += _intervals_in_words(compared)
    if family.test == "tukey" and len(family.systems) > 2:
        sentences.append("Every number is over the queries that all systems share.")
    if family.baseline is not None:
        sentences.append(f"Each system is compared with {family.baseline}.")
    if family.not_compared:
        names = ", ".join(family.not_compared)
        sentences.append(f"Not compared, because it counts or is no mean over queries: {names}.")
    return " ".join((*sentences, f"Comparison {one.identity}."))


def _without_p(compared: Sequence[Comparison]) -> list[str]:
    """Say how many comparisons have no p and why, so that the others can be counted."""
    why = [one.why_no_p for one in compared if math.isnan(one.p)]
    if not why:
        return []
    part = " and no part in the correction" if any(one.corrected for one in compared) else ""
    have = "has" if len(why) == 1 else "have"
    return [f"{len(why)} of the {len(compared)} here {have} no p{part}: {'; '.join(dict.fromkeys(why))}."]


def _intervals_in_words(compared: Sequence[Comparison]) -> list[str]:
    """Say what the intervals of a family's comparisons are, and whether they are corrected."""
    test = compared[0].test
    alone = "" if max(one.comparisons for one in compared) < 2 else ", each of its pair alone: not corrected"
    whose = (
        "Student's, of the mean difference and not of this test" if test in NOT_OF_MEANS else "of this test"
    )
    if test == "tukey":
        whose = "the differences ± this test's critical range"
        alone = ", for all pairs at once: they need no correction"
    nothing = "An interval over all that a measure can differ excludes nothing."
    return [
        f"The intervals are {whose}{alone}.",
        *([nothing] if any(one.excludes_nothing for one in compared) else []),
    ]


def tests(compared: Sequence[Comparison]) -> Table:
    """Return comparisons for programs: beside each p its test, correction, size of the family, identity."""
    table = comparisons(compared)
    columns = (
        Column("Test", "text", key="test"),
        Column("Correction", "text", key="correction"),
        Column(
            "Comparisons", "count", key="comparisons", note="How many have a p that is corrected together."
        ),
        Column("Over", "text", key="over", note="Whether p is corrected over its measure or all measures."),
        Column("Level", key="alpha"),
        Column("Baseline", "text", key="baseline"),
        Column("By tag", "text", key="by_tag"),
        Column("Draws", "count", key="draws", note="How many were made at random, 0 where p is exact."),
        Column("Open", "text", key="open", note="Whether p can be below the level at all."),
        Column("Identity", "text", key="identity"),
    )
    data = tuple([_plain(getattr(one, column.name)) for one in compared] for column in columns)
    for_programs = replace(
        table,
        key=table.key.replace("comparisons", "tests"),
        columns=(*table.columns, *columns),
        data=(*table.data, *data),
        marks={},
    )
    return explaining_what_is_shown(for_programs)


def _plain(cell: Cell | bool) -> Cell:
    return {True: "yes", False: "no"}[cell] if isinstance(cell, bool) else cell


def planning(compared: Sequence[Comparison], matters: Sequence[Equivalence] = ()) -> Table:
    """Return what the queries of each comparison can show, at the level that correcting leaves for one.

    With a difference that matters (the same comparisons in the same order): how many queries it takes to see
    that, and whether the systems are shown to be nearer than that. The one that was found says nothing about
    it, because it is only known from these queries. A difference that the measure cannot have is not shown.
    """
    by_tag = bool(compared) and compared[0].by_tag
    rows = [
        (*((one.tag,) if by_tag else ()), *_planned(one, matters[at] if matters else None))
        for at, one in enumerate(compared)
    ]
    columns: tuple[Column, ...] = (
        *((Column("Tag", "text", key="tag"),) if by_tag else ()),
        Column("Measure", "text", key="measure"),
        Column("First", "text", key="first"),
        Column("Second", "text", key="second"),
        Column("Queries", "count", key="queries"),
        Column("SD", key="deviation", note="Standard deviation of the differences."),
        Column("Level", decimals=5, key="level", note="The strictest that correcting may ask of one."),
        Column("Smallest difference", key="visible", note="What these queries find in 4 of 5 studies."),
    )
    caption = "Found in 4 of 5 studies by the paired t test at the level of each comparison."
    if compared and compared[0].test == "tukey":
        systems = len(compared[0].family.systems)
        caption += (
            f" The level is what Tukey's HSD asks of one pair of {systems} systems with many queries, the SD "
            "the one that all pairs have in common: a guide to its power."
        )
    if matters:
        needed_note = "To find the difference that matters in 4 of 5 studies."
        columns = (
            *columns,
            Column("Matters from", key="difference", note="The smallest difference that matters."),
            Column("Queries needed", "count", key="needed", note=needed_note),
            Column("Second no worse: p", "p", key="p_second", note="One-sided: not worse by it or more."),
            Column("First no worse: p", "p", key="p_first", note="One-sided: not worse by it or more."),
            Column("Equivalent: p", "p", key="p_equivalent", note="The larger of the two."),
        )
        caption += f" {how_tested(compared)} One-sided p-values, each kind corrected by itself."
    columns = (*columns, Column("Why not", "text", key="caution", note="Why a number is left out."))
    table = Table.of_rows("planning", "What so many queries can show", columns, rows, caption)
    return table if any(table.data[-1]) else columns_of(table, range(len(columns) - 1))


def _planned(one: Comparison, found: Equivalence | None) -> tuple[Cell, ...]:
    """Return a row of planning, why numbers are left out last."""
    why = {0: "no query in common", 1: "one query"}.get(one.n, "")
    if why and one.test == "tukey":
        why = "all systems share too few queries"
    why = why or ("" if one.spread > EPSILON else "the differences are all the same")
    level, most = one.corrected_level, one.span[1]
    beyond = f"more than {one.measure} can differ"
    visible = None if why else smallest_difference(one.n, one.spread, level=level)
    if visible is not None and visible > most:
        visible, why = None, beyond
    row: tuple[Cell, ...] = (one.measure, one.first, one.second, one.n, one.spread, level, visible)
    if found is None:
        return *row, why
    possible = one.spread > EPSILON and found.margin <= most
    needed = queries_needed(found.margin, one.spread, level=level) if possible else None
    if possible and needed is None:
        why = f"{why}; it takes over {MOST:,} queries".removeprefix("; ")
    elif found.margin > most:
        why = why or beyond
    return *row, found.margin, needed, found.p_second, found.p_first, found.p_equivalent, why


def marked(summary: Table, result: EvaluationResult, compared: Sequence[Comparison]) -> Table:
    """Return the summary with a sign at each mean that differs significantly from the baseline's.

    Where every pair was compared the best system of each column stands for it.
    """
    if not compared:
        return summary
    family = compared[0].family
    marks = {
        (result.systems.index(one.second), 1 + result.position(one.measure)): SIGNIFICANT
        for measure in family.measures
        for one in with_one(compared, measure, family.baseline or best_system(result, measure))
        if one.significant
    }
    if not marks:
        return summary
    other = family.baseline or "the best of its column"
    words = f"{SIGNIFICANT} differs from {other} (p < {family.alpha:g}). {how_compared(compared, False)}"
    explains = {**summary.explains, SIGNIFICANT: words}
    return replace(summary, marks=marks, caption=f"{summary.caption} {words}", explains=explains)


def best_system(result: EvaluationResult, measure: str) -> str:
    """Return the system with the highest mean; the first of equal ones."""
    means = [result.mean(system, measure) for system in result.systems]
    return result.systems[int(np.nanargmax(means))] if not np.isnan(means).all() else result.systems[0]


def with_one(compared: Sequence[Comparison], measure: str, system: str) -> list[Comparison]:
    """Return the comparisons of one system with each other one by a measure, the others second."""
    of_system = [one for one in compared if one.measure == measure and system in (one.first, one.second)]
    return [one if one.first == system else one.turned() for one in of_system]


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
    table = Table("contrasts", f"{measure}, largest contrast first", tuple(columns), tuple(data))
    at = len(columns) - 3
    return missing_marked(table, result, {at: (measure, first), at + 1: (measure, second)}, chosen)


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
        Column("Convention", "text", key="convention", prose=True),
        Column("Measure", "text", key="measure"),
        Column("Computed as", "text", key="computed_as", prose=True),
        *(Column(system) for system in result.systems),
        Column("In words", "text", key="in_words", prose=True),
    )
    return Table.of_rows("conventions", title, columns, rows)
