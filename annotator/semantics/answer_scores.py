"""The three semantic answer scores: how near a predicted answer is to a gold answer, as a model reads them.

BiEncoder: N. Reimers, I. Gurevych, "Sentence-BERT", 2019. SAS: J. Risch and others, "Semantic Answer
Similarity for Evaluating Question Answering Models", 2021. BERTScore: T. Zhang and others, 2020.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from annotator.metrics.answers import AnswerTable, Match
from annotator.semantics.models import Kind, Model, find, need_extra
from annotator.semantics.text_encoder import Texts, compute, pair_scores, pooled, token_ids, token_vectors
from annotator.watch import UNWATCHED, Watch

Values = dict[Texts, NDArray[np.float32]]
Part = Literal["P", "R", "F"]

_SPECIAL = 2
"""How many tokens an encoder puts around a text: one before, one after."""


@dataclass
class Scorer:
    """Scores pairs of texts with one model; `cut` counts the texts that were longer than it can read."""

    model: Model
    watch: Watch = UNWATCHED
    cut: set[str] = field(default_factory=set)

    def _values(self, how: Callable[..., list[NDArray[np.float32]]], texts: Sequence[Texts]) -> Values:
        distinct = list(dict.fromkeys(texts))
        values, cut = compute(self.model, how, distinct, self.watch)
        self.cut |= cut
        return dict(zip(distinct, values, strict=True))

    def bi_encoder(self, predictions: Sequence[str], wordings: Sequence[str]) -> NDArray[np.float64]:
        """Return the cosine of the two texts' vectors for each pair, float64[n] from -1 to 1."""
        vectors = self._values(pooled, [(one,) for one in (*predictions, *wordings)])
        pairs = zip(predictions, wordings, strict=True)
        cosines = [
            1.0 if one == other else float(vectors[(one,)].astype(np.float64) @ vectors[(other,)])
            for one, other in pairs
        ]
        return np.clip(np.array(cosines, np.float64), -1, 1)

    def sas(self, predictions: Sequence[str], wordings: Sequence[str]) -> NDArray[np.float64]:
        """Return what the cross-encoder says of each pair, the prediction read first, float64[n]."""
        pairs = list(zip(predictions, wordings, strict=True))
        scores = self._values(pair_scores, pairs)
        return np.array([float(scores[pair][0]) for pair in pairs], np.float64)

    def bert_score(
        self,
        predictions: Sequence[str],
        wordings: Sequence[str],
        part: Part = "F",
        references: Sequence[str] | None = None,
    ) -> NDArray[np.float64]:
        """Return BERTScore's precision, recall or F of each pair, float64[n] from -1 to 1.

        Each token of one text is matched with the most similar token of the other; precision is the mean
        over the prediction's tokens, recall over the wording's. The special tokens at both ends can be
        matched but do not count. With `references` the means are weighed: a token by how few of these texts
        hold it. No rescaling. An empty text scores 0.
        """
        empty: Texts = ("",)
        flat = self._values(token_vectors, [empty, *((one.strip(),) for one in (*predictions, *wordings))])
        width = flat[empty].size // _SPECIAL
        tokens = {text: vectors.reshape(-1, width) for text, vectors in flat.items()}
        pairs = [(one.strip(), other.strip()) for one, other in zip(predictions, wordings, strict=True)]
        weights = self._weights({text for pair in pairs for text in pair}, references)
        scores = np.zeros(len(predictions))
        for at, (prediction, wording) in enumerate(pairs):
            left, right = tokens[(prediction,)], tokens[(wording,)]
            if min(len(left), len(right)) <= _SPECIAL:
                continue
            if prediction == wording:
                scores[at] = 1
                continue
            similar = left.astype(np.float64) @ right.astype(np.float64).T
            precision = _mean(similar.max(axis=1)[1:-1], weights.get(prediction))
            recall = _mean(similar.max(axis=0)[1:-1], weights.get(wording))
            total = precision + recall
            scores[at] = {"P": precision, "R": recall, "F": 2 * precision * recall / total if total else 0}[
                part
            ]
        return scores

    def _weights(self, texts: set[str], references: Sequence[str] | None) -> dict[str, NDArray[np.float64]]:
        """Return the weight of each token of some texts, special ones left out; nothing without references.

        Of M references a token in n of them weighs ln((M + 1) / (n + 1)).
        """
        if references is None:
            return {}
        stripped = [one.strip() for one in references]
        ids = self._values(token_ids, [(one,) for one in (*texts, *stripped)])
        holding = Counter(token for one in stripped for token in set(ids[(one,)].tolist()))
        rarest = len(stripped) + 1
        return {
            one: np.array([np.log(rarest / (holding[token] + 1)) for token in ids[(one,)].tolist()[1:-1]])
            for one in texts
        }


