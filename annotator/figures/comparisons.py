"""Figures that set systems or annotators against each other."""

import numpy as np
from matplotlib.ticker import MaxNLocator

from annotator.evaluation.critical_difference import critical_difference, friedman, mean_ranks
from annotator.evaluation.query_difficulty import difficulty
from annotator.evaluation.statistics import mean_interval
from annotator.figures.sheet import (
    MARKERS,
    Drawn,
    Heading,
    Marks,
    finished,
    label_of,
    legend,
    lines_of,
    marks_at,
    panels,
    panels_least,
    rows_least,
    series_style,
    sheet,
    shortened,
)
from annotator.figures.subject import Interval, Subject
from annotator.text.names import short
from annotator.theme import Theme

FEW = 3
"""So many systems are told apart where their queries lie over each other."""

LONGEST = 60
"""So many letters of a pair's name are read beside its interval, where there is room."""

BARS_APART = 0.4
"""How far apart the bars of critical differences stand, in rows."""


def scatter(subject: Subject, theme: Theme) -> Drawn:
    """Draw each query at (first system's score, second's): above the diagonal the second is better."""
    result, measure = subject.evaluated, subject.chosen_measure
    first, second = subject.compared
    x, y = result.of(first, measure), result.of(second, measure)
    figure, axes = sheet(theme, 5.2, 4.8)
    axes.scatter(x, y, s=26, color=theme.series[0], alpha=0.65, linewidths=0)
    values = np.concatenate(([0.0], x, y))
    ends = [float(np.nanmin(values)), float(np.nanmax(values)) or 1.0]
    axes.plot(ends, ends, color=theme.muted, linewidth=1, linestyle="--")
    axes.grid(axis="x", color=theme.line, linewidth=0.8)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))  # alike, however short the one is
    across, up = (f"{measure} of {name}" for name in shortened(subject.compared))
    axes.set(aspect="equal", xlabel=across, ylabel=up)
    labels = [
        f"{query}\n{first}: {a:.4f}\n{second}: {b:.4f}"
        for query, a, b in zip(result.query_ids, x, y, strict=True)
    ]
    return finished(figure, theme, marks_at(axes, x, y, labels, result.query_ids))


def by_difficulty(subject: Subject, theme: Theme) -> Drawn:
    """Draw each query at (mean of the other systems, a system's own score): what stands left is hard.

    A few systems lie over each other; of many each has a panel of its own, the best mean first.
    """
    found = difficulty(subject.evaluated, subject.chosen_measure)
    systems, count = subject.evaluated.systems, len(found.scores)
    many = count > FEW
    order = np.argsort(-found.scores.sum(axis=1), kind="stable") if many else np.arange(count)
    figure, places = panels(theme, count) if many else sheet(theme, 5.6, 4.8)
    axes = places if isinstance(places, list) else [places] * count
    values = np.concatenate(([0.0], found.scores.ravel()))
    ends = [float(values.min()), float(values.max()) or 1.0]
    queries = [found.result.query_ids[at] for at in found.queries]
    marks: list[Marks] = []
    for place, at in zip(axes, order.tolist(), strict=True):
        x, y = found.of_others[at], found.scores[at]
        style, size = (0, 10) if many else (at, 24)
        colour, marker = theme.series[style], MARKERS[style]
        place.scatter(
            x, y, s=size, color=colour, marker=marker, alpha=0.6, linewidths=0, label=label_of(systems[at])
        )
        labels = [
            f"{query}\n{systems[at]}: {own:.4f}\nmean of the others: {others:.4f}"
            for query, own, others in zip(queries, y, x, strict=True)
        ]
        marks.append(marks_at(place, x, y, labels, queries))
        if many:
            Heading(place, systems[at])
    for place in dict.fromkeys(axes):
        place.plot(ends, ends, color=theme.muted, linewidth=1, linestyle="--")
        place.grid(axis="x", color=theme.line, linewidth=0.8)
    names = f"mean {subject.chosen_measure} of the other systems: hard to easy", subject.chosen_measure
    if many:
        figure.supxlabel(names[0], fontsize=10)
        figure.supylabel(names[1], fontsize=10)
    else:
        axes[0].set(xlabel=names[0], ylabel=names[1])
        legend(axes[0], count)
    return finished(figure, theme, *marks, least=panels_least(count) if many else 0)


