"""The sample projects: sound, worth working with, and the source of every number in the help."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from annotator.commands.program import app
from annotator.evaluation.cqa import CqaTable, cqa_of
from annotator.evaluation.options import GoldMatch, Options
from annotator.evaluation.results import EvaluationResult
from annotator.places import place
from annotator.project import browse, project_scores, report_files, samples, text_twin
from annotator.project.adjudication import disagreements
from annotator.project.aggregated_systems import combine_systems
from annotator.project.grade_table import graded_of
from annotator.project.project import Project
from annotator.project.project_scores import collected
from annotator.project.retrieved_system import retrieve
from annotator.project.state import state_of
from annotator.project.views import Filters
from annotator.storage.care import integrity
from tests.project.scores import by

KEYS = ["generated-answers", "qa-lab", "site-search", "superhero-qa"]
HELP = (place("resources") / "help" / "articles.md").read_text("utf-8")


def opened(key: str, folder: Path) -> Project:
    """Open a copy of a sample."""
    return Project.open(samples.copied(key, folder / f"{key}.annot"), "Tester")


@pytest.fixture
def heroes(tmp_path: Path) -> Iterator[Project]:
    """Return a copy of the superhero questions."""
    with opened("superhero-qa", tmp_path) as project:
        yield project


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Project]:
    """Return a copy of the question answering lab."""
    with opened("qa-lab", tmp_path) as project:
        yield project


def test_every_sample_is_listed_with_what_it_shows() -> None:
    assert [one.key for one in samples.listed()] == KEYS
    assert all(one.title and one.about for one in samples.listed())


@pytest.mark.parametrize("key", KEYS)
def test_a_sample_comes_back_from_a_project_byte_for_byte(key: str, tmp_path: Path) -> None:
    source = place("sample_projects") / key
    with opened(key, tmp_path) as project:
        text_twin.dump(project, tmp_path / "again")
    for path in sorted(source.rglob("*")):
        if path.is_file():
            assert (tmp_path / "again" / path.relative_to(source)).read_bytes() == path.read_bytes(), path


@pytest.mark.parametrize("key", KEYS)
def test_a_sample_agrees_with_its_own_hashes(key: str, tmp_path: Path) -> None:
    with opened(key, tmp_path) as project:
        assert integrity.check(project.store.db) == []


def test_the_generated_answers_are_judged_by_nuggets_and_citations_by_two_people_and_a_model(
    tmp_path: Path,
) -> None:
    with opened("generated-answers", tmp_path) as project:
        contents = browse.contents(project)
        assert (contents.queries, contents.answers, len(contents.systems)) == (12, 24, 2)
        assert contents.judged_by == ("Clear",)
        kinds = {one.name: one.kind for one in contents.annotators}
        assert kinds == {"Ina": "person", "Tom": "person", "model:sedge": "model"}
        scores = project_scores.evaluate_project(project, Options(("nuggets",)))
        assert not [one for one in scores.notes if "leaves out" in one], "every answer is judged"
        assert scores.mean("fern", "NuggetVital") > scores.mean("moss", "NuggetVital") + 0.2
        by_support = state_of(project, Options(judged_by="support"))
        assert {one.ending[0][:7] for one in disagreements(by_support)} == {"nugget:"}
        assert len(graded_of(by_support).names) == 3
        scores = project_scores.evaluate_project(project, Options(("support",)))
        assert not scores.notes, "every citation has its passage, and is judged"
        assert scores.mean("fern", "SupportPrecision") > scores.mean("moss", "SupportPrecision") + 0.2
        by_citation = state_of(project, Options(judged_by="citation"))
        assert len(disagreements(by_citation)) == 3
        assert len(graded_of(by_citation).names) == 3


def test_the_superhero_questions_are_half_graded_and_two_readers_differ(heroes: Project) -> None:
    contents = browse.contents(heroes)
    assert (contents.queries, len(contents.systems), contents.gold) == (25, 2, 25)
    (robin,) = [one for one in contents.annotators if one.name == "Robin"]
    assert 0.45 < robin.graded / contents.pool < 0.55
    means = project_scores.evaluate_project(heroes, Options(("EM",)))
    assert means.mean("reader-b", "EM") > means.mean("reader-a", "EM") + 0.3


def test_answers_stand_in_their_passages(heroes: Project) -> None:
    candidates = [
        one
        for key in browse.query_keys(heroes, Filters())
        for one in browse.query(heroes, int(key)).candidates
        if one.passage
    ]
    assert len(candidates) > 10
    assert all(one.passage[one.start : one.end] == one.text for one in candidates)


def test_the_site_search_has_two_annotators_and_three_systems_of_different_quality(tmp_path: Path) -> None:
    with opened("site-search", tmp_path) as project:
        contents = browse.contents(project)
        assert (contents.queries, contents.documents) == (20, 129)
        assert [one.name for one in contents.annotators if one.graded] == ["Mara", "Jonas"]
        collection = collected(state_of(project), Options())
        judged = sum(int(one.judged_offsets[-1]) for one in [collection.systems[0].ranked])
        assert 0.6 < judged / contents.pool < 0.75
        result = project_scores.evaluate_project(project, Options(("nDCG@10",)))
        weak, middle, good = (result.mean(name, "nDCG@10") for name in ("title-match", "full-text", "hybrid"))
        assert weak + 0.05 < middle < good - 0.05
        tags = {
            tag
            for row in browse.query_rows(project, browse.query_keys(project, Filters()))
            for tag in row.tags
        }
        assert {"information", "transaction", "waste", "library"} <= tags


def values(result: EvaluationResult, measure: str, *queries: str) -> list[float]:
    """Return reader-a's scores of some queries."""
    scores = result.of("reader-a", measure)
    return [float(scores[result.query_ids.index(query)]) for query in queries]


