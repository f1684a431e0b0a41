"""What Annotator is made with: every package, as it is installed, and the licence that it names itself."""

import platform
import re
from importlib.metadata import PackageMetadata, PackageNotFoundError, distribution
from pathlib import Path
from typing import NamedTuple

from annotator.text.visible import visible

OURS = "relevance-annotator"


class Component(NamedTuple):
    """A package that comes with the program or is installed for it."""

    name: str
    version: str
    licence: str


def components() -> tuple[Component, ...]:
    """Return Python and every installed package that Annotator needs, or can use, by name.

    Raises PackageNotFoundError where Annotator itself is not installed.
    """
    found = {"Python": Component("Python", platform.python_version(), "PSF-2.0")}
    waiting = [OURS]
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        try:
            package = distribution(name)
        except PackageNotFoundError:
            if name == OURS:
                raise
            continue
        if name != OURS:
            found[name] = Component(package.name, package.version, _licence(package.metadata))
        for line in package.requires or ():
            extra = re.search(r"extra\s*==\s*['\"](\w+)", line)
            if extra is None or (name == OURS and extra[1] != "test"):
                waiting.append(re.split(r"[^\w.-]", line, maxsplit=1)[0].lower().replace("_", "-"))
    return tuple(sorted(found.values(), key=lambda one: one.name.lower()))


def _licence(metadata: PackageMetadata) -> str:
    """Return a package's licence: as an SPDX expression, as a classifier, or the first line of a text."""
    get = metadata.get_all
    classes = [one.rpartition(" :: ")[2] for one in get("Classifier") or [] if one.startswith("License :: ")]
    (told, *_) = [*get("License-Expression", []), *classes, *get("License", []), "not told"]
    return visible(told.strip().partition("\n")[0])


def page() -> str:
    """Return all components as a page of the help, in Markdown."""
    place = Path(str(distribution(OURS).locate_file("")))
    table = "\n".join(f"| {one.name} | {one.version} | {one.licence} |" for one in components())
    return f"""# Third-party software

Annotator is free software under the MIT licence. It is made with the packages below, in the versions that \
are installed here; each names its licence itself.

The window is made with Qt and PySide6, which are used under the GNU Lesser General Public License, version \
3. Their libraries are files of their own, and you may put others that you have built in their place: they \
lie in `{place / "PySide6"}`. What a package says of its licence in full lies in its folder \
`{place / "*.dist-info"}`.

| package | version | licence |
|---|---|---|
{table}
"""
