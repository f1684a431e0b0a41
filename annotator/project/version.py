"""Which Annotator this is."""

from functools import cache
from importlib.metadata import version as installed


@cache
def version() -> str:
    """Return the version of the installed package."""
    return installed("annotator")
