"""A model's folder made from a hub folder computes what the published formulas say."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from annotator.errors import UserError
from annotator.semantics.models import open_model
from annotator.semantics.onnx_export import export
from annotator.semantics.text_encoder import load
from tests.semantics.tiny_models import WORDS, forward, head, tiny

TEXTS = ["thor", "the iron man is red", "a hammer of thor"]


def ids(text: str) -> list[int]:
    return [2, *(WORDS.index(word) for word in text.split()), 3]


def output(folder: Path, texts: list[Any], name: str) -> NDArray[np.float32]:
    session = load(open_model(folder))
    return session(session.tokenizer.encode_batch(texts), name)


@pytest.mark.parametrize("kind", ["bert", "roberta", "xlm-roberta"])
def test_an_encoder_computes_the_published_formulas(tmp_path: Path, kind: str) -> None:
    config, tensors = tiny(tmp_path / "hub", kind)
    made = export(tmp_path / "hub", tmp_path / "made", layer=1)
    last = output(made, TEXTS, "last_hidden_state")
    first = output(made, TEXTS, "layer_hidden_state")
    for row, text in enumerate(TEXTS):
        states = forward(config, tensors, ids(text), [0] * len(ids(text)))
        length = len(ids(text))
        assert last[row, :length] == pytest.approx(states[2], abs=1e-5)
        assert first[row, :length] == pytest.approx(states[1], abs=1e-5)


@pytest.mark.parametrize("kind", ["bert", "roberta"])
def test_a_cross_encoder_computes_the_published_formulas(tmp_path: Path, kind: str) -> None:
    config, tensors = tiny(tmp_path / "hub", kind, cross=True)
    pairs = [("thor", "the hammer"), ("iron man", "a red shield of iron")]
    logits = output(export(tmp_path / "hub", tmp_path / "made"), pairs, "logits")
    for row, (one, other) in enumerate(pairs):
        both = [*ids(one), *ids(other)[1:]]
        types = [0] * len(ids(one)) + [int(kind == "bert")] * (len(ids(other)) - 1)
        expected = head(config, tensors, forward(config, tensors, both, types)[-1])
        assert float(logits[row, 0]) == pytest.approx(expected, abs=1e-5)


def test_the_description_holds_what_the_authors_set(tmp_path: Path) -> None:
    tiny(tmp_path / "hub", _name_or_path="someone/tiny")
    (tmp_path / "hub" / "1_Pooling").mkdir()
    (tmp_path / "hub" / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    (tmp_path / "hub" / "sentence_bert_config.json").write_text('{"max_seq_length": 16}')
    description = open_model(export(tmp_path / "hub", tmp_path / "made", name="mine")).description
    assert (description.name, description.kind, description.pooling) == ("mine", "encoder", "cls")
    assert (description.max_tokens, description.layer) == (16, None)
    assert description.source == "someone/tiny"


def test_a_cross_encoder_without_activation_stays_without(tmp_path: Path) -> None:
    none = {"sentence_transformers": {"activation_fn": "torch.nn.modules.linear.Identity"}}
    tiny(tmp_path / "hub", cross=True, **none)
    assert open_model(export(tmp_path / "hub", tmp_path / "made")).description.activation == "identity"


def test_places_that_roberta_never_uses_are_not_counted(tmp_path: Path) -> None:
    tiny(tmp_path / "hub", "roberta")
    assert open_model(export(tmp_path / "hub", tmp_path / "made")).description.max_tokens == 33


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda folder: (folder / "config.json").unlink(), "config.json is missing"),
        (lambda folder: (folder / "config.json").write_text("{"), "is damaged"),
        (lambda folder: (folder / "config.json").write_text("[]"), "holds no JSON object"),
        (lambda folder: (folder / "config.json").write_text('{"model_type":"bert"}'), "not say hidden_size"),
        (lambda folder: (folder / "tokenizer.json").unlink(), "no tokenizer.json"),
        (lambda folder: (folder / "model.safetensors").unlink(), "no model.safetensors"),
        (lambda folder: (folder / "model.safetensors").write_bytes(b"\xff" * 90), "is damaged"),
        (lambda folder: (folder / "model.safetensors").write_bytes(b""), "is damaged"),
        (lambda folder: (folder / "model.safetensors").write_bytes(b"\x02" + b"\0" * 7 + b"{}"), "lacks"),
    ],
)
def test_a_wrong_folder_is_named_and_nothing_is_left_behind(tmp_path: Path, spoil: Any, said: str) -> None:
    tiny(tmp_path / "hub")
    spoil(tmp_path / "hub")
    with pytest.raises(UserError, match=said):
        export(tmp_path / "hub", tmp_path / "models" / "made")
    assert list(tmp_path.glob("models/*")) == []


def test_an_unknown_architecture_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    tiny(tmp_path / "hub")
    config = json.loads((tmp_path / "hub" / "config.json").read_text())
    (tmp_path / "hub" / "config.json").write_text(json.dumps({**config, "model_type": "gpt2"}))
    with pytest.raises(UserError, match="bert, roberta, xlm-roberta"):
        export(tmp_path / "hub", tmp_path / "made")


def test_a_layer_that_the_model_has_not_is_refused(tmp_path: Path) -> None:
    tiny(tmp_path / "hub")
    with pytest.raises(UserError, match="layers 1 to 2"):
        export(tmp_path / "hub", tmp_path / "made", layer=3)


def test_a_folder_that_exists_is_not_written_over(tmp_path: Path) -> None:
    tiny(tmp_path / "hub")
    (tmp_path / "made").mkdir()
    with pytest.raises(UserError, match="exists already"):
        export(tmp_path / "hub", tmp_path / "made")
