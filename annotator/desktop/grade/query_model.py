"""The query list's model: it holds keys, and fetches the lines in sight a page at a time."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
)

from annotator.desktop.messages import may_pass
from annotator.desktop.row_table import on_one_line, to_clipboard
from annotator.desktop.style import tip
from annotator.desktop.worker import Worker
from annotator.evaluation.result_table import exact
from annotator.project import browse, panel
from annotator.project.views import QueryRow
from annotator.text.templates import short
from annotator.text.visible import visible
from annotator.watch import Watch

if TYPE_CHECKING:
    from annotator.project.project import Project

PAGE = 64
KEPT = 128
"""So many pages stay in memory."""

AGAIN_MS = 5_000
"""So long after lines could not be read they are asked for again, where they are in sight."""

UNREAD = "Queries of the list could not be read, and are asked for again. {error}"

MEASURE = "nDCG@10"
COLUMNS = ("Query", "Done", "nDCG")
COPIED = ("Id", "Query", "Done", "Candidates", MEASURE)
EXPLAINED = (
    "Click a query to go to it",
    "Candidates that you graded, skipped or could not tell; all of them once the query is finished otherwise",
    "nDCG@10 of the first system, once you have finished the query",
)
COPIED_AT_ONCE = 1024
ROW = Qt.ItemDataRole.UserRole

Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class Line:
    """What the list shows of a query; the score only once it may be seen."""

    row: QueryRow
    score: float | None = None


Fetch = Callable[[NDArray[np.int64]], list[Line]]


def fetch_lines(project: "Project", keys: NDArray[np.int64]) -> list[Line]:
    """Read lines of the list, with the scores of the queries that are revealed once the file is proved."""
    proved = not (project.unproved or project.damage)
    return [
        Line(row, _score(project, row) if proved and row.revealed and not row.practice else None)
        for row in browse.query_rows(project, keys)
    ]


def _score(project: "Project", row: QueryRow) -> float | None:
    values = panel.query_panel(project, row.key, (MEASURE,)).values
    return values[0][1] if values else None


def copy_lines(lines: list[Line]) -> None:
    """Put lines of the list on the clipboard, the score exactly and as it is shown."""
    rows = [one.row for one in lines]
    known = [(*map(on_one_line, (row.id, row.text)), str(row.decided), str(row.pool)) for row in rows]
    to_clipboard(
        COPIED,
        [(*texts, exact(one.score)) for texts, one in zip(known, lines, strict=True)],
        [(*texts, in_words(one.score)) for texts, one in zip(known, lines, strict=True)],
    )


def counted_as(decided: int, pool: int) -> str:
    """Return how much of a query is done, as the list shows it: `3/10`."""
    return f"{decided}/{pool}"


def in_words(score: float | None) -> str:
    """Return a score as the list shows it."""
    return "" if score is None else f"{score:.3f}"


class QueryModel(QAbstractTableModel):
    """Row n is the n-th query of the order; its `Line` stands in the role `ROW` once it is fetched.

    `widened(text)`: a line was fetched whose count may grow to a text longer than any before.
    `unread(text)`: lines could not be read, why, and that they are asked for again.
    """

    widened = Signal(str)
    unread = Signal(str)

    def __init__(self, fetch: Fetch, worker: Worker, parent: QObject) -> None:
        super().__init__(parent)
        self._fetch = fetch
        self._worker = worker
        self._keys: NDArray[np.int64] = np.empty(0, np.int64)
        self._pages: dict[int, list[Line]] = {}
        self._asked: set[int] = set()
        self._generation = 0
        self._widest = 0
        self._asked_again: int | None = None

    def show_keys(self, keys: NDArray[np.int64]) -> None:
        """List other queries, or the same in another order."""
        self.beginResetModel()
        self._keys = keys
        self._forget()
        self.endResetModel()

    def refresh(self, key: int | None = None) -> None:
        """Fetch a query's line anew, or all lines when they are next in sight."""
        if key is None:
            self._forget()
            if len(self._keys):
                self.dataChanged.emit(self.index(0, 0), self.index(len(self._keys) - 1, len(COLUMNS) - 1))
        elif (row := self.row_of(key)) is not None and row // PAGE in self._pages:
            keys = np.array([key], np.int64)
            self._read(keys, partial(self._take_one, self._generation, row), partial(self.refresh, key))

    def hide_score(self, key: int | None) -> None:
        """Tell no score of a query that is asked again: it says much of the first grades; None hides none."""
        before, self._asked_again = self._asked_again, key
        for one in (before, key):
            if one is not None and (row := self.row_of(one)) is not None:
                self.dataChanged.emit(self.index(row, 0), self.index(row, len(COLUMNS) - 1))

    def _told(self, line: Line) -> Line:
        return replace(line, score=None) if line.row.key == self._asked_again else line

    def copy(self) -> None:
        """Put all lines on the clipboard, also those that were never in sight."""
        keys = self._keys

        def job(watch: Watch) -> list[Line]:
            lines: list[Line] = []
            for start in range(0, len(keys), COPIED_AT_ONCE):
                watch.look()
                lines += self._fetch(keys[start : start + COPIED_AT_ONCE])
            return lines

        self._worker.start(self, job, lambda lines: copy_lines([*map(self._told, lines)]))

    def row_of(self, key: int) -> int | None:
        """Return the row of a query."""
        rows = np.flatnonzero(self._keys == key)
        return int(rows[0]) if len(rows) else None

    def key_of(self, row: int) -> int:
        """Return the query of a row."""
        return int(self._keys[row])

    def rowCount(self, parent: Index | None = None) -> int:
        """Return how many queries there are; lines have nothing under them."""
        return 0 if parent is not None and parent.isValid() else len(self._keys)

    def columnCount(self, parent: Index | None = None) -> int:
        """Return three: the query, how much of it is done, its score."""
        return 0 if parent is not None and parent.isValid() else len(COLUMNS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Return a column's title."""
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return COLUMNS[section]
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.ToolTipRole:
            return EXPLAINED[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignLeft if section == 0 else Qt.AlignmentFlag.AlignRight
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return a line's text, progress or value; a line not fetched yet is asked for and empty."""
        if not index.isValid() or role not in (
            Qt.ItemDataRole.DisplayRole,
            Qt.ItemDataRole.AccessibleTextRole,
            Qt.ItemDataRole.ToolTipRole,
            ROW,
        ):
            return None
        line = self._line(index.row())
        if role == ROW or line is None:
            return line
        row = line.row
        score = in_words(line.score)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{visible(row.title)}, {row.decided} of {row.pool} done" + (
                f", {MEASURE} {score}" if score else ""
            )
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(f"{row.id}: {row.text}")
        return (visible(short(row.title)), counted_as(row.decided, row.pool), score)[index.column()]

    def _line(self, row: int) -> Line | None:
        page, at = divmod(row, PAGE)
        if page not in self._pages:
            self._ask(page)
            return None
        return self._told(self._pages[page][at])

    def _ask(self, page: int) -> None:
        if page in self._asked:
            return
        self._asked.add(page)
        keys = self._keys[page * PAGE : (page + 1) * PAGE]
        of = (self._generation, page, len(keys))
        self._read(keys, partial(self._take, *of), partial(self._ask_anew, *of))

    def _ask_anew(self, generation: int, page: int, count: int) -> None:
        """Let lines that could not be read be asked for where they are in sight, or next are."""
        if generation == self._generation:
            self._asked.discard(page)
            self._tell_page(page, count)

    def _read(
        self, keys: NDArray[np.int64], done: Callable[[list[Line]], None], again: Callable[[], None]
    ) -> None:
        def job(_: Watch) -> list[Line]:
            return self._fetch(keys)

        def failed(error: Exception) -> None:
            if not may_pass(error):
                self._worker.failed.emit(error)  # asking again would bring the same
                return
            self.unread.emit(UNREAD.format(error=error))
            QTimer.singleShot(AGAIN_MS, self, again)

        self._worker.start(self, job, done, failed)

    def _take_one(self, generation: int, row: int, lines: list[Line]) -> None:
        page, at = divmod(row, PAGE)
        if generation == self._generation and lines and page in self._pages:
            self._pages[page][at] = lines[0]
            self.dataChanged.emit(self.index(row, 0), self.index(row, len(COLUMNS) - 1))

    def _take(self, generation: int, page: int, count: int, rows: list[Line]) -> None:
        if generation != self._generation:
            return
        self._asked.discard(page)
        if len(rows) != count:
            return
        self._pages[page] = rows
        if (most := max((line.row.pool for line in rows), default=0)) > self._widest:
            self._widest = most
            self.widened.emit(counted_as(most, most))
        while len(self._pages) > KEPT:
            del self._pages[next(iter(self._pages))]
        self._tell_page(page, count)

    def _tell_page(self, page: int, count: int) -> None:
        first = page * PAGE
        self.dataChanged.emit(self.index(first, 0), self.index(first + count - 1, len(COLUMNS) - 1))

    def _forget(self) -> None:
        self._pages.clear()
        self._asked.clear()
        self._generation += 1
