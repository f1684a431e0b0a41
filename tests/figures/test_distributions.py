"""Distributions over queries: cumulated shares by brute force, and a panel for each of many systems."""

import dataclasses
import io

import numpy as np
import pytest
from matplotlib.axes import Axes

from annotator.evaluation.results import EvaluationResult
from annotator.figures.catalogue import FIGURES
from annotator.figures.distributions import BINS, FEW, MOST_STEPS, grade_distribution
from annotator.figures.fitting import fit
from annotator.figures.sheet import Heading
from annotator.figures.subject import Subject
from annotator.theme import LIGHT


def of_systems(result: EvaluationResult, count: int) -> EvaluationResult:
    """Return a result of so many systems over the same queries."""
    scores = np.random.default_rng(count).random((count, len(result.measures), len(result.query_ids)))
    return dataclasses.replace(
        result,
        systems=tuple(f"system {at}" for at in range(count)),
        scores=scores.round(1),  # so that many queries have the same
        counted=np.ones((count, len(result.query_ids)), dtype=bool),
    )


@pytest.mark.parametrize("count", [1, 3, 12])
def test_each_step_is_the_share_of_queries_that_score_at_most_so_much(
    result: EvaluationResult, count: int
) -> None:
    many = of_systems(result, count)
    many.scores[0, 0, :7] = np.nan
    drawn = FIGURES["ecdf"].draw(Subject(result=many, measure="nDCG@10"), LIGHT)
    assert len(drawn.marks) == count
    for system, marks in zip(many.systems, drawn.marks, strict=True):
        values = many.of(system, "nDCG@10")
        known = values[~np.isnan(values)].tolist()
        for value, share, query in zip(marks.x, marks.y, marks.queries, strict=True):
            assert value == values[many.query_ids.index(query)]
            assert share == sum(one <= value for one in known) / len(known)
        assert sorted(marks.x) == sorted(known)
        assert f"of {len(known)} queries score at most" in marks.labels[0]


def test_of_very_many_queries_so_many_steps_are_drawn_from_the_lowest_to_the_highest(
    result: EvaluationResult,
) -> None:
    count = 10_000
    values = np.random.default_rng(1).permutation(np.linspace(0, 1, count))
    large = dataclasses.replace(
        result,
        systems=("a",),
        scores=np.stack([values[None]] * len(result.measures), axis=1),
        counted=np.ones((1, count), dtype=bool),
        query_ids=tuple(f"q{at}" for at in range(count)),
        tags=(),
    )
    (marks,) = FIGURES["ecdf"].draw(Subject(result=large), LIGHT).marks
    assert len(marks.x) == MOST_STEPS
    assert (marks.x[0], marks.x[-1], marks.y[-1]) == (0, 1, 1)
    assert marks.y == pytest.approx((marks.x * (count - 1) + 1) / count)


def heading_of(axes: Axes) -> Heading:
    """Return the name above a panel."""
    (found,) = (one for one in axes.get_children() if isinstance(one, Heading))
    return found


@pytest.mark.parametrize("count", [FEW, FEW + 1, 5, 12])
def test_each_of_many_systems_has_a_panel_best_mean_first_and_all_have_one_scale(
    result: EvaluationResult, count: int
) -> None:
    many = of_systems(result, count)
    drawn = FIGURES["distribution"].draw(Subject(result=many, measure="nDCG@10"), LIGHT)
    assert len({id(marks.axes) for marks in drawn.marks}) == (1 if count <= FEW else count)
    named = [marks.labels[0].partition("\n")[0] for marks in drawn.marks]
    for name, marks in zip(named, drawn.marks, strict=True):
        counts, _ = np.histogram(many.of(name, "nDCG@10"), np.linspace(0, 1, BINS + 1))
        assert marks.y.tolist() == counts.tolist()
    if count > FEW:
        means = [many.mean(name, "nDCG@10") for name in named]
        assert means == sorted(means, reverse=True)
        drawn.figure.savefig(io.BytesIO(), format="png")
        assert [heading_of(marks.axes).get_text() for marks in drawn.marks] == named
        assert len({(marks.axes.get_xlim(), marks.axes.get_ylim()) for marks in drawn.marks}) == 1
        assert {axes.get_visible() and axes.axison for axes in drawn.figure.axes[count:]} <= {False}


