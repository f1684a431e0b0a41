"""Tables as LaTeX with booktabs: ready for a paper in one column or two, as `acmart` has them."""

from dataclasses import dataclass, replace
from itertools import pairwise
from textwrap import wrap

from annotator.evaluation.options import Width
from annotator.evaluation.result_table import (
    Column,
    Table,
    best_cells,
    columns_of,
    plain,
    shown,
    without_intervals,
)
from annotator.reports.report import Report
from annotator.text.visible import visible

POINTS: dict[Width, float] = {"one": 238.0, "two": 500.0}
"""A column and the text of `acmart` sigconf are 241 and 506 points wide."""

SIZES = ((r"\small", 9.0, 4.0), (r"\footnotesize", 8.0, 3.0), (r"\scriptsize", 7.0, 2.0))
"""Letters and the space at each side of a column, in points, the largest first; no class sets them larger."""

HIGHEST = 540.0
"""So many points of a page are filled with rows."""

WAITING = 12
"""After so many floats a page is begun: TeX keeps few waiting."""

NARROWEST = 60.0
"""Texts are not broken into lines shorter than so many points."""

BOLD = 1.12
EM = {"iljtfrI.,:;'|!()[]/- ": 0.4, "mwMW@%&+=<>−≥≤≠…→±×τκαρωεΔσ": 0.86}
"""How wide letters are, with some to spare: in the typeface of `acmart` they are narrower."""

SPECIAL = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "[": "{[}",  # behind the end of a line these two would be its arguments
        "*": "{*}",
        "–": "--",
        "…": r"\ldots{}",
        "−": "$-$",
        "∞": r"$\infty$",
        "†": r"$^{\dagger}$",
        "‡": r"$^{\ddagger}$",
        "≥": r"$\geq$",
        "≤": r"$\leq$",
        "≠": r"$\neq$",
        "×": r"$\times$",
        "±": r"$\pm$",
        "→": r"$\rightarrow$",
        "✓": r"$\surd$",
        "Δ": r"$\Delta$",
        "τ": r"$\tau$",
        "α": r"$\alpha$",
        "κ": r"$\kappa$",
        "ρ": r"$\rho$",
        "ω": r"$\omega$",
        "ε": r"$\varepsilon$",
        "σ": r"$\sigma$",
    }
)


@dataclass(frozen=True, slots=True)
class Layout:
    """How a table is set so that it fits: letters, the space beside columns, and how wide each column is.

    `wraps[c]` is the width in points of a column whose texts are broken into lines, 0 for none.
    """

    size: str
    points: float
    space: float
    wraps: tuple[float, ...]


def escape(text: str) -> str:
    """Return a text in which TeX sees no command."""
    return " ".join(visible(text).split()).translate(SPECIAL)


def write(report: Report, width: Width | None = None) -> str:
    """Return the tables of a report, each in its own float; comments say what they need and what makes them.

    Without a `width` each takes one column where it fits, else two.
    """
    whole = [table for section in report.sections for table in section.tables if len(table)]
    parts = [part for table in whole for part in floats(without_intervals(table), width)]
    for waiting in range(WAITING - 1, len(parts) - 1, WAITING):
        parts[waiting] += "\\clearpage\n"
    text = "\n".join(parts)
    made = [line for one in report.sections for line in one.command.splitlines()]
    told = [
        " ".join(said.split())
        for one in report.sections
        if one.key == "provenance"
        for said in one.paragraphs
    ]
    again = "".join(f"% {visible(line)}\n" for line in (("Made by:", *made) if made else told))
    engine = "" if text.isascii() or _latin(text) else "% Compile with XeLaTeX or LuaLaTeX.\n"
    return f"% \\usepackage{{booktabs}}\n{again}{engine}{text}"


