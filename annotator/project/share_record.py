"""What one copy of a project knows of its sharing."""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Self

from annotator import kept_files
from annotator.errors import ProjectError
from annotator.storage.file import file_copies, proof

AT_ONCE = 1_000
"""So many names are written as one step, during which no other thread goes on."""


@dataclass(slots=True)
class ShareRecord:
    """Where a copy of a project is shared, which sessions came to it, which segments it saw, by their marks.

    It lies beside the backups, not in the project: paths differ from computer to computer. Without it
    everything that the carrier holds is looked at anew. It follows its `file`, which may be moved or renamed:
    `left` are the records of files that are where they were no more. A copy beside one that still is there
    has no carrier of its own, and `beside` is the record of that one. What was noted may be `damaged`:
    then it knows nothing, and is not taken for the record of what nobody shares.

    Not kept, for it is soon found anew: the sessions of `imports` by identity, as far as the event with the
    key `reach`, and the parts that `lists` in the carrier name, by their own names and marks.
    """

    path: Path
    file: str = ""
    carrier: str = ""
    came: set[str] = field(default_factory=set)
    seen: dict[str, str] = field(default_factory=dict)
    left: tuple[Path, ...] = ()
    beside: "ShareRecord | None" = None
    damaged: bool = False
    noted: str = ""
    imports: dict[str, str] = field(default_factory=dict)
    reach: int = 0
    lists: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    @classmethod
    def empty(cls, identity: str, project: Path) -> Self:
        """Return a record of the project file at a path that knows nothing yet."""
        place = kept_files.place("shared") / f"{identity}-{proof.name(project)}.json"
        return cls(place, str(project.resolve()))

    @classmethod
    def of(cls, identity: str, project: Path) -> Self:
        """Return the record of the project file at a path, one without a carrier where it is not shared.

        Raises ProjectError where that cannot be read.
        """
        record = cls.empty(identity, project)
        try:
            if not record._read() and not record.damaged:
                record._follow(identity)
            return record
        except OSError as error:
            raise ProjectError(
                f"Whether {project.name} is shared cannot be read in {record.path.parent} ({error.strerror})."
            ) from error

    def _read(self) -> str:
        """Read what was noted, and return the file that it was noted of, empty where nothing was.

        Raises OSError.
        """
        try:
            value = json.loads(self.path.read_bytes())
            file, carrier, came, seen = (value[name] for name in ("file", "carrier", "came", "seen"))
            texts = (file, carrier, *came, *seen.values())
            if not (isinstance(came, list) and all(isinstance(one, str) for one in texts)):
                raise TypeError
        except FileNotFoundError:
            return ""
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            self.damaged = True
            return ""
        self.came, self.seen, self.carrier = set(came), seen, carrier
        return str(file)

    def _follow(self, identity: str) -> None:
        """Go on with the record that was written last of those whose file is gone, else name one beside.

        Which of them the file was, or is a copy of, cannot be told: what came to each of them came to it.
        """
        others = sorted(self._others(identity), key=lambda one: one.path.stat().st_mtime_ns)
        gone = [one for one in others if is_gone(one.file, identity)]
        if gone:
            self.carrier, self.seen = gone[-1].carrier, gone[-1].seen
            self.came = set.intersection(*(one.came for one in gone))
            self.left = tuple(one.path for one in gone)
        elif others:
            self.beside = others[-1]

    def _others(self, identity: str) -> "Iterator[ShareRecord]":
        for path in self.path.parent.glob(f"{identity}-*.json"):
            other = ShareRecord(path)
            other.file = other._read()
            if path != self.path and other.carrier:
                yield other

    def save(self) -> None:
        """Write the record whole, unless it is `noted` so or names no carrier; raises ProjectError."""
        if not self.carrier:
            return
        head = json.dumps({"file": self.file, "carrier": self.carrier, "came": sorted(self.came)})
        seen = iter(self.seen.items())
        pieces = iter(lambda: json.dumps(dict(islice(seen, AT_ONCE)))[1:-1], "")
        text = f'{head[:-1]}, "seen": {{{", ".join(pieces)}}}}}'
        if text == self.noted:
            return
        try:
            kept_files.put(self.path, text)
            self.noted = text
            for one in self.left:
                one.unlink(missing_ok=True)
        except OSError as error:
            raise ProjectError(
                f"What was exchanged so far could not be noted in {self.path.parent} ({error.strerror}). "
                "What was stored or handed over stays so; once that folder can be written to, exchange again."
            ) from error


def is_gone(file: str, identity: str) -> bool:
    """Tell whether a project is no more where it was; one that does not say what it is may be it still."""
    return not os.path.exists(file) or file_copies.identity(Path(file)) not in ("", identity)
