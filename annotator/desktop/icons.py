"""The drawings of `resources/icons`, tinted by the theme."""

from contextlib import suppress
from functools import cache
from pathlib import Path

from PySide6.QtCore import QStandardPaths
from PySide6.QtGui import QIcon

from annotator.places import place


@cache
def icon(name: str, colour: str) -> QIcon:
    """Return a drawing in one colour, sharp at every size; it is rendered when it is first painted."""
    return QIcon(drawn(name, colour))


@cache
def drawn(name: str, colour: str) -> str:
    """Return the path of a drawing in one colour: style sheets and lazy icons take files only."""
    source = (place("resources") / "icons" / f"{name}.svg").read_text("utf-8")
    content = source.replace("currentColor", colour).encode()
    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericCacheLocation)
    path = Path(folder, "annotator", f"{name}-{colour.lstrip('#')}.svg")
    with suppress(OSError):
        if path.stat().st_size == len(content):
            return str(path)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return str(path)


def user_folder(location: QStandardPaths.StandardLocation) -> str:
    """Return Annotator's own folder at a place of the user's, made if it is missing."""
    folder = f"{QStandardPaths.writableLocation(location)}/annotator"
    with suppress(OSError):
        Path(folder).mkdir(parents=True, exist_ok=True)
    return folder
