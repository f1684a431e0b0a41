"""Projects on the command line: new, import, dump, load, sample."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from annotator.commands import choices, open_window, printout, progress
from annotator.commands.choices import Layout
from annotator.commands.output import file_option
from annotator.commands.speech import say
from annotator.errors import UserError

Columns = Annotated[
    list[str] | None,
    typer.Option(
        help="Which column of a table holds what, as ROLE=NAME (grade=label); repeatable. "
        "`field:url=URL` keeps a column as a field of the documents, `field:*=*` all that have no role."
    ),
]


def new(
    project: choices.ProjectFile,
    name: Annotated[str, typer.Option(help="What the project is called; default: as its file.")] = "",
) -> None:
    """Make an empty project.

    Example: `annotator new search.annot --name "Site search"`
    """
    from annotator.project import file_location
    from annotator.project.project import Project
    from annotator.records import as_id

    with Project.create(project, name.strip() or as_id(project.stem)):
        say(f"Made {project}.")
    if warning := file_location.warning(project):
        say(f"note: {warning}", err=True)


def import_files(
    project: choices.ProjectFile,
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files of any known format.")],
    format_key: Annotated[
        str | None, typer.Option("--format", "--as", help="The format, where its content does not tell it.")
    ] = None,
    system: Annotated[str | None, typer.Option(help="The system's name, instead of the run's tag.")] = None,
    annotator: Annotated[
        str | None,
        typer.Option(help="Whose judgments they are; default: imported:NAME, with their file's name."),
    ] = None,
    model: Annotated[bool, typer.Option("--model", help="The judgments were made by a model.")] = False,
    grades: Annotated[
        str | None,
        typer.Option(help="How grades map to 0-5: '-1=skip,0=0,1=3,2=5', '0..2=0..5' or 'Fair=2,Good=4'."),
    ] = None,
    column: Columns = None,
    gold_separator: Annotated[
        str, typer.Option(metavar="TEXT", help="What stands between several gold answers in one cell.")
    ] = "",
    no_answer: choices.NoAnswer = None,
    no_answer_from: choices.NoAnswerFrom = 1.0,
    replace: choices.Replace = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be done, and do nothing.")
    ] = False,
) -> None:
    """Import queries, documents, answers, gold answers, runs or judgments: everything or nothing.

    Examples:

    `annotator import search.annot corpus.jsonl queries.jsonl qrels.tsv bm25.run`

    `annotator import search.annot results.csv --column query=Search --column document_id=URL`
    """
    from annotator.project import data_import
    from annotator.project.data_import import ImportChoices

    chosen = ImportChoices(
        format_key=format_key,
        system=system,
        annotator=annotator,
        model=model,
        grades=grades,
        replace=replace,
        mapping=_mapping(column or ()),
        no_answer=no_answer,
        no_answer_from=no_answer_from,
        gold_separator=gold_separator,
    )
    with progress.opened(project, "Importing") as (opened, watch):
        try:
            plan = data_import.plan_import(opened, files, chosen, trial=dry_run, watch=watch)
        except data_import.Undecided as error:
            if "grades" in error.choices:
                raise UserError(f"{error} --grades takes such a rule.") from None
            raise
        done = (
            plan.tally.sentences(would=True)
            if plan.tally
            else [data_import.run_import(opened, plan, watch).said]
        )
    say("\n".join([*plan.taken_for, *done]))


def _mapping(columns: Sequence[str]) -> dict[str, str]:
    """Return role -> column of words such as `grade=label`."""
    for one in columns:
        if "=" not in one:
            raise typer.BadParameter(f"{one!r} is not ROLE=NAME, such as grade=label", param_hint="--column")
    return dict(one.split("=", 1) for one in columns)


def dump(
    project: choices.ProjectFile,
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="A folder that is new or empty, or a dump.")
    ],
    pseudonyms: Annotated[
        bool, typer.Option("--pseudonyms", help="Call people annotator 1, 2 and so on.")
    ] = False,
) -> None:
    """Write a project as a folder of plain, sorted text that suits version control.

    Example: `annotator dump search.annot search-text`
    """
    from annotator.project import text_twin

    with choices.reading(project) as opened, progress.shown("Writing") as watch:
        digest = text_twin.dump(opened, folder, named=not pseudonyms, watch=watch)
    say(f"Wrote {folder}; its content's hash is {digest}.")


def load(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder that `annotator dump` wrote.")],
    project: choices.ProjectFile,
) -> None:
    """Make a project from a folder of plain text.

    Example: `annotator load search-text search.annot`
    """
    from annotator.project import text_twin

    with progress.shown("Reading") as watch:
        text_twin.load(folder, project, watch).close()
    say(f"Made {project}.")


def sample(
    name: Annotated[
        str | None, typer.Argument(help="The sample to copy; without it, they are listed.")
    ] = None,
    open_it: Annotated[bool, typer.Option("--open", help="Open the copy in the window.")] = False,
    output: Annotated[
        Path | None,
        file_option("Write the copy, or the list, to this file."),
    ] = None,
) -> None:
    """Copy a sample project into your folder and print where the copy is; the sample is never touched.

    Example: `annotator sample site-search`
    """
    from annotator.project import samples

    if name is None:
        rows = [(one.key, one.title, one.about) for one in samples.listed()]
        printout.put_table(printout.listing(("sample", "title", "about"), rows), Layout.TABLE, output)
        return
    copy = samples.copied(name, output)
    if open_it:
        open_window.open_window(copy)
    say(str(copy))
