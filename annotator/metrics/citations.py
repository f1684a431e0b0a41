"""Measures of generated answers by support: whether what their sentences cite says what they say.

Everything works on a `SupportTable`: the sentences of the answers that a system ranks first, and how far each
passage that a sentence cites supports it: not (0), partly (1, worth a half), fully (2). Weighted precision is
the share of the support among the sentences that cite something, weighted recall among all sentences, so that
a sentence that cites nothing costs recall alone. Thakur et al. 2025 (arXiv:2504.15205, section 3.4) count the
first citation of each sentence: that is `SupportPrecisionFirst` and `SupportRecallFirst`. With all citations
a sentence is worth the mean of its citations: one that supports nothing costs something. This variant is
RAGDoll's (`weighted_precision_all_judged_citations`, `support/metrics.py`).

A citation whose passage the project does not have counts for nothing and against nothing: it is left out, and
so is a sentence that has no other one that counts (RAGDoll treats citations that were not judged so).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from annotator.metrics.collection import Floats, Ints
from annotator.metrics.judged_parts import UNSAID, part_measure
from annotator.text.counts import counted

MISSING = -2
"""The passage is not there, so that nobody can say."""

NOTHING = -3
"""A place without a citation."""

WORDS = {MISSING: "not here", UNSAID: "not judged", 0: "no support", 1: "partial support", 2: "full support"}


@dataclass(frozen=True, slots=True, eq=False)
class SupportTable:
    """One system's answers to q queries in n sentences, those of a query together, as they stand.

    `query` is int64[n] (0 .. q - 1, ascending). `cites` are int64[n, m]: how far each citation supports its
    sentence in the order of the citations, 0, 1, 2, `UNSAID` or `MISSING`, filled up with `NOTHING`. `names`
    are the ids of the passages that each sentence cites. `answered` and `asked` are bool[q]: whether the
    system returned an answer, and whether that of any system cites something.
    """

    query: Ints
    cites: Ints
    answered: NDArray[np.bool_]
    asked: NDArray[np.bool_]
    texts: Sequence[str] = ()
    names: Sequence[Sequence[str]] = ()
    called: ClassVar[str] = "sentences"

    @property
    def missing(self) -> int:
        """How many citations name passages that are not there."""
        return int((self.cites == MISSING).sum())

    def shown(self, part: int) -> tuple[str, str, str]:
        """Return a sentence, what it cites, and how far each of that supports it."""
        said = [WORDS[level] for level in self.cites[part].tolist() if level != NOTHING]
        names = self.names[part]
        told = said[:1] if len(said) == 1 else [f"{a}: {b}" for a, b in zip(names, said, strict=True)]
        return self.texts[part], ", ".join(names) or "nothing", ", ".join(told) or "no support"

    def beside(self, query: int) -> str:
        """Return that no answer to a query cites anything, or how many passages are not there."""
        if not self.asked[query]:
            return "No answer to the query cites anything: it is left out of the mean."
        missing = int((self.cites[self.query == query] == MISSING).sum())
        of = counted(missing, "citation")
        return f"The project does not have the passages of {of}: left out." if missing else ""


def _shares(table: SupportTable, first: bool, recall: bool) -> tuple[NDArray[Any], Floats]:
    """Return the weight and the worth of each sentence: the mean of its citations that count, NaN if open."""
    cites = table.cites[:, :1] if first else table.cites
    counts = cites >= UNSAID
    worth = np.array([0.0, 0.5, 1.0, np.nan])[np.maximum(cites, UNSAID)]
    total = np.where(counts, worth, 0.0).sum(axis=1)
    number = counts.sum(axis=1)
    uncited = (table.cites == NOTHING).all(axis=1)
    weight = (number > 0) | (uncited & recall)
    return weight, total / np.maximum(number, 1)


SOURCE = "Thakur et al. 2025, arXiv:2504.15205"
_declared = partial(part_measure, family="Support", needs="citations", source=SOURCE)
_of_all = partial(_declared, source=f"{SOURCE}; over all citations as in RAGDoll")


@_of_all(
    "SupportPrecision",
    "Weighted precision of support",
    "How far what they cite supports those sentences of the answer at rank 1 that cite something.",
    "It cannot see sentences that cite nothing: an answer may leave out its citations where it is unsure.",
    r"\frac{1}{|C|}\sum_{a_i \in C} \frac{1}{|d_i|}\sum_{j} s(a_i, d_{ij}),\quad "
    r"s \in \{0, \frac{1}{2}, 1\}",
)
def precision(table: SupportTable) -> tuple[NDArray[Any], Floats]:
    """Return weights and worths of weighted precision over all citations."""
    return _shares(table, first=False, recall=False)


@_of_all(
    "SupportRecall",
    "Weighted recall of support",
    "How far what they cite supports the sentences of the answer at rank 1; one that cites nothing is not.",
    "It cannot tell a sentence that needs no citation, such as a greeting, from a claim without one.",
    r"\frac{1}{n}\sum_{a_i \in C} \frac{1}{|d_i|}\sum_{j} s(a_i, d_{ij}),\quad s \in \{0, \frac{1}{2}, 1\}",
)
def recall(table: SupportTable) -> tuple[NDArray[Any], Floats]:
    """Return weights and worths of weighted recall over all citations."""
    return _shares(table, first=False, recall=True)


@_declared(
    "SupportPrecisionFirst",
    "Weighted precision of support, first citations",
    "As SupportPrecision, with the first citation of each sentence alone, as the TREC 2024 RAG track judged.",
    "It cannot see what a sentence cites second, whether that supports it or not.",
    r"\frac{1}{|C|}\sum_{a_i \in C} s(a_i, d_{i1}),\quad s \in \{0, \frac{1}{2}, 1\}",
)
def precision_first(table: SupportTable) -> tuple[NDArray[Any], Floats]:
    """Return weights and worths of weighted precision over first citations."""
    return _shares(table, first=True, recall=False)


@_declared(
    "SupportRecallFirst",
    "Weighted recall of support, first citations",
    "As SupportRecall, with the first citation of each sentence alone, as the TREC 2024 RAG track judged.",
    "It cannot see a second citation that would support what the first one does not.",
    r"\frac{1}{n}\sum_{a_i \in C} s(a_i, d_{i1}),\quad s \in \{0, \frac{1}{2}, 1\}",
)
def recall_first(table: SupportTable) -> tuple[NDArray[Any], Floats]:
    """Return weights and worths of weighted recall over first citations."""
    return _shares(table, first=True, recall=True)
