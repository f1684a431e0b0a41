"""The same collections scored by other programs, wherever their conventions are ours."""

import inspect
import re
import sys
import types
import warnings
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import ir_measures
import numpy as np
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as sklearn_metrics

from annotator.errors import MeasureError
from annotator.metrics.catalogue import parse
from annotator.metrics.collection import Ranked
from tests.metrics.rankings import Case, cases

NEAR = {"rel": 0, "abs": 1e-9}
MANY = settings(max_examples=40, deadline=None)

TREC = {
    "map": "AP",
    "map_cut_3": "AP@3",
    "recip_rank": "RR",
    "P_3": "P@3",
    "recall_3": "R@3",
    "success_3": "Success@3",
    "Rprec": "Rprec",
    "bpref": "Bpref",
    "infAP": "infAP",
    "ndcg": "nDCG",
    "ndcg_cut_3": "nDCG@3",
    "set_P": "SetP",
    "set_recall": "SetR",
    "set_F": "SetF",
    "num_ret": "NumRet",
    "num_rel": "NumRel",
    "num_rel_ret": "NumRelRet",
    "iprec_at_recall_0.00": "IPrec(rounding='up')@0",
    "iprec_at_recall_0.30": "IPrec(rounding='up')@0.3",
    "iprec_at_recall_1.00": "IPrec(rounding='up')@1",
    "11pt_avg": "IPrec11(rounding='up')",
}
ASKED = {"map", "map_cut.3", "recip_rank", "P.3", "recall.3", "success.3", "Rprec", "bpref", "infAP", "ndcg"}
ASKED |= {"ndcg_cut.3", "set_P", "set_recall", "set_F", "num_ret", "num_rel", "num_rel_ret", "11pt_avg"}
ASKED |= {"iprec_at_recall.0.0,0.3,1.0"}


SKLEARN = {
    *("coverage_error", "label_ranking_average_precision_score", "label_ranking_loss", "dcg_score"),
    *("ndcg_score", "top_k_accuracy_score", "average_precision_score", "roc_auc_score"),
}
TREC_10 = {"rbp", "rbp_resid", "unj", "map_avgjg", "P_avgjg", "prefs_simp", "yaap", "num_nonrel_judged_ret"}


def test_every_measure_of_a_peer_is_offered_or_left_out_for_a_reason(
    ranx_measures: Callable[..., Any],
) -> None:
    ranx = set(re.findall(r'"([a-z_-]+)"', inspect.getsource(ranx_measures)))
    assert {"ndcg_burges", "rbp"} <= ranx
    of_peers = {*pytrec_eval.supported_measures, *TREC_10, *ir_measures.measures.registry, *ranx, *SKLEARN}
    unknown = []
    for name in sorted(of_peers):
        said = []
        for cut in ("", "@10", "@0.5"):
            try:
                parse(f"{name}{cut}")
            except MeasureError as error:
                said.append(str(error))
        if len(said) == 3 and "is not offered" not in said[0]:
            unknown.append(name)
    assert unknown == []


@pytest.mark.parametrize("rel", [1, 3])
@MANY
@given(case=cases(lowest=-1))
def test_equal_to_pytrec_eval_with_ties_unjudged_and_negative_grades(rel: int, case: Case) -> None:
    if any(max(one.grades.values(), default=0) < 0 for one in case.queries):
        return  # pytrec_eval never returns from a query that has negative grades only
    theirs = pytrec_eval.RelevanceEvaluator(case.qrels, ASKED, relevance_level=rel).evaluate(case.run)
    ranked = case.ranked
    for name, own in TREC.items():
        values = parse(own, rel=rel).per_query(ranked)
        for query, found in theirs.items():
            assert values[int(query[1:])] == pytest.approx(found[name], **NEAR), (name, query)


IR = ["P@3", "R@3", "RR", "RR@2", "AP", "AP@3", "nDCG", "nDCG@3", "Rprec", "Success@3", "Judged@3", "Bpref"]
IR += [
    "SetP",
    "SetR",
    "SetF",
    "P(rel=3)@3",
    "AP(rel=2)",
    "infAP",
    "NumRelRet",
]  # NumRet beside it is 0 in one process of ten
# NumRet is not asked for: beside NumRelRet ir_measures answers it with 0 in one process of ten.
IR += ["P(judged_only=True)@3", "AP(judged_only=True)"]
OURS = {"Judged@3": "Judged(norm='retrieved')@3"}
"""What is another measure of ours than its name there says."""


@MANY
@given(case=cases(ties=False, least=1))
def test_equal_to_ir_measures_by_the_same_names(case: Case) -> None:
    # not parsed by ir_measures 0.4.3, whose parser asks for what Python 3.14 has no more
    measures = {name: eval(name, vars(ir_measures)) for name in IR}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        rows = list(ir_measures.iter_calc(measures.values(), case.qrels, case.run))
    theirs = {(str(row.measure), row.query_id): row.value for row in rows}
    for name, measure in measures.items():
        for query, value in enumerate(parse(OURS.get(name, name)).per_query(case.ranked)):
            found = theirs.get((str(measure), f"q{query}"))
            if found is not None:
                assert value == pytest.approx(found, **NEAR), (name, query)
    assert len(theirs) == len(IR) * len(case.queries)


