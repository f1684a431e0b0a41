"""Rows and columns, written as they stand on screen."""

from typing import TypeVar

from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget

Part = QWidget | QLayout | int | tuple[QWidget | QLayout, int]
"""A widget or a layout, with its share of the room that is left over; a number alone is empty room."""

Box = TypeVar("Box", bound=QBoxLayout)
Margins = tuple[int, int, int, int]
FLUSH: Margins = (0, 0, 0, 0)
AROUND: Margins = (16, 12, 16, 12)
"""What a page of results has around it."""


def row(
    *parts: Part, on: QWidget | None = None, around: Margins | None = None, gap: int | None = None
) -> QHBoxLayout:
    """Return parts side by side, laid out on a widget if one is given; margins are Qt's own unless given."""
    return _filled(QHBoxLayout(), parts, on, around, gap)


def column(
    *parts: Part, on: QWidget | None = None, around: Margins | None = None, gap: int | None = None
) -> QVBoxLayout:
    """Return parts one below the other, as `row` does."""
    return _filled(QVBoxLayout(), parts, on, around, gap)


def _filled(
    box: Box, parts: tuple[Part, ...], on: QWidget | None, around: Margins | None, gap: int | None
) -> Box:
    if on is not None:
        on.setLayout(box)
    if around is not None:
        box.setContentsMargins(*around)
    if gap is not None:
        box.setSpacing(gap)
    for one in parts:
        part, share = one if isinstance(one, tuple) else (one, 0)
        if isinstance(part, int):
            box.addStretch(part)
        elif isinstance(part, QWidget):
            box.addWidget(part, share)
        else:
            box.addLayout(part, share)
    return box
