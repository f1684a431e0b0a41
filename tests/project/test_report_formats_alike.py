"""One report held against itself: every table's cells say the same in every format."""

import csv
import io
import json
import math
import re
from collections.abc import Iterator
from decimal import Decimal
from html.parser import HTMLParser
from typing import Any

import pytest

from annotator.evaluation.options import ComparisonChoice, Options
from annotator.project import samples
from annotator.project.project import Project
from annotator.project.report_files import FORMATS, Choice
from annotator.project.report_material import gathered
from annotator.project.state import state_of
from annotator.reports.latex import SPECIAL
from annotator.reports.report_formats import asked
from annotator.reports.sections import Material

Rows = list[list[str]]
SIGNS = "†‡*✓"
ASKED = {
    "site-search": [
        (Options(measures=("nDCG@10", "P(rel=2)@5", "RR", "NumRel")), ComparisonChoice()),
        (Options(measures=("DCG@10", "AP"), rel=2, judged_only=True), ComparisonChoice("hybrid", "sign")),
        (Options(measures=("nDCG@10",), tags=("information",)), ComparisonChoice(test="tukey", alpha=0.2)),
    ],
    "superhero-qa": [(Options(measures=("cQA@2", "EM", "TokenF1")), ComparisonChoice(test="t"))],
}
CASES = [(sample, *one) for sample, some in ASKED.items() for one in some]


class Page(HTMLParser):
    """The tables of a page: heading, column titles, rows of (text, sign, interval below), captions."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tables: list[tuple[str, list[str], list[list[tuple[str, str, str]]]]] = []
        self._into: str = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._into = tag if tag in ("h3", "button", "td", "sup", "small") else self._into
        if tag == "h3":
            self.tables.append(("", [], []))
        elif tag == "button" and self.tables:
            self.tables[-1][1].append("")
        elif tag == "tr" and self.tables:
            self.tables[-1][2].append([])
        elif tag == "td":
            self.tables[-1][2][-1].append(("", "", ""))

    def handle_endtag(self, tag: str) -> None:
        if tag in ("h3", "button", "td", "sup", "small"):
            self._into = ""

    def handle_data(self, data: str) -> None:
        if self._into == "h3":
            head, columns, rows = self.tables[-1]
            self.tables[-1] = (head + data, columns, rows)
        elif self._into == "button":
            self.tables[-1][1][-1] += data
        elif self._into in ("td", "sup", "small"):
            cells = self.tables[-1][2][-1]
            text = list(cells[-1])
            text[("td", "sup", "small").index(self._into)] += data
            cells[-1] = (text[0], text[1], text[2])


def of_page(text: str) -> Iterator[tuple[str, list[str], list[list[tuple[str, str, str]]]]]:
    """Yield the tables of a page that hold something: heading, column titles, cells."""
    for head, columns, rows in Page(text).tables:
        if columns:
            yield head, columns, [row for row in rows if row]


def of_markdown(text: str) -> Iterator[tuple[str, Rows]]:
    """Yield each table's heading and its rows, column titles first, best values without their stars."""
    head, rows = "", Rows()
    for line in [*text.splitlines(), ""]:
        if line.startswith("| "):
            cells = re.split(r"(?<!\\) \| ", line[2:-2])
            rows.append([re.sub(r"\\(.)", r"\1", re.sub(r"^\*\*(.*)\*\*", r"\1", cell)) for cell in cells])
        elif rows:
            if len(rows) > 2:
                yield head, [rows[0], *rows[2:]]
            rows = []
        elif line.startswith("**"):
            head = re.sub(r"\\(.)", r"\1", line.strip("*"))


def of_latex(text: str) -> Iterator[tuple[str, Rows]]:
    """Yield the label of each float and its rows, column titles first, in plain letters."""
    for float_ in text.split(r"\begin{table")[1:]:
        (label,) = re.findall(r"\\label\{tab:(.*?)\}", float_)
        body = float_.split(r"\toprule")[1].split(r"\bottomrule")[0]
        lines = [line.strip() for line in body.replace(r"\midrule", "").split(r"\tabularnewline")]
        yield (
            label,
            [[letters(cell.strip()) for cell in re.split(r"(?<!\\)&", line)] for line in lines if line],
        )


def letters(cell: str) -> str:
    """Return what TeX sets of a cell."""
    for command in (r"\raggedright ", r"\allowbreak "):
        cell = cell.replace(command, "")
    cell = re.sub(r"\\shortstack\[r\]\{(.*)\}$", lambda one: one[1].replace(r"\\", " "), cell)
    cell = re.sub(r"\\textbf\{(.*?)\}(?=\$|$|\{\*)", r"\1", cell)
    cell = cell.replace("$-$", "-")
    for letter, code in sorted(
        ((chr(at), code) for at, code in SPECIAL.items()), key=lambda one: -len(one[1])
    ):
        cell = cell.replace(code, letter)
    return cell


def said_by_json(table: dict[str, Any]) -> dict[tuple[int, int], str]:
    return {(one["row"], one["column"]): one["sign"] for one in table["marks"]}


def reads_as(text: str, kind: str, value: Any) -> bool:
    """Say whether what people read is what programs get, rounded and with its own sign."""
    if value is None:
        return text in ("–", "∞", "−∞")
    if isinstance(value, str):
        return " ".join(text.split()) == " ".join(value.split())
    if text.startswith("< "):
        return kind == "p" and 0 <= value < float(text[2:])
    if kind == "share":
        text, value = text.removesuffix(" %"), 100 * value
    digits = len(text.partition(".")[2])
    near = abs(Decimal(text) - Decimal(value)) <= Decimal("0.5000001") * Decimal(10) ** -digits
    return near and (float(text) == 0 or (float(text) < 0) == (value < 0)) and text not in ("-0", "-0.0")


