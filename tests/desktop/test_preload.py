"""Loading ahead: what a page needs is there, and closing stops it."""

import ast
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from annotator.desktop import preload
from annotator.desktop.pages import PAGES
from annotator.desktop.preload import LIBRARIES, warm_up
from annotator.project.project import Project
from annotator.watch import UNWATCHED, Watch
from tests.desktop.conftest import PATIENCE, OpenWindow

SCRIPT = """
import sys
from annotator.desktop.preload import LIBRARIES, warm_up
from annotator.watch import Watch
before = [name for name in LIBRARIES if name in sys.modules and name != "numpy"]
asked = iter([False] * LIBRARIES.index("scipy.special") + [True])
warm_up(lambda: True, Watch(should_stop=lambda: next(asked)))
print(before, "matplotlib.figure" in sys.modules, "scipy.special" in sys.modules)
"""

FIRST_PAINT = """
import sys
import PySide6.QtWidgets
before = set(sys.modules)
from PySide6.QtWidgets import QApplication
from annotator.desktop.app import make_window
app = QApplication(["annotator"])
window = make_window(app, None)
window.first_painted.connect(app.quit)
window.show()
app.exec()
print(sorted(name for name in sys.modules if name not in before))
"""

LATE = ("sqlite3", "hashlib", "secrets", "socket", "html.entities", "numpy", "pkgutil", "platformdirs.api")
"""What only some of the window's work needs, the last as an example of what is needed at once."""


def test_the_window_is_painted_before_what_it_does_not_need_for_that_is_loaded(tmp_path: Path) -> None:
    places = {f"XDG_{kind}_HOME": str(tmp_path) for kind in ("CONFIG", "CACHE", "STATE", "DATA")}
    environment = os.environ | places | {"QT_QPA_PLATFORM": "offscreen"}
    start = [sys.executable, "-c", FIRST_PAINT]
    done = subprocess.run(start, capture_output=True, text=True, check=True, env=environment)
    loaded = ast.literal_eval(done.stdout.strip().splitlines()[-1])
    assert [name for name in LATE if name in loaded] == [LATE[-1]]


def test_nothing_is_loaded_before_and_nothing_more_once_asked_to_stop() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[] True False"


def test_every_library_can_be_loaded() -> None:
    warm_up(lambda: True, UNWATCHED)
    assert set(LIBRARIES) <= set(sys.modules)


def test_nothing_is_loaded_while_the_annotator_is_at_work() -> None:
    rests = iter([False, False, *[True] * len(LIBRARIES)])
    asked = []
    warm_up(lambda: next(rests), Watch(should_stop=lambda: bool(asked.append(1))))
    assert len(asked) == len(LIBRARIES) + 2
    assert not list(rests)


def test_a_pages_modules_are_loaded_one_at_a_time_and_only_while_the_annotator_rests(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    monkeypatch.setattr(preload, "import_module", done.append)
    rests = iter([False, True, True, False, *[True] * 99])
    owner, wanted = QObject(), PAGES[0].modules
    assert wanted[-1] == PAGES[0].module
    assert "annotator.desktop.grade.card" in wanted
    preload.load_in_turns(wanted, owner, lambda: next(rests))
    assert done == [], "somebody is at work"
    QApplication.processEvents()
    assert len(done) <= 2
    qtbot.waitUntil(lambda: done == wanted, timeout=20_000)
    owner.deleteLater()


def test_a_project_closed_while_its_first_page_still_loads_is_free_again(
    open_window: OpenWindow, project_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[Callable[[], object]] = []
    monkeypatch.setattr(preload, "load_page", lambda _modules, _owner, done: loaded.append(done))
    window, opened = open_window(), list[bool]()
    window.open_project(project_path)
    session = window.session
    assert session is not None
    session.worker.submit(session, lambda: True, opened.append)
    qtbot.waitUntil(lambda: bool(opened and loaded), timeout=PATIENCE)
    assert session.project is None, "nothing is shown of it before its page can be"
    window.close_project()
    Project.open(project_path, "ann").close()
    window.open_project(project_path)
    qtbot.waitUntil(lambda: len(loaded) == 2, timeout=PATIENCE)
    with qtbot.waitSignal(window.project_opened, timeout=PATIENCE):
        loaded[1]()