def floats(table: Table, width: Width | None = None) -> list[str]:
    """Return a table as floats: several where it is too wide or too high for one."""
    if width is None:
        return floats(table, "one" if _laid_out(table, POINTS["one"], wrapped=False) else "two")
    parts = [
        (
            replace(part, data=tuple(cells[low:high] for cells in part.data), marks=_marks(part, low, high)),
            how,
        )
        for part, how in _side_by_side(table, POINTS[width])
        for low, high in pairwise(_breaks(part, how))
    ]
    made = []
    for number, (part, how) in enumerate(parts, 1):
        of = f" ({number} of {len(parts)})" if len(parts) > 1 else ""
        key = f"{part.key}-{number}" if number > 1 else part.key
        named = replace(part, key=key, title=f"{part.title}{of}")
        made.append(written(named, how, "table" if width == "one" else "table*"))
    return made


def written(table: Table, how: Layout, environment: str) -> str:
    """Return a table in a float with booktabs rules, best values bold, marks raised."""
    best = best_cells(table)
    letters = [
        f"p{{{wrap:.0f}pt}}" if wrap else "l" if column.kind == "text" else "r"
        for column, wrap in zip(table.columns, how.wraps, strict=True)
    ]
    head = " & ".join(map(_heading, headings(table)))
    body = []
    for at, row in enumerate(table.rows):
        cells = []
        for place, (column, cell) in enumerate(zip(table.columns, row, strict=True)):
            text = _number_or_text(column, shown(column, cell), how.wraps[place] / how.points)
            text = rf"\textbf{{{text}}}" if (at, place) in best else text
            cells.append(text + escape(table.marks.get((at, place), "")))
        body.append(" & ".join(cells))
    caption = rf"\caption{{{escape(f'{table.title}. {table.caption}'.strip())}}}\label{{tab:{table.key}}}"
    lines = [
        rf"\begin{{{environment}}}",
        rf"  {caption}",
        rf"  \centering{how.size}\setlength{{\tabcolsep}}{{{how.space:g}pt}}",
        rf"  \begin{{tabular}}{{@{{}}{''.join(letters)}@{{}}}}",
        r"  \toprule",
        rf"  {head} \tabularnewline",
        r"  \midrule",
        *(rf"  {line} \tabularnewline" for line in body),
        r"  \bottomrule",
        r"  \end{tabular}",
        rf"\end{{{environment}}}",
    ]
    return "\n".join([*lines, ""])


def headings(table: Table) -> list[list[str]]:
    """Return the heading of each column in lines: one that is longer than its cells is broken."""
    found = []
    for column, cells in zip(table.columns, table.data, strict=True):
        longest = max((len(shown(column, cell)) for cell in plain(cells)), default=0)
        words = column.title.split() or [""]
        room = max(longest, *map(len, words), 6)
        fits = column.kind == "text" or len(column.title) <= room + 2
        found.append([column.title] if fits else wrap(column.title, room, break_long_words=False) or [""])
    return found


def ems(text: str, bold: bool = False) -> float:
    """Return how wide a text is at most, as a multiple of the height of its letters."""
    total = 0.0
    for letter in text:
        group = next((width for letters, width in EM.items() if letter in letters), None)
        total += group or (1.0 if ord(letter) > 0x2E7F else 0.78 if letter.isupper() else 0.54)
    return total * (BOLD if bold else 1.0)


def _laid_out(table: Table, width: float, wrapped: bool = True) -> Layout | None:
    """Return the layout with the largest letters in which a table fits, None if it fits in none.

    Letters become smaller before texts are broken into lines.
    """
    natural, least = _widths(table)
    for breaks in (False, True)[: 1 + wrapped]:
        for size, points, space in SIZES:
            room = width - 2 * space * (len(table.columns) - 1)
            wide = [one * points for one in natural]
            if sum(wide) <= room:
                return Layout(size, points, space, (0.0,) * len(wide))
            low = [max(one * points, min(NARROWEST, all_)) for one, all_ in zip(least, wide, strict=True)]
            if breaks and sum(low) <= room:
                spare = (room - sum(low)) / (sum(wide) - sum(low))
                given = [a + spare * (b - a) for a, b in zip(low, wide, strict=True)]
                texts = [column.kind == "text" for column in table.columns]
                breaking = zip(given, wide, texts, strict=True)
                return Layout(
                    size, points, space, tuple(a if text and a < b else 0.0 for a, b, text in breaking)
                )
    return None


