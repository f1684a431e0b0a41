"""Means over parts of the queries, such as those of one tag."""

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from annotator.evaluation.options import Options
from annotator.evaluation.results import EvaluationResult

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class TagMeans:
    """A measure's mean per system and tag: `values[s, t]`, NaN where nothing counts; `counts[t]` queries."""

    tags: tuple[str, ...]
    counts: tuple[int, ...]
    values: NDArray[np.float64]


def by_tag(result: EvaluationResult, measure: str) -> TagMeans:
    """Return the means over the queries of each tag, tags in alphabetical order.

    A query with several tags counts under each of them, so the parts need not add up to the whole.
    """
    tags = tuple(sorted({tag for of_query in result.tags for tag in of_query}))
    members = [[at for at, of_query in enumerate(result.tags) if tag in of_query] for tag in tags]
    values = np.full((len(result.systems), len(tags)), np.nan)
    for row, system in enumerate(result.systems):
        scores = result.of(system, measure)
        for column, queries in enumerate(members):
            if (result.counted[row, queries] & ~np.isnan(scores[queries])).any():
                values[row, column] = result.mean(system, measure, queries)
    return TagMeans(tags, tuple(len(one) for one in members), values)


def of_chosen(result: EvaluationResult, options: Options) -> EvaluationResult:
    """Return a result over those of its queries that the options choose: there may be none."""
    if not options.queries and not options.tags:
        return result
    ids, tags = frozenset(options.queries), frozenset(options.tags)
    tagged = result.tags or ((),) * len(result.query_ids)
    chosen = {
        query
        for query, own in zip(result.query_ids, tagged, strict=True)
        if (not ids or query in ids) and (not tags or tags.intersection(own))
    }
    return narrowed(result, chosen)


def selected(result: EvaluationResult, systems: Sequence[str], measures: Sequence[str]) -> EvaluationResult:
    """Return a result of some of its systems and measures, which are named as they are there."""
    rows = np.array([result.systems.index(one) for one in systems], np.int64)
    places = np.array([result.position(one) for one in measures], np.int64)
    tied = None if result.tied is None else result.tied[rows]
    reach = result.tie_range if tied is not None and (tied > 0).any() else None
    return replace(
        result,
        systems=tuple(systems),
        measures=tuple(result.measures[at] for at in places),
        scores=result.scores[rows][:, places],
        counted=result.counted[rows],
        retrieved=None if result.retrieved is None else result.retrieved[rows],
        judged_at_10=None if result.judged_at_10 is None else result.judged_at_10[rows],
        tied=tied,
        tie_range=None if reach is None else reach[:, rows][:, :, places],
    )


def narrowed(result: EvaluationResult, queries: Container[str]) -> EvaluationResult:
    """Return a result over some of its queries; the others are named nowhere in it."""
    kept = np.array([query in queries for query in result.query_ids], dtype=bool)
    places = np.flatnonzero(kept).tolist()

    def of(values: tuple[T, ...]) -> tuple[T, ...]:
        return tuple(values[at] for at in places) if values else ()

    return replace(
        result,
        query_ids=of(result.query_ids),
        query_texts=of(result.query_texts),
        tags=of(result.tags),
        scores=result.scores[:, :, kept],
        counted=result.counted[:, kept],
        retrieved=None if result.retrieved is None else result.retrieved[:, kept],
        relevant=None if result.relevant is None else result.relevant[kept],
        judged=None if result.judged is None else result.judged[kept],
        judged_at_10=None if result.judged_at_10 is None else result.judged_at_10[:, kept],
        tied=None if result.tied is None else result.tied[:, kept],
        tie_range=None if result.tie_range is None else result.tie_range[:, :, :, kept],
        left_out=tuple((query, why) for query, why in result.left_out if query in queries),
    )