@pytest.fixture(scope="module", params=CASES, ids=[f"{at}-{case[0]}" for at, case in enumerate(CASES)])
def written(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Material, Choice]:
    sample, options, comparison = request.param
    path = samples.copied(sample, tmp_path_factory.mktemp("alike") / "s.annot")
    choice = Choice("json", comparison=comparison, figures=())
    with Project.open(path, read_only=True) as project:
        return gathered(state_of(project), options, choice), choice


def test_every_cell_says_the_same_in_every_format(written: tuple[Material, Choice]) -> None:
    material, choice = written
    page, markdown, latex, value = (
        FORMATS[key].write(material, choice) for key in ("html", "markdown", "latex", "json")
    )
    shown = [table for section in asked(material, choice).sections for table in section.tables if len(table)]
    exact = {table["key"]: table for section in json.loads(value)["sections"] for table in section["tables"]}
    pages, marked, set_ = list(of_page(page)), list(of_markdown(markdown)), list(of_latex(latex))
    compared = 0
    for table in shown:
        titles = [column.title for column in table.columns]
        own = taken(pages, table.title)
        cells = merged([rows for _, _, rows in own])
        assert merged([[columns] for _, columns, _ in own]) == [titles]
        texts = merged([rows for _, rows in taken(marked, table.title)])
        assert texts[0] == [" ".join(title.split()) for title in titles]
        programs = exact[table.key]
        as_shown = [one["key"] for one in programs["columns"]] == [one.name for one in table.columns]
        signs = said_by_json(programs) if as_shown else table.marks
        for row, line in enumerate(cells):
            for at, (text, sign, below) in enumerate(line):
                place, column = (row, at), table.columns[at]
                assert texts[1 + row][at] == " ".join(text.split()) + sign, (table.key, place)
                assert sign == signs.get(place, ""), (table.key, place)
                number = programs["rows"][row][at] if as_shown else table.rows[row][at]
                number = None if isinstance(number, float) and not math.isfinite(number) else number
                assert reads_as(text, column.kind, number), (table.key, place, text, number)
                ends = re.fullmatch(r"(\S+) to (\S+)", below)
                assert (ends is not None) == (place in table.intervals)
                if ends is not None:
                    for end, exactly in zip(ends.groups(), table.intervals[place], strict=True):
                        assert reads_as(end, column.kind, exactly if math.isfinite(exactly) else None)
                compared += 1
        check_latex(table.key, texts, titles, set_)
        check_csv(material, table.key, programs, as_shown)
    assert compared > 300


def taken(parts: list[Any], title: str) -> list[Any]:
    """Take the parts that a table is shown in off the beginning of a list."""
    found = []
    for part in parts:
        if part[0] != title and not re.fullmatch(rf"{re.escape(title)} \(\d+ of \d+\)", part[0]):
            break
        found.append(part)
        if part[0] == title or re.search(r"\((\d+) of \1\)$", part[0]):
            break
    assert found, (title, [part[0] for part in parts[:2]])
    del parts[: len(found)]
    return found


def merged(parts: list[list[list[Any]]]) -> list[list[Any]]:
    """Return the rows of a table that is shown in parts, the first column in each."""
    first, *rest = parts
    for part in rest:
        assert [row[0] for row in part] == [row[0] for row in first]
    return [sum((part[at][1:] for part in rest), list(row)) for at, row in enumerate(first)]


def check_latex(key: str, texts: Rows, titles: list[str], floats: list[tuple[str, Rows]]) -> None:
    """Hold the floats of a table against its rows: each shows some columns of some rows in their order."""
    own = []
    while floats and re.fullmatch(rf"{re.escape(key)}(-\d+)?", floats[0][0]):
        if own and floats[0][0] == key:
            break
        own.append(floats.pop(0)[1])
    assert own, key
    head, *wanted = ([cell.replace(" ", "") for cell in line] for line in [titles, *texts[1:]])
    seen: set[tuple[int, int]] = set()
    row = 0
    for part in own:
        columns, *rows = ([cell.replace(" ", "") for cell in line] for line in part)
        places = columns_at(columns, head)
        if row == len(wanted) or rows[0] != [wanted[row][at] for at in places]:
            row = 0
        for cells in rows:
            assert cells == [wanted[row][at] for at in places], (key, row)
            seen.update((row, at) for at in places)
            row += 1
    assert len(seen) == (len(texts) - 1) * len(titles), "every cell is in some float"


def columns_at(head: list[str], titles: list[str]) -> list[int]:
    """Return which columns a float shows: the first so many, then some that follow each other."""
    for names in range(len(head) + 1):
        for start in range(names, len(titles) + 1):
            places = [*range(names), *range(start, start + len(head) - names)]
            if [titles[at] for at in places if at < len(titles)] == head:
                return places
    raise AssertionError((head, titles))


def check_csv(material: Material, key: str, programs: dict[str, Any], as_shown: bool) -> None:
    """Hold a CSV against JSON: the same names, the same texts, numbers that read back to the same double."""
    if not as_shown:
        return
    text = FORMATS["csv"].write(material, Choice("csv", table=key))
    head, *rows = csv.reader(io.StringIO(text))
    assert head == [column["key"] for column in programs["columns"]]
    for cells, values in zip(rows, programs["rows"], strict=True):
        for cell, value in zip(cells, values, strict=True):
            if value is None:
                assert cell in ("", "inf", "-inf")
            else:
                assert cell == value if isinstance(value, str) else float(cell) == value
