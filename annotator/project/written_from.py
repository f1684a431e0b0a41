"""What a table that goes into a file is said to be from."""

from annotator.project.project import Project
from annotator.project.version import version


def written_from(project: Project, head: str = "") -> str:
    """Return the sentence that stands beside a table: of which project it is, and of which ledger head.

    That of a state which was read, or the one that the project has now.
    """
    head = head or project.store.head()
    return (
        f"Written by Annotator {version()} from {project.path.name}, whose ledger head was {head} then: "
        f"“annotator check PROJECT --contains {head}” tells whether a file still holds what that stood for."
    )
