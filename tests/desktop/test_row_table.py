"""The plain table of the dialogs: chosen, and copied as any table is."""

import subprocess
import sys
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from annotator.desktop.row_table import Rows


@pytest.fixture
def rows(qtbot: QtBot) -> Iterator[Rows]:
    around = QWidget()
    qtbot.addWidget(around)
    rows = Rows("Backups", ("When", "Note"), around)
    rows.show_rows([("10:00", "two\nlines"), ("11:00", "=1+1 <b>")])
    yield rows  # noqa: PT022 while what is around it is there


def test_ctrl_c_copies_all_rows_as_tsv_without_formulas_and_as_html(rows: Rows, qtbot: QtBot) -> None:
    qtbot.keyClick(rows, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    mime = QGuiApplication.clipboard().mimeData()
    assert mime.text() == "When\tNote\n10:00\ttwo lines\n11:00\t'=1+1 <b>\n"
    assert "<th>Note</th>" in mime.html()
    assert "<td>=1+1 &lt;b&gt;</td>" in mime.html()


def test_the_first_row_is_chosen_and_the_arrow_goes_on(rows: Rows, qtbot: QtBot) -> None:
    assert rows.chosen() == 0
    qtbot.keyClick(rows, Qt.Key.Key_Down)
    assert rows.chosen() == 1


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
