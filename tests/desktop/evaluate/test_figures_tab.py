"""The tab of figures: its choices, its sentence and the figure have the room that they need."""

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from annotator.desktop.evaluate.figures_tab import FiguresTab
from annotator.desktop.worker import Worker
from annotator.theme import LIGHT
from tests.desktop.conftest import PATIENCE


@pytest.mark.parametrize("width", [640, 900, 2_400])
def test_choices_in_several_rows_take_no_room_from_the_figure(qtbot: QtBot, width: int) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    tab = FiguresTab(Worker(page), LIGHT, parent=page)
    for box in (tab.measure, tab.first, tab.second):
        box.addItems(["dense-retriever-distilled-hard-negatives-" * 2])
    page.show()
    tab.resize(width, 200)

    def as_high_as_it_asks() -> bool:
        tab.resize(width, tab.minimumSizeHint().height())
        return tab.canvas.height() >= tab.canvas.minimumSizeHint().height()

    qtbot.waitUntil(as_high_as_it_asks, timeout=PATIENCE)
    assert tab.canvas.geometry().bottom() < tab.height()
