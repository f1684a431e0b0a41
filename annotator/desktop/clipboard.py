"""What goes to the clipboard and stays there when the program ends."""

from PySide6.QtCore import QMimeData, QStringListModel
from PySide6.QtGui import QTextCursor


def qt_mime() -> QMimeData:
    """Return an empty object that Qt made.

    One that Python makes ends the program with a fault if it is on the clipboard at the very end: Qt gives
    the clipboard up when Python is gone.
    """
    model = QStringListModel(["anything"])
    mime = model.mimeData([model.index(0)])
    mime.clear()
    return mime


def chosen(cursor: QTextCursor, unseen: str) -> QMimeData:
    """Return the chosen text as it is written, without a sign that only says where lines may end."""
    selected, mime = cursor.selection(), qt_mime()
    mime.setText(selected.toPlainText().replace(unseen, ""))
    mime.setHtml(selected.toHtml().replace(unseen, ""))
    return mime
