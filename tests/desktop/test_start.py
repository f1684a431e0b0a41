"""What the start of the program puts off, and what it takes up again."""

import builtins
import gc
import inspect
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from annotator.desktop.app import give_imports_back
from tests.desktop.conftest import PATIENCE, OpenWindow


def test_garbage_is_collected_again_once_the_window_is_painted(open_window: OpenWindow, qtbot: QtBot) -> None:
    gc.disable()  # as the start of the program does
    try:
        open_window()
        qtbot.waitUntil(gc.isenabled, timeout=PATIENCE)
    finally:
        gc.enable()


def test_no_module_is_read_for_the_name_of_pyside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    monkeypatch.setattr(builtins, "__import__", builtins.__dict__["__feature_import__"])
    monkeypatch.setattr(inspect, "getsource", lambda module: read.append(module.__name__) or "")
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("imported_before", "imported_after"):
        (tmp_path / f"{name}.py").write_text("")
    exec("import imported_before")
    assert "imported_before" in read
    give_imports_back()
    exec("import imported_after")
    assert "imported_after" not in read
