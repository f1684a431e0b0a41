"""Start the window: `main([PROJECT])`."""

import gc
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from annotator.desktop import lean_pyside
from annotator.desktop.display import require_display

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from annotator.desktop.program import Program
    from annotator.desktop.window import Window

SWITCH_SECONDS = 0.0005
"""A thread that computes gives way to the window after this long; Python's own 5 ms can be felt."""


def main(arguments: Sequence[str] = ()) -> int:
    """Open the window, on a project if one is named, and return the exit status when it closes.

    Raises UserError where no window can open. A project that is open in another window brings that one to
    the front, and this start ends.
    """
    gc.disable()  # until the window is painted: nothing is thrown away yet
    try:
        return _run(arguments)
    finally:
        gc.enable()


def _run(arguments: Sequence[str]) -> int:
    require_display()
    lean_pyside.load()
    from annotator.desktop.program import Program

    app = Program.instance() or Program([*sys.argv[:1], "-style", "fusion"])
    assert isinstance(app, Program)
    path = Path(arguments[0]) if arguments else None
    if path is not None:
        from annotator.desktop.instance import raise_other

        if raise_other(path):
            return 0
    window = make_window(app, path)
    follow(app, window)
    window.show()
    with faults_shown(app):
        status = app.exec()
    window.deleteLater()
    return status


def follow(app: "Program", window: "Window") -> None:
    """Let the window, while there is one, open what the desktop hands over, once no dialog is before it."""

    def open_file(name: str) -> None:
        window.come_to_front()
        if app.activeModalWidget() is None:
            window.take_files([Path(name)])
        else:
            window.say(f"Finish what is asked first, then open {Path(name).name} again.")

    app.file_opened.connect(open_file)
    window.destroyed.connect(lambda: app.file_opened.disconnect(open_file))


@contextmanager
def faults_shown(app: "QApplication") -> Iterator[None]:
    """Show what nobody caught in the window's thread instead of ending the program silently."""

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            app.quit()
            return
        sys.__excepthook__(kind, error, trace)
        from annotator.desktop import crash

        crash.show(error, app.activeWindow())

    before, sys.excepthook = sys.excepthook, hook
    try:
        yield
    finally:
        sys.excepthook = before


def make_window(app: "QApplication", path: Path | None) -> "Window":
    """Return the window, which opens the project once it has been painted."""
    from PySide6.QtGui import QIcon

    from annotator.desktop.preferences import Settings
    from annotator.desktop.style import Appearance
    from annotator.desktop.window import Window
    from annotator.places import place

    sys.setswitchinterval(SWITCH_SECONDS)
    app.setApplicationName("Annotator")
    app.setDesktopFileName(
        "local.relevance_annotator.annotator"
    )  # by this name the desktop finds the entry of a window
    app.setWindowIcon(QIcon(str(place("resources") / "icons" / "annotator.svg")))
    settings = Settings()
    appearance = Appearance(app, settings.get("theme", "system"), settings.get("text_percent", 100))
    window = Window(appearance, settings)
    window.first_painted.connect(gc.freeze)  # what was made so far stays: nothing in it is looked through
    window.first_painted.connect(gc.enable)
    if path is not None:
        window.first_painted.connect(lambda: open_or_give_way(window, path))
    return window


def open_or_give_way(window: "Window", path: Path) -> None:
    """Open the project of this start; close the window where another start was only a little quicker."""
    from annotator.desktop import instance

    def give_way(_: object) -> None:
        if instance.raise_other(path):
            window.close()

    window.open_project(path)
    if window.session is None:  # it is open in another window
        window.close()
    else:
        window.session.refused.connect(give_way)
