"""What a grade leads to: the rest of the batch, the next query, or the next candidate that is asked for."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from annotator.desktop.grade.page import GradePage
from annotator.desktop.grade.query_walk import BATCH, batch
from annotator.desktop.window import Window
from annotator.project import browse, judging
from annotator.project.project import Project
from annotator.project.views import Filters
from tests.desktop.building import make_project
from tests.desktop.conftest import PATIENCE, OpenWindow, heard
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
            verb(
                project,
                query,
                next(one.key for one in browse.query(project, query).candidates if one.id == name),
            )
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
        (Filters(order="disagreements"), lambda project, *pair: judging.set_grade(project, *pair, 0), "bo"),
        (Filters(states=("skipped",)), judging.skip, "ann"),
        (
            Filters(states=("flag",)),
            lambda project, *pair: judging.set_mark(project, *pair, "flag", True),
            "ann",
        ),
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
    do_to_asked(qtbot, window, lambda project, *pair: judging.set_grade(project, *pair, 4))
    found = gone_over(qtbot, page, Filters(order="my earlier ones"))
    assert sorted(found) == ASKED
    assert [query for query, _ in found] == [query for query, _ in ASKED]


@given(st.integers(1, 2_000))
def test_batches_hold_every_candidate_once_and_about_ten_each(count: int) -> None:
    batches = sorted({batch(at, count) for at in range(count)}, key=lambda one: one.start)
    assert [at for one in batches for at in one] == list(range(count))
    sizes = [len(one) for one in batches]
    assert max(sizes) - min(sizes) <= 1
    assert count < BATCH or all(BATCH * 2 / 3 < size < BATCH * 3 / 2 for size in sizes)


@pytest.mark.parametrize(
    ("order", "runs"),
    [("batches", [(1, 10), (2, 10), (1, 10), (2, 10)]), ("by query", [(1, 20), (2, 20)])],
)
def test_batches_take_turns_and_whole_queries_follow_each_other(
    qtbot: QtBot, open_window: OpenWindow, tmp_path: Path, order: str, runs: list[tuple[int, int]]
) -> None:
    window = open_window(make_project(tmp_path, topics=2, documents=20))
    page = window.pages[0]
    if order != "batches":
        page._filter(Filters(order=order))
    found: list[list[int]] = []
    for _ in range(40):
        qtbot.waitUntil(
            lambda: page.flow.ready and judged(page, page.flow.position) is None, timeout=PATIENCE
        )
        if not found or found[-1][0] != page.flow.query:
            found.append([page.flow.query, 0])
        found[-1][1] += 1
        qtbot.keyClicks(page.parts.cards, "3")
    assert [tuple(one) for one in found] == runs


def test_who_corrects_a_grade_of_an_earlier_batch_stays_with_the_query(
    qtbot: QtBot, open_window: OpenWindow, tmp_path: Path
) -> None:
    page = open_window(make_project(tmp_path, topics=2, documents=20)).pages[0]
    for at in range(10):
        qtbot.waitUntil(lambda: page.flow.ready and page.flow.position == at, timeout=PATIENCE)  # noqa: B023
        qtbot.keyClicks(page.parts.cards, "3")
    qtbot.waitUntil(lambda: page.flow.ready and page.flow.query == 2, timeout=PATIENCE)
    qtbot.keyClicks(page.parts.cards, "p")
    qtbot.waitUntil(lambda: page.flow.ready and page.flow.query == 1, timeout=PATIENCE)
    page.flow.move(-1)
    qtbot.keyClicks(page.parts.cards, "5")
    qtbot.waitUntil(lambda: page.flow.ready and judged(page, 9) == 5, timeout=PATIENCE)
    assert (page.flow.query, page.flow.position) == (1, 10)


def judged(page: GradePage, at: int) -> int | None:
    return page.flow.prepared.view.candidates[at].judgment.grade


def test_a_query_that_is_asked_for_is_shown_also_when_the_list_changes_meanwhile(
    qtbot: QtBot, page: GradePage
) -> None:
    walk = page.flow.walk
    other = walk.order.keys.tolist()[-1]
    assert page.flow.query != other
    walk.show(Filters(), other)
    walk.show(Filters(), walk.at)  # as after an import, or when another annotator takes over
    qtbot.waitUntil(lambda: page.flow.query == other and page.flow.ready, timeout=PATIENCE)
    first = walk.order.keys.tolist()[0]
    shown: list[object] = []
    walk.keys_shown.connect(shown.append)
    walk.show(Filters(), walk.at)
    page.flow.go(first)
    qtbot.waitUntil(lambda: bool(shown) and page.flow.query is not None, timeout=PATIENCE)
    qtbot.waitUntil(lambda: page.flow.query == first and page.flow.ready, timeout=PATIENCE)
    assert walk.at == first
