"""All commands: `annotator COMMAND` does one thing and ends.

Exit status: 0 done, 1 a user's error (one clear line on stderr), 2 wrong usage.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from annotator.commands import (
    assign,
    audit,
    classify,
    compare,
    coverage_next,
    evaluate,
    large_jobs,
    model,
    nuggets,
    open_window,
    preferences,
    project_care,
    project_files,
    report_command,
    share,
    systems,
)
from annotator.commands.output import ORIGIN
from annotator.commands.speech import say
from annotator.errors import UserError
from annotator.text.visible import visible

NEAR = 30
"""Letters that are shown on both sides of what cannot be encoded."""


@contextmanager
def usage_shown() -> Iterator[None]:
    """Let what is said of wrong usage show what acts in the words that were typed as marks."""
    try:
        yield
    except Exception as error:
        if isinstance(said := getattr(error, "message", None), str):
            error.message = visible(said)  # type: ignore[attr-defined]
        raise


class Commands(TyperGroup):
    """Commands, with `open` put in front when the first word is a project, and errors as plain lines."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the hidden `open` first unless a command or an option is named."""
        if any("\0" in word for word in args):
            ctx.fail("A word holds the character U+0000, which no path and no name may; remove it.")
        if not args or (args[0] not in self.commands and not args[0].startswith("-")):
            self._refuse_misspelt(ctx, args)
            args = ["open", *args]
        with usage_shown():
            return super().parse_args(ctx, args)

    def _refuse_misspelt(self, ctx: Any, args: list[str]) -> None:
        """End with wrong usage where the first word is no file, and like a command or before other words."""
        if not args or os.path.exists(args[0]):
            return
        near = get_close_matches(args[0], [name for name, one in self.commands.items() if not one.hidden], 1)
        if near or len(args) > 1:
            meant = f"did you mean {near[0]}?" if near else "`annotator --help` lists the commands."
            ctx.fail(f"There is no command {args[0]!r}; {meant}")

    def invoke(self, ctx: Any) -> Any:
        """Run the command; what the user can be told goes to stderr, and the status is 1."""
        ORIGIN.set(())
        try:
            with usage_shown():
                return super().invoke(ctx)
        except UserError as error:
            message = str(error)
        except BrokenPipeError:
            raise
        except UnicodeEncodeError as error:  # bytes of a file's name or a word, which come in as half pairs
            if error.reason != "surrogates not allowed":
                raise
            near = error.object[max(error.start - NEAR, 0) : error.end + NEAR]
            message = f"{near!r} holds bytes that are not UTF-8, so it is no text; name it otherwise."
        except OSError as error:
            message = f"{error.filename or 'a file'}: {error.strerror or error}"
        say(message, err=True)
        raise typer.Exit(1)


class ImportCommand(TyperCommand):
    """The command that imports, whose help lists what the columns of a table can hold."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Read the roles only when they are asked for."""
        from annotator.project.import_preview import roles_in_words

        self.epilog = f"Roles, and names by which their columns are recognised: {roles_in_words()}."
        super().format_help(ctx, formatter)


app = typer.Typer(
    cls=Commands,
    help="Grade search results and predicted answers, and evaluate them exactly.\n\n"
    "`annotator PROJECT` opens the window.",
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    add_completion=False,
)


def _print_version(asked: bool) -> None:
    if asked:
        from annotator.project.version import version

        say(f"annotator {version()}")
        raise typer.Exit


@app.callback()
def _program(
    asked: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version.")
    ] = False,
) -> None: ...


COMMANDS: dict[str, Callable[..., None]] = {
    "new": project_files.new,
    "import": project_files.import_files,
    "dump": project_files.dump,
    "load": project_files.load,
    "sample": project_files.sample,
    "retrieve": systems.retrieve,
    "aggregate": systems.aggregate,
    "evaluate": evaluate.evaluate,
    "partition": large_jobs.partition,
    "gather": large_jobs.gather,
    "explain": evaluate.explain,
    "measures": evaluate.measures,
    "compare": compare.compare,
    "what-if": compare.what_if,
    "nuggets": nuggets.nuggets,
    "preferences": preferences.preferences,
    "agreement": compare.agreement,
    "ranking-effect": compare.ranking_effect,
    "classify": classify.classify,
    "audit": audit.audit,
    "coverage": coverage_next.coverage,
    "next": coverage_next.next_judgments,
    "assign": assign.assign,
    "practice": assign.practice,
    "snapshot": coverage_next.snapshot,
    "report": report_command.report,
    "export": project_care.export,
    "formats": project_care.formats,
    "check": project_care.check,
    "backup": project_care.backup,
    "imports": project_care.imports,
    "history": project_care.history,
    "merge": project_care.merge,
    "share": share.share,
    "join": share.join,
    "recover": project_care.recover,
    "forget": project_care.forget,
}
"""Every command, in the order of `annotator --help`."""

CLASSES = {"import": ImportCommand}

app.command("open", hidden=True)(open_window.open_window)
for name, command in COMMANDS.items():
    app.command(name, cls=CLASSES.get(name))(command)
app.add_typer(model.app, name="model")
