"""The aspects of a project as lines to write in: name, values, what is meant, whether it is asked."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from PySide6.QtWidgets import QCheckBox, QGridLayout, QLineEdit, QWidget

from annotator.desktop.controls import button
from annotator.desktop.layouts import FLUSH, column, row
from annotator.desktop.line_field import LineField
from annotator.desktop.style import label
from annotator.theme import STEPS

HEADINGS = ("NAME", "VALUES, THE LOWEST FIRST", "WHAT IS MEANT", "")
EXAMPLES = ("Faithful", "no, partly, yes", "Does it say what its sources say?")


class Line(NamedTuple):
    """One aspect."""

    name: QLineEdit
    values: QLineEdit
    meaning: QLineEdit
    asked: QCheckBox


class AspectRows(QWidget):
    """A line for each aspect, and a button for another; a line without a name and values is none."""

    def __init__(self, stored: Sequence[Mapping[str, Any]], parent: QWidget) -> None:
        super().__init__(parent)
        self.lines: list[Line] = []
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(STEPS[0])
        self._grid.setColumnStretch(1, 1)
        self._grid.setColumnStretch(2, 2)
        self._headings = [label(words, "caption", self) for words in HEADINGS]
        for at, words in enumerate(self._headings):
            self._grid.addWidget(words, 0, at)
            words.setVisible(bool(stored))
        self.more = button("Ask for something else", self._add_empty, self)
        self.more.setAutoDefault(False)
        column(self._grid, row(self.more, 1), on=self, around=FLUSH, gap=STEPS[0])
        for one in stored:
            self._add(one)

    def values(self) -> list[dict[str, Any]]:
        """Return the aspects as they are written, as the setting holds them."""
        written = [
            {
                "name": one.name.text().strip(),
                "meaning": one.meaning.text().strip(),
                "values": [value.strip() for value in one.values.text().split(",") if value.strip()],
                "asked": one.asked.isChecked(),
            }
            for one in self.lines
        ]
        return [one for one in written if one["name"] or one["values"]]

    def _add_empty(self) -> None:
        self._add({}).name.setFocus()

    def _add(self, stored: Mapping[str, Any]) -> Line:
        texts = (stored.get("name", ""), ", ".join(stored.get("values", ())), stored.get("meaning", ""))
        name, values, meaning = (LineField(text, self) for text in texts)
        line = Line(name, values, meaning, QCheckBox("asked", self))
        line.asked.setChecked(stored.get("asked", True))
        number = len(self.lines) + 1
        for at, (field, example) in enumerate(zip((name, values, meaning), EXAMPLES, strict=True)):
            field.setPlaceholderText(example)
            field.setCursorPosition(0)
            field.setAccessibleName(f"{HEADINGS[at].capitalize()}, of aspect {number}")
        line.asked.setAccessibleName(f"Aspect {number} is asked")
        for at, part in enumerate(line):
            self._grid.addWidget(part, number, at)
        self.lines.append(line)
        for words in self._headings:
            words.show()
        return line
