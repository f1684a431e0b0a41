"""Systems made in the window: a baseline run, and several systems put together."""

import shutil
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from annotator.desktop.system_dialogs import AggregateDialog, BaselineDialog
from annotator.desktop.window import Window
from annotator.project import browse, samples
from annotator.project.views import Contents
from tests.desktop.conftest import PATIENCE, OpenWindow, heard

Dialog = TypeVar("Dialog", bound=QDialog)


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the question answering lab, made once."""
    return samples.copied("qa-lab", tmp_path_factory.mktemp("lab") / "lab.annot")


@pytest.fixture
def window(open_window: OpenWindow, lab: Path, tmp_path: Path) -> Window:
    """Return a window with a copy of the lab."""
    return open_window(Path(shutil.copy(lab, tmp_path / "lab.annot")))


def asked(window: Window, qtbot: QtBot, command: str, kind: type[Dialog]) -> Dialog:
    """Give a command and return the dialog that opens."""
    window.commands[command].trigger()
    qtbot.waitUntil(lambda: bool(window.findChildren(kind)), timeout=PATIENCE)
    return window.findChildren(kind)[0]


def systems(window: Window, qtbot: QtBot) -> dict[str, str]:
    """Return the project's systems with their sources, read where the window reads."""
    found: list[Contents] = []
    assert window.session is not None
    window.session.do(browse.contents, found.append)
    qtbot.waitUntil(lambda: bool(found), timeout=PATIENCE)
    return {one.name: one.source for one in found[0].systems}


def make(dialog: BaselineDialog | AggregateDialog, qtbot: QtBot) -> None:
    """Press the button and wait until the system is stored."""
    with qtbot.waitSignal(dialog.changed, timeout=PATIENCE):
        qtbot.mouseClick(dialog.make, Qt.MouseButton.LeftButton)


def test_a_baseline_run_becomes_a_system(window: Window, qtbot: QtBot) -> None:
    dialog = asked(window, qtbot, "baseline", BaselineDialog)
    dialog.analyser.setCurrentIndex(dialog.analyser.findData("stemming"))
    assert dialog.name.placeholderText() == "bm25-stemming"
    dialog.weights.setCurrentIndex(1)
    dialog.stop_words.setChecked(True)
    dialog.top_k.setCurrentText("10")
    make(dialog, qtbot)
    source = systems(window, qtbot)["bm25-stemming"]
    assert source == "BM25 k1=1.2 b=0.75, analyser stemming (en), without stop words"
    assert heard(window, "bm25-stemming: ")


def test_a_name_that_is_taken_is_told_and_can_be_replaced(window: Window, qtbot: QtBot) -> None:
    dialog = asked(window, qtbot, "baseline", BaselineDialog)
    dialog.name.setText("standard")
    qtbot.mouseClick(dialog.make, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "standard" in dialog.said.text(), timeout=PATIENCE)
    assert dialog.make.isEnabled()
    dialog.replace.setChecked(True)
    make(dialog, qtbot)
    assert systems(window, qtbot)["standard"].startswith("BM25 k1=0.9")


def test_systems_are_put_together_into_a_new_one(window: Window, qtbot: QtBot) -> None:
    dialog = asked(window, qtbot, "aggregate", AggregateDialog)
    assert dialog.chosen() == ["standard", "stemming"]
    assert dialog.rule.currentData() == "borda"
    assert not dialog.scale.isEnabled()
    dialog.rule.setCurrentIndex(dialog.rule.findData("combsum"))
    assert dialog.scale.isEnabled()
    dialog.name.setText("both")
    make(dialog, qtbot)
    assert systems(window, qtbot)["both"] == "combsum (minmax) of standard, stemming"


def test_one_system_alone_cannot_be_put_together(window: Window, qtbot: QtBot) -> None:
    dialog = asked(window, qtbot, "aggregate", AggregateDialog)
    dialog.systems.item(0).setCheckState(Qt.CheckState.Unchecked)
    qtbot.mouseClick(dialog.make, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "at least two" in dialog.said.text(), timeout=PATIENCE)
    closed: list[int] = []
    dialog.finished.connect(closed.append)
    dialog.reject()
    assert closed