def _mean(values: NDArray[np.float64], weights: NDArray[np.float64] | None) -> float:
    """Return the weighted mean; where nothing has a weight, all count alike."""
    if weights is None or not weights.any():
        return float(values.mean())
    return float(values @ weights / weights.sum())


NEEDS: dict[str, tuple[Kind, Callable[..., NDArray[np.float64]]]] = {
    "bi-encoder": ("encoder", Scorer.bi_encoder),
    "bertscore": ("encoder", Scorer.bert_score),
    "bertscore-p": ("encoder", partial(Scorer.bert_score, part="P")),
    "bertscore-r": ("encoder", partial(Scorer.bert_score, part="R")),
    "bertscore-idf": ("encoder", Scorer.bert_score),
    "bertscore-idf-p": ("encoder", partial(Scorer.bert_score, part="P")),
    "bertscore-idf-r": ("encoder", partial(Scorer.bert_score, part="R")),
    "sas": ("cross-encoder", Scorer.sas),
}
"""Name of a semantic match -> the kind of model it needs, and what it asks of the scorer."""

WEIGHED = frozenset(name for name in NEEDS if "-idf" in name)
"""The matches that weigh tokens by all wordings of a table's gold answers."""


@dataclass
class SemanticMatches:
    """The semantic matches that an evaluation asks for, with what is to be printed beside them."""

    matches: "dict[str, Match]"
    scorers: dict[str, Scorer]

    @property
    def notes(self) -> tuple[str, ...]:
        """One sentence per model: its name, its weights' hash, how many texts were cut."""
        sentences: dict[str, None] = {}
        for name, scorer in self.scorers.items():
            cut = f"; {len(scorer.cut)} texts were longer and cut" if scorer.cut else ""
            sentences[f"{name}: {scorer.model.sentence}{cut}."] = None
        return tuple(sentences)


def semantic_matches(names: Sequence[str], model: str = "", watch: Watch = UNWATCHED) -> SemanticMatches:
    """Return match functions for the semantic names among those asked for; each finds its model.

    `model` names the model where several are installed. Raises MissingExtra without the extra, UserError
    when a model is missing or damaged.
    """
    matches = [name for name in dict.fromkeys(names) if name in NEEDS]
    if matches:
        need_extra()
    scorers: dict[str, Scorer] = {}
    by_kind: dict[Kind, Scorer] = {}
    for name in matches:
        kind = NEEDS[name][0]
        if kind not in by_kind:
            by_kind[kind] = Scorer(find(kind, model), watch)
        scorers[name] = by_kind[kind]
    return SemanticMatches({name: _match(name, scorer) for name, scorer in scorers.items()}, scorers)


def _match(name: str, scorer: Scorer) -> Match:
    """Return a match over the texts of an `AnswerTable`; texts are compared as they are, not normalised."""

    def match(
        table: AnswerTable, predictions: NDArray[np.int64], wordings: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        left, right, every = (
            [table.texts[at] for at in some.tolist()] for some in (predictions, wordings, table.wordings)
        )
        return NEEDS[name][1](scorer, left, right, **({"references": every} if name in WEIGHED else {}))

    return match
