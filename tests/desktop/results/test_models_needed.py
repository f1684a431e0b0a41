"""Measures that need a language model are offered greyed, with what makes them available."""

import importlib.util
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QTreeWidgetItem
from pytestqt.qtbot import QtBot

from annotator.desktop.results.measure_chooser import MeasureChooser
from annotator.desktop.settings import Settings
from annotator.semantics.exporting import export
from annotator.theme import LIGHT
from tests.semantics.tiny_models import tiny


def offered(qtbot: QtBot, name: str) -> tuple[QTreeWidgetItem, list[str]]:
    """Return the entry of a measure, and what its card says."""
    chooser = MeasureChooser(["RR"], LIGHT, Settings())
    qtbot.addWidget(chooser)
    (item,) = chooser.tree.findItems(name, Qt.MatchFlag.MatchStartsWith | Qt.MatchFlag.MatchRecursive)
    chooser.tree.setCurrentItem(item)
    said = [one.text() for one in chooser.card.findChildren(QLabel) if not one.isHidden()]
    return item.clone(), said


def test_without_the_extra_the_one_command_is_shown(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "onnxruntime" else found(name)
    )
    item, said = offered(qtbot, "SAS")
    assert item.foreground(0).color() == QColor(LIGHT.muted)
    assert any("pip install 'annotator[neural]'" in text for text in said)
    assert "pip install 'annotator[neural]'" in item.toolTip(0)


def test_without_a_model_it_is_shown_how_to_make_one(qtbot: QtBot) -> None:
    item, said = offered(qtbot, "BERTScore")
    assert item.foreground(0).color() == QColor(LIGHT.muted)
    assert any("annotator model export" in text for text in said)


def test_with_a_model_nothing_is_greyed(qtbot: QtBot, tmp_path: Path) -> None:
    tiny(tmp_path / "hub")
    export(tmp_path / "hub")
    item, said = offered(qtbot, "BiEncoder")
    assert item.data(0, Qt.ItemDataRole.ForegroundRole) is None
    assert not any("annotator model export" in text for text in said)


def test_other_measures_are_never_greyed(qtbot: QtBot) -> None:
    item, _ = offered(qtbot, "nDCG")
    assert item.data(0, Qt.ItemDataRole.ForegroundRole) is None
