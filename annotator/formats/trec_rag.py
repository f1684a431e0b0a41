"""Generated answers of TREC RAG, one a line of JSON, and its topics, in the layouts of 2024 and of 2025.

| 2024 | `run_id`, `topic_id`, `topic`, `references`, `response_length`, `answer` |
| 2025 | `metadata` with `run_id`, `narrative_id` and `narrative`, `references`, `answer` |
| topics of 2025 | `id`, `title` or `narrative`; where both stand, the narrative is the query |

`answer` is a list of sentences, each with `text` and `citations`: places in `references`, counted from 0,
or ids that stand there. References and citations may be objects, whose names are the ids. The sentences,
joined by blanks, are the predicted answer; what they cite stands in its fields (see `Answer`). Source: TREC
2024 and 2025 RAG Track Guidelines (trec-rag.github.io); castorini/ragnarok, `check_trec_rag25_gen.py`.

The organisers of 2024 wrote what a model said of the citations beside the answer: `support_eval`, for each
sentence `answer`, `citations`, `count`, `eval_scores` (`FS`, `PS`, `NS` of the first few citations,
null where it said none of these) and `MODEL_responses` (`support_evaluation_gpt4o.py`).
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from annotator.formats.declaration import Format, Head, Reading, Writing
from annotator.formats.msmarco import QUERY_WORDS
from annotator.formats.rows import RunRows
from annotator.formats.strict_json import Members, Once, compact, json_lines, parse
from annotator.formats.text_lines import Problems, refusal
from annotator.formats.whole_files import replacing
from annotator.records import Answer, AnswerParts, Dataset, Json, Query

LAYOUT = 'holds no answers; each line needs an object with "answer" and "topic_id", or "metadata"'
SUPPORT = "support_eval"
SCORES = {"FS": 2, "PS": 1, "NS": 0, None: -1}
RESPONSES = "_responses"
TAKEN_OF_SUPPORT = ("answer", "citations", "count", "eval_scores")
TAKEN = ("run_id", "topic_id", "topic", "references", "answer", "metadata", "text", "citations", SUPPORT)
TAKEN_2025 = ("run_id", "narrative_id", "narrative")
SENTENCES, REFERENCES, CITATIONS = "sentences", "references", "citations"


def recognises(head: Head) -> bool:
    """Say whether the first line is an answer in one of the layouts, or a topic in a file named so."""
    first = head.lines[0] if head.lines else ""
    value = parse(first, Problems(Path(head.name))) if first.startswith("{") else None
    if not isinstance(value, dict):
        return False
    named = any(word in head.name for word in QUERY_WORDS)
    return (
        _is_answer(value)
        or {"id", "narrative"} <= value.keys() <= {"id", "title", "narrative"}
        or (named and value.keys() == {"id", "title"})
    )


def _is_answer(value: dict[str, Json]) -> bool:
    return isinstance(value.get("answer"), list) and (
        "topic_id" in value or isinstance(value.get("metadata"), dict)
    )


def read(path: Path, reading: Reading) -> Dataset:
    """Return answers and the ranking of each system, or topics; raises InputError."""
    problems = Problems(path)
    first = next((value for _, value in json_lines(path, problems, Reading())), None)
    problems.check()
    if first is None:
        raise refusal(path, LAYOUT, 1)
    if "answer" not in first and "id" in first:
        return _topics(path, reading)
    answers = _Answers(problems, reading.system)
    for line, value in json_lines(path, problems, reading):
        answers.add(Members(value, problems, line))
    if reading.system is not None and len(answers.runs) > 1:
        problems.add(1, f"holds {len(answers.runs)} systems, so one name does not do; leave --system out")
    runs = [run.by_rank(path.name, answers=True) for run in answers.runs.values()]
    problems.check()
    left_out = f"{path.name}: left out, as answers have no place for them: {', '.join(answers.others)}."
    return Dataset(
        [Query(query, text) for query, text in answers.topics.items() if text],
        answers=answers.answers,
        runs=runs,
        said=answers.said,
        notes=(left_out,) if answers.others else (),
    )


def _topics(path: Path, reading: Reading) -> Dataset:
    problems = Problems(path)
    once, queries = Once("query", problems), []
    others: dict[str, None] = {}
    for line, value in json_lines(path, problems, reading):
        members = Members(value, problems, line)
        text = "narrative" if "narrative" in value else "title"
        others |= dict.fromkeys(name for name in value if name not in ("id", text))
        query = Query(members.query_id("id"), members.text(text))
        once.check(query.id, line)
        queries.append(query)
    problems.check()
    notes = (
        (f"{path.name}: left out, as a topic has no place for them: {', '.join(others)}.",) if others else ()
    )
    return Dataset(queries, notes=notes)


class _Answers:
    """Answers as they are read; `others` are the names of members that are not taken."""

    def __init__(self, problems: Problems, system: str | None) -> None:
        self._problems = problems
        self._system = system
        self.answers: list[Answer] = []
        self.said: list[AnswerParts] = []
        self.topics: dict[str, str] = {}
        self.runs: dict[str, RunRows] = {}
        self.others: dict[str, None] = {}
        self._answered: set[tuple[str, str]] = set()

    def add(self, members: Members) -> None:
        """Take one line."""
        of, identity, text = members, "topic_id", "topic"
        self._note(members, TAKEN)
        if "metadata" in members.value:
            of = Members(members.value["metadata"], self._problems, members.line, "metadata")
            identity, text = "narrative_id", "narrative"
            self._note(of, TAKEN_2025, "metadata.")
        run, query, topic = of.id("run_id"), of.query_id(identity), of.text(text, "")
        if self.topics.setdefault(query, topic) != topic:
            of.wrong(f"the topic {query[:60]!r} was stated otherwise before; keep one")
        if (run, query) in self._answered:
            members.wrong(f"{run[:60]!r} answers the topic {query[:60]!r} twice; keep one")
            return
        self._answered.add((run, query))
        if "answer" not in members.value:
            members.wrong("'answer' is missing; give it as [...]")
        answer = Answer(query, *self._sentences(members))
        self.answers.append(answer)
        rows = self.runs.setdefault(run, RunRows(self._problems, self._system or run))
        rows.add(query, answer.id, 1, members.line)
        if SUPPORT in members.value:
            self._add_support(members, run, answer)

    def _add_support(self, members: Members, run: str, answer: Answer) -> None:
        """Take what a model said of the citations of an answer."""
        references, placed = cited_by(answer)
        texts = [answer.text[start:end] for start, end, _ in placed if start < end]
        cited, at, models = list[tuple[str, int, str, int]](), 0, set[str]()
        for number, one in enumerate(members.items(SUPPORT), 1):
            judged = Members(one, self._problems, members.line, f"{SUPPORT} {number}")
            models |= {name.removesuffix(RESPONSES) for name in judged.value if name.endswith(RESPONSES)}
            others = (name for name in judged.value if not name.endswith(RESPONSES))
            self.others |= dict.fromkeys(
                f"{SUPPORT}.{name}" for name in others if name not in TAKEN_OF_SUPPORT
            )
            if not (text := judged.text("answer")):
                continue
            if text not in texts[at:]:
                judged.wrong(f"{text[:60]!r} is no sentence of the answer that comes next")
                continue
            at = texts.index(text, at) + 1
            names, scores = list(_cited(judged, references)), judged.items("eval_scores")
            if len(scores) > len(names):
                judged.wrong(f"has {len(scores)} scores of {len(names)} citations")
            for name, score in zip(names, scores, strict=False):
                if not isinstance(score, str | None) or score not in SCORES:
                    judged.wrong(f"the score {compact(score)[:40]} is none of FS, PS, NS, null")
                else:
                    cited.append((text, at - 1, name, SCORES[score]))
        if len(models) > 1:
            members.wrong(f"{SUPPORT} is of several models ({', '.join(sorted(models))}); import each apart")
        where = self._problems.file, members.line or 0, answer.query_id, self._system or run
        model = "".join(models) if len(models) == 1 else ""
        self.said.append(AnswerParts(*where, answer.text, citations=tuple(cited), model=model))

    def _sentences(self, members: Members) -> tuple[str, str, None, None, dict[str, Json]]:
        """Return the text of an answer, no passage, and what it cites."""
        references = list(_ids(members, REFERENCES, "reference"))
        text, sentences = "", list[Json]()
        for number, one in enumerate(members.items("answer"), 1):
            sentence = Members(one, self._problems, members.line, f"sentence {number}")
            self._note(sentence, TAKEN, "answer.")
            start = len(text) + bool(text)
            text = f"{text} {sentence.text('text')}" if text else sentence.text("text")
            cited = cast("list[Json]", list(_cited(sentence, references)))
            sentences.append({"start": start, "end": len(text), CITATIONS: cited})
        fields: dict[str, Json] = {SENTENCES: sentences, REFERENCES: cast("list[Json]", references)}
        return text, "", None, None, fields if text and (references or len(sentences) > 1) else {}

    def _note(self, members: Members, taken: tuple[str, ...], within: str = "") -> None:
        self.others |= dict.fromkeys(within + name for name in members.value if name not in taken)


def _ids(members: Members, name: str, what: str) -> Iterator[str]:
    """Yield the ids of a list, or the names of an object; each id once."""
    value = members.value.get(name)
    seen: set[str] = set()
    for one in value if isinstance(value, dict) else members.items(name):
        identity = Members({what: one}, members.problems, members.line, members.where.removesuffix(": ")).id(
            what
        )
        if identity in seen:
            members.wrong(f"the {what} {identity[:60]!r} is given twice; keep one")
        seen.add(identity)
        yield identity


def _cited(sentence: Members, references: list[str]) -> Iterator[str]:
    """Yield the ids that a sentence cites, by their places or by themselves."""
    value = sentence.value.get(CITATIONS)
    for one in value if isinstance(value, dict) else sentence.items(CITATIONS):
        if isinstance(one, int) and not isinstance(one, bool):
            if 0 <= one < len(references):
                yield references[one]
            else:
                sentence.wrong(f"cites number {one} of {len(references)} references, counted from 0")
        elif isinstance(one, str) and one in references:
            yield one
        else:
            sentence.wrong(f"cites {compact(one)[:60]}, which is none of its references")


def write(dataset: Dataset, path: Path, writing: Writing) -> None:
    """Write the best answer of each system to each query as in 2024; without any, the topics."""
    topics = {one.id: one.text for one in dataset.queries}
    answers = {one.id: one for one in dataset.answers}
    judged = {(one.query_id, one.answer): one for one in dataset.said if one.citations}
    with replacing(path, writing.step) as file:
        for run in dataset.runs:
            for query, candidate, rank, _ in run.rows():
                if run.ids_of_answers and rank == 1:
                    head = {"run_id": run.system, "topic_id": query, "topic": topics.get(query, "")}
                    answer = answers[candidate]
                    said = _support(answer, judged.get((query, answer.text)))
                    file.write(compact({**head, **_written(answer), **said}) + "\n")
        if not any(run.ids_of_answers for run in dataset.runs):
            for query, text in topics.items():
                file.write(compact({"id": query, "narrative": text}) + "\n")


def _written(answer: Answer) -> dict[str, Json]:
    """Return references, length in words and sentences of an answer."""
    references, sentences = cited_by(answer)
    told: list[Json] = [
        {"text": answer.text[start:end], CITATIONS: [references.index(one) for one in cited]}
        for start, end, cited in sentences
    ]
    length = len(answer.text.split())
    return {REFERENCES: cast("list[Json]", references), "response_length": length, "answer": told}


def _support(answer: Answer, judged: AnswerParts | None) -> dict[str, Json]:
    """Return what is said of the citations of an answer; nothing where nothing is."""
    if judged is None:
        return {}
    references, placed = cited_by(answer)
    words = {level: score for score, level in SCORES.items()}
    said = {(place, name): words[level] for _, place, name, level in judged.citations}
    sentences = ((start, end, cited) for start, end, cited in placed if start < end)
    told: list[Json] = [
        {
            "answer": answer.text[start:end],
            CITATIONS: [references.index(one) for one in cited],
            "count": len(cited),
            "eval_scores": [said.get((place, one)) for one in cited],
        }
        for place, (start, end, cited) in enumerate(sentences)
    ]
    return {SUPPORT: told}


def cited_by(answer: Answer) -> tuple[list[str], list[tuple[int, int, list[str]]]]:
    """Return the references of an answer, and where each sentence begins and ends and what it cites.

    An answer whose fields say nothing of the kind is one sentence without citations.
    """
    whole = [(0, len(answer.text), list[str]())] if answer.text else []
    try:
        references = list(map(_text, cast("list[Json]", answer.fields[REFERENCES])))
        sentences = [
            (one["start"], one["end"], list(map(_text, one[CITATIONS])))
            for one in cast("Any", answer.fields[SENTENCES])
        ]
        sound = all(0 <= start <= end <= len(answer.text) for start, end, _ in sentences)
        sound = sound and set(references).issuperset(one for *_, cited in sentences for one in cited)
    except (KeyError, TypeError):
        return [], whole
    return (references, sentences) if sound else ([], whole)


def _text(value: Json) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def details(dataset: Dataset) -> list[str]:
    """Return what is lost of queries, answers and rankings."""
    ranks = [rank for run in dataset.runs if run.ids_of_answers for rank in run.rank.tolist()]
    lost = []
    if any(one.tags or one.guidelines or one.fields for one in dataset.queries):
        lost.append("TREC RAG cannot hold tags, guidelines and other fields of queries.")
    if ranks and len(dataset.queries):
        lost.append(
            "TREC RAG holds the texts of queries beside their answers; those without one are left out."
        )
    if further := sum(rank > 1 for rank in ranks):
        lost.append(
            f"TREC RAG holds one answer of each system to a query; {further} further ones are left out."
        )
    if placed := sum(bool(one.passage) for one in dataset.answers):
        lost.append(f"TREC RAG cannot hold passages; {placed} answers have one.")
    if any(run.score is not None for run in dataset.runs):
        lost.append("TREC RAG cannot hold scores.")
    if len({run.ids_of_answers for run in dataset.runs}) > 1:
        lost.append("TREC RAG answers cannot hold rankings of documents.")
    return lost


FORMAT = Format(
    key="trec-rag",
    title="TREC RAG answers or topics",
    extensions=(".jsonl",),
    holds=frozenset({"queries", "answers", "runs", "support"}),
    partly={"runs": "the systems' rankings of answers"},
    answers_alone=True,
    recognises=recognises,
    reader=read,
    writer=write,
    details=details,
)
