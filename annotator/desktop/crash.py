"""When something unforeseen happens: it is logged, and shown with what a bug report needs."""

import platform
import traceback

from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from annotator.desktop import log
from annotator.desktop.dialog import Dialog, Role
from annotator.desktop.messages import FAULT
from annotator.desktop.style import prose, px
from annotator.text.visible import visible


def versions() -> str:
    """Return the versions that a bug report needs."""
    from annotator.project.version import version

    return (
        f"Annotator {version()} · Python {platform.python_version()} · Qt {qVersion()} · "
        f"{platform.platform()}"
    )


def report(error: BaseException) -> str:
    """Return the text of a bug report: versions, then what went wrong, in the error's own words."""
    return f"{versions()}\n\n{''.join(traceback.format_exception(error))}"


class CrashDialog(Dialog):
    """Says that stored grades are safe and offers the report for copying."""

    def __init__(self, error: BaseException, parent: QWidget | None = None) -> None:
        super().__init__("Something went wrong", parent)
        self._text = QPlainTextEdit(visible(report(error)), self)
        self._text.setReadOnly(True)
        self._text.setAccessibleName("Report")
        buttons = self.way_out()
        copy = buttons.addButton("Copy the report", Role.ActionRole)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._text.toPlainText()))
        sentence = prose(
            f"{FAULT} You can go on; if it happens again, please send this report, which you can read "
            f"first: an error may quote a text. The log, which never does, is {log.place()}."
        )
        sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.lay_out(sentence, (self._text, 1), buttons)
        self.resize(px(640), px(420))


def show(error: BaseException, parent: QWidget | None = None) -> None:
    """Log an unforeseen error and show it without stopping the window."""
    log.fault(error, versions())
    CrashDialog(error, parent).open()
