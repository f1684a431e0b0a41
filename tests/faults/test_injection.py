"""Texts that a spreadsheet or a browser would run: harmless in files for spreadsheets and in the report.

What the app itself shows of a document is tried in `tests/desktop/grade/test_full_text.py`.
"""

import csv
from html.parser import HTMLParser
from itertools import product
from pathlib import Path

import pytest
from jinja2 import Environment

from annotator.evaluation.result_table import Column, Table
from annotator.figures.distributions import grade_distribution
from annotator.figures.subject import Subject
from annotator.formats.declaration import Writing
from annotator.formats.registry import FORMATS
from annotator.records import Dataset, Document, GoldAnswer, GoldList, Query
from annotator.reports import html
from annotator.reports.report import Figure, Report, Section
from tests.formats.datasets import judged, run_of

CALLS = ("1+1", "SUM(A1:A9)", "cmd|' /C calc'!A0", 'HYPERLINK("http://x","y")', "WEBSERVICE(A1)", "@SUM(1)")
STARTS = ("=", "+", "-", "@", "\t=", "\r=", "\n=", "＝", "＋", "－", "＠")
OTHER_LIBRARIES = ("parquet", "parquet-runs", "xlsx")
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


def test_a_format_says_whether_it_guards(tmp_path: Path) -> None:
    dataset = everywhere("=1+1")
    for key, form in FORMATS.items():
        if form.folder or form.nothing(dataset) or key in OTHER_LIBRARIES:
            continue
        for name, writing in (("plain", Writing()), ("guarded", Writing(for_spreadsheets=True))):
            form.write(dataset, tmp_path / name, writing)
        plain, guarded = ((tmp_path / name).read_bytes() for name in ("plain", "guarded"))
        assert (plain != guarded) == form.guards, key


@pytest.mark.parametrize("payload", PAYLOADS[::3])
def test_the_lossless_export_keeps_every_text(tmp_path: Path, payload: str) -> None:
    FORMATS["csv"].write(everywhere(payload), tmp_path / "a.csv")
    found = FORMATS["csv"].read(tmp_path / "a.csv")
    assert list(found.queries) == list(everywhere(payload).queries)
    assert list(found.documents) == list(everywhere(payload).documents)
    assert list(found.gold) == list(everywhere(payload).gold)


BREAKS = ("", "</td>", '">', "'>", "</style>", "</script>", "</title>", "-->", "]]>", "</text></svg>")
ACTS = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)>",
    "<a href=javascript:alert(1)>x</a>",
    '" onmouseover="alert(1)',
    "{{ ''.__class__ }}<iframe src=//evil></iframe>",
)
SCRIPTS = [before + act for before, act in product(BREAKS, ACTS)]


class Structure(HTMLParser):
    """Reads a page as a browser does: what its elements and their attributes are, not what the texts say."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, ...]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, *sorted(name for name, _ in attrs)))

    def handle_endtag(self, tag: str) -> None:
        self.found.append((f"/{tag}",))


def page_with(text: str, figure: bool = False) -> str:
    """Return the page of a report with a text in every field that takes one."""
    columns = (Column(text, "text", note=text, key=text), Column("n", "count"))
    rows = [(text, 1), ("plain", 2)]
    table = Table.of_rows("t", text, columns, rows, caption=text, marks={(0, 1): text})
    figures = ()
    if figure:
        drawn = Subject(grade_counts={text: [1, 2, 3, 4, 5, 6]})
        figures = (Figure("f", text, lambda theme: grade_distribution(drawn, theme), text),)
    formulas = ((text, "x"),) if figure else ()
    section = Section("s", text, (text,), (table,), figures, command=text, formulas=formulas)
    return html.write(Report(text, text, (section,)))


def becomes_active(text: str) -> bool:
    """Tell whether a text changes the structure of the page that shows it."""
    return Structure(page_with(text)).found != Structure(page_with("x" * len(text))).found


@pytest.mark.parametrize("payload", SCRIPTS)
def test_no_text_of_a_report_becomes_an_element_or_an_attribute(payload: str) -> None:
    assert not becomes_active(payload)


def test_nor_do_the_words_in_a_figure() -> None:
    payload = "".join(ACTS[:4])
    assert "<script>alert" not in page_with(payload, figure=True)
    assert {tag for tag, *_ in Structure(page_with(payload, figure=True)).found} == {
        tag for tag, *_ in Structure(page_with("harmless", figure=True)).found
    }


def test_control_without_escaping_they_would(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html, "Environment", lambda **named: Environment(**{**named, "autoescape": False}))
    apart = [one for one in SCRIPTS if becomes_active(one)]
    assert len(apart) > len(SCRIPTS) / 2
