"""Two-way tables as figures."""

import dataclasses
import math
from itertools import pairwise

import pytest

from annotator.figures.heatmaps import system_by_tag
from annotator.figures.subject import Subject
from annotator.theme import LIGHT


@pytest.mark.parametrize("count", [2, 5, 10, 24])
def test_no_name_of_a_tag_runs_into_the_next(subject: Subject, count: int) -> None:
    result = subject.evaluated
    tags = tuple((f"physics no {at % count:02}",) for at in range(len(result.query_ids)))
    figure = system_by_tag(
        dataclasses.replace(subject, result=dataclasses.replace(result, tags=tags)), LIGHT
    ).figure
    figure.draw_without_rendering()
    names = figure.axes[0].get_xticklabels()
    assert [one.get_text() for one in names] == [f"physics no {at:02}" for at in range(count)]
    for one, following in pairwise(names):
        angle = math.radians(one.get_rotation())
        apart = (following.get_window_extent().x1 - one.get_window_extent().x1) * math.sin(angle)
        beside = one.get_window_extent().x1 <= following.get_window_extent().x0
        assert beside or apart >= one.get_fontsize() * figure.dpi / 72
