"""The help opens with a key and shows every page that comes with the program."""

import re
from collections.abc import Iterator

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QImage, QTextCursor, QTextDocument
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from annotator.desktop.help import JOINER, PAGES, HelpDialog, joined, page
from annotator.desktop.offline_browser import no_image
from annotator.desktop.style import Appearance
from annotator.places import place
from annotator.theme import DARK, LIGHT
from tests.desktop.conftest import PATIENCE, OpenWindow


def test_every_page_is_offered_under_its_heading(qtbot: QtBot) -> None:
    assert set(PAGES) == {path.stem for path in (place("resources") / "help").glob("*.md")}
    dialog = HelpDialog()
    qtbot.addWidget(dialog)
    shown = []
    for row in range(dialog.titles.count()):
        dialog.titles.setCurrentRow(row)
        shown.append((dialog.titles.item(row).text(), dialog.text.toPlainText().partition("\n")[0]))
    titles = [*(title for title, _ in map(page, PAGES)), "Third-party software"]
    assert shown == [(title, title) for title in titles]
    dialog.show()
    assert dialog.titles.horizontalScrollBar().maximum() == 0, "every title is read to its end"
    for row in range(dialog.titles.count()):
        dialog.titles.setCurrentRow(row)
        wide = dialog.text.document().size().width()
        assert wide <= dialog.text.viewport().width() + 1, dialog.titles.item(row).text()
        assert not [ends for ends in ends_in_tables(dialog.text.document()) if not re.search(r"[-/]$", ends)]


def ends_in_tables(document: QTextDocument) -> Iterator[str]:
    """Yield what stands before each place in a table where a line ends and its word goes on."""
    block = document.begin()
    while block.isValid():
        lines = [block.layout().lineAt(at) for at in range(block.layout().lineCount())]
        if QTextCursor(block).currentTable() is not None:
            starts = (one.textStart() for one in lines[1:])
            yield from (
                block.text()[:at] for at in starts if not re.search(r"\s", block.text()[at - 1 : at + 1])
            )
        block = block.next()


def test_tables_and_keys_are_shown_as_such(qtbot: QtBot) -> None:
    dialog = HelpDialog()
    qtbot.addWidget(dialog)
    assert "<kbd>" not in dialog.text.toPlainText()
    dialog.titles.setCurrentRow(PAGES.index("articles"))
    assert "<table" in dialog.text.toHtml()
    assert "|---" not in dialog.text.toPlainText()


def test_commands_break_between_options_and_are_copied_as_they_are_given(qtbot: QtBot) -> None:
    dialog = HelpDialog()
    qtbot.addWidget(dialog)
    dialog.titles.setCurrentRow(PAGES.index("commands"))
    dialog.resize(700, 500)
    dialog.show()
    document = dialog.text.document()
    assert document.size().height() > dialog.height()  # it is laid out by now
    broken, block = 0, document.begin()
    while block.isValid():
        ends = [block.layout().lineAt(at).textStart() for at in range(1, block.layout().lineCount())]
        for line in (block.text()[:end] for end in ends if block.blockFormat().textIndent() < 0):
            broken += 1
            assert not re.search(r"(?<!\S)-\S*$", line), line
        block = block.next()
    assert broken > 10
    dialog.text.selectAll()
    copied = dialog.text.createMimeDataFromSelection().text().splitlines()
    given = [line for line in page("commands")[1].splitlines() if line.startswith("annotator ")]
    assert set(given) <= set(copied)
    dialog.titles.setCurrentRow(PAGES.index("team"))
    for wide in range(960, 700, -20):
        dialog.resize(wide, 500)
        assert document.size().height() > dialog.height()
        words, block = list[str](), document.begin()
        while block.isValid():
            lines = [block.layout().lineAt(at) for at in range(block.layout().lineCount())]
            for one in lines:
                words += block.text()[one.textStart() :][: one.textLength()].replace("\ufeff", "").split()
            block = block.next()
        assert words.count("/mnt/team/search") == 2
        assert "'…/search?options=-csearch_path%3Dsecond'." in words


def test_a_sum_in_brackets_stands_on_one_line() -> None:
    words = joined("and (1 + 7/1.585) / (7 + 1)").replace(JOINER, "").split(" ")
    assert words == ["and", "(1\u00a0+\u00a07/1.585)", "/", "(7\u00a0+\u00a01)"]


def test_the_name_of_a_model_stands_on_one_line_and_other_words_part_at_hyphens() -> None:
    name = JOINER.join(["all-", "MiniLM-", "L6-", "v2"])
    assert joined("With all-MiniLM-L6-v2, an out-of-date REC-1") == f"With {name}, an out-of-date REC-1"


def test_a_link_leads_to_its_page_by_the_keyboard_and_no_other_is_shown(qtbot: QtBot) -> None:
    dialog = HelpDialog()
    qtbot.addWidget(dialog)
    dialog.show()
    for name in PAGES:
        dialog.titles.setCurrentRow(PAGES.index(name))
        for link in re.findall(r'<a href="(.*?)"', dialog.text.toHtml()):
            assert link.removesuffix(".md") in PAGES, f"{name} leads to {link}"
    dialog.titles.setCurrentRow(PAGES.index("your-data"))
    dialog.text.setFocus()
    qtbot.keyClick(dialog.text, Qt.Key.Key_Tab)
    qtbot.keyClick(dialog.text, Qt.Key.Key_Return)
    assert dialog.titles.currentItem().text() == "Formats"
    assert dialog.text.toPlainText().startswith("Formats")
    assert "example notebook" in page("python")[1]


def test_the_figures_that_teach_are_shown_in_the_windows_theme_and_nothing_else_is_loaded(
    qtbot: QtBot, qapp: QApplication
) -> None:
    corners = []
    for name in ("dark", "light"):
        appearance = Appearance(qapp, name)
        dialog = HelpDialog()
        qtbot.addWidget(dialog)
        dialog.titles.setCurrentRow(PAGES.index("articles"))
        images = [dialog.text.loadResource(2, QUrl(f"{key}-light.png")) for key in ("discount", "f1-mcc")]
        corners.append([one.pixelColor(1, 1).name() for one in images if isinstance(one, QImage)])
        assert appearance.theme.name == name
        assert dialog.text.loadResource(2, QUrl("../pictures/grade-light.png")) == no_image()
        assert dialog.text.loadResource(2, QUrl("https://example.org/discount.png")) == no_image()
    assert corners == [[DARK.panel] * 2, [LIGHT.panel] * 2]


def test_the_command_opens_the_help_without_a_project(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window()
    window.commands["help"].trigger()
    qtbot.waitUntil(lambda: bool(window.findChildren(HelpDialog)), timeout=PATIENCE)
    window.findChildren(HelpDialog)[0].reject()
