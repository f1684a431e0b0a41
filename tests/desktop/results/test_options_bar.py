"""The choices above a result: each menu and list changes one option and announces it once."""

from dataclasses import replace
from datetime import datetime

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QMenu
from pytestqt.qtbot import QtBot

from annotator.desktop.question import Ask
from annotator.desktop.results.options_bar import OptionsBar
from annotator.evaluation.grade_combination import RULE_NAMES
from annotator.evaluation.options import GoldMatch, Options
from annotator.project.views import AnnotatorView, Contents, SystemView
from annotator.text.normalisers import NORMALISERS, SENTENCES
from annotator.theme import LIGHT

CONTENTS = Contents(
    "p",
    queries=3,
    documents=0,
    answers=0,
    gold=0,
    pool=0,
    decided=0,
    systems=tuple(SystemView(at, name, "", 3, 9, 0) for at, name in enumerate(("a", "b", "c"))),
    annotators=(AnnotatorView("ann", "person", 5, 5), AnnotatorView("new", "person", 0, 0)),
    tags=("short", "long"),
)


@pytest.fixture
def bar(qtbot: QtBot) -> OptionsBar:
    bar = OptionsBar(Options(), LIGHT)
    qtbot.addWidget(bar)
    bar.show_contents(CONTENTS)
    return bar


def pick(bar: OptionsBar, menu: str, words: str, qtbot: QtBot) -> Options:
    """Open a menu, choose an entry, and return the options that were announced."""
    found: QMenu = getattr(bar, menu).menu()
    found.aboutToShow.emit()
    action = next(one for one in found.actions() if one.text() == words)
    with qtbot.waitSignal(bar.options_changed) as changed:
        action.trigger()
    options: Options = changed.args[0]
    return options


def test_systems_are_taken_out_and_put_back(bar: OptionsBar, qtbot: QtBot) -> None:
    assert pick(bar, "systems", "b", qtbot).systems == ("a", "c")
    assert bar.systems.text() == "2 systems"
    assert pick(bar, "systems", "b", qtbot).systems == (), "all of them are simply all"
    assert bar.systems.text() == "All systems"


def test_how_answers_are_compared_is_chosen_where_there_are_answers(bar: OptionsBar, qtbot: QtBot) -> None:
    assert bar.answers.isHidden()
    bar.show_contents(replace(CONTENTS, answers=4))
    assert not bar.answers.isHidden()
    bar.change(relevance=GoldMatch("f1", 0.5))
    for name in NORMALISERS[1:]:
        options = pick(bar, "answers", f"{name}: {SENTENCES[name]}", qtbot)
        assert (options.normaliser, options.relevance) == (name, GoldMatch("f1", 0.5, normaliser=name))
        assert bar.answers.text() == f"Answers: {name}"
        assert bar.source.currentText() == "Gold answers, token F1 from 0.5", "it is still what was chosen"
    bar.source.setCurrentIndex(1)
    bar.source.activated.emit(1)
    assert bar.options.relevance == GoldMatch(normaliser=NORMALISERS[-1])
    assert pick(bar, "answers", "Compare stems instead of words", qtbot).stemming


def test_whose_grades_count_is_read_to_its_end_also_of_people_who_come_later(bar: OptionsBar) -> None:
    bar.show()
    before = bar.people.sizeHint().width()
    name = "Wilhelmina of the northern reading room"
    bar.show_contents(
        replace(CONTENTS, annotators=(*CONTENTS.annotators, AnnotatorView(name, "person", 5, 5)))
    )
    needed = bar.people.fontMetrics().horizontalAdvance(f"Only {name}")
    assert bar.people.sizeHint().width() >= needed > before


