"""A new project: its name and its place."""

import os
from collections.abc import Sequence
from pathlib import Path

from platformdirs import user_documents_path
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QFormLayout, QWidget

from annotator.desktop.controls import button
from annotator.desktop.dialog import Dialog
from annotator.desktop.layouts import row
from annotator.desktop.line_field import LineField
from annotator.desktop.style import prose, px
from annotator.places import SUFFIX
from annotator.records import as_id


class NewProjectDialog(Dialog):
    """A name and a place for a new project. `chosen(path, name)`."""

    chosen = Signal(Path, str)

    def __init__(self, files: Sequence[Path], parent: QWidget) -> None:
        super().__init__("New project", parent)
        folder = files[0].parent if files else user_documents_path()
        self.name = LineField(folder.name if files else "My project", self)
        self.name.selectAll()
        self.place = LineField(str(folder / f"{self.name.text()}{SUFFIX}"), self)
        self.place.setMinimumWidth(px(420))
        self.name.textEdited.connect(self._follow)
        form = QFormLayout()
        form.addRow("Name", self.name)
        form.addRow("File", row((self.place, 1), button("Choose…", self._browse, self)))
        self._said = prose("", "danger", self)
        make = self.question("Make the project", self._accept)
        self.lay_out(form, self._said, make, hint=hint_for(files))

    def _follow(self, name: str) -> None:
        safe = "".join(char if char.isalnum() or char in " -_." else "-" for char in name).strip()
        self.place.setText(str(Path(self.place.text()).parent / f"{safe or 'project'}{SUFFIX}"))

    def _browse(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, "New project", self.place.text(), f"Projects (*{SUFFIX})")
        if name:
            self.place.setText(name)

    def _accept(self) -> None:
        named = Path(self.place.text().strip())
        path = named.with_suffix(SUFFIX) if named.name else named
        if not named.name:
            self._said.setText("Name a file.")
        elif os.path.exists(path):
            self._said.setText(f"{path.name} exists already; choose another name or open that project.")
        elif not os.path.isdir(path.parent):
            self._said.setText(f"The folder {path.parent} does not exist.")
        else:
            self.chosen.emit(path, self.name.text().strip() or as_id(path.stem))
            self.accept()


def hint_for(files: Sequence[Path]) -> str:
    """Say what a project is, and what comes next."""
    what = files[0].name if len(files) == 1 else f"the {len(files):,} files"
    then = f"you see what {what} would bring" if files else "you choose the files to bring in"
    return (
        f"One file that holds everything: queries, runs, judgments. Next {then}; nothing is imported unseen."
    )
