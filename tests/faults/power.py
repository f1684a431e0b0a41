"""A disk whose power fails: it forgets any part of what was not synced.

`Disk` is a virtual file system for APSW. Every file has synced bytes and a list of writes since; a deletion
counts only once the folder is synced. `after_a_power_cut` returns what may be found on the disk when the
power fails now: of each unsynced write any sectors, of each unsynced deletion either outcome.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

import apsw

SECTOR = 512


@dataclass
class File:
    """One file: its bytes as programs see them, the synced bytes, and the changes since."""

    now: bytearray = field(default_factory=bytearray)
    synced: bytes = b""
    changes: list[tuple[int, bytes | None]] = field(default_factory=list)
    on_disk: bool = False
    deleted: bool = False

    def write(self, at: int, data: bytes) -> None:
        """Write bytes that are not synced yet."""
        if len(self.now) < at:
            self.now.extend(bytes(at - len(self.now)))
        self.now[at : at + len(data)] = data
        self.changes.append((at, data))

    def truncate(self, size: int) -> None:
        """Cut the file, not synced yet."""
        del self.now[size:]
        self.changes.append((size, None))

    def sync(self) -> None:
        """Make what is there now last."""
        self.synced, self.changes, self.on_disk = bytes(self.now), [], True

    def survives(self, chance: random.Random) -> bytes:
        """Return what the disk may hold: the synced bytes with any sectors of the later changes."""
        found = bytearray(self.synced)
        for at, data in self.changes:
            if data is None:
                if chance.random() < 0.5:
                    del found[at:]
                continue
            for start in range(0, len(data), SECTOR):
                if chance.random() < 0.5:
                    place, piece = at + start, data[start : start + SECTOR]
                    if len(found) < place:
                        found.extend(bytes(place - len(found)))
                    found[place : place + len(piece)] = piece
        return bytes(found)


class Disk(apsw.VFS):
    """All files by name, and a call before every step at which the power may fail."""

    def __init__(self, name: str, at_a_step: Callable[[], None]) -> None:
        self.files: dict[str, File] = {}
        self.gone: dict[str, File] = {}
        self.at_a_step = at_a_step
        self.vfs_name = name
        super().__init__(name, "")

    def after_a_power_cut(self, chance: random.Random) -> dict[str, bytes]:
        """Return what the files may be when the power fails now."""
        found = {
            name: file.survives(chance)
            for name, file in self.files.items()
            if file.on_disk or chance.random() < 0.5
        }
        for name, file in self.gone.items():
            if name not in found and chance.random() < 0.5:
                found[name] = file.survives(chance)
        return found

    def xOpen(self, name: "apsw.URIFilename | str | None", flags: list[int]) -> "OpenFile":  # type: ignore[override]
        path = str(name.filename() if isinstance(name, apsw.URIFilename) else name)
        if path not in self.files:
            self.files[path] = File()
        flags[1] = flags[0]
        return OpenFile(self, self.files[path])

    def xDelete(self, name: str, sync_folder: bool) -> None:
        self.at_a_step()
        file = self.files.pop(name, None)
        if file and not sync_folder:
            self.gone[name] = file
        elif sync_folder:
            self.gone.clear()

    def xAccess(self, name: str, flags: int) -> bool:
        return name in self.files

    def xFullPathname(self, name: str) -> str:
        return name


class OpenFile:
    """An open file of a `Disk`, as APSW calls it."""

    def __init__(self, disk: Disk, file: File) -> None:
        self.disk = disk
        self.file = file
        self.level = 0

    def xRead(self, amount: int, offset: int) -> bytes:
        return bytes(self.file.now[offset : offset + amount])

    def xWrite(self, data: bytes, offset: int) -> None:
        self.disk.at_a_step()
        self.file.write(offset, bytes(data))

    def xTruncate(self, size: int) -> None:
        self.disk.at_a_step()
        self.file.truncate(size)

    def xSync(self, flags: int) -> None:
        self.disk.at_a_step()
        if not self.file.on_disk:
            self.disk.gone.clear()
        self.file.sync()

    def xFileSize(self) -> int:
        return len(self.file.now)

    def xLock(self, level: int) -> None:
        self.level = level

    def xUnlock(self, level: int) -> None:
        self.level = level

    def xCheckReservedLock(self) -> bool:
        return False

    def xFileControl(self, op: int, pointer: int) -> bool:
        return False

    def xSectorSize(self) -> int:
        return SECTOR

    def xDeviceCharacteristics(self) -> int:
        return 0

    def xClose(self) -> None:
        pass
