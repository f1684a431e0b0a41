"""Texts that nobody would write: each is shown soon, whole, and in the lines of ordinary texts."""

import os
import subprocess
import sys
from collections.abc import Callable
from threading import Timer

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from annotator.desktop.grade import plain_text
from annotator.desktop.grade.full_text import Reader
from annotator.desktop.grade.guidelines import Guidelines
from annotator.desktop.grade.offsets import to_units
from annotator.desktop.grade.plain_text import LONGEST, PlainText, in_units
from annotator.desktop.grade.prepared import marked
from annotator.desktop.grade.rich_text import kind_of, read_as, words_of
from annotator.desktop.rich_limits import RICH
from annotator.project.views import CandidateView
from annotator.theme import LIGHT
from tests.desktop.grade.hostile_documents import ROOM, VIEW, WORDS

WAITING = 600
"""Seconds after which a document is given up that does not even work; `PATIENCE` is for what it works."""


def document(text: str, **fields: object) -> CandidateView:
    return CandidateView(7, "d7", "document", "A title", fields=fields, text=text, length=len(text))


def shown(numbers: range) -> list[tuple[float, str]]:
    """Show documents in a program of its own; return how long each holds the window up, and what it is."""
    command = [
        sys.executable,
        "-m",
        "tests.desktop.grade.hostile_documents",
        str(numbers[0]),
        str(len(numbers)),
    ]
    took: list[tuple[float, str]] = []
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    ) as child:
        assert child.stdout is not None
        while True:
            waiting = Timer(WAITING, child.kill)
            waiting.start()
            line = child.stdout.readline()
            waiting.cancel()
            if not line:
                break
            what, at_most, seconds = line.rstrip().rpartition(", at most ")
            assert at_most, f"stopped the window ({child.wait()}) or made it grow: {line}"
            took.append((float(seconds), what))
    assert child.returncode == 0, f"ended the window after {len(took)} documents of {numbers}"
    return took


def test_no_document_stops_the_window(
    count: Callable[[int, int], int], counted: Callable[[str], None]
) -> None:
    numbers = range(count(8, 2_000))
    took = sorted(shown(numbers), reverse=True)
    assert len(took) == len(numbers)
    slowest = "\n".join(f"  {seconds:.2f} s: {what}" for seconds, what in took[:5])
    counted(f"hostile documents: {len(took)} shown as card and in the reader; the slowest:\n{slowest}")


LINES = st.tuples(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4), st.sampled_from((9, 300, 9_000)))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(LINES, LINES)
@example((["é"], 300), (["http://a.example/"], 300))
@example((["a", "\n"], 150), (["\u2067a\u2069"], 9_000))
def test_no_title_and_no_field_makes_the_window_grow(
    qtbot: QtBot, title: tuple[list[str], int], by: tuple[list[str], int]
) -> None:
    reader = Reader(LIGHT, None)  # type: ignore[arg-type]
    qtbot.addWidget(reader)
    reader.resize(*ROOM)
    reader.show()
    named, said = ("".join(pieces) * times for pieces, times in (title, by))
    one = CandidateView(7, "d7", "document", named, fields={"by": said}, text="A text.", length=7)
    reader.show_text(VIEW, one, one.text, True)
    QApplication.processEvents()
    assert reader.size().toTuple() == ROOM
    assert reader.minimumSizeHint().width() <= ROOM[0]
    assert reader._fields.minimumSizeHint().width() <= ROOM[0], "nothing of it is cut"


DEEP = [
    ("html", "<table><tr><td>" * 22 + "x"),
    ("html", "<ul><li>a" * 3_200),
    ("html", "<div>" * 50_000),
    ("html", "<div><!-- </div> -->" * 5_000),
    ("html", "<table>" + "<tr><td>a<td>b" * 10_000),
    ("html", "<p>" + "x" * 900_000),
    ("html", "<p>" + "x y " * 100_000),
    ("markdown", "![" * 100_000),
    ("markdown", "**a" * 100_000),
    ("markdown", "> " * 3_000 + "a"),
    ("markdown", "1. " * 3_000 + "a"),
    ("markdown", "|a|b|\n|-|-|\n" + "|c|d|\n" * 20_000),
    ("markdown", "- item\n" * 20_000),
]


@pytest.mark.parametrize(("kind", "text"), DEEP, ids=[text[:12].strip() for _, text in DEEP])
def test_what_is_too_deep_or_too_much_is_shown_whole_as_its_source_and_says_why(
    qtbot: QtBot, kind: str, text: str
) -> None:
    reader = Reader(LIGHT, None)  # type: ignore[arg-type]
    qtbot.addWidget(reader)
    reader.show()
    one = document(text, format=kind)
    reader.show_text(VIEW, one, one.text, True)
    qtbot.waitUntil(lambda: reader.shown_text() == text, timeout=60_000)
    assert reader._note.isVisible()
    assert reader._note.text().startswith("Shown as its source, in plain text, because it")
    assert words_of(one) is None, "the card shows the source too, and its places are known"
    assert marked(VIEW, one).as_it_is


@pytest.mark.parametrize(("kind", "text"), [one for one in DEEP if one[0] == "markdown"])
@pytest.mark.parametrize("of", ["project", "query"])
def test_guidelines_that_are_too_deep_or_too_much_are_shown_as_their_source_too(
    qtbot: QtBot, kind: str, text: str, of: str
) -> None:
    panel = Guidelines(None)  # type: ignore[arg-type]
    qtbot.addWidget(panel)
    panel.show()
    panel.show_texts(*((text, "") if of == "project" else ("", text)))
    assert panel._note.text().startswith("Shown as its source, in plain text, because it")
    assert panel._note.isVisible()
    assert text in panel._plain.stored
    panel.show_texts("# Grades", "")
    assert panel._shown.toPlainText() == "Grades"
    assert not panel._note.isVisible()


