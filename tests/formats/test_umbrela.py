"""Judgments of a model as UMBRELA writes them."""

import json
from pathlib import Path

import pytest

from annotator.errors import InputError
from annotator.formats.registry import sniff
from annotator.formats.umbrela import FORMAT
from annotator.project import browse
from annotator.project.data_import import ImportChoices, plan_import, run_import
from annotator.project.project import Project


def line(query: str, passage: str | None, judgment: object, **others: object) -> str:
    """Return a line in the layout of the tool's README, with a text of our own."""
    held = {"model": "gpt-4o", "query": query, "passage": passage, "prompt": "…", "prediction": "…"}
    return json.dumps({**held, "judgment": judgment, "result_status": 1, **others}) + "\n"


def test_judgments_enter_as_those_of_the_model_without_the_lines_that_hold_none(tmp_path: Path) -> None:
    path = tmp_path / "judged.jsonl"
    path.write_text(
        line("how old do ducks get", "Ducks live for ten years.", 3)
        + line("how old do ducks get", "Ducks quack.", 0, result_status=0)
        + line("how old do ducks get", "Geese live longer.", 1)
    )
    assert sniff(path) is FORMAT
    with Project.create(tmp_path / "p.annot", "p", annotator="Ann") as project:
        plan = plan_import(project, [path], ImportChoices(grades="0..3=0..5"))
        assert (plan.annotator, plan.kind) == ("model:gpt-4o", "model")
        assert plan.files[0].notes == (
            "judged.jsonl: left out, as judgments have no place for them: prompt, prediction.",
            "judged.jsonl: left out, as the model gave no grade: 1 lines with result_status 0.",
        )
        run_import(project, plan)
    with Project.open(tmp_path / "p.annot", annotator="model:gpt-4o", read_only=True) as project:
        view = browse.query(project, browse.key_of(project, "how old do ducks get"))
        graded = {one.text: one.judgment.grade for one in view.candidates}
    assert graded == {"Ducks live for ten years.": 5, "Geese live longer.": 2}


def test_texts_that_the_project_has_under_ids_are_not_brought_again(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("query_id,query\nq1,How old?\nq2,Who?\nq3,Who?\n")
    (tmp_path / "d.csv").write_text("document_id,document_text\nd1,Ten years.\n")
    path = tmp_path / "judged.jsonl"
    path.write_text(line("How old?", "Ten years.", 3) + line("Who?", "A duck.", 1))
    with Project.create(tmp_path / "p.annot", "p", annotator="Ann") as project:
        run_import(project, plan_import(project, [tmp_path / "d.csv", tmp_path / "t.csv"]))
        plan = plan_import(project, [path])
        assert plan.dataset.notes[1:] == (
            "judged.jsonl: 1 query without an id is known by its text, such as 'q1'.",
            "judged.jsonl: 1 passage without an id is known by its text, such as 'd1'.",
            "judged.jsonl: 'Who?' is the text of several and stands beside them, under an id of its own.",
        )
        assert plan.tally is not None
        assert plan.tally.added == {"queries": 1, "documents": 1, "judgments": 2}
        run_import(project, plan)
    with Project.open(tmp_path / "p.annot", annotator="model:gpt-4o", read_only=True) as project:
        (one,) = browse.query(project, browse.key_of(project, "q1")).candidates
        assert (one.id, one.judgment.grade) == ("d1", 3)
    with Project.create(tmp_path / "together.annot", "p") as project:
        plan = plan_import(project, [path, tmp_path / "t.csv"])
        assert [one.id for one in plan.dataset.queries] == ["Who?", "q1", "q2", "q3"]


def test_ids_that_stand_beside_the_texts_are_kept(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(line("what", "this", 2, qid="q1", docid="msmarco_v2.1_doc_16_1#3_12"))
    found = FORMAT.read(tmp_path / "a")
    assert list(found.judged()) == [("q1", "msmarco_v2.1_doc_16_1#3_12", 2)]
    assert [(one.id, one.text) for one in found.queries] == [("q1", "what")]


@pytest.mark.parametrize(
    ("second", "wrong"),
    [
        (line("what", "this", 3), "is judged for query 'what' twice"),
        (line("what", "that", "3"), 'the judgment "3" is not a whole number'),
        (line("what", "that", 2.5), "the judgment 2.5 is not a whole number"),
        (line("what", "that", 1, model="other"), "is a judgment of 'other', those before are of 'gpt-4o'"),
        (line("what", None, 1), "'passage' is missing"),
        (line("what", "that", 1, docid="d"), ""),
        (line({"text": "what"}, "that", 1), "'query' is no text"),  # type: ignore[arg-type]
    ],
)
def test_what_cannot_be_taken_is_named_with_its_line(tmp_path: Path, second: str, wrong: str) -> None:
    (tmp_path / "a").write_text(line("what", "this", 3) + second)
    if not wrong:
        assert len(list(FORMAT.read(tmp_path / "a").judged())) == 2
        return
    with pytest.raises(InputError, match=r"a:2:") as caught:
        FORMAT.read(tmp_path / "a")
    assert wrong in str(caught.value)
    assert len(caught.value.problems) == 1
