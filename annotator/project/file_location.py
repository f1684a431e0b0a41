"""Where a project file lies: synchronised and network folders are recognised where possible."""

import re
from collections.abc import Sequence
from pathlib import Path

SYNCHRONISED = (
    *("dropbox", "onedrive", "google drive", "googledrive", "my drive", "icloud", "mobile documents"),
    *("nextcloud", "owncloud", "box sync", "pcloud", "mega", "syncthing", "seafile"),
)
"""How the folders of services that copy files between computers begin, in lower case."""

MARKS = (".dropbox", ".stfolder", ".owncloudsync.log", ".nextcloudsync.log", ".seafile-data")
"""Files that such services leave in their topmost folder."""

NETWORK = (
    *("nfs", "nfs4", "cifs", "smb", "smb3", "smbfs", "9p", "afs", "davfs"),
    *("fuse.davfs2", "fuse.sshfs", "fuse.rclone"),
)
"""File systems of other computers, as Linux names them."""

MOUNTS = Path("/proc/mounts")
CONFLICT = re.compile(r"conflicted copy|\.sync-conflict-|case conflict|[-_ (]conflict\b", re.IGNORECASE)


def warning(path: Path, mounts: Path = MOUNTS, copies: Sequence[Path] | None = None) -> str:
    """Return a sentence about the place of a project file, empty when nothing is to be said.

    `copies` are the conflict copies that matter; without it all that stand beside the file do.
    """
    place = path.absolute()
    if copies is None:
        copies = conflict_copies(place)
    if copies:
        return f"“{copies[0].name}” looks like a conflict copy of this project; merge the two."
    if synchronised(place):
        return (
            "This folder is synchronised: open the project on one computer at a time, and wait until it is "
            "copied before opening it on another."
        )
    if on_network(place, mounts):
        return (
            "This folder is on another computer, which may not lock files or keep what was saved through a "
            "crash; work on a copy on this computer and merge."
        )
    return ""


def synchronised(path: Path) -> bool:
    """Say whether a file lies in the folder of a service that copies files between computers."""
    return any(
        folder.name.casefold().startswith(SYNCHRONISED) or any((folder / mark).exists() for mark in MARKS)
        for folder in path.parents
    )


def on_network(path: Path, mounts: Path = MOUNTS) -> bool:
    """Say whether a file lies on a file system of another computer, as far as this system tells."""
    if str(path).startswith("\\\\"):
        return True
    try:
        lines = mounts.read_text("utf-8", "replace").splitlines()
    except OSError:
        return False
    fields = [line.split() for line in lines if len(line.split()) >= 3]
    kinds = {Path(words[1].replace("\\040", " ")): words[2] for words in fields}
    nearest = next((folder for folder in path.parents if folder in kinds), None)
    return nearest is not None and kinds[nearest] in NETWORK


def conflict_copies(path: Path) -> list[Path]:
    """Return the files beside a project that a synchronising service made of two versions of it."""
    beside = path.parent.glob(f"*{path.suffix}") if path.parent.is_dir() else ()
    return sorted(
        one for one in beside if one != path and one.name.startswith(path.stem) and CONFLICT.search(one.name)
    )
