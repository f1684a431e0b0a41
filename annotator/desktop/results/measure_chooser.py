"""The dialog that chooses measures: the catalogue grouped and searchable, each with formula and meaning."""

from collections.abc import Iterator, Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QPushButton,
    QScrollArea,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from annotator.desktop.controls import button
from annotator.desktop.dialog import Dialog
from annotator.desktop.layouts import column, row
from annotator.desktop.line_field import LineField
from annotator.desktop.preferences import Settings
from annotator.desktop.results.formula import FormulaLabel
from annotator.desktop.style import label, prose, px, tip
from annotator.errors import MeasureError
from annotator.metrics.catalogue import CATALOGUE, PRESETS, parse, parse_all
from annotator.metrics.measures import Declaration
from annotator.project.answer_models import why_unavailable
from annotator.theme import STEPS, Theme

OWN, OWN_TITLE = "own_measures", "my own"
"""The preset that the user keeps: its name among the settings, and in words."""

NOTHING_FOUND = "No measure of the catalogue has these words."

DECLARATION = Qt.ItemDataRole.UserRole


def example(declaration: Declaration) -> str:
    """Return a measure's name as one would type it, with a usual cut-off where it needs one."""
    at = declaration.at
    if at is None:
        return declaration.key
    return f"{declaration.key}@0.5" if at.name == "recall" else f"{declaration.key}@10"


def named(declaration: Declaration, between: str) -> str:
    """Return a measure's name and its title, once where they are the same."""
    parts = dict.fromkeys((declaration.key, declaration.title))
    return between.join(parts)


class MeasureCard(QWidget):
    """Shows one measure: what it says, its formula, what it cannot see, its parameters, its source."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = prose(kind="title")
        self._why = prose(kind="danger")
        self._formula = FormulaLabel(theme)
        self._says, self._blind, self._parameters, self._source = (prose() for _ in range(4))
        parts = column(self._title, self._says, self._why, on=self, around=(0, 0, STEPS[0], 0), gap=8)
        parts.addSpacing(8)
        parts.addWidget(self._formula)
        parts.addSpacing(8)
        for heading, text in (
            ("What it cannot see", self._blind),
            ("Choices", self._parameters),
            ("Source", self._source),
        ):
            parts.addWidget(label(heading, "caption"))
            parts.addWidget(text)
        parts.addStretch(1)
        for text in (self._says, self._why, self._blind, self._parameters, self._source):
            text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size."""
        self._formula.theme_changed(theme)

    def show_measure(self, one: Declaration) -> None:
        """Show another measure."""
        self._title.setText(named(one, " · "))
        self._formula.show_formula(one.formula)
        self._says.setText(one.sentence)
        self._why.setText(why_unavailable(one.needs))
        self._why.setVisible(bool(self._why.text()))
        self._blind.setText(one.blind_spot.said)
        choices = [f"{part.name}={part.default!r}: {part.said}" for part in one.named]
        self._parameters.setText("\n".join(choices) or "none")
        self._source.setText(one.source)


