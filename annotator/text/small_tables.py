"""A small table for notebooks: as HTML without style sheet and colours, which fits any page, and as text."""

from collections.abc import Callable, Container, Sequence
from html import escape

WriteTable = Callable[[Sequence[str], Sequence[Sequence[str]], Sequence[bool], str], str]
"""Either of the two: head, rows, which columns hold numbers, caption."""


def html_table(
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    numeric: Sequence[bool],
    caption: str = "",
    bold: Container[tuple[int, int]] = (),
) -> str:
    """Return texts as an HTML table, escaped, numbers at the right, lines of a cell below each other.

    `numeric` says for each column whether it holds numbers, `bold` names cells by (row, column).

    >>> html_table(["a"], [["1 < 2"]], [True], bold={(0, 0)}).count("<b>1 &lt; 2</b>")
    1
    """

    def cell(tag: str, text: str, column: int) -> str:
        side = "right" if numeric[column] else "left"
        style = f"text-align:{side};padding:2px 8px;font-variant-numeric:tabular-nums"
        return f'<{tag} style="{style}">{text}</{tag}>'

    def inside(row: int, column: int, text: str) -> str:
        first, *others = (escape(line) for line in text.split("\n"))
        first = f"<b>{first}</b>" if (row, column) in bold else first
        return "".join((first, *(f"<br><small>{line}</small>" for line in others)))

    titles = "".join(cell("th", escape(title), at) for at, title in enumerate(head))
    lines = (
        "".join(cell("td", inside(row, at, text), at) for at, text in enumerate(texts))
        for row, texts in enumerate(rows)
    )
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    below = f'<p style="max-width:50em"><small>{escape(caption)}</small></p>' if caption else ""
    return f"<table><thead><tr>{titles}</tr></thead><tbody>{body}</tbody></table>{below}"


def text_table(
    head: Sequence[str], rows: Sequence[Sequence[str]], numeric: Sequence[bool], caption: str = ""
) -> str:
    """Return texts as aligned lines, numbers at the right; `numeric` says which columns hold them.

    >>> print(text_table(["rank", "name"], [["1", "a"], ["10", "b"]], [True, False], "Two."))
    rank  name
       1  a
      10  b
    Two.
    """
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    lines = [
        "  ".join(
            text.rjust(width) if right else text.ljust(width)
            for text, width, right in zip(texts, widths, numeric, strict=True)
        ).rstrip()
        for texts in (head, *rows)
    ]
    return "\n".join((*lines, caption))
