"""The HTML file: self-contained, valid, escaped, the same every time."""

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from annotator.evaluation.result_table import Table
from annotator.reports import html
from annotator.reports.report import Report, Section
from annotator.theme import DARK, LIGHT

VOID = {"meta", "br", "img", "input", "link", "hr"}


class Page(HTMLParser):
    """Reads a page strictly: every element is closed in order, every id is there once."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.references: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.elements: list[str] = []
        self.scripts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"<{tag}> has an attribute twice"
        for name, value in attrs:
            self.attributes.append((tag, name, value or ""))
            if name == "id":
                self.ids.append(value or "")
            if name in ("href", "xlink:href"):
                self.references.append(value or "")
            self.references.extend(f"#{one}" for one in re.findall(r"url\(#([^)]+)\)", value or ""))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            self.scripts.append(data)


@pytest.fixture(scope="module")
def text(report: Report) -> str:
    return html.write(report)


@pytest.fixture(scope="module")
def page(text: str) -> Page:
    return Page(text)


def test_every_element_is_closed_and_every_id_is_there_once(page: Page) -> None:
    assert page.open == []
    assert len(page.ids) == len(set(page.ids))


def test_every_reference_stays_in_the_page_and_finds_its_target(page: Page) -> None:
    assert page.references
    assert {one.removeprefix("#") for one in page.references} <= set(page.ids)
    assert all(one.startswith("#") for one in page.references)


def test_nothing_is_loaded_from_anywhere(page: Page) -> None:
    assert not [one for one in page.attributes if one[1] in ("src", "srcset", "data", "action")]
    assert "link" not in page.elements


def test_the_only_script_is_ours_and_its_hash_stands_in_the_policy(page: Page, text: str) -> None:
    (script,) = page.scripts
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = next(value for tag, name, value in page.attributes if tag == "meta" and "default-src" in value)
    assert "default-src 'none'" in policy
    assert f"script-src 'sha256-{digest}'" in policy
    assert not [one for one in page.attributes if one[1].startswith("on")]


def test_a_text_with_markup_is_shown_and_not_run(text: str) -> None:
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text


def test_the_same_report_twice_is_the_same_file(report: Report, text: str) -> None:
    assert html.write(report) == text


def test_figures_take_their_colours_from_the_page(text: str) -> None:
    figures = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    assert len(figures) == 3, "two figures and a formula"
    assert "var(--grade-5)" in figures[0]
    assert not re.search(r"#fe[0-9a-f]{2}d7", text), "a colour of a figure has no variable"


def test_both_themes_are_in_the_file(text: str) -> None:
    assert f"--accent: {LIGHT.accent}" in text
    assert f"--accent: {DARK.accent}" in text
    assert "prefers-color-scheme: dark" in text


def test_a_sortable_number_carries_its_exact_value(text: str) -> None:
    assert 'data-v="0.51234567890123"' in text


def test_an_empty_table_says_so(text: str) -> None:
    assert "Nothing to show." in text


def test_letters_of_every_figure_have_the_same_size_on_a_page(text: str) -> None:
    sizes = re.findall(r'style="--wide: (\d+)px" .*?viewBox="0 0 ([\d.]+)', text)
    assert len(sizes) == 2
    assert {round(int(wide) / float(width), 2) for wide, width in sizes} == {1.5}


@pytest.mark.parametrize("rows", [150, 151, 1_407])
def test_of_a_long_table_the_first_rows_are_printed_and_it_says_so(table: Table, rows: int) -> None:
    long = replace(table, data=tuple([cells[0]] * rows for cells in table.data), marks={}, intervals={})
    page = html.write(Report("R", "", (Section("s", "S", tables=(long,)),)))
    assert page.count("<tr>") == rows + 1, "the file has all"
    words = f"Printed: the first 150 of {rows:,} rows, in this order. The file has all."
    assert (words in page) == ('<table class="long">' in page) == (rows > 150)
    rule = "table.long tbody tr:nth-child(n+151) { display: none; }"
    assert rule in page.replace("\n", " ").partition("@media print")[2]
