"""Reports of a project: gathered from one evaluation, written whole or not at all."""

import shlex
from collections.abc import Callable, Container, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from annotator.errors import UserError
from annotator.evaluation import conventions_text
from annotator.evaluation.comparison import Comparison
from annotator.evaluation.conventions_text import head
from annotator.evaluation.equivalence import equivalences
from annotator.evaluation.evaluator import Collection, evaluate
from annotator.evaluation.family import compared_measures
from annotator.evaluation.model_tables import ModelPair
from annotator.evaluation.options import ComparisonChoice, Options
from annotator.evaluation.pairs import compare_all
from annotator.evaluation.result_table import Table
from annotator.evaluation.results import EvaluationResult
from annotator.evaluation.subsets import narrowed
from annotator.figures.catalogue import FIGURES
from annotator.figures.paper import ENDINGS, figure_file
from annotator.figures.subject import Subject
from annotator.formats.beside import write_with_origin
from annotator.formats.trec_run import renamed
from annotator.formats.whole_files import file_name, replacing, replacing_all
from annotator.project import annotator_agreement, assignments, audit_result, data_export, model_agreement
from annotator.project.answer_models import models_for, naming
from annotator.project.audit_claim import audited
from annotator.project.audit_compare import beside
from annotator.project.explanations import explained
from annotator.project.figure_data import judging_subject, with_others
from annotator.project.grade_table import graded_of
from annotator.project.leniency import lenient
from annotator.project.preference_strengths import tables as preference_tables
from annotator.project.project import Project
from annotator.project.project_scores import collected, evaluated
from annotator.project.provenance import HIDDEN, provenance
from annotator.project.run_overlap import overlap
from annotator.project.state import of_state, state_of
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
from annotator.reports.sections import SECTIONS, Explained, Material, figure
from annotator.storage.reads.states import State
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

PAIRED = {"agreement", "confusion"}
"""The figures of pairs of annotators."""

MOST_RANKINGS = 10_000
"""So many pairs of rankings are compared without being asked for: a few seconds."""

QRELS = "qrels.txt"
EXPLAINED = 3
"""So many queries are taken apart when nobody chose any."""


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
    watch = watch.saying("The report was cancelled; nothing was written.")
    comparisons, of_tags = _compared(result, choice.comparison, watch)
    matters = [] if choice.difference is None else equivalences(result, comparisons, choice.difference, watch)
    material = Material(
        result=result,
        comparisons=comparisons,
        of_tags=of_tags,
        matters=matters,
        subject=Subject(measure=_measure_of(result), level=choice.comparison.alpha),
        figures=choice.figures,
        named=choice.named,
    )
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
    asked_for = _asked(result, (_known(key),))
    more = {}
    if collection is not None:
        more = {
            one: evaluate(collection, result.options.of_measures(*names), result.provenance)
            for one, names in asked_for.items()
        }
    about = Subject(measure=_measure_of(result))
    return figure(Material(result, more=more, subject=about, figures=(key,)), key).draw


def _known(key: str) -> str:
    if key not in FIGURES:
        raise UserError(f"There is no figure {key!r}; there are {', '.join(FIGURES)}.")
    return key


def gathered(
    state: State,
    options: Options,
    choice: Choice,
    only: Container[str] | None = None,
    watch: Watch = UNWATCHED,
) -> Material:
    """Evaluate a state of the project and gather everything that a report shows."""
    watch = watch.saying("The report was cancelled; nothing was written.")
    steps = ("Evaluating", "Comparing", "Explaining", "Drawing")

    def step(at: int) -> None:
        watch.step(at, len(steps), steps[at])

    def kept(result: EvaluationResult) -> EvaluationResult:
        return result if only is None else narrowed(result, only)

    step(0)
    options = of_state(state, options)
    models = models_for(options, watch.silent)
    collection = collected(state, options, models, watch=watch.silent)
    result = evaluate(collection, options, provenance(state, options, only), watch.silent)
    result = kept(naming(models, result))
    known = replace(result.provenance, assigned=assignments.assigned(state))
    notes = result.notes if only is None else (*result.notes, HIDDEN)
    result = replace(result, provenance=known, notes=notes)
    step(1)
    comparisons, of_tags = _compared(result, choice.comparison, watch.silent)
    matters = (
        []
        if choice.difference is None
        else equivalences(result, comparisons, choice.difference, watch.silent)
    )
    step(2)
    taken_apart = _explained(collection, result, choice.queries)
    step(3)
    more = {
        key: kept(evaluate(collection, options.of_measures(*names), result.provenance))
        for key, names in _asked(result, choice.figures).items()
    }
    pairs = annotator_agreement.agreement(state, options.seed, only) if PAIRED & set(choice.figures) else None
    with_agreement = only is None and (not choice.sections or "agreement" in choice.sections)
    return Material(
        result=result,
        comparisons=comparisons,
        of_tags=of_tags,
        matters=matters,
        explained=taken_apart,
        overlap=_overlap(state, options, choice, only, watch.silent),
        preferred=_preferred(state, result, choice, only),
        agreement=_agreement(state, options, choice.named, watch.silent) if with_agreement else (),
        audits=[audited(one, beside(state, one, only)) for one in audit_result.results(state)],
        more=more,
        subject=replace(
            _beside_others(
                judging_subject(state, choice.named, _measure_of(result), only, pairs),
                *(state, options, choice, only, watch.silent),
            ),
            level=choice.comparison.alpha,
        ),
        figures=choice.figures,
        named=choice.named,
    )


