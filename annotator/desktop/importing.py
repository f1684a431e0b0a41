"""Bringing files in: what an import would do is shown first; then all of it happens, or nothing."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from platformdirs import user_documents_path
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from annotator.desktop.messages import told
from annotator.desktop.session import SUFFIX
from annotator.desktop.style import label, px
from annotator.desktop.worker import Progress, ShouldStop, Stop, Worker
from annotator.project.views import Change
from annotator.theme import STEPS

if TYPE_CHECKING:
    from annotator.project.importing import ImportChoices, ImportPlan
    from annotator.project.project import Project


class NewProjectDialog(QDialog):
    """A name and a place for a new project. `chosen(path, name)`."""

    chosen = Signal(Path, str)

    def __init__(self, files: Sequence[Path], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("New project")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        folder = files[0].parent if files else user_documents_path()
        self.name = QLineEdit(folder.name if files else "My project", self)
        self.place = QLineEdit(str(folder / f"{self.name.text()}{SUFFIX}"), self)
        self.place.setMinimumWidth(px(420))
        self.name.textEdited.connect(self._follow)
        browse = QPushButton("Choose…", self)
        browse.clicked.connect(self._browse)
        place = QHBoxLayout()
        place.addWidget(self.place, 1)
        place.addWidget(browse)
        form = QFormLayout()
        form.addRow("Name", self.name)
        form.addRow("File", place)
        self._said = label("", "danger", self)
        self._said.setWordWrap(True)
        buttons = QDialogButtonBox(self)
        make = QPushButton("Make the project", self)
        make.setProperty("kind", "primary")
        buttons.addButton(make, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self._accept)
        buttons.rejected.connect(self.reject)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(STEPS[3], STEPS[2], STEPS[3], STEPS[2])
        rows.setSpacing(STEPS[1])
        rows.addWidget(label("New project", "title", self))
        rows.addWidget(label("One file that holds everything: queries, runs, judgments.", "muted", self))
        rows.addLayout(form)
        rows.addWidget(self._said)
        rows.addWidget(buttons)

    def _follow(self, name: str) -> None:
        safe = "".join(char if char.isalnum() or char in " -_." else "-" for char in name).strip()
        self.place.setText(str(Path(self.place.text()).with_name(f"{safe or 'project'}{SUFFIX}")))

    def _browse(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, "New project", self.place.text(), f"Projects (*{SUFFIX})")
        if name:
            self.place.setText(name)

    def _accept(self) -> None:
        path = Path(self.place.text()).with_suffix(SUFFIX)
        if path.exists():
            self._said.setText(f"{path.name} exists already; choose another name or open that project.")
        elif not path.parent.is_dir():
            self._said.setText(f"The folder {path.parent} does not exist.")
        else:
            self.chosen.emit(path, self.name.text().strip() or path.stem)
            self.accept()


class ImportDialog(QDialog):
    """Files, the few choices there are, and what would happen. `imported(Change)` when it is done."""

    imported = Signal(object)

    def __init__(self, project: "Project", worker: Worker, files: Sequence[Path], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Import files")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._project = project
        self._worker = worker
        self._plan: ImportPlan | None = None
        self._stop = Stop()
        self.files: list[Path] = list(files)
        self._list = QListWidget(self)
        self._list.setAccessibleName("Files to import")
        self._list.setMaximumHeight(px(96))
        add = QPushButton("Add files…", self)
        add.clicked.connect(self._add)
        self.system = QLineEdit(self)
        self.system.setPlaceholderText("the tag in the run, or the file's name")
        self.grades = QLineEdit(self)
        self.grades.setPlaceholderText("only if they are not 0 to 5, such as 0..2=0..5 or 0=0,1=3,2=5")
        self.replace = QCheckBox("Replace what is there with other content", self)
        for field in (self.system, self.grades):
            field.editingFinished.connect(self.look)
        self.replace.toggled.connect(lambda _: self.look())
        form = QFormLayout()
        form.addRow("System", self.system)
        form.addRow("Grades", self.grades)
        form.addRow("", self.replace)
        self.said = QPlainTextEdit(self)
        self.said.setReadOnly(True)
        self.said.setAccessibleName("What the import would do")
        self._bar = QProgressBar(self)
        self._bar.setTextVisible(False)
        self._bar.hide()
        buttons = QDialogButtonBox(self)
        self.run = QPushButton("Import", self)
        self.run.setProperty("kind", "primary")
        buttons.addButton(self.run, QDialogButtonBox.ButtonRole.AcceptRole)
        self.run.setEnabled(False)
        buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        self.run.clicked.connect(self._import)
        buttons.rejected.connect(self.reject)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(STEPS[3], STEPS[2], STEPS[3], STEPS[2])
        rows.setSpacing(STEPS[1])
        rows.addWidget(label("Import files", "title", self))
        rows.addWidget(self._list)
        rows.addWidget(add, 0, Qt.AlignmentFlag.AlignLeft)
        rows.addLayout(form)
        rows.addWidget(self.said, 1)
        rows.addWidget(self._bar)
        rows.addWidget(buttons)
        self.resize(px(620), px(540))
        self.look()

    def look(self) -> None:
        """Read the files and say what importing them would do; nothing is stored."""
        self._list.clear()
        self._list.addItems([str(path) for path in self.files])
        self._plan = None
        self.run.setEnabled(False)
        if not self.files:
            self.said.setPlainText("Add queries, documents, runs, qrels, questions, predictions or tables.")
            return
        self.said.setPlainText("Reading…")
        self._stop.ask()
        self._stop = self._worker.store(
            self, partial(self._planned, list(self.files)), self._show, self._refused, self._progress
        )

    def _planned(self, files: list[Path], on_progress: Progress, should_stop: ShouldStop) -> "ImportPlan":
        return self._project.plan_import(files, self._choices(), on_progress, should_stop)

    def _choices(self) -> "ImportChoices":
        from annotator.project.importing import ImportChoices

        return ImportChoices(
            system=self.system.text().strip() or None,
            grades=self.grades.text().strip() or None,
            replace=self.replace.isChecked(),
        )

    def _show(self, plan: "ImportPlan") -> None:
        self._bar.hide()
        self._plan = plan
        lines = plan.tally.sentences(would=True) if plan.tally is not None else []
        self.said.setPlainText("\n".join([*plan.taken_for, "", *lines]))
        self.run.setEnabled(True)

    def _refused(self, error: Exception) -> None:
        self._bar.hide()
        message = told(error)
        if message is None:
            self._worker.failed.emit(error)
        self.said.setPlainText(f"Nothing was imported.\n\n{message or 'Something went wrong.'}")

    def _import(self) -> None:
        plan = self._plan
        if plan is None:
            return
        self.run.setEnabled(False)

        def job(on_progress: Progress, should_stop: ShouldStop) -> Any:
            return self._project.run_import(plan, on_progress, should_stop)

        self._stop = self._worker.store(self, job, self._done, self._refused, self._progress)

    def _done(self, change: Change) -> None:
        self.imported.emit(change)
        self.accept()

    def _progress(self, done: int, total: int, what: str) -> None:
        self._bar.setVisible(True)
        self._bar.setRange(0, 1_000)
        self._bar.setValue(done * 1_000 // max(total, 1))
        self._bar.setAccessibleName(what)

    def _add(self) -> None:
        names, _ = QFileDialog.getOpenFileNames(self, "Files to import")
        if names:
            self.files += [Path(name) for name in names if Path(name) not in self.files]
            self.look()

    def reject(self) -> None:
        """Stop what is under way; nothing of it is stored."""
        self._stop.ask()
        super().reject()
