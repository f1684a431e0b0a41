"""The Agreement page: how far annotators agree, on what they do not, and what that does to the ranking."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QCheckBox, QComboBox, QSizePolicy, QWidget

from annotator.desktop.agreement.again_tab import AgainTab
from annotator.desktop.agreement.coefficients_tab import CoefficientsTab
from annotator.desktop.agreement.found import Found, by_query, drawn, gather, pair_in_words
from annotator.desktop.agreement.settle_tab import Adjudication
from annotator.desktop.agreement.threshold_tab import ThresholdTab
from annotator.desktop.agreement.words import ALONE, ASIDE, FINISH, NOT_COMPUTED, OTHER
from annotator.desktop.controls import button, combo, offer
from annotator.desktop.evaluate.figures_tab import FiguresTab
from annotator.desktop.layouts import FLUSH, column, row
from annotator.desktop.messages import Message
from annotator.desktop.pages import Surroundings
from annotator.desktop.results.evaluated_page import BlindNotice, remembered_options
from annotator.desktop.results.following_page import FollowingPage, of_damaged
from annotator.desktop.results.grid_view import GridView
from annotator.desktop.results.job_bar import CANCELLED, JobBar
from annotator.desktop.results.scrolled_page import ScrolledPage
from annotator.desktop.results.table_choice import TableChoice
from annotator.desktop.results.tabs import Tabs, made
from annotator.desktop.style import prose
from annotator.evaluation import agreement_tables
from annotator.evaluation.agreement_words import alpha_in_words
from annotator.project.views import Change
from annotator.theme import STEPS, Theme
from annotator.watch import Watch

if TYPE_CHECKING:
    from annotator.project.annotator_agreement import NamedPair
    from annotator.project.project import Project

FIGURES_SHOWN = ("agreement", "leniency", "confusion", "calibration", "grades", "time", "drift")


PAIRS = 3
"""Of more pairs the page names those alone that rank the systems least and most alike."""

GRADES_WORDS = "Grades"
PAIRWISE = ("Queries", "To settle")
"""The tabs that take two people."""

OF_MODELS = ("Models", "Where a model differs")


class AgreementPage(FollowingPage):
    """Coefficients, pairs, figures, queries, the queue to settle, the effect on the ranking of systems."""

    def __init__(self, surroundings: Surroundings, parent: QWidget | None = None) -> None:
        super().__init__(surroundings, parent)
        self.found: Found | None = None
        self.whole_page = ScrolledPage(self)
        self.message = Message()
        self.job = JobBar(self.worker)
        say = self.message.say
        self.job.problem.connect(self._not_computed)
        self.job.cancelled.connect(lambda: say(NOT_COMPUTED, CANCELLED, "Compare annotators", self.refresh))
        self.blind = BlindNotice(self.unblind)
        self.sentence = prose(kind="title")
        self.with_together = QCheckBox("count grades given with the rest or with a near-duplicate", self)
        self.with_together.toggled.connect(self.refresh)
        self.meaning = prose(kind="muted")
        self.other = button("Import files…", surroundings.actions["import"].trigger)
        self.by = combo("What is judged", lambda _: self.refresh(), ((GRADES_WORDS, ""),))
        self.levels = prose(kind="muted")
        self._pair = ""
        """What is chosen in the combo of pairs, and what the figures are about."""
        self._lay_out()

    @cached_property
    def agreeing(self) -> CoefficientsTab:
        """Every coefficient of everybody and of each pair, and the grades of one pair."""
        return CoefficientsTab(self.worker, self.theme, self._choose_pair)

    @cached_property
    def figures(self) -> FiguresTab:
        """The figures of how people judge."""
        tab = FiguresTab(self.worker, self.theme, FIGURES_SHOWN)
        tab.canvas.saved.connect(self.said)
        return tab

    @cached_property
    def queries(self) -> GridView:
        """The queries, those first that people agree on least."""
        grid = GridView("Queries, least agreement first", self.theme)
        grid.opened.connect(self._open_query)
        return grid

    @cached_property
    def with_settled(self) -> QCheckBox:
        """Whether the queue shows what is settled, too."""
        box = QCheckBox("show settled ones too")
        box.toggled.connect(self.adjudication.settling.tidy)
        return box

    @cached_property
    def adjudication(self) -> Adjudication:
        """The queue of what people graded differently."""
        return self._queue()

    @cached_property
    def differing(self) -> Adjudication:
        """The queue of what a model graded as no person did."""
        return self._queue(of_model=True)

    @cached_property
    def model(self) -> QComboBox:
        """Which model is held against people in the queue."""
        return combo("Model", self._show_differing)

    def _queue(self, of_model: bool = False) -> Adjudication:
        queue = Adjudication(self.project, self.worker, self.theme, of_model)
        queue.settling.changed.connect(self.changed)
        queue.settling.said.connect(self.said)
        queue.candidate_wanted.connect(self.candidate_wanted)
        return queue

    @property
    def _queues(self) -> list[Adjudication]:
        """The queues that were made, the one in sight first."""
        return sorted(made(self, "adjudication", "differing"), key=lambda one: not one.isVisible())

    @cached_property
    def models(self) -> TableChoice:
        """Models' grades against people's."""
        return TableChoice("models", self.theme)

    @cached_property
    def effect(self) -> GridView:
        """What each annotator alone would make of the systems."""
        return GridView("Means of the systems by each annotator alone", self.theme, highest_first=1)

    @cached_property
    def threshold(self) -> ThresholdTab:
        """A threshold as a classifier."""
        return ThresholdTab(self.project, self.worker, self.theme)

    @cached_property
    def again(self) -> AgainTab:
        """How far people agree with themselves."""
        return AgainTab(self.theme)

    def _not_computed(self, why: str) -> None:
        self.message.say(*of_damaged(self.project, NOT_COMPUTED, why))

    def _make_queue(self) -> QWidget:
        queue = QWidget()
        above = row(self.with_settled, 1, around=(16, 0, 16, 0))
        column(above, (self.adjudication, 1), on=queue, around=(0, 8, 0, 0))
        return queue

    def _lay_out(self) -> None:
        self.tabs = Tabs()
        fills = {
            "Coefficients": (lambda: self.agreeing, self._fill_coefficients),
            "Figures": (lambda: self.figures, self._fill_figures),
            "Queries": (lambda: self.queries, self._fill_queries),
            "To settle": (self._make_queue, self._fill_queue),
            "Models": (lambda: self.models, self._fill_models),
            "Where a model differs": (self._make_differing, self._fill_differing),
            "Effect on the ranking": (lambda: self.effect, self._fill_effect),
            "Threshold": (lambda: self.threshold, self._fill_threshold),
            "Each annotator": (lambda: self.again, self._fill_again),
        }
        for title, (make, fill) in fills.items():
            self.tabs.add(title, make, fill)
        self.tabs.currentChanged.connect(self._name_keys)
        self.message.say("Comparing annotators…")
        self.meaning.setContentsMargins(16, 4, 16, 12)
        self.with_together.hide()
        self.by.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)  # they come later
        self.by.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        above = row(self.by, (self.levels, 1_000), 1, around=(16, 12, 16, 0), gap=STEPS[1])
        other, together = (row(one, 1, around=(16, 0, 16, 8)) for one in (self.other, self.with_together))
        said = (above, self.sentence, self.meaning, other, together)
        middle = ((self.message, 1), (self.tabs, 1))
        column(self.blind, *said, *middle, on=self.whole_page.content, around=FLUSH, gap=0)
        column((self.whole_page, 1), self.job, on=self, around=FLUSH, gap=0)
        self.whole_page.keep(self.tabs)
        for part in (self.by, self.levels, self.tabs, self.sentence, self.meaning, self.other):
            part.hide()

    def shown(self) -> None:
        """Bring what is shown up to date; what was settled before is not listed any more."""
        for queue in self._queues:
            queue.settling.tidy(queue is not vars(self).get("differing") and self.with_settled.isChecked())
        super().shown()
        self._name_keys()

    def _name_keys(self) -> None:
        """Let the status bar name the digits where they settle."""
        self.name_keys("settling" if any(one.isVisibleTo(self) for one in self._queues) else "agreement")
        for tab in made(self, "figures"):
            if tab.isVisibleTo(self) and tab.save.isHidden():  # there is nothing to draw
                self.keys_become("unmatched")

    def project_changed(self, change: Change) -> None:
        """Follow what was judged, and at once what was settled."""
        super().project_changed(change)
        for queue in self._queues:
            queue.settling.take(change)

    def do(self, verb: "Callable[[Project], Any]", done: Callable[[Any], object]) -> None:
        """Run a verb in its turn: after the keys that still wait."""
        for queue in self._queues[:1]:
            queue.settling.do(partial(verb, self.project), done)
            return
        super().do(verb, done)

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size."""
        super().theme_changed(theme)
        views = ("agreeing", "queries", "effect", "models", "differing")
        for part in made(self, *views, "figures", "adjudication", "threshold", "again"):
            part.theme_changed(theme)

    def refresh(self) -> None:
        """Compute anew; what is shown stays meanwhile."""
        self.stale = False
        if self.found is None:
            self.message.say("Comparing annotators…")
        project = self.project
        options = remembered_options(self.surroundings.settings.get("evaluate", dict[str, object]()))

        together = self.with_together.isChecked()
        options = replace(options, judged_by=str(self.by.currentData() or ""))

        def job(watch: Watch) -> Found:
            return gather(project, options, together, watch)

        self.job.run("Comparing annotators", job, self._show)

    def hide_found(self) -> None:
        """Show nothing of what was computed: another annotator may be blind for it."""
        self.found = None
        self.message.say("Comparing annotators…")
        self.message.show()
        for part in (self.tabs, self.sentence, self.meaning, self.other):
            part.hide()
        for queue in self._queues:
            queue.settling.forget()
        self._name_keys()

    def origin(self) -> Sequence[str]:
        """Return where the tables on show come from."""
        return self.found.origin if self.found else ()

    def _show(self, gathered: Found) -> None:
        self.found = gathered
        self.by.clear()
        for words, name in ((GRADES_WORDS, ""), *((name, name) for name in gathered.offered)):
            self.by.addItem(words, name)
        self.by.setCurrentIndex(self.by.findData(gathered.judged_by))
        self.by.setVisible(bool(gathered.offered))
        self.levels.setText(gathered.meaning)
        self.levels.setVisible(bool(gathered.meaning))
        anybody, several = bool(gathered.agreement.annotators), bool(gathered.agreement.pairs)
        alone = gathered.hidden and not gathered.offered
        self.blind.show_hidden(gathered.hidden, len(gathered.seen))
        self.message.setVisible(not anybody)
        self.tabs.setVisible(anybody)
        self.with_together.setVisible(anybody and bool(gathered.agreement.together))
        judge, files = ("page_1", "Judge queries"), ("import", "Import files…")
        command, word = judge if gathered.seen or gathered.hidden else files
        way = word, self.surroundings.actions[command].trigger
        self.message.say("Nothing judged yet", "Agreement is about what two people or more judged.", *way)
        overall, models = gathered.agreement.overall, gathered.models.pairs
        self.tabs.offer("Coefficients", several)
        for title in PAIRWISE:
            self.tabs.offer(title, several and bool(overall))
        for title in OF_MODELS:
            self.tabs.offer(title, bool(models))
        self.tabs.offer("Effect on the ranking", several and gathered.effect is not None)
        self.tabs.offer("Threshold", not (gathered.hidden or gathered.judged_by))
        if several and overall:
            best = next(one for one in overall if one.name.endswith("ordinal"))
            self.sentence.setText(f"{best.said}.")
            self.meaning.setText(alpha_in_words(best))
        elif models:
            self.sentence.setText(gathered.models.said)
            self.meaning.setText(ASIDE)
        else:
            self.meaning.setText(FINISH if gathered.hidden else OTHER)
            self.sentence.setText(ALONE)
        meaning = self.meaning.text()
        self.sentence.setContentsMargins(16, 0 if alone else 16, 16, 0 if meaning else 12)
        for part, on in ((self.sentence, True), (self.meaning, meaning), (self.other, meaning == OTHER)):
            part.setVisible(anybody and bool(on))
        self.tabs.refill()
        if meaning == FINISH:
            self.whole_page.bring(self.blind)  # the tabs have nothing to show
        self._name_keys()

    def _chosen_pair(self) -> "NamedPair | None":
        """Return the chosen pair, the first one until one is chosen."""
        pairs = self.found.agreement.pairs if self.found else ()
        chosen = next((one for one in pairs if pair_in_words(one) == self._pair), None)
        return chosen or next(iter(pairs), None)

    def _choose_pair(self) -> None:
        self._pair = self.agreeing.pair.currentText()
        self.tabs.refill()

    def _fill_coefficients(self) -> None:
        one = self._chosen_pair()
        if self.found is None or one is None:
            return
        self.agreeing.show_coefficients(self.found.coefficients, self.found.subject)
        names = [pair_in_words(other) for other in self.found.agreement.pairs]
        table = agreement_tables.confusion(one.first, one.second, one.agreement)
        self.agreeing.show_pairs(names, pair_in_words(one), table)

    def _fill_figures(self) -> None:
        from annotator.project.figure_data import confusion_of

        if self.found is not None:
            subject, one = self.found.subject, self._chosen_pair()
            self.figures.show_subject(
                replace(subject, confusion=confusion_of(one, subject.levels)) if one else subject
            )

    def _fill_queries(self) -> None:
        self.queries.show_table(by_query(self.found.agreement.queries if self.found else ()))

    def _fill_queue(self) -> None:
        if self.found is not None:
            of = self.found
            self.adjudication.show_disagreements(of.disagreements, of.judged_by, of.levels)

    def _fill_models(self) -> None:
        if self.found is not None:
            self.models.show_tables([drawn(one) for one in self.found.models.tables])

    def _make_differing(self) -> QWidget:
        queue = QWidget()
        column(row(self.model, 1, around=(16, 8, 16, 0)), (self.differing, 1), on=queue, around=FLUSH)
        return queue

    def _fill_differing(self) -> None:
        if self.found is not None:
            offer(self.model, list(self.found.differing))
            self.model.setVisible(len(self.found.differing) > 1)
            self._show_differing()

    def _show_differing(self) -> None:
        """Show the queue of the chosen model."""
        if self.found is not None:
            of = self.found
            differing = of.differing.get(self.model.currentText(), ())
            self.differing.show_disagreements(differing, of.judged_by, of.levels)

    def _fill_effect(self) -> None:
        if self.found is not None and (one := self.found.effect) is not None:
            self.effect.show_table(one.table(most=PAIRS))

    def _fill_threshold(self) -> None:
        if self.found is not None:
            self.threshold.show_annotators(self.found.agreement.annotators, self.with_together.isChecked())

    def _fill_again(self) -> None:
        if self.found is not None:
            self.again.show_tables([drawn(one) for one in self.found.alone])

    def _open_query(self, row: int, _column: int) -> None:
        if self.found is not None:
            self.query_wanted.emit(self.found.agreement.queries[row].query)
