"""Merging two copies of a project: the union of their events, and of the content that imports brought.

The result does not depend on the order of the two, and merging again changes nothing: a copy that holds all
events of the other keeps its content, which is what they state. Where both sides changed the same value
without knowing of each other, the later event counts and the other is listed as a conflict; neither is lost,
both stand in the ledger.
"""

import heapq
import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import groupby, permutations
from pathlib import Path
from typing import Any

from annotator import kept_files
from annotator.errors import DamagedError, ProjectError
from annotator.storage.care import integrity
from annotator.storage.content import plain_rows, rebuild, standing, withdrawal
from annotator.storage.content.plain_rows import Value
from annotator.storage.file import access
from annotator.storage.ledger import current_values, event_fold, events
from annotator.storage.ledger.events import Event
from annotator.storage.reads import arrays, holdings
from annotator.storage.store import Store
from annotator.tasks import declared
from annotator.watch import UNWATCHED, Watch


@dataclass(frozen=True, slots=True)
class Conflict:
    """A value that both sides changed: what counts now and what the other side had.

    `kind` is the task of events and `subject` theirs; for content that differs the kind is `queries`,
    `documents` or `answers`, for a run `run`. `annotator` is whose value it is, empty for the project's.
    """

    kind: str
    subject: tuple[str, ...]
    annotator: str
    kept: Any
    other: Any


@dataclass(frozen=True, slots=True)
class Merged:
    """What a merge did: events of each side alone, of both, and the conflicts.

    `related` is false for different projects that have no query in common. `brought` counts the events of the
    second side alone by annotator and task.
    """

    only_first: int
    only_second: int
    both: int
    conflicts: tuple[Conflict, ...]
    related: bool
    brought: tuple[tuple[str, str, int], ...] = ()


def merge(
    first: Path, second: Path, target: Path, *, unrelated: bool = False, watch: Watch = UNWATCHED
) -> Merged:
    """Merge two project files into a new one.

    Raises ProjectError when a file is no project, the target exists, or the two are not related and may not
    be `unrelated`; DamagedError when a file does not match its own hashes, or the two hold different events
    under one name; and Stopped. No file is left then.
    """
    looks, reads, writes = watch.parts([4, 2, 6])
    with access.telling(f"{first.name} or {second.name}"), ExitStack() as opened:
        sides = [
            opened.enter_context(checked(path, part))
            for path, part in zip((first, second), looks.parts([1, 1]), strict=True)
        ]
        akin = related(*sides)
        if not (akin or unrelated):
            raise ProjectError(
                f"{first.name} and {second.name} are different projects that have no query in common, so "
                "nothing was merged. Name another copy of the same project, or merge with --unrelated."
            )
        sizes = [db.execute("SELECT count(*) FROM event").fetchone()[0] for db in sides]
        ledgers = [
            list(part.each(events.all_events(db), size, "events"))
            for db, size, part in zip(sides, sizes, reads.parts(sizes), strict=True)
        ]
        union = united(ledgers)
        names = [{event.identity for event in ledger} for ledger in ledgers]
        alone = names[0] - names[1], names[1] - names[0]
        identity, created = min(
            db.execute("SELECT identity, created FROM project").fetchone() for db in sides
        )
        mode = kept_files.mode_of(first) & kept_files.mode_of(second)
        with (
            Store.create(target, identity=identity, created=created, mode=mode) as store,
            store.writing(checked=False) as db,
            writes.over(db),
        ):
            wholes = [side for side, other in zip(sides, alone[::-1], strict=True) if not other]
            conflicts = write(db, wholes or sides, union, alone, writes)
        both = len(names[0] & names[1])
        said = Counter(
            (one.annotator, one.task)
            for one in ledgers[1]
            if one.identity in alone[1] and not (one.task == "import" and "with" in one.after)
        )
        brought = tuple((*what, said[what]) for what in sorted(said))
        return Merged(len(alone[0]), len(alone[1]), both, tuple(conflicts), akin, brought)


@contextmanager
def checked(path: Path, watch: Watch) -> Iterator[sqlite3.Connection]:
    """Open a file for reading once all of it was proved sound."""
    with Store.open(path, read_only=True) as store, watch.over(store.db):
        part = f"Checking {path.name}"
        findings = integrity.check(
            store.db, replace(watch, on_progress=lambda done, total, _: watch.step(done, total, part))
        )
        if findings:
            raise DamagedError(
                f"{path.name} is not sound ({findings[0]}), so nothing was merged. Restore a backup first."
            )
        yield store.db


def related(first: sqlite3.Connection, second: sqlite3.Connection) -> bool:
    """Tell whether two files are copies of one project, or at least ask some of the same queries."""
    identities, queries = (
        [{row[0] for row in db.execute(sql)} for db in (first, second)]
        for sql in ("SELECT identity FROM project", "SELECT external FROM query")
    )
    return identities[0] == identities[1] or not queries[0].isdisjoint(queries[1])


