"""The drawings of `resources/icons`, tinted by the theme."""

from contextlib import suppress
from functools import cache
from pathlib import Path

from PySide6.QtGui import QIcon

from annotator import kept_files
from annotator.places import place


@cache
def folder() -> Path:
    """Return where drawings are kept."""
    return kept_files.place("icons")


@cache
def icon(name: str, colour: str) -> QIcon:
    """Return a drawing in one colour, sharp at every size; it is rendered when it is first painted."""
    return QIcon(drawn(name, colour))


@cache
def drawn(name: str, colour: str) -> str:
    """Return the path of a drawing in one colour: style sheets and lazy icons take files only."""
    source = (place("resources") / "icons" / f"{name}.svg").read_text("utf-8")
    content = source.replace("currentColor", colour).encode()
    path = folder() / (f"{name}-{colour.lstrip('#')}.svg")
    with suppress(OSError):
        if path.stat().st_size == len(content):
            return str(path)
    with suppress(OSError):
        kept_files.made(path.parent)
        kept_files.new(path)
        path.write_bytes(content)
    return str(path)
