"""Going over judged candidates again: the order or a filter says which, and each grade leads to the next."""

from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from annotator.desktop.grade.page import GradePage
from annotator.desktop.window import Window
from annotator.project.project import Project
from annotator.project.views import Filters
from tests.desktop.conftest import PATIENCE, heard
from tests.desktop.graded import grade_queries

ASKED = [(1, "d1-2"), (1, "d1-5"), (3, "d3-4")]
"""The candidates to go over, by query."""

Verb = Callable[[Project, int, int], object]


def do_to_asked(qtbot: QtBot, window: Window, verb: Verb, annotator: str = "ann") -> None:
    done: list[bool] = []

    def do() -> bool:
        project = window.session.project
        project.use_annotator(annotator)
        for query, name in ASKED:
            verb(project, query, next(one.key for one in project.query(query).candidates if one.id == name))
        project.use_annotator("ann")
        return True

    window.session.worker.submit(window, do, done.append)
    qtbot.waitUntil(lambda: bool(done), timeout=PATIENCE)


def gone_over(qtbot: QtBot, page: GradePage, filters: Filters) -> list[tuple[int, str]]:
    """Choose these filters and press 3 until the list ends; return what was in front each time."""
    ends: list[bool] = []
    seen: list[tuple[int, str]] = []

    def in_front() -> tuple[int, str]:
        view = page.flow.prepared.view
        return view.key, view.candidates[page.flow.position].id

    page._filter(filters)
    qtbot.waitUntil(
        lambda: page.flow.walk.order.keys.tolist() == [1, 3] and page.flow.ready, timeout=PATIENCE
    )
    page.flow.all_done.connect(lambda: ends.append(True))
    while not ends:
        seen.append(in_front())
        qtbot.keyClicks(page.parts.cards, "3")
        qtbot.waitUntil(lambda: bool(ends) or (page.flow.ready and in_front() not in seen), timeout=PATIENCE)
    return seen


@pytest.mark.parametrize(
    ("filters", "verb", "annotator"),
    [
        (Filters(order="disagreements"), lambda project, *pair: project.set_grade(*pair, 0), "bo"),
        (Filters(states=("skipped",)), lambda project, *pair: project.skip(*pair), "ann"),
        (Filters(states=("flagged",)), lambda project, *pair: project.set_flag(*pair, True), "ann"),
    ],
    ids=["disagreements", "skipped", "flagged"],
)
def test_each_grade_leads_to_the_next_candidate_that_is_asked_for(
    qtbot: QtBot, window: Window, page: GradePage, filters: Filters, verb: Verb, annotator: str
) -> None:
    grade_queries(window, qtbot, (1, 2, 3))
    grade_queries(window, qtbot, (1, 2, 3), "bo")
    do_to_asked(qtbot, window, verb, annotator)
    assert gone_over(qtbot, page, filters) == ASKED
    assert heard(window, "This is the end of the list")


def test_ones_own_earlier_candidates_come_alone(qtbot: QtBot, window: Window, page: GradePage) -> None:
    do_to_asked(qtbot, window, lambda project, *pair: project.set_grade(*pair, 4))
    found = gone_over(qtbot, page, Filters(order="my earlier ones"))
    assert sorted(found) == ASKED
    assert [query for query, _ in found] == [query for query, _ in ASKED]
