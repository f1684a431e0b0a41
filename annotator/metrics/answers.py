"""Predicted answers against gold answers: exact match, token F1, top-k accuracy, gold answers as relevance.

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

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotator.text import normalisers

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class Reduced(NamedTuple):
    """A text as it is compared: its exact form, and its tokens, the second `the` told from the first."""

    exact: str
    tokens: frozenset[str | tuple[str, int]]

    @classmethod
    def of(cls, text: str, normaliser: str, stemming: str | None) -> "Reduced":
        """Reduce one text."""
        found = normalisers.tokens(text, normaliser, stemming)
        exact = text if normaliser == "none" and not stemming else " ".join(found)
        once: frozenset[str | tuple[str, int]] = frozenset(found)
        return cls(exact, once if len(once) == len(found) else _told_apart(found))


def _told_apart(found: Sequence[str]) -> frozenset[str | tuple[str, int]]:
    """Return the tokens with repetitions numbered, so that a set's intersection is a multiset's."""
    seen: dict[str, int] = {}
    marked: list[str | tuple[str, int]] = []
    for token in found:
        times = seen.get(token, 0)
        marked.append((token, times) if times else token)
        seen[token] = times + 1
    return frozenset(marked)


@dataclass(frozen=True, slots=True, eq=False)
class AnswerTable:
    """One system's ranked predicted answers and the gold answers, for q queries.

    `predictions[prediction_offsets[i]:prediction_offsets[i + 1]]` are query i's, best first, at `rank`
    (int32, 1-based). Gold answer g belongs to query `gold_query[g]`, gold answers of a query stand together,
    most preferred first; its wordings are `wordings[wording_offsets[g]:wording_offsets[g + 1]]`.
    `stemming` is a language code or None.
    """

    prediction_offsets: Ints
    predictions: Sequence[str]
    rank: NDArray[np.int32]
    gold_query: Ints
    wording_offsets: Ints
    wordings: Sequence[str]
    unanswerable: NDArray[np.bool_]
    normaliser: str = "squad1"
    stemming: str | None = None
    _reduced: dict[str, Reduced] = field(default_factory=dict)

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
        sizes = [len(wordings) for answers in gold for wordings in answers]
        return cls(
            np.concatenate(([0], np.cumsum(np.bincount(queries, minlength=n)))).astype(np.int64),
            [texts[i] for i in order.tolist()],
            ranks[order],
            np.repeat(np.arange(n), [len(answers) for answers in gold]),
            np.concatenate(([0], np.cumsum(np.asarray(sizes, np.int64)))),
            [wording for answers in gold for wordings in answers for wording in wordings],
            np.zeros(n, np.bool_) if unanswerable is None else np.asarray(unanswerable, np.bool_),
            normaliser,
            stemming,
        )

    @property
    def n_queries(self) -> int:
        """How many queries the table is about."""
        return len(self.unanswerable)

    @property
    def prediction_query(self) -> Ints:
        """The query of each prediction, int64[p]."""
        return np.repeat(np.arange(self.n_queries), np.diff(self.prediction_offsets))

    @property
    def scorable(self) -> NDArray[np.bool_]:
        """Which queries have gold answers or the mark that there is none, bool[q]."""
        return self.unanswerable | (np.bincount(self.gold_query, minlength=self.n_queries) > 0)

    def reduced(self, texts: Sequence[str]) -> list[Reduced]:
        """Return the texts as they are compared; each distinct text is reduced once in the table's life."""
        known = self._reduced
        for text in set(texts).difference(known):
            known[text] = Reduced.of(text, self.normaliser, self.stemming)
        return [known[text] for text in texts]


Match = Callable[[AnswerTable, list[str], list[str]], Floats]
"""How well predictions fit wordings, 0 to 1: `match(table, predictions, wordings)`, equally long lists."""


def exact_match(table: AnswerTable, predictions: list[str], wordings: list[str]) -> Floats:
    """Return 1 where both texts are the same after normalising, else 0."""
    pairs = zip(table.reduced(predictions), table.reduced(wordings), strict=True)
    return np.array([left.exact == right.exact for left, right in pairs], np.float64)


def token_f1(table: AnswerTable, predictions: list[str], wordings: list[str]) -> Floats:
    """Return 2 |common tokens| / (|tokens of the prediction| + |tokens of the wording|), repetitions counted.

    That is the harmonic mean of token precision and recall. Nothing against nothing: 1 under squad2, else 0.

    >>> table = AnswerTable.build([], [], [], [])
    >>> token_f1(table, ["Tony Stark"], ["Anthony Edward Stark"]).round(4).tolist()
    [0.4]
    """
    left, right = table.reduced(predictions), table.reduced(wordings)
    common = np.array([len(a.tokens & b.tokens) for a, b in zip(left, right, strict=True)], np.float64)
    sizes = np.array([len(a.tokens) + len(b.tokens) for a, b in zip(left, right, strict=True)], np.float64)
    score = np.divide(2 * common, sizes, out=np.zeros(len(common)), where=sizes > 0)
    if table.normaliser == "squad2":
        score[sizes == 0] = 1.0
    return score