def system_intervals(subject: Subject, theme: Theme) -> Drawn:
    """Draw each system's mean with its 95% interval over the queries."""
    result, measure = subject.evaluated, subject.chosen_measure
    span = result.measures[result.position(measure)].range
    rows = []
    for system in result.systems:
        values = result.of(system, measure)[result.counted[result.systems.index(system)]]
        interval = mean_interval(values[~np.isnan(values)], span=span)
        rows.append(Interval(system, interval.value, interval.low, interval.high))
    return intervals(Subject(intervals=rows, intervals_title=f"mean {measure}, 95% interval"), theme)


def intervals(subject: Subject, theme: Theme) -> Drawn:
    """Draw estimates with their intervals one below the other, the first on top."""
    rows = subject.intervals
    figure, axes = sheet(theme, 7.2, 1.2 + 0.36 * len(rows))
    places = np.arange(len(rows))[::-1]
    for at, (place, row) in enumerate(zip(places, rows, strict=True)):
        colour = theme.series[at % len(theme.series)]
        axes.plot([row.low, row.high], [place, place], color=colour, linewidth=2, solid_capstyle="round")
        axes.plot(row.value, place, "o", color=colour, markersize=7)
    axes.set_yticks(places, shortened([row.label for row in rows], LONGEST))
    axes.set(ylim=(-0.7, len(rows) - 0.3), xlabel=subject.intervals_title)
    axes.grid(visible=False, axis="y")
    axes.grid(axis="x", color=theme.line, linewidth=0.8)
    labels = [f"{row.label}\n{row.value:.4f} ({row.low:.4f} to {row.high:.4f})" for row in rows]
    values = [row.value for row in rows]
    least = rows_least(len(rows))
    return finished(
        figure, theme, marks_at(axes, values, places, labels, boxes=lines_of(places)), least=least
    )


def leniency(subject: Subject, theme: Theme) -> Drawn:
    """Draw each annotator's leniency and, beside it, scatter, with their intervals."""
    rows = subject.lenient
    figure, (axes, beside) = panels(theme, 2, 2, same_x=False)
    figure.set_size_inches(7.2, 1.3 + 0.36 * len(rows))
    places = np.arange(len(rows))[::-1]
    marks = []
    titles = f"own {subject.ticks[2]} minus the others' mean", "their standard deviation"
    for place, shown, title in zip((axes, beside), (rows, subject.scatter), titles, strict=True):
        for at, one in zip(places, shown, strict=True):
            place.plot([one.low, one.high], [at, at], color=theme.series[0], linewidth=2)
            place.plot(one.value, at, "o", color=theme.series[0], markersize=7)
        labels = [f"{one.label}\n{one.value:.2f} ({one.low:.2f} to {one.high:.2f})" for one in shown]
        marks.append(marks_at(place, [one.value for one in shown], places, labels, boxes=lines_of(places)))
        place.set(xlabel=title, ylim=(-0.7, len(rows) - 0.3))
        place.grid(visible=False, axis="y")
        place.grid(axis="x", color=theme.line, linewidth=0.8)
    axes.axvline(0, color=theme.muted, linewidth=1, linestyle="--")
    axes.set_yticks(places, shortened([one.label for one in rows]))
    return finished(figure, theme, *marks, least=rows_least(len(rows)))


def calibration(subject: Subject, theme: Theme) -> Drawn:
    """Draw people's mean grade where a model gives a grade, with its interval; on the diagonal they agree."""
    figure, axes = sheet(theme, 5.6, 4.8)
    marks = []
    wide = len(subject.calibration)
    levels, _, level = subject.ticks
    highest = levels[-1]
    for at, (name, rows) in enumerate(subject.calibration.items()):
        grade, count, mean, low, high = np.array(rows, dtype=float).reshape(-1, 5).T
        x = grade + (at - (wide - 1) / 2) * min(0.12, 0.6 / wide)
        style = series_style(theme, at)
        axes.vlines(x, low, high, color=style["color"], linewidth=1.5)
        axes.plot(x, mean, label=short(name, 40), markersize=6, **(style | {"linestyle": "none"}))
        labels = [
            f"{name}\n{level} {g:.0f} by the model, {n:.0f} times: {m:.2f}"
            + (f" ({a:.2f} to {b:.2f})" if a == a else "")
            for g, n, m, a, b in zip(grade, count, mean, low, high, strict=True)
        ]
        marks.append(marks_at(axes, x, mean, labels))
    axes.plot([0, highest], [0, highest], color=theme.muted, linewidth=1, linestyle="--")
    axes.grid(axis="x", color=theme.line, linewidth=0.8)
    axes.set(xticks=levels, yticks=levels, ylim=(-0.2, highest + 0.2))
    axes.set(xlabel=f"{level} by the model", ylabel=f"mean {level} by the person")
    legend(axes, max(wide, 2))
    return finished(figure, theme, *marks)


