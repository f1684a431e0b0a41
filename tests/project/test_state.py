"""What is made of a project is of one state, though somebody grades before every single read of it."""

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from itertools import cycle, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from annotator.errors import ProjectError
from annotator.evaluation.options import Options
from annotator.figures.catalogue import FIGURES
from annotator.project import (
    adjudication,
    annotator_agreement,
    blindness,
    coverage,
    data_export,
    data_import,
    decisions,
    evidence,
    explanations,
    figure_data,
    judging,
    project_scores,
    report_files,
    self_agreement,
)
from annotator.project.adjudication import adjudicate
from annotator.project.changes_since import since
from annotator.project.data_import import ImportChoices
from annotator.project.maintenance import imports, withdraw
from annotator.project.project import Project
from annotator.project.report_files import Choice, write_bundle, write_report
from annotator.project.report_material import gathered
from annotator.project.snapshots import take_snapshot
from annotator.project.state import earlier, state_of
from annotator.storage.file import access
from annotator.storage.ledger import events
from annotator.storage.ledger.current_values import candidate_key
from annotator.storage.reads import states
from annotator.storage.reads.states import State
from annotator.storage.store import Store
from annotator.watch import UNWATCHED
from tests.project import scores
from tests.project.conftest import copied
from tests.project.scores import by

OPTIONS = Options(measures=("nDCG@10", "AP", "P@2"))
CHOICE = Choice(figures=tuple(FIGURES), queries=("q1", "q2"))
JUDGED = ((1, "d1"), (2, "d6"), (1, "d4"), (2, "d5"), (1, "d3"), (2, "d8"))
DEEDS = [*product((0, 5, 2, 4, 1, 3), ("Ann", "Ben"), JUDGED)]

VERBS: dict[str, Callable[[State], object]] = {
    "a report": lambda state: gathered(state, OPTIONS, CHOICE),
    "a report of a snapshot": lambda state: gathered(earlier(state, "then"), OPTIONS, CHOICE),
    "an evaluation": lambda state: project_scores.evaluated(state, OPTIONS),
    "an explanation": lambda state: explanations.explain_in_project(state, OPTIONS, "alpha", "q1"),
    "the evidence": lambda state: evidence.evidence(state, OPTIONS, "alpha", "q1"),
    "agreement": annotator_agreement.agreement,
    "tables of agreement": lambda state: annotator_agreement.tables(state, OPTIONS),
    "what to settle": adjudication.disagreements,
    "figures of judging": lambda state: figure_data.judging_subject(state, named=True),
    "coverage": coverage.coverage,
    "bounds": lambda state: coverage.score_bounds(state, OPTIONS),
    "what to judge": coverage.judging_list,
    "what decides": lambda state: decisions.to_judge_next(state, "alpha", "beta"),
    "what would flip it": lambda state: decisions.what_if(state, "alpha", "beta", OPTIONS),
    "what changed": lambda state: since(state, OPTIONS, "then"),
}


def plain(value: Any) -> Any:
    """Return a value as what prints in full."""
    if is_dataclass(value) and not isinstance(value, type):
        return [(one.name, plain(getattr(value, one.name))) for one in fields(value)]
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Mapping):
        return [(key, plain(one)) for key, one in value.items()]
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [plain(one) for one in value]
    return getattr(value, "__name__", value)


class Colleague:
    """Stores another grade before every read of a project, and keeps the file as it is under every head."""

    def __init__(self, path: Path, folder: Path) -> None:
        self.project = Project.open(path, annotator="Ann")
        self.folder = folder
        self.deeds = cycle(DEEDS)
        self.heads: list[str] = []

    def grade(self) -> None:
        """Grade otherwise than the last time, at times also again, and settle."""
        grade, who, (query, name) = next(self.deeds)
        candidate = candidate_key(self.project.store.db, name)
        self.project.use_annotator(who)
        judging.set_grade(self.project, query, candidate, grade, milliseconds=900 + len(self.heads))
        if len(self.heads) % 5 == 0:
            self_agreement.grade_again(self.project, query, candidate, 5 - grade)
            adjudicate(by(self.project, "Cleo"), query, candidate, grade)
        self.keep()

    def keep(self) -> None:
        """Keep a copy of the file."""
        head = self.project.store.head()
        assert head not in self.heads
        (self.folder / head).mkdir(exist_ok=True)
        shutil.copy(self.project.path, self.folder / head)
        self.heads.append(head)

    def as_under(self, head: str) -> Project:
        """Open the file as it was under a head."""
        return Project.open(self.folder / head / self.project.path.name, annotator="Ann", read_only=True)

    def watch(self, project: Project) -> None:
        """Grade before every statement that a project's connection runs outside of a transaction."""
        db = project.store.db
        db.set_trace_callback(lambda _: None if db.in_transaction else self.grade())


