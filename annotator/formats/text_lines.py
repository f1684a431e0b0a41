"""Strict lines out of a file: UTF-8 with an optional BOM, LF or CRLF, plain or gzipped, nothing odd inside.

What cannot be taken becomes a problem with its file, line and column; reading goes on so that many are
named at once. Nothing is kept of what was read: memory follows the longest line.
"""

import gzip
import io
import os
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Generic, Self, TypeVar, cast

from annotator.errors import InputError, Problem, UserError
from annotator.formats.declaration import Reading, refuse_odd
from annotator.formats.whole_files import why

MOST_NAMED = 100
MOST_COUNTED = 10_000
LINE_BYTES = 64_000_000
"""A text of 16 MB, every character escaped as JSON may do it, still fits."""
WHOLE_BYTES = 2_000_000_000
"""A file that is one JSON value may be one line."""
BLOCK = 3 << 18
MOST_BLANKS = 100_000
UNPACKED_RATIO = 200
UNPACKED_FREE = 64_000_000
"""A packed table may unpack to this many bytes and `UNPACKED_RATIO` times its size beyond them."""
TEXT_RATIO = 50
"""The same for gzipped text, which seldom unpacks to 20 times its size."""
LOOKED_THROUGH = 4_000_000
"""Up to so many packed bytes a file is unpacked once before it is read: within about a second."""
TOO_FAR = "the gzip file unpacks to far more than its size; unpack it yourself"

Item = TypeVar("Item")
BOM = b"\xef\xbb\xbf"
CONTROLS = bytes(code for code in range(32) if code not in b"\t\n\r") + b"\x7f"
_CONTROL = re.compile(b"[" + re.escape(CONTROLS) + b"]|\r(?!\n)|\r\\Z")


class Problems:
    """The places of one file that cannot be taken: the first hundred named, more counted.

    `place_of` is set by who reads a table: line and column of a named cell of the row of now.
    """

    def __init__(self, path: Path) -> None:
        self.file = str(path)
        self.named: list[Problem] = []
        self.more = 0
        self.place_of: Callable[[str], tuple[int, int] | None] = lambda _: None

    def __len__(self) -> int:
        return len(self.named) + self.more

    def add(self, line: int | None, message: str, column: int | None = None, cell: str = "") -> None:
        """Keep a problem, of a named `cell` where that stands.

        Raises InputError once there are so many that reading on tells nothing.
        """
        if len(self.named) < MOST_NAMED:
            if cell and (place := self.place_of(cell)):
                line, column = place
            self.named.append(Problem(self.file, line, column, message))
            return
        self.more += 1
        if self.more >= MOST_COUNTED:
            self.check()

    def check(self) -> None:
        """Raise InputError when there is any problem."""
        if self.named:
            raise InputError(self.named, self.more)


def refusal(path: Path, message: str, line: int | None = None) -> InputError:
    """Return the error for one problem that ends the reading."""
    return InputError([Problem(str(path), line, None, message)])


def unreadable(path: Path, error: OSError) -> UserError:
    """Return the error for a file whose disk, share or mode forbids to read it."""
    return UserError(f"{path} cannot be read: {why(error)}.")


@dataclass(frozen=True, slots=True)
class Reread(Generic[Item]):
    """What a file holds, read from it whenever asked for, so that it is never in memory as a whole.

    Raises InputError when the file was changed since a first pass found it sound, or changes meanwhile.
    """

    path: Path
    read: Callable[[], Iterable[Item]]
    state: tuple[int, int]
    items: int = 0

    @classmethod
    def checked(cls, path: Path, first: Iterable[object], read: Callable[[], Iterable[Item]]) -> Self:
        """Go through the first pass, which raises InputError for what cannot be taken, and keep nothing."""
        state = _state(path)
        return cls(path, read, state, sum(1 for _ in first))

    @classmethod
    def from_now(cls, path: Path, read: Callable[[], Iterable[Item]]) -> Self:
        """Remember the file as it is before a first pass that the caller makes."""
        return cls(path, read, _state(path))

    def __length_hint__(self) -> int:
        return self.items

    def __iter__(self) -> Iterator[Item]:
        self._refuse_changed()
        yield from self.read()
        self._refuse_changed()

    def _refuse_changed(self) -> None:
        if _state(self.path) != self.state:
            raise refusal(self.path, "was changed after it was looked at; look at it again")


def _state(path: Path) -> tuple[int, int]:
    try:
        stat = path.stat()
    except OSError as error:
        raise unreadable(path, error) from error
    return stat.st_size, stat.st_mtime_ns


class _Plain(io.FileIO):
    """A file whose reading raises UserError where the disk fails."""

    def read(self, size: int | None = -1) -> bytes:
        """Return up to `size` bytes."""
        try:
            return super().read(-1 if size is None else size)
        except OSError as error:
            raise unreadable(Path(os.fsdecode(self.name)), error) from error


class _Unpacked:
    """A gzipped stream that stops when it unpacks to far more than its size."""

    def __init__(self, path: Path, packed: BinaryIO) -> None:
        self._path = path
        self._packed = packed
        self._left = UNPACKED_FREE + TEXT_RATIO * path.stat().st_size
        if said_at_the_end(packed) > self._left:  # else it shows while it is unpacked
            packed.close()
            raise refusal(path, TOO_FAR)
        self._stream = gzip.GzipFile(fileobj=packed)

    def read(self, size: int) -> bytes:
        """Return up to `size` bytes."""
        try:
            data = self._stream.read(size)
        except (OSError, EOFError, zlib.error) as error:
            raise refusal(self._path, f"the gzip file is damaged ({error}); fetch it again") from error
        self._left -= len(data)
        if self._left < 0:
            raise refusal(self._path, TOO_FAR)
        return data

    def tell(self) -> int:
        """Return how far the packed file was read."""
        return self._packed.tell()

    def __enter__(self) -> "_Unpacked":
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()
        self._packed.close()


