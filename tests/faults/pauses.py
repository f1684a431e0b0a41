"""How long the window looks at nobody: a heart that beats in its thread, and a day's work to beat through."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QTabWidget

from annotator.desktop.importing import ImportDialog
from annotator.desktop.pages import PAGES
from annotator.desktop.results.canvas import Canvas
from annotator.desktop.results.job_bar import JobBar
from annotator.desktop.safety.exporting import ExportDialog
from annotator.desktop.window import Window
from annotator.project.importing import ImportChoices
from annotator.project.project import Project
from tests.desktop.building import make_project

BEAT_MS = 5
ANNOTATORS = ("ann", "bob")

Clock = Callable[[], float]
Act = Callable[[], object]


class Heartbeat(QObject):
    """Beats whenever the window's thread is free for an event; `worst` is the most that passed in between.

    By the clock of that thread's processor time the load of the computer does not matter; by the wall clock
    waiting for another thread of the program counts too.
    """

    def __init__(self, clock: Clock = time.thread_time) -> None:
        super().__init__()
        self._clock = clock
        self.beats = 0
        self.start()
        self._timer = QTimer(self, interval=BEAT_MS)
        self._timer.timeout.connect(self._beat)
        self._timer.start()

    def start(self) -> None:
        """Forget what was."""
        self.worst = 0.0
        self._last = self._clock()

    def _beat(self) -> None:
        self.beats += 1
        self.worst = max(self.worst, self._clock() - self._last)
        self._last = self._clock()


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
            project.run_import(project.plan_import([file], ImportChoices(annotator=name)))
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


def a_day(window: Window, path: Path, folder: Path, topics: int) -> Iterator[tuple[str, Act]]:
    """Yield what a researcher does in the window, by name; each is to be done once the one before is over."""
    yield "opening", partial(window.open_project, path)
    session = window.session
    assert session is not None
    yield "showing all scores", lambda: session.do(lambda project: project.unblind_all(), window.spread)
    for number in (1, 2, 3, 4, 0, 1):
        again = " again" if number in window.pages else ""
        yield f"going to {PAGES[number].title}{again}", partial(window.stack.show_page, number)
    for number in (1, 2, 3):
        yield f"returning to {PAGES[number].title}", partial(window.stack.show_page, number)
        tabs: QTabWidget = window.pages[number].tabs  # type: ignore[attr-defined]
        for at in range(tabs.count()):
            if tabs.isTabVisible(at):
                yield f"{PAGES[number].title}: {tabs.tabText(at)}", partial(tabs.setCurrentIndex, at)
    yield from evaluating(window)
    yield from handing_over(window, folder, topics)
    for number in (4, 2, 0):
        yield f"in front: {PAGES[number].title}", partial(window.stack.show_page, number)
        for name in ("larger", "theme"):
            yield f"{PAGES[number].title}: {name}", window.commands[name].trigger
    yield "grading", partial(QTest.keyClicks, window.pages[0].parts.cards, "345")  # type: ignore[attr-defined]
    yield "closing the project", window.commands["close_project"].trigger


def evaluating(window: Window) -> Iterator[tuple[str, Act]]:
    """Yield what is done on the Evaluate page."""
    page: Any = window.pages[1]
    yield "returning to Evaluate", partial(window.stack.show_page, 1)
    yield "Evaluate: figures", partial(page.tabs.look_at, "Figures")
    for row in range(page.figures.kinds.count()):
        name = page.figures.kinds.item(row).text()
        yield f"figure: {name}", partial(page.figures.kinds.setCurrentRow, row)
    yield "Evaluate: queries", partial(page.tabs.look_at, "Queries")
    yield "filtering", partial(QTest.keyClicks, page.filter, "river")
    yield "sorting", partial(page.queries.sortByColumn, 2, Qt.SortOrder.DescendingOrder)
    yield "why a score is what it is", partial(page.open_query, page.result.query_ids[0])
    yield "the measure chooser", page.options.measures.click
    yield "leaving the measure chooser", close_dialogs
    yield "searching", partial(window.pages[0].search_for, "rivers")


def handing_over(window: Window, folder: Path, topics: int) -> Iterator[tuple[str, Act]]:
    """Yield a report, an import and an export."""
    report: Any = window.pages[4]
    yield "returning to Report", partial(window.stack.show_page, 4)
    yield "writing a report", lambda: report.write_to(folder / "report.html")
    yield "looking at a file", lambda: window.dialogs.import_files([run_of(folder, topics)])
    yield "importing", window.findChildren(ImportDialog)[0].run.click
    yield "leaving the import", close_dialogs
    yield "the export dialog", window.commands["export_data"].trigger
    yield "exporting", window.findChildren(ExportDialog)[0].run.click
    yield "leaving the export", close_dialogs


def close_dialogs() -> None:
    """Close what stands over the window."""
    for one in QApplication.topLevelWidgets():
        if isinstance(one, QDialog) and one.isVisible():
            one.close()
