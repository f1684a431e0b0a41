"""Figures of how values spread: over queries, grades and time."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from annotator.figures.sheet import (
    HATCHES,
    LINES,
    Drawn,
    Heading,
    Marks,
    bars,
    finished,
    label_of,
    legend,
    marks_at,
    panels,
    panels_least,
    queries,
    series_style,
    sheet,
    shortened,
)
from annotator.figures.subject import Subject
from annotator.text.names import short
from annotator.theme import Theme

ON_ONE_LINE = 28
"""So many letters two names have together beside one axis; of longer ones each has a line."""

BINS = 20
FEW = 3
"""So many systems are told apart where their distributions lie over each other."""

MOST_STEPS = 500
"""So many steps of a cumulative distribution are drawn: more are no finer to see."""

MOST_BARS = 1000
"""More than the eye can tell apart take long to draw and make a report large."""

Values = NDArray[np.float64]

IN_A_LINE, LEGEND_LEAST = 3, 2.7
"""So many names stand in one line of a legend; below more lines a figure is so many inches high at least."""


def over_queries(subject: Subject, theme: Theme) -> Drawn:
    """Draw how many queries each system has in each twentieth of the measure's span.

    A few systems lie over each other; of many each has a panel of its own, the best mean first.
    """
    result, measure = subject.evaluated, subject.chosen_measure
    rows = [_present(result.of(system, measure)) for system in result.systems]
    low = min((row.min() for row in rows if len(row)), default=0.0)
    high = max((row.max() for row in rows if len(row)), default=1.0)
    edges = np.linspace(min(low, 0.0), max(high, 1.0), BINS + 1)
    many = len(rows) > FEW
    figure, places = panels(theme, len(rows)) if many else sheet(theme)
    axes = places if isinstance(places, list) else [places] * len(rows)
    marks = []
    for place, at in zip(axes, _best_first(rows) if many else range(len(rows)), strict=True):
        system, colour = result.systems[at], theme.series[0 if many else at]
        kind = LINES[0 if many else at]
        counts, _ = np.histogram(rows[at], edges)
        place.stairs(
            counts, edges, label=label_of(system), color=colour, linewidth=1.8 - 0.8 * many, linestyle=kind
        )
        place.stairs(counts, edges, color=colour, fill=True, alpha=0.5 if many else 0.12)
        labels = [
            f"{system}\n{queries(count)} from {a:.2f} to {b:.2f}"
            for count, a, b in zip(counts, edges, edges[1:], strict=False)
        ]
        marks.append(marks_at(place, (edges[1:] + edges[:-1]) / 2, counts, labels, boxes=bars(edges)))
        if many:
            Heading(place, system)
    if many:
        figure.supxlabel(measure, fontsize=10)
        figure.supylabel("queries", fontsize=10)
    else:
        axes[0].set(xlabel=measure, ylabel="queries")
        legend(axes[0], len(rows))
    return finished(figure, theme, *marks, least=panels_least(len(rows)) if many else 0)


def cumulative(subject: Subject, theme: Theme) -> Drawn:
    """Draw which share of its queries a system scores at most so much on: the further right, the better."""
    result, measure = subject.evaluated, subject.chosen_measure
    figure, axes = sheet(theme)
    marks = []
    for at, system in enumerate(result.systems):
        values = result.of(system, measure)
        order = np.argsort(values, kind="stable")
        order = order[~np.isnan(values[order])]
        if not len(order):
            continue
        count = len(order)
        order = order[np.unique(np.linspace(0, count - 1, MOST_STEPS).astype(np.int64))]
        reached = values[order]
        share = np.searchsorted(np.sort(values), reached, side="right") / count
        style = series_style(theme, at) | {"linestyle": LINES[at % len(LINES)], "clip_on": False}
        steps = np.concatenate([reached[:1], reached]), np.concatenate([[0.0], share])
        axes.step(*steps, where="post", label=label_of(system), markevery=0.1, markersize=4.5, **style)
        labels = [
            f"{system}\n{part:.1%} of {queries(count)} score at most {value:.4f}"
            for part, value in zip(share, reached, strict=True)
        ]
        marks.append(marks_at(axes, reached, share, labels, [result.query_ids[one] for one in order]))
    axes.set(xlabel=measure, ylabel="share of the queries", ylim=(0, 1.02))
    axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.4g}%")
    legend(axes, len(result.systems))
    return finished(figure, theme, *marks)


def _best_first(rows: Sequence[Values]) -> list[int]:
    means = [float(row.mean()) if len(row) else -np.inf for row in rows]
    return sorted(range(len(rows)), key=lambda at: -means[at])


def per_query(subject: Subject, theme: Theme) -> Drawn:
    """Draw the first system's score of every query as bars, the worst query first."""
    result, measure = subject.evaluated, subject.chosen_measure
    system = subject.pair[0] if subject.pair else result.systems[0]
    values = result.of(system, measure)
    return sorted_bars(subject, theme, values, f"{measure} of {system}")


