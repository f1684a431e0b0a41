"""The verbs for notebooks, held against pytrec_eval and against worked values."""

from collections.abc import Callable
from pathlib import Path

import ir_measures
import numpy as np
import pandas
import polars
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator import api
from annotator.errors import MeasureError, UserError
from annotator.metrics.answer_explanation import AnswerExplanation
from annotator.project import data_import
from annotator.project.project import Project


def test_what_is_public_is_named_and_everything_named_is_there() -> None:
    assert {name for name in vars(api) if not name.startswith("_")} == {*api.__all__}
    assert all(getattr(api, name).__doc__ for name in api.__all__)


QRELS = {"q1": {"a": 3, "b": 0, "c": 2}, "q2": {"a": 1, "d": 0}, "q3": {"e": 2}}
RUN = {"q1": {"b": 9.0, "a": 8.0, "x": 7.0, "c": 6.0}, "q2": {"d": 2.0, "a": 1.0}, "q9": {"a": 1.0}}


def frame(table: dict[str, dict[str, float]], value: str) -> pandas.DataFrame:
    rows = [(query, candidate, one) for query, inner in table.items() for candidate, one in inner.items()]
    return pandas.DataFrame(rows, columns=["query_id", "doc_id", value])


def of_polars(query: list[object], candidate: list[object], grade: list[object]) -> polars.DataFrame:
    return polars.DataFrame({"query_id": query, "doc_id": candidate, "relevance": grade})


def test_a_dict_is_evaluated_over_the_queries_of_the_qrels() -> None:
    scores = api.evaluate(QRELS, RUN, ["RR", "P@5"])
    assert scores.per_query.loc[("run", "q1"), "RR"] == 0.5
    assert scores.per_query.loc[("run", "q3"), "RR"] == 0.0
    assert scores.mean("RR") == pytest.approx((0.5 + 0.5 + 0) / 3)
    assert scores.result.left_out == (("q9", "it has no judgments"),)


def test_a_data_frame_gives_what_the_dict_gives() -> None:
    from_dicts = api.evaluate(QRELS, RUN, ["AP", "nDCG@3"])
    from_frames = api.evaluate(frame(QRELS, "relevance"), frame(RUN, "score"), ["AP", "nDCG@3"])
    pandas.testing.assert_frame_equal(from_dicts.per_query, from_frames.per_query)


ids = st.one_of(st.integers(0, 5), st.sampled_from(["a", "é", "#1", " b", "🦆", "ال", "1"]))


@settings(max_examples=40, deadline=None)
@given(
    rows=st.lists(
        st.tuples(ids, ids, st.integers(-1, 5), st.floats(-9, 9)), min_size=1, unique_by=lambda row: row[:2]
    ),
    textual=st.booleans(),
)
def test_frames_of_polars_give_what_those_of_pandas_give(
    rows: list[tuple[object, object, int, float]], textual: bool
) -> None:
    kept = [row for row in rows if textual or type(row[0]) is type(row[1]) is int]
    if textual:
        kept = list(
            {(str(one), str(other)): (str(one), str(other), *more) for one, other, *more in kept}.values()
        )
    if not kept:
        return
    columns = dict(
        zip(("query_id", "doc_id", "relevance", "score"), map(list, zip(*kept, strict=True)), strict=True)
    )
    ours, theirs = pandas.DataFrame(columns), polars.DataFrame(columns)
    names = ["AP", "nDCG@3", "Judged@2"]
    wanted = api.evaluate(ours, {"one": ours}, names)
    found = api.evaluate(theirs, {"one": theirs}, names)
    pandas.testing.assert_frame_equal(found.per_query, wanted.per_query)


