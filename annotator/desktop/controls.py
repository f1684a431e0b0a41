"""Buttons and lists to choose from, made in one line each."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QCoreApplication, QEvent, SignalInstance
from PySide6.QtWidgets import QPushButton, QWidget

from annotator.text.templates import beginning
from annotator.text.visible import visible
from annotator.theme import STEPS

if TYPE_CHECKING:
    from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QProgressBar

Number = TypeVar("Number", bound="QAbstractSpinBox")


def literal(text: str) -> str:
    """Return a text as a button or a menu shows it, where `&` alone marks a shortcut."""
    return visible(beginning(text)).replace("&", "&&")


def button(
    words: str,
    pressed: Callable[..., object] | SignalInstance,
    parent: QWidget | None = None,
    kind: str = "",
) -> QPushButton:
    """Return a button and what it does; `primary` is the kind of the one that goes on."""
    made = QPushButton(words, parent)
    if kind:
        made.setProperty("kind", kind)
    made.clicked.connect(pressed)
    return made


def progress_bar(parent: QWidget | None = None) -> "QProgressBar":
    """Return the thin bar that shows how far something is."""
    from PySide6.QtWidgets import QProgressBar

    made = QProgressBar(parent)
    made.setTextVisible(False)
    made.setAccessibleName("Progress")
    return made


def combo(
    name: str,
    chosen: Callable[..., object] | None = None,
    items: Iterable[tuple[str, object]] = (),
    parent: QWidget | None = None,
) -> "QComboBox":
    """Return a list of (words, value); `chosen` is called when the user takes one, not when code does."""
    from annotator.desktop.choice import Choice

    made = Choice(parent)
    made.setAccessibleName(name)
    for words, value in items:
        made.addItem(words, value)
    if chosen is not None:
        made.activated.connect(chosen)
    return made


def roomy(box: Number) -> Number:
    """Return a field of a number with room before its digits, which the style sheet cannot give it."""
    box.lineEdit().setTextMargins(STEPS[0], 0, 0, 0)
    return box


def offer(box: "QComboBox", names: Sequence[str], usual: int = 0) -> None:
    """Offer other names; the one that was chosen stays so if it is still among them."""
    kept = box.currentText()
    box.clear()
    box.addItems(list(names))
    box.setCurrentIndex(names.index(kept) if kept in names else min(usual, len(names) - 1))
    # else Qt keeps the least width that it found for the names before
    QCoreApplication.sendEvent(box, QEvent(QEvent.Type.StyleChange))
