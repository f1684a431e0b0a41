"""Recovering what can be read of a damaged project into a new file.

Rows are read one by one where reading many fails. An event is taken over when its hash proves it, or when the
current tables say the same; a run and an import's judgments when their digests prove them. The events are
written into a new session, because the old chain is broken; what is missing is listed.
"""

import secrets
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from annotator import kept_files
from annotator.errors import DamagedError, NewerError, ProjectError
from annotator.records import RunTable, as_id
from annotator.storage.care.salvage import (
    UNREADABLE,
    attempt,
    one_row,
    readable,
    saved_answers,
    saved_documents,
    saved_queries,
)
from annotator.storage.content import bulk, contents, digests, plain_rows, rebuild
from annotator.storage.file import access, interrupted
from annotator.storage.ledger import current_values, events
from annotator.storage.ledger.events import NO_HASH, Event
from annotator.storage.reads import arrays, holdings, lookup
from annotator.storage.store import Store
from annotator.tasks import declared
from annotator.watch import UNWATCHED, Watch

STEPS = 4

OTHERS = ("again", "with")
"""The parts of an import's value that name another one."""


@dataclass(frozen=True, slots=True)
class Recovered:
    """What was saved, by kind, and sentences about what was not."""

    saved: dict[str, int]
    lost: tuple[str, ...]


def recover(path: Path, target: Path, watch: Watch = UNWATCHED) -> Recovered:
    """Write everything sound of a damaged project file into a new one; the damaged file is not changed.

    Raises ProjectError when the target exists, NewerError for a file of a newer version, DamagedError when
    nothing of the ledger can be read, Stopped.
    """
    lost = [*doubts_of_header(path)]
    watch.step(0, STEPS, "Reading the events")
    try:
        with access.telling(path.name):
            source = interrupted.reading(path)
    except DamagedError:
        raise DamagedError(f"Nothing of {path.name} can be read. Restore a backup.") from None
    try:
        access.refuse_instructions(source, path)
        proved = sound_events(source, lost, watch)
        if not proved:
            raise DamagedError(f"Nothing of the ledger of {path.name} can be read. Restore a backup.")
        identity, created = attempt(one_row, source, "identity, created FROM project") or (None, None)
        mode = kept_files.mode_of(path)
        with Store.create(target, identity=identity, created=created, mode=mode) as store:
            with store.writing(checked=False) as db:
                saved = write(db, source, proved, lost, watch)
            notes = {"from": as_id(path.name), "lost": list(lost)}
            who = proved[-1]
            store.record(
                who.annotator,
                "setting",
                ("recovered",),
                notes,
                how="recovering",
                annotator_kind=who.annotator_kind,
            )
        return Recovered(saved, tuple(lost))
    finally:
        source.close()


def doubts_of_header(path: Path) -> Iterator[str]:
    """Yield what the first bytes of a file let one doubt; raises NewerError for one of a newer version."""
    try:
        access.check_header(path)
    except NewerError:
        raise
    except ProjectError as error:
        if not path.is_file():
            raise
        yield f"its first bytes are not those of a project: {error}"


def sound_events(db: sqlite3.Connection, lost: list[str], watch: Watch = UNWATCHED) -> list[Event]:
    """Return the events that are proved, in their order; those that open a session are left out."""
    hashes: dict[tuple[str, int], str] = {}
    sound: list[Event] = []
    unproved = seen = 0
    for row in readable(db, events.SELECT + "WHERE", "event", lost, watch):
        seen += 1
        try:
            session, sequence = str(row[0]), int(row[1])
            hashes[session, sequence] = row[14].hex()
            event = events.of_row(row)
            previous = NO_HASH if sequence == 0 else hashes.get((session, sequence - 1))
            proved = (
                is_current(db, event)
                if previous is None
                else events.digest(previous, *row[:14]) == event.hash
            )
        except UNREADABLE:
            proved = False
        if not proved:
            unproved += 1
        elif event.task != "session":
            sound.append(event)
    if unproved:
        lost.append(f"events left out, as they were changed or cannot be proved: {unproved:,}")
    (there,) = attempt(one_row, db, "count(*) FROM event") or (seen,)
    if there > seen:
        lost.append(f"events that name an annotator or a session that is not there: {there - seen:,}")
    if gaps := missing(hashes):
        lost.append(f"events missing: {gaps:,}")
    return sound


