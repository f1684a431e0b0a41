"""Projects of version 1, made by the last program that wrote it, and what that program said they hold.

The files in `version1` were made at commit b4974a4. `documents`: three annotators, gold answers, notes, an
adjudicated grade, undo and redo, something asked again, a snapshot, a run older than its documents' texts, an
import that replaced texts, two that were taken back (one of them last). `answers`: predicted and gold answers
with spans, of which an import replaced one. The JSON beside each holds what the old program printed: the
ledger's head, the hash of the text twin, the judgments and the means.
"""

import gzip
import json
from pathlib import Path
from typing import Any

FILES = Path(__file__).with_name("version1")


def version1(name: str, folder: Path) -> Path:
    """Write a project of version 1 into a folder and return its path."""
    path = folder / f"{name}.annot"
    path.write_bytes(gzip.decompress((FILES / f"{name}.annot.gz").read_bytes()))
    return path


def said(name: str) -> dict[str, Any]:
    """Return what the old program said of a project."""
    found: dict[str, Any] = json.loads((FILES / f"{name}.json").read_text("utf-8"))
    return found
