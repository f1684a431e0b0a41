"""No name breaks a figure: dollars are no formula, controls are marks, and each name has its place."""

import dataclasses
import random
from collections.abc import Callable

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from annotator.figures.catalogue import FIGURES, FigureKind
from annotator.figures.subject import Subject
from annotator.figures.svg import figure_svg
from annotator.theme import DARK
from tests.figures.conftest import result_of
from tests.hostile_names import ACTING, ENDLESS, SIGNS, WORST, acts


def named(first: str, second: str) -> dict[str, object]:
    """Return what of a figure's subject bears a name, with these names."""
    return {
        "pair": (first, second),
        "grade_counts": {first: [3, 4, 5, 1, 2, 9], second: [3, 1, 5, 1, 2, 0]},
        "drifts": {first: [(5.5, 2.0, 10), (15.5, 3.5, 10)], second: [(5.5, 2.0, 9)]},
        "looks": {f"{first} - {second}": [(0, 0.0, -1.0, 1.0), (50, 0.2, -0.4, 0.7)]},
        "intervals_title": first,
    }


@pytest.mark.parametrize("key", FIGURES)
def test_no_name_breaks_a_figure_or_acts_in_it(
    subject: Subject, key: str, count: Callable[[int, int], int]
) -> None:
    chance = random.Random(key)
    for _ in range(count(1, 8)):
        odd = ("".join(chance.choices((*SIGNS, *ACTING), k=5)) for _ in range(2))
        first, second = (f"{name}{chance.choice(ENDLESS)}" for name in odd)
        draw_with(subject, FIGURES[key], f"{WORST}{first}", f"_{second}")


def draw_with(subject: Subject, kind: FigureKind, first: str, second: str) -> None:
    """Draw a figure in which everything that has a name has one of these."""
    assert subject.result is not None
    result = dataclasses.replace(
        subject.result,
        systems=(first, second, "third"),
        query_ids=(first, *subject.result.query_ids[1:]),
        tags=((first,), (second,), *subject.result.tags[2:]),
    )
    hostile = dataclasses.replace(subject, result=result, **named(first, second))
    if kind.asks is not None:
        more = dataclasses.replace(result_of(kind.asks(hostile.chosen_measure)), systems=result.systems)
        hostile = dataclasses.replace(hostile, more=more)
    drawn = figure_svg(lambda theme: kind.draw(hostile, theme), kind.key, kind.title)
    assert acts(drawn) == []
    figure = kind.draw(hostile, DARK).figure
    FigureCanvasAgg(figure).draw()
    assert min(one.bbox.height for one in figure.axes) > 50, "it has room beside its names"
    if kind.key in ("cutoff", "ecdf", "grades", "drift"):
        shown = [text.get_text() for legend in figure.legends for text in legend.get_texts()]
        assert any(text.lstrip("\u200b")[:1] == "_" for text in shown), "it stands in the legend"
