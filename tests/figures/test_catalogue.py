"""Every figure: drawn in each theme, marked, deterministic, offered only where it can be drawn."""

import dataclasses
from collections.abc import Callable

import numpy as np
import pytest
from matplotlib.colors import to_hex

from annotator.evaluation.results import EvaluationResult
from annotator.figures.catalogue import FIGURES, FigureKind, offered
from annotator.figures.curves import CUTOFFS
from annotator.figures.distributions import FEW, sorted_bars
from annotator.figures.subject import Subject
from annotator.figures.svg import figure_svg
from annotator.metrics import classification
from annotator.metrics.catalogue import parse
from annotator.theme import DARK, LIGHT

KINDS = list(FIGURES.values())
Asked = Callable[[FigureKind], Subject]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.key)
def test_every_figure_takes_the_theme_and_every_mark_says_something(kind: FigureKind, asked: Asked) -> None:
    drawn = kind.draw(asked(kind), DARK)
    assert to_hex(drawn.figure.get_facecolor()) == DARK.panel
    assert drawn.marks
    for marks in drawn.marks:
        assert len(marks.x) == len(marks.y) == len(marks.labels)
        assert all(marks.labels)
        assert len(marks.queries) in (0, len(marks.x))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.key)
def test_every_figure_is_the_same_svg_twice(kind: FigureKind, asked: Asked) -> None:
    subject = asked(kind)
    first = figure_svg(lambda theme: kind.draw(subject, theme), kind.key, kind.title)
    assert first == figure_svg(lambda theme: kind.draw(subject, theme), kind.key, kind.title)
    assert first.startswith('<svg role="img"')
    assert "<gamma>" not in first


@pytest.mark.parametrize("key", ["cutoff", "precision-recall", "ecdf", "drift", "query", "discount"])
def test_no_mark_of_a_line_is_cut_at_the_edge_of_the_axes(key: str, asked: Asked) -> None:
    subject = asked(FIGURES[key])
    if subject.more is not None:  # nearly alike: their own range leaves no room above them
        alike = 0.9 + subject.more.scores / 1000
        subject = dataclasses.replace(subject, more=dataclasses.replace(subject.more, scores=alike))
    drawn = FIGURES[key].draw(subject, LIGHT)
    for axes in drawn.figure.axes:
        for line in (one for one in axes.lines if one.get_clip_on() and one.get_marker() not in ("", "None")):
            places = np.asarray(line.get_transform().transform(line.get_xydata()))
            half = line.get_markersize() * drawn.figure.dpi / 144
            assert (axes.bbox.min <= places.min(axis=0) - half).all()
            assert (places.max(axis=0) + half <= axes.bbox.max).all()


@pytest.mark.parametrize(
    "key", ["cutoff", "precision-recall", "threshold", "distribution", "ecdf", "grades", "drift"]
)
def test_lines_and_bars_are_told_apart_without_colour(key: str, asked: Asked) -> None:
    count = {"distribution": FEW, "grades": 8, "ecdf": 16}.get(key, 24)  # of more, each has its panel
    subject, names = asked(FIGURES[key]), [f"system {at}" for at in range(count)]

    def of_many(result: EvaluationResult | None) -> EvaluationResult | None:
        if result is None:
            return None
        scores = np.repeat(result.scores[:1], count, axis=0)
        return dataclasses.replace(
            result, systems=tuple(names), scores=scores, counted=np.ones((count, len(result.query_ids)), bool)
        )

    grey = DARK._replace(series=(DARK.muted,) * len(DARK.series))
    many = dataclasses.replace(
        subject,
        result=of_many(subject.result),
        more=of_many(subject.more),
        pair=None,
        grade_counts={name: [3, 4, 5, 1, 2, 9] for name in names},
        drifts={name: [(5.5, 2.0, 10), (15.5, 3.5, 10)] for name in names},
    )
    figure = FIGURES[key].draw(many, grey).figure
    lines = [one for one in figure.axes[0].lines if one.get_label() in names]
    bars = [one for one in figure.axes[0].containers if one.get_label() in names]
    steps = [one for one in figure.axes[0].patches if one.get_label() in names]
    looks = [
        *((one.get_marker(), one.get_fillstyle(), str(one._unscaled_dash_pattern)) for one in lines),  # type: ignore[attr-defined]
        *(str(one.get_linestyle()) for one in steps),
        *(one.patches[0].get_hatch() for one in bars),  # type: ignore[attr-defined]
    ]
    assert len(looks) == len(set(looks)) == count


def test_what_is_not_there_is_not_offered(subject: Subject) -> None:
    assert [one.key for one in offered(Subject())] == ["discount", "f1-mcc"]
    everything = {one.key for one in offered(subject)}
    assert everything == set(FIGURES)
    assert "threshold" not in {one.key for one in offered(dataclasses.replace(subject, measure="nDCG@10"))}


