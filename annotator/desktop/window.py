"""The window: it opens projects, hands out changes and shows one page at a time."""

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication, QPaintEvent
from PySide6.QtWidgets import QMainWindow, QWidget

from annotator.desktop.actions import BETWEEN, Actions, status_keys
from annotator.desktop.bar import Bar
from annotator.desktop.display import HEADLESS
from annotator.desktop.elided import Elided
from annotator.desktop.file_drop import TakesFiles
from annotator.desktop.header import Header
from annotator.desktop.layouts import FLUSH, column, row, stops_here, tab_in_order
from annotator.desktop.pages import PAGES, Page, PageStack, Surroundings
from annotator.desktop.preferences import Settings
from annotator.desktop.project_dialogs import ProjectDialogs
from annotator.desktop.safety.banner import Way
from annotator.desktop.safety.file_safety import Safety
from annotator.desktop.status_line import StatusLine
from annotator.desktop.style import Appearance
from annotator.desktop.team.ways import TeamWays
from annotator.desktop.welcome import Welcome
from annotator.desktop.window_size import USUAL, has_room
from annotator.errors import ProjectError
from annotator.places import SUFFIX
from annotator.text.templates import beginning, short
from annotator.text.visible import visible
from annotator.theme import STEPS, Theme

if TYPE_CHECKING:
    from annotator.desktop.messages import Message
    from annotator.desktop.safety.open_file import Opened, Prepare
    from annotator.desktop.session import Session
    from annotator.project.views import Change, Contents

SAID_MS, LETTER_MS = 4_000, 50
"""So long stands a line in the status bar, and so much longer for each letter."""

READ_MS = 1_000
"""So long it stands at least, also when what comes next says nothing."""

RECOUNTED = ("import", "system", "setting", "annotator", "lead", "assignment", "practice", "ready")
"""Kinds of changes after which what the project holds is counted anew."""


