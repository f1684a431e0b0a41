"""The one order of rankings is what sorting by (query, -score, id descending) gives, however rows come."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator import ranking_order

ROWS = st.lists(
    st.tuples(
        st.integers(0, 4), st.sampled_from([-1.0, -0.0, 0.0, 0.5, 0.5000000001, 3e9]), st.text(max_size=2)
    ),
    max_size=40,
    unique_by=lambda row: (row[0], row[2]),
)


def falling(ids: list[str]) -> np.ndarray:
    place = {one: at for at, one in enumerate(sorted(set(ids), key=lambda one: one.encode(), reverse=True))}
    return np.array([place[one] for one in ids], np.int64)


@settings(max_examples=300)
@given(rows=ROWS, given_in=st.sampled_from(["as drawn", "by query", "in order"]), wide=st.booleans())
def test_the_order_is_query_score_and_id(
    rows: list[tuple[int, float, str]], given_in: str, wide: bool
) -> None:
    if given_in != "as drawn":
        rows = sorted(rows, key=lambda row: (row[0], -row[1] if given_in == "in order" else 0))
    if wide:
        rows = [(query * 20_000, score, one) for query, score, one in rows]
    query = np.array([row[0] for row in rows], np.int32)
    score = np.array([row[1] for row in rows], np.float64)
    falls = falling([row[2] for row in rows])
    order, tied = ranking_order.ranked(query, score, lambda some: falls[some])
    expected = sorted(rows, key=lambda row: row[2].encode(), reverse=True)
    expected.sort(key=lambda row: (row[0], -row[1]))
    assert [rows[at] for at in order.tolist()] == expected
    assert tied.tolist() == [
        at > 0 and expected[at][:2] == expected[at - 1][:2] for at in range(len(expected))
    ]
    first, last = ranking_order.ends(tied, np.arange(len(rows)))
    for at, row in enumerate(expected):
        group = [place for place, other in enumerate(expected) if other[:2] == row[:2]]
        assert (first[at], last[at]) == (group[0], group[-1])
        assert ranking_order.in_a_tie(tied)[at] == (len(group) > 1)


def test_rankings_of_very_different_lengths_are_ordered_too() -> None:
    chance = np.random.default_rng(3)
    query = np.repeat(np.arange(300, dtype=np.int32), [500, *[1] * 299])
    score = chance.permutation(len(query)).astype(np.float64)
    expected = sorted(range(len(query)), key=lambda at: (query[at], -score[at]))
    assert ranking_order.by_score(query, score).tolist() == expected