def overlap(table: AnswerTable, predictions: list[str], wordings: list[str]) -> Floats:
    """Return 1 where the texts share at least one token, else 0."""
    return (token_f1(table, predictions, wordings) > 0).astype(np.float64)


MATCHES: dict[str, Match] = {"em": exact_match, "f1": token_f1, "overlap": overlap}
"""Name -> match function; semantic scores add themselves."""


def _compared_wordings(table: AnswerTable) -> NDArray[np.bool_]:
    """Return which wordings are compared, bool[w]: under squad2 no empty one beside another."""
    if table.normaliser != "squad2":
        return np.ones(len(table.wordings), np.bool_)
    filled = np.array([bool(one.tokens) for one in table.reduced(table.wordings)], np.bool_)
    query = table.gold_query[np.repeat(np.arange(len(table.gold_query)), np.diff(table.wording_offsets))]
    compared: NDArray[np.bool_] = filled | (np.bincount(query, filled, table.n_queries) == 0)[query]
    return compared


def _ranges(start: Ints, size: Ints) -> Ints:
    """Return start[0], start[0] + 1, .. for size[0] numbers, then the next range, and so on."""
    ends = np.cumsum(size)
    return np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - size - start, size)


def gold_scores(table: AnswerTable, match: str, chosen: Ints) -> tuple[Ints, Ints, Floats]:
    """Return how well chosen predictions fit each gold answer of their query.

    `chosen` (int64) are positions in `predictions`. Returns (position in `chosen`, gold answer, score) of
    every pair of a prediction and a gold answer of an answerable query, sorted so. KeyError when `match` is
    not known.
    """
    query = table.prediction_query[chosen]
    gold_offsets = np.searchsorted(table.gold_query, np.arange(table.n_queries + 1))
    golds = np.where(table.unanswerable[query], 0, np.diff(gold_offsets)[query])
    pair_chosen = np.repeat(np.arange(len(chosen)), golds)
    pair_gold = _ranges(gold_offsets[query], golds)
    wordings = np.diff(table.wording_offsets)[pair_gold]
    pair = np.repeat(np.arange(len(pair_gold)), wordings)
    wording = _ranges(table.wording_offsets[pair_gold], wordings)
    keep = _compared_wordings(table)[wording]
    pair, wording = pair[keep], wording[keep]
    position = chosen[pair_chosen[pair]]
    score = MATCHES[match](
        table,
        [table.predictions[i] for i in position.tolist()],
        [table.wordings[i] for i in wording.tolist()],
    )
    best = np.zeros(len(pair_gold))
    np.maximum.at(best, pair, score)
    return pair_chosen, pair_gold, best


def prediction_scores(table: AnswerTable, match: str, depth: int | None = None) -> tuple[Ints, Floats]:
    """Return how right each prediction is: the best score over the gold answers of its query.

    Returns (positions in `predictions`, score); `depth` takes only ranks up to it. For a query marked
    unanswerable the score is 1 where the prediction has no tokens, else 0.
    """
    chosen = np.arange(len(table.predictions)) if depth is None else np.flatnonzero(table.rank <= depth)
    at, _, score = gold_scores(table, match, chosen)
    best = np.zeros(len(chosen))
    np.maximum.at(best, at, score)
    marked = np.flatnonzero(table.unanswerable[table.prediction_query[chosen]])
    texts = [table.predictions[i] for i in chosen[marked].tolist()]
    best[marked] = [not one.tokens for one in table.reduced(texts)]
    return chosen, best


def best_in_top(table: AnswerTable, match: str, depth: int = 1) -> Floats:
    """Return the best match among the top `depth` predictions, float64[q]; NaN where a query has no gold."""
    chosen, score = prediction_scores(table, match, depth)
    best = np.zeros(table.n_queries)
    np.maximum.at(best, table.prediction_query[chosen], score)
    best[~table.scorable] = np.nan
    return best


def top_accuracy(table: AnswerTable, match: str, threshold: float, depth: int) -> Floats:
    """Return 1 where one of the top predictions matches from `threshold` on, float64[q], NaN without gold."""
    best = best_in_top(table, match, depth)
    return np.where(np.isnan(best), np.nan, best >= threshold)


def gold_reciprocal_rank(table: AnswerTable, match: str, threshold: float) -> Floats:
    """Return 1 / place in the gold list of the answer that the prediction at rank 1 matches, float64[q].

    The mean of this is what some articles print as MRR; the reciprocal rank of everyone else is `RR` with a
    gold match as relevance source.
    """
    chosen = np.flatnonzero(table.rank == 1)
    at, gold, score = gold_scores(table, match, chosen)
    first = np.searchsorted(table.gold_query, np.arange(table.n_queries))
    place = gold - first[table.gold_query[gold]] + 1
    value = best_in_top(table, match) * table.unanswerable
    query = table.prediction_query[chosen[at]]
    np.maximum.at(value, query, np.where(score >= threshold, 1 / place, 0.0))
    return value