@MANY
@given(case=cases(ties=False, least=1), p=st.floats(0.01, 0.99))
def test_compatibility_equals_ir_measures_whose_depth_is_that_of_the_longer_list(
    case: Case, p: float
) -> None:
    run = {query: {name: score + 1 for name, score in one.items()} for query, one in case.run.items()}
    rows = ir_measures.iter_calc([ir_measures.Compat(p=p)], case.qrels, run)
    found = {row.query_id: row.value for row in rows}
    assert set(found) == set(run)
    for at, one in enumerate(case.queries):
        ideal = sum(grade > 0 for grade in one.grades.values())
        depth = max(len(one.retrieved), ideal)
        value = parse(f"Compat(p={p})@{depth}").per_query(case.ranked)[at]
        assert value == pytest.approx(found[f"q{at}"], **NEAR)


@pytest.fixture(scope="module")
def ranx_measures() -> Iterator[Callable[..., Any]]:
    """ranx's measures as plain Python: compiling them takes longer than all these tests."""
    import numba

    compiled = numba.config.DISABLE_JIT
    spec = find_spec("ranx")
    assert spec is not None
    whole = {name: sys.modules.pop(name) for name in list(sys.modules) if name.partition(".")[0] == "ranx"}
    package = types.ModuleType("ranx")
    package.__path__ = list(spec.submodule_search_locations or ())
    sys.modules["ranx"] = package
    numba.config.DISABLE_JIT = True
    try:
        from ranx.metrics import metric_switch

        yield metric_switch
    finally:
        numba.config.DISABLE_JIT = compiled
        for name in [name for name in sys.modules if name.partition(".")[0] == "ranx"]:
            del sys.modules[name]
        sys.modules.update(whole)


RANX = [
    ("precision", 3, "P@3"),
    ("recall", 3, "R@3"),
    ("f1", 3, "F1@3"),
    ("hit_rate", 3, "Success@3"),
    ("mrr", 0, "RR"),
    ("map", 0, "AP"),
    ("r-precision", 0, "Rprec"),
    ("ndcg", 0, "nDCG"),
    ("ndcg_burges", 0, "nDCG(dcg='exp-log2')"),
    ("dcg", 0, "DCG"),
]


@settings(max_examples=40, deadline=None)
@given(case=cases(ties=False, least=1))
def test_equal_to_ranx_without_ties(ranx_measures: Callable[..., Any], case: Case) -> None:
    qrels, run = _as_arrays(case)
    for name, k, own in RANX:
        usable = [i for i, one in enumerate(case.queries) if max(one.grades.values()) >= 1]
        if name in {"precision", "f1"}:  # ranx divides by the length of a short list
            usable = [i for i in usable if len(run[i]) >= k]
        if name.startswith("ndcg"):  # ranx cuts the ideal at the length of its qrels, ours at k
            usable = [i for i in usable if len(run[i]) >= len(qrels[i])]
        if not usable:
            continue
        theirs = ranx_measures(name)([qrels[i] for i in usable], [run[i] for i in usable], k, 1)
        assert parse(own).per_query(case.ranked)[usable] == pytest.approx(np.asarray(theirs), **NEAR), name


def _as_arrays(case: Case) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Return qrels and run as ranx holds them: (number of the document, value) rows, highest value first."""

    def rows(pairs: dict[str, float]) -> np.ndarray:
        made = np.array([(int(name[1:]), value) for name, value in pairs.items()], dtype=np.float64)
        return made[np.argsort(-made[:, 1], kind="stable")]

    return [rows(one) for one in case.qrels.values()], [rows(one) for one in case.run.values()]


@MANY
@given(case=cases(ties=False, most=1))
def test_equal_to_scikit_learn_on_the_rows_it_is_given(case: Case) -> None:
    rows = case.queries[0].in_order
    grades = np.array([[max(grade or 0, 0) for _, _, grade in rows]])
    scores = np.array([[score for _, score, _ in rows]])
    ranked = case.ranked
    if len(rows) > 1:
        for k in (3, None):
            at = "" if k is None else f"@{k}"
            ours = parse(f"nDCG(over='retrieved'){at}").per_query(ranked)[0]
            assert ours == pytest.approx(sklearn_metrics.ndcg_score(grades, scores, k=k), **NEAR)
            dcg = sklearn_metrics.dcg_score(grades, scores, k=k)
            assert parse(f"DCG{at}").per_query(ranked)[0] == pytest.approx(dcg, **NEAR)
    if grades.max() > 0:
        precision = sklearn_metrics.average_precision_score(grades[0] > 0, scores[0])
        assert parse("AP(over='retrieved')").per_query(ranked)[0] == pytest.approx(precision, **NEAR)


def test_peers_disagree_about_ties_and_we_follow_trec_eval() -> None:
    qrels, run = {"q": {"a": 1}}, {"q": {"a": 1.0, "b": 1.0, "c": 1.0}}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"map"}).evaluate(run)["q"]["map"]
    assert theirs == pytest.approx(1 / 3)
    averaged = sklearn_metrics.ndcg_score([[1, 0, 0]], [[1.0, 1.0, 1.0]])
    assert averaged == pytest.approx(0.7103, abs=5e-5)


def test_scikit_learn_forgets_what_was_not_retrieved() -> None:
    rows = [1, 0, 1, 0, 0]
    theirs = sklearn_metrics.ndcg_score([rows], [[5, 4, 3, 2, 1]])
    ranked = Ranked.of_rankings([rows], missed=[[1, 1]])
    assert parse("nDCG(over='retrieved')").per_query(ranked)[0] == pytest.approx(theirs)
    assert parse("nDCG").per_query(ranked)[0] < theirs
