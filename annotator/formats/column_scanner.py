"""Columns of blank-separated files as arrays, without an object per row: the fast path of TREC files.

A block of whole lines becomes the bounds of its tokens by vectorised comparisons; tokens become 64-bit keys
and numbers. What is odd (a comment, double blanks, CRLF) is tidied and scanned again; what may be wrong
raises `Odd`, and the plain reader of the format then reads the file or names what is wrong with it.
"""

import ctypes
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotator.formats.text_lines import CONTROLS
from annotator.records import ID_BYTES

Bytes = NDArray[np.uint8]
Places = NDArray[np.int64]
Keys = NDArray[np.uint64]

PAD = 64
AROUND = b"0" * PAD
LONGEST_SCORE = 40
EXACT = 2**53
POWERS = 10.0 ** np.arange(23)
"""Powers of ten that are exact doubles: a whole number below `EXACT` over one of them is rounded once."""
LOW_BYTES = np.array([(1 << 8 * count) - 1 for count in range(9)], np.uint64)
HIGH_BYTES = ~LOW_BYTES[::-1]
MIX = np.uint64(0x9E3779B97F4A7C15)
_C1 = re.compile("[\x80-\x84\x86-\x9f]")


class Odd(Exception):
    """Something that the plain reader must decide on."""


@dataclass(slots=True)
class Table:
    """The tokens of a block with the same number of columns in every row.

    `data` is the block with `PAD` bytes around it, `ends[column, row]` the position after each token.
    """

    data: Bytes
    ends: Places

    def __len__(self) -> int:
        return len(self.ends[0])

    def bounds(self, column: int) -> tuple[Places, Places]:
        """Return where the tokens of a column start and end."""
        if column:
            return self.ends[column - 1] + 1, self.ends[column]
        starts = np.full(len(self), PAD)
        np.add(self.ends[-1, :-1], 1, out=starts[1:])
        return starts, self.ends[0]


def table(parts: Sequence[bytes], columns: int) -> Table:
    """Return the tokens of whole lines, given as the parts of a block; raises Odd where a row has not
    `columns` columns or a character that no text may hold.
    """
    tokens = _table(parts, columns)
    if tokens is not None and int(tokens.data.max()) < 127:
        return tokens
    block = b"".join(parts)
    if not is_text(block):
        raise Odd
    tokens = tokens or _table([tidied(block, columns)], columns)
    if tokens is None:
        raise Odd
    return tokens


def is_text(block: bytes) -> bool:
    """Say whether a block is UTF-8 without a character that no text may hold."""
    if len(block.translate(None, CONTROLS)) != len(block) or block.count(b"\r") != block.count(b"\r\n"):
        return False
    try:
        return block.isascii() or _C1.search(block.decode("utf-8")) is None
    except UnicodeDecodeError:
        return False


def _table(parts: Sequence[bytes], columns: int) -> Table | None:
    """Return the tokens where single blanks and tabs separate them and there is nothing else below 33."""
    last = next((part for part in reversed(parts) if part), b"\n")
    end = b"" if last.endswith(b"\n") else b"\n"
    text = b"".join((AROUND, *parts, end, AROUND))
    data = np.frombuffer(text, np.uint8)
    separates = data <= 32
    if separates[PAD] or (separates[1:] & separates[:-1]).any():
        return None
    places = np.flatnonzero(separates)
    del separates
    if len(places) % columns:
        return None
    tokens = Table(data, np.ascontiguousarray(places.reshape(-1, columns).T))
    between = np.count_nonzero(data == b" "[0])
    if between != len(places) - len(tokens):
        between += np.count_nonzero(data == b"\t"[0])
    if between != len(places) - len(tokens) or (data[tokens.ends[-1]] != b"\n"[0]).any():
        return None
    if b"#" in text and (data[tokens.bounds(0)[0]] == b"#"[0]).any():
        return None
    return tokens


def same_last_column(table: Table) -> bytes:
    """Return the token that the last column holds in every row; raises Odd where another one stands."""
    starts, ends = table.bounds(len(table.ends) - 1)
    token = table.data[starts[0] : ends[0] + 1].tobytes()
    source = table.data if len(token) < PAD else np.concatenate((table.data, np.zeros(len(token), np.uint8)))
    at = _words_at(source)
    for offset in range(0, len(token), 8):
        part = token[offset : offset + 8]
        if ((at[starts + offset] & LOW_BYTES[len(part)]) != int.from_bytes(part, "little")).any():
            raise Odd
    return token[:-1]