def test_a_frame_of_polars_may_hold_categories_and_small_numbers_and_beside_other_kinds() -> None:
    qrels = polars.from_pandas(frame(QRELS, "relevance")).with_columns(
        polars.col("query_id").cast(polars.Categorical), polars.col("relevance").cast(polars.Int8)
    )
    run = polars.from_pandas(frame(RUN, "score")).with_columns(polars.col("score").cast(polars.Float32))
    wanted = api.evaluate(QRELS, RUN, ["AP"]).per_query
    for of_qrels, of_run in ((qrels, run), (qrels, RUN), (QRELS, run)):
        pandas.testing.assert_frame_equal(api.evaluate(of_qrels, of_run, ["AP"]).per_query, wanted)


def test_whole_number_ids_give_what_their_texts_give() -> None:
    qrels = {1: {10: 1, 9: 0, 8: 2}, 2: {7: 1}}
    run = {1: {9: 1.0, 10: 1.0, 8: 1.0}, 2: {7: 0.5, 12345678901: 3.0}}
    texts = api.evaluate(
        {str(q): {str(d): g for d, g in one.items()} for q, one in qrels.items()},
        {str(q): {str(d): s for d, s in one.items()} for q, one in run.items()},
        ["AP", "RR"],
    )
    numbers = api.evaluate(qrels, run, ["AP", "RR"])
    pandas.testing.assert_frame_equal(texts.per_query, numbers.per_query)
    assert numbers.result.tied is not None
    assert numbers.result.tied.tolist() == [[3, 0]]


def test_numbers_in_the_one_and_texts_in_the_other_are_compared_as_texts() -> None:
    assert api.evaluate({1: {2: 1}}, {"1": {"2": 0.5}}, ["RR"]).mean("RR") == 1.0


def test_numbers_beyond_64_bits_are_ids_like_any_other() -> None:
    large = 2**64
    scores = api.evaluate({large: {7: 1, large + 1: 0}}, {large: {large + 1: 2.0, 7: 1.0}}, ["RR"])
    assert scores.mean("RR") == 0.5
    ids = np.array([large - 1, large - 1], dtype=np.uint64)
    qrels = pandas.DataFrame({"query_id": ids, "doc_id": [1, 2], "relevance": [1, 0]})
    run = pandas.DataFrame({"query_id": ids, "doc_id": [1, 2], "score": [1.0, 2.0]})
    assert api.evaluate(qrels, run, ["RR"]).per_query["RR"].to_dict() == {("run", str(large - 1)): 0.5}


def test_several_runs_are_named_and_compared() -> None:
    better = {query: {doc: float(QRELS[query][doc]) for doc in QRELS[query]} for query in QRELS}
    scores = api.evaluate(QRELS, {"plain": RUN, "better": better}, ["nDCG@10"])
    assert list(scores.summary.index) == ["plain", "better"]
    assert scores.summary.loc["better", "nDCG@10"] == 1.0
    comparison = scores.compare("plain", "better")
    assert comparison.difference > 0


def test_the_explanation_of_a_score_sums_to_it() -> None:
    scores = api.evaluate(QRELS, RUN, ["nDCG@10"])
    assert scores.explain("q1").value == pytest.approx(scores.per_query.loc[("run", "q1"), "nDCG@10"])


def test_a_measure_keeps_its_own_threshold_beside_the_options() -> None:
    scores = api.evaluate(QRELS, RUN, ["AP(rel=1)", "AP"], rel=3)
    for measure in ("AP", "AP(rel=3)"):
        assert scores.explain("q1", measure).value == scores.per_query.loc[("run", "q1"), measure]
    assert scores.explain("q1").value == scores.explain("q1", "AP").value == 0.5
    assert scores.mean("AP") == scores.summary.loc["run", "AP"]
    assert scores.mean("map(rel=3)") == scores.summary.loc["run", "AP(rel=3)"]


def test_a_notebook_shows_a_table() -> None:
    html = api.evaluate(QRELS, RUN, ["RR"])._repr_html_()
    assert html.startswith("<table>")
    assert "0.3333" in html


