"""A dataset as the rows of a plain table, one for each thing; `table_rows` reads them."""

from collections.abc import Iterator, Mapping

from annotator.formats.delimited import Cell
from annotator.formats.strict_json import compact
from annotator.formats.table_rows import LIST
from annotator.records import Dataset, Json

QUERY_COLUMNS = ("query_id", "query", "tags", "guidelines", "query_fields")
DOCUMENT_COLUMNS = ("document_id", "title", "text", "document_fields")
ANSWER_COLUMNS = ("query_id", "answer", "passage", "start", "end", "answer_fields")
GOLD_COLUMNS = ("query_id", "gold", "aliases", "gold_document", "gold_start", "gold_end", "unanswerable")
RUN_COLUMNS = ("query_id", "document_id", "answer", "system", "rank", "score")
GRADE_COLUMNS = ("query_id", "document_id", "answer", "grade")


def columns_of(dataset: Dataset) -> list[str]:
    """Return the columns that a dataset's parts need, each once."""
    parts: list[tuple[bool, tuple[str, ...]]] = [
        (bool(dataset.queries), QUERY_COLUMNS),
        (dataset.documents != (), DOCUMENT_COLUMNS),
        (bool(dataset.answers), ANSWER_COLUMNS),
        (bool(dataset.gold), GOLD_COLUMNS),
        (bool(dataset.runs), RUN_COLUMNS),
        (dataset.judgments is not None, GRADE_COLUMNS),
    ]
    needed = [column for present, columns in parts if present for column in columns]
    return list(dict.fromkeys(needed or QUERY_COLUMNS))


def rows_of(dataset: Dataset) -> Iterator[dict[str, Cell]]:
    """Yield a row for each thing: queries, documents, gold answers, answers, rankings, judgments."""
    for query in dataset.queries:
        texts = (query.id, query.text, _list(query.tags), query.guidelines)
        yield dict(zip(QUERY_COLUMNS, (*texts, _object(query.fields)), strict=True))
    for document in dataset.documents:
        texts = (document.id, document.title, document.text, _object(document.fields))
        yield dict(zip(DOCUMENT_COLUMNS, texts, strict=True))
    for gold in dataset.gold:
        if gold.unanswerable:
            yield {"query_id": gold.query_id, "unanswerable": "true"}
        for answer in gold.answers:
            place = (answer.document_id, answer.start, answer.end)
            text = compact([answer.text]) if LIST.match(answer.text) else answer.text
            wordings = (gold.query_id, text, _list(answer.aliases))
            yield dict(zip(GOLD_COLUMNS, (*wordings, *place), strict=False))
    answers = {}
    for one in dataset.answers:
        answers[one.id] = one.text
        if one.text:
            found = (one.passage, one.start, one.end, _object(one.fields))
            yield dict(zip(ANSWER_COLUMNS, (one.query_id, one.text, *found), strict=True))
    for run in dataset.runs:
        ranked = run.score is None or run.order_rule != "score"
        for query_id, candidate, rank, score in run.rows():
            placed = {"system": run.system, "rank": rank if ranked else None, "score": score}
            yield {"query_id": query_id, **_candidate(candidate, answers), **placed}
    for query_id, candidate, grade in dataset.judged():
        yield {"query_id": query_id, **_candidate(candidate, answers), "grade": grade}


def _candidate(identity: str, texts: Mapping[str, str]) -> dict[str, Cell]:
    return {"answer": texts[identity]} if identity in texts else {"document_id": identity}


def _list(texts: tuple[str, ...]) -> str:
    return compact(texts) if texts else ""


def _object(fields: Mapping[str, Json]) -> str:
    return compact(dict(fields)) if fields else ""
