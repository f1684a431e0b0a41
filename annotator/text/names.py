"""Names cut to the room that there is, so that each is still told from the others."""

from collections.abc import Callable, Sequence

AROUND = (24, 16, 12, 8, 6, 4, 3, 2, 1)
"""So many letters of what names share are tried beside what tells them apart."""


def told_apart(names: Sequence[str], cut: Callable[[str], str]) -> list[str]:
    """Return each name as `cut` leaves it, in their order.

    Where that makes two alike, dots stand first for what all that are cut begin and end with, but for some
    letters of it.
    """
    shown = [cut(one) for one in names]
    if len({*shown}) == len({*names}):
        return shown
    long = sorted({one for one, short in zip(names, shown, strict=True) if one != short})
    start = _shared(long)
    end = _shared([one[start:][::-1] for one in long])
    inner: dict[str, str] = {}
    for kept in AROUND:
        left, right = max(start - kept, 0), max(end - kept, 0)
        inner = {one: "…" * bool(left) + one[left : len(one) - right] + "…" * bool(right) for one in long}
        if all(cut(one) == one for one in inner.values()):
            break
    apart = [cut(inner.get(one, one)) for one in names]
    return apart if len({*apart}) > len({*shown}) else shown


def _shared(names: Sequence[str]) -> int:
    """Return with how many letters all names begin alike."""
    first, last = min(names), max(names)
    unlike = (at for at, (one, other) in enumerate(zip(first, last, strict=False)) if one != other)
    return next(unlike, min(len(first), len(last)))
