"""How wide the columns of a results table are in the room that there is."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from annotator.desktop.results.cell_painter import NARROWEST_SHADE, PLOT, SHORTEST_PLOT
from annotator.desktop.style import px
from annotator.evaluation.result_table import Table

NARROWEST = 64
"""A column is narrower only where that brings all others into sight."""

SHORT_TEXT, SHORTEST_TEXT = 200, 80
"""So far a text is shortened where a column has no room, and so far where all intervals are short already."""

ROOMIEST = 320
"""A column of intervals or shades takes room that is left over, up to this width."""

AIR = 32
"""So much more each of the other columns takes at most, where even then room is left over."""

LONGEST_HEADING = 120
"""So much of its heading a column of shades shows where there is room."""

SHORT_LINES, SHORTEST_LINES = 140, 80
"""The same of sentences, which have more lines then."""

SHORT_ENOUGH = 110
"""A column of texts that takes no more is never shortened."""

SHORT_HEADING = 110
"""So far the heading of numbers is shortened where there is no room, unless they are wider themselves."""


class Widths(NamedTuple):
    """What each column takes: `least` without room, `wide` where there is some, `whole` for all texts."""

    least: Sequence[int]
    wide: Sequence[int]
    whole: Sequence[int]


def least_widths(
    table: Table, wide: Sequence[int], heading: Callable[[int], int], cells: Callable[[int], int]
) -> list[int]:
    """Return what each column takes at least; its `heading` and its `cells` alone are so wide."""
    least = list(wide)
    intervals = {at for _, at in table.intervals}
    for at, column in enumerate(table.columns):
        if column.shade is not None:
            least[at] = px(NARROWEST_SHADE)
        elif column.prose:
            least[at] = min(wide[at], px(SHORTEST_LINES))
        elif column.kind == "text" and wide[at] > px(SHORT_ENOUGH):
            least[at] = px(SHORTEST_TEXT)
        elif at in intervals:
            least[at] = max(cells(at) - px(PLOT), min(heading(at), px(SHORT_HEADING)))
        elif heading(at) > px(SHORT_HEADING):
            least[at] = max(cells(at), px(SHORT_HEADING))
    return least


def readable(table: Table, least: Sequence[int], wide: Sequence[int]) -> list[int]:
    """Return what each column takes where texts are shortened only so far that they can be read."""
    short = {True: px(SHORT_TEXT), False: px(NARROWEST)}
    return [
        max(few, min(many, px(SHORT_LINES) if column.prose else short[column.kind == "text"]))
        for column, few, many in zip(table.columns, least, wide, strict=True)
    ]


def widths_in(room: int, table: Table, columns: Widths) -> list[int]:
    """Return the widths of columns: what they take where there is room.

    Where there is not, the longest texts and headings are shortened, then columns of shades are narrower than
    their headings, axes of intervals are shorter and then stand below their numbers, and then the texts are
    shorter still if that brings every column into sight, once short ones gave away what is empty of them.
    Room that is left over goes to the columns of intervals, or to those of shades, all alike, then to the
    longest text, and then to the others.
    """
    widths, least = list(columns.wide), columns.least
    shaded = [at for at, one in enumerate(table.columns) if one.shade is not None]
    intervals = sorted({at for _, at in table.intervals})
    texts = [at for at, column in enumerate(table.columns) if column.kind == "text"]
    long = [at for at, width in enumerate(widths) if at not in (*shaded, *intervals) and least[at] < width]
    heading = max((min(widths[at], px(LONGEST_HEADING)) for at in shaded), default=0)
    for at in shaded:
        widths[at] = max(heading, least[at])
    short = readable(table, least, widths)
    _shorten(widths, long, room, short)
    if shaded and sum(widths) > room:  # texts give a little more before the headings of shades are cut
        shorter = [max(few, min(one, px(SHORT_LINES))) for few, one in zip(least, short, strict=True)]
        lines = [at for at in long if at in texts]
        if sum(widths) - sum(max(widths[at] - shorter[at], 0) for at in lines) <= room:
            _shorten(widths, lines, room, shorter)
    _narrow(widths, shaded, room, least)
    _narrow(widths, intervals, room, [one + px(SHORTEST_PLOT) for one in least])
    _narrow(widths, intervals, room, least)
    if sum(least) <= room:
        _narrow(widths, [at for at in texts if widths[at] <= px(NARROWEST)], room, least)
        _shorten(widths, long, room, least)
    roomy = shaded or intervals
    for number, at in enumerate(roomy):
        spare = (room - sum(widths)) // (len(roomy) - number)
        widths[at] += max(min(spare, px(ROOMIEST) - widths[at]), 0)
    if texts:
        widest = max(texts, key=lambda at: columns.whole[at])
        widths[widest] += max(min(room - sum(widths), columns.whole[widest] - widths[widest]), 0)
    others = [at for at in range(len(widths)) if at not in (*roomy, *texts)]
    air = max(min((room - sum(widths)) // max(len(others), 1), px(AIR)), 0)
    return [width + air if at in others else width for at, width in enumerate(widths)]


def _narrow(widths: list[int], columns: Sequence[int], room: int, least: Sequence[int]) -> None:
    """Take evenly from these columns what all columns lack, as far as they may become narrower."""
    for number, at in enumerate(columns):
        lacking = -(-(sum(widths) - room) // (len(columns) - number))
        widths[at] -= min(max(lacking, 0), max(widths[at] - least[at], 0))


def _shorten(widths: list[int], long: Sequence[int], room: int, least: Sequence[int]) -> None:
    """Take from the widest of these columns what all columns lack, as far as they may become shorter."""
    free, at_least = set(long), set(long)
    while at_least:
        cap = _evenly([widths[at] for at in free], room - sum(widths) + sum(widths[at] for at in free))
        at_least = {at for at in free if min(widths[at], least[at]) > cap}
        for at in at_least:
            widths[at] = min(widths[at], least[at])
        free -= at_least
    for at in free:
        widths[at] = min(widths[at], cap)


def _evenly(widths: Sequence[int], room: int) -> int:
    """Return the most that each may take for all to fit; what shorter ones leave over the others have."""
    for number, width in enumerate(sorted(widths)):
        share = room // (len(widths) - number)
        if width > share:
            return share
        room -= width
    return max(widths, default=0)
