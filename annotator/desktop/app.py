"""Start the window: `main([PROJECT])`."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from annotator.desktop.display import require_display

if TYPE_CHECKING:
    from annotator.desktop.window import Window


SWITCH_SECONDS = 0.0005
"""A thread that computes gives way to the window after this long; Python's own 5 ms can be felt."""


def main(arguments: Sequence[str] = ()) -> int:
    """Open the window, on a project if one is named, and return the exit status when it closes.

    Raises UserError where no window can open. A project that is open in another window brings that one to
    the front, and this start ends.
    """
    require_display()
    from PySide6.QtWidgets import QApplication

    app = QApplication.instance() or QApplication([*sys.argv[:1], "-style", "fusion"])
    assert isinstance(app, QApplication)
    path = Path(arguments[0]) if arguments else None
    if path is not None:
        from annotator.desktop.instance import raise_other

        if raise_other(path):
            return 0
    window = make_window(app, path)
    window.show()
    from annotator.desktop import crash

    with crash.shown(app):
        status = app.exec()
    window.deleteLater()
    return status


def make_window(app: object, path: Path | None) -> "Window":
    """Return the window, which opens the project once it has been painted."""
    from PySide6.QtWidgets import QApplication

    from annotator.desktop.settings import Settings
    from annotator.desktop.style import Appearance
    from annotator.desktop.window import Window

    assert isinstance(app, QApplication)
    sys.setswitchinterval(SWITCH_SECONDS)
    app.setApplicationName("Annotator")
    settings = Settings()
    appearance = Appearance(app, settings.get("theme", "system"), settings.get("text_percent", 100))
    window = Window(appearance, settings)
    if path is not None:
        window.first_painted.connect(lambda: window.open_project(path))
    return window
