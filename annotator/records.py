"""The plain values that travel between the packages: frozen, validated, free of any library.

Ids are opaque external strings. Offsets are counted in code points. Times are UTC milliseconds.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
Fields = Mapping[str, Json]

ID_BYTES = 1_024
TEXT_BYTES = 16_000_000
MEAN_ID = "all"

UNFIT = {
    False: re.compile("[\x00-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]"),
    True: re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]"),
}
"""What no text may hold, of one line or (True) of several: control characters, halves of surrogate pairs."""

State = Literal["graded", "skipped", "cannot_tell"]
AnnotatorKind = Literal["person", "model", "import"]


def id_problem(text: str) -> str | None:
    """Say what makes a text unusable as an external id, or None when it is fine."""
    if not text:
        return "an id is empty; give every row an id"
    if len(text.encode("utf-8", "surrogatepass")) > ID_BYTES:
        return f"an id is longer than {ID_BYTES} bytes; shorten it"
    return text_problem(text, "id", lines=False)


def as_id(text: str, lines: bool = False) -> str:
    """Return a text in one line, to name something by: what no id may hold becomes a space.

    With `lines` it keeps its lines, and so is a text that can be stored.
    """
    return text if text.isprintable() else UNFIT[lines].sub(" ", text)


def text_problem(text: str, what: str, lines: bool = True) -> str | None:
    """Say what makes a text unusable (control characters, lone surrogates, too long), or None."""
    if len(text) > TEXT_BYTES // 4 and len(text.encode("utf-8", "surrogatepass")) > TEXT_BYTES:
        return f"the {what} is longer than {TEXT_BYTES // 1_000_000} MB; split it"
    found = None if text.isprintable() else UNFIT[lines].search(text)
    if found is None:
        return None
    if "\ud800" <= found[0] <= "\udfff":
        return f"the {what} holds half a surrogate pair at position {found.start()}; save the file as UTF-8"
    code = ord(found[0])
    return f"the {what} holds the control character U+{code:04X} at position {found.start()}; remove it"


def answer_id(query_id: str, text: str) -> str:
    """Return the external id of a predicted answer: it follows from the query's id and the text."""
    digest = hashlib.sha256(f"{query_id}\0{text}".encode("utf-8", "surrogatepass")).hexdigest()
    return f"answer:{digest[:16]}"


PARAGRAPH = "paragraph"
"""The field of a query that names the document which its answers are taken from."""


@dataclass(frozen=True, slots=True)
class Query:
    """What was asked: a search query or a question."""

    id: str
    text: str
    tags: tuple[str, ...] = ()
    guidelines: str = ""
    fields: Fields = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Document:
    """A document, shared by the queries; title and text may be missing."""

    id: str
    title: str = ""
    text: str = ""
    fields: Fields = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    """A predicted answer to one query; the empty text is a valid answer.

    `passage[start:end]` is the answer's text where the passage is known. A generated answer has what it
    cites in its fields: `references`, the ids of documents, and `sentences`, each with `start` and `end` in
    the text and its `citations`, ids of documents, in the order of the file.
    """

    query_id: str
    text: str
    passage: str = ""
    start: int | None = None
    end: int | None = None
    fields: Fields = field(default_factory=dict)

    @property
    def id(self) -> str:
        """The external id, the same in every project."""
        return answer_id(self.query_id, self.text)


@dataclass(frozen=True, slots=True)
class GoldAnswer:
    """An accepted answer with its other wordings, and the span it was selected from, if any."""

    text: str
    aliases: tuple[str, ...] = ()
    document_id: str | None = None
    start: int | None = None
    end: int | None = None

    @property
    def wordings(self) -> tuple[str, ...]:
        """The text and its aliases, the text first."""
        return (self.text, *self.aliases)


