"""Where the files stand that come with Annotator, and how the file of a project is named."""

from functools import cache
from pathlib import Path

SUFFIX = ".annot"
"""How the name of a project file ends."""


@cache
def place(name: str) -> Path:
    """Return the folder `resources` or `sample_projects`: inside an installed wheel, else beside the package.

    Raises FileNotFoundError when neither is there, which means a broken installation.
    """
    package = Path(__file__).parent
    for folder in (package / "_data" / name, package.parent / name):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"Annotator's own folder {name!r} is missing; install Annotator again.")
