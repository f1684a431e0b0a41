"""Every format there is, found by its module; which one a file is; several files as one dataset."""

import contextlib
import importlib
import pkgutil
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from annotator import formats
from annotator.errors import InputError, Problem, UserError
from annotator.formats import trec_run
from annotator.formats.beside import table_of
from annotator.formats.column_scanner import Odd
from annotator.formats.declaration import Format, Head, Reading
from annotator.formats.hits import RunHits, hits_of_run, hits_of_table
from annotator.formats.judged_pairs import Qrels, qrels_of, qrels_of_table
from annotator.formats.merged_datasets import join
from annotator.formats.parquet_runs import hits_of_parquet
from annotator.formats.strict_json import parse
from annotator.formats.text_lines import Problems, beginning, open_bytes, unreadable
from annotator.records import Dataset
from annotator.watch import UNWATCHED, Watch


def _declared() -> Mapping[str, Format]:
    """Return the formats by key, in the order of their keys, the plain tables last."""
    declarations = []
    for module in pkgutil.iter_modules(formats.__path__, f"{formats.__name__}."):
        declared = getattr(importlib.import_module(module.name), "FORMAT", None)
        if isinstance(declared, Format):
            declarations.append(declared)
    declarations.sort(key=lambda one: (one.rows is not None, one.key))  # many files match a plain table
    return {one.key: one for one in declarations}


FORMATS: Mapping[str, Format] = _declared()

SMALL = 1_000_000
LONGEST_MAGIC = 16
MOST_SHOWN = 20
ROWS_IN_A_LIST = re.compile(r"\[\s*\{")
FOR_EXCEL = re.compile(r"sep=[^\r\n]?", re.IGNORECASE)
OLD_EXCEL = b"\xd0\xcf\x11\xe0"
"""How files of Microsoft's programs began before 2007."""


def format_named(key: str) -> Format:
    """Return the format of a key; raises UserError that lists the keys there are."""
    if key not in FORMATS:
        raise UserError(f"There is no format named {key!r}. Known are: {', '.join(FORMATS)}.")
    return FORMATS[key]


def sniff(path: Path) -> Format | None:
    """Return the format a file or folder is in, judged by its beginning, or None when it matches none.

    Raises InputError for what cannot be text at all.
    """
    if path.is_dir():
        return next((one for one in FORMATS.values() if one.folder and one.recognises(_folder(path))), None)
    if binary := _by_magic(path):
        return binary
    head = Head(path.name.lower(), beginning(path))
    if table_of(head.name, head.text):
        return None
    return next((one for one in FORMATS.values() if one.recognises(head)), None)


def _by_magic(path: Path) -> Format | None:
    """Return the binary format that a file's first bytes name; raises UserError where it cannot be read."""
    if not path.is_file():  # reading a pipe would wait for its writer
        return None
    try:
        with path.open("rb") as file:
            start = file.read(LONGEST_MAGIC)
    except OSError as error:
        raise unreadable(path, error) from error
    return next((one for one in FORMATS.values() if one.magic and start.startswith(one.magic)), None)


def _folder(path: Path) -> Head:
    """Return a folder's listing as a head: its text is the names of its files."""
    return Head(f"{path.name}/", "".join(f"{one.name}\n" for one in sorted(path.iterdir())))


def read_file(path: Path, reading: Reading = Reading(), wanted: str = "") -> Dataset:
    """Return what a file holds, in the format that its content is taken for; raises InputError.

    Six columns that may be a run or judgments are in the format that is `wanted`.
    """
    return format_taken_for(path, wanted=wanted).read(path, reading)


def joined(read: Sequence[tuple[Format, Dataset]]) -> Dataset:
    """Return what several files hold as one dataset; raises UserError when two judge the same pair."""
    together = join([dataset for _, dataset in read])
    return replace(together, notes=tuple(dict.fromkeys(together.notes)))


def read_each(
    paths: Sequence[Path],
    key: str | None = None,
    reading: Reading | None = None,
    each: Mapping[Path, tuple[str | None, Reading]] = MappingProxyType({}),
) -> list[tuple[Format, Dataset]]:
    """Return the format that each file was taken for, and what it holds.

    `key` names the format of all of them; without it each is recognised by its content. `each` says it for
    single files instead. Raises InputError with the problems of all files.
    """
    of_all = key, reading or Reading()
    tried = [try_file(path, *each.get(path, of_all)) for path in paths]
    read = [one for one in tried if not isinstance(one, InputError)]
    if len(read) < len(tried):
        raise all_problems([one for one in tried if isinstance(one, InputError)])
    return read


def try_file(path: Path, key: str | None, reading: Reading) -> tuple[Format, Dataset] | InputError:
    """Return the format that a file was taken for, and what it holds, or why it cannot be taken."""
    try:
        taken_for = format_named(key) if key else format_taken_for(path, reading.mapping)
        return taken_for, taken_for.read(path, reading)
    except InputError as error:
        return error


def all_problems(errors: Sequence[InputError]) -> InputError:
    """Return the problems of several files as one error."""
    return InputError([one for error in errors for one in error.problems], sum(one.more for one in errors))


def qrels_in(path: Path, watch: Watch = UNWATCHED) -> Qrels:
    """Return the judgments of a file in any format, for evaluation; TREC qrels go the fast way."""
    taken_for = format_taken_for(path, wanted="judgments")
    if taken_for.key == "trec-qrels":
        return qrels_of(path, watch)
    found = taken_for.read(path, Reading(watch=watch))
    table = found.judgments
    if found.people:
        names = ", ".join(found.people)[:300]
        raise UserError(f"{path} holds the judgments of several people ({names}); give those of one.")
    if table is None:
        raise UserError(f"{path} holds no judgments ({taken_for.title}); give a file of qrels.")
    return qrels_of_table(table)


