"""TREC qrels: one judgment a line, `query iteration document grade`, separated by blanks or tabs.

A line that begins with # is a comment.
"""

from pathlib import Path

from annotator.formats import numbers
from annotator.formats.blanks import ITERATIONS, JSON, Comments, misfit, most_rows_fit, refuse_blanks
from annotator.formats.declaration import Format, Head, Reading, Writing
from annotator.formats.rows import JudgmentRows
from annotator.formats.text_lines import Problems, byte_lines, refusal
from annotator.formats.whole_files import replacing
from annotator.records import Dataset

COLUMNS = "query, iteration, document and grade"


def recognises(head: Head) -> bool:
    """Say whether most of the first lines have four columns, the last a whole number or the second 0."""

    def fits(row: list[str]) -> bool:
        return len(row) == 4 and (row[1] in ITERATIONS or numbers.whole(row[3]) is not None)

    return most_rows_fit(head, fits)


def read(path: Path, reading: Reading) -> Dataset:
    """Return the judgments with the file's own grades."""
    return read_columns(path, reading, COLUMNS, 4)


def read_columns(path: Path, reading: Reading, names: str, width: int) -> Dataset:
    """Return the judgments of lines with so many columns; what stands in a sixth is the same in all lines."""
    problems = Problems(path)
    rows, comments = JudgmentRows(problems), Comments()
    tag: list[bytes] | None = None
    for number, line in byte_lines(path, problems, reading):
        parts = line.split(None, width)
        if not parts or comments.take(parts, width):
            continue
        if len(parts) != width or parts[0].startswith(JSON):
            problems.add(number, *misfit(line, parts, width, names))
            continue
        grade = numbers.whole(parts[3])
        tag = parts[5:] if tag is None else tag
        if grade is None:
            shown = parts[3].decode("utf-8", "replace")[:40]
            column = len(line) - len(line.split(None, 3)[3]) + 1
            problems.add(number, f"the grade {shown!r} is not a whole number; write one", column)
        elif parts[5:] != tag:
            tags = " and of ".join(repr(one.decode("utf-8", "replace")[:60]) for one in (tag[0], parts[5]))
            problems.add(number, f"holds judgments of {tags}; import those of each tag as a file of its own")
        else:
            rows.add(parts[0], parts[2], grade, number)
    table = rows.table(path.name)
    problems.check()
    if not len(rows):
        raise refusal(path, f"holds no judgments; each line needs {names}", 1)
    return Dataset(judgments=table, notes=comments.notes(path.name))


def write(dataset: Dataset, path: Path, writing: Writing) -> None:
    """Write the judgments in their order."""
    write_columns(dataset, path, writing, "0")


def write_columns(dataset: Dataset, path: Path, writing: Writing, iteration: str, rest: str = "") -> None:
    """Write a line for each judgment, with `rest` behind the grade."""
    table = dataset.judgments
    if table is not None:
        refuse_blanks(table.query_ids, table.candidate_ids)
    with replacing(path, writing.step) as file:
        lines = dataset.judged()
        file.writelines(
            f"{query} {iteration} {candidate} {grade}{rest}\n" for query, candidate, grade in lines
        )


FORMAT = Format(
    key="trec-qrels",
    title="TREC qrels",
    extensions=(".qrels", ".txt"),
    holds=frozenset({"judgments"}),
    recognises=recognises,
    reader=read,
    writer=write,
)
