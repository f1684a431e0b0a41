"""Reports of a project: the same bytes twice, whole or not at all, nothing about hidden queries."""

import json
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from scipy import stats
from typer.testing import CliRunner

from annotator.commands.program import app
from annotator.errors import DamagedError, UserError
from annotator.evaluation.options import ComparisonChoice, Options
from annotator.evaluation.result_table import Kind
from annotator.figures.catalogue import FIGURES
from annotator.places import place
from annotator.project import browse, data_import, judging
from annotator.project.figure_data import judging_subject
from annotator.project.project import Project
from annotator.project.report_files import FORMATS, Choice, write_bundle, write_report
from annotator.project.report_material import gathered
from annotator.project.state import state_of
from annotator.reports.json import SCHEMA

QUERIES, DEPTH = 4, 5
GRADES = (5, 0, 2, 1, 0)


def run_of(system: str, order: range) -> str:
    rows = []
    for query in range(QUERIES):
        rows += [f"q{query} Q0 d{name} {at} {9 - at} {system}" for at, name in enumerate(order, 1)]
    return "\n".join(rows) + "\n"


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reporting")
    files = {
        "good.run": run_of("good", range(DEPTH)),
        "bad.run": run_of("bad", range(DEPTH - 1, -1, -1)),
        "qrels.txt": "".join(
            f"q{query} 0 d{name} {grade}\n" for query in range(QUERIES) for name, grade in enumerate(GRADES)
        ),
    }
    for name, text in files.items():
        (folder / name).write_text(text)
    with Project.create(folder / "search.annot", "Search", annotator="Zoë") as project:
        data_import.run_import(project, data_import.plan_import(project, [folder / name for name in files]))
        judging.set_grade(project, 1, browse.query(project, 1).candidates[0].key, 3, milliseconds=2_500)
    return folder / "search.annot"


@pytest.fixture
def project(path: Path) -> Iterator[Project]:
    with Project.open(path, read_only=True) as project:
        yield project


def text_of(project: Project, choice: Choice, **more: Any) -> str:
    return FORMATS[choice.format].write(gathered(state_of(project), Options(), choice, **more), choice)


def test_the_same_report_twice_is_byte_identical(project: Project, tmp_path: Path) -> None:
    first, second = tmp_path / "one.html", tmp_path / "two.html"
    for target in (first, second):
        write_report(project, target, Options(), Choice())
    assert first.read_bytes() == second.read_bytes()
    text = first.read_text("utf-8")
    assert "Zoë" not in text
    assert project.store.head() in text


def test_a_report_says_what_scipys_two_one_sided_tests_say_of_a_difference_that_matters(
    tmp_path: Path,
) -> None:
    random = np.random.default_rng(8)
    for name, noise in (("one", 0.1), ("other", 0.4)):
        scores = random.normal(size=(12, DEPTH)) * noise - np.arange(DEPTH)
        lines = (
            f"q{q} Q0 d{d} 1 {score} {name}" for q, row in enumerate(scores) for d, score in enumerate(row)
        )
        (tmp_path / f"{name}.run").write_text("\n".join(lines) + "\n")
    grades = random.integers(0, 4, (12, DEPTH))
    text = "".join(f"q{q} 0 d{d} {grade}\n" for (q, d), grade in np.ndenumerate(grades))
    (tmp_path / "made.qrels").write_text(text)
    files = [tmp_path / name for name in ("one.run", "other.run", "made.qrels")]
    kinds = set()
    with Project.create(tmp_path / "made.annot", "Made", annotator="Zoë") as project:
        data_import.run_import(project, data_import.plan_import(project, files))
        for margin in (0.001, 0.02, 0.5):
            choice = Choice("json", comparison=ComparisonChoice(test="t"), difference=margin)
            material = gathered(state_of(project), Options(measures=("nDCG@10",)), choice)
            made = json.loads(FORMATS["json"].write(material, choice))
            (section,) = (one for one in made["sections"] if one["key"] == "comparisons")
            (planned,) = (one for one in section["tables"] if one["key"] == "planning")
            keys = [column["key"] for column in planned["columns"]]
            row = dict(zip(keys, planned["rows"][0], strict=True))
            first, second = row["first"], row["second"]
            differences = material.result.of(second, "nDCG@10") - material.result.of(first, "nDCG@10")
            no_worse = stats.ttest_1samp(differences, -margin, alternative="greater").pvalue
            no_better = stats.ttest_1samp(differences, margin, alternative="less").pvalue
            said = [row[key] for key in ("difference", "p_second", "p_first", "p_equivalent")]
            assert said == pytest.approx([margin, no_worse, no_better, max(no_worse, no_better)])
            size = f"{margin:g} nDCG@10"
            kind = (bool(no_worse < 0.05), bool(no_better < 0.05))
            words = {
                (True, True): f"{second} and {first} are equivalent within {size};",
                (True, False): f"{second} is not worse than {first} by {size} or more;",
                (False, True): f"{first} is not worse than {second} by {size} or more;",
                (False, False): f"{second} and {first} may differ by {size} or more,",
            }[kind]
            assert section["text"][0].startswith(words), section["text"]
            kinds.add(kind)
    assert len(kinds) > 1