def tidied(block: bytes, columns: int) -> bytes:
    """Return a block without comments and blank lines, its columns separated by one blank each.

    A comment that has the columns of a row stays: the plain reader says that it is one.
    """
    rows = (line.split() for line in block.split(b"\n"))
    kept = (row for row in rows if row and (row[0][:1] != b"#" or (row[0] != b"#" and len(row) == columns)))
    return b"".join(b" ".join(row) + b"\n" for row in kept)


def _words_at(data: Bytes) -> Keys:
    """Return the eight bytes from every position on as one number, the first byte the lowest."""
    return np.ndarray(len(data) - 7, "<u8", data, strides=(1,))


def words(data: Bytes, starts: Places, ends: Places) -> list[Keys]:
    """Return the bytes of tokens as 64-bit words, one array a word; short tokens end in zero bytes.

    Two tokens without NUL bytes are equal exactly when all their words are.
    """
    lengths = ends - starts
    longest = int(lengths.max(initial=0))
    if longest > ID_BYTES:
        raise Odd
    count = (longest + 7) // 8
    at = _words_at(data if longest < PAD else np.concatenate((data, np.zeros(longest, np.uint8))))
    parts = []
    for word in range(count):
        value = at[starts + 8 * word] if word else at[starts]
        value &= LOW_BYTES.take(lengths - 8 * word if word else lengths, mode="clip")
        parts.append(value)
    return parts


def key(parts: list[Keys], rows: int) -> Keys:
    """Return one 64-bit key for each token: the same wherever it stands, almost never that of another.

    Tokens of up to eight bytes are their own keys.
    """
    mixed = parts[0] if parts else np.zeros(rows, np.uint64)
    for part in parts[1:]:
        longer = mixed * MIX
        longer ^= longer >> np.uint64(29)
        longer += part
        mixed = np.where(part != 0, longer, mixed)
    return mixed


def pair_key(query: NDArray[np.int32], candidate: Keys) -> Keys:
    """Return one well mixed 64-bit key for each pair of a query's number and a candidate's key."""
    mixed = (candidate + query.astype(np.uint64) * np.uint64(0xD1B54A32D192ED03)) * MIX
    mixed ^= mixed >> np.uint64(32)
    mixed *= np.uint64(0xD6E8FEB86659FD93)
    return mixed


def changes(parts: list[Keys], rows: int) -> Places:
    """Return the rows whose token differs from the one before, the first row included."""
    differs = np.zeros(rows, bool)
    differs[:1] = True
    for part in parts:
        differs[1:] |= part[1:] != part[:-1]
    return np.flatnonzero(differs)


def fixed(data: Bytes, starts: Places, ends: Places, width: int) -> NDArray[np.bytes_]:
    """Return tokens as an array of byte strings of one width; raises Odd when one is longer."""
    lengths = ends - starts
    if int(lengths.max(initial=0)) > width:
        raise Odd
    source = np.concatenate((data, np.zeros(width, np.uint8))) if width > PAD else data
    cells = np.lib.stride_tricks.sliding_window_view(source, width)[starts]
    cells[np.arange(width) >= lengths[:, None]] = 0
    return cells.view(f"S{width}").ravel()


def decimals(data: Bytes, starts: Places, ends: Places) -> NDArray[np.float64]:
    """Return finite decimal numbers as the nearest doubles; raises Odd where a token is none.

    A whole number below 2**53 divided by a power of ten up to 10**22 is rounded once, hence right. Exponents
    and longer numbers go one by one.
    """
    if not len(starts):
        return np.zeros(0)
    point = data[starts[0] : ends[0]].tobytes().find(b".")
    after = int(ends[0] - starts[0]) - 1 - point if point >= 0 else 0
    scaled = fixed_point(data, starts, ends, after)
    return scaled / POWERS[after] if scaled is not None else _digit_by_digit(data, starts, ends)


