"""One window per project: a second start raises the window that has it open."""

import hashlib
import os
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

WAIT_MS = 1_000


def address(path: Path) -> str:
    """Return the local address of the window that has a project open."""
    return "annotator-" + hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:24]


def raise_other(path: Path) -> bool:
    """Ask the window that has this project open to come to the front; False when there is none."""
    socket = QLocalSocket()
    socket.connectToServer(address(path))
    if not socket.waitForConnected(WAIT_MS):
        return False
    socket.disconnectFromServer()
    return True


class Doorbell(QObject):
    """Listens for a second start that wants the same project."""

    rung = Signal()

    def __init__(self, path: Path, parent: QObject) -> None:
        super().__init__(parent)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._answer)
        if not self._server.listen(address(path)):
            QLocalServer.removeServer(address(path))  # left behind by a window that was killed
            self._server.listen(address(path))

    def close(self) -> None:
        """Listen no more."""
        self._server.close()

    def _answer(self) -> None:
        while (caller := self._server.nextPendingConnection()) is not None:
            caller.deleteLater()
            self.rung.emit()
