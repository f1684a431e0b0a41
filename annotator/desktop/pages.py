"""The pages of the bar at the left: one list, each loaded when it is first shown."""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from annotator.desktop.theme_change import catch_up
from annotator.theme import Theme

if TYPE_CHECKING:
    from annotator.desktop.actions import Actions
    from annotator.desktop.preferences import ProjectSettings
    from annotator.desktop.worker import Worker
    from annotator.evaluation.options import ComparisonChoice, Options
    from annotator.project.project import Project
    from annotator.project.views import Change, Contents, Filters


class Choices:
    """What somebody chose to evaluate and compare since the project was opened: the same on every page."""

    def __init__(self) -> None:
        self.options: Options | None = None
        self.comparison: ComparisonChoice | None = None
        self.pair: tuple[str, ...] = ()
        """The two systems that were looked at last."""


class Surroundings(NamedTuple):
    """What a page works with: the open project (verbs run through `worker`), keys, remembered choices."""

    project: "Project"
    worker: "Worker"
    actions: "Actions"
    settings: "ProjectSettings"
    theme: Theme
    choices: Choices


class Page(QWidget):
    """One page of the window. It announces wishes and changes; the window passes them on.

    `changed(Change)` is what a verb of this page returned; every page then gets `project_changed`.
    `query_wanted(key)` asks for a query on the Grade page, `candidate_wanted(query, candidate)` for one of
    its candidates. `said(text)` is a line for the status bar, `keys_are(name)` what its keys are for now.
    """

    changed = Signal(object)
    query_wanted = Signal(int)
    candidate_wanted = Signal(int, int)
    said = Signal(str)
    keys_are = Signal(str)

    def __init__(self, surroundings: Surroundings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.keys = ""
        """What its keys are for now, empty for what they usually are."""
        self.surroundings = surroundings
        self.project = surroundings.project
        self.worker = surroundings.worker
        self.theme = surroundings.theme
        self.typing: QWidget | None = None
        """The field that had the keys when another page came to the front."""
        self._next_theme: Theme | None = None

    def do(self, verb: "Callable[[Project], Any]", done: Callable[[Any], object]) -> None:
        """Run a verb of the project after what was asked for before it, on this page too."""
        self.worker.submit(self, partial(verb, self.project), done)

    def keys_become(self, name: str) -> None:
        """Say in the status bar, now or when this is in front, what the keys are for."""
        if name != self.keys:
            self.keys = name
            if self.isVisible():
                self.keys_are.emit(name)

    def shown(self) -> None:
        """Come to the front: refresh what went stale behind."""

    def project_changed(self, change: "Change") -> None:
        """Take in what a verb changed, on this page or another."""

    def counted(self, contents: "Contents") -> None:
        """Take in what the project holds, after opening and after every import."""

    def follow(self, theme: Theme) -> None:
        """Take another theme or text size: at once in front, otherwise when next shown."""
        self._next_theme = theme
        if self.isVisible():
            self._take_look()

    def showEvent(self, event: QShowEvent) -> None:
        """Look as the others do."""
        super().showEvent(event)
        self._take_look()

    def _take_look(self) -> None:
        if self._next_theme is not None:
            theme, self._next_theme = self._next_theme, None
            catch_up([self])
            self.theme_changed(theme)

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size, open dialogs too."""
        from annotator.desktop.dialog import Dialog

        self.theme = theme
        for dialog in self.findChildren(Dialog):
            dialog.theme_changed(theme)

    def search(self) -> bool:
        """Ctrl+F: search in what this page shows; False leaves it to the window's search field."""
        return False

    def save_shown(self) -> None:
        """Save the table or figure that has the keys as a file."""
        self.said.emit("Judgments are saved as they are given; this page has no table and no figure to save.")

    def search_for(self, text: str) -> None:
        """Show only the queries in which this text is found."""

    def show_filtered(self, filters: "Filters") -> None:
        """Show only what these filters let through."""

    def show_query(self, key: int, candidate: int | None = None) -> None:
        """Show one query, with a candidate in front."""

    def leave(self) -> None:
        """The project is about to close: hand what is being typed to the worker, remember choices."""


class Entry(NamedTuple):
    """One button of the bar and where its page is defined."""

    name: str
    title: str
    module: str
    page: str

    @property
    def modules(self) -> list[str]:
        """The modules beside the page's, and its own last: loaded ahead, making the page takes less."""
        from pkgutil import iter_modules

        package = self.module.rpartition(".")[0]
        beside = (f"{package}.{one.name}" for one in iter_modules(import_module(package).__path__))
        return [*(name for name in beside if name != self.module), self.module]

    def load(self, surroundings: Surroundings, parent: QWidget) -> Page:
        """Import the page's module and make the page."""
        return cast(Page, getattr(import_module(self.module), self.page)(surroundings, parent))


PAGES = (
    Entry("grade", "Grade", "annotator.desktop.grade.page", "GradePage"),
    Entry("evaluate", "Evaluate", "annotator.desktop.evaluate.page", "EvaluatePage"),
    Entry("compare", "Compare", "annotator.desktop.compare.page", "ComparePage"),
    Entry("agreement", "Agreement", "annotator.desktop.agreement.page", "AgreementPage"),
    Entry("report", "Report", "annotator.desktop.report.page", "ReportPage"),
    Entry("prefer", "Prefer", "annotator.desktop.prefer.page", "PreferPage"),
)
"""In the order of the bar and of Ctrl+1 to Ctrl+6."""


class PageStack(QStackedWidget):
    """The pages of the open project, each made when it is first wanted; others stand in front without one.

    `in_front(number)` follows each page that is shown; `changed`, `said` and `keys_are` are the pages'.
    """

    in_front = Signal(int)
    changed = Signal(object)
    said = Signal(str)
    keys_are = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.pages: dict[int, Page] = {}
        self._surroundings: Surroundings | None = None

    def open(self, surroundings: Surroundings) -> None:
        """Make pages with these surroundings from now on."""
        self._surroundings = surroundings

    def show_page(self, number: int) -> None:
        """Bring a page to the front."""
        if self._surroundings is None:
            return
        if number not in self.pages:
            page = PAGES[number].load(self._surroundings, self)  # where it stays
            page.changed.connect(self.changed)
            page.said.connect(self.said)
            page.keys_are.connect(self.keys_are)
            page.query_wanted.connect(self.show_query)
            page.candidate_wanted.connect(self.show_query)
            self.pages[number] = page
            page.follow(self._surroundings.theme)
            self.addWidget(page)
        here, has = self.currentWidget(), self.window().focusWidget()
        if isinstance(here, Page) and here is not self.pages[number]:
            here.typing = has if here.isAncestorOf(has) and has.inherits("QLineEdit") else None
        self.setCurrentWidget(self.pages[number])
        self.setFocusProxy(self.pages[number])
        self.in_front.emit(number)
        self.pages[number].shown()

    def show_query(self, key: int, candidate: int | None = None) -> None:
        """Show a query on the Grade page, with a candidate in front."""
        self.show_page(0)
        self.pages[0].show_query(key, candidate)

    def search_for(self, text: str) -> None:
        """Show on the Grade page only the queries in which this text is found."""
        self.show_page(0)
        self.pages[0].search_for(text)

    def save_shown(self) -> None:
        """Save what has the keys on the page in front."""
        if isinstance(page := self.currentWidget(), Page):
            page.save_shown()

    def show_filtered(self, filters: "Filters") -> None:
        """Show on the Grade page only what these filters let through."""
        self.show_page(0)
        self.pages[0].show_filtered(filters)

    def hidden(self) -> list[Page]:
        """Return the pages that are not in sight, which take another look when they are shown."""
        return [page for page in self.pages.values() if not page.isVisible()]

    def follow(self, theme: Theme) -> None:
        """Let every page take another theme or text size."""
        if self._surroundings is not None:
            self._surroundings = self._surroundings._replace(theme=theme)
        for page in self.pages.values():
            page.follow(theme)

    def leave(self) -> None:
        """Let every page hand over what is being typed: the project is about to close."""
        for page in self.pages.values():
            page.leave()

    def clear(self) -> None:
        """Let the pages go: the project is closed."""
        for page in sorted(self.pages.values(), key=QWidget.isVisible):  # else another came into sight
            self.removeWidget(page)
            page.deleteLater()
        self.pages.clear()
        self._surroundings = None
