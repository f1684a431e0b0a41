"""What a table cannot say of itself, in a file beside it, as the W3C's CSV on the Web has it.

`scores.csv` stays what every program reads; `scores.csv-metadata.json` says where it comes from:
https://www.w3.org/TR/tabular-metadata/.
"""

import json
import os
from collections.abc import Sequence
from pathlib import Path

from annotator.errors import UserError
from annotator.formats.whole_files import replacing, replacing_bytes, why

ENDING = "-metadata.json"
CONTEXT, SAYS = "http://www.w3.org/ns/csvw", "dc:provenance"


def metadata_of(path: Path) -> Path:
    """Return where lies what is said of a table."""
    return path.with_name(f"{path.name}{ENDING}")


def table_of(name: str, start: str) -> str:
    """Return the name of the table of which a file says where it comes from; empty for any other file."""
    ours = name.endswith(ENDING) and CONTEXT in start and f'"{SAYS}"' in start
    return name.removesuffix(ENDING) if ours else ""


def write_with_origin(path: Path, made: bytes, origin: Sequence[str]) -> None:
    """Write a file, whole or not at all, and beside it where it comes from; raises UserError."""
    with replacing_bytes(path) as file:
        file.write(made)
    say_beside(path, origin)


def say_beside(path: Path, origin: Sequence[str]) -> None:
    """Write beside a file or folder that is written where it comes from, a sentence each; raises UserError.

    Where there is nothing to say, nothing stays that was said of what lay there before.
    """
    beside = metadata_of(path)
    told = {"@context": CONTEXT, "url": path.name, SAYS: list(origin)}
    try:
        there = os.path.exists(beside)  # which says of a name that is too long that it is not
        ours = there and table_of(beside.name, beside.read_text("utf-8", "replace"))
        if origin and there and not ours:
            raise UserError(f"{beside.name} lies there, and Annotator did not write it.")
        if origin:
            with replacing(beside) as file:
                file.write(json.dumps(told, indent=2, ensure_ascii=False) + "\n")
        elif ours:
            beside.unlink()
    except (UserError, OSError) as error:
        cause = f"{beside.name}: {why(error)}." if isinstance(error, OSError) else error
        raise UserError(f"{path.name} is written, but not where it comes from: {cause}") from error
