"""The named colours and sizes, light and dark: plain values that feed every painter, sheet and figure."""

from typing import NamedTuple

FONT = "Hanken Grotesk"
FONT_PIXELS = 13


class Theme(NamedTuple):
    """One look. Colours are `#rrggbb`; every text colour reads at 4.5:1 on what it may stand on.

    `background` lies under everything, `panel` under lists and side panels, `raised` under cards and fields.
    `soft` marks what is selected or highlighted, `on_accent` is text on `accent`. `grades[g]` fills the
    button of grade g and carries `on_grade`; the six stay apart for colour-blind eyes and always carry the
    digit too. `series` are the colours of systems in figures, in order, apart for colour-blind eyes as well.
    """

    name: str
    background: str
    panel: str
    raised: str
    line: str
    text: str
    muted: str
    accent: str
    soft: str
    on_accent: str
    danger: str
    grades: tuple[str, str, str, str, str, str]
    on_grade: str
    series: tuple[str, ...]

    @property
    def dark(self) -> bool:
        """True when light text stands on dark ground."""
        return self.name == "dark"


LIGHT = Theme(
    name="light",
    background="#f3f4f6",
    panel="#ffffff",
    raised="#ffffff",
    line="#dfe2e8",
    text="#1a1d23",
    muted="#5b6270",
    accent="#2f5fd0",
    soft="#e6edfb",
    on_accent="#ffffff",
    danger="#b3261e",
    grades=("#637281", "#7a1743", "#85451c", "#7c7428", "#1f825a", "#1b4b7c"),
    on_grade="#ffffff",
    series=("#2f5fd0", "#d3671a", "#1f8744", "#5f0f38", "#768c99", "#514321", "#0a5a6b", "#56438b"),
)

DARK = Theme(
    name="dark",
    background="#15171c",
    panel="#1b1e26",
    raised="#22262f",
    line="#343a46",
    text="#e8eaf0",
    muted="#a5acba",
    accent="#7aa2ff",
    soft="#2a3450",
    on_accent="#12151c",
    danger="#ff9b93",
    grades=("#868ba3", "#dd6f88", "#ee6a3e", "#b4c832", "#3fe27c", "#3fb2e8"),
    on_grade="#14171c",
    series=("#7aa2ff", "#f1591f", "#41c763", "#d26578", "#9ba6b6", "#c7cd50", "#33f2e6", "#d4a8ed"),
)

THEMES = {"light": LIGHT, "dark": DARK}

STEPS = (8, 12, 16, 24)
"""The spaces between things, in pixels: hair, small, normal, wide."""

RADIUS = 8
"""Corners of cards and fields, in pixels."""
