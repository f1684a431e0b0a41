"""Argilla's records with responses and suggestions inside, as `records.to_json` writes them."""

import json
from pathlib import Path
from typing import Any

import pytest

from annotator.errors import InputError
from annotator.formats import grade_rules
from annotator.formats.argilla import FORMAT
from annotator.formats.declaration import Reading
from annotator.formats.registry import sniff
from annotator.project import browse
from annotator.project.data_import import ImportChoices, plan_import, run_import
from annotator.project.project import Project
from annotator.records import Dataset, Document, Query

Answers = dict[str, object]


def record(number: int, responses: Answers, suggestions: Answers, **other: Any) -> dict[str, object]:
    """Return a record as Argilla's `Record.to_dict` does."""
    return {
        "id": f"r{number}",
        "fields": {"query": "what", "text": f"body {number}"},
        "metadata": {"query_id": "q", "document_id": f"d{number}"},
        "suggestions": suggestions,
        "responses": responses,
        "vectors": {},
        "_server_id": "0c1b",
        **other,
    }


def said(*answers: tuple[str, object]) -> list[dict[str, object]]:
    return [{"value": value, "user_id": who} for who, value in answers]


def read(path: Path, records: object, rule: str = "", **mapping: str) -> Dataset:
    path.write_text(json.dumps(records))
    assert sniff(path) is FORMAT
    return FORMAT.read(path, Reading(mapping=mapping, words=grade_rules.parse(rule).words))


def judged(found: Dataset) -> dict[str, list[tuple[str, str, int]]]:
    return {who: list(Dataset(judgments=table).judged()) for who, table in found.people.items()}


def test_what_every_user_answered_is_theirs(tmp_path: Path) -> None:
    records = [
        record(1, {"relevance": said(("ann", 4), ("bob", "2"))}, {"relevance": {"value": 5, "agent": "gpt"}}),
        record(2, {"relevance": said(("ann", 0))}, {}, vectors={"v": [0.5]}),
        record(3, {}, {}),
    ]
    found = read(tmp_path / "a.json", records)
    assert judged(found) == {"ann": [("q", "d1", 4), ("q", "d2", 0)], "bob": [("q", "d1", 2)]}
    assert list(found.queries) == [Query("q", "what")]
    assert list(found.documents) == [Document(f"d{number}", text=f"body {number}") for number in (1, 2, 3)]
    assert found.notes[-1] == (
        "a.json: left out, as judgments have no place for them: suggestions.relevance, vectors."
    )


def test_suggestions_that_nobody_answered_are_an_agents(tmp_path: Path) -> None:
    agent = {"score": 0.9, "agent": "gpt-4o"}
    records = [record(at, {}, {"relevance": {"value": value, **agent}}) for at, value in ((1, 3), (2, 1))]
    path = tmp_path / "a.json"
    path.write_text(json.dumps(records))
    with Project.create(tmp_path / "p.annot", "p", annotator="Ann") as project:
        run_import(project, plan_import(project, [path], ImportChoices()))
        assert [(one.name, one.kind, one.graded) for one in browse.annotators(project)] == [
            ("Ann", "person", 0),
            ("model:gpt-4o", "model", 2),
        ]


def test_of_several_questions_the_one_that_is_told_is_graded_by_words(tmp_path: Path) -> None:
    records = [record(1, {"fluent": said(("ann", "yes")), "relevant": said(("ann", ["Highly"]))}, {})]
    found = read(tmp_path / "a.json", records, "Highly=4", grade="relevant")
    assert len(found.judgments.grade) == 1
    assert found.notes[-1].endswith("no place for them: responses.fluent.")
    found = read(tmp_path / "b.json", [record(1, {"relevant": said(("ann", 2))}, {})], document_id="id")
    assert list(found.judged()) == [("q", "r1", 2)]


@pytest.mark.parametrize(
    ("responses", "wrong"),
    [
        (
            {"a": said(("x", 1)), "b": said(("x", 1))},
            "holds several questions (a, b); say which holds the grades",
        ),
        ({"a": said(("x", 1), ("x", 2))}, "record 1: a: 'x' answered twice"),
        ({"a": said(("x", {"start": 3}))}, "record 1: a: the grade '{\"start\":3}' is not a whole number"),
        ({"a": said(("x", [1, 2]))}, "record 1: a: holds 2 grades"),
        ({"a": ["x"]}, "record 1: a: is no JSON object"),
        ([], "record 1: 'responses' is no JSON object"),
    ],
)
def test_what_cannot_be_taken_is_named(tmp_path: Path, responses: object, wrong: str) -> None:
    with pytest.raises(InputError, match=r"a\.json:1: ") as caught:
        read(tmp_path / "a.json", [record(1, responses, {})])
    assert wrong in str(caught.value)
