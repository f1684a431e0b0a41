"""Measures that need a language model, in a project and from files; the model is told beside the scores."""

import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest

from annotator.errors import MissingExtra, UserError
from annotator.evaluation.options import GoldMatch, Options
from annotator.project import panel, project_scores
from annotator.project.files import evaluate_answers
from annotator.project.project import Project
from annotator.records import Answer, Dataset, GoldAnswer, GoldList, Query, RunTable
from annotator.semantics.answer_scores import Scorer
from annotator.semantics.models import find
from annotator.semantics.onnx_export import export
from annotator.storage.content.bulk import Import, import_dataset
from tests.project import scores
from tests.semantics.tiny_models import tiny

MEASURES = ("EM", "BiEncoder", "BERTScore(part='P')", "SAS", "TopAcc(match='bi-encoder',threshold=0.99)@2")


@pytest.fixture
def models(tmp_path: Path) -> None:
    """Put a tiny encoder and a tiny cross-encoder into the user's models."""
    tiny(tmp_path / "hub" / "tiny")
    tiny(tmp_path / "hub" / "tiny-cross", cross=True)
    export(tmp_path / "hub" / "tiny")
    export(tmp_path / "hub" / "tiny-cross")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Return a project of two questions and one system's ranked answers."""
    answers = [Answer("q1", "thor"), Answer("q1", "iron man"), Answer("q2", "red hammer")]
    query, rank = np.array([0, 0, 1], np.int32), np.array([1, 2, 1], np.int32)
    ids = [one.id for one in answers]
    run = RunTable(
        "reader", ["q1", "q2"], ids, query, np.arange(3, dtype=np.int32), rank, ids_of_answers=True
    )
    gold = [
        GoldList("q1", (GoldAnswer("iron man", ("the man of iron",)),)),
        GoldList("q2", (GoldAnswer("a hammer"),)),
    ]
    made = Project.create(tmp_path / "p.annot", "Questions", "Ada")
    data = Dataset([Query("q1", "Who?"), Query("q2", "What?")], answers=answers, gold=gold, runs=[run])
    import_dataset(made.store, data, Import("Ada", "test", "person"))
    return made


@pytest.mark.usefixtures("models")
def test_scores_are_the_models_best_over_the_gold_answers_and_its_name_is_told(project: Project) -> None:
    result = project_scores.evaluate_project(project, Options(MEASURES))
    encoder, cross = Scorer(find("encoder")), Scorer(find("cross-encoder"))
    expected = max(encoder.bi_encoder(["thor"] * 2, ["iron man", "the man of iron"]).max(), 0)
    assert result.of("reader", "BiEncoder")[0] == pytest.approx(expected)
    assert result.of("reader", "SAS")[1] == pytest.approx(cross.sas(["red hammer"], ["a hammer"])[0])
    assert result.of("reader", MEASURES[-1]).tolist() == [1, 0]
    assert [note.partition(" (")[0] for note in result.notes if "sha256" in note] == [
        "bi-encoder: tiny",
        "bertscore-p: tiny",
        "sas: tiny-cross",
    ]
    project.close()


@pytest.mark.usefixtures("models")
def test_a_model_serves_as_relevance_of_ranking_measures(project: Project) -> None:
    result = project_scores.evaluate_project(
        project, Options(("RR",), relevance=GoldMatch("bi-encoder", 0.99))
    )
    assert result.of("reader", "RR").tolist() == [0.5, 0]
    explanation = scores.explain(
        project, "reader", "q1", "RR", Options(relevance=GoldMatch("bi-encoder", 0.99))
    )
    assert explanation.value == 0.5
    project.close()


@pytest.mark.usefixtures("models")
def test_files_are_scored_as_a_project_is(project: Project, tmp_path: Path) -> None:
    context = "the man of iron is iron man; a hammer is no iron"

    def question(key: str, answers: list[str]) -> dict[str, object]:
        return {
            "id": key,
            "question": "?",
            "answers": [{"text": text, "answer_start": context.index(text)} for text in answers],
        }

    asked = [question("q1", ["iron man", "the man of iron"]), question("q2", ["a hammer"])]
    squad = {
        "version": "1.1",
        "data": [{"title": "t", "paragraphs": [{"context": context, "qas": asked}]}],
    }
    (tmp_path / "gold.json").write_text(json.dumps(squad))
    (tmp_path / "reader.json").write_text(json.dumps({"q1": "thor", "q2": "red hammer"}))
    from_files = evaluate_answers(tmp_path / "gold.json", [tmp_path / "reader.json"], Options(MEASURES[:4]))
    from_project = project_scores.evaluate_project(project, Options(MEASURES[:4]))
    assert from_files.scores[0] == pytest.approx(from_project.scores[0])
    assert from_files.notes[-1] == from_project.notes[-1]
    project.close()


def test_without_a_model_it_is_said_how_to_get_one(project: Project) -> None:
    with pytest.raises(UserError, match="annotator model export"):
        project_scores.evaluate_project(project, Options(("SAS",)))
    project.close()


def test_without_the_extra_it_is_said_how_to_install_it(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "tokenizers" else found(name)
    )
    with pytest.raises(MissingExtra, match=r"pip install -e '\.\[neural\]' in Annotator's folder"):
        project_scores.evaluate_project(project, Options(("SAS",)))
    project.close()


def test_measures_without_a_model_look_for_none(project: Project) -> None:
    assert project_scores.evaluate_project(project, Options(("EM", "TokenF1"))).of(
        "reader", "EM"
    ).tolist() == [
        0,
        0,
    ]
    project.close()


def test_the_panel_beside_the_grades_waits_for_no_model(project: Project) -> None:
    shown = panel.query_panel(project, 1, ["EM", "SAS", "TopAcc(match='sas',threshold=0.5)@1"])
    assert [value for _, value in shown.values] == [0, None, None]
    project.close()
