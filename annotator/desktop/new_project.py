"""A new project: its name and its place."""

from collections.abc import Sequence
from pathlib import Path

from platformdirs import user_documents_path
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from annotator.desktop.session import SUFFIX
from annotator.desktop.style import label, px
from annotator.theme import STEPS


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
