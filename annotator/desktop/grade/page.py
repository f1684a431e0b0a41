"""The Grade page: it joins the flow, the query list, the candidates and the panels beside them."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import shiboken6
from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from annotator.desktop.grade.annotations import Wishes
from annotator.desktop.grade.asking import Asking
from annotator.desktop.grade.between import Between
from annotator.desktop.grade.drafts import Drafts
from annotator.desktop.grade.early import Early
from annotator.desktop.grade.filter_bar import filters_from
from annotator.desktop.grade.flow import Flow
from annotator.desktop.grade.full_text_switch import Reading
from annotator.desktop.grade.practice import Practice
from annotator.desktop.grade.prepared import Prepared
from annotator.desktop.grade.query_model import QueryModel, fetch_lines
from annotator.desktop.grade.query_scores import Scoring, may_see
from annotator.desktop.grade.tally import Tally
from annotator.desktop.grade.timing import Pace
from annotator.desktop.grade.together import Together
from annotator.desktop.grade.workspace import Workspace
from annotator.desktop.layouts import FLUSH, column
from annotator.desktop.pages import Page, Surroundings
from annotator.project import browse, history, settings
from annotator.project.views import Change, Contents, Filters, JudgmentView, QueryView
from annotator.tasks import GRADE, STATED
from annotator.text.templates import short
from annotator.theme import Theme

if TYPE_CHECKING:
    from annotator.project.project import Project

BESIDE_MS = 90
"""What stands beside the candidates follows so long after the first of some keys: no key waits for it."""

SETTINGS = ("meanings", "examples", "guidelines", "field_line")


class GradePage(Page):
    """Keys and clicks become wishes to the flow; what the flow says is shown.

    `followed(Change)`: what was stored, wherever, is on its way to the screen.
    """

    followed = Signal(object)

    def __init__(self, surroundings: Surroundings, parent: QWidget) -> None:
        super().__init__(surroundings, parent)
        self.flow = Flow(self.project, self.worker, self)
        self._guidelines = ""
        self.tally = Tally()
        self._stale: set[int] = set()
        self._beside = QTimer(self, singleShot=True, interval=BESIDE_MS)
        self._beside.timeout.connect(self._refresh_beside)
        self.model = QueryModel(partial(fetch_lines, self.project), self.worker, self)
        self.parts = Workspace(self.model, self.theme, self)
        self.drafts = Drafts((self.parts.head.line, self.parts.gold.line), self.surroundings.settings)
        self.parts.restore(surroundings.settings.get_bytes("grade_panels"))
        self.parts.seat.want(surroundings.settings.get("beside", True))
        self.parts.show_nothing("Reading the queries…")
        column((self.parts, 1), on=self, around=FLUSH, gap=0)
        self.setFocusProxy(self.parts.cards)
        self.reading = Reading(self.flow, self.parts, self.project, self.worker, self)
        self.scoring = Scoring(self.flow, self.parts.scores, self.project, self.worker, self)
        self.wishes = Wishes(self.flow, self.project, self.worker, self.reading, self.drafts, self)
        self.together = Together(self.flow, self.project, surroundings.actions, self)
        self.asking = Asking(self.flow, self.parts, self.project, surroundings.actions, self)
        self.followed.connect(self.asking.follow)
        self.between = Between(self.flow, self.parts, self.project, self.worker, surroundings.actions, self)
        self.early = Early(self.flow, self.parts, surroundings.actions, self)
        self._connect()
        ways = (self.project, self.worker, surroundings.actions, self.theme)
        self.practice = Practice(self.flow, self.parts, *ways, self)
        self._connect_keys()
        self.parts.filter_bar.begin(filters_from(surroundings.settings.get("filters", dict[str, object]())))
        self._read_project()
        last = surroundings.settings.get("query", 0)
        self.flow.walk.show(self.parts.filter_bar.filters, last, to_open=True)

    def _connect(self) -> None:
        flow = self.flow
        flow.walk.keys_shown.connect(self.model.show_keys)
        flow.walk.keys_shown.connect(lambda _: self._show_progress())
        self.model.unread.connect(self.said)
        flow.query_shown.connect(self._show_query)
        flow.current_changed.connect(self._show_current)
        flow.judgment_shown.connect(self._show_judgment)
        self.between.said.connect(self.said)
        flow.changed.connect(self.changed)
        flow.said.connect(self.said)
        self.parts.asked.keys_taken.connect(lambda on: self.keys_become("asked" if on else "grade"))
        self.between.keys_are.connect(self.keys_become)
        flow.failed.connect(self.worker.failed)
        self.parts.cards.painted.connect(flow.painted)
        self.parts.cards.grade_chosen.connect(self._grade_candidate)
        self.parts.reader.grades.grade_chosen.connect(partial(self.flow.grade, how="button"))
        self.parts.cards.candidate_pressed.connect(self._press_candidate)
        self.parts.cards.verticalScrollBar().valueChanged.connect(lambda _: flow.stopwatch.touch())
        self.parts.reader.scrolled.connect(flow.stopwatch.touch)
        self.parts.list.query_chosen.connect(self._choose_query)
        self.parts.filter_bar.filters_changed.connect(self._filter)
        self.parts.recent.chosen.connect(flow.go)
        self.parts.head.gold_wanted.connect(self.wishes.set_gold)
        self.parts.head.note_wanted.connect(self.wishes.ask_query_note)
        self.parts.gold.gold_wanted.connect(self.wishes.set_gold)
        self.parts.gold.unanswerable_wanted.connect(self.wishes.switch_unanswerable)
        self.wishes.gold_told.connect(self._show_gold)
        self.parts.scores.unblind_wanted.connect(self.wishes.unblind)
        self.parts.guide.guidelines_wanted.connect(
            lambda text: self.wishes.do(lambda project: settings.set_setting(project, "guidelines", text))
        )

    def _connect_keys(self) -> None:
        on = self.surroundings.actions.on
        for grade in GRADE.levels:
            on(f"grade_{grade}", partial(self.flow.grade, grade))
        for mark in GRADE.marks:
            on(mark.name, partial(self.wishes.mark, mark))
        for name, call in (
            ("next_candidate", partial(self.flow.move, 1)),
            ("previous_candidate", partial(self.flow.move, -1)),
            ("next_query", partial(self.flow.step, 1)),
            ("previous_query", partial(self.flow.step, -1)),
            ("next_unjudged", self.flow.next_unjudged),
            ("read", self.reading.switch),
            ("beside", self.reading.switch_beside),
            ("back", self.go_back),
            ("clear", self.wishes.clear),
            ("skip", self.flow.skip),
            ("cannot_tell", self.wishes.ask_reason),
            ("add_gold", self.wishes.selection_to_gold),
            ("gold", self._edit_gold),
            ("unanswerable", self.wishes.switch_unanswerable),
            ("nuggets", self.wishes.edit_nuggets),
            ("query_note", self.wishes.ask_query_note),
            ("highlight", self.reading.switch_marks),
            ("unblind", self.wishes.unblind),
            ("history", self.wishes.show_history),
            ("address", self.wishes.ask_address),
            ("guidelines", self.parts.switch_guidelines),
        ):
            on(name, call)
        self.surroundings.actions.keys_changed.connect(self._name_keys)
        self._name_keys()

    def _name_keys(self) -> None:
        self.surroundings.actions.name_keys(self)

    # What the window tells

    def shown(self) -> None:
        """Give the keys to where they were typed before, or to the middle, unless someone types a search."""
        has = self.window().focusWidget()
        if self.typing is not None and shiboken6.isValid(self.typing):
            self.typing.setFocus()
        elif self.isAncestorOf(has) or not isinstance(has, QLineEdit):
            self.reading.take_keys()

    def _take_keys(self) -> None:
        """Give the keys to the candidates, unless a field or panel that stays in sight has them.

        When the message between two queries goes, Qt would leave them to a grade button of the next query,
        and Space would press it.
        """
        has = self.window().focusWidget()
        beside = self.isAncestorOf(has) and not self.parts.middle.isAncestorOf(has)
        if not beside and not isinstance(has, QLineEdit) and not self.isHidden():
            self.reading.take_keys()

    def project_changed(self, change: Change) -> None:
        """Follow what was stored."""
        if change.judgments and change.query is not None:
            before = self.tally.by_grades
            self.tally.follow(change)
            if 0 in (before, self.tally.by_grades):
                self.model.refresh()  # what else is said finishes a query only for who never grades
                self._count_beside(None)
            self.flow.pace.together += change.more_together
            self._stale.add(change.query)
            self._follow()
        else:
            if change.kind in ("annotator", "ready"):  # practice is not counted with the real work
                self.flow.pace = Pace()
                self.between.forget()
                self.flow.walk.filters = self.parts.filter_bar.begin_with_own()
            if change.kind in ("setting", "import", "system", "annotator"):
                self._read_project()
            self.model.refresh(change.query)
            if change.kind in STATED:
                self._follow()  # what is said beside the grades may have finished the query
                self._count_beside(change.query)
        self.flow.take(change)
        self.followed.emit(change)

    def do(self, verb: "Callable[[Project], Any]", done: Callable[[Any], object]) -> None:
        """Run a verb in its turn: after the keys that still wait."""
        self.flow.do(partial(verb, self.project), done)

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size."""
        super().theme_changed(theme)
        self.parts.theme_changed(theme)
        self.practice.review.theme_changed(theme)

    def search(self) -> bool:
        """Find words in the text that is being read; from the cards it is the window's search."""
        if not self.reading.on or self.parts.cards.hasFocus():
            return False
        self.parts.reader.find_in_text()
        return True

    def search_for(self, text: str) -> None:
        """List only queries in which, or in whose candidates or notes, this text stands."""
        self._filter(replace(self.flow.walk.filters, text=text))

    def show_filtered(self, filters: Filters) -> None:
        """List only the queries, and offer the candidates, that these filters let through, from the first."""
        self.parts.filter_bar.show_filters(filters)
        self.flow.walk.show(filters)

    def show_query(self, key: int, candidate: int | None = None) -> None:
        """Show a query, whatever the filters say."""
        if key not in self.flow.walk.order.keys:
            self.parts.filter_bar.show_filters(Filters())
            self.flow.walk.show(Filters(), key, candidate)
        else:
            self.flow.go(key, candidate)

    def leave(self) -> None:
        """Keep the guidelines being edited; remember query, filters, sizes and a half-typed answer."""
        settings = self.surroundings.settings
        self.parts.guide.leave()
        self.parts.gold.leave()
        self.drafts.leave()
        settings.set("query", self.flow.walk.at or 0)
        settings.set("beside", self.parts.seat.wanted)
        decided, pool = self.tally.of(self.parts.filter_bar.own_queue)
        if pool:
            settings.set("decided", decided)
            settings.set("pool", pool)
        settings.set("filters", self.parts.filter_bar.remembered())
        settings.set_bytes("grade_panels", self.parts.widths())

    def go_back(self) -> bool:
        """Leave what is being typed, or the text being read, for the candidates; False when one is there."""
        elsewhere = self.window().focusWidget() is not self.parts.cards
        if not (self.reading.on and self.parts.reader.leave_find()):
            self.reading.close()
        return elsewhere

    # What the flow tells

    def _show_query(self, prepared: Prepared | None) -> None:
        if prepared is None:
            self.between.show_none()
            self.drafts.show(None)
            self.parts.guide.show_texts(self._guidelines, "")
            return
        view = prepared.view
        self.parts.head.show()
        self.parts.gold.setEnabled(True)
        self.drafts.show((self.project.annotator, view.key))
        self._show_gold(self.wishes.newest(view))
        self.parts.guide.show_texts(self._guidelines, view.guidelines)
        self.model.hide_score(view.key if view.again else None)
        self.parts.list.show_query(view.key)
        self.parts.cards.show_query(prepared, self.flow.position)
        if view.candidates:
            self.reading.show_cards()
            self._take_keys()
        else:
            self.between.show_empty()
        if not may_see(view):
            self.scoring.refresh()  # at once
        self._follow()

    def _show_gold(self, view: QueryView) -> None:
        for part in (self.parts.head, self.parts.gold):
            part.show_query(view)

    def _show_current(self, position: int) -> None:
        self.parts.cards.set_current(position)
        if self.reading.on:
            self.reading.follow()
        elif self.parts.middle.currentWidget() is self.parts.message:  # one went back from the end
            self.keys_become("grade")
            self.reading.show_cards()
            self._take_keys()

    def _show_judgment(self, position: int, judgment: JudgmentView, pending: bool) -> None:
        self.parts.cards.show_judgment(position, judgment, pending)
        if not pending:
            self._follow()

    def _show_progress(self) -> None:
        pace, bar = self.flow.pace, self.parts.filter_bar
        decided, pool = self.tally.of(bar.own_queue)
        if pool:  # counted by now
            bar.show_progress(self.tally.said + pace.words(decided, pool), pace.summary())

    # Reading what is beside the query

    def _read_project(self) -> None:
        def read(project: "Project") -> dict[str, Any]:
            return {name: settings.value_of(project, name) for name in SETTINGS}

        self.worker.submit(self, partial(read, self.project), self._take_settings)
        self._read_recent()

    def counted(self, contents: Contents) -> None:
        """Offer the tags and systems as filters, and show how far the annotator is."""
        self.parts.filter_bar.show_contents(contents)
        self.parts.head.offer_gold(bool(contents.gold or contents.answers))
        self.tally.count(contents)
        self._show_progress()

    def _count_beside(self, query: int | None) -> None:
        """Learn how much of a query, or of all, is done by what is said beside the grade."""

        def take(done: dict[int, int]) -> None:
            for one in self.tally.take_beside(query, done) - {self.flow.query}:
                self.flow.walk.order.mark(one, one not in done)
            self._show_progress()

        self.worker.start(self, lambda _: browse.done_beside(self.project, query), take)

    def _take_settings(self, settings: dict[str, Any]) -> None:
        meanings = tuple(map(short, settings["meanings"]))
        self.parts.show_words(meanings, tuple(settings["examples"]), settings["field_line"])
        self.practice.review.meanings, self.practice.review.examples = meanings, tuple(settings["examples"])
        self._guidelines = settings["guidelines"]
        if self.flow.prepared is not None:
            self.parts.guide.show_texts(self._guidelines, self.flow.prepared.view.guidelines)

    def _follow(self) -> None:
        if not self._beside.isActive():
            self._beside.start()

    def _refresh_beside(self) -> None:
        """Bring the figures, the list and the strip up to date, once the next candidate is on screen."""
        self._show_progress()
        if self.flow.prepared is not None:
            self.parts.head.show_progress(self.flow.prepared.view)
        self.scoring.refresh()
        for query in self._stale:
            self.model.refresh(query)
        if self._stale:
            self._read_recent()
        self._stale.clear()

    def _read_recent(self) -> None:
        show = partial(self.parts.recent.show_recent, read_only=self.project.read_only)
        self.worker.submit(self, partial(history.recent, self.project), show)

    # Wishes

    def _grade_candidate(self, candidate: int, grade: int) -> None:
        if self.flow.prepared is not None and (at := self.flow.prepared.position(candidate)) is not None:
            self.flow.grade(grade, "button", at)
        self.reading.take_keys()

    def _press_candidate(self, candidate: int) -> None:
        if self.flow.prepared is not None and (at := self.flow.prepared.position(candidate)) is not None:
            self.flow.put_in_front(at)
        self.parts.reader.clear_selection()  # what is about to be selected stands on a card
        self.reading.take_keys()

    def _choose_query(self, key: int) -> None:
        self.flow.go(key)
        self.reading.take_keys()

    def _filter(self, filters: Filters) -> None:
        self.parts.filter_bar.show_filters(filters)
        self.flow.walk.show(filters, self.flow.query)

    def _edit_gold(self) -> None:
        self.parts.side.setCurrentWidget(self.parts.gold)
        self.parts.gold.start_typing()
