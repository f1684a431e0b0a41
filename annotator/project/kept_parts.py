"""The scores of parts that are finished, kept in a folder until all of them are there."""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from glob import escape
from pathlib import Path

from annotator.errors import UserError
from annotator.formats.whole_files import folder_for, replacing_bytes
from annotator.project.score_files import beside_in

ENDING = ".scores"
DIGITS = 32
"""So many digits of the hash of what a file holds stand in its name, so that it proves itself."""


def kept_beside(scores: Path) -> Path:
    """Return the folder where parts are kept until a file of scores can be written."""
    return scores.with_name(f"{scores.name}.parts")


class KeptParts:
    """The finished parts of one job in a folder; without a folder nothing is kept.

    A file is named `PART.HASH.scores`. One that does not hold what its name says, or is of another job or of
    a part that was changed since, is taken for none.
    """

    def __init__(self, folder: Path | None, job: str = "") -> None:
        self.folder = folder
        self._job = job

    def keep(self, part: str, scores: bytes) -> None:
        """Keep the scores of a part, in place of those that are there."""
        if self.folder is None:
            return
        new = folder_for(self.folder) / f"{part}.{_hash(scores)}{ENDING}"
        with replacing_bytes(new) as file:
            file.write(scores)
        for old in self._files(escape(part)):
            if old != new:
                _remove(old)

    def find(self, part: Path, digest: Callable[[Path], str]) -> bytes | None:
        """Return the scores of a part if they are kept and proved; `digest` gives the hash of its file."""
        for file in self._files(escape(part.name)):
            found = _proved(file)
            beside = beside_in(found) if found is not None else {}
            if beside and beside["job"] == self._job and beside["sha256"] == digest(part):
                return found
        return None

    def all(self) -> list[bytes]:
        """Return the scores of every part there is, by name; raises UserError for a damaged file."""
        found = []
        for file in sorted(self._files()):
            one = _proved(file)
            if one is None:
                raise UserError(f"{file} is damaged; score its part again.")
            found.append(one)
        return found

    def remove(self) -> None:
        """Remove what is kept, and the folder if nothing else is in it, once the scores of all are written.

        Raises UserError.
        """
        if self.folder is None or not self.folder.is_dir():
            return
        for file in list(self._files()):
            _remove(file, f"{self.folder.stem} is written, but ")
        with suppress(OSError):  # as of a folder in which something else is
            self.folder.rmdir()

    def _files(self, part: str = "*") -> Iterator[Path]:
        if self.folder is not None:
            found = self.folder.glob(f"{part}.{'[0-9a-f]' * DIGITS}{ENDING}")
            yield from (one for one in found if one.is_file())


def _remove(file: Path, done: str = "") -> None:
    try:
        file.unlink(missing_ok=True)
    except OSError as error:
        raise UserError(
            f"{done}{file}, which is not needed any more, could not be removed ({error.strerror}). Remove it."
        ) from error


def _hash(scores: bytes) -> str:
    return hashlib.sha256(scores).hexdigest()[:DIGITS]


def _proved(file: Path) -> bytes | None:
    """Return what a file holds where that is what its name says; raises UserError."""
    try:
        held = file.read_bytes()
    except OSError as error:
        raise UserError(f"{file} cannot be read: {error.strerror}.") from error
    proved = file.name.removesuffix(ENDING).endswith(f".{_hash(held)}")
    return held if proved else None
