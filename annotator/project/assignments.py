"""Who judges which queries: dealt by a lead, recorded as a whole, and how far everybody is with theirs.

Nobody is kept from other queries by it. What is recorded is who judges what, not only what it was dealt from,
so that queries which come later change nothing: they are nobody's until a lead assigns again.
"""

import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from annotator.errors import UserError
from annotator.evaluation.result_table import Column, Table
from annotator.project import lead_role
from annotator.project.dealing import Pair, covered, deal
from annotator.project.project import Project, refuse_names
from annotator.project.settings import setting
from annotator.project.views import Change
from annotator.storage.ledger import current_values
from annotator.storage.reads import arrays, lookup, practice, query_list
from annotator.tasks import ASSIGNMENT
from annotator.text.counts import counted
from annotator.watch import UNWATCHED, Watch

MOST = 1_000_000
"""No share or number of judgments is larger."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What an assignment is dealt from: people with their shares, judgments for each candidate, seed.

    With `numbers` the shares are numbers of queries, else parts in proportion, such as per cent. With `keep`
    people stay with what they have been assigned and what they have begun, as far as the shares let them.
    """

    shares: Mapping[str, int]
    judgments: int = 1
    seed: int = 1
    numbers: bool = False
    keep: bool = True


@dataclass(frozen=True, slots=True)
class Assignment:
    """Who judges which queries, by external ids, and what it was dealt from."""

    terms: Terms
    people: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Ground:
    """What is dealt: the queries with the sizes of their pools, who has begun which, who had which before.

    `people` are all whose names are known: who did something here, and to whom something is assigned.
    """

    people: tuple[str, ...]
    sizes: Mapping[str, int]
    begun: frozenset[Pair]
    before: Assignment | None


@dataclass(frozen=True, slots=True)
class Part:
    """What one person would get: queries, their candidates, and how many queries are shared with whom."""

    name: str
    queries: int
    candidates: int
    shared: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far one person is with what is assigned to them; `last` is when they did something (UTC ms)."""

    name: str
    queries: int
    complete: int
    candidates: int
    decided: int
    last: int | None

    @property
    def share(self) -> float | None:
        """The part of the candidates that is decided on, None without any."""
        return self.decided / self.candidates if self.candidates else None


def assignment(project: Project) -> Assignment | None:
    """Return the assignment that holds now."""
    with project.store.reading() as db:
        return _assignment(db)


def people(project: Project) -> tuple[str, ...]:
    """Return everybody who did something here or to whom something is assigned, by name."""
    with project.store.reading() as db:
        return _people(db)


def ground(project: Project, watch: Watch = UNWATCHED) -> Ground:
    """Read what there is to deal: every query but those for practice."""
    with project.store.reading() as db, watch.over(db):
        keys, ids = arrays.external_ids(db, "query")
        id_of = dict(zip(keys.tolist(), ids, strict=True))
        sizes, left_out = _pool_sizes(db), set(practice.queries(db).tolist())
        return Ground(
            _people(db),
            {one: sizes.get(key, 0) for key, one in id_of.items() if key not in left_out},
            frozenset((id_of[query], name) for query, name in query_list.begun(db)),
            _assignment(db),
        )


def deal_out(ground: Ground, terms: Terms, watch: Watch = UNWATCHED) -> Assignment:
    """Return who would judge what; nothing is recorded. Raises UserError for terms that make no sense."""
    shares = {name: share for name, share in terms.shares.items() if share}
    if not shares:
        raise UserError("Nobody is named with a share; name at least one person.")
    for words, number in (("judgments", terms.judgments), *shares.items()):
        if not 1 <= number <= MOST:
            raise UserError(f"The number for {words} goes from 1 to {MOST:,}, not {number:,}.")
    if not ground.sizes:
        raise UserError("There is no query to assign yet; import some first.")
    before = ground.before.people if ground.before is not None and terms.keep else {}
    people = deal(
        ground.sizes.keys(),
        shares,
        terms.judgments,
        terms.seed,
        {(query, name) for query, names in before.items() for name in names},
        ground.begun if terms.keep else frozenset(),
        covered(ground.sizes.keys(), shares, terms.judgments) if terms.numbers else None,
        watch,
    )
    return Assignment(
        replace(terms, shares=shares), {query: tuple(sorted(people[query])) for query in sorted(people)}
    )


def parts(ground: Ground, planned: Assignment) -> list[Part]:
    """Return what everybody would get, in the order in which they are named."""
    queries, candidates = Counter[str](), Counter[str]()
    shared: dict[str, Counter[str]] = {name: Counter() for name in planned.terms.shares}
    for query, names in planned.people.items():
        for name in names:
            queries[name] += 1
            candidates[name] += ground.sizes.get(query, 0)
            shared[name].update(other for other in names if other != name)
    return [
        Part(name, queries[name], candidates[name], tuple(sorted(shared[name].items())))
        for name in planned.terms.shares
    ]


def assign(project: Project, planned: Assignment) -> Change:
    """Record who judges what; raises UserError for who is no lead, and for a name that nobody can have."""
    lead_role.refuse_others(project)
    with project.store.reading() as db:
        refuse_names(db, planned.terms.shares)
    return _record(project, _value(planned))


def take_back(project: Project) -> Change:
    """Record that nothing is assigned any more; raises UserError for who is no lead."""
    lead_role.refuse_others(project)
    return _record(project, None)


def progress(project: Project) -> tuple[list[Progress], int]:
    """Return how far everybody is, by name, and how many queries are nobody's; it tells no grade."""
    with project.store.reading() as db:
        now = _assignment(db)
        if now is None:
            return [], 0
        sizes = _pool_sizes(db)
        everybody = sorted({*now.terms.shares, *(name for names in now.people.values() for name in names)})
        shown = [_progress(db, name, sizes) for name in everybody]
        whose = {*current_values.known_keys(db, "query", now.people).values(), *practice.queries(db).tolist()}
        return shown, lookup.counts(db)["queries"] - len(whose)


