import json
from pathlib import Path

import pytest

from annotator.errors import InputError, UserError
from annotator.formats import squad, squad_predictions
from annotator.formats.declaration import Reading
from annotator.records import Answer, Dataset, GoldAnswer, GoldList
from tests.formats.datasets import places, predictions_of

CONTEXT = "Naïve 😀 Thor has Mjolnir. Mjolnir is a hammer."


def squad_file(path: Path, questions: list[dict[str, object]], context: str = CONTEXT) -> Path:
    paragraphs = [{"context": context, "qas": questions}]
    path.write_text(json.dumps({"version": "v2.0", "data": [{"title": "Thor", "paragraphs": paragraphs}]}))
    return path


def question(identity: str, *answers: tuple[str, int], **others: object) -> dict[str, object]:
    given = [{"text": text, "answer_start": start} for text, start in answers]
    return {"id": identity, "question": "What?", "answers": given, **others}


def test_the_answers_of_a_question_are_one_gold_answer_with_aliases(tmp_path: Path) -> None:
    start = CONTEXT.index("Mjolnir")
    asked = question("q", ("Mjolnir", start), ("Mjolnir", start), ("Thor has Mjolnir", CONTEXT.index("Thor")))
    found = squad.FORMAT.read(squad_file(tmp_path / "a", [asked]))
    gold = GoldAnswer("Mjolnir", ("Thor has Mjolnir",), "Thor/1", start, start + 7)
    assert found.gold == [GoldList("q", (gold,))]
    assert [(one.id, one.title, one.text) for one in found.documents] == [("Thor/1", "Thor", CONTEXT)]
    assert CONTEXT[start : start + 7] == "Mjolnir", "places count characters, also behind an emoji"


def test_only_the_mark_of_v2_makes_a_question_unanswerable(tmp_path: Path) -> None:
    asked = [
        question("marked", is_impossible=True),
        question("unmarked"),
        question("no", is_impossible=False),
    ]
    found = squad.FORMAT.read(squad_file(tmp_path / "a", asked))
    assert found.gold == [GoldList("marked", (), True), GoldList("unmarked"), GoldList("no")]


@pytest.mark.parametrize(
    ("asked", "what"),
    [
        (question("q", ("hammer", 3)), "does not stand at character 3"),
        (question("q", ("Thor", CONTEXT.index("Thor")), is_impossible=True), "is marked as impossible"),
        (question("q", is_impossible="no"), "neither true nor false"),
        ({"id": "q", "answers": []}, "'question' is missing"),
        ({"question": "What?", "answers": []}, "'id' is missing"),
    ],
)
def test_a_question_that_contradicts_itself_is_named(
    tmp_path: Path, asked: dict[str, object], what: str
) -> None:
    with pytest.raises(InputError, match=what) as caught:
        squad.FORMAT.read(squad_file(tmp_path / "a", [question("before"), asked]))
    assert "question 2 of 'Thor/1'" in str(caught.value)


def test_a_title_of_two_lines_names_its_paragraphs_in_one(tmp_path: Path) -> None:
    articles = [
        {"title": title, "paragraphs": [{"context": title, "qas": [question(identity)]}]}
        for title, identity in (("Thor\r\nson", "a"), ("Thor  son", "b"))
    ]
    path = tmp_path / "two.json"
    path.write_text(json.dumps({"version": "v2.0", "data": articles}))
    read = squad.FORMAT.read(path, Reading())
    assert [(one.id, one.title) for one in read.documents] == [
        ("Thor  son/1", "Thor\r\nson"),
        ("Thor  son/2", "Thor  son"),
    ]


def test_a_question_id_given_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'q' is given twice"):
        squad.FORMAT.read(squad_file(tmp_path / "a", [question("q"), question("q")]))


def predictions(path: Path, value: object, reading: Reading | None = None) -> Dataset:
    path.write_text(json.dumps(value))
    return squad_predictions.FORMAT.read(path, reading or Reading())


def test_the_empty_prediction_is_an_answer(tmp_path: Path) -> None:
    found = predictions(tmp_path / "bert.json", {"q1": "", "q2": "Thor"})
    assert found.answers == [Answer("q1", ""), Answer("q2", "Thor")]
    assert found.runs[0].system == "bert"
    assert found.runs[0].ids_of_answers


def test_a_text_repeated_in_an_n_best_list_keeps_its_best_rank(tmp_path: Path) -> None:
    best = [
        {"text": "a", "probability": 0.5},
        {"text": "b", "probability": 0.3},
        {"text": "a", "probability": 0.2},
    ]
    found = predictions(tmp_path / "n.json", {"q": [*best, {"text": "c", "probability": 0.1}]})
    (run,) = found.runs
    assert places(run) == {"q": [Answer("q", text).id for text in "abc"]}
    assert run.score is not None
    assert run.score.tolist() == [0.5, 0.3, 0.1]
    assert found.notes == ("n.json: 1 texts were repeated in one n-best list; the best rank is kept.",)


def test_a_likely_unanswerable_question_gets_the_empty_answer(tmp_path: Path) -> None:
    (tmp_path / "na.json").write_text('{"q1": 0.9, "q2": 0.5, "q3": 1}')
    reading = Reading(no_answer=tmp_path / "na.json", no_answer_from=0.5)
    found = predictions(tmp_path / "p.json", {"q1": "a", "q2": "b", "q3": "c", "q4": "d"}, reading)
    assert [one.text for one in found.answers] == ["", "b", "", "d"]
    assert "no-answer probability: 2." in found.notes[0]


def test_predictions_of_two_systems_need_two_files(tmp_path: Path) -> None:
    two = Dataset(
        answers=predictions_of({"q": ["a"]}).answers,
        runs=[*predictions_of({"q": ["a"]}).runs, *predictions_of({"q": ["a"]}).runs],
    )
    with pytest.raises(UserError, match="there are 2"):
        squad_predictions.FORMAT.write(two, tmp_path / "p.json")
