"""Numbers of things in words, and numbers in digits."""

from decimal import Decimal


def counted(number: int, one: str, many: str = "") -> str:
    """Return `1 query`, `2,000 queries`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def in_digits(number: float, sign: str = "") -> str:
    """Return a number with four significant digits and no power of ten: `-0.00007352`.

    With a `sign` of "+" that stands before what is above zero, too.
    """
    return f"{Decimal(f'{number:.4g}'):{sign}f}"


def counted_plural(number: int, many: str) -> str:
    """Return the same of a regular plural.

    >>> counted_plural(1, "queries"), counted_plural(2, "runs"), counted_plural(1, "runs")
    ('1 query', '2 runs', '1 run')
    """
    return counted(number, f"{many[:-3]}y" if many.endswith("ies") else many.removesuffix("s"), many)
