"""Which models are taken, which are refused, and what is said."""

import importlib.util
import json
from pathlib import Path

import pytest

from annotator.errors import MissingExtra, UserError
from annotator.semantics import models
from annotator.semantics.answer_scores import semantic_matches
from annotator.semantics.models import Model, find, models_folder, open_model
from annotator.semantics.onnx_export import export
from annotator.semantics.text_encoder import load
from tests.semantics.tiny_models import tiny


def test_the_only_model_of_a_kind_is_found_without_a_name(encoder: Model, cross_encoder: Model) -> None:
    assert find("encoder").name == "tiny"
    assert find("cross-encoder").name == "tiny-cross"
    assert find("encoder", str(encoder.folder)).weights == encoder.weights


def test_without_a_model_the_command_that_makes_one_is_said() -> None:
    with pytest.raises(UserError, match="annotator model export"):
        find("encoder")


def test_of_several_models_one_must_be_named(encoder: Model, tmp_path: Path) -> None:
    export(tmp_path / "hub" / "tiny", models_folder() / "other", name="other")
    with pytest.raises(UserError, match=r"other, tiny.*--model"):
        find("encoder")
    assert find("encoder", "other").name == "other"


def test_a_model_of_the_other_kind_is_refused(cross_encoder: Model) -> None:
    with pytest.raises(UserError, match="needs a model of the kind encoder"):
        find("encoder", str(cross_encoder.folder))


def test_what_is_printed_holds_name_hash_and_limit(encoder: Model) -> None:
    assert encoder.sentence == f"tiny (weights sha256 {encoder.weights[:16]}), texts cut at 34 tokens"


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "annotator-model.json"])
def test_a_missing_file_is_named(encoder: Model, name: str) -> None:
    (encoder.folder / name).unlink()
    with pytest.raises(UserError, match=f"{name} is missing"):
        open_model(encoder.folder)


@pytest.mark.parametrize("content", ["{", "[]", '{"name": "x", "kind": "magic"}', '{"nmae": "x"}'])
def test_a_damaged_description_is_named(encoder: Model, content: str) -> None:
    (encoder.folder / "annotator-model.json").write_text(content)
    with pytest.raises(UserError, match=r"annotator-model\.json is damaged"):
        open_model(encoder.folder)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_damaged_file_is_an_error_for_the_user(encoder: Model, name: str) -> None:
    path = encoder.folder / name
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(UserError, match="is damaged"):
        load(open_model(encoder.folder))


def test_empty_weights_are_an_error_for_the_user(encoder: Model) -> None:
    (encoder.folder / "model.onnx").write_bytes(b"")
    with pytest.raises(UserError, match="is empty"):
        open_model(encoder.folder)


def test_int8_weights_are_refused_unless_they_are_wanted(encoder: Model) -> None:
    import onnx

    path = encoder.folder / "model.onnx"
    graph = onnx.load(path)
    graph.graph.node[0].op_type = "DynamicQuantizeLinear"
    onnx.save(graph, path)
    with pytest.raises(UserError, match=r"int8.*float32"):
        open_model(encoder.folder)
    assert open_model(encoder.folder, allow_quantised=True).name == "tiny"


def test_the_identity_follows_weights_tokenizer_and_description(encoder: Model, tmp_path: Path) -> None:
    tiny(tmp_path / "hub" / "second", seed=2)
    assert open_model(export(tmp_path / "hub" / "second")).identity != encoder.identity
    path = encoder.folder / "annotator-model.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "max_tokens": 8}))
    assert open_model(encoder.folder).identity != encoder.identity


def test_without_the_extra_the_one_command_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "onnxruntime" else found(name)
    )
    assert not models.extra_is_installed()
    with pytest.raises(MissingExtra, match=r"pip install -e '\.\[neural\]' in Annotator's folder"):
        semantic_matches(["sas"])
    assert semantic_matches(["em", "f1"]).matches == {}
