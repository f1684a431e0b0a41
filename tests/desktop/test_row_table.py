"""The plain table of the dialogs: chosen, and copied as any table is."""

import subprocess
import sys
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from annotator.desktop.row_table import LEAST, ROW, Rows
from annotator.desktop.style import Appearance, px


@pytest.fixture
def rows(qtbot: QtBot) -> Iterator[Rows]:
    around = QWidget()
    qtbot.addWidget(around)
    rows = Rows("Backups", ("When", "Note", "Size"), around, wide=1, numbers={2})
    rows.show_rows([("10:00", "two\nlines", "5"), ("11:00", "=1+1 <b>", "6")])
    yield rows  # noqa: PT022 while what is around it is there


def test_ctrl_c_copies_all_rows_as_tsv_without_formulas_and_as_html(rows: Rows, qtbot: QtBot) -> None:
    qtbot.keyClick(rows, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    mime = QGuiApplication.clipboard().mimeData()
    assert mime.text() == "When\tNote\tSize\n10:00\ttwo lines\t5\n11:00\t'=1+1 <b>\t6\n"
    assert "<th>Note</th>" in mime.html()
    assert "<td>=1+1 &lt;b&gt;</td>" in mime.html()


def test_the_first_row_is_chosen_and_the_arrow_goes_on(rows: Rows, qtbot: QtBot) -> None:
    assert rows.chosen() == 0
    qtbot.keyClick(rows, Qt.Key.Key_Down)
    assert rows.chosen() == 1


@pytest.mark.parametrize("wraps", [False, True])
def test_rows_follow_the_text_size_while_they_are_in_sight(
    qtbot: QtBot, qapp: QApplication, wraps: bool
) -> None:
    look = Appearance(qapp, "light")
    found = []
    for before in (150, 100):
        look.choose(percent=before)
        around = QWidget()
        qtbot.addWidget(around)
        rows = Rows("Backups", ("When", "Note"), around, wraps=wraps)
        rows.resize(300, 300)
        around.show()
        rows.show_rows([("10:00", "rivers " * 9), ("11:00", "")])
        look.choose(percent=150)
        qapp.processEvents()
        found.append([(rows.rowHeight(at), rows.columnWidth(at)) for at in (0, 1)])
    look.choose(percent=100)
    assert found[0] == found[1]
    assert found[0][1][0] > px(ROW)


def test_a_heading_of_numbers_stands_at_the_right_above_them(rows: Rows) -> None:
    number, heading = rows.item(0, 2), rows.horizontalHeaderItem(2)
    assert number.textAlignment() == heading.textAlignment()
    assert heading.textAlignment() & Qt.AlignmentFlag.AlignRight


LETTERS = st.tuples(*[st.integers(1, 60)] * 3)


@given(letters=LETTERS, room=st.integers(300, 900))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_text_is_cut_beside_free_room(rows: Rows, letters: tuple[int, ...], room: int) -> None:
    rows.window().show()
    rows.resize(room, 200)
    rows.show_rows([["w" * many for many in letters]])
    columns, whole = range(3), rows.viewport().width()
    head = rows.horizontalHeader().sectionSizeHint
    wide = [rows.columnWidth(at) for at in columns]
    asks = [max(rows.sizeHintForColumn(at), head(at)) for at in columns]
    short = [at for at in columns if wide[at] < asks[at]]
    if sum(asks) <= whole:
        assert not short
    elif short:
        assert whole - 3 <= sum(wide), "all that there is"
        assert 2 not in short, "a number is whole"
    least = [asks[at] if at == 2 else min(asks[at], max(px(LEAST), head(at))) for at in columns]
    assert all(one >= kept for one, kept in zip(wide, least, strict=True))
    assert sum(wide) <= max(whole, sum(least)), "nothing goes beyond it that need not"
    assert sum(wide) >= whole - 3


COPIES = {
    "table": "from annotator.desktop.row_table import to_clipboard; to_clipboard(['a'], [['b']], [['b']])",
    "text": (
        "from annotator.desktop.grade.plain_text import PlainText; text = PlainText(None); "
        "text.show_piece('a b'); text.selectAll(); text.copy()"
    ),
}


@pytest.mark.parametrize("copy", COPIES)
def test_a_program_that_has_copied_something_ends_well(copy: str) -> None:
    program = f"from PySide6.QtWidgets import QApplication; app = QApplication([]); {COPIES[copy]}"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
