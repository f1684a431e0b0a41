"""How far the annotators of a project agree, what they disagree on, and who settles it."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from textwrap import shorten

import numpy as np
from numpy.typing import NDArray

from annotator import grades
from annotator.errors import UserError
from annotator.evaluation import agreement_tables
from annotator.evaluation.agreement import Coefficient, PairAgreement, among, between
from annotator.evaluation.correlations import Correlation, correlation
from annotator.evaluation.options import Options
from annotator.evaluation.result_table import Table
from annotator.evaluation.subsets import narrowed, of_chosen
from annotator.project.blinding_shift import blind_shifts
from annotator.project.browse import SHOWN_TEXT
from annotator.project.citations import cited_in, cited_words
from annotator.project.grade_table import NO_GRADE, Graded, graded_of
from annotator.project.judged_by import settled_by
from annotator.project.judging import checked
from annotator.project.preferences import texts_of
from annotator.project.project import Project
from annotator.project.project_scores import evaluated
from annotator.project.self_agreement import self_agreement
from annotator.project.settings import setting, value_of
from annotator.project.state import as_called, decided_alone, named_pairs
from annotator.project.stored_values import settled_grade
from annotator.project.views import Change, Pair, Written, written_in
from annotator.storage.ledger import current_values
from annotator.storage.reads import arrays, holdings, lookup
from annotator.storage.reads.states import State
from annotator.tasks import CITATION, PREFERENCE, SUPPORT, checked_level
from annotator.watch import UNWATCHED, Watch

Ints = NDArray[np.int64]
BEGINNING = 40
"""So many characters of each of two answers name the pair."""


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
class Disagreement(Pair):
    """A candidate that two or more graded differently; `settled` is the adjudicated grade, if there is one.

    `grades` are ascending and without names: who adjudicates need not know who said what. Of one that is
    settled they may have come to agree since, or be gone: it counts all the same. `model` is the grade by a
    model that differs from theirs, not to be told before it is settled.
    """

    grades: tuple[int, ...]
    settled: int | None
    model: int | None = None
    ending: tuple[str, ...] = ()
    """What its subject says after query and candidate, where it is no grade."""

    @property
    def range(self) -> int:
        """The distance between the highest and the lowest grade."""
        return self.grades[-1] - self.grades[0] if self.grades else 0


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


def disagreements(
    state: State, at_least: int = 1, with_settled: bool = False, only: Container[str] | None = None
) -> list[Disagreement]:
    """Return what people graded differently by `at_least`, the furthest apart first, then by ids.

    What is settled already is left out unless asked for, and then all of it is there, for it counts whatever
    became of the grades. Queries that are not among `only` are left out always.
    """
    graded = graded_of(state, only)
    table = graded.table[:, [not model for model in graded.models]]
    apart = graded.pairs.codes[_range(table) >= max(at_least, 1)]
    settled, settled_grade = state.settled
    known = dict(zip(settled.codes.tolist(), settled_grade.tolist(), strict=True))
    listed = np.union1d(apart, settled.codes) if with_settled else np.setdiff1d(apart, settled.codes)
    pairs = named_pairs(state, arrays.Pairs(listed >> 32, listed & 0xFFFFFFFF), range(len(listed)))
    given = {
        code: tuple(sorted(grade for grade in row if grade != NO_GRADE))
        for code, row in zip(graded.pairs.codes.tolist(), table.tolist(), strict=True)
        if code in known or len(set(row)) > 1
    }
    disputed = [
        Disagreement(*pair, given.get(code, ()), known.get(code))
        for pair, code in zip(pairs, listed.tolist(), strict=True)
        if only is None or pair[2] in only
    ]
    disputed = with_endings(state, disputed)
    return sorted(disputed, key=lambda one: (-one.range, one.query_id, one.candidate_id))


def with_endings(state: State, disputed: Sequence[Disagreement]) -> list[Disagreement]:
    """Return disagreements with what their subjects say after query and candidate, where it is no grade."""
    if not state.items:
        ending = (state.judged_by,) if state.judged_by else ()
        return [replace(one, ending=ending) for one in as_called(state, disputed)]
    with state.rows() as db:
        of = [state.items[one.candidate] for one in disputed]
        keys = current_values.known_keys(db, "candidate", {subject[1] for subject in of})
        both = state.judged_by == PREFERENCE.name  # then two answers are called by how their texts begin
        names = {name for subject in of for name in subject[1 if both else 2 :]}
        called = lookup.texts_of_answers(db, names)
        if both:
            called = {name: shorten(text, BEGINNING, placeholder="…") for name, text in called.items()}
        cited = cited_words(db, of) if state.judged_by == CITATION.name else {}
    return [
        replace(
            one,
            candidate=keys[subject[1]],
            candidate_id=cited.get(subject, " · ".join(called.get(name, name) for name in subject[1:])),
            ending=subject[2:],
        )
        for one, subject in zip(disputed, of, strict=True)
    ]


def adjudicate(
    project: Project,
    query: int,
    candidate: int,
    grade: int | None,
    reason: str = "",
    milliseconds: int | None = None,
    *,
    annotator: str | None = None,
    judged_by: str = "",
    ending: tuple[str, ...] = (),
) -> Change:
    """Settle a disagreement by a grade that wins over every combining rule; None takes it back.

    It is an action of the project's annotator, or of the one named, who gave it before another took over;
    their undo takes it back, and it is no grade of theirs. What is `judged_by` in the place of the grades has
    levels in theirs. Raises UserError for a number that is not on the scale.
    """
    task, usual, levels = settled_by({"aspects": value_of(project, "aspects")}, judged_by)
    ending = ending or usual
    if grade is not None and checked_level(task, grade) not in range(levels):
        raise UserError(f"{grade} is no level of {judged_by}; they go from 0 to {levels - 1}.")
    value = None if grade is None else {"grade": grade, "reason": checked(reason, "reason")}
    store, who = project.store, annotator or project.annotator
    with store.writing() as db:
        subject = (*lookup.pair_ids(db, query, candidate), *ending)
        before = store.value(who, task, subject)
        store.record(who, task, subject, value, milliseconds=milliseconds, how="adjudication")
    return Change(
        task,
        query,
        candidate,
        settled_grade(before),
        grade,
        ending=ending,
        said=f"Settled: grade {grade}." if grade is not None else "No longer settled.",
    )


def shown(
    project: Project, query: int, candidate: int, judged_by: str = "", ending: tuple[str, ...] = ()
) -> tuple[str, tuple[Written, ...], str]:
    """Return what a query asks, all that a candidate says, and why it was settled as it is, if it is.

    That is its title, its text, and the passage that a predicted answer stands in, below the nugget that the
    `ending` names; or one of its sentences and the passage that it cites, or another answer beside it.
    """
    with project.store.reading() as db:
        asked = "".join(one.text for _, one in holdings.queries(db, [query]))
        task, usual, _ = settled_by({"aspects": setting(db, "aspects")}, judged_by)
        subject = (*lookup.pair_ids(db, query, candidate), *(ending or usual))
        settled = current_values.read(db, task, 0, subject) or {}
        content = lookup.contents(db, [candidate], 0)[candidate]
        text = lookup.full_text(db, candidate), written_in(content.fields)
        parts: tuple[Written, ...] = ((content.title, ""), text, (content.passage, ""))
        for one in cited_in(db, [content], SHOWN_TEXT).questions(candidate):
            if one.ending == ending:
                parts = ((one.title, ""), (one.meaning, ""), (one.passage, one.format))
        if judged_by == SUPPORT.name:
            nugget = dict(lookup.nuggets_of(db, query)).get(ending[0], {}).get("text", "")
            parts = (("NUGGET", ""), (nugget, ""), ("ANSWER", ""), *parts)
        if judged_by == PREFERENCE.name:
            other = current_values.candidate_key(db, ending[0])
            parts = (("FIRST", ""), *texts_of(db, candidate), ("SECOND", ""), *texts_of(db, other))
        return asked, tuple(one for one in parts if one[0]), settled.get("reason", "")


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


def _range(table: Ints) -> Ints:
    """Return the distance of the highest from the lowest grade of each row, -1 below two grades."""
    there = table != NO_GRADE
    high = table.max(axis=1, initial=NO_GRADE)
    low = np.where(there, table, grades.HIGHEST).min(axis=1, initial=grades.HIGHEST)
    return np.where(there.sum(axis=1) >= 2, high - low, -1)


def _by_query(state: State, graded: Graded, people: Sequence[int]) -> tuple[QueryAgreement, ...]:
    """Return how far apart people are on each query, the furthest first."""
    apart = _range(graded.table[:, list(people)])
    both = apart >= 0
    queries, row = np.unique(graded.pairs.query[both], return_inverse=True)
    items = np.bincount(row, minlength=len(queries))
    mean = np.bincount(row, apart[both], len(queries)) / np.maximum(items, 1)
    rows = [
        QueryAgreement(query, state.queries[query].id, count, far)
        for query, count, far in zip(queries.tolist(), items.tolist(), mean.tolist(), strict=True)
    ]
    return tuple(sorted(rows, key=lambda one: (-one.mean_range, one.query_id)))
