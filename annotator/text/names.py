"""Names cut to the room that there is, so that each is still told from the others."""

from collections.abc import Callable, Collection, Sequence

AROUND = (48, 36, 24, 16, 12, 8, 6, 4, 3, 2, 1)
"""So many letters of what names share are tried beside what tells them apart."""


def told_apart(names: Sequence[str], cut: Callable[[str], str]) -> list[str]:
    """Return each name as `cut` leaves it, in their order.

    Where that makes some alike, dots stand first for what these, or all that are cut, begin and end with, but
    for some letters of it.
    """
    shown = [cut(one) for one in names]
    if len({*shown}) == len({*names}):
        return shown
    alike: dict[str, set[str]] = {}
    for one, short in zip(names, shown, strict=True):
        alike.setdefault(short, set()).add(one)
    some: dict[str, str] = {}
    for group in alike.values():
        some |= _inside(group, cut) if len(group) > 1 else {}
    every = _inside({one for one, short in zip(names, shown, strict=True) if one != short}, cut)
    ways = [[way.get(one, short) for one, short in zip(names, shown, strict=True)] for way in (some, every)]
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
