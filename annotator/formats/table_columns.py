"""What the columns of a plain table hold: the roles, the names they go by, and a guess from a header."""

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from annotator.errors import UserError

ROLES: Mapping[str, tuple[str, ...]] = {
    "query_id": ("qid", "topic", "topicid", "questionid"),
    "query": ("question", "querytext", "searchterm", "keywords"),
    "tags": (),
    "guidelines": (),
    "query_fields": (),
    "document_id": ("docid", "doc", "document", "docno", "pid", "corpusid", "passageid", "candidate"),
    "title": ("documenttitle",),
    "text": ("documenttext", "body", "content", "snippet"),
    "document_fields": (),
    "answer": ("prediction", "predictedanswer", "predictiontext"),
    "passage": ("context",),
    "start": ("answerstart",),
    "end": ("answerend",),
    "answer_fields": (),
    "gold": ("goldanswer", "correctanswer", "expectedanswer", "reference"),
    "aliases": ("goldaliases",),
    "gold_document": (),
    "gold_start": (),
    "gold_end": (),
    "unanswerable": ("isimpossible",),
    "system": ("run", "model", "engine"),
    "rank": ("position",),
    "score": ("similarity",),
    "grade": ("rating", "relevance", "label", "judgment", "rel"),
}
"""Role -> other names a column may have, in lower case without blanks, hyphens and underscores."""

FIELD, REST = "field:", "*"
"""`field:url` is the role of a document's field `url`; `field:*` takes all columns without a role (`*`)."""


BEIR_QRELS = {"query-id", "corpus-id", "score"}


def mapping_of(header: Iterable[str], told: Mapping[str, str], name: str = "") -> dict[str, str]:
    """Return role -> column: as told, else guessed from the names; raises UserError for what is not there.

    A role that is told to be in the column "" is in none, whatever the names say. A table with queries but no
    ids for them uses the text as the id. `id` names the document where there is a title or a text, else the
    query. In BEIR's layout of tables, as on Hugging Face, `score` is a grade, and `text` beside `_id` that of
    a query where the `name` of file or folder says so.
    """
    columns = list(header)
    if not told and set(columns) == BEIR_QRELS:
        told = {"grade": "score"}
    if not told and {"_id", "text"} <= set(columns) <= {"_id", "title", "text"} and "quer" in name.lower():
        told = {"query_id": "_id", "query": "text", "document_id": "", "title": "", "text": ""}
    for role, column in told.items():
        if role not in ROLES and not role.startswith(FIELD):
            listed = f"Roles are: {', '.join(ROLES)}, and {FIELD}NAME for a field of the documents."
            raise UserError(f"There is no role {role!r} for a column{_meant(role, ROLES)}. {listed}")
        if column and column not in columns and (role, column) != (FIELD + REST, REST):
            listed = f"Columns are: {', '.join(columns)[:500]}."
            raise UserError(f"There is no column {column!r}{_meant(column, columns)}. {listed}")
    plain = {re.sub(r"[\s_-]", "", column.lower()): column for column in columns}
    mapping = {role: column for role, column in told.items() if column}
    taken = set(mapping.values())
    for role, others in ROLES.items():
        for name in (role.replace("_", ""), *others):
            if role not in mapping and role not in told and name in plain and plain[name] not in taken:
                mapping[role] = plain[name]
                taken.add(plain[name])
    if "id" in plain and plain["id"] not in taken:
        role = "document_id" if {"title", "text"} & mapping.keys() else "query_id"
        if role not in told:
            mapping.setdefault(role, plain["id"])
    if "query_id" not in mapping and "query" in mapping:
        mapping["query_id"] = mapping["query"]
    return mapping


def _meant(word: str, words: Iterable[str]) -> str:
    known = {one.lower(): one for one in words}
    near = get_close_matches(word.lower(), known, 1)
    return f" (did you mean {known[near[0]]!r}?)" if near else ""


def is_header(line: str) -> bool:
    """Say whether a line names columns between tabs, which make something of the rows below it."""
    return "\t" in line and is_table(line.split("\t"))


def is_table(header: Iterable[str]) -> bool:
    """Say whether a header names enough to make something of its rows."""
    roles = mapping_of(header, {}).keys()
    return "query_id" in roles or ("document_id" in roles and bool({"title", "text"} & roles))
