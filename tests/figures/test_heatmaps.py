"""Two-way tables as figures."""

import dataclasses
import math
from itertools import pairwise

import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgb, to_rgba

from annotator.figures.heatmaps import Number, system_by_tag
from annotator.figures.subject import Subject
from annotator.theme import LIGHT, THEMES, Theme
from tests.test_theme import READABLE, contrast


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


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_every_number_is_read_on_its_field(subject: Subject, theme: Theme) -> None:
    result = subject.evaluated
    told = dataclasses.replace(
        result,
        tags=tuple((f"tag {at % 5}",) for at in range(len(result.query_ids))),
        scores=np.broadcast_to(np.arange(len(result.query_ids)) % 5 / 4, result.scores.shape),
        counted=np.ones_like(result.counted),
    )
    axes = system_by_tag(dataclasses.replace(subject, result=told), theme).figure.axes[0]
    numbers = [one for one in axes.get_children() if isinstance(one, Number)]
    assert {one.get_text() for one in numbers} >= {"0.000", "0.500", "1.000"}
    for number, field in zip(numbers, axes.patches, strict=True):
        red, green, blue, share = to_rgba(field.get_facecolor())
        parts = zip((red, green, blue), to_rgb(theme.panel), strict=True)
        ground = to_hex([share * colour + (1 - share) * below for colour, below in parts])
        assert contrast(to_hex(number.get_color()), ground) >= READABLE
