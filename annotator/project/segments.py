"""What lies in a carrier, as bytes and as values: segments of sessions, and what imports brought.

All of it is gzip of lines of JSON, as the text twin writes them. On the shelf of segments:

    SESSION.FIRST-LAST.HASH    events FIRST to LAST of a session; HASH is the last one's

The first line names the hash before the first event; the chain of hashes does not let a segment hold other
events than its name says, nor begin where the one before does not end. On the shelf of contents:

    SHA256                     a part: its first line says what the rows behind it are
    import.SESSION.SEQUENCE.SHA256    the parts that this import brought, in their order
    project.IDENTITY.CREATED   which project it is

What follows a name, such as what a service adds to it, does not count.
"""

import gzip
import hashlib
import json
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from annotator.carriers.carrier import CarrierError
from annotator.records import text_problem
from annotator.storage.care.taking_in import Part
from annotator.storage.content import plain_rows
from annotator.storage.ledger import events
from annotator.storage.ledger.arrivals import Arrived
from annotator.storage.ledger.current_values import Subject, canonical, comes_back
from annotator.storage.ledger.events import NO_HASH, Event
from annotator.tasks import declared
from annotator.watch import UNWATCHED, Watch

MOST_EVENTS = 5_000
"""So many events are handed over as one segment, or some more where an import's belong together."""

PART_SIZE = 4_000_000
"""So many characters a part has, or some more: what is read anew after an interruption."""

AT_ONCE, LETTERS_AT_ONCE = 100, 100_000
"""So many lines, and about so many characters, are read as one step, during which no other thread goes on."""

LARGEST = 1_000_000_000
"""Bytes that nothing unpacks to."""

SHORT = 100_000
"""Texts of fewer characters are as short as they may be."""

HEX = "[0-9a-f]"
SEGMENT = re.compile(rf"({HEX}{{32}})\.(\d{{1,12}})-(\d{{1,12}})\.({HEX}{{64}})")
MANIFEST = re.compile(rf"import\.({HEX}{{32}})\.(\d{{1,12}})\.({HEX}{{64}})")
PROJECT = re.compile(rf"project\.({HEX}{{32}})\.(\d{{1,15}})")

KINDS = {"person", "model", "import"}
IN_SESSION = ("session", "sequence", "hash")
"""What a segment says once, or what follows."""


class Broken(CarrierError):
    """Bytes are not what their name says: `cut` when they only end too early, as on their way."""

    def __init__(self, message: str, cut: bool = False) -> None:
        super().__init__(message)
        self.cut = cut


class Named(NamedTuple):
    """What the name of a segment says: whose events, from which to which, and the hash of the last."""

    session: str
    first: int
    last: int
    hash: str


def named(name: str) -> Named | None:
    """Return what a name on the shelf of segments says, None for one that is none of ours."""
    found = SEGMENT.match(name)
    return Named(found[1], int(found[2]), int(found[3]), found[4]) if found else None


def packed(lines: Iterable[Any]) -> bytes:
    """Return values as lines of JSON, packed without a time inside."""
    text = "".join(json.dumps(one, ensure_ascii=False, allow_nan=False) + "\n" for one in lines)
    return gzip.compress(text.encode(), 6, mtime=0)


