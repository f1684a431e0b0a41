"""Texts that a spreadsheet would run: guarded in files for spreadsheets, kept as they are elsewhere."""

import csv
from pathlib import Path

import pytest

from annotator.formats.declaring import Writing
from annotator.formats.registry import FORMATS
from annotator.records import Dataset, Document, GoldAnswer, GoldList, Query
from tests.formats.datasets import judged, run_of

CALLS = ("1+1", "SUM(A1:A9)", "cmd|' /C calc'!A0", 'HYPERLINK("http://x","y")', "WEBSERVICE(A1)", "@SUM(1)")
STARTS = ("=", "+", "-", "@", "\t=", "\r=", "\n=", "＝", "＋", "－", "＠")
PAYLOADS = [start + call for start in STARTS for call in CALLS]


def everywhere(payload: str) -> Dataset:
    """Return a dataset with a text in every field that takes it."""
    identity = payload.replace("\t", "").replace("\r", "").replace("\n", "")
    return Dataset(
        queries=[Query(identity, payload, (payload,), payload, {payload: payload})],
        documents=[Document(identity, payload, payload, {"x": payload})],
        gold=[GoldList(identity, (GoldAnswer(payload, (payload,)),))],
        runs=[run_of(identity, [(identity, identity, -1.5)], scored=True)],
        judgments=judged([(identity, identity, 3)]),
    )


def cells(path: Path, delimiter: str) -> list[str]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return [cell for row in csv.reader(file, delimiter=delimiter) for cell in row]


def is_formula(cell: str) -> bool:
    """Say whether a spreadsheet may run a cell: it starts as one and is no number."""
    try:
        float(cell)
    except ValueError:
        return cell.lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"))
    return False


@pytest.mark.parametrize("name", ["a.csv", "a.tsv"])
@pytest.mark.parametrize("payload", PAYLOADS)
def test_no_cell_of_a_file_for_spreadsheets_is_a_formula(tmp_path: Path, name: str, payload: str) -> None:
    form = FORMATS["csv"]
    dataset = everywhere(payload)
    delimiter = "\t" if name.endswith("tsv") else ","
    form.write(dataset, tmp_path / name, Writing(for_spreadsheets=True))
    guarded = cells(tmp_path / name, delimiter)
    assert not [cell for cell in guarded if is_formula(cell)]
    assert "-1.5" in guarded, "a number is not guarded"
    form.write(dataset, tmp_path / name)
    assert [cell for cell in cells(tmp_path / name, delimiter) if is_formula(cell)], "the guard does the work"


@pytest.mark.parametrize("payload", PAYLOADS[::5])
def test_ratings_for_spreadsheets_are_guarded_too(tmp_path: Path, payload: str) -> None:
    dataset = everywhere(payload)
    FORMATS["quepid"].write(dataset, tmp_path / "a.csv", Writing(for_spreadsheets=True))
    assert not [cell for cell in cells(tmp_path / "a.csv", ",") if is_formula(cell)]


@pytest.mark.parametrize("payload", PAYLOADS[::3])
def test_the_lossless_export_keeps_every_text(tmp_path: Path, payload: str) -> None:
    FORMATS["csv"].write(everywhere(payload), tmp_path / "a.csv")
    found = FORMATS["csv"].read(tmp_path / "a.csv")
    assert list(found.queries) == list(everywhere(payload).queries)
    assert list(found.documents) == list(everywhere(payload).documents)
    assert list(found.gold) == list(everywhere(payload).gold)
