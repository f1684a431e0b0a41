"""SQuAD v1.1 and v2 questions: articles, their paragraphs, and questions with answers inside a paragraph.

A question's list of answers is one gold answer: its first text with the other texts as aliases. A paragraph
is a document `<title>/<number>`; the question keeps its paragraph in the field `paragraph`.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from annotator.formats.declaration import Format, Head, Reading, Writing
from annotator.formats.strict_json import Members, Once, compact, json_file
from annotator.formats.text_lines import Problems, refusal
from annotator.formats.whole_files import replacing
from annotator.records import (
    PARAGRAPH,
    Dataset,
    Document,
    GoldAnswer,
    GoldList,
    Json,
    Query,
    as_id,
    id_problem,
)

NO_ANSWER = "is_impossible"


def recognises(head: Head) -> bool:
    """Say whether the file begins as articles with paragraphs."""
    start = head.text[:2_000]
    return start.lstrip().startswith("{") and '"data"' in start and '"paragraphs"' in head.text


def read(path: Path, reading: Reading) -> Dataset:
    """Return questions, gold answers and paragraphs; only v2's mark makes a question unanswerable."""
    problems = Problems(path)
    value = json_file(path, problems, reading)
    if not isinstance(value, dict) or not isinstance(value.get("data"), list):
        raise refusal(path, 'holds no SQuAD questions: an object with "data", a list of articles', 1)
    questions = _Questions(problems)
    for number, article in enumerate(Members(value, problems, 1).items("data"), 1):
        members = Members(article, problems, 1, f"article {number}")
        title = members.text("title", f"article {number}")
        for paragraph in members.items("paragraphs"):
            questions.add_paragraph(title, paragraph)
    problems.check()
    return Dataset(queries=questions.queries, documents=questions.documents, gold=questions.gold)


class _Questions:
    """The questions of a file as they are read."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.queries: list[Query] = []
        self.documents: list[Document] = []
        self.gold: list[GoldList] = []
        self._once = Once("query", problems)
        self._paragraphs: Counter[str] = Counter()

    def add_paragraph(self, title: str, value: Json) -> None:
        """Take the next paragraph of a title with its questions."""
        name = as_id(title)
        self._paragraphs[name] += 1
        identity = f"{name}/{self._paragraphs[name]}"
        members = Members(value, self.problems, 1, f"paragraph {identity!r}")
        context = members.text("context")
        if wrong := id_problem(identity):
            members.wrong(wrong)
        self.documents.append(Document(identity, title, context))
        for number, question in enumerate(members.items("qas"), 1):
            self._add_question(identity, context, number, question)

    def _add_question(self, paragraph: str, context: str, number: int, value: Json) -> None:
        members = Members(value, self.problems, 1, f"question {number} of {paragraph!r}")
        query = Query(members.query_id("id"), members.text("question"), fields={PARAGRAPH: paragraph})
        self._once.check(query.id, 1)
        self.queries.append(query)
        texts: list[str] = []
        span: tuple[int, int] | None = None
        for answer in members.items("answers"):
            one = Members(answer, self.problems, 1, members.where + "answer")
            text, start = one.text("text"), one.place("answer_start")
            if start is not None and context[start : start + len(text)] != text:
                one.wrong(f"{text[:40]!r} does not stand at character {start} of its paragraph")
            if not texts and start is not None:
                span = start, start + len(text)
            texts.append(text)
        texts = list(dict.fromkeys(texts))
        unanswerable = self._mark(members, texts)
        start, end = span or (None, None)
        document = paragraph if span else None
        answers = (GoldAnswer(texts[0], tuple(texts[1:]), document, start, end),) if texts else ()
        self.gold.append(GoldList(query.id, answers, unanswerable))

    def _mark(self, members: Members, texts: list[str]) -> bool:
        mark = members.value.get(NO_ANSWER, False)
        if not isinstance(mark, bool):
            members.wrong(f"{NO_ANSWER!r} is neither true nor false")
        if mark and texts:
            members.wrong("is marked as impossible and has answers; keep one of the two")
        return mark is True


def write(dataset: Dataset, path: Path, writing: Writing) -> None:
    """Write the questions by paragraph, v2 when one of them is unanswerable, else v1.1."""
    gold = {one.query_id: one for one in dataset.gold}
    version = "v2.0" if any(one.unanswerable for one in dataset.gold) else "1.1"
    paragraphs: dict[str, list[Json]] = {}
    for query in dataset.queries:
        answers = gold.get(query.id, GoldList(query.id))
        of = [one.document_id for one in answers.answers if one.document_id]
        paragraph = query.fields.get(PARAGRAPH) or (of[0] if of else "")
        question: dict[str, Json] = {"question": query.text, "id": query.id, "answers": _answers(answers)}
        if version == "v2.0":
            question[NO_ANSWER] = answers.unanswerable
        paragraphs.setdefault(str(paragraph), []).append(question)
    known = {document.id: document for document in dataset.documents}
    articles: dict[str, list[Json]] = {}
    for paragraph in (*known, *(one for one in paragraphs if one not in known)):
        document = known.get(paragraph, Document(paragraph, paragraph.rpartition("/")[0] or paragraph))
        held: Json = {"context": document.text, "qas": paragraphs.get(paragraph, [])}
        articles.setdefault(document.title, []).append(held)
    data = [{"title": title, "paragraphs": held} for title, held in articles.items()]
    with replacing(path, writing.step) as file:
        file.write(compact({"version": version, "data": data}) + "\n")


def _answers(gold: GoldList) -> list[Json]:
    """Return all wordings; the first of each gold answer with its place, if it has one."""
    answers: list[Json] = []
    for answer in gold.answers:
        for text in answer.wordings:
            row: dict[str, Json] = {"text": text}
            if text == answer.text and answer.start is not None and answer.document_id is not None:
                row["answer_start"] = answer.start
            answers.append(row)
    return answers


def details(dataset: Dataset) -> Sequence[str]:
    """Return what of questions and gold answers is lost."""
    lost = []
    several = sum(len(one.answers) > 1 for one in dataset.gold)
    if several:
        lost.append(
            f"SQuAD has one gold answer a question; {several} questions have several, kept as aliases."
        )
    other = sum(bool(one.tags or one.guidelines or set(one.fields) - {PARAGRAPH}) for one in dataset.queries)
    if other:
        lost.append(f"SQuAD cannot hold tags, guidelines and other fields; {other} questions have some.")
    lost.append("SQuAD numbers the paragraphs of a title: other ids of documents are not kept.")
    return lost if dataset.documents != () else lost[:-1]


FORMAT = Format(
    key="squad",
    title="SQuAD questions",
    extensions=(".json",),
    holds=frozenset({"queries", "documents", "gold"}),
    recognises=recognises,
    reader=read,
    writer=write,
    details=details,
)
