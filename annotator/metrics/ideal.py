"""The ideal ordering: what the best ranking would have been, and what reordering alone could gain."""

import numpy as np

from annotator.metrics.collection import Floats, Ints, Ranked
from annotator.metrics.measures import Measure

SMALL = 1e-12


def ideal(ranked: Ranked, least: Ints | None = None) -> Ranked:
    """Return rankings of everything judged, highest grade first; `least` (int64[q]) is the lowest taken in.

    The system's own rankings do not matter: what it never retrieved stands in the ideal ordering too.

    >>> ideal(Ranked.of_rankings([[0, 3]], missed=[[5]])).grade.tolist()
    [5, 3, 0]
    """
    query, place, grade = ranked.judged_query, ranked.judged_place, ranked.judged
    if least is not None:
        kept = grade >= least[query]
        query, place, grade = query[kept], place[kept], grade[kept]
    lengths = np.bincount(query, minlength=ranked.n_queries)
    return Ranked.build(query, place, grade, lengths, ranked.judged_query, ranked.judged)


def reordered(ranked: Ranked) -> Ranked:
    """Return the system's own candidates in their best order: judged ones first, highest grade first."""
    order = np.lexsort((-ranked.grade.astype(np.int64), ranked.query))
    place = np.arange(1, len(order) + 1) - ranked.hit_offsets[ranked.query]
    return Ranked.build(
        ranked.query, place, ranked.grade[order], ranked.retrieved, ranked.judged_query, ranked.judged
    )


def has_ideal(measure: Measure) -> bool:
    """Say whether some ordering is better than another under the measure, and which is known."""
    return measure.needs == "grades" and not measure.declaration.only_shown and measure.claims("ideal")


def ideal_for(measure: Measure, prepared: Ranked) -> Ranked:
    """Return the ideal rankings of prepared ones; low grades stay out where the list is better without."""
    least = np.full(prepared.n_queries, prepared.judged.min(initial=0), dtype=np.int64)
    value = measure.value(ideal(prepared))
    for grade in np.unique(prepared.judged)[1:]:
        other = measure.value(ideal(prepared, np.full_like(least, grade)))
        least[other > value + SMALL] = grade
        value = np.maximum(value, other)
    return ideal(prepared, least)


def ideal_value(measure: Measure, ranked: Ranked) -> Floats:
    """Return the value of the ideal ordering of every query, float64[q]."""
    return measure.value(ideal_for(measure, measure.prepared(ranked)))


def reordered_value(measure: Measure, ranked: Ranked) -> Floats:
    """Return the value of every query with the system's own candidates in their best order, float64[q].

    >>> from annotator.metrics.catalogue import parse
    >>> reordered_value(parse("AP"), Ranked.of_rankings([[0, 1], [1, 0]], missed=[[1], []])).tolist()
    [0.5, 1.0]
    """
    return measure.value(reordered(measure.prepared(ranked)))