def test_the_tutorials_questions_are_evaluated_without_a_grade(heroes: Project) -> None:
    names = ("Success@1", "Success@2", "Success@3", "P@2", "RR", "AP", "GoldRR", "AvgP@3", "MeanTopK@3")
    result = project_scores.evaluate_project(heroes, Options(names, relevance=GoldMatch()))
    three = ("q01-robert-downey", "q02-captain-america", "q03-thor-weapons")
    expected = {
        "Success@1": [0, 1, 0],
        "Success@2": [0, 1, 1],
        "Success@3": [1, 1, 1],
        "P@2": [0, 1, 0.5],
        "RR": [1 / 3, 1, 1 / 2],
        "AP": [1 / 9, 1, (1 / 2 + 2 / 3) / 3],
    }
    for name, scores in expected.items():
        assert values(result, name, *three) == pytest.approx(scores)
    assert values(result, "GoldRR", "q01-robert-downey", "q02-captain-america") == [0, 1]
    assert values(result, "AvgP@3", "q01-robert-downey") == pytest.approx([1 / 9])
    assert values(result, "MeanTopK@3", "q01-robert-downey") == pytest.approx([1 / 3])
    plurals = values(result, "RR", "q08-plural-cat", "q09-plural-torus", "q10-plural-virus")
    assert np.mean(plurals) == pytest.approx(11 / 18)


def test_the_order_of_thors_weapons_gives_the_tutorials_gains(heroes: Project) -> None:
    names = ("CG@3", "DCG@3", "IDCG@3", "nDCG@3")
    result = project_scores.evaluate_project(heroes, Options(names, relevance=GoldMatch(gains="gold-order")))
    found = [values(result, name, "q03-thor-weapons")[0] for name in names]
    assert found == pytest.approx([5, 2.892789, 4.761860, 0.607492], abs=1e-6)