@dataclass(frozen=True, slots=True)
class GoldList:
    """The gold answers of one query, most preferred first, or the mark that there is none."""

    query_id: str
    answers: tuple[GoldAnswer, ...] = ()
    unanswerable: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class RunTable:
    """One system's rankings over many queries, as columns: no object per row.

    Rows stand in ranking order within a query and queries stand together. `query` and `candidate` index
    into the two id lists; `score` may be NaN-free float64 or None when only the order is known.
    `ids_of_answers` says that candidates are predicted answers (their ids are `answer:…`).
    """

    system: str
    query_ids: Sequence[str]
    candidate_ids: Sequence[str]
    query: "NDArray[np.int32]"
    candidate: "NDArray[np.int32]"
    rank: "NDArray[np.int32]"
    score: "NDArray[np.float64] | None" = None
    source: str = ""
    order_rule: Literal["score", "given"] = "score"
    ids_of_answers: bool = False

    def rows(self) -> Iterator[tuple[str, str, int, float | None]]:
        """Yield (query id, candidate id, rank, score) of each row, in the run's order."""
        scores: list[float] | list[None] = (
            [None] * len(self.query) if self.score is None else self.score.tolist()
        )
        columns = (self.query.tolist(), self.candidate.tolist(), self.rank.tolist(), scores)
        for query, candidate, rank, score in zip(*columns, strict=True):
            yield self.query_ids[query], self.candidate_ids[candidate], rank, score

    def ranking(self, query_id: str) -> list[str]:
        """Return the ids of one query's candidates in the run's order, none for a query that is not here."""
        if query_id not in self.query_ids:
            return []
        rows = (self.query == self.query_ids.index(query_id)).nonzero()[0]
        return [self.candidate_ids[one] for one in self.candidate[rows].tolist()]


@dataclass(frozen=True, slots=True, eq=False)
class LongRun:
    """One system's run that is not held as a whole: tables of whole queries, read anew whenever asked for."""

    system: str
    rows: int
    pieces: Iterable[RunTable]
    source: str = ""
    order_rule: Literal["score", "given"] = "score"


@dataclass(frozen=True, slots=True, eq=False)
class JudgmentTable:
    """Imported judgments as columns; `grade` holds the file's own whole numbers until a rule maps them.

    `line` says where in its file each stands, where that is known; `model` is the name of the model that made
    them, where the file gives one.
    """

    query_ids: Sequence[str]
    candidate_ids: Sequence[str]
    query: "NDArray[np.int32]"
    candidate: "NDArray[np.int32]"
    grade: "NDArray[np.int64]"
    source: str = ""
    line: "NDArray[np.int64] | None" = None
    model: str = ""


@dataclass(frozen=True, slots=True)
class AnswerParts:
    """What a line of a file says of the parts of one answer, or which nuggets a query has.

    Whose answer: the one with the text `answer`, the candidate called `document`, or else what `system` ranks
    first. `nuggets` are (text, importance, level or None). `citations` are (sentence, its place among those
    of the answer from 0, id of the passage, level); -1 is not judged, a sentence without any has one of "".
    `model` is who said so, where the file names a model.
    """

    file: str
    line: int
    query_id: str
    system: str = ""
    answer: str | None = None
    document: str = ""
    nuggets: tuple[tuple[str, str, int | None], ...] = ()
    citations: tuple[tuple[str, int, str, int], ...] = ()
    model: str = ""


@dataclass(frozen=True, slots=True)
class Dataset:
    """What one or several files hold, and what a project can be exported as.

    `long_runs` are there only where a reader was asked for runs in pieces. `people` are the judgments of a
    file by several people, by their names, instead of `judgments`. `said` are nuggets, and what is said of
    the parts of answers. `also` names what else a project has, which no file takes. `notes` are sentences for
    the person who imports ("12 texts were repeated in one n-best list").
    """

    queries: Sequence[Query] = ()
    documents: Iterable[Document] = ()
    answers: Sequence[Answer] = ()
    gold: Sequence[GoldList] = ()
    runs: Sequence[RunTable] = ()
    judgments: JudgmentTable | None = None
    notes: tuple[str, ...] = ()
    long_runs: Sequence[LongRun] = ()
    people: Mapping[str, JudgmentTable] = field(default_factory=dict)
    said: Sequence[AnswerParts] = ()
    also: frozenset[str] = frozenset()

    def judged(self) -> Iterator[tuple[str, str, int]]:
        """Yield (query id, candidate id, grade) of each judgment, in their order."""
        if (table := self.judgments) is not None:
            columns = (table.query.tolist(), table.candidate.tolist(), table.grade.tolist())
            for query, candidate, grade in zip(*columns, strict=True):
                yield table.query_ids[query], table.candidate_ids[candidate], grade
