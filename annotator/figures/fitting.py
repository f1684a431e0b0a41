"""What stands around the axes of a figure in the room that the figure has."""

import textwrap
from typing import Any

from matplotlib.axis import YAxis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.text import Text

from annotator.figures.sheet import has_names, legend_above, short

ROOM, BESIDE = 0.8, 0.4
"""So much of the figure the name of an axis takes at most, and what stands at its left side."""

FEWEST = 12
"""So many letters of a name stand on a line at least."""


def fit(figure: Figure) -> None:
    """Break the names of axes that are longer than the figure, and give its legends fewer columns."""
    renderer = FigureCanvasAgg(figure).get_renderer()  # type: ignore[no-untyped-call]
    wide, high = figure.bbox.width, figure.bbox.height
    for axes in figure.axes:
        beside = _shorten(axes.yaxis, BESIDE * wide, renderer) / wide
        across = min(ROOM, 0.95 - beside)  # centred below the axes
        _break(axes.xaxis.label, axes.xaxis.label.get_window_extent(renderer).width / (across * wide))
        _break(axes.yaxis.label, axes.yaxis.label.get_window_extent(renderer).height / (ROOM * high))
    for one in figure.legends:
        _narrow(one, figure, renderer)


def _shorten(axis: YAxis, room: float, renderer: Any) -> float:
    """Shorten the names at an axis to the room, and return how wide they are."""
    words = [one.get_text() for one in axis.get_ticklabels()]
    wide = _widest(axis, renderer)
    if wide > room and has_names(axis):
        axis.set_ticklabels([short(one, int(max(map(len, words)) * room / wide)) for one in words])
        wide = _widest(axis, renderer)
    return wide


def _widest(axis: YAxis, renderer: Any) -> float:
    """Return how many pixels the widest name or number at an axis takes."""
    labels = [one for one in axis.get_ticklabels() if one.get_visible() and one.get_text()]
    return max((one.get_window_extent(renderer).width for one in labels), default=0.0)


def _break(name: Text, too_long: float) -> None:
    """Break a name into lines that are so many times shorter."""
    if too_long > 1:
        lines = name.get_text().split("\n")
        letters = max(int(max(map(len, lines)) / too_long), FEWEST)
        name.set_text("\n".join(textwrap.fill(line, letters) for line in lines))


def _narrow(told: Legend, figure: Figure, renderer: Any) -> None:
    """Give a legend so few columns, and names so short, that it is not wider than the figure."""
    handles = [one for one in told.legend_handles if one is not None]
    before = told.get_texts()
    names, size, made = [one.get_text() for one in before], float(before[0].get_fontsize()), told
    longest, columns = max(map(len, names)), min(len(names), 4)
    room = figure.bbox.width - size * figure.dpi / 72  # half a letter stands free at either side
    while (wide := made.get_window_extent(renderer).width) > room and longest > 1:
        if columns > 1:
            columns -= 1
        else:
            longest = min(int(longest * room / wide), longest - 1)
        made.remove()
        made = legend_above(figure, columns, size, handles, [short(one, longest) for one in names])
        for text, one in zip(made.get_texts(), before, strict=True):
            text.set(color=one.get_color(), fontfamily=one.get_fontfamily())
