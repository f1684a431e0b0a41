"""The caption of a table stays in sight, and laying the table out comes to an end, at every size."""

import itertools
from collections import Counter

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from annotator.desktop.results.grid_view import GridView
from annotator.evaluation.result_table import Column, Table
from annotator.theme import DARK, LIGHT

COLUMNS = (Column("System", "text"), Column("Score"), Column("Another score with a long heading"))
CAPTION = "One measure is compared; † marks differences that stand after the correction. "


@pytest.mark.parametrize("rows", [1, 2, 5, 11, 40])
def test_at_every_size_the_layout_ends_and_shows_the_whole_caption(
    qtbot: QtBot, qapp: QApplication, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    passes: Counter[str] = Counter()
    arrange = GridView.updateGeometries

    def counted(view: GridView) -> None:
        passes["done"] += 1
        assert passes["done"] < 50, "it is laid out without end"
        arrange(view)

    monkeypatch.setattr(GridView, "updateGeometries", counted)
    view = GridView("Scores", LIGHT)
    qtbot.addWidget(view)
    view.show()
    for words, width, height in itertools.product((1, 3, 8), (180, 320, 700), range(120, 520, 17)):
        passes.clear()
        cells = [(f"system {at}", at / 7, at / 9) for at in range(rows)]
        view.show_table(Table.of_rows("scores", "Scores", COLUMNS, cells, CAPTION * words))
        view.resize(width, height)
        qapp.processEvents()
        box = view.caption.geometry()
        if box.height() + 60 < view.height():  # with less room than that nobody reads a table
            assert view.rect().contains(box), (words, width, height)
        last = view.rowViewportPosition(rows - 1) + view.rowHeight(rows - 1)
        bar = view.verticalScrollBar()
        assert last - (bar.maximum() - bar.value()) <= view.viewport().height()


def test_another_caption_is_shown_where_nothing_else_of_the_table_is_new(qtbot: QtBot) -> None:
    view = GridView("Scores", LIGHT)
    qtbot.addWidget(view)
    view.show()
    for words in ("by the grades", "by what is faithful"):
        view.show_table(Table.of_rows("scores", "Scores", COLUMNS, [("a", 1, 2)], words))
        assert view.caption.text() == words


def test_the_end_stays_above_the_caption_when_the_look_is_another(qtbot: QtBot) -> None:
    view = GridView("Scores", LIGHT)
    qtbot.addWidget(view)
    view.show_table(Table.of_rows("scores", "Scores", COLUMNS, [("a", 1, 2)] * 40, CAPTION))
    view.resize(700, 300)
    view.show()
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum())
    view.theme_changed(DARK)
    view.updateGeometries()
    assert bar.value() == bar.maximum() > 0
    assert view.rowViewportPosition(39) + view.rowHeight(39) == view.viewport().height()
