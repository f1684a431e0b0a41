"""Exports: what a format can hold comes back the same; a changed project is refused."""

import sqlite3
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from annotator.errors import DamagedError, Stopped, UserError
from annotator.evaluation.options import Options
from annotator.formats import umbrela
from annotator.formats.registry import FORMATS
from annotator.project import browse, data_export, data_import, judging, text_twin
from annotator.project.data_export import ExportChoices
from annotator.project.data_import import ImportChoices
from annotator.project.project import Project
from annotator.project.state import state_of
from annotator.records import Dataset, Query
from annotator.storage.reads import holdings
from annotator.watch import Watch
from tests.formats.datasets import content, judged, run_of
from tests.project.conftest import add

PLAIN = ExportChoices()


def as_brought(project: Project, key: str) -> ExportChoices:
    """Return choices by which what a format brought leaves: a model's grades only when it is named."""
    models = [one.name for one in browse.annotators(project) if one.kind == "model"]
    return ExportChoices(options=Options(annotator=models[0])) if key == "umbrela" else PLAIN


def files_of(path: Path) -> dict[str, bytes]:
    if path.is_file():
        return {"": path.read_bytes()}
    return {str(one.relative_to(path)): one.read_bytes() for one in path.rglob("*") if one.is_file()}


@pytest.mark.parametrize("key", FORMATS)
@pytest.mark.parametrize("which", ["project", "answers"])
def test_an_export_imported_into_an_empty_project_exports_the_same(
    request: pytest.FixtureRequest, which: str, key: str, tmp_path: Path
) -> None:
    project: Project = request.getfixturevalue(which)
    for query in browse.query_keys(project).tolist():
        for number, candidate in enumerate(browse.query(project, query).candidates):
            judging.set_grade(project, query, candidate.key, number % 6)
    found = FORMATS[key]
    name = "out" if found.folder else f"out{found.extensions[0]}"
    try:
        data_export.export(project, key, tmp_path / name, PLAIN)
    except UserError as error:
        assert str(error)  # noqa: PT017  (a format may say that it can hold nothing of this)
        return
    with Project.create(tmp_path / "copy.annot", "Copy") as copy:
        if "answers" not in found.holds:
            add(copy, Dataset(answers=list(holdings.answers(project.store.db))))
        whose = None if key == "umbrela" else "Ann"  # the file names the model
        plan = data_import.plan_import(
            copy, [tmp_path / name], ImportChoices(format_key=key, annotator=whose)
        )
        data_import.run_import(copy, plan)
        again = tmp_path / f"again-{name}"
        data_export.export(copy, key, again, as_brought(copy, key))
    assert files_of(again) == files_of(tmp_path / name)


@pytest.mark.parametrize(
    ("key", "what"),
    [
        ("trec-qrels", "the judgments"),
        ("quepid", "the judgments"),
        ("label-studio", "the judgments"),
        ("squad-predictions", "rankings of answers"),
    ],
)
def test_a_project_without_what_a_format_holds_writes_no_file(
    project: Project, tmp_path: Path, key: str, what: str
) -> None:
    with pytest.raises(UserError, match=what):
        data_export.export(project, key, tmp_path / "out", PLAIN)
    assert not (tmp_path / "out").exists()
    held, lost = data_export.outlook(project, key, PLAIN)
    assert held == []
    assert lost[0].startswith("There is nothing to write")


def test_nothing_is_lost_only_of_what_comes_back_as_it_was(project: Project, tmp_path: Path) -> None:
    judging.set_grade(project, 1, browse.query(project, 1).candidates[0].key, 3)
    for one in data_export.targets():
        _, lost = data_export.outlook(project, one.key, PLAIN)
        assert (not lost) == one.whole, one.title
    told = data_export.export(project, data_export.TWIN.key, tmp_path / "twin", PLAIN)
    with text_twin.load(tmp_path / "twin", tmp_path / "back.annot") as back:
        assert (told, back.store.head()) == ([], project.store.head())
        data_export.export(back, data_export.TWIN.key, tmp_path / "again", PLAIN)
    assert files_of(tmp_path / "again") == files_of(tmp_path / "twin")
    unnamed = replace(PLAIN, named=False)
    assert data_export.outlook(project, data_export.TWIN.key, unnamed)[1] == [data_export.UNNAMED]
    told = data_export.export(project, "trec-qrels", tmp_path / "out.qrels", PLAIN)
    assert told == data_export.outlook(project, "trec-qrels", PLAIN)[1], "what is said before is said after"