@pytest.fixture
def colleague(ducks: Path, tmp_path: Path) -> Iterator[Colleague]:
    (tmp_path / "heads").mkdir()
    found = Colleague(copied(ducks, tmp_path), tmp_path / "heads")
    with found.project as project:
        for query in (1, 2):
            for _ in range(12):
                found.grade()
            for who in ("Ann", "Ben"):
                project.use_annotator(who)
                blindness.unblind(project, query)
        take_snapshot(by(project, "Ann"), "then")
        found.grade()
        yield found


@pytest.fixture
def project(colleague: Colleague, monkeypatch: pytest.MonkeyPatch) -> Iterator[Project]:
    """Return a project, opened for reading, in which somebody grades before every read.

    The check of its hashes is left out: it has statements open inside others, for which a grade waits.
    """
    monkeypatch.setattr(Store, "prove", lambda *_, **__: None)
    with Project.open(colleague.project.path, annotator="Ann", read_only=True) as project:
        colleague.watch(project)
        yield project


@pytest.mark.parametrize("what", VERBS)
def test_what_is_made_while_somebody_grades_is_of_one_head(
    project: Project, colleague: Colleague, what: str
) -> None:
    state = state_of(project)
    colleague.grade()
    found = VERBS[what](state)
    with colleague.as_under(state.head) as quiet:
        again = state_of(quiet)
        assert again.head == state.head
        assert repr(plain(found)) == repr(plain(VERBS[what](again)))


@pytest.mark.parametrize("format_key", ["html", "json"])
def test_a_report_is_byte_for_byte_that_of_the_head_in_it(
    project: Project, colleague: Colleague, tmp_path: Path, format_key: str
) -> None:
    choice = replace(CHOICE, format=format_key, figures=("cutoff", "grades", "agreement", "time", "drift"))
    write_report(project, tmp_path / "report", OPTIONS, choice)
    text = (tmp_path / "report").read_text("utf-8")
    (head,) = {one for one in colleague.heads if one in text}
    with colleague.as_under(head) as quiet:
        write_report(quiet, tmp_path / "again", OPTIONS, choice)
    assert (tmp_path / "again").read_text("utf-8") == text


def test_the_files_of_a_bundle_are_of_one_head(
    project: Project, colleague: Colleague, tmp_path: Path
) -> None:
    def written(one: Project, folder: Path) -> dict[str, bytes]:
        return {name: (folder / name).read_bytes() for name in write_bundle(one, folder, OPTIONS)}

    def under(head: str) -> dict[str, bytes]:
        with colleague.as_under(head) as quiet:
            return written(quiet, tmp_path / head)

    found = written(project, tmp_path / "bundle")
    assert any(found == under(head) for head in colleague.heads)
    assert found != under(colleague.heads[0]) != under(colleague.heads[-1]) != found


def test_the_head_that_is_printed_gives_the_same_scores_from_the_ledger(
    project: Project, colleague: Colleague
) -> None:
    found = project_scores.evaluate_project(project, OPTIONS)
    now = state_of(colleague.project)
    with now.rows() as db:
        ((event,),) = db.execute(
            "SELECT id FROM event WHERE hash = ?", (bytes.fromhex(found.provenance.ledger_head),)
        ).fetchall()
        then = states.after(now, db, events.Until(event), "then")
    assert event < now.end
    assert project_scores.evaluated(then, OPTIONS).scores.tolist() == found.scores.tolist()
    assert project_scores.evaluated(now, OPTIONS).scores.tolist() != found.scores.tolist()


