"""Makes a model's folder from a Hugging Face folder: the weights written as an ONNX graph.

The graph is built here from `config.json` and `model.safetensors` with the `onnx` package alone, for the
architectures that answer scores are made with: BERT, RoBERTa and XLM-RoBERTa, as encoders or cross-encoders.
Source: J. Devlin and others, "BERT", 2019; Y. Liu and others, "RoBERTa", 2019.
"""

import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from annotator import kept_files
from annotator.errors import MissingExtra, UserError
from annotator.semantics.models import INSTALL, TOKENIZER, WEIGHTS, Description, Kind, models_folder
from annotator.semantics.onnx_graph import ARCHITECTURES, build
from annotator.semantics.safetensors import read_tensors

LAYERS = {"bert-base-uncased": 9, "bert-large-uncased": 18, "roberta-base": 10, "roberta-large": 17}
"""The hidden layer that the authors of BERTScore found best, by model; the last one for others."""

SIZES = (
    *("hidden_size", "num_hidden_layers", "num_attention_heads"),
    *("max_position_embeddings", "type_vocab_size", "layer_norm_eps"),
)
"""What the graph is built from beside the weights."""


def export(source: Path, target: Path | None = None, name: str = "", layer: int | None = None) -> Path:
    """Write the model of a Hugging Face folder into `target` (default: the user's models) and return it.

    `layer` is the hidden layer that BERTScore reads (default: the one its authors chose, else the last).
    The target appears complete or not at all. Raises UserError for a folder that cannot be taken and
    MissingExtra without the `onnx` package.
    """
    config = _json(source / "config.json")
    architecture = str(config.get("model_type", ""))
    if architecture not in ARCHITECTURES:
        known = ", ".join(ARCHITECTURES)
        raise UserError(f"{source} holds a model of the type {architecture!r}; these can be taken: {known}.")
    if missing := [name for name in SIZES if not isinstance(config.get(name), int | float)]:
        raise UserError(f"{source}: config.json does not say {', '.join(missing)}; get the file again.")
    if not (source / TOKENIZER).is_file():
        raise UserError(f"{source} has no {TOKENIZER}; save the model with its fast tokenizer.")
    heads = [one for one in config.get("architectures", []) if one.endswith("ForSequenceClassification")]
    kind: Kind = "cross-encoder" if heads else "encoder"
    name = name or source.resolve().name
    if layer is None:
        layer = LAYERS.get(Path(str(config.get("_name_or_path") or name)).name)
    if layer is not None and not 1 <= layer <= int(config["num_hidden_layers"]):
        raise UserError(f"{name} has the layers 1 to {config['num_hidden_layers']}; {layer} is none of them.")
    if layer == config["num_hidden_layers"] or kind == "cross-encoder":
        layer = None
    description = Description(
        name=name,
        kind=kind,
        max_tokens=_max_tokens(source, config),
        pooling=_pooling(source),
        layer=layer,
        activation="identity" if _uses_identity(config) else "sigmoid",
        source=str(config.get("_name_or_path", "")),
    )
    target = models_folder() / name if target is None else target
    if target.exists():
        raise UserError(f"{target} exists already; remove it or choose another name.")
    kept_files.made(target.parent)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}-") as folder:
        parts = Path(folder) / "model"
        parts.mkdir()
        _write_graph(source, config, description, parts / WEIGHTS)
        shutil.copyfile(source / TOKENIZER, parts / TOKENIZER)
        description.write(parts)
        os.replace(parts, target)
    return target


def _write_graph(source: Path, config: dict[str, Any], description: Description, path: Path) -> None:
    """Read the weights, build the graph and write it."""
    try:
        import onnx
    except ImportError:
        raise MissingExtra(
            f"Making a model needs a part that is not installed. Install it with: {INSTALL}"
        ) from None
    weights = source / "model.safetensors"
    if not weights.is_file():
        raise UserError(f"{source} has no model.safetensors; save the model in that form.")
    tensors = read_tensors(weights)
    try:
        graph = build(config, tensors, description.kind == "cross-encoder", description.layer)
    except KeyError as error:
        raise UserError(f"{weights} lacks the tensor {error}; it is no complete model.") from None
    onnx.save_model(graph, str(path))


def _json(path: Path) -> dict[str, Any]:
    if not path.is_file():
        raise UserError(f"{path.parent} is no model from the hub: {path.name} is missing.")
    try:
        content: dict[str, Any] = json.loads(path.read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        raise UserError(f"{path} is damaged: {error}.") from None
    if not isinstance(content, dict):
        raise UserError(f"{path} is damaged: it holds no JSON object.")
    return content


def _max_tokens(source: Path, config: dict[str, Any]) -> int:
    """Return how many tokens the model reads: what its authors set, within what its positions allow."""
    positions = int(config["max_position_embeddings"])
    if config["model_type"] != "bert":
        positions -= int(config.get("pad_token_id", 1)) + 1
    path = source / "sentence_bert_config.json"
    return (
        min(positions, int(_json(path).get("max_seq_length") or positions)) if path.is_file() else positions
    )


def _pooling(source: Path) -> Any:
    path = source / "1_Pooling" / "config.json"
    return "cls" if path.is_file() and _json(path).get("pooling_mode_cls_token") else "mean"


def _uses_identity(config: dict[str, Any]) -> bool:
    """Say whether the authors of a cross-encoder set no activation; sigmoid is the rule for one output."""
    settings = {**config, **config.get("sentence_transformers", {})}
    function = str(
        settings.get("activation_fn") or settings.get("sbert_ce_default_activation_function") or ""
    )
    return function.endswith("Identity")
