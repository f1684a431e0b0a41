"""One state of a project, read once as plain values: as it is, or folded from the ledger as it was."""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from annotator.errors import DamagedError, ProjectError
from annotator.grades import GRADES
from annotator.records import Query
from annotator.storage.ledger import event_fold, events
from annotator.storage.ledger.current_values import Subject, canonical, known_keys
from annotator.storage.ledger.events import LAST, Until
from annotator.storage.reads import arrays, holdings
from annotator.storage.reads import practice as practice_queries
from annotator.storage.reads.arrays import Ints, Judgments, Pairs
from annotator.storage.reads.holdings import StoredRun
from annotator.storage.store import Store
from annotator.tasks import PAIR, STATED, Task, parts, settling


@dataclass(frozen=True, slots=True)
class Late:
    """Events before others that were recorded earlier: how many, whose the first is, its time (UTC ms)."""

    count: int
    annotator: str
    time: int


class Said(NamedTuple):
    """One current value: whose it is (a key, 0 for the project's), about what, and what was said."""

    annotator: int
    subject: Subject
    value: Any


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """What the project holds at one moment; what is computed from one state belongs together.

    `end` is the key of the ledger's last event when it was read. `settings` are by name, `queries` by key in
    order of arrival. Those of `practice` are not among them, and nothing of them is anywhere else: they count
    in nothing.

    The others are those of the moment `as_of`, the present when that is empty: `until` says which events
    count, `late` which are left out for their time though others behind them count, `head` is the ledger's
    then, `changed` the time of the last one that changed something (UTC ms), `annotators` are (key, name,
    kind, graded, decided) in the order they came, `settled` the adjudicated pairs and their grades, `gold`
    the values of gold answers (see `current`) by query key, `said` what holds of each task that is `stated`.

    `judged` are grades, or what stands in their place (`instead`): then that is called `judged_by`, has so
    many `levels`, and where a subject is more than a query and a candidate, `items` has it by what stands for
    its candidate.

    What never changes is not held but looked up: `rows`.
    """

    store: Store
    head: str
    end: int
    changed: int | None
    settings: Mapping[str, Any]
    queries: Mapping[int, Query]
    practice: Mapping[int, Query]
    unblinded: int
    until: Until
    annotators: tuple[tuple[int, str, str, int, int], ...]
    judged: Judgments
    settled: tuple[Pairs, Ints]
    gold: Mapping[int, dict[str, Any]]
    runs: tuple[StoredRun, ...]
    said: Mapping[str, tuple[Said, ...]]
    as_of: str = ""
    late: "Late | None" = None
    judged_by: str = ""
    levels: int = len(GRADES)
    items: tuple[Subject, ...] = ()

    def of_queries(self, pairs: Pairs) -> Pairs:
        """Return those of some pairs, as of a run, that are not of practice queries."""
        kept = ~np.isin(pairs.query, [*self.practice])
        return Pairs(pairs.query[kept], pairs.candidate[kept])

    @contextmanager
    def rows(self) -> Iterator[sqlite3.Connection]:
        """Give a connection for what stays as it was brought: rankings, names, events `until`.

        Raises ProjectError when an import was taken back meanwhile, as its rows are deleted.
        """
        with self.store.reading() as db, self.unless_withdrawn(db):
            yield db

    @contextmanager
    def unless_withdrawn(self, db: sqlite3.Connection) -> Iterator[None]:
        """Raise ProjectError, whatever is missing inside, when an import was taken back since."""
        try:
            yield
        except (LookupError, ValueError, DamagedError):
            self._refuse(db, "task = 'import' AND undoes NOT NULL")
            raise
        self._refuse(db, "task = 'import' AND undoes NOT NULL")

    def refuse_imported(self, db: sqlite3.Connection) -> None:
        """Raise ProjectError when something was imported since, which may have replaced texts."""
        self._refuse(db, "task = 'import'")

    def _refuse(self, db: sqlite3.Connection, test: str) -> None:
        row = db.execute(f"SELECT undoes FROM event WHERE id > ? AND {test} LIMIT 1", (self.end,)).fetchone()
        if row is not None:
            what = "taken back" if row[0] else "made"
            raise ProjectError(f"An import was {what} meanwhile, so this was given up. Start it again.")


