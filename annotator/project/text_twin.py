"""The text twin: a project as a folder of plain, sorted text, and back.

It is what the samples are stored as, what people put under version control, and the canonical hash. A dump of
a load of a dump is the same, byte for byte.
"""

import hashlib
import json
import re
import sqlite3
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from annotator import unfinished
from annotator.errors import DamagedError, ProjectError, UserError
from annotator.formats.declaration import refuse_odd
from annotator.formats.whole_files import folder_for, replacing, replacing_all
from annotator.project.project import Project
from annotator.project.settings import refuse_unfit, setting
from annotator.records import RunTable
from annotator.storage.care import integrity
from annotator.storage.content import plain_rows, rebuild
from annotator.storage.reads import holdings
from annotator.storage.store import Store
from annotator.watch import UNWATCHED, Watch

FORMAT = 1
HEAD = "project.toml"
FOLDERS = ("runs", "judgments")
STOPPED = "The export was stopped; the file is what it was before."
Value = Mapping[str, Any]
Content = TypeVar("Content")


def dump(
    project: Project,
    folder: Path,
    named: bool = True,
    watch: Watch = UNWATCHED,
) -> str:
    """Write a project as text and return its canonical hash.

    The folder is made, or was a dump before: what it held then is replaced. Unless `named`, people are called
    annotator 1, 2 and so on; what they typed stays. Raises UserError for a folder with anything else in it,
    DamagedError when the project does not match its own hashes, ProjectError when it changed meanwhile, and
    Stopped; the folder is then what it was.
    """
    there = set(folder.iterdir()) if folder.is_dir() else set()
    if there.difference(unfinished.there(folder)) and not (folder / HEAD).is_file():
        raise UserError(f"{folder} holds something else already; name a new folder.")
    project.store.prove(watch=watch)
    digests: dict[str, str] = {}
    head = project.store.head()
    before = [old for sub in FOLDERS for old in (folder / sub).glob("*.jsonl")]
    with project.store.reading() as db, replacing_all(folder, HEAD, before) as new:
        watch = watch.saying(STOPPED)
        parts = dict(_parts(project.store, db, named))
        for done, (name, lines) in enumerate(parts.items()):
            watch.step(done, len(parts), name)
            digests[name] = _written(new / name, lines, lambda _: watch.look())
        if project.store.head() != head:
            raise ProjectError("The project was changed while it was being written as text; write it again.")
    return hashlib.sha256(
        "".join(f"{name}\0{digests[name]}\n" for name in sorted(digests)).encode()
    ).hexdigest()


def load(folder: Path, path: Path, watch: Watch = UNWATCHED) -> Project:
    """Make a project file from a dump and return it open; raises UserError for what is no dump.

    A dump that was changed by hand so that it does not fold to its own gold answers, or whose events and
    digests do not agree, is refused with DamagedError, and no file is left.
    """
    head = _head(folder)
    try:
        with (
            Store.create(path, identity=head["identity"], created=head["created"]) as store,
            store.writing(checked=False) as db,
        ):
            steps = ("events", "queries", "documents", "answers", "runs", "judgments")
            watch.step(0, len(steps), "events")
            keys = rebuild.put_events(db, map(plain_rows.event_of, _events(folder / "events.jsonl")))
            rebuild.put_queries(db, keys, _with_import(folder / "queries.jsonl", plain_rows.query_of))
            rebuild.put_documents(db, keys, _with_import(folder / "documents.jsonl", plain_rows.document_of))
            rebuild.put_answers(db, keys, _with_import(folder / "answers.jsonl", plain_rows.answer_of))
            for file in sorted((folder / "runs").glob("*.jsonl")):
                run_head, run = _run(file)
                rebuild.put_run(db, keys, run_head["import"], run, run_head["sha256"])
            for file in sorted((folder / "judgments").glob("*.jsonl")):
                first, *rows = _lines(file)
                grades = ((row["query"], row["grades"]) for row in rows)
                rebuild.put_imported(db, keys, first["import"], grades)
            rebuild.put_named(db, map(plain_rows.event_of, _events(folder / "events.jsonl")))
            rebuild.finish(db)
            if list(plain_rows.gold(db)) != list(_lines(folder / "gold.jsonl")):
                raise DamagedError(f"{folder / 'gold.jsonl'} is not what the events come to; restore it.")
            findings = integrity.check(db)
            if findings:
                raise DamagedError(f"{folder} was changed, so it cannot be trusted: {findings[0]}.")
    except (KeyError, TypeError, ValueError, sqlite3.IntegrityError) as error:
        raise UserError(f"{folder} is not a complete dump of a project: {error}.") from error
    return Project(Store.open_new(path))


