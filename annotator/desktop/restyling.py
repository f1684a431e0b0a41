"""Another look for what is in sight at once, and for a page that is hidden when it is next shown.

Qt styles every widget anew when the program's style sheet changes, and nothing else happens meanwhile. It
passes over widgets that were never polished, and tells nothing to those with a style of their own; so what
may wait is taken for both meanwhile, and polished by hand before it is painted again.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QWidget

POLISHED = Qt.WidgetAttribute.WA_WState_Polished
OWN_STYLE = Qt.WidgetAttribute.WA_SetStyle


@contextmanager
def passing_over(branches: Iterable[QWidget]) -> Iterator[None]:
    """Let a style sheet that is set within pass over these widgets and what they hold."""
    aside = [one for branch in branches for one in whole(branch)]
    for one in aside:
        one.setAttribute(POLISHED, False)
        one.setAttribute(OWN_STYLE, True)
    yield
    for one in aside:
        one.setAttribute(OWN_STYLE, False)


def catch_up(branch: QWidget) -> None:
    """Give a widget and what it holds the style sheet that passed over them."""
    for one in whole(branch):
        if not one.testAttribute(POLISHED):
            for kind in (QEvent.Type.Polish, QEvent.Type.StyleChange):
                QCoreApplication.sendEvent(one, QEvent(kind))


def whole(branch: QWidget) -> list[QWidget]:
    """Return a widget and all that it holds, each after what holds it."""
    return [branch, *branch.findChildren(QWidget)]
