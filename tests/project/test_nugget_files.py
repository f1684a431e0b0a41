"""Nuggets and assignments in nuggetizer's JSON lines: taken whole or not, written so that they come back."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from annotator.commands.program import app
from annotator.errors import InputError
from annotator.evaluation.options import Options
from annotator.project import browse, data_import, maintenance, nugget_files
from annotator.project.data_import import ImportChoices
from annotator.project.nuggets import Nugget, nuggets, set_nuggets
from annotator.project.project import Project
from annotator.project.project_scores import evaluate_project
from annotator.project.state import state_of
from annotator.storage.care import integrity
from tests.project.scores import by

TOLD = [("Stark is Iron Man.", "vital", "support"), ("Stark built it.", "okay", "partial_support")]


def line(query: str, told: list[tuple[str, str, str]], **members: object) -> str:
    """Return a line of a file; without assignments where they are empty texts."""
    listed = [
        {"text": text, "importance": importance} | ({"assignment": given} if given else {})
        for text, importance, given in told
    ]
    return json.dumps({"query": "Who?", "qid": query, **members, "nuggets": listed})


def written(folder: Path, *lines: str) -> Path:
    path = folder / "assignments.jsonl"
    path.write_text("".join(f"{one}\n" for one in lines), "utf-8")
    return path


def take(project: Project, path: Path, name: str = "Ann") -> str:
    chosen = ImportChoices("nuggets", annotator=name)
    return data_import.run_import(project, data_import.plan_import(project, [path], chosen)).said


def test_assignments_score_the_answers_they_name_by_their_texts(answers: Project, tmp_path: Path) -> None:
    path = written(tmp_path, line("iron", TOLD, answer_text="the Tony Stark", response_length=3, run_id="x"))
    assert take(answers, path) == "assignments: 2 added; nuggets: 2 added"
    query = browse.key_of(answers, "iron")
    assert [(one.text, one.importance) for one in nuggets(answers, query)] == [one[:2] for one in TOLD]
    said = {one.text: sorted(one.said.values()) for one in browse.query(answers, query).candidates}
    assert said["the Tony Stark"] == [1, 2]
    scored = evaluate_project(answers, Options(measures=("NuggetAll", "NuggetStrictVital")))
    assert [scored.mean(scored.systems[0], name) for name in ("NuggetAll", "NuggetStrictVital")] == [0.75, 1]
    assert take(answers, path) == "assignments: 2 there already; nuggets: 2 there already"
    assert len(state_of(answers, Options(judged_by="support")).judged.grade) == 2


def test_what_is_written_comes_back_as_it_was(answers: Project, tmp_path: Path) -> None:
    take(answers, written(tmp_path, line("iron", TOLD, answer_text="Stark")))
    query = browse.key_of(answers, "iron")
    kept = nuggets(answers, query)
    set_nuggets(answers, query, [*kept, Nugget("He is Stark.", "okay", "", kept[0].id)])
    told = nugget_files.write_nuggets(answers, tmp_path / "n.jsonl")
    assert told == "n.jsonl: 2 nuggets of 1 line written. 1 nugget was left out, merged into others."
    nugget_files.write_nuggets(answers, tmp_path / "a.jsonl", "Ann")
    assert take(answers, tmp_path / "n.jsonl") == "nuggets: 2 there already"
    assert take(answers, tmp_path / "a.jsonl") == "assignments: 2 there already; nuggets: 2 there already"
    (one,) = [json.loads(text) for text in (tmp_path / "a.jsonl").read_text("utf-8").splitlines()]
    assert [(each["text"], each["importance"], each["assignment"]) for each in one["nuggets"]] == TOLD
    assert (one["qid"], one["answer_text"], one["response_length"]) == ("iron", "Stark", 1)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (line("nobody", TOLD), "1: the project has no query 'nobody'"),
        (line("iron", TOLD, answer_text="Somebody else"), "1: the project does not have the answer"),
        (line("iron", [("a", "fine", "")]), "nugget 1: the importance 'fine' is none of vital, okay"),
        (line("iron", [("a", "okay", "maybe")]), "nugget 1: the assignment 'maybe' is none of"),
        (line("iron", [("a", "okay", ""), ("a", "vital", "")]), "the nugget 'a' is okay already, not vital"),
        (json.dumps({"qid": "iron"}), "'nuggets' is missing"),
        ("[]", "holds no JSON object"),
    ],
)
def test_a_file_is_taken_whole_or_not_at_all(answers: Project, tmp_path: Path, text: str, wrong: str) -> None:
    head = answers.store.head()
    path = written(tmp_path, text, line("thor", [("Thor has a hammer.", "vital", "")]))
    with pytest.raises(InputError, match=wrong):
        take(answers, path)
    assert answers.store.head() == head


def test_nuggets_come_together_with_their_answers_and_go_with_their_import(
    answers: Project, tmp_path: Path
) -> None:
    told = {"run_id": "new", "topic_id": "iron", "topic": "Who is Iron Man?", "references": []}
    (tmp_path / "new.jsonl").write_text(
        json.dumps({**told, "answer": [{"text": "It is Stark.", "citations": []}]})
    )
    path = written(tmp_path, line("iron", TOLD, run_id="new"))
    files = [tmp_path / "new.jsonl", path]
    plan = data_import.plan_import(answers, files, ImportChoices(annotator="Bo"))
    change = data_import.run_import(answers, plan)
    query = browse.key_of(answers, "iron")
    by(answers, "Bo")
    said = {one.text: sorted(one.said.values()) for one in browse.query(answers, query).candidates}
    assert said["It is Stark."] == [1, 2]
    assert integrity.check(answers.store.db) == []
    maintenance.withdraw(answers, change.after.identity)
    assert integrity.check(answers.store.db) == []
    assert nuggets(answers, query) == ()
    assert [one.text for one in browse.query(answers, query).candidates if one.said] == []


def test_other_assignments_than_before_are_not_taken_unless_that_is_chosen(
    answers: Project, tmp_path: Path
) -> None:
    take(answers, written(tmp_path, line("iron", TOLD, answer_text="Stark")))
    other = written(tmp_path, line("iron", [(TOLD[0][0], "vital", "not_support")], answer_text="Stark"))
    with pytest.raises(data_import.Undecided, match="'Ann' has judged 1 of these assignments already"):
        take(answers, other)
    plan = data_import.plan_import(answers, [other], ImportChoices(annotator="Ann", replace=True))
    assert plan.tally.sentences(would=True) == ["assignments: 1 would be changed", "nuggets: 1 there already"]
    change = data_import.run_import(answers, plan)
    query = browse.key_of(answers, "iron")

    def of_stark() -> list[int]:
        candidates = browse.query(answers, query).candidates
        return next(sorted(one.said.values()) for one in candidates if one.text == "Stark")

    assert of_stark() == [0, 1]
    maintenance.withdraw(answers, change.after.identity)
    assert of_stark() == [1, 2], "what was said before stands again"
    first = maintenance.imports(answers)[1].identity
    maintenance.withdraw(answers, first)
    assert of_stark() == []


def test_the_command_says_first_what_it_would_take_and_what_not(answers: Project, tmp_path: Path) -> None:
    path = written(tmp_path, line("iron", TOLD, answer_text="Stark", trace={"tokens": 3}))
    answers.store.close()
    words = ["nuggets", str(answers.path), str(path)]
    dry = CliRunner().invoke(app, [*words, "--dry-run"])
    assert dry.stdout.splitlines() == [
        "assignments.jsonl: Nuggets and assignments",
        "assignments.jsonl: left out, as nuggets have no place for them: trace.",
        "assignments: 2 would be added",
        "nuggets: 2 would be added",
    ]
    with Project.open(answers.path) as project:
        assert nuggets(project, browse.key_of(project, "iron")) == ()
    done = CliRunner().invoke(app, [*words, "--annotator", "gpt", "--model"])
    assert done.stdout.splitlines()[2:] == ["assignments: 2 added; nuggets: 2 added"]
    with Project.open(answers.path) as project:
        assert [one.kind for one in browse.annotators(project) if one.name == "gpt"] == ["model"]
        unscored = evaluate_project(project, Options(measures=("NuggetAll",)))
        assert unscored.provenance.annotators == (), "a model's assignments are aside unless asked for"
        asked = evaluate_project(project, Options(measures=("NuggetAll",), annotator="gpt"))
        assert "NuggetAll" in [one.name for one in asked.measures]
    assert CliRunner().invoke(app, words[:2]).exit_code == 2
