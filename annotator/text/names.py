"""Names cut to the room that there is, so that each is still told from the others."""

from collections.abc import Callable, Collection, Sequence
from functools import partial

AROUND = (48, 36, 24, 16, 12, 8, 6, 4, 3, 2, 1)
"""So many letters of what names share are tried beside what tells them apart."""

BETWEEN = " – "
"""Stands between the two names of a pair."""

AND = ", "
"""Stands between a pair and what is told of it."""

SHORTEST = 4
"""To so many letters at least each of two names is cut where both are to be seen."""


def pair(first: str, second: str) -> str:
    """Return the name of a pair."""
    return f"{first}{BETWEEN}{second}"


def told_apart(names: Sequence[str], cut: Callable[[str], str]) -> list[str]:
    """Return each name in the room that `cut` leaves it, in their order, each told from the others if it can.

    Of the two names of a pair both are seen, cut alike wherever they stand.
    """
    apart = _told_apart(names, cut)
    if not (pairs := _pairs(names, cut)):
        return apart
    others = [one for one in names if one not in pairs]
    known = pairs | dict(zip(others, _told_apart(others, cut), strict=True))
    return max([known[one] for one in names], apart, key=lambda way: len({*way}))


def short(text: str, length: int = 28) -> str:
    """Return a text cut to a length: dots stand for its end, or for the middle of a lone word.

    Names of systems often begin alike.
    """
    if len(text) <= length:
        return text
    end = 0 if " " in text else length // 2
    return f"{text[: length - 1 - end]}…{text[len(text) - end :]}"


def _pairs(names: Collection[str], cut: Callable[[str], str]) -> dict[str, str]:
    """Return the names that are pairs, their two cut to the room; none where nothing has to be.

    What is told of a pair behind a comma gives way first.
    """
    told = {one: one.split(BETWEEN, 1) for one in names if BETWEEN in one}
    if all(cut(one) == one for one in told):
        return {}
    pairs = {one: (first, *second.partition(AND)[:2]) for one, (first, second) in told.items()}
    single = sorted({name for *two, _ in pairs.values() for name in two})
    for length in range(max(map(len, single)), SHORTEST - 1, -1):
        known = dict(zip(single, _told_apart(single, partial(short, length=length)), strict=True))
        shown = {one: pair(*(known[name] for name in two)) for one, (*two, _) in pairs.items()}
        shown |= {one: f"{shown[one].removesuffix('…')}…" for one, (*_, more) in pairs.items() if more}
        if all(cut(one) == one for one in shown.values()):
            return shown
    return {}


def _told_apart(names: Sequence[str], cut: Callable[[str], str]) -> list[str]:
    """Return each name as `cut` leaves it, in their order.

    Where that makes some alike, dots stand first for what these, or all that are cut, begin and end with, but
    for some letters of it.
    """
    shown = [cut(one) for one in names]
    if len({*shown}) == len({*names}):
        return shown
    alike: dict[str, set[str]] = {}
    for one, seen in zip(names, shown, strict=True):
        alike.setdefault(seen, set()).add(one)
    some: dict[str, str] = {}
    for group in alike.values():
        some |= _inside(group, cut) if len(group) > 1 else {}
    every = _inside({one for one, seen in zip(names, shown, strict=True) if one != seen}, cut)
    ways = [[way.get(one, seen) for one, seen in zip(names, shown, strict=True)] for way in (some, every)]
    return max(shown, *ways, key=lambda way: len({*way}))


def _inside(names: Collection[str], cut: Callable[[str], str]) -> dict[str, str]:
    """Return names without what they begin and end alike with, and as much of it as leaves none cut."""
    start = _shared(names)
    end = _shared([one[start:][::-1] for one in names])
    inner: dict[str, str] = {}
    for kept in AROUND:
        left, right = max(start - kept, 0), max(end - kept, 0)
        inner = {one: "…" * bool(left) + one[left : len(one) - right] + "…" * bool(right) for one in names}
        if all(cut(one) == one for one in inner.values()):
            break
    return {one: cut(inside) for one, inside in inner.items()}


def _shared(names: Collection[str]) -> int:
    """Return with how many letters all names begin alike."""
    first, last = min(names), max(names)
    unlike = (at for at, (one, other) in enumerate(zip(first, last, strict=False)) if one != other)
    return next(unlike, min(len(first), len(last)))