def test_other_threads_read_one_state_too(colleague: Colleague, monkeypatch: pytest.MonkeyPatch) -> None:
    """In any other thread every reading is on a connection of its own."""
    connect = access.connect

    def watched(path: Path, **more: bool) -> Any:
        db = connect(path, **more)
        db.set_trace_callback(lambda _: None if db.in_transaction else colleague.grade())
        return db

    with Project.open(colleague.project.path, annotator="Ann", read_only=True) as project:
        project.store.thread = -1
        monkeypatch.setattr(access, "connect", watched)
        state = state_of(project)
        found = plain(gathered(state, OPTIONS, CHOICE))
        monkeypatch.undo()
    with colleague.as_under(state.head) as quiet:
        assert repr(found) == repr(plain(gathered(state_of(quiet), OPTIONS, CHOICE)))


def test_an_explanation_is_of_the_score_beside_it(project: Project) -> None:
    found = scores.evidence(project, "alpha", "q1", OPTIONS)
    grades = {one.name: one.grade for one in found.actual}
    assert [row.grade for row in found.explanation.rows] == [
        grades[row.candidate] for row in found.explanation.rows
    ]
    assert sum(row.contribution for row in found.explanation.rows) == pytest.approx(found.explanation.value)
    best = sorted((one for one in grades.values() if one is not None), reverse=True)
    assert [one.grade for one in found.ideal][: len(best)] == best


def replacing_run(project: Project, folder: Path) -> None:
    """Import another run of alpha, and a third system."""
    for system in ("alpha", "gamma"):
        (folder / f"{system}.run").write_text(f"q1 Q0 d8 1 2.0 {system}\nq1 Q0 d1 2 1.0 {system}\n", "utf-8")
    files = [folder / "alpha.run", folder / "gamma.run"]
    data_import.run_import(project, data_import.plan_import(project, files, ImportChoices(replace=True)))


@pytest.mark.parametrize("what", VERBS)
def test_runs_that_are_replaced_meanwhile_are_those_that_were_read(
    colleague: Colleague, tmp_path: Path, what: str
) -> None:
    project = colleague.project
    state = state_of(project)
    before = repr(plain(VERBS[what](state)))
    replacing_run(project, tmp_path)
    assert repr(plain(VERBS[what](state))) == before
    assert [run.name for run in state_of(project).runs] == ["alpha", "beta", "gamma"]


ASKING_RUNS = [name for name in VERBS if "agreement" not in name and "settle" not in name]


@pytest.mark.parametrize("what", ASKING_RUNS)
def test_a_run_that_is_taken_back_meanwhile_is_said_and_not_left_out(colleague: Colleague, what: str) -> None:
    project = colleague.project
    state = state_of(project)
    withdraw(by(project, "Ann"), imports(project)[-1].identity)
    with pytest.raises(ProjectError, match="An import was taken back meanwhile"):
        VERBS[what](state)


@pytest.mark.parametrize(
    ("key", "deed"), [("trec-run", "taken back"), ("beir", "made"), ("csv", "taken back")]
)
def test_an_export_during_which_an_import_comes_or_goes_leaves_the_old_file(
    colleague: Colleague, tmp_path: Path, key: str, deed: str
) -> None:
    project, path = colleague.project, tmp_path / "out"
    choices = data_export.ExportChoices(systems=("alpha",))
    data_export.export(project, key, path, choices)
    before = {one: one.read_bytes() for one in [path, *path.rglob("*")] if one.is_file()}
    state = state_of(project)
    if deed == "made":
        replacing_run(project, tmp_path)
    else:
        withdraw(by(project, "Ann"), imports(project)[-1].identity)
    with pytest.raises(ProjectError, match=f"An import was {deed} meanwhile"):
        data_export.write(state, key, path, choices, UNWATCHED)
    assert {one: one.read_bytes() for one in before} == before


def test_a_report_during_which_a_run_is_taken_back_leaves_the_old_file(
    colleague: Colleague, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, target = colleague.project, tmp_path / "report.html"
    read = report_files.state_of

    def and_withdrawn(*words: Any) -> State:
        state = read(*words)
        withdraw(by(project, "Ann"), imports(project)[-1].identity)
        return state

    monkeypatch.setattr(report_files, "state_of", and_withdrawn)
    target.write_text("the old one")
    with pytest.raises(ProjectError, match="Start it again"):
        write_report(project, target, OPTIONS, CHOICE)
    assert target.read_text() == "the old one"
