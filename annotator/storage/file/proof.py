"""How a file that was proved is known again, from one start of the program to the next: by size and times.

A check reads the whole file, so it is not repeated while nobody changed the file. That it is the same is no
proof against a failing disk: the window checks every project that it opens, beside the work.
"""

import hashlib
import os
import time
from contextlib import suppress
from pathlib import Path

from annotator import kept_files

LARGE = 1_000_000
"""Bytes from which on a proof is kept: a smaller file is checked in less than a tenth of a second."""

SLOW = 5_000_000
"""Bytes from which on a check takes more than half a second."""

TICK_NS = 20_000_000
"""File systems count time in ticks: two changes within one cannot be told apart."""

CHECK = 1
"""Which check was passed; raised when a later one finds more."""

Stamp = tuple[int, ...]


def stamp(path: Path) -> Stamp:
    """Return what changes whenever a file is changed: size, times in ns, the place on the disk."""
    stat = path.stat()
    return stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino


def known(path: Path, now: Stamp) -> bool:
    """Tell whether a file with this stamp passed the check earlier."""
    try:
        return _record(path).read_text("utf-8") == _line(now)
    except (OSError, ValueError):
        return False


def keep(path: Path, proved: Stamp) -> None:
    """Note that a file with this stamp passed the check, where it is large enough to be worth it.

    What cannot be noted is checked again, and what has a journal beside it, for it is not read as it stands.
    """
    size, changed, *_ = proved
    if size < LARGE or path.with_name(f"{path.name}-journal").exists():
        return
    while 0 <= time.time_ns() - changed <= TICK_NS:
        time.sleep(TICK_NS / 1e9)
    with suppress(OSError):
        if stamp(path) == proved:
            kept_files.put(_record(path), _line(proved))


def name(path: Path) -> str:
    """Return what a proof of the file at a path is named."""
    return hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:32]


def _record(path: Path) -> Path:
    return kept_files.place("proved") / name(path)


def _line(proved: Stamp) -> str:
    return " ".join(map(str, (CHECK, *proved)))
