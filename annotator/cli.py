"""The command line: `annotator PROJECT` opens the window, `annotator COMMAND` does one thing and ends.

Exit status: 0 done, 1 a user's error (one clear line on stderr), 2 wrong usage.
"""

import sys
from typing import Any

import typer
from typer.core import TyperGroup

from annotator.commands import (
    classifying,
    comparing,
    covering,
    evaluating,
    keeping,
    making,
    modelling,
    opening,
    reporting,
    systems,
)
from annotator.errors import UserError


class Commands(TyperGroup):
    """Commands, with `open` put in front when the first word is a project, and errors as plain lines."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the hidden `open` first unless a command or an option is named."""
        if not args or (args[0] not in self.commands and not args[0].startswith("-")):
            args = ["open", *args]
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run the command; what the user can be told goes to stderr, and the status is 1."""
        try:
            return super().invoke(ctx)
        except UserError as error:
            message = str(error)
        except BrokenPipeError:
            raise
        except OSError as error:
            message = f"{error.filename or 'a file'}: {error.strerror or error}"
        typer.echo(message, err=True)
        raise typer.Exit(1)


app = typer.Typer(
    cls=Commands,
    help="Grade search results and predicted answers, and evaluate them exactly.\n\n"
    "`annotator PROJECT` opens the window.",
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    add_completion=False,
)
for module in (
    opening,
    making,
    systems,
    evaluating,
    comparing,
    classifying,
    covering,
    reporting,
    keeping,
    modelling,
):
    module.register(app)


def main() -> None:
    """Run the program with the words of the command line."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    app(prog_name="annotator")


if __name__ == "__main__":
    main()
