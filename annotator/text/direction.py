"""Which way a text is read."""

from unicodedata import bidirectional


def from_the_right(text: str) -> bool:
    """Say whether a text reads from right to left: its first letter with a direction decides."""
    directions = (bidirectional(letter) for letter in text)
    return next((one for one in directions if one in ("L", "R", "AL")), "L") != "L"