def test_an_explanation_names_the_candidates_in_trec_evals_order() -> None:
    found = api.evaluate({1: {7: 3, 9: 1}}, {1: {8: 0.5, 9: 0.5, 7: 0.1}}, ["nDCG@3"]).explain("1")
    assert [row.candidate for row in found.rows] == ["9", "8", "7"]
    assert [row.ideal_candidate for row in found.rows] == ["7", "9", None]


def test_a_notebook_shows_why_and_who_is_better() -> None:
    several = api.evaluate(QRELS, {"<old>": RUN, "new": RUN}, ["RR"])
    query = next(iter(QRELS))
    why = several.explain(query, "RR", "new")._repr_html_()
    assert "RR = " in why
    assert "contribution" in why
    assert "&lt;old&gt;" in several._repr_html_()
    assert several.compare("<old>", "new")._repr_html_().startswith("<p>new and &lt;old&gt; have the same RR")


@pytest.mark.parametrize(
    ("work", "said"),
    [
        (lambda: api.evaluate(QRELS, RUN, ["nDGC@10"]), "nDCG"),
        (lambda: api.evaluate({"q": {"a": 0.5}}, RUN, ["RR"]), "whole number"),
        (
            lambda: api.evaluate(QRELS, {"q1": {"b": 1.0, "a": float("nan")}}, ["RR"]),
            "run scores a of query q1 with nan, which is no finite number",
        ),
        (lambda: api.evaluate(QRELS, {"q1": {"a": "high"}}, ["RR"]), "A score is not a number"),
        (
            lambda: api.evaluate(QRELS, frame({"q1": {"a": "high"}}, "score"), ["RR"]),
            "A score is not a number",
        ),
        (
            lambda: api.evaluate(frame(QRELS, "grade"), RUN, ["RR"]),
            "The qrels: no column relevance among query_id, doc_id, grade",
        ),
        (
            lambda: api.evaluate(polars.DataFrame({"query_id": ["q"]}), RUN, ["RR"]),
            "no column doc_id, relevance among query_id",
        ),
        (
            lambda: api.evaluate(of_polars(["q", None], ["a", "b"], [1, 0]), RUN, ["RR"]),
            "The column query_id has empty ids",
        ),
        (
            lambda: api.evaluate(of_polars([1, None], [1, 2], [1, 0]), RUN, ["RR"]),
            "The column query_id has empty ids",
        ),
        (lambda: api.evaluate(of_polars(["q"], ["a"], [None]), RUN, ["RR"]), "A grade is not a whole number"),
        (lambda: api.evaluate(of_polars(["q"], ["a"], ["x"]), RUN, ["RR"]), "A relevance is not a number"),
        (
            lambda: api.evaluate(of_polars(["q"], ["a"], [1]).lazy(), RUN, ["RR"]),
            r"The qrels: a value of type LazyFrame has no rows yet; give what its collect\(\) returns",
        ),
        (
            lambda: api.evaluate({"q": {"a": 1e300}}, RUN, ["RR"]),
            r"the grade 1e\+300, which is out of any scale",
        ),
        (lambda: api.evaluate({"q": {"a": -(2.0**63)}}, RUN, ["RR"]), "which is out of any scale"),
        (lambda: api.evaluate({"q": {"a": 10**400}}, RUN, ["RR"]), "A relevance is not a number"),
        (
            lambda: api.evaluate(frame({"q": {"b": 1, "a": 2**31}}, "relevance"), RUN, ["RR"]),
            "give a of query q the grade 2147483648, which is out of any scale",
        ),
        (lambda: api.evaluate(of_polars(["q"], ["a"], [1e300]), RUN, ["RR"]), "out of any scale"),
        (lambda: api.evaluate(QRELS), "run"),
        (lambda: api.evaluate({}, RUN, ["RR"]), "The qrels judge nothing"),
        (
            lambda: api.evaluate({"q": {"a": 10**12}}, RUN, ["RR"]),
            "give a of query q the grade 10000",
        ),
        (lambda: api.evaluate({"q1": ["a", "b"]}, RUN, ["RR"]), "a dict with list for 'q1' cannot be taken"),
        (lambda: api.evaluate(QRELS, 3, ["RR"]), "The run 'run': a value of type int cannot be taken"),
        (lambda: api.evaluate(QRELS, {"x": iter(())}, ["RR"]), "The run 'x': .* give a dict"),
        (lambda: api.evaluate(QRELS, [RUN], ["RR"]), "give other runs names"),
        (lambda: api.evaluate(QRELS, ["a/x.run", "b/x.run"], ["RR"]), "Of 2 runs some have one name"),
        (lambda: api.evaluate(QRELS, RUN, []), "No measure was asked for"),
        (
            lambda: api.evaluate(frame({"q1": {"a": 7, "b": 1}}, "relevance"), RUN, ["RR"]),
            "give a of query q1 the grade 7, and grades go from 0 to 5; .* highest_grade=7",
        ),
        (lambda: api.evaluate("search.annot", RUN, ["RR"]), "A project brings its own runs"),
        (lambda: api.evaluate(QRELS, RUN, ["RR"], relevance="em"), "relevance goes with a project alone"),
        (
            lambda: api.evaluate("search.annot", combine="average"),
            "combine is one of .* not 'average'",
        ),
    ],
)
def test_what_cannot_be_taken_is_said_in_a_sentence(work: Callable[[], object], said: str) -> None:
    with pytest.raises(UserError, match=said):
        work()


