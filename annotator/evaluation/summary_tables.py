"""A result as tables: over all queries, per query, by tag, what is unjudged. Screen and report show these."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from annotator.evaluation.grade_combination import RULE_NAMES
from annotator.evaluation.missing_rankings import (
    NO_RANKING,
    lacking_in_words,
    missing_in_words,
    missing_marked,
    of_no_ranking,
)
from annotator.evaluation.options import Options
from annotator.evaluation.result_table import INTERVALS, Cell, Cells, Column, Place, Table
from annotator.evaluation.results import EvaluationResult, Provenance
from annotator.evaluation.statistics import describe, mean_interval
from annotator.evaluation.subsets import by_tag
from annotator.metrics.measures import Measure
from annotator.text.counts import counted

ESTIMATED = (
    *("Mean", "95% low", "95% high", "Bootstrap low", "Bootstrap high", "SD"),
    *("Min", "Lower quartile", "Median", "Upper quartile", "Max"),
)
LEAST = 2 + ESTIMATED.index("Min")
JUDGED = "Judged@10"
JUDGED_NOTE = (
    "The share of the first 10 ranks that is judged: how far the scores beside it can be trusted. "
    "A rank that the system left empty is not judged."
)


def used(result: EvaluationResult, row: int, at: int) -> NDArray[np.float64]:
    """Return the values of one system under one measure that its mean is made of."""
    values = result.scores[row, at]
    kept: NDArray[np.float64] = values[result.counted[row] & ~np.isnan(values)]
    return kept


def summary(result: EvaluationResult) -> Table:
    """Return systems x measures: each the mean, with its 95% interval."""
    columns = [Column("System", "text", key="system"), *(measure_column(one) for one in result.measures)]
    data: list[Cells] = [list(result.systems)]
    intervals: dict[Place, tuple[float, float]] = {}
    for at, measure in enumerate(result.measures):
        data.append([result.mean(system, measure.name) for system in result.systems])
        for row in range(len(result.systems)):
            values = used(result, row, at)
            if measure.declaration.aggregation == "mean" and len(values) > 1:
                interval = mean_interval(values, span=measure.range)
                intervals[row, at + 1] = (interval.low, interval.high)
    if result.judged_at_10 is not None:
        columns.append(Column(JUDGED, decimals=3, note=JUDGED_NOTE, key="judged_at_10"))
        data.append(
            result.judged_at_10.mean(axis=1) if len(result.query_ids) else [None] * len(result.systems)
        )
    note = "How many queries count in the system's means."
    columns.append(Column("Queries", "count", note=note, key="queries"))
    data.append(result.counted.sum(axis=1))
    between = {INTERVALS: ", with 95% intervals"} if intervals else {}
    of_passages = any(one.needs == "passages" for one in result.measures)
    passages = "InPassage counts only answers whose passage is known." if of_passages else ""
    means = f"Means over the queries{between.get(INTERVALS, '')}{other_aggregates(result)}."
    words = (means, lacking_in_words(result), passages, basis(result))
    caption = " ".join(filter(None, words))
    return Table("summary", "Means", tuple(columns), tuple(data), caption, {}, intervals, between)


def other_aggregates(result: EvaluationResult) -> str:
    """Say of which measures no arithmetic mean is shown, but a sum or a geometric mean; "" for none."""
    kinds = {one.declaration.aggregation: list[str]() for one in result.measures}
    for one in result.measures:
        kinds[one.declaration.aggregation].append(one.name)
    return "".join(f"; of {', '.join(kinds[kind])} the {kind}" for kind in kinds if kind != "mean")


def measure_column(measure: Measure, system: str = "") -> Column:
    """Return the column of a measure's values, of one system where named."""
    low, high = measure.range
    best = None if measure.declaration.only_shown else "high"
    return Column(
        f"{measure.name} {system}".strip(),
        best=best if not system else None,  # type: ignore[arg-type]
        note=f"{measure.title}. {measure.sentence} {measure.blind_spot.said}",
        bar=(low, high) == (0, 1),
        decimals=0 if measure.declaration.aggregation == "sum" else 4,
    )


def basis(result: EvaluationResult) -> str:
    """Return the sentence about where relevance comes from, empty where nothing is relevant or not."""
    known = result.provenance
    by_grades = bool(known.annotators or known.settled) and result.judged_at_10 is not None
    asked = by_grades or result.options.relevance is not None
    return judgment_basis(result.options, known) if asked else ""


