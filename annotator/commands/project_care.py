"""Care for a project on the command line: check, export, backup, undo of an import."""

from pathlib import Path
from typing import Annotated

import typer

from annotator.commands import choices, printout, progress
from annotator.commands.choices import Layout
from annotator.commands.output import a_file, file_option, no_output
from annotator.commands.speech import say
from annotator.errors import UserError
from annotator.evaluation.options import Options
from annotator.text.counts import counted_plural
from annotator.text.times import local_time


def export(
    project: choices.ProjectFile,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="PATH", help="The file (or folder) to write.")
    ],
    format_key: Annotated[str, typer.Option("--format", help="The format; `annotator formats` lists them.")],
    system: choices.Systems = None,
    combine: choices.Combine = None,
    annotator: choices.Annotator = None,
    grades: Annotated[
        str | None, typer.Option(help="The rule that grades were imported by; they are mapped back.")
    ] = None,
    for_spreadsheets: Annotated[
        bool, typer.Option("--for-spreadsheets", help="Guard cells that a spreadsheet takes for a formula.")
    ] = False,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Say what the format cannot hold of the project, and write nothing."),
    ] = False,
) -> None:
    """Write queries, documents, runs or judgments in a format that other programs read.

    Example: `annotator export search.annot --format trec-qrels -o qrels.txt`
    """
    from annotator.project import data_export

    with choices.reading(project) as opened:
        options = choices.combined(Options(annotator=annotator), combine, opened)
        chosen = data_export.ExportChoices(options, tuple(system or ()), grades, for_spreadsheets)
        if dry_run:
            _, losses = data_export.outlook(opened, format_key, chosen)
            say(data_export.NOTHING_LOST if not losses else "This would be lost:")
        else:
            path = Path(output) if data_export.to_folder(format_key) else a_file(output)
            with progress.shown("Writing") as watch:
                losses = data_export.export(opened, format_key, path, chosen, watch)
            say(f"Wrote {output}.")
    for loss in losses:
        say(f"note: {loss}", err=True)


def formats(layout: choices.LayoutOption = Layout.TABLE, output: choices.Output = None) -> None:
    """List the formats that are read and written, and what each can hold.

    Example: `annotator formats`
    """
    from annotator.formats.declaration import PARTS
    from annotator.formats.registry import FORMATS

    rows = [
        (
            one.key,
            one.title,
            ", ".join(one.extensions),
            ", ".join(part for part in PARTS if part in one.holds),
        )
        for one in FORMATS.values()
    ]
    printout.put_table(printout.listing(("format", "title", "endings", "holds"), rows), layout, output)


def check(
    project: choices.ProjectFile,
    contains: Annotated[
        list[str] | None,
        typer.Option(metavar="HEAD", help="Also: does it still hold what this head of it stood for?"),
    ] = None,
) -> None:
    """Prove a project: structure, pages, hash chain of the events, fold, digests, foreign keys.

    This shows what does not fit together. An event that was forged with all hashes after it, or a session
    that was left out, shows only against a head that was kept elsewhere: `--contains`.

    Example: `annotator check search.annot`
    """
    from annotator.project import maintenance

    noted = ["".join(one.split()).lower() for one in contains or ()]
    for one in noted:
        if not maintenance.is_head(one):
            raise typer.BadParameter(
                "a ledger head has 64 hexadecimal digits, or several times so many with + between them",
                param_hint="--contains",
            )
    with progress.shown("Checking") as watch:
        findings, head, told = maintenance.check(project, watch)
    if told:
        say(told, err=True)
    if findings:
        raise UserError("\n".join(findings))
    say(f"{project} is sound; its ledger head is {head}.")
    lacking = maintenance.missing(project, noted)
    for one in noted:
        if one not in lacking:
            say(f"It holds all that {one} stood for.")
    if lacking:
        raise UserError(
            "\n".join(
                f"{project} does not hold what {one} stood for: that is the head of another project or "
                "copy, or events were changed or left out since."
                for one in lacking
            )
        )


def backup(
    project: choices.ProjectFile,
    output: choices.Output = None,
    listed: Annotated[bool, typer.Option("--list", help="List the backups there are.")] = False,
    restore: Annotated[
        Path | None, typer.Option(help="Put this backup in the project's place; the old file is kept beside.")
    ] = None,
) -> None:
    """Back a project up, list its backups, or restore one.

    Example: `annotator backup search.annot -o stick/search.annot`
    """
    from annotator.project import maintenance

    if restore is not None:
        no_output(output)
        aside = maintenance.restore(restore, project)
        say(f"Restored {project}." + (f" What was there is {aside}." if aside else ""))
        return
    if listed:
        rows = [
            (local_time(1000 * one.time), one.size, str(one.path)) for one in maintenance.backups_of(project)
        ]
        none = f"There is no backup yet; make one: annotator backup {project}"
        printout.put_list(printout.listing(("made", "bytes", "file"), rows), none, Layout.TABLE, output)
        return
    with choices.reading(project) as opened:
        if output is not None:
            maintenance.save_copy(opened, output)
            say(f"Wrote {output}.")
        else:
            made = maintenance.back_up(opened, every_hour=False)
            say(f"Wrote {made.path}." if made else "Nothing changed since the last backup.")