def test_an_empty_run_among_several_is_a_run_all_the_same() -> None:
    scores = api.evaluate(QRELS, {"empty": {}, "new": RUN}, ["RR"])
    assert scores.mean("RR", "empty") == 0
    assert scores.mean("RR", "new") == api.evaluate(QRELS, RUN, ["RR"]).mean("RR")


def test_a_measure_may_be_one_of_ir_measures() -> None:
    scores = api.evaluate(QRELS, RUN, (one for one in (ir_measures.nDCG @ 10, ir_measures.RR)))
    assert [one.name for one in scores.result.measures] == ["nDCG@10", "RR"]


def test_judged_of_ir_measures_divides_as_theirs_does() -> None:
    rows = ir_measures.iter_calc([ir_measures.Judged @ 5], QRELS, RUN)
    theirs = {row.query_id: row.value for row in rows}["q1"]
    scores = api.evaluate(QRELS, RUN, [ir_measures.Judged @ 5, "Judged@5"])
    found = scores.per_query.loc[("run", "q1")]
    assert found.to_dict() == {"Judged(norm='retrieved')@5": theirs, "Judged@5": theirs * 4 / 5}


def test_compat_of_ir_measures_is_refused_for_its_depth_is_another_for_every_query() -> None:
    with pytest.raises(MeasureError, match="the depth you mean, such as 'Compat@1000'"):
        api.evaluate(QRELS, RUN, [ir_measures.Compat(p=0.8)])
    assert api.evaluate(QRELS, RUN, ["Compat(p=0.8)@1000"]).mean("Compat(p=0.8)@1000") > 0


def test_gains_of_ir_measures_are_refused_for_they_leave_other_grades_as_they_are() -> None:
    with pytest.raises(MeasureError, match="gain of every grade"):
        api.evaluate(QRELS, RUN, [ir_measures.nDCG(gains={2: 7}) @ 10])


def test_what_is_to_be_minded_stands_below_the_scores() -> None:
    query = next(iter(QRELS))
    strange = api.evaluate(QRELS, {"<b>": {"strange": {"a": 1.0}}, "x": {query: {"strange": 1.0}}}, ["RR"])
    said = repr(strange)
    assert "Nothing that <b> returned is for a query that was judged" in said
    assert "Nothing that x returned was judged; are the ids of candidates written alike?" in said
    assert "left out, because it has no judgments: strange" in said
    assert "Nothing that &lt;b&gt; returned" in strange._repr_html_()
    assert not api.evaluate(QRELS, RUN, ["RR"]).result.notes


