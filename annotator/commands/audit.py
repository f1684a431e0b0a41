"""A comparison with a limited risk, on the command line: plan it, judge what is drawn, look."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from annotator.commands import choices, printout, progress
from annotator.commands.choices import Layout
from annotator.commands.speech import say
from annotator.text.times import local_time

if TYPE_CHECKING:
    from annotator.project.audit_plan import Purpose


def audit(
    project: choices.ProjectFile,
    name: Annotated[str | None, typer.Argument(help="The plan; without one, all are listed.")] = None,
    baseline: Annotated[
        str | None, typer.Option(metavar="SYSTEM", help="Make the plan: each --system against this one.")
    ] = None,
    system: choices.Systems = None,
    measure: Annotated[
        str, typer.Option("--measure", "-m", help="P, CG, DCG or RBP with a cut-off; nDCG approximately.")
    ] = "DCG@10",
    means: Annotated[
        bool, typer.Option("--means", help="Plan for every system's mean too, with or without a model.")
    ] = False,
    risk: Annotated[float, typer.Option(help="The limit of the risk that what is claimed is wrong.")] = 0.05,
    margin: Annotated[float, typer.Option(help="The smallest difference that matters.")] = 0.0,
    seed: choices.Seed = 1,
    model: Annotated[
        str, typer.Option(metavar="NAME", help="Whose imported grades (of a model) may save judgments.")
    ] = "",
    sample: Annotated[
        int,
        typer.Option(help="With --means: so many draws, looked at once; a narrower, approximate interval."),
    ] = 0,
    look: Annotated[
        bool, typer.Option("--look", help="Record the blocks that are done, and count them from now on.")
    ] = False,
    following: Annotated[
        bool, typer.Option("--next", help="List what is to be judged in the open block instead.")
    ] = False,
    layout: choices.LayoutOption = Layout.TABLE,
    output: choices.Output = None,
) -> None:
    """Compare systems with a limited risk by judging few candidates, drawn by chance: plan, judge, look.

    The plan is recorded before anything is drawn. Judge a block (`--next` lists it), then `--look`.

    Examples:

    `annotator audit search.annot spring --baseline bm25 -s dense -m DCG@10`

    `annotator audit search.annot spring --next`

    `annotator audit search.annot spring --look`
    """
    choosing = system or means or margin or model or sample or (measure, risk, seed) != ("DCG@10", 0.05, 1)
    if choosing and baseline is None:
        raise typer.BadParameter("makes a plan, which never changes; it is missing", param_hint="--baseline")
    if (look or following) and (name is None or baseline is not None or look is following):
        raise typer.BadParameter("go with the name of a plan, one at a time", param_hint="--look and --next")
    if baseline is not None:
        if name is None or not system:
            raise typer.BadParameter("give the plan a name, and --system", param_hint="--baseline")
        purpose: Purpose = "means" if means else "difference"
        words = (baseline, tuple(system), measure, purpose, risk, margin, seed, model, sample)
        _plan(project, name, output, *words)
    elif name is None:
        _list(project, layout, output)
    elif following:
        _open_block(project, name, layout, output)
    else:
        _result(project, name, look, layout, output)


def _plan(project: Path, name: str, output: choices.Output, *words: Any) -> None:
    """Store a plan and print its rules."""
    from annotator.project import audit_plan, audit_sample
    from annotator.project.state import state_of

    chosen = audit_plan.Choices(*words)
    with progress.opened(project, "Planning") as (opened, _):
        change = audit_sample.make_plan(opened, state_of(opened), name, chosen)
    printout.put(f"{change.said}\n{audit_plan.RULES}\n", output)


def _open_block(project: Path, name: str, layout: Layout, output: choices.Output) -> None:
    """Print what is to be judged in the open block."""
    from annotator.project import audit_claim, audit_plan, audit_result
    from annotator.project.state import state_of

    with choices.reading(project) as opened:
        state = state_of(opened)
        pairs = audit_result.block_of(state, audit_plan.plan_called(state, name))[1]
    printout.put_table(audit_claim.to_decide(pairs), layout, output)


def _result(project: Path, name: str, look: bool, layout: Layout, output: choices.Output) -> None:
    """Print what is claimed by now, after a look if that is asked for."""
    from annotator.project import audit_claim, audit_compare, audit_result
    from annotator.project.state import state_of

    if look:
        with progress.opened(project, "Looking") as (opened, _):
            say(audit_result.close_blocks(opened, name).said, err=True)
    with choices.reading(project) as opened:
        state = state_of(opened)
        result = audit_result.result(state, name)
        beside = audit_compare.beside(state, result)
    if layout is not Layout.TABLE:
        printout.put_table(audit_claim.findings(result), layout, output)
        return
    tables = [audit_claim.findings(result, captioned=False)]
    tables += [audit_claim.calibration(result)] if result.calibration else []
    words = [f"{audit_claim.sentence(result)}\n\n{beside}\n", *map(printout.as_table, tables)]
    printout.put("\n".join(words), output)


def _list(project: Path, layout: Layout, output: choices.Output) -> None:
    """Print the plans, or how to make the first."""
    from annotator.project.audit_plan import plans
    from annotator.project.state import state_of

    with choices.reading(project) as opened:
        made = plans(state_of(opened))
    rows = [
        (
            one.name,
            local_time(one.time),
            one.annotator,
            " ".join(one.choices.everyone),
            one.choices.measure,
        )
        for one in made
    ]
    none = f"There is no plan yet; make one: annotator audit {project} NAME --baseline SYSTEM -s SYSTEM"
    table = printout.listing(("plan", "made", "by", "systems", "measure"), rows)
    printout.put_list(table, none, layout, output)
