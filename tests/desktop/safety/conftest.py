"""A window that looks after its project at once, and file dialogs that answer by themselves."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtWidgets import QDialog, QFileDialog, QPushButton
from pytestqt.qtbot import QtBot

from annotator.desktop import session
from annotator.desktop.window import Window
from annotator.project import browse, judging
from annotator.project.project import Project
from annotator.project.views import JudgmentView
from tests.desktop.conftest import PATIENCE, heard

Kind = TypeVar("Kind", bound=QDialog)


@pytest.fixture(autouse=True)
def _no_quiet_before_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "QUIET_MS", 0)


@pytest.fixture
def save_as(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """Return a function that makes the dialog for a new file answer with a path."""

    def answer(path: Path) -> None:
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))

    return answer


def press(buttons: list[QPushButton], words: str) -> None:
    """Press the button with these words."""
    (button,) = [one for one in buttons if one.text() == words and not one.isHidden()]
    button.click()


def wait_for(qtbot: QtBot, condition: Callable[[], object]) -> None:
    """Wait until something is so."""
    qtbot.waitUntil(lambda: bool(condition()), timeout=PATIENCE)


def shown(qtbot: QtBot, window: Window, kind: type[Kind]) -> Kind:
    """Wait for a dialog and return it."""
    wait_for(qtbot, lambda: [one for one in window.findChildren(kind) if one.isVisible()])
    return next(one for one in window.findChildren(kind) if one.isVisible())


def looked_after(qtbot: QtBot, window: Window) -> None:
    """Wait until the project was checked, and backed up if that was due."""
    wait_for(qtbot, lambda: heard(window, "checked") or window.safety.notice.text())


def ready(qtbot: QtBot, window: Window) -> None:
    """Wait until the Grade page takes keys."""
    wait_for(qtbot, lambda: window.pages and window.pages[0].flow.ready)  # type: ignore[attr-defined]


def graded(path: Path, grade: int, place: int = 0, query: int = 1) -> None:
    """Grade a candidate of a project that nobody has open."""
    with Project.open(path, annotator="ann") as project:
        candidates = sorted(browse.query(project, query).candidates, key=lambda one: one.id)
        judging.set_grade(project, query, candidates[place].key, grade)


def judgments(path: Path, query: int = 1) -> dict[str, JudgmentView]:
    """Return what `ann` said of a query, by candidate."""
    with Project.open(path, annotator="ann", read_only=True) as project:
        return {one.id: one.judgment for one in browse.query(project, query).candidates}


def grades(path: Path, query: int = 1) -> dict[str, int]:
    """Return the grades of `ann` for a query, by candidate."""
    return {one: said.grade for one, said in judgments(path, query).items() if said.grade is not None}