def critical_differences(subject: Subject, theme: Theme) -> Drawn:
    """Draw the systems at their mean rank over the queries; a bar joins those too near to tell apart.

    The bar is Nemenyi's critical difference at the subject's level, drawn where Friedman's test finds that
    the systems differ at all (Demšar 2006).
    """
    result, measure = subject.evaluated, subject.chosen_measure
    scores = np.where(result.counted, result.scores[:, result.position(measure), :], np.nan)
    scores = scores[:, ~np.isnan(scores).any(axis=0)]
    if not scores.size:
        figure, axes = sheet(theme, 7.2, 1.6)
        axes.set(xticks=[], yticks=[], xlabel=f"no query has {measure} for every system")
        return finished(figure, theme)
    ranks = mean_ranks(scores)
    level, p = subject.level, friedman(scores)
    apart = critical_difference(len(ranks), scores.shape[1], level)
    order = np.argsort(ranks, kind="stable")
    figure, axes = sheet(theme, 7.2, 1.6 + 0.3 * len(ranks))
    axes.grid(visible=False, axis="y")
    named = shortened(result.systems, 18)
    for place, at in enumerate(order):
        axes.plot([ranks[at], ranks[at]], [0, -place - 1], color=theme.line, linewidth=1, zorder=1)
        axes.plot(ranks[at], -place - 1, "o", color=theme.series[at % len(theme.series)], clip_on=False)
        words = axes.annotate(
            f"{named[at]} ({ranks[at]:.2f})",
            (ranks[at], -place - 1),
            (8 if ranks[at] <= (len(ranks) + 1) / 2 else -8, 0),
            textcoords="offset points",
            ha="left" if ranks[at] <= (len(ranks) + 1) / 2 else "right",
            va="center",
            fontsize=9,
        )
        words.set_in_layout(False)  # it stands on the side with more room
    joined = groups(ranks[order], apart) if p < level else []
    for step, (left, right) in enumerate(joined):
        height = 0.4 + BARS_APART * step
        (bar,) = axes.plot([left, right], [height, height], color=theme.accent, linewidth=3, clip_on=False)
        bar.set_solid_capstyle("round")
    axes.set(yticks=[], xlim=(1, len(ranks)))
    axes.set_xlabel(f"mean rank by {measure}, 1 is best\n{told_apart(p, apart, scores.shape[1], level)}")
    names = [f"{result.systems[at]}\nmean rank {ranks[at]:.3f}" for at in order]
    lines = -np.arange(len(order)) - 1.0
    marks = marks_at(axes, ranks[order], lines, names, boxes=lines_of(lines))
    return finished(figure, theme, marks, least=rows_least(len(ranks) + 1 + BARS_APART * len(joined)))


def told_apart(p: float, apart: float, queries: int, level: float) -> str:
    """Say what Friedman's test found, and how far apart Nemenyi's then asks mean ranks to be."""
    friedmans = f"Friedman's test over {queries:,} queries: {'p < 0.001' if p < 0.001 else f'p = {p:.3f}'}"
    if p < level:
        return f"{friedmans}; Nemenyi's critical difference at {100 * level:g}%: {apart:.2f}"
    return f"{friedmans}: at {100 * level:g}% no system is told from another"


def groups(ranks: np.ndarray, apart: float) -> list[tuple[float, float]]:
    """Return the longest spans of ascending ranks that lie within a distance, each of two ranks or more."""
    spans: list[tuple[float, float]] = []
    for at, left in enumerate(ranks):
        right = ranks[at:][ranks[at:] <= left + apart][-1]
        if right > left and (not spans or right > spans[-1][1]):
            spans.append((float(left), float(right)))
    return spans
