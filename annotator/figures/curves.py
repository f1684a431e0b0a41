"""Figures of lines: over cut-offs, recall, thresholds and ranks, and the two of the teaching articles."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.ticker import MaxNLocator

from annotator.figures.sheet import (
    MARKERS,
    Drawn,
    Marks,
    finished,
    label_of,
    legend,
    line,
    marks_at,
    series_style,
    sheet,
)
from annotator.figures.subject import Curves, Line, Subject
from annotator.grades import HIGHEST
from annotator.metrics import classification
from annotator.metrics.catalogue import parse
from annotator.metrics.explanation import Explanation
from annotator.text.names import short
from annotator.theme import Theme

CUTOFFS = (1, 2, 3, 5, 10, 15, 20, 30, 50, 100)
RECALLS = tuple(step / 10 for step in range(11))
RANKS = 20
FIRST = 50
"""So many judgments have room in the figure of a comparison that has just begun."""

SIMULATED = 1_500
"""So many of the simulated tables are drawn, beside all in which F1 deceives."""


def cutoff_measures(measure: str) -> tuple[str, ...]:
    """Return the names of a measure at each cut-off; one without cut-off is cut too (`AP@5`)."""
    family = measure.partition("@")[0]
    return tuple(f"{family}@{cutoff}" for cutoff in CUTOFFS)


def recall_measures(_: str) -> tuple[str, ...]:
    """Return the interpolated precisions at the eleven standard recalls, then P@k and R@k at each cut-off."""
    raw = [f"{family}@{cutoff}" for family in "PR" for cutoff in CUTOFFS]
    return (*(f"IPrec@{recall:.1f}" for recall in RECALLS), *raw)


def threshold_measures(measure: str) -> tuple[str, ...]:
    """Return the same binary measure at every relevance threshold from 1 to the highest grade."""
    strictest = parse(measure).with_parameters(rel=HIGHEST).name
    return tuple(re.sub(r"\brel=\d+", f"rel={rel}", strictest) for rel in range(1, HIGHEST + 1))


def _means(subject: Subject, system: str, start: int, end: int) -> list[float]:
    assert subject.more is not None
    return [subject.more.mean(system, one.name) for one in subject.more.measures[start:end]]


def by_cutoff(subject: Subject, theme: Theme) -> Drawn:
    """Draw the mean of a measure for each system as the cut-off grows."""
    ticks = {"xscale": "log", "xticks": CUTOFFS, "xticklabels": [str(cutoff) for cutoff in CUTOFFS]}
    name = f"mean {subject.chosen_measure.partition('@')[0]}@k"
    return _lines(subject, theme, CUTOFFS, "k =", xlabel="cut-off k", ylabel=name, **ticks)


def _lines(subject: Subject, theme: Theme, places: Sequence[int], axis: str, **look: Any) -> Drawn:
    """Draw a line of means for each system, one mean at each place."""
    figure, axes = sheet(theme)
    marks = [
        line(axes, theme, at, system, places, _means(subject, system, 0, len(places)), axis)
        for at, system in enumerate(subject.evaluated.systems)
    ]
    axes.set(**look, ylim=(0, None))
    axes.minorticks_off()
    legend(axes, len(marks))
    return finished(figure, theme, *marks)


def precision_recall(subject: Subject, theme: Theme) -> Drawn:
    """Draw interpolated precision at the eleven recalls; dotted, the raw mean (R@k, P@k) by cut-off."""
    figure, axes = sheet(theme)
    marks: list[Marks] = []
    points, steps = len(RECALLS), len(CUTOFFS)
    for at, system in enumerate(subject.evaluated.systems):
        values = _means(subject, system, 0, points + 2 * steps)
        marks.append(line(axes, theme, at, system, RECALLS, values[:points], "recall"))
        precision, recall = values[points : points + steps], values[points + steps :]
        style = series_style(theme, at) | {"linestyle": ":"}
        axes.plot(recall, precision, linewidth=1.2, markersize=3, alpha=0.8, clip_on=False, **style)
        labels = [
            f"{system}\nat rank {k}: recall {r:.4f}, precision {p:.4f}"
            for k, r, p in zip(CUTOFFS, recall, precision, strict=True)
        ]
        marks.append(marks_at(axes, recall, precision, labels))
    axes.set(xlabel="recall (dotted: raw means at ranks 1 to 100)", ylabel="precision")
    axes.set(xlim=(-0.02, 1.02), ylim=(0, 1.02))
    legend(axes, len(subject.evaluated.systems))
    return finished(figure, theme, *marks)


def threshold_sweep(subject: Subject, theme: Theme) -> Drawn:
    """Draw how the mean of a binary measure falls as only higher grades count as relevant."""
    levels, axis = range(1, HIGHEST + 1), "relevant from grade"
    name = f"mean {subject.chosen_measure}"
    return _lines(subject, theme, levels, axis, xticks=levels, xlabel=axis, ylabel=name)


def discounts(_: Subject, theme: Theme) -> Drawn:
    """Draw how much a candidate at each rank counts under DCG, RBP, RR and P@10."""
    figure, axes = sheet(theme)
    ranks = np.arange(1, RANKS + 1)
    curves = {
        "DCG: 1 / log2(rank + 1)": 1 / np.log2(ranks + 1),
        "RBP(p=0.8): 0.8^(rank - 1)": 0.8 ** (ranks - 1.0),
        "RR: 1 / rank": 1 / ranks,
        "P@10: 1 down to rank 10": (ranks <= 10).astype(float),
    }
    marks = [
        line(axes, theme, at, name, ranks, weights, "rank")
        for at, (name, weights) in enumerate(curves.items())
    ]
    axes.set(xticks=[1, 5, 10, 15, 20], xlabel="rank", ylabel="weight")
    legend(axes)
    return finished(figure, theme, *marks)


def explained_curves(one: Explanation) -> tuple[Curves, Curves]:
    """Return the cumulated gain against the ideal, and what lies between 0 and 1.

    There is no ideal where no ordering is known to be best, and no curve of a value that ranks do not add to.
    """
    ideal_gains = [row.ideal_gain or 0.0 for row in one.rows]
    gain, ideal_gain = np.cumsum([row.gain for row in one.rows]), np.cumsum(ideal_gains)
    score = np.cumsum([row.contribution or 0.0 for row in one.rows])
    ideal_score = np.cumsum([row.ideal_contribution or 0.0 for row in one.rows])
    relevant = max(sum(worth > 0 for worth in ideal_gains), one.rows[-1].seen if one.rows else 0, 1)
    precision = np.array([row.precision for row in one.rows])
    recall = np.array([row.seen / relevant for row in one.rows])
    with_ideal = one.ideal_value is not None
    own: dict[str, Line] = {one.measure.name: (score, ideal_score if with_ideal else None)}
    if not one.measure.claims("contributions"):
        own = {}
    gains: dict[str, Line] = {"gain": (gain, ideal_gain if with_ideal else None)}
    shares: dict[str, Line] = {"precision": (precision, None), "recall": (recall, None)}
    if one.measure.range == (0.0, 1.0):
        return Curves(gains), Curves(own | shares)
    return Curves(gains | own), Curves(shares)


def query_curves(subject: Subject, theme: Theme) -> Drawn:
    """Draw one query's cumulated values rank by rank, dashed those of the ideal ordering."""
    assert subject.curves is not None
    figure, axes = sheet(theme, 4.8, 3.0)
    marks = []
    for at, (name, (actual, ideal)) in enumerate(subject.curves.lines.items()):
        ranks = np.arange(1, len(actual) + 1)
        marks.append(line(axes, theme, at, name, ranks, actual, "rank"))
        if ideal is not None:
            shown = ideal[: len(actual)]
            style = series_style(theme, at) | {"marker": "", "linestyle": "--"}
            axes.plot(ranks[: len(shown)], shown, label="ideal", linewidth=1.4, **style)
            labels = [f"ideal {name}\nrank {a}: {b:.4f}" for a, b in zip(ranks, shown, strict=False)]
            marks.append(marks_at(axes, ranks[: len(shown)], shown, labels))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set(xlabel="rank", ylim=(0, None))
    legend(axes)
    return finished(figure, theme, *marks)


