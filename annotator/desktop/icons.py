"""The drawings of `resources/icons`, tinted by the theme."""

from functools import cache

from PySide6.QtCore import QDir, QFile, QStandardPaths
from PySide6.QtGui import QIcon

from annotator.places import place


@cache
def icon(name: str, colour: str) -> QIcon:
    """Return a drawing in one colour, sharp at every size; it is rendered when it is first painted."""
    return QIcon(drawn(name, colour))


@cache
def drawn(name: str, colour: str) -> str:
    """Return the path of a drawing in one colour: style sheets and lazy icons take files only."""
    folder = user_folder(QStandardPaths.StandardLocation.GenericCacheLocation)
    source = (place("resources") / "icons" / f"{name}.svg").read_text("utf-8")
    content = source.replace("currentColor", colour).encode()
    path = f"{folder}/{name}-{colour.lstrip('#')}.svg"
    file = QFile(path)
    if file.size() != len(content) and file.open(QFile.OpenModeFlag.WriteOnly):
        file.write(content)
        file.close()
    return path


def user_folder(location: QStandardPaths.StandardLocation) -> str:
    """Return Annotator's own folder at a place of the user's, made if it is missing."""
    folder = f"{QStandardPaths.writableLocation(location)}/annotator"
    QDir().mkpath(folder)
    return folder
