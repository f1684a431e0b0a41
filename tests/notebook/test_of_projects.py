"""What notebooks take from a project, held against the same numbers and files from the command line."""

import io
import json
import shutil
import traceback
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pandas
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from annotator import api
from annotator.commands.program import app
from annotator.project import browse, judging, samples
from annotator.project.project import Project


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return samples.copied("site-search", tmp_path_factory.mktemp("town") / "town.annot")


def typed(*words: object) -> str:
    """Return what a command prints."""
    done = CliRunner().invoke(app, [str(one) for one in words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def same(frame: pandas.DataFrame, printed: str) -> None:
    """Hold a table against one that was printed as CSV, to the last digit."""
    wanted = pandas.read_csv(io.StringIO(printed), keep_default_na=False, na_values=[""])
    found = pandas.read_csv(io.StringIO(frame.to_csv(index=False)), keep_default_na=False, na_values=[""])
    pandas.testing.assert_frame_equal(found, wanted[list(found.columns)], check_exact=True)
    assert set(wanted.columns) - set(found.columns) <= {"mark"}


@settings(max_examples=4, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    measures=st.lists(st.sampled_from(["nDCG@10", "AP", "RR", "P@5"]), min_size=1, max_size=2, unique=True),
    test=st.sampled_from(["t", "randomisation", "sign"]),
    correction=st.sampled_from(["holm", "bh", "none"]),
    baseline=st.sampled_from([None, "full-text"]),
    over=st.sampled_from(["measure", "all"]),
    by_tag=st.booleans(),
    rel=st.integers(1, 5),
)
def test_every_pair_is_compared_as_on_the_command_line(
    town: Path,
    measures: list[str],
    test: str,
    correction: str,
    baseline: str | None,
    over: str,
    by_tag: bool,
    rel: int,
) -> None:
    words = ["compare", town, "--test", test, "--correction", correction, "--over", over, "--rel", rel]
    words += [word for one in measures for word in ("-m", one)]
    words += ["--baseline", baseline] if baseline else []
    words += ["--by-tag"] if by_tag else []
    scores = api.evaluate(town, measures=measures, rel=rel)
    found = scores.compare_all(test=test, correction=correction, baseline=baseline, over=over, by_tag=by_tag)  # type: ignore[arg-type]
    same(found, typed(*words, "--format", "csv"))
    row = found.iloc[0]
    one = scores.compare(
        row["first"],
        row["second"],
        row["measure"],
        test=test,  # type: ignore[arg-type]
        correction=correction,  # type: ignore[arg-type]
        baseline=baseline,
        over=over,  # type: ignore[arg-type]
        tag=row["tag"] if by_tag else "",
    )
    assert one.p == row["p"]


def test_agreement_and_coverage_are_those_of_the_command_line(town: Path, tmp_path: Path) -> None:
    shared = Path(shutil.copy(town, tmp_path / "shared.annot"))
    with Project.open(shared, annotator="Kim") as project:
        for query in (1, 2, 3):
            judging.grade_rest(project, query, [one.key for one in browse.query(project, query).candidates])
    for verb, word in ((api.agreement, ()), (api.leniency, ("--leniency",))):
        tables = []
        for choice, flags in (
            ({}, ()),
            ({"together": True}, ("--with-together",)),
            ({"together": True, "seed": 3}, ("--with-together", "--seed", 3)),
        ):
            tables.append(verb(shared, **choice))
            same(tables[-1], typed("agreement", shared, *word, *flags, "--format", "csv"))
        assert not any(one.equals(other) for one, other in combinations(tables, 2))
    assert api.agreement(town).attrs["caption"].startswith("Items judged by two or more count")
    words = ["coverage", town, "-m", "nDCG@10", "-m", "AP", "--format", "csv"]
    same(api.coverage(town, ["nDCG@10", "AP"]), typed(*words))
    same(api.coverage(town, ["nDCG@10", "AP"], per_query=True), typed(*words, "--per-query"))
    high = api.coverage(town, combine="max")
    assert not high.equals(api.coverage(town))
    same(high, typed("coverage", town, "--combine", "max", "--format", "csv"))
    with Project.open(town, read_only=True) as project:
        assert api.coverage(project, combine="max").equals(high)


@pytest.mark.parametrize(
    ("name", "words", "choice"),
    [
        ("r.html", ["--section", "summary", "--named"], {"section": "summary", "named": True}),
        ("r.md", ["--test", "t", "--baseline", "hybrid"], {"test": "t", "baseline": "hybrid"}),
        (
            "r.tex",
            ["--table", "summary", "--column", "system", "--digits", "2"],
            {"table": "summary", "column": "system", "digits": 2},
        ),
        ("r.csv", ["--means"], {"means": True}),
        ("r.json", ["--explain", "s03"], {"explain": "s03"}),
        ("r.svg", ["--figure", "ecdf", "--width", "two"], {"figure": "ecdf", "width": "two"}),
    ],
)
def test_a_report_is_that_of_the_command_line(
    town: Path, tmp_path: Path, name: str, words: list[str], choice: dict[str, object]
) -> None:
    (tmp_path / "typed").mkdir()
    typed("report", town, "-o", tmp_path / "typed" / name, "-m", "AP", "-m", "P@3", "--rel", "2", *words)
    scores = api.evaluate(town, measures=["AP", "P@3"], rel=2)
    path = scores.report(tmp_path / name, **choice)  # type: ignore[arg-type]
    assert path.read_bytes() == (tmp_path / "typed" / name).read_bytes()


@settings(max_examples=4)
@given(
    systems=st.sampled_from([(), ("full-text", "hybrid"), ("hybrid", "full-text")]),
    p=st.sampled_from([0.5, 0.9, 0.98]),
)
def test_how_alike_systems_rank_is_that_of_the_command_line(
    town: Path, systems: tuple[str, ...], p: float
) -> None:
    words = [word for one in systems for word in ("-s", one)]
    same(api.overlap(town, systems, p=p), typed("compare", town, "--overlap", p, *words, "--format", "csv"))


def test_how_hard_queries_are_is_that_of_the_command_line(town: Path) -> None:
    scores = api.evaluate(town, measures=["AP", "RR"])
    words = ("evaluate", town, "-m", "AP", "-m", "RR", "--difficulty", "--format", "csv")
    same(scores.difficulty(), typed(*words))
    same(scores.difficulty(per_query=True), typed(*words, "--per-query"))
    assert set(scores.difficulty("RR")["measure"]) == {"RR"}
    with pytest.raises(api.MeasureError, match="was not asked for"):
        scores.difficulty("P@5")


@pytest.mark.parametrize("difference", [0.02, 0.5])
def test_a_report_says_what_is_equivalent_as_the_comparison_does(
    town: Path, tmp_path: Path, difference: float
) -> None:
    scores = api.evaluate(town, measures=["nDCG@10"])
    path = scores.report(tmp_path / "r.json", section="comparisons", difference=difference, test="t")
    section, *_ = json.loads(path.read_text("utf-8"))["sections"]
    found = {
        (first, second): scores.equivalence(first, second, difference, test="t")
        for first, second in combinations(scores.result.systems, 2)
    }
    assert section["text"][: len(found)] == [one.sentence for one in list(found.values())[:6]]
    (table,) = [one for one in section["tables"] if one["key"] == "planning"]
    names = [one["key"] for one in table["columns"]]
    for row in table["rows"]:
        told = dict(zip(names, row, strict=True))
        assert told["p_equivalent"] == found[told["first"], told["second"]].p_equivalent
    typed(
        "report",
        town,
        "-o",
        tmp_path / "c.json",
        "--section",
        "comparisons",
        "-m",
        "nDCG@10",
        "--difference",
        difference,
        "--test",
        "t",
    )
    assert (tmp_path / "c.json").read_bytes() == path.read_bytes()
    with pytest.raises(api.UserError, match="A difference that matters is greater than 0"):
        scores.report(tmp_path / "no.json", difference=0.0)
    with pytest.raises(api.UserError, match="Tukey"):
        scores.report(tmp_path / "no.json", difference=0.1, test="tukey")
    assert not (tmp_path / "no.json").exists()


@pytest.mark.parametrize("key", ["intervals", "cutoff", "grades", "query", "discount"])
def test_a_figure_of_a_project_is_that_of_its_report(town: Path, tmp_path: Path, key: str) -> None:
    typed("report", town, "-o", tmp_path / "typed.svg", "-m", "nDCG@10", "--figure", key)
    figure = api.evaluate(town, measures="nDCG@10").figure(key)
    assert figure.write(tmp_path / "ours.svg").read_bytes() == (tmp_path / "typed.svg").read_bytes()
    assert figure._repr_svg_().startswith("<?xml")


QRELS = {"q1": {"a": 3, "b": 0}, "q2": {"a": 1}}
RUNS = {"x": {"q1": {"a": 1.0, "b": 2.0}, "q2": {"a": 1.0}}, "y": {"q1": {"a": 2.0}, "q2": {"b": 1.0}}}


@pytest.mark.parametrize("key", ["intervals", "cutoff", "precision-recall", "scatter"])
def test_scores_of_tables_have_the_figures_that_need_no_project(key: str, tmp_path: Path) -> None:
    path = api.evaluate(QRELS, RUNS, ["nDCG@10", "AP"]).figure(key).write(tmp_path / "f.png", width="two")
    assert path.read_bytes().startswith(b"\x89PNG")


MISTAKES: list[tuple[Callable[[], object], str]] = [
    (lambda: api.evaluate(QRELS, RUNS, "nDGC@10"), "nDCG"),
    (lambda: api.evaluate(QRELS, RUNS, "AP").mean("RR", "x"), "RR was not asked for"),
    (lambda: api.evaluate(QRELS, RUNS, "AP").explain("q9", system="x"), "'q9'"),
    (lambda: api.evaluate(QRELS, RUNS, "AP").compare("x", "z"), "no system z"),
    (lambda: api.evaluate(QRELS, RUNS, "AP").compare_all(test="anova"), "no test 'anova'"),  # type: ignore[arg-type]
    (lambda: api.evaluate(QRELS, RUNS, "AP").figure("pie"), "no figure 'pie'; there are intervals"),
    (lambda: api.evaluate(QRELS, RUNS, "AP").figure("grades"), "nothing to draw for the figure 'grades'"),
    (lambda: api.evaluate(QRELS, RUNS, "AP").figure().write("x.jpg"), r"ends in one of \.pdf"),
    (lambda: api.evaluate(QRELS, RUNS, "AP").report("r.html"), "it is made of a project"),
    (lambda: api.evaluate({"\ud800": {"a": 1}}, {"\ud800": {"a": 1.0}}, "AP"), "half a surrogate pair"),
    (lambda: api.evaluate(QRELS, {"\udfff": RUNS["x"]}, "AP"), "half a surrogate pair"),
    (lambda: api.evaluate(QRELS, {"q1": {"\udfff": 1.0}}, "AP"), "half a surrogate pair"),
    (lambda: api.evaluate(QRELS, {"q1": {"a": 1.0}, "\udfff": {"a": 1.0}}, "AP"), "half a surrogate pair"),
    (lambda: api.evaluate_answers({}, {}), "no gold answers"),
    (lambda: api.agreement("no-such.annot"), "no-such"),
    (lambda: api.coverage("no-such.annot"), "no-such"),
]


@pytest.mark.parametrize(("work", "said"), MISTAKES)
def test_a_mistake_is_told_without_the_way_through_our_modules(work: Callable[[], object], said: str) -> None:
    with pytest.raises(api.UserError, match=said) as caught:
        work()
    frames = [one.filename for one in traceback.extract_tb(caught.value.__traceback__)]
    assert [Path(one).name for one in frames if "annotator" in Path(one).parts[-3:]] == ["plain_errors.py"]
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_a_mistake_in_a_report_is_told_before_anything_is_written(town: Path, tmp_path: Path) -> None:
    scores = api.evaluate(town, measures="AP")
    for choice, said in (
        ({"section": "weather"}, "section: 'weather' is none of"),
        ({"digits": 3}, "digits: it goes with --table"),
        ({"explain": "q9"}, "q9"),
    ):
        with pytest.raises(api.UserError, match=said):
            scores.report(tmp_path / "r.html", **choice)  # type: ignore[arg-type]
    with pytest.raises(api.UserError, match=r"figure: a \.svg holds one figure"):
        scores.report(tmp_path / "r.svg")
    assert list(tmp_path.glob("r.*")) == []


@given(grade=st.integers(-3, 12), highest=st.integers(1, 12))
@settings(max_examples=30)
def test_a_grade_above_the_scale_is_refused_unless_the_scale_is_said(grade: int, highest: int) -> None:
    qrels = {"q1": {"a": 1, "b": grade}}
    if grade <= highest:
        assert api.evaluate(qrels, RUNS, "AP", highest_grade=highest).mean("AP", "x") >= 0
    else:
        with pytest.raises(
            api.UserError, match=f"give b of query q1 the grade {grade}, and .* 0 to {highest};"
        ):
            api.evaluate(qrels, RUNS, "AP", highest_grade=highest)


def test_files_are_held_to_the_scale_on_the_command_line_too(tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text("q1 0 a 7\nq1 0 b 0\n")
    (tmp_path / "x.run").write_text("q1 Q0 a 1 2 x\nq1 Q0 b 2 1 x\n")
    words = ["--qrels", str(tmp_path / "qrels.txt"), "--run", str(tmp_path / "x.run"), "-m", "AP"]
    for command in (["evaluate"], ["explain", "-q", "q1"]):
        refused = CliRunner().invoke(app, [*command, *words])
        assert refused.exit_code == 1
        assert "give a of query q1 the grade 7, and grades go from 0 to 5" in " ".join(refused.output.split())
        typed(*command, *words, "--highest-grade", "7")
    with pytest.raises(api.UserError, match="the grade 7"):
        api.evaluate(tmp_path / "qrels.txt", tmp_path / "x.run", "AP")
    wrong = CliRunner().invoke(app, ["evaluate", "--gold", "a", "--predictions", "b", "--highest-grade", "7"])
    assert wrong.exit_code == 2


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("judged")
    (folder / "qrels.txt").write_text("q1 0 a 1\nq1 0 b 0\n")
    (folder / "x.run").write_text("q1 Q0 a 1 2 x\nq1 Q0 b 2 1 x\n")
    return folder


@settings(max_examples=20)
@example(rel=9, highest=None, named=False, measure="P@1")
@example(rel=9, highest=9, named=False, measure="P@1")
@example(rel=6, highest=None, named=True, measure="AP")
@example(rel=0, highest=None, named=False, measure="nDCG@10")
@given(
    rel=st.integers(-1, 13),
    highest=st.none() | st.integers(1, 12),
    named=st.booleans(),
    measure=st.sampled_from(["P@1", "AP", "nDCG@10"]),
)
def test_a_threshold_beyond_the_scale_is_refused_alike_in_python_and_on_the_command_line(
    judged: Path, town: Path, rel: int, highest: int | None, named: bool, measure: str
) -> None:
    key, _, at = measure.partition("@")
    named = named and key != "nDCG"
    asked = f"{key}(rel={rel}){at and '@'}{at}" if named else measure
    option: dict[str, Any] = {} if named else {"rel": rel}
    words = [*("-m", asked), *(() if named else ("--rel", str(rel)))]
    files = judged / "qrels.txt", judged / "x.run"
    forms: list[tuple[Callable[[], Any], list[str]]] = [
        (
            lambda: api.evaluate(*files, asked, **option, highest_grade=highest or 5),
            [
                *("--qrels", str(files[0]), "--run", str(files[1])),
                *(("--highest-grade", str(highest)) if highest else ()),
            ],
        )
    ]
    if highest is None:
        forms.append((lambda: api.evaluate(town, None, asked, **option), [str(town)]))
    for in_python, typed_before in forms:
        done = CliRunner().invoke(app, ["evaluate", *typed_before, *words])
        if 1 <= rel <= (highest or 5):
            assert done.exit_code == 0, done.output
            in_python()
        else:
            assert done.exit_code == 1
            with pytest.raises(api.UserError) as told:
                in_python()
            assert str(told.value).split() == done.stderr.split()


@pytest.mark.parametrize("call", [api.agreement, api.coverage, api.evaluate], ids=lambda call: call.__name__)
def test_who_reads_a_private_copy_is_warned(
    town: Path, tmp_path: Path, call: Callable[[Path], object]
) -> None:
    path = tmp_path / "town.annot"
    path.write_bytes(town.read_bytes())
    path.with_name("town.annot-journal").write_bytes(b"not a journal of SQLite" * 100)
    with pytest.warns(UserWarning, match="Beside town.annot lies town.annot-journal, which it does not need"):
        call(path)
