"""Slow libraries loaded behind the first page, so that the researcher's pages open at once."""

from importlib import import_module

from annotator.desktop.worker import Progress, ShouldStop

AFTER_MS = 1_500
"""How long the first page has the computer to itself."""

LIBRARIES = (
    "numpy",
    "matplotlib.figure",
    "matplotlib.backends.backend_agg",
    "scipy.stats",
    "annotator.figures.catalogue",
    "annotator.project.reporting",
)
"""In the order in which a page would need them; none of them knows Qt."""


def warm_up(_progress: Progress, should_stop: ShouldStop) -> None:
    """Load the libraries one after the other, until asked to stop."""
    for name in LIBRARIES:
        if should_stop():
            return
        import_module(name)
