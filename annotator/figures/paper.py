"""Figures as files for a paper: as wide as one column or two, in small letters, the same bytes every time."""

import io
from collections.abc import Callable

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import StepPatch
from matplotlib.text import Text

from annotator.evaluation.options import Width
from annotator.figures.fitting import fit
from annotator.figures.sheet import DRAWING, Drawn
from annotator.theme import LIGHT, Theme

INCHES: dict[Width, float] = {"one": 3.3, "two": 7.0}
"""A column and the text of the usual two-column papers (`acmart` sigconf has 3.34 and 7.01 inches)."""

LETTERS = 7.0
DOTS = 300
ENDINGS = {"pdf": "PDF", "svg": "SVG", "png": "PNG"}
"""The files that hold a figure alone, with what each is called."""

AROUND = 1.0
"""So many inches of a figure's height are names of axes and legend, which shrink with the letters alone."""

SMALLER = LETTERS / 9
PAPER = LIGHT._replace(name="paper")


def figure_file(draw: Callable[[Theme], Drawn], ending: str, width: Width = "one") -> bytes:
    """Return a figure as a PDF, SVG or PNG file.

    The PDF holds its fonts as TrueType, for publishers refuse Type 3; the SVG keeps text as text; the PNG has
    300 dots per inch. No file holds a date.
    """
    dates = {"pdf": {"CreationDate": None}, "svg": {"Date": None}}
    out = io.BytesIO()
    with DRAWING, rc_context({"pdf.fonttype": 42}):
        figure = on_paper(draw, width)
        figure.savefig(out, format=ending, metadata=dates.get(ending), dpi=DOTS)
    return out.getvalue()


def on_paper(draw: Callable[[Theme], Drawn], width: Width) -> Figure:
    """Draw a figure in the width of a column or of two."""
    figure = draw(PAPER).figure
    FigureCanvasAgg(figure)
    wide, high = figure.get_size_inches()
    share = min(INCHES[width] / wide, 1.0)
    figure.set_size_inches(INCHES[width], (high - AROUND) * share + AROUND * SMALLER)
    for text in figure.findobj(Text):
        assert isinstance(text, Text)
        text.set_fontsize(LETTERS)
    for axes in figure.axes:
        _thin(axes)
    fit(figure)
    return figure


def _thin(axes: Axes) -> None:
    """Make lines, marks and points as much smaller as the letters."""
    for one in axes.findobj(lambda part: isinstance(part, Line2D | StepPatch)):
        assert isinstance(one, Line2D | StepPatch)
        one.set_linewidth(one.get_linewidth() * SMALLER)
        if isinstance(one, Line2D):
            one.set_markersize(one.get_markersize() * SMALLER)
    for points in axes.collections:
        if isinstance(points, PathCollection):
            points.set_sizes(points.get_sizes() * SMALLER**2)
    axes.tick_params(pad=3, labelsize=LETTERS)
