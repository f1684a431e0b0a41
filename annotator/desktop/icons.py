"""The drawings of `resources/icons`, tinted by the theme."""

from functools import lru_cache

from platformdirs import user_cache_path
from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from annotator.places import place

SIZE = 20
SCALES = (1, 2, 3)


@lru_cache(maxsize=256)
def icon(name: str, colour: str, disabled: str = "") -> QIcon:
    """Return a drawing in one colour, sharp up to three times the normal size."""
    drawn = QIcon()
    for mode, tint in ((QIcon.Mode.Normal, colour), (QIcon.Mode.Disabled, disabled or colour)):
        for scale in SCALES:
            drawn.addPixmap(pixmap(name, tint, SIZE, scale), mode)
    return drawn


def pixmap(name: str, colour: str, size: int, scale: float = 1) -> QPixmap:
    """Draw an icon in one colour into `size` logical pixels at a screen's scale."""
    source = (place("resources") / "icons" / f"{name}.svg").read_text("utf-8").replace("currentColor", colour)
    image = QPixmap(round(size * scale), round(size * scale))
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(QByteArray(source.encode())).render(painter, QRectF(image.rect()))
    painter.end()
    image.setDevicePixelRatio(scale)
    return image


def drawn(name: str, colour: str) -> str:
    """Return the path of a drawing in one colour, for style sheets: they take pictures from files only."""
    path = user_cache_path("annotator") / f"{name}-{colour.lstrip('#')}.svg"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        source = (place("resources") / "icons" / f"{name}.svg").read_text("utf-8")
        path.write_text(source.replace("currentColor", colour), encoding="utf-8")
    return path.as_posix()
