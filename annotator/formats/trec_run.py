"""TREC run: one retrieved document a line, `query Q0 document rank score tag`; the tag names the system.

The order is that of trec_eval 10: score descending as doubles, then document id descending by UTF-8 bytes;
the rank column is not read, nor is what stands behind the tag. A line that begins with # is a comment. A file
may hold several systems, one after the other or mixed, told apart by tag.
"""

import contextlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from annotator.errors import UserError
from annotator.formats import numbers
from annotator.formats.blanks import (
    ITERATIONS,
    JSON,
    Comments,
    cannot_stand,
    columns,
    misfit,
    most_rows_fit,
    refuse_blanks,
)
from annotator.formats.column_scanner import Odd
from annotator.formats.declaration import Format, Head, Reading, Writing
from annotator.formats.judged_pairs import QueryNumbers
from annotator.formats.rows import RunRows, replaced_scores, with_ordering_scores
from annotator.formats.scanned_runs import ScannedRun
from annotator.formats.text_lines import Problems, Reread, byte_lines, refusal
from annotator.formats.whole_files import replacing
from annotator.records import Dataset, LongRun, RunTable, id_problem

COLUMNS = "query, Q0, document, rank, score and tag"


def has_columns(head: Head) -> bool:
    """Say whether most of the first lines have six columns or more, the fifth a number or the second Q0."""

    def fits(row: list[str]) -> bool:
        return len(row) >= 6 and (row[1] in ITERATIONS or numbers.decimal(row[4]) is not None)

    return most_rows_fit(head, fits)


def recognises(head: Head) -> bool:
    """Say whether it has a run's columns, and ranks in the fourth as far as can be seen."""
    return has_columns(head) and not without_ranks(head)


def without_ranks(head: Head) -> str:
    """Return why the fourth column of the first lines cannot hold ranks, else "": one is given twice.

    A row that comes again with the same document is a mistake of its own, and one number in all rows is what
    tools write that know that nobody reads it. Rows without a whole number or a score are not looked at.
    """
    found = (row[:6] for row in map(columns, head.lines) if len(row) >= 6)
    rows = [one for one in found if numbers.whole(one[3]) is not None and numbers.decimal(one[4]) is not None]
    if len({row[3] for row in rows}) == 1:
        return ""
    seen: dict[tuple[str, ...], str] = {}
    for query, _, document, rank, _, tag in rows:
        other = seen.setdefault((query, tag, rank), document)
        if other != document:
            return f"{rank} stands for {other[:60]!r} and for {document[:60]!r} of query {query[:60]!r}"
    return ""


def read(path: Path, reading: Reading) -> Dataset:
    """Return one run for each tag; `reading.system` renames the only one.

    A file with one tag and nothing odd is read by columns, any other line by line; in pieces only where the
    rows of each query stand together.
    """
    if reading.in_pieces:
        with contextlib.suppress(Odd):
            return Dataset(long_runs=[_in_pieces(path, reading)])
    with contextlib.suppress(Odd):
        return Dataset(runs=[ScannedRun(QueryNumbers(())).table(path, reading)])
    return read_plainly(path, reading)


def _in_pieces(path: Path, reading: Reading) -> LongRun:
    """Return a run that is read from its file whenever asked for; raises Odd where it cannot be."""
    run = ScannedRun(QueryNumbers(()))
    rows: list[int] = []

    def first() -> Iterator[None]:
        for table in run.tables(path, reading):
            rows.append(len(table.query))
            yield

    again = Reread.checked(path, first(), lambda: ScannedRun(QueryNumbers(())).tables(path, Reading()))
    return LongRun(reading.system or run.tag.decode("utf-8"), sum(rows), again, path.name)