def test_a_terminal_shows_an_explanation_as_a_table_too() -> None:
    scores = api.evaluate({"q": {"a": 3, "b": 1}}, {"q": {"b": 2.0, "a": 1.0}}, ["AP"])
    head, first, *_ = repr(scores.explain("q")).splitlines()
    assert head.split()[:3] == ["rank", "candidate", "grade"]
    assert first.split()[:3] == ["1", "b", "1"]
    assert repr(scores.explain("q").measure) == "AP"


def test_a_document_ranked_twice_is_refused_by_name() -> None:
    table = pandas.DataFrame({"query_id": ["q1", "q1"], "doc_id": ["a", "a"], "score": [2.0, 1.0]})
    with pytest.raises(UserError, match="ranks a twice for query q1"):
        api.evaluate(QRELS, table, ["RR"])


def test_an_unknown_measure_is_a_measure_error() -> None:
    with pytest.raises(MeasureError):
        api.evaluate(QRELS, RUN, ["Beauty"])


ids = st.sampled_from([f"d{number}" for number in range(12)])
graded = st.dictionaries(ids, st.integers(0, 5), min_size=1, max_size=8)
ranked = st.dictionaries(ids, st.integers(0, 6).map(float), min_size=1, max_size=12)
queries = st.sampled_from(["q1", "q2", "q3", "q4"])


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(queries, graded, min_size=1), st.dictionaries(queries, ranked, min_size=1))
def test_every_collection_agrees_with_pytrec_eval(
    qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]]
) -> None:
    names = {"map": "AP", "ndcg_cut_10": "nDCG@10", "recip_rank": "RR", "P_5": "P@5", "ndcg": "nDCG"}
    expected = pytrec_eval.RelevanceEvaluator(qrels, set(names)).evaluate(run)
    scores = api.evaluate(qrels, run, list(names.values())).per_query.loc["run"].to_dict("index")
    for query in qrels:
        for theirs, ours in names.items():
            wanted = expected.get(query, {}).get(theirs, 0.0)
            assert scores[query][ours] == pytest.approx(wanted, abs=1e-9), (query, ours)


