"""The ONNX graph of a BERT-like model, node by node.

Inputs are int64[texts, tokens]: `input_ids`, `attention_mask`, and `token_type_ids` where there are types.
An encoder's outputs are float32[texts, tokens, width]: `last_hidden_state`, and `layer_hidden_state` when a
layer is asked for. A cross-encoder's is `logits`, float32[texts, labels].
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

ARCHITECTURES = ("bert", "roberta", "xlm-roberta")

_OPSET = 17
_MASKED = float(np.finfo(np.float32).min) / 2


class _Graph:
    """Nodes and weights as they are added; every method returns the name of what it computed."""

    def __init__(self, tensors: Mapping[str, NDArray[np.float32]], config: Mapping[str, Any]) -> None:
        from onnx import helper, numpy_helper

        self._make_node = helper.make_node
        self._to_tensor = numpy_helper.from_array
        self._tensors = tensors
        self._epsilon = float(config["layer_norm_eps"])
        prefix = str(config["model_type"]).removeprefix("xlm-")
        self._prefix = "" if "embeddings.word_embeddings.weight" in tensors else f"{prefix}."
        self.nodes: list[Any] = []
        self.weights: dict[str, Any] = {}

    def add(self, operation: str, *inputs: str, out: str = "", **settings: Any) -> str:
        """Add a node and return its output's name."""
        out = out or f"{operation}_{len(self.nodes)}"
        self.nodes.append(self._make_node(operation, list(inputs), [out], **settings))
        return out

    def value(self, name: str, value: NDArray[Any]) -> str:
        """Add a constant, once per name."""
        if name not in self.weights:
            self.weights[name] = self._to_tensor(np.asarray(value, order="C"), name)
        return name

    def whole(self, *numbers: int) -> str:
        """Add a list of whole numbers."""
        return self.value(f"whole_{'_'.join(map(str, numbers))}", np.array(numbers, np.int64))

    def number(self, value: float) -> str:
        """Add one number."""
        return self.value(f"number_{value!r}", np.array(value, np.float32))

    def weight(self, name: str, transposed: bool = False) -> str:
        """Add one of the model's tensors."""
        full = name if name in self._tensors else self._prefix + name
        tensor = self._tensors[full]
        return self.value(full, tensor.T if transposed else tensor)

    def dense(self, inputs: str, name: str) -> str:
        """Multiply by a layer's weights and add its bias."""
        product = self.add("MatMul", inputs, self.weight(f"{name}.weight", transposed=True))
        return self.add("Add", product, self.weight(f"{name}.bias"))

    def norm(self, inputs: str, name: str) -> str:
        """Normalise each token's vector, then scale and shift it."""
        scale, shift = self.weight(f"{name}.weight"), self.weight(f"{name}.bias")
        return self.add("LayerNormalization", inputs, scale, shift, epsilon=self._epsilon)

    def gelu(self, inputs: str) -> str:
        """Return x (1 + erf(x / sqrt 2)) / 2."""
        erf = self.add("Erf", self.add("Div", inputs, self.number(2**0.5)))
        return self.add(
            "Mul", self.add("Mul", inputs, self.add("Add", erf, self.number(1))), self.number(0.5)
        )