def united(ledgers: Iterable[Iterable[Event]]) -> list[Event]:
    """Return the union of events in fold order."""
    events_by_hash: dict[str, Event] = {}
    for event in (event for ledger in ledgers for event in ledger):
        if events_by_hash.setdefault(event.identity, event).hash != event.hash:
            raise DamagedError(
                f"The two files hold different events under the name {event.identity}: one was altered."
            )
    return sorted(events_by_hash.values(), key=lambda one: (one.clock, one.session, one.sequence))


Sides = tuple[set[str], set[str]]
"""The names of the events that one side has, and of those that the other has."""

CONTENT: dict[str, Callable[[sqlite3.Connection], Iterator[Value]]] = {
    "queries": plain_rows.queries,
    "documents": plain_rows.documents,
    "answers": plain_rows.answers,
}


def write(
    db: sqlite3.Connection, sides: list[sqlite3.Connection], union: list[Event], alone: Sides, watch: Watch
) -> list[Conflict]:
    """Write the events and the united content, and return the conflicts."""
    recorded = {event.subject for event in union if event.task == "text"}
    withdrawn = {event.undoes for event in union if event.task == "import" and event.undoes}
    runs = {
        (run.event, run.name): (side, run)
        for side in sides
        for run in holdings.runs(side, current_only=False)
        if run.event not in withdrawn
    }
    counts = [dict(side.execute("SELECT name, rows FROM digest").fetchall()) for side in sides]
    totals = {kind: max(one.get(kind, 0) for one in counts) for kind in CONTENT}
    rows = sum(run.rows for _, run in runs.values())
    judged = max(side.execute("SELECT count(*) FROM imported").fetchone()[0] for side in sides)
    sizes = [len(union), *(4 * total for total in totals.values()), rows, judged, len(union) + judged]
    into_ledger, *of_texts, of_runs, of_judged, rest = watch.parts(sizes)
    conflicts = list(changed_on_both_sides(union, alone))
    keys = rebuild.put_events(db, into_ledger.each(union, len(union), "events"))
    gone = standing.gone(db)
    content = dict(zip(CONTENT, of_texts, strict=True))

    def texts(kind: str) -> Iterator[tuple[str, Value]]:
        apart: list[Conflict] = []
        united = united_rows([CONTENT[kind](side) for side in sides], (keys, gone), kind, alone, apart)
        yield from content[kind].each(united, totals[kind], kind)
        conflicts.extend(one for one in apart if (kind, *one.subject) not in recorded)

    rebuild.put_queries(db, keys, ((name, plain_rows.query_of(row)) for name, row in texts("queries")))
    rebuild.put_documents(db, keys, ((name, plain_rows.document_of(row)) for name, row in texts("documents")))
    rebuild.put_answers(db, keys, ((name, plain_rows.answer_of(row)) for name, row in texts("answers")))
    ordered = sorted(runs.values(), key=lambda each: (keys[each[1].event], each[1].name))
    for part, (side, run) in zip(of_runs.parts([run.rows for _, run in ordered]), ordered, strict=True):
        rebuild.put_run(db, keys, run.event, arrays.run_table(side, run), run.sha256, part)
    put_imported(db, sides, keys, withdrawn, of_judged)
    rebuild.put_named(db, union)
    conflicts += brought_apart(db, keys, alone)
    rebuild.finish(db, rest)
    if withdrawn:
        if (unstated := standing.withdrawn_unstated(db)) and all(alone):
            withdrawal.unused(db, unstated)
        standing.delete_unnamed(db, standing.withdrawn(db))
    return conflicts


def put_imported(
    db: sqlite3.Connection,
    sides: list[sqlite3.Connection],
    keys: rebuild.Keys,
    withdrawn: Container[str],
    watch: Watch,
) -> None:
    """Write the judgments that imports in force brought to either side."""
    brought = {
        name: (side, event) for side in sides for event, name in plain_rows.imports_with_judgments(side)
    }
    in_force = [(name, *brought[name]) for name in brought if name not in withdrawn]
    of_import = "SELECT count(DISTINCT query) FROM imported WHERE event = ?"
    counts = [side.execute(of_import, (event,)).fetchone()[0] for _, side, event in in_force]
    for (name, side, event), queries, part in zip(in_force, counts, watch.parts(counts), strict=True):
        values = part.each(plain_rows.imported(side, event), queries, "judgments")
        rebuild.put_imported(db, keys, name, ((value["query"], value["grades"]) for value in values))


def changed_on_both_sides(union: Iterable[Event], alone: Sides) -> Iterable[Conflict]:
    """Return where an event did not know the value that the events before it came to, once for each value.

    Each of the two is an event of one side alone: what a side has of both was told when they were merged.
    What is kept is what the last event came to.
    """
    found: dict[tuple[str, str, tuple[str, ...]], Conflict] = {}
    last: dict[tuple[str, str, tuple[str, ...]], Event] = {}
    for event in union:
        task = declared(event.task)
        if not task.kept:
            continue
        who = event.annotator if task.own else ""
        key = (event.task, who, event.subject)
        before = last.get(key)
        if (
            before is not None
            and any(event.identity in one and before.identity in other for one, other in (alone, alone[::-1]))
            and event.before != before.after
            and event.after != before.after
        ):
            found[key] = Conflict(event.task, event.subject, who, event.after, before.after)
        last[key] = event
    kept = ((replace(one, kept=last[key].after), one.other) for key, one in found.items())
    return [one for one, other in kept if one.kept != other]