def missing(known: Iterable[tuple[str, int]]) -> int:
    """Count the events that are missing before the last known one of each session."""
    ends: dict[str, int] = {}
    for session, sequence in known:
        ends[session] = max(ends.get(session, -1), sequence)
    return sum(end + 1 for end in ends.values()) - len(set(known))


def is_current(db: sqlite3.Connection, event: Event) -> bool:
    """Tell whether the current tables say the same as an event."""
    value = current_values.read(db, event.task, lookup.annotator_key(db, event.annotator), event.subject)
    return value is not None and value == event.after


def renewed(sound: list[Event], brought: "Brought") -> list[Event]:
    """Return the events as those of one new session, in which imports state only what was saved."""
    session = secrets.token_hex(16)
    names: dict[str | None, str] = {}
    opened = replace(
        sound[0], task="session", subject=(), before=None, after={"heads": [], "project": brought.project},
        milliseconds=None, blind=False, how="recovering", undoes=None,
    )  # fmt: skip
    chain: list[Event] = []
    previous = NO_HASH
    for place, old in enumerate([opened, *sound]):
        event = replace(
            old, session=session, sequence=place, clock=place + 1, undoes=names.get(old.undoes),
            after=brought.without_lost(old, names),
        )  # fmt: skip
        previous = events.digest(previous, *event.columns)
        chain.append(replace(event, hash=previous))
        if place:
            names[old.identity] = event.identity
    brought.names = {str(old): new for old, new in names.items()}
    brought.opening = chain[0].identity
    return chain


class Brought:
    """What the imports of a damaged file brought and digests prove: runs, and judgments by query.

    Where an answer that they name is not among the `saved` candidates, they are lost with it.
    """

    def __init__(
        self,
        db: sqlite3.Connection,
        sound: list[Event],
        saved: set[str],
        lost: list[str],
        project: list[str | int],
    ) -> None:
        self.runs: dict[tuple[str, str], tuple[RunTable, str]] = {}
        self.judgments: dict[str, list[plain_rows.Value]] = {}
        self.names: dict[str, str] = {}
        self.opening = ""
        self.project = project
        for run in attempt(holdings.runs, db, current_only=False) or ():
            table = attempt(arrays.run_table, db, run)
            if table is None or lost_answers(table.candidate_ids, saved):
                continue
            if digests.of_run(bulk.rankings_of(table)) == run.digest:
                self.runs[run.event, run.name] = (table, run.sha256)
        keys = {name: key for key, name in attempt(plain_rows.imports_with_judgments, db) or ()}
        withdrawn = {event.undoes for event in sound if event.task == "import"}
        for event in sound:
            if event.task != "import" or event.undoes or event.identity in withdrawn:
                continue
            for stated in event.after.get("runs", ()):
                if (event.identity, stated["system"]) not in self.runs:
                    lost.append(f"the run of {stated['system']!r} cannot be proved and is left out")
            stated = event.after.get("judgments")
            key = keys.get(event.identity, 0)
            rows = (attempt(list, plain_rows.imported(db, key)) or []) if stated else []
            known = not any(lost_answers(row["grades"], saved) for row in rows)
            if stated and known and attempt(digests.stored_imported, db, key) == stated["digest"]:
                self.judgments[event.identity] = rows
            elif stated:
                lost.append(f"the judgments of {event.after['source']!r} cannot be proved and are left out")

    def without_lost(self, event: Event, names: Mapping[str | None, str]) -> Any:
        """Return what an import may state now that something of it is lost; other events as they are.

        `names` are the new ones of the events before it.
        """
        if event.task != "import":
            return event.after
        lost = {part for part in OTHERS if event.after.get(part) not in names}
        after = {part: value for part, value in event.after.items() if part not in lost}
        after |= {part: names[after[part]] for part in OTHERS if part in after}
        if event.undoes is not None:
            gone = {names[name]: ids for name, ids in after.get("gone", {}).items() if name in names}
            return {**after, "gone": gone} if "gone" in after else after
        after = {part: value for part, value in after.items() if part not in digests.SETS}
        if "runs" in after:
            after["runs"] = [one for one in after["runs"] if (event.identity, one["system"]) in self.runs]
        if event.identity not in self.judgments:
            after.pop("judgments", None)
        return after

    def origin(self, identity: str | None) -> str:
        """Return the new name of an import, that of the opening event where it is lost."""
        return self.names.get(identity or "", self.opening)