def present(store: Store, db: sqlite3.Connection) -> State:
    """Return the state as it is, in short reads; it is one when the ledger has the same head behind them."""
    head = events.head(db)
    end, changed = db.execute(
        "SELECT coalesce(max(id), 0), max(time) FILTER (WHERE task <> 'session') FROM event"
    ).fetchone()
    practice = practice_queries.queries(db).tolist()
    judged = _without(arrays.judgments(db), practice)
    state = State(
        store,
        head,
        end,
        changed,
        holdings.settings(db),
        dict(holdings.queries(db)),
        {},
        _unblinded(judged, db.execute("SELECT annotator, query FROM value WHERE task = 'unblind'")),
        Until(end),
        _annotators(db, judged),
        judged,
        arrays.adjudications(db),
        holdings.gold(db),
        tuple(holdings.runs(db)),
        _said(holdings.values_of(db, STATED)),
    )
    return _leaving_out(state, practice)


def _said(values: Iterable[tuple[tuple[str, int, str], str]]) -> dict[str, tuple[Said, ...]]:
    """Return current values ((task, annotator, subject as JSON), JSON text) by task, in one order."""
    said: dict[str, list[Said]] = {}
    for (task, who, subject), value in sorted(values):
        said.setdefault(task, []).append(Said(who, tuple(json.loads(subject)), json.loads(value)))
    return {task: tuple(some) for task, some in said.items()}


def _without(judged: Judgments, queries: Sequence[int]) -> Judgments:
    return judged.where(~np.isin(judged.query, queries)) if len(queries) else judged


def _leaving_out(state: State, practice: Sequence[int]) -> State:
    """Return a state without what it holds of practice queries beside the judgments."""
    queries = dict(sorted({**state.queries, **state.practice}.items()))
    left_out = {key: queries.pop(key) for key in practice if key in queries}
    pairs, grades = state.settled
    kept = ~np.isin(pairs.query, practice)
    ids = {one.id for one in left_out.values()}

    def kept_of(task: str, one: Said) -> bool:
        return parts(task, one.subject).get("query") not in ids

    return replace(
        state,
        queries=queries,
        practice=left_out,
        settled=(Pairs(pairs.query[kept], pairs.candidate[kept]), grades[kept]),
        gold={key: value for key, value in state.gold.items() if key not in left_out},
        said={task: tuple(one for one in some if kept_of(task, one)) for task, some in state.said.items()},
    )


def _unblinded(judged: Judgments, asked: Iterable[tuple[int, int]]) -> int:
    """Return in how many queries somebody who judged had asked to see scores; who only looked does not count.

    `asked` are (annotator, query), as keys.
    """
    decided = judged.state > 0
    judges = set(zip(judged.annotator[decided].tolist(), judged.query[decided].tolist(), strict=True))
    return len({query for who, query in asked if (who, query) in judges})


def _annotators(db: sqlite3.Connection, judged: Judgments) -> tuple[tuple[int, str, str, int, int], ...]:
    """Return (key, name, kind, graded, decided) of every annotator, in the order they came."""
    rows = db.execute("SELECT id, name, kind FROM annotator ORDER BY id").fetchall()
    keys = [key for key, _, _ in rows]
    graded, decided = (
        np.searchsorted(who, keys, "right") - np.searchsorted(who, keys)
        for who in (judged.annotator[judged.grade >= 0], judged.annotator[judged.state > 0])
    )
    counts = zip(graded.tolist(), decided.tolist(), strict=True)
    return tuple((*row, *both) for row, both in zip(rows, counts, strict=True))


def after(state: State, db: sqlite3.Connection, until: Until, as_of: str) -> State:
    """Return a state with what it had when only the events `until` counted."""
    folded = event_fold.fold(db, until)
    ids = dict(db.execute("SELECT external, id FROM query").fetchall())
    candidates = dict(db.execute("SELECT external, id FROM candidate").fetchall())
    gold, settled, unblinded, practice = {}, [], [], []
    for (task, who, subject), value in folded.values.items():
        query, *rest = json.loads(subject) or [""]
        if task == "unblind" and query in ids:
            unblinded.append((who, ids[query]))
        elif task == "practice" and query in ids:
            practice.append(ids[query])
        elif task == "gold" and query in ids:
            gold[ids[query]] = json.loads(value)
        elif task == "adjudication" and query in ids and rest[0] in candidates:
            settled.append((ids[query], candidates[rest[0]], json.loads(value)["grade"]))
    query_keys, candidate_keys, grades = arrays.table(sorted(settled), 3)
    order = {run.key: run for run in holdings.runs(db, current_only=False)}
    current = {}
    brought = (
        "SELECT run.id, system, event FROM run JOIN event ON event.id = event "
        "WHERE event.id <= ? AND event.time <= ? ORDER BY event, run.id"
    )
    for key, system, when in db.execute(brought, until).fetchall():
        if when not in folded.withdrawn:
            current[system] = order[key]
    judged = _without(_judgments(db, folded), practice)
    changed = "SELECT max(time) FROM event WHERE task <> 'session' AND id <= ? AND time <= ?"
    earlier = replace(
        state,
        head=events.head(db, until),
        changed=db.execute(changed, until).fetchone()[0],
        unblinded=_unblinded(judged, unblinded),
        until=until,
        annotators=_annotators(db, judged),
        judged=judged,
        settled=(Pairs(query_keys, candidate_keys), grades),
        gold=gold,
        runs=tuple(current[system] for system in sorted(current)),
        said=_said((of, value) for of, value in folded.values.items() if of[0] in STATED),
        as_of=as_of,
        late=late(db, until),
    )
    return _leaving_out(earlier, practice)


