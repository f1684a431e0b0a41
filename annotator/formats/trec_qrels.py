"""TREC qrels: one judgment a line, `query iteration document grade`, separated by blanks or tabs.

A line that begins with # is a comment.
"""

from pathlib import Path

from annotator.formats import numbers
from annotator.formats.blanks import ITERATIONS, Comments, columns_found, most_rows_fit, refuse_blanks
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
    problems = Problems(path)
    rows, comments = JudgmentRows(problems), Comments()
    for number, line in byte_lines(path, problems, reading):
        parts = line.split(None, 4)
        if not parts or comments.take(parts, 4):
            continue
        if len(parts) != 4:
            columns = columns_found(parts, 4)
            problems.add(number, f"{columns} where {COLUMNS} should stand; ids cannot hold blanks")
            continue
        grade = numbers.whole(parts[3])
        if grade is None:
            shown = parts[3].decode("utf-8", "replace")[:40]
            problems.add(
                number, f"the grade {shown!r} is not a whole number; write one", line.rfind(parts[3]) + 1
            )
            continue
        rows.add(parts[0], parts[2], grade, number)
    table = rows.table(path.name)
    problems.check()
    if not len(rows):
        raise refusal(path, f"holds no judgments; each line needs {COLUMNS}", 1)
    return Dataset(judgments=table, notes=comments.notes(path.name))


def write(dataset: Dataset, path: Path, writing: Writing) -> None:
    """Write the judgments in their order."""
    table = dataset.judgments
    if table is not None:
        refuse_blanks(table.query_ids, table.candidate_ids)
    with replacing(path, writing.step) as file:
        file.writelines(f"{query} 0 {candidate} {grade}\n" for query, candidate, grade in dataset.judged())


FORMAT = Format(
    key="trec-qrels",
    title="TREC qrels",
    extensions=(".qrels", ".txt"),
    holds=frozenset({"judgments"}),
    recognises=recognises,
    reader=read,
    writer=write,
)
