"""A model's grades against people's in a project: beside them, under its own name, never among them."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from annotator.commands.program import app
from annotator.errors import UserError
from annotator.evaluation.leniency import leniency_table
from annotator.evaluation.options import Options
from annotator.figures.catalogue import FIGURES
from annotator.figures.subject import Subject
from annotator.project import browse, history, judging, project_scores
from annotator.project.adjudication import adjudicate, disagreements
from annotator.project.figure_data import with_others
from annotator.project.model_agreement import against_people, differing, needed
from annotator.project.project import Project
from annotator.project.report_files import Choice, write_report
from annotator.project.report_material import gathered
from annotator.project.state import state_of
from annotator.theme import DARK, LIGHT, Theme
from tests.project.scores import by

ANN = {("q1", "d1"): 5, ("q1", "d2"): 0, ("q1", "d3"): 1, ("q2", "d5"): 3}
GPT = {("q1", "d1"): 5, ("q1", "d2"): 2, ("q1", "d3"): 1, ("q2", "d5"): 1, ("q2", "d6"): 4}
OPTIONS = Options(measures=("CG@2",))


def grade(project: Project, name: str, given: dict[tuple[str, str], int], kind: str = "person") -> None:
    project.use_annotator(name)
    for key in browse.query_keys(project).tolist():
        view = browse.query(project, key)
        for candidate in view.candidates:
            if (wanted := given.get((view.id, candidate.id))) is None:
                continue
            if kind == "person":
                judging.set_grade(project, key, candidate.key, wanted)
                continue
            subject, value = (view.id, candidate.id), {"state": "graded", "grade": wanted}
            project.store.record(name, "grade", subject, value, annotator_kind=kind)


@pytest.fixture
def graded(project: Project) -> Project:
    """The project of ducks, graded by Ann and by a model."""
    grade(project, "Ann", ANN)
    grade(project, "gpt", GPT, "model")
    project.use_annotator("Cleo")
    return project


def test_one_person_and_one_model_are_enough(graded: Project) -> None:
    found = against_people(state_of(graded), OPTIONS)
    (pair,) = found.pairs
    assert (pair.model, pair.person, pair.against.n, pair.against.same) == ("gpt", "Ann", 4, 2)
    assert pair.against.leniency.value == (0 + 2 + 0 - 2) / 4
    assert pair.agreed.confusion[0, 2] == pair.agreed.confusion[3, 1] == 1, "rows are the person's"
    ((names, test),) = found.tests.values()
    assert (names, test.made) == (("Ann",), False)
    titles = [one.title for one in found.tables]
    assert titles == [
        "Models' grades against people's",
        "gpt against Ann, grade by grade",
        "CG@2 by the grades of gpt: model alone, uncorrected",
        "Could gpt replace an annotator?",
    ]
    keys = [one.key for one in found.tables]
    assert len(keys) == len(set(keys))


def test_the_systems_are_ranked_over_the_queries_that_both_graded(graded: Project) -> None:
    (effect,) = against_people(state_of(graded), OPTIONS).effects
    for means, annotator in ((effect.people, None), (effect.alone, "gpt")):
        options = Options(measures=("CG@2",), annotator=annotator)
        result = project_scores.evaluate_project(graded, options)
        assert set(result.query_ids) == {"q1", "q2"}
        assert means == tuple(result.mean(system, "CG@2") for system in effect.systems)
    one_query = against_people(state_of(graded), OPTIONS, only={"q1"}).effects[0]
    assert (effect.queries, one_query.queries) == (2, 1)


def test_a_model_counts_in_no_score_unless_it_is_named(graded: Project) -> None:
    before = project_scores.evaluate_project(graded, OPTIONS)
    grade(graded, "other", dict.fromkeys(GPT, 5), "model")
    assert (project_scores.evaluate_project(graded, OPTIONS).scores == before.scores).all()
    assert not disagreements(state_of(graded))
    alone = "gpt is a model: its grades alone, not corrected by people's."
    for name, said in (("gpt", True), ("Ann", False), (None, False)):
        result = project_scores.evaluate_project(graded, replace(OPTIONS, annotator=name))
        assert (alone in result.notes) == said


def test_people_have_numbers_unless_they_are_named(graded: Project) -> None:
    (pair,) = against_people(state_of(graded), OPTIONS, named=False).pairs
    assert (pair.model, pair.person) == ("gpt", "annotator 1")


def test_what_a_model_graded_as_nobody_did_waits_for_a_decision_in_an_order_that_tells_nothing(
    graded: Project,
) -> None:
    grade(graded, "Ben", {("q2", "d5"): 1, ("q1", "d2"): 5})
    graded.use_annotator("Cleo")
    queue = differing(state_of(graded))["gpt"]
    assert [(one.query_id, one.candidate_id, one.grades, one.model) for one in queue] == [
        ("q1", "d2", (0, 5), 2)
    ], "Ben graded q2 as the model did"
    assert differing(state_of(graded), only={"q2"}) == {"gpt": []}
    adjudicate(by(graded, "Cleo"), queue[0].query, queue[0].candidate, 1)
    assert differing(state_of(graded)) == {"gpt": []}
    (settled,) = differing(state_of(graded), with_settled=True)["gpt"]
    assert (settled.settled, settled.model) == (1, 2)
    [line] = history.history(graded, limit=1)
    assert line.annotator == "Cleo"


@pytest.mark.parametrize("grades", [(3, 5, 1, 4), (1, 4, 5, 3)])
def test_the_order_of_the_queue_is_that_of_ids_whatever_the_model_graded(
    project: Project, grades: tuple[int, ...]
) -> None:
    grade(project, "Ann", dict.fromkeys(ANN, 0))
    grade(project, "gpt", dict(zip(ANN, grades, strict=True)), "model")
    queue = differing(state_of(project))["gpt"]
    assert [(one.query_id, one.candidate_id) for one in queue] == sorted(ANN)
    assert tuple(one.model for one in queue) == grades


def test_without_a_model_or_a_person_it_says_what_to_do(project: Project) -> None:
    assert differing(state_of(project)) == {}
    for name, kind in (("Ann", "person"), ("gpt", "model")):
        with pytest.raises(UserError, match="import --model"):
            needed(state_of(project), OPTIONS)
        grade(project, name, ANN, kind)
    assert needed(state_of(project), OPTIONS)


def test_the_report_and_the_command_tell_of_models(graded: Project, tmp_path: Path) -> None:
    path = graded.path
    write_report(graded, tmp_path / "r.json", OPTIONS, Choice("json", sections=("agreement",)))
    section, *_ = json.loads((tmp_path / "r.json").read_text("utf-8"))["sections"]
    titles = [one["title"] for one in section["tables"]]
    assert "CG@2 by the grades of gpt: model alone, uncorrected" in titles
    assert "gpt against annotator 1, grade by grade" in titles
    graded.close()
    run = CliRunner().invoke(app, ["agreement", str(path), "--models", "-m", "CG@2"])
    assert run.exit_code == 0, run.output
    assert "model alone, uncorrected" in run.stdout
    assert "takes 3 people" in " ".join(run.stdout.split())
    run = CliRunner().invoke(app, ["agreement", str(path), "--models", "--format", "csv"])
    head, row = run.stdout.splitlines()
    assert head.startswith("model,annotator,candidates,same,leniency,")
    assert row.startswith("gpt,Ann,4,0.5,0.0,")


def test_the_calibration_figure_shows_what_people_gave_where_the_model_gave_a_grade(graded: Project) -> None:
    choice = Choice(figures=("calibration",))
    subject = gathered(state_of(graded), OPTIONS, choice).subject
    (points,) = FIGURES["calibration"].draw(subject, LIGHT).marks
    expected: dict[int, list[int]] = {}
    for key in ANN.keys() & GPT.keys():
        expected.setdefault(GPT[key], []).append(ANN[key])
    assert points.x.round().tolist() == sorted(expected)
    assert points.y.tolist() == [sum(given) / len(given) for _, given in sorted(expected.items())]
    assert points.labels[0].startswith("gpt – annotator 1")
    assert gathered(state_of(graded), OPTIONS, Choice(figures=())).subject.calibration == {}


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_the_leniency_figure_shows_the_numbers_of_its_table(graded: Project, theme: Theme) -> None:
    rows = [("Ann", 0.25, 0.1, 0.4, 1.0, 0.8, 1.2, 40, ""), ("Ben", *[None] * 6, 2, "not enough data")]
    table = leniency_table([])
    table = replace(table, data=tuple(list(cells) for cells in zip(*rows, strict=True)))
    subject = with_others(Subject(), [table])
    lenient, scatter = FIGURES["leniency"].draw(subject, theme).marks
    assert (lenient.x.tolist(), scatter.x.tolist()) == ([0.25], [1.0]), "who has too few has no point"
    assert lenient.labels == ["Ann\n0.25 (0.10 to 0.40)"]
