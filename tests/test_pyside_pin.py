"""The pinned PySide6 survives what 6.12.0 does not on Python 3.11: thousands of calls of void methods."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("PySide6.QtWidgets", exc_type=ImportError)

LOOP = """
from PySide6.QtWidgets import QApplication, QLabel
app = QApplication([])
label = QLabel()
for _ in range(20_000):
    label.setText("x")
print("alive")
"""


def test_twenty_thousand_calls_of_a_void_method_do_not_abort_the_process() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOOP], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout == "alive\n", done.stderr


def test_the_version_that_aborts_is_excluded_and_not_pinned() -> None:
    root = Path(__file__).parents[1]
    assert "pyside6-essentials>=6.8,!=6.12.0; python_version<'3.12'" in (root / "pyproject.toml").read_text(
        "utf-8"
    )
    pins = [line for line in (root / "constraints.txt").read_text("utf-8").splitlines() if "pyside6" in line]
    old = [line for line in pins if ">=" not in line.split(";")[-1]]
    assert old
    assert not any("6.12.0" in line for line in old)
