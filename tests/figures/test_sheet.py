"""Letters of every script: drawn with what is installed, without a warning, and told where none has them."""

import io
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from matplotlib.text import Text

from annotator.figures import sheet
from annotator.figures.catalogue import FIGURES
from annotator.figures.paper import figure_file
from annotator.figures.subject import Subject
from annotator.figures.svg import figure_svg
from annotator.theme import DARK, LIGHT

PLAIN = "alpha", "βήτα", "Дельта é"
WIDE = "検索システム", "검색 시스템", "搜索引擎"


def named(subject: Subject, names: tuple[str, ...]) -> Subject:
    return replace(subject, result=replace(subject.evaluated, systems=names), pair=None)


def said(subject: Subject, key: str) -> int:
    """Return how often a figure that is drawn to its pixels says that letters are lacking."""
    figure = FIGURES[key].draw(subject, DARK).figure
    figure.savefig(io.BytesIO(), format="png")
    return sum(sheet.NO_LETTERS in one.get_text() for one in figure.findobj(Text) if isinstance(one, Text))


@pytest.mark.parametrize("key", ["intervals", "critical", "distribution", "scatter", "difficulty"])
def test_names_without_letters_warn_nobody_and_are_told_once(subject: Subject, key: str) -> None:
    assert said(named(subject, PLAIN), key) == 0
    known = set("".join(WIDE)) & {chr(one) for one in sheet._letters(sheet.FALLBACK_FONT)}
    installed = any(font in sheet._registered() for font in sheet.WIDE_FONTS)
    if not known and not installed:
        assert said(named(subject, WIDE), key) == 1
    assert figure_file(lambda theme: FIGURES[key].draw(named(subject, WIDE), theme), "pdf")
    svg = figure_svg(lambda theme: FIGURES[key].draw(named(subject, WIDE), theme), key, key)
    assert "検" in svg or key == "scatter", "a browser has fonts of its own"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(st.sampled_from("abé検索검색あ\U0001f600\n"), max_size=8))
def test_a_font_that_has_the_letters_is_chosen_and_no_other(
    monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    letters = {sheet.FALLBACK_FONT: "abé", sheet.WIDE_FONTS[2]: "検索あ", sheet.WIDE_FONTS[4]: "検索"}
    with monkeypatch.context() as patched:
        patched.setattr(sheet, "_registered", lambda: frozenset((*letters, sheet.LAST_RESORT)))
        patched.setattr(sheet, "_letters", lambda family: frozenset(map(ord, letters[family])))
        families, lacking = sheet.fonts_for(text, [sheet.FALLBACK_FONT])
    assert set(lacking) == set(text) - set("abé検索あ\n")
    wide = [sheet.WIDE_FONTS[2]] if set(text) & set("検索あ") else []
    assert families == [sheet.FALLBACK_FONT, *wide, *([sheet.LAST_RESORT] if lacking else [])]


def test_the_themes_draw_alike(subject: Subject) -> None:
    for theme in (LIGHT, DARK):
        drawn = FIGURES["intervals"].draw(named(subject, PLAIN), theme)
        labels = [one.get_text() for one in drawn.figure.axes[0].get_yticklabels()]
        assert labels == list(PLAIN)
