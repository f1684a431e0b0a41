"""What every figure is made with: a themed sheet to draw on, and the points that can be pointed at."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any
from unicodedata import combining

import matplotlib
import numpy as np
from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.text import Text
from matplotlib.ticker import FixedFormatter, FuncFormatter
from numpy.typing import ArrayLike, NDArray

from annotator.text.names import short, told_apart
from annotator.text.visible import visible
from annotator.theme import FONT, THEMES, Theme

matplotlib.rcParams["svg.hashsalt"] = "annotator"  # the same ids in the same figure, always
matplotlib.rcParams["svg.fonttype"] = "none"  # text stays text

DRAWING = threading.RLock()
"""Held while figures are drawn: the library's fonts and formulas are not made for several threads at once."""

FALLBACK_FONT = "DejaVu Sans"
LAST_RESORT = "Last Resort High-Efficiency"
"""Comes with the drawing library: a box for every letter."""

WIDE_FONTS = (
    *("Noto Sans CJK JP", "Noto Sans CJK SC", "Noto Sans CJK TC", "Noto Sans CJK KR", "Noto Sans JP"),
    *("Noto Sans SC", "Noto Sans TC", "Noto Sans KR", "Source Han Sans", "Source Han Sans SC"),
    *("PingFang SC", "PingFang TC", "Hiragino Sans", "Apple SD Gothic Neo", "Arial Unicode MS"),
    *("Microsoft YaHei", "Microsoft JhengHei", "Yu Gothic", "Meiryo", "Malgun Gothic", "SimSun", "SimHei"),
    *("WenQuanYi Zen Hei", "WenQuanYi Micro Hei", "Droid Sans Fallback", "IPAGothic", "TakaoGothic"),
    *("NanumGothic", "UnDotum", "Noto Sans Devanagari", "Nirmala UI", "Kohinoor Devanagari"),
    *("Noto Sans Thai", "Noto Sans Bengali", "Noto Sans Tamil", "Noto Naskh Arabic", "Segoe UI"),
)
"""Fonts with the letters of other scripts on the usual systems, as they are chosen where installed."""

MOST_LINES, MOST_LETTERS = 4, 200
"""So many lines a text of a figure takes, and so many letters a line: more than stand on the widest one."""

ROW_LEAST, PANEL_LEAST, AROUND = 0.18, 0.9, 0.9
"""So many inches a row with a name takes at least, a panel, and what stands around the axes."""

NO_LETTERS = "Boxes: letters that no font known here has"

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
LINES = ("-", "--", ":", "-.", (0, (5, 1)), (0, (1, 3)), (0, (7, 2, 2, 2)), (0, (3, 1, 1, 1, 1, 1)))
HATCHES = ("", "////", "....", "\\\\\\\\", "xx", "oo", "++", "**")
"""What tells bars apart without colour, as markers and kinds of line do for lines."""


@dataclass(frozen=True, slots=True, eq=False)
class Marks:
    """The points of a figure that show a value under the pointer: where they stand and what they say.

    `x` and `y` are in the axes' own units; `queries[i]` is the query that a click opens, "" for none.
    `boxes` are left, bottom, right, top of what belongs to each mark, such as its bar, float[n, 4]: inside of
    it the mark speaks; infinite sides are those of the axes.
    """

    axes: Axes
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    labels: Sequence[str]
    queries: Sequence[str] = ()
    boxes: NDArray[np.float64] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """A finished figure and its marks; lower than `least` inches its parts would lie over each other."""

    figure: Figure
    marks: tuple[Marks, ...] = ()
    least: float = 0.0


def sheet(theme: Theme, width: float = 7.2, height: float = 4.0) -> tuple[Figure, Axes]:
    """Return an empty figure of `width` x `height` inches with one pair of axes in the theme's look."""
    figure = Figure(figsize=(width, height), layout="constrained", facecolor=theme.panel)
    return figure, _in_the_themes_look(figure.add_subplot(), theme)


