"""Figures as files for a paper: as wide as one column or two, in small letters, the same bytes every time."""

import io
import textwrap
from collections.abc import Callable

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.patches import StepPatch
from matplotlib.text import Text

from annotator.evaluation.options import Width
from annotator.figures.sheet import DRAWING, Drawn, legend_above, short
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
CHARACTERS = 72 / LETTERS / 0.6
"""So many letters stand on an inch."""


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
        _break_names(axes)
    for one in figure.legends:
        _fit(one, figure)
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


def _break_names(axes: Axes) -> None:
    """Break the names of axes that are longer than the figure."""
    figure = axes.get_figure(root=True)
    assert figure is not None
    wide, high = figure.get_size_inches()
    for name, inches in ((axes.xaxis.label, wide * 0.8), (axes.yaxis.label, high * 0.8)):
        name.set_text(textwrap.fill(name.get_text(), max(int(inches * CHARACTERS), 12)))


def _fit(told: Legend, figure: Figure) -> None:
    """Give a legend above the axes so few columns that it is not wider than the figure."""
    longest = int((figure.get_size_inches()[0] - 0.6) * CHARACTERS)
    names = [short(text.get_text(), longest) for text in told.get_texts()]
    handles = [one for one in told.legend_handles if one is not None]
    told.remove()
    for columns in range(min(len(names), 4), 0, -1):
        made = legend_above(figure, columns, LETTERS, handles, names)
        for text, before in zip(made.get_texts(), told.get_texts(), strict=True):
            text.set(color=before.get_color(), fontfamily=before.get_fontfamily())
        figure.draw_without_rendering()
        if columns == 1 or made.get_window_extent().width <= figure.bbox.width:
            return
        made.remove()
