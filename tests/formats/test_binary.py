"""Binary formats: known by their first bytes, lossless, and refused in words where something is wrong."""

import sys
import time
import zipfile
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings

from annotator.errors import InputError, MissingExtra, Stopped, UserError
from annotator.formats import xlsx
from annotator.formats.declaration import Reading, Writing
from annotator.formats.registry import FORMATS, format_named, read_file, sniff
from annotator.project import browse, data_import, import_preview
from annotator.project.data_import import ImportChoices
from annotator.project.project import Project
from annotator.records import Dataset, Document, Query
from annotator.watch import Watch
from tests.faults.test_malformed_imports import FULL
from tests.formats.datasets import content, datasets

LIBRARIES = {"xlsx": "openpyxl", "parquet": "pyarrow"}
"""Every binary format and the library that reads it."""

PEERS: dict[str, Callable[[Path], pd.DataFrame]] = {
    "xlsx": lambda path: pd.read_excel(path, dtype=object),
    "parquet": pd.read_parquet,
}
"""How others read it."""

ODD = (
    "=1+1",
    "+1",
    "007",
    "1.50",
    "_x0041_",
    "a\rb\r\nc",
    " x ",
    "1e5",
    "true",
    "2026-11-23",
    "\u2028",
    "#N/A",
)
"""Texts that programs like to take for something else."""


def test_every_binary_format_is_tried_here() -> None:
    assert set(LIBRARIES) == {key for key, one in FORMATS.items() if one.magic} == set(PEERS)


