"""The log: a small rotating file of what the program did, in the user's state folder.

It never says what a project says: no text, no name, no id that a person gave, no message of an error.
"""

import traceback
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path

from annotator import kept_files

BYTES = 200_000
KEPT = 2
"""So many full files stand beside the one that is written to."""


def place() -> Path:
    """Return the file that is written to."""
    return kept_files.place("log")


def note(what: str) -> None:
    """Write a line; where none can be written the program goes on without."""
    from logging import INFO, Formatter, makeLogRecord
    from logging.handlers import RotatingFileHandler

    class Private(RotatingFileHandler):
        def _open(self) -> TextIOWrapper:
            kept_files.new(Path(self.baseFilename))
            return super()._open()

    with suppress(OSError):
        kept_files.made(place().parent)
        handler = Private(place(), maxBytes=BYTES, backupCount=KEPT, encoding="utf-8")
        handler.setFormatter(Formatter("%(asctime)s %(process)d %(message)s"))
        handler.handleError = lambda _: None  # type: ignore[assignment]
        handler.emit(makeLogRecord({"levelno": INFO, "msg": what}))
        handler.close()


def fault(error: BaseException, versions: str) -> None:
    """Write where an unforeseen error happened; its message may quote a text, so it is left out."""
    lines = [f"fault in {versions}"]
    one: BaseException | None = error
    while one is not None:
        lines += [type(one).__name__, *(line.rstrip() for line in traceback.format_tb(one.__traceback__))]
        one = one.__cause__ or one.__context__
    note("\n".join(lines))
