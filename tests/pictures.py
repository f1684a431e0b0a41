"""Take the README's pictures from the sample projects, in light and dark: `./dev pictures`."""

import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "resources" / "pictures"
SIZE = (1280, 800)
QUIET_SECONDS = 1.0
"""A page has settled when nothing was painted for so long."""


def main() -> None:
    """Take every picture, or those whose name holds a given word."""
    words = sys.argv[1:]
    draw(words)
    with tempfile.TemporaryDirectory() as home:
        for name in ("HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
            os.environ[name] = home
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        FOLDER.mkdir(parents=True, exist_ok=True)
        take(Path(home), words)


def draw(words: list[str]) -> None:
    """Draw the two figures of the help that teach, small, so that their letters are as large as its text."""
    from annotator.desktop.results.canvas import use_the_programs_font
    from annotator.figures.catalogue import FIGURES
    from annotator.figures.subject import Subject
    from annotator.theme import DARK, LIGHT

    use_the_programs_font()
    for key in ("discount", "f1-mcc"):
        for theme in (LIGHT, DARK):
            path = ROOT / "resources" / "help" / f"{key}-{theme.name}.png"
            if not words or any(word in path.name for word in words):
                figure = FIGURES[key].draw(Subject(), theme).figure
                figure.set_size_inches(5, 3)
                figure.savefig(path, dpi=240)
                print(path.relative_to(ROOT))


def take(home: Path, words: list[str]) -> None:
    """Open the samples one after the other and go through the pages."""
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication, QProgressBar

    from annotator.desktop.app import make_window
    from annotator.desktop.pages import PAGES
    from annotator.desktop.preferences import Settings
    from annotator.desktop.window import Window
    from annotator.project.samples import copied

    app = QApplication([])

    def settle(window: Window) -> None:
        before, since = window.grab().toImage(), time.monotonic()
        while time.monotonic() - since < QUIET_SECONDS:
            app.processEvents()
            time.sleep(0.05)
            now = window.grab().toImage()
            busy = any(bar.isVisible() for bar in window.findChildren(QProgressBar))
            if now != before or busy:
                before, since = now, time.monotonic()

    def picture(window: Window, name: str) -> None:
        if words and not any(word in name for word in words):
            return
        for theme in ("light", "dark"):
            window.appearance.choose(theme)
            settle(window)
            window.grab().save(str(FOLDER / f"{name}-{theme}.png"))
            print(FOLDER.relative_to(ROOT) / f"{name}-{theme}.png")

    Settings().set("annotator", "Mara")
    window = make_window(app, None)
    assert isinstance(window, Window)
    window.resize(*SIZE)
    window.show()
    picture(window, "welcome")
    for sample in ("superhero-qa", "site-search"):
        path = copied(sample, home / f"{sample}.annot")
        window.open_project(path)
        settle(window)
        if (question := app.activeModalWidget()) is not None:  # who grades, for somebody else did last
            QTest.keyClick(question, Qt.Key.Key_Return)
            settle(window)
        for number, page in enumerate(PAGES):
            if sample == "site-search" or page.name == "grade":
                window.stack.show_page(number)
                settle(window)
                picture(window, page.name if sample == "site-search" else f"{page.name}-answers")
    window.close()
    shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    main()
