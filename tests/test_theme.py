"""Both themes can be read by everyone: contrast by WCAG, grade colours under simulated colour blindness."""

from itertools import combinations

import numpy as np
import pytest

from annotator.theme import THEMES, Theme

READABLE = 4.5
APART = 9.0
"""Smallest CIE76 distance of two grade colours; 2.3 can just be seen."""

SYSTEMS_APART = 15.0
"""The same of two systems' colours: lines are thin, and bear no digit."""

SIGHT = {
    "normal": np.eye(3),
    "protan": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "deutan": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
    "tritan": [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
}
"""Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB."""

TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])

themes = pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)


def linear(colour: str) -> np.ndarray:
    channels = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    high, low = sorted((float(linear(colour) @ TO_XYZ[1]) for colour in (one, other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def lab(rgb: np.ndarray) -> np.ndarray:
    ratio = np.clip(rgb, 0, 1) @ TO_XYZ.T / TO_XYZ.sum(axis=1)
    f = np.where(ratio > 0.008856, np.cbrt(ratio), 7.787 * ratio + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@themes
def test_every_text_colour_reads_on_everything_it_may_stand_on(theme: Theme) -> None:
    for ground in (theme.background, theme.panel, theme.raised, theme.soft):
        for text in (theme.text, theme.muted, theme.accent, theme.danger):
            assert contrast(text, ground) >= READABLE, (text, ground)
    assert contrast(theme.on_accent, theme.accent) >= READABLE


@themes
def test_the_digit_reads_on_every_grade_colour(theme: Theme) -> None:
    assert min(contrast(theme.on_grade, colour) for colour in theme.grades) >= READABLE


@themes
@pytest.mark.parametrize("sight", SIGHT)
def test_grade_colours_are_told_apart_by_colour_blind_eyes(theme: Theme, sight: str) -> None:
    seen = [lab(np.asarray(SIGHT[sight]) @ linear(colour)) for colour in theme.grades]
    assert min(float(np.linalg.norm(a - b)) for a, b in combinations(seen, 2)) >= APART


@themes
def test_lines_and_figures_stand_out_from_their_ground(theme: Theme) -> None:
    assert min(contrast(colour, theme.panel) for colour in (*theme.series, *theme.grades)) >= 3


@themes
@pytest.mark.parametrize("sight", SIGHT)
def test_the_colours_of_systems_are_told_apart_by_colour_blind_eyes(theme: Theme, sight: str) -> None:
    seen = [lab(np.asarray(SIGHT[sight]) @ linear(colour)) for colour in theme.series]
    assert min(float(np.linalg.norm(a - b)) for a, b in combinations(seen, 2)) >= SYSTEMS_APART
