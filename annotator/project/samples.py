"""The sample projects that come with Annotator: always opened as copies in the user's folder."""

from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_documents_path

from annotator.errors import UserError
from annotator.places import place
from annotator.project import text_twin


@dataclass(frozen=True, slots=True)
class Sample:
    """One sample: `key` is its folder's name, `about` says in a sentence what it shows."""

    key: str
    title: str
    about: str
    folder: Path


def listed() -> list[Sample]:
    """Return the samples that came with this installation, sorted by key."""
    known = []
    for folder in sorted(place("sample_projects").iterdir()):
        if (folder / text_twin.HEAD).is_file():
            head = text_twin.read_head(folder)
            known.append(Sample(folder.name, head.get("name", folder.name), head.get("about", ""), folder))
    return known


def copied(key: str, path: Path | None = None) -> Path:
    """Return a copy of a sample as a project file; without a path, one in the user's documents.

    A copy that is already there is used again, with the work in it. Raises UserError for an unknown sample.
    """
    known = {one.key: one for one in listed()}
    if key not in known:
        raise UserError(f"There is no sample {key!r}; there are: {', '.join(known)}.")
    copy = path or user_documents_path() / "Annotator" / f"{key}.annot"
    if path is not None or not copy.exists():
        text_twin.load(known[key].folder, copy).close()
    return copy
