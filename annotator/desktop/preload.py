"""Slow libraries loaded behind the first page, so that the researcher's pages open at once."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QAbstractScrollArea

from annotator.watch import Watch

AFTER_MS = 1_500
"""How long the first page has the computer to itself."""

LOOK_SECONDS = 0.1
"""How often one looks whether the annotator rests."""

LIBRARIES = (
    "numpy",
    "PIL.Image",
    "pyparsing",
    "matplotlib",
    "matplotlib.axes",
    "matplotlib.figure",
    "matplotlib.backends.backend_agg",
    "scipy.special",
    "annotator.figures.catalogue",
    "annotator.project.report_files",
)
"""In the order in which a page would need them, cut so that each is soon loaded; none of them knows Qt."""


def load_numbers(*_: object) -> None:
    """Load what takes most of the time of loading the first page, while its project is opened."""
    import_module(LIBRARIES[0])


def warm_up(at_rest: Callable[[], bool], watch: Watch) -> None:
    """Load the libraries one after the other while the annotator rests, until asked to stop."""
    for name in LIBRARIES:
        while not at_rest() and not watch.asked():
            time.sleep(LOOK_SECONDS)
        if watch.asked():
            return
        import_module(name)


def load_page(modules: Sequence[str], owner: QObject, done: Callable[[], object]) -> None:
    """Load the modules of the first page, each in its own turn, so that the window answers in between.

    Before, PySide6 makes itself known with all kinds of widgets, which it does the first time that it is
    handed one which Qt made: a fifth of the time that making the page would take.
    """
    QAbstractScrollArea().viewport()
    load_in_turns(modules, owner, done=done)


def load_in_turns(
    names: Sequence[str],
    owner: QObject,
    at_rest: Callable[[], bool] = lambda: True,
    pause_ms: int = 0,
    done: Callable[[], object] = lambda: None,
) -> None:
    """Load modules that know Qt, which is for the window's thread, one by one while the annotator rests."""
    if at_rest() and names:
        import_module(names[0])
        names = names[1:]
    again = partial(load_in_turns, names, owner, at_rest, pause_ms, done)
    QTimer.singleShot(pause_ms, owner, again if names else done)
