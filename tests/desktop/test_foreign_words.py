"""Names, titles and notes that look like HTML are shown letter by letter wherever the window tells them."""

import ast
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

import annotator
from annotator.desktop.question import Confirm, confirm
from annotator.desktop.style import tip
from annotator.text.templates import beginning

FILES = sorted((Path(annotator.__file__).parent / "desktop").rglob("*.py"))
NAME = "<img src='file:///etc/passwd'> & <b>bold</b>\nnext"


def unguarded(source: str) -> list[str]:
    """Return the tooltips that are neither words of our own nor told by `tip`, and labels made by hand."""
    found = []
    for call in (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if name in ("setToolTip", "showText"):
            told = call.args[1] if name == "showText" else call.args[-1]
            by_tip = isinstance(told, ast.Call) and getattr(told.func, "id", "") == "tip"
            own = isinstance(told, ast.Constant) or (isinstance(told, ast.Name) and told.id.isupper())
            if not (by_tip or own):
                found.append(f"{call.lineno}: {ast.unparse(call)}")
        if name in ("QLabel", "setRichText", "setStatusTip", "setWhatsThis", "RichText"):
            found.append(f"{call.lineno}: {ast.unparse(call)}")
    return found


def test_every_tooltip_with_words_of_others_shows_them_letter_by_letter() -> None:
    found = {file.name: wrong for file in FILES if (wrong := unguarded(file.read_text("utf-8")))}
    assert found == {}


def test_control_a_tooltip_that_is_forgotten_is_found() -> None:
    assert unguarded("item.setToolTip(title)\nbutton.setToolTip('Close')\nx.setToolTip(tip(title))") == [
        "1: item.setToolTip(title)"
    ]


@pytest.mark.parametrize("text", ["A title", "a < b", NAME, "&lt;b&gt;", "<b>" * 9_000])
def test_a_tooltip_reads_as_the_words_do(text: str) -> None:
    told = tip(text)
    shown = QTextDocument()
    if told.startswith("<p style"):
        shown.setHtml(told)
    else:
        shown.setPlainText(told)
    assert shown.toPlainText() == beginning(text)
    assert "<" not in text or "img" not in told.replace("&lt;img", "")


def test_a_question_asks_letter_by_letter(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    confirm(parent, "Sure?", NAME, NAME, "Yes", lambda: None)
    [box] = parent.findChildren(Confirm)
    told = [part for part in box.findChildren(QLabel) if NAME in part.text()]
    assert len(told) == 2
    assert {part.textFormat() for part in told} == {Qt.TextFormat.PlainText}
    box.close()