def fixed_point(data: Bytes, starts: Places, ends: Places, after: int) -> NDArray[np.int64] | None:
    """Return numbers times 10**after where all have exactly `after` digits behind the point, else None.

    None as well where there is a plus sign or more than eight digits on a side.
    """
    negative = data[starts] == b"-"[0]
    whole_ends = ends - (after + 1) if after else ends
    digits = whole_ends - starts - negative
    most = int(digits.max(initial=0))
    if after > 8 or most > 8 or most + after > 15 or (digits < 1).any():
        return None
    if after and (data[whole_ends] != b"."[0]).any():
        return None
    at = _words_at(data)
    whole = at[whole_ends - 8]
    if not after:
        value = _up_to_eight_digits(whole, digits)
    elif most + after <= 8:
        whole >>= np.uint64(8 * after)
        whole |= at[ends - 8] & HIGH_BYTES[after]
        value = _up_to_eight_digits(whole, digits + after)
    else:
        value, behind = (
            _up_to_eight_digits(whole, digits),
            _up_to_eight_digits(at[ends - 8], np.full(1, after)),
        )
        if value is None or behind is None:
            return None
        value *= 10**after
        value += behind
    if value is not None:
        np.negative(value, out=value, where=negative)
    return value


def _up_to_eight_digits(value: Keys, digits: Places) -> NDArray[np.int64] | None:
    """Return the numbers whose last `digits` of eight bytes are given, or None for a byte that is no digit.

    The bytes of a number are added up in three steps, neighbours first; `value` is used up.
    """
    value ^= np.uint64(0x3030303030303030)
    value &= HIGH_BYTES.take(digits, mode="clip")
    above_nine = value + np.uint64(0x7676767676767676)
    above_nine |= value
    if (above_nine & np.uint64(0x8080808080808080)).any():
        return None
    for weights, shift, keep in (
        (10 << 8 | 1, 8, 0x00FF00FF00FF00FF),
        (100 << 16 | 1, 16, 0x0000FFFF0000FFFF),
        (10_000 << 32 | 1, 32, 0x00000000FFFFFFFF),
    ):
        value *= np.uint64(weights)
        value >>= np.uint64(shift)
        value &= np.uint64(keep)
    return value.view(np.int64)


def _digit_by_digit(data: Bytes, starts: Places, ends: Places) -> NDArray[np.float64]:
    """Return decimals of any layout, one column of digits in all rows at a time."""
    signs = data[starts]
    signed = (signs == b"-"[0]) | (signs == b"+"[0])
    lengths = ends - starts - signed
    width = int(lengths.max(initial=1))
    if width > LONGEST_SCORE:
        raise Odd
    cells = np.lib.stride_tricks.sliding_window_view(data, width)[ends - width]
    value = np.zeros(len(starts), np.int64)
    after = np.zeros(len(starts), np.int64)
    pointed = np.zeros(len(starts), bool)
    plain = lengths <= 18
    for column, cell in enumerate(np.ascontiguousarray(cells.T)):
        inside = lengths >= width - column
        digit = cell - np.uint8(48)
        is_digit = (digit <= 9) & inside
        point = (cell == b"."[0]) & inside
        plain &= is_digit | (point & ~pointed) | ~inside
        value = np.where(is_digit, value * 10 + digit, value)
        after += is_digit & pointed
        pointed |= point
    plain &= (value < EXACT) & (lengths > pointed)
    quotient = value / POWERS[np.minimum(after, 22)]
    np.negative(quotient, out=quotient, where=signs == b"-"[0])
    if not plain.all():
        odd = np.flatnonzero(~plain)
        quotient[odd] = _one_by_one(data, starts[odd], ends[odd])
    return quotient


def _one_by_one(data: Bytes, starts: Places, ends: Places) -> NDArray[np.float64]:
    cells = fixed(data, starts, ends, LONGEST_SCORE)
    if not np.isin(cells.view(np.uint8), np.frombuffer(b"\0+-.0123456789Ee", np.uint8)).all():
        raise Odd
    try:
        with np.errstate(over="ignore"):
            numbers = cells.astype(np.float64)
    except ValueError as error:
        raise Odd from error
    if not np.isfinite(numbers).all():
        raise Odd
    return numbers


def keep_freed_memory() -> None:
    """Let glibc keep the memory of freed arrays, which else goes back to the kernel after every block.

    Taking it back page by page costs more than half of the time; elsewhere than on glibc this does nothing.
    """
    if sys.platform == "linux":
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
        if mallopt is not None:
            trim_threshold, mmap_threshold = -1, -3
            mallopt(mmap_threshold, 1 << 30)
            mallopt(trim_threshold, 1 << 28)


def give_back_freed_memory() -> None:
    """Give the kernel what `keep_freed_memory` keeps, once much was freed that is not needed so soon."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
