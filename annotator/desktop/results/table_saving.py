"""What of a table goes into a file: its columns, its decimals, its width on paper; then where the file is."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QPushButton, QSpinBox, QWidget

from annotator.desktop.controls import combo, roomy
from annotator.desktop.dialog import Dialog
from annotator.desktop.layouts import column, row
from annotator.desktop.results.canvas import WIDTHS
from annotator.desktop.results.check_list import check_list, checked
from annotator.desktop.style import label
from annotator.evaluation.result_table import Table, with_ends
from annotator.project.report_files import FORMATS, Choice

AS_SHOWN = -1
MOST_DIGITS = 12
HINT = (
    "All rows, in the order on the page. The file's ending says the format: .html, .csv, .md, .tex or .json. "
    "Decimals go with .html, .md and .tex, the width with .tex; .csv and .json have every digit."
)


class SaveTable(Dialog):
    """Asks what of a table is written, and where; `chosen(path, choice)` is called with both."""

    def __init__(
        self, table: Table, near: Path, chosen: Callable[[Path, Choice], object], parent: QWidget
    ) -> None:
        super().__init__(f"Save “{table.title}”", parent)
        self._near, self._chosen = near, chosen
        self._name = f"{near.stem} {table.title}".replace("/", "-")
        items = [(one.title, one.name, True) for one in with_ends(table).columns]
        self.columns = check_list("Columns", items, self._look)
        self.digits = roomy(QSpinBox(self))
        self.digits.setAccessibleName("Decimals")
        self.digits.setRange(AS_SHOWN, MOST_DIGITS)
        self.digits.setSpecialValueText("as on the page")
        self.digits.setValue(AS_SHOWN)
        widths = [("one column where it fits, else two", None), *WIDTHS.items()]
        self.width_on_paper = combo("Width on paper", items=widths, parent=self)
        below = (("Decimals", self.digits), ("Width on paper", self.width_on_paper))
        parts = [column(label(words, "caption"), part, 1, gap=4) for words, part in below]
        buttons = self.question("Save…", self._ask_file)
        self.save = next(one for one in buttons.buttons() if isinstance(one, QPushButton))
        self.lay_out(
            label("Columns", "caption"),
            (self.columns, 1),
            row(*((part, 1) for part in parts)),
            buttons,
            hint=HINT,
        )
        self.columns.setFocus()

    def _look(self) -> None:
        self.save.setEnabled(bool(checked(self.columns)))

    def _ask_file(self) -> None:
        names = checked(self.columns)
        if not names:
            return
        kinds = {f"{one.title} (*{one.ending})": one.ending for one in FORMATS.values()}
        start = str(self._near.with_name(f"{self._name}.html"))
        path, kind = QFileDialog.getSaveFileName(self, "Save the table", start, ";;".join(kinds))
        if not path:
            return
        keys = {one.ending: key for key, one in FORMATS.items()}
        ending = next((one for one in keys if path.lower().endswith(one)), "")
        if not ending:
            ending = kinds.get(kind, ".html")
            path += ending
        digits = None if self.digits.value() == AS_SHOWN else self.digits.value()
        every = len(names) == self.columns.count()
        choice = Choice(
            format=keys[ending],
            columns=() if every else names,
            digits=digits,
            width=self.width_on_paper.currentData(),
        )
        self.accept()
        self._chosen(Path(path), choice)