def test_a_snapshot_or_a_date_is_evaluated_until_now_is_chosen_again(bar: OptionsBar, qtbot: QtBot) -> None:
    bar.show_contents(CONTENTS, ("after training",))
    friday = datetime(2026, 11, 20, 23, 59).astimezone()
    for typed, as_of, shown in (
        ("after training", "after training", "after training"),
        ("2026-11-20", friday.isoformat(" ", "minutes"), f"Fri 2026-11-20 23:59 {friday:%Z}"),
        ("next Friday", "next Friday", "next Friday"),
        ("now", "", "now"),
    ):
        bar.moment.click()
        (asking,) = bar.findChildren(Ask)
        assert isinstance(asking.field, QComboBox)
        assert [asking.field.itemText(at) for at in range(2)] == ["now", "after training"]
        asking.field.setCurrentText(typed)
        with qtbot.waitSignal(bar.options_changed, timeout=20_000):
            qtbot.keyClick(asking.field, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: bar.findChildren(Ask) == [], timeout=20_000)
        assert bar.options.as_of == as_of
        assert bar.moment.text() == f"As of {shown}"


def test_queries_are_narrowed_by_tag_and_by_how_far_they_are_judged(bar: OptionsBar, qtbot: QtBot) -> None:
    assert pick(bar, "queries", "Tagged long", qtbot).tags == ("long",)
    assert pick(bar, "queries", "Only fully judged to rank 10", qtbot).fully_judged_to == 10
    assert bar.queries.text() == "long · judged to 10"
    assert pick(bar, "queries", "Tagged long", qtbot).tags == ()


def test_ties_in_long_rankings_are_counted_for_who_asks(bar: OptionsBar, qtbot: QtBot) -> None:
    assert pick(bar, "queries", "Count ties in long rankings too", qtbot).count_ties
    assert not pick(bar, "queries", "Count ties in long rankings too", qtbot).count_ties


def test_only_who_graded_is_offered_alone(bar: OptionsBar, qtbot: QtBot) -> None:
    texts = [bar.people.itemText(at) for at in range(bar.people.count())]
    assert "Only ann" in texts
    assert "Only new" not in texts
    with qtbot.waitSignal(bar.options_changed) as changed:
        bar.people.setCurrentText("Only ann")
        bar.people.activated.emit(bar.people.currentIndex())
    assert changed.args[0].annotator == "ann"


def test_relevance_from_gold_answers_switches_the_annotators_off(bar: OptionsBar, qtbot: QtBot) -> None:
    with qtbot.waitSignal(bar.options_changed) as changed:
        bar.source.activated.emit(1)
    assert changed.args[0].relevance == GoldMatch()
    assert not bar.people.isEnabled()
    assert not bar.rel.isEnabled(), "it is a grade, and gold answers have none"


def test_showing_options_announces_nothing(bar: OptionsBar, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(bar.options_changed):
        bar.show_options(Options(rel=3, measures=("AP",)))
    assert bar.rel.currentText() == "Relevant from 3"
    assert bar.measures.text() == "AP…"


@pytest.mark.parametrize("second", [AnnotatorView("bo", "person", 2, 2), AnnotatorView("llm", "model", 2, 2)])
def test_the_rule_that_combines_annotators_is_offered_where_several_people_graded(
    bar: OptionsBar, second: AnnotatorView
) -> None:
    assert [bar.people.itemText(at) for at in range(bar.people.count())] == ["Everybody", "Only ann"]
    bar.show_contents(replace(CONTENTS, annotators=(*CONTENTS.annotators, second)))
    rules = RULE_NAMES if second.kind == "person" else {}
    offered = [bar.people.itemText(at) for at in range(bar.people.count())]
    assert len(offered) == max(len(rules), 1) + 2
    for at, text in enumerate(offered):
        alone = text.removeprefix("Only ") if text.startswith("Only ") else None
        for rule, words in RULE_NAMES.items():
            bar.show_options(Options(combine=rule, annotator=alone))
            assert (bar.people.currentText() == text) == (
                alone is not None or text.endswith(words) or not rules
            )
            bar.people.activated.emit(at)
            chosen = rule if alone or not rules else [*RULE_NAMES][at]
            assert (bar.options.annotator, bar.options.combine) == (alone, chosen), (
                "a rule is kept unless chosen"
            )
