"""Predicted answers against gold answers: the table of both, and how well they match.

Everything works on an `AnswerTable`: the ranked predicted answers of one system and the gold answers of all
queries, as flat columns with offsets. A *match* says how well a prediction fits one wording of a gold answer,
0 to 1; a prediction fits a gold answer as well as its best wording.

What is not there has a stated result:

- a query without gold answer and without the mark "unanswerable" cannot be scored: NaN, left out of the mean;
- a query marked unanswerable is right exactly when the predicted answer has no tokens, under every match;
- a query without prediction scores 0: it is not the empty answer;
- under `squad2`, wordings that normalise to nothing are not compared unless the query has no other, and
  F1 is exact match as soon as one side has no tokens; under the others F1 of nothing is 0.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from annotator.errors import MeasureError
from annotator.metrics.collection import Floats, Ints
from annotator.metrics.token_bags import TokenBags
from annotator.text import normalisers


@dataclass(frozen=True, eq=False)
class AnswerTable:
    """One system's ranked predicted answers and the gold answers, for q queries.

    `texts` are all distinct texts. `predictions` (int64[p], into `texts`) stand by query, best first;
    `predictions[prediction_offsets[i]:prediction_offsets[i + 1]]` are those of query i, at `rank` (int32[p]).
    Gold answers stand by query, most preferred first: gold answer g belongs to query `gold_query[g]` and its
    wordings are `wordings[wording_offsets[g]:wording_offsets[g + 1]]` (int64, into `texts`).
    `unanswerable` is bool[q]; `stemming` a language code or None. `semantic` holds the matches that need a
    language model, by name, where models are at hand.
    """

    texts: Sequence[str]
    prediction_offsets: Ints
    predictions: Ints
    rank: NDArray[np.int32]
    gold_query: Ints
    wording_offsets: Ints
    wordings: Ints
    unanswerable: NDArray[np.bool_]
    normaliser: str = "squad1"
    stemming: str | None = None
    semantic: "Mapping[str, Match]" = field(default_factory=dict)
    passages: "AnswerTable | None" = None

    @classmethod
    def build(
        cls,
        query: Sequence[int] | Ints,
        rank: Sequence[int] | NDArray[np.int32],
        texts: Sequence[str],
        gold: Sequence[Sequence[Sequence[str]]],
        unanswerable: Sequence[bool] | NDArray[np.bool_] | None = None,
        *,
        normaliser: str = "squad1",
        stemming: str | None = None,
    ) -> "AnswerTable":
        """Put the columns in order.

        `query` (0 .. q - 1), `rank` and `texts` are one row per prediction in any order; `gold[i]` holds the
        gold answers of query i, each as its wordings; `unanswerable[i]` is its mark (None: no query has it).
        """
        n = len(gold)
        queries, ranks = np.asarray(query, np.int64), np.asarray(rank, np.int32)
        order = np.lexsort((ranks, queries))
        answers = [wordings for one in gold for wordings in one]
        code: dict[str, int] = {}
        predictions = np.array([code.setdefault(text, len(code)) for text in texts], np.int64)
        wordings = [code.setdefault(text, len(code)) for one in answers for text in one]
        return cls(
            list(code),
            np.append(0, np.cumsum(np.bincount(queries, minlength=n))),
            predictions[order],
            ranks[order],
            np.repeat(np.arange(n), [len(one) for one in gold]),
            np.append(0, np.cumsum(np.array([len(one) for one in answers], np.int64))),
            np.array(wordings, np.int64),
            np.zeros(n, np.bool_) if unanswerable is None else np.asarray(unanswerable, np.bool_),
            normaliser,
            stemming,
        )

    def with_passages(self, passages: Sequence[str]) -> "AnswerTable":
        """Return the table with the passage of each query's answer at rank 1, "" where it is not known."""
        top = np.flatnonzero(self.rank == 1)
        beside = AnswerTable.build(
            self.prediction_query[top],
            self.rank[top],
            [self.texts[one] for one in self.predictions[top].tolist()],
            [[[one]] if one else [] for one in passages],
            normaliser=self.normaliser,
            stemming=self.stemming,
        )
        return replace(self, passages=beside)

    @property
    def n_queries(self) -> int:
        """How many queries the table is about."""
        return len(self.unanswerable)

    @property
    def prediction_query(self) -> Ints:
        """The query of each prediction, int64[p]."""
        return np.repeat(np.arange(self.n_queries), np.diff(self.prediction_offsets))

    def predicted(self, query: int) -> list[str]:
        """Return the predicted answers of one query, best first."""
        rows = slice(*self.prediction_offsets[query : query + 2])
        return [self.texts[one] for one in self.predictions[rows].tolist()]

    @property
    def wording_gold(self) -> Ints:
        """The gold answer of each wording, int64[w]."""
        return np.repeat(np.arange(len(self.gold_query)), np.diff(self.wording_offsets))

    @property
    def scorable(self) -> NDArray[np.bool_]:
        """Which queries have gold answers or the mark that there is none, bool[q]."""
        return self.unanswerable | (np.bincount(self.gold_query, minlength=self.n_queries) > 0)

    @cached_property
    def compared(self) -> list[str]:
        """The texts as exact match compares them, each normalised once in the table's life.

        Raises MeasureError for an unknown normaliser.
        """
        if self.normaliser not in normalisers.NORMALISERS:
            known = ", ".join(normalisers.NORMALISERS)
            raise MeasureError(f"there is no normaliser {self.normaliser!r}; there are {known}")
        return normalisers.compared_all(self.texts, self.normaliser, self.stemming)

    @cached_property
    def exact(self) -> Ints:
        """A number per text; texts that match exactly have the same."""
        code: dict[str, int] = {}
        return np.array([code.setdefault(text, len(code)) for text in self.compared], np.int64)

    @cached_property
    def size(self) -> Ints:
        """How many tokens each text has."""
        return np.array([len(text.split()) for text in self.compared], np.int64)

    @cached_property
    def bags(self) -> TokenBags:
        """The tokens of each text, each numbered once in the table's life."""
        return TokenBags.of(self.compared, self.size)