def panels(theme: Theme, count: int, across: int = 4, same_x: bool = True) -> tuple[Figure, list[Axes]]:
    """Return an empty figure with so many pairs of axes, of the same scales, up to `across` side by side."""
    across = min(across, count)
    down = -(-count // across)
    figure = Figure(figsize=(7.2, 1.0 + 1.3 * down), layout="constrained", facecolor=theme.panel)
    grid = figure.subplots(down, across, sharex=same_x, sharey=True, squeeze=False).ravel()
    for empty in grid[count:]:
        empty.set_axis_off()
    for above in grid[max(count - across, 0) : count]:  # the lowest of each column, also above an empty place
        above.tick_params(labelbottom=True)
    return figure, [_in_the_themes_look(axes, theme) for axes in grid[:count]]


def _in_the_themes_look(axes: Axes, theme: Theme) -> Axes:
    axes.set_facecolor(theme.panel)
    axes.set_axisbelow(True)
    axes.grid(axis="y", color=theme.line, linewidth=0.8)
    axes.tick_params(length=0, pad=6, labelsize=9, labelcolor=theme.muted)  # also of ticks still to come
    axes.tick_params(labelfontfamily=font_families(theme))
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(theme.line)
    return axes


def drawable(text: str) -> str:
    """Return a text as a figure has room for: what acts as marks, few lines, none endless or piled up."""
    lines = visible(text).replace("\t", " ").split("\n")
    lines = lines if len(lines) <= MOST_LINES else [*lines[: MOST_LINES - 1], "…"]
    lines = [short(one, MOST_LETTERS) for one in lines]
    return "\n".join(one if one.isascii() else _unpiled(one) for one in lines)


def _unpiled(line: str) -> str:
    """Return a line with at most three accents on each letter: more make it higher than the figure."""
    kept = [one for at, one in enumerate(line) if not all(map(combining, line[max(at - 3, 0) : at + 1]))]
    return "".join(kept)


def finished(figure: Figure, theme: Theme, *marks: Marks, least: float = 0.0) -> Drawn:
    """Give every text of a figure the theme's font and colour, and return it with its marks.

    A text that was given a colour of the theme's text, grades, series or accents keeps it.
    """
    keep = {
        theme.text,
        theme.on_grade,
        theme.on_accent,
        theme.accent,
        theme.danger,
        *theme.grades,
        *theme.series,
    }
    texts: list[Any] = figure.findobj(Text)
    families, lacking = fonts_for(visible("".join(one.get_text() for one in texts)), font_families(theme))
    for text in texts:
        text.set_fontfamily(families)
        if text.get_color() not in keep:
            text.set_color(theme.muted)
        if said := text.get_text():
            text.set_text(drawable(said))
            text.set_parse_math(False)  # two dollars in a name are no formula
    for axis in (axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)):
        names = [one.get_text() for one in axis.get_ticklabels()] if has_names(axis) else []
        if any(drawable(name) != name for name in names):
            axis.set_ticklabels([drawable(name) for name in names])
    for axes in figure.axes:
        axes.tick_params(labelfontfamily=families)
    if lacking:
        _say_below(figure, theme, families)
    return Drawn(figure, marks, least)


def _say_below(figure: Figure, theme: Theme, families: list[str]) -> None:
    """Say below a figure that some of its letters are in no font."""
    words = figure.get_supxlabel()
    if words or len(figure.axes) > 1:
        figure.supxlabel(
            f"{words}\n{NO_LETTERS}".strip(), fontsize=10, color=theme.muted, fontfamily=families
        )
    elif figure.axes:
        axes = figure.axes[-1]
        axes.set_xlabel(f"{axes.get_xlabel()}\n{NO_LETTERS}".strip(), color=theme.muted, fontfamily=families)


def has_names(axis: Axis) -> bool:
    """Say whether what stands at the ticks was given, and not made of numbers."""
    return isinstance(axis.get_major_formatter(), FuncFormatter | FixedFormatter)


def label_of(name: str) -> str:
    """Return a name for the legend, from which names that begin with `_` would be left out."""
    return f"\u200b{name}" if name.startswith("_") else name


def font_families(theme: Theme) -> list[str]:
    """Return the fonts to draw with: the app's where it is registered, for files always the same one."""
    on_screen = theme.name in THEMES and FONT in _registered()
    return [FONT, FALLBACK_FONT] if on_screen else [FALLBACK_FONT]


def fonts_for(text: str, families: list[str]) -> tuple[list[str], str]:
    """Return the fonts to draw a text with, those for other scripts behind, and the letters that none has.

    Such a letter is a box; that is drawn by the library's last resort, which is no reason to warn.
    """
    lacking = {*text} - {"\n", "\t"}
    used = []
    for family in [*families, *WIDE_FONTS]:
        if family in families or (lacking and family in _registered()):
            found = {one for one in lacking if ord(one) in _letters(family)}
            if found or family in families:
                used.append(family)
            lacking -= found
    last = [LAST_RESORT] if lacking and LAST_RESORT in _registered() else []
    return [*used, *last], "".join(sorted(lacking))


@cache
def _letters(family: str) -> frozenset[int]:
    """Return the letters of a font by their numbers."""
    path = font_manager.findfont(font_manager.FontProperties(family=family))
    return frozenset(font_manager.get_font(path).get_charmap())


@cache
def _registered() -> frozenset[str]:
    return frozenset(font.name for font in font_manager.fontManager.ttflist)


