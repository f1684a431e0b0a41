"""What is missing, on the command line: coverage of the judgments, the list of what to judge, decisions."""

from typing import Annotated

import typer

from annotator.commands import choices, printing
from annotator.commands.choices import Layout
from annotator.evaluation.options import Options


def register(app: typer.Typer) -> None:
    """Add this module's commands."""
    app.command("coverage")(coverage)
    app.command("next")(next_judgments)


def coverage(
    project: choices.ProjectFile,
    measure: choices.Measures = None,
    judging_list: Annotated[
        bool, typer.Option("--list", help="Print the candidates that are still to be judged instead.")
    ] = False,
    combine: choices.Combine = choices.Rule.MEDIAN,
    layout: choices.LayoutOption = Layout.TABLE,
    output: choices.Output = None,
) -> None:
    """Say how much of each system's top is unjudged, and between which values the scores may still move.

    Example: `annotator coverage search.annot -m nDCG@10`
    """
    from annotator.project import coverage as covering
    from annotator.project.project import Project

    options = Options(measures=tuple(measure or ("nDCG@10",)), combine=combine.value)
    with Project.open(project, read_only=True) as opened:
        if judging_list:
            rows = [
                (one.query_id, one.candidate_id, one.best_rank, one.systems)
                for one in covering.judging_list(opened.store, options)
            ]
            columns = ("query", "candidate", "best rank", "systems")
            printing.put_table("To be judged", columns, rows, layout, output)
            return
        found = covering.coverage(opened.store, options=options)
        bounds = covering.score_bounds(opened.store, options)
    left = {
        system: f"{int(found.unjudged[row].sum())} of {int(found.offered[row].sum())}"
        for row, system in enumerate(found.systems)
    }
    table = [(one.system, left[one.system], one.measure, one.worst, one.estimate, one.best) for one in bounds]
    head = ("system", f"unjudged in the top {found.depth}", "measure", "worst", "estimate", "best")
    printing.put_table("", head, table, layout, output)


def next_judgments(
    project: choices.ProjectFile,
    system: Annotated[list[str], typer.Option("--system", "-s", help="The two systems; give it twice.")],
    depth: Annotated[int, typer.Option(help="Ranks that count.")] = 10,
    count: Annotated[int, typer.Option(help="So many candidates.")] = 20,
    layout: choices.LayoutOption = Layout.TABLE,
    output: choices.Output = None,
) -> None:
    """List the judgments that matter most for deciding between two systems, and say when to stop.

    Example: `annotator next search.annot -s bm25 -s dense`
    """
    from annotator.project import deciding
    from annotator.project.project import Project

    if len(system) != 2:
        raise typer.BadParameter("name two systems", param_hint="--system")
    first, second = system
    with Project.open(project, read_only=True) as opened:
        rows = [
            (one.query_id, one.candidate_id, one.best_rank)
            for one in deciding.to_judge_next(opened.store, first, second, depth=depth, count=count)
        ]
        known = deciding.decided(opened.store, first, second, depth=depth)
    printing.put_table("", ("query", "candidate", "best rank"), rows, layout, output)
    if layout is Layout.TABLE and output is None:
        sure = "That is sure enough to stop." if known.sure else "Judge on."
        typer.echo(
            f"{second} ends ahead with {known.second_better:.0%}; {known.open} open ones matter. {sure}"
        )
