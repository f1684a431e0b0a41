"""What one copy of a project knows of its sharing."""

import json
import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from annotator import kept_files
from annotator.storage.file import proof


@dataclass(slots=True)
class ShareRecord:
    """Where a copy of a project is shared, which sessions came to it, which segments it saw, by their marks.

    It lies beside the backups, not in the project: paths differ from computer to computer. Without it
    everything that the carrier holds is looked at anew.
    """

    path: Path
    carrier: str = ""
    came: set[str] = field(default_factory=set)
    seen: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, identity: str, project: Path) -> Self:
        """Return the record of the project file at a path, an empty one where it is not shared."""
        record = cls(kept_files.place("shared") / f"{identity}-{proof.name(project)}.json")
        with suppress(OSError, ValueError, KeyError, TypeError):
            value = json.loads(record.path.read_text("utf-8"))
            record.carrier = str(value["carrier"])
            record.came, record.seen = set(value["came"]), dict(value["seen"])
        return record

    def save(self) -> None:
        """Write the record whole."""
        kept_files.made(self.path.parent)
        part = self.path.with_name(f"{self.path.name}.{os.getpid()}")
        kept_files.new(part)
        value = {"carrier": self.carrier, "came": sorted(self.came), "seen": self.seen}
        part.write_text(json.dumps(value), "utf-8")
        os.replace(part, self.path)
