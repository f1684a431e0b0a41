"""What one copy of a project knows of its sharing."""

import json
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from annotator import kept_files
from annotator.errors import ProjectError
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
    noted: str = ""

    @classmethod
    def of(cls, identity: str, project: Path) -> Self:
        """Return the record of the project file at a path, an empty one where it is not shared.

        Raises ProjectError where that cannot be read.
        """
        record = cls(kept_files.place("shared") / f"{identity}-{proof.name(project)}.json")
        try:
            held = record.path.read_bytes()
        except FileNotFoundError:
            return record
        except OSError as error:
            raise ProjectError(
                f"Whether {project.name} is shared cannot be read in {record.path.parent} ({error.strerror})."
            ) from error
        with suppress(ValueError, KeyError, TypeError, RecursionError):
            value = json.loads(held)
            record.carrier = str(value["carrier"])
            record.came, record.seen = set(value["came"]), dict(value["seen"])
        return record

    def save(self) -> None:
        """Write the record whole, unless it is `noted` so; raises ProjectError."""
        value = {"carrier": self.carrier, "came": sorted(self.came), "seen": self.seen}
        if (text := json.dumps(value)) == self.noted:
            return
        try:
            kept_files.put(self.path, text)
            self.noted = text
        except OSError as error:
            raise ProjectError(
                f"What was exchanged so far could not be noted in {self.path.parent} ({error.strerror}). "
                "What was stored or handed over stays so; once that folder can be written to, exchange again."
            ) from error
