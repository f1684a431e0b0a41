"""What stands around the axes of a figure in the room that the figure has."""

import textwrap
from typing import Any

from matplotlib.axis import YAxis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.text import Text
from matplotlib.ticker import ScalarFormatter
from matplotlib.transforms import Bbox

from annotator.figures.sheet import has_names, legend_above, shortened

ROOM, BESIDE = 0.8, 0.4
"""So much of the figure the name of an axis takes at most, and what stands at its left side."""

HIGHEST, LINE = 0.45, 1.6
"""So much of a figure its legend takes at most, and how far apart its lines are, in letters."""

BELOW = 3
"""So high, in letters, is what stands below axes: numbers, and one line of a name."""

SHORTEST = 4
"""A name is never cut to fewer letters."""

APART = 0.5
"""So far apart, in letters, numbers stand at least."""

FEWEST = 12
"""So many letters of a name stand on a line at least."""


def fit(figure: Figure) -> None:
    """Break the names of axes that are longer than the figure, give legends fewer columns, thin numbers."""
    renderer = FigureCanvasAgg(figure).get_renderer()  # type: ignore[no-untyped-call]
    for one in [*figure.legends]:
        _narrow(one, figure, renderer)
    above = sum(one.get_window_extent(renderer).height for one in figure.legends)
    wide, high = figure.bbox.width, figure.bbox.height - above
    taken: list[float] = []
    for axes in figure.axes:
        side, place = axes.yaxis.label, axes.get_subplotspec()
        beside = _shorten(axes.yaxis, BESIDE * wide, renderer)
        under = BELOW * float(side.get_fontsize()) * figure.dpi / 72
        room = high / (place.get_gridspec().nrows if place else 1) - under
        _break(side, side.get_window_extent(renderer).height / max(min(room, ROOM * high), 1))
        taken.append(beside + side.get_window_extent(renderer).width * bool(side.get_text()))
    for axes, beside in zip(figure.axes, taken, strict=True):
        below, place = axes.xaxis.label, axes.get_subplotspec()
        columns = place.get_gridspec().ncols if place else 1
        beside = beside if columns == 1 else max(taken)  # those of one row share what is left
        across = max(min(ROOM, 0.9 - beside / wide), 0.1) / columns  # as it is centred below the axes
        _break(below, below.get_window_extent(renderer).width / (across * wide))
    _thin_numbers(figure, renderer)


def _thin_numbers(figure: Figure, renderer: Any) -> None:
    """Leave out numbers below axes that would be cut off or run into another one, and let the rest stand.

    Left to themselves axes take other numbers once the layout has moved them, for which it left no room.
    """
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)
    taken: list[Bbox] = []
    for axes in figure.axes:
        numbers, free = [], dict[float, str]()
        low, high = sorted(axes.get_xlim())
        for tick in axes.xaxis.get_major_ticks():
            box = tick.label1.get_window_extent(renderer)
            if low <= tick.get_loc() <= high and tick.label1.get_visible() and box.width:
                numbers.append(tick.get_loc())
                apart = APART * float(tick.label1.get_fontsize()) * figure.dpi / 72
                wider = Bbox.from_extents(box.x0 - apart, box.y0, box.x1 + apart, box.y1)
                if box.x0 >= 0 and box.x1 <= figure.bbox.width and not any(map(wider.overlaps, taken)):
                    taken.append(box)
                    free[tick.get_loc()] = tick.label1.get_text()
        if isinstance(axes.xaxis.get_major_formatter(), ScalarFormatter):
            axes.set_xticks([*free])
        elif axes.get_xscale() == "log" and len(free) < len(numbers):
            axes.set_xticks([*free], [*free.values()])


def _shorten(axis: YAxis, room: float, renderer: Any) -> float:
    """Shorten the names at an axis to the room, and return how wide they are."""
    words = [one.get_text() for one in axis.get_ticklabels()]
    wide = _widest(axis, renderer)
    if wide > room and has_names(axis):
        axis.set_ticklabels(shortened(words, int(max(map(len, words)) * room / wide)))
        wide = _widest(axis, renderer)
    return wide


def _widest(axis: YAxis, renderer: Any) -> float:
    """Return how many pixels the widest name or number at an axis takes."""
    labels = [one for one in axis.get_ticklabels() if one.get_visible() and one.get_text()]
    return max((one.get_window_extent(renderer).width for one in labels), default=0.0)


def _break(name: Text, too_long: float) -> None:
    """Break a name into lines that are so many times shorter; at hyphens only where a word is too long."""
    if too_long > 1:
        lines = name.get_text().split("\n")
        letters = max(int(max(map(len, lines)) / too_long), FEWEST)
        hyphens = max(map(len, name.get_text().split())) > letters
        name.set_text("\n".join(textwrap.fill(line, letters, break_on_hyphens=hyphens) for line in lines))


def _narrow(told: Legend, figure: Figure, renderer: Any) -> None:
    """Give a legend so few columns, and names so short, that the figure has room for it and for the axes."""
    names, size = [one.get_text() for one in told.get_texts()], float(told.get_texts()[0].get_fontsize())
    made = told
    letter = size * figure.dpi / 72
    room = figure.bbox.width - letter  # half a letter stands free at either side
    lines = max(int(HIGHEST * figure.bbox.height / (LINE * letter)), 1)
    fewest = -(-len(names) // lines)
    longest, columns = max(map(len, names)), max(min(len(names), 4), fewest)
    if columns > 4:
        made.remove()
        made = _again(figure, told, columns, longest)
    while (wide := made.get_window_extent(renderer).width) > room and (columns > 1 or longest > SHORTEST):
        if columns > fewest or longest <= SHORTEST:
            columns -= 1
        else:
            longest = max(min(int(longest * room / wide), longest - 1), SHORTEST)
        made.remove()
        made = _again(figure, told, columns, longest)


def _again(figure: Figure, told: Legend, columns: int, longest: int) -> Legend:
    """Tell a legend again in so many columns, with names of so many letters."""
    handles = [one for one in told.legend_handles if one is not None]
    before = told.get_texts()
    names = shortened([one.get_text() for one in before], longest)
    made = legend_above(figure, columns, float(before[0].get_fontsize()), handles, names)
    for text, one in zip(made.get_texts(), before, strict=True):
        text.set(color=one.get_color(), fontfamily=one.get_fontfamily(), parse_math=one.get_parse_math())
    return made
