"""Every row of a table that cannot be taken is named with its line, and the cell with its column."""

import csv
import io
import json
import tempfile
from pathlib import Path

import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.errors import InputError
from annotator.formats.declaration import Reading
from annotator.formats.registry import FORMATS

HEADER = ("query_id", "query", "document_id", "grade", "score")
TEXTS = st.text(st.sampled_from('ab ,;\t"\n😀é|'), max_size=12)
WRONG = st.lists(st.sampled_from(("", "grade", "score", "short", "id")), min_size=1, max_size=8)


@given(wrong=WRONG, texts=st.lists(TEXTS, min_size=8, max_size=8), delimiter=st.sampled_from(",;\t"))
def test_each_bad_cell_is_named_where_it_begins(wrong: list[str], texts: list[str], delimiter: str) -> None:
    whole = row(HEADER, delimiter)
    expected: list[tuple[int, int | None]] = []
    for at, (kind, text) in enumerate(zip(wrong, texts, strict=False)):
        cells = [f"q{at}", text, f"d{at}", "3", "1.5"]
        cell = {"grade": 3, "score": 4, "id": 2}.get(kind)
        if cell is not None:
            cells[cell] = "x\ty" if kind == "id" else "high"
            before = row([*cells[:cell], ""], delimiter)
            written = whole + before[: before.rindex("\n")].removesuffix('""')
            line = written.count("\n") + 1
            expected.append((line, len(written) - written.rfind("\n")))
        if kind == "short":
            cells.pop()
            expected.append((whole.count("\n") + 1, None))
        whole += row(cells, delimiter)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "table.csv")
        path.write_text(whole, "utf-8", newline="")
        if not expected:
            FORMATS["csv"].read(path)
            return
        with pytest.raises(InputError) as refused:
            FORMATS["csv"].read(path)
    assert [(one.line, one.column) for one in refused.value.problems] == expected


def row(cells: "list[str] | tuple[str, ...]", delimiter: str) -> str:
    """Return cells as another program writes them."""
    file = io.StringIO()
    csv.writer(file, delimiter=delimiter, lineterminator="\n").writerow(cells)
    return file.getvalue()


def test_a_line_that_is_no_utf_8_hides_no_other(tmp_path: Path) -> None:
    path = tmp_path / "latin.csv"
    path.write_bytes(b"query_id,query,document_id,grade\nq1,caf\xe9,d1,x\nq2,bar,d2,y\nq3,\xfc,d3,1\n")
    with pytest.raises(InputError) as refused:
        FORMATS["csv"].read(path)
    assert [(one.line, one.column) for one in refused.value.problems] == [
        (2, 7),
        (2, 12),
        (3, 11),
        (4, 4),
    ]


def test_a_quote_out_of_place_hides_no_row_below(tmp_path: Path) -> None:
    path = tmp_path / "quotes.csv"
    path.write_text('query_id,query,document_id,grade\nq1,"a"b,d1,1\nq2,c,d2,x\n')
    with pytest.raises(InputError) as refused:
        FORMATS["csv"].read(path)
    assert [(one.line, one.column) for one in refused.value.problems] == [(2, None), (3, 9)]


@pytest.mark.parametrize(
    ("header", "place"),
    [("query,query,rank", (1, 7)), ("\n\nquery;b;query", (3, 9)), ('query,"b,\nc",query', (2, 4))],
)
def test_a_name_that_two_columns_have_is_named_where_it_stands_again(
    tmp_path: Path, header: str, place: tuple[int, int]
) -> None:
    path = tmp_path / "twice.csv"
    path.write_text(f"{header}\na,b,c\n")
    with pytest.raises(InputError, match="two columns are named 'query'; rename one") as refused:
        FORMATS["csv"].read(path)
    assert [(one.line, one.column) for one in refused.value.problems] == [place]


def test_line_ends_of_a_lone_carriage_return_are_told_as_such(tmp_path: Path) -> None:
    path = tmp_path / "mac.csv"
    path.write_bytes(b"query_id,document_id,grade\rq1,d1,3\rq2,d2,1\r")
    with pytest.raises(InputError, match=r"mac\.csv:1:27: holds a carriage return .* LF or CRLF line ends"):
        FORMATS["csv"].read(path)


