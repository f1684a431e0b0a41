import json
from pathlib import Path

import pytest

from annotator.errors import ChoiceError, InputError
from annotator.formats.declaration import Reading
from annotator.formats.label_studio import FORMAT
from annotator.project import browse
from annotator.project.data_import import ImportChoices, Undecided, plan_import, run_import
from annotator.project.maintenance import check
from annotator.project.project import Project
from annotator.records import Dataset, Document, Query


def task(number: int, *ratings: tuple[object, dict[str, object]], **data: object) -> dict[str, object]:
    annotations = [
        {"completed_by": who, "result": [{"type": "rating", "value": value}]} for who, value in ratings
    ]
    held = {"query_id": "q", "query": "what", "document_id": f"d{number}", "text": "body", **data}
    return {"id": number, "data": held, "annotations": annotations}


def read(path: Path, tasks: object, **mapping: str) -> Dataset:
    path.write_text(json.dumps(tasks))
    return FORMAT.read(path, Reading(mapping=mapping))


def grades(found: Dataset) -> dict[str, int]:
    table = found.judgments
    if table is None:
        return {}
    return {table.candidate_ids[c]: g for c, g in zip(table.candidate, table.grade.tolist(), strict=True)}


def test_ratings_numbers_and_choices_are_grades(tmp_path: Path) -> None:
    tasks = [
        task(1, (1, {"rating": 4})),
        task(2, (1, {"number": 2})),
        task(3, (1, {"choices": ["5"]})),
        task(4),
    ]
    found = read(tmp_path / "a.json", tasks)
    assert grades(found) == {"d1": 4, "d2": 2, "d3": 5}
    assert list(found.queries) == [Query("q", "what")]
    assert list(found.documents) == [Document(f"d{number}", text="body") for number in (1, 2, 3, 4)]


def test_all_people_come_at_once_or_one_that_is_told(tmp_path: Path) -> None:
    tasks = [
        task(1, (1, {"rating": 4}), ({"id": 2, "email": "b@x"}, {"rating": 1})),
        task(2, (1, {"rating": 0})),
    ]
    found = read(tmp_path / "a.json", tasks)
    assert found.judgments is None
    assert {who: list(Dataset(judgments=table).judged()) for who, table in found.people.items()} == {
        "1": [("q", "d1", 4), ("q", "d2", 0)],
        "b@x": [("q", "d1", 1)],
    }
    assert len(list(found.documents)) == 2
    assert grades(read(tmp_path / "a.json", tasks, annotator="b@x")) == {"d1": 1}
    with pytest.raises(InputError, match="no annotation by 'c'"):
        read(tmp_path / "a.json", tasks, annotator="c")


def test_a_cancelled_annotation_is_none(tmp_path: Path) -> None:
    one = task(1, (1, {"rating": 4}))
    annotations = one["annotations"]
    assert isinstance(annotations, list)
    annotations[0]["was_cancelled"] = True
    assert grades(read(tmp_path / "a.json", [one])) == {}


def test_the_names_in_data_are_guessed_or_mapped(tmp_path: Path) -> None:
    odd = {"Frage": "x", "Treffer": "y"}
    tasks = [{"id": 1, "data": odd, "annotations": [{"result": [{"value": {"rating": 3}}]}]}]
    found = read(tmp_path / "a.json", tasks, query_id="Frage", document_id="Treffer")
    assert grades(found) == {"y": 3}


@pytest.mark.parametrize("value", [{"rating": 2.5}, {"rating": True}, {"choices": ["good"]}, {"number": "x"}])
def test_a_rating_that_is_no_whole_number_is_named(tmp_path: Path, value: dict[str, object]) -> None:
    with pytest.raises(InputError, match=r"task 2: .*is not a whole number"):
        read(tmp_path / "a.json", [task(1, (1, {"rating": 1})), task(2, (1, value))])


def test_the_people_of_a_file_are_annotators_of_the_project(tmp_path: Path) -> None:
    tasks = [
        task(1, (1, {"choices": ["good"]}), ("Ben", {"choices": ["bad"]})),
        task(2, ("Ben", {"choices": ["good"]})),
    ]
    (tmp_path / "a.json").write_text(json.dumps(tasks))
    with Project.create(tmp_path / "p.annot", "p", annotator="Ann") as project:
        with pytest.raises(ChoiceError, match="words: 'good'"):
            plan_import(project, [tmp_path / "a.json"])
        rule = "good=4,bad=1"
        with pytest.raises(Undecided, match="several people, which keep their names"):
            plan_import(project, [tmp_path / "a.json"], ImportChoices(grades=rule, annotator="Eve"))
        plan = plan_import(project, [tmp_path / "a.json"], ImportChoices(grades=rule))
        assert plan.judged_by == "1, Ben"
        assert plan.files[0].brings == ("1 query", "2 documents", "3 judgments by 2 people")
        done = run_import(project, plan)
        assert done.after == plan.tally
        assert plan.tally is not None
        assert plan.tally.added["judgments"] == 3
    assert check(tmp_path / "p.annot")[0] == ()
    found = {}
    for who in ("1", "Ben", "Ann"):
        with Project.open(tmp_path / "p.annot", annotator=who, read_only=True) as project:
            view = browse.query(project, browse.key_of(project, "q"))
            found[who] = {
                one.id: one.judgment.grade for one in view.candidates if one.judgment.grade is not None
            }
    assert found == {"1": {"d1": 4}, "Ben": {"d1": 1, "d2": 4}, "Ann": {}}
