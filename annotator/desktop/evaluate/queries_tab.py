"""The queries as a heat map: a row each, a shaded column per system, one measure at a time."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QSizePolicy, QWidget

from annotator.desktop.controls import button, combo, offer
from annotator.desktop.layouts import column
from annotator.desktop.line_field import LineField
from annotator.desktop.results.grid_view import GridView
from annotator.desktop.results.shades import ShadeKey
from annotator.desktop.style import px
from annotator.desktop.wrap_layout import WrapLayout
from annotator.evaluation.query_map import by_query, shade_span
from annotator.evaluation.results import EvaluationResult
from annotator.theme import Theme

FILTER, SHORT_FILTER = 320, 200
"""How wide the filter is, and where the tab is narrower than `WIDE`."""

WIDE = 800


class QueriesTab(QWidget):
    """Shows how each system does on each query; numbers where they are asked for, pointed at or gone to.

    `query_wanted(id, system, measure)` is a click or Enter on a cell, "" for no system; `only_wanted(ids)`
    asks to evaluate the queries that the filter shows and no others.
    """

    query_wanted = Signal(str, str, str)
    only_wanted = Signal(tuple)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._result: EvaluationResult | None = None
        self.map = GridView("Scores per query", theme)
        self.map.painter.numbers = False
        self.map.setMouseTracking(True)
        self.map.viewport().setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.map.opened.connect(self._opened)
        self.measure = combo("Measure", self._show)
        self.measure.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.measure.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.numbers = QCheckBox("numbers")
        self.numbers.setToolTip("Show the number in every cell; Ctrl+C copies them all")
        self.numbers.toggled.connect(self._show_numbers)
        self.key = ShadeKey(theme)
        self.filter = LineField()
        self.filter.setPlaceholderText("Filter queries")
        self.filter.setAccessibleName("Filter queries")
        self.only_these = button("Evaluate only these", self._want_shown)
        self.only_these.hide()
        self.filter.textChanged.connect(self.map.grid.filter)
        self.filter.textChanged.connect(self._offer_these)
        choices = WrapLayout(gap=12)  # large text may need a second line
        for part in (self.measure, self.numbers, self.key, self.filter, self.only_these):
            choices.addWidget(part)
        column(column(choices, around=(16, 0, 16, 0)), (self.map, 1), on=self, around=(0, 8, 0, 0))

    def show_result(self, result: EvaluationResult | None) -> None:
        """Show another result; the measure that was chosen stays if the result has it."""
        self._result = result
        if result is not None:
            offer(self.measure, [one.name for one in result.measures])
            self._show()

    def show_worst(self, system: str, measure: str) -> None:
        """Show the queries under a measure, those first that a system does worst on."""
        self.measure.setCurrentText(measure)
        self._show()
        titles = [one.title for one in self.map.grid.table.columns]
        at = titles.index(system, 1)
        self.map.sortByColumn(at, Qt.SortOrder.AscendingOrder)
        self.map.setCurrentIndex(self.map.grid.index(0, at))
        self.map.setFocus()

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size."""
        self.map.theme_changed(theme)
        self.key.theme_changed(theme)
        self._size_filter()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the choices on one line where there is room."""
        super().resizeEvent(event)
        self._size_filter()

    def _size_filter(self) -> None:
        self.filter.setFixedWidth(px(FILTER if self.width() >= px(WIDE) else SHORT_FILTER))

    def _show(self) -> None:
        result, measure = self._result, self.measure.currentText()
        if result is not None and measure:
            self.map.show_table(by_query(result, measure))
            self.key.show_span(shade_span(result, result.position(measure)))

    def _show_numbers(self, on: bool) -> None:
        self.map.painter.numbers = on
        self.map.viewport().update()

    def _opened(self, row: int, column: int) -> None:
        result, clicked = self._result, self.map.grid.column(column)
        if result is not None:
            system = clicked.title if clicked.shade is not None else ""
            self.query_wanted.emit(result.query_ids[row], system, self.measure.currentText())

    def _offer_these(self, words: str) -> None:
        self.only_these.setVisible(bool(words.strip() and self.map.grid.order))

    def _want_shown(self) -> None:
        shown = sorted(self.map.grid.order)
        if self._result is not None and shown:
            self.only_wanted.emit(tuple(self._result.query_ids[row] for row in shown))
            self.filter.clear()
