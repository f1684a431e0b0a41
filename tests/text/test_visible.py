"""What acts without being seen is a mark; everything else is untouched."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from annotator.text.visible import visible

LEFT_ALONE = "\t\n"
OVERRIDES = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


@given(st.text(st.characters(), max_size=30))
def test_no_control_and_no_override_is_left_and_nothing_else_changes(text: str) -> None:
    shown = visible(text)
    for char in shown:
        assert char in LEFT_ALONE or unicodedata.category(char) not in ("Cc", "Cs", "Zl", "Zp")
        assert unicodedata.bidirectional(char) not in OVERRIDES
    assert visible(shown) == shown
    if text.isprintable():
        assert shown == text


def test_scripts_that_join_letters_keep_what_joins_them() -> None:
    text = "می\u200cخواهم 👩\u200d🚀 שלום\u200f"
    assert visible(text) == text
