"""The Compare page: is B better than A, how sure, on which queries, and what would change it."""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QSplitter, QTabWidget, QVBoxLayout, QWidget

from annotator.desktop.compare.deciding_tab import DecidingTab
from annotator.desktop.compare.power_planner import PowerPlanner
from annotator.desktop.compare.sides import Sides
from annotator.desktop.compare.since_tab import SinceTab
from annotator.desktop.pages import Surroundings
from annotator.desktop.results.canvas import Canvas
from annotator.desktop.results.evaluated_page import EvaluatedPage
from annotator.desktop.results.grid_view import GridView
from annotator.desktop.results.job_bar import JobBar
from annotator.desktop.style import label
from annotator.desktop.worker import Progress, ShouldStop
from annotator.evaluation import contrasting
from annotator.evaluation.comparing import CORRECTION_NAMES, TEST_NAMES, Comparison, compare_all, paired
from annotator.evaluation.result_table import Cell, Column, Table
from annotator.evaluation.results import EvaluationResult
from annotator.evaluation.statistics import Correction, Test
from annotator.evaluation.subsets import narrowed
from annotator.figures.catalogue import FIGURES
from annotator.figures.subject import Subject
from annotator.metrics.conventions import side_by_side
from annotator.theme import Theme

FEW_SYSTEMS = 6
"""With more systems than this only the chosen measure is compared: the pairs grow with the square."""

FIGURES_SHOWN = ("difference", "scatter", "critical")


@dataclass(frozen=True, slots=True)
class Chosen:
    """What the combos say; plain values, so that a job may read them."""

    first: str = ""
    second: str = ""
    measure: str = ""
    test: Test = "randomisation"
    correction: Correction = "holm"