@pytest.mark.parametrize("text", ["x" * 1_200_000, "a line\n" * 200_000], ids=["word", "lines"])
def test_endless_guidelines_are_cut_where_it_is_said_and_are_not_edited_here(qtbot: QtBot, text: str) -> None:
    panel = Guidelines(None)  # type: ignore[arg-type]
    qtbot.addWidget(panel)
    panel.show_texts(text, "")
    assert panel._plain.stored == text[:RICH] + (
        f"… (the first 1,000,000 of {len(text):,} letters; “annotator dump” writes all)"
    )
    assert not panel._edit.isEnabled()
    assert "too many letters" in panel._edit.toolTip()


PARAGRAPH = "Rivers are <b>long</b>, says <a href='x'>one</a> of <i>many</i> pages. " * 40
ORDINARY = [
    (
        "html",
        f"<div><div><div><h1>Rivers</h1><p>{PARAGRAPH}</p><ul><li>One<li>Two</ul></div></div></div>" * 30,
    ),
    ("html", "<table>" + "<tr><td>Nile</td><td>6,650</td></tr>" * 300 + "</table>"),
    ("markdown", "# Rivers\n\n" + "The **Nile** is [long](http://x.example/a_(b)), *very*. " * 60),
    ("markdown", "|River|km|\n|-|-|\n" + "|Nile|6,650|\n" * 300 + "\n\n" + "- one\n  - two\n" * 100),
    ("markdown", "\n\n".join("A line of `code`, and a [link][1]. " * 9 for _ in range(500))),
]


@pytest.mark.parametrize(("kind", "text"), ORDINARY)
def test_long_ordinary_pages_are_laid_out(kind: str, text: str) -> None:
    assert read_as(document(text, format=kind), text) == (kind, "")


def test_a_text_whose_rest_is_too_deep_is_shown_as_its_source_from_then_on(qtbot: QtBot) -> None:
    reader = Reader(LIGHT, None)  # type: ignore[arg-type]
    qtbot.addWidget(reader)
    begun, rest = "<p>Rivers</p>", "<div>" * 500
    one = CandidateView(7, "d7", "document", "", text=begun, length=len(begun + rest))
    assert kind_of(one) == "html"
    reader.show_text(VIEW, one, begun, True)
    assert reader.shown_text() == "Rivers"
    reader.show_rest(begun + rest)
    assert reader.shown_text() == begun + rest


PIECES = ("a", "b ", "😀", "e\u0301", "\n", "\r\n", "\r", "\u2029", "\xa0", "\u2028", "word " * 9, "x" * 60)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.lists(st.sampled_from(PIECES), max_size=30).map("".join), min_size=1, max_size=4), st.data()
)
def test_broken_paragraphs_are_copied_selected_and_found_as_they_are_stored(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, pieces: list[str], data: st.DataObject
) -> None:
    monkeypatch.setattr(plain_text, "LONGEST", 50)
    monkeypatch.setattr(plain_text, "LONGEST_WORD", 10)
    text = PlainText(None)  # type: ignore[arg-type]
    qtbot.addWidget(text)
    text.show_piece(pieces[0])
    for piece in pieces[1:]:
        text.append_piece(piece)
    whole, units = "".join(pieces), to_units("".join(pieces), 10**6)
    assert text.stored == whole
    document = text.document()
    assert document.characterCount() - 1 == text.to_shown(units)
    lengths = [document.findBlockByNumber(at).length() - 1 for at in range(document.blockCount())]
    assert max(lengths) <= 2 * 50, "in Qt's units, of which a letter may take two"
    words = [max(map(len, document.findBlockByNumber(at).text().split(" "))) for at in range(len(lengths))]
    assert max(words) <= 2 * 2 * 10, "a piece may end in a word that the next one goes on with"
    start, end = sorted(to_units(whole, data.draw(st.integers(0, len(whole)))) for _ in range(2))
    assert [text.to_stored(text.to_shown(place)) for place in (start, end)] == [start, end]
    cursor = text.textCursor()
    cursor.setPosition(text.to_shown(start))
    cursor.setPosition(text.to_shown(end), QTextCursor.MoveMode.KeepAnchor)
    text.setTextCursor(cursor)
    text.copy()
    copied = QGuiApplication.clipboard().text() if start < end else ""
    assert copied == in_units(whole, start, end)


def test_a_rationale_behind_a_break_keeps_its_place(qtbot: QtBot) -> None:
    reader = Reader(LIGHT, None)  # type: ignore[arg-type]
    qtbot.addWidget(reader)
    reader.show()
    text = "yy " * (LONGEST // 3 + 3) + "the reason " + "zz " * (LONGEST // 3)
    one = document(text)
    reader.show_text(VIEW, one, text, True)
    reader.find_in_text()
    qtbot.keyClicks(reader.searched.line, "the reason")
    found = reader.selection(0)
    assert found is not None
    assert (found.text, text[found.start : found.end]) == ("the reason", "the reason")
    assert reader._plain.document().blockCount() == 3


def test_a_paragraph_that_is_not_extremely_long_stays_in_one_piece(qtbot: QtBot) -> None:
    text = PlainText(None)  # type: ignore[arg-type]
    qtbot.addWidget(text)
    text.show_piece("words " * (LONGEST // 6))
    assert text.document().blockCount() == 1
