"""Tables as LaTeX with booktabs: ready to be put into a paper."""

from annotator.evaluation.result_table import Column, Table, best_cells, in_parts, shown
from annotator.reports.report import Report

LONG, WIDE, ON_A_PAGE = 40, 8, 40
"""Longer texts are broken into lines, tables of more columns set small, those of more rows continued."""

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
        "−": "$-$",
        "∞": r"$\infty$",
        "†": r"$^{\dagger}$",
        "‡": r"$^{\ddagger}$",
        "≥": r"$\geq$",
        "≤": r"$\leq$",
        "×": r"$\times$",
        "Δ": r"$\Delta$",
        "τ": r"$\tau$",
        "α": r"$\alpha$",
        "κ": r"$\kappa$",
    }
)


def escape(text: str) -> str:
    """Return a text in which TeX sees no command."""
    return " ".join(text.split()).translate(SPECIAL)


def alignment(table: Table) -> str:
    """Return the letters of a table's columns: numbers right, long texts in paragraphs of equal width."""
    long = [
        column.kind == "text" and any(len(str(cell)) > LONG for cell in cells)
        for column, cells in zip(table.columns, table.data, strict=True)
    ]
    width = f"p{{{0.8 / max(sum(long), 1):.2f}\\linewidth}}"
    letters = ("l" if column.kind == "text" else "r" for column in table.columns)
    return "".join(width if broken else letter for letter, broken in zip(letters, long, strict=True))


def write_table(table: Table) -> str:
    """Return a table with booktabs rules, best values bold, marks raised, wide ones in small letters.

    It is a `table`; a `longtable`, which runs over several pages, when it has more rows than one holds.
    """
    best = best_cells(table)
    lines = [" & ".join(escape(column.title) for column in table.columns)]
    for at, row in enumerate(table.rows):
        cells = []
        for place, (column, cell) in enumerate(zip(table.columns, row, strict=True)):
            text = _number_or_text(column, shown(column, cell))
            text = rf"\textbf{{{text}}}" if (at, place) in best else text
            cells.append(text + escape(table.marks.get((at, place), "")))
        lines.append(" & ".join(cells))
    head, *body = [rf"  {line} \\" for line in lines]
    caption = rf"  \caption{{{escape(f'{table.title}. {table.caption}'.strip())}}}\label{{tab:{table.key}}}"
    rules, columns = (r"  \toprule", head, r"  \midrule"), alignment(table)
    small = r"\scriptsize\setlength{\tabcolsep}{3pt}" if len(table.columns) > WIDE else r"\small"
    if len(body) > ON_A_PAGE:
        parts = [rf"{{{small}", rf"\begin{{longtable}}{{{columns}}}", rf"{caption} \\", *rules, r"  \endhead"]
        return "\n".join([*parts, *body, r"  \bottomrule", r"\end{longtable}}", ""])
    parts = [r"\begin{table}", rf"  \centering{small}", caption, rf"  \begin{{tabular}}{{{columns}}}", *rules]
    return "\n".join([*parts, *body, r"  \bottomrule", r"  \end{tabular}", r"\end{table}", ""])


def write(report: Report) -> str:
    """Return the tables of a report, one after the other; needs two packages, which its first line names."""
    whole = [table for section in report.sections for table in section.tables if len(table)]
    tables = [part for table in whole for part in in_parts(table)]
    return "% \\usepackage{booktabs,longtable}\n" + "\n".join(write_table(table) for table in tables)


def _number_or_text(column: Column, text: str) -> str:
    if column.kind != "text" and text.startswith("-"):
        return f"$-${escape(text[1:])}"
    return escape(text)