class MeasureChooser(Dialog):
    """Chooses measures in order; `measures()` are their printed names.

    `measures_chosen(names)` is emitted when the choice is confirmed. A choice can be kept in the user's
    `settings` as a preset of their own.
    """

    measures_chosen = Signal(object)

    def __init__(
        self, chosen: Sequence[str], theme: Theme, settings: Settings, parent: QWidget | None = None
    ) -> None:
        super().__init__("Measures", parent)
        self._settings = settings
        self.resize(px(1000), px(620))
        self.search = LineField()
        self.search.setPlaceholderText("Search the catalogue")
        self.search.textChanged.connect(self._filter)
        self.tree = QTreeWidget()
        self.tree.setHeaderHidden(True)
        self.tree.setAccessibleName("Catalogue")
        self.tree.currentItemChanged.connect(self._show)
        self.tree.itemActivated.connect(self._take)
        self.card = MeasureCard(theme)
        self.views = (self.card,)
        self.name = LineField()
        self.name.setAccessibleName("Measure to add")
        self.name.setPlaceholderText("Any name, such as P(rel=3)@10")
        self.name.returnPressed.connect(self._add)
        self.add = button("Add", self._add)
        self.wrong = prose(kind="danger")
        self.wrong.hide()
        self.chosen = QListWidget()
        self.chosen.setAccessibleName("Chosen measures")
        self.chosen.setDragDropMode(QListWidget.DragDropMode.InternalMove)
        self.chosen.addItems(list(chosen))
        self._fill()
        self.theme_changed(theme)
        self._lay_out()

    def measures(self) -> tuple[str, ...]:
        """Return the chosen names in order."""
        return tuple(self.chosen.item(at).text() for at in range(self.chosen.count()))

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size: muted are the measures that cannot be had here."""
        super().theme_changed(theme)
        for item in self._items():
            if why_unavailable(item.data(0, DECLARATION).needs):
                item.setForeground(0, QColor(theme.muted))

    def _fill(self) -> None:
        groups: dict[str, QTreeWidgetItem] = {}
        self._groups = groups.values()
        for one in CATALOGUE:
            if one.family not in groups:
                groups[one.family] = QTreeWidgetItem(self.tree, [one.family])
                groups[one.family].setFlags(Qt.ItemFlag.ItemIsEnabled)
                groups[one.family].setExpanded(True)
            item = QTreeWidgetItem(groups[one.family], [named(one, "   ")])
            item.setData(0, DECLARATION, one)
            why = why_unavailable(one.needs)
            item.setToolTip(0, tip(f"{one.sentence} {why}".strip()))
        self.tree.setCurrentItem(next(iter(self._items())))

    def _lay_out(self) -> None:
        presets = QPushButton("Take a preset")
        self.presets = QMenu(presets)
        self.presets.aboutToShow.connect(self._fill_presets)
        presets.setMenu(self.presets)
        remove = button("Remove", self._remove)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setWidget(self.card)
        under = row(presets, remove, 1)
        columns = row(
            (column(self.search, self.tree), 3),
            (column(scroll, row((self.name, 1), self.add), self.wrong), 4),
            (column(label("Chosen, in order", "caption"), self.chosen, under), 3),
            gap=16,
        )
        column((columns, 1), buttons, on=self, around=(16, 16, 16, 16), gap=STEPS[1])

    def accept(self) -> None:
        """Announce the choice; an empty one cannot be confirmed."""
        if not self.chosen.count():
            self._refuse("Choose at least one measure.")
            return
        self.measures_chosen.emit(self.measures())
        super().accept()

    def _filter(self, words: str) -> None:
        words = words.casefold().strip()
        for item in self._items():
            one: Declaration = item.data(0, DECLARATION)
            item.setHidden(words not in f"{one.key} {one.title} {one.sentence} {one.family}".casefold())
        for group in self._groups:
            children = [group.child(place) for place in range(group.childCount())]
            group.setHidden(all(child is None or child.isHidden() for child in children))
        found = any(not group.isHidden() for group in self._groups)
        self.card.setVisible(found)  # else it would be of a measure that is not there
        self._refuse("" if found else NOTHING_FOUND)

    def _items(self) -> Iterator[QTreeWidgetItem]:
        for group in self._groups:
            for place in range(group.childCount()):
                item = group.child(place)
                if item is not None:
                    yield item

    def _show(self, item: QTreeWidgetItem | None) -> None:
        one = item.data(0, DECLARATION) if item is not None else None
        if one is not None:
            self.card.show_measure(one)
            self.name.setText(example(one))

    def _take(self, item: QTreeWidgetItem) -> None:
        if item.data(0, DECLARATION) is not None:
            self._add()

    def _add(self) -> None:
        self._refuse("")
        try:
            name = parse(self.name.text()).name
        except MeasureError as error:
            self._refuse(str(error))
            return
        self._append(name)

    def _refuse(self, why: str) -> None:
        self.wrong.setText(why)
        self.wrong.setVisible(bool(why))

    def _append(self, name: str) -> None:
        if name not in self.measures():
            self.chosen.addItem(QListWidgetItem(name))
        self.chosen.setCurrentRow(self.measures().index(name))

    def _fill_presets(self) -> None:
        self.presets.clear()
        own = self._settings.get(OWN, list[str]())
        for name, members in {**PRESETS, **({OWN_TITLE: own} if own else {})}.items():
            words = f"{name} ({len(members)})"
            self.presets.addAction(words).triggered.connect(partial(self._preset, tuple(members)))
        self.presets.addSeparator()
        keep = self.presets.addAction(f"Keep the chosen ones as {OWN_TITLE}")
        keep.setEnabled(self.chosen.count() > 0)
        keep.triggered.connect(lambda: self._settings.set(OWN, list(self.measures())))

    def _preset(self, members: Sequence[str], _checked: bool = False) -> None:
        for one in parse_all(members):
            self._append(one.name)

    def _remove(self) -> None:
        for item in self.chosen.selectedItems():
            self.chosen.takeItem(self.chosen.row(item))
