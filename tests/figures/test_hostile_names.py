"""No name breaks a figure: dollars are no formula, controls are marks, and each name has its place."""

import dataclasses

import pytest
from hypothesis import HealthCheck, given, settings
from matplotlib.backends.backend_agg import FigureCanvasAgg

from annotator.figures.catalogue import FIGURES
from annotator.figures.subject import Subject
from annotator.figures.svg import figure_svg
from annotator.theme import DARK
from tests.figures.conftest import result_of
from tests.hostile_names import WORST, acts, names

FEW = settings(max_examples=1, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


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
@FEW
@given(names, names)
def test_no_name_breaks_a_figure_or_acts_in_it(subject: Subject, key: str, first: str, second: str) -> None:
    kind = FIGURES[key]
    first, second = (f"{WORST}{first}", f"_{second}")
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
    if key in ("cutoff", "ecdf", "grades", "drift"):
        shown = [text.get_text() for legend in figure.legends for text in legend.get_texts()]
        assert any(text.lstrip("\u200b")[:1] == "_" for text in shown), "it stands in the legend"
