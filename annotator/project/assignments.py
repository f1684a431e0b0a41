"""Who judges which queries: dealt by a lead, recorded as a whole, and how far everybody is with theirs.

Nobody is kept from other queries by it. What is recorded is who judges what, not only what it was dealt from,
so that queries which come later change nothing: they are nobody's until a lead assigns again.
"""

import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Container, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from annotator.errors import UserError
from annotator.evaluation.result_table import Column, Table
from annotator.evaluation.results import Assigned
from annotator.project import lead_role
from annotator.project.dealing import Pair, covered, deal
from annotator.project.finished import finished_beside
from annotator.project.project import Project, refuse_names
from annotator.project.settings import setting
from annotator.project.views import Change
from annotator.storage.ledger import current_values, events
from annotator.storage.reads import arrays, lookup, practice, query_list
from annotator.storage.reads.states import State
from annotator.tasks import ASSIGNMENT
from annotator.text.counts import counted
from annotator.watch import UNWATCHED, Watch

MOST = 1_000_000
"""No share or number of judgments is larger."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What an assignment is dealt from: people with their shares, judgments for each candidate, seed.

    With `numbers` the shares are numbers of queries, else parts in proportion, such as per cent. With `keep`
    people stay with what they have begun, and with what else they have been assigned as far as the shares let
    them.
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
        keys, sizes = _queries(db), _sizes(arrays.pools(db, setting(db, "pool_depth")))
        id_of = {key: one for one, key in keys.items()}
        return Ground(
            _people(db),
            {one: sizes.get(key, 0) for one, key in keys.items()},
            frozenset((id_of[query], name) for query, name in query_list.begun(db) if query in id_of),
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
        keys, judged = _queries(db), arrays.judgments(db)
        done = {
            name: finished_beside(db, lookup.annotator_key(db, name), some)
            for name, some in _queries_of(now, keys).items()
        }
        shown = _so_far(db, now, keys, arrays.pools(db, setting(db, "pool_depth"), judged), judged, done)
        return shown, sum(one not in now.people for one in keys)


def assigned(state: State) -> Assigned | None:
    """Return what reports say of the assignment that held in a state, and of how far it was."""
    with state.rows() as db:
        newest = events.history(db, tasks=(ASSIGNMENT.name,), limit=1, until=state.until)
        if not newest or newest[0][1].after is None:
            return None
        now = _of_value(newest[0][1].after)
        depth, runs = state.settings["pool_depth"], [run.key for run in state.runs]
        pools = arrays.pooled(db, depth, runs, state.judged, state.settled[0])
        keys = {one.id: key for key, one in state.queries.items()}
        people = _so_far(db, now, keys, pools, state.judged)
    return Assigned(
        tuple(sorted(now.terms.shares.items())),
        now.terms.numbers,
        now.terms.judgments,
        now.terms.seed,
        newest[0][1].identity,
        sum(query in keys for query in now.people),
        sum(one.candidates for one in people),
        sum(one.decided for one in people),
    )


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


def _queries_of(now: Assignment, keys: Mapping[str, int]) -> dict[str, list[int]]:
    """Return the queries (by key) that each person has."""
    found: dict[str, list[int]] = {}
    for query, names in now.people.items():
        for name in names if query in keys else ():
            found.setdefault(name, []).append(keys[query])
    return found


def _so_far(
    db: sqlite3.Connection,
    now: Assignment,
    keys: Mapping[str, int],
    pools: arrays.Pairs,
    judged: arrays.Judgments,
    beside: Mapping[str, Container[int]] = {},
) -> list[Progress]:
    """Return how far everybody is, by name, with the queries that have `keys`.

    Those that somebody finished `beside`, who never grades, are done.
    """
    everybody = sorted({*now.terms.shares, *(name for names in now.people.values() for name in names)})
    known = {name: lookup.annotator_key(db, name) for name in everybody}
    sizes = _sizes(pools)
    said = ((judged.annotator << 32) | judged.query)[judged.state > 0]
    decided = dict(zip(*(part.tolist() for part in np.unique(said, return_counts=True)), strict=True))
    queries, complete, candidates, done = (Counter[str]() for _ in range(4))
    for query, names in now.people.items():
        if (key := keys.get(query)) is None:
            continue
        size = sizes.get(key, 0)
        for name in names:
            number = size if key in beside.get(name, ()) else decided.get(known[name] << 32 | key, 0)
            queries[name] += 1
            complete[name] += 0 < size <= number
            candidates[name] += size
            done[name] += number
    return [
        Progress(
            *(name, queries[name], complete[name], candidates[name], done[name]),
            last=lookup.last_active(db, known[name]),
        )
        for name in everybody
    ]


def _people(db: sqlite3.Connection) -> tuple[str, ...]:
    now = _assignment(db)
    known = {name for _, name, kind, *_ in lookup.annotators(db) if kind == "person"}
    return tuple(sorted(known | {*(now.terms.shares if now is not None else ())}))


def _queries(db: sqlite3.Connection) -> dict[str, int]:
    """Return the keys of all queries but those for practice, by their ids."""
    keys, ids = arrays.external_ids(db, "query")
    left_out = set(practice.queries(db).tolist())
    return {one: key for key, one in zip(keys.tolist(), ids, strict=True) if key not in left_out}


def _sizes(pools: arrays.Pairs) -> dict[int, int]:
    """Return how many candidates the pool of each query holds, by keys."""
    queries, sizes = np.unique(pools.query, return_counts=True)
    return dict(zip(queries.tolist(), sizes.tolist(), strict=True))


def _assignment(db: sqlite3.Connection) -> Assignment | None:
    value = current_values.read(db, ASSIGNMENT.name, 0, ())
    return None if value is None else _of_value(value)


def _of_value(value: Mapping[str, Any]) -> Assignment:
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
