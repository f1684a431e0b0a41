"""A researcher's day in the window, one thing after the other, each with the result that it reaches."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QTabWidget

from annotator.desktop.import_dialog import ImportDialog
from annotator.desktop.import_success import ImportSuccess
from annotator.desktop.pages import PAGES
from annotator.desktop.results.canvas import Canvas
from annotator.desktop.results.job_bar import JobBar
from annotator.desktop.results.measure_chooser import MeasureChooser
from annotator.desktop.safety.export_dialog import ExportDialog
from annotator.desktop.window import Window
from annotator.project import blindness, browse, data_import
from annotator.project.data_import import ImportChoices
from annotator.project.project import Project
from tests.desktop.building import make_project

ANNOTATORS = ("ann", "bob")

GRADES = "345"


class Step(NamedTuple):
    """Something to do once the step before is over; when it is over itself, its result is reached."""

    name: str
    act: Callable[[], object]
    reached: Callable[[], bool]


def at_rest(window: Window) -> bool:
    """Say whether nothing is under way of which the window shows the end; the welcome page always rests."""
    if window.stack.currentWidget() is window.welcome:
        return True
    bars, canvases = window.findChildren(JobBar), window.findChildren(Canvas)
    if window.session is None or not window.pages or any(one.busy for one in (*bars, *canvases)):
        return False
    flow: Any = window.pages[0]
    return bool(flow.flow.ready) or window.stack.currentWidget() is not flow


def judged_project(folder: Path, topics: int) -> Path:
    """Return a project of so many queries, three systems, and two people who graded all a bit apart."""
    path = make_project(folder, topics=topics, documents=10, systems=3)
    with Project.open(path, annotator=ANNOTATORS[0]) as project:
        for at, name in enumerate(ANNOTATORS):
            lines = [
                f"q{query} 0 d{query}-{rank} {max(5 - (rank * (query + at)) % 7, 0)}"
                for query in range(1, topics + 1)
                for rank in range(1, 11)
            ]
            file = folder / f"{name}.qrels"
            file.write_text("\n".join(lines) + "\n")
            data_import.run_import(
                project, data_import.plan_import(project, [file], ImportChoices(annotator=name))
            )
    return path


def run_of(folder: Path, topics: int) -> Path:
    """Return the file of another system's run."""
    lines = [
        f"q{query} Q0 d{query}-{(rank * 3) % 10 + 1} {rank} {20 - rank} late"
        for query in range(1, topics + 1)
        for rank in range(1, 11)
    ]
    (folder / "late.run").write_text("\n".join(lines) + "\n")
    return folder / "late.run"


def a_day(window: Window, path: Path, folder: Path, topics: int) -> Iterator[Step]:
    """Yield what a researcher does in the window; the next step is asked for once one is over."""
    yield Step("opening", partial(window.open_project, path), lambda: in_front(window, 0))
    session = window.session
    assert session is not None
    assert session.project is not None
    project = session.project
    yield Step(
        "showing all scores",
        lambda: session.do(blindness.unblind_all, window.spread),
        lambda: blindness.seen_queries(project)[1] == 0,
    )
    for number in (1, 2, 3, 4, 0, 1):
        again = " again" if number in window.pages else ""
        yield going_to(window, number, f"going to {PAGES[number].title}{again}")
    for number in (1, 2, 3):
        yield going_to(window, number, f"returning to {PAGES[number].title}")
        tabs: QTabWidget = window.pages[number].tabs  # type: ignore[attr-defined]
        for at in range(tabs.count()):
            if tabs.isTabVisible(at):
                look = partial(tabs.setCurrentIndex, at)
                yield Step(f"{PAGES[number].title}: {tabs.tabText(at)}", look, partial(looked_at, tabs, at))
    yield from evaluating(window)
    yield from handing_over(window, folder, topics)
    for number in (4, 2, 0):
        yield going_to(window, number, f"in front: {PAGES[number].title}")
        for name in ("larger", "theme"):
            looks = window.appearance.percent, window.appearance.theme.name
            yield Step(
                f"{PAGES[number].title}: {name}",
                window.commands[name].trigger,
                lambda before=looks: (window.appearance.percent, window.appearance.theme.name) != before,  # type: ignore[misc]
            )
    flow: Any = window.pages[0].flow  # type: ignore[attr-defined]
    here = slice(flow.position, flow.position + len(GRADES))

    def regrade() -> None:
        cards = window.pages[0].parts.cards  # type: ignore[attr-defined]
        for key, grade in zip((Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Down), GRADES, strict=True):
            QTest.keyClick(cards, key)  # what is judged is judged anew only where one goes
            QTest.keyClicks(cards, grade)

    yield Step(
        "grading",
        regrade,
        lambda: [str(one.judgment.grade) for one in flow.prepared.view.candidates[here]] == [*GRADES],
    )
    yield Step("closing the project", window.commands["close_project"].trigger, window.welcome.isVisible)


