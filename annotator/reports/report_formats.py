"""The formats of a report: what each is called, how its files end, who writes it."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace

from annotator.errors import UserError
from annotator.evaluation.options import ComparisonChoice, Width
from annotator.evaluation.result_table import Table, chosen, with_ends
from annotator.figures.catalogue import FIGURES
from annotator.figures.paper import ENDINGS, figure_file
from annotator.reports import csv, html, json, latex, markdown
from annotator.reports.csv import Spreadsheet
from annotator.reports.report import Report, Section
from annotator.reports.sections import ORIGIN, SECTIONS, Material, figure, for_programs, report, tables

DEFAULT_FIGURES = ("intervals", "cutoff", "precision-recall", "distribution", "tags", "grades", "query")


@dataclass(frozen=True, slots=True)
class Choice:
    """What the user wants of a report.

    `sections` empty means all. `table` is the one that is written alone (a CSV's is `scores` unless said),
    `columns` are those of it that are written, empty for all, with so many `digits` where people read.
    `means` says whether `scores` has rows of the query `all`. `figures` stand in a page, the first is the one
    of a figure's file. `width` is that of a figure or a LaTeX table on paper. `queries` are the ones whose
    scores are taken apart; empty means those that the first system does worst on. `named` tells annotators by
    name. `comparison` is how systems are compared, `difference` the smallest difference that matters: with it
    the report says what is equivalent.
    """

    format: str = "html"
    sections: tuple[str, ...] = ()
    table: str = ""
    columns: tuple[str, ...] = ()
    digits: int | None = None
    means: bool = False
    spreadsheet: Spreadsheet | None = None
    queries: tuple[str, ...] = ()
    figures: tuple[str, ...] = DEFAULT_FIGURES
    width: Width | None = None
    named: bool = False
    comparison: ComparisonChoice = ComparisonChoice()
    difference: float | None = None


@dataclass(frozen=True, slots=True)
class ReportFormat:
    """One format: its key, title and file ending, and who writes a report in it.

    `alone` says that a file holds one table; `for_people` that numbers are rounded.
    """

    key: str
    title: str
    ending: str
    write_report: Callable[[Report, Choice], str]
    alone: bool = False
    for_people: bool = True

    def write(self, material: Material, choice: Choice) -> str:
        """Return the text of a file: the report, or the table alone, that is asked for."""
        return self.write_report(asked(material, choice), choice)


def _csv(report: Report, choice: Choice) -> str:
    return csv.write(report.sections[0].tables[0], choice.spreadsheet)


def _markdown(report: Report, choice: Choice) -> str:
    if choice.table:
        first, origin = report.sections
        return markdown.write_alone(first.tables[0], origin.command or " ".join(origin.paragraphs))
    return markdown.write(report)


def asked(material: Material, choice: Choice) -> Report:
    """Return the report that is asked for: its sections, or the one table; and how to make it again."""
    form = FORMATS[choice.format]
    if choice.table or form.alone:
        whole = report(material, ("provenance",))
        return Report(whole.title, whole.subtitle, (_section(table_alone(material, choice)), *whole.sections))
    whole = report(material, (*choice.sections, "provenance") if choice.sections else ())
    if form.for_people:
        return whole
    instead = for_programs(material)
    sections = (
        replace(one, tables=tuple(instead.get(table.key, table) for table in one.tables))
        for one in whole.sections
    )
    return replace(whole, sections=tuple(sections))


def _section(table: Table) -> Section:
    return Section(table.key, table.title, tables=(table,))


def table_file(table: Table, choice: Choice, name: str, origin: Sequence[str]) -> bytes:
    """Return what a file holds of a table that is on show, its intervals as columns, and where it comes from.

    The table of the `choice` and its sections count for nothing. Raises UserError for a column not there.
    """
    form = FORMATS[choice.format]
    table = chosen(with_ends(table), choice.columns, choice.digits if form.for_people else None)
    whole = Report(name, "", (_section(table), Section("provenance", ORIGIN, tuple(origin))))
    return form.write_report(whole, replace(choice, table=table.key)).encode("utf-8")


def note_of(material: Material, choice: Choice) -> str:
    """Return what is to be said of cells of a CSV that begin as formulas do, empty for other formats."""
    return csv.note(table_alone(material, choice), choice.spreadsheet) if choice.format == "csv" else ""


def table_alone(material: Material, choice: Choice) -> Table:
    """Return the table that is to be written alone; raises UserError for one that is not there."""
    known = tables(material, choice.means)
    form = FORMATS[choice.format]
    if not form.for_people:
        known |= for_programs(material)
    key = choice.table or "scores"
    if key not in known:
        raise UserError(f"There is no table {key!r}; there are {', '.join(known)}.")
    return chosen(known[key], choice.columns, choice.digits if form.for_people else None)


FORMATS: dict[str, ReportFormat] = {
    one.key: one
    for one in (
        ReportFormat("html", "Web page", ".html", lambda made, _: html.write(made)),
        ReportFormat("csv", "CSV", ".csv", _csv, alone=True, for_people=False),
        ReportFormat("markdown", "Markdown", ".md", _markdown),
        ReportFormat("latex", "LaTeX tables", ".tex", lambda made, choice: latex.write(made, choice.width)),
        ReportFormat("json", "JSON", ".json", lambda made, _: json.write(made), for_people=False),
    )
}
"""Every format of a report by key."""

FOLDER = "folder"
"""The format of what is written for trec_eval, which takes nothing of a choice."""

WORDS = {
    "sections": "section",
    "columns": "column",
    "queries": "explain",
    "figures": "figure",
    "spreadsheet": "separator",
}
"""The words of what is chosen, where they are others."""


def unfitting(choice: Choice) -> tuple[str, str] | None:
    """Return the word of a choice that is none, or would change nothing in a file of its format, and why."""
    form, is_figure = choice.format, choice.format in ENDINGS
    if form == FOLDER:
        return _beside_folder(choice)
    if choice.spreadsheet is not None and form != "csv":
        return "separator", "it goes with .csv, as does --decimal"
    alone = bool(choice.table) or form == "csv"
    for name, given, known in (("section", choice.sections, SECTIONS), ("figure", choice.figures, FIGURES)):
        for one in given:
            if one not in known:
                return name, f"{one!r} is none of {', '.join(known)}"
    if is_figure and len(choice.figures) != 1:
        return "figure", f"a .{form} holds one figure: name one of {', '.join(FIGURES)}"
    if is_figure and choice.table:
        return "table", f"a .{form} holds a figure"
    if choice.width is not None and form != "latex" and not is_figure:
        return "width", "it goes with .tex, .pdf, .svg and .png"
    of_table = {"column": choice.columns, "digits": choice.digits is not None, "means": choice.means}
    for name, chosen_there in of_table.items():
        if chosen_there and not alone:
            return name, "it goes with --table"
    if choice.digits is not None and not is_figure and not FORMATS[form].for_people:
        return "digits", f"a .{form} has every digit"
    if choice.means and choice.table not in ("", "scores"):
        return "means", "it goes with --table scores"
    return None


def _beside_folder(choice: Choice) -> tuple[str, str] | None:
    """Return a word that changes nothing in a folder for trec_eval, and why."""
    given, usual = (
        {name: value for name, value in asdict(one).items() if name != "comparison"} | asdict(one.comparison)
        for one in (choice, Choice(format=FOLDER))
    )
    why = "a folder for trec_eval holds judgments, runs and a script alone"
    words = (WORDS.get(name, name) for name in given if given[name] != usual[name])
    return next(((word, why) for word in words), None)


def content(material: Material, choice: Choice) -> bytes:
    """Return what a file holds: a report, a table alone, or the figure alone that a PDF, SVG or PNG is."""
    if choice.format not in FORMATS:
        return figure_file(figure(material, choice.figures[0]).draw, choice.format, choice.width or "one")
    return FORMATS[choice.format].write(material, choice).encode("utf-8")


def ending_of(key: str) -> str:
    """Return how the files of a format end."""
    return FORMATS[key].ending if key in FORMATS else f".{key}"


def format_of(name: str) -> str:
    """Return the format that a file's name asks for by its ending; raises UserError for an unknown one."""
    for key in (*FORMATS, *ENDINGS):
        if name.lower().endswith(ending_of(key)):
            return key
    endings = ", ".join(map(ending_of, (*FORMATS, *ENDINGS)))
    raise UserError(f"{name}: a report's file ends in one of {endings}.")
