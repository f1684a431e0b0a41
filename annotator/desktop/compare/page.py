"""The Compare page: is B better than A, how sure, on which queries, and what would change it."""

from dataclasses import replace
from functools import cached_property

from PySide6.QtWidgets import QWidget

from annotator.desktop.compare.contrasts import Contrasts, no_rankings
from annotator.desktop.compare.conventions_tab import ConventionsTab
from annotator.desktop.compare.decision_tab import DecidingTab
from annotator.desktop.compare.pair_bar import Chosen, PairBar
from annotator.desktop.compare.power_planner import PowerPlanner
from annotator.desktop.compare.since_tab import SinceTab
from annotator.desktop.compare.tags_tab import TagsTab
from annotator.desktop.evaluate.figures_tab import FiguresTab
from annotator.desktop.layouts import FLUSH, column
from annotator.desktop.pages import Surroundings
from annotator.desktop.results.comparison_choice import comparison_of, fitting, keep_comparison
from annotator.desktop.results.grid_view import GridView
from annotator.desktop.results.overlap_tab import OverlapTab
from annotator.desktop.results.preferences_tab import PreferencesTab, has_preferences
from annotator.desktop.results.scores_page import ScoresPage
from annotator.desktop.results.tabs import Tabs, made
from annotator.desktop.style import breakable, prose
from annotator.evaluation import comparison_tables
from annotator.evaluation.comparison import Comparison
from annotator.evaluation.family import Family, compared_measures
from annotator.evaluation.pair_matrix import pair_matrix
from annotator.evaluation.pairs import compare_all
from annotator.evaluation.result_table import intervals_below
from annotator.evaluation.results import EvaluationResult
from annotator.figures.subject import Subject
from annotator.project.state import State
from annotator.theme import Theme
from annotator.watch import Watch

ONE = "There is one system. Import the run of another one."
ONE_IN_FILE = "The file holds the scores of one system alone."
ONLY_COUNTS = "The chosen measures count, or are no mean over queries. Choose one such as nDCG@10 above."

OF_RANKINGS = ("Overlap", "Measures and conventions")

OPENING = ("All pairs", "List of pairs", "What would change it", "Then and now")
KEYS = {"Queries by contrast": "", **dict.fromkeys(OPENING, "opening")}
"""What the keys are for in the tables of a tab: usually they copy and save alone."""

FIGURES_SHOWN = ("difference", "scatter", "critical")


