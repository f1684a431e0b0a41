"""What the check of a project found, line by line."""

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from annotator.desktop.dialog import Dialog
from annotator.desktop.row_table import Rows
from annotator.desktop.style import px


class FindingsDialog(Dialog):
    """A table of the parts that are not sound; the rest of the project is."""

    def __init__(self, findings: Sequence[str], parent: QWidget) -> None:
        super().__init__("What is damaged", parent)
        self.table = Rows("Findings", ("Part", "What is wrong"), self)
        self.lay_out((self.table, 1), self.way_out(), hint="What is not listed here matches its hashes.")
        self.resize(px(720), px(420))
        self.table.show_rows([one.partition(": ")[::2] for one in findings])