def test_files_are_evaluated_through_the_same_verb(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("q1 0 a 3\nq1 0 b 0\nq1 0 c 2\n", "utf-8")
    (tmp_path / "run").write_text("q1 Q0 b 1 9 plain\nq1 Q0 a 2 8 plain\n", "utf-8")
    scores = api.evaluate(tmp_path / "qrels", tmp_path / "run", ["RR"])
    assert scores.result.systems == ("plain",)
    assert scores.mean("RR") == 0.5


def test_files_bear_the_names_they_are_given(tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text("q1 0 a 1\nq1 0 b 0\n", "utf-8")
    for name, order in (("bm25", "ab"), ("dense", "ba")):
        lines = [f"q1 Q0 {one} {rank} {-rank} sametag\n" for rank, one in enumerate(order, 1)]
        (tmp_path / f"{name}.run").write_text("".join(lines), "utf-8")
    runs = {"words": tmp_path / "bm25.run", "vectors": str(tmp_path / "dense.run")}
    scores = api.evaluate(tmp_path / "qrels.txt", runs, ["RR"])
    assert scores.summary["RR"].to_dict() == {"words": 1.0, "vectors": 0.5}
    found = scores.explain("q1", "RR", "vectors")
    assert found.value == 0.5
    assert [row.candidate for row in found.rows] == ["b", "a"]
    assert found.rows[0].ideal_candidate == "a"
    assert "vectors" in scores.compare("words", "vectors").sentence


def test_files_and_tables_may_be_mixed(tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text("q1 0 a 3\nq1 0 b 0\nq2 0 c 1\n", "utf-8")
    (tmp_path / "plain.run").write_text("q1 Q0 b 1 9 tag\nq1 Q0 a 2 8 tag\nq2 Q0 c 1 1 tag\n", "utf-8")
    qrels, run = {"q1": {"a": 3, "b": 0}, "q2": {"c": 1}}, {"q1": {"b": 9, "a": 8}, "q2": {"c": 1}}
    wanted = api.evaluate(qrels, run, ["RR", "nDCG"]).summary.to_numpy()
    for judged, ranked in (
        (tmp_path / "qrels.txt", run),
        (qrels, tmp_path / "plain.run"),
        (tmp_path / "qrels.txt", {"mine": frame(run, "score")}),
    ):
        assert np.array_equal(api.evaluate(judged, ranked, ["RR", "nDCG"]).summary.to_numpy(), wanted)


def test_a_system_or_measure_that_is_not_there_is_named_with_those_that_are() -> None:
    scores = api.evaluate(QRELS, RUN, ["RR"])
    with pytest.raises(UserError, match="no system 'other' here; there are: run"):
        scores.mean("RR", "other")
    with pytest.raises(MeasureError, match="AP was not asked for; there are: RR"):
        scores.mean("AP")


def test_scores_are_numbers_without_rounding() -> None:
    values = api.evaluate(QRELS, RUN, ["nDCG@10"]).per_query["nDCG@10"].to_numpy()
    assert values.dtype == np.float64


def test_a_project_is_evaluated_by_its_path_or_open(tmp_path: Path) -> None:
    (tmp_path / "x.qrels").write_text("q1 0 a 3\nq1 0 b 0\n", "utf-8")
    (tmp_path / "x.run").write_text("q1 Q0 b 1 9 plain\nq1 Q0 a 2 8 plain\n", "utf-8")
    with Project.create(tmp_path / "p.annot", "P") as project:
        data_import.run_import(
            project, data_import.plan_import(project, [tmp_path / "x.qrels", tmp_path / "x.run"], trial=False)
        )
        opened = api.evaluate(project, measures=["RR"])
        assert opened.mean("RR") == 0.5
        assert opened.explain("q1", "RR").value == 0.5
    closed = api.evaluate(tmp_path / "p.annot", measures="RR")
    assert closed.summary.equals(opened.summary)
    assert [row.candidate for row in closed.explain("q1", "RR").rows] == ["b", "a"]
    assert closed.result.provenance.ledger_head == opened.result.provenance.ledger_head


def test_a_score_of_answers_is_explained_wording_by_wording(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(
        "query_id,query,system,rank,answer,gold\nq1,Iron Man?,reader,1,Tony,Tony Stark\n", "utf-8"
    )
    with Project.create(tmp_path / "p.annot", "P") as project:
        data_import.run_import(project, data_import.plan_import(project, [tmp_path / "x.csv"], trial=False))
    found = api.evaluate(tmp_path / "p.annot", measures=["TokenF1"]).explain("q1")
    assert isinstance(found, AnswerExplanation)
    assert [(row.prediction, row.wording, row.match) for row in found.rows] == [
        ("Tony", "Tony Stark", pytest.approx(2 / 3))
    ]


def test_a_project_is_evaluated_as_the_command_line_does(tmp_path: Path) -> None:
    rows = ("q1,Iron Man?,reader,1,Tony,Tony Stark", "q2,Thor?,reader,1,Thor,Thor")
    table = "\n".join(("query_id,query,system,rank,answer,gold", *rows))
    (tmp_path / "x.csv").write_text(f"{table}\n", "utf-8")
    with Project.create(tmp_path / "p.annot", "P") as project:
        data_import.run_import(project, data_import.plan_import(project, [tmp_path / "x.csv"], trial=False))
    found = api.evaluate(tmp_path / "p.annot", as_of="today")
    assert list(found.summary.columns) == ["EM", "TokenF1"], "of answers, for nothing is graded"
    assert found.result.options.as_of[:4].isdigit(), "the moment is written out"
    matched = api.evaluate(tmp_path / "p.annot", measures="RR", relevance="em", queries="q2")
    assert matched.per_query["RR"].to_dict() == {("reader", "q2"): 1.0}