def imports(
    project: choices.ProjectFile,
    undo: Annotated[str | None, typer.Option(help="Take back the import with this name.")] = None,
    layout: choices.LayoutOption = Layout.TABLE,
    output: choices.Output = None,
) -> None:
    """List the imports of a project, or take one back.

    Example: `annotator imports search.annot`
    """
    from annotator.project import maintenance

    if undo is not None:
        no_output(output)
        with progress.opened(project, "Taking back") as (opened, watch):
            say(maintenance.withdraw(opened, undo, watch).said)
        return
    with choices.reading(project) as opened:
        rows = [
            (
                local_time(one.time),
                one.annotator,
                one.source,
                "" if one.in_force else "taken back",
                one.identity,
            )
            for one in maintenance.imports(opened)
        ]
    names = ("time", "annotator", "files", "state", "name")
    printout.put_table(printout.listing(names, rows), layout, output)


def history(
    project: choices.ProjectFile,
    query: Annotated[str | None, typer.Option("--query", "-q", help="Only of this query.")] = None,
    limit: Annotated[int, typer.Option(min=1, metavar="N", help="So many events, newest first.")] = 50,
    layout: choices.LayoutOption = Layout.TABLE,
    output: choices.Output = None,
) -> None:
    """Show what was done: who, what, when, how long; times in this computer's time zone.

    Example: `annotator history search.annot --query q7`
    """

    from annotator.project import browse, history

    with choices.reading(project) as opened:
        key = None if query is None else browse.key_of(opened, query)
        lines = history.history(opened, key, limit=limit)
    rows = [
        (
            local_time(one.time),
            one.annotator,
            one.query_id or "",
            one.said,
            None if one.milliseconds is None else one.milliseconds / 1000,
            "" if one.blind else "unblinded",
        )
        for one in lines
    ]
    head = ("time", "annotator", "query", "what", "seconds", "how")
    printout.put_table(printout.listing(head, rows), layout, output)


def merge(
    first: choices.ProjectFile,
    second: Annotated[Path, typer.Argument(metavar="PROJECT", help="Another copy of the project.")],
    output: Annotated[Path, file_option("The new project file.")],
    unrelated: Annotated[
        bool, typer.Option("--unrelated", help="Also different projects that have no query in common.")
    ] = False,
) -> None:
    """Merge two copies of a project: nothing is dropped; what both changed is listed for adjudication.

    Example: `annotator merge anns.annot bobs.annot -o both.annot`
    """
    from annotator.project import maintenance

    with progress.shown("Merging") as watch:
        merged = maintenance.merge(first, second, output, unrelated, watch)
    say(
        f"Made {output}: {merged.both} events of both, {merged.only_first} of {first.name} alone, "
        f"{merged.only_second} of {second.name} alone."
    )
    for who_said, what in maintenance.brought_in_words(merged):
        say(f"{second.name} brings of {who_said}: {what}")
    for one in merged.conflicts:
        who = f" ({one.annotator})" if one.annotator else ""
        ends = f"kept {maintenance.in_words(one.kept)}, other {maintenance.in_words(one.other)}"
        say(f"conflict: {one.kind} {', '.join(one.subject)}{who}: {ends}")


def recover(
    damaged: Annotated[Path, typer.Argument(metavar="PROJECT", help="The damaged project file.")],
    output: Annotated[
        Path | None,
        file_option("The new project file; without it, nothing is written."),
    ] = None,
) -> None:
    """List what is lost of a damaged project, and write what can be read into a new file.

    Of history, runs and judgments only what is proved is written.

    Example: `annotator recover broken.annot -o saved.annot`
    """
    from annotator.project import maintenance

    with progress.shown("Recovering") as watch:
        tried = maintenance.try_recovery(damaged, watch)
    for one in tried.recovered.lost:
        say(f"lost: {one}")
    saved = ", ".join(counted_plural(count, what) for what, count in tried.recovered.saved.items())
    if output is None:
        tried.drop()
        say(f"Can be saved: {saved}. Nothing was written; -o names the new file.")
    else:
        maintenance.keep(tried, output)
        say(f"Made {output}: {saved}.")


def forget(
    project: choices.ProjectFile,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Remove all that is kept of a project outside of its file: backups, index, the window's choices.

    Example: `annotator forget search.annot`
    """
    from annotator.project import forgetting

    found = forgetting.kept_of(project)
    for path in found.paths:
        say(str(path))
    say(
        f"These, with {found.backups:,} backup(s) of {project} and of its copies, and what the window "
        f"remembers of it, are removed for good. {project} itself stays, and so do copies that you saved."
    )
    if not yes and not typer.confirm("Remove them?", default=False):
        say("Nothing was removed.")
        return
    forgetting.forget(project)
    _forget_in_window(project)
    say("Removed.")


def _forget_in_window(project: Path) -> None:
    """Let the window forget a project, where Qt is installed; else there is no window that remembers it."""
    try:
        from annotator.desktop.preferences import Settings
    except ImportError:
        return
    Settings().forget(project)
