"""The scores of a few queries, as parts of a large evaluation give them, put together into one result.

A score depends on the ranking of its query and on what is judged of it, so a part that holds whole rankings
scores them as the whole would: the same numbers to the last bit.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from annotator.errors import UserError
from annotator.evaluation.evaluator import Collection, SystemRows, evaluate, strangers
from annotator.evaluation.options import Options
from annotator.evaluation.results import EvaluationResult, Provenance
from annotator.metrics.collection import Ranked


@dataclass(frozen=True, slots=True, eq=False)
class PartialResult:
    """What one part gives: the scores of its queries for its systems, before any system or query is chosen.

    `hits[s]` counts the judged candidates that a system returned; a system has no ranking for a query of the
    part where `result.retrieved` is 0.
    """

    name: str
    result: EvaluationResult
    hits: NDArray[np.int64]


def part_of(name: str, collection: Collection, options: Options, provenance: Provenance) -> PartialResult:
    """Evaluate a part, a collection of those queries alone that some system has a ranking for."""
    result = evaluate(collection, replace(options, systems=(), queries=(), tags=()), provenance)
    hits = np.array([len(one.ranked.rank) for one in collection.systems])
    return PartialResult(name, replace(result, notes=collection.notes, options=options), hits)


@dataclass
class _Overview:
    """What is said of all parts: their names, and by system (ranked, hit) and whether anything is tied.

    `rankings[q]` counts the systems that have a ranking for a query, whose place is given by its id.
    """

    place: Mapping[str, int]
    rankings: NDArray[np.int64]
    names: list[str] = field(default_factory=list)
    systems: dict[str, tuple[bool, bool]] = field(default_factory=dict)
    tied: set[str] = field(default_factory=set)
    left_out: dict[tuple[str, str], None] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)

    def take(self, part: PartialResult) -> None:
        """Add a part."""
        one = part.result
        assert one.retrieved is not None
        assert one.tied is not None
        self.names.append(part.name)
        known = np.array([self.place.get(name, -1) for name in one.query_ids], np.int64)
        self.rankings[known[known >= 0]] += (one.retrieved > 0).sum(axis=0)[known >= 0]
        self.left_out |= dict.fromkeys(one.left_out)
        self.notes |= dict.fromkeys(one.notes)
        for name, retrieved, tied, hits in zip(one.systems, one.retrieved, one.tied, part.hits, strict=True):
            ranked, hit = self.systems.get(name, (False, False))
            self.systems[name] = (ranked or bool(retrieved.any()), hit or bool(hits))
            self.tied |= {name} if (tied > 0).any() else set()


def joined(
    parts: Iterable[PartialResult],
    query_ids: Sequence[str],
    nothing: Ranked,
    options: Options,
    provenance: Provenance,
) -> EvaluationResult:
    """Return the result of all parts: systems by name, queries as given, no ranking where no part has one.

    `parts` is gone through twice, a part at a time. `nothing` are empty rankings of the queries beside what
    is judged. Raises UserError where the ranking of a query stands in two parts, MeasureError as `evaluate`
    does.
    """
    none = np.zeros(len(query_ids), np.int64)
    seen = _Overview({name: at for at, name in enumerate(query_ids)}, none.copy())
    for part in parts:
        seen.take(part)
    few = _judged_alone(nothing, seen.rankings < len(seen.systems))
    blank = Collection(
        query_ids=tuple(query_ids),
        systems=tuple(SystemRows(name, few, tied=none) for name in sorted(seen.systems)),
        left_out=tuple(seen.left_out),
    )
    whole = evaluate(blank, options, provenance)
    chosen = [seen.place[name] for name in whole.query_ids]
    whole = replace(
        whole,
        relevant=nothing.n_relevant(options.relevant_from)[chosen],
        judged=np.diff(nothing.judged_offsets)[chosen],
    )
    unknown = strangers({name: seen.systems[name] for name in whole.systems})
    return replace(_filled(whole, parts, seen), notes=(*seen.notes, *unknown))


def _judged_alone(nothing: Ranked, queries: NDArray[np.bool_]) -> Ranked:
    """Return empty rankings beside what is judged of some queries alone: of others no empty one is scored."""
    judged = np.diff(nothing.judged_offsets)
    offsets = np.concatenate(([0], np.cumsum(np.where(queries, judged, 0))))
    return replace(
        nothing, judged_offsets=offsets, judged=nothing.judged[np.repeat(queries, judged)], _kept={}
    )


def _filled(whole: EvaluationResult, parts: Iterable[PartialResult], seen: _Overview) -> EvaluationResult:
    """Return a result of empty rankings with the cells that parts have rankings for."""
    system = {name: at for at, name in enumerate(whole.systems)}
    query = {name: at for at, name in enumerate(whole.query_ids)}
    came_from = np.full((len(system), len(query)), -1)
    scores, counted, judged = whole.scores.copy(), whole.counted.copy(), whole.judged_at_10
    retrieved, tied = np.zeros_like(came_from), np.zeros_like(came_from)
    judged = None if judged is None else judged.copy()
    reach = _reach(whole) if seen.tied.intersection(whole.systems) else None
    for at, part in enumerate(parts):
        one = part.result
        columns = np.array([query.get(name, -1) for name in one.query_ids], np.int64)
        for row, name in enumerate(one.systems):
            if name not in system or one.retrieved is None or one.tied is None:
                continue
            here = np.flatnonzero((one.retrieved[row] > 0) & (columns >= 0))
            place, there = system[name], columns[here]
            twice = there[came_from[place, there] >= 0]
            if len(twice):
                first = seen.names[came_from[place, twice[0]]]
                raise split(whole.query_ids[twice[0]], name, first, part.name)
            came_from[place, there] = at
            scores[place][:, there] = one.scores[row][:, here]
            counted[place, there] = one.counted[row, here]
            retrieved[place, there] = one.retrieved[row, here]
            tied[place, there] = one.tied[row, here]
            if judged is not None and one.judged_at_10 is not None:
                judged[place, there] = one.judged_at_10[row, here]
            if reach is not None:
                reach[:, place][..., there] = _reach(one)[:, row][..., here]
    return replace(
        whole,
        scores=scores,
        counted=counted,
        retrieved=retrieved,
        tied=tied,
        judged_at_10=judged,
        tie_range=reach,
    )


def split(query: str, system: str, first: str, second: str) -> UserError:
    """Return what is said of a ranking that stands in two parts."""
    return UserError(
        f"The ranking of query {query} by {system} stands in {first} and in {second}, and is scored as a "
        "whole; put it into one file. “annotator partition” writes files that hold whole rankings."
    )


def _reach(result: EvaluationResult) -> NDArray[np.float64]:
    """Return the scores with ties at worst and at best; where there are none both are the scores."""
    if result.tie_range is not None:
        return result.tie_range
    known = np.array([one.claims("ties") for one in result.measures])
    return np.where(known[:, None], np.stack((result.scores, result.scores)), np.nan)