def lost_answers(candidates: Iterable[str], saved: set[str]) -> bool:
    """Tell whether a predicted answer among some candidates is not saved; without its text it is nothing."""
    return any(contents.ANSWER_ID.fullmatch(one) and one not in saved for one in candidates)


def write(
    db: sqlite3.Connection, source: sqlite3.Connection, sound: list[Event], lost: list[str], watch: Watch
) -> dict[str, int]:
    """Write the events and all content that can be read; return how much of each."""
    watch.step(1, STEPS, "Reading queries and documents")
    queries = list(saved_queries(source, lost))
    ids = {key: query.id for key, _, query in queries}
    documents = list(saved_documents(source, lost, watch))
    answers = list(saved_answers(source, ids, lost, watch))
    watch.step(2, STEPS, "Proving runs and judgments")
    saved = {one.id for _, one in answers}
    saved.update(one for event in sound for part, one in named_parts(event) if part == "candidate")
    brought = Brought(source, sound, saved, lost, events.project(db))
    watch.step(3, STEPS, "Writing")
    keys = rebuild.put_events(db, renewed(sound, brought))
    imports = attempt(plain_rows.import_names, source) or {}
    rebuild.put_queries(db, keys, ((brought.origin(imports.get(event)), one) for _, event, one in queries))
    rebuild.put_documents(db, keys, ((brought.origin(imports.get(event)), one) for event, one in documents))
    rebuild.put_answers(db, keys, ((brought.origin(imports.get(event)), one) for event, one in answers))
    for event in sound:
        candidates = [one for part, one in named_parts(event) if part == "candidate"]
        if candidates:
            asked = [one for part, one in named_parts(event) if part == "query"]
            (query,) = contents.query_keys(db, asked).values()
            contents.candidate_keys(db, candidates, dict.fromkeys(candidates, query))
    for (identity, system), (table, sha256) in brought.runs.items():
        watch.look()
        if identity in brought.names:
            rebuild.put_run(db, keys, brought.names[identity], table, sha256)
        else:
            lost.append(f"the run of {system!r} is left out, for its import is not proved")
    for identity, values in brought.judgments.items():
        rows = ((value["query"], value["grades"]) for value in values)
        rebuild.put_imported(db, keys, brought.names[identity], rows)
    rebuild.finish(db)
    before = attempt(events.stated, source) or {}
    lost += [
        f"some of the {name}: missing, or not as they were imported"
        for name, digest in events.stated(db).items()
        if before.get(name) != digest
    ]
    return {
        "events": len(sound),
        "queries": len(queries),
        "documents": len(documents),
        "answers": len(answers),
        "runs": sum(identity in brought.names for identity, _ in brought.runs),
    }


def named_parts(event: Event) -> list[tuple[str, str]]:
    """Return the parts of an event's subject with what they are: a query, a candidate."""
    return list(zip(declared(event.task).subject, event.subject, strict=True))
