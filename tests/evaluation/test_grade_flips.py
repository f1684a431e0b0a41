from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.evaluation.grade_flips import Flip, GradeChange, TwoSystems, fewest_changes
from annotator.metrics.catalogue import parse
from annotator.metrics.collection import Ranked


def two(queries):
    """Two systems from [(rows of (grade, rank in the first, rank in the second)) per query]."""
    rows = [(q, *row) for q, query in enumerate(queries) for row in query]
    query, grade, first, second = np.array(rows, np.int64).reshape(-1, 4).T
    lengths = [[max((row[side] for row in query), default=0) for query in queries] for side in (1, 2)]
    return TwoSystems(query, grade, first, second, *np.array(lengths, np.int64))


def difference(pairs, grade, measure):
    """The mean difference under other grades, evaluated afresh."""
    values = []
    for rank, retrieved in (
        (pairs.first_rank, pairs.first_retrieved),
        (pairs.second_rank, pairs.second_retrieved),
    ):
        hit = rank > 0
        ranked = Ranked.build(pairs.query[hit], rank[hit], grade[hit], retrieved, pairs.query, grade)
        values.append(measure.per_query(ranked).mean())
    return values[1] - values[0]


def changed(pairs, flip):
    grade = pairs.grade.copy()
    for change in flip.changes:
        assert grade[change.row] == change.before
        grade[change.row] = change.after
    return grade


def test_the_grade_that_separates_two_systems_is_the_one_to_change():
    pairs = two([[(5, 0, 1), (0, 1, 0)], [(3, 1, 1)]])
    flip = fewest_changes(pairs, parse("P@1"))
    assert flip.flipped
    assert len(flip.changes) == 2
    assert {change.row for change in flip.changes} == {0, 1}
    assert flip.after == pytest.approx(-0.5)
    assert flip.sentence("P@1", "A", "B") == (
        "2 changed grades put A ahead of B by mean P@1: the difference, B minus A, "
        "goes from +0.5000 to -0.5000."
    )


def test_a_difference_however_small_is_told_without_a_power_of_ten():
    flip = Flip(-7.352e-05, (GradeChange(0, 1, 2, 0.00021049),), flipped=True)
    assert flip.sentence("AP", "A", "B").endswith(" goes from -0.0001 to +0.0002.")
    flip = Flip(-3.52e-05, (GradeChange(0, 1, 2, 0.00004),), flipped=True)
    assert flip.sentence("AP", "A", "B").endswith(" goes from -0.0000352 to +0.00004."), "never from 0 to 0"


def test_the_last_change_goes_no_further_than_it_must():
    pairs = two([[(2, 1, 0), (3, 0, 1)]])
    (change,) = fewest_changes(pairs, parse("CG@1")).changes
    assert (change.row, change.before, change.after) == (0, 2, 4)


def test_of_equal_systems_neither_is_ahead():
    flip = fewest_changes(two([[(2, 1, 1)]]), parse("nDCG@10"))
    assert not flip.flipped
    said = flip.sentence("nDCG@10", "A", "B")
    assert said == "A and B have the same mean nDCG@10: neither is ahead of the other."


@pytest.mark.parametrize(
    ("most", "said"),
    [
        (
            0,
            "None of the grade changes tried, one at a time, brings B nearer to A by mean P@1; others might.",
        ),
        (
            1,
            "1 grade change, each the best of those tried at its turn, did not put B ahead of A by mean P@1",
        ),
        (
            2,
            "2 grade changes, each the best of those tried at its turn, did not put B ahead of A by mean P@1",
        ),
    ],
)
def test_changes_that_were_tried_in_vain_prove_nothing_of_others(most, said):
    pairs = two([[(5, 1, 0), (0, 0, 1)]] * 2)
    flip = fewest_changes(pairs, parse("P@1"), most=most)
    assert not flip.flipped
    assert len(flip.changes) == most
    sentence = flip.sentence("P@1", "A", "B")
    assert sentence.startswith(said)
    assert sentence.endswith("others might.")
    after = "+0" if flip.after == 0 else f"{flip.after:+.4f}"
    assert not most or f"the difference, B minus A, goes from -1.0000 to {after};" in sentence
    assert fewest_changes(pairs, parse("P@1")).flipped, "with more changes it does turn round"


QUERY = st.lists(st.integers(0, 5), min_size=3, max_size=3).flatmap(
    lambda grades: st.tuples(st.permutations([1, 2, 3]), st.permutations([1, 2, 0])).map(
        lambda ranks: list(zip(grades, *ranks, strict=True))
    )
)


@settings(max_examples=30, deadline=None)
@given(st.lists(QUERY, min_size=1, max_size=2))
def test_for_sums_over_candidates_no_smaller_number_of_changes_exists(queries):
    pairs, measure = two(queries), parse("DCG@2")
    flip = fewest_changes(pairs, measure)
    before = difference(pairs, pairs.grade, measure)
    if abs(before) < 1e-12 or not flip.flipped:
        return
    assert difference(pairs, changed(pairs, flip), measure) == pytest.approx(flip.after)
    assert before * flip.after < 0
    for fewer in range(len(flip.changes)):
        for rows in combinations(range(len(pairs.grade)), fewer):
            for grades in product((0, 5), repeat=fewer):
                grade = pairs.grade.copy()
                grade[list(rows)] = grades
                assert before * difference(pairs, grade, measure) > -1e-12


@settings(max_examples=30, deadline=None)
@given(st.lists(QUERY, min_size=1, max_size=3), st.sampled_from(["nDCG@3", "AP", "ERR@3", "RR"]))
def test_the_changes_found_do_flip_under_any_measure(queries, name):
    pairs, measure = two(queries), parse(name)
    flip = fewest_changes(pairs, measure)
    assert flip.before == pytest.approx(difference(pairs, pairs.grade, measure), abs=1e-9)
    after = difference(pairs, changed(pairs, flip), measure)
    assert after == pytest.approx(flip.after, abs=1e-9)
    assert not flip.flipped or after * flip.before < 0
