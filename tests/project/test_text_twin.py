"""The text twin: a dump of a load of a dump is the same; what was changed by hand is found."""

import json
import re
from pathlib import Path

import pytest

from annotator.errors import DamagedError, UserError
from annotator.evaluation.options import Options
from annotator.project import blindness, browse, history, judging, settings, text_twin
from annotator.project.project import Project
from annotator.project.project_scores import evaluate_project
from annotator.project.retrieved_system import retrieve
from annotator.project.snapshots import snapshots, take_snapshot
from annotator.records import GoldAnswer, GoldList
from annotator.storage.ledger.events import all_events
from tests.project.scores import by


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(one.relative_to(folder)): one.read_bytes() for one in folder.rglob("*") if one.is_file()}


def worked_on(project: Project) -> Project:
    """Leave grades, states, notes, gold answers, settings and an undo behind."""
    for query in browse.query_keys(project).tolist():
        for number, candidate in enumerate(browse.query(project, query).candidates):
            judging.set_grade(project, query, candidate.key, number % 6, milliseconds=900)
    first = browse.query(project, 1).candidates[0].key
    judging.cannot_tell(project, 1, first, "no idea – “perhaps”")
    judging.set_mark(project, 1, first, "note", 'a "note"\nwith 🦆 and \u202bעברית\u202c')
    judging.set_gold(project, 2, GoldList("q2", (GoldAnswer("farm duck", ("barn duck",), "d5", 0, 3),)))
    judging.set_query_part(project, 3, {"note": "hard"})
    blindness.unblind(project, 3)
    settings.set_setting(project, "pool_depth", 3)
    history.undo(project)
    return project


def test_a_dump_of_a_load_of_a_dump_is_the_same_byte_for_byte(project: Project, tmp_path: Path) -> None:
    digest = text_twin.dump(worked_on(project), tmp_path / "one")
    with text_twin.load(tmp_path / "one", tmp_path / "copy.annot") as copy:
        assert text_twin.dump(copy, tmp_path / "two") == digest
        assert copy.store.head() == project.store.head()
    assert files_of(tmp_path / "one") == files_of(tmp_path / "two")


def test_people_are_called_by_numbers_when_asked_for_and_nothing_else_changes(
    project: Project, tmp_path: Path
) -> None:
    worked_on(project).use_annotator("Zoe Ahlberg")
    judging.set_grade(project, 1, browse.query(project, 1).candidates[0].key, 4)
    take_snapshot(by(project, "Zoe Ahlberg"), "first")
    path, people = project.path, [one for one in browse.annotators(project) if one.kind == "person"]
    project.close()
    with Project.open(path, annotator="Zoe Ahlberg") as again:
        judging.set_grade(again, 2, browse.query(again, 2).candidates[0].key, 1)
        text_twin.dump(again, tmp_path / "named")
        text_twin.dump(again, tmp_path / "numbered", named=False)
    named, numbered = files_of(tmp_path / "named"), files_of(tmp_path / "numbered")
    assert not [one for one in people if f'"{one.name}"'.encode() in b"".join(numbered.values())]
    assert {one for one in named if named[one] != numbered[one]} == {"events.jsonl"}
    with text_twin.load(tmp_path / "numbered", tmp_path / "copy.annot") as copy:
        found = [one for one in browse.annotators(copy) if one.kind == "person"]
        assert [one.name for one in found] == ["annotator 1", "annotator 2"]
        assert sum(one.graded for one in found) == sum(one.graded for one in people) + 1
        (snapshot,) = snapshots(copy)
        assert snapshot.head in {one.hash for one in all_events(copy.store.db)}


def test_answers_and_gold_answers_come_back(answers: Project, tmp_path: Path) -> None:
    text_twin.dump(answers, tmp_path / "one")
    with text_twin.load(tmp_path / "one", tmp_path / "copy.annot") as copy:
        copy.use_annotator("Ann")
        assert browse.contents(copy) == browse.contents(answers)
        assert browse.query(copy, 2).gold == browse.query(answers, 2).gold


def test_a_loaded_project_shows_the_same_and_is_undone_the_same(project: Project, tmp_path: Path) -> None:
    text_twin.dump(worked_on(project), tmp_path / "one")
    with text_twin.load(tmp_path / "one", tmp_path / "copy.annot") as copy:
        copy.use_annotator("Ann")
        assert browse.query(copy, 1).candidates == browse.query(project, 1).candidates
        undone = history.undo(copy)
        assert undone is not None
        assert undone.said == history.undo(project).said  # type: ignore[union-attr]


