"""Tables as LaTeX with booktabs: ready to be put into a paper."""

from annotator.evaluation.result_table import Column, Table, best_cells, shown
from annotator.reports.report import Report

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


def write_table(table: Table) -> str:
    """Return a `table` environment: booktabs rules, best values bold, marks raised."""
    best = best_cells(table)
    aligned = "".join("l" if column.kind == "text" else "r" for column in table.columns)
    lines = [" & ".join(escape(column.title) for column in table.columns)]
    for at, row in enumerate(table.rows):
        cells = []
        for place, (column, cell) in enumerate(zip(table.columns, row, strict=True)):
            text = _number_or_text(column, shown(column, cell))
            text = rf"\textbf{{{text}}}" if (at, place) in best else text
            cells.append(text + escape(table.marks.get((at, place), "")))
        lines.append(" & ".join(cells))
    head, *body = [rf"{line} \\" for line in lines]
    caption = escape(f"{table.title}. {table.caption}".strip())
    return "\n".join(
        [
            r"\begin{table}",
            r"  \centering",
            rf"  \caption{{{caption}}}",
            rf"  \label{{tab:{table.key}}}",
            rf"  \begin{{tabular}}{{{aligned}}}",
            r"    \toprule",
            f"    {head}",
            r"    \midrule",
            *(f"    {line}" for line in body),
            r"    \bottomrule",
            r"  \end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def write(report: Report) -> str:
    """Return the tables of a report, one after the other; needs `\\usepackage{booktabs}`."""
    tables = [table for section in report.sections for table in section.tables if len(table)]
    return "% \\usepackage{booktabs}\n" + "\n".join(write_table(table) for table in tables)


def _number_or_text(column: Column, text: str) -> str:
    if column.kind != "text" and text.startswith("-"):
        return f"$-${escape(text[1:])}"
    return escape(text)
