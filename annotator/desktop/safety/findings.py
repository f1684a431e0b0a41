"""What the check of a project found, line by line."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from annotator.desktop.rows import Rows
from annotator.desktop.style import label, px
from annotator.theme import STEPS


class FindingsDialog(QDialog):
    """A table of the parts that are not sound; the rest of the project is."""

    def __init__(self, findings: Sequence[str], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("What is damaged")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.table = Rows("Findings", ("Part", "What is wrong"), self)
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        close.rejected.connect(self.reject)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(STEPS[3], STEPS[2], STEPS[3], STEPS[2])
        rows.setSpacing(STEPS[1])
        rows.addWidget(label("What is damaged", "title", self))
        rows.addWidget(label("What is not listed here matches its hashes.", "muted", self))
        rows.addWidget(self.table, 1)
        rows.addWidget(close)
        self.resize(px(720), px(420))
        self.table.show_rows([one.partition(": ")[::2] for one in findings])
