"""Above the query list: in which order, and which queries; each choice is a chip that takes itself away."""

import re
from collections.abc import Iterable
from dataclasses import asdict, replace
from functools import partial
from typing import Any, get_args

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QPushButton, QVBoxLayout, QWidget

from annotator.desktop.choice import Choice
from annotator.desktop.controls import literal
from annotator.desktop.style import label, tip
from annotator.desktop.wrap_layout import WrapLayout, chip
from annotator.grades import GRADES, MEANINGS
from annotator.project.views import Contents, Filters, Order
from annotator.tasks import GRADE
from annotator.text.counts import counted
from annotator.text.visible import visible
from annotator.theme import STEPS

STATES = {
    "unjudged": "Unjudged",
    "skipped": "Skipped",
    "cannot_tell": "Can't tell",
    **{mark.name: mark.chip for mark in GRADE.marks if mark.chip},
}
ORDERS = {
    "batches": ("In batches", "About ten candidates of a query, then ten of the next; shuffled"),
    "by query": ("Query by query", "All candidates of a query, then all of the next; shuffled"),
    "by pool depth": (
        "By pool depth",
        "In each query the first five ranks of any system, then the next five",
    ),
    "disagreements": ("Disagreements", "Only what people graded differently"),
    "my earlier ones": ("My earlier ones", "Only what you have judged yourself, to look at it again"),
}
OWN = "Assigned to me"
OTHERS_TOO = "{} of {} are assigned to you. All others stay open to you: click to list them too."
DEPTHS = (1, 3, 5, 10, 20, 50, 100)


def filters_from(remembered: dict[str, Any]) -> Filters:
    """Return remembered filters; what is not understood any more is left out."""
    made = Filters()
    kept = {name: one if isinstance(one, list) else [] for name, one in remembered.items()}
    for name, known in (("states", STATES), ("grades", GRADES)):
        chosen = tuple(one for one in kept.get(name, ()) if one in [*known])
        made = replace(made, **{name: chosen})  # type: ignore[arg-type]
    if remembered.get("order") in get_args(Order):
        made = replace(made, order=remembered["order"])
    made = replace(made, assigned=remembered.get("assigned", True) is not False)
    return replace(made, tags=tuple(map(str, kept.get("tags", ()))))


