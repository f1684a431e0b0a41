"""Predicted answers from a notebook, held against SQuAD's rules and against the same answers in files."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import polars
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from annotator import api
from annotator.commands.program import app
from tests.metrics import squad_scripts

texts = st.sampled_from(["Thor", "the Thor", "Iron Man", "iron man!", "Man", "été", "42", "Pepper Potts"])
golds = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3", "q4"]), st.lists(texts, min_size=1, max_size=3), min_size=1
)


def squad_file(gold: dict[str, list[str]], path: Path) -> Path:
    """Write questions as SQuAD has them, one without answers being impossible."""
    asked = [
        {
            "id": query,
            "question": "?",
            "answers": [{"text": one} for one in some],
            "is_impossible": not some,
        }
        for query, some in gold.items()
    ]
    paragraph = {"context": "", "qas": asked}
    path.write_text(json.dumps({"version": "v2.0", "data": [{"title": "t", "paragraphs": [paragraph]}]}))
    return path


@settings(max_examples=30)
@given(golds, st.data())
def test_em_and_f1_of_dicts_and_frames_are_those_of_the_squad_script(
    gold: dict[str, list[str]], data: st.DataObject
) -> None:
    answers = {query: data.draw(texts) for query in gold}
    wanted = [squad_scripts.squad1(answers[query], gold[query]) for query in gold]
    rows = [{"query_id": query, "gold": one} for query, some in gold.items() for one in some]
    said = [{"query_id": query, "answer": one} for query, one in answers.items()]
    for of_gold, made in (
        (gold, answers),
        (pandas.DataFrame(rows), pandas.DataFrame(said)),
        (polars.DataFrame(rows), polars.DataFrame(said)),
    ):
        found = api.evaluate_answers(of_gold, made).per_query.loc["run"]
        assert found.loc[list(gold)].to_numpy().tolist() == [pytest.approx(list(one)) for one in wanted]


def test_dicts_give_what_files_give_on_the_command_line(tmp_path: Path) -> None:
    gold: dict[str, list[str]] = {"q1": ["Tony Stark", "Stark"], "q2": [], "q3": ["Thor"]}
    first = {"q1": "the Stark", "q2": "", "q3": "Odin"}
    second = {"q1": "Tony", "q2": "Loki", "q3": "thor"}
    doubts = {"q3": 0.9, "q1": 0.2}
    path = squad_file(gold, tmp_path / "dev.json")
    for name, one in (("first", first), ("second", second), ("doubts", doubts)):
        (tmp_path / f"{name}.json").write_text(json.dumps(one))
    words = ["evaluate", "--gold", path, "--predictions", tmp_path / "first.json"]
    words += ["--predictions", tmp_path / "second.json", "--no-answer", tmp_path / "doubts.json"]
    words += ["--no-answer-from", "0.5", "--format", "csv", "--per-query"]
    printed = CliRunner().invoke(app, [str(one) for one in words], catch_exceptions=False).stdout
    (tmp_path / "printed.csv").write_text(printed)
    wanted = pandas.read_csv(tmp_path / "printed.csv").set_index(["system", "query", "measure"])["value"]
    mixed: list[tuple[Any, Any, Any]] = [
        (gold, {"first": first, "second": second}, doubts),
        (path, {"first": tmp_path / "first.json", "second": second}, tmp_path / "doubts.json"),
        (path, [tmp_path / "first.json", tmp_path / "second.json"], tmp_path / "doubts.json"),
    ]
    for of_gold, made, unsure in mixed:
        scores = api.evaluate_answers(of_gold, made, no_answer=unsure, no_answer_from=0.5)
        for (system, query, measure), value in wanted.items():
            assert scores.per_query.loc[(system, query), measure] == value
        assert scores.result.tags == (("HasAns",), ("NoAns",), ("HasAns",))


def test_several_gold_answers_and_several_predictions_are_lists() -> None:
    gold = {"q": [["Iron Man", "Tony Stark"], ["Thor"]]}
    scores = api.evaluate_answers(gold, {"q": ["Loki", "thor"]}, ["GoldRR", "TopAcc@2", "R@2"])
    assert scores.per_query.loc[("run", "q")].to_dict() == {"GoldRR": 0, "TopAcc@2": 1, "R@2": 0.5}
    assert [row.prediction for row in scores.explain("q", "EM").rows] == ["Loki"] * 3


def test_an_empty_cell_is_no_answer() -> None:
    gold = pandas.DataFrame({"query_id": [1, 2], "gold": ["Thor", None]})
    said = pandas.DataFrame({"query_id": [1, 2], "answer": [np.nan, np.nan]})
    assert api.evaluate_answers(gold, said).per_query["EM"].tolist() == [0.0, 1.0]


def test_a_system_that_answered_nothing_scores_nothing() -> None:
    assert api.evaluate_answers({"q": "a"}, {"none": {}, "one": {"q": "a"}}).mean("EM", "none") == 0


@pytest.mark.parametrize(
    ("gold", "made", "said"),
    [
        (
            {"q": 3},
            {"q": "a"},
            "The gold answers have a value of type int for 'q' where a text or a list of texts belongs",
        ),
        ({"q": "a"}, {"q": [1.5]}, "The predictions 'run' have a value of type float for 'q'"),
        ({"q": "a"}, {"q": "\x00"}, "The predictions 'run': .* control character"),
        ({"q": "a"}, 3, "The predictions 'run': a value of type int cannot be taken; give a dict"),
        ({}, {"q": "a"}, "There are no gold answers"),
        (pandas.DataFrame({"id": ["q"]}), {"q": "a"}, "The gold answers: no column query_id, gold among id"),
        ({"q": "a"}, {"one": __file__}, r"Texts in a dict are answers; give files there as Path\(…\)"),
        ({"q": "a"}, ["x.json", "y/x.json"], "Of 2 predictions some have one name"),
        ("no/such.json", {"q": "a"}, "such.json"),
    ],
)
def test_what_is_no_answer_is_said_in_a_sentence(gold: Any, made: Any, said: str) -> None:
    with pytest.raises(api.UserError, match=said):
        api.evaluate_answers(gold, made)
