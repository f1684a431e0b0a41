import re
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.errors import MeasureError
from annotator.metrics.catalogue import ALIASES, CATALOGUE, LEFT_OUT, PRESETS, parse, parse_all


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("nDCG@10", "nDCG@10"),
        ("ndcg@10", "nDCG@10"),
        (" NDCG @ 10 ", "nDCG@10"),
        ("P(rel=3)@10", "P(rel=3)@10"),
        ("p( rel = 3 )@10", "P(rel=3)@10"),
        ("P(rel=1)@10", "P@10"),
        ("nDCG(dcg='exp-log2')@10", "nDCG(dcg='exp-log2')@10"),
        ('nDCG(dcg="log2")@10', "nDCG@10"),
        ("AP(norm=min)@5", "AP(norm='min')@5"),
        ("AP(cutoff=5)", "AP@5"),
        ("RBP(p=0.9)", "RBP(p=0.9,max_rel=5)"),
        ("RBP(max_rel='query')", "RBP(max_rel='query')"),
        ("ERR@20", "ERR(max_rel=5)@20"),
        ("IPrec@0.1", "IPrec@0.1"),
        ("DCG(gains={0:0,1:1,2:4.5})", "DCG(gains={0:0,1:1,2:4.5})"),
        ("P(judged_only=True)@5", "P(judged_only=True)@5"),
        ("map", "AP"),
        ("ndcg_cut_10", "nDCG@10"),
        ("recip_rank", "RR"),
        ("P_10", "P@10"),
        ("hit_rate@5", "Success@5"),
        ("success_5", "Success@5"),
        ("top_3_accuracy", "Success@3"),
        ("iprec_at_recall_0.20", "IPrec@0.2"),
        ("11pt_avg", "IPrec11"),
        ("gm_map", "GMAP"),
        ("map_cut_100", "AP@100"),
        ("set_F", "SetF"),
        ("num_rel_ret", "NumRelRet"),
        ("r-precision", "Rprec"),
        ("ndcg_burges@3", "nDCG(dcg='exp-log2')@3"),
        ("rbp.95", "RBP(p=0.95,max_rel=5)"),
        ("rbp_0.7", "RBP(p=0.7,max_rel=5)"),
        ("rbp(P=0.9,Max_Rel=3)", "RBP(p=0.9,max_rel=3)"),
    ],
)
def test_a_name_is_understood_as_people_type_it(typed: str, printed: str) -> None:
    assert parse(typed).name == printed
    assert parse(printed).name == printed


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("nDGC@10", "unknown measure nDGC@10; did you mean nDCG@10?"),
        ("hitrates(rel=2)@5", r"did you mean Success\(rel=2\)@5\?"),
        ("nDCG10", "unknown measure nDCG10; did you mean nDCG@10?"),
        ("P5(rel=2)", r"did you mean P\(rel=2\)@5\?"),
        ("MRR10", "did you mean RR@10?"),
        ("prec 5", "did you mean P@5?"),
        ("GMAP10", "unknown measure GMAP10; (did you mean (?!GMAP@)|“annotator measures”)"),
        ("quality", "unknown measure quality; “annotator measures” lists them all"),
        ("", "'' is not a measure; write one as nDCG@10"),
        ("P", "P needs a cut-off, such as P@10"),
        ("IPrec", "IPrec needs a cut-off, such as IPrec@0.1"),
        ("P@0", "P@ takes a whole number from 1 to 1,000,000, not 0"),
        ("P@2.5", "P@ takes a whole number from 1 to 1,000,000, not 2.5"),
        ("P@nan", "whole number"),
        ("P@inf", "whole number"),
        ("IPrec@3", "IPrec@ takes a recall from 0 to 1, not 3"),
        ("GMAP@10", "GMAP has no cut-off"),
        ("P@ten", "the cut-off after @ is a number, not 'ten'"),
        ("AP(beta=2)", "AP has no parameter beta; it takes rel, norm"),
        ("P(rel=3,Rel=2)@4", "a parameter stands there twice"),
        ("P(rel=0)@3", "rel is from 1 to 1000, not 0: with 0 every judged"),
        ("P(rel=2.5)@3", "rel takes a whole number, not 2.5"),
        ("P(rel=True)@3", "rel takes a whole number, not True"),
        ("nDCG(dcg='log10')", "dcg takes 'log2' or 'exp-log2', not 'log10'"),
        ("nDCG(gains={0:3,1:1})", "never fall"),
        ("nDCG(gains={0:-1})", "start at 0 or above"),
        ("nDCG(gains={0.5:1})", "whole grades from 0 with a number each"),
        ("nDCG(gains={-1:1})", "whole grades from 0"),
        ("AvgP@1e9", "from 1 to 1,000,000, not 1e\\+09"),
        ("ERR(max_rel=0)", "max_rel is from 1 to 1000"),
        ("RBP(p=1.5)", "p is from 0 to 1, not 1.5: it is a chance"),
        ("RBP(p=1e999)", "p is from 0 to 1, not inf"),
        ("P(rel=" + "-" * 300 + "1)@5", "is not a measure"),
        ("P(3)@5", "every parameter has a name"),
        ("P(rel=)@5", r"write parameters as \(rel=3"),
        ("P(rel=1+1)@5", "numbers or words"),
        ("G", "G is not offered: experiments"),
        ("Rprec_mult_0.20", "not offered"),
    ],
)
def test_a_wrong_name_is_answered_with_help(typed: str, said: str) -> None:
    with pytest.raises(MeasureError, match=said):
        parse(typed)