def test_what_a_format_cannot_hold_is_said_before(answers: Project) -> None:
    held, told = data_export.outlook(answers, "csv", PLAIN)
    assert held == [
        "the texts of the queries",
        "the predicted answers' texts",
        "the gold answers",
        "the systems' rankings",
    ]
    assert (
        "whether passages support the sentences that cite them"
        not in data_export.outlook(answers, "trec-rag", PLAIN)[0]
    ), "nobody said so"
    held, told = data_export.outlook(answers, "trec-qrels", PLAIN)
    assert held == []
    assert any("gold answers" in one for one in told)
    assert any("rankings" in one for one in told)


def test_what_is_lost_below_the_first_place_is_said(project: Project, answers: Project) -> None:
    add(project, Dataset(runs=[run_of("odd", [("q1", "d1", 1.0), ("q1", "d2", 2.0)], "given")]))
    ids = [one.id for one in browse.query(answers, 1).candidates if one.id.startswith("answer:")]
    query = browse.query(answers, 1).id
    add(answers, Dataset(runs=[run_of("deep", [(query, one, 0.0) for one in ids], "given", False, True)]))
    for held, key, system, said in (
        (project, "trec-run", "odd", "1/rank is written instead of them"),
        (project, "dict-json", "odd", "1/rank is written instead of them"),
        (answers, "trec-rag", "deep", f"{len(ids) - 1} further ones are left out"),
    ):
        told = " ".join(data_export.outlook(held, key, ExportChoices(systems=(system,)))[1])
        assert said in told, key


def test_judgments_for_umbrela_are_a_models_and_it_is_said_of_peoples(
    project: Project, tmp_path: Path
) -> None:
    judging.set_grade(project, 1, browse.query(project, 1).candidates[0].key, 3)
    path = tmp_path / "u.jsonl"
    assert umbrela.PEOPLE in data_export.export(project, "umbrela", path, PLAIN)
    path.write_text(path.read_text().replace('"project"', '"judge 7"'))
    data_import.run_import(project, data_import.plan_import(project, [path]))
    alone = as_brought(project, "umbrela")
    assert umbrela.PEOPLE not in data_export.export(project, "umbrela", tmp_path / "again.jsonl", alone)
    assert files_of(tmp_path / "again.jsonl") == files_of(path)


@pytest.mark.parametrize("key", [key for key, one in FORMATS.items() if "judgments" in one.holds])
def test_grades_are_mapped_back_by_the_rule_they_came_by(project: Project, tmp_path: Path, key: str) -> None:
    found = FORMATS[key]
    name = "qrels" if found.folder else f"qrels{found.extensions[0]}"
    given = {("q1", "d1", 1), ("q1", "d2", 2), ("q1", "d3", -2)}
    queries = [Query("q1", "q1")] if key == "quepid" else []
    found.write(Dataset(queries, judgments=judged([*given])), tmp_path / name)
    choices = ImportChoices(format_key=key, grades="-2=0,1=3,2=5", replace=True)
    data_import.run_import(project, data_import.plan_import(project, [tmp_path / name], choices))
    (tmp_path / "again").mkdir()
    again = replace(as_brought(project, key), grades="-2=0,1=3,2=5")
    data_export.export(project, key, tmp_path / "again" / name, again)
    assert content(found.read(tmp_path / "again" / name))["judgments"] == given