class FilterBar(QFrame):
    """The order, the chips of what is chosen, and a menu of what can be chosen."""

    filters_changed = Signal(object)

    def __init__(self, filters: Filters, parent: QWidget) -> None:
        super().__init__(parent)
        self.filters = filters
        self._own_wanted = filters.assigned
        self._contents: Contents | None = None
        self._order = Choice(self)
        self._order.setAccessibleName("Order of the queries")
        self._order.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        for at, (name, (words, explained)) in enumerate(ORDERS.items()):
            self._order.addItem(words, name)
            self._order.setItemData(at, explained, Qt.ItemDataRole.ToolTipRole)
        self.meanings: tuple[str, ...] = MEANINGS
        self._order.activated.connect(self._reorder)
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self._fill_menu)
        self._more = QPushButton("Filter", self)
        self._more.setMenu(self._menu)
        self._more.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        top = QHBoxLayout()
        top.addWidget(self._order, 1)
        top.addWidget(self._more)
        self._chips = WrapLayout()
        self._progress = label("\u00a0", "muted", self)  # room for it: nothing moves when it comes
        self._progress.setWordWrap(True)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(STEPS[2], STEPS[1], STEPS[1], STEPS[0])
        rows.setSpacing(STEPS[0])
        rows.addLayout(top)
        rows.addLayout(self._chips)
        rows.addWidget(self._progress)
        self.show_filters(filters)

    def show_contents(self, contents: Contents) -> None:
        """Offer the project's tags and systems, and show whether it is one's own queue that is listed."""
        before, self._contents = self._contents, contents
        if before is None or before.queue != contents.queue:
            self.show_filters(self.filters)

    @property
    def own_queue(self) -> bool:
        """Whether what is listed is, at most, what is assigned to the annotator."""
        return self.filters.assigned and self._contents is not None and bool(self._contents.queue)

    def show_progress(self, words: str, session: str) -> None:
        """Show how far the annotator is, and in the tooltip what was said in this session."""
        self._progress.setText(re.sub(r"(?<=\d) (?=min|h\b)| (?=left)", "\u00a0", words))
        self._progress.setToolTip(tip(session))

    def show_filters(self, filters: Filters) -> None:
        """Show what is chosen; nothing is announced."""
        self.filters = filters
        self._order.setCurrentIndex(self._order.findData(filters.order))
        while (item := self._chips.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        for words, without in self._chosen():
            made = chip(f"{words}  ×", self, checkable=False)
            made.setAccessibleName(visible(f"Take the filter away: {words}"))
            if without.assigned != filters.assigned and self._contents is not None:
                queries = counted(len(self._contents.queue), "query", "queries")
                made.setToolTip(
                    tip(OTHERS_TOO.format(counted(self._contents.queue_pool, "candidate"), queries))
                )
            made.clicked.connect(partial(self._change, without))
            self._chips.addWidget(made)
            made.show()

    def begin(self, filters: Filters) -> None:
        """List what is remembered, also of whether one's own queue is wanted; nothing is announced."""
        self._own_wanted = filters.assigned
        self.show_filters(filters)

    def begin_with_own(self) -> Filters:
        """List one's own queue again, as for another annotator; nothing is announced."""
        self.begin(replace(self.filters, assigned=True))
        return self.filters

    def remembered(self) -> dict[str, object]:
        """Return what to remember; the text searched for is not."""
        kept = asdict(self.filters)
        lists = {name: list(kept[name]) for name in ("states", "grades", "tags")}
        return lists | {"order": kept["order"], "assigned": self._own_wanted}

    def _chosen(self) -> Iterable[tuple[str, Filters]]:
        now = self.filters
        if self.own_queue:
            yield OWN, replace(now, assigned=False)
        for state in now.states:
            yield STATES[state], replace(now, states=tuple(s for s in now.states if s != state))
        for grade in now.grades:
            yield f"Grade {grade}", replace(now, grades=tuple(g for g in now.grades if g != grade))
        for tag in now.tags:
            yield tag, replace(now, tags=tuple(t for t in now.tags if t != tag))
        if now.system is not None or now.depth is not None:
            words = " ".join(part for part in (now.system, f"top {now.depth}" if now.depth else "") if part)
            yield words, replace(now, system=None, depth=None)
        if now.pairs:
            yield now.called, replace(now, pairs=frozenset(), called="")
        if now.text:
            yield f"“{now.text}”", replace(now, text="")

    def _fill_menu(self) -> None:
        self._menu.clear()
        now = self.filters
        if self._contents is not None and self._contents.queue:
            self._offer(self._menu, OWN, replace(now, assigned=not now.assigned), now.assigned)
            self._menu.addSeparator()
        for state, words in STATES.items():
            self._offer(
                self._menu, words, replace(now, states=_switched(now.states, state)), state in now.states
            )
        grades = self._menu.addMenu("Grade")
        for grade in GRADES:
            words = f"{grade} · {self.meanings[grade]}"
            self._offer(grades, words, replace(now, grades=_switched(now.grades, grade)), grade in now.grades)
        if self._contents is not None and self._contents.tags:
            tags = self._menu.addMenu("Tag")
            for tag in self._contents.tags:
                self._offer(tags, tag, replace(now, tags=_switched(now.tags, tag)), tag in now.tags)
        if self._contents is not None:
            for system in self._contents.systems:
                depths = self._menu.addMenu(literal(f"Found by {system.name}"))
                for depth in DEPTHS:
                    filters = replace(now, system=system.name, depth=depth)
                    self._offer(depths, f"Top {depth}", filters, filters == now)

    def _offer(self, menu: QMenu, words: str, filters: Filters, on: bool) -> None:
        action = QAction(literal(words), menu)
        action.setCheckable(True)
        action.setChecked(on)
        action.triggered.connect(partial(self._change, filters))
        menu.addAction(action)

    def _reorder(self, at: int) -> None:
        self._change(replace(self.filters, order=self._order.itemData(at)))

    def _change(self, filters: Filters, _checked: bool = False) -> None:
        self._own_wanted = filters.assigned
        self.show_filters(filters)
        self.filters_changed.emit(filters)


def _switched(chosen: tuple[Any, ...], one: object) -> tuple[Any, ...]:
    return tuple(other for other in chosen if other != one) if one in chosen else (*chosen, one)