class Window(TakesFiles, QMainWindow):
    """The program's one window. `project_opened` comes when a project's first page is in front."""

    first_painted = Signal()
    project_opened = Signal()

    def __init__(self, appearance: Appearance, settings: Settings) -> None:
        super().__init__()
        self.setWindowTitle("Annotator")
        self.setAcceptDrops(True)
        self.appearance = appearance
        self.settings = settings
        self.commands = Actions(self, settings.get("keys", dict[str, object]()))
        self.dialogs = ProjectDialogs(settings, self.commands, lambda: appearance.theme, self)
        self.safety = Safety(self)
        self.session: Session | None = None
        self._painted = False
        self._front = ""
        self._said = QElapsedTimer()
        self._said.start()
        self._build(appearance.theme)
        self.team = TeamWays(self.commands, self.header, self)
        self._connect()
        self.resize(USUAL)
        if QGuiApplication.platformName() not in HEADLESS and not has_room(self.screen().availableSize()):
            self.setWindowState(Qt.WindowState.WindowMaximized)
        self.restoreGeometry(settings.get_bytes("window"))
        self.show_welcome()

    def _build(self, theme: Theme) -> None:
        whole = QWidget(self)
        self.bar = Bar(theme, whole)
        self.header = Header(self.commands, theme, whole)
        self.stack = PageStack(whole)
        self.pages = self.stack.pages
        self.welcome = Welcome(self.commands, theme, self.stack)
        self.stack.addWidget(self.welcome)
        right = column(self.header, self.safety.notice, (self.stack, 1), gap=0)
        row(self.bar, (right, 1), on=whole, around=FLUSH, gap=0)
        self.setCentralWidget(whole)
        self.keys = Elided("muted", self, BETWEEN)
        self.line = StatusLine(self)
        self.setStatusBar(self.line)
        self.statusBar().addWidget(self.keys, 1)
        # hidden by Qt alone, they would stand over a message when the text size changes
        self.statusBar().messageChanged.connect(
            lambda text: self.keys.setHidden(bool(text) or not self.session)
        )

    @cached_property
    def message(self) -> "Message":
        """What stands in the place of the pages while a project opens."""
        from annotator.desktop.messages import Message

        message = Message(self.stack)
        self.stack.addWidget(message)
        return message

    def _connect(self) -> None:
        self.appearance.waiting = self.stack.hidden
        self.appearance.changed.connect(self._theme_changed)
        self.bar.page_wanted.connect(self.stack.show_page)
        self.stack.in_front.connect(self._page_shown)
        self.stack.keys_are.connect(self._name_keys)
        self.header.searched.connect(self.stack.search_for)
        self.header.search_left.connect(self.stack.setFocus)
        self.welcome.project_chosen.connect(self.open_project)
        self.welcome.sample_chosen.connect(self.open_sample)
        self.dialogs.project_chosen.connect(self.open_project)
        self.dialogs.new_wanted.connect(self._make)
        self.dialogs.filters_wanted.connect(self.stack.show_filtered)
        self.team.project_chosen.connect(self.open_project)
        for part in (self.dialogs, self.safety, self.stack, self.team):
            part.changed.connect(self.spread)
        for teller in (self.safety, self.stack):
            teller.said.connect(self.say)
        self.safety.open_wanted.connect(self.open_made)
        self.safety.open_then_wanted.connect(self.open_made)
        self.safety.close_wanted.connect(self._back_to_welcome)
        self.safety.merged.connect(self.dialogs.tell_merged)
        calls: dict[str, Callable[[], object]] = {
            "undo": partial(self._step, "undo"),
            "redo": partial(self._step, "redo"),
            "find": self._find,
            "close_project": self._back_to_welcome,
            "save_copy": self.safety.save_copy,
            "backups": self.safety.show_backups,
            "export_data": self.safety.export,
            "merge": self.safety.merge,
            "export": partial(self.stack.show_page, [one.name for one in PAGES].index("report")),
            "save_shown": self.stack.save_shown,
            "tour": self.take_tour,
            "theme": self.appearance.switch,
            "larger": partial(self.appearance.resize_text, 1),
            "smaller": partial(self.appearance.resize_text, -1),
            "quit": self.close,
        }
        for number in range(len(PAGES)):
            calls[f"page_{number + 1}"] = partial(self.stack.show_page, number)
        for name, call in calls.items():
            self.commands.on(name, call)
        self.dialogs.answer()
        self.commands.keys_changed.connect(self._name_keys)

    def show_welcome(self, error: str = "", ways: Sequence[Way] = ()) -> None:
        """Show what to open, and why the last try failed, if it did, with the ways on from there."""
        self._show_no_project()
        self.welcome.show_recent(self.settings.recent_projects())
        self.welcome.show_error(error, ways)
        self.stack.setCurrentWidget(self.welcome)
        self.welcome.take_keys()

    def _show_no_project(self) -> None:
        for group in ("project", "grade"):
            self.commands.enable(group, False)
        self.bar.hide()
        self.keys.hide()
        self.header.show_nothing()
        self._align()

    def _align(self) -> None:
        self.line.begin_at(self.bar.wide + STEPS[2])

    def open_project(self, path: Path, then: Callable[[], object] = lambda: None) -> None:
        """Open a project file and call `then`; if another window has it, that one comes to the front."""
        from annotator.desktop import instance

        if self.session is not None and self.session.path == path.resolve():
            self.say(f"{path.name} is open already.")
            then()
        elif instance.raise_other(path):
            self.say(f"{path.name} is open already.")
        else:
            self.open_made(path.resolve, f"Opening {path.stem}…", then=then)

    def open_sample(self, name: str, then: Callable[[], object] = lambda: None) -> None:
        """Copy a sample into the user's folder and open the copy."""
        from annotator.desktop.session import copy_of_sample

        self.open_made(partial(copy_of_sample, name), "Preparing the sample…", then=then)

    def take_tour(self) -> None:
        """Teach on a copy of a sample."""
        from annotator.desktop.tour import SAMPLE, begin

        self.open_sample(SAMPLE, lambda: begin(self.pages[0], self.commands))

    def _make(self, path: Path, name: str, files: Sequence[Path]) -> None:
        from annotator.desktop.session import new_file

        prepare = partial(new_file, path, name, self.settings.annotator())
        self.open_made(prepare, f"Making {name}…", then=partial(self.dialogs.import_files, files))

    def open_made(
        self,
        prepare: "Prepare",
        meanwhile: str,
        read_only: bool = False,
        then: Callable[[], object] = lambda: None,
    ) -> None:
        """Open the file that `prepare` returns in the storage thread; say what takes so long.

        `then` is called when it is open and the user has said who grades.
        """
        from annotator.desktop.session import Session

        self.close_project()
        self.message.say(meanwhile)
        self.stack.setCurrentWidget(self.message)
        self.session = Session(self)
        self.session.opened.connect(lambda opened: self._opened(opened, then))
        self.session.refused.connect(self._refused)
        self.session.progressed.connect(partial(self.message.progress, cancel=self.session.cancel))
        self.session.failed.connect(self.failed)
        self.session.rung.connect(self.come_to_front)
        self.dialogs.session = self.safety.session = self.session
        self.session.open(prepare, lambda path: Settings().annotator(path), read_only)

    def _opened(self, opened: "Opened", then: Callable[[], object]) -> None:
        from annotator.desktop.session import FIRST_QUERY_MS

        session = self.session
        assert session is not None
        assert session.project is not None
        self.settings.opened(session.path)
        self.settings.grades(session.path, session.project.annotator)
        kept, theme = self.settings.of(session.path), self.appearance.theme
        shared = self.commands, kept, theme, session.choices
        self.stack.open(Surroundings(session.project, session.worker, *shared))
        self.setWindowTitle(f"{visible(short(opened.name))} – Annotator")
        self.safety.opened(opened)
        self.team.opened(session)
        self.header.show_name(opened.name, session.project.annotator)
        session.count(self._recount, FIRST_QUERY_MS)
        self.bar.show()
        self.keys.show()
        self._align()
        self.commands.enable("project", True)
        self.stack.show_page(0)
        self.project_opened.emit()
        why = self.settings.why_ask(session.path, session.project.annotator, opened.last)
        if why is None:
            then()
        else:
            self.dialogs.ask_annotator(then, why, opened.last)

    def _refused(self, error: Exception) -> None:
        self.close_project()
        from annotator.desktop.messages import told

        message = told(error)
        self.show_welcome(message or "The project could not be opened.", self.safety.ways_on(error))
        if message is None:
            self.failed(error)

    def close_project(self) -> None:
        """Store what is being typed, wait for what is being stored, and close the project's file."""
        self.stack.leave()
        if self.session is not None and self.session.project is not None:
            self.settings.left(self.session.path, self.header.name)
        self.team.close()
        if self.session is not None:
            self.session.close()
            self.session = self.dialogs.session = self.safety.session = None
        self.safety.notice.clear()
        self.statusBar().clearMessage()
        self.stack.clear()
        self.header.clear_search()
        self.setWindowTitle("Annotator")
        self._show_no_project()

    def _page_shown(self, number: int) -> None:
        if PAGES[number].name != self._front:  # what was said on the page before is over
            self._front = PAGES[number].name
            self.statusBar().clearMessage()
        self.commands.enable("grade", PAGES[number].name == "grade")
        self.header.quiet(PAGES[number].name == "grade")
        self._name_keys()
        self.bar.show_page(number)

    def _name_keys(self, of: str = "") -> None:
        page = self.stack.currentWidget()
        if self._front and isinstance(page, Page):
            self.keys.setText(status_keys(of or page.keys or self._front, self.commands))

    def spread(self, change: "Change") -> None:
        """Tell every page what was changed, and say it in the status bar."""
        self.safety.stored()
        self.team.stored()
        for page in self.pages.values():
            page.project_changed(change)
        over = change.kind != "arrived" and self._said.hasExpired(READ_MS)
        if change.said or over:  # what was said of something before is over
            self.say(change.said)
        if change.kind in RECOUNTED and self.session is not None:
            self.session.count(self._recount)

    def say(self, text: str) -> None:
        """Show a line in the status bar, as long as one reads it or until something else happens."""
        self._said.start()
        self.statusBar().showMessage(visible(words := beginning(text)), SAID_MS + LETTER_MS * len(words))

    def failed(self, error: Exception) -> None:
        """Tell what could not be done; show what should never happen as a fault."""
        from annotator.desktop.messages import told

        message = told(error)
        if message is None:
            from annotator.desktop import crash

            crash.show(error, self)
        elif isinstance(error, ProjectError):
            self.safety.failed(error)
        else:
            self.say(message)

    def _recount(self, contents: "Contents") -> None:
        if self.session is not None and self.session.project is not None:
            self.header.show_name(contents.name, self.session.project.annotator)
            self.header.show_counts(contents)
            for page in self.pages.values():
                page.counted(contents)

    def _step(self, verb: str) -> None:
        from annotator.project.history import redo, undo

        def told_step(change: "Change | None") -> None:
            self.say(f"Nothing to {verb}.") if change is None else self.spread(change)

        page = self.stack.currentWidget()
        if isinstance(page, Page):
            page.do({"undo": undo, "redo": redo}[verb], told_step)

    def _find(self) -> None:
        page = self.stack.currentWidget()
        if not (isinstance(page, Page) and page.search()):
            self.header.search()

    def _back_to_welcome(self) -> None:
        self.close_project()
        self.show_welcome()

    def take_files(self, paths: Sequence[Path]) -> None:
        """Open the project among dropped files, and offer the import of data files into it or a new one."""
        projects = [path for path in paths if path.suffix.lower() == SUFFIX]
        data = [path for path in paths if path not in projects]
        if len(projects) > 1:
            self.say("A window has one project: drop one, and start Annotator again for another.")
        elif projects:
            self.open_project(projects[0], partial(self.dialogs.import_files, data) if data else lambda: None)
        elif self.session is not None:
            self.dialogs.import_files(paths)
        elif paths:
            self.dialogs.name_new(paths)

    def _theme_changed(self, theme: Theme) -> None:
        self.settings.set("theme", self.appearance.choice)
        self.settings.set("text_percent", self.appearance.percent)
        for part in (self.bar, self.header, self.welcome):
            part.theme_changed(theme)
        from annotator.desktop.dialog import Dialog

        for dialog in self.findChildren(Dialog, options=Qt.FindChildOption.FindDirectChildrenOnly):
            dialog.theme_changed(theme)
        self._align()
        self.stack.follow(theme)

    def come_to_front(self) -> None:
        """Stand before other programs, also where the window was minimized."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint, and the first time let the slow imports begin behind it."""
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            QTimer.singleShot(0, self, self.first_painted.emit)

    def focusNextPrevChild(self, following: bool) -> bool:
        """Let Tab go round in the order in which all stands now: cards, chips and tabs come and go."""
        stops = [one for one in tab_in_order(self.centralWidget() or self) if stops_here(one)]
        around = stops if following else stops[::-1]
        if (has := self.focusWidget()) not in around:
            return super().focusNextPrevChild(following)
        on = around[(around.index(has) + 1) % len(around)]  # Qt goes to cards that are out of sight, too
        on.setFocus(Qt.FocusReason.TabFocusReason if following else Qt.FocusReason.BacktabFocusReason)
        return True

    def closeEvent(self, event: QCloseEvent) -> None:
        """Close the project first: nothing that was graded or typed is lost."""
        self.settings.set_bytes("window", self.saveGeometry())
        self.close_project()
        self.safety.close()
        self.team.end()
        super().closeEvent(event)