def judgment_basis(options: Options, known: Provenance) -> str:
    """Say in a sentence where relevance comes from: how grades become one only where there are several."""
    if options.relevance is not None:
        match = options.relevance
        return (
            f"Relevant is what matches a gold answer by {match.match} from {match.threshold:g} on "
            f"({match.normaliser}; credited {match.credit}, {match.gains} gains)."
        )
    whose = ""
    if len(known.annotators) == 1:
        whose = f" of one annotator, {known.annotators[0]}"
    elif known.annotators:
        whose = f", several annotators combined by the {RULE_NAMES[options.combine]}"
    settled = counted(known.settled, "candidate counts", "candidates count")
    source = known.judged_by if options.judged_by else "the grades"
    return f"Relevance comes from {source}{whose}{f'; {settled} as settled' if known.settled else ''}."


def estimates(result: EvaluationResult) -> Table:
    """Return a row per system and measure: mean with both intervals, deviation, quartiles, queries."""
    rows: list[tuple[Cell, ...]] = []
    lacking: dict[str, int] = {}
    marks: dict[Place, str] = {}
    for row, system in enumerate(result.systems):
        for at, measure in enumerate(result.measures):
            values = used(result, row, at)
            gone = of_no_ranking(result, system, measure.name) & result.counted[row]
            if gone.any():
                marks[len(rows), LEAST] = NO_RANKING
                lacking[system] = max(lacking.get(system, 0), int(gone.sum()))
            if not len(values):
                rows.append((system, measure.name, *[None] * len(ESTIMATED), 0, None))
                continue
            one = describe(values, result.options.seed, measure.range)
            by_mean = measure.declaration.aggregation == "mean"
            intervals = (one.mean.low, one.mean.high, one.bootstrap.low, one.bootstrap.high)
            five = (one.lowest, one.lower_quartile, one.median, one.upper_quartile, one.highest)
            rows.append(
                (
                    system,
                    measure.name,
                    result.mean(system, measure.name),
                    *(intervals if by_mean else [None] * 4),
                    one.deviation,
                    *five,
                    len(values),
                    int(gone.sum()),
                )
            )
    columns = (
        Column("System", "text", key="system"),
        Column("Measure", "text", key="measure"),
        *(Column(name, key=name.lower().replace("95% ", "").replace(" ", "_")) for name in ESTIMATED),
        Column("Queries", "count", key="queries"),
    )
    caption = f"95% intervals over the queries: Student's t, and bootstrap (seed {result.options.seed})."
    if marks:
        caption = f"{caption} {missing_in_words(lacking.values())}"
        columns = (*columns, Column("No ranking", "count", key="no_ranking", note="They count as 0."))
    rows = [row[: len(columns)] for row in rows]
    return Table.of_rows("estimates", "Estimates", columns, rows, caption, marks)


def per_query(result: EvaluationResult) -> Table:
    """Return one row per query: every measure for every system, what is relevant and judged."""
    columns = [Column("Query", "text", key="query")]
    data: list[Cells] = [result.query_ids]
    if any(result.query_texts):
        columns.append(Column("Text", "text", key="text"))
        data.append(result.query_texts)
    single, scores = len(result.systems) == 1, {}
    for at, measure in enumerate(result.measures):
        for row, system in enumerate(result.systems):
            scores[len(columns)] = measure.name, system
            columns.append(measure_column(measure, "" if single else system))
            data.append(result.scores[row, at])
    for title, counts in (("Relevant", result.relevant), ("Judged", result.judged)):
        if counts is not None:
            columns.append(Column(title, "count", key=title.lower()))
            data.append(counts)
    table = Table("per-query", "Per query", tuple(columns), tuple(data))
    return missing_marked(table, result, scores, np.arange(len(result.query_ids)))


def tags(result: EvaluationResult) -> Table:
    """Return the mean of every measure for every system over the queries of each tag."""
    rows: list[tuple[Cell, ...]] = []
    for measure in result.measures:
        means = by_tag(result, measure.name)
        for column, (tag, count) in enumerate(zip(means.tags, means.counts, strict=True)):
            rows.append((tag, measure.name, *means.values[:, column].tolist(), count))
    columns = (
        Column("Tag", "text", key="tag"),
        Column("Measure", "text", key="measure"),
        *(Column(system) for system in result.systems),
        Column("Queries", "count", key="queries"),
    )
    caption = "A query with several tags counts under each."
    return Table.of_rows("tags", "By tag", columns, sorted(rows, key=lambda one: str(one[0])), caption)


SHARES = {
    (True, True): "Shares of the first 10 ranks: judged, unjudged and empty together are 1.",
    (False, True): "How much of the first 10 ranks is empty.",
    (True, False): "Shares of the first 10 ranks.",
}
"""What is said of the shares, by whether it is known what is judged, and what is retrieved."""


