"""The names that people's scripts, notebooks and files rest on; `python -m tests.stable_names` records them.

What the record holds must stay; what is added passes, and is recorded before a version is published.
"""

import hashlib
import inspect
import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import typer
from typer.testing import CliRunner

from annotator import api
from annotator.commands.program import app
from annotator.formats.registry import FORMATS
from annotator.formats.table_columns import ROLES
from annotator.metrics.catalogue import CATALOGUE, PRESETS
from annotator.metrics.conventions import CONVENTIONS
from annotator.places import place
from annotator.project import segments
from annotator.storage.file import access, layout
from annotator.tasks import TASKS

RECORD = Path(__file__).with_suffix(".txt")

TABLES = (
    "evaluate -m P@5",
    "evaluate -m P@5 --per-query",
    "evaluate -m P@5 --by-tag",
    "evaluate -m P@5 --difficulty",
    "evaluate -m P@5 --estimates",
    "explain -m nDCG@10 --system hybrid --query s03",
    "compare -m P@5",
    "compare -m P@5 --by-tag",
    "compare -m P@5 -m AP --correlation spearman",
    "compare -m P@5 --difference 0.02",
    "compare --overlap 0.9",
    "agreement",
    "ranking-effect",
    "coverage -m P@5",
    "coverage -m P@5 --per-query",
    "next -s full-text -s hybrid",
    "what-if -s full-text -s hybrid -m P@5",
    "assign",
    "practice",
    "snapshot",
    "history",
    "audit",
)
"""Commands whose CSV has columns of its own, for the sample of site search."""


RESULTS = {"Picture", "Scores"}
"""Classes that people get from a function and do not make themselves."""


def recorded() -> list[str]:
    """Return the recorded names, one a line."""
    return RECORD.read_text("utf-8").splitlines()


def names() -> list[str]:
    """Return the names as they are now, sorted within each kind."""
    kinds = (_python, _commands, _csv, _json, _vocabulary, _project_file, _text_twin, _shared_place)
    return [line for kind in kinds for line in sorted(set(kind()))]


def _python() -> Iterator[str]:
    for name in api.__all__:
        one = getattr(api, name)
        yield f"python api.{name}"
        if inspect.isclass(one):
            yield from (f"python api.{name} is a {base.__name__}" for base in one.__mro__[1:-1])
            for key, value in inspect.getmembers(one):
                if not key.startswith("_") and not hasattr(Exception, key):
                    yield f"python api.{name}.{key}"
                    if inspect.isfunction(value):
                        yield from _parameters(f"api.{name}.{key}", value)
            if name not in RESULTS and not issubclass(one, BaseException):
                yield from _parameters(f"api.{name}", one)
        else:
            yield from _parameters(f"api.{name}", one)


def _parameters(name: str, called: Callable[..., Any]) -> Iterator[str]:
    parameters = [one for one in inspect.signature(called).parameters.values() if one.name != "self"]
    required = [one.name for one in parameters if one.default is one.empty]
    yield f"python {name} requires {', '.join(required) or 'nothing'}"
    for at, one in enumerate(parameters, 1):
        where = "by name" if one.kind is one.KEYWORD_ONLY else f"number {at}"
        default = "" if one.default is one.empty else f", else {one.default!r}"
        yield f"python {name} takes {one.name} {where}{default}"


def _commands() -> Iterator[str]:
    root: Any = typer.main.get_command(app)
    yield from _command("annotator", root)


def _command(name: str, command: Any) -> Iterator[str]:
    yield f"command {name}"
    words = [one for one in command.params if one.param_type_name == "argument"]
    required = [_called(one) for one in command.params if one.required]
    yield f"command {name} requires {', '.join(required) or 'nothing'}"
    for at, one in enumerate(words, 1):
        yield f"command {name} takes word {at} {_called(one)}"
    for one in command.params:
        if one not in words:
            kind = "" if one.is_flag else " with a value"
            kind += "" if one.default in (None, False) else f", else {one.default}"
            yield from (f"command {name} {option}{kind}" for option in (*one.opts, *one.secondary_opts))
        yield from (
            f"command {name} {one.name} may be {choice}" for choice in getattr(one.type, "choices", ())
        )
    for sub, inner in getattr(command, "commands", {}).items():
        yield from _command(f"{name} {sub}", inner)


def _called(parameter: Any) -> str:
    return (
        str(parameter.metavar or parameter.name)
        if parameter.param_type_name == "argument"
        else parameter.name
    )


def _csv() -> Iterator[str]:
    runner = CliRunner()
    with tempfile.TemporaryDirectory() as folder:
        project = f"{folder}/town.annot"
        assert runner.invoke(app, ["sample", "site-search", "-o", project]).exit_code == 0
        for words in TABLES:
            name, *options = words.split()
            result = runner.invoke(app, [name, project, *options, "--format", "csv"])
            assert result.exit_code == 0, f"{words}: {result.output}"
            columns = result.stdout.partition("\n")[0]
            yield from (f"csv of annotator {words}: {column}" for column in columns.split(","))


def _json() -> Iterator[str]:
    schema = json.loads((place("resources") / "report.schema.json").read_text("utf-8"))
    yield f"json is an {schema['properties']['schema']['const']}"
    yield from _properties("report", schema)
    for name, part in schema["$defs"].items():
        yield from _properties(name, part)


def _properties(name: str, part: dict[str, Any]) -> Iterator[str]:
    yield f"json {name}: {part.get('type') or part.get('$ref') or 'some values'}"
    yield from (f"json {name} may be {value}" for value in part.get("enum", ()))
    yield from (f"json {name}.{key} is always there" for key in part.get("required", ()))
    for key, inner in part.get("properties", {}).items():
        yield from _properties(f"{name}.{key}", inner)
    if "items" in part:
        yield from _properties(f"{name}[]", part["items"])


def _vocabulary() -> Iterator[str]:
    for one in CATALOGUE:
        yield f"measure {one.key}"
        yield from (f"measure {one.key} {inner.name}, else {inner.default!r}" for inner in one.named)
    for name, measures in PRESETS.items():
        yield from (f"preset {name} has {measure}" for measure in measures)
    yield from (f"convention {one.key}" for one in CONVENTIONS)
    yield from (f"role of a column {one}" for one in ROLES)
    for known in FORMATS.values():
        yield f"format {known.key}"
        yield from (f"format {known.key} holds {what}" for what in known.holds)


def _project_file() -> Iterator[str]:
    for version in range(1, access.VERSION + 1):
        for name, sql in layout.recorded(version).items():
            digest = hashlib.sha256(sql.encode()).hexdigest()[:12]
            yield f"file of version {version}: {name} is {digest}"
    known = {hashlib.sha256(layout.description().encode()).hexdigest(), *layout.EARLIER_DESCRIPTIONS}
    yield from (f"file may bear the description {digest[:12]}" for digest in known)
    for task in TASKS.values():
        yield f"task {task.name}"
        yield from (f"task {task.name} has the mark {mark.name}" for mark in task.marks)


def _text_twin() -> Iterator[str]:
    for file in sorted((place("sample_projects")).glob("*/**/*.jsonl")):
        kind = file.parent.name if file.parent.name in ("runs", "judgments") else file.stem
        for line in file.read_text("utf-8").splitlines():
            yield from (f"dump {kind}: {key}" for key in json.loads(line))


def _shared_place() -> Iterator[str]:
    for kind in (segments.SEGMENT, segments.MANIFEST, segments.PROJECT):
        yield f"shared place holds {kind.pattern}"


if __name__ == "__main__":
    RECORD.write_text("".join(f"{line}\n" for line in names()), "utf-8")
