import json
from pathlib import Path

import pytest

from annotator.errors import InputError
from annotator.formats.dict_json import FORMAT
from annotator.records import Dataset
from tests.formats.datasets import content, places


def read(path: Path, text: str) -> Dataset:
    path.write_text(text)
    return FORMAT.read(path)


def test_whole_numbers_are_grades_and_numbers_with_a_point_scores(tmp_path: Path) -> None:
    found = read(tmp_path / "a.json", '{"1": {"a": 2, "b": -1}, "2": {}}')
    assert content(found)["judgments"] == {("1", "a", 2), ("1", "b", -1)}
    (run,) = read(tmp_path / "b.json", '{"1": {"a": 2, "b": 2.5}}').runs
    assert run.system == "b"
    assert places(run) == {"1": ["b", "a"]}
    (run,) = read(tmp_path / "b.run.json", '{"1": {"a": 2, "b": 2.5}}').runs
    assert run.system == "b", "as a file is called that the export asks for"


def test_a_name_decides_for_a_run_of_whole_numbers(tmp_path: Path) -> None:
    assert read(tmp_path / "run.json", '{"1": {"a": 1, "b": 3}}').runs
    assert read(tmp_path / "run_qrels.json", '{"1": {"a": 1, "b": 3}}').judgments is not None


def test_scores_may_be_larger_than_any_grade(tmp_path: Path) -> None:
    table = {"1": {str(at): 3_000_000_000 + at for at in range(11_000)}}
    (run,) = read(tmp_path / "run.json", json.dumps(table)).runs
    assert places(run) == {"1": [str(at) for at in reversed(range(11_000))]}


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('{"1": {"a": "x"}}', "has no number"),
        ('{"1": {"a": true}}', "has no number"),
        ('{"1": 3}', "no object of candidates"),
        ('{"all": {"a": 1}}', "names the mean"),
        ('{"1": {"a": 1, "a": 2}}', "twice"),
        ('{"1": {"a": 3000000000}}', "out of any scale"),
        ("{}", "no table of numbers"),
        ("[]", "no table of numbers"),
        ('{"1": {"a": 1' + "0" * 400 + "}}", "has no number"),
    ],
)
def test_anything_else_is_refused(tmp_path: Path, text: str, what: str) -> None:
    with pytest.raises(InputError, match=what):
        read(tmp_path / "a.json", text)