def left_over(queries: int) -> str:
    """Return a sentence about the queries that nobody is to judge."""
    if not queries:
        return "Every query is assigned."
    are = "is" if queries == 1 else "are"
    return f"{counted(queries, 'query', 'queries')} {are} assigned to nobody."


def parts_table(people: Collection[Part]) -> Table:
    """Return what everybody would get, or has got, as a table."""
    columns = (
        Column("Person", "text", key="name"),
        Column("Queries", "count", key="queries"),
        Column("Candidates", "count", key="candidates"),
        Column("Queries shared with", "text", key="shared"),
    )
    rows = [
        (one.name, one.queries, one.candidates, ", ".join(f"{name} {many}" for name, many in one.shared))
        for one in people
    ]
    return Table.of_rows("assigned", "Who judges how much", columns, rows)


def progress_table(people: Collection[Progress], told: Callable[[int], str]) -> Table:
    """Return how far everybody is as a table; `told` writes when somebody did something last."""
    columns = (
        Column("Person", "text", key="name"),
        Column("Queries", "count", key="queries"),
        Column("Complete", "count", key="complete"),
        Column("Candidates", "count", key="candidates"),
        Column("Done", "count", key="decided"),
        Column("Done, %", "share", 3, key="share"),
        Column("Last active", "text", key="last"),
    )
    rows = [
        (
            one.name,
            one.queries,
            one.complete,
            one.candidates,
            one.decided,
            one.share,
            None if one.last is None else told(one.last),
        )
        for one in people
    ]
    return Table.of_rows("progress", "How far everybody is", columns, rows)


def _progress(db: sqlite3.Connection, name: str, sizes: Mapping[int, int]) -> Progress:
    mine = query_list.assigned(db, name).tolist()
    key = lookup.annotator_key(db, name)
    decided = query_list.decided(db, key, mine)
    return Progress(
        name,
        len(mine),
        sum(0 < sizes.get(query, 0) <= decided.get(query, 0) for query in mine),
        sum(sizes.get(query, 0) for query in mine),
        sum(decided.values()),
        lookup.last_active(db, key),
    )


def _people(db: sqlite3.Connection) -> tuple[str, ...]:
    now = _assignment(db)
    known = {name for _, name, kind, *_ in lookup.annotators(db) if kind == "person"}
    return tuple(sorted(known | {*(now.terms.shares if now is not None else ())}))


def _pool_sizes(db: sqlite3.Connection) -> dict[int, int]:
    """Return how many candidates the pool of each query holds, by keys."""
    queries, sizes = np.unique(arrays.pools(db, setting(db, "pool_depth")).query, return_counts=True)
    return dict(zip(queries.tolist(), sizes.tolist(), strict=True))


def _assignment(db: sqlite3.Connection) -> Assignment | None:
    value = current_values.read(db, ASSIGNMENT.name, 0, ())
    if value is None:
        return None
    people = {query: tuple(group["people"]) for group in value["groups"] for query in group["queries"]}
    numbers = bool(value.get("counted"))
    return Assignment(Terms(value["shares"], value["judgments"], value["seed"], numbers), people)


def _value(planned: Assignment) -> dict[str, Any]:
    """Return an assignment as it is stored: those queries together that the same people judge."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for query in sorted(planned.people):
        groups.setdefault(planned.people[query], []).append(query)
    terms = planned.terms
    return {
        "groups": [{"people": list(names), "queries": groups[names]} for names in sorted(groups)],
        "judgments": terms.judgments,
        "seed": terms.seed,
        "shares": dict(terms.shares),
    } | ({"counted": True} if terms.numbers else {})


def _record(project: Project, value: dict[str, Any] | None) -> Change:
    with project.store.writing():
        before = project.store.value(project.annotator, ASSIGNMENT.name, ())
        event = project.store.record(project.annotator, ASSIGNMENT.name, (), value, how="asked")
    if event is None:
        said = "This is so already; nothing was changed."
    elif value is None:
        said = "Nothing is assigned any more."
    else:
        queries = sum(len(group["queries"]) for group in value["groups"])
        people = counted(len(value["shares"]), "person", "people")
        said = f"Assigned {counted(queries, 'query', 'queries')} to {people}."
    return Change(ASSIGNMENT.name, before=before, after=value, said=said)
