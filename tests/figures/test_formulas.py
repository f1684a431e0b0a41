"""Formulas as outlines."""

import pytest

from annotator.figures.formulas import formula_path, formula_svg
from annotator.metrics.catalogue import CATALOGUE
from annotator.metrics.measures import Declaration


@pytest.mark.parametrize("declaration", CATALOGUE, ids=lambda one: one.key)
def test_every_formula_of_the_catalogue_can_be_drawn(declaration: Declaration) -> None:
    assert len(formula_path(declaration.formula).vertices)


def test_a_formula_carries_its_tex_for_a_screen_reader() -> None:
    svg = formula_svg(r"\frac{a}{b} < c")
    assert 'aria-label="\\frac{a}{b} &lt; c"' in svg
    assert svg == formula_svg(r"\frac{a}{b} < c")


def test_what_is_no_formula_is_refused() -> None:
    with pytest.raises(ValueError):
        formula_path(r"\frac{a")
