"""SQuAD predictions: an object from question ids to the answer's text, or to the n best as a list of objects.

In an n-best list a text that comes again keeps its best place. With a file of no-answer probabilities
(`Reading.no_answer`, question id to number) an answer whose probability is above the threshold becomes the
empty answer, as in the official script.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from annotator.formats import jsonl_rows
from annotator.formats.declaration import Format, Head, Reading, Writing
from annotator.formats.rows import RunRows
from annotator.formats.strict_json import Members, first_value, json_file, number_of, write_object
from annotator.formats.text_lines import Problems, refusal
from annotator.formats.whole_files import only_run, replacing, stem
from annotator.records import Answer, Dataset, Json, text_problem

LAYOUT = 'holds no predictions: an object from question ids to texts, {"id": "answer", ...}'


def recognises(head: Head) -> bool:
    """Say whether the file is an object whose first value is a text or a list of objects with a text."""
    if "\n{" in head.text or jsonl_rows.recognises(head):
        return False
    value = first_value(head.text)
    return value.startswith('"') or (value.startswith("[") and value[1:].lstrip().startswith(("{", "]")))


@dataclass(slots=True)
class _Predictions:
    """Predictions as they are read."""

    problems: Problems
    rows: RunRows
    answers: list[Answer] = field(default_factory=list)
    scored: bool = True
    repeated: int = 0
    blanked: int = 0

    def add(self, query_id: str, texts: Sequence[str], scores: Sequence[float | None]) -> None:
        """Take one question's texts, best first."""
        seen: set[str] = set()
        for text, score in zip(texts, scores, strict=True):
            if text in seen:
                self.repeated += 1
                continue
            seen.add(text)
            if wrong := text_problem(text, f"answer to {query_id!r}"):
                self.problems.add(1, wrong)
                continue
            answer = Answer(query_id, text)
            self.answers.append(answer)
            self.scored &= score is not None
            self.rows.add(query_id, answer.id, len(seen), 1, score)


def read(path: Path, reading: Reading) -> Dataset:
    """Return the predicted answers and their ranking; the system is the file's stem unless it is named."""
    problems = Problems(path)
    value = json_file(path, problems, reading)
    if not isinstance(value, dict) or not value:
        raise refusal(path, LAYOUT, 1)
    doubts = doubts_in(reading.no_answer, reading) if reading.no_answer is not None else {}
    return predicted(value, problems, path.name, reading.system or stem(path), doubts, reading.no_answer_from)


def predicted(
    value: Mapping[str, Json],
    problems: Problems,
    source: str,
    system: str,
    doubts: Mapping[str, float] = {},
    no_answer_from: float = 1.0,
) -> Dataset:
    """Return one system's answers: of each question a text, or the n best as objects with a `text`.

    Where the question's doubt is above `no_answer_from` its answer becomes empty. Raises InputError.
    """
    given = _Predictions(problems, RunRows(problems, system))
    for query_id, prediction in value.items():
        texts, scores = _texts(query_id, prediction, problems)
        if texts and doubts.get(query_id, 0.0) > no_answer_from:
            texts, scores = [""], [None]
            given.blanked += 1
        given.add(query_id, texts, scores)
    run = given.rows.by_rank(source, given.scored, answers=True)
    problems.check()
    notes = []
    if given.repeated:
        notes.append(
            f"{source}: {given.repeated} texts were repeated in one n-best list; the best rank is kept."
        )
    if given.blanked:
        notes.append(f"{source}: answers made empty by their no-answer probability: {given.blanked}.")
    return Dataset(answers=given.answers, runs=[run], notes=tuple(notes))


def _texts(query_id: str, value: Json, problems: Problems) -> tuple[list[str], list[float | None]]:
    if isinstance(value, str):
        return [value], [None]
    if not isinstance(value, list):
        problems.add(
            1, f"the prediction for {query_id[:60]!r} is neither a text nor a list; give one of them"
        )
        return [], []
    texts, scores = [], []
    for place, one in enumerate(value, 1):
        members = Members(one, problems, 1, f"answer {place} to {query_id[:60]!r}")
        texts.append(members.text("text"))
        score = members.value.get("probability", members.value.get("score"))
        scores.append(number_of(score))
    return texts, scores


def doubts_in(path: Path, reading: Reading = Reading()) -> dict[str, float]:
    """Return how likely each question is unanswerable; raises InputError with what cannot be taken."""
    problems = Problems(path)
    value = json_file(path, problems, reading)
    if not isinstance(value, dict):
        raise refusal(path, "holds no no-answer probabilities: an object from question ids to numbers", 1)
    probabilities = {}
    for query_id, probability in value.items():
        number = number_of(probability)
        if number is None:
            problems.add(1, f"the probability for {query_id[:60]!r} is no number; write one")
        else:
            probabilities[query_id] = number
    problems.check()
    return probabilities


def write(dataset: Dataset, path: Path, writing: Writing) -> None:
    """Write one system's predictions: a text where each question has one, else the n best with scores."""
    run = only_run(dataset, answers=True)
    texts = {one.id: one.text for one in dataset.answers}
    by_query: dict[str, list[dict[str, Json]]] = {}
    for query, answer, _rank, score in run.rows():
        row: dict[str, Json] = {"text": texts[answer]}
        by_query.setdefault(query, []).append(row if score is None else {**row, "probability": score})
    single = run.score is None and all(len(one) == 1 for one in by_query.values())
    with replacing(path, writing.step) as file:
        write_object(file, ((query, best[0]["text"] if single else best) for query, best in by_query.items()))


def details(dataset: Dataset) -> list[str]:
    """Return what of the answers is lost."""
    lost = []
    placed = sum(bool(one.passage) for one in dataset.answers)
    if placed:
        lost.append(f"SQuAD predictions cannot hold passages; {placed} answers have one.")
    if cited := sum(bool(one.fields) for one in dataset.answers):
        lost.append(f"SQuAD predictions cannot hold fields, such as citations; {cited} answers have some.")
    if len({run.ids_of_answers for run in dataset.runs}) > 1:
        lost.append("SQuAD predictions cannot hold rankings of documents.")
    return lost


FORMAT = Format(
    key="squad-predictions",
    title="SQuAD predictions",
    extensions=(".json",),
    holds=frozenset({"answers", "runs"}),
    partly={"runs": "the systems' rankings of answers"},
    answers_alone=True,
    recognises=recognises,
    reader=read,
    writer=write,
    details=details,
    one_system=True,
)
