"""Tables and whole reports as Markdown that a wiki or a pull request shows as it is."""

import re
from itertools import chain

from annotator.evaluation.result_table import Table, best_cells, in_parts, shown, without_intervals
from annotator.reports.report import Report
from annotator.text.visible import visible

SPECIAL = re.compile(r"([\\`*_{}\[\]<>|~$&])")


def escape(text: str) -> str:
    """Return a text in which nothing is taken for markup, on one line."""
    return SPECIAL.sub(r"\\\1", " ".join(visible(text).split()))


def write_table(table: Table) -> str:
    """Return a table in pipe form; numbers stand right, the best of a column is bold."""
    best = best_cells(table)
    lines = [
        [escape(column.title) for column in table.columns],
        ["---" if column.kind == "text" else "---:" for column in table.columns],
    ]
    for at, row in enumerate(table.rows):
        line = []
        for place, (column, cell) in enumerate(zip(table.columns, row, strict=True)):
            text = escape(shown(column, cell))
            text = f"**{text}**" if (at, place) in best else text
            line.append(text + table.marks.get((at, place), ""))
        lines.append(line)
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def write_alone(table: Table, command: str) -> str:
    """Return a table and its caption; a comment holds the command that makes it again."""
    shown_here = without_intervals(table)
    caption = f"\n{escape(f'{table.title}. {shown_here.caption}'.strip())}\n"
    again = command.replace("-->", "--\\>")  # which a shell reads alike, and no page as the comment's end
    return f"{write_table(shown_here)}{caption}\n<!-- {again} -->\n"


def write(report: Report) -> str:
    """Return a report as one Markdown text, without its figures: Markdown cannot hold them."""
    parts = [f"# {escape(report.title)}\n", f"{escape(report.subtitle)}\n"]
    for section in report.sections:
        if not (section.paragraphs or section.command or section.tables):
            continue
        parts.append(f"## {escape(section.title)}\n")
        parts.extend(f"{escape(text)}\n" for text in section.paragraphs)
        parts.extend(f"    {visible(line)}\n" for line in section.command.splitlines())
        for table in chain.from_iterable(map(in_parts, map(without_intervals, section.tables))):
            parts.append(f"**{escape(table.title)}**\n")
            parts.append(write_table(table))
            if table.caption:
                parts.append(f"{escape(table.caption)}\n")
    return "\n".join(parts)
