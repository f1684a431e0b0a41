"""The ideal ordering: what the best ranking would have been, and what reordering alone could gain."""

import numpy as np

from annotator.metrics.collection import Floats, Ranked, only_retrieved
from annotator.metrics.measures import Measure


def ideal(ranked: Ranked, rel: int | None = None) -> Ranked:
    """Return rankings of everything judged, highest grade first; with `rel` of the relevant ones alone.

    The system's own rankings do not matter: what it never retrieved stands in the ideal ordering too.

    >>> ideal(Ranked.of_rankings([[0, 3]], missed=[[5]])).grade.tolist()
    [5, 3, 0]
    """
    kept = ranked.judged >= rel if rel is not None else np.ones(len(ranked.judged), dtype=bool)
    query, place = ranked.judged_query[kept], ranked.judged_place[kept]
    lengths = np.bincount(query, minlength=ranked.n_queries)
    return Ranked.build(query, place, ranked.judged[kept], lengths, ranked.judged_query, ranked.judged)


def reordered(ranked: Ranked) -> Ranked:
    """Return the system's own candidates in their best order: judged ones first, highest grade first."""
    order = np.lexsort((-ranked.grade.astype(np.int64), ranked.query))
    place = np.arange(1, len(order) + 1) - ranked.hit_offsets[ranked.query]
    return Ranked.build(
        ranked.query, place, ranked.grade[order], ranked.retrieved, ranked.judged_query, ranked.judged
    )


def has_ideal(measure: Measure) -> bool:
    """Say whether some ordering is better than another under the measure."""
    return measure.needs == "grades" and not measure.declaration.only_shown


def ideal_for(measure: Measure, ranked: Ranked) -> Ranked:
    """Return the ideal rankings under a measure: a set measure is best when only relevant ones are in."""
    if measure.parameters.get("over") == "retrieved":
        ranked = only_retrieved(ranked)
    return ideal(ranked, measure.rel if measure.family == "Sets" else None)


def ideal_value(measure: Measure, ranked: Ranked) -> Floats:
    """Return the value of the ideal ordering of every query, float64[q]."""
    return measure.per_query(ideal_for(measure, ranked))


def reordered_value(measure: Measure, ranked: Ranked) -> Floats:
    """Return the value of every query with the system's own candidates in their best order, float64[q].

    >>> from annotator.metrics.catalogue import parse
    >>> reordered_value(parse("AP"), Ranked.of_rankings([[0, 1], [1, 0]], missed=[[1], []])).tolist()
    [0.5, 1.0]
    """
    return measure.per_query(reordered(ranked))
