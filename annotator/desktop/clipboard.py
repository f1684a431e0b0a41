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
    """Return the chosen text as it is written, without signs that only say where lines may end."""
    selected, mime, none = cursor.selection(), qt_mime(), dict.fromkeys(map(ord, unseen))
    mime.setText(selected.toPlainText().translate(none))
    mime.setHtml(selected.toHtml().translate(none))
    return mime
