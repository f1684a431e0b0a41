"""Reports on the command line."""

from collections.abc import Mapping, Sequence, Set
from pathlib import Path
from typing import Annotated

import typer

from annotator.commands import choices
from annotator.evaluation.options import ComparisonChoice, Options, Width


@choices.with_options("by_tag")
def report(
    options: Options,
    said: Set[str],
    comparison: ComparisonChoice,
    project: choices.ProjectFile,
    output: Annotated[
        Path,
        typer.Option(
            *("--output", "-o"),
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
    named: Annotated[bool, typer.Option("--named", help="Tell annotators by name.")] = False,
    separator: Annotated[str, typer.Option(help="CSV for a spreadsheet: what separates the cells.")] = "",
    decimal: Annotated[str, typer.Option(help="CSV for a spreadsheet: the decimal mark, . or ,")] = "",
) -> None:
    """Write a report, or one table or figure of it, as the file's ending says; or a folder for trec_eval.

    Examples:

    `annotator report search.annot -o report.html -m nDCG@10 -m AP`

    `annotator report search.annot -o tests.csv --table tests --baseline bm25`

    `annotator report search.annot -o means.tex --table summary --column system --column nDCG@10 --digits 3`

    `annotator report search.annot -o intervals.pdf --figure intervals --width one`

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
        form = report_files.format_of(output.name)
        _check_alone(form, figure, table, {"--column": column, "--digits": digits, "--means": means}, width)
        for_spreadsheet = bool(separator or decimal)
        choice = Choice(
            format=form,
            sections=tuple(section or ()),
            table=table,
            columns=tuple(column or ()),
            digits=digits,
            means=means,
            width=width,
            spreadsheet=Spreadsheet.of(separator or ",", decimal or ".") if for_spreadsheet else None,
            queries=tuple(explain or ()),
            figures=tuple(figure or Choice().figures),
            named=named,
            comparison=comparison,
        )
        report_files.write_report(opened, output, options, choice)
    typer.echo(str(output))


def _check_alone(
    form: str,
    figure: list[str] | None,
    table: str,
    of_table: Mapping[str, object],
    width: Width | None,
) -> None:
    """End with wrong usage for a choice that would change nothing in a file of this form."""
    from annotator.project import report_files

    is_figure = form in report_files.ENDINGS
    if is_figure and len(figure or ()) != 1:
        known = ", ".join(report_files.FIGURE_KEYS)
        raise typer.BadParameter(f"a .{form} holds one figure: name one of {known}", param_hint="--figure")
    if is_figure and table:
        raise typer.BadParameter(f"a .{form} holds a figure", param_hint="--table")
    if width is not None and form != "latex" and not is_figure:
        raise typer.BadParameter("it goes with .tex, .pdf, .svg and .png", param_hint="--width")
    for name, given in of_table.items():
        if given not in (None, False) and not (table or form == "csv"):
            raise typer.BadParameter("it goes with --table", param_hint=name)
    if of_table["--digits"] is not None and not report_files.FORMATS[form].for_people:
        raise typer.BadParameter(f"a .{form} has every digit", param_hint="--digits")
    if of_table["--means"] and table not in ("", "scores"):
        raise typer.BadParameter("it goes with --table scores", param_hint="--means")


def _check_keys(name: str, given: list[str] | None, known: Sequence[str]) -> None:
    """End with wrong usage for a word that is none of those known."""
    for one in given or ():
        if one not in known:
            raise typer.BadParameter(f"{one!r} is none of {', '.join(known)}", param_hint=name)
