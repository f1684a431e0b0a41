import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as sk

from annotator.metrics.classification import MEANINGS, Confusion, f1_against_mcc, sweep

PAIRS = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30)


def test_the_worked_example_of_five_samples():
    table = Confusion(tp=2, fp=1, fn=1, tn=1)
    rates = table.rates
    assert rates["tnr"] == rates["fpr"] == 0.5
    assert rates["fnr"] == pytest.approx(1 / 3)
    assert rates["tpr"] == pytest.approx(2 / 3)
    assert table.by_true_class == ((0.5, 0.5), (pytest.approx(1 / 3), pytest.approx(2 / 3)))


def test_f1_is_high_where_mcc_is_undefined_and_shown_as_0():
    table = Confusion.of([True] * 9 + [False], [True] * 10)
    assert table.rates["f1"] == pytest.approx(0.947368, abs=1e-6)
    assert table.rates["mcc"] == 0
    assert "mcc" in table.undefined
    assert "f1" not in table.undefined


def test_f1_is_high_where_mcc_says_worse_than_chance():
    rates = Confusion(tp=90, tn=0, fp=9, fn=1).rates
    assert rates["f1"] == pytest.approx(0.947368, abs=1e-6)
    assert rates["mcc"] == pytest.approx(-0.031607, abs=1e-6)


@settings(max_examples=100, deadline=None)
@given(PAIRS)
def test_rates_equal_scikit_learns_with_0_for_the_undefined(pairs):
    truth, said = map(list, zip(*pairs, strict=True))
    table = Confusion.of(truth, said)
    assert sk.confusion_matrix(truth, said, labels=[False, True]).tolist() == [
        [table.tn, table.fp],
        [table.fn, table.tp],
    ]
    rates = table.rates
    assert rates.keys() == MEANINGS.keys()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = sk.precision_recall_fscore_support(truth, said, labels=[True, False], zero_division=0)
        mcc = sk.matthews_corrcoef(truth, said)
    ours = [[rates[f"{side}{name}"] for side in ("", "negative_")] for name in ("precision", "recall", "f1")]
    assert np.array(ours) == pytest.approx(np.array(expected[:3]), abs=1e-12)
    assert rates["mcc"] == pytest.approx(mcc, abs=1e-12)
    assert rates["accuracy"] == pytest.approx(sk.accuracy_score(truth, said))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), max_size=20))
def test_a_sweep_counts_what_each_threshold_alone_counts(rows):
    truth = [true for true, _ in rows]
    scores = np.array([score for _, score in rows], float)
    swept = sweep(truth, scores)
    assert [threshold for threshold, _ in swept] == sorted(set(scores.tolist()))
    assert all(table == Confusion.of(truth, scores >= threshold) for threshold, table in swept)


def test_unequal_lengths_are_refused():
    with pytest.raises(ValueError, match="1 true values for 2"):
        Confusion.of([True], [True, False])


def test_the_simulation_shows_a_high_f1_with_any_mcc_on_one_sided_data():
    drawn = f1_against_mcc()
    assert drawn.deceptive.sum() >= 3
    assert drawn.mcc[drawn.deceptive].min() < 0.5
    assert drawn.positive_share[drawn.deceptive].min() > 0.95
    assert drawn.f1[drawn.deceptive].min() > 0.95
    assert np.abs(drawn.mcc).max() <= 1
    assert (f1_against_mcc(tables=50).f1 == f1_against_mcc(tables=50).f1).all()


def test_simulated_tables_are_real_tables_drawn_evenly():
    drawn = f1_against_mcc(samples=2, tables=4_000)
    assert set(np.unique(drawn.positive_share)) == {0.0, 0.5, 1.0}
    assert np.mean(drawn.positive_share == 0.5) == pytest.approx(0.4, abs=0.04)
