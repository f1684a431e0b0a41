"""A report as one HTML file: no network, light and dark and print, sortable tables, figures inside.

Text is escaped by the template engine; the policy in the file allows no script but ours, by its hash.
"""

import base64
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from annotator import theme
from annotator.evaluation.result_table import (
    Column,
    Place,
    Table,
    best_cells,
    exact,
    in_parts,
    is_missing,
    shown,
)
from annotator.figures.formulas import formula_svg
from annotator.figures.svg import figure_svg
from annotator.reports.report import Report
from annotator.text.visible import visible

PRINTED_ROWS = 150
"""So many rows of a table are printed; all are in the file."""

SHORT = 24
"""A text of so many characters is not broken into lines."""


@dataclass(frozen=True, slots=True)
class CellView:
    """A cell ready for the page: its text, its sign, the interval below it, its attributes."""

    text: str
    mark: str
    interval: str
    attributes: Markup


def write(report: Report) -> str:
    """Return a report as the text of one self-contained HTML file, the same text for the same report."""
    folder = files("annotator.reports")
    script = folder.joinpath("sort.js").read_text("utf-8")
    digest = hashlib.sha256(f"\n{script}".encode()).digest()
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True, finalize=_seen
    )
    template = environment.from_string(folder.joinpath("page.html.jinja").read_text("utf-8"))
    figures = {
        figure.key: Markup(figure_svg(figure.draw, figure.key, figure.title))
        for section in report.sections
        for figure in section.figures
    }
    return template.render(
        report=report,
        style=Markup(colour_rules() + print_rule() + folder.joinpath("page.css").read_text("utf-8")),
        script=Markup(script),
        script_hash=base64.b64encode(digest).decode("ascii"),
        figures=figures,
        cells=cells,
        in_parts=in_parts,
        printed=PRINTED_ROWS,
        formula=lambda tex: Markup(formula_svg(tex)),
    )


def _seen(value: object) -> object:
    """Return a text as it is read; what is written by us is left."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def colour_rules() -> str:
    """Return the theme's colours as CSS variables: light, dark by the reader's system, light on paper."""

    def block(one: theme.Theme) -> str:
        return " ".join(f"--{name}: {colour};" for name, colour in css_colours(one).items())

    light, dark = block(theme.LIGHT), block(theme.DARK)
    return f":root {{ {light} }}\n@media screen and (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n"


def print_rule() -> str:
    """Return the rule that leaves the later rows of a long table out on paper."""
    later = f"tr:nth-child(n+{PRINTED_ROWS + 1})"
    return f"@media print {{ table.long tbody {later} {{ display: none; }} }}\n"


def css_colours(one: theme.Theme) -> dict[str, str]:
    """Return the name and the value of each colour of a theme; numbered where it has many (`grade-0`)."""
    colours: dict[str, str] = {}
    for name, value in one._asdict().items():
        if isinstance(value, str) and value.startswith("#"):
            colours[name.replace("_", "-")] = value
    for part, many in (("grade", one.grades), ("series", one.series)):
        colours.update({f"{part}-{at}": colour for at, colour in enumerate(many)})
    return colours


def cells(table: Table) -> Iterator[list[CellView]]:
    """Yield the rows of a table, ready for the page."""
    best = best_cells(table)
    for at, row in enumerate(table.rows):
        yield [
            CellView(
                shown(column, cell),
                table.marks.get((at, place), ""),
                _interval(table, (at, place)),
                _attributes(column, cell, (at, place) in best),
            )
            for place, (column, cell) in enumerate(zip(table.columns, row, strict=True))
        ]


def _interval(table: Table, place: Place) -> str:
    ends = table.intervals.get(place)
    return "" if ends is None else " to ".join(shown(table.columns[place[1]], end) for end in ends)


def _attributes(column: Column, cell: str | int | float | None, is_best: bool) -> Markup:
    if column.kind == "text":
        return Markup(' class="short"' if len(str(cell)) <= SHORT else "")
    classes = ["n"] if column.kind != "grade" else ["grade"]
    style = ""
    if is_best:
        classes.append("best")
    if not is_missing(cell) and isinstance(cell, int | float):
        if column.bar and 0 <= cell <= 1:
            classes.append("bar")
            style = f"--v: {cell:.4g}"
        if column.kind == "grade" and cell >= 0:
            style = f"--c: var(--grade-{min(int(cell), 5)})"
    text = Markup(' class="{}"').format(" ".join(classes))
    if exact(cell):
        text += Markup(' data-v="{}"').format(exact(cell))
    return text + Markup(' style="{}"').format(style) if style else text
