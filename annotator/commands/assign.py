"""What a lead says on the command line: who judges which queries, and which are for practice."""

from typing import TYPE_CHECKING, Annotated

import typer

from annotator.commands import choices, printout, progress
from annotator.commands.choices import Layout
from annotator.commands.output import no_output
from annotator.commands.speech import say
from annotator.errors import UserError
from annotator.text.times import local_time

if TYPE_CHECKING:
    from annotator.project.project import Project


def assign(
    project: choices.ProjectFile,
    to: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME[=SHARE]", help="Who judges, with a share in proportion; repeatable."),
    ] = None,
    judgments: Annotated[
        int, typer.Option(min=1, metavar="N", help="So many people judge each query, and all its candidates.")
    ] = 1,
    numbers: Annotated[
        bool,
        typer.Option("--numbers", help="The shares are numbers of queries; some may be left over."),
    ] = False,
    anew: Annotated[
        bool,
        typer.Option("--anew", help="Deal also those queries anew that people have been assigned or begun."),
    ] = False,
    nobody: Annotated[bool, typer.Option("--nobody", help="Take the assignment back.")] = False,
    lead: Annotated[
        str, typer.Option(metavar="NAME", help="Who assigns, and takes the role of lead; that is recorded.")
    ] = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say who would get what; record nothing.")
    ] = False,
    seed: choices.Seed = 1,
    layout: choices.LayoutOption = Layout.TABLE,
    output: choices.Output = None,
) -> None:
    """Say who judges which queries, as a lead; without `--to`, how far everybody is with theirs.

    Example: `annotator assign search.annot --lead Ann --to Mara=60 --to Jonas=40 --judgments 2`
    """
    from annotator.project import assignments

    if not to and not nobody:
        with choices.reading(project) as opened:
            people, left = assignments.progress(opened)
        table = assignments.progress_table(people, local_time)
        none = f"Nothing is assigned; assign it: annotator assign {project} --lead NAME --to NAME"
        printout.put_list(table, none, layout, output)
        if people:
            say(assignments.left_over(left), err=True)
        return
    if nobody:
        no_output(output)
    if nobody and (to or dry_run):
        raise typer.BadParameter("it goes without --to and --dry-run", param_hint="--nobody")
    terms = assignments.Terms(dict(map(_shared, to or [])), judgments, seed, numbers, not anew)
    if dry_run:
        with choices.reading(project) as opened:
            ground = assignments.ground(opened)
            planned = assignments.deal_out(ground, terms)
    else:
        with progress.opened(project, "Assigning") as (opened, watch):
            _take_role(opened, lead)
            if nobody:
                say(assignments.take_back(opened).said)
                return
            ground = assignments.ground(opened, watch)
            planned = assignments.deal_out(ground, terms, watch)
            say(assignments.assign(opened, planned).said)
    printout.put_table(assignments.parts_table(assignments.parts(ground, planned)), layout, output)


def practice(
    project: choices.ProjectFile,
    query: Annotated[
        list[str] | None, typer.Option("--query", "-q", metavar="ID", help="A query; repeatable.")
    ] = None,
    count_again: Annotated[
        bool, typer.Option("--count-again", help="They are not for practice any more.")
    ] = False,
    lead: Annotated[
        str, typer.Option(metavar="NAME", help="Who says so, and takes the role of lead; that is recorded.")
    ] = "",
    layout: choices.LayoutOption = Layout.TABLE,
    output: choices.Output = None,
) -> None:
    """Make judged queries ones for practice, as a lead; without `-q`, list those that are.

    Who is new grades them first and sees where they differ. They count in no score, agreement or report.

    Example: `annotator practice search.annot --lead Ann -q q7 -q q12`
    """
    from annotator.project import practice as practising

    if query:
        no_output(output)
        with progress.opened(project, "Marking") as (opened, _):
            _take_role(opened, lead)
            say("\n".join(practising.mark_all(opened, query, not count_again)))
        return
    with choices.reading(project) as opened:
        there = practising.practice_queries(opened)
    rows = [(one.id, one.title, one.pool) for one in there]
    none = f"No query is for practice; make one so: annotator practice {project} --lead NAME -q ID"
    printout.put_list(printout.listing(("query", "text", "candidates"), rows), none, layout, output)


def _shared(text: str) -> tuple[str, int]:
    """Return a person and their share, 1 unless one is named: `Mara=40`."""
    name, _, share = text.rpartition("=")
    return (name, int(share)) if name and share.isdecimal() else (text, 1)


def _take_role(project: "Project", lead: str) -> None:
    """Go on as the lead; who has not the role takes it by being named so, which is recorded and said."""
    from annotator.project import lead_role

    if not lead:
        raise UserError(
            "Name who assigns: --lead NAME. Who is named takes the role of lead, which is recorded; "
            "--dry-run says who would get what and records nothing."
        )
    project.use_annotator(lead)
    if not lead_role.is_lead(project):
        say(f"{lead_role.take(project).said} {lead_role.CONVENTION}")