def test_hidden_queries_are_named_nowhere(project: Project) -> None:
    text = text_of(project, Choice("json"), only={"q1", "q2"})
    assert '"q1"' in text
    assert "q0" not in text
    assert "q3" not in text
    said = "the command would write all"
    assert said in text, "a reader who repeats it gets more"
    assert said not in text_of(project, Choice("json"))


def test_the_chosen_query_is_taken_apart(project: Project) -> None:
    value = json.loads(text_of(project, Choice("json", queries=("q2",))))
    (section,) = [one for one in value["sections"] if one["key"] == "explanations"]
    (table,) = section["tables"]
    assert table["title"].startswith("q2, good: nDCG@10 = ")


def test_a_measure_is_taken_apart_with_its_own_threshold(project: Project) -> None:
    choice = Choice("json", queries=("q2",))
    report = gathered(state_of(project), Options(measures=("AP(rel=1)",), rel=3), choice)
    value = (1 + 2 / 3 + 3 / 4) / 3  # the grades of q2 are 5, 0, 2, 1, 0
    assert f"q2, good: AP = {value:.4f}" in FORMATS["json"].write(report, choice)


def test_a_figure_counts_from_the_grade_that_its_measure_says(project: Project) -> None:
    report = gathered(
        state_of(project), Options(measures=("P(rel=1)@5",), rel=3), Choice(figures=("cutoff",))
    )
    assert {one.rel for one in report.more["cutoff"].measures} == {1}


def test_a_damaged_project_leaves_no_report(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "damaged.annot"
    copy.write_bytes(path.read_bytes())
    db = sqlite3.connect(copy)
    db.execute("UPDATE judgment SET grade = 4 WHERE grade = 5")
    db.commit()
    db.close()
    target = tmp_path / "report.html"
    target.write_text("the old one")
    with Project.open(copy, read_only=True) as damaged, pytest.raises(DamagedError):
        write_report(damaged, target, Options(), Choice())
    assert target.read_text() == "the old one"


def test_the_folder_for_trec_eval_is_ready_to_run(project: Project, tmp_path: Path) -> None:
    folder = tmp_path / "bundle"
    assert write_bundle(project, folder, Options()) == [
        "qrels.txt",
        "good.run",
        "bad.run",
        "evaluate.sh",
    ]
    assert len((folder / "good.run").read_text().splitlines()) == QUERIES * DEPTH
    script = (folder / "evaluate.sh").read_text()
    assert "trec_eval -c -q -l 1 -m ndcg_cut.10 -m map -m recip_rank -m P.5 qrels.txt good.run" in script


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["-o", "report.docx"], 1),
        (["-o", "a.html", "--section", "nonsense"], 2),
        (["-o", "a.csv", "--table", "nonsense"], 1),
        (["-o", "a.csv", "--separator", ",", "--decimal", ","], 1),
        (["-o", "a.tex", "--table", "summary", "--column", "nonsense"], 1),
        (["-o", "a.tex", "--column", "system"], 2),
        (["-o", "a.csv", "--digits", "2"], 2),
        (["-o", "a.csv", "--table", "summary", "--means"], 2),
        (["-o", "a.html", "--width", "one"], 2),
        (["-o", "a.pdf"], 2),
        (["-o", "a.pdf", "--figure", "intervals", "--figure", "grades"], 2),
        (["-o", "a.pdf", "--figure", "intervals", "--table", "summary"], 2),
        (["-o", "a.png", "--figure", "drift"], 1),
    ],
)
def test_what_cannot_be_written_is_said(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], status: int
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["report", str(path), *words])
    assert result.exit_code == status
    assert not list(tmp_path.glob("a.*"))


