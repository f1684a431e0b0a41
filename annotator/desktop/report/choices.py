"""What goes into a report: what can be chosen, one below the other, which scrolls beside the preview."""

from functools import partial

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QListWidget, QSizePolicy, QSplitter, QWidget

from annotator.desktop.results.scrolled_page import ScrolledPage
from annotator.desktop.style import px
from annotator.project.report_files import Spreadsheet

TABLES = {
    "": "The whole report",
    "scores": "Every score, one a row",
    "per-query": "Queries x measures",
    "summary": "Means",
    "estimates": "Means with intervals",
    "comparisons": "Comparisons",
    "tests": "Comparisons and tests",
    "planning": "What so many queries can show",
    "difficulty": "How hard each query is",
    "tags": "By tag",
    "tag-tests": "Comparisons by tag",
    "unjudged": "What is unjudged",
    "cqa": "cQA: MRR, MAP and AvgRec",
    "cqa-at-k": "cQA at each k",
}
SPREADSHEETS: dict[str, Spreadsheet | None] = {
    "For programs, lossless": None,
    "Spreadsheet:  1,234.5  comma": Spreadsheet(),
    "Spreadsheet:  1.234,5  semicolon": Spreadsheet(";", ","),
    "Spreadsheet:  tab": Spreadsheet("\t", "."),
}


LEFT = 290
"""So wide are the choices, where that is no more than a third."""


class Choices(ScrolledPage):
    """Holds `content`, as wide as that has to be; lists in it show all lines, and scroll with the rest."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._wide = 0
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def minimumSizeHint(self) -> QSize:
        """Ask for the width of the choices, and of the bar beside them."""
        wide = self.content.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width()
        return QSize(wide, super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        """Ask for no more: they take the height that is left over."""
        return self.minimumSizeHint()

    def share(self) -> None:
        """Take their width of the splitter they stand in, once in each text size."""
        halves = self.parentWidget()
        if isinstance(halves, QSplitter) and halves.isVisible() and self._wide != px(LEFT):
            self._wide, whole = px(LEFT), halves.width()
            left = min(self._wide, whole // 3)
            halves.setSizes([left, whole - left])

    def take_lines(self, *lists: QListWidget) -> None:
        """Let lists be as high as their lines; the one that the keys are at comes into sight."""
        for one in lists:
            one.setSizeAdjustPolicy(QListWidget.SizeAdjustPolicy.AdjustToContents)
            one.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            one.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            one.currentRowChanged.connect(partial(self._show_line, one))

    def _show_line(self, lines: QListWidget, row: int) -> None:
        line = lines.visualItemRect(lines.item(row))
        place = lines.viewport().mapTo(self.content, line.center())
        self.ensureVisible(place.x(), place.y(), 0, line.height())
