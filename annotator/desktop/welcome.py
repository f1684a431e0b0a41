"""What the window shows before a project is open: recent projects, samples, a new one."""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QIcon, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from annotator.desktop import layouts
from annotator.desktop.actions import Actions
from annotator.desktop.controls import literal
from annotator.desktop.elided import elided
from annotator.desktop.icons import icon
from annotator.desktop.preferences import RecentProject
from annotator.desktop.safety.banner import Way
from annotator.desktop.style import Weight, font, label, prose, px, tip, wrapped
from annotator.places import place
from annotator.text.visible import visible
from annotator.theme import STEPS, Theme

if TYPE_CHECKING:
    from datetime import date

    from PySide6.QtWidgets import QStyleOptionButton

COLUMN = 420
LEAST = 180
"""A column is as wide as there is room for, between these."""

MONTH = 30
"""Of what is longer ago, in days, the date is said."""

TOUR = "Take the tour", "Seven small things to do on a copy of a sample, told one after the other."
"""What is offered as long as no project was opened, in words."""

APART = "  ·  "
"""What stands between two things that are said of a recent project, on one line."""

MOST_LINES = 4
"""A sentence is told whole, also with large text in a small window; the place of a file is cut."""

WITHOUT_WORDS = 80
"""So much of a column's width are margins, the drawing and the room beside it."""


PADDING = 8
"""What the style sheet has around the words of an offer."""