def said_at_the_end(packed: BinaryIO) -> int:
    """Return to how many bytes a gzipped file says that its last part unpacks, or fewer."""
    length = packed.seek(0, os.SEEK_END)
    packed.seek(max(length - 4, 0))
    said = int.from_bytes(packed.read(4), "little")
    packed.seek(0)
    return said


def open_bytes(path: Path) -> "BinaryIO | _Unpacked":
    """Open a file for reading, unpacked where its first bytes say gzip; raises UserError.

    A pipe or a device is refused: what is read twice must be there twice.
    """
    refuse_odd(path)
    try:
        stream = _Plain(path)
        magic = stream.read(2)
        stream.seek(0)
    except OSError as error:
        raise unreadable(path, error) from error
    return _Unpacked(path, cast(BinaryIO, stream)) if magic == b"\x1f\x8b" else cast(BinaryIO, stream)


def _refuse_far(path: Path, packed: int) -> None:
    """Refuse a small gzipped file that unpacks to far more than its size before a line of it is parsed."""
    with open_bytes(path) as stream:
        if isinstance(stream, _Unpacked) and packed <= LOOKED_THROUGH:
            while stream.read(BLOCK):
                pass


def beginning(path: Path, size: int = 1 << 16) -> str:
    """Return the first characters of a file, odd bytes replaced, for recognising its format."""
    parts: list[bytes] = []
    with open_bytes(path) as stream:
        while size > 0 and (data := stream.read(size)):
            parts.append(data)
            size -= len(data)
    return b"".join(parts).removeprefix(BOM).decode("utf-8", "replace")


def blocks(path: Path, reading: Reading, longest_line: int = LINE_BYTES) -> Iterator[bytes]:
    """Yield the file as blocks of whole lines, without the BOM; raises Stopped when asked to stop."""
    total = path.stat().st_size if path.exists() else 0
    done = 0
    rest: list[bytes] = []
    waiting = 0
    _refuse_far(path, total)
    with open_bytes(path) as stream:
        first = True
        while data := stream.read(BLOCK):
            done += len(data)
            reading.watch.step(min(stream.tell(), total), total, f"Reading {path.name}")
            if len(data) > MOST_BLANKS and data.isspace():
                raise refusal(path, f"holds nothing but blanks before byte {done:,}; remove them")
            if first:
                data, first = data.removeprefix(BOM), False
            end = data.rfind(b"\n") + 1
            if end:
                yield b"".join((*rest, memoryview(data)[:end]))
                rest, waiting = [], 0
            rest.append(data[end:])
            waiting += len(data) - end
            if waiting > longest_line:
                raise refusal(
                    path, f"a line is longer than {longest_line // 1_000_000} MB; split the file", 1
                )
    if last := b"".join(rest):
        yield last


def byte_lines(
    path: Path, problems: Problems, reading: Reading, lone_returns: bool = False
) -> Iterator[tuple[int, bytes]]:
    """Yield (number from 1, line) of every line, with its CR if it has one; odd characters are problems.

    `lone_returns` lets a CR stand alone, as it may in a quoted cell.
    """
    number = 1
    for block in blocks(path, reading):
        lone = not lone_returns and block.count(b"\r") != block.count(b"\r\n")
        if lone or len(block.translate(None, CONTROLS)) != len(block):
            _name_controls(block, number, problems)
        lines = block.split(b"\n")
        if block.endswith(b"\n"):
            lines.pop()
        yield from enumerate(lines, number)
        number += len(lines)


def _name_controls(block: bytes, number: int, problems: Problems) -> None:
    for match in _CONTROL.finditer(block):
        code = match.group()[0]
        line = number + block.count(b"\n", 0, match.start())
        column = match.start() - block.rfind(b"\n", 0, match.start())
        if code == 0:
            what = "a NUL byte; save the file as UTF-8 text (it may be UTF-16 or no text at all)"
        elif code == 13:
            what = "a carriage return without a line feed; use LF or CRLF line ends"
        else:
            what = f"the control character U+{code:04X}; remove it"
        problems.add(line, f"holds {what}", column)
        if len(problems.named) >= MOST_NAMED:
            problems.check()


def text_of(line: bytes, number: int, problems: Problems) -> str | None:
    """Return a line or several as text, with their CRs, or None after naming the byte that is not UTF-8.

    `number` is that of the first line.
    """
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        at = error.start
        column = at - line.rfind(b"\n", 0, at)
        message = f"the byte 0x{line[at]:02X} is not UTF-8; save the file as UTF-8"
        problems.add(number + line.count(b"\n", 0, at), message, column)
        return None


def text_lines(path: Path, problems: Problems, reading: Reading) -> Iterator[tuple[int, str]]:
    """Yield (number from 1, text) of every line that is valid UTF-8 and not blank."""
    for number, line in byte_lines(path, problems, reading):
        text = text_of(line.removesuffix(b"\r"), number, problems)
        if text and not text.isspace():
            yield number, text


def whole_text(path: Path, problems: Problems, reading: Reading) -> str:
    """Return the whole file as text, its line ends as they are; raises InputError when it is not valid."""
    data = b"".join(blocks(path, reading, WHOLE_BYTES))
    if len(data.translate(None, CONTROLS)) != len(data):
        _name_controls(data, 1, problems)
    text = text_of(data, 1, problems)
    problems.check()
    assert text is not None
    return text