def differences(subject: Subject, theme: Theme) -> Drawn:
    """Draw the second system's score minus the first's for every query, sorted: what each wins and loses."""
    result, measure = subject.evaluated, subject.chosen_measure
    first, second = subject.compared
    values = result.of(second, measure) - result.of(first, measure)
    between = " " if len(second + first) <= ON_ONE_LINE else "\n"
    less, more = shortened(subject.compared)
    return sorted_bars(subject, theme, values, f"{measure}: {more}{between}− {less}")


def sorted_bars(subject: Subject, theme: Theme, values: Values, title: str) -> Drawn:
    """Draw one bar per query in ascending order; what is below zero stands in the second colour.

    Of very many queries so many are drawn, evenly spaced from the lowest to the highest, and it is said.
    """
    ids = subject.evaluated.query_ids
    order = np.argsort(values, kind="stable")
    order = order[~np.isnan(values[order])]
    title_below = f"{queries(len(order))}, sorted"
    if len(order) > MOST_BARS:
        order = order[np.linspace(0, len(order) - 1, MOST_BARS).astype(np.int64)]
        title_below += f"; {MOST_BARS} of them drawn"
    height = values[order]
    figure, axes = sheet(theme)
    places = np.arange(len(order))
    edges = (places[:, None] + [-0.42, 0.42]).ravel()
    signs = ((height >= 0, theme.series[0]), (height < 0, theme.series[1]))
    for part, colour in signs if len(places) else ():
        heights = np.zeros(2 * len(places) - 1)  # every other one is the gap between two bars
        heights[::2] = np.where(part, height, 0)
        axes.stairs(heights, edges, fill=True, color=colour, linewidth=0)
    axes.axhline(0, color=theme.muted, linewidth=0.8)
    axes.set(xticks=[], xlabel=title_below, ylabel=title)
    names = [ids[at] for at in order]
    labels = [f"{name}\n{value:.4f}" for name, value in zip(names, height, strict=True)]
    columns = bars(places - 0.5, places + 0.5)
    return finished(figure, theme, marks_at(axes, places, height, labels, names, columns))


def grade_distribution(subject: Subject, theme: Theme) -> Drawn:
    """Draw how often each annotator gave each grade, as a share of the annotator's grades."""
    figure, axes = sheet(theme)
    people = list(subject.grade_counts)
    levels, called, one = subject.ticks
    width = 0.8 / max(len(people), 1)
    marks: list[Marks] = []
    for at, name in enumerate(people):
        counts = np.asarray(subject.grade_counts[name], dtype=float)
        shares = counts / max(counts.sum(), 1)
        places = np.arange(len(levels)) - 0.4 + width * (at + 0.5)
        colours = theme.grades[: len(levels)] if len(people) == 1 else theme.series[at % len(theme.series)]
        hatch = HATCHES[at % len(HATCHES)]
        axes.bar(
            *(places, shares, width * 0.92),
            color=colours,
            label=label_of(name),
            hatch=hatch,
            edgecolor=theme.panel,
        )
        labels = [
            f"{name}\n{one} {words}: {int(count)} ({share:.1%})"
            for words, count, share in zip(called, counts, shares, strict=True)
        ]
        sides = bars(places - width / 2, places + width / 2)
        marks.append(marks_at(axes, places, shares, labels, boxes=sides))
    axes.set_xticks(levels, [short(words, 60 // len(levels)) for words in called])
    axes.set(xlabel=one, ylabel=f"share of the {'judgments' if subject.levels else 'grades'}")
    axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.4g}%")
    legend(axes, len(people))
    return finished(figure, theme, *marks, least=LEGEND_LEAST if len(people) > IN_A_LINE else 0)


def time_per_judgment(subject: Subject, theme: Theme) -> Drawn:
    """Draw how long judgments took, from a quarter of a second to ten minutes on a logarithmic scale."""
    figure, axes = sheet(theme)
    edges = np.geomspace(0.25, 600, 32)
    seconds = np.clip(np.asarray(subject.seconds, dtype=float), edges[0], edges[-1])
    counts, _ = np.histogram(seconds, edges)
    axes.stairs(counts, edges, fill=True, color=theme.series[0], alpha=0.85)
    middle = float(np.median(seconds)) if len(seconds) else 0.0
    if middle:
        axes.axvline(middle, color=theme.series[1], linewidth=1.4)
        axes.annotate(
            f"median {middle:.1f} s",
            (middle, 1),
            (6, 0),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            va="top",
            fontsize=9,
        )
    axes.set_xscale("log")
    axes.set_xticks([0.25, 1, 5, 15, 60, 300], ["¼ s", "1 s", "5 s", "15 s", "1 min", "5 min"])
    axes.minorticks_off()
    axes.set(xlabel="time per judgment", ylabel="judgments")
    labels = [
        f"{count} judgments\nfrom {a:.1f} to {b:.1f} s"
        for count, a, b in zip(counts, edges, edges[1:], strict=False)
    ]
    middles = np.sqrt(edges[1:] * edges[:-1])
    return finished(figure, theme, marks_at(axes, middles, counts, labels, boxes=bars(edges)))


def _present(values: Values) -> Values:
    present: Values = values[~np.isnan(values)]
    return present
