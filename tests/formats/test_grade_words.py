"""Grades that are words: taken by a rule, asked about without one, as doccano and Argilla export them."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotator.errors import ChoiceError, InputError
from annotator.formats import grade_rules
from annotator.formats.declaration import Reading
from annotator.formats.registry import FORMATS
from annotator.project import browse
from annotator.project.data_import import ImportChoices, plan_import, run_import
from annotator.project.project import Project

WORDS = st.text("abcdefgh iJK-'é", min_size=1, max_size=12).filter(lambda one: one == one.strip())


def imported(folder: Path, rows: list[dict[str, object]], rule: str, **columns: str) -> dict[str, int | None]:
    """Return the grades that are there after rows of JSON were imported by a rule."""
    path = folder / "export.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    (folder / "p.annot").unlink(missing_ok=True)
    with Project.create(folder / "p.annot", "p", annotator="Ann") as project:
        choices = ImportChoices(annotator="Ann", grades=rule, mapping=columns)
        run_import(project, plan_import(project, [path], choices))
        key = browse.key_of(project, "q")
        return {one.id: one.judgment.grade for one in browse.query(project, key).candidates}


def row(document: str, **others: object) -> dict[str, object]:
    return {"query_id": "q", "query": "what", "document_id": document, "text": "body", **others}


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(grade_of=st.dictionaries(WORDS, st.integers(0, 5), min_size=1, max_size=4), data=st.data())
def test_a_rule_gives_every_word_its_grade(
    tmp_path: Path, grade_of: dict[str, int], data: st.DataObject
) -> None:
    drawn = data.draw(st.lists(st.sampled_from(sorted(grade_of)), min_size=1, max_size=9))
    rule = ",".join(f"{word}={grade}" for word, grade in grade_of.items())
    rows = [row(f"d{at}", label=[word] if at % 2 else word) for at, word in enumerate(drawn)]
    wanted = {f"d{at}": grade_of[word] for at, word in enumerate(drawn)}
    assert imported(tmp_path, rows, rule) == wanted


def test_what_doccano_exports_enters_with_its_list_of_one_label(tmp_path: Path) -> None:
    rows = [
        row("d1", id=1, label=["Highly Relevant"], Comments=[]),
        row("d2", id=2, label=["Not Relevant"], Comments=[]),
        row("d3", id=3, label=[], Comments=[]),
    ]
    assert imported(tmp_path, rows, "Highly Relevant=4,Not Relevant=0") == {"d1": 4, "d2": 0}


def test_what_argilla_exports_flat_enters_by_the_column_of_its_responses(tmp_path: Path) -> None:
    responses = "relevance.responses"
    rows = [
        row("d1", **{responses: ["yes"], f"{responses}.users": ["u1"], f"{responses}.status": ["submitted"]}),
        row("d2", **{responses: ["no"], f"{responses}.users": ["u1"], f"{responses}.status": ["submitted"]}),
    ]
    assert imported(tmp_path, rows, "yes=5,no=0", grade=responses) == {"d1": 5, "d2": 0}


def test_without_a_rule_the_words_are_told_with_how_often_and_where(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("query_id,document_id,grade\nq,d1,good\nq,d2,bad\nq,d3,good\n")
    with Project.create(tmp_path / "p.annot", "p", annotator="Ann") as project:
        with pytest.raises(
            ChoiceError, match=r"words: 'good' \(a\.csv:2 and 1 more\), 'bad' \(a\.csv:3\)"
        ) as told:
            plan_import(project, [tmp_path / "a.csv"])
        assert told.value.choices == ("grades",)
        plan = plan_import(project, [tmp_path / "a.csv"], ImportChoices(grades="good=4,bad=skip"))
    assert plan.tally is not None
    assert plan.tally.added["judgments"] == 2


@pytest.mark.parametrize(
    ("grades", "rule", "line", "wrong"),
    [
        (["3", "good"], "", 3, "the grade 'good' is not a whole number and no word that a rule maps"),
        (["good", "godo"], "good=3", 3, "the grade 'godo' is not a whole number and no word"),
        (["good", '"[""good"",""bad""]"'], "good=3", 3, 'holds 2 grades, ["good","bad"]'),
        (["good", '"2,5"'], "good=3", 3, "the grade '2,5' is not a whole number; write one"),
        (["good", '"2,0"'], "good=3", 3, "write 2.0 with a point"),
        (["good", "2.5"], "good=3", 3, "the grade '2.5' is not a whole number; write one"),
    ],
)
def test_a_word_that_nobody_explained_is_named_with_its_place(
    tmp_path: Path, grades: list[str], rule: str, line: int, wrong: str
) -> None:
    path = tmp_path / "a.csv"
    path.write_text(
        "query_id,document_id,grade\n" + "".join(f"q,d{at},{one}\n" for at, one in enumerate(grades))
    )
    with pytest.raises(InputError) as caught:
        FORMATS["csv"].read(path, Reading(words=grade_rules.parse(rule).words))
    (problem,) = caught.value.problems
    assert (problem.line, wrong in problem.message) == (line, True), problem
