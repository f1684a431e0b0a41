"""What is said beside the files of an import: the system, who judged, the rule for grades, replacing."""

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QCheckBox, QFormLayout, QWidget

from annotator.desktop.controls import button
from annotator.desktop.layouts import FLUSH, column, row
from annotator.desktop.line_field import LineField
from annotator.desktop.style import prose
from annotator.errors import UserError
from annotator.theme import STEPS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from annotator.project.data_import import ImportChoices

WHOSE = "imported: and the name of the file with the judgments"

TYPED_MS = 250
"""So long after what was typed last it counts, if the field was not left before."""

OF_PEOPLE = frozenset({"judgments", "nuggets", "support"})
"""The parts of files that somebody judged."""


class ChoiceForm(QWidget):
    """Only what the files need is shown, the rest of what matters for them on request, and only that counts.

    `changed` when something was chosen; before that, `typed` at each key.
    """

    changed = Signal()
    typed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.system = LineField(parent=self)
        self.system.setPlaceholderText("the name in the file, or the file's own")
        self.annotator = LineField(parent=self)
        self.annotator.setAccessibleName("Judged by")
        self.annotator.setPlaceholderText(WHOSE)
        self.model = QCheckBox("Made by a model", self)
        self.grades = LineField(parent=self)
        self.grades.setPlaceholderText("only if not 0 to 5: 0..2=0..5, or -1=skip,0=0,1=3, or Fair=2,Good=4")
        self.rule = prose("", "muted", self)
        self.separator = LineField(parent=self)
        self.separator.setPlaceholderText("between several in one cell, such as | or ;")
        self.replace = QCheckBox("Replace what is there with other content", self)
        self.more = button("More choices", self._show_all, parent)
        self.more.setAutoDefault(False)
        for field in (self.system, self.annotator, self.grades, self.separator):
            field.textEdited.connect(self._typed)
            field.editingFinished.connect(self._take)
        self.grades.textChanged.connect(self._say_rule)
        for box in (self.model, self.replace):
            box.toggled.connect(self.changed)
        self._whose = row((self.annotator, 1), self.model, gap=STEPS[1])
        self._rows = QFormLayout()
        self._rows.setHorizontalSpacing(STEPS[1])
        self._rows.setVerticalSpacing(STEPS[0])
        self._rows.addRow("System", self.system)
        self._rows.addRow("Judged by", self._whose)
        self._rows.addRow("Grades", self.grades)
        self._rows.addRow("", self.rule)
        self._rows.addRow("Gold answers", self.separator)
        self._rows.addRow("", self.replace)
        column(self._rows, on=self, around=FLUSH, gap=0)
        self._pause = QTimer(self, singleShot=True, interval=TYPED_MS)
        self._pause.timeout.connect(self.changed)
        self._unread = False
        self._parts: Collection[str] = ()
        self._needed: set[str] = set()
        self._all = False
        self.show_for(())

    def show_for(self, parts: Collection[str], needed: Collection[str] = ()) -> None:
        """Show what files that hold these parts need, and what was needed or said before."""
        self._parts = parts
        self._needed |= set(needed)
        matters = {
            "system": "runs" in parts,
            "annotator": self.judged,
            "grades": "judgments" in parts,
            "separator": "gold" in parts,
            "replace": bool(parts),
        }
        said = {
            "system": bool(self.system.text()),
            "annotator": not OF_PEOPLE.isdisjoint(parts)
            or bool(self.annotator.text())
            or self.model.isChecked(),
            "grades": bool(self.grades.text()),
            "separator": bool(self.separator.text()),
            "replace": self.replace.isChecked(),
        }
        shown = {
            name: on and (self._all or said[name] or name in self._needed) for name, on in matters.items()
        }
        self._rows.setRowVisible(self.system, shown["system"])
        self._rows.setRowVisible(self._whose, shown["annotator"])
        self._rows.setRowVisible(self.grades, shown["grades"])
        self._rows.setRowVisible(self.rule, shown["grades"])
        self._rows.setRowVisible(self.separator, shown["separator"])
        self._rows.setRowVisible(self.replace, shown["replace"])
        self.more.setVisible(shown != matters)
        self.setVisible(any(shown.values()))
        if shown["grades"]:
            self._say_rule()

    def _show_all(self) -> None:
        self._all = True
        fields = (self.system, self.annotator, self.grades, self.separator, self.replace)
        hidden = [one for one in fields if not one.isVisible()]
        self.show_for(self._parts)
        next(one for one in hidden if not one.isHidden()).setFocus()

    @property
    def judged(self) -> bool:
        """Whether the files hold something that somebody judged."""
        return "gold" in self._parts or not OF_PEOPLE.isdisjoint(self._parts)

    def choices(self, each: "Mapping[Path, tuple[str | None, Mapping[str, str]]]") -> "ImportChoices":
        """Return what is chosen, with the format and the columns of each file."""
        from annotator.project.data_import import ImportChoices

        return ImportChoices(
            system=self.system.text().strip() or None if "runs" in self._parts else None,
            annotator=self.annotator.text().strip() or None if self.judged else None,
            model=self.judged and self.model.isChecked(),
            grades=self.grades.text().strip() or None if "judgments" in self._parts else None,
            replace=self.replace.isChecked(),
            gold_separator=self.separator.text().strip() if "gold" in self._parts else "",
            each=each,
        )

    @property
    def unread(self) -> bool:
        """Whether the rule for grades matters and cannot be read."""
        return self._unread and "judgments" in self._parts

    def _typed(self) -> None:
        self._say_rule()
        self._pause.start()
        self.typed.emit()

    def _take(self) -> None:
        self._pause.stop()
        self.changed.emit()

    def _say_rule(self) -> None:
        from annotator.project.import_preview import rule_sentence

        try:
            sentence, kind = rule_sentence(self.grades.text()), "muted"
        except UserError as error:
            sentence, kind = str(error), "danger"
        self._unread = kind == "danger"
        self.rule.setText(sentence)
        self.rule.setProperty("kind", kind)
        self.rule.style().polish(self.rule)