class ComparePage(EvaluatedPage):
    """Two systems in depth, all pairs in a table; the seed is the result's."""

    def __init__(self, surroundings: Surroundings, parent: QWidget | None = None) -> None:
        super().__init__(surroundings, parent)
        self.chosen = Chosen()
        self.first, self.second, self.measure = (
            self._combo(name) for name in ("First system", "Second system", "Measure")
        )
        self.test = self._combo("Test")
        self.correction = self._combo("Correction")
        for test, words in TEST_NAMES.items():
            self.test.addItem(words, test)
        for correction, words in CORRECTION_NAMES.items():
            self.correction.addItem(words, correction)
        self.test.setCurrentIndex(self.test.findData(self.chosen.test))
        self._found: list[Comparison] = []
        self.sentence = label(kind="title")
        self.sentence.setWordWrap(True)
        self.numbers = label(kind="muted")
        self.numbers.setWordWrap(True)
        self.contrasts = GridView("Queries by contrast", self.theme)
        self.contrasts.opened.connect(self._open_query)
        self.contrasts.selectionModel().currentRowChanged.connect(self._follow)
        self.sides = Sides(self.project, self.worker, self.theme)
        self.sides.query_wanted.connect(self.query_wanted)
        self.pairs = GridView("All pairs of systems", self.theme)
        self.pairs.opened.connect(self._open_pair)
        self.orders = GridView("Places of the systems under each measure", self.theme)
        self.conventions = GridView("The measure under the conventions of other tools", self.theme)
        self.figure = self._combo("Figure")
        for key in FIGURES_SHOWN:
            self.figure.addItem(FIGURES[key].title, key)
        self.canvas = Canvas(self.worker, self.theme)
        self.canvas.query_wanted.connect(self._clicked_query)
        self.deciding = DecidingTab(self.project, self.worker, self.theme)
        self.deciding.query_wanted.connect(self.query_wanted)
        self.since = SinceTab(self.project, self.worker, self.theme)
        self.since.changed.connect(self.changed)
        self.since.query_wanted.connect(self.query_wanted)
        self.planner = PowerPlanner()
        self._more = JobBar(self.worker)
        self._more.problem.connect(self.tell)
        self._lay_out()

    def _lay_out(self) -> None:
        choices = QHBoxLayout()
        choices.setContentsMargins(16, 0, 16, 8)
        for part in (self.first, label("against", "muted"), self.second, label("by", "muted"), self.measure):
            choices.addWidget(part)
        choices.addStretch(1)
        choices.addWidget(self.test)
        choices.addWidget(self.correction)
        queries = QSplitter(Qt.Orientation.Horizontal)
        queries.addWidget(self.contrasts)
        queries.addWidget(self.sides)
        queries.setSizes([620, 660])
        drawing = QWidget()
        column = QVBoxLayout(drawing)
        column.setContentsMargins(16, 12, 16, 12)
        column.addWidget(self.figure, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.canvas, 1)
        measures = QSplitter(Qt.Orientation.Vertical)
        measures.addWidget(self.orders)
        measures.addWidget(self.conventions)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        for widget, title in (
            (queries, "Queries by contrast"),
            (self.pairs, "All pairs"),
            (drawing, "Figures"),
            (self.deciding, "What would change it"),
            (measures, "Measures and conventions"),
            (self.planner, "Power"),
            (self.since, "Then and now"),
        ):
            self.tabs.addTab(widget, title)
        self.tabs.currentChanged.connect(self._show_tab)
        words = QVBoxLayout()
        words.setContentsMargins(16, 0, 16, 12)
        words.addWidget(self.sentence)
        words.addWidget(self.numbers)
        content = QWidget()
        whole = QVBoxLayout(content)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addLayout(choices)
        whole.addWidget(self._more)
        whole.addLayout(words)
        whole.addWidget(self.tabs, 1)
        self.lay_out(content)

    def prepare(
        self, result: EvaluationResult, progress: Progress, should_stop: ShouldStop
    ) -> list[Comparison]:
        """Compare every pair of systems."""
        chosen = self.chosen
        measures: tuple[str, ...] = ()
        if len(result.systems) > FEW_SYSTEMS:
            known = [one.name for one in result.measures]
            measures = (chosen.measure if chosen.measure in known else known[0],)
        if len(result.systems) < 2:
            return []
        return compare_all(result, measures, (), chosen.test, chosen.correction, progress, should_stop)

    def present(self, result: EvaluationResult, prepared: list[Comparison]) -> None:
        """Show the chosen pair, and all pairs."""
        self._found = prepared
        if not prepared:
            self.message.say("Nothing to compare", "There is one system. Import the run of another one.")
            self.stack.setCurrentWidget(self.message)
            return
        measures = tuple(one.name for one in result.measures)
        for combo, names, usual in (
            (self.first, result.systems, 0),
            (self.second, result.systems, 1),
            (self.measure, measures, 0),
        ):
            kept = combo.currentText()
            with QSignalBlocker(combo):
                combo.clear()
                combo.addItems(list(names))
                combo.setCurrentIndex(names.index(kept) if kept in names else usual)
        for tab in (self.deciding, self.since):
            self.tabs.setTabVisible(self.tabs.indexOf(tab), not self.hidden)
        self.pairs.show_table(contrasting.pairs(prepared))
        self.orders.show_table(contrasting.orders(result))
        self._read_choices()
        self._show_pair()

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size."""
        super().theme_changed(theme)
        views = (self.contrasts, self.pairs, self.orders, self.conventions)
        for part in (*views, self.sides, self.canvas, self.deciding, self.since):
            part.theme_changed(theme)

    def _combo(self, name: str) -> QComboBox:
        combo = QComboBox()
        combo.setAccessibleName(name)
        combo.activated.connect(self._choose)
        return combo

    def _read_choices(self) -> None:
        self.chosen = Chosen(
            self.first.currentText(),
            self.second.currentText(),
            self.measure.currentText(),
            self.test.currentData(),
            self.correction.currentData(),
        )

    def _choose(self) -> None:
        """Show another pair at once; another test, or a measure not compared yet, is computed first."""
        before = self.chosen
        self._read_choices()
        now = self.chosen
        compared = any(one.measure == now.measure for one in self._found)
        if (now.test, now.correction) != (before.test, before.correction) or not compared:
            self.refresh()
        else:
            self._show_pair()

    def _show_pair(self) -> None:
        result, chosen = self.result, self.chosen
        if result is None:
            return
        if chosen.first == chosen.second:
            self.sentence.setText("Choose two different systems.")
            self.numbers.clear()
            return
        found = [one for one in self._found if one.measure == chosen.measure]
        one = next((one for one in found if {one.first, one.second} == {chosen.first, chosen.second}), None)
        if one is None:
            return
        self.sentence.setText(one.sentence)
        self.numbers.setText(
            f"{one.first} {one.first_mean:.4f} · {one.second} {one.second_mean:.4f} · "
            f"{one.second} wins {one.wins}, ties {one.ties}, loses {one.losses} of {one.n} queries · "
            f"effect size d_z {one.effect:.2f} · {contrasting.test_in_words(one)}"
        )
        shown = self.sides.query
        self.contrasts.show_table(contrasting.contrasts(result, chosen.measure, chosen.first, chosen.second))
        queries = list(self.contrasts.grid.table.data[0])
        if queries and result.measures[result.position(chosen.measure)].needs == "grades":
            row = queries.index(shown) if shown in queries else 0
            self.contrasts.setCurrentIndex(
                self.contrasts.grid.index(self.contrasts.grid.place_of(row) or 0, 0)
            )
        else:
            self.sides.clear()
        _, differences = paired(result, chosen.measure, chosen.first, chosen.second)
        deviation = float(differences.std(ddof=1)) if len(differences) > 1 else 0.0
        self.planner.show_comparison(one.n, one.difference, 0.0 if np.isnan(deviation) else deviation)
        self._show_tab()

    def _show_tab(self) -> None:
        """Compute what is looked at only when it is looked at."""
        result, chosen = self.result, self.chosen
        if result is None or chosen.first == chosen.second:
            return
        title = self.tabs.tabText(self.tabs.currentIndex())
        if title == "Figures":
            kind = FIGURES[self.figure.currentData()]
            subject = Subject(result=result, measure=chosen.measure, pair=(chosen.first, chosen.second))
            self.canvas.show_figure(partial(kind.draw, subject), kind.title)
        elif title == "What would change it":
            options = replace(self.options.options, measures=(chosen.measure,))
            self.deciding.show_pair(chosen.first, chosen.second, options)
        elif title == "Then and now":
            self.since.show_options(self.options.options)
        elif title == "Measures and conventions":
            self._show_conventions(result, chosen.measure)

    def _show_conventions(self, result: EvaluationResult, name: str) -> None:
        measure = result.measures[result.position(name)]
        if measure.needs != "grades":
            return
        found = side_by_side(measure)
        names = tuple(dict.fromkeys(one.name for _, one in found))
        project, options = self.project, replace(self.options.options, measures=names)
        seen = frozenset(result.query_ids)

        def job(progress: Progress, should_stop: ShouldStop) -> Table:
            other = narrowed(project.evaluate(options, progress, should_stop), seen)
            rows: list[tuple[Cell, ...]] = [
                (tool.title, one.name, *(other.mean(system, one.name) for system in other.systems), tool.says)
                for tool, one in found
            ]
            systems = (Column(system) for system in other.systems)
            columns = (Column("Convention", "text"), Column("Computed as", "text"), *systems)
            return Table.of_rows("conventions", name, (*columns, Column("In words", "text")), rows)

        if names:
            self._more.run("Evaluating under other conventions", job, self.conventions.show_table)

    def _follow(self, current: QModelIndex) -> None:
        """Show the rankings of the query that the arrow keys came to."""
        result = self.result
        if (
            current.isValid()
            and result
            and result.measures[result.position(self.chosen.measure)].needs == "grades"
        ):
            self._show_sides(
                str(self.contrasts.grid.table.data[0][self.contrasts.grid.row_at(current.row())])
            )

    def _open_query(self, row: int, _column: int) -> None:
        self._clicked_query(str(self.contrasts.grid.table.data[0][row]))

    def _clicked_query(self, query: str) -> None:
        result = self.result
        if result is None or result.measures[result.position(self.chosen.measure)].needs != "grades":
            self.said.emit("This measure compares texts; choose one such as nDCG@10 to see the ranks.")
            return
        self.tabs.setCurrentIndex(0)
        self._show_sides(query)

    def _show_sides(self, query: str) -> None:
        chosen = self.chosen
        options = replace(self.options.options, measures=(chosen.measure,))
        self.sides.show_query(query, chosen.first, chosen.second, options)

    def _open_pair(self, row: int, _column: int) -> None:
        one = self._found[row]
        for combo, text in ((self.first, one.first), (self.second, one.second), (self.measure, one.measure)):
            combo.setCurrentText(text)
        self._read_choices()
        self.tabs.setCurrentIndex(0)
        self._show_pair()
