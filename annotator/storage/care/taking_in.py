"""Taking events of other copies, and what their imports brought, into a project that people work in.

It comes to the same as merging the copies: events stand in their fold order, of two rows with one id the
same one counts, what withdrawn imports alone brought is gone. But only what the arrived events are about is
folded anew, and only they are written, so that a slice takes some milliseconds.
"""

import json
import sqlite3
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, NamedTuple

from annotator.errors import (
    DamagedError,
    DiskError,
    LockedError,
    ProjectError,
    ReadOnlyError,
    Stopped,
    UnclearError,
)
from annotator.records import RunTable
from annotator.storage.care import integrity, merger
from annotator.storage.content import bulk, contents, digests, plain_rows, rebuild, standing, withdrawal
from annotator.storage.ledger import arrivals, chain, current_values, event_fold, events
from annotator.storage.ledger.arrivals import Arrived
from annotator.storage.ledger.current_values import canonical
from annotator.storage.reads import holdings
from annotator.storage.store import Store
from annotator.tasks import GRADE, declared
from annotator.watch import UNWATCHED, Watch

REFUSED = (
    *(sqlite3.IntegrityError, ProjectError),
    *(LookupError, TypeError, ValueError, AttributeError, OverflowError),
)
"""What events raise that no copy of this program can have recorded."""


IMPORTS = (
    "WITH RECURSIVE brought(event) AS (SELECT min(event) FROM imported UNION ALL "
    "SELECT (SELECT min(event) FROM imported i WHERE i.event > brought.event) FROM brought "
    "WHERE event NOT NULL) "
    "SELECT annotator, id, after ->> '$.again', time FROM brought JOIN event ON event.id = brought.event"
)
"""Whose judgments came from which imports, and which these repeat: one look into an index for each."""


class Part(NamedTuple):
    """Some rows that an import brought, as the text twin has them: which `kind`, what is said before them.

    Those of a run may stand as its table already.
    """

    kind: str
    head: Mapping[str, Any]
    rows: list[Mapping[str, Any]]
    run: RunTable | None = None

    @property
    def ranked(self) -> RunTable:
        """The rows of a run as a table."""
        return self.run or plain_rows.run_of(self.head, self.rows)

    def prepared(self) -> "Part":
        """Return the same with the rows of a run as its table, where they are what they should be."""
        with suppress(*REFUSED):
            return self._replace(rows=[], run=self.ranked) if self.kind == "run" else self
        return self


Brought = Callable[[str], Iterable[Part]]
"""Gives all that the import with an identity brought, in the order in which it is put."""


@dataclass(slots=True)
class Taken:
    """What was taken in: the events, and of each session that has to wait, from where on and why."""

    events: list[Arrived] = field(default_factory=list)
    left: dict[str, tuple[int, str]] = field(default_factory=dict)


class Unknown(Exception):
    """An event is about a query or candidate that is not there (yet)."""

    def __init__(self, session: str, sequence: int, why: str) -> None:
        super().__init__(why)
        self.session, self.sequence = session, sequence


def take(
    store: Store,
    arrived: Sequence[Arrived],
    brought: Brought,
    taken_back: Set[str] = frozenset(),
    watch: Watch = UNWATCHED,
) -> Taken:
    """Take in events that are proved, sorted by their places, behind whatever each needs.

    `taken_back` names imports that events to come take back: of them nothing but texts may be there any more,
    and then they are taken in and back as one step. What cannot be taken is left out, with all that its
    session has behind it; the rest is one transaction, or several where something is wrong. One that the
    watch stops is as if it had not begun. Raises what writing raises, and Stopped where that was the first.
    """
    taken = Taken()
    taken_back = taken_back | undone(arrived)
    waiting = [[*arrived]]
    while waiting:
        some = [one for one in waiting.pop() if one.sequence < taken.left.get(one.session, (1 << 62,))[0]]
        if not some:
            continue
        try:
            with store.writing(checked=False) as db, watch.over(db):
                for piece in up_to_withdrawals(some):
                    put(store, db, piece, brought, (undone(some), taken_back), watch)
            taken.events += some
        except Unknown as missing:
            taken.left[missing.session] = missing.sequence, str(missing)
            waiting.append(some)
        except Stopped:
            if taken.events or taken.left:
                break
            raise
        except (DiskError, LockedError, ReadOnlyError, UnclearError):  # which say nothing of the events
            raise
        except REFUSED as error:
            if len(some) == 1:
                taken.left[some[0].session] = some[0].sequence, f"it cannot be taken in ({error})"
            else:
                half = len(some) // 2
                waiting += [some[half:], some[:half]]
    return taken