@pytest.mark.parametrize("key", ["distribution", "difficulty"])
@pytest.mark.parametrize("inches", [3.3, 14.0])
def test_a_name_above_a_panel_is_cut_to_its_width_and_to_no_less(
    result: EvaluationResult, key: str, inches: float
) -> None:
    many = of_systems(result, 4)
    long = dataclasses.replace(
        many, systems=tuple(f"a_{name}_that $is$ called at length" for name in many.systems)
    )
    drawn = FIGURES[key].draw(Subject(result=long, measure="nDCG@10"), LIGHT)
    drawn.figure.set_size_inches(inches, 2.4)
    drawn.figure.savefig(io.BytesIO(), format="png")
    for marks in drawn.marks:
        heading, name = heading_of(marks.axes), marks.labels[0].splitlines()[key == "difficulty"]
        whole = name.partition(":")[0]
        assert heading.get_window_extent().width <= marks.axes.bbox.width
        assert whole.startswith(heading.get_text().removesuffix("…"))
        assert heading.get_text() == whole or (inches < 4 and len(heading.get_text()) > 4)


@pytest.mark.parametrize("key", ["distribution", "per-query", "time", "grades", "intervals", "tags"])
def test_what_belongs_to_a_mark_lies_around_it(subject: Subject, key: str) -> None:
    for marks in FIGURES[key].draw(subject, LIGHT).marks:
        assert marks.boxes is not None
        left, bottom, right, top = marks.boxes.T
        known = ~np.isnan(marks.x + marks.y)
        inside = (left <= marks.x) & (marks.x <= right) & (bottom <= marks.y) & (marks.y <= top)
        assert inside[known].all()
        assert ((left < right) & (bottom < top)).all()


def test_each_tick_says_the_share_at_which_it_stands(subject: Subject) -> None:
    counts = {"ann": [10, 10, 10, 10, 9, 8]}  # 17.5% at most: ticks at halves of a percent
    drawn = grade_distribution(dataclasses.replace(subject, grade_counts=counts), LIGHT)
    drawn.figure.draw_without_rendering()
    axis = drawn.figure.axes[0].yaxis
    said = [float(one.get_text().removesuffix("%")) / 100 for one in axis.get_ticklabels()]
    np.testing.assert_allclose(said, axis.get_ticklocs(), atol=1e-9)
    assert 0.175 in said


def test_the_name_of_an_axis_ends_below_the_legend_of_a_low_figure(subject: Subject) -> None:
    counts = {name: [30, 5, 3, 2, 1, 4] for name in ("ann", "bob")}
    figure = grade_distribution(dataclasses.replace(subject, grade_counts=counts), LIGHT).figure
    figure.set_size_inches(4, 1.9)
    fit(figure)
    figure.draw_without_rendering()
    (told,) = figure.legends
    assert figure.axes[0].yaxis.label.get_window_extent().y1 <= told.get_window_extent().y0


def test_no_name_in_the_title_of_an_axis_is_broken_where_a_line_has_room_for_it(
    result: EvaluationResult,
) -> None:
    names = dataclasses.replace(result, systems=("full-text", "title-match", "hybrid"))
    subject = Subject(result=names, measure="nDCG@10", pair=("title-match", "full-text"))
    figure = FIGURES["difference"].draw(subject, LIGHT).figure
    figure.set_size_inches(5, 2.6)
    fit(figure)
    title = figure.axes[0].yaxis.label.get_text()
    assert "\n" in title
    assert {"full-text", "title-match"} <= set(title.split())
