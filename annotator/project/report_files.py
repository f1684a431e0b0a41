"""Reports of a project: gathered from one evaluation, written whole or not at all."""

import shlex
from collections.abc import Callable, Container
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from annotator.errors import UserError
from annotator.evaluation import conventions_text
from annotator.evaluation.conventions_text import head
from annotator.evaluation.evaluator import Collection, evaluate
from annotator.evaluation.options import ComparisonChoice, Options
from annotator.evaluation.results import EvaluationResult
from annotator.figures.catalogue import FIGURES
from annotator.figures.paper import ENDINGS, figure_file
from annotator.figures.subject import Subject
from annotator.formats.beside import write_with_origin
from annotator.formats.trec_run import renamed
from annotator.formats.whole_files import file_name, replacing, replacing_all
from annotator.project import data_export
from annotator.project.project import Project
from annotator.project.project_scores import evaluated
from annotator.project.provenance import HIDDEN
from annotator.project.report_material import asked_measures, gathered, gathered_of_scores, shown_measure
from annotator.project.state import state_of
from annotator.reports import trec_eval
from annotator.reports.csv import Spreadsheet
from annotator.reports.report import Report
from annotator.reports.report_formats import (
    FOLDER,
    FORMATS,
    Choice,
    asked,
    content,
    ending_of,
    format_of,
    note_of,
    unfitting,
)
from annotator.reports.sections import SECTIONS, Material, figure, tables
from annotator.watch import UNWATCHED, Watch

if TYPE_CHECKING:
    from annotator.figures.sheet import Drawn
    from annotator.theme import Theme

__all__ = [
    "ENDINGS",
    "FOLDER",
    "FORMATS",
    "SECTIONS",
    "Choice",
    "Spreadsheet",
    "figure_file",
    "format_of",
    "unfitting",
]
"""What a report is asked for with, beside the functions below."""

QRELS = "qrels.txt"

ALWAYS = "provenance"
"""The section that stands in every report."""

NOTHING = "Nothing is ticked under Sections"
TICK = "Tick what is to stand in the report; until then there is nothing to write."


def write_report(
    project: Project,
    path: Path,
    options: Options,
    choice: Choice,
    only: Container[str] | None = None,
    watch: Watch = UNWATCHED,
) -> str:
    """Write a report, and return what is to be said of it; `only` keeps all other queries out.

    Raises DamagedError when the project does not match its own hashes, UserError for what cannot be written,
    Stopped; the file is then what it was.
    """
    material = gathered(state_of(project, options, watch), options, choice, only, watch)
    return _written(material, path, choice)


def write_report_of_scores(
    result: EvaluationResult, path: Path, choice: Choice, watch: Watch = UNWATCHED
) -> str:
    """Write a report of scores alone, without what only a project holds, and return what is to be said of it.

    Raises UserError for what takes rankings or judgments, and Stopped; the file is then what it was.
    """
    if choice.queries or choice.format == FOLDER:
        what = "takes a score apart" if choice.queries else "is written for trec_eval"
        raise UserError(f"Scores alone hold no rankings, so nothing {what}; make the report of a project.")
    material = gathered_of_scores(result, choice, watch)
    return _written(material, path, choice)


def _written(material: Material, path: Path, choice: Choice) -> str:
    """Write what was gathered, and return what is to be said of it."""
    told = telling(material, choice)
    known = told.result.provenance
    beside_it = (*head(known), f"Again: {known.command}") if choice.format == "csv" else ()
    write_with_origin(path, content(told, choice), beside_it)
    return note_of(told, choice)


def figure_of(
    project: Project, options: Options, key: str, named: bool = False, watch: Watch = UNWATCHED
) -> "Callable[[Theme], Drawn]":
    """Return what draws a figure of a project as a report of it would; raises UserError for one not there."""
    choice = Choice(sections=("figures",), figures=(_known(key),), named=named)
    return figure(gathered(state_of(project, options, watch), options, choice, None, watch), key).draw


def figure_of_result(
    result: EvaluationResult, collection: Collection | None, key: str
) -> "Callable[[Theme], Drawn]":
    """Return what draws a figure of scores alone; raises UserError for one that needs the judgments.

    Without a collection it raises for one that needs other scores, too.
    """
    asked_for = asked_measures(result, (_known(key),))
    more = {}
    if collection is not None:
        more = {
            one: evaluate(collection, result.options.of_measures(*names), result.provenance)
            for one, names in asked_for.items()
        }
    about = Subject(measure=shown_measure(result))
    return figure(Material(result, more=more, subject=about, figures=(key,)), key).draw


def _known(key: str) -> str:
    if key not in FIGURES:
        raise UserError(f"There is no figure {key!r}; there are {', '.join(FIGURES)}.")
    return key


