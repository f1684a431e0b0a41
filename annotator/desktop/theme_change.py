"""Another look: each widget is styled once, what is in sight at once, a hidden page when it is shown.

Hidden tabs and lists of choices, most of what a page holds, follow in turns of their own, right after.

Qt styles every widget twice when the program's style sheet changes: without the old, then with the new one.
It passes over widgets that were never polished, and tells nothing to those with a style of their own. So all
are taken for both meanwhile, and polished by hand before they are painted again.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer
from PySide6.QtWidgets import QWidget

POLISHED = Qt.WidgetAttribute.WA_WState_Polished
OWN_STYLE = Qt.WidgetAttribute.WA_SetStyle
KNOWN = Qt.WidgetAttribute.WA_StyleSheet
"""That a style sheet hears of the widget's end. What it does not hear of, it takes for the next widget at its
address: a dialog would have the ground of something else."""


@contextmanager
def passing_over(widgets: Sequence[QWidget]) -> Iterator[None]:
    """Let a style sheet that is set within pass over these widgets."""
    for one in widgets:
        one.setAttribute(POLISHED, False)
        one.setAttribute(OWN_STYLE, True)
    try:
        yield
    finally:
        for one in widgets:
            one.setAttribute(OWN_STYLE, False)
            one.setAttribute(KNOWN, False)


class Behind(QWidget):
    """What holds a tab: hidden, it may be styled a turn later than what is in sight."""


def catch_up(branches: Iterable[QWidget], without: Collection[QWidget] = ()) -> None:
    """Give widgets and all that they hold, `without` some, the style sheet that passed over them."""
    if later := [_while_there(one) for one in _behind(branches, without)]:
        QTimer.singleShot(0, partial(_follow, later))


def _behind(branches: Iterable[QWidget], without: Collection[QWidget]) -> Iterator[QWidget]:
    """Style what is in sight, and yield what may follow."""
    for one in branches:
        if one in without:
            continue
        if one.isHidden() and (one.isWindow() or isinstance(one, Behind)):
            yield one
            continue
        _style([one])
        inside = one.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
        yield from _behind(inside, without)


def _while_there(one: QWidget) -> list[QWidget]:
    """Return a list that holds a widget while there is one: PySide6 does not hear the end of what Qt made."""
    there = [one]
    one.destroyed.connect(lambda *_: there.clear())
    return there


def _follow(later: list[list[QWidget]]) -> None:
    """Style one after the other, what is still there; the window answers in between."""
    there = later.pop(0)
    _style(whole(there))
    there.clear()
    if later:
        QTimer.singleShot(0, partial(_follow, later))


def _style(widgets: Iterable[QWidget]) -> None:
    for one in widgets:
        if not one.testAttribute(POLISHED):
            for kind in (QEvent.Type.Polish, QEvent.Type.StyleChange):
                QCoreApplication.sendEvent(one, QEvent(kind))


def whole(branches: Iterable[QWidget]) -> list[QWidget]:
    """Return widgets and all that they hold, each after what holds it."""
    return [one for branch in branches for one in (branch, *branch.findChildren(QWidget))]
