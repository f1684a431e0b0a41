"""A question as long as those of forums: all of it can be read, and the candidates stay in sight."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from annotator.desktop import layouts
from annotator.desktop.grade.page import GradePage
from annotator.desktop.grade.query_scroll import LEAST, SHARE, QueryScroll
from annotator.desktop.window import Window
from annotator.desktop.wrap_layout import WrapLayout
from annotator.theme import STEPS
from tests.desktop.building import imported
from tests.desktop.conftest import PATIENCE, OpenWindow

LONG = " ".join(f"The sentence of number {at} says where the roof leaks." for at in range(60))


@pytest.fixture
def window(open_window: OpenWindow, tmp_path: Path) -> Window:
    """A window of 1280 by 800 with a long question and a short one, two candidates each."""
    rows = [f"{query} Q0 d{at} {at} {9 - at} sys" for query in ("q1", "q2") for at in (1, 2)]
    files = {"queries.tsv": f"q1\t{LONG}\nq2\tWhy?", "sys.run": "\n".join(rows)}
    texts = [{"_id": f"d{at}", "title": "Roofs", "text": LONG} for at in (1, 2)]
    files["corpus.jsonl"] = "\n".join(map(json.dumps, texts))
    window = open_window(imported(tmp_path / "forum", files))
    window.resize(1280, 800)
    return window


@pytest.mark.parametrize("percent", [100, 200])
def test_a_long_question_is_scrolled_above_the_candidates(
    qtbot: QtBot, window: Window, page: GradePage, percent: int
) -> None:
    window.appearance.choose("light", percent)
    scroll, middle = page.parts.head.findChild(QueryScroll), page.parts.middle
    bar = scroll.verticalScrollBar()
    qtbot.waitUntil(
        lambda: bar.maximum() > 0 and scroll.height() <= 0.4 * middle.window().height(), timeout=20_000
    )
    assert bar.maximum() + bar.pageStep() >= scroll.widget().heightForWidth(scroll.viewport().width())
    assert middle.height() >= middle.minimumHeight()
    assert not page.parts.head.geometry().intersects(middle.geometry())
    if percent == 100:  # with larger text all buttons of the card in front stay in sight
        window.resize(1024, 700)
        window.appearance.choose("light", 150)
        page.parts.head.show_before("What was finished before this:  " + "nDCG@10 0.500  ·  " * 4)
        cards = page.parts.cards
        qtbot.waitUntil(
            lambda: cards.viewport().rect().contains(cards._cards[0].geometry()), timeout=PATIENCE
        )
    window.appearance.choose("light", 100)


def test_the_arrows_scroll_a_long_question_that_has_the_focus_and_lead_on_when_it_is_gone(
    qtbot: QtBot, window: Window, page: GradePage
) -> None:
    scroll = page.parts.head.findChild(QueryScroll)
    bar = scroll.verticalScrollBar()
    qtbot.waitUntil(lambda: scroll.focusPolicy() == Qt.FocusPolicy.TabFocus, timeout=PATIENCE)
    scroll.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(scroll, Qt.Key.Key_Down)
    assert bar.value() > 0
    assert page.flow.position == 0
    qtbot.keyClick(scroll, Qt.Key.Key_N)
    qtbot.waitUntil(lambda: page.flow.ready and page.flow.prepared.view.id == "q2", timeout=PATIENCE)
    qtbot.waitUntil(lambda: bar.maximum() == 0, timeout=PATIENCE)
    assert QApplication.focusWidget() is not scroll
    assert scroll.focusPolicy() == Qt.FocusPolicy.NoFocus


def test_nothing_is_laid_out_anew_where_nothing_above_the_question_changes(
    page: GradePage, monkeypatch: pytest.MonkeyPatch
) -> None:
    head, asked = page.parts.head, []
    monkeypatch.setattr(head._scroll, "updateGeometry", lambda: asked.append(1))
    for words, times in (("", 0), ("4 was too early.", 1), ("4 was too early.", 1), ("", 2)):
        head.show_early(words)
        assert len(asked) == times


def test_of_small_things_that_wrap_below_a_question_no_row_is_cut(qtbot: QtBot) -> None:
    column = QWidget()
    qtbot.addWidget(column)
    column.resize(400, 600)
    content, chips = QWidget(column), WrapLayout()
    for _ in range(20):
        chips.addWidget(one := QLabel("Gold", content))
        one.setFixedSize(150, 33)
    layouts.column(chips, on=content, around=layouts.FLUSH)
    scroll = QueryScroll(content, column, column)
    for high in (600, 617, 634, 651):
        column.resize(400, high)
        cut = scroll.heightForWidth(400)
        assert LEAST <= cut <= high * SHARE
        assert (cut + STEPS[0]) % (33 + STEPS[0]) == 0, "whole rows"
