"""How wide the columns of a results table are in the room that there is."""

from collections.abc import Mapping, Sequence

from annotator.desktop.results.cell_painter import NARROWEST_SHADE, PLOT, SHORTEST_PLOT
from annotator.desktop.style import px
from annotator.evaluation.result_table import Table

SHORT_TEXT, SHORTEST_TEXT = 200, 80
"""So far a text is shortened where a column has no room, and so far where all intervals are short already."""

ROOMIEST = 320
"""A column of intervals or shades takes room that is left over, up to this width."""

AIR = 32
"""So much more each of the other columns takes at most, where even then room is left over."""


def widths_in(
    room: int, table: Table, wide: Sequence[int], whole: Sequence[int], headings: Mapping[int, int]
) -> list[int]:
    """Return the widths of columns: what they have where there is room is `wide`, whole texts take `whole`.

    The longest texts are shortened where that brings every column into sight; else all have their width.
    Texts are not much shorter before the axes of intervals are as short as may be, with `headings` whole.
    Room that is left over goes to the columns of intervals, or to those of shades, all alike, then to the
    longest text, and then to the others.
    """
    columns, widths = table.columns, list(wide)
    shaded = [at for at, one in enumerate(columns) if one.shade is not None]
    intervals = sorted({at for _, at in table.intervals})
    texts = [at for at, column in enumerate(columns) if column.kind == "text"]
    for at in shaded:
        widths[at] = px(NARROWEST_SHADE)
    _shorten(widths, texts, room, px(SHORT_TEXT))
    for number, at in enumerate(intervals):
        least = max(widths[at] - px(PLOT - SHORTEST_PLOT), headings.get(at, 0))
        lacking = -(-(sum(widths) - room) // (len(intervals) - number))
        widths[at] -= min(max(lacking, 0), max(widths[at] - least, 0))
    _shorten(widths, texts, room, px(SHORTEST_TEXT))
    roomy = shaded or intervals
    for number, at in enumerate(roomy):
        spare = (room - sum(widths)) // (len(roomy) - number)
        widths[at] += max(min(spare, px(ROOMIEST) - widths[at]), 0)
    if texts:
        widest = max(texts, key=lambda at: whole[at])
        widths[widest] += max(min(room - sum(widths), whole[widest] - widths[widest]), 0)
    others = [at for at in range(len(columns)) if at not in (*roomy, *texts)]
    air = max(min((room - sum(widths)) // max(len(others), 1), px(AIR)), 0)
    return [width + air if at in others else width for at, width in enumerate(widths)]


def _shorten(widths: list[int], texts: Sequence[int], room: int, least: int) -> None:
    """Take from the widest of these columns what all columns lack, where so much is left of them."""
    cap = _evenly([widths[at] for at in texts], room - sum(widths) + sum(widths[at] for at in texts))
    if cap >= least:
        for at in texts:
            widths[at] = min(widths[at], cap)


def _evenly(widths: Sequence[int], room: int) -> int:
    """Return the most that each may take for all to fit; what shorter ones leave over the others have."""
    for number, width in enumerate(sorted(widths)):
        share = room // (len(widths) - number)
        if width > share:
            return share
        room -= width
    return max(widths, default=0)
