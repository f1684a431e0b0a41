"""No name acts anywhere in the window: every page, tab and dialog of a project is looked through."""

import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6 import QtGui
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QAbstractTableModel, QModelIndex, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QDialog,
    QGroupBox,
    QHeaderView,
    QLabel,
    QMenu,
    QPlainTextEdit,
    QProgressBar,
    QStyledItemDelegate,
    QStyleOptionComboBox,
    QTabBar,
    QTabWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from annotator.desktop.crash import CrashDialog
from annotator.desktop.grade.plain_text import PlainText
from annotator.desktop.new_project import NewProjectDialog
from annotator.desktop.pages import PAGES
from annotator.desktop.results.evaluated_page import EvaluatedPage
from annotator.desktop.safety.damage_dialogs import FindingsDialog
from annotator.desktop.text_field import TextField
from annotator.desktop.window import Window
from annotator.project import data_import, judging, nuggets, settings, snapshots
from annotator.project.aspects import Aspect
from annotator.project.browse import query, query_keys
from annotator.project.project import Project
from annotator.records import Dataset, Document, GoldAnswer, GoldList, Query
from tests.desktop.conftest import OpenWindow
from tests.formats.datasets import judged, run_of
from tests.hostile_names import WORST, acts
from tests.project.conftest import add

NAMES = tuple(f"{WORST}\u202e<b>{at}</b>\u2066" for at in range(3))
PERSON, OTHER = "Ann\u202e<i>x</i>", "Bo\u2067<i>y</i>"
DIALOGS = (
    "export_data",
    "project_settings",
    "project_history",
    "merge",
    "backups",
    "imports",
    "import",
    "assign",
    "annotator",
    "commands",
    "audit",
    "aggregate",
    "snapshot",
    "keys",
    "lead",
    "baseline",
    "help",
    "query_note",
    "nuggets",
    "note",
    "history",
)
MOST_ROWS = 30
PARAGRAPH = re.compile("^<p(?: style='white-space: pre-wrap')?>|</p><p>|</p>$")


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """Return a project in which everything that has a name has one that acts."""
    path = tmp_path / "hostile.annot"
    queries = [Query(f"q{name}", f"about {name}", (name,)) for name in NAMES]
    documents = [Document(f"d{name}", name, f"{name} text", {f"f{name}": name}) for name in NAMES]
    pairs = [(one.id, other.id) for one in queries for other in documents]
    runs = [
        run_of(name, [(*pair, 1.0 / at) for at, pair in enumerate(pairs, 1)], scored=True) for name in NAMES
    ]
    with Project.create(path, f"Hostile {NAMES[0]}", annotator=PERSON) as made:
        add(made, Dataset(queries=queries, documents=documents, runs=runs))
        add(made, Dataset(judgments=judged([(*pair, at % 4) for at, pair in enumerate(pairs)])))
        settings.set_setting(made, "meanings", tuple(f"{at}{NAMES[0]}" for at in range(6)))
        settings.set_setting(made, "examples", [NAMES[1]] * 6)
        settings.set_setting(made, "aspects", [Aspect(NAMES[0], NAMES[1], NAMES).stored])
        file = tmp_path / f"{NAMES[0]}.jsonl".replace("/", "")
        file.write_text(
            "".join(generated(system, f"a{NAMES[0]}") for system in (f"a{NAMES[0]}", f"b{NAMES[1]}")), "utf-8"
        )
        data_import.run_import(made, data_import.plan_import(made, [file]))
        for key in query_keys(made).tolist():
            nuggets.set_nuggets(made, key, [nuggets.Nugget(name) for name in NAMES])
            judging.set_gold(made, key, GoldList("", (GoldAnswer(NAMES[0], NAMES[1:]),)))
            judging.set_query_part(made, key, {"note": NAMES[0]})
        snapshots.take_snapshot(made, NAMES[0])
    for who, more in ((PERSON, 0), (OTHER, 1)):
        with Project.open(path, who) as made:
            for key in query_keys(made).tolist():
                for at, candidate in enumerate(query(made, key).candidates):
                    judging.set_grade(made, key, candidate.key, (at + more) % 6)
                    judging.set_mark(made, key, candidate.key, "note", f"note {NAMES[0]}")
                    judging.rate(made, key, candidate.key, NAMES[0], more)
                judging.cannot_tell(made, key, candidate.key, NAMES[more])
    return path


