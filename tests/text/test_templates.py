"""Fields of a document in one line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.text.templates import SEPARATOR, filled

LINE = "{title} — {date} · {url}"
SHOP = "Price: {price} €, by {brand} ({country})"


@pytest.mark.parametrize(
    ("template", "fields", "expected"),
    [
        (LINE, {"title": "Bins", "date": "2024", "url": "b.example"}, "Bins — 2024 · b.example"),
        (LINE, {"title": "Bins", "url": "b.example"}, "Bins · b.example"),
        (LINE, {"date": "2024", "url": "b.example"}, "2024 · b.example"),
        (LINE, {"title": "Bins"}, "Bins"),
        (LINE, {"title": "", "date": None, "url": " "}, ""),
        (LINE, {}, ""),
        (SHOP, {"price": 3.5, "brand": "Ada", "country": "UK"}, "Price: 3.5 €, by Ada (UK)"),
        (SHOP, {"price": 0, "brand": "Ada"}, "Price: 0 €, by Ada"),
        (SHOP, {"country": "UK"}, "by (UK)"),
        ("{tags}", {"tags": ["a", "b\nc", None]}, "a, b c"),
        ("{a}", {"a": "{b} <b>bold</b>", "b": "never"}, "{b} <b>bold</b>"),
        ("no field at all", {"a": 1}, "no field at all"),
    ],
)
def test_what_is_missing_leaves_no_gap(template: str, fields: dict[str, object], expected: str) -> None:
    assert filled(template, fields) == expected


@given(st.dictionaries(st.sampled_from(["title", "date", "url"]), st.sampled_from(["x", "", None, 0, []])))
def test_a_line_never_begins_or_ends_with_a_separator(fields: dict[str, object]) -> None:
    shown = filled(LINE, fields)
    assert len(SEPARATOR.split(f" {shown} ")[1::2]) == max(len(shown.split()[::2]) - 1, 0)
    assert not shown or (shown[0] in "x0" and shown[-1] in "x0")
