"""System calls of SQLite's that fail: set in the very library that this program stores with.

SQLite lets its calls be replaced (`xSetSystemCall` of its file system), so the real connection of the real
program meets the error, and nothing but that one call differs.
"""

import ctypes
import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

OPEN_FOLDER = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, ctypes.POINTER(ctypes.c_int), use_errno=True)
UNLINK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, use_errno=True)
READ = ctypes.CFUNCTYPE(
    ctypes.c_ssize_t, ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int64, use_errno=True
)


class FileSystem(ctypes.Structure):
    """The beginning of `sqlite3_vfs`, up to what sets a system call."""

    _fields_ = (
        ("version", ctypes.c_int),
        ("file_size", ctypes.c_int),
        ("longest_path", ctypes.c_int),
        ("next", ctypes.c_void_p),
        ("name", ctypes.c_char_p),
        ("data", ctypes.c_void_p),
        *((name, ctypes.c_void_p) for name in ("open", "delete", "access", "full_path")),
        *((name, ctypes.c_void_p) for name in ("dl_open", "dl_error", "dl_sym", "dl_close")),
        *((name, ctypes.c_void_p) for name in ("randomness", "sleep", "time", "last_error", "time_64")),
        (
            "set_system_call",
            ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p),
        ),
    )


def library() -> ctypes.CDLL:
    """Return the SQLite that Python's `sqlite3` has loaded."""
    maps = Path("/proc/self/maps")
    found = [line.split()[-1] for line in maps.read_text().splitlines()] if maps.exists() else []
    names = [one for one in found if "libsqlite3" in one]
    if not names:
        pytest.skip("Python's SQLite is no shared library here, so none of its calls can be replaced")
    return ctypes.CDLL(names[0])


@contextmanager
def replaced(name: str, function: object) -> Iterator[None]:
    """Let SQLite call `function` in place of one of its system calls."""
    loaded = library()
    loaded.sqlite3_vfs_find.restype = ctypes.POINTER(FileSystem)
    system = loaded.sqlite3_vfs_find(None)
    pointer = ctypes.cast(function, ctypes.c_void_p)  # type: ignore[arg-type]
    assert system.contents.set_system_call(system, name.encode(), pointer) == 0
    try:
        yield
    finally:
        assert system.contents.set_system_call(system, name.encode(), None) == 0


@contextmanager
def unsynced_folder(fails: Callable[[], bool]) -> Iterator[None]:
    """Let the folder's sync fail when asked for and `fails()`: what stands there cannot be synced."""

    @OPEN_FOLDER
    def open_folder(name: bytes, handle: "ctypes._Pointer[ctypes.c_int]") -> int:
        if fails():
            unsyncable, other = os.pipe()
            os.close(other)
            handle[0] = unsyncable
        else:
            handle[0] = os.open(os.path.dirname(name), os.O_RDONLY)
        return 0

    with replaced("openDirectory", open_folder):
        yield


@contextmanager
def undeletable(fails: Callable[[], bool]) -> Iterator[None]:
    """Let deleting a file fail, as of the journal with which a step ends."""

    @UNLINK
    def unlink(name: bytes) -> int:
        if fails():
            ctypes.set_errno(errno.EIO)
            return -1
        os.unlink(name)
        return 0

    with replaced("unlink", unlink):
        yield


@contextmanager
def unreadable(fails: Callable[[], bool]) -> Iterator[None]:
    """Let reading from a file fail."""

    @READ
    def read(handle: int, into: int, size: int, offset: int) -> int:
        if fails():
            ctypes.set_errno(errno.EIO)
            return -1
        found = os.pread(handle, size, offset)
        ctypes.memmove(into, found, len(found))
        return len(found)

    with replaced("pread", read), replaced("pread64", read):
        yield
