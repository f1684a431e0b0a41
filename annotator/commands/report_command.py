"""Reports on the command line."""

from collections.abc import Set
from pathlib import Path
from typing import Annotated

import typer

from annotator.commands import choices, large_jobs
from annotator.commands.output import is_folder
from annotator.commands.speech import say
from annotator.evaluation.options import ComparisonChoice, Options, Width


@choices.with_options("by_tag")
def report(
    options: Options,
    said: Set[str],
    comparison: ComparisonChoice,
    project: choices.ProjectFile,
    output: Annotated[
        str,
        typer.Option(
            *("--output", "-o"),
            metavar="PATH",
            help="The file: .html, .csv, .md, .tex or .json; .pdf, .svg or .png for a figure; or a folder.",
        ),
    ],
    section: Annotated[
        list[str] | None, typer.Option(help="Only this section, such as comparisons; repeatable.")
    ] = None,
    table: Annotated[
        str,
        typer.Option(
            help="This table alone: summary, estimates, per-query, tests and others; a CSV holds scores."
        ),
    ] = "",
    column: Annotated[
        list[str] | None, typer.Option(help="Only this column of the table; repeatable, in this order.")
    ] = None,
    digits: Annotated[
        int | None, typer.Option(min=0, max=12, help="Decimals of the table, where numbers are rounded.")
    ] = None,
    width: Annotated[
        Width | None,
        typer.Option(help="A figure, or a LaTeX table, for one column of a paper or for two."),
    ] = None,
    means: Annotated[
        bool, typer.Option("--means", help="The table scores has rows of a query all, too: the means.")
    ] = False,
    explain: Annotated[list[str] | None, typer.Option(help="Take this query apart; repeatable.")] = None,
    figure: Annotated[
        list[str] | None, typer.Option(help="Only this figure, such as intervals; repeatable.")
    ] = None,
    difference: Annotated[
        float | None,
        typer.Option(help="The smallest difference that matters: which systems are equivalent within it."),
    ] = None,
    named: Annotated[bool, typer.Option("--named", help="Tell annotators by name.")] = False,
    separator: Annotated[str, typer.Option(help="CSV for a spreadsheet: what separates the cells.")] = "",
    decimal: Annotated[str, typer.Option(help="CSV for a spreadsheet: the decimal mark, . or ,")] = "",
) -> None:
    """Write a report, or one table or figure of it, as the file's ending says; or a folder for trec_eval.

    PROJECT may be a file of scores, of which there is a report without what only a project holds.

    Examples:

    `annotator report search.annot -o report.html -m nDCG@10 -m AP`

    `annotator report search.annot -o tests.csv --table tests --baseline bm25`

    `annotator report search.annot -o report.html -m nDCG@10 --difference 0.02`

    `annotator report search.annot -o means.tex --table summary --column system --column nDCG@10 --digits 3`

    `annotator report search.annot -o intervals.pdf --figure intervals --width one`

    `annotator report search.annot -o for_trec_eval/`

    `annotator report scores.parquet -o report.html`
    """
    from annotator.project import browse, report_files
    from annotator.project.report_files import Choice, Spreadsheet

    path = Path(output)
    to_folder = not path.suffix or is_folder(output)
    choice = Choice(
        format=report_files.FOLDER if to_folder else report_files.format_of(path.name),
        sections=tuple(section or ()),
        table=table,
        columns=tuple(column or ()),
        digits=digits,
        means=means,
        width=width,
        spreadsheet=Spreadsheet.of(separator or ",", decimal or ".") if separator or decimal else None,
        queries=tuple(explain or ()),
        figures=tuple(figure or Choice().figures),
        named=named,
        comparison=comparison,
        difference=difference,
    )
    if (wrong := report_files.unfitting(choice)) is not None:
        raise typer.BadParameter(wrong[1], param_hint=f"--{wrong[0]}")
    if large_jobs.is_scores(project):
        result = large_jobs.scores_in(project, comparison.among(options))
        note = report_files.write_report_of_scores(result, path, choice)
        _say_written(path, note)
        return
    with choices.reading(project) as opened:
        options = comparison.among(choices.measured(options, said, opened))
        for one in explain or ():
            browse.key_of(opened, one)  # a query that is not there is said, not left out
        if to_folder:
            for written in report_files.write_bundle(opened, path, options):
                say(str(path / written))
            return
        note = report_files.write_report(opened, path, options, choice)
    _say_written(path, note)


def _say_written(output: Path, note: str) -> None:
    say(str(output))
    if note:
        say(f"note: {note}", err=True)