def _parts(store: Store, db: sqlite3.Connection, named: bool) -> Iterator[tuple[str, Iterable[str]]]:
    """Yield every file of the twin with its lines."""
    yield HEAD, _head_lines(store, setting(db, "name"), setting(db, "about"))
    for name, rows in (
        ("queries", plain_rows.queries(db)),
        ("documents", plain_rows.documents(db)),
        ("answers", plain_rows.answers(db)),
        ("gold", plain_rows.gold(db)),
        ("events", plain_rows.ledger(db, named)),
    ):
        yield f"{name}.jsonl", map(_line, rows)
    order = {
        key: at for at, (key,) in enumerate(db.execute("SELECT id FROM run ORDER BY event, id").fetchall())
    }
    runs = sorted(holdings.runs(db, current_only=False), key=lambda run: order[run.key])
    for number, run in enumerate(runs, 1):
        lines = chain([plain_rows.run_head(run)], plain_rows.rankings(db, run.key))
        yield f"runs/{number:04d}-{_safe(run.name)}.jsonl", map(_line, lines)
    for number, (event, identity) in enumerate(plain_rows.imports_with_judgments(db), 1):
        lines = chain([{"import": identity}], plain_rows.imported(db, event))
        yield f"judgments/{number:04d}.jsonl", map(_line, lines)


def _head_lines(store: Store, name: str, about: str) -> list[str]:
    return [
        "# An Annotator project as text; `annotator load` makes a project file from this folder.\n",
        f"format = {FORMAT}\n",
        f"identity = {_quoted(store.identity)}\n",
        f"created = {store.created}\n",
        "# For people; what counts stands in events.jsonl.\n",
        f"name = {_quoted(name)}\n",
        f"about = {_quoted(about)}\n",
    ]


def _line(value: Value) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "), allow_nan=False) + "\n"


def _quoted(text: str) -> str:
    """Return a text as TOML writes it: JSON's escapes are TOML's."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _safe(name: str) -> str:
    """Return a name that every file system takes and that stays inside its folder."""
    return re.sub(r"[^A-Za-z0-9._-]+", "_", name)[:60].strip(".") or "run"


def _written(path: Path, lines: Iterable[str], step: Callable[[int], None]) -> str:
    """Write a file as a whole and return the SHA-256 of its content."""
    folder_for(path.parent)
    digest = hashlib.sha256()
    with replacing(path, step) as file:
        for line in lines:
            digest.update(line.encode())
            file.write(line)
    return digest.hexdigest()


def read_head(folder: Path) -> dict[str, Any]:
    """Return what a dump says of itself; raises UserError for what is no dump, or one of a newer version."""
    refuse_odd(folder / HEAD)
    try:
        head = tomllib.loads((folder / HEAD).read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise UserError(f"{folder} is no dump of a project: it holds no {HEAD}.") from None
    except OSError as error:
        raise UserError(f"{folder / HEAD} cannot be read: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise UserError(f"{folder} is no dump of a project: {HEAD} cannot be read ({error}).") from error
    if head.get("format") != FORMAT:
        raise UserError(
            f"{folder} was written by another version of Annotator (format {head.get('format')})."
        )
    return head


def _head(folder: Path) -> dict[str, Any]:
    head = read_head(folder)
    if not isinstance(head.get("identity"), str) or not isinstance(head.get("created"), int):
        raise UserError(f"{folder / HEAD} lacks the project's identity or its time; restore it.")
    return head


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the values of a file of JSON lines; raises UserError that names a line that is none."""
    refuse_odd(path)
    try:
        with path.open(encoding="utf-8", newline="\n") as file:
            for number, line in enumerate(file, 1):
                try:
                    value = json.loads(line)
                except (ValueError, RecursionError) as error:
                    raise UserError(f"{path}:{number}: {error}; restore this line.") from error
                if not isinstance(value, dict):
                    raise UserError(f"{path}:{number}: is no JSON object; restore this line.")
                yield value
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}.") from error


def _events(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the events of a dump; raises UserError that names the place of a setting that cannot be."""
    for number, value in enumerate(_lines(path), 1):
        if value["task"] == "setting" and value.get("after") is not None:
            try:
                refuse_unfit("".join(value["subject"]), value["after"])
            except UserError as error:
                column = path.read_text("utf-8").split("\n")[number - 1].index('"after"') + 1
                raise UserError(f"{path}:{number}:{column}: {error}") from error
        yield value


def _with_import(file: Path, made: Callable[[Value], Content]) -> Iterator[tuple[str, Content]]:
    """Yield the content of a file's lines, each behind the identity of the import that brought it."""
    known = file.stem != "queries"
    return ((value["import"] if known else value.get("import", ""), made(value)) for value in _lines(file))


def _run(path: Path) -> tuple[dict[str, Any], RunTable]:
    """Return what a run's file says of it, and its rankings as columns."""
    head, *rows = _lines(path)
    return head, plain_rows.run_of(head, rows)
