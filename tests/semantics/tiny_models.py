"""Tiny random models, saved as the hub saves them, and a plain numpy reading of the published formulas."""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Tensors = Mapping[str, NDArray[Any]]
WORDS = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "thor",
    "hammer",
    "shield",
    "iron",
    "man",
    "a",
    "the",
    "is",
    "of",
]
WORDS += ["red"]


def write_tensors(path: Path, tensors: Tensors) -> None:
    """Write the safetensors format."""
    table: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    body = b""
    for name, value in tensors.items():
        raw = np.ascontiguousarray(value, np.float32).tobytes()
        table[name] = {
            "dtype": "F32",
            "shape": list(value.shape),
            "data_offsets": [len(body), len(body) + len(raw)],
        }
        body += raw
    head = json.dumps(table).encode()
    path.write_bytes(len(head).to_bytes(8, "little") + head + body)


def tiny(
    folder: Path, kind: str = "bert", cross: bool = False, seed: int = 1, **more: Any
) -> tuple[dict[str, Any], Tensors]:
    """Save a random model of two layers in a folder, as the hub holds it; return its config and tensors."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    folder.mkdir(parents=True, exist_ok=True)
    width, inner, places = 12, 20, 34
    config: dict[str, Any] = {
        "model_type": kind,
        "architectures": [f"Tiny{'ForSequenceClassification' if cross else 'Model'}"],
        "num_hidden_layers": 2,
        "num_attention_heads": 3,
        "hidden_size": width,
        "layer_norm_eps": 1e-5,
        "max_position_embeddings": places,
        "type_vocab_size": 2 if kind == "bert" else 1,
        "pad_token_id": 0,
        **more,
    }
    random = np.random.default_rng(seed)
    tensors: dict[str, NDArray[np.float32]] = {}

    def add(name: str, *shape: int) -> None:
        tensors[prefix + name] = random.normal(0, 0.5, shape).astype(np.float32)

    def dense(name: str, size: int, out: int) -> None:
        add(f"{name}.weight", out, size)
        add(f"{name}.bias", out)

    prefix = f"{kind.removeprefix('xlm-')}." if cross else ""
    for name, rows in (("word", len(WORDS)), ("position", places), ("token_type", config["type_vocab_size"])):
        add(f"embeddings.{name}_embeddings.weight", rows, width)
    norms = ["embeddings.LayerNorm"]
    for at in range(2):
        for part in ("query", "key", "value"):
            dense(f"encoder.layer.{at}.attention.self.{part}", width, width)
        dense(f"encoder.layer.{at}.attention.output.dense", width, width)
        dense(f"encoder.layer.{at}.intermediate.dense", width, inner)
        dense(f"encoder.layer.{at}.output.dense", inner, width)
        norms += [f"encoder.layer.{at}.attention.output.LayerNorm", f"encoder.layer.{at}.output.LayerNorm"]
    for name in norms:
        add(f"{name}.weight", width)
        add(f"{name}.bias", width)
    if cross and kind == "bert":
        dense("pooler.dense", width, width)
    prefix = ""
    if cross and kind == "bert":
        dense("classifier", width, 1)
    elif cross:
        dense("classifier.dense", width, width)
        dense("classifier.out_proj", width, 1)
    tokenizer = Tokenizer(models.WordLevel({word: at for at, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    second = 1 if kind == "bert" else 0
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair=f"[CLS] $A [SEP] $B:{second} [SEP]:{second}",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    write_tensors(folder / "model.safetensors", tensors)
    return config, tensors


def forward(
    config: Mapping[str, Any], tensors: Tensors, ids: list[int], types: list[int]
) -> list[NDArray[np.float64]]:
    """Return the hidden states of one text after the embeddings and after each layer, in plain numpy."""
    kind = str(config["model_type"]).removeprefix("xlm-")
    prefix = "" if "embeddings.word_embeddings.weight" in tensors else f"{kind}."

    def of(name: str) -> NDArray[np.float64]:
        return np.asarray(tensors[prefix + name], np.float64)

    def dense(values: NDArray[np.float64], name: str) -> NDArray[np.float64]:
        product: NDArray[np.float64] = values @ of(f"{name}.weight").T + of(f"{name}.bias")
        return product

    def norm(values: NDArray[np.float64], name: str) -> NDArray[np.float64]:
        centred = values - values.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + config["layer_norm_eps"])
        scaled: NDArray[np.float64] = centred / spread * of(f"{name}.weight") + of(f"{name}.bias")
        return scaled

    first = 0 if kind == "bert" else config["pad_token_id"] + 1
    hidden = of("embeddings.word_embeddings.weight")[ids]
    hidden = hidden + of("embeddings.position_embeddings.weight")[first : first + len(ids)]
    hidden = hidden + of("embeddings.token_type_embeddings.weight")[types]
    states = [norm(hidden, "embeddings.LayerNorm")]
    erf = np.vectorize(math.erf)
    for at in range(config["num_hidden_layers"]):
        name, hidden = f"encoder.layer.{at}", states[-1]
        query, key, value = (
            dense(hidden, f"{name}.attention.self.{part}") for part in ("query", "key", "value")
        )
        size = query.shape[1] // config["num_attention_heads"]
        mixed = np.empty_like(query)
        for start in range(0, query.shape[1], size):
            head = slice(start, start + size)
            logits = query[:, head] @ key[:, head].T / math.sqrt(size)
            shares = np.exp(logits - logits.max(axis=1, keepdims=True))
            mixed[:, head] = shares / shares.sum(axis=1, keepdims=True) @ value[:, head]
        attended = norm(
            dense(mixed, f"{name}.attention.output.dense") + hidden, f"{name}.attention.output.LayerNorm"
        )
        inner = dense(attended, f"{name}.intermediate.dense")
        inner = inner * 0.5 * (1 + erf(inner / math.sqrt(2)))
        states.append(norm(dense(inner, f"{name}.output.dense") + attended, f"{name}.output.LayerNorm"))
    return states


def head(config: Mapping[str, Any], tensors: Tensors, last: NDArray[np.float64]) -> float:
    """Return a cross-encoder's output for its last hidden state, before the activation."""
    names = ("bert.pooler.dense", "classifier")
    if config["model_type"] != "bert":
        names = ("classifier.dense", "classifier.out_proj")
    values = last[0]
    for at, name in enumerate(names):
        values = tensors[f"{name}.weight"].astype(np.float64) @ values + tensors[f"{name}.bias"]
        values = np.tanh(values) if at == 0 else values
    return float(values[0])