def read_plainly(path: Path, reading: Reading) -> Dataset:
    """Return the runs line by line; raises InputError with the places that cannot be taken."""
    problems = Problems(path)
    systems: dict[bytes, RunRows] = {}
    tag, rows, comments = b"", RunRows(problems, ""), Comments()
    for number, query, document, score, of in plain_rows(path, problems, comments, reading):
        if of != tag:
            tag = of
            if tag not in systems:
                systems[tag] = RunRows(problems, name_of(tag, number, problems))
            rows = systems[tag]
        rows.add(query, document, score, number)
    if reading.system is not None and len(systems) == 1:
        rows.system = reading.system
    runs = [one.by_score(path.name) for one in systems.values()]
    if reading.system is not None and len(runs) > 1:
        tags = ", ".join(run.system for run in runs[:5])
        problems.add(1, f"holds {len(runs)} systems ({tags}), so one name does not do; leave --system out")
    problems.check()
    if not runs:
        raise refusal(path, f"holds no ranking; each line needs {COLUMNS}", 1)
    return Dataset(runs=runs, notes=comments.notes(path.name))


def plain_rows(
    path: Path, problems: Problems, comments: Comments, reading: Reading
) -> Iterator[tuple[int, bytes, bytes, float, bytes]]:
    """Yield (line, query, document, score, tag) of every row; what cannot be taken becomes a problem."""
    for number, line in byte_lines(path, problems, reading):
        parts = line.split(None, 6)
        if not parts or comments.take(parts, 6):
            continue
        if len(parts) < 6 or (len(parts) > 6 and _shifted(parts)) or parts[0].startswith(JSON):
            problems.add(number, *misfit(line, parts, 6, COLUMNS))
            continue
        score = numbers.decimal(parts[4])
        if score is None:
            problems.add(number, wrong_score(parts[4]), line.rfind(parts[4], 0, line.rfind(parts[5])) + 1)
            continue
        yield number, parts[0], parts[2], score, parts[5]


def _shifted(parts: list[bytes]) -> bool:
    """Say whether a long line looks as if an id with a blank had shifted its columns."""
    return numbers.whole(parts[3]) is None or numbers.decimal(parts[5]) is not None


def wrong_score(token: bytes) -> str:
    """Return what is wrong with a score that is not a finite number."""
    shown = token.decode("utf-8", "replace")[:40]
    return f"the score {shown!r} is not a finite number; mend the system's output"


def name_of(tag: bytes, line: int, problems: Problems) -> str:
    """Return a tag as a system's name, after naming what is wrong with it."""
    name = tag.decode("utf-8", "replace")
    wrong = "the tag is not UTF-8; save the file as UTF-8" if "\ufffd" in name else id_problem(name)
    if wrong:
        problems.add(line, wrong)
    return name


def write(dataset: Dataset, path: Path, writing: Writing) -> None:
    """Write every run, one after the other; 1/rank stands where the scores do not give the run's order."""
    tags = [tag_of(run.system) for run in dataset.runs]
    if twice := sorted({tag for tag in tags if tags.count(tag) > 1}):
        raise UserError(f"Two systems would be called {twice[0]} in a TREC file; export one of them alone.")
    for run in dataset.runs:
        refuse_blanks(run.query_ids, run.candidate_ids)
    with replacing(path, writing.step) as file:
        for run in dataset.runs:
            file.writelines(lines_of(run))


def lines_of(run: RunTable) -> Iterator[str]:
    """Yield a run's lines in its order."""
    for query, candidate, rank, score in with_ordering_scores(run).rows():
        assert score is not None
        yield f"{query} Q0 {candidate} {rank} {numbers.shown(score)} {tag_of(run.system)}\n"


def tag_of(system: str) -> str:
    """Return a system's name as it stands in a file whose columns blanks separate."""
    return "".join("_" if cannot_stand(char) else char for char in system)


def changed(dataset: Dataset) -> list[str]:
    """Return what is lost of the runs: names with blanks, and scores that give another order."""
    return [*renamed(run.system for run in dataset.runs), *replaced_scores(dataset)]


def renamed(systems: Iterable[str]) -> list[str]:
    """Say in a sentence each which systems have another name in a file whose columns blanks separate."""
    return [
        f"The system {one!r} is called {tag_of(one)}: blanks cannot stand in its name."
        for one in systems
        if tag_of(one) != one
    ]


FORMAT = Format(
    key="trec-run",
    title="TREC run",
    extensions=(".run", ".txt"),
    holds=frozenset({"runs"}),
    recognises=recognises,
    reader=read,
    writer=write,
    details=changed,
)