def _compared(
    result: EvaluationResult, choice: ComparisonChoice, watch: Watch
) -> tuple[list[Comparison], list[Comparison]]:
    """Return the comparisons over all queries, and over those of each tag; none where none can be made."""
    if len(result.systems) < 2 or not compared_measures(result):
        return [], []
    by_tag = any(result.tags)
    return (
        compare_all(result, replace(choice, by_tag=False), watch),
        compare_all(result, replace(choice, by_tag=True), watch) if by_tag else [],
    )


def _beside_others(
    subject: Subject,
    state: State,
    options: Options,
    choice: Choice,
    only: Container[str] | None,
    watch: Watch,
) -> Subject:
    """Return a subject with what the chosen figures show of each annotator and of models."""
    each: Sequence[Table] = ()
    pairs: Sequence[ModelPair] = ()
    named = choice.named
    if "leniency" in choice.figures:
        each = lenient(state, graded_of(state).called(named), options.seed, only)
    if "calibration" in choice.figures:
        pairs = model_agreement.against_people(state, options, named, only, watch=watch).pairs
    return with_others(subject, each, pairs)


def _overlap(
    state: State, options: Options, choice: Choice, only: Container[str] | None, watch: Watch
) -> Table | str:
    """Return how alike the systems rank, or a sentence why that is left out."""
    systems = options.systems or tuple(run.name for run in state.runs)
    asked = "overlap" in (*choice.sections, choice.table)
    if len(systems) < 2 or not (asked or not choice.sections):
        return ""
    rankings = len(systems) * (len(systems) - 1) // 2 * len(state.queries)
    if rankings > MOST_RANKINGS and not asked:
        return (
            f"How alike the systems rank is left out for its time: it takes {rankings:,} pairs of rankings. "
            "Ask for this section, or for the table `overlap`, alone."
        )
    return overlap(state, systems, only=only, watch=watch)


def _preferred(
    state: State, result: EvaluationResult, choice: Choice, only: Container[str] | None
) -> Sequence[Table]:
    """Return whose answers are preferred, if that is asked for; numbers of who gave no grade come last."""
    if choice.sections and "preferences" not in choice.sections:
        return ()
    known = result.provenance
    assigned = [name for name, _ in known.assigned.shares] if known.assigned else []
    others = [name for _, name, kind, *_ in state.annotators if kind != "model"]
    people = dict.fromkeys((*known.annotators, *assigned, *others))
    called = {name: name if choice.named else f"annotator {at}" for at, name in enumerate(people, 1)}
    return preference_tables(state, result.options, only, called)


def _agreement(state: State, options: Options, named: bool, watch: Watch) -> list[Table]:
    """Return the tables of people's agreement, each beside the others too, and of models against them."""
    models = model_agreement.against_people(state, options, named, watch=watch)
    each = lenient(state, graded_of(state).called(named), options.seed)
    return [*annotator_agreement.tables(state, options, named), *each, *models.tables]


def assembled(material: Material, choice: Choice) -> str | Report:
    """Return what a report looks like before it is written: a page's report, the text of other formats."""
    material = telling(material, choice)
    if choice.format == "html":
        return asked(material, choice)
    return FORMATS[choice.format].write(material, choice)


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


def _explained(collection: Collection, result: EvaluationResult, queries: Sequence[str]) -> list[Explained]:
    """Take the chosen scores apart: of the first system, under the first measure of grades."""
    measure = next((one for one in result.measures if one.needs == "grades"), None)
    if measure is None or not result.query_ids:
        return []
    system = result.systems[0]
    chosen = [one for one in queries if one in result.query_ids]
    if not queries:
        values = result.of(system, measure.name)
        worst = np.argsort(values, kind="stable")[: min(EXPLAINED, int((~np.isnan(values)).sum()))]
        chosen = [result.query_ids[at] for at in worst]
    options = result.options.of_measures(measure.name)
    return [Explained(system, query, explained(collection, options, system, query)) for query in chosen]


def _asked(result: EvaluationResult, figures: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the measures that each chosen figure asks for."""
    asked = {}
    for kind in (FIGURES[key] for key in figures):
        name = kind.measure_of(result)
        if kind.asks is not None and name is not None:
            asked[kind.key] = kind.asks(name)
    return asked


def _measure_of(result: EvaluationResult) -> str:
    """Return the measure that the figures show: the first of grades, or the first."""
    return next((one.name for one in result.measures if one.needs == "grades"), result.measures[0].name)