def undone(arrived: Iterable[Arrived]) -> set[str]:
    """Return the names of the imports that some events take back."""
    return {one.undoes for one in arrived if one.task == "import" and one.undoes}


def up_to_withdrawals(arrived: Iterable[Arrived]) -> Iterator[list[Arrived]]:
    """Yield events in pieces that end where an import is taken back: what comes later builds on that."""
    some: list[Arrived] = []
    for event in arrived:
        some.append(event)
        if event.task == "import" and event.undoes:
            yield some
            some = []
    if some:
        yield some


def put(
    store: Store,
    db: sqlite3.Connection,
    arrived: Sequence[Arrived],
    brought: Brought,
    taken_back: tuple[Set[str], Set[str]],
    watch: Watch,
) -> None:
    """Write events and content, and fold what they are about, in a transaction of the caller.

    `taken_back` are imports that this transaction takes back, and all of which that is known.
    """
    fresh = not chain.last(db).key
    (named,) = db.execute("SELECT coalesce(max(id), 0) FROM query").fetchone()
    keys = arrivals.insert(db, arrived)
    refuse_headless(db, arrived)
    imports = [one for one in arrived if one.task == "import"]
    texts = {one.about for one in arrived if one.task == "text"}
    begun = any(one.task == "session" for one in arrived)
    back = standing.withdrawn(db) if imports or texts or begun else []
    gone = standing.gone(db) if imports else {}
    refuse_unknown_imports(db, imports)
    for part, event in zip(watch.parts([1] * len(imports)), imports, strict=True):
        if event.undoes is None:
            is_gone = event.identity in taken_back[0] or event.identity in back
            try:
                texts |= put_content(db, keys[event.identity], event, brought, (gone, is_gone), part)
            except DamagedError as damage:
                why = f"it cannot be taken in ({damage})"
                raise Unknown(event.session, event.sequence, why) from damage
        else:
            withdrawal.delete_rows(db, standing.key_of(db, event.undoes))
            texts |= standing.take_away(db, event.after.get("gone", {}))
            texts |= {*withdrawal.texts_of(db, event.undoes)}
    missing, others = standing.missing_queries(db, arrived)
    back = back or (standing.withdrawn(db) if missing or others else [])
    missing |= others if back or taken_back[1] else set()
    contents.query_keys(db, sorted(missing))
    new = db.execute("SELECT external FROM query WHERE id > ? AND event IS NULL", (named,)).fetchall()
    texts |= standing.said_of(db, {canonical(["queries", name]) for (name,) in new})
    rebuild.put_named(db, arrived)
    fold_all(db, watch) if fresh else fold(db, arrived, watch)
    with digests.following(db, texts):
        standing.write_texts(db, back, watch.each(texts, len(texts), "texts"))
    if (missing and back) or any(one.identity in back or one.undoes for one in imports):
        withdrawal.unused(db, standing.withdrawn_unstated(db))
        standing.delete_unnamed(db, back, watch)
    if begun and back and taken_back[1] <= set(back):
        refuse_other_texts(db, arrived)
    ledger = store.file.ledger
    if ledger.session is not None:
        ledger.clock = max(ledger.clock, arrived[-1].clock)


def refuse_headless(db: sqlite3.Connection, arrived: Sequence[Arrived]) -> None:
    """Raise Unknown for a session that names, as where it began, events that were left out."""
    begun = [one for one in arrived if one.task == "session"]
    came = {one.hash for one in arrived}
    known = came | arrivals.known(db, {head for one in begun for head in one.after["heads"]} - came)
    for one in begun:
        if not known.issuperset(one.after["heads"]):
            raise Unknown(one.session, one.sequence, "it waits for events that were left out")


