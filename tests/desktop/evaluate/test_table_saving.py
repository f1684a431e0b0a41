"""Every table of a page is saved alone: by a key or a right click, as the file's ending says."""

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QWidget
from pytestqt.qtbot import QtBot

from annotator.desktop.evaluate.page import EvaluatePage
from annotator.desktop.results.following_page import NOWHERE
from annotator.desktop.results.grid_view import GridView
from annotator.desktop.results.table_saving import SaveTable
from annotator.desktop.window import Window
from annotator.evaluation.result_table import Column, Table, with_ends
from annotator.project.shown_files import write_table
from annotator.reports.report_formats import FORMATS, Choice, format_of
from tests.desktop.conftest import PATIENCE, heard
from tests.desktop.evaluate.conftest import settle

CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def choose(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Path]:
    """Return what lets the next file dialog answer with a name and a kind, and says which file it is."""

    def answer(name: str, kind: str = "") -> Path:
        def take(_parent: QWidget, _title: str, _start: str, kinds: str) -> tuple[str, str]:
            found = next((one for one in kinds.split(";;") if kind and kind in one), "")
            return str(tmp_path / name), found

        monkeypatch.setattr(QFileDialog, "getSaveFileName", take)
        return tmp_path / name

    return answer


def dialog_of(qtbot: QtBot) -> SaveTable:
    qtbot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), SaveTable), timeout=PATIENCE)
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, SaveTable)
    return dialog


def save(table: GridView, window: Window, path: Path, qtbot: QtBot) -> str:
    """Press Ctrl+S in a table and Enter in the question; return what the file then holds."""
    window.activateWindow()  # as a window manager does when a dialog goes
    qtbot.waitUntil(window.isActiveWindow, timeout=PATIENCE)
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_S, CONTROL)
    qtbot.keyClick(dialog_of(qtbot), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: heard(window, f"Written: {path}"), timeout=PATIENCE)
    return path.read_text("utf-8")


def test_a_table_is_saved_by_a_key_in_each_format_as_it_stands_on_the_page(
    evaluate: EvaluatePage,
    window: Window,
    qtbot: QtBot,
    choose: Callable[..., Path],
) -> None:
    table = evaluate.queries.map
    table.sortByColumn(1, Qt.SortOrder.AscendingOrder)
    shown = [table.grid.index(place, 0).data() for place in range(table.grid.rowCount())]
    assert len(shown) > 1
    for key, form in FORMATS.items():
        text = save(table, window, choose(f"map{form.ending}"), qtbot)
        places = [text.index(query) for query in shown]
        assert places == sorted(places), f"{key}: in the order on the page"
        assert all(query in text for query in shown)
        if key != "csv":
            table_itself = [line for line in text.splitlines() if "annotator evaluate" not in line]
            assert "nDCG@10" in "".join(table_itself), f"{key} names the measure"
            assert "annotator evaluate" in text, f"{key} says how the scores are made again"
            assert evaluate.result is not None
            assert evaluate.result.provenance.ledger_head in text
    head, *rows = csv.reader((choose("map.csv")).read_text("utf-8").splitlines())
    assert head == [one.name for one in with_ends(table.grid.table).columns]
    assert [row[0] for row in rows] == shown


def test_columns_and_decimals_are_chosen_and_a_name_without_an_ending_gets_that_of_its_kind(
    evaluate: EvaluatePage,
    window: Window,
    qtbot: QtBot,
    choose: Callable[..., Path],
) -> None:
    choose("means", "LaTeX")
    evaluate.summary.setFocus()
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_S, CONTROL)
    dialog = dialog_of(qtbot)
    for at in range(dialog.columns.count()):
        dialog.columns.item(at).setCheckState(Qt.CheckState.Unchecked)
    assert not dialog.save.isEnabled(), "a file without columns is none"
    for at in range(2):
        dialog.columns.item(at).setCheckState(Qt.CheckState.Checked)
    dialog.digits.setValue(2)
    qtbot.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
    path = choose("means.tex")
    qtbot.waitUntil(lambda: heard(window, f"Written: {path}"), timeout=PATIENCE)
    text = path.read_text("utf-8")
    assert r"System & nDCG@10 \tabularnewline" in text
    assert r"sys1 & \textbf{1.00} \tabularnewline" in text


def test_a_right_click_on_a_table_offers_to_copy_and_to_save_it(
    evaluate: EvaluatePage,
    window: Window,
    qtbot: QtBot,
    choose: Callable[..., Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table, path = evaluate.queries.map, choose("map.md")
    place = table.viewport().rect().center()
    event = QContextMenuEvent(
        QContextMenuEvent.Reason.Mouse,
        place,
        table.viewport().mapToGlobal(place),
        Qt.KeyboardModifier.NoModifier,
    )
    menus: list[QMenu] = []
    monkeypatch.setattr(QMenu, "popup", lambda menu, _: menus.append(menu))
    QApplication.sendEvent(table.viewport(), event)
    (menu,) = menus
    copy, offered = menu.actions()
    assert (copy.text(), offered) == ("Copy", window.commands["save_shown"])
    assert table.hasFocus()
    offered.trigger()
    qtbot.keyClick(dialog_of(qtbot), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: heard(window, f"Written: {path}"), timeout=PATIENCE)


def test_without_the_keys_on_a_table_the_status_bar_says_where_they_lead(
    evaluate: EvaluatePage,
    window: Window,
    qtbot: QtBot,
) -> None:
    settle(evaluate, qtbot)
    evaluate.options.measures.setFocus()
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_S, CONTROL)
    qtbot.waitUntil(lambda: heard(window, NOWHERE), timeout=PATIENCE)
    window.stack.show_page(0)
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_S, CONTROL)
    qtbot.waitUntil(lambda: heard(window, "Judgments are saved as they are given"), timeout=PATIENCE)


def test_what_cannot_be_written_is_told(
    evaluate: EvaluatePage,
    window: Window,
    qtbot: QtBot,
    choose: Callable[..., Path],
) -> None:
    choose("nowhere/map.csv").parent.write_text("a file is in the way")
    evaluate.queries.map.setFocus()
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_S, CONTROL)
    with qtbot.waitSignal(evaluate.worker.failed, timeout=PATIENCE) as failed:
        qtbot.keyClick(dialog_of(qtbot), Qt.Key.Key_Return)
    assert "nowhere is a file, and a folder is to be written" in str(failed.args[0])


CELLS = st.none() | st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**6), 10**6)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    texts=st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=5),
    data=st.data(),
    key=st.sampled_from(sorted(FORMATS)),
)
def test_any_table_is_written_in_any_format_and_a_program_reads_every_digit(
    tmp_path: Path, texts: list[str], data: st.DataObject, key: str
) -> None:
    numbers = data.draw(st.lists(CELLS, min_size=len(texts), max_size=len(texts)))
    ends = (0.1, 0.30000000000000004)
    table = Table(
        "t", "T", (Column("Name", "text"), Column("AP")), (texts, numbers), intervals={(0, 1): ends}
    )
    path = tmp_path / f"t{FORMATS[key].ending}"
    assert (
        write_table(path, table, Choice(format_of(path.name)), "mine", ("From afar.",)) == f"Written: {path}"
    )
    text = path.read_bytes().decode("utf-8")
    if key == "json":
        rows = json.loads(text)["sections"][0]["tables"][0]["rows"]
        assert [row[:2] for row in rows] == [[name, one] for name, one in zip(texts, numbers, strict=True)]
        assert tuple(rows[0][2:]) == ends
    elif key == "csv":
        assert "0.30000000000000004" in text
    else:
        assert "From afar." in text
