"""What a table cannot say of itself, in a file beside it, as the W3C's CSV on the Web has it.

`scores.csv` stays what every program reads; `scores.csv-metadata.json` says where it comes from:
https://www.w3.org/TR/tabular-metadata/.
"""

import json
from collections.abc import Sequence
from pathlib import Path

from annotator.errors import UserError
from annotator.formats.whole_files import replacing


def metadata_of(path: Path) -> Path:
    """Return where lies what is said of a table."""
    return path.with_name(f"{path.name}-metadata.json")


def say_beside(path: Path, origin: Sequence[str]) -> None:
    """Write beside a table that is written where it comes from, a sentence each; raises UserError."""
    told = {"@context": "http://www.w3.org/ns/csvw", "url": path.name, "dc:provenance": list(origin)}
    try:
        with replacing(metadata_of(path)) as file:
            file.write(json.dumps(told, indent=2, ensure_ascii=False) + "\n")
    except UserError as error:
        raise UserError(f"{path.name} is written, but not where it comes from: {error}") from error
