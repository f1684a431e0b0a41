"""What is missing and what changed, on the command line: coverage, what to judge next, snapshots."""

from dataclasses import replace
from typing import Annotated

import typer

from annotator.commands import choices, printout, progress
from annotator.commands.choices import Layout
from annotator.commands.output import no_output
from annotator.commands.speech import say
from annotator.evaluation.options import Options
from annotator.text.times import in_words, local_time


def coverage(
    project: choices.ProjectFile,
    measure: choices.Measures = None,
    judging_list: Annotated[
        bool, typer.Option("--list", help="Print the candidates that are still to be judged instead.")
    ] = False,
    per_query: Annotated[
        bool, typer.Option("--per-query", help="Print between which values each query's score may move.")
    ] = False,
    combine: choices.Combine = None,
    layout: choices.LayoutOption = Layout.TABLE,
    output: choices.Output = None,
) -> None:
    """Say how much of each system's top is unjudged, and between which values the scores may still move.

    `reordered` is the mean with the system's own candidates in their best order, as judged now.

    Example: `annotator coverage search.annot -m nDCG@10`
    """
    from annotator.project import coverage as covering
    from annotator.project.state import state_of

    options = Options(measures=tuple(measure or ("nDCG@10",)))
    with choices.reading(project) as opened:
        options = choices.combined(options, combine, opened)
        state = state_of(opened)
        if judging_list:
            printout.put_table(covering.to_judge(covering.judging_list(state, options)), layout, output)
            return
        top = covering.coverage(state, options=options)
        bounds = covering.score_bounds(state, options)
    if per_query:
        printout.put_table(covering.bounds_of_scores(bounds), layout, output)
        printout.put_basis(options, state)
        return
    blank = int((top.unjudged == top.offered).all(axis=0).sum())
    printout.put_table(covering.bounds_of_means(bounds, top), layout, output)
    printout.put_basis(options, state)
    if blank:
        have = "1 query has" if blank == 1 else f"{blank} queries have"
        note = f"{have} no judgment in the top {top.depth}; those without any are in no mean."
        say(f"note: {note}", err=True)


def next_judgments(
    project: choices.ProjectFile,
    system: Annotated[list[str], typer.Option("--system", "-s", help="The two systems; give it twice.")],
    depth: Annotated[int, typer.Option(min=1, metavar="K", help="Ranks that count.")] = 10,
    count: Annotated[int, typer.Option(min=1, metavar="N", help="So many candidates.")] = 20,
    tag: choices.Tags = None,
    query: choices.Queries = None,
    layout: choices.LayoutOption = Layout.TABLE,
    output: choices.Output = None,
) -> None:
    """List the judgments that matter most for deciding between two systems; what is proved, `audit` says.

    Example: `annotator next search.annot -s bm25 -s dense`
    """
    from annotator.project import decisions
    from annotator.project.coverage import to_judge
    from annotator.project.state import state_of

    if len(system) != 2:
        raise typer.BadParameter("name two systems", param_hint="--system")
    first, second = system
    with choices.reading(project) as opened:
        state = state_of(opened)
        options = Options(queries=tuple(query or ()), tags=tuple(tag or ()))
        rows = decisions.to_judge_next(state, first, second, depth, count, options)
    printout.put_table(to_judge(rows), layout, output)


def snapshot(
    project: choices.ProjectFile,
    name: Annotated[str | None, typer.Argument(help="Its name; without one, all are listed.")] = None,
    since: Annotated[
        bool,
        typer.Option(
            "--since", help="Compare today with this snapshot (or a moment, as with --as-of) instead."
        ),
    ] = False,
    measure: choices.Measures = None,
    layout: choices.LayoutOption = Layout.TABLE,
    output: choices.Output = None,
) -> None:
    """Name the state of judgments and runs, list these names, or say what changed since one.

    Example: `annotator snapshot search.annot "before the second round"`
    """
    from annotator.project import changes_since as changing
    from annotator.project import snapshots
    from annotator.project.state import state_of

    if name is not None and not since:
        no_output(output)
        with progress.opened(project, "Naming") as (opened, _):
            say(snapshots.take_snapshot(opened, name).said)
        return
    with choices.reading(project) as opened:
        if name is None:
            taken = snapshots.snapshots(opened)
            rows = [(one.name, local_time(one.time), one.annotator, one.judgments) for one in taken]
            names = ("snapshot", "taken", "by", "judgments")
            none = f'There is no snapshot yet; take one: annotator snapshot {project} "its name"'
            printout.put_list(printout.listing(names, rows), none, layout, output)
            return
        options = choices.combined(Options(measures=tuple(measure or ("nDCG@10",))), None, opened)
        since_then = changing.since(state_of(opened, options), options, name)
    then = in_words(since_then.then.options.as_of)
    for note in since_then.notes:
        say(note, err=True)
    runs = ", ".join(since_then.systems) or "no system"
    title = f"Since {then}: {len(since_then.grades)} grades changed, and the runs of {runs}"
    printout.put_table(replace(changing.changed_scores(since_then), title=title), layout, output)