def generated(system: str, query: str) -> str:
    """Return a line of a generated answer that cites a document of the project and one that is not there."""
    answer = [{"text": f"{name} is said.", "citations": [f"d{name}", name]} for name in NAMES]
    told = {"run_id": system, "topic_id": query, "topic": f"about {NAMES[0]}"}
    references = [f"d{name}" for name in NAMES] + list(NAMES)
    return json.dumps({**told, "references": references, "answer": answer}) + "\n"


def told(widget: QWidget) -> Iterator[tuple[str, str]]:
    """Yield what a widget shows or tells, and as what."""
    yield "tooltip", widget.toolTip()
    yield "spoken", widget.accessibleName()
    yield "spoken", widget.accessibleDescription()
    for action in widget.actions():
        yield "action", action.text()
        told_too = not isinstance(widget, QMenu) or widget.toolTipsVisible()
        yield "tooltip", action.toolTip() if told_too else ""
    if widget.isWindow():
        yield "title", widget.windowTitle()
    if isinstance(widget, QLabel):
        yield "plain" if widget.textFormat() == Qt.TextFormat.PlainText else "label", widget.text()
    elif isinstance(widget, QPlainTextEdit):
        as_it_is = isinstance(widget, PlainText | TextField)  # what is read in full, and what is written
        yield "text", "" if as_it_is else widget.toPlainText()
    elif isinstance(widget, QAbstractButton):
        yield "button", widget.text()
    elif isinstance(widget, QGroupBox):
        yield "box", widget.title()
    elif isinstance(widget, QTabBar):
        for at in range(widget.count()):
            yield "tab", widget.tabText(at)
            yield "tooltip", widget.tabToolTip(at)
    elif isinstance(widget, QComboBox):
        option = QStyleOptionComboBox()
        widget.initStyleOption(option)
        yield "chosen", "" if widget.isEditable() else option.currentText
        shown = widget.view().itemDelegate()
        for at in range(widget.count()):
            yield "choice", shown.displayText(widget.itemText(at), widget.locale())
            yield "tooltip", str(widget.itemData(at, Qt.ItemDataRole.ToolTipRole) or "")
    elif isinstance(widget, QAbstractItemView) and not in_combo(widget):
        delegate = widget.itemDelegate()
        shown = delegate.displayText if isinstance(delegate, QStyledItemDelegate) else lambda text, _: text
        for kind, text in cells(widget.model(), QModelIndex(), isinstance(widget, QHeaderView)):
            lines = shown(text, widget.locale()).replace("\u2028", "\n") if kind == "cell" else text
            yield kind, lines
    elif isinstance(widget, QMenu):
        widget.aboutToShow.emit()
        for action in widget.actions():
            yield "action", action.text()


def in_combo(widget: QWidget | None) -> bool:
    """Say whether a view is the list of a field to choose from, which shows its choices its own way."""
    while widget is not None and not isinstance(widget, QComboBox):
        widget = widget.parentWidget()
    return widget is not None


def cells(
    model: QAbstractItemModel | None, parent: QModelIndex, headings: bool = False
) -> Iterator[tuple[str, str]]:
    """Yield what a view shows and tells of its first rows, and its headings, or these alone."""
    if model is None or "Completion" in type(model).__name__:
        return
    flat = isinstance(model, QAbstractListModel)
    is_tree = not isinstance(model, QAbstractTableModel | QAbstractListModel)
    columns = 1 if flat else model.columnCount(parent)
    roles = (
        ("cell", Qt.ItemDataRole.DisplayRole),
        ("tooltip", Qt.ItemDataRole.ToolTipRole),
        ("spoken", Qt.ItemDataRole.AccessibleTextRole),
    )
    for kind, role in roles:
        for side, many in (
            (Qt.Orientation.Horizontal, columns),
            (Qt.Orientation.Vertical, model.rowCount(parent)),
        ):
            for at in range(min(many, MOST_ROWS)):
                yield kind, str(model.headerData(at, side, role) or "")
        for row in range(0 if headings else min(model.rowCount(parent), MOST_ROWS)):
            for column in range(columns):
                index = model.index(row, column, parent)
                yield kind, str(model.data(index, role) or "")
                if kind == "cell" and column == 0 and is_tree and model.hasChildren(index):
                    yield from cells(model, index)