def unpacked(data: bytes) -> list[Any]:
    """Return the values of packed lines; raises Broken."""
    unpack = zlib.decompressobj(31)
    try:
        text = unpack.decompress(data, LARGEST)
        if not unpack.eof:
            raise Broken("it is not whole yet", cut=not unpack.unconsumed_tail)
        lines = text.decode().rstrip("\n").split("\n")
        values: list[Any] = []
        at_once = max(1, min(AT_ONCE, LETTERS_AT_ONCE * len(lines) // max(1, len(text))))
        for start in range(0, len(lines), at_once):
            values += json.loads(f"[{','.join(lines[start : start + at_once])}]")
        return values
    except (zlib.error, ValueError, RecursionError) as error:
        raise Broken(f"it was changed after it was written ({error})") from error


def segment(some: Sequence[Event], previous: str) -> tuple[str, bytes]:
    """Return the name and the bytes of consecutive events of one session, behind the hash `previous`."""
    first, last = some[0], some[-1]
    lines = [{"previous": previous}, *map(event_line, some)]
    return f"{first.session}.{first.sequence}-{last.sequence}.{last.hash}.jsonl.gz", packed(lines)


def event_line(event: Event) -> dict[str, Any]:
    """Return an event as the text twin has it, without what its segment says."""
    value = plain_rows.event_value(event)
    return {part: value[part] for part in value if part not in IN_SESSION}


def events_of(says: Named, data: bytes, watch: Watch = UNWATCHED) -> tuple[str, list[Arrived]]:
    """Return the hash before the first event of a segment, and its events.

    Raises Broken, NewerError, and Stopped: the watch is asked at each event.
    """
    head, *rows = unpacked(data) or [None]
    try:
        previous = hashed = str(head["previous"])
        found = []
        for sequence, row in enumerate(rows, says.first):
            watch.look()
            columns = columns_of(says.session, sequence, row)
            hashed = events.digest(hashed, *columns)
            found.append(Arrived._make((*columns, hashed)))
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise Broken(f"it was changed after it was written ({error!r})") from error
    count, begins = says.last - says.first + 1, previous == NO_HASH
    if (hashed, len(found), begins) != (says.hash, count, not says.first):
        raise Broken("it was changed after it was written: its events are not those that its name says")
    return previous, found


def columns_of(session: str, sequence: int, row: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the columns of an event as they stand in the ledger, once they are what ours record.

    Raises Broken, NewerError for an unknown task, KeyError, TypeError and ValueError.
    """
    task, subject, after, blind = row["task"], row["subject"], row.get("after"), row["blind"]
    clock, moment, milliseconds = row["clock"], row["time"], row.get("milliseconds")
    who, kind, how, undoes = row["annotator"], row["annotator_kind"], row["how"], row.get("undoes")
    wrong = ""
    numbers = (clock, moment, 0 if milliseconds is None else milliseconds)
    if {*map(type, numbers)} != {int} or clock < 1 or max(map(abs, numbers)) >= 1 << 53:
        wrong = "a number"
    elif not who or not are_texts((who, task, how, "" if undoes is None else undoes, *subject)):
        wrong = "a text"
    elif kind not in KINDS or type(blind) is not bool or type(subject) is not list:
        wrong = "who said it"
    elif len(declared(task).subject) != len(subject) or (task == "session") != (not sequence):
        wrong = "its subject"
    elif not is_value(task, tuple(subject), after):
        wrong = "its value"
    if wrong:
        raise Broken(f"in its event {sequence} {wrong} is not as it should be")
    texts = canonical(subject), events.text(row.get("before")), events.text(after)
    return session, sequence, clock, moment, who, kind, task, *texts, milliseconds, int(blind), how, undoes


def are_texts(texts: Sequence[str]) -> bool:
    """Tell whether texts hold what names and ids may hold; raises TypeError for what is none."""
    whole = "".join(texts)
    return (whole.isprintable() and len(whole) < SHORT) or not any(text_problem(one, "text") for one in texts)


def is_value(task: str, subject: Subject, after: Any) -> bool:
    """Tell whether a value is one that events of a task leave behind, as far as the tables rely on it."""
    if task == "session":
        return is_opening(after)
    return type(after) is dict if task == "import" else comes_back(task, subject, after)


def is_opening(after: Any) -> bool:
    """Tell whether a value says what a session saw when it began."""
    heads = after.get("heads") if isinstance(after, dict) else None
    return isinstance(heads, list) and all(
        isinstance(one, str) and re.fullmatch(f"{HEX}{{64}}", one) for one in heads
    )


def part_bytes(part: Part) -> tuple[str, bytes]:
    """Return the name and the bytes of a part."""
    data = packed([{"kind": part.kind, **part.head}, *part.rows])
    return sha256(data), data


def part_of(data: bytes) -> Part:
    """Return the part of bytes whose hash is that of their name; raises Broken."""
    head, *rows = unpacked(data) or [None]
    if not isinstance(head, dict) or not isinstance(head.get("kind"), str):
        raise Broken("it does not say what it holds")
    return Part(head.pop("kind"), head, rows)


def manifest(identity: str, parts: Sequence[str]) -> tuple[str, bytes]:
    """Return the name and the bytes of the list of what an import brought."""
    data = packed(parts)
    return f"import.{identity.replace(':', '.')}.{sha256(data)}.json.gz", data


def parts_named(name: str, data: bytes) -> list[str]:
    """Return the parts that a list names; raises Broken for one that is not whole, or another."""
    found = MANIFEST.match(name)
    if found is None or sha256(data) != found[3]:
        raise Broken("it is not whole yet, or was changed")
    parts = unpacked(data)
    if not all(isinstance(one, str) and re.fullmatch(rf"{HEX}{{64}}", one) for one in parts):
        raise Broken("it names what is no part")
    return parts


def sha256(data: bytes) -> str:
    """Return the SHA-256 of bytes, in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()