@pytest.mark.parametrize(
    ("cell", "way"),
    [("1,5", "write 1.5 with a point"), ("-0,25", "write -0.25 with a point"), ("high", "write one")],
)
def test_a_decimal_comma_is_told_as_such(tmp_path: Path, cell: str, way: str) -> None:
    path = tmp_path / "comma.csv"
    path.write_text(f"query_id;document_id;system;score\nq1;d1;a;{cell}\n")
    with pytest.raises(InputError, match=rf"comma\.csv:2:9: the score '{cell}' is not a number; {way}"):
        FORMATS["csv"].read(path)


@given(before=st.integers(0, 5), after=st.integers(0, 99).map(str), role=st.sampled_from(["grade", "rank"]))
def test_a_decimal_comma_is_mended_by_a_point_only_where_that_makes_a_whole_number(
    before: int, after: str, role: str
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "comma.csv")

        def refused(cell: str) -> str:
            path.write_text(f"query_id;document_id;system;{role}\nq1;d1;a;{cell}\n")
            with pytest.raises(InputError) as told:
                FORMATS["csv"].read(path)
            return str(told.value)

        mended = f"{before}.{after}"
        if after.strip("0"):
            assert refused(f"{before},{after}").endswith("write one")
        else:
            assert refused(f"{before},{after}").endswith(f"write {mended} with a point")
            path.write_text(f"query_id;document_id;system;{role}\nq1;d1;a;{mended}\n")
            FORMATS["csv"].read(path)


@given(number=st.integers(-(10**9), 10**9), zeros=st.integers(1, 4))
def test_a_whole_number_may_have_a_point_and_zeros_as_pandas_writes_it(number: int, zeros: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "pandas.csv")
        path.write_text(f"query_id,document_id,grade\nq1,d1,{number}.{'0' * zeros}\n")
        table = FORMATS["csv"].read(path, Reading()).judgments
        assert table is not None
        assert table.grade.tolist() == [number]
        path.write_text(f"query_id,document_id,grade\nq1,d1,{number}.{'0' * zeros}1\n")
        with pytest.raises(InputError, match="not a whole number"):
            FORMATS["csv"].read(path)


@pytest.mark.parametrize("role", ["query_id", "query", "document_id", "title", "text", "answer", "system"])
@pytest.mark.parametrize("value", [["a", "b"], {"id": "q1", "text": "oak"}])
def test_a_structure_where_one_text_belongs_is_refused(tmp_path: Path, role: str, value: object) -> None:
    row = {"query_id": "q1", "query": "oak", "document_id": "d1", "text": "body", "system": "a", "rank": 1}
    path = tmp_path / "nested.jsonl"
    path.write_text(json.dumps(row) + "\n" + json.dumps({**row, role: value}) + "\n")
    with pytest.raises(InputError, match=f"nested.jsonl:2:.*'{role}' holds a list or an object; give a text"):
        FORMATS["jsonl"].read(path)
    table = pyarrow.Table.from_pylist([{**row, role: value}])
    pyarrow.parquet.write_table(table, tmp_path / "nested.parquet")
    with pytest.raises(InputError, match=f"'{role}' holds a list or an object; give a text"):
        FORMATS["parquet"].read(tmp_path / "nested.parquet")


@pytest.mark.parametrize(
    ("line", "place", "told"),
    [
        ("q1,,3", "2:4", r"'Note' stands in a row without a document or an answer: 'Produkt' is empty"),
        (",d1,3", "2:1", r"'Note' stands in a row without a query: 'Frage' is empty"),
    ],
)
def test_what_a_row_lacks_is_named_by_the_column_of_the_user(
    tmp_path: Path, line: str, place: str, told: str
) -> None:
    path = tmp_path / "shop.csv"
    path.write_text(f"Frage,Produkt,Note\n{line}\n")
    mapping = {"query_id": "Frage", "document_id": "Produkt", "grade": "Note"}
    with pytest.raises(InputError, match=f"{place}: {told}"):
        FORMATS["csv"].read(path, Reading(mapping=mapping))
    path.write_text('query,document_id,grade\n"two\nlines",d1,3\n')
    with pytest.raises(
        InputError, match=r"2:1: .*, or add a column query_id: without one the text is the id"
    ):
        FORMATS["csv"].read(path)
    path.write_text("Frage,Produkt,Rang,Punkte,Note\nq1,,1,2.5,3\n")
    with pytest.raises(InputError, match="'Rang', 'Punkte' and 'Note' stand in a row without a document or"):
        FORMATS["csv"].read(path, Reading(mapping={**mapping, "rank": "Rang", "score": "Punkte"}))
    with pytest.raises(InputError, match="say in which column a document or an answer stands"):
        FORMATS["csv"].read(path, Reading(mapping={"query_id": "Note", "grade": "Note"}))
