"""How large the window is at first, and whether a screen has room for it."""

from PySide6.QtCore import QSize

USUAL = QSize(1280, 800)
FRAME = QSize(8, 48)
"""So much of the screen is taken by what stands around a window, at least."""


def has_room(available: QSize) -> bool:
    """Say whether a window of the usual size and its frame fit on a screen."""
    return (USUAL + FRAME).boundedTo(available) == USUAL + FRAME
