"""Figures for the report: SVG whose colours are the page's CSS variables, the same bytes every time."""

import io
import re
from collections.abc import Callable
from html import escape

from annotator.figures.fitting import fit
from annotator.figures.sheet import DRAWING, Drawn
from annotator.text.visible import visible
from annotator.theme import LIGHT, Theme


def _sentinels() -> tuple[Theme, dict[str, str]]:
    """Return a theme of colours that nothing else uses, and what each stands for."""
    names: dict[str, str] = {}

    def sentinel(name: str) -> str:
        colour = f"#fe{len(names):02x}d7"
        names[colour] = f"var(--{name.replace('_', '-')})"
        return colour

    plain = {
        name: sentinel(name)
        for name, value in LIGHT._asdict().items()
        if isinstance(value, str) and value.startswith("#")
    }
    zero, one, two, three, four, five = (sentinel(f"grade-{at}") for at in range(len(LIGHT.grades)))
    theme = LIGHT._replace(
        name="report",
        grades=(zero, one, two, three, four, five),
        series=tuple(sentinel(f"series-{at}") for at in range(len(LIGHT.series))),
        **plain,
    )
    return theme, names


REPORT, VARIABLES = _sentinels()
"""The theme that figures of a report are drawn with, and the CSS variable of each of its colours."""

HEAD = re.compile(r"^.*?(?=<svg)", re.DOTALL)
ASIDE = re.compile(r"\s*<metadata>.*?</metadata>|\s*<style.*?</style>", re.DOTALL)
SIZE = re.compile(r'(<svg\b[^>]*?)\s(?:width|height)="[^"]*pt"')
COLOUR = re.compile(r"#[0-9a-f]{6}\b")
WIDTH = re.compile(r'viewBox="0 0 ([\d.]+)')
LARGE = 1.5
"""How many pixels of a page a point of a figure may take: letters of 9 points read well then."""

IDENTITY = re.compile(r'(\bid="|href="#|url\(#)')


def figure_svg(draw: Callable[[Theme], Drawn], prefix: str, title: str) -> str:
    """Return a figure as an inline `<svg>` with a title for screen readers.

    Every id and every reference to one starts with `prefix`, so that many figures live in one page.
    """
    with DRAWING:
        text = ASIDE.sub("", HEAD.sub("", svg_text(draw(REPORT))))
    text = SIZE.sub(r"\1", SIZE.sub(r"\1", text))
    text = COLOUR.sub(lambda match: VARIABLES.get(match[0], match[0]), text)
    text = IDENTITY.sub(rf"\1{prefix}-", text)
    width = WIDTH.search(text)
    wide = f"--wide: {LARGE * float(width[1]):.0f}px" if width else ""
    label = f'<svg role="img" aria-label="{escape(visible(title), quote=True)}" style="{wide}"'
    return text.replace("<svg", label, 1).strip()


def svg_text(drawn: Drawn) -> str:
    """Return a figure as an SVG file's text, without a date, its legend and names in the room it has."""
    out = io.StringIO()
    fit(drawn.figure)
    drawn.figure.savefig(out, format="svg", metadata={"Date": None}, transparent=True)
    return out.getvalue()