WORDS = ["P", "nDCG", "map", "RBP", "(", ")", "@", "=", ",", "rel", "gains", "{1:2}", "'", "\\d", "1if", "10"]
pieces = st.sampled_from(WORDS)


@settings(max_examples=150, deadline=None)
@given(name=st.one_of(st.text(max_size=20), st.lists(pieces, max_size=9).map("".join)))
def test_any_text_is_a_measure_that_reads_its_own_name_or_is_answered_with_help(name: str) -> None:
    try:
        found = parse(name)
    except MeasureError:
        return
    assert parse(found.name) == found


def test_the_threshold_of_the_evaluation_reaches_binary_measures_only() -> None:
    assert [one.name for one in parse_all(["P@5", "nDCG@5", "RBP", "AP(rel=2)"], rel=3)] == [
        "P(rel=3)@5",
        "nDCG@5",
        "RBP(max_rel=5)",
        "AP(rel=2)",
    ]


def test_presets_are_lists_of_measures_and_each_measure_comes_once() -> None:
    names = [one.name for one in parse_all(["trec_eval", "map", "P_5"])]
    assert names[:4] == ["NumRet", "NumRel", "NumRelRet", "AP"]
    assert len(names) == len(set(names)) == len(PRESETS["trec_eval"])


@given(k=st.integers(1, 100))
@settings(max_examples=20, deadline=None)
def test_community_question_answering_is_asked_for_to_any_depth(k: int) -> None:
    names = [one.name for one in parse_all([f" cQA @{k}"])]
    assert names[:3] == [f"RR@{k}", f"AP(norm='rel_ret')@{k}", "NumRelRet"]
    assert len(names) == 3 + 2 * k
    assert parse_all(["cQA@15"]) == parse_all(["cqa"])


@pytest.mark.parametrize("typed", ["cQA@0", "cQA@101", "cQA@999999999"])
def test_a_depth_without_sense_is_refused(typed: str) -> None:
    with pytest.raises(MeasureError, match="from 1 to 100"):
        parse_all([typed])


def test_every_preset_and_alias_can_be_parsed() -> None:
    keys = {one.key for one in CATALOGUE}
    for members in PRESETS.values():
        assert {one.key for one in parse_all(members)} <= keys
    assert {target.partition("(")[0] for target in ALIASES.values()} <= keys


def test_keys_are_unique_and_no_alias_hides_one() -> None:
    keys = [one.key.lower() for one in CATALOGUE]
    assert len(keys) == len(set(keys))
    assert not set(keys) & set(ALIASES)
    for name in " ".join(LEFT_OUT).split():
        with pytest.raises(MeasureError, match="is not offered"):
            parse(name)


TYPED = [*(one.key for one in CATALOGUE), "map", "recip_rank", "recall", "MRR", "ndcg_cut", "hit_rate"]


@given(st.sampled_from(TYPED), st.sampled_from(["", "_", "-", " ", "."]), st.integers(1, 1_000))
def test_a_cut_off_without_its_sign_is_taken_or_what_is_suggested_can_be_typed(
    key: str, between: str, at: int
) -> None:
    try:
        parse(f"{key}{between}{at}")
        return
    except MeasureError as error:
        told = str(error)
    meant = re.search(r"did you mean (.*)\?$", told)
    suggested = None if meant is None else parse(meant[1])
    with suppress(MeasureError):
        wanted = parse(f"{key}@{at}")
        assert suggested == wanted, told
