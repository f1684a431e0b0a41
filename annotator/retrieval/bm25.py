"""A baseline: the project's own documents ranked for its queries with Lucene's BM25.

Scores are those of bm25s (method `lucene`) in double precision. Source: S. Robertson, H. Zaragoza, "The
Probabilistic Relevance Framework: BM25 and Beyond", 2009; C. Kamphuis and others, "Which BM25 Do You Mean?",
2020 (Lucene's form, with exact document lengths).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from annotator.errors import InputError, Problem
from annotator.records import Document, Query, RunTable
from annotator.retrieval.analysers import Analyser
from annotator.watch import UNWATCHED, Watch

if TYPE_CHECKING:
    from numpy.typing import NDArray

PRESETS: dict[str, tuple[float, float]] = {"0.9/0.4": (0.9, 0.4), "1.2/0.75": (1.2, 0.75)}
"""(k1, b): what experiments with Lucene use for short passages, and Lucene's own default."""

_TOLD_EVERY = 2_000


@dataclass(frozen=True, slots=True)
class RetrievalOptions:
    """The choices of a baseline run; `sentence` says them as the run's source.

    `k1` (>= 0) bends how fast repeated words stop to matter, `b` (0 to 1) how much long documents pay.
    """

    analyser: str = "standard"
    language: str = "en"
    without_stop_words: bool = False
    k1: float = 0.9
    b: float = 0.4
    top_k: int = 100

    def __post_init__(self) -> None:
        if not (0 <= self.k1 < np.inf and 0 <= self.b <= 1):
            raise ValueError("k1 is 0 or more and b lies between 0 and 1")
        if self.top_k < 1:
            raise ValueError("at least one document is to be kept for each query")

    @property
    def sentence(self) -> str:
        """The choices in words."""
        stop = "without" if self.without_stop_words else "with"
        stem = f" ({self.language})" if self.analyser == "stemming" else ""
        return f"BM25 k1={self.k1:g} b={self.b:g}, analyser {self.analyser}{stem}, {stop} stop words"


def rank(
    documents: Iterable[Document],
    queries: Sequence[Query],
    options: RetrievalOptions,
    system: str = "",
    watch: Watch = UNWATCHED,
) -> RunTable:
    """Rank the documents (title and text) for every query and return the best `top_k` of each.

    Only documents that share a term with the query are ranked, so a ranking may be short or empty. Equal
    scores stand in the order of an imported run: id descending by UTF-8 bytes. Raises InputError when no
    document has a word, and Stopped.
    """
    analyser = Analyser(options.analyser, options.language, options.without_stop_words)
    ids, terms, vocabulary = _terms_of(documents, analyser, watch)
    watch.tell(0, len(queries), "Building the index")
    index = _index(terms, vocabulary, options)
    order = np.empty(len(ids), dtype=np.int64)
    order[sorted(range(len(ids)), key=lambda at: ids[at].encode("utf-8", "surrogatepass"), reverse=True)] = (
        np.arange(len(ids))
    )
    ranked: list[NDArray[np.int64]] = []
    scores: list[NDArray[np.float64]] = []
    for at, query in enumerate(queries):
        watch.look()
        asked = [vocabulary[term] for term in analyser(query.text) if term in vocabulary]
        best, score = _best(index.get_scores_from_ids(asked), order, options.top_k)
        ranked.append(best)
        scores.append(score)
        watch.tell(at + 1, len(queries), "Ranking")
    return _table(system or f"bm25-{options.analyser}", options.sentence, queries, ids, ranked, scores)


def _terms_of(
    documents: Iterable[Document], analyser: Analyser, watch: Watch
) -> tuple[list[str], list[list[int]], dict[str, int]]:
    """Return the ids, each document's terms as whole numbers, and the vocabulary that numbers them."""
    ids: list[str] = []
    terms: list[list[int]] = []
    vocabulary: dict[str, int] = {}
    for document in documents:
        if len(ids) % _TOLD_EVERY == 0:
            watch.step(len(ids), 0, "Reading documents")
        ids.append(document.id)
        text = f"{document.title}\n{document.text}"
        terms.append([vocabulary.setdefault(term, len(vocabulary)) for term in analyser(text)])
    if not vocabulary:
        problem = "no document holds a word, so there is nothing to search; import documents with texts first"
        raise InputError([Problem("documents", None, None, problem)])
    return ids, terms, vocabulary


def _index(terms: list[list[int]], vocabulary: dict[str, int], options: RetrievalOptions) -> Any:
    import bm25s

    index = bm25s.BM25(k1=options.k1, b=options.b, method="lucene", dtype="float64", auto_compile=False)
    index.index((terms, vocabulary), create_empty_token=False, show_progress=False)
    return index


def _best(
    scores: "NDArray[np.float64]", order: "NDArray[np.int64]", top_k: int
) -> "tuple[NDArray[np.int64], NDArray[np.float64]]":
    """Return the places and scores of the best documents above zero, ties in the fixed order."""
    hits = np.flatnonzero(scores > 0)
    if len(hits) > top_k:
        least = np.partition(scores[hits], len(hits) - top_k)[len(hits) - top_k]
        hits = hits[scores[hits] >= least]
    best = hits[np.lexsort((order[hits], -scores[hits]))][:top_k]
    return best, scores[best]


def _table(
    system: str,
    source: str,
    queries: Sequence[Query],
    ids: list[str],
    ranked: "list[NDArray[np.int64]]",
    scores: "list[NDArray[np.float64]]",
) -> RunTable:
    """Put the rankings into columns; the table names only documents that were found."""
    lengths = np.array([len(one) for one in ranked], dtype=np.int64)
    places = np.concatenate([np.empty(0, np.int64), *ranked])
    used, candidate = np.unique(places, return_inverse=True)
    starts = np.repeat(np.cumsum(lengths) - lengths, lengths)
    return RunTable(
        system=system,
        query_ids=[query.id for query in queries],
        candidate_ids=[ids[at] for at in used],
        query=np.repeat(np.arange(len(queries), dtype=np.int32), lengths),
        candidate=candidate.astype(np.int32),
        rank=(np.arange(len(places)) - starts + 1).astype(np.int32),
        score=np.concatenate([np.empty(0), *scores]),
        source=source,
    )
