"""Which Annotator this is."""

from functools import cache
from importlib.metadata import version as installed

DISTRIBUTION = "relevance-annotator"
"""The name of the package that is installed; on the index `annotator` is somebody else's."""


@cache
def version() -> str:
    """Return the version of the installed package."""
    return installed(DISTRIBUTION)