@pytest.fixture(params=LIBRARIES)
def key(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_a_file_is_known_by_its_first_bytes_whatever_its_name(tmp_path: Path, key: str) -> None:
    path = tmp_path / "letter.txt"
    FORMATS[key].write(FULL, path)
    assert sniff(path) is FORMATS[key]


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(datasets())
def test_what_is_written_reads_back_the_same(tmp_path: Path, key: str, dataset: Dataset) -> None:
    path = tmp_path / "all"
    try:
        FORMATS[key].write(dataset, path)
    except UserError as error:
        assert "does not fit" in str(error)  # noqa: PT017 - as long as a drawn text is
        return
    if any((dataset.queries, dataset.documents, dataset.answers, dataset.gold, dataset.runs)):
        assert content(FORMATS[key].read(path)) == content(dataset)


def test_texts_stay_the_texts_they_are(tmp_path: Path, key: str) -> None:
    dataset = Dataset([Query(f"q{at}", text) for at, text in enumerate(ODD)], [Document("007", "=A1", "0")])
    FORMATS[key].write(dataset, tmp_path / "odd")
    assert content(FORMATS[key].read(tmp_path / "odd")) == content(dataset)


def test_other_programs_read_what_is_written(tmp_path: Path, key: str) -> None:
    path = tmp_path / "full"
    FORMATS[key].write(FULL, path)
    table = PEERS[key](path)
    graded = table[table["grade"].notna()]
    assert list(zip(graded["query_id"], graded["document_id"], graded["grade"], strict=True)) == list(
        FULL.judged()
    )
    ranked = table[table["score"].notna()]
    assert sorted(ranked["score"]) == [5.5, 6.5, 7.5]


def test_the_same_rows_are_the_same_bytes_at_any_time(
    tmp_path: Path, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, written = tmp_path / "full.xlsx", []
    for year in (1999, 2031):
        clock = time.struct_time((year, 5, 6, 7, 8, 9, 0, 0, 0))
        monkeypatch.setattr(time, "localtime", lambda _=None, clock=clock: clock)
        FORMATS[key].write(FULL, path)
        written.append(path.read_bytes())
    assert written[0] == written[1]


def test_a_workbook_bears_no_moment_of_writing(tmp_path: Path) -> None:
    FORMATS["xlsx"].write(FULL, tmp_path / "full.xlsx")
    properties = openpyxl.load_workbook(tmp_path / "full.xlsx").properties
    assert {properties.created, properties.modified} == {xlsx.NO_MOMENT}


def test_it_is_looked_at_and_imported_with_columns_that_are_told(tmp_path: Path, key: str) -> None:
    path = tmp_path / "topics"
    FORMATS[key].write(Dataset([Query("q1", "ducks"), Query("q2", "geese")]), path)
    seen = import_preview.glance(path)
    assert (seen.key, seen.mapped, seen.header[:2]) == (key, True, ("query_id", "query"))
    assert [row[:2] for row in seen.rows] == [("q1", "ducks"), ("q2", "geese")]
    told = {**dict.fromkeys(("query", "tags", "guidelines", "query_fields"), ""), "query_id": "query"}
    with Project.create(tmp_path / "p.annot", "p") as project:
        plan = data_import.plan_import(project, [path], ImportChoices(mapping=told))
        data_import.run_import(project, plan)
        assert browse.key_of(project, "geese")


def test_without_its_library_it_is_named_with_the_command_that_installs_it(
    tmp_path: Path, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "full"
    FORMATS[key].write(FULL, path)
    for name in [one for one in sys.modules if one.partition(".")[0] == LIBRARIES[key]]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, LIBRARIES[key], None)
    command = rf"pip install -e '\.\[{key}\]'"
    for use in (lambda: FORMATS[key].read(path), lambda: FORMATS[key].write(FULL, tmp_path / "new")):
        with pytest.raises(MissingExtra, match=command):
            use()
    assert "pip install" in import_preview.glance(path).problem
    assert not (tmp_path / "new").exists()


def test_damaged_files_are_read_or_refused_by_name_and_never_crash(
    tmp_path: Path, key: str, count: Callable[[int, int], int]
) -> None:
    FORMATS[key].write(FULL, tmp_path / "sound")
    sound, random, refused = (tmp_path / "sound").read_bytes(), Random(5), 0
    path = tmp_path / "damaged"
    for number in range(count(150, 1_500)):
        data = bytearray(sound)
        if number % 3 == 0:
            del data[random.randrange(len(data)) :]
        else:
            for _ in range(random.choice((1, 1, 8, 64))):
                data[random.randrange(len(data))] = random.randrange(256)
        path.write_bytes(data)
        named = {str(path)}
        try:
            FORMATS[key].read(path)
        except InputError as error:
            refused += 1
            named = {problem.file for problem in error.problems}
        assert named == {str(path)}
    assert refused > 30


def test_what_cannot_be_taken_in_a_row_is_named_with_it(tmp_path: Path, key: str) -> None:
    table = pd.DataFrame({"query_id": ["q1", "q1"], "document_id": ["d1", "d2"], "grade": ["3", "good"]})
    path = tmp_path / "grades"
    with path.open("wb") as file:
        (table.to_excel if key == "xlsx" else table.to_parquet)(file, index=False)
    line = 3 if key == "xlsx" else 2
    with pytest.raises(InputError, match=f"{path}:{line}: the grade 'good' is not a whole"):
        FORMATS[key].read(path)


def test_reading_and_writing_can_be_stopped(tmp_path: Path, key: str) -> None:
    path = tmp_path / "full"
    FORMATS[key].write(FULL, path)
    before = path.read_bytes()
    with pytest.raises(Stopped):
        FORMATS[key].read(path, Reading(watch=Watch(should_stop=lambda: True)))

    def stop(_: int) -> None:
        raise Stopped("no more")

    with pytest.raises(Stopped):
        FORMATS[key].write(Dataset([Query("q1", "other")]), path, Writing(step=stop))
    assert [one.name for one in tmp_path.iterdir() if one.is_file()] == ["full"]
    assert path.read_bytes() == before


def workbook(path: Path, **sheets: list[list[Any]]) -> Path:
    """Write a workbook as somebody else would."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def test_numbers_dates_and_ids_with_zeros_of_a_spreadsheet(tmp_path: Path) -> None:
    rows = [
        [],
        ["query id", "doc id", "title", "rating"],
        [7, 7.0, date(2026, 11, 23), 3.0],
        ["q2", 8, True, None],
    ]
    path = workbook(tmp_path / "s.xlsx", Sheet=rows)
    book = openpyxl.load_workbook(path)
    book.active["A3"].number_format = "000"
    book.save(path)
    found = format_named("xlsx").read(path)
    assert [one.id for one in found.queries] == []
    assert list(found.judged()) == [("007", "7", 3)]
    assert {one.id: one.title for one in found.documents} == {"7": "2026-11-23T00:00:00", "8": "true"}


def test_a_formula_counts_as_its_value_and_an_error_is_named(tmp_path: Path) -> None:
    path = workbook(tmp_path / "s.xlsx", Sheet=[["query_id", "query"], ["q1", "ducks"], ["q2", "#N/A"]])
    with zipfile.ZipFile(path) as parts:
        inside = {one: parts.read(one) for one in parts.namelist()}
    sheet = inside["xl/worksheets/sheet1.xml"]
    assert b'<c r="B3" t="e">' in sheet
    at = sheet.index(b'<c r="B2"')
    end = sheet.index(b"</c>", at)
    calculated = b'<c r="B2" t="str"><f>A1&amp;"x"</f><v>wild ducks</v>'
    inside["xl/worksheets/sheet1.xml"] = sheet[:at] + calculated + sheet[end:]
    with zipfile.ZipFile(path, "w") as parts:
        for name, data in inside.items():
            parts.writestr(name, data)
    with pytest.raises(InputError, match=r"s\.xlsx:3: the cell B3 holds the error #N/A; mend its formula"):
        format_named("xlsx").read(path)
    inside["xl/worksheets/sheet1.xml"] = inside["xl/worksheets/sheet1.xml"].replace(b't="e"', b't="str"')
    with zipfile.ZipFile(path, "w") as parts:
        for name, data in inside.items():
            parts.writestr(name, data)
    assert [one.text for one in format_named("xlsx").read(path).queries] == ["wild ducks", "#N/A"]


def test_the_one_sheet_that_is_a_table_is_read_and_several_are_named(tmp_path: Path) -> None:
    table = [["query_id", "query"], ["q1", "ducks"]]
    path = workbook(tmp_path / "s.xlsx", Notes=[["Made by", "Ann"]], Empty=[], Data=table)
    assert [one.id for one in format_named("xlsx").read(path).queries] == ["q1"]
    workbook(path, First=table, Second=table)
    with pytest.raises(InputError, match="several sheets that may be meant: 'First', 'Second'"):
        format_named("xlsx").read(path)
    workbook(path, Empty=[])
    with pytest.raises(InputError, match="holds no rows below a header"):
        format_named("xlsx").read(path)


def test_a_cell_below_no_name_and_a_name_given_twice_are_refused(tmp_path: Path) -> None:
    path = workbook(tmp_path / "s.xlsx", Sheet=[["query_id", "query"], ["q1", "ducks", "?"]])
    with pytest.raises(InputError, match=":2: holds a cell below no name"):
        format_named("xlsx").read(path)
    workbook(path, Sheet=[["query_id", "query", "query"], ["q1", "ducks", "?"]])
    with pytest.raises(InputError, match=":1: two columns are named 'query'"):
        format_named("xlsx").read(path)


def test_what_excel_has_no_room_for_is_said_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "s.xlsx"
    whole = "x" * xlsx.MOST_CHARACTERS
    format_named("xlsx").write(Dataset([Query("q1", whole)]), path)
    assert format_named("xlsx").read(path).queries[0].text == whole
    before = path.read_bytes()
    with pytest.raises(UserError, match=r"32,768 characters .* does not fit in a cell of Excel"):
        format_named("xlsx").write(Dataset([Query("q1", whole + "x")]), path)
    monkeypatch.setattr(xlsx, "MOST_ROWS", 2)
    with pytest.raises(UserError, match="holds 2 rows, and there are more"):
        format_named("xlsx").write(FULL, path)
    assert path.read_bytes() == before


def test_a_zip_file_and_one_that_unpacks_to_far_too_much_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "s.xlsx"
    with zipfile.ZipFile(path, "w") as parts:
        parts.writestr("a.txt", "no workbook")
    with pytest.raises(InputError, match="is a zip file but no Excel workbook"):
        format_named("xlsx").read(path)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as parts:
        parts.writestr("xl/workbook.xml", b" " * 100_000_000)
    with pytest.raises(InputError, match="far more than its own size"):
        format_named("xlsx").read(path)


def test_a_parquet_file_of_few_bytes_that_is_a_text_in_every_row_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    rows = 10_000
    text = pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), pa.array(["x" * 1_000_000]))
    pq.write_table(pa.table({"query_id": [f"q{at}" for at in range(rows)], "query": text}), path)
    assert path.stat().st_size < 200_000
    with pytest.raises(InputError, match="far beyond its own size"):
        format_named("parquet").read(path)


def test_entities_inside_a_workbook_are_refused(tmp_path: Path) -> None:
    path = workbook(tmp_path / "s.xlsx", Sheet=[["query_id", "query"], ["q1", "ducks"]])
    with zipfile.ZipFile(path) as parts:
        inside = {one: parts.read(one) for one in parts.namelist()}
    levels = "".join(f'<!ENTITY e{at} "{f"&e{at - 1};" * 10}">' for at in range(1, 10))
    bomb = f'<!DOCTYPE worksheet [<!ENTITY e0 "ducks">{levels}]>'.encode()
    sheet = inside["xl/worksheets/sheet1.xml"]
    sheet = sheet.replace(b"<worksheet", bomb + b"<worksheet", 1).replace(b"<t>ducks</t>", b"<t>&e9;</t>")
    assert b"&e9;" in sheet
    with zipfile.ZipFile(path, "w") as parts:
        for name, data in (inside | {"xl/worksheets/sheet1.xml": sheet}).items():
            parts.writestr(name, data)
    with pytest.raises(InputError, match="damaged Excel workbook"):
        format_named("xlsx").read(path)


def test_columns_of_many_types_are_texts_and_what_is_none_is_named(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    table = {
        "query_id": pa.array([7, 8]),
        "query": pa.array([Decimal("1.50"), None]),
        "tags": pa.array([["a", "b"], []]),
        "guidelines": pa.array([date(2026, 11, 23), None]),
        "query_fields": pa.array([{"site": 3.0}, None]),
    }
    pq.write_table(pa.table(table), path)
    first, second = format_named("parquet").read(path).queries
    assert first == Query("7", "1.50", ("a", "b"), "2026-11-23", {"site": 3.0})
    assert second == Query("8", "")
    pq.write_table(pa.table({"query_id": ["q1"], "query": [b"\xff"]}), path)
    with pytest.raises(InputError, match=r"t\.parquet:1: the column 'query' holds a bytes, which is no text"):
        format_named("parquet").read(path)


def test_missing_numbers_that_pandas_wrote_as_nan_state_nothing(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    table = pd.DataFrame({"query_id": ["q1", "q1"], "document_id": ["d1", "d2"], "grade": [3, float("nan")]})
    table.to_parquet(path)
    assert list(format_named("parquet").read(path).judged()) == [("q1", "d1", 3)]


def test_a_folder_of_beir_as_parquet_is_read_with_all_parts_of_its_test_set(tmp_path: Path) -> None:
    for name, rows in {
        "corpus/corpus-00000-of-00002": [{"_id": "d1", "title": "", "text": "They swim.", "language": "en"}],
        "corpus/corpus-00001-of-00002": [{"_id": "d2", "title": "", "text": "They fly.", "language": "en"}],
        "queries/queries-00000-of-00001": [{"_id": "7", "text": "do ducks swim", "language": "en"}],
        "data/test-00000-of-00002": [{"query-id": "7", "corpus-id": "d1", "score": 2}],
        "data/test-00001-of-00002": [{"query-id": "7", "corpus-id": "d2", "score": 0}],
        "data/train-00000-of-00001": [{"query-id": "7", "corpus-id": "d1", "score": 1}],
    }.items():
        path = (tmp_path / name).with_suffix(".parquet")
        path.parent.mkdir(exist_ok=True)
        pq.write_table(pa.Table.from_pylist(rows), path)
    assert sniff(tmp_path) is FORMATS["beir"]
    found = read_file(tmp_path)
    assert [one.text for one in found.documents] == ["They swim.", "They fly."]
    assert [(one.id, one.text) for one in found.queries] == [("7", "do ducks swim")]
    assert sorted(found.judged()) == [("7", "d1", 2), ("7", "d2", 0)]
    for part in (tmp_path / "data").glob("test*"):
        part.rename(part.with_name(part.name.replace("test", "dev")))
    with pytest.raises(InputError, match=r"holds several qrels \(data/dev-00000-of-00002\.parquet, .*train"):
        read_file(tmp_path)


def test_beir_as_on_hugging_face_is_corpus_queries_and_judgments(tmp_path: Path) -> None:
    for folder, rows in {
        "corpus": [{"_id": "d1", "title": "Ducks", "text": "They swim."}],
        "queries": [{"_id": "7", "title": "", "text": "do ducks swim"}],
        "qrels": [{"query-id": 7, "corpus-id": "d1", "score": 1}],
    }.items():
        (tmp_path / folder).mkdir()
        pq.write_table(pa.Table.from_pylist(rows), tmp_path / folder / "test-00000-of-00001.parquet")
    files = [tmp_path / one / "test-00000-of-00001.parquet" for one in ("corpus", "queries", "qrels")]
    corpus, queries, qrels = (FORMATS["parquet"].read(one) for one in files)
    assert list(corpus.documents) == [Document("d1", "Ducks", "They swim.")]
    assert (list(queries.queries), list(queries.documents)) == ([Query("7", "do ducks swim")], [])
    assert (list(qrels.judged()), qrels.runs) == ([("7", "d1", 1)], [])
    whole = read_file(tmp_path)
    assert (list(whole.documents), list(whole.queries)) == (list(corpus.documents), list(queries.queries))
    assert list(whole.judged()) == [("7", "d1", 1)]
    guessed = [import_preview.glance(one).guessed() for one in files]
    assert [one.get("text") for one in guessed[:2]] == ["text", "query"]
    assert guessed[2] == {"query-id": "query_id", "corpus-id": "document_id", "score": "grade"}
