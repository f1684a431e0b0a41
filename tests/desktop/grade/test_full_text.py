"""Reading a candidate: marks in the right place, nothing fetched, large texts in pieces."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QTextDocument, QTextLayout
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QPlainTextEdit, QToolButton
from pytestqt.qtbot import QtBot

from annotator.desktop.grade.full_text import PIECE, Reader
from annotator.desktop.grade.offsets import spans_in_units, to_points, to_units
from annotator.desktop.grade.passage import lay_out
from annotator.desktop.grade.prepared import marked
from annotator.desktop.grade.rich_text import kind_of, sanitised
from annotator.desktop.grade.text_lines import COLUMNS
from annotator.desktop.offline_browser import OfflineBrowser, no_image
from annotator.project.views import CandidateView, QueryView
from annotator.records import GoldAnswer
from annotator.text.direction import from_the_right
from annotator.theme import LIGHT

VIEW = QueryView(
    1, "q1", "famous rivers", (), "", {}, "", "", (GoldAnswer("the Nile"),), False, (), revealed=False
)


def document(text: str, **fields: object) -> CandidateView:
    return CandidateView(7, "d7", "document", "A title", fields=fields, text=text, length=len(text))


@pytest.fixture
def reader(qtbot: QtBot) -> Reader:
    reader = Reader(LIGHT, None)  # type: ignore[arg-type]
    qtbot.addWidget(reader)
    reader.resize(800, 600)
    reader.show()
    return reader


@settings(max_examples=60)
@given(st.text(alphabet="aé漢😀𝒳 \n", max_size=40), st.integers(0, 40))
def test_offsets_survive_the_way_to_qt_and_back(text: str, at: int) -> None:
    at = min(at, len(text))
    assert len(text[:at].encode("utf-16-le")) == 2 * to_units(text, at)
    assert to_points(text, to_units(text, at)) == at


def test_a_span_behind_an_emoji_is_marked_where_it_stands() -> None:
    assert spans_in_units("😀 river", [(2, 7)]) == [(3, 8)]
    assert "😀 river".encode("utf-16-le")[6:16].decode("utf-16-le") == "river"


def test_an_excerpt_marks_query_words_and_gold_answers() -> None:
    shown = marked(VIEW, document("Filler sentence here. " * 60 + "The Nile is a river."))
    assert [shown.text[a:b] for a, b in shown.words] == ["river"]
    assert "Nile" in [shown.text[a:b].removeprefix("The ") for a, b in shown.gold]
    start = shown.source(shown.words[0][0])
    assert start == len("Filler sentence here. " * 60 + "The Nile is a ")


def test_html_keeps_its_words_and_loses_everything_else() -> None:
    source = (
        "<p onclick='x()'>Hello <b>you</b><script>evil()</script>"
        "<img src='http://a.example/b.png' alt=\"a map\"><a href='http://a.example'>link</a></p>"
    )
    clean = sanitised(source)
    assert "Hello <b>you</b>" in clean
    assert "[image: a map]" in clean
    assert "link" in clean
    for bad in ("script", "evil", "onclick", "http", "src"):
        assert bad not in clean


def test_rich_text_fetches_nothing(qtbot: QtBot) -> None:
    browser = OfflineBrowser()
    qtbot.addWidget(browser)
    browser.setHtml("<img src='file:///etc/passwd'><p>words</p>")
    kind = QTextDocument.ResourceType.ImageResource.value
    assert browser.loadResource(kind, QUrl("file:///etc/passwd")) == no_image()
    browser.setSource(QUrl("file:///etc/passwd"))
    assert "words" in browser.toPlainText()


def test_code_has_the_size_of_the_text_around_it_and_grows_with_it(qtbot: QtBot) -> None:
    browser = OfflineBrowser()
    qtbot.addWidget(browser)
    browser.show_markdown("text `code`")
    for size in (13, 26):
        large = browser.font()
        large.setPixelSize(size)
        browser.document().setDefaultFont(large)
        cursor, sizes = browser.textCursor(), []
        for at in (2, 7):
            cursor.setPosition(at)
            sizes.append(cursor.charFormat().font().resolve(large).pixelSize())
        assert sizes == [size, size]


@pytest.mark.parametrize(
    ("text", "fields", "kind"),
    [
        ("Just words < 3", {}, "plain"),
        ("<p>Words</p>", {}, "html"),
        ("# Words", {"format": "markdown"}, "markdown"),
        ("<p>Words</p>", {"format": "plain"}, "plain"),
    ],
)
def test_how_a_text_is_read_follows_its_format_or_its_start(
    text: str, fields: dict[str, object], kind: str
) -> None:
    assert kind_of(document(text, **fields)) == kind


@pytest.mark.parametrize(
    ("text", "fields", "shown"),
    [
        (
            "<p>Duck <b>po</b>nds</p><script>alert(1)</script><p>Salt &amp; rain < 3 <img alt='a duck'></p>",
            {},
            "Duck ponds Salt & rain < 3 [image: a duck]",
        ),
        (
            "# Duck *ponds*\n- see [the **map**](http://x.y) and ![a duck](d.png)\n- 2 * 3 * 4",
            {"format": "markdown"},
            "Duck ponds • see the map and [image: a duck] • 2 * 3 * 4",
        ),
        ("Duck if a < b and *b* > c", {}, "Duck if a < b and *b* > c"),
    ],
)
def test_a_card_shows_the_words_that_the_reader_shows(
    text: str, fields: dict[str, object], shown: str
) -> None:
    found = marked(replace(VIEW, text="ducks"), document(text, **fields))
    assert " ".join(found.text.split()) == shown
    assert found.source(0) == (None if found.text not in text else 0), "no place in what is marked up"
    assert {found.text[first:last].lower() for first, last in found.words} == {"duck"}


def test_markdown_images_are_placeholders(reader: Reader) -> None:
    candidate = document("# Head\n\n![a map](http://a.example/m.png) <b>raw</b>", format="markdown")
    reader.show_text(VIEW, candidate, candidate.text, True)
    assert "[image: a map]" in reader.shown_text()
    assert reader._editor().textCursor().position() == 0, "one begins to read at the beginning"


def test_a_text_of_many_megabytes_comes_in_pieces(qtbot: QtBot, reader: Reader) -> None:
    text = "A line about rivers and bridges.\n" * 200_000
    reader.show_text(VIEW, document(text[:20_000]), text, True)
    lengths = [0, len(reader.shown_text())]
    while lengths[-1] < len(text):
        QApplication.processEvents()
        lengths.append(len(reader.shown_text()))
    assert reader.shown_text() == text
    assert max(np.diff(lengths)) <= PIECE, "the window has its turn between two pieces"


def test_the_reader_keeps_its_place_per_text(qtbot: QtBot, reader: Reader) -> None:
    first, second = document("line\n" * 500), document("other\n" * 500)
    second = CandidateView(8, "d8", "document", "", text=second.text, length=second.length)
    reader.show_text(VIEW, first, first.text, True)
    reader.scroll_to(200)
    reader.show_text(VIEW, second, second.text, True)
    assert reader.place() == 0
    reader.show_text(VIEW, first, first.text, True)
    assert reader.place() == 200


def test_find_goes_on_and_round_and_says_which_place_of_how_many(qtbot: QtBot, reader: Reader) -> None:
    candidate = document("😀 one river, two\nRIVERS, three")
    reader.show_text(VIEW, candidate, candidate.text, True)
    reader.find_in_text()
    found = []
    qtbot.keyClicks(reader.searched.line, "river")
    for _ in range(3):
        found.append((reader.selection(0).start, reader.searched.told.text()))
        qtbot.keyClick(reader.searched.line, Qt.Key.Key_Return)
    assert found == [(6, "1 of 2"), (17, "2 of 2"), (6, "1 of 2")]


def test_find_says_that_there_is_nothing_visibly_and_to_a_screen_reader(qtbot: QtBot, reader: Reader) -> None:
    candidate = document("one river, two rivers")
    reader.show_text(VIEW, candidate, candidate.text, True)
    reader.find_in_text()
    qtbot.keyClicks(reader.searched.line, "rivet")
    assert reader.searched.told.isVisible()
    assert reader.searched.told.text() == reader.searched.line.accessibleDescription() == "Not found"
    assert reader.selection(0) is None
    qtbot.keyClick(reader.searched.line, Qt.Key.Key_Backspace)
    assert reader.searched.told.text() == "1 of 2"
    reader.searched.line.clear()
    assert reader.searched.told.text() == ""


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("ירושלים היא עיר הבירה של ישראל, והיא עיר גדולה.", True),
        ("عاصمة مصر هي القاهرة، وهي مدينة كبيرة على النيل.", True),
        ("東京は日本の首都で、人口は約千四百万人です。天気は今日も晴れで、明日は雨でしょう。", False),
        ("Jerusalem (ירושלים) is a city on a hill, and a large one", False),
    ],
)
def test_lines_begin_where_their_script_begins_and_break_in_any_script(
    qapp: QApplication, text: str, right: bool
) -> None:
    assert from_the_right(f"12. {text}") == right, "digits have no direction of their own"
    layout, width = QTextLayout(), 150.0
    lay_out(layout, text, [], width, 9)
    boxes = [layout.lineAt(at).naturalTextRect() for at in range(layout.lineCount())]
    assert len(boxes) > 1
    assert all(box.width() <= width + 1 for box in boxes)
    begins = [width - box.right() if right else box.left() for box in boxes]
    assert begins == pytest.approx([0] * len(boxes), abs=1)
    last = layout.lineAt(layout.lineCount() - 1)
    start, end = last.cursorToX(last.textStart()), last.cursorToX(len(text))
    start, end = (one[0] if isinstance(one, tuple) else one for one in (start, end))
    assert (end < start) == right, "also where the text ends in a full stop"
    assert layout.lineAt(0).xToCursor(width - 1 if right else 1) <= 1, "a selection begins there too"


def test_the_text_is_made_narrower_and_wider_by_a_button(qtbot: QtBot, reader: Reader) -> None:
    reader.resize(1600, 600)
    reader.show_text(VIEW, document(""), "Words " * 400, True)
    [button] = [
        one for one in reader.findChildren(QToolButton) if one.accessibleName().startswith("Narrower")
    ]
    text = next(one for one in reader.findChildren(QPlainTextEdit) if one.isVisible())
    widths = []
    for _ in range(len(COLUMNS) + 1):
        QApplication.processEvents()
        widths.append(text.viewport().width())
        button.click()
    assert len(set(widths)) == len(COLUMNS)
    assert widths[-1] == widths[0], "and round again"


@pytest.mark.parametrize("kind", ["plain", "html"])
def test_a_narrow_text_stands_where_its_lines_begin(reader: Reader, kind: str) -> None:
    reader.resize(1600, 600)
    for words, from_right in (("Words ", False), ("הר געש ", True), ("Again ", False)):
        text = f"<p>{words * 99}</p>" if kind == "html" else words * 99
        reader.show_text(VIEW, document(text), text, True)
        shown = next(one for one in reader.findChildren(QAbstractScrollArea) if one.isVisible())
        left, right = shown.viewport().x(), shown.width() - shown.viewport().geometry().right()
        assert (left > right) is from_right, words


def test_a_line_has_at_most_seventy_letters(qtbot: QtBot, reader: Reader) -> None:
    for width in (700, 1200, 2000):
        reader.resize(width, 600)
        reader.show_text(
            VIEW, document(""), "Letters as they usually come in sentences of such a language. " * 99, True
        )
        text = next(one for one in reader.findChildren(QPlainTextEdit) if one.isVisible())
        QApplication.processEvents()
        block = text.document().begin()
        lines = [block.layout().lineAt(at).textLength() for at in range(block.layout().lineCount())]
        assert max(lines) <= 74, "70 letters as wide as most texts have them"
        assert len(lines) > 10


@pytest.mark.parametrize("kind", ["plain", "html"])
def test_the_scroll_bar_has_a_tick_where_each_marked_word_stands(
    qtbot: QtBot, reader: Reader, kind: str
) -> None:
    filler = "Nothing of this is asked for. " * 30
    parts = [filler, f"Here is {VIEW.text.split()[-1]}. ", filler, filler]
    text = "\n\n".join(parts) if kind == "plain" else "".join(f"<p>{part}</p>" for part in parts)
    reader.resize(600, 300)
    reader.show_text(VIEW, document("" if kind == "plain" else text), text, True)
    bar = reader._bars[kind == "html"]
    qtbot.waitUntil(lambda: bool(bar.ticks()), timeout=20_000)
    assert len(bar.ticks()) == 1
    assert 0.2 < bar.ticks()[0] / bar.height() < 0.45, "behind the first of three long parts"
    reader.set_marks(False)
    assert bar.ticks() == []
