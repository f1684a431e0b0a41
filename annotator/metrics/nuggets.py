"""Measures of generated answers by nuggets: how much of what a good answer says an answer does say.

Everything works on a `NuggetTable`: the nuggets of all queries, each vital or okay, and whether the answer
that a system ranks first supports each: not (0), partly (1, worth a half), wholly (2). The names and
definitions of the first four are those of nuggetizer (Pradeep et al. 2025, arXiv:2504.15068). Its code has no
weighted score: that one is what ir_axioms computes (`TrecRagNuggetAxiom`, `weighted` and `strict`).

What is not there has a stated result: a query without nuggets has no score (NaN), nor has one whose answer is
not judged by every nugget that the measure counts; a query with nuggets and no answer scores 0, and so does,
as in nuggetizer, one without a vital nugget where only vital ones count.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from annotator.metrics.collection import Floats, Ints
from annotator.metrics.judged_parts import UNSAID, part_measure

NOT, PARTLY, WHOLLY = 0, 1, 2
"""Whether an answer supports a nugget."""

WORDS = {UNSAID: "not judged", NOT: "not", PARTLY: "partial", WHOLLY: "support"}

OKAY_WEIGHT = 0.5
"""So much counts a nugget that is merely okay where both kinds are weighted, a vital one 1."""


@dataclass(frozen=True, slots=True, eq=False)
class NuggetTable:
    """One system's answers beside the nuggets of q queries, a row per nugget, those of a query together.

    `query` is int64[n] (0 .. q - 1, ascending), `vital` bool[n], `support` int64[n]: 0, 1, 2, or -1 where
    nobody said. `answered` is bool[q]: whether the system returned an answer; `texts` are those of the
    nuggets.
    """

    query: Ints
    vital: NDArray[np.bool_]
    support: Ints
    answered: NDArray[np.bool_]
    texts: Sequence[str] = ()
    called: ClassVar[str] = "nuggets"

    @property
    def asked(self) -> NDArray[np.bool_]:
        """Whether each query has nuggets, bool[q]."""
        asked: NDArray[np.bool_] = np.bincount(self.query, minlength=len(self.answered)) > 0
        return asked

    def shown(self, part: int) -> tuple[str, str, str]:
        """Return the text of a nugget, its importance, and whether the answer says it."""
        text = self.texts[part] if self.texts else ""
        return text, "vital" if self.vital[part] else "okay", WORDS[int(self.support[part])]

    def beside(self, query: int) -> str:
        """Return that a query has no nuggets."""
        return "" if self.asked[query] else "The query has no nuggets: it is left out of the mean."


def _worth(table: NuggetTable, partly: float) -> Floats:
    """Return what the support of each nugget is worth, float64[n]; NaN where nobody said."""
    worth: Floats = np.array([0.0, partly, 1.0, np.nan])[table.support]
    return worth


_declared = partial(
    part_measure,
    family="Nuggets",
    needs="nuggets",
    source="Pradeep et al. 2025, arXiv:2504.15068; nuggetizer",
)


@_declared(
    "NuggetStrictVital",
    "Strict vital score",
    "How many of the vital nuggets the answer at rank 1 supports wholly.",
    "It cannot tell a vital nugget that is half said from one that is not said at all.",
    r"V_{\mathrm{strict}} = \frac{1}{|n^v|}\sum_{i \in n^v} [\,s_i = \mathrm{support}\,]",
)
def strict_vital(table: NuggetTable) -> tuple[NDArray[Any], Floats]:
    """Return weights and worths of the strict vital score."""
    return table.vital, _worth(table, 0.0)


@_declared(
    "NuggetStrictAll",
    "Strict all score",
    "How many of all nuggets the answer at rank 1 supports wholly.",
    "It cannot see which nuggets are vital: each counts the same.",
    r"A_{\mathrm{strict}} = \frac{1}{|n|}\sum_{i \in n} [\,s_i = \mathrm{support}\,]",
)
def strict_all(table: NuggetTable) -> tuple[NDArray[Any], Floats]:
    """Return weights and worths of the strict score of all nuggets."""
    return np.ones(len(table.vital)), _worth(table, 0.0)


@_declared(
    "NuggetVital",
    "Vital score",
    "How many of the vital nuggets the answer at rank 1 supports, a partial support as a half.",
    "It cannot see what else an answer says: neither okay nuggets nor what is wrong.",
    r"V = \frac{1}{|n^v|}\sum_{i \in n^v} s_i,\quad s_i \in \{0, \frac{1}{2}, 1\}",
)
def vital(table: NuggetTable) -> tuple[NDArray[Any], Floats]:
    """Return weights and worths of the vital score."""
    return table.vital, _worth(table, 0.5)


@_declared(
    "NuggetAll",
    "All score",
    "How many of all nuggets the answer at rank 1 supports, a partial support as a half.",
    "It cannot tell one nugget wholly said from two that are half said.",
    r"A = \frac{1}{|n|}\sum_{i \in n} s_i,\quad s_i \in \{0, \frac{1}{2}, 1\}",
)
def all_nuggets(table: NuggetTable) -> tuple[NDArray[Any], Floats]:
    """Return weights and worths of the score of all nuggets."""
    return np.ones(len(table.vital)), _worth(table, 0.5)


@_declared(
    "NuggetWeighted",
    "Weighted score",
    "How much of the nuggets the answer at rank 1 supports wholly, an okay one counting half a vital one.",
    "It cannot tell one vital nugget from two that are merely okay.",
    r"W = \frac{\sum_{i \in n^v} [s_i = 1] + \frac{1}{2}\sum_{i \in n^o} [s_i = 1]}"
    r"{|n^v| + \frac{1}{2}|n^o|}",
    source="Pradeep et al. 2024, arXiv:2411.09607; ir_axioms",
)
def weighted(table: NuggetTable) -> tuple[NDArray[Any], Floats]:
    """Return weights and worths of the weighted score, which is strict (Pradeep et al. 2024)."""
    return np.where(table.vital, 1.0, OKAY_WEIGHT), _worth(table, 0.0)
