"""Quepid: ratings (`query,docid,rating`) and books (`query,docid`, then a column for each judge).

Quepid knows a query by its text, so the text, in one line, is the id. A pair without a rating was not judged.
Of a book with several judges one is read at a time: map the role `grade` to the judge's column.
"""

from pathlib import Path

from annotator.formats import numbers
from annotator.formats.declaration import Format, Head, Reading, Writing
from annotator.formats.delimited import named_rows, write_rows
from annotator.formats.rows import JudgmentRows, query_id_problem
from annotator.formats.text_lines import Problems, refusal
from annotator.formats.whole_files import replacing
from annotator.records import Dataset, Query, as_id, text_problem

HEADER = ("query", "docid", "rating")


def recognises(head: Head) -> bool:
    """Say whether the header begins as Quepid's."""
    return bool(head.lines) and head.lines[0].replace('"', "").lower().startswith("query,docid,")


def read(path: Path, reading: Reading) -> Dataset:
    """Return queries and judgments."""
    problems = Problems(path)
    rows = JudgmentRows(problems)
    queries: dict[str, Query] = {}
    column = ""
    for line, row in named_rows(path, problems, reading, ","):
        column = column or _grades_in(path, list(row), reading)
        cells = {name.lower(): cell for name, cell in row.items()}
        text, document, rating = cells.get("query", ""), cells.get("docid", ""), row[column].strip()
        query = as_id(text)
        if query not in queries and (wrong := query_id_problem(query) or text_problem(text, "query")):
            problems.add(line, wrong)
        queries.setdefault(query, Query(query, text))
        if not rating:
            continue
        value = numbers.decimal(rating)
        if value is None or not value.is_integer():
            problems.add(
                line, f"the rating {rating[:40]!r} is not a whole number; write one or leave it empty"
            )
        else:
            rows.add(query, document, int(value), line)
    table = rows.table(path.name)
    problems.check()
    if not queries:
        raise refusal(path, "holds no ratings below a header of query,docid,rating", 1)
    return Dataset(queries=list(queries.values()), judgments=table if len(rows) else None)


def _grades_in(path: Path, header: list[str], reading: Reading) -> str:
    """Return the column that holds the grades."""
    known = [name for name in header if name.lower() not in HEADER[:2]]
    if not known or len(known) != len(header) - 2:
        raise refusal(path, "needs the columns query, docid and a rating", 1)
    told = reading.mapping.get("grade")
    if told in known:
        return str(told)
    if told is None and len(known) == 1:
        return known[0]
    raise refusal(path, f"holds several judges ({', '.join(known)[:300]}); map grade to one of them", 1)


def write(dataset: Dataset, path: Path, writing: Writing) -> None:
    """Write a row for each judgment, the query by its text where it has one."""
    texts = {one.id: one.text or one.id for one in dataset.queries}
    with replacing(path, writing.step) as file:
        rated = ((texts.get(query, query), document, grade) for query, document, grade in dataset.judged())
        write_rows(file, HEADER, rated, writing)


def details(dataset: Dataset) -> list[str]:
    """Return what of the queries is lost."""
    return lost_by_texts(dataset, "Quepid")


def lost_by_texts(dataset: Dataset, what: str) -> list[str]:
    """Return what is lost where judged queries are known by their texts alone."""
    lost = []
    renamed = sum(one.id != (one.text or one.id) for one in dataset.queries)
    if renamed:
        lost.append(f"{what} knows a query by its text; the ids of {renamed} queries are not kept.")
    unjudged = len({one.id for one in dataset.queries}.difference(query for query, _, _ in dataset.judged()))
    if unjudged:
        lost.append(f"{what} ratings hold judged queries only; {unjudged} queries are left out.")
    if any(one.tags or one.guidelines or one.fields for one in dataset.queries):
        lost.append(f"{what} cannot hold tags, guidelines and other fields of queries.")
    return lost


FORMAT = Format(
    key="quepid",
    title="Quepid ratings or book",
    extensions=(".csv",),
    holds=frozenset({"queries", "judgments"}),
    needs=frozenset({"judgments"}),
    named_by_text=True,
    recognises=recognises,
    reader=read,
    writer=write,
    details=details,
    guards=True,
)