class Offer(QPushButton):
    """What can be opened: its first line is what it is, in bold, and the muted ones below say more of it.

    Where the first line has no room it is still told from those `among` which it stands.
    """

    def __init__(
        self, lines: Sequence[str], drawing: str, theme: Theme, parent: QWidget, among: tuple[str, ...] = ()
    ) -> None:
        super().__init__(literal("\n".join(lines)), parent)
        self._lines, self._theme, self._among = lines, theme, among
        self.setAutoDefault(True)  # Enter opens it, as Space does
        self.setProperty("kind", "choice")
        self.setIcon(icon(drawing, theme.accent))
        self.setIconSize(QSize(px(16), px(16)))

    def initStyleOption(self, option: "QStyleOptionButton") -> None:
        """Leave words and drawing to `paintEvent`."""
        super().initStyleOption(option)
        option.text, option.icon = "", QIcon()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the button as any other, and each line in its own letters."""
        super().paintEvent(event)
        painter, around = QPainter(self), px(PADDING) + 1
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        inside = self.rect().adjusted(around, around, -around, -around)
        size, high = self.iconSize(), self.fontMetrics().lineSpacing()
        top = inside.center().y() - high * len(self._lines) // 2
        self.icon().paint(painter, QRect(inside.left(), top + (high - size.height()) // 2, *size.toTuple()))
        line = QRect(inside.left() + size.width() + STEPS[0], top, 0, high)
        line.setRight(inside.right())
        for number, words in enumerate(self._lines):
            painter.setFont(font(13, Weight.Normal if number else Weight.DemiBold))
            painter.setPen(QColor(self._theme.muted if number else self._theme.text))
            cut = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, line.width())
            if not number and cut != words:
                cut = elided(self._among, painter.font(), line.width()).get(words, cut)
            painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, cut)
            line.translate(0, high)


@cache
def samples() -> list[tuple[str, str, str]]:
    """Return the samples that come along, read without opening anything: (folder, name, what it is)."""
    listed = []
    for described in (folder / "project.toml" for folder in sorted(place("sample_projects").iterdir())):
        lines = (line.partition(" = ") for line in described.read_text("utf-8").splitlines())
        head = {key: value.strip('"') for key, _, value in lines}
        folder = described.parent.name
        listed.append((folder, head.get("name", folder), head.get("about", "")))
    return listed


def first_sentence(text: str) -> str:
    """Return the first of some sentences.

    >>> first_sentence("Twenty searches. Three systems.")
    'Twenty searches.'
    """
    first, stop, _ = text.partition(". ")
    return f"{first}." if stop else text


def told(project: RecentProject, today: "date", alike: bool = False) -> str:
    """Return what is said of a recent project: how far one was, when, and in which folder it lies.

    Of those that are `alike` by name the file is told, too.
    """
    done = f"{project.decided:,} of {project.pool:,} done" if project.pool else ""
    where = project.path if alike else project.path.parent
    return APART.join(filter(None, (done, ago(project.day, today), str(where))))


def ago(day: str, today: "date") -> str:
    """Return a day (ISO) as people say it; empty for none.

    >>> from datetime import date
    >>> ago("2026-11-23", date(2026, 11, 24)), ago("2026-11-02", date(2026, 11, 24))
    ('yesterday', '22 days ago')
    """
    if not day:
        return ""
    from datetime import date

    days = (today - date.fromisoformat(day)).days
    if days > MONTH or days < 0:
        return day
    return {0: "today", 1: "yesterday"}.get(days, f"{days} days ago")


class Welcome(QWidget):
    """Two columns: begin at the left, go on at the right; the focus goes to the project opened last."""

    project_chosen = Signal(Path)
    sample_chosen = Signal(str)

    def __init__(self, actions: Actions, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._actions = actions
        content = QWidget(self)
        self._begin = self._column("Begin", content)
        self._recent = self._column("Recent projects", content)
        self._error = prose("", "danger", content)
        self._error.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._error.hide()
        self._width = px(COLUMN)
        columns = QHBoxLayout()
        columns.setSpacing(STEPS[3])
        columns.addStretch(1)
        for column in (self._begin, self._recent):
            columns.addWidget(column, 0, Qt.AlignmentFlag.AlignTop)
        columns.addStretch(1)
        head = QVBoxLayout()
        head.setSpacing(STEPS[0])
        for words, kind in (
            ("Grade search results and answers, and know the scores exactly", "title"),
            ("One project is one file. Nothing leaves this computer unless you share it.", "muted"),
        ):
            line = prose(words, kind, content)
            line.setAlignment(Qt.AlignmentFlag.AlignCenter)
            head.addWidget(line)
        head.addWidget(self._error, 0, Qt.AlignmentFlag.AlignHCenter)
        self._ways = QHBoxLayout()
        self._ways.setSpacing(STEPS[0])
        self._ways.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        head.addLayout(self._ways)
        rows = QVBoxLayout(content)
        rows.setSpacing(STEPS[3])
        rows.addStretch(2)
        rows.addLayout(head)
        rows.addLayout(columns)
        rows.addWidget(
            label("Or drop a project or data files here", "muted", content), 0, Qt.AlignmentFlag.AlignHCenter
        )
        rows.addStretch(3)
        scroll = QScrollArea(self)
        scroll.setWidget(content)
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        layouts.column(scroll, on=self, around=layouts.FLUSH)
        self._projects: Sequence[RecentProject] = ()
        self._first: QPushButton | None = None
        self._theme = theme

    def show_recent(self, projects: Sequence[RecentProject]) -> None:
        """List the projects opened last."""
        self._projects = projects
        self._fill()

    def take_keys(self) -> None:
        """Give the keys to what one most likely wants to open."""
        if self._first is not None:
            self._first.show()  # the layout would show it later, and what is hidden cannot take the keys
            self._first.setFocus()

    def show_error(self, message: str, ways: Sequence[Way] = ()) -> None:
        """Say why something could not be opened, with the ways on; empty takes it away."""
        while (item := self._ways.takeAt(0)) is not None:
            if (button := item.widget()) is not None:
                button.hide()
                button.deleteLater()
        for words, call in ways:
            button = QPushButton(words, self)
            button.clicked.connect(lambda _=False, chosen=call: chosen())
            self._ways.addWidget(button)
        self._error.setText(message)
        self._fit_error()
        self._error.setVisible(bool(message))

    def _fit_error(self) -> None:
        """Make the error as wide as the columns and as high as its words: aligned, it gets too little."""
        width = self._width * 2
        self._error.setFixedWidth(width)
        self._error.setMinimumHeight(self._error.heightForWidth(width) if self._error.text() else 0)

    def error(self) -> str:
        """Return why something could not be opened, empty when all is well."""
        return self._error.text()

    def theme_changed(self, theme: Theme) -> None:
        """Draw in another theme or text size."""
        self._theme = theme
        self._fill()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Make the columns as wide as there is room for."""
        super().resizeEvent(event)
        if self._room() != self._width:
            self._fill()

    def _room(self) -> int:
        return min(px(COLUMN), max(px(LEAST), (self.window().width() - 5 * STEPS[3]) // 2))

    def _fill(self) -> None:
        self._width = self._room()
        self._fit_error()
        had_focus = self.isAncestorOf(self.window().focusWidget())
        self._empty(self._begin)
        first = self._add(
            self._begin, "plus", "New project from files…", "Queries, runs, qrels, questions, CSV", "new"
        )
        self._add(self._begin, "open", "Open a project…", "A file that ends in .annot", "open")
        self._add(self._begin, "people", "Join a team…", "A project that others share with you", "join")
        for folder, name, about in samples():
            button = self._add(self._begin, "sample", f"Sample: {name}", first_sentence(about))
            button.setToolTip(tip(f"{about}\nOpens a copy, yours to play with."))
            button.clicked.connect(lambda _=False, chosen=folder: self.sample_chosen.emit(chosen))
        self._empty(self._recent)
        often = Counter(project.name for project in self._projects)
        for number, project in enumerate(self._projects):
            from datetime import date

            said = told(project, date.today(), often[project.name] > 1)
            button = self._add(self._recent, "grade", project.name, said, among=tuple(sorted(often)))
            button.setToolTip(tip(str(project.path)))
            button.clicked.connect(lambda _=False, chosen=project.path: self.project_chosen.emit(chosen))
            first = button if number == 0 else first
        if not self._projects:  # the first start
            first = self._add(self._recent, "grade", *TOUR, "tour")
            later = label("Projects you open are listed here.", "muted", self)
            later.setContentsMargins(0, STEPS[0], 0, 0)
            self._rows(self._recent).addWidget(later)
        self._first = first
        if had_focus:
            self.take_keys()

    def _column(self, title: str, content: QWidget) -> QFrame:
        frame = QFrame(content)
        frame.setProperty("kind", "card")
        rows = QVBoxLayout(frame)
        rows.setContentsMargins(STEPS[2], STEPS[2], STEPS[2], STEPS[2])
        rows.setSpacing(0)  # each offer has room of its own around its words
        caption = label(title.upper(), "caption", frame)
        caption.setContentsMargins(0, 0, 0, STEPS[0])
        rows.addWidget(caption)
        return frame

    def _rows(self, column: QFrame) -> QVBoxLayout:
        layout = column.layout()
        assert isinstance(layout, QVBoxLayout)
        return layout

    def _empty(self, column: QFrame) -> None:
        column.setFixedWidth(self._width)
        rows = self._rows(column)
        while rows.count() > 1:
            item = rows.takeAt(1)
            if (widget := item.widget() if item else None) is not None:
                widget.hide()
                widget.deleteLater()

    def _add(
        self,
        column: QFrame,
        drawing: str,
        title: str,
        hint: str,
        action: str = "",
        *,
        among: tuple[str, ...] = (),
    ) -> QPushButton:
        """Add what can be opened; of projects, which stand `among` others, the hint ends with a place."""
        metrics, room = QFontMetrics(font(13)), self._width - px(WITHOUT_WORDS)
        lines = wrapped(hint, metrics, room, MOST_LINES)
        if among and lines != [" ".join(hint.split())]:  # the place has a line of its own
            said, _, where = hint.rpartition(APART)
            cut = metrics.elidedText(where, Qt.TextElideMode.ElideMiddle, room)  # files differ at their ends
            lines = [*wrapped(said, metrics, room, MOST_LINES), cut]
        button = Offer((title, *lines), drawing, self._theme, column, among)
        button.setToolTip(tip(hint))
        button.setAccessibleName(visible(title))
        button.setAccessibleDescription(visible(hint))
        if action:
            button.clicked.connect(self._actions[action].trigger)
        self._rows(column).addWidget(button)
        return button
