"""Which Annotator this is."""

from importlib.metadata import version as installed


def version() -> str:
    """Return the version of the installed package."""
    return installed("annotator")
