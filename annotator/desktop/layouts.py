"""Rows and columns, written as they stand on screen, and the order in which Tab goes through them."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, TypeVar

from PySide6.QtCore import Qt
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


PLACES = "places"
"""A property of what places its parts itself, without a layout: Tab reaches them from the top down."""


def tab_in_order(whole: QWidget) -> list[QWidget]:
    """Let Tab go through the parts of a widget as they are laid out, not as they were made; return them."""
    reached = list(_reached(whole))
    for one, following in pairwise(reached):
        QWidget.setTabOrder(one, following)
    return reached


def stops_here(part: QWidget) -> bool:
    """Say whether Tab stops at a part now."""
    return part.isVisible() and part.isEnabled() and part.focusProxy() is None


def _reached(part: QWidget) -> Iterator[QWidget]:
    """Return what Tab stops at in a widget, as it is laid out."""
    if part.focusPolicy() & Qt.FocusPolicy.TabFocus:
        yield part
    for inside in filter(None, _parts(part)):
        yield from _reached(inside)


def _parts(part: QWidget) -> Iterator[QWidget | None]:
    from PySide6.QtWidgets import (
        QAbstractItemView,
        QAbstractScrollArea,
        QScrollArea,
        QSplitter,
        QTabWidget,
    )

    if isinstance(part, QTabWidget):
        yield from (part.tabBar(), *(part.widget(at) for at in range(part.count())))
    elif isinstance(part, QSplitter):
        yield from (part.widget(at) for at in range(part.count()))
    elif isinstance(part, QScrollArea):
        yield part.widget()
    elif isinstance(part, QAbstractItemView):  # what stands in its cells
        yield from part.viewport().findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
    elif (layout := part.layout()) is not None:
        yield from _laid_out(layout)
    elif part.property(PLACES):
        around = part.viewport() if isinstance(part, QAbstractScrollArea) else part
        inside = around.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
        yield from sorted(inside, key=lambda one: (one.y(), one.x()))


def _laid_out(layout: QLayout) -> Iterator[QWidget]:
    """Return the widgets of a layout and of those in it, in their order.

    No item is asked for: Python would go on knowing it by its address when it is gone and another one's.
    """
    whole = layout.parentWidget()
    widgets = whole.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly) if whole else []
    parts: list[QWidget | QLayout] = [
        *widgets,
        *(one for one in layout.children() if isinstance(one, QLayout)),
    ]
    placed = [(layout.indexOf(one), one) for one in parts]
    for _, part in sorted((_cell(layout, at), number) for number, (at, _) in enumerate(placed) if at >= 0):
        one = placed[part][1]
        if isinstance(one, QLayout):
            yield from _laid_out(one)
        else:
            yield one


def _cell(layout: QLayout, at: int) -> tuple[int, int]:
    """Return the row and column of a part: parts that came later may stand above earlier ones."""
    from PySide6.QtWidgets import QFormLayout, QGridLayout

    if not isinstance(layout, QGridLayout | QFormLayout):
        return at, 0
    place: Any = layout.getItemPosition(at)
    row, where = place[:2]
    return row, where.value if isinstance(where, QFormLayout.ItemRole) else where
