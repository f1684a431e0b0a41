"""The reference: tables in pages of the help, made from what the code declares by `./dev reference`.

The words around the tables are written by hand; a test fails while a table is not what is declared.
"""

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from annotator.commands.program import app
from annotator.formats.registry import FORMATS
from annotator.metrics.catalogue import CATALOGUE
from annotator.metrics.measures import Declaration
from tests.promises import HERE, PROMISES, file_of

FOLDER = Path(__file__).parents[1] / "resources" / "help"

KINDS = ("queries", "documents", "answers", "gold", "runs", "judgments", "nuggets", "support")


def written(name: str) -> str:
    """Return a page of the reference with its first table made anew."""
    lines = (FOLDER / f"{name}.md").read_text("utf-8").splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith("|"))
    end = next((at for at in range(first, len(lines)) if not lines[at].startswith("|")), len(lines))
    head, *rows = TABLES[name]()
    table = [head, "|".join(["", *["---"] * len(head), ""]), *rows]
    made = [line if isinstance(line, str) else f"| {' | '.join(line)} |" for line in table]
    return "\n".join([*lines[:first], *made, *lines[end:]]) + "\n"


def commands() -> dict[str, Any]:
    """Return every command that a user may type, sub-commands as `model list`."""
    found: dict[str, Any] = {}
    group: Any = typer.main.get_command(app)
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            found |= {f"{name} {sub}": one for sub, one in command.commands.items()}
        elif not command.hidden:
            found[name] = command
    return found


def _keys() -> Iterator[tuple[str, ...]]:
    from annotator.desktop.actions import COMMANDS  # the other tables need no Qt

    yield "key", "what it does"
    for one in COMMANDS:
        if one.keys:
            yield " ".join(f"<kbd>{key}</kbd>" for key in one.keys), one.words


def _measures() -> Iterator[tuple[str, ...]]:
    yield "measure", "what it says"
    for one in CATALOGUE:
        yield ", ".join(f"`{form}`" for form in _forms(one)), one.sentence


def _forms(one: Declaration) -> Iterator[str]:
    """Yield how a measure may be written: without what stands after the @ where that has a default."""
    if one.at is None or one.at.default is not inspect.Parameter.empty:
        yield one.key
    if one.at is not None:
        yield f"{one.key}@{one.at.name[0]}"


def _formats() -> Iterator[tuple[str, ...]]:
    yield "format", "key", "holds"
    for one in FORMATS.values():
        yield one.title, f"`{one.key}`", ", ".join(sorted(one.holds, key=KINDS.index))


def _commands() -> Iterator[tuple[str, ...]]:
    yield "command", "what it does"
    yield "`annotator PROJECT`", "Open the window."
    for name, command in commands().items():
        yield f"`annotator {name}`", (command.help or "").partition("\n\n")[0].replace("\n", " ")


def _promises() -> Iterator[tuple[str, ...]]:
    yield "promise", "test"
    for words, tests in PROMISES.items():
        files = dict.fromkeys(file_of(one).relative_to(HERE.parent).as_posix() for one in tests)
        yield words, ", ".join(f"`{one}`" for one in files)


TABLES = {
    "keys": _keys,
    "measures": _measures,
    "formats": _formats,
    "commands": _commands,
    "promises": _promises,
}

if __name__ == "__main__":
    for page in TABLES:
        (FOLDER / f"{page}.md").write_text(written(page), "utf-8")