def refuse_unknown_imports(db: sqlite3.Connection, imports: Iterable[Arrived]) -> None:
    """Raise Unknown for the taking back of an import that is not there (yet), or of texts of such a one."""
    for one in imports:
        for name in {one.undoes, *one.after.get("gone", {})} if one.undoes else ():
            if events.find(db, name) is None:
                raise Unknown(one.session, one.sequence, "it waits for the import that it takes back")


def refuse_other_texts(db: sqlite3.Connection, arrived: Iterable[Arrived]) -> None:
    """Raise Unknown for a session that saw all events and yet states other texts than they leave here."""
    *_, last = (one for one in arrived if one.task in ("session", "import"))
    if last.task == "session" and (other := integrity.stated_otherwise(db)):
        why = f"it states other {' and '.join(other)} than an import that was taken back left here"
        raise Unknown(last.session, last.sequence, why)


def put_content(
    db: sqlite3.Connection,
    key: int,
    event: Arrived,
    brought: Brought,
    gone: tuple[Mapping[tuple[str, str], int], bool],
    watch: Watch,
) -> set[str]:
    """Put what an import brought; raises DamagedError for other content than it states.

    `gone` says of texts what `standing.gone` does, and whether the import is taken back, of which only texts
    are put. Returned are the subjects of texts that events may state otherwise.
    """
    runs: dict[str, str] = {}
    texts: set[str] = set()
    of_event = {event.identity: key}
    by_kind = groupby(brought(event.identity), key=lambda one: (one.kind, one.head.get("system")))
    for (kind, _), parts in by_kind:
        watch.look()
        if kind in current_values.TEXTS:
            for some in (some for part in parts for some in contents.chunks(part.rows)):
                watch.look()
                texts |= standing.put_texts(db, kind, key, some, gone[0])
        elif gone[1]:
            continue
        elif kind == "run":
            sha256, tables = "", []
            for part in parts:
                watch.look()
                sha256 = part.head["sha256"]
                tables.append(part.ranked)
            run = bulk.joined(tables)
            rebuild.put_run(db, of_event, event.identity, run, sha256, watch)
            runs[run.system] = db.execute("SELECT digest FROM run ORDER BY id DESC LIMIT 1").fetchone()[0]
        else:
            for part in parts:
                judged = ((row["query"], row["grades"]) for row in part.rows)
                rebuild.put_imported(db, of_event, event.identity, judged, watch)
    if gone[1]:
        return texts
    says = event.after
    stated = {one["system"]: one["digest"] for one in says.get("runs", ())}
    judgments = says.get("judgments")
    if runs != stated or (judgments and digests.stored_imported(db, key, watch=watch) != judgments["digest"]):
        raise DamagedError(f"what came of the import of {says.get('source')!r} is not what was imported")
    return texts


