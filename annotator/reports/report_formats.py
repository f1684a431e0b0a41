"""The formats of a report: what each is called, how its files end, who writes it."""

from collections.abc import Callable
from dataclasses import dataclass

from annotator.errors import UserError
from annotator.evaluation.options import ComparisonChoice
from annotator.reports import csv, html, json, latex, markdown
from annotator.reports.csv import Spreadsheet
from annotator.reports.sections import Material, csv_tables, report

DEFAULT_FIGURES = ("intervals", "cutoff", "precision-recall", "distribution", "tags", "grades", "query")


@dataclass(frozen=True, slots=True)
class Choice:
    """What the user wants of a report.

    `sections` empty means all. `table` is which table a CSV holds. `queries` are the ones whose scores are
    taken apart; empty means those that the first system does worst on. `named` tells annotators by name.
    `comparison` is how systems are compared.
    """

    format: str = "html"
    sections: tuple[str, ...] = ()
    table: str = "scores"
    spreadsheet: Spreadsheet | None = None
    queries: tuple[str, ...] = ()
    figures: tuple[str, ...] = DEFAULT_FIGURES
    named: bool = False
    comparison: ComparisonChoice = ComparisonChoice()


@dataclass(frozen=True, slots=True)
class ReportFormat:
    """One format: its key, title and file ending, and who writes a report in it."""

    key: str
    title: str
    ending: str
    write: Callable[[Material, Choice], str]


def _csv(material: Material, choice: Choice) -> str:
    tables = csv_tables(material)
    if choice.table not in tables:
        raise UserError(f"There is no table {choice.table!r}; there are {', '.join(tables)}.")
    return csv.write(tables[choice.table], choice.spreadsheet)


FORMATS: dict[str, ReportFormat] = {
    one.key: one
    for one in (
        ReportFormat("html", "Web page", ".html", lambda m, c: html.write(report(m, c.sections))),
        ReportFormat("csv", "CSV", ".csv", _csv),
        ReportFormat("markdown", "Markdown", ".md", lambda m, c: markdown.write(report(m, c.sections))),
        ReportFormat("latex", "LaTeX tables", ".tex", lambda m, c: latex.write(report(m, c.sections))),
        ReportFormat("json", "JSON", ".json", lambda m, c: json.write(report(m, c.sections))),
    )
}
"""Every format by key."""


def format_of(name: str) -> str:
    """Return the format that a file's name asks for by its ending; raises UserError for an unknown one."""
    for one in FORMATS.values():
        if name.lower().endswith(one.ending):
            return one.key
    endings = ", ".join(one.ending for one in FORMATS.values())
    raise UserError(f"{name}: a report's file ends in one of {endings}.")
