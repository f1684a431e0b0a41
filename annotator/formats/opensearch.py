"""OpenSearch judgment lists, as the Search Relevance Workbench takes and gives them.

`judgmentRatings` holds, for each `query`, a list of `ratings` with `docId` and `rating`; it may stand within
the answer of the server to a request for a list. The query's text, in one line, is its id. Ratings are
numbers or texts, `"3.000"`; decimals, as models and clicks give them, need a rule. Source:
docs.opensearch.org, "Judgments" of the Search Relevance Workbench.
"""

from pathlib import Path

from annotator.formats.declaration import Format, Head, Reading, Writing
from annotator.formats.grade_words import GradeWords
from annotator.formats.jsonl_rows import cell_of
from annotator.formats.quepid import lost_by_texts
from annotator.formats.rows import JudgmentRows, query_id_problem
from annotator.formats.strict_json import Members, compact, json_file
from annotator.formats.text_lines import Problems, refusal
from annotator.formats.whole_files import replacing
from annotator.records import Dataset, Json, Query, as_id

RATINGS = "judgmentRatings"


def recognises(head: Head) -> bool:
    """Say whether it is an object that names ratings of judgments."""
    return head.text.lstrip().startswith("{") and f'"{RATINGS}"' in head.text


def read(path: Path, reading: Reading) -> Dataset:
    """Return queries and judgments; raises InputError with the places that cannot be taken."""
    problems = Problems(path)
    held = _list_in(json_file(path, problems, reading))
    if held is None:
        raise refusal(path, f"holds no {RATINGS}, or those of several lists; give one list", 1)
    rows, words = JudgmentRows(problems), GradeWords(reading.words)
    queries: dict[str, Query] = {}
    for number, one in enumerate(Members(held, problems, 1).items(RATINGS), 1):
        of = Members(one, problems, 1, f"query {number}")
        query = Query(as_id(of.text("query")), of.text("query"))
        if wrong := query_id_problem(query.id):
            of.wrong(wrong)
        if query.id in queries:
            of.wrong(f"the query {query.id[:60]!r} is given twice; keep one")
        queries[query.id] = query
        for place, rated in enumerate(of.items("ratings"), 1):
            members = Members(rated, problems, 1, f"query {number}, rating {place}")
            cell = cell_of(members.value.get("rating"))
            grade, wrong = words.grade(cell, 1)
            if grade is None:
                members.wrong(wrong or "has no rating; write one")
            else:
                rows.add(query.id, members.id("docId"), grade, 1, words.is_word(grade))
    words.ask(path, problems)
    table = rows.table(path.name)
    problems.check()
    if not queries:
        raise refusal(path, f"holds no {RATINGS}", 1)
    others = [name for name in held if name != RATINGS]
    left_out = f"{path.name}: left out, as judgments have no place for them: {', '.join(others)}."
    return Dataset(list(queries.values()), judgments=table, notes=(left_out,) if others else ())


def _list_in(value: Json) -> dict[str, Json] | None:
    """Return the one object with ratings in a value, also within the hits of a server's answer."""
    if isinstance(value, dict):
        if isinstance(value.get(RATINGS), list):
            return value
        return _list_in(value.get("hits", value.get("_source")))
    return _list_in(value[0]) if isinstance(value, list) and len(value) == 1 else None


def write(dataset: Dataset, path: Path, writing: Writing) -> None:
    """Write a request that imports the list, the queries by their texts where they have one."""
    texts = {one.id: one.text or one.id for one in dataset.queries}
    by_query: dict[str, list[Json]] = {}
    for query, document, grade in dataset.judged():
        rated: Json = {"docId": document, "rating": f"{grade}.000"}
        by_query.setdefault(texts.get(query, query), []).append(rated)
    with replacing(path, writing.step) as file:
        file.write('{"name":"Judgments","description":"","type":"IMPORT_JUDGMENT","judgmentRatings":[')
        for at, (text, ratings) in enumerate(by_query.items()):
            file.write((",\n" if at else "\n") + compact({"query": text, "ratings": ratings}))
        file.write("\n]}\n")


def details(dataset: Dataset) -> list[str]:
    """Return what of the queries is lost."""
    return lost_by_texts(dataset, "OpenSearch")


FORMAT = Format(
    key="opensearch",
    title="OpenSearch judgment list",
    extensions=(".json",),
    holds=frozenset({"queries", "judgments"}),
    needs=frozenset({"judgments"}),
    named_by_text=True,
    recognises=recognises,
    reader=read,
    writer=write,
    details=details,
)
