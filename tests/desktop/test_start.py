"""What the start of the program puts off, and what it takes up again."""

import builtins
import gc
import inspect
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from pytestqt.qtbot import QtBot

from annotator.desktop.lean_pyside import DEFERRED, give_imports_back
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


LEAN = """
import sys
from annotator.desktop import lean_pyside
lean_pyside.load()
from PySide6.QtCore import QSize
names = [f"shibokensupport.signature.{name.replace('/', '.')}" for name in lean_pyside.DEFERRED]
print([name for name in names if "sys" in vars(sys.modules[name])], "argparse" in sys.modules)
try:
    QSize("wide")
except TypeError as error:
    print(error)
from shibokensupport.signature.lib.pyi_generator import Formatter
print(Formatter.__module__)
"""


def test_pyside_says_which_arguments_a_call_takes_as_if_it_had_loaded_its_parser_at_once() -> None:
    done = subprocess.run([sys.executable, "-c", LEAN], capture_output=True, text=True, check=True)
    before, *said, writer = done.stdout.splitlines()
    assert before == "[] False"
    assert "parser" in DEFERRED
    with pytest.raises(TypeError) as usual:
        QSize("wide")  # type: ignore[call-overload]
    assert sorted(said) == sorted(str(usual.value).splitlines())
    assert writer == "shibokensupport.signature.lib.pyi_generator"
    names = [f"shibokensupport.signature.{name.replace('/', '.')}" for name in DEFERRED]
    assert all(name in sys.modules for name in names), "PySide6 calls them otherwise now"