def instead(state: State, task: Task, ending: Subject) -> State:
    """Return a state in which what was said under a task, of subjects with this `ending`, is what is judged.

    Its levels stand where the grades stand, what settles it where the adjudicated grades do. What is judged
    of a query or a candidate that is no longer there is left out.
    """
    keys = {one.id: key for key, one in state.queries.items()}
    before = len(task.subject) - len(ending)
    given, settled = (
        [one for one in state.said.get(name, ()) if one.subject[0] in keys and one.subject[before:] == ending]
        for name in (task.name, settling(task).name)
    )
    with state.rows() as db:
        there = known_keys(db, "candidate", {one.subject[1] for one in (*given, *settled)})
        items = tuple(sorted({one.subject for one in (*given, *settled) if one.subject[1] in there}))
        pairs = task.subject[:before] == PAIR
        place = {one: there[one[1]] if pairs else at for at, one in enumerate(items)}
        rows = sorted(
            (who, keys[of[0]], place[of], 1, value["grade"], value.get("time", -1), 0)
            for who, of, value in given
            if of in place
        )
        fixed = sorted((keys[of[0]], place[of], value["grade"]) for _, of, value in settled if of in place)
        judged = Judgments(*arrays.table(rows, 7))
        query, candidate, grade = arrays.table(fixed, 3)
        return replace(
            state,
            judged=judged,
            settled=(Pairs(query, candidate), grade),
            annotators=_annotators(db, judged),
            items=() if pairs else items,
        )


def late(db: sqlite3.Connection, until: Until) -> Late | None:
    """Return what stands before an event that counts but was recorded after the time, None for nothing."""
    if until.time == LAST:
        return None
    (behind,) = db.execute("SELECT max(id) FROM event WHERE id <= ? AND time <= ?", until).fetchone()
    row = db.execute(
        "SELECT count(*), min(event.id) FROM event WHERE id < ? AND time > ?", (behind or 0, until.time)
    ).fetchone()
    if not row[0]:
        return None
    first = db.execute(
        "SELECT name, time FROM event JOIN annotator ON annotator.id = annotator WHERE event.id = ?",
        (row[1],),
    ).fetchone()
    return Late(row[0], *first)


def snapshot_event(db: sqlite3.Connection, name: str) -> int | None:
    """Return the key of the event that took a snapshot, None when no snapshot has this name."""
    row = db.execute(
        "SELECT max(id) FROM event WHERE subject = ? AND task = 'snapshot'", (canonical([name]),)
    ).fetchone()
    return None if row[0] is None else int(row[0])


def snapshots(db: sqlite3.Connection) -> list[tuple[str, dict[str, Any], int, str]]:
    """Return (name, value, time, annotator) of the snapshots, oldest first."""
    taken = []
    for name, value in holdings.snapshots(db).items():
        key = snapshot_event(db, name)
        row = db.execute(
            "SELECT time, name FROM event JOIN annotator ON annotator.id = annotator WHERE event.id = ?",
            (key,),
        ).fetchone()
        taken.append((key, name, value, *row))
    return [tuple(one[1:]) for one in sorted(taken)]


def _judgments(db: sqlite3.Connection, folded: event_fold.Folded) -> Judgments:
    states = {state: code for code, state in enumerate(arrays.STATES)}
    hows = {how: code for code, how in enumerate(arrays.HOWS)}
    rows = [
        (who, query, candidate, states[state], -1 if grade is None else grade, time or -1, hows.get(how, 0))
        for who, query, candidate, state, grade, time, beside in event_fold.judgment_rows(db, folded.winners)
        for how in (json.loads(beside).get("how", ""),)
    ]
    return Judgments(*arrays.table(rows, 7))