def _widths(table: Table) -> tuple[list[float], list[float]]:
    """Return how wide each column is, in ems, and how wide at least when texts are broken between words."""
    best = best_cells(table)
    natural, least = [], []
    for at, (column, cells, heading) in enumerate(
        zip(table.columns, table.data, headings(table), strict=True)
    ):
        texts = [shown(column, cell) for cell in plain(cells)]
        widths = [
            ems(text + table.marks.get((row, at), ""), (row, at) in best) for row, text in enumerate(texts)
        ]
        above = max(map(ems, heading))
        natural.append(max([above, *widths]))
        words = [word for text in texts for word in text.split()] if column.kind == "text" else []
        long = max((ems(word) for word in words), default=0.0)
        least.append(max(above, min(long, 12.0)) if column.kind == "text" else natural[-1])
    return natural, least


def _side_by_side(table: Table, width: float) -> list[tuple[Table, Layout]]:
    """Return a table as parts that each fit the width, the texts that rows begin with in each."""
    how = _laid_out(table, width)
    if how is not None:
        return [(table, how)]
    count = len(table.columns)
    if count <= 2:  # whatever stands there: its texts are broken, also inside words
        size, points, space = SIZES[-1]
        texts = [column.kind == "text" for column in table.columns]
        each = (width - 2 * space) / max(sum(texts), 1) - 40.0 * (count > sum(texts))
        return [(table, Layout(size, points, space, tuple(each if text else 0.0 for text in texts)))]
    names = next((at for at, column in enumerate(table.columns) if column.kind != "text"), count)
    names = names if 1 <= names <= count - 2 else 1
    middle = (names + count + 1) // 2
    halves = (range(middle), (*range(names), *range(middle, count)))
    return [part for places in halves for part in _side_by_side(columns_of(table, list(places)), width)]


def _breaks(table: Table, how: Layout) -> list[int]:
    """Return the rows at which a table is continued in a further float."""
    ends, filled = [0], 0.0
    for row in range(len(table)):
        lines = [1.0]
        for column, cells, wide in zip(table.columns, table.data, how.wraps, strict=True):
            if wide:
                lines.append(1 + 1.3 * ems(shown(column, plain(cells)[row])) * how.points // wide)
        high = max(lines) * how.points * 1.25
        if filled + high > HIGHEST and filled:
            ends.append(row)
            filled = 0.0
        filled += high
    return [*ends, len(table)]


def _marks(table: Table, low: int, high: int) -> dict[tuple[int, int], str]:
    return {(row - low, at): sign for (row, at), sign in table.marks.items() if low <= row < high}


def _heading(lines: list[str]) -> str:
    if len(lines) == 1:
        return escape(lines[0])
    broken = r"\\".join(map(escape, lines))
    return rf"\shortstack[r]{{{broken}}}"


def _number_or_text(column: Column, text: str, wide: float = 0.0) -> str:
    if column.kind != "text" and text.startswith("-"):
        return f"$-${escape(text[1:])}"
    if not wide:
        return escape(text)
    return r"\raggedright " + " ".join(_breakable(word, wide) for word in text.split())


def _breakable(word: str, wide: float) -> str:
    """Return a word that TeX may break where it is longer than a line."""
    if ems(word) <= wide:
        return escape(word)
    step = max(int(wide / 0.86), 1)
    return r"\allowbreak ".join(escape(word[at : at + step]) for at in range(0, len(word), step))


def _latin(text: str) -> bool:
    """Say whether every letter is one that every TeX sets."""
    return all(ord(letter) < 0x180 or letter in "‘’“”—" for letter in text)