def test_every_report_of_a_project_keeps_to_the_schema(project: Project) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((place("resources") / "report.schema.json").read_text("utf-8"))
    for choice in (Choice("json"), Choice("json", table="per-query"), Choice("json", named=True)):
        value = json.loads(text_of(project, choice))
        jsonschema.validate(value, schema)
    assert schema["properties"]["schema"]["const"] == SCHEMA
    described = set(schema["$defs"]["column"]["properties"]["kind"]["enum"])
    assert described == set(get_args(Kind)), "every kind of column is described"


@pytest.mark.parametrize(
    "words",
    [
        ["-o", "a.pdf", "--figure", "intervals", "--width", "two"],
        ["-o", "a.tex", "--table", "summary", "--column", "system", "--column", "AP", "--digits", "2"],
        ["-o", "a.csv", "--means"],
        ["-o", "a.md", "--table", "unjudged"],
    ],
)
def test_a_table_or_a_figure_alone_is_written_the_same_twice(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    written = []
    for _ in range(2):
        assert CliRunner().invoke(app, ["report", str(path), *words]).exit_code == 0
        written.append(Path(words[1]).read_bytes())
    assert written[0] == written[1]


def test_a_spreadsheet_gets_its_own_marks(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "tests.csv"
    words = ["report", str(path), "-o", str(target), "--table", "tests", "--separator", ";", "--decimal", ","]
    assert CliRunner().invoke(app, words).exit_code == 0
    assert target.read_text("utf-8").startswith("\ufeffmeasure;first;second")


def test_a_folder_that_cannot_be_written_to_is_said(project: Project, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("mine")
    with pytest.raises(UserError, match="taken is a file, and a folder is to be written"):
        write_report(project, tmp_path / "taken" / "a.csv", Options(), Choice("csv"))


def test_the_folder_for_trec_eval_names_no_hidden_query(project: Project, tmp_path: Path) -> None:
    folder = tmp_path / "bundle"
    write_bundle(project, folder, Options(), only={"q0", "q2"})
    for name in ("qrels.txt", "good.run", "bad.run"):
        rows = (folder / name).read_text().splitlines()
        assert {row.split()[0] for row in rows} == {"q0", "q2"}, name
        assert len(rows) == 2 * DEPTH, name


def test_the_grades_of_hidden_queries_are_in_no_figure(project: Project) -> None:
    everything = judging_subject(state_of(project), named=True)
    assert sum(sum(counts) for counts in everything.grade_counts.values()) == QUERIES * DEPTH + 1
    some = judging_subject(state_of(project), named=True, only={"q2"})
    assert list(some.grade_counts.values()) == [[2, 1, 1, 0, 0, 1]]
    assert not some.drifts.keys() - everything.drifts.keys()
    assert (everything.seconds, some.seconds) == ([2.5], []), "the one timed grade is of the first query"


def test_every_figure_that_a_project_has_can_stand_in_its_report(project: Project) -> None:
    text = text_of(project, Choice(figures=tuple(FIGURES)))
    drawn = set(re.findall('id="figure-([a-z0-9-]+?)-figure_1"', text))
    without = {
        "tags": "no query has a tag",
        "agreement": "one candidate was graded twice",
        "leniency": "as for agreement",
        "calibration": "no model graded anything",
        "drift": "imported grades have no order, and Zoë gave one",
        "narrowing": "nobody judges a sample for a decision",
    }
    explained = {f"query-{at}" for at in range(1, 4)}
    assert drawn == FIGURES.keys() - without.keys() - {"query"} | explained
    assert "annotator 2 5" not in text
    assert "Zoë" not in text
