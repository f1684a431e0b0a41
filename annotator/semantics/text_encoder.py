"""Texts through a model: tokens, batches, vectors. Each text is computed once and then cached."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotator.errors import UserError
from annotator.semantics.models import TOKENIZER, WEIGHTS, Model, need_extra
from annotator.semantics.vector_cache import VectorCache, key
from annotator.watch import UNWATCHED, Watch

Vectors = list[NDArray[np.float32]]
Texts = tuple[str, ...]

BATCH_TOKENS = 2_048
"""How many tokens, padding included, go through a model at once; bounds memory and the wait for cancel."""


@dataclass
class Session:
    """A loaded model."""

    model: Model
    run: Any
    tokenizer: Any
    inputs: frozenset[str]

    def __call__(self, batch: Sequence[Any], output: str) -> NDArray[np.float32]:
        """Return one output of the model for encodings padded to the longest of them."""
        longest = max(len(one.ids) for one in batch)
        columns: dict[str, NDArray[np.int64]] = {
            name: np.zeros((len(batch), longest), np.int64)
            for name in ("input_ids", "attention_mask", "token_type_ids")
        }
        columns["input_ids"] += self.padding
        for row, one in enumerate(batch):
            length = len(one.ids)
            columns["input_ids"][row, :length] = one.ids
            columns["attention_mask"][row, :length] = 1
            columns["token_type_ids"][row, :length] = one.type_ids
        fed = {name: column for name, column in columns.items() if name in self.inputs}
        values: NDArray[np.float32] = self.run.run([output], fed)[0]
        return values

    @property
    def padding(self) -> int:
        """The id of the padding token."""
        return next((one for name in ("[PAD]", "<pad>") if (one := self.tokenizer.token_to_id(name))), 0)


def load(model: Model) -> Session:
    """Load a model's weights and tokenizer.

    Raises MissingExtra without the extra, UserError when a file cannot be read.
    """
    need_extra()
    import onnxruntime
    from tokenizers import Tokenizer

    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = max(1, (os.cpu_count() or 2) - 1)
    settings.log_severity_level = 4
    try:
        tokenizer = Tokenizer.from_file(str(model.folder / TOKENIZER))
        run = onnxruntime.InferenceSession(
            str(model.folder / WEIGHTS), settings, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # noqa: BLE001 - both libraries raise bare exceptions of their own
        first = str(error).strip().splitlines()[0][:200]
        raise UserError(f"The model in {model.folder} is damaged ({first}). Make the folder again.") from None
    tokenizer.no_padding()
    tokenizer.enable_truncation(model.description.max_tokens)
    return Session(model, run, tokenizer, frozenset(one.name for one in run.get_inputs()))


def pooled(session: Session, batch: Sequence[Any]) -> Vectors:
    """Return one vector of length 1 per text: the mean of its tokens, or the first token's."""
    tokens = session(batch, "last_hidden_state").astype(np.float64)
    if session.model.description.pooling == "cls":
        vectors = tokens[:, 0]
    else:
        lengths = np.array([len(one.ids) for one in batch])
        inside = np.arange(tokens.shape[1]) < lengths[:, None]
        vectors = (tokens * inside[:, :, None]).sum(axis=1) / lengths[:, None]
    norms = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    return list((vectors / norms).astype(np.float32))


def token_vectors(session: Session, batch: Sequence[Any]) -> Vectors:
    """Return each text's token vectors, each of length 1, flattened; special tokens first and last."""
    layer = "last_hidden_state" if session.model.description.layer is None else "layer_hidden_state"
    tokens = session(batch, layer)
    tokens = tokens / np.maximum(np.linalg.norm(tokens, axis=2, keepdims=True), 1e-12)
    return [tokens[row, : len(one.ids)].ravel() for row, one in enumerate(batch)]


def token_ids(_session: Session, batch: Sequence[Any]) -> Vectors:
    """Return the numbers of each text's tokens, special ones first and last; exact, for they are small."""
    return [np.array(one.ids, np.float32) for one in batch]


def pair_scores(session: Session, batch: Sequence[Any]) -> Vectors:
    """Return one score per pair of texts."""
    outputs = session(batch, "logits")[:, 0].astype(np.float64)
    if session.model.description.activation == "sigmoid":
        outputs = 1 / (1 + np.exp(-outputs))
    return list(outputs.astype(np.float32)[:, None])


def compute(
    model: Model,
    how: Callable[[Session, Sequence[Any]], Vectors],
    texts: Sequence[Texts],
    watch: Watch = UNWATCHED,
) -> tuple[Vectors, set[str]]:
    """Return a value for each text (or pair of texts), from the cache where it is known.

    The model is loaded only when something is missing. Also returns the texts that were longer than it can
    read, which the cache knows too. Raises Stopped between batches; what was computed stays in the cache.
    """
    watch = watch.saying("The scoring was cancelled; what was computed is kept for the next time.")
    keys = [key(how.__name__, *one) for one in texts]
    marks = [key("cut", *one) for one in texts]
    with VectorCache(model.identity) as cache:
        known = cache.get(list(dict.fromkeys(keys + marks)))
        missing = {name: one for name, one in zip(keys, texts, strict=True) if name not in known}
        if missing:
            session = load(model)
            encoded = session.tokenizer.encode_batch(
                [one if len(one) > 1 else one[0] for one in missing.values()]
            )
            long = [one for one, tokens in zip(missing.values(), encoded, strict=True) if tokens.overflowing]
            cut = {key("cut", *one): np.ones(1, np.float32) for one in long}
            cache.put(cut)
            known.update(cut)
            done = 0
            for names, batch in _batches(dict(zip(missing, encoded, strict=True))):
                watch.look()
                values = dict(zip(names, how(session, batch), strict=True))
                cache.put(values)
                known.update(values)
                done += len(names)
                watch.tell(done, len(missing), f"Reading with {model.name}")
    cut_texts = {" | ".join(one) for one, mark in zip(texts, marks, strict=True) if mark in known}
    return [known[name] for name in keys], cut_texts


def _batches(encoded: Mapping[bytes, Any]) -> Iterator[tuple[list[bytes], list[Any]]]:
    """Yield keys and encodings, longest texts first, so that little is padded."""
    by_length = sorted(encoded.items(), key=lambda pair: len(pair[1].ids), reverse=True)
    start = 0
    while start < len(by_length):
        size = max(1, BATCH_TOKENS // len(by_length[start][1].ids))
        some = by_length[start : start + size]
        yield [name for name, _ in some], [one for _, one in some]
        start += size
