"""A shared folder as a carrier: on a server, of a service that copies files, or a work tree of git.

Each name is a file that was written beside its place, synced, and put there by a second name, which never
replaces. Services that copy files name what they cannot place `NAME (conflicted copy …)` or
`NAME.sync-conflict-…`: those are listed like any other, for what a file holds is proved by its bytes.
"""

import os
import stat
import time
from contextlib import suppress
from pathlib import Path

from annotator import unfinished
from annotator.carriers.carrier import LIMIT, SHELVES, CarrierError, Shelf, SilentError, TakenError


class Folder:
    """A carrier that is a folder with a folder for each shelf; `address` is its path.

    Who may read or enter the folder may read or enter what is written in it, by its mode; nobody but the
    writer may change a file.
    """

    pause = 20.0

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()

    @classmethod
    def begun(cls, path: Path) -> "Folder":
        """Return a carrier in a folder that is new, empty, or one already.

        Raises CarrierError for a folder that holds anything else; hidden names are a service's own.
        """
        folder = cls(path)
        try:
            path.mkdir(parents=True, exist_ok=True)
            there = {one.name for one in path.iterdir() if not one.name.startswith(".")}
            others = there.difference(SHELVES)
            if others and not there.issuperset(SHELVES):
                raise CarrierError(
                    f"{folder.path} holds something else already, such as {min(others)}. Nothing was "
                    "written; name an empty folder, or a new one."
                )
            mode = stat.S_IMODE(path.stat().st_mode)
            for shelf in SHELVES:
                if shelf not in there:
                    (path / shelf).mkdir(exist_ok=True)
                    (path / shelf).chmod(mode)
        except OSError as error:
            raise folder._silent(error, writing=True) from error
        return folder

    @property
    def address(self) -> str:
        """The folder's path."""
        return str(self.path)

    def where(self, shelf: Shelf) -> str:
        """Return the folder of a shelf."""
        return str(self.path / shelf)

    def names(self, shelf: Shelf) -> dict[str, str]:
        """Return the files of a shelf, but for hidden ones, each with its size and the time of its change."""
        found = {}
        try:
            with os.scandir(self.path / shelf) as entries:
                for entry in entries:
                    name = entry.name
                    if name[0] != "." and entry.is_file(follow_symlinks=False):
                        try:
                            seen = entry.stat(follow_symlinks=False)
                        except FileNotFoundError:  # gone since
                            continue
                        found[name] = f"{seen.st_size} {seen.st_mtime_ns}"
        except OSError as error:
            raise self._silent(error) from error
        return found

    def later(self, shelf: Shelf) -> None:
        """Return None: a folder tells only what is there."""

    def read(self, shelf: Shelf, name: str) -> bytes | None:
        """Return the bytes of a file, None where it is not there."""
        place = self.path / shelf / name
        if os.path.exists(place) and not os.path.isfile(place):  # which would be waited for
            raise CarrierError(f"{name} in {self.path} is no file, so Annotator did not write it.")
        try:
            with place.open("rb") as file:
                data = file.read(LIMIT + 1)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise self._silent(error) from error
        if len(data) > LIMIT:
            raise CarrierError(f"{name} in {self.path} is larger than anything that Annotator writes there.")
        return data

    def append(self, shelf: Shelf, name: str, data: bytes) -> None:
        """Write a file whole, synced, in a place where none is."""
        place = self.path / shelf / name
        try:
            mode = stat.S_IMODE(place.parent.stat().st_mode) & 0o444 | 0o600
            with unfinished.folder_in(self.path) as new:
                part = new / name
                with part.open("xb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                part.chmod(mode)
                _put(part, place)
                _sync(place.parent)
        except FileExistsError:
            if self.read(shelf, name) != data:
                raise TakenError(f"{name} in {self.path} holds something else than it should.") from None
        except OSError as error:
            raise self._silent(error, writing=True) from error

    def wait(self, seconds: float) -> bool:
        """Let the time pass: many of the places that a folder can be in tell of nothing."""
        time.sleep(seconds)
        return False

    def close(self) -> None:
        """Nothing is held open."""

    def _silent(self, error: OSError, writing: bool = False) -> SilentError:
        folder, why = f"The folder {self.path}", f"({error.strerror})"
        if isinstance(error, FileNotFoundError) and self.path.is_dir():
            said = f"{folder} holds no shared project: it is not connected, or nothing has arrived yet."
        elif isinstance(error, FileNotFoundError):
            said = (
                f"There is no folder {self.path}. Look at its name, and whether the disk or the server on "
                "which it lies is connected."
            )
        elif isinstance(error, (NotADirectoryError, FileExistsError)):
            said = f"“{self.path}” is no folder, it is a file or lies in one: name the folder of the team."
        elif isinstance(error, PermissionError):
            said = f"{folder} cannot be {'written to' if writing else 'read'} {why}: its owner can allow it."
        else:
            said = f"{folder} {'cannot be written to' if writing else 'does not answer'} {why}."
        return SilentError(said)


def _put(part: Path, place: Path) -> None:
    """Give a complete file its place; raises FileExistsError where one is."""
    try:
        os.link(part, place)  # unlike a renaming, this never replaces a file
    except FileExistsError:
        raise
    except OSError:  # the file system knows no second name
        if place.exists():
            raise FileExistsError(place) from None
        part.rename(place)


def _sync(folder: Path) -> None:
    """Let the names in a folder outlast a power cut, where the system can say so."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
