"""What is remembered may be anything, for anybody can write into the file: the window starts as usual."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from annotator.desktop import log, preferences
from annotator.desktop.preferences import Settings
from annotator.desktop.results.evaluated_page import EvaluatedPage
from tests.desktop.conftest import OpenWindow

OF_USER = ("keys", "theme", "text_percent", "window", "recent", "own_measures")
OF_PROJECT = (
    "annotator",
    "after",
    "name",
    "day",
    "decided",
    "pool",
    "beside",
    "compare",
    "drafts",
    "evaluate",
)
OF_PROJECT += ("evaluate", "filters", "query", "grade_panels")
INSIDE = ("states", "grades", "tags", "order", "assigned", "measures", "systems", "queries", "rel", "depth")
INSIDE += ("test", "alpha", "baseline", "next_query", "undo")
single = st.sampled_from((None, True, -1, 10**30, 1.5, "", "x", "\0", "q1"))
several = st.lists(single, max_size=2)
odd = st.one_of(single, several, st.dictionaries(st.sampled_from(INSIDE), st.one_of(single, several)))


@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.fixed_dictionaries(dict.fromkeys((*OF_USER, *OF_PROJECT), odd)))
def test_whatever_is_remembered_the_window_opens_and_every_page_shows(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path, kept: dict[str, object]
) -> None:
    remembered = Settings()
    for name in OF_USER:
        remembered.set(name, kept[name])  # type: ignore[arg-type]
    for name in OF_PROJECT:
        remembered.of(project_path).set(name, kept[name])  # type: ignore[arg-type]
    remembered.recent_projects()
    window = open_window(project_path)
    for number in range(len(window.pages)):
        window.stack.show_page(number)
        front = window.pages[number]
        if isinstance(front, EvaluatedPage):
            qtbot.waitUntil(lambda page=front: not page.job.isVisible(), timeout=20_000)  # type: ignore[misc]
    window.close()


@pytest.mark.parametrize("text", ["5", "[5]", "null", "{", "[" * 100_000, '"x"'], ids=lambda text: text[:5])
def test_a_value_of_another_type_is_the_usual_one_and_the_log_says_so_once(text: str) -> None:
    preferences._say_once.cache_clear()
    remembered = Settings()
    remembered._store.setValue("keys", text)
    assert [Settings().get("keys", dict[str, object]()) for _ in range(3)] == [{}] * 3
    assert log.place().read_text("utf-8").count("'keys' is no dict; the usual is taken") == 1
    remembered._store.setValue("recent", json.dumps([5, "a"]))
    assert Settings().recent() == []


@pytest.mark.parametrize(("percent", "theme"), [(-1, "x"), (99, ""), (10**30, "light")])
def test_a_size_or_theme_that_is_not_there_is_the_usual_one(
    open_window: OpenWindow, percent: int, theme: str
) -> None:
    Settings().set("text_percent", percent)
    Settings().set("theme", theme)
    appearance = open_window().appearance
    assert appearance.percent == 100
    assert appearance.choice == (theme if theme == "light" else "system")
    appearance.choose("light", 100)