class ComparePage(ScoresPage):
    """Two systems in depth, all pairs in a table; the seed is the result's."""

    without_judgments = True

    def __init__(self, surroundings: Surroundings, parent: QWidget | None = None) -> None:
        super().__init__(surroundings, parent)
        self.chosen = Chosen(comparison=comparison_of(surroundings))
        self.bar = PairBar(surroundings.actions["audit"], self.whole_page.content)
        self.bar.chosen.connect(self._choose)
        self.bar.opened.connect(self._show_options)
        self.bar.scores_wanted.connect(self.choose_scores)
        self.head.insertWidget(0, self.bar)
        self.bar.show_pair_choice(False)
        self.found: list[Comparison] = []
        """Every comparison of the family, as All pairs shows it."""
        self.sentence = prose("", "title", self.content)
        self.numbers = prose("", "muted", self.content)
        self.compared: Comparison | None = None
        """The comparison of the chosen pair; None where two different systems are still to be chosen."""
        self._lay_out()
        surroundings.actions.name_keys(self)
        self.bar.show_comparison(self.chosen.comparison)

    @cached_property
    def contrasts(self) -> Contrasts:
        """The queries, those that the systems differ on most first, and both rankings of one."""
        tab = Contrasts(self.project, self.worker, self.theme)
        tab.sides.query_wanted.connect(self.query_wanted)
        tab.sides.candidate_wanted.connect(self.candidate_wanted)
        tab.table.opened.connect(lambda row, _: self._clicked_query(str(tab.table.grid.table.data[0][row])))
        return tab

    @cached_property
    def matrix(self) -> GridView:
        """Every pair of systems under the chosen measure, as a square."""
        grid = GridView("All pairs of systems", self.theme)
        grid.opened.connect(self._open_field)
        return grid

    @cached_property
    def pairs(self) -> GridView:
        """Every pair of systems under every measure, each with its numbers."""
        grid = GridView("List of pairs of systems", self.theme)
        grid.opened.connect(self._open_pair)
        return grid

    @cached_property
    def tagged(self) -> TagsTab:
        """The systems compared over the queries of each tag."""
        return TagsTab(self.project, self.worker, self.theme)

    @cached_property
    def measures(self) -> ConventionsTab:
        """The order of the systems under other measures and conventions."""
        tab = ConventionsTab(self.project, self.worker, self.theme)
        tab.job.problem.connect(self.tell)
        return tab

    @cached_property
    def alike(self) -> OverlapTab:
        """How alike the systems rank."""
        return OverlapTab(self.project, self.worker, self.theme)

    @cached_property
    def preferred(self) -> PreferencesTab:
        """Whose answers are preferred, side by side."""
        return PreferencesTab(self.project, self.worker, self.theme)

    @cached_property
    def figures(self) -> FiguresTab:
        """The figures of the pair."""
        tab = FiguresTab(self.worker, self.theme, FIGURES_SHOWN)
        tab.query_wanted.connect(self._clicked_query)
        tab.canvas.saved.connect(self.said)
        return tab

    @cached_property
    def deciding(self) -> DecidingTab:
        """What would turn the conclusion round."""
        tab = DecidingTab(self.project, self.worker, self.theme)
        tab.candidate_wanted.connect(self.candidate_wanted)
        tab.tables_shown.connect(self._name_keys)
        return tab

    @cached_property
    def since(self) -> SinceTab:
        """Today against an earlier state."""
        tab = SinceTab(self.project, self.worker, self.theme, self.surroundings.actions["snapshot"])
        tab.query_wanted.connect(self.query_wanted)
        tab.tables_shown.connect(self._name_keys)
        return tab

    @cached_property
    def planner(self) -> PowerPlanner:
        """How many queries a difference takes."""
        return PowerPlanner(self.worker)

    def _lay_out(self) -> None:
        self.tabs = Tabs(self.content)
        self.tabs.add("Queries by contrast", lambda: self.contrasts, self._fill_queries)
        self.tabs.add(
            "All pairs",
            lambda: self.matrix,
            lambda: self.matrix.show_table(pair_matrix(self.found, self.chosen.measure)),
        )
        self.tabs.add(
            "List of pairs",
            lambda: self.pairs,
            lambda: self.pairs.show_table(
                intervals_below(comparison_tables.comparisons(self.found), "difference")
            ),
        )
        self.tabs.add("By tag", lambda: self.tagged, self._fill_tags)
        self.tabs.add("Figures", lambda: self.figures, self._fill_figures)
        self.tabs.add("What would change it", lambda: self.deciding, self._fill_deciding)
        self.tabs.add("Preferences", lambda: self.preferred, self._fill_preferences)
        self.tabs.add("Overlap", lambda: self.alike, self._fill_overlap)
        self.tabs.add("Measures and conventions", lambda: self.measures, self._fill_measures)
        self.tabs.add("Power", lambda: self.planner, self._fill_planner)
        self.tabs.add(
            "Then and now", lambda: self.since, lambda: self.since.show_options(self.options.options)
        )
        self.tabs.currentChanged.connect(self._name_keys)
        words = column(self.sentence, self.numbers, around=(16, 0, 16, 12))
        column(words, (self.tabs, 1), on=self.content, around=FLUSH)
        self.whole_page.keep(self.tabs)

    def source_changed(self) -> None:
        """Offer the file, or the project again; the choices of an evaluation are the project's alone."""
        self.bar.show_scores(self.scores)

    def prepare(self, result: EvaluationResult, state: State | None, watch: Watch) -> list[Comparison]:
        """Compare the systems as chosen, as far as the result has them."""
        if len(result.systems) < 2 or not compared_measures(result):
            return []
        watch = watch.saying("The comparison was cancelled.")
        return compare_all(result, fitting(self.chosen.comparison, result), watch)

    def present(self, result: EvaluationResult, prepared: list[Comparison]) -> None:
        """Show the chosen pair, and all pairs."""
        self.found = prepared
        if not prepared:
            self.bar.show_pair_choice(False)
            one, alone = ONE if self.state is not None else ONE_IN_FILE, len(result.systems) < 2
            way_on = ("Import files…", self.surroundings.actions["import"].trigger)
            asked = way_on if alone and self.state is not None else ()
            self.message.say("Nothing to compare", one if alone else ONLY_COUNTS, *asked)
            self.show_message()
            return
        self.bar.offer(result, prepared[0].family)
        self.bar.show_pair_choice(True)  # which are as wide as what they offer when they are first shown
        for title in OF_RANKINGS:
            self.tabs.offer(title, self.state is not None)
        for title in ("What would change it", "Then and now"):
            self.tabs.offer(title, self.state is not None and not self.hidden)
        self.tabs.offer("By tag", any(result.tags))
        self.tabs.offer("Preferences", has_preferences(self.state))
        self._read_choices()
        self._say_how()
        self._show_pair()

    def _say_how(self) -> None:
        self.bar.say_how(self.options if self.scores is None else None)

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size."""
        super().theme_changed(theme)
        views = ("contrasts", "matrix", "pairs", "tagged", "measures")
        for part in made(self, *views, "figures", "deciding", "since", "alike", "preferred"):
            part.theme_changed(theme)

    def _read_choices(self) -> None:
        self.chosen = self.bar.says()
        if self.scores is None:
            self.surroundings.choices.pair = (self.chosen.first, self.chosen.second)

    def _choose(self) -> None:
        """Show another pair at once; another family is computed first. Every page then compares like this."""
        self._read_choices()
        self._say_how()
        keep_comparison(self.surroundings, self.chosen.comparison)
        if self._compared_so() and not self.job.busy:
            self._show_pair()
        else:
            self.refresh()

    def _compared_so(self) -> bool:
        result, found = self.result, self.found
        return bool(result and found and Family.of(result, self.chosen.comparison) == found[0].family)

    def as_chosen(self) -> bool:
        """Say whether what is shown was computed, and compared, with what is chosen."""
        return (self.scores is not None or super().as_chosen()) and (self._compared_so() or not self.found)

    def _show_pair(self) -> None:
        chosen, pair = self.chosen, {self.chosen.first, self.chosen.second}
        under_it = [one for one in self.found if one.measure == chosen.measure]
        one = self.compared = next((one for one in under_it if {one.first, one.second} == pair), None)
        self.tabs.refill()
        self._name_keys()
        if one is None:
            self.sentence.setText("Choose two different systems.")
            self.numbers.clear()
            return
        self.sentence.setText(breakable(one.sentence))
        source = "" if self.scores is None else f"Scores of {self.scores.name} · "
        self.numbers.setText(breakable(source + comparison_tables.in_numbers(one, self.found)))

    def _show_options(self, on: bool) -> None:
        """Show whose grades, which queries and moment; a file of scores has none to choose."""
        on = on and self.scores is None
        self.options.setVisible(on)
        self.bar.stand_above(on)

    def _name_keys(self, *_: object) -> None:
        """Name in the status bar the keys of what the tab in front shows."""
        self.name_keys(KEYS.get(self.tabs.tabText(self.tabs.currentIndex()), "agreement"))

    def _of_pair(self, part: QWidget) -> bool:
        """Say whether two different systems are chosen; else nothing of another pair stays in sight."""
        part.setVisible(self.compared is not None)
        return self.compared is not None

    def _fill_queries(self) -> None:
        if self._of_pair(self.contrasts) and self.result is not None:
            self.contrasts.show_pair(self.result, self.state, self.chosen, self.options.options)

    def _fill_tags(self) -> None:
        if self.result is not None and any(self.result.tags):
            choice = fitting(replace(self.chosen.comparison, by_tag=True), self.result)
            self.tagged.show_result(self.result, choice, self.chosen.measure)

    def _fill_figures(self) -> None:
        chosen = self.chosen
        pair = (chosen.first, chosen.second)
        if not self._of_pair(self.figures):
            return
        level = chosen.comparison.alpha
        subject = Subject(result=self.result, measure=chosen.measure, level=level, pair=pair)
        self.figures.show_subject(subject)

    def _fill_deciding(self) -> None:
        if not self._of_pair(self.deciding):
            return
        options = self.options.options.of_measures(self.chosen.measure)
        if self.state is not None:
            self.deciding.show_pair(self.state, self.chosen.first, self.chosen.second, options)

    def _fill_measures(self) -> None:
        if self.result is not None and self.state is not None:
            self.measures.show_measure(self.state, self.result, self.chosen.measure)

    def _fill_preferences(self) -> None:
        if self.state is not None and has_preferences(self.state):
            self.preferred.show_state(self.state, self.options.options)

    def _fill_overlap(self) -> None:
        if self.state is not None:
            self.alike.show_state(self.state, self.options.options.systems)

    def _fill_planner(self) -> None:
        one = self.compared
        if self._of_pair(self.planner) and one is not None and self.result is not None:
            self.planner.show_comparison(self.result, self.found, one)

    def _clicked_query(self, query: str) -> None:
        if why := no_rankings(self.result, self.state, self.chosen.measure):
            self.said.emit(why)
            return
        self.tabs.setCurrentIndex(0)
        self.contrasts.show_query(query)

    def _open_field(self, row: int, column: int) -> None:
        """Compare the two systems of a field; the matrix stays in sight."""
        names, measure = self.matrix.grid.table.data[0], self.chosen.measure
        pair = {str(names[row]), str(names[column - 1])} if column else set()
        one = next(
            (one for one in self.found if one.measure == measure and {one.first, one.second} == pair), None
        )
        if one is not None:
            self._take_pair(one)

    def _open_pair(self, row: int, _column: int) -> None:
        self._take_pair(self.found[row])
        self.tabs.setCurrentIndex(0)

    def _take_pair(self, one: Comparison) -> None:
        self.bar.take(one.first, one.second, one.measure)
        self._read_choices()
        self._show_pair()