Match = Callable[[AnswerTable, Ints, Ints], Floats]
"""How well predictions fit wordings, 0 to 1: `match(table, predictions, wordings)`, indices into `texts`."""


def exact_match(table: AnswerTable, predictions: Ints, wordings: Ints) -> Floats:
    """Return 1 where both texts are the same after normalising, else 0."""
    same: Floats = (table.exact[predictions] == table.exact[wordings]).astype(np.float64)
    return same


def token_f1(table: AnswerTable, predictions: Ints, wordings: Ints) -> Floats:
    """Return 2 |common tokens| / (|tokens of the prediction| + |tokens of the wording|), repetitions counted.

    That is the harmonic mean of token precision and recall. Nothing against nothing: 1 under squad2, else 0.

    >>> table = AnswerTable.build([0], [1], ["Tony Stark"], [[["Anthony Edward Stark"]]])
    >>> token_f1(table, table.predictions, table.wordings).round(4).tolist()
    [0.4]
    """
    return _shared_tokens(table, predictions, wordings, lambda said, gold: (said + gold) / 2)


def token_precision(table: AnswerTable, predictions: Ints, wordings: Ints) -> Floats:
    """Return the share of the prediction's tokens that the wording has too; nothing as for token F1."""
    return _shared_tokens(table, predictions, wordings, lambda said, _: said)


def token_recall(table: AnswerTable, predictions: Ints, wordings: Ints) -> Floats:
    """Return the share of the wording's tokens that the prediction has too; nothing as for token F1."""
    return _shared_tokens(table, predictions, wordings, lambda _, gold: np.maximum(gold, 1))


def _shared_tokens(
    table: AnswerTable,
    predictions: Ints,
    wordings: Ints,
    of: Callable[[Ints, Ints], Ints | Floats],
) -> Floats:
    """Return the common tokens over what `of` makes of the sizes of prediction and wording."""
    score = exact_match(table, predictions, wordings)
    if table.normaliser != "squad2":
        score[table.size[predictions] == 0] = 0.0
    differing = np.flatnonzero((score == 0) & (table.size[predictions] > 0))
    left, right = predictions[differing], wordings[differing]
    score[differing] = table.bags.shared(left, right) / of(table.size[left], table.size[right])
    return score


def containment(table: AnswerTable, predictions: Ints, wordings: Ints) -> Floats:
    """Return 1 where the wording's tokens stand in the prediction in a row, or both are the same, else 0.

    A wording without tokens is contained in no other text.
    """
    score = exact_match(table, predictions, wordings)
    rest = np.flatnonzero((score == 0) & (table.size[wordings] > 0))
    score[rest] = _stands_in(table, wordings[rest], predictions[rest])
    return score


def within(table: AnswerTable, predictions: Ints, wordings: Ints) -> Floats:
    """Return 1 where the prediction's tokens stand in the wording in a row, else 0.

    A prediction without tokens says nothing that does not stand there: 1.
    """
    return _stands_in(table, predictions, wordings)


def _stands_in(table: AnswerTable, parts: Ints, wholes: Ints) -> Floats:
    """Return 1 where the tokens of one text stand in a row in the one beside it, else 0."""
    plain = [" ".join(text.split()) for text in table.compared]
    pairs = zip(parts.tolist(), wholes.tolist(), strict=True)
    stands = [not plain[part] or f" {plain[part]} " in f" {plain[whole]} " for part, whole in pairs]
    return np.array(stands, np.float64)


def overlap(table: AnswerTable, predictions: Ints, wordings: Ints) -> Floats:
    """Return 1 where the texts share at least one token, else 0."""
    share = token_f1(table, predictions, wordings)
    shared: Floats = ((share > 0) & (table.size[predictions] > 0)).astype(np.float64)
    return shared


MATCHES: dict[str, Match] = {
    "em": exact_match,
    "f1": token_f1,
    "overlap": overlap,
    "precision": token_precision,
    "recall": token_recall,
    "contains": containment,
    "within": within,
}
"""Name -> match function; those that need a language model come with the table."""

SEMANTIC_MATCHES = (
    *("bi-encoder", "sas", "bertscore", "bertscore-p", "bertscore-r"),
    *("bertscore-idf", "bertscore-idf-p", "bertscore-idf-r"),
)
"""The names of the matches that need a language model."""


def match_of(table: AnswerTable, name: str) -> Match:
    """Return a match function by its name, or say which there are."""
    match = MATCHES.get(name) or table.semantic.get(name)
    if match is None and name in SEMANTIC_MATCHES:
        raise MeasureError(f"{name} needs a language model, and none was loaded for this evaluation")
    if match is None:
        raise MeasureError(
            f"there is no match {name!r}; there are {', '.join((*MATCHES, *SEMANTIC_MATCHES))}"
        )
    return match
