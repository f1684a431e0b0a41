"""Nuggets and assignments on the command line."""

from pathlib import Path
from typing import Annotated

import typer

from annotator.commands import choices, progress
from annotator.commands.speech import say


def nuggets(
    project: choices.ProjectFile,
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="Nuggets or assignments, as nuggetizer writes them."),
    ] = None,
    annotator: Annotated[
        str, typer.Option(metavar="NAME", help="Whose assignments they are, or are to be written.")
    ] = "",
    model: Annotated[bool, typer.Option("--model", help="That annotator is a model.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what the file holds; record nothing.")
    ] = False,
    output: Annotated[
        Path | None,
        choices.file_option("Write the nuggets to this file instead; with --annotator, assignments."),
    ] = None,
) -> None:
    """Take nuggets, and whether answers support them, from a file, or write them.

    `import` takes such a file, too, also together with the answers; what was said before is then only
    replaced if that is chosen.

    Examples:

    `annotator nuggets answers.annot nuggets.jsonl --dry-run`

    `annotator nuggets answers.annot assignments.jsonl --annotator gpt-4o --model`

    `annotator nuggets answers.annot -o nuggets.jsonl`
    """
    from annotator.project import data_import, nugget_files
    from annotator.project.data_import import ImportChoices

    if (file is None) == (output is None):
        raise typer.BadParameter("give a FILE to take, or -o and a file to write")
    if output is not None:
        if model or dry_run:
            raise typer.BadParameter("they go with a FILE to take", param_hint="--model, --dry-run")
        with choices.reading(project) as opened:
            say(nugget_files.write_nuggets(opened, output, annotator))
        return
    assert file is not None
    chosen = ImportChoices("nuggets", annotator=annotator or None, model=model, replace=True)
    with progress.opened(project, "Taking nuggets") as (opened, watch):
        plan = data_import.plan_import(opened, [file], chosen, trial=dry_run, watch=watch)
        done = plan.tally.sentences(would=True) if plan.tally else [data_import.run_import(opened, plan).said]
    say("\n".join([*plan.taken_for, *done]))
