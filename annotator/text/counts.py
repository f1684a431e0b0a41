"""Numbers of things in words."""


def counted(number: int, one: str, many: str = "") -> str:
    """Return `1 query`, `2,000 queries`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
