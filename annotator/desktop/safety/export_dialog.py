"""Handing a project to other programs: a format, what it can and cannot hold said first, then one file."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QFormLayout,
    QPlainTextEdit,
    QWidget,
)

from annotator.desktop.choice import Choice
from annotator.desktop.controls import button
from annotator.desktop.dialog import Dialog, Role, Standard
from annotator.desktop.layouts import row
from annotator.desktop.line_field import LineField
from annotator.desktop.results.job_bar import JobBar
from annotator.desktop.style import label, prose, px
from annotator.desktop.worker import Worker
from annotator.project import browse, settings
from annotator.text.visible import visible
from annotator.theme import STEPS
from annotator.watch import Watch

if TYPE_CHECKING:
    from annotator.project.data_export import ExportChoices, Target
    from annotator.project.project import Project
    from annotator.project.views import Contents
    from annotator.tasks import CombiningRule

PAUSE_MS, SHORTEST = 250, 20
EVERYBODY = "everybody's, combined by the project's rule"
JUDGED = {"judgments", "nuggets", "support"}
"""Parts of which it matters whose they are."""

HINT = (
    "“Import files” reads again what a format holds. Plain text of everything alone holds the whole project, "
    "which the command “annotator load” makes of it."
)


class ExportDialog(Dialog):
    """Choices, what would be lost, and one button. `written(text)` says where it was written."""

    written = Signal(str)

    def __init__(self, project: "Project", worker: Worker, parent: QWidget) -> None:
        from annotator.project import data_export

        super().__init__("Export data", parent)
        self._project = project
        self._targets = data_export.targets()
        self._combine: CombiningRule = "median"
        self._differ = False
        """Whether it matters whose judgments are written."""
        self._may_replace: Path | None = None
        self.format = Choice(self)
        self.format.addItems([one.title for one in self._targets])
        self.system = Choice(self)
        self.system.addItem("all systems", "")
        self.whose = Choice(self)
        self.whose.addItem(EVERYBODY, "")
        for box in (self.system, self.whose):  # no name that comes later makes them wider than the dialog
            box.setSizeAdjustPolicy(box.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(SHORTEST)
        self.grades = LineField(parent=self)
        self.grades.setPlaceholderText("0 to 5 as they are, or the rule of the import, such as 0..2=0..5")
        self.guarded = QCheckBox("For spreadsheets: guard cells that would be taken for a formula", self)
        self.pseudonyms = QCheckBox("Call people annotator 1, 2 and so on", self)
        self.place = LineField(parent=self)
        place = row((self.place, 1), button("Choose…", self._browse, self), gap=STEPS[0])
        self._form = form = QFormLayout()
        form.setHorizontalSpacing(STEPS[2])
        for words, field in (
            ("Format", self.format),
            ("Rankings of", self.system),
            ("Judgments", self.whose),
            ("Grades", self.grades),
            ("", self.guarded),
            ("", self.pseudonyms),
        ):
            field.setAccessibleName(words or field.accessibleName())
            form.addRow(words, field)
        self.place.setAccessibleName("File")
        form.addRow("File", place)
        self.said = QPlainTextEdit(self)
        self.said.setReadOnly(True)
        self.said.setAccessibleName("What the format holds")
        self.problem = prose("", "danger", self)
        self.problem.hide()
        self.bar = JobBar(worker, self)
        self.bar.problem.connect(self._refused)
        buttons = self.way_out(Standard.Cancel)
        self.run = button("Export", self._export, self, "primary")
        buttons.addButton(self.run, Role.ActionRole)
        self.run.setDefault(True)
        holds = label("WHAT IS WRITTEN, AND WHAT IS NOT", "caption", self)
        self.lay_out(form, holds, (self.said, 1), self.problem, self.bar, buttons, hint=HINT)
        self.resize(px(640), px(560))
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self.look)
        self.format.currentIndexChanged.connect(self._follow)
        self.pseudonyms.toggled.connect(lambda _: self._pause.start())
        for box in (self.system, self.whose):
            box.currentIndexChanged.connect(lambda _: self._pause.start())
        self.grades.textEdited.connect(lambda _: self._pause.start())
        self._offer_choices()
        worker.submit(self, self._known, self._offer)

    def _known(self) -> "tuple[Contents, CombiningRule]":
        return browse.contents(self._project), settings.value_of(self._project, "combining")

    def _offer(self, known: "tuple[Contents, CombiningRule]") -> None:
        contents, self._combine = known
        for system in contents.systems:
            self.system.addItem(system.name, system.name)
        graded = [one for one in contents.annotators if one.graded]
        self._differ = len(graded) > 1 or any(one.kind == "model" for one in graded)
        for one in graded:
            self.whose.addItem(f"{one.name}'s alone", one.name)
        self._follow()

    def _target(self) -> "Target":
        return self._targets[self.format.currentIndex()]

    def _follow(self) -> None:
        """Propose a place that fits the format, and look at what it would hold."""
        chosen = self._target()
        project = self._project.path
        self.place.setText(str(project.with_name(f"{project.stem}-{chosen.key}{chosen.ending}")))
        self._offer_choices()
        self._pause.stop()
        self.look()

    def _offer_choices(self) -> None:
        """Offer what makes a difference to what is written."""
        chosen = self._target()
        for part, acts in (
            (self.system, "runs" in chosen.parts and self.system.count() > 2),
            (self.whose, self._differ and not chosen.parts.isdisjoint(JUDGED)),
            (self.grades, self.whose.count() > 1 and "judgments" in chosen.parts),
            (self.guarded, chosen.guards),
            (self.pseudonyms, chosen.whole),
        ):
            self._form.setRowVisible(part, acts)

    def look(self) -> None:
        """Say what the format can hold and what of this project would be lost; nothing is written."""
        from annotator.project import data_export

        chosen, choices = self._target(), self._choices()
        self._say_problem("")
        self.run.setEnabled(False)
        self.said.setPlainText("Looking…")

        def job(_: Watch) -> tuple[list[str], list[str]]:
            return data_export.outlook(self._project, chosen.key, choices)

        def show(outlook: tuple[Sequence[str], Sequence[str]]) -> None:
            holds = "\n".join(f"Written: {words}." for words in outlook[0]) or "Nothing would be written."
            lost = "\n".join(outlook[1]) or data_export.NOTHING_LOST
            self.said.setPlainText(visible(f"{holds}\n\n{lost}"))
            self.run.setEnabled(bool(outlook[0]))

        self.bar.run("Looking", job, show)

    def _choices(self) -> "ExportChoices":
        from annotator.evaluation.options import Options
        from annotator.project.data_export import ExportChoices

        name = self.system.currentData()
        options = Options(combine=self._combine, annotator=self.whose.currentData() or None)
        return ExportChoices(
            options,
            (name,) if name else (),
            self.grades.text().strip() or None,
            self.guarded.isChecked(),
            named=not self.pseudonyms.isChecked(),
        )

    def _export(self) -> None:
        from annotator.project import data_export

        chosen, choices = self._target(), self._choices()
        path = Path(self.place.text().strip())
        self._say_problem("")
        if path.resolve() == self._project.path.resolve():
            self._refused("That is the project's own file; choose another name.")
            return
        if os.path.isfile(path) and path != self._may_replace:
            self._may_replace = path
            self._refused(f"{path.name} exists already. Export once more to replace it.")
            return

        def job(watch: Watch) -> list[str]:
            return data_export.export(self._project, chosen.key, path, choices, watch)

        self.run.setEnabled(False)
        self.bar.run("Writing", job, lambda _: self._done(path))

    def _done(self, path: Path) -> None:
        self.written.emit(f"Wrote {path}.")
        self.accept()

    def _say_problem(self, message: str) -> None:
        self.problem.setText(message)
        self.problem.setVisible(bool(message))

    def _refused(self, message: str) -> None:
        self._say_problem(message)
        if self.said.toPlainText() == "Looking…":
            self.said.setPlainText("Nothing is written.")
        else:
            self.run.setEnabled(True)

    def _browse(self) -> None:
        if self._target().folder:
            name = QFileDialog.getExistingDirectory(self, "Folder to write", str(self._project.path.parent))
        else:
            name, _ = QFileDialog.getSaveFileName(self, "File to write", self.place.text())
        if name:
            self.place.setText(name)
            self._may_replace = Path(name)  # the file dialog has asked

    def done(self, result: int) -> None:
        """Stop what is under way."""
        self.bar.cancel()
        super().done(result)
