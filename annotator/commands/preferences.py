"""Preferences on the command line: which systems' answers people prefer, side by side."""

from typing import Annotated, Literal

import typer

from annotator.commands import choices, printout
from annotator.commands.choices import Layout
from annotator.evaluation.options import Options


def preferences(
    project: choices.ProjectFile,
    system: choices.Systems = None,
    annotator: choices.Annotator = None,
    tag: choices.Tags = None,
    query: choices.Queries = None,
    as_of: choices.AsOf = "",
    show: Annotated[
        Literal["strengths", "wins", "position"] | None,
        typer.Option(help="One table alone: strengths, wins of every two, or position: is a side favoured."),
    ] = None,
    seed: choices.Seed = 1,
    layout: choices.LayoutOption = Layout.TABLE,
    output: choices.Output = None,
) -> None:
    """Say which systems' first answers are preferred: strengths, wins, and whether a side is favoured.

    Strengths are those of Bradley and Terry, with bootstrap intervals over the queries. CSV and JSON hold
    one table: the strengths, unless another one is asked for.

    Examples:

    `annotator preferences answers.annot`

    `annotator preferences answers.annot --show wins --format csv`

    `annotator preferences answers.annot --annotator model:sedge --show position`
    """
    from annotator.project.preference_strengths import needed, shown
    from annotator.project.state import state_of

    options = Options(
        systems=tuple(system or ()),
        annotator=annotator,
        tags=tuple(tag or ()),
        queries=tuple(query or ()),
        as_of=as_of,
        seed=seed,
    )
    with choices.reading(project) as opened:
        found = needed(state_of(opened, options), options)
    if show is None and layout is Layout.TABLE:
        printout.put("\n".join(map(printout.as_table, found)), output)
    else:
        printout.put_table(shown(found, show or "strengths"), layout, output)
