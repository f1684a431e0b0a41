"""What goes to the clipboard and stays there when the program ends."""

from PySide6.QtCore import QMimeData, QStringListModel


def qt_mime() -> QMimeData:
    """Return an empty object that Qt made.

    One that Python makes ends the program with a fault if it is on the clipboard at the very end: Qt gives
    the clipboard up when Python is gone.
    """
    model = QStringListModel(["anything"])
    mime = model.mimeData([model.index(0)])
    mime.clear()
    return mime
