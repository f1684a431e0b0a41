"""Names that formulas, markup, terminals and spreadsheets would act on, and how that is seen."""

import unicodedata

from hypothesis import strategies as st

WORST = "cost_$5_to_$10_{x"
"""Two dollars, which make a formula, and one that is broken."""

SIGNS = tuple("$_{}^\\%&#~|`*[=-@'\",;aé漢😀\u202e\u2066\u200b")
SIGNS += ("$$", "\\frac", "<b>", "]]>", "](x)", "+1", "[/red]", " b", "x1")
ACTING = ("\x1b[2J", "\x07", "\x00", "\x9b", "\r", "\t", "\n", "\u2028")
OVERRIDES = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
UNSEEN = ("Cc", "Cs", "Zl", "Zp")

ENDLESS = (
    "W" * 10_000,
    "\n" * 50,
    "a" + "\u0301" * 400,
    "\ud800",
    "",
    "漢" * 3_000,
    "\ue000",
    "two words " * 500,
)
"""What is longer, or higher, than its place, or no text at all."""

names = st.lists(st.sampled_from((*SIGNS, *ACTING)), min_size=1, max_size=6).map("".join)
ids = st.lists(st.sampled_from(SIGNS), min_size=1, max_size=6).map("".join).map(str.strip).filter(None)
"""Such names as an import takes."""


def acts(text: str) -> list[str]:
    """Return the characters of a text, but tabs and line feeds, that a terminal or a page acts on."""
    text = text.replace("\n", "").replace("\t", "")
    return [
        one
        for one in text
        if unicodedata.category(one) in UNSEEN or unicodedata.bidirectional(one) in OVERRIDES
    ]
