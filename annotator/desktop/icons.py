"""The drawings of `resources/icons`, tinted by the theme."""

from functools import lru_cache

from platformdirs import user_cache_path
from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from annotator.places import place

SIZES = (16, 20, 40, 80)
"""Pixels; Qt takes the nearest larger one and scales it."""


@lru_cache(maxsize=256)
def icon(name: str, colour: str, disabled: str = "") -> QIcon:
    """Return a drawing in one colour, sharp at every text size and screen scale."""
    made = QIcon()
    for mode, tint in ((QIcon.Mode.Normal, colour), (QIcon.Mode.Disabled, disabled or colour)):
        for size in SIZES:
            made.addPixmap(pixmap(name, tint, size), mode)
    return made


def pixmap(name: str, colour: str, size: int) -> QPixmap:
    """Draw an icon in one colour on a square of pixels."""
    source = (place("resources") / "icons" / f"{name}.svg").read_text("utf-8").replace("currentColor", colour)
    image = QPixmap(size, size)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(QByteArray(source.encode())).render(painter, QRectF(image.rect()))
    painter.end()
    return image


def drawn(name: str, colour: str) -> str:
    """Return the path of a drawing in one colour, for style sheets: they take pictures from files only."""
    path = user_cache_path("annotator") / f"{name}-{colour.lstrip('#')}.svg"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        source = (place("resources") / "icons" / f"{name}.svg").read_text("utf-8")
        path.write_text(source.replace("currentColor", colour), encoding="utf-8")
    return path.as_posix()
