"""What the Agreement page tells of annotators and themselves."""

from pytestqt.qtbot import QtBot

from annotator.desktop.agreement.again_tab import AgainTab
from annotator.desktop.agreement.page import AgreementPage
from annotator.desktop.window import Window
from annotator.project import browse, judging, self_agreement
from annotator.project.project import Project
from tests.desktop.graded import PATIENCE, grade_queries


def opened(window: Window, qtbot: QtBot) -> AgainTab:
    window.stack.show_page(3)
    page = window.pages[3]
    assert isinstance(page, AgreementPage)
    qtbot.waitUntil(lambda: page.found is not None and not page.job.busy, timeout=PATIENCE)
    page.tabs.look_at("Each annotator")
    return page.again


def test_while_nobody_was_asked_again_the_page_says_where_to_ask_for_it(window: Window, qtbot: QtBot) -> None:
    grade_queries(window, qtbot, (1,))
    tab = opened(window, qtbot)
    assert tab.message.isVisible()
    assert not any(grid.isVisible() for grid in tab.grids.values())


def test_agreement_with_oneself_and_the_shift_by_unblinding_are_shown(window: Window, qtbot: QtBot) -> None:
    grade_queries(window, qtbot, (1,))
    done: list[bool] = []

    def more() -> bool:
        project: Project = window.session.project
        first, second = browse.query(project, 1).candidates[:2]
        self_agreement.grade_again(project, 1, first.key, 4)
        judging.set_grade(project, 1, second.key, 5)  # the query is complete: no longer blind
        return True

    window.session.worker.submit(window, more, done.append)
    qtbot.waitUntil(lambda: bool(done), timeout=PATIENCE)
    tab = opened(window, qtbot)
    assert not tab.message.isVisible()
    selves, shifts = (tab.grids[key].grid.table for key in ("agreement", "blind-shift"))
    assert [column.title for column in selves.columns] == ["Coefficient", "ann – asked again, 1 of 30 items"]
    assert selves.rows[0] == ("Same grade", None), "that there are too few is said once, above"
    assert shifts.rows[0][0] == "ann"
    seen = {key: grid for key, grid in tab.grids.items() if grid.isVisible()}
    assert [*seen] == ["agreement", "blind-shift"]
    for grid in seen.values():
        qtbot.waitUntil(lambda grid=grid: grid.height() == grid.height_of(grid.grid.rowCount()))
        assert grid.verticalScrollBar().maximum() == 0, "each is as high as its rows"


def test_leniency_beside_the_others_is_shown_of_whom_may_be_seen(window: Window, qtbot: QtBot) -> None:
    grade_queries(window, qtbot, (1, 2, 3), annotator="bob")
    grade_queries(window, qtbot, (1, 2, 3))
    tab = opened(window, qtbot)
    assert tab.grids["leniency"].isVisible()
    assert [row[0] for row in tab.grids["leniency"].grid.table.rows] == ["ann beside bob"]