def hits_in(path: Path, qrels: Qrels, watch: Watch = UNWATCHED) -> list[RunHits]:
    """Return the judged hits of every system in a file of any format; TREC and Parquet go fast ways."""
    taken_for = format_taken_for(path, wanted="trec-run")
    if taken_for.key == "trec-run":
        return hits_of_run(path, qrels, watch)
    if taken_for.key == "parquet":
        with contextlib.suppress(Odd):
            return hits_of_parquet(path, qrels)
    runs = taken_for.read(path, Reading(watch=watch)).runs
    if not runs:
        raise UserError(f"{path} holds no ranking ({taken_for.title}); give a run file.")
    return [hits_of_table(run, qrels) for run in runs]


def format_taken_for(
    path: Path, columns: Mapping[str, str] = MappingProxyType({}), wanted: str = ""
) -> Format:
    """Return the format a file is in; a plain table, whatever its header says, where columns are told.

    Six columns that may be a run or judgments are what is wanted of them.
    """
    recognised = sniff(path)
    if recognised is None and wanted and _run_or_judgments(path):
        return FORMATS[wanted]
    if recognised is None and columns and path.is_file():
        return FORMATS["jsonl" if beginning(path).startswith("{") else "csv"]
    if recognised is None:
        raise InputError(unknown(path))
    return recognised


def _run_or_judgments(path: Path) -> str:
    """Return a question where six columns may be a run's or hold judgments, else ""."""
    head = Head(path.name.lower(), beginning(path)) if path.is_file() else None
    why = trec_run.without_ranks(head) if head and trec_run.has_columns(head) else ""
    return why and (
        f"has the six columns of a TREC run, but no ranks in the fourth: {why}. Say whether it holds "
        "judgments (--as judgments) or a run whose ranks have no meaning (--as trec-run)"
    )


def unknown(path: Path) -> list[Problem]:
    """Return what is told of a file in no format: what it looks most like, and where it breaks."""
    if path.is_dir():
        folders = " or ".join(one.title for one in FORMATS.values() if one.folder)
        return [Problem(str(path), None, None, f"is a folder, but not of {folders}; give the files in it")]
    start = beginning(path, SMALL) if path.is_file() else "folder"
    if table := table_of(path.name, start):
        told = f"says where {table} comes from, and holds nothing to import; leave it out"
        return [Problem(str(path), None, None, told)]
    if not start:
        return [Problem(str(path), None, None, "is empty; give a file that holds something")]
    if "\0" in start:
        return [Problem(str(path), None, None, f"is {_no_text(path)}")]
    if why := _run_or_judgments(path):
        return [Problem(str(path), None, None, why)]
    if ROWS_IN_A_LIST.match(start):
        return [
            Problem(str(path), None, None, "is a JSON list of rows; write each object in a line of its own")
        ]
    if found := FOR_EXCEL.match(start):
        told = f"{found[0]!r} is a word for Excel alone; remove this line"
        return [Problem(str(path), 1, None, told)]
    title, problems = _nearest(path)
    if not problems and len(start) < SMALL and start.lstrip()[:1] in ("{", "[") and "\n{" not in start:
        wrong = Problems(path)
        parse(start, wrong)
        title, problems = "JSON", wrong.named
    if not problems and path.name.lower().endswith((".csv", ".tsv")):
        try:
            FORMATS["csv"].read(path)
        except InputError as error:
            return list(error.problems)
    known = f"it looks most like {title}, but:" if problems else f"known are {', '.join(FORMATS)}"
    message = f"is in no format known here (an import may be told which it is); {known}"
    return [Problem(str(path), None, None, message), *problems]


def _no_text(path: Path) -> str:
    """Return what a file is that is no text in UTF-8, as far as can be seen, and what to do."""
    with open_bytes(path) as file:
        start = file.read(64)
    if start.startswith(OLD_EXCEL):
        return "a workbook of old Excel (.xls); save it as .xlsx, or as CSV in UTF-8"
    if start.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) or any(start[::2]) != any(start[1::2]):
        return "text in UTF-16; save it in UTF-8, which spreadsheets call CSV UTF-8"
    return "no text; give a text file in UTF-8"


def _nearest(path: Path) -> tuple[str, Sequence[Problem]]:
    """Return the title of the format in which most lines of a small file stand, and the places that do not.

    Without these places it has to be recognised as such a file. Nothing is returned where it is not, in any
    format, or for a large file.
    """
    most, title, problems = 0, "", tuple[Problem, ...]()
    start = beginning(path, SMALL + 1) if path.is_file() else ""
    if len(start.encode()) > SMALL:  # unpacked, as it is read
        return title, problems
    lines = start.split("\n")
    for one in FORMATS.values():
        if one.magic:
            continue
        try:
            one.read(path)
        except InputError as error:
            bad = {problem.line for problem in error.problems}
            rest = [line for at, line in enumerate(lines, 1) if line.strip() and at not in bad]
            good = 0 if bad & {None} or bad == {1} else len(rest) - error.more
            if good > most and one.recognises(Head(path.name.lower(), "\n".join(rest) + "\n")):
                most, title, problems = good, one.title, error.problems[:MOST_SHOWN]
        except UserError:
            continue
    return title, problems
