"""A page that shows an evaluation: the choices above, what is hidden from the blind, progress, problems."""

from collections.abc import Callable, Container, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from typing import Any

from PySide6.QtWidgets import QFrame, QSizePolicy, QStackedWidget, QWidget

from annotator.desktop.controls import button
from annotator.desktop.layouts import FLUSH, column, row
from annotator.desktop.pages import Surroundings
from annotator.desktop.question import confirm
from annotator.desktop.results.following_page import FollowingPage, of_damaged
from annotator.desktop.results.job_bar import CANCELLED, JobBar
from annotator.desktop.results.options_bar import OptionsBar
from annotator.desktop.results.overlap_tab import NothingYet
from annotator.desktop.results.scrolled_page import ScrolledPage
from annotator.desktop.style import breakable, prose
from annotator.evaluation.options import Options
from annotator.evaluation.results import EvaluationResult
from annotator.evaluation.subsets import narrowed
from annotator.figures.formulas import formula_path
from annotator.metrics.catalogue import CATALOGUE
from annotator.project import blindness, browse, settings
from annotator.project.shown_files import origin
from annotator.project.state import State, state_of
from annotator.project.views import Contents
from annotator.tasks import CITATION, PREFERENCE, RATING, SUPPORT
from annotator.text.counts import counted
from annotator.text.normalisers import NORMALISERS
from annotator.text.times import in_words
from annotator.theme import Theme
from annotator.watch import Watch

EVALUATING = "Evaluating…", "The scores appear here in a moment."
BEFORE = " What is shown was computed with the choices before."

