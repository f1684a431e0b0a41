"""Reports on the command line."""

from collections.abc import Sequence, Set
from pathlib import Path
from typing import Annotated

import typer

from annotator.commands import choices
from annotator.evaluation.options import ComparisonChoice, Options


@choices.with_options("by_tag")
def report(
    options: Options,
    said: Set[str],
    comparison: ComparisonChoice,
    project: choices.ProjectFile,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The file: .html, .csv, .md, .tex or .json; or a folder.")
    ],
    section: Annotated[
        list[str] | None, typer.Option(help="Only this section, such as comparisons; repeatable.")
    ] = None,
    table: Annotated[
        str,
        typer.Option(
            help="A CSV holds scores, per-query, summary, tests, tags, tag-tests, unjudged, cqa or cqa-at-k."
        ),
    ] = "scores",
    explain: Annotated[list[str] | None, typer.Option(help="Take this query apart; repeatable.")] = None,
    figure: Annotated[
        list[str] | None, typer.Option(help="Only this figure, such as intervals; repeatable.")
    ] = None,
    named: Annotated[bool, typer.Option("--named", help="Tell annotators by name.")] = False,
    separator: Annotated[str, typer.Option(help="CSV for a spreadsheet: what separates the cells.")] = "",
    decimal: Annotated[str, typer.Option(help="CSV for a spreadsheet: the decimal mark, . or ,")] = "",
) -> None:
    """Write a report: a web page, a CSV, Markdown, LaTeX or JSON, or a folder ready for trec_eval.

    Examples:

    `annotator report search.annot -o report.html -m nDCG@10 -m AP`

    `annotator report search.annot -o tests.csv --table tests --baseline bm25`

    `annotator report search.annot -o for_trec_eval/`
    """
    from annotator.project import browse, report_files
    from annotator.project.report_files import Choice, Spreadsheet

    _check_keys("--section", section, report_files.SECTION_KEYS)
    _check_keys("--figure", figure, report_files.FIGURE_KEYS)
    with choices.reading(project) as opened:
        options = choices.measured(options, said, opened)
        for one in explain or ():
            browse.key_of(opened, one)  # a query that is not there is said, not left out
        if not output.suffix or output.is_dir():
            for written in report_files.write_bundle(opened, output, options):
                typer.echo(str(output / written))
            return
        for_spreadsheet = bool(separator or decimal)
        choice = Choice(
            format=report_files.format_of(output.name),
            sections=tuple(section or ()),
            table=table,
            spreadsheet=Spreadsheet.of(separator or ",", decimal or ".") if for_spreadsheet else None,
            queries=tuple(explain or ()),
            figures=tuple(figure or Choice().figures),
            named=named,
            comparison=comparison,
        )
        report_files.write_report(opened, output, options, choice)
    typer.echo(str(output))


def _check_keys(name: str, given: list[str] | None, known: Sequence[str]) -> None:
    """End with wrong usage for a word that is none of those known."""
    for one in given or ():
        if one not in known:
            raise typer.BadParameter(f"{one!r} is none of {', '.join(known)}", param_hint=name)
