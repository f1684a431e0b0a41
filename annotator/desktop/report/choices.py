"""What goes into a report: what can be chosen, one below the other, which scrolls beside the preview."""

from collections.abc import Callable, Iterable
from functools import partial

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDoubleSpinBox, QListWidget, QListWidgetItem, QSizePolicy, QSplitter, QWidget

from annotator.desktop.controls import roomy
from annotator.desktop.line_field import LineField
from annotator.desktop.results.check_list import check_list
from annotator.desktop.results.scrolled_page import ScrolledPage
from annotator.desktop.style import px
from annotator.project.report_files import ALWAYS, SECTIONS, Spreadsheet
from annotator.project.state import State

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


class Fixed(QListWidgetItem):
    """A line that stays ticked."""

    def __init__(self, line: QListWidgetItem) -> None:
        super().__init__(line)
        self.setText(f"{line.text()} (always)")
        self.setFlags(line.flags() & ~Qt.ItemFlag.ItemIsUserCheckable & ~Qt.ItemFlag.ItemIsEnabled)

    def setData(self, role: int, value: object) -> None:
        """Take anything but another tick."""
        if role != Qt.ItemDataRole.CheckStateRole:
            super().setData(role, value)


def sections_list(changed: Callable[..., object]) -> QListWidget:
    """Return the sections to tick; the one that is always there is ticked, says so and cannot be changed."""
    made = check_list("Sections", [(title, key, True) for key, (title, _) in SECTIONS.items()], changed)
    at = list(SECTIONS).index(ALWAYS)
    made.blockSignals(True)  # nothing is chosen by that
    made.insertItem(at, Fixed(made.takeItem(at)))
    made.blockSignals(False)
    return made


def explain_field(changed: Callable[..., object]) -> LineField:
    """Return the field of the queries that are taken apart."""
    field = LineField()
    field.setPlaceholderText("Queries, by id, with commas")
    field.setAccessibleName("Queries whose scores are taken apart")
    field.editingFinished.connect(changed)
    return field


def difference_field(changed: Callable[..., object]) -> QDoubleSpinBox:
    """Return the field of the smallest difference that matters, which may be none."""
    field = roomy(QDoubleSpinBox())
    field.setAccessibleName("Smallest difference that matters")
    field.setToolTip("Which systems are equivalent within it, or no worse by it")
    field.setSpecialValueText("none chosen")
    field.setDecimals(4)
    field.setRange(0, 1000)
    field.setSingleStep(0.01)
    field.setKeyboardTracking(False)
    field.valueChanged.connect(changed)
    return field


def without_scores(state: State | None, queries: Iterable[str], scored: Iterable[str]) -> str:
    """Say which queries have no scores to take apart: those the project has not, and the others; or ""."""
    known, scored = {one.id for one in state.queries.values()} if state else set(), {*scored}
    lacking = [one for one in queries if one not in scored]
    foreign = [one for one in lacking if one not in known]
    unscored = [one for one in lacking if one in known]
    told = [f"Not in the project: {', '.join(foreign)}."] * bool(foreign)
    told += [f"Without scores to take apart: {', '.join(unscored)}."] * bool(unscored)
    return " ".join(told)


def ticked(sections: tuple[str, ...]) -> tuple[str, ...]:
    """Return the sections of a choice for those that are ticked: none for all, or what is always there."""
    some = tuple(one for one in sections if one != ALWAYS)
    return () if len(some) == len(SECTIONS) - 1 else some or (ALWAYS,)