def fold(db: sqlite3.Connection, arrived: Iterable[Arrived], watch: Watch) -> None:
    """Bring the current tables, but for texts, up to date with what arrived events are about."""
    touched: dict[tuple[str, int, str], None] = {}
    whole: set[int] = set()
    moved = False
    people = {name: annotator_key(db, name) for name in {one.annotator for one in arrived}}
    for event in arrived:
        who = people[event.annotator]
        if event.task == "import":
            moved = True
            whole.add(who if event.undoes is None else imported_by(db, event.undoes))
        elif event.task != "text" and declared(event.task).kept:
            touched[event.task, current_values.owner(event.task, who), event.about] = None
    imports = imported_judgments(db)
    for task, who, subject in touched:
        if task != GRADE.name or who not in whole:
            write_newest(db, task, who, subject)
        if task == GRADE.name and who in imports and who not in whole:
            write_imported(db, who, subject, imports[who])
    for who in whole:
        folded = event_fold.fold(db, whose=who, watch=watch)
        db.execute("DELETE FROM judgment WHERE annotator = ?", (who,))
        rows = watch.each(event_fold.judgment_rows(db, folded.winners), 0, "judgments")
        db.executemany("INSERT INTO judgment VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    if moved:
        gone = frozenset(standing.key_of(db, one) for one in standing.withdrawn(db))
        event_fold.write_current_runs(db, gone)


def fold_all(db: sqlite3.Connection, watch: Watch) -> None:
    """Fold all events; raises Unknown for the first subject of a judgment that is not there."""
    for subject in event_fold.write_current(db, watch).unknown:
        session, sequence = db.execute(
            "SELECT identity, sequence FROM event JOIN session ON session.id = session "
            "WHERE subject = ? AND task = ? AND after NOT NULL ORDER BY event.id LIMIT 1",
            (subject, GRADE.name),
        ).fetchone()
        raise Unknown(session, sequence, f"the project does not hold {subject}")


def write_newest(db: sqlite3.Connection, task: str, who: int, subject: str) -> None:
    """Make what the last event about a subject left behind the current value; raises Unknown."""
    row = db.execute(
        "SELECT after, identity, sequence FROM event JOIN session ON session.id = session "
        "WHERE subject = ? AND task = ? AND ? IN (0, annotator) ORDER BY event.id DESC LIMIT 1",
        (subject, task, who),
    ).fetchone()
    if row is None:
        return
    after, session, sequence = row
    try:
        current_values.write(db, task, who, tuple(json.loads(subject)), after and json.loads(after))
    except ProjectError as error:
        if after is not None:
            raise Unknown(session, sequence, str(error)) from error


def imported_judgments(db: sqlite3.Connection) -> dict[int, dict[int, tuple[int, int]]]:
    """Return of whom imports brought judgments: by each import's key its place in the ledger and its time."""
    found: dict[int, dict[int, tuple[int, int]]] = {}
    for who, key, again, time in db.execute(IMPORTS).fetchall():
        place = standing.key_of(db, again) if again and events.find(db, again) else key
        found.setdefault(who, {})[key] = place, time
    return found


def write_imported(
    db: sqlite3.Connection, who: int, subject: str, imports: Mapping[int, tuple[int, int]]
) -> None:
    """Make a grade of an import the current one, where it stands behind what `who` said of the pair."""
    pair = current_values.keys(db, GRADE.name, tuple(json.loads(subject)))
    rows = db.execute(
        "SELECT event, grade FROM imported WHERE event IN (SELECT value FROM json_each(?)) "
        "AND query = ? AND candidate = ?",
        (canonical([*imports]), *pair),
    ).fetchall()
    (said,) = db.execute(
        "SELECT coalesce(max(id), 0) FROM event WHERE subject = ? AND task = ? AND annotator = ?",
        (subject, GRADE.name, who),
    ).fetchone()
    place, event, grade = max(((imports[key][0], -key, grade) for key, grade in rows), default=(0, 0, 0))
    if place > said:
        given = {"state": "graded", "grade": grade, "time": imports[-event][1]}
        current_values.write(db, GRADE.name, who, tuple(json.loads(subject)), given)


def annotator_key(db: sqlite3.Connection, name: str) -> int:
    """Return the key of an annotator who is there."""
    return int(db.execute("SELECT id FROM annotator WHERE name = ?", (name,)).fetchone()[0])


def imported_by(db: sqlite3.Connection, identity: str) -> int:
    """Return the key of the annotator of an import."""
    key = standing.key_of(db, identity)
    return int(db.execute("SELECT annotator FROM event WHERE id = ?", (key,)).fetchone()[0])


def rows_of(
    db: sqlite3.Connection, imports: Container[str]
) -> Iterator[tuple[str, str, Mapping[str, Any], Mapping[str, Any]]]:
    """Yield (identity, kind, head, row) of all that some imports brought and is there, kind by kind."""
    for kind, each in merger.CONTENT.items():
        for row in each(db):
            if row.get("import") in imports:
                yield row["import"], kind, {}, row
    for run in holdings.runs(db, current_only=False):
        if run.event in imports:
            head = plain_rows.run_head(run)
            yield from ((run.event, "run", head, row) for row in plain_rows.rankings(db, run.key))
    for key, name in plain_rows.imports_with_judgments(db):
        if name in imports:
            yield from ((name, "judgments", {}, row) for row in plain_rows.imported(db, key))