def build(
    config: Mapping[str, Any], tensors: Mapping[str, NDArray[np.float32]], cross: bool, layer: int | None
) -> Any:
    """Return the ONNX model. Raises KeyError for a tensor that is not there."""
    from onnx import TensorProto, helper

    graph = _Graph(tensors, config)
    mask = graph.add("Cast", "attention_mask", to=TensorProto.FLOAT)
    absent = graph.add("Sub", graph.number(1), mask)
    bias = graph.add("Mul", graph.add("Unsqueeze", absent, graph.whole(1, 2)), graph.number(_MASKED))
    hidden = _embeddings(graph, config)
    layers = int(config["num_hidden_layers"])
    for at in range(layers):
        hidden = _layer(graph, hidden, bias, f"encoder.layer.{at}", int(config["num_attention_heads"]))
        if at + 1 == layer:
            graph.add("Identity", hidden, out="layer_hidden_state")
    if cross:
        _head(graph, hidden, str(config["model_type"]))
        outputs = ["logits"]
    else:
        graph.add("Identity", hidden, out="last_hidden_state")
        outputs = ["last_hidden_state", *(["layer_hidden_state"] if layer else [])]
    inputs = ["input_ids", "attention_mask"] + ["token_type_ids"] * (int(config["type_vocab_size"]) > 1)
    sizes: list[str | int] = ["texts", "labels"] if cross else ["texts", "tokens", int(config["hidden_size"])]
    made = helper.make_graph(
        graph.nodes,
        "annotator",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "tokens"]) for name in inputs],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, sizes) for name in outputs],
        list(graph.weights.values()),
    )
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=8)


def _embeddings(graph: _Graph, config: Mapping[str, Any]) -> str:
    """Sum the vectors of each token's word, place and type.

    RoBERTa counts places from the padding's id + 1 on, BERT from 0.
    """
    first = 0 if config["model_type"] == "bert" else int(config.get("pad_token_id", 1)) + 1
    counted = graph.add("CumSum", "attention_mask", graph.value("axis", np.array(1, np.int64)))
    places = graph.add("Add", counted, graph.value("first", np.array(first - 1, np.int64)))
    words = graph.add("Gather", graph.weight("embeddings.word_embeddings.weight"), "input_ids")
    placed = graph.add("Gather", graph.weight("embeddings.position_embeddings.weight"), places)
    types = graph.weight("embeddings.token_type_embeddings.weight")
    typed = graph.add("Gather", types, "token_type_ids") if int(config["type_vocab_size"]) > 1 else types
    total = graph.add("Add", graph.add("Add", words, placed), typed)
    return graph.norm(total, "embeddings.LayerNorm")


def _layer(graph: _Graph, hidden: str, bias: str, name: str, heads: int) -> str:
    """Add one layer: attention over all tokens, then a network for each token."""
    split: dict[str, str] = {}
    for part in ("query", "key", "value"):
        flat = graph.dense(hidden, f"{name}.attention.self.{part}")
        shaped = graph.add("Reshape", flat, graph.whole(0, 0, heads, -1))
        split[part] = graph.add("Transpose", shaped, perm=[0, 2, 3, 1] if part == "key" else [0, 2, 1, 3])
    width = graph.weights[graph.weight(f"{name}.attention.self.query.bias")].dims[0] // heads
    products = graph.add("Div", graph.add("MatMul", split["query"], split["key"]), graph.number(width**0.5))
    shares = graph.add("Softmax", graph.add("Add", products, bias), axis=-1)
    mixed = graph.add("Transpose", graph.add("MatMul", shares, split["value"]), perm=[0, 2, 1, 3])
    joined = graph.dense(graph.add("Reshape", mixed, graph.whole(0, 0, -1)), f"{name}.attention.output.dense")
    attended = graph.norm(graph.add("Add", joined, hidden), f"{name}.attention.output.LayerNorm")
    inner = graph.gelu(graph.dense(attended, f"{name}.intermediate.dense"))
    outer = graph.add("Add", graph.dense(inner, f"{name}.output.dense"), attended)
    return graph.norm(outer, f"{name}.output.LayerNorm")


def _head(graph: _Graph, hidden: str, architecture: str) -> None:
    """Add what turns the first token's vector into a cross-encoder's output."""
    first = graph.add("Gather", hidden, graph.value("place_0", np.array(0, np.int64)), axis=1)
    inner, outer = (
        ("pooler.dense", "classifier")
        if architecture == "bert"
        else ("classifier.dense", "classifier.out_proj")
    )
    graph.add("Identity", graph.dense(graph.add("Tanh", graph.dense(first, inner)), outer), out="logits")
