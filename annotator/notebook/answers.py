"""Predicted answers evaluated against gold answers: from dicts, DataFrames or files, also mixed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias

from annotator.errors import UserError
from annotator.evaluation.frames import Frame, texts_of
from annotator.evaluation.options import ANSWER_MEASURES, GoldMatch
from annotator.formats.declaration import Reading
from annotator.formats.squad_predictions import doubts_in, predicted
from annotator.formats.text_lines import Problems
from annotator.formats.whole_files import stem
from annotator.metrics.catalogue import parse_all
from annotator.notebook.choices import options_of
from annotator.notebook.inputs import ONE_RUN, PathText, is_path, named_files
from annotator.notebook.plain_errors import in_a_sentence
from annotator.notebook.scores import Scores
from annotator.records import Dataset, GoldAnswer, GoldList, Json, Query, text_problem

Texts: TypeAlias = "Mapping[Any, str | Sequence[str]]"
Gold: TypeAlias = "Mapping[Any, str | Sequence[str] | Sequence[Sequence[str]]] | Frame | PathText"
Predictions: TypeAlias = "Texts | Frame | PathText"
ManyPredictions: TypeAlias = "Predictions | Mapping[str, Predictions] | Sequence[PathText]"


@in_a_sentence
def evaluate_answers(
    gold: Gold,
    predictions: ManyPredictions,
    measures: "str | Iterable[object]" = ANSWER_MEASURES,
    *,
    queries: "str | Iterable[str]" = (),
    tags: "str | Iterable[str]" = (),
    rel: int | None = None,
    relevance: str | GoldMatch | None = None,
    normaliser: str = "squad1",
    stemming: bool = False,
    language: str = "",
    no_answer: "Mapping[Any, float] | PathText | None" = None,
    no_answer_from: float = 1.0,
    model: str = "",
    seed: int = 1,
) -> Scores:
    """Evaluate predicted answers against gold answers: EM and TokenF1 unless measures are named.

    `gold` is a dict `{question: text}` or `{question: [text, other wording, …]}`, where an empty list says
    that the question has no answer, and a list of lists holds several answers, most preferred first; or a
    DataFrame with a row for each wording, `query_id, gold`, empty where there is no answer; or a file.
    `predictions` are a dict `{question: text}` or `{question: [best, second, …]}`, a DataFrame with the
    columns `query_id, answer`, best first, an empty one being the empty answer, or a file; or several of
    these as `{name: predictions}`, files among them as `Path`. With `no_answer`, how likely each question has
    no answer, an answer above `no_answer_from` becomes empty. Raises UserError with a sentence.

    >>> scores = evaluate_answers({"q1": ["Tony Stark", "Stark"], "q2": "Thor"}, {"q1": "Tony", "q2": "thor"})
    >>> scores.mean("EM"), round(scores.mean("TokenF1"), 4)
    (0.5, 0.8333)
    """
    given = dict(locals())
    beside = ("gold", "predictions", "no_answer", "no_answer_from")
    options = options_of({name: value for name, value in given.items() if name not in beside})
    if rel is not None:  # what somebody says here is of gains
        options = replace(options, measures=tuple(one.name for one in parse_all(options.measures, rel)))
    from annotator.project import files

    questions = files.questions_in(Path(gold)) if is_path(gold) else _questions(gold)
    made = [
        (name, _predicted(name, one, no_answer, no_answer_from)) for name, one in _named(predictions).items()
    ]
    name = Path(gold).name if is_path(gold) else "notebook"
    return Scores(*files.evaluated_answers(questions, made, options, name))


def _questions(given: Any) -> Dataset:
    """Return gold answers as they stand in a file; a list of texts is one answer with its wordings."""
    gold = []
    for query, some in _texts(given, "gold", "The gold answers").items():
        answers = some if all(isinstance(one, list) for one in some) else [some]
        wordings = [tuple(dict.fromkeys(one for one in each if one is not None)) for each in answers]
        listed = tuple(GoldAnswer(first, tuple(more)) for first, *more in filter(None, wordings))
        gold.append(GoldList(query, listed, unanswerable=not listed))
    if not gold:
        raise UserError("There are no gold answers; give at least one question with its answer.")
    return Dataset(queries=[Query(one.query_id, "") for one in gold], gold=gold)


def _named(given: Any) -> dict[str, Any]:
    """Return predictions by the name of their system; one without has a name of its own."""
    if isinstance(given, list | tuple):
        return named_files(given, "prediction")
    if not isinstance(given, Mapping) or not given:
        return {stem(Path(given)) if is_path(given) else ONE_RUN: given}
    values = list(given.values())
    if all(isinstance(one, str) and Path(one).is_file() for one in values):
        raise UserError("Texts in a dict are answers; give files there as Path(…), or a list of files alone.")
    if all(isinstance(one, str | list | tuple) or one is None for one in values):
        return {ONE_RUN: given}
    return {str(name): one for name, one in given.items()}


def _predicted(name: str, given: Any, no_answer: Any, no_answer_from: float) -> Dataset:
    if is_path(given):
        from annotator.project import files

        if no_answer and not is_path(no_answer):
            raise UserError(f"{given} is a file, so give no_answer as a file too.")
        system = None if name == stem(Path(given)) else name
        reading = Reading(
            system, no_answer=Path(no_answer) if no_answer else None, no_answer_from=no_answer_from
        )
        return files.predictions_in(Path(given), reading)[1]
    what = f"The predictions {name!r}"
    value: dict[str, Json] = {
        query: [{"text": one or ""} for one in some] for query, some in _texts(given, "answer", what).items()
    }
    doubts = doubts_in(Path(no_answer)) if is_path(no_answer) else dict(no_answer or {})
    doubts = {str(query): float(doubt) for query, doubt in doubts.items()}
    return predicted(value, Problems(Path(what)), name, name, doubts, no_answer_from)


def _texts(given: Any, column: str, what: str) -> dict[str, list[Any]]:
    """Return the texts of each query, None where one is missing; raises UserError for what is no text."""
    if isinstance(given, Mapping):
        rows = {
            str(query): [some] if isinstance(some, str) or not isinstance(some, Sequence) else list(some)
            for query, some in given.items()
        }
    else:
        rows = texts_of(given, column, what)
    for query, some in rows.items():
        nested = column == "gold" and all(isinstance(one, list) for one in some)
        for text in chain.from_iterable(some) if nested else some:
            if text is not None and not isinstance(text, str):
                kind = f"a value of type {type(text).__name__} for {query!r}"
                raise UserError(f"{what} have {kind} where a text or a list of texts belongs.")
            if text and (wrong := text_problem(text, f"text for {query!r}")):
                raise UserError(f"{what}: {wrong}.")
    return rows