SAID_APART = """
WITH alone(side, event, place) AS (
    SELECT 0, value ->> 0, value ->> 1 FROM json_each(?)
    UNION ALL SELECT 1, value ->> 0, value ->> 1 FROM json_each(?)
),
said(side, place, task, annotator, query, candidate, value) AS (
    SELECT side, place, task, annotator, i.query, candidate, json_object('state', 'graded', 'grade', grade)
    FROM alone JOIN event e ON e.id = alone.event JOIN imported i ON i.event = e.id
    UNION ALL SELECT side, place, task, annotator, q.id, c.id, after
    FROM alone JOIN event e ON e.id = alone.event AND task = 'grade'
    JOIN query q ON q.external = json_extract(subject, '$[0]')
    JOIN candidate c ON c.external = json_extract(subject, '$[1]')
),
newest AS (SELECT *, max(place) FROM said GROUP BY side, annotator, query, candidate)
SELECT name, q.external, c.external, iif(a.place > b.place, a.value, b.value),
    iif(a.place > b.place, b.value, a.value)
FROM newest a JOIN newest b USING (annotator, query, candidate) JOIN annotator ON annotator.id = a.annotator
JOIN query q ON q.id = a.query JOIN candidate c ON c.id = a.candidate
WHERE a.side = 0 AND b.side = 1 AND 'import' IN (a.task, b.task)
    AND a.value ->> '$.grade' IS NOT b.value ->> '$.grade' ORDER BY 1, 2, 3
"""


def brought_apart(db: sqlite3.Connection, keys: rebuild.Keys, alone: Sides) -> Iterator[Conflict]:
    """Yield where an import judged a pair, or brought a run, that the other side alone has otherwise.

    What an import only repeats is said where it was said first.
    """
    imports = db.execute("SELECT id FROM event WHERE task = 'import'").fetchall()
    if {key for (key,) in imports}.isdisjoint(keys[name] for names in alone for name in names):
        return
    places = event_fold.places(db)
    numbers = [
        current_values.canonical([[one, at] for one in said if (at := places.get(one, one)) in said])
        for said in ({keys[name] for name in names} for names in alone)
    ]
    for who, query, candidate, kept, other in db.execute(SAID_APART, numbers).fetchall():
        values = (json.loads(one) if one else None for one in (kept, other))
        yield Conflict("grade", (query, candidate), who, *values)
    newest = [
        {run.name: run for run in holdings.runs(db, current_only=False) if run.event in names}
        for names in alone
    ]
    for name in sorted(newest[0].keys() & newest[1].keys()):
        earlier, later = sorted((one[name] for one in newest), key=lambda run: keys[run.event])
        if earlier.digest != later.digest:
            yield Conflict("run", (name,), "", later.source, earlier.source)


def united_rows(
    sides: list[Iterator[Value]],
    imported: tuple[Mapping[str, int], Mapping[tuple[str, str], int]],
    kind: str,
    alone: Sides,
    conflicts: list[Conflict],
) -> Iterator[tuple[str, Value]]:
    """Yield (identity of the import, row) of rows that come sorted by id: the one of the last import.

    They are a conflict where an import of each side alone brought them: else it was told when the sides were
    merged before, or one side alone has another row than both had. What went with an import that was taken
    back is left out, but for a query's id, which something may name. `imported` are the keys of the events,
    and what `standing.gone` says.
    """
    keys, gone = imported
    for name, group in groupby(heapq.merge(*sides, key=plain_rows.row_id), key=plain_rows.row_id):
        rows = list(group)
        stood = gone.get((kind, name), 0)
        ordered = sorted(
            (keys[row["import"]], fullness(row), row)
            for row in rows
            if keys.get(row.get("import", ""), 0) > stood
        )
        if not ordered:
            if kind == "queries":
                yield "", {"id": name}
            continue
        kept, *others = [without_import(row) for *_, row in ordered[::-1]]
        told = any(new(one, alone[0]) and new(other, alone[1]) for one, other in permutations(rows, 2))
        conflicts += [
            Conflict(kind, (name,), "", kept, other)
            for other in others
            if told and any(kept.get(part) != value for part, value in other.items())
        ]
        yield ordered[-1][-1]["import"], kept


def without_import(row: Value) -> Value:
    """Return a row of content without the name of the import that brought it."""
    return {part: row[part] for part in row if part != "import"}


def new(row: Value, alone: set[str]) -> bool:
    """Say whether a row may come from one side alone, whose events these are; nobody knows it of some."""
    name = row.get("import")
    return name in alone if name else bool(alone)


def fullness(row: Value) -> tuple[int, str]:
    """Return an order in which a row with more in it comes later, the same on every computer."""
    return len(row), json.dumps(row, sort_keys=True)