def register_font(path: str) -> None:
    """Make a font file known, so that figures on screen are set like the window around them."""
    font_manager.fontManager.addfont(path)
    _registered.cache_clear()
    _letters.cache_clear()


def legend(axes: Axes, entries: int = 2) -> None:
    """Put a frameless legend above the axes, over the figure's width, if there is anything to tell apart."""
    if entries > 1:
        figure = axes.get_figure(root=True)
        assert figure is not None
        legend_above(figure, min(entries, 4), 9)


def legend_above(figure: Figure, columns: int, size: float, *entries: Any) -> Legend:
    """Put a frameless legend above all axes, of what bears a name or of these handles and names."""
    return figure.legend(
        *entries,
        loc="outside upper left",
        ncols=columns,
        frameon=False,
        fontsize=size,
        handlelength=1.6,
        columnspacing=1.4,
    )


def series_style(theme: Theme, at: int) -> dict[str, Any]:
    """Return colour, marker and line of the system at a place: told apart also without colour.

    Where there are more systems than markers they come again, hollow and on another kind of line.
    """
    again = at // len(MARKERS)
    return {
        "color": theme.series[at % len(theme.series)],
        "marker": MARKERS[at % len(MARKERS)],
        "fillstyle": "none" if again else "full",
        "linestyle": LINES[again % len(LINES)],
    }


def marks_at(
    axes: Axes,
    x: ArrayLike,
    y: ArrayLike,
    labels: Sequence[str],
    queries: Sequence[str] = (),
    boxes: NDArray[np.float64] | None = None,
) -> Marks:
    """Return marks from anything array-like."""
    return Marks(axes, np.asarray(x, dtype=float), np.asarray(y, dtype=float), labels, queries, boxes)


def bars(edges: ArrayLike, ends: ArrayLike | None = None) -> NDArray[np.float64]:
    """Return the boxes of bars between neighbouring edges, or from edges to ends: as high as the axes."""
    left = np.asarray(edges, dtype=float)
    left, right = (left[:-1], left[1:]) if ends is None else (left, np.asarray(ends, dtype=float))
    endless = np.full(len(left), np.inf)
    return np.column_stack([left, -endless, right, endless])


def lines_of(places: ArrayLike) -> NDArray[np.float64]:
    """Return the boxes of rows that stand at whole numbers: as wide as the axes."""
    middle = np.asarray(places, dtype=float)
    endless = np.full(len(middle), np.inf)
    return np.column_stack([-endless, middle - 0.5, endless, middle + 0.5])


def line(axes: Axes, theme: Theme, at: int, name: str, x: ArrayLike, y: ArrayLike, axis: str) -> Marks:
    """Draw one named line with its points and return their marks."""
    xs, ys = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    style = series_style(theme, at)
    axes.plot(xs, ys, label=label_of(name), linewidth=1.8, markersize=4.5, clip_on=False, **style)
    labels = [f"{name}\n{axis} {a:g}: {b:.4f}" for a, b in zip(xs, ys, strict=True)]
    middles = np.concatenate([[-np.inf], (xs[1:] + xs[:-1]) / 2, [np.inf]]) if len(xs) else xs
    return marks_at(axes, xs, ys, labels, boxes=bars(middles) if len(xs) else None)


class Heading(Text):
    """A name above a panel, cut to the panel's width whenever it is laid out or drawn."""

    def __init__(self, axes: Axes, name: str) -> None:
        self._name = label_of(drawable(name))
        super().__init__(0, 1.03, self._name, transform=axes.transAxes, fontsize=9, clip_on=False)
        axes.add_artist(self)

    def _cut(self, renderer: Any) -> None:
        assert self.axes is not None
        for length in range(len(self._name), 0, -1):
            self.set_text(short(self._name, length))
            if super().get_window_extent(renderer).width <= self.axes.bbox.width:
                return

    def get_window_extent(self, renderer: Any = None, dpi: float | None = None) -> Any:
        """Return the box of what fits."""
        self._cut(renderer)
        return super().get_window_extent(renderer, dpi)

    def draw(self, renderer: Any) -> None:
        """Draw what fits."""
        self._cut(renderer)
        super().draw(renderer)


def queries(count: int) -> str:
    """Return a number of queries in words."""
    return "1 query" if count == 1 else f"{count} queries"


def rows_least(rows: float) -> float:
    """Return how many inches a figure with so many rows of names is high at least."""
    return AROUND + ROW_LEAST * rows


def panels_least(count: int, across: int = 4) -> float:
    """Return how many inches a figure with so many panels is high at least."""
    return AROUND + PANEL_LEAST * -(-count // across)


def shortened(names: Sequence[str], length: int = 28) -> list[str]:
    """Return names cut to a length for an axis, each still told from the others."""
    return told_apart(names, partial(short, length=length))