def assembled(material: Material, choice: Choice) -> str | Report:
    """Return what a report looks like before it is written: a page's report, the text of other formats."""
    material = telling(material, choice)
    if choice.format == "html":
        return asked(material, choice)
    return FORMATS[choice.format].write(material, choice)


def nothing(choice: Choice) -> Report | None:
    """Return what is shown where a whole report would hold nothing but what is always there, else None."""
    none = [(ALWAYS,)] if choice.format == "html" else [(ALWAYS,), ("figures",)]  # which others cannot hold
    if choice.table or choice.sections not in none:
        return None
    return Report(NOTHING, TICK, ())


def tables_of(material: Material) -> frozenset[str]:
    """Return the keys of the tables that can be written alone."""
    return frozenset(tables(material))


def telling(material: Material, choice: Choice) -> Material:
    """Return what a report shows, with the command that writes it in the chosen way."""
    known = replace(material.result.provenance, command=command(material.result, choice))
    return replace(material, result=replace(material.result, provenance=known))


def command(result: EvaluationResult, choice: Choice) -> str:
    """Return the words of the command line that write the same report."""
    name = "report" + ending_of(choice.format)
    words = [result.provenance.command.replace("annotator evaluate", "annotator report", 1), "-o", name]
    for flag, values in (
        ("--section", choice.sections),
        ("--explain", choice.queries),
        ("--table", (choice.table,) if choice.table else ()),
        ("--column", choice.columns),
        ("--digits", () if choice.digits is None else (str(choice.digits),)),
        ("--difference", () if choice.difference is None else (repr(choice.difference),)),
        ("--width", () if choice.width is None else (choice.width,)),
        ("--figure", choice.figures if choice.figures != Choice().figures else ()),
        ("--separator", (choice.spreadsheet.separator,) if choice.spreadsheet else ()),
        ("--decimal", (choice.spreadsheet.decimal,) if choice.spreadsheet else ()),
    ):
        words += [word for value in values for word in (flag, shlex.quote(value))]
    words += [shlex.quote(word) for word in comparing(choice.comparison)]
    words += [flag for flag, on in (("--named", choice.named), ("--means", choice.means)) if on]
    return " ".join(words)


def comparing(choice: ComparisonChoice) -> list[str]:
    """Return the words of the command line that compare systems in this way."""
    usual = asdict(ComparisonChoice())
    chosen = {name: value for name, value in asdict(choice).items() if value != usual[name]}
    return [word for name, value in chosen.items() for word in (f"--{name}", str(value))]


def write_bundle(
    project: Project, folder: Path, options: Options, only: Container[str] | None = None
) -> list[str]:
    """Write qrels, one run per system and the script for trec_eval into a folder; return the file names.

    They take the place of those that were written there before. `only` keeps all other queries out of them.
    Raises UserError, before anything is written, for a folder that cannot be written to or holds other files.
    """
    with replacing_all(folder, trec_eval.SCRIPT, _written_before(folder)) as part:
        state = state_of(project, options)
        result = evaluated(state, options)
        choices = data_export.ExportChoices(options=options, only=only)
        data_export.write(state, "trec-qrels", part / QRELS, choices)
        names = {system: f"{file_name(system)}.run" for system in result.systems}
        for system, name in names.items():
            data_export.write(state, "trec-run", part / name, replace(choices, systems=(system,)))
        known = result.provenance
        origin = (
            f"Again: {known.command.replace('annotator evaluate', 'annotator report', 1)} -o trec_eval/",
            *conventions_text.state(result),
            *renamed(names),
            *(() if only is None else (HIDDEN,)),
        )
        with replacing(part / trec_eval.SCRIPT) as file:
            file.write(trec_eval.script(result.measures, QRELS, list(names.values()), origin))
    return [QRELS, *names.values(), trec_eval.SCRIPT]


def _written_before(folder: Path) -> list[Path]:
    """Return the files of an earlier bundle in a folder; raises UserError where there are others."""
    if not folder.is_dir():
        return []
    try:
        there = sorted(one.name for one in folder.iterdir() if not one.name.startswith("."))
        script = folder / trec_eval.SCRIPT
        ours = trec_eval.files_of(script.read_text("utf-8", "replace")) if script.is_file() else []
    except OSError as error:
        raise UserError(f"{folder} cannot be read ({error.strerror}); nothing was written.") from error
    foreign = [name for name in there if name not in ours]
    if foreign:
        more = f" and {len(foreign) - 1} more" if foreign[1:] else ""
        raise UserError(
            f"{folder} holds {foreign[0]}{more}, not written by such a report; nothing was changed. Name a "
            "new or an empty folder."
        )
    return [folder / name for name in there]
