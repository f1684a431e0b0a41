from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.errors import InputError
from annotator.formats.declaration import Reading
from annotator.formats.strict_json import compact, json_file, json_lines, parse
from annotator.formats.text_lines import Problems

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None)
@given(values)
def test_what_is_written_reads_the_same(value: object) -> None:
    problems = Problems(Path("x"))
    assert parse(compact(value), problems) == value
    assert problems.named == []


@pytest.mark.parametrize(
    ("text", "line", "column", "what"),
    [
        ('{"a": 1,\n "b": {"c": 1, "c": 2}}', 2, 7, "'c' twice"),
        ('{"a":\n [1, NaN]}', 1, 1, "NaN"),
        ('[{"a": 1},\n {"b": -Infinity}]', 2, 2, "Infinity"),
        ('{"a": 1e999}', 1, 1, "too large"),
        ('{"a": 1,\n x}', 2, 2, "not valid JSON"),
        ("[" * 100_000, 1, 1, "nested too deeply"),
        ('{"a":' * 100_000, 1, 1, "nested too deeply"),
        ("9" * 5_000, 1, 1, "thousands of digits"),
        ("", 1, 1, "not valid JSON"),
    ],
)
def test_traps_are_refused_with_their_place(
    tmp_path: Path, text: str, line: int, column: int, what: str
) -> None:
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(InputError) as caught:
        json_file(tmp_path / "a.json", Problems(tmp_path / "a.json"), Reading())
    (problem,) = caught.value.problems
    assert (problem.line, problem.column) == (line, column)
    assert what in problem.message


def test_each_line_of_json_lines_is_an_object(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"a": 1}\n\n[1]\n{"b": }\n{"c": 2}')
    problems = Problems(tmp_path / "a.jsonl")
    found = list(json_lines(tmp_path / "a.jsonl", problems, Reading()))
    assert found == [(1, {"a": 1}), (5, {"c": 2})]
    assert [(one.line, one.column) for one in problems.named] == [(3, None), (4, 7)]
