"""At twice the text size the window still fits a small screen, and nothing that says something is cut off."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QTabWidget,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from annotator.desktop.agreement.page import AgreementPage
from annotator.desktop.dialog import Dialog, Scrolled
from annotator.desktop.elided import Elided
from annotator.desktop.grade.grade_buttons import GradeButton
from annotator.desktop.grade.page import GradePage
from annotator.desktop.grade.query_scroll import QueryScroll
from annotator.desktop.history_dialog import HistoryDialog
from annotator.desktop.messages import Message
from annotator.desktop.pages import PAGES
from annotator.desktop.question import Confirm
from annotator.desktop.report import page as report_page
from annotator.desktop.report.page import Choice
from annotator.desktop.results.evaluated_page import EvaluatedPage
from annotator.desktop.results.scrolled_page import ScrolledPage
from annotator.desktop.row_table import Rows
from annotator.desktop.style import SCALES, font, prose
from annotator.desktop.window import Window
from annotator.grades import MEANINGS
from annotator.project.views import HistoryLine, JudgmentView, RecentGrade
from annotator.records import GoldAnswer, GoldList
from annotator.theme import STEPS
from tests.desktop.conftest import OpenWindow
from tests.desktop.graded import grade_queries

SMALL = (1280, 800)
NO_WAYS = [(words, lambda: None) for words in ("What is damaged…", "Backups…", "Recover what can be read…")]


@pytest.fixture(autouse=True)
def usual_size(window: Window) -> Iterator[None]:
    """Take the usual text size again when a test is over."""
    window.resize(*SMALL)
    yield
    window.appearance.choose("light", 100)


@pytest.mark.parametrize("number", range(len(PAGES)))
def test_buttons_and_labels_have_room_for_their_words(
    qtbot: QtBot, window: Window, page: GradePage, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report_page, "Choice", partial(Choice, figures=("intervals",)))
    grade_queries(window, qtbot, (1, 2, 3))
    grade_queries(window, qtbot, (1, 2, 3), annotator="bo", off=1)
    window.stack.show_page(number)
    front = window.pages[number]
    for theme, percent in (("light", 100), ("dark", 200)):
        window.appearance.choose(theme, percent)
        if isinstance(front, EvaluatedPage):
            qtbot.waitUntil(lambda: front.result is not None and not front.job.isVisible(), timeout=20_000)
        elif isinstance(front, AgreementPage):
            qtbot.waitUntil(lambda: front.found is not None and front.tabs.isVisible(), timeout=20_000)
        QApplication.processEvents()
        for tabs in front.findChildren(QTabWidget):
            for at in filter(tabs.isTabVisible, range(tabs.count())):
                tabs.setCurrentIndex(at)
                qtbot.waitUntil(lambda: (window.width(), window.height()) == SMALL, timeout=20_000)
                for scrolled in front.findChildren(ScrolledPage) if at and tabs.isVisible() else ():
                    qtbot.waitUntil(partial(all_in_sight, tabs, scrolled), timeout=20_000)
                    assert scrolled.horizontalScrollBar().maximum() == 0, tabs.tabText(at)
        qtbot.waitUntil(lambda: not cut(window), timeout=20_000)
        assert (window.width(), window.height()) == SMALL, (theme, percent)


def inked(header: QHeaderView, column: int, width: int = 0) -> int:
    """Return in how many columns of pixels there are letters of a heading, if it is so wide."""
    header.resizeSection(column, width or header.sectionSize(column))
    at = header.sectionViewportPosition(column)
    image = header.grab().toImage()
    lines = range(image.height() - 4)
    across = range(at, min(at + header.sectionSize(column), image.width()))
    return sum(len({image.pixel(x, y) for y in lines}) > 1 for x in across)


def test_the_window_fits_a_small_screen_at_every_text_size(
    qtbot: QtBot, window: Window, page: GradePage
) -> None:
    heads = page.parts.list.horizontalHeader()
    for percent in SCALES:
        window.appearance.choose("light", percent)
        QApplication.processEvents()
        least = window.minimumSizeHint()
        assert (least.width() <= SMALL[0], least.height() <= SMALL[1]) == (True, True), (percent, least)
        assert (window.width(), window.height()) == SMALL, percent
        if not heads.isVisible():  # the list is a tab beside others with large text
            assert percent > 100
            continue
        assert inked(heads, 2) == inked(heads, 2, heads.sectionSize(2) + 100), "the heading is whole"


def test_the_welcome_page_fits_a_small_screen_with_large_text(qtbot: QtBot, open_window: OpenWindow) -> None:
    window = open_window()
    window.resize(*SMALL)
    window.welcome.show_error("search.annot is damaged. " * 8)
    window.appearance.choose("light", 200)
    qtbot.waitUntil(lambda: not cut(window), timeout=20_000)
    error = window.welcome._error
    qtbot.waitUntil(lambda: error.height() >= error.heightForWidth(error.width()), timeout=20_000)
    assert (window.width(), window.height()) == SMALL


def test_with_large_text_the_query_list_becomes_a_tab_and_comes_back(
    qtbot: QtBot, window: Window, page: GradePage
) -> None:
    parts = page.parts
    widths = parts.sizes()
    window.appearance.choose("light", 200)
    bar = parts.side.tabBar()
    assert [bar.tabText(at) for at in range(4)] == ["Queries", "Scores", "Gold", "Guide"]
    assert [bar.accessibleTabName(at) for at in (2, 3)] == ["Gold answers", "Guidelines"]
    for percent in (150, 200):
        window.appearance.choose("light", percent)
        QApplication.processEvents()
        assert bar.sizeHint().width() <= parts.side.width(), "all four whole, without arrows"
    assert parts.list.isVisible()
    qtbot.keyClick(parts.cards, Qt.Key.Key_G)
    assert parts.gold.isVisible()
    assert not parts.list.isVisible()
    window.appearance.choose("light", 100)
    QApplication.processEvents()
    assert parts.list.isVisible()
    assert [bar.tabText(at) for at in range(3)] == ["Scores", "Gold answers", "Guidelines"]
    assert parts.side.isVisible()
    assert parts.sizes() == widths


@pytest.mark.parametrize(
    ("width", "percent", "letters"),
    [(1024, 100, 22), (1280, 100, 28), (1920, 100, 34), (1024, 150, 16), (1280, 150, 16), (1920, 150, 24)],
)
def test_the_text_of_a_query_has_room_in_the_list_and_the_grades_keep_their_words(
    qtbot: QtBot, window: Window, page: GradePage, width: int, percent: int, letters: int
) -> None:
    window.appearance.choose("light", percent)
    window.resize(width, 700)
    parts = page.parts
    metrics = QFontMetrics(font(13))

    def room() -> bool:
        inner = parts.list.columnWidth(0) - STEPS[2] - STEPS[0]
        return inner >= letters * metrics.averageCharWidth()

    qtbot.waitUntil(room, timeout=20_000)
    words = [button.word for button in parts.cards.findChildren(GradeButton) if button.word]
    assert words[:6] == list(MEANINGS)
    parts.moveSplitter(parts.sizes()[0] - 20, 1)
    moved = parts.sizes()
    window.resize(width + 8, 700)
    qtbot.waitUntil(lambda: parts.sizes() != moved, timeout=20_000)
    assert abs(parts.sizes()[0] - moved[0]) <= 8, "what the user set stays"


@pytest.mark.parametrize("percent", [100, 200])
def test_a_very_long_name_of_the_annotator_is_cut_and_told_whole(
    qtbot: QtBot, window: Window, page: GradePage, percent: int
) -> None:
    name = "A&B" + "x" * 60
    assert window.header.part is not None
    counts = window.header.part.counts
    qtbot.waitUntil(lambda: bool(counts.text()), timeout=20_000)  # with which the name is shown anew
    window.header.show_name("Heroes and rivers", name)
    window.appearance.choose("light", percent)
    QApplication.processEvents()
    made = window.header.part.annotator
    assert made.text().startswith("A&&Bx")
    assert made.text().endswith("…")
    assert made.toolTip().startswith(f"{name} grades.")
    assert made.accessibleName() == f"Annotator: {name}"
    assert made.width() <= window.header.width() // 3
    qtbot.waitUntil(lambda: not cut(window), timeout=20_000)
    assert (window.width(), window.height()) == SMALL


def test_the_last_ten_judgments_stand_in_one_row_with_large_text(
    qtbot: QtBot, window: Window, page: GradePage
) -> None:
    squares = page.parts.recent.buttons
    page.parts.recent.show_recent([RecentGrade(1, 1, "q1", "d1", JudgmentView("graded", 3))] * len(squares))
    for percent in (100, 200):
        window.appearance.choose("light", percent)
        qtbot.waitUntil(lambda: len({one.y() for one in squares}) == 1, timeout=20_000)
        assert squares[-1].geometry().right() < page.parts.recent.width()


def test_a_project_opened_with_large_text_has_its_columns_again_with_normal_text(
    qtbot: QtBot, project_path: Path, window: Window, page: GradePage
) -> None:
    widths = page.parts.sizes()
    window.appearance.choose("light", 200)
    window.close_project()
    with qtbot.waitSignal(window.project_opened, timeout=20_000):
        window.open_project(project_path)
    assert window.pages[0].parts.list.isVisible()
    window.appearance.choose("light", 100)
    qtbot.waitUntil(lambda: window.pages[0].parts.sizes() == widths, timeout=20_000)


def test_with_large_text_query_and_gold_answers_are_shown_whole_above_the_candidates(
    qtbot: QtBot, window: Window, page: GradePage
) -> None:
    answers = tuple(GoldAnswer(f"The answer of number {at}") for at in range(3))
    window.appearance.choose("light", 200)
    page.wishes.set_gold(GoldList(page.flow.prepared.view.id, answers))
    head = page.parts.head
    qtbot.waitUntil(lambda: len(chips(head, "")) == 3 and page.flow.ready, timeout=20_000)
    qtbot.waitUntil(lambda: head.height() >= head.heightForWidth(head.width()), timeout=20_000)
    assert head.findChild(QueryScroll).verticalScrollBar().maximum() == 0
    assert head.line.mapTo(head, head.line.rect().bottomLeft()).y() <= head.height()
    assert (window.width(), window.height()) == SMALL


def test_a_long_gold_answer_shows_beginning_and_end_and_is_told_whole(
    qtbot: QtBot, window: Window, page: GradePage
) -> None:
    answer = "It was " + "very " * 100 + "long"
    page.wishes.set_gold(GoldList(page.flow.prepared.view.id, (GoldAnswer(answer),)))
    qtbot.waitUntil(lambda: chips(page.parts.head, answer) != [], timeout=20_000)
    [made] = chips(page.parts.head, answer)
    assert made.text().startswith("It was")
    assert made.text().endswith("×")
    assert answer in made.toolTip()
    assert window.width() == SMALL[0]


def test_an_ampersand_is_shown_and_marks_no_shortcut(qtbot: QtBot, window: Window, page: GradePage) -> None:
    page.wishes.set_gold(GoldList(page.flow.prepared.view.id, (GoldAnswer("Q&A"),)))
    head = page.parts.head

    def made() -> list[QPushButton]:
        return [one for one in head.findChildren(QPushButton) if "Q&A" in one.accessibleName()]

    qtbot.waitUntil(lambda: len(made()) == 1, timeout=20_000)
    assert made()[0].text().startswith("Q&&A"), "which Qt paints as Q&A"
    assert made()[0].shortcut().isEmpty()


@pytest.mark.parametrize("command", ["keys", "project_settings", "export_data", "history"])
def test_a_dialog_stays_on_the_screen_and_scrolls_to_what_has_no_room(
    qtbot: QtBot, window: Window, page: GradePage, command: str
) -> None:
    window.appearance.choose("light", 200)
    window.commands[command].trigger()
    qtbot.waitUntil(lambda: window.findChild(Dialog) is not None, timeout=20_000)
    dialog = window.findChild(Dialog)
    qtbot.waitUntil(dialog.isVisible, timeout=20_000)
    assert dialog.size() == dialog.size().boundedTo(dialog.screen().availableSize())
    dialog.move(0, dialog.screen().availableGeometry().bottom() - 100)
    dialog.grow()
    assert dialog.frameGeometry().bottom() == dialog.screen().availableGeometry().bottom()
    scrolled = dialog.findChild(Scrolled)
    content = scrolled.widget()
    assert content.size() == content.size().expandedTo(content.minimumSizeHint())
    bar = scrolled.verticalScrollBar()
    QApplication.processEvents()
    assert bar.maximum() == content.height() - scrolled.viewport().height()


def test_a_dialog_is_high_enough_for_texts_that_have_not_the_width_they_ask_for(
    qtbot: QtBot, window: Window, page: GradePage
) -> None:
    window.appearance.choose("light", 150)
    dialog = Dialog("Sure?", window)
    qtbot.addWidget(dialog)
    dialog.lay_out(
        *(prose("All of these words are to be read. " * 6, parent=dialog) for _ in range(2)), dialog.way_out()
    )
    dialog.resize(400, 0)
    dialog.open()
    scrolled = dialog.findChild(Scrolled)
    assert dialog.width() < dialog.sizeHint().width()
    qtbot.waitUntil(lambda: scrolled.verticalScrollBar().maximum() == 0, timeout=20_000)


def test_a_question_whose_words_just_fit_without_a_scroll_bar_has_none(qtbot: QtBot, window: Window) -> None:
    words = (
        "These are all that you have not judged, also those that you never looked at. 1 skipped and 1 that "
        "you can't tell stay as they are. Ctrl+Z takes it back, all of it at once.\n\nThe grades count in "
        "scores. Times and agreement leave them out, and reports say how many there are."
    )
    asked = "Give grade 0 to the 4 unjudged candidates of “volcanoes of Iceland 1”?"
    dialog = Confirm(window, "The rest is 0?", asked, words, "Give 0 to 4 candidates", int)
    dialog.open()
    bar = dialog.findChild(Scrolled).verticalScrollBar()
    QApplication.processEvents()
    assert bar.maximum() == 0
    dialog.reject()


def test_lists_and_texts_of_a_dialog_give_way_before_it_scrolls(qtbot: QtBot, window: Window) -> None:
    dialog = Dialog("Much", window)
    table = Rows("Many", ("One", "Other"), dialog)
    table.show_rows([("a", "b")] * 50)
    text = QPlainTextEdit("text", dialog)
    dialog.lay_out((text, 1), (table, 1), dialog.way_out(), hint="All of it is to be read. " * 6)
    dialog.resize(400, 0)
    dialog.open()
    liked = dialog.height()
    dialog.setFixedHeight(liked - 150)
    scrolled = dialog.findChild(Scrolled)
    QApplication.processEvents()
    assert scrolled.verticalScrollBar().maximum() == 0
    assert scrolled.line.isHidden()
    assert table.minimumSizeHint().height() > 2 * table.rowHeight(0), "two rows are always seen"
    dialog.setFixedHeight(200)
    qtbot.waitUntil(scrolled.line.isVisible, timeout=20_000)
    assert scrolled.verticalScrollBar().maximum() > 0
    close = next(one for one in dialog.findChildren(QPushButton) if one.isVisible())

    def edges() -> set[int]:
        return {one.mapTo(dialog, one.rect().topRight()).x() for one in (table, close)}

    qtbot.waitUntil(lambda: scrolled.viewport().width() < dialog.width(), timeout=20_000)
    qtbot.waitUntil(lambda: len(edges()) == 1, timeout=20_000)  # the bar stands in the margin
    dialog.reject()


def test_what_scrolls_in_a_dialog_is_reached_from_its_buttons(qtbot: QtBot, window: Window) -> None:
    dialog = Dialog("Many", window)
    fields = [QLineEdit(dialog) for _ in range(60)]
    dialog.lay_out(*fields, dialog.way_out())
    dialog.open()
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow, timeout=20_000)
    bar = dialog.findChild(Scrolled).verticalScrollBar()
    close = next(iter(dialog.findChildren(QPushButton)))
    close.setFocus()
    qtbot.keyClick(close, Qt.Key.Key_PageDown)
    assert bar.value() > 0
    qtbot.keyClick(close, Qt.Key.Key_Tab)
    assert fields[0].hasFocus()
    assert not fields[0].visibleRegion().isEmpty(), "it is in sight again"
    dialog.reject()


def test_with_large_text_the_history_has_room_for_what_happened(qtbot: QtBot, window: Window) -> None:
    window.appearance.choose("light", 110)  # on a screen of 800 pixels
    said = "judged; shown when you have finished the query"
    line = HistoryLine(0, "Jonas", "grade", said, 4_600, True, "s16", "env/dead-animals-on-the-road")
    dialog = HistoryDialog("History of the project", [line] * 3, window)
    dialog.open()
    table = dialog.table
    metrics = table.fontMetrics()
    qtbot.waitUntil(lambda: table.rowHeight(0) >= 2 * metrics.lineSpacing(), timeout=20_000)
    assert table.columnWidth(0) >= metrics.horizontalAdvance("13:13:37 UTC")
    assert table.columnWidth(2) >= metrics.horizontalAdvance(said) * 0.6, "in two lines"
    assert table.horizontalScrollBar().maximum() == 0
    dialog.reject()


def test_a_banner_leaves_its_text_the_room_that_it_needs(qtbot: QtBot, window: Window) -> None:
    notice = window.safety.notice
    window.appearance.choose("light", 150)
    window.resize(1024, 700)
    notice.tell("This project is damaged, which is said in a rather long sentence. " * 3, NO_WAYS)
    qtbot.waitUntil(lambda: not cut(window), timeout=20_000)
    text = notice.findChild(QLabel)
    assert text.width() > notice.width() * 0.9
    assert all(one.y() >= text.geometry().bottom() for one in notice.ways())
    notice.tell("Short.", NO_WAYS[:1])
    QApplication.processEvents()
    assert notice.ways()[0].y() < text.geometry().bottom()
    notice.clear()


@pytest.mark.parametrize("name", ["ann", "Konstantinopolitanischer Dudelsackspfeifer"])
def test_how_the_sharing_stands_is_said_whole_in_a_narrow_header(
    qtbot: QtBot, window: Window, page: GradePage, name: str
) -> None:
    header = window.header
    header.show_name("Relevance of the municipal search", name)
    window.appearance.choose("light", 150)
    window.resize(1024, 700)
    header.show_team("cannot exchange, 12 not handed over", "It does not answer.", wrong=True)
    team = header.team
    assert team is not None
    QApplication.processEvents()
    team.grab()
    assert team.shown() in ("cannot exchange …", team.text())
    assert window.width() == 1024
    around = team.sizeHint().width() - team.fontMetrics().horizontalAdvance(team.text())
    assert team.width() == around + team.fontMetrics().horizontalAdvance(team.shown()), "no room is empty"
    header.show_team("not shared, a copy", "It is a copy.")
    QApplication.processEvents()
    team.grab()
    assert team.shown() == ("not shared, a copy" if name == "ann" else "not shared …")
    header.show_team("cannot exchange, 12 not handed over", "It does not answer.", wrong=True)
    assert header.part is not None
    export = header.part.export
    assert export.accessibleName() == "Export report"
    assert export.mapTo(header, export.rect().topRight()).x() < header.width()
    window.resize(1600, 700)
    qtbot.waitUntil(lambda: team.shown() == team.text() and bool(export.text()), timeout=20_000)
    window.appearance.choose("light", 100)
    window.resize(1024, 700)
    header.show_name("Site search of Linden Bay", "ann")
    header.part.counts.setText("3 runs · 20 queries")
    header.show_team("2 people, 12 not handed over", "")
    counts = header.part.counts
    qtbot.waitUntil(lambda: window.width() == 1024 and not counts.isVisible(), timeout=20_000)
    header.show_team("", "")
    assert counts.isVisible(), "there is room for all"


def test_a_long_name_widens_no_window_while_it_is_opened(window: Window) -> None:
    message, words = Message(window), f"Opening {'a rather long name ' * 9}{'endless' * 30}…"
    message.say(words)
    assert message.minimumSizeHint().width() < 400
    assert message.title == words
    message.deleteLater()


def test_the_keys_never_stand_over_a_message(qtbot: QtBot, window: Window, page: GradePage) -> None:
    window.say("Something was stored")
    window.appearance.choose("light", 200)
    QApplication.processEvents()
    assert window.statusBar().currentMessage() == "Something was stored"
    assert not window.keys.isVisible()
    window.statusBar().clearMessage()
    assert window.keys.isVisible()


def chips(head: QWidget, answer: str) -> list[QPushButton]:
    return [one for one in head.findChildren(QPushButton) if one.isVisible() and answer in one.toolTip()]


def all_in_sight(tabs: QWidget, page: ScrolledPage) -> bool:
    """Say whether the tabs have the whole view of a page that scrolls."""
    view, whole = page.viewport(), not page.verticalScrollBar().maximum()
    return whole or (tabs.height() >= view.height() and tabs.mapTo(view, QPoint()).y() == 0)


def cut(window: Window) -> list[str]:
    return [
        f"{type(one).__name__} {one.text()!r}: {one.size()} of {one.minimumSizeHint()}"
        for kind in (QLabel, QPushButton, QToolButton, QCheckBox)
        for one in window.findChildren(kind)
        if one.isVisible() and one.text() and is_cut(one)
    ]


def is_cut(control: QLabel | QPushButton | QToolButton | QCheckBox) -> bool:
    """Say whether a control is smaller than its words; a label that wraps has room if it is high enough.

    A label that ends in an ellipsis has room if its tooltip has the words.
    """
    if isinstance(control, Elided):
        return control.shown() != control.text() and control.toolTip() != control.text()
    if isinstance(control, QLabel) and control.wordWrap():
        return control.height() < control.heightForWidth(control.width())
    hint = control.minimumSizeHint()
    return control.width() < hint.width() or control.height() < hint.height()
