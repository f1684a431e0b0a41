"""The choices that a result depends on: measures, systems, relevance, rules, which queries, which moment."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from annotator.desktop.controls import button, combo, literal
from annotator.desktop.layouts import FLUSH, column, row
from annotator.desktop.preferences import Settings
from annotator.desktop.question import Ask
from annotator.desktop.results.measure_chooser import MeasureChooser
from annotator.desktop.style import tip
from annotator.desktop.wrap_layout import WrapLayout
from annotator.errors import UserError
from annotator.evaluation.grade_combination import RULE_NAMES
from annotator.evaluation.options import GoldMatch, Options
from annotator.grades import HIGHEST
from annotator.project.snapshots import written_out
from annotator.project.views import Contents
from annotator.text.counts import counted
from annotator.text.normalisers import SENTENCES
from annotator.text.times import in_words
from annotator.theme import STEPS, Theme

SOURCES: dict[str, GoldMatch | None] = {
    "Grades": None,
    "Gold answers, exact match": GoldMatch(),
    "Gold answers, token F1 from 0.5": GoldMatch("f1", 0.5),
    "Gold answers, contained": GoldMatch("contains"),
    "Gold answers, word overlap": GoldMatch("overlap"),
    "Gold answers, SAS from 0.5": GoldMatch("sas", 0.5),
    "Gold answers by preference": GoldMatch(gains="gold-order"),
}
DEPTHS = (5, 10, 20)
RELEVANT = range(1, HIGHEST + 1)
NOW = "now"
FEWEST_LETTERS = 8
"""So much of a choice is seen however narrow the page is."""


class OptionsBar(QWidget):
    """Shows and changes `Options`; `options_changed(options)` follows every choice of the user."""

    options_changed = Signal(object)

    def __init__(self, options: Options, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.options = options
        self._theme = theme
        self._contents: Contents | None = None
        self._moments: Sequence[str] = ()
        self.measures = button("Measures", self._choose_measures, self)
        self.systems = self._menu_button("Systems", self._fill_systems)
        self.queries = self._menu_button("Queries", self._fill_queries)
        self.source = combo("Where relevance comes from", self._source_chosen, SOURCES.items(), self)
        people = "Whose grades, and how several are combined"
        self.people = combo(people, self._people_chosen, parent=self)
        self.people.setSizeAdjustPolicy(self.people.SizeAdjustPolicy.AdjustToContents)  # they come later
        for one in (self.source, self.people):
            one.setMinimumContentsLength(FEWEST_LETTERS)
        grades = ((f"Relevant from {grade}", grade) for grade in RELEVANT)
        self.rel = combo("Relevant from", lambda at: self.change(rel=RELEVANT[at]), grades, self)
        self.moment = button("As of now", self._choose_moment, self)
        self.answers = self._menu_button("How answers are compared", self._fill_answers)
        self.further: tuple[tuple[str, Callable[[], object]], ...] = ()
        """What the page offers of answers beside the choices: words, and what follows."""
        above, ends = WrapLayout(), QWidget(self)
        row(
            self.answers, self.moment, on=ends, around=FLUSH, gap=STEPS[0]
        )  # no line begins with the last alone
        column(above, on=self, around=(16, 12, 16, 8))
        for part in (
            self.measures,
            self.systems,
            self.source,
            self.people,
            self.rel,
            self.queries,
            ends,
        ):
            above.addWidget(part)
        self.show_contents(None)
        self.show_options(options)

    def show_contents(self, contents: Contents | None, moments: Sequence[str] = ()) -> None:
        """Offer the project's systems, annotators and tags, and its snapshots by name."""
        self._contents, self._moments = contents, moments
        self.answers.setVisible(contents is not None and contents.answers > 0)
        if self.source.count() > len(SOURCES) or (contents and contents.judged_by):
            self.source.clear()
            self.source.addItems([*SOURCES, *(contents.judged_by if contents else ())])
        self.people.clear()
        graded = [one for one in contents.annotators if one.graded] if contents else []
        if sum(one.kind != "model" for one in graded) > 1:
            for rule, words in RULE_NAMES.items():
                self.people.addItem(f"Everybody, {words}", (rule, None))
        else:
            self.people.addItem("Everybody", (None, None))
        for one in graded:
            self.people.addItem(f"Only {one.name}", (None, one.name))
        self.show_options(self.options)

    def show_options(self, options: Options) -> None:
        """Show other options without announcing them."""
        self.options = options
        several = len(options.measures)
        first = options.measures[0] if several == 1 else f"{several} measures"
        self.measures.setText(f"{first}…")
        self.measures.setToolTip(tip(", ".join(options.measures)))
        self.systems.setText(counted(len(options.systems), "system") if options.systems else "All systems")
        self.queries.setText(literal(self._query_words()))
        self.moment.setText(literal(f"As of {in_words(options.as_of) or NOW}"))
        values, match = list(SOURCES.values()), options.relevance
        plain = None if match is None else replace(match, normaliser=GoldMatch().normaliser)
        self.source.setCurrentIndex(values.index(plain) if plain in values else 0)
        if options.judged_by:
            self.source.setCurrentText(options.judged_by)
        self.answers.setText(f"Answers: {options.normaliser}" + ", stems" * options.stemming)
        self.answers.setToolTip(tip(f"Answers are compared {SENTENCES[options.normaliser]}"))
        rule = None if options.annotator else options.combine
        chosen = (rule, options.annotator)  # findData does not find a tuple that holds None
        offered = [self.people.itemData(at) for at in range(self.people.count())]
        self.people.setCurrentIndex(offered.index(chosen) if chosen in offered else 0)
        self.people.setEnabled(options.relevance is None)
        self.rel.setEnabled(options.relevance is None)
        self.rel.setCurrentIndex(min(max(options.rel, 1), HIGHEST) - 1)

    def theme_changed(self, theme: Theme) -> None:
        """Remember the theme for the dialogs."""
        self._theme = theme

    def _query_words(self) -> str:
        parts = list(self.options.tags)
        if self.options.queries:
            parts.insert(0, f"{len(self.options.queries)} chosen")
        if self.options.fully_judged_to:
            parts.append(f"judged to {self.options.fully_judged_to}")
        if self.options.skip_without_relevant:
            parts.append("with a relevant one")
        if self.options.judged_only:
            parts.append("judged candidates only")
        return " · ".join(parts) or "All queries"

    def _menu_button(self, name: str, fill: Callable[[QMenu], None]) -> QPushButton:
        button = QPushButton(name, self)
        menu = QMenu(button)
        menu.aboutToShow.connect(menu.clear)
        menu.aboutToShow.connect(partial(fill, menu))
        button.setMenu(menu)
        button.setAccessibleName(name)
        return button

    def change(self, **changed: Any) -> None:
        """Take other values of the named options and announce them."""
        options = replace(self.options, **changed)
        if options != self.options:
            self.show_options(options)
            self.options_changed.emit(options)

    def _choose_measures(self) -> None:
        chooser = MeasureChooser(self.options.measures, self._theme, Settings(), self)
        chooser.measures_chosen.connect(lambda names: self.change(measures=names))
        chooser.finished.connect(chooser.deleteLater)
        chooser.open()

    def _choose_moment(self) -> None:
        """Ask for a snapshot or a moment; an evaluation says what is wrong with one that is neither."""

        def take(text: str) -> None:
            with suppress(UserError):
                text = "" if text == NOW else written_out(text, self._moments)
            self.change(as_of=text)

        hint = (
            "Judgments, gold answers and runs as they were: a snapshot, or a moment such as last Friday, "
            "yesterday 14:00, 2 hours ago or 2026-11-20."
        )
        Ask(self, "As of", hint, take, self.options.as_of, (NOW, *self._moments)).open()

    def _source_chosen(self, at: int) -> None:
        if at < len(SOURCES):
            self._match(list(SOURCES.values())[at], self.options.normaliser)
        else:
            self.change(relevance=None, judged_by=self.source.itemText(at), rel=Options().rel)

    def _match(self, match: GoldMatch | None, normaliser: str) -> None:
        """Compare answers in one way, those that decide on relevance too."""
        match = match and replace(match, normaliser=normaliser)
        by = self.options.judged_by if self.source.currentIndex() >= len(SOURCES) else ""
        self.change(relevance=match, normaliser=normaliser, judged_by=by)

    def _people_chosen(self, at: int) -> None:
        combine, annotator = self.people.itemData(at)
        self.change(combine=combine or self.options.combine, annotator=annotator)

    def _fill_systems(self, menu: QMenu) -> None:
        names = [one.name for one in self._contents.systems] if self._contents else []
        chosen = self.options.systems or tuple(names)
        for name in names:
            others = tuple(one for one in names if (one in chosen) != (one == name))
            systems = () if len(others) == len(names) else others
            action = self._offer(menu, name, name in chosen, partial(self.change, systems=systems))
            action.setEnabled(bool(others))

    def _fill_queries(self, menu: QMenu) -> None:
        options = self.options
        if options.queries:
            words = f"Only the {len(options.queries)} chosen"
            self._offer(menu, words, True, partial(self.change, queries=()))
        for tag in self._contents.tags if self._contents else ():
            chosen = tag in options.tags
            tags = tuple(one for one in options.tags if one != tag) if chosen else (*options.tags, tag)
            self._offer(menu, f"Tagged {tag}", chosen, partial(self.change, tags=tags))
        menu.addSeparator()
        for depth in DEPTHS:
            chosen = options.fully_judged_to == depth
            depth_then = None if chosen else depth
            words = f"Only fully judged to rank {depth}"
            self._offer(menu, words, chosen, partial(self.change, fully_judged_to=depth_then))
        for name, words in (
            ("skip_without_relevant", "Only with a relevant candidate"),
            ("judged_only", "Remove unjudged candidates first"),
            ("count_ties", "Count ties in long rankings too"),
        ):
            chosen = getattr(options, name)
            self._offer(menu, words, chosen, partial(self.change, **{name: not chosen}))

    def _fill_answers(self, menu: QMenu) -> None:
        options = self.options
        for name, words in SENTENCES.items():
            choose = partial(self._match, options.relevance, name)
            self._offer(menu, f"{name}: {words}", name == options.normaliser, choose)
        menu.addSeparator()
        stems = partial(self.change, stemming=not options.stemming)
        self._offer(menu, "Compare stems instead of words", options.stemming, stems)
        menu.addSeparator()
        for words, call in self.further:
            menu.addAction(words, call)

    def _offer(self, menu: QMenu, words: str, chosen: bool, choose: Callable[[], None]) -> QAction:
        action = menu.addAction(literal(words))
        action.setCheckable(True)
        action.setChecked(chosen)
        action.triggered.connect(lambda _checked=False: choose())
        return action
