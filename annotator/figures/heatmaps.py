"""Figures of two-way tables: each field carries its number, and its colour is the share of the accent."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from matplotlib.text import Text

from annotator.evaluation.subsets import by_tag
from annotator.figures.sheet import Drawn, finished, marks_at, queries, rows_least, sheet, shortened
from annotator.figures.subject import Subject
from annotator.theme import Theme

ON_A_LINE, SLANT = 60, 40
"""So many letters have room below the fields; longer names stand at so many degrees."""

FAINTEST, DEEPEST = 0.06, 0.54
"""So much of the accent a field has, at least and at most: its number is read in light and in dark."""


class Number(Text):
    """The number of a field, which is drawn where the field has room for it."""

    def __init__(self, axes: Axes, column: int, row: int, words: str, colour: str) -> None:
        x, y = column + 0.5, row + 0.5
        super().__init__(
            x, y, words, color=colour, fontsize=9, ha="center", va="center", transform=axes.transData
        )

    def draw(self, renderer: Any) -> None:
        """Draw it, if it fits."""
        assert self.axes is not None
        (left, top), (right, bottom) = self.axes.transData.transform([(0, 0), (1, 1)])
        box = self.get_window_extent(renderer)
        if box.width <= abs(right - left) and box.height <= abs(bottom - top):
            super().draw(renderer)


def confusion(subject: Subject, theme: Theme) -> Drawn:
    """Draw how often each grade of the first met each grade of the second.

    By true class, every row is divided by its sum: the colour then shows shares, the numbers are per cent.
    """
    assert subject.confusion is not None
    table = subject.confusion
    counts = np.asarray(table.counts, dtype=float)
    sums = counts.sum(axis=1, keepdims=True)
    shares = np.divide(counts, sums, out=np.zeros_like(counts), where=sums > 0)
    if subject.by_true_class:
        weights, texts = shares, [[f"{100 * one:.0f}%" for one in row] for row in shares]
    else:
        weights = counts / max(counts.max(), 1)
        texts = [[f"{int(one)}" for one in row] for row in counts]
    labels = [
        f"{table.row_title} {row}, {table.column_title} {column}\n"
        f"{int(counts[i, j])} pairs, {shares[i, j]:.0%} of the row"
        for i, row in enumerate(table.rows)
        for j, column in enumerate(table.columns)
    ]
    return fields(
        theme, weights, texts, labels, table.rows, table.columns, (table.row_title, table.column_title)
    )


def system_by_tag(subject: Subject, theme: Theme) -> Drawn:
    """Draw each system's mean over the queries of each tag."""
    tags = by_tag(subject.evaluated, subject.chosen_measure)
    weights = np.nan_to_num(np.clip(tags.values, 0, 1))
    texts = [["–" if np.isnan(one) else f"{one:.3f}" for one in row] for row in tags.values]
    labels = [
        f"{system}, {tag}\n{texts[i][j]} over {queries(tags.counts[j])}"
        for i, system in enumerate(subject.evaluated.systems)
        for j, tag in enumerate(tags.tags)
    ]
    return fields(
        theme, weights, texts, labels, subject.evaluated.systems, tags.tags, ("", subject.chosen_measure)
    )


def fields(
    theme: Theme,
    weights: np.ndarray,
    texts: Sequence[Sequence[str]],
    labels: Sequence[str],
    rows: Sequence[str],
    columns: Sequence[str],
    titles: tuple[str, str],
) -> Drawn:
    """Draw a table of fields; `weights` from 0 to 1 are how deep each field's accent is."""
    height, width = weights.shape
    names = shortened([*map(str, columns)], 14)
    slanted = width * max(map(len, names), default=0) > ON_A_LINE
    figure, axes = sheet(theme, min(2.2 + 0.75 * width, 10), 1.4 + 0.5 * height + 0.6 * slanted)
    axes.grid(visible=False)
    axes.spines["bottom"].set_visible(False)
    for i in range(height):
        for j in range(width):
            field = Rectangle((j + 0.03, i + 0.03), 0.94, 0.94, color=theme.accent, linewidth=0)
            field.set_alpha(FAINTEST + (DEEPEST - FAINTEST) * weights[i, j])
            axes.add_patch(field)
            axes.add_artist(Number(axes, j, i, texts[i][j], theme.text))
    axes.set(xlim=(0, width), ylim=(height, 0), xlabel=titles[1], ylabel=titles[0])
    axes.set_xticks(np.arange(width) + 0.5, names)
    if slanted:
        axes.tick_params("x", labelrotation=SLANT)
        for one in axes.get_xticklabels():
            one.set(ha="right", rotation_mode="anchor")
    axes.set_yticks(np.arange(height) + 0.5, shortened([*map(str, rows)]))
    y, x = np.divmod(np.arange(height * width), width)
    boxes = np.column_stack([x, y, x + 1, y + 1]).astype(float)
    marks = marks_at(axes, x + 0.5, y + 0.5, labels, boxes=boxes)
    return finished(figure, theme, marks, least=rows_least(height) + 0.6 * slanted)
