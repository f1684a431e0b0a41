"""Means over parts of the queries, such as those of one tag."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotator.evaluation.results import EvaluationResult


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