def drifts(subject: Subject, theme: Theme) -> Drawn:
    """Draw the mean grade along each annotator's work: a line that falls or rises is drift."""
    figure, axes = sheet(theme)
    marks = []
    for at, (name, parts) in enumerate(subject.drifts.items()):
        places, means, counts = zip(*parts, strict=True)
        axes.plot(
            places, means, label=label_of(name), linewidth=1.8, markersize=4.5, **series_style(theme, at)
        )
        labels = [
            f"{name}\nmean grade {mean:.2f} of {count} judgments around the {place:.0f}th"
            for place, mean, count in zip(places, means, counts, strict=True)
        ]
        marks.append(marks_at(axes, places, means, labels))
    axes.set(ylim=(-0.1, HIGHEST + 0.1), ylabel="mean grade", xlabel="judgments, in the order they were made")
    legend(axes, len(marks))
    return finished(figure, theme, *marks)


def f1_against_mcc(_: Subject, theme: Theme) -> Drawn:
    """Draw F1 against MCC over simulated tables: where most cases are positive F1 sees no failure."""
    figure, axes = sheet(theme)
    tables = classification.f1_against_mcc()
    usual = ~tables.deceptive & (np.arange(len(tables.f1)) < SIMULATED)
    for part, at, size, name in (
        (usual, 0, 10, "simulated tables"),
        (tables.deceptive, 1, 30, "F1 over 0.95 on data that is nearly all positive"),
    ):
        axes.scatter(
            *(tables.mcc[part], tables.f1[part], size, theme.series[at]),
            marker=MARKERS[at],
            linewidths=0,
            alpha=0.5 + 0.5 * at,
            label=label_of(name),
        )
    axes.axvline(0, color=theme.line, zorder=0)
    axes.set(xlabel="MCC", ylabel="F1")
    legend(axes)
    shown = usual | tables.deceptive
    labels = [
        f"MCC {m:.3f}, F1 {f:.3f}\n{s:.0%} of the cases positive"
        for m, f, s in zip(tables.mcc[shown], tables.f1[shown], tables.positive_share[shown], strict=True)
    ]
    return finished(figure, theme, marks_at(axes, tables.mcc[shown], tables.f1[shown], labels))


def narrowing(subject: Subject, theme: Theme) -> Drawn:
    """Draw the interval of each difference after each block of draws, and its estimate."""
    figure, axes = sheet(theme, 7.2, 3.4)
    marks = []
    for at, (name, path) in enumerate(subject.looks.items()):
        judged, estimate, low, high = np.array(path, dtype=np.float64).T
        colour = theme.series[at % len(theme.series)]
        axes.fill_between(judged, low, high, color=colour, alpha=0.18, linewidth=0)
        axes.vlines(judged, low, high, color=colour, linewidth=1.2)
        marks.append(line(axes, theme, at, short(name), judged, estimate, "judged"))
    axes.axhline(0.0, color=theme.muted, linewidth=1, linestyle="--")
    most = max(path[-1][0] for path in subject.looks.values())
    axes.set(xlabel="judged", ylabel="difference", xlim=(-0.02 * max(most, FIRST), 1.02 * max(most, FIRST)))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    legend(axes, len(subject.looks))
    return finished(figure, theme, *marks)
