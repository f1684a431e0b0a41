"""Measures that need a language model are offered greyed, with what makes them available."""

import importlib.util
from pathlib import Path
from typing import NamedTuple

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from annotator.desktop.preferences import Settings
from annotator.desktop.results.measure_chooser import MeasureChooser
from annotator.semantics.onnx_export import export
from annotator.theme import LIGHT
from tests.semantics.tiny_models import tiny


class Offered(NamedTuple):
    """How the chooser shows a measure: greyed or not, its tooltip, and what its card says."""

    greyed: bool
    tip: str
    said: list[str]


def offered(qtbot: QtBot, name: str) -> Offered:
    """Look a measure up in the chooser."""
    chooser = MeasureChooser(["RR"], LIGHT, Settings())
    qtbot.addWidget(chooser)
    (item,) = chooser.tree.findItems(name, Qt.MatchFlag.MatchStartsWith | Qt.MatchFlag.MatchRecursive)
    chooser.tree.setCurrentItem(item)
    said = [one.text() for one in chooser.card.findChildren(QLabel) if not one.isHidden()]
    greyed = item.data(0, Qt.ItemDataRole.ForegroundRole) is not None
    assert not greyed or item.foreground(0).color() == QColor(LIGHT.muted)
    return Offered(greyed, item.toolTip(0), said)


def test_without_the_extra_the_one_command_is_shown(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "onnxruntime" else found(name)
    )
    shown = offered(qtbot, "SAS")
    assert shown.greyed
    assert any("pip install -e '.[neural]'" in text for text in shown.said)
    assert "pip install -e '.[neural]'" in shown.tip


def test_without_a_model_it_is_shown_how_to_make_one(qtbot: QtBot) -> None:
    shown = offered(qtbot, "BERTScore")
    assert shown.greyed
    assert any("annotator model export" in text for text in shown.said)


def test_with_a_model_nothing_is_greyed(qtbot: QtBot, tmp_path: Path) -> None:
    tiny(tmp_path / "hub")
    export(tmp_path / "hub")
    shown = offered(qtbot, "BiEncoder")
    assert not shown.greyed
    assert not any("annotator model export" in text for text in shown.said)


def test_other_measures_are_never_greyed(qtbot: QtBot) -> None:
    assert not offered(qtbot, "nDCG").greyed