def test_of_several_systems_one_is_to_be_chosen_for_a_file_that_holds_one(
    project: Project, tmp_path: Path
) -> None:
    held, told = data_export.outlook(project, "dict-json", PLAIN)
    assert (held, told[0].endswith("holds one system; choose one of the 2.")) == ([], True)
    with pytest.raises(UserError, match="choose one of the 2"):
        data_export.export(project, "dict-json", tmp_path / "run.json", PLAIN)
    held, _ = data_export.outlook(project, "dict-json", ExportChoices(systems=("alpha",)))
    assert held == ["the systems' rankings"]
    judging.set_grade(project, 1, browse.query(project, 1).candidates[0].key, 2)
    assert data_export.outlook(project, "dict-json", PLAIN)[0], "judgments need no system"
    copy = replace(FORMATS["dict-json"], holds=frozenset({"runs"}))
    state = state_of(project, PLAIN.options)
    with state.rows() as db:
        assert "choose one" in copy.nothing(data_export.dataset_of(state, db, PLAIN))


def test_an_unknown_system_is_named(project: Project, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="gamma"):
        data_export.export(project, "trec-run", tmp_path / "x.run", ExportChoices(systems=("gamma",)))
    assert not (tmp_path / "x.run").exists()


def test_a_changed_grade_is_found_before_anything_leaves(project: Project, tmp_path: Path) -> None:
    judging.set_grade(project, 1, browse.query(project, 1).candidates[0].key, 2)
    (tmp_path / "y.qrels").write_text("old", "utf-8")
    project.close()
    with sqlite3.connect(project.path) as db:
        db.execute("UPDATE judgment SET grade = 5")
    db.close()
    with (
        Project.open(project.path, read_only=True) as changed,
        pytest.raises(DamagedError, match="nothing is written"),
    ):
        data_export.export(changed, "trec-qrels", tmp_path / "y.qrels", PLAIN)
    assert (tmp_path / "y.qrels").read_text("utf-8") == "old"


@pytest.mark.parametrize("key", [key for key, one in FORMATS.items() if "judgments" in one.holds])
def test_an_export_can_be_stopped_and_leaves_the_old_file(project: Project, tmp_path: Path, key: str) -> None:
    path = tmp_path / "out"
    judging.set_grade(project, 1, browse.query(project, 1).candidates[0].key, 2)
    data_export.export(project, key, path, PLAIN)
    before = files_of(path)
    judging.set_grade(project, 1, browse.query(project, 1).candidates[0].key, 3)
    with pytest.raises(Stopped):
        data_export.export(project, key, path, PLAIN, Watch(should_stop=lambda: True))
    with pytest.raises(Stopped, match="is what it was before"):
        data_export.export(project, key, path, PLAIN, Watch(should_stop=lambda: True))
    assert files_of(path) == before
    told: list[str] = []
    data_export.export(
        project, key, path, PLAIN, Watch(on_progress=lambda done, total, what: told.append(what))
    )
    assert told
    assert files_of(path) != before


class Looks:
    """Says that it is time to stop after so many times of being asked."""

    def __init__(self, most: int) -> None:
        self.left = most

    def over(self) -> bool:
        self.left -= 1
        return self.left < 0


@pytest.mark.parametrize("key", ["beir", "msmarco", "text"])
def test_a_folder_that_is_stopped_halfway_keeps_all_its_old_files(
    project: Project, tmp_path: Path, key: str
) -> None:
    path = tmp_path / "out"
    judging.set_grade(project, 1, browse.query(project, 1).candidates[0].key, 2)
    data_export.export(project, key, path, PLAIN)
    for file in path.rglob("*.*"):
        file.write_text("old")
    before = files_of(path)
    stopped = 0
    for looks in count():
        try:
            data_export.export(project, key, path, PLAIN, Watch(should_stop=Looks(looks).over))
            break
        except Stopped:
            stopped += 1
        assert files_of(path) == before
        with pytest.raises(Stopped):
            data_export.export(project, key, tmp_path / "new", PLAIN, Watch(should_stop=Looks(looks).over))
        assert not (tmp_path / "new").exists()
    assert stopped > 2
    assert set(files_of(path)) == set(before)
    assert b"old" not in files_of(path).values()
