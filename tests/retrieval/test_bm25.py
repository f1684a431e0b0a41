"""The BM25 baseline: worked by hand, equal to bm25s' own scorer, ties, cancel."""

import math

import bm25s
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.errors import InputError, Stopped
from annotator.records import Document, Query, RunTable
from annotator.retrieval.bm25 import PRESETS, RetrievalOptions, rank
from annotator.watch import Watch

DOCUMENTS = [
    Document("d1", "Hammers", "Mjolnir is a hammer"),
    Document("d2", "", "The shield was thrown and the shield came back"),
    Document("d3", "", "hammer hammer shield"),
    Document("d4", "", ""),
]


def rows(table: RunTable) -> dict[str, list[tuple[str, int, float]]]:
    """Return each query's (document, rank, score)."""
    assert table.score is not None
    found: dict[str, list[tuple[str, int, float]]] = {one: [] for one in table.query_ids}
    for query, candidate, place, score in zip(
        table.query, table.candidate, table.rank, table.score, strict=True
    ):
        found[table.query_ids[query]].append((table.candidate_ids[candidate], int(place), float(score)))
    return found


def test_the_scores_are_those_worked_by_hand() -> None:
    # Four documents of 5, 9, 3 and 0 terms: mean length 4.25. "hammer" stands in d1 once and in d3 twice
    # ("Hammers" is another word), "shield" in d2 twice and in d3 once: both terms in 2 of 4 documents.
    k1, b = 0.9, 0.4
    idf = math.log(1 + (4 - 2 + 0.5) / (2 + 0.5))

    def term(count: int, length: int) -> float:
        return idf * count / (count + k1 * (1 - b + b * length / 4.25))

    expected = {
        "d3": term(2, 3) + term(1, 3),
        "d2": term(2, 9),
        "d1": term(1, 5),
    }
    found = rows(rank(DOCUMENTS, [Query("q", "hammer shield")], RetrievalOptions()))["q"]
    assert [(document, place) for document, place, _ in found] == [("d3", 1), ("d2", 2), ("d1", 3)]
    assert {document: score for document, _, score in found} == pytest.approx(expected, rel=1e-12)


def test_stemming_finds_what_the_standard_analyser_misses() -> None:
    queries = [Query("q", "throwing hammers")]
    standard = rows(rank(DOCUMENTS, queries, RetrievalOptions("standard")))["q"]
    stemming = rows(rank(DOCUMENTS, queries, RetrievalOptions("stemming")))["q"]
    assert [one[0] for one in standard] == ["d1"]
    assert [one[0] for one in stemming] == ["d3", "d1"]


def test_a_word_asked_twice_counts_twice() -> None:
    once = rows(rank(DOCUMENTS, [Query("q", "hammer")], RetrievalOptions()))["q"]
    twice = rows(rank(DOCUMENTS, [Query("q", "hammer hammer")], RetrievalOptions()))["q"]
    assert [score for *_, score in twice] == pytest.approx([2 * score for *_, score in once])


def test_a_query_without_a_known_word_gets_an_empty_ranking_and_stays_named() -> None:
    table = rank(
        DOCUMENTS, [Query("none", "zebra"), Query("empty", ""), Query("q", "shield")], RetrievalOptions()
    )
    assert list(table.query_ids) == ["none", "empty", "q"]
    assert set(table.query.tolist()) == {2}


def test_equal_scores_stand_by_id_descending_also_at_the_cut() -> None:
    twins = [Document(f"d{number}", "", "same words here") for number in (2, 9, 10, 1)]
    for top_k, expected in [(4, ["d9", "d2", "d10", "d1"]), (2, ["d9", "d2"])]:
        found = rows(rank(twins, [Query("q", "words")], RetrievalOptions(top_k=top_k)))["q"]
        assert [one[0] for one in found] == expected


def test_the_run_says_how_it_was_made() -> None:
    table = rank(DOCUMENTS, [Query("q", "shield")], RetrievalOptions("stemming", k1=1.2, b=0.75))
    assert table.system == "bm25-stemming"
    assert table.source == "BM25 k1=1.2 b=0.75, analyser stemming (en), with stop words"
    assert PRESETS["1.2/0.75"] == (1.2, 0.75)


def test_documents_without_any_word_are_refused_with_what_to_do() -> None:
    with pytest.raises(InputError, match="import documents"):
        rank([Document("d", "", "…")], [Query("q", "shield")], RetrievalOptions())


@pytest.mark.parametrize("wrong", [{"k1": -1}, {"b": 1.5}, {"k1": math.nan}, {"top_k": 0}])
def test_senseless_options_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError):
        RetrievalOptions(**wrong)  # type: ignore[arg-type]


def test_progress_is_told_and_cancel_stops_between_queries() -> None:
    told: list[tuple[int, int, str]] = []
    queries = [Query(str(number), "shield") for number in range(5)]
    with pytest.raises(Stopped, match="enough"):
        rank(
            DOCUMENTS,
            queries,
            RetrievalOptions(),
            watch=Watch(
                "enough",
                lambda *step: told.append(step),
                lambda: any(done == 3 for done, total, _ in told if total),
            ),
        )
    assert told[0] == (0, 0, "Reading documents")
    assert told[-1] == (3, 5, "Ranking")


WORDS = st.sampled_from(["ant", "bee", "cat", "dog", "eel", "fox", "gnu", "hen"])
TEXTS = st.lists(st.lists(WORDS, min_size=1, max_size=12).map(" ".join), min_size=2, max_size=12)


@settings(max_examples=40, deadline=None)
@given(TEXTS, st.lists(WORDS, min_size=1, max_size=5), st.sampled_from(sorted(PRESETS)))
def test_scores_equal_the_reference_scorer(texts: list[str], asked: list[str], preset: str) -> None:
    k1, b = PRESETS[preset]
    reference = bm25s.BM25(k1=k1, b=b, method="lucene", dtype="float64")
    reference.index([text.split() for text in texts], show_progress=False)
    known = [word for word in asked if any(word in text.split() for text in texts)]
    expected = reference.get_scores(known) if known else np.zeros(len(texts))
    documents = [Document(str(number), "", text) for number, text in enumerate(texts)]
    table = rank(documents, [Query("q", " ".join(asked))], RetrievalOptions(k1=k1, b=b))
    found = {int(document): score for document, _, score in rows(table)["q"]}
    assert found == pytest.approx({at: one for at, one in enumerate(expected) if one > 0}, rel=1e-9)
    assert [score for *_, score in rows(table)["q"]] == sorted(found.values(), reverse=True)
