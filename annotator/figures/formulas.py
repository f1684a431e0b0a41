"""Measure formulas as drawn paths: TeX in, no network and no script needed to show it."""

import re
from functools import cache
from html import escape

from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.textpath import TextPath

from annotator.figures.sheet import DRAWING, FALLBACK_FONT

SIZE = 18.0
"""Letters, in points."""

SYNONYMS = {r"\ge": r"\geq", r"\le": r"\leq", r"\ne": r"\neq", r"\Bigl": r"\left", r"\Bigr": r"\right"}
"""What TeX writes that the drawing library knows by another name only."""


@cache
def formula_path(tex: str) -> Path:
    """Return the outline of a formula, its baseline at y = 0, y upwards, in points.

    Raises ValueError when the formula is not in the part of TeX that is understood.
    """
    understood = re.sub(r"\\[A-Za-z]+", lambda name: SYNONYMS.get(name[0], name[0]), tex)
    with DRAWING:
        return TextPath(
            (0, 0),
            f"${understood}$",
            size=SIZE,
            prop=FontProperties(family=FALLBACK_FONT, math_fontfamily="dejavuserif"),
        )


def formula_svg(tex: str) -> str:
    """Return a formula as an inline `<svg>` in the colour of the text around it; its label is the TeX."""
    path = formula_path(tex)
    box = path.get_extents()
    left, bottom, right, top = box.x0 - 1, box.y0 - 1, box.x1 + 1, box.y1 + 1
    return (
        f'<svg role="img" aria-label="{escape(tex, quote=True)}" width="{right - left:.0f}" '
        f'height="{top - bottom:.0f}" viewBox="{left:.2f} {-top:.2f} {right - left:.2f} {top - bottom:.2f}">'
        f'<path d="{path_data(path)}"/></svg>'
    )


def path_data(path: Path) -> str:
    """Return a path in SVG's letters, y downwards, two decimals."""
    letters = {Path.MOVETO: "M", Path.LINETO: "L", Path.CURVE3: "Q", Path.CURVE4: "C"}
    parts = []
    for points, code in path.iter_segments(simplify=False):
        if code == Path.CLOSEPOLY:
            parts.append("Z")
            continue
        pairs = points.reshape(-1, 2)
        parts.append(letters[code] + " ".join(f"{x:.2f} {-y:.2f}" for x, y in pairs))
    return "".join(parts)
