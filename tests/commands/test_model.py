"""`annotator model`: models are made from folders, never fetched without being asked for."""

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from tests.semantics.tiny_models import tiny

Run = Callable[..., Result]


def questions(folder: Path) -> tuple[object, ...]:
    """Write one question with its gold answer and the same prediction; return the words that name them."""
    question = {"id": "q1", "question": "?", "answers": [{"text": "iron man", "answer_start": 0}]}
    paragraph = {"context": "iron man", "qas": [question]}
    gold = {"version": "1.1", "data": [{"title": "t", "paragraphs": [paragraph]}]}
    (folder / "gold.json").write_text(json.dumps(gold))
    (folder / "reader.json").write_text(json.dumps({"q1": "iron man"}))
    return "--gold", folder / "gold.json", "--predictions", folder / "reader.json"


def test_an_exported_model_is_listed_and_scores_files(run: Run, tmp_path: Path) -> None:
    tiny(tmp_path / "hub")
    made = run("model", "export", tmp_path / "hub", "--name", "small")
    assert made.exit_code == 0
    assert run("model", "list").stdout.startswith("encoder: small (weights sha256 ")
    files = questions(tmp_path)
    scores = run("evaluate", *files, "-m", "BiEncoder", "--format", "csv")
    assert scores.stdout.splitlines()[-1] == "reader,all,BiEncoder,1.0"


def test_a_model_of_the_hub_is_not_fetched_without_the_word(run: Run) -> None:
    refused = run("model", "export", "someone/tiny")
    assert refused.exit_code == 1
    assert "annotator model export someone/tiny --download" in refused.stderr


def test_a_measure_without_a_model_says_how_to_get_one(run: Run, tmp_path: Path) -> None:
    assert "There are no models in" in run("model", "list").stdout
    files = questions(tmp_path)
    scores = run("evaluate", *files, "-m", "SAS")
    assert scores.exit_code == 1
    assert "annotator model export" in scores.stderr


def test_without_the_extra_the_one_command_is_said_and_the_status_is_1(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "onnxruntime" else found(name)
    )
    scores = run("evaluate", *questions(tmp_path), "-m", "SAS")
    assert scores.exit_code == 1
    assert "pip install -e '.[neural]'" in scores.stderr
    assert run("evaluate", *questions(tmp_path), "-m", "EM").exit_code == 0
