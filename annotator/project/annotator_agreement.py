"""How far the annotators of a project agree, and what that does to the ranking of the systems."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from annotator.errors import UserError
from annotator.evaluation import agreement_tables
from annotator.evaluation.agreement import Coefficient, PairAgreement, among, between
from annotator.evaluation.correlations import Correlation, correlation
from annotator.evaluation.options import Options
from annotator.evaluation.result_table import Table
from annotator.evaluation.subsets import narrowed, of_chosen
from annotator.project.blinding_shift import blind_shifts
from annotator.project.grade_table import Graded, graded_of, ranges
from annotator.project.project_scores import evaluated
from annotator.project.self_agreement import self_agreement
from annotator.project.state import decided_alone
from annotator.storage.reads.states import State
from annotator.watch import UNWATCHED, Watch

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class NamedPair:
    """The agreement of two annotators; `with_model` says that one of them is not a person."""

    first: str
    second: str
    with_model: bool
    agreement: PairAgreement


@dataclass(frozen=True, slots=True)
class QueryAgreement:
    """How far apart the grades of one query are: items with two grades or more, and their mean range."""

    query: int
    query_id: str
    items: int
    mean_range: float
    text: str = ""


@dataclass(frozen=True, slots=True)
class ProjectAgreement:
    """The agreement of everybody in a project.

    `overall` is that of people and imported judgments, without models. `pairs` are all pairs who graded
    something in common; `queries` stand with the least agreement first. `together` says how many grades were
    not given on their own, and whether they count; it is empty without any.
    """

    annotators: tuple[str, ...]
    overall: tuple[Coefficient, ...]
    pairs: tuple[NamedPair, ...]
    queries: tuple[QueryAgreement, ...]
    together: str = ""


@dataclass(frozen=True, slots=True)
class RankingEffect:
    """What happens to the ranking of the systems when one annotator's grades alone decide.

    `means[a][s]` is system s's mean by annotator a, over `queries[a]` queries; `taus` are Kendall's tau-b of
    every two annotators.
    `together` is as in `ProjectAgreement`.
    """

    measure: str
    systems: tuple[str, ...]
    annotators: tuple[str, ...]
    means: tuple[tuple[float, ...], ...]
    queries: tuple[int, ...]
    taus: tuple[tuple[str, str, Correlation], ...]
    together: str = ""

    def table(self, called: Mapping[str, str] | None = None, most: int | None = None) -> Table:
        """Return a row per system; annotators under the names they are called by, else under their own.

        Of more than `most` pairs the caption names those alone that agree the least and the most.
        """
        known = called or {name: name for name in self.annotators}
        taus = [(known[a], known[b], tau) for a, b, tau in self.taus]
        names = [known[name] for name in self.annotators]
        given = (self.measure, self.systems, names, self.means, self.queries, taus, most)
        table = agreement_tables.rankings(*given)
        return table.noted(self.together)


def agreement(
    state: State, seed: int = 1, only: Container[str] | None = None, together: bool = False
) -> ProjectAgreement:
    """Return the coefficients of all people together and of every pair, with intervals.

    `only` keeps the grades of all other queries out of it. Those that were given with the rest of a query or
    with a near-duplicate are left out unless `together`.
    """
    state, said = decided_alone(state, together, only)
    graded = graded_of(state, only)
    people = [at for at, model in enumerate(graded.models) if not model]
    pairs = []
    for one, other in combinations(range(len(graded.names)), 2):
        agreed = between(graded.table[:, one], graded.table[:, other], state.levels, seed)
        if agreed.n:
            mixed = graded.models[one] or graded.models[other]
            pairs.append(NamedPair(graded.names[one], graded.names[other], mixed, agreed))
    return ProjectAgreement(
        graded.names,
        among(graded.table[:, people], state.levels, seed) if len(people) > 1 else (),
        tuple(pairs),
        _by_query(state, graded, people),
        said,
    )


def tables(state: State, options: Options, named: bool = False) -> list[Table]:
    """Return what a report says of agreement, and of shifts by unblinding.

    People have numbers unless `named`, in the order in which a result names them; models keep their names.
    """
    called = graded_of(state).called(named)
    selves = _selves(state, called)
    if len(called) < 2:
        return with_oneself(state, called)
    return [*_agreed(state, options, called, selves), *_shifts(state, called)]


def with_oneself(state: State, called: Mapping[str, str], side_by_side: bool = False) -> list[Table]:
    """Return the agreement with oneself and the shift by unblinding, each if there is any.

    `called` has the annotators to tell of, and the names they are called by. `side_by_side` is for reading:
    a column for each annotator instead of a row for each coefficient of each.
    """
    selves = _selves(state, called)
    shape = agreement_tables.by_group if side_by_side else agreement_tables.coefficients
    return [*([shape((), selves)] if selves else []), *_shifts(state, called)]


def _selves(state: State, called: Mapping[str, str]) -> list[tuple[str, str, PairAgreement]]:
    if state.judged_by:
        return []  # only grades are asked again
    selves = [(shown, "asked again", self_agreement(state, name)) for name, shown in called.items()]
    return [one for one in selves if one[2].n]


def _shifts(state: State, called: Mapping[str, str]) -> list[Table]:
    if state.judged_by:
        return []
    shifts = [
        (called[one.annotator], one.blind, one.seen, one.blind_mean, one.seen_mean, *one.shift[:3])
        for one in blind_shifts(state)
        if one.annotator in called
    ]
    return [agreement_tables.blind_shifts(shifts)] if shifts else []


def _agreed(
    state: State,
    options: Options,
    called: Mapping[str, str],
    selves: Sequence[tuple[str, str, PairAgreement]],
) -> list[Table]:
    """Return the tables of two annotators or more, under the names they are called by."""
    agreed = agreement(state, options.seed)
    pairs = [
        (called.get(one.first, one.first), called.get(one.second, one.second), one.agreement)
        for one in agreed.pairs
    ]
    effect = ranking_effect(state, options, list(called))
    return [
        agreement_tables.coefficients(agreed.overall, [*pairs, *selves]).noted(agreed.together),
        *(
            replace(agreement_tables.confusion(*one), key=f"confusion-{at}")
            for at, one in enumerate(pairs, 1)
        ),
        effect.table(called),
    ]


def ranking_effect(
    state: State,
    options: Options,
    annotators: Sequence[str] = (),
    only: Container[str] | None = None,
    together: bool = False,
    watch: Watch = UNWATCHED,
) -> RankingEffect:
    """Rank the systems by each annotator's judgments alone, under the first measure of the options.

    Empty `annotators` means all people who graded; who graded none of the queries that the options choose is
    left out. `only` keeps all other queries out of it. Grades that were given with the rest of a query or
    with a near-duplicate are left out unless `together`.
    """
    state, said = decided_alone(state, together, only)
    graded = graded_of(state)
    chosen = annotators or [
        name for name, model in zip(graded.names, graded.models, strict=True) if not model
    ]
    if not chosen:
        raise UserError("Nobody has graded anything yet, so there is no ranking of the systems.")
    means: dict[str, tuple[float, ...]] = {}
    queries: dict[str, int] = {}
    for at, name in enumerate(chosen):
        watch.tell(at, len(chosen), name)
        alone = replace(
            options, measures=options.measures[:1], annotator=name, relevance=None, queries=(), tags=()
        )
        result = of_chosen(evaluated(state, alone, watch=watch.silent), options)
        result = result if only is None else narrowed(result, only)
        measure, systems = result.measures[0].name, result.systems
        if result.query_ids:
            means[name] = tuple(result.mean(system, measure) for system in systems)
            queries[name] = int(result.counted.any(axis=0).sum())
    taus = tuple((a, b, correlation(means[a], means[b], "kendall")) for a, b in combinations(means, 2))
    counts = tuple(queries.values())
    return RankingEffect(measure, systems, tuple(means), tuple(means.values()), counts, taus, said)


def _by_query(state: State, graded: Graded, people: Sequence[int]) -> tuple[QueryAgreement, ...]:
    """Return how far apart people are on each query, the furthest first."""
    apart = ranges(graded.table[:, list(people)])
    both = apart >= 0
    queries, row = np.unique(graded.pairs.query[both], return_inverse=True)
    items = np.bincount(row, minlength=len(queries))
    mean = np.bincount(row, apart[both], len(queries)) / np.maximum(items, 1)
    rows = [
        QueryAgreement(query, state.queries[query].id, count, far, state.queries[query].text)
        for query, count, far in zip(queries.tolist(), items.tolist(), mean.tolist(), strict=True)
    ]
    return tuple(sorted(rows, key=lambda one: (-one.mean_range, one.query_id)))