def test_the_tutorials_answer_scores_come_out(heroes: Project) -> None:
    top = "TopAcc(match='f1',threshold=0.5)"
    result = project_scores.evaluate_project(heroes, Options(("EM", "TokenF1", f"{top}@1", f"{top}@2")))
    four = ("q04-iron-man-name", "q05-country", "q06-three-thousand", "q07-shawarma-price")
    assert values(result, "EM", *four) == [0, 0, 0, 0]
    assert values(result, "TokenF1", *four) == pytest.approx([0.4, 0, 0, 0])
    assert values(result, f"{top}@1", "q01-robert-downey") + values(
        result, f"{top}@2", "q01-robert-downey"
    ) == [0, 1]


def tables(project: Project) -> dict[str, CqaTable]:
    """Return the cQA table to rank 15 of each system."""
    return cqa_of(project_scores.evaluate_project(project, Options(("cQA",))))


def test_the_lab_shows_what_stemming_brings(lab: Project) -> None:
    contents = browse.contents(lab)
    assert (contents.queries, contents.documents) == (84, 418)
    found = tables(lab)
    standard, stemming = found["standard"], found["stemming"]
    assert (standard.queries, stemming.queries) == (84, 84)
    assert (f"{standard.mrr:.2f}", f"{stemming.mrr:.2f}") == ("77.55", "85.29")
    assert "MRR 77.55 with the `standard` analyser and 85.29 with `stemming`" in HELP
    assert (stemming.rec1 > standard.rec1).all()
    # One passage answers each question, so a hit is a recall and MAP is MRR.
    assert stemming.ac2 == pytest.approx(stemming.rec1 * 84 / 100)
    assert stemming.map * 100 == pytest.approx(stemming.mrr)


def test_the_labs_runs_are_what_the_command_of_the_help_makes(lab: Project) -> None:
    for analyser in ("standard", "stemming"):
        retrieve(by(lab, "Tester"), analyser, top_k=15)
    found = tables(lab)
    assert found["bm25-standard"].ac2.tolist() == found["standard"].ac2.tolist()
    assert found["bm25-stemming"].ac2.tolist() == found["stemming"].ac2.tolist()


def test_the_labs_systems_can_be_put_together(lab: Project) -> None:
    combine_systems(by(lab, "Tester"), ["standard", "stemming"], "borda", name="both", top_k=15)
    found = tables(lab)
    assert found["standard"].mrr < found["both"].mrr


def test_the_labs_tables_are_printed_below_each_other(tmp_path: Path) -> None:
    path = samples.copied("qa-lab", tmp_path / "lab.annot")
    printed = CliRunner().invoke(app, ["evaluate", str(path), "-m", "cQA"]).stdout
    means, standard, stemming = (
        {words[0]: words[1:] for line in part.splitlines() if (words := line.split())}
        for part in re.split(r"\w+ at each k\n", printed)
    )
    assert means["standard"][:2] == ["77.55", "0.7755"]
    assert means["stemming"][:2] == ["85.29", "0.8529"]
    assert standard["1"] == ["70.24", "70.24", "0.77", "59"]
    assert stemming["1"] == ["80.95", "80.95", "0.84", "68"]
    assert {str(k) for k in range(1, 16)} <= stemming.keys()


@pytest.mark.skipif(shutil.which("chromium") is None, reason="no browser that prints is installed")
def test_a_report_on_three_systems_prints_on_a_dozen_pages(tmp_path: Path) -> None:
    page, printed = tmp_path / "report.html", tmp_path / "report.pdf"
    with opened("site-search", tmp_path) as project:
        report_files.write_report(project, page, Options(), report_files.Choice())
    browser = [
        "chromium",
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        f"--user-data-dir={tmp_path}/browser",
    ]
    words = ["--no-pdf-header-footer", f"--print-to-pdf={printed}", page.as_uri()]
    subprocess.run([*browser, *words], check=True, capture_output=True, timeout=100)
    pages = re.findall(rb"/Type\s*/Page\b(?!s)", printed.read_bytes())
    assert 1 < len(pages) <= 12