def test_dumping_again_replaces_the_old_dump(project: Project, tmp_path: Path) -> None:
    first = text_twin.dump(project, tmp_path / "one")
    (tmp_path / "one" / "runs" / "0009-old.jsonl").write_text("{}\n", "utf-8")
    assert text_twin.dump(project, tmp_path / "one") == first
    assert not (tmp_path / "one" / "runs" / "0009-old.jsonl").exists()


def test_a_folder_with_something_else_is_left_alone(project: Project, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear", "utf-8")
    with pytest.raises(UserError, match="something else"):
        text_twin.dump(project, tmp_path / "mine")
    assert files_of(tmp_path / "mine") == {"letter.txt": b"dear"}


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("gold.jsonl", "farm duck", "tame duck"),
        ("runs/0001-alpha.jsonl", '["d1", 1', '["d8", 1'),
        ("queries.jsonl", "wild ducks", "wild geese"),
        ("documents.jsonl", "about ducks", "about geese"),
        ("events.jsonl", '"grade": 1', '"grade": 5'),
    ],
)
def test_what_was_changed_by_hand_is_refused(
    project: Project, tmp_path: Path, name: str, old: str, new: str
) -> None:
    text_twin.dump(worked_on(project), tmp_path / "one")
    file = tmp_path / "one" / name
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(DamagedError):
        text_twin.load(tmp_path / "one", tmp_path / "copy.annot")
    assert not (tmp_path / "copy.annot").exists()


def test_what_is_no_dump_is_refused_and_leaves_no_file(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    with pytest.raises(UserError, match="no dump"):
        text_twin.load(tmp_path / "one", tmp_path / "copy.annot")
    assert not (tmp_path / "copy.annot").exists()


def test_a_broken_line_is_named(project: Project, tmp_path: Path) -> None:
    text_twin.dump(project, tmp_path / "one")
    file = tmp_path / "one" / "queries.jsonl"
    file.write_text(file.read_text("utf-8") + "{oops\n", "utf-8")
    with pytest.raises(UserError, match=r"queries\.jsonl:4"):
        text_twin.load(tmp_path / "one", tmp_path / "copy.annot")


@pytest.mark.parametrize(("name", "odd"), [("language", "ja"), ("language", ["de"]), ("pool_depth", "ten")])
def test_a_setting_that_cannot_be_is_refused_at_every_door(
    project: Project, tmp_path: Path, name: str, odd: object
) -> None:
    with pytest.raises(UserError, match=re.escape(repr(odd))):
        settings.set_setting(project, name, odd)
    assert settings.value_of(project, name) == settings.DEFAULTS[name]
    project.store.record("Ann", "setting", (name,), odd)
    text_twin.dump(project, tmp_path / "dump")
    lines = (tmp_path / "dump/events.jsonl").read_text("utf-8").splitlines()
    ((number, line),) = ((at, one) for at, one in enumerate(lines, 1) if f'"subject": ["{name}"]' in one)
    column = line.index(f'"after": {json.dumps(odd)}') + 1
    with pytest.raises(UserError, match=rf"events\.jsonl:{number}:{column}: .*{re.escape(repr(odd))}"):
        text_twin.load(tmp_path / "dump", tmp_path / "again.annot")
    assert not (tmp_path / "again.annot").exists()


def test_a_project_set_to_a_language_without_stems_says_so_where_stems_are_asked_for(
    project: Project,
) -> None:
    project.store.record("Ann", "setting", ("language",), "ja")
    evaluate_project(project, Options(measures=("P@1",)))
    with pytest.raises(UserError, match="'ja' is no language with stems; there are: ar, "):
        evaluate_project(project, Options(measures=("EM",), stemming=True))
    with pytest.raises(UserError, match="'ja' is no language with stems"):
        retrieve(project, "stemming")
    with pytest.raises(UserError, match="'xx' is no language with stems"):
        retrieve(project, without_stop_words=True, language="xx")


def test_the_twin_is_sorted_plain_text(project: Project, tmp_path: Path) -> None:
    text_twin.dump(project, tmp_path / "one")
    lines = (tmp_path / "one" / "documents.jsonl").read_text("utf-8").splitlines()
    ids = [json.loads(line)["id"] for line in lines]
    assert ids == sorted(ids)
