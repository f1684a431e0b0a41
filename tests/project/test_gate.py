"""Every verb that says a number or makes a copy passes the gate: of changed judgments none leaves unsaid."""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from annotator import api
from annotator.errors import DamagedError, UserError
from annotator.evaluation.options import Options
from annotator.notebook.scores import Scores
from annotator.project import (
    data_export,
    judging,
    maintenance,
    panel,
    project_scores,
    report_files,
    snapshots,
    text_twin,
)
from annotator.project.preferences import prefer, to_prefer
from annotator.project.project import Project
from annotator.project.state import state_of
from annotator.reports.report_formats import Choice
from annotator.storage.file import file_copies
from tests.storage.projects import fill


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    """Return an open project that was proved; nothing of it is changed yet."""
    with Project.create(tmp_path / "p.annot", "Gate", annotator="Ana") as made:
        fill(made.store)
        for number, who in enumerate(("Ana", "Ben")):
            for document in ("d2", "d3"):
                given = {"state": "graded", "grade": number + 1}
                made.store.record(who, "grade", ("q2", document), given)
    with Project.open(tmp_path / "p.annot", annotator="Ana") as opened:
        two = to_prefer(opened).pairs[0]
        prefer(opened, two.query, two.first, two.second, "left")
        yield opened


def change(project: Project) -> None:
    """Change judgments by hand, behind the program that has the file open."""
    raw = sqlite3.connect(project.path)
    raw.execute("UPDATE judgment SET grade = 5 WHERE grade = 3")
    raw.commit()
    raw.close()


VERBS: dict[str, Callable[[Project, Path], object]] = {
    "the state of which all is computed": lambda project, _: state_of(project),
    "evaluate": lambda project, _: project_scores.evaluate_project(project),
    "the panel of a query": lambda project, _: panel.query_panel(project, 2, ("P@5",)),
    "report": lambda project, out: report_files.write_report(
        project, out / "r.md", Options(measures=("P@5",)), Choice("markdown")
    ),
    "export": lambda project, out: data_export.export(
        project, "trec-qrels", out / "x.qrels", data_export.ExportChoices(Options())
    ),
    "outlook of an export": lambda project, _: data_export.outlook(
        project, "trec-qrels", data_export.ExportChoices(Options())
    ),
    "dump": lambda project, out: text_twin.dump(project, out / "twin"),
    "copy": lambda project, out: maintenance.save_copy(project, out / "copy.annot"),
    "backup": lambda project, _: maintenance.back_up(project, every_hour=False),
    "backup when it is due": lambda project, _: maintenance.back_up(project),
    "api.evaluate": lambda project, _: api.evaluate(project, measures="P@5"),
    "api.evaluate of the file": lambda project, _: api.evaluate(project.path, measures="P@5"),
    "api.agreement": lambda project, _: api.agreement(project),
    "api.agreement of the file": lambda project, _: api.agreement(project.path),
    "api.coverage": lambda project, _: api.coverage(project),
    "api.coverage of the file": lambda project, _: api.coverage(project.path),
    "api.leniency": lambda project, _: api.leniency(project),
    "api.overlap": lambda project, _: api.overlap(project),
    "api.preferences": lambda project, _: api.preferences(project),
    "snapshot": lambda project, _: snapshots.take_snapshot(project, "later"),
}


def said(error: BaseException) -> str:
    """Return what an error says, and what it was raised for: notebooks are told in a plain sentence."""
    return f"{error} {error.__cause__ or error.__context__ or ''}"


@pytest.mark.parametrize("verb", VERBS)
def test_no_verb_says_anything_of_judgments_that_were_changed_by_hand(
    project: Project, tmp_path: Path, verb: str
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    maintenance.back_up(project, every_hour=False)
    change(project)
    with pytest.raises(UserError) as refused:
        VERBS[verb](project, out)
    assert "is damaged: current values: Ana's judgment of d1" in said(refused.value)
    assert list(out.iterdir()) == []


@pytest.mark.parametrize("verb", VERBS)
def test_control_the_verbs_work_on_what_was_recorded(project: Project, tmp_path: Path, verb: str) -> None:
    VERBS[verb](project, tmp_path)


def test_every_verb_for_notebooks_is_held_to_the_gate() -> None:
    named = {one.split()[0].removeprefix("api.") for one in VERBS if one.startswith("api.")}
    of_files = {"evaluate_answers", "read_scores"}
    assert named | of_files == {one for one in api.__all__ if one[0].islower()}


def test_a_result_from_before_is_not_taken_apart_by_what_was_changed_since(project: Project) -> None:
    scores = api.evaluate(project, measures="P@5")
    assert isinstance(scores, Scores)
    assert scores.explain("q2", system="bm25")
    change(project)
    with pytest.raises(UserError) as refused:
        scores.explain("q2", system="bm25")
    assert "is damaged" in said(refused.value)


def test_a_backup_that_was_changed_by_hand_is_not_restored(project: Project) -> None:
    made = maintenance.back_up(project, every_hour=False)
    assert made is not None
    project.close()
    before = project.path.read_bytes()
    raw = sqlite3.connect(made.path)
    raw.execute("UPDATE judgment SET grade = 5 WHERE grade = 3")
    raw.commit()
    raw.close()
    with pytest.raises(DamagedError, match="Of this backup nothing was restored"):
        maintenance.restore(made.path, project.path)
    assert project.path.read_bytes() == before
    assert file_copies.backups(project.identity)


def test_a_grade_of_a_file_that_was_changed_is_the_last_before_a_number_is_refused(project: Project) -> None:
    change(project)
    judging.set_grade(project, 2, 2, 1)
    with pytest.raises(DamagedError, match="Ana's judgment of d1"):
        state_of(project)
    with pytest.raises(DamagedError, match="nothing is written"):
        judging.set_grade(project, 2, 2, 2)