def test_one_system_cannot_be_compared(subject: Subject) -> None:
    result = subject.evaluated
    alone = dataclasses.replace(
        result, systems=result.systems[:1], scores=result.scores[:1], counted=result.counted[:1]
    )
    keys = {one.key for one in offered(Subject(result=alone))}
    assert keys.isdisjoint({"scatter", "difference", "critical"})


def test_the_difference_shows_the_second_minus_the_first(subject: Subject) -> None:
    (marks,) = FIGURES["difference"].draw(subject, LIGHT).marks
    result = subject.evaluated
    expected = np.sort(result.of("<gamma>", "P@5") - result.of("alpha", "P@5"))
    assert marks.y == pytest.approx(expected)
    assert set(marks.queries) == set(result.query_ids)


def test_a_query_without_a_value_has_no_bar(subject: Subject) -> None:
    (marks,) = FIGURES["per-query"].draw(dataclasses.replace(subject, measure="nDCG@10"), LIGHT).marks
    assert "q0" not in marks.queries


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.key)
def test_a_system_without_any_value_leaves_no_figure_undrawn(kind: FigureKind, asked: Asked) -> None:
    subject = asked(kind)
    scores = subject.evaluated.scores.copy()
    scores[0] = np.nan
    result = dataclasses.replace(subject.evaluated, scores=scores)
    drawn = kind.draw(dataclasses.replace(subject, result=result), LIGHT)
    for marks in drawn.marks:
        seen = ~np.isnan(marks.x + marks.y)
        assert not any("nan" in label for label in np.array(marks.labels)[seen])


def test_the_cutoff_figure_shows_the_means(asked: Asked) -> None:
    subject = asked(FIGURES["cutoff"])
    assert subject.more is not None
    marks = FIGURES["cutoff"].draw(subject, LIGHT).marks
    assert marks[0].y[0] == subject.more.mean("alpha", "P@1")
    assert marks[2].y[-1] == subject.more.mean("<gamma>", "P@100")


@pytest.mark.parametrize(
    "name", ["AP", "AP(norm='min')@5", "P(rel=4,norm='retrieved')@7", "RBP(p=0.5,max_rel=2,rel=2)@3"]
)
def test_the_sweep_and_the_cutoffs_keep_the_other_parameters(name: str) -> None:
    chosen = parse(name)
    sweep, cutoffs = FIGURES["threshold"].asks, FIGURES["cutoff"].asks
    assert sweep is not None
    assert cutoffs is not None
    for default in (1, 3):
        levels = [chosen.with_parameters(rel=rel) for rel in range(1, 6)]
        assert [parse(one, rel=default) for one in sweep(name)] == levels
    assert [parse(one) for one in cutoffs(name)] == [chosen.with_parameters(k) for k in CUTOFFS]


def test_the_tables_in_which_f1_deceives_are_seen_beside_the_others() -> None:
    (marks,) = FIGURES["f1-mcc"].draw(Subject(), LIGHT).marks
    positive = np.array([int(label.rpartition("\n")[2].partition("%")[0]) for label in marks.labels])
    deceived = (marks.y > 0.95) & (positive > 95)
    assert deceived.sum() == classification.f1_against_mcc().deceptive.sum() > 0
    assert np.abs(marks.x[deceived]).min() < 0.1, "F1 is nearly 1 where nothing was learnt"
    assert len(marks.x) < 2_000


def test_of_very_many_queries_a_thousand_bars_are_drawn_from_the_lowest_to_the_highest(
    subject: Subject,
) -> None:
    count = 2_500
    values = np.random.default_rng(1).permutation(np.linspace(-1, 1, count))
    result = dataclasses.replace(subject.evaluated, query_ids=tuple(f"q{at}" for at in range(count)))
    drawn = sorted_bars(Subject(result=result), LIGHT, values, "difference")
    (marks,) = drawn.marks
    assert len(marks.y) == 1_000
    assert (marks.y[0], marks.y[-1]) == (-1, 1)
    assert np.diff(marks.y).max() < 7 / (count - 1), "evenly: at most every third"
    assert marks.queries[0] == f"q{values.argmin()}"
    assert drawn.figure.axes[0].get_xlabel() == "2500 queries, sorted; 1000 of them drawn"


def test_one_query_is_not_called_queries(asked: Asked) -> None:
    labels = [
        text
        for marks in FIGURES["distribution"].draw(asked(FIGURES["distribution"]), LIGHT).marks
        for text in marks.labels
    ]
    assert any("\n1 query from " in text for text in labels)
    assert not any("\n1 queries" in text for text in labels)