def evaluating(window: Window) -> Iterator[Step]:
    """Yield what is done on the Evaluate page."""
    page: Any = window.pages[1]
    yield going_to(window, 1, "returning to Evaluate")
    yield Step("Evaluate: figures", partial(page.tabs.look_at, "Figures"), page.figures.isVisible)
    canvas = page.figures.canvas
    for row in range(page.figures.kinds.count()):
        name = page.figures.kinds.item(row).text()
        draw = partial(page.figures.kinds.setCurrentRow, row)
        yield Step(f"figure: {name}", draw, lambda: canvas.drawn is not None)
    yield Step("Evaluate: queries", partial(page.tabs.look_at, "Queries"), page.queries.isVisible)
    grid = page.queries.map.grid

    def column(at: int) -> list[Any]:
        return [grid.cell(grid.index(row, at)) for row in range(grid.rowCount())]

    rivers = sum("rivers" in text for text in column(1))
    yield Step(
        "filtering",
        partial(QTest.keyClicks, page.queries.filter, "river"),
        lambda: grid.rowCount() == rivers > 0,
    )
    yield Step(
        "sorting",
        partial(page.queries.map.sortByColumn, 2, Qt.SortOrder.DescendingOrder),
        lambda: column(2) == sorted(column(2), reverse=True),
    )
    query = page.result.query_ids[0]
    yield Step(
        "why a score is what it is",
        partial(page.open_query, query),
        lambda: page.panel.isVisible() and page.panel.query == query,
    )
    yield Step(
        "the measure chooser", page.options.measures.click, partial(dialog_is_there, window, MeasureChooser)
    )
    yield leaving(window, "the measure chooser")
    first: Any = window.pages[0]
    yield Step(
        "searching",
        partial(first.search_for, "rivers"),
        lambda: len(first.flow.walk.order.keys) == rivers,
    )


def handing_over(window: Window, folder: Path, topics: int) -> Iterator[Step]:
    """Yield a report, an import and an export."""
    report: Any = window.pages[4]
    written = folder / "report.html"
    yield going_to(window, 4, "returning to Report")
    yield Step(
        "writing a report",
        lambda: report.write_to(written),
        lambda: written.exists() and "</html>" in written.read_text("utf-8"),
    )
    yield Step(
        "looking at a file",
        lambda: window.dialogs.import_files([run_of(folder, topics)]),
        lambda: [one.run.isEnabled() for one in window.findChildren(ImportDialog)] == [True],
    )
    yield Step(
        "importing",
        window.findChildren(ImportDialog)[0].run.click,
        lambda: "late" in [one.name for one in browse.contents(report.project).systems],
    )
    yield Step("what came in", lambda: None, lambda: dialog_is_there(window, ImportSuccess))
    yield leaving(window, "the import")
    yield Step(
        "the export dialog",
        window.commands["export_data"].trigger,
        lambda: (
            dialog_is_there(window, ExportDialog) and bool(window.findChildren(ExportDialog)[0].place.text())
        ),
    )
    export = window.findChildren(ExportDialog)[0]
    yield Step("exporting", export.run.click, Path(export.place.text()).exists)
    yield leaving(window, "the export")


def going_to(window: Window, number: int, name: str) -> Step:
    """Return the step of bringing a page to the front."""
    return Step(name, partial(window.stack.show_page, number), lambda: in_front(window, number))


def in_front(window: Window, number: int) -> bool:
    """Say whether a page is in front and shows something."""
    page: Any = window.pages.get(number)
    if page is None or window.stack.currentWidget() is not page:
        return False
    found = {0: "flow.prepared", 3: "found"}.get(number, "result")
    for name in found.split("."):
        page = getattr(page, name)
    return page is not None


def looked_at(tabs: QTabWidget, at: int) -> bool:
    """Say whether a tab is in front and holds something."""
    holder = tabs.widget(at)
    layout = holder.layout()
    return holder.isVisible() and layout is not None and layout.count() == 1


def dialog_is_there(window: Window, kind: type[QDialog]) -> bool:
    """Say whether a dialog stands over the window."""
    return any(one.isVisible() for one in window.findChildren(kind))


def leaving(window: Window, what: str) -> Step:
    """Return the step of closing what stands over the window, which then comes to the front."""

    def over_it() -> list[QDialog]:
        tops = QApplication.topLevelWidgets()
        return [one for one in tops if isinstance(one, QDialog) and one.isVisible()]

    def leave() -> None:
        for one in over_it():
            one.close()
        window.activateWindow()

    return Step(f"leaving {what}", leave, lambda: not over_it() and window.isActiveWindow())
