"""Columns that have no role are kept as fields, or named as left out: nothing is lost without a word."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotator.errors import InputError
from annotator.formats.declaration import Reading
from annotator.formats.delimited import write_row
from annotator.formats.registry import FORMATS, sniff
from annotator.formats.strict_json import compact
from annotator.formats.table_columns import mapping_of
from annotator.records import Dataset
from tests.examples import examples

NAMES = st.sampled_from(["url", "image", "Date", "clicks of the day", "naïve", "format"])
VALUES = st.sampled_from(["", "a", "b", "https://example.org/a?b=c", "007", "two\nlines", "x, y"])
STATED = {
    "document_id": ("document_id", "title", "text", "query_id", "rank"),
    "query_id": ("query_id", "query"),
    "": ("query_id", "document_id", "rank"),
}
"""Whose fields the others are, by what a table holds."""


def written(path: Path, header: list[str], rows: list[list[str]], key: str) -> Dataset:
    """Write a table by hand and read it."""
    if key == "jsonl":
        lines = [compact(dict(zip(header, row, strict=True))) for row in rows]
        path.write_text("\n".join(lines), encoding="utf-8")
    else:
        with path.open("w", encoding="utf-8", newline="") as file:
            for row in [header, *rows]:
                write_row(file, row, ",")
    return FORMATS[key].read(path)


@pytest.mark.parametrize(
    "text",
    [
        ",query,document_id,rank\n0,oak,d1,1\n1,oak,d2,2\n",  # as pandas writes its index
        "\ufeffquery;document_id;rank;;\r\noak;d1;1;;\r\noak;d2;2;;\r\n",  # as Excel writes columns once used
    ],
)
def test_columns_without_a_name_are_left_out_with_a_word(tmp_path: Path, text: str) -> None:
    (tmp_path / "t.csv").write_text(text, "utf-8")
    dataset = FORMATS["csv"].read(tmp_path / "t.csv")
    assert dataset.notes == ("t.csv: left out: what stands in a column without a name.",)
    assert [one.text for one in dataset.queries] == ["oak"]
    assert [run.candidate_ids for run in dataset.runs] == [["d1", "d2"]]


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    whose=st.sampled_from(sorted(STATED)),
    others=st.lists(NAMES, unique=True, min_size=1),
    key=st.sampled_from(["csv", "jsonl"]),
    data=st.data(),
)
def test_every_column_is_kept_or_named(
    tmp_path: Path, whose: str, others: list[str], key: str, data: st.DataObject
) -> None:
    stated = STATED[whose]
    things = data.draw(st.lists(st.sampled_from(["x", "y", "z"]), min_size=1, max_size=6))
    cells = [data.draw(st.tuples(*(VALUES for _ in others))) for _ in things]
    rows = []
    for number, (thing, more) in enumerate(zip(things, cells, strict=True)):
        about = {"query_id": f"q{number}", "document_id": f"d{number}", "rank": "1", whose: thing}
        rows.append([*(about.get(one, f"{one} of {thing}") for one in stated), *more])
    dataset = written(tmp_path / "table.x", [*stated, *others], rows, key)

    expected: dict[str, dict[str, set[str]]] = {column: {} for column in others}
    for thing, more in zip(things, cells, strict=True):
        for column, value in zip(others, more, strict=True):
            expected[column].setdefault(thing, set()).update({value} - {""})
    differing = {one for one, values in expected.items() if any(len(said) > 1 for said in values.values())}
    found = {one.id: one.fields for one in (*dataset.documents, *dataset.queries) if one.id in things}
    if whose:
        assert found == {
            thing: {
                one: next(iter(expected[one][thing]))
                for one in others
                if one not in differing and expected[one][thing]
            }
            for thing in set(things)
        }
    named = {one for note in dataset.notes for one in note.rpartition(": ")[2].rstrip(".").split(", ")}
    assert named == set(others)
    left = [note for note in dataset.notes if "left out" in note]
    assert bool(left) == (bool(differing) or not whose)


def test_what_the_fields_column_says_goes_before(tmp_path: Path) -> None:
    header = ["document_id", "text", "document_fields", "url"]
    dataset = written(tmp_path / "t.csv", header, [["d", "Words", '{"url": "a", "n": 1}', "b"]], "csv")
    assert [one.fields for one in dataset.documents] == [{"url": "a", "n": 1}]


def test_a_field_with_a_control_character_is_refused_at_its_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"t\.jsonl:1: the image .*U\+0007"):
        written(tmp_path / "t.jsonl", ["document_id", "text", "image"], [["d", "Words", "a\x07"]], "jsonl")


def test_beir_keeps_what_stands_beside_the_metadata(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_text('{"_id": "d", "title": "T", "text": "W", "url": "u", "metadata": {"n": 1}}\n')
    assert sniff(path) is FORMATS["beir"]
    (one,) = FORMATS["beir"].read(path).documents
    assert one.fields == {"url": "u", "n": 1}
    path = tmp_path / "queries.jsonl"
    path.write_text('{"_id": "q", "text": "W", "intent": ["a", "b"]}\n')
    assert FORMATS["beir"].read(path).queries[0].fields == {"intent": ["a", "b"]}


def test_a_role_that_is_told_takes_its_column(tmp_path: Path) -> None:
    assert mapping_of(["document_id", "text", "url"], {"title": "url"})["title"] == "url"
    path = tmp_path / "t.csv"
    path.write_text("document_id,text,url\nd,Words,u\n", encoding="utf-8")
    dataset = FORMATS["csv"].read(path, Reading(mapping={"title": "url"}))
    assert [(one.title, one.fields) for one in dataset.documents] == [("u", {})]
    assert dataset.notes == ()


@settings(max_examples=examples(25, 60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    others=st.lists(NAMES, unique=True, min_size=1),
    told=st.integers(0, 6),
    rest=st.booleans(),
    texts=st.booleans(),
    data=st.data(),
)
def test_columns_become_fields_of_documents_when_told_also_where_no_text_stands(
    tmp_path: Path, others: list[str], told: int, rest: bool, texts: bool, data: st.DataObject
) -> None:
    named = {one: f"my {one}" for one in others[:told]}
    cells = data.draw(st.tuples(*(VALUES for _ in others)))
    mapping = {f"field:{name}": column for column, name in named.items()} | ({"field:*": "*"} if rest else {})
    header = ["query_id", "document_id", "rank", *(["text"] if texts else []), *others]
    path = tmp_path / "t.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        write_row(file, header, ",")
        write_row(file, ["q", "d", "1", *(["Words"] if texts else []), *cells], ",")
    dataset = FORMATS["csv"].read(path, Reading(mapping=mapping))
    kept = {one: named.get(one, one) for one in others if one in named or rest or texts}
    expected = {kept[one]: cell for one, cell in zip(others, cells, strict=True) if one in kept and cell}
    found = {one.id: (one.text, one.fields) for one in dataset.documents}
    assert found == ({"d": ("Words" if texts else "", expected)} if texts or expected else {})
    left = [note.rpartition(": ")[2].rstrip(".") for note in dataset.notes if "left out" in note]
    assert left == ([", ".join(one for one in others if one not in kept)] if len(kept) < len(others) else [])


@pytest.mark.parametrize(
    ("told", "meant"),
    [
        ({"quer": "Frage"}, r"no role 'quer' for a column \(did you mean 'query'\?\)"),
        ({"query": "Fragen"}, r"no column 'Fragen' \(did you mean 'Frage'\?\)"),
        ({"field:url": "URI"}, r"no column 'URI' \(did you mean 'URL'\?\)"),
        ({"zzz": "Frage"}, r"no role 'zzz' for a column\. Roles are: .* field:NAME"),
    ],
)
def test_a_misspelt_role_or_column_is_told_what_was_meant(
    tmp_path: Path, told: dict[str, str], meant: str
) -> None:
    path = tmp_path / "t.csv"
    path.write_text("Frage,URL\nWas?,u\n", encoding="utf-8")
    with pytest.raises(InputError, match=meant):
        FORMATS["csv"].read(path, Reading(mapping=told))
