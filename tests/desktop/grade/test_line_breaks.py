"""Lines, paragraphs and lists of documents stand on cards as in the reader, whatever breaks them."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QTextDocument, QTextLayout
from PySide6.QtWidgets import QApplication

from annotator.desktop.grade.passage import ELLIPSIS, LINE, NOTHING, as_lines, lay_out
from annotator.desktop.grade.prepared import EXCERPT, NO_TEXT, field_line, marked
from annotator.desktop.grade.prepared import LINE as LINE_ROOM
from annotator.desktop.grade.rich_text import BULLET, in_lines, words_of
from annotator.desktop.offline_browser import MARKDOWN
from annotator.project.views import CandidateView, QueryView

WORDS = st.lists(
    st.sampled_from(["ducks", "of", "the", "pond", "Größe", "漢字", "💚", "שלום", "x" * 60]), min_size=1
)
LINES_OF_WORDS = WORDS.map(" ".join)
BREAK = st.sampled_from(["\n", "\r\n", "\r", "\n\n", "\n \t\n", "\v", "\f", "\x85", "\u2028", "\u2029"])
PLAIN = st.lists(st.tuples(LINES_OF_WORDS, BREAK), max_size=8).map(lambda parts: "".join(map("".join, parts)))
SAFE = st.lists(st.sampled_from(["ducks", "ponds", "Größe", "漢字", "R&D"]), min_size=1, max_size=9).map(
    " ".join
)


def test_texts_side_by_side_and_to_be_settled_stand_in_the_lines_of_the_reader() -> None:
    page, source = ("<p>Ducks &amp; geese</p><p>swim</p>", ""), ("# Ducks\n\n**swim**", "markdown")
    assert in_lines([("A <p> title", ""), page]) == "A <p> title\n\nDucks & geese\nswim"
    assert in_lines([("", ""), source]) == "Ducks\n\nswim"


def lines_of(text: str) -> list[str]:
    """Return the lines of a text that say something."""
    return [one.strip() for one in text.splitlines() if one.strip()]


def shown_lines(layout: QTextLayout) -> list[str]:
    """Return the lines of a layout, as far as line breaks part them."""
    return [one.replace(NOTHING, "").strip() for one in layout.text().split(LINE)]


@settings(deadline=None)
@given(text=PLAIN, lines=st.integers(1, 6), width=st.integers(80, 900))
@example(text="First line\nSecond line", lines=4, width=900)
def test_every_line_of_a_text_stands_on_a_line_of_its_own(
    qapp: QApplication, text: str, lines: int, width: int
) -> None:
    assert len(as_lines(text)) == len(text), "places in it are those of the text"
    layout = QTextLayout()
    lay_out(layout, text, [], width, lines)
    assert layout.lineCount() <= lines
    expected, shown = lines_of(text), shown_lines(layout)
    if layout.text().endswith(ELLIPSIS):
        *whole, last = shown
        assert whole == expected[: len(whole)]
        assert expected[len(whole)].startswith(last.removesuffix(ELLIPSIS)), "the rest is cut, nothing else"
    else:
        assert [one for one in shown if one] == expected


@settings(max_examples=40, deadline=None)
@given(words=SAFE, width=st.integers(80, 400))
def test_what_stands_for_the_rest_stands_in_no_line_alone(qapp: QApplication, words: str, width: int) -> None:
    layout = QTextLayout()
    lay_out(layout, f"{words} {ELLIPSIS}", [], width, 20)
    last = layout.lineAt(layout.lineCount() - 1)
    assert layout.text()[last.textStart() :].strip() != ELLIPSIS


def document(text: str, form: str) -> CandidateView:
    """Return a document of a format."""
    return CandidateView(1, "d", "document", "", text=text, length=len(text), fields={"format": form})


HTML_BLOCK = st.one_of(
    SAFE.map("<p>{}</p>".format),
    SAFE.map("<h2>{}</h2>".format),
    SAFE.map("<div>{}</div>".format),
    st.tuples(SAFE, SAFE).map(lambda two: f"<p>{two[0]}<br>{two[1]}</p>"),
    st.tuples(SAFE, SAFE).map(lambda two: f"<pre>{two[0]}\n{two[1]}</pre>"),
    st.lists(SAFE, min_size=1, max_size=4).map(
        lambda items: "<ul>" + "".join(f"<li>{one}</li>\n" for one in items) + "</ul>"
    ),
    SAFE.map(lambda words: f"<blockquote><p>{words.replace(' ', chr(10))} <b>b</b>old</p></blockquote>"),
)
MARKDOWN_BLOCK = st.one_of(
    SAFE,
    SAFE.map("## {}".format),
    SAFE.map("> {}".format),
    st.tuples(SAFE, SAFE).map("\n".join),
    st.tuples(SAFE, SAFE).map("  \n".join),
    st.tuples(SAFE, SAFE).map(lambda two: f"```\n{two[0]}\n{two[1]}\n```"),
    st.lists(SAFE, min_size=1, max_size=4).map(lambda items: "\n".join(f"- {one}" for one in items)),
    st.lists(SAFE, min_size=1, max_size=4).map(lambda items: "\n".join(f"* {one}\n  more" for one in items)),
    SAFE.map("{}\n====".format),
)


@settings(deadline=None)
@given(blocks=st.lists(HTML_BLOCK, min_size=1, max_size=5))
def test_html_has_the_lines_of_the_reader(qapp: QApplication, blocks: list[str]) -> None:
    source = "\n".join(blocks).replace("R&D", "R&amp;D")
    peer = QTextDocument()
    peer.setHtml(source)
    words = words_of(document(source, "html"))
    assert words is not None
    assert [one.removeprefix(BULLET) for one in lines_of(words)] == lines_of(peer.toPlainText())


@settings(deadline=None)
@given(blocks=st.lists(MARKDOWN_BLOCK, min_size=1, max_size=5))
def test_markdown_has_the_lines_of_the_reader(qapp: QApplication, blocks: list[str]) -> None:
    source = "\n\n".join(blocks)
    peer = QTextDocument()
    peer.setMarkdown(source, MARKDOWN)
    words = words_of(document(source, "markdown"))
    assert words is not None
    assert [one.removeprefix(BULLET) for one in lines_of(words)] == lines_of(peer.toPlainText())


def test_items_of_lists_have_bullets_and_cells_stand_apart() -> None:
    html = "<ul><li>ducks</li><li><p>geese</p></li></ul><table><tr><td>1</td><td>2</td></tr></table>"
    assert words_of(document(html, "html")) == "• ducks\n• geese\n1  ·  2"
    assert words_of(document("- ducks\n- geese\n\n1. swans", "markdown")) == "• ducks\n• geese\n\n1. swans"


def asked(candidate: CandidateView, text: str = "ducks") -> QueryView:
    """Return a query with a candidate."""
    return QueryView(1, "q", text, (), "", {}, "", "", (), False, (candidate,), False)


@settings(deadline=None)
@given(lines=st.lists(SAFE, min_size=1, max_size=40))
def test_what_a_card_shows_of_many_short_lines_fits_on_it(lines: list[str]) -> None:
    one = document("\n".join(f"- {line}" for line in lines), "plain")
    shown = marked(asked(one), one).text.split("\n")
    assert len(shown) <= EXCERPT // LINE_ROOM
    assert any("ducks" in line for line in shown) or "ducks" not in one.text, "the best line is among them"


@pytest.mark.parametrize("text", ["a ducks\nb", "word " * 30])
def test_a_long_answer_or_one_of_several_lines_is_shown_below_its_title(text: str) -> None:
    one = CandidateView(1, "a", "answer", "", text=text, length=len(text))
    assert marked(asked(one), one).text == text
    short = CandidateView(1, "a", "answer", "", text="ducks", length=5)
    assert marked(asked(short), short).text == ""


def test_a_document_without_text_says_so() -> None:
    assert (
        field_line("", CandidateView(1, "d", "document", "t", fields={"url": "u"})) == f"{NO_TEXT}  ·  url: u"
    )
    assert field_line("{url}", CandidateView(1, "d", "document", "t", text=" \n")) == NO_TEXT
    assert field_line("", CandidateView(1, "a", "answer", "")) == ""
