"""Documents that nobody would write, drawn from a number; and a program that shows each, card and reader.

`python -m tests.desktop.grade.hostile_documents FIRST COUNT` prints a line for each: number, what, its
seconds of work, and how many of them at most passed between two looks at the events.
"""

import sys
from collections.abc import Iterator
from itertools import pairwise
from random import Random
from time import process_time

from annotator.project.browse import SHOWN_TEXT
from annotator.project.views import CandidateView, QueryView
from annotator.records import GoldAnswer

WORDS = (
    "x",
    "x ",
    "words and rivers ",
    "é",
    "漢字",
    "😀",
    "e\u0301\u0302",
    "\u0301",
    "a\u202e",
    "\u2067a\u2069",
)
WORDS += (
    "שלום ",
    " ",
    "\t",
    "\xa0",
    "\u2028",
    "\n",
    "\r\n",
    "\x0b",
    "\u200b",
    "\u200d",
    "\ufeff",
    "\ufffc",
    "''",
    "&amp;",
    "Жअ",
    "ש1",
)
HTML = (
    "<div>",
    "<p>",
    "<table>",
    "<table><tr><td>",
    "<tr>",
    "<td>",
    "<ul><li>",
    "<ol>",
    "<li>",
    "<blockquote>",
    "<b>",
)
HTML += (
    "</p>",
    "<b x={n}>",
    "<i class='{n}'>",
    "<pre>",
    "</div>",
    "</b>",
    "<!--",
    "-->",
    "<",
    "</",
    "<a href=x>",
    "&lt;",
)
HTML += (
    "<h1>",
    "<dl><dt>",
    "<dd>",
    "<br>",
    "<hr>",
    "<img alt='a'>",
    "<span>",
    "<td colspan=9999>",
    "<svg>",
    "<math>",
    "&#x10ffff;",
)
HTML += (
    "<template>",
    "<select>",
    "<style>",
    "</table>",
    "</ul>",
    "<sup>",
    "<caption>",
    "<script>",
    "<form>",
    "<font size=7>",
)
MARKDOWN = (
    "![",
    "[",
    "](",
    "**a",
    "*",
    "_a",
    "`",
    "``",
    ">",
    "> ",
    "- ",
    "  - ",
    "1. ",
    "|a",
    "|",
    "\n",
    "\n\n",
    "# ",
    "***",
    "<a",
    "~~",
)
MARKDOWN += (
    "[a]: b\n",
    "[a]",
    "![a][b]",
    "|-",
    "```\n",
    "    code\n",
    "&amp;",
    "\\",
    "$",
    "\n|a|b|\n|-|-|\n",
    "<!--",
    "http://a.b/",
    "=\n",
    " ",
)
PATIENCE = 10
"""Seconds of work between two looks at the events; a document that takes more of them stops the window."""

SIZES = (30, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 330_000, 990_000, 2_000_000)
ROOM = (800, 600)
"""How wide and high the reader is, whatever it shows."""

VIEW = QueryView(
    1,
    "q1",
    "famous rivers x",
    (),
    "",
    {},
    "",
    "",
    (GoldAnswer("the Nile"), GoldAnswer("x")),
    False,
    (),
    revealed=False,
)


def made(number: int) -> tuple[CandidateView, str]:
    """Return the document of a number, as a page has it, and its whole text; a number gives the same ones."""
    draw = Random(number)
    kind = draw.choice(("html", "markdown", "plain"))
    signs = {"html": HTML, "markdown": MARKDOWN, "plain": WORDS}[kind]
    text = ""
    for _ in range(draw.choice((1, 1, 2, 3))):
        pieces = [draw.choice((*signs, draw.choice(WORDS))) for _ in range(draw.randint(1, 4))]
        unit = "".join(pieces)
        times = max(1, draw.choice(SIZES) // len(unit))
        text += (
            "".join(unit.replace("{n}", str(at)) for at in range(times)) if "{n}" in unit else unit * times
        )
        if kind == "html" and draw.random() < 0.5:
            ends = "".join(
                f"</{one[1:].rstrip('>').partition(' ')[0]}>" for one in reversed(pieces) if one[:1] == "<"
            )
            text += ends * times
    title = draw.choice(("A title", "<b>" * 9, draw.choice(WORDS) * draw.choice((9, 90_000))))
    fields = {"format": kind, "by": draw.choice(("Ann", draw.choice(WORDS) * draw.choice((9, 90_000))))}
    return CandidateView(
        number, f"d{number}", "document", title, fields=fields, text=text[:SHOWN_TEXT], length=len(text)
    ), text


def end_after(seconds: int) -> None:
    """End this program when it has worked for so many seconds more, where the system can do that."""
    if sys.platform != "win32":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (int(process_time()) + seconds, most))


def show(first: int, count: int) -> None:
    """Show so many documents as a card and in the reader, as the Grade page does."""
    from PySide6.QtWidgets import QApplication

    from annotator.desktop.grade.card import Card
    from annotator.desktop.grade.full_text import Reader
    from annotator.desktop.grade.prepared import field_line, marked
    from annotator.theme import LIGHT

    app = QApplication([])
    reader, card = Reader(LIGHT, None), Card(LIGHT, None)  # type: ignore[arg-type]
    reader.resize(*ROOM)
    card.resize(800, 200)
    reader.show()
    card.show()

    def shown(one: CandidateView, text: str) -> Iterator[None]:
        """Show a document; halt wherever the window would turn to its events."""
        card.show_candidate(one, marked(VIEW, one), 1, ((), ()), field_line("", one), True)
        reader.show_text(VIEW, one, one.text, True)
        yield
        if len(text) > len(one.text):
            reader.show_rest(text)
            yield
        while reader._rest:
            app.processEvents()
            yield
        reader.set_marks(True)
        app.processEvents()
        reader.grab()
        card.grab()
        yield

    for number in range(first, first + count):
        one, text = made(number)
        what = [number, one.fields["format"], len(text), repr(text[:60]), repr(one.title[:9]), len(one.title)]
        sys.stdout.write(" ".join(map(str, what)))
        sys.stdout.flush()
        end_after(PATIENCE)
        times = [process_time()]
        for _ in shown(one, text):
            times.append(process_time())
            end_after(PATIENCE)
        assert reader.size().toTuple() == ROOM, f"{number} makes the window grow to {reader.size()}"
        longest = max(end - start for start, end in pairwise(times))
        sys.stdout.write(f", {times[-1] - times[0]:.2f} s in all, at most {longest:.2f}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    show(int(sys.argv[1]), int(sys.argv[2]))
