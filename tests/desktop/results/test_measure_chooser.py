"""The dialog of measures: found by words, explained, added by any name, refused with a suggestion."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from annotator.desktop.preferences import Settings
from annotator.desktop.results.formula import FormulaLabel
from annotator.desktop.results.measure_chooser import NOTHING_FOUND, MeasureChooser, example
from annotator.metrics.catalogue import CATALOGUE, PRESETS, parse
from annotator.theme import DARK, LIGHT


@pytest.fixture
def chooser(qtbot: QtBot) -> MeasureChooser:
    chooser = MeasureChooser(("nDCG@10",), LIGHT, Settings())
    qtbot.addWidget(chooser)
    return chooser


@pytest.mark.parametrize("declaration", CATALOGUE, ids=lambda one: one.key)
def test_the_suggested_name_of_every_measure_is_one(declaration: object) -> None:
    assert parse(example(declaration))  # type: ignore[arg-type]


def test_any_name_is_understood_and_written_as_we_write_it(chooser: MeasureChooser, qtbot: QtBot) -> None:
    chooser.name.setText("ndcg_cut_5")
    qtbot.keyClick(chooser.name, Qt.Key.Key_Return)
    assert chooser.measures() == ("nDCG@10", "nDCG@5")


def test_an_unknown_name_is_refused_with_a_suggestion(chooser: MeasureChooser, qtbot: QtBot) -> None:
    chooser.name.setText("nDGC@10")
    qtbot.mouseClick(chooser.add, Qt.MouseButton.LeftButton)
    assert "nDCG" in chooser.wrong.text()
    assert chooser.measures() == ("nDCG@10",)


def test_a_measure_is_not_added_twice(chooser: MeasureChooser, qtbot: QtBot) -> None:
    chooser.name.setText("nDCG@10")
    qtbot.mouseClick(chooser.add, Qt.MouseButton.LeftButton)
    assert chooser.measures() == ("nDCG@10",)


def take(chooser: MeasureChooser, words: str) -> None:
    """Open the menu of presets and choose an entry."""
    chooser.presets.aboutToShow.emit()
    next(one for one in chooser.presets.actions() if one.text() == words).trigger()


def test_a_preset_adds_its_measures(chooser: MeasureChooser) -> None:
    take(chooser, f"graded ({len(PRESETS['graded'])})")
    assert set(chooser.measures()) >= {parse(name).name for name in PRESETS["graded"]}


def test_the_chosen_ones_are_kept_as_a_preset_of_my_own(chooser: MeasureChooser, qtbot: QtBot) -> None:
    take(chooser, "Keep the chosen ones as my own")
    chooser.name.setText("P(rel=3)@7")
    chooser.add.click()
    take(chooser, "Keep the chosen ones as my own")
    later = MeasureChooser(("RR",), LIGHT, Settings())
    qtbot.addWidget(later)
    take(later, "my own (2)")
    assert later.measures() == ("RR", "nDCG@10", "P(rel=3)@7")


def test_the_search_hides_what_does_not_mention_the_words(chooser: MeasureChooser, qtbot: QtBot) -> None:
    qtbot.keyClicks(chooser.search, "reciprocal")
    shown = [item.text(0) for item in chooser._items() if not item.isHidden()]
    assert any(text.startswith("RR") for text in shown)
    assert not any(text.startswith("P ") for text in shown)
    qtbot.keyClicks(chooser.search, " of nothing")
    assert chooser.wrong.text() == NOTHING_FOUND
    assert chooser.card.isHidden()
    chooser.search.clear()
    assert not chooser.card.isHidden()
    assert not chooser.wrong.text()
    texts = [item.text(0) for item in chooser._items()]
    assert {"AP   Average precision", "F1", "Success"} <= set(texts), "a title like the name is not repeated"


def test_ok_announces_the_choice_and_an_empty_one_is_not_taken(chooser: MeasureChooser, qtbot: QtBot) -> None:
    with qtbot.waitSignal(chooser.measures_chosen) as chosen:
        chooser.accept()
    assert chosen.args == [("nDCG@10",)]
    chooser.chosen.clear()
    with qtbot.assertNotEmitted(chooser.measures_chosen):
        chooser.accept()
    assert "at least one" in chooser.wrong.text()


def test_a_formula_can_be_read_in_the_theme_that_comes_while_the_dialog_is_open(
    chooser: MeasureChooser,
) -> None:
    (formula,) = chooser.findChildren(FormulaLabel)
    for theme in (LIGHT, DARK):
        chooser.theme_changed(theme)
        image, ink = formula.grab().toImage(), QColor(theme.text)
        across, down = range(image.width()), range(image.height())
        assert any(image.pixelColor(x, y) == ink for x in across for y in down), theme.name