def unjudged(result: EvaluationResult) -> Table:
    """Return how much of each system's top 10 is judged, unjudged and empty, and how many queries lack what.

    The three shares sum to 1.
    """
    rows = []
    for row, system in enumerate(result.systems):
        share = result.judged_at_10[row] if result.judged_at_10 is not None else None
        without = int((result.retrieved[row] == 0).sum()) if result.retrieved is not None else None
        full = np.minimum(result.retrieved[row], 10) / 10 if result.retrieved is not None else np.ones(1)
        judged = float(share.mean()) if share is not None and len(share) else None
        filled = float(full.mean()) if len(full) else 0.0
        rows.append(
            (
                system,
                judged,
                None if judged is None else filled - judged,
                None if result.retrieved is None else 1 - filled,
                int((share < full).sum()) if share is not None else None,
                without,
                len(result.left_out) + int((~result.counted[row]).sum()),
            )
        )
    columns = (
        Column("System", "text", key="system"),
        Column(JUDGED, decimals=3, note=JUDGED_NOTE, key="judged_at_10"),
        Column(
            "Unjudged@10", decimals=3, note="The share that has a candidate nobody judged.", key="unjudged"
        ),
        Column("Empty@10", decimals=3, note="The share that the system left empty.", key="empty"),
        Column("With unjudged", "count", key="queries_with_unjudged", note="Queries, in the first 10 ranks."),
        Column("No ranking", "count", key="queries_without_ranking", note="Queries: they count as 0."),
        Column("Left out", "count", key="queries_left_out", note="Queries that count in no mean."),
    )
    known = (result.judged_at_10 is not None, result.retrieved is not None)
    counts = ("those with something unjudged there",) * known[0] + ("those without a ranking",) * known[1]
    counted = f"Queries are counted: {', '.join((*counts, 'those left out of the means'))}."
    words = " ".join(filter(None, (SHARES.get(known), counted)))
    return Table.of_rows("unjudged", "What is unjudged", columns, rows, words)


def counting(result: EvaluationResult, system: str, texts: Mapping[str, str]) -> Table:
    """Return what a system's means are made of: each query, whether it counts and why not, and its top 10.

    `texts` are those of queries by their ids, for those that a result says nothing else of.
    """
    row = result.systems.index(system)
    texted = any(result.query_texts)
    rows: list[tuple[Cell, ...]] = [
        (query, *(texts.get(query, ""),) * texted, why, None, None, None) for query, why in result.left_out
    ]
    for at, query in enumerate(result.query_ids):
        text = result.query_texts[at : at + texted]
        filled = None if result.retrieved is None else min(int(result.retrieved[row, at]), 10)
        judged = None if result.judged_at_10 is None else round(10 * float(result.judged_at_10[row, at]))
        open_ones = None if filled is None or judged is None else filled - judged
        why = "counts" if result.counted[row, at] else why_not(result, at)
        rows.append((query, *text, why, judged, open_ones, None if filled is None else 10 - filled))
    columns = (
        *(Column(title, "text") for title in ("Query", *("Text",) * texted, "In the means")),
        *(Column(title, "count") for title in ("Judged in the top 10", "Unjudged", "Empty")),
    )
    counted = int(result.counted[row].sum())
    words = f"{counted:,} count in the means of {system}, {len(rows) - counted:,} do not."
    return Table.of_rows("counting", f"The queries of {system}", columns, rows, words)


def why_not(result: EvaluationResult, at: int) -> str:
    """Say why a query with scores counts in no mean."""
    if result.options.skip_without_relevant and result.relevant is not None and not result.relevant[at]:
        return "left out: nothing is relevant"
    return f"left out: not all judged to rank {result.options.fully_judged_to}"


def left_out(result: EvaluationResult) -> Table:
    """Return the queries that no mean contains, each with the reason."""
    columns = (Column("Query", "text", key="query"), Column("Why", "text", key="why"))
    return Table.of_rows("left-out", "Queries left out", columns, list(result.left_out))


def glossary(result: EvaluationResult) -> Table:
    """Return each measure of a result in words: what it says, what it cannot see, where it comes from."""
    titles = {
        "measure": "Measure",
        "name": "Name",
        "says": "What it says",
        "cannot_see": "What it cannot see",
        "source": "Source",
    }
    rows = [
        (one.name, one.title, one.sentence, one.blind_spot.said, one.declaration.source)
        for one in result.measures
    ]
    columns = tuple(Column(title, "text", key=key) for key, title in titles.items())
    return Table.of_rows("glossary", "The measures in words", columns, rows)
