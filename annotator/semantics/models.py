"""Models on this computer: a folder with weights (ONNX), a tokenizer and a small description.

An *encoder* turns one text into vectors and serves BiEncoder and BERTScore; a *cross-encoder* reads two texts
at once and serves SAS. Nothing is ever fetched from the network here (see `hub`).
"""

import hashlib
import json
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, get_args

from annotator import kept_files
from annotator.errors import MissingExtra, UserError, how_to_install

Kind = Literal["encoder", "cross-encoder"]

WEIGHTS = "model.onnx"
TOKENIZER = "tokenizer.json"
DESCRIPTION = "annotator-model.json"

INSTALL = how_to_install("neural")
"""The one command that installs what models need."""

_QUANTISED = (
    b"DynamicQuantizeLinear",
    b"MatMulInteger",
    b"DequantizeLinear",
    b"QLinearMatMul",
    b"QAttention",
)
"""ONNX operations that only a model of 8-bit whole numbers has."""

_LONGEST = max(map(len, _QUANTISED))
_PIECE = 1 << 20


@dataclass(frozen=True, slots=True)
class Description:
    """What the weights alone do not say; stands in `annotator-model.json` beside them.

    `pooling` is how an encoder makes one vector of a text's tokens; `layer` the hidden layer BERTScore reads
    (None: the last); `activation` turns a cross-encoder's output into the score; `max_tokens` counts the
    special tokens too.
    """

    name: str
    kind: Kind
    max_tokens: int = 512
    pooling: Literal["mean", "cls"] = "mean"
    layer: int | None = None
    activation: Literal["sigmoid", "identity"] = "sigmoid"
    source: str = ""

    def __post_init__(self) -> None:
        allowed = {"kind": get_args(Kind), "pooling": ("mean", "cls"), "activation": ("sigmoid", "identity")}
        for field, values in allowed.items():
            if getattr(self, field) not in values:
                raise ValueError(f"{field} is one of {', '.join(values)}")
        if self.max_tokens < 3:
            raise ValueError("max_tokens is 3 or more")

    def write(self, folder: Path) -> None:
        """Write the description into a model's folder."""
        (folder / DESCRIPTION).write_text(json.dumps(asdict(self), indent=2) + "\n", "utf-8")


@dataclass(frozen=True)
class Model:
    """A model that was found complete; nothing of it is loaded yet."""

    folder: Path
    description: Description
    weights: str
    """SHA-256 of the weights, printed beside every score."""

    @property
    def name(self) -> str:
        """The model's name."""
        return self.description.name

    @property
    def sentence(self) -> str:
        """What is printed beside every score: name, hash of the weights, limit."""
        return (
            f"{self.name} (weights sha256 {self.weights[:16]}), texts cut at "
            f"{self.description.max_tokens} tokens"
        )

    @cached_property
    def identity(self) -> str:
        """A hash of everything the vectors depend on: weights, tokenizer, description."""
        settings = json.dumps(asdict(self.description), sort_keys=True).encode()
        tokenizer = (self.folder / TOKENIZER).read_bytes()
        return hashlib.sha256(self.weights.encode() + tokenizer + settings).hexdigest()


def need_extra() -> None:
    """Raise MissingExtra, naming the one command, unless onnxruntime and tokenizers are installed."""
    if not extra_is_installed():
        raise MissingExtra(
            f"Semantic scores need a part that is not installed. Install it with: {INSTALL} "
            "(nothing else changes, and nothing is downloaded later without being asked for)."
        )


def extra_is_installed() -> bool:
    """Say whether onnxruntime and tokenizers are there, without importing them."""
    from importlib.util import find_spec

    return all(find_spec(name) is not None for name in ("onnxruntime", "tokenizers"))


def models_folder() -> Path:
    """Return the folder of the user's models; it need not exist."""
    return kept_files.place("models")


def installed() -> list[Path]:
    """Return the folders of the user's models, by name."""
    return sorted(path.parent for path in models_folder().glob(f"*/{DESCRIPTION}"))


def find(kind: Kind, name: str = "") -> Model:
    """Return the user's model of a kind, by its name or folder, or the only one there is.

    Raises UserError when there is none, or several and no name.
    """
    if name and ("/" in name or "\\" in name or Path(name).is_dir()):
        return _of_kind(open_model(Path(name)), kind)
    described = [_description(folder) for folder in installed()]
    fitting = [
        folder
        for folder, one in zip(installed(), described, strict=True)
        if one.kind == kind and name in ("", one.name)
    ]
    if len(fitting) == 1:
        return open_model(fitting[0])
    what = f"{kind} {name!r}" if name else kind
    if not fitting:
        raise UserError(
            f"There is no {what} in {models_folder()}. Make one from a model's folder with "
            "“annotator model export FOLDER”."
        )
    names = ", ".join(_description(folder).name for folder in fitting)
    raise UserError(f"There are several models of the kind {kind}: {names}. Name one with --model.")


def _of_kind(model: Model, kind: Kind) -> Model:
    if model.description.kind != kind:
        raise UserError(
            f"{model.name} is a model of the kind {model.description.kind}; this score needs a model of the "
            f"kind {kind}."
        )
    return model


def open_model(folder: Path, allow_quantised: bool = False) -> Model:
    """Return the model in a folder after looking at its files.

    Raises UserError for a folder that is none, a file that is missing or damaged, and for weights of 8-bit
    whole numbers, which move scores of pairs by up to 0.11 (unless `allow_quantised`).
    """
    missing = [name for name in (WEIGHTS, TOKENIZER, DESCRIPTION) if not (folder / name).is_file()]
    if missing:
        raise UserError(
            f"{folder} is no model: {', '.join(missing)} is missing. Make the folder with "
            "“annotator model export FOLDER”."
        )
    description = _description(folder)
    digest, quantised = _read_weights(folder / WEIGHTS)
    if quantised and not allow_quantised:
        raise UserError(
            f"The weights of {description.name} are 8-bit whole numbers (int8). They change the scores of "
            "pairs by up to 0.11, so they are not used; take the model in float32."
        )
    return Model(folder, description, digest)


def _description(folder: Path) -> Description:
    path = folder / DESCRIPTION
    try:
        content: dict[str, Any] = json.loads(path.read_text("utf-8"))
        return Description(**content)
    except (ValueError, TypeError, RecursionError) as error:
        raise UserError(f"{path} is damaged: {error}. Make the folder again.") from None


def _read_weights(path: Path) -> tuple[str, bool]:
    """Return the SHA-256 of the weights and whether they are quantised."""
    if path.stat().st_size == 0:
        raise UserError(f"{path} is empty. Make the folder again.")
    digest, quantised, end = hashlib.sha256(), False, b""
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            digest.update(piece)
            seen = end + piece
            quantised = quantised or any(name in seen for name in _QUANTISED)
            end = piece[-_LONGEST:]
    return digest.hexdigest(), quantised