REMEMBERED = (
    "measures",
    "systems",
    "combine",
    "rel",
    "judged_only",
    "skip_without_relevant",
    "tags",
    "normaliser",
    "stemming",
)


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What a page is about to show; `hidden` counts the queries left out, `prepared` is the page's own.

    `state` is what the result was made of, None of one that was read from a file; `moments` are the names of
    the snapshots, latest first.
    """

    result: EvaluationResult
    state: State | None
    hidden: int
    contents: Contents | None
    moments: tuple[str, ...]
    prepared: Any


class EvaluatedPage(FollowingPage):
    """Evaluates when shown, when options change and while somebody grades; the last result stays meanwhile.

    A page fills `content`, whose parts are its children from the start (a widget that moves to another parent
    is styled anew), and defines `prepare`, which runs beside the window's thread, and
    `present`, which shows what `prepare` returned. What is computed later for what is on show is made of the
    same `state`. With `in_parts` the first result under other options is
    shown system by system while the others are read; a cancel goes back to the last whole one.
    """

    in_parts = False
    without_judgments = False
    """Whether the page has something to show before anything is judged."""

    def __init__(self, surroundings: Surroundings, parent: QWidget | None = None) -> None:
        super().__init__(surroundings, parent)
        self.result: EvaluationResult | None = None
        self.state: State | None = None
        self._systems = True
        self.keys = "unmatched"
        self._whole: Found | None = None
        self.hidden = 0
        """How many queries are kept from the blind annotator."""
        self._taken = surroundings.choices.options
        options = remembered_options(surroundings.settings.get("evaluate", dict[str, object]()))
        self.whole_page = ScrolledPage(self)
        inside = self.whole_page.content
        self.options = OptionsBar(self._taken or options, self.theme, inside)
        self.options.options_changed.connect(self._options_changed)
        self.job = JobBar(self.worker, inside)
        self.job.problem.connect(self.tell)
        self.job.cancelled.connect(self._go_back)
        self.blind = BlindNotice(self.unblind, inside)
        self.stack = QStackedWidget(inside)
        self.empty = NothingYet(self.project, self.worker, self.theme, self.stack)
        self.message = self.empty.message
        self.message.say(*EVALUATING)
        self.content = QWidget(self.stack)
        self.stack.addWidget(self.empty)
        self.stack.addWidget(self.content)
        self.stack.currentChanged.connect(self._ask_for_front)
        self._ask_for_front()
        self.wrong = prose("", "danger", inside)
        self.wrong.setContentsMargins(16, 0, 16, 4)
        self.wrong.hide()
        head = (self.options, self.blind, self.job, self.wrong)
        self.head = column(*head, (self.stack, 1), on=inside, around=FLUSH, gap=0)
        column(self.whole_page, on=self, around=FLUSH)

    def prepare(self, result: EvaluationResult, state: State, watch: Watch) -> Any:
        """Make what is shown of a result, beside the window's thread; no widget may be touched."""
        raise NotImplementedError

    def present(self, result: EvaluationResult, prepared: Any) -> None:
        """Show what was prepared."""
        raise NotImplementedError

    def shown(self) -> None:
        """Bring the scores up to date, by what was chosen here or on another page."""
        chosen = self.surroundings.choices.options
        if chosen is not None and chosen != self._taken:
            self._taken = chosen
            self.options.show_options(chosen)
            self.stale = True
        super().shown()

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size."""
        super().theme_changed(theme)
        self.options.theme_changed(theme)
        self.empty.theme_changed(theme)

    def refresh(self) -> None:
        """Evaluate anew; the last result stays until the new one is complete."""
        self.stale = False
        if self.result is None:
            self.message.say(*EVALUATING)
        project, chosen = self.project, self.options.options
        remembered = self.surroundings.settings.get("evaluate", dict[str, object]())
        nothing_chosen = not remembered and chosen == Options()
        shown = self._whole.result.options if self._whole and self._whole.prepared else None

        def job(watch: Watch) -> Found:
            from annotator.project.project_scores import evaluated
            from annotator.project.snapshots import snapshots

            contents = browse.contents(project)
            self.worker.post(self, partial(self.counted, contents))
            moments = tuple(one.name for one in reversed(snapshots(project)))
            options, state = chosen, state_of(project, chosen)
            if nothing_chosen:
                options = settings.usual_options(project)

            def found(result: EvaluationResult) -> Found:
                seen, hidden = blindness.seen_queries(project)
                result = narrowed(result, seen) if hidden else result
                prepared = self.prepare(result, state, watch) if result.query_ids else None
                return Found(result, state, hidden, contents, moments, prepared)

            def part(result: EvaluationResult) -> None:
                few = found(result)
                self.worker.post(self, lambda: None if watch.asked() else self._show_found(few))

            in_parts = self.in_parts and options != shown
            result = evaluated(state, options, part if in_parts else None, watch)
            formula_path(CATALOGUE[0].formula)  # the first that the measure chooser shows
            return found(result)

        self.job.run("Evaluating", job, self._show)

    def counted(self, contents: Contents) -> None:
        """Take in whether there is a system."""
        self._systems = bool(contents.systems)

    def tell(self, text: str) -> None:
        """Tell what went wrong; what was shown before stays, and says so where something else is chosen."""
        if self.result is None:
            again = ("Try again", self.refresh) if self._systems else self._way_on("")
            way = () if self.project.damage else again
            self.message.say(*of_damaged(self.project, "No scores", text), *way)
        self.wrong.setText(breakable(text + BEFORE * (self.whole and not self.as_chosen())))
        self.wrong.setVisible(self.result is not None)
        self.whole_page.bring(self.wrong)

    @property
    def whole(self) -> bool:
        """Say whether what is shown is all of a result."""
        return self._whole is not None and self.result is self._whole.result

    def origin(self) -> Sequence[str]:
        """Return where the tables on show come from."""
        return () if self.result is None else origin(self.result, self.hidden > 0)

    def _go_back(self) -> None:
        """Show the last whole result again, if parts of another one stand in its place."""
        if self.result is None:
            self.message.say("No scores", CANCELLED, "Evaluate", self.refresh)
        elif self._whole is None:
            self.tell("Cancelled: the other systems are not evaluated.")
        else:
            chosen = self.options.options
            if not self.whole:
                self._show_found(self._whole)
                self.options.show_options(chosen)
            if not self.as_chosen():
                self.tell("Cancelled.")

    def as_chosen(self) -> bool:
        """Say whether what is shown was computed with what is chosen."""
        return self._whole is not None and self.options.options == self._whole.result.options

    def hide_found(self) -> None:
        """Show nothing of what was computed: another annotator may be blind for it."""
        self.message.say(*EVALUATING)
        self.wrong.hide()
        self.show_message()
        self.result = self._whole = None

    def _show(self, shown: Found) -> None:
        self._whole = shown
        self._show_found(shown)

    def _show_found(self, shown: Found) -> None:
        self.result, self.state, self.hidden = shown.result, shown.state, shown.hidden
        self.wrong.hide()
        if shown.state is not None:  # what was read from a file is settled there
            self.options.show_options(shown.result.options)
            self.options.show_contents(shown.contents, shown.moments)
        self.blind.show_hidden(shown.hidden, len(shown.result.query_ids))
        if not shown.result.query_ids:
            said = shown.state.said if shown.state is not None else ()
            why = nothing_in_words(shown.hidden, shown.result.options.as_of, said)
            self.message.say("No scores yet", why, *self._way_on(shown.result.options.as_of))
            self.show_message(shown.state if self.without_judgments else None)
            return
        self.stack.setCurrentWidget(self.content)
        self.keys_become("")
        self.present(shown.result, shown.prepared)

    def show_message(self, state: State | None = None) -> None:
        """Show what the message says, and what a state has of its systems without scores."""
        self.stack.setCurrentWidget(self.empty)
        self.empty.show_state(state, self.options.options)
        self.keys_become("agreement" if self.empty.has_table else "unmatched")

    def _ask_for_front(self) -> None:
        """Ask for the room of what is in front: Qt asks for what is behind it, too."""
        policies, front = QSizePolicy.Policy, self.stack.currentWidget()
        for part in (self.empty, self.content):
            policy = policies.Preferred if part is front else policies.Ignored
            part.setSizePolicy(policy, policy)

    def _way_on(self, as_of: str) -> tuple[str, Callable[[], object]]:
        """Return what leads to scores where there are none: its word, and what to call."""
        if as_of:
            return "As of now", partial(self.options.change, as_of="")
        command, word = ("page_1", "Judge queries") if self._systems else ("import", "Import files…")
        return word, self.surroundings.actions[command].trigger

    def _options_changed(self) -> None:
        self._taken = self.surroundings.choices.options = self.options.options
        kept = {name: value for name, value in asdict(self._taken).items() if name in REMEMBERED}
        self.surroundings.settings.set("evaluate", kept)
        self.refresh()


class BlindNotice(QWidget):
    """Says that scores of unfinished queries are hidden, and offers to show them, which is recorded."""

    def __init__(self, unblind: Callable[[], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        card = QFrame()
        card.setProperty("kind", "card")
        self.words = prose()
        self._hidden, self._unblind = 0, unblind
        self.unblind_wanted = button("Show all and record it…", self._ask)
        row((self.words, 1), self.unblind_wanted, on=card, around=(16, 8, 8, 8))
        column(card, on=self, around=(16, 8, 16, 12))
        self.hide()

    def show_hidden(self, hidden: int, shown: int) -> None:
        """Show how many queries are hidden; nothing is shown when none is."""
        self._hidden = hidden
        self.setVisible(hidden > 0)
        counts = f"Shown: {shown}, hidden: {hidden}."
        self.words.setText(f"Scores of unfinished queries would unblind you. {counts}")

    def _ask(self) -> None:
        """Say what is recorded, then show all."""
        queries = counted(self._hidden, "query", "queries")
        confirm(
            self,
            "Show all scores?",
            f"Show the scores of {queries} that you have not finished?",
            "They can lead your grades. It is recorded for each of these queries that you asked for them: "
            "grades that you give there from now on count as given with the scores in sight, and reports "
            "name the number of such queries. Who only looks and judges nothing there is not counted.",
            "Show all and record it",
            self._unblind,
        )


BESIDE = {
    RATING.name: "questions of the project's own: choose one above, where relevance comes from",
    SUPPORT.name: "nuggets: choose measures of them above",
    CITATION.name: "citations: choose measures of them above",
    PREFERENCE.name: "preferences: see Compare, Preferences",
}
"""Where to see what is said under tasks beside the grades."""


def nothing_in_words(hidden: int, as_of: str, said: Container[str] = ()) -> str:
    """Say why no query is shown, where anything is `said` under some tasks beside the grades."""
    if as_of:
        return f"Nothing was judged as of {in_words(as_of)}. Choose a later moment above."
    if hidden:
        return "You have finished no query yet. Judge one to its end, or show all scores above."
    if beside := [words for name, words in BESIDE.items() if name in said]:
        return f"Nothing is graded yet. There are judgments of {'; of '.join(beside)}."
    return "Nothing that makes a score is judged yet. Grade a query, or import judgments."


def remembered_options(kept: dict[str, object]) -> Options:
    """Return the options chosen last; what does not fit any more is left as usual."""
    known, usual = {one.name for one in fields(Options)}, Options()
    values: dict[str, Any] = {}
    for name, value in kept.items():
        if name in known and isinstance(value, list):
            values[name] = tuple(str(one) for one in value)
        elif name in known and type(value) is type(getattr(usual, name)):
            values[name] = value
    if values.get("normaliser") not in NORMALISERS:
        values.pop("normaliser", None)
    return replace(usual, **values) if values.get("measures", True) else usual