def wrong(root: QWidget) -> set[str]:
    """Return what of a window acts, or is read as rich text."""
    found = set()
    for widget in (root, *root.findChildren(QWidget)):
        for kind, text in told(widget):
            if acts(text):
                found.add(f"{type(widget).__name__} {widget.accessibleName()!r} {kind}: {text[:80]!r}")
            is_rich = QtGui.Qt.mightBeRichText(text) and kind in ("tooltip", "label")
            if is_rich and "<" in PARAGRAPH.sub("", text):
                found.add(f"{type(widget).__name__} {kind} is rich: {text[:80]!r}")
    return found


def test_no_name_acts_on_a_page(qtbot: QtBot, open_window: OpenWindow, hostile: Path) -> None:
    window = open_window(hostile, PERSON)
    seen = set()
    for number in range(len(PAGES)):
        window.stack.show_page(number)
        front = window.pages[number]
        if isinstance(front, EvaluatedPage):
            qtbot.waitUntil(partial(computed, front), timeout=20_000)
        seen |= wrong(window)
        for tabs in front.findChildren(QTabWidget):
            for at in filter(tabs.isTabVisible, range(tabs.count())):
                tabs.setCurrentIndex(at)
                QApplication.processEvents()
                seen |= wrong(window)
    assert not seen, "\n".join(sorted(seen))


def test_no_name_acts_in_a_dialog(qtbot: QtBot, open_window: OpenWindow, hostile: Path) -> None:
    window = open_window(hostile, PERSON)
    seen = set()
    for command in DIALOGS:
        window.commands[command].trigger()
        qtbot.waitUntil(lambda: opened(window) is not None, timeout=20_000)
        dialog = opened(window)
        assert dialog is not None
        bars = dialog.findChildren(QProgressBar)
        qtbot.waitUntil(partial(quiet, bars), timeout=20_000)
        seen |= {f"{command}: {one}" for one in wrong(dialog)}
        dialog.reject()
        qtbot.waitUntil(lambda: opened(window) is None, timeout=20_000)
    assert not seen, "\n".join(sorted(seen))


def test_no_name_acts_on_the_welcome_page_or_around_a_damaged_file(
    qtbot: QtBot, open_window: OpenWindow, hostile: Path
) -> None:
    damaged = hostile.with_name(f"{NAMES[0]}.annot".replace("/", "") + "\x1b\n.annot")
    content = bytearray(hostile.read_bytes())
    content[content.index(b"about cost")] ^= 1
    damaged.write_bytes(content)
    window = open_window(damaged, PERSON)
    qtbot.waitUntil(lambda: window.session.project.damage != (), timeout=20_000)  # type: ignore[union-attr]
    seen = wrong(window)
    window.commands["backups"].trigger()
    qtbot.waitUntil(lambda: opened(window) is not None, timeout=20_000)
    dialog = opened(window)
    assert dialog is not None
    seen |= wrong(dialog)
    dialog.reject()
    for made in (
        CrashDialog(ValueError(damaged.name), window),
        FindingsDialog([f"{damaged.name}: {damaged.name}"], window),
        NewProjectDialog([damaged], window),
    ):
        seen |= wrong(made)
    window.commands["close_project"].trigger()
    qtbot.waitUntil(lambda: window.session is None, timeout=20_000)
    QApplication.processEvents()
    assert not seen | wrong(window), "\n".join(sorted(seen | wrong(window)))


def opened(window: Window) -> QDialog | None:
    """Return the dialog that is open."""
    return next((one for one in window.findChildren(QDialog) if one.isVisible()), None)


def quiet(bars: list[QProgressBar]) -> bool:
    """Say whether nothing is being done any more."""
    return not any(bar.isVisible() for bar in bars)


def computed(page: EvaluatedPage) -> bool:
    """Say whether a page shows what it has computed."""
    return page.result is not None and not page.job.isVisible()
