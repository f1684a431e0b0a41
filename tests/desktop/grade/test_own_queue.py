"""What is assigned is one's own queue: listed, counted, ended; nobody is kept from other queries."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from annotator.desktop.grade.between import ON, OWN_ON
from annotator.desktop.grade.page import GradePage
from annotator.desktop.preferences import Settings
from annotator.desktop.window import Window
from annotator.project import assignments, browse, judging, lead_role
from annotator.project.assignments import Terms
from annotator.project.project import Project
from tests.desktop.conftest import OpenWindow
from tests.desktop.grade.test_between import told
from tests.desktop.grade.test_grading_loop import press, wait_for


def assigned(path: Path, **shares: int) -> dict[str, list[int]]:
    """Assign three queries by numbers of queries; return the queries of each person."""
    with Project.open(path, annotator="di") as project:
        lead_role.take(project)
        ground = assignments.ground(project)
        planned = assignments.deal_out(ground, Terms(shares, seed=4, numbers=True))
        assignments.assign(project, planned)
        return {
            name: [browse.key_of(project, query) for query, names in planned.people.items() if name in names]
            for name in shares
        }


def chips(page: GradePage) -> dict[str, QPushButton]:
    """Return the chips of what is chosen by their words."""
    bar = page.parts.filter_bar
    found = {one.text().removesuffix("  ×"): one for one in bar.findChildren(QPushButton) if one.isVisible()}
    del found["Filter"]
    return found


def listed(page: GradePage) -> list[int]:
    return page.flow.walk.order.keys.tolist()


def progress(page: GradePage) -> str:
    return page.parts.filter_bar._progress.text()


@pytest.fixture
def queued(open_window: OpenWindow, project_path: Path) -> tuple[GradePage, dict[str, list[int]]]:
    """The Grade page of ann, to whom two of three queries are assigned, and who has which."""
    mine = assigned(project_path, ann=2, bo=1)
    page = open_window(project_path).pages[0]
    assert isinstance(page, GradePage)
    return page, mine


def test_a_project_opens_with_ones_own_queue_at_its_next_unjudged_candidate(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path
) -> None:
    mine = assigned(project_path, ann=2, bo=1)
    with Project.open(project_path, annotator="ann") as project:
        for query in {1, 2, 3} - {mine["ann"][1]}:
            for one in browse.query(project, query).candidates:
                judging.set_grade(project, query, one.key, 3)
    page = open_window(project_path).pages[0]
    wait_for(qtbot, lambda: page.flow.ready and page.flow.query == mine["ann"][1])
    assert listed(page) == sorted(mine["ann"])
    wait_for(qtbot, lambda: "Assigned to me" in chips(page))
    assert progress(page) == "6 of 12 done"


def test_progress_and_time_left_are_about_the_queue(
    qtbot: QtBot, queued: tuple[GradePage, dict[str, list[int]]]
) -> None:
    page, mine = queued
    wait_for(qtbot, lambda: page.flow.ready and "Assigned to me" in chips(page))
    assert progress(page) == "0 of 12 done"
    press(qtbot, page, "4")
    wait_for(qtbot, lambda: progress(page).startswith("1 of 12 done"))
    chips(page)["Assigned to me"].click()
    wait_for(qtbot, lambda: listed(page) == [1, 2, 3])
    assert progress(page).startswith("1 of 18 done")
    assert "Assigned to me" not in chips(page)
    page.show_query(*mine["bo"])
    wait_for(qtbot, lambda: page.flow.ready and page.flow.query in mine["bo"])
    press(qtbot, page, "3")
    wait_for(qtbot, lambda: progress(page).startswith("2 of 18 done"))
    page.parts.filter_bar._change(page.parts.filter_bar.begin_with_own())
    wait_for(qtbot, lambda: listed(page) == sorted(mine["ann"]))
    assert progress(page).startswith("1 of 12 done"), "bo's query is none of the queue"


def test_that_others_are_left_out_is_said_where_it_is_switched_off(
    qtbot: QtBot, queued: tuple[GradePage, dict[str, list[int]]]
) -> None:
    page, _ = queued
    wait_for(qtbot, lambda: "Assigned to me" in chips(page))
    assert chips(page)["Assigned to me"].toolTip() == (
        "12 candidates of 2 queries are assigned to you. All others stay open to you: click to list them too."
    )
    page.parts.filter_bar._fill_menu()
    offered = {one.text(): one.isChecked() for one in page.parts.filter_bar._menu.actions()}
    assert offered["Assigned to me"]


@pytest.mark.parametrize("click", [True, False])
def test_only_a_switch_by_hand_is_remembered(
    qtbot: QtBot,
    open_window: OpenWindow,
    project_path: Path,
    queued: tuple[GradePage, dict[str, list[int]]],
    click: bool,
) -> None:
    page, mine = queued
    wait_for(qtbot, lambda: page.flow.ready and "Assigned to me" in chips(page))
    if click:
        chips(page)["Assigned to me"].click()
    else:
        page.show_query(*mine["bo"])
    wait_for(qtbot, lambda: listed(page) == [1, 2, 3])
    for _ in range(2):  # the first window was asked who grades, the second was not
        page.window().close()
        page = open_window(project_path).pages[0]
        wait_for(qtbot, lambda page=page: page.flow.ready and bool(progress(page).strip("\u00a0")))
        assert listed(page) == ([1, 2, 3] if click else sorted(mine["ann"]))


def test_the_end_speaks_of_the_queue(qtbot: QtBot, queued: tuple[GradePage, dict[str, list[int]]]) -> None:
    page, mine = queued
    for _ in mine["ann"]:
        wait_for(qtbot, lambda: page.flow.ready)
        before = page.flow.query
        press(qtbot, page, *"543210")
        wait_for(qtbot, lambda before=before: page.flow.query != before or "queue" in told(page))
    wait_for(qtbot, lambda: "Your queue is done" in told(page))
    assert OWN_ON in told(page)
    assert ON not in told(page)
    assert Settings().of(page.project.path).get("decided", 0) == 0
    page.leave()
    assert Settings().of(page.project.path).get("decided", 0) == 12


def test_another_annotator_sees_their_own_queue(
    qtbot: QtBot, queued: tuple[GradePage, dict[str, list[int]]]
) -> None:
    page, mine = queued
    wait_for(qtbot, lambda: page.flow.ready and "Assigned to me" in chips(page))
    chips(page)["Assigned to me"].click()
    wait_for(qtbot, lambda: listed(page) == [1, 2, 3])
    for name, keys in (("bo", mine["bo"]), ("cy", [1, 2, 3]), ("ann", sorted(mine["ann"]))):
        page.window().dialogs._use_annotator(name)
        wait_for(qtbot, lambda keys=keys: page.flow.ready and listed(page) == keys)
        wait_for(qtbot, lambda name=name: ("Assigned to me" in chips(page)) == (name != "cy"))


def test_an_assignment_that_comes_or_goes_is_followed_at_once(
    qtbot: QtBot, window: Window, page: GradePage
) -> None:
    def assign(project: Project) -> object:
        lead_role.take(project)
        planned = assignments.deal_out(assignments.ground(project), Terms({"ann": 1}, numbers=True))
        return assignments.assign(project, planned)

    page.do(assign, window.spread)
    wait_for(qtbot, lambda: len(listed(page)) == 1 and page.flow.ready and "Assigned to me" in chips(page))
    assert page.flow.query == listed(page)[0]
    window.commands["undo"].trigger()
    wait_for(qtbot, lambda: listed(page) == [1, 2, 3] and not chips(page))
