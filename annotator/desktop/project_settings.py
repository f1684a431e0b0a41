"""What the lead decides for a project: the words for the grades with examples, the pool, the rules."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFormLayout, QGridLayout, QSpinBox, QWidget

from annotator.desktop.aspect_rows import AspectRows
from annotator.desktop.choice import Choice
from annotator.desktop.controls import roomy
from annotator.desktop.dialog import Dialog
from annotator.desktop.grade.prepared import field_line
from annotator.desktop.layouts import column
from annotator.desktop.line_field import LineField
from annotator.desktop.style import label, prose, px
from annotator.errors import UserError
from annotator.evaluation.grade_combination import RULE_NAMES
from annotator.grades import GRADES
from annotator.project import browse, settings
from annotator.project.aspects import refuse_unfit
from annotator.project.views import CandidateView
from annotator.text.stems import LANGUAGES
from annotator.theme import STEPS

if TYPE_CHECKING:
    from annotator.project.project import Project

NAMES = (
    "name",
    "meanings",
    "examples",
    "field_line",
    "language",
    "pool_depth",
    "relevant_from",
    "combining",
    "repeat_share",
    "show_others",
    "aspects",
)
PREVIEW = 52
"""Height of the preview: three lines."""


def settings_of(project: "Project") -> tuple[dict[str, Any], CandidateView | None]:
    """Read what the dialog shows: the settings, and a document of the first query that has other fields."""
    keys = browse.query_keys(project)
    candidates = browse.query(project, int(keys[0])).candidates if len(keys) else ()
    now = {name: settings.value_of(project, name) for name in NAMES}
    return now, next((one for one in candidates if one.fields), None)


class ProjectSettings(Dialog):
    """Shows the settings; `chosen(dict)` carries those that were changed. `example` has fields to preview."""

    chosen = Signal(dict)

    def __init__(self, now: Mapping[str, Any], example: CandidateView | None, parent: QWidget) -> None:
        super().__init__("Project settings", parent)
        self._now = now
        self._example = example
        self.name = LineField(now["name"], self)
        self.name.setAccessibleName("Name of the project")
        self.meanings = [LineField(words, self) for words in now["meanings"]]
        self.examples = [LineField(words, self) for words in now["examples"]]
        self.pool_depth = roomy(
            QSpinBox(self, minimum=1, maximum=settings.DEEPEST_POOL, value=now["pool_depth"])
        )
        self.relevant_from = roomy(QSpinBox(self, minimum=1, maximum=GRADES[-1], value=now["relevant_from"]))
        self.combining = Choice(self)
        for rule, words in RULE_NAMES.items():
            self.combining.addItem(words, rule)
        self.combining.setCurrentIndex(max(self.combining.findData(now["combining"]), 0))
        share = round(100 * now["repeat_share"])
        self.repeats = roomy(QSpinBox(self, minimum=0, maximum=50, value=share, suffix=" %"))
        self.language = Choice(self)
        for code, name in sorted(LANGUAGES.items(), key=lambda one: one[1]):
            self.language.addItem(name.capitalize(), code)
        self.language.setToolTip("A query's words are marked in all their forms in this language.")
        self.language.setCurrentIndex(self.language.findData(now["language"]))
        self.field_line = LineField(now["field_line"], self)
        self.field_line.setPlaceholderText("all by name, or a line such as {title} · {date}")
        self.field_line.textChanged.connect(lambda _: self._preview())
        for line in (*self.meanings, *self.examples, self.field_line):
            line.setCursorPosition(0)  # where a long one is read from
        self.preview = prose("", "muted", self)
        self.preview.setMinimumHeight(px(PREVIEW) if example else 0)
        self.preview.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.show_others = QCheckBox("Annotators see each other's grades of a complete query", self)
        self.show_others.setChecked(now["show_others"])
        form = QFormLayout()
        form.setHorizontalSpacing(STEPS[2])
        for words, field in (
            ("Name", self.name),
            ("Judge down to rank", self.pool_depth),
            ("Relevant from grade", self.relevant_from),
            ("Several annotators' grades become their", self.combining),
            ("Own earlier candidates asked again", self.repeats),
            ("", self.show_others),
            ("Language of the texts", self.language),
            ("Other fields of a document", self.field_line),
        ):
            field.setAccessibleName(words or self.show_others.text())
            form.addRow(words, field)
        self.aspects = AspectRows(now["aspects"], self)
        asked = label("WHAT ELSE IS ASKED OF EACH CANDIDATE", "caption", self)
        grades = label("WHAT THE GRADES MEAN, WITH AN EXAMPLE EACH", "caption", self)
        self.wrong = prose("", "danger", self)
        parts = (form, self.preview, grades, self._grades(), asked, self.aspects)
        self.wrong.hide()
        self.lay_out(*parts, column(self.wrong, self.question("Keep", self._keep), gap=STEPS[1]))
        self.resize(px(560), self.sizeHint().height())
        self._preview()

    def values(self) -> dict[str, Any]:
        """Return the settings as they are shown."""
        return {
            "name": self.name.text().strip() or self._now["name"],
            "meanings": [
                field.text().strip() or before
                for field, before in zip(self.meanings, self._now["meanings"], strict=True)
            ],
            "examples": [field.text().strip() for field in self.examples],
            "field_line": self.field_line.text().strip(),
            "language": self.language.currentData(),
            "pool_depth": self.pool_depth.value(),
            "relevant_from": self.relevant_from.value(),
            "combining": self.combining.currentData(),
            "repeat_share": self.repeats.value() / 100,
            "show_others": self.show_others.isChecked(),
            "aspects": self.aspects.values(),
        }

    def _preview(self) -> None:
        """Show the line of a document of the project, and which fields it has."""
        if self._example is None:
            self.preview.setText("No document of the first query has other fields.")
            return
        shown = field_line(self.field_line.text().strip(), self._example) or "(nothing)"
        names = " ".join(f"{{{name}}}" for name in ("id", "title", *self._example.fields))
        self.preview.setText(f"There are {names}\nShown: {shown}")

    def _grades(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(STEPS[0])
        for grade in GRADES:
            self.meanings[grade].setAccessibleName(f"Meaning of grade {grade}")
            self.examples[grade].setAccessibleName(f"Example of grade {grade}")
            self.examples[grade].setPlaceholderText("an example, if you like")
            grid.addWidget(label(str(grade), "heading", self), grade, 0)
            grid.addWidget(self.meanings[grade], grade, 1)
            grid.addWidget(self.examples[grade], grade, 2)
        for words in (1, 2):
            grid.setColumnStretch(words, 1)
        return grid

    def _keep(self) -> None:
        try:
            refuse_unfit(self.aspects.values())
        except UserError as error:
            self.wrong.setText(str(error))
            self.wrong.show()
            self.grow()
            return
        changed = {name: value for name, value in self.values().items() if value != self._now[name]}
        self.accept()
        if changed:
            self.chosen.emit(changed)
