import json
from pathlib import Path

import pytest

from annotator.errors import InputError
from annotator.formats.declaration import Reading
from annotator.formats.label_studio import FORMAT
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


def test_one_annotator_is_read_at_a_time(tmp_path: Path) -> None:
    tasks = [task(1, (1, {"rating": 4}), ({"id": 2, "email": "b@x"}, {"rating": 1}))]
    with pytest.raises(InputError, match=r"several people \(1, b@x\)"):
        read(tmp_path / "a.json", tasks)
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
