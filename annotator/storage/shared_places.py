"""Recognising where a project file is not alone: folders that are synchronised, and network drives.

A synchronising program may carry away a half-written file or bring back an old one, and network drives do not
always lock. Neither is refused; the user is told once.
"""

from pathlib import Path, PurePosixPath

SYNCHRONISED = {
    "dropbox": "Dropbox",
    "onedrive": "OneDrive",
    "google drive": "Google Drive",
    "googledrive": "Google Drive",
    "icloud drive": "iCloud",
    "mobile documents": "iCloud",
    "nextcloud": "Nextcloud",
    "owncloud": "ownCloud",
    "syncthing": "Syncthing",
    "seafile": "Seafile",
}
"""How the name of a synchronised folder begins, in lower case, and whose it is."""

NETWORK = {"nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "fuse.sshfs", "9p", "fuse.rclone", "davfs"}

MOUNTS = Path("/proc/mounts")


def warning(path: Path, mounts: Path = MOUNTS) -> str | None:
    """Return what to tell the user of a project file's place, None when it is an ordinary one."""
    for part in path.absolute().parts[:-1]:
        for beginning, whose in SYNCHRONISED.items():
            if part.lower().startswith(beginning):
                return (
                    f"{path.name} lies in a folder that {whose} synchronises. Close it before opening it "
                    "on another computer; copies in conflict can be merged."
                )
    if file_system(path, mounts) in NETWORK:
        return (
            f"{path.name} lies on a network drive, where two people can write at once unnoticed. Work on a "
            "copy on your own disk; copies can be merged."
        )
    return None


def file_system(path: Path, mounts: Path) -> str:
    """Return the kind of file system that holds a path, empty where the system does not list them."""
    try:
        lines = mounts.read_text("utf-8", "surrogateescape").splitlines()
    except OSError:
        return ""
    found: dict[int, str] = {}
    for line in lines:
        _, place, kind, *_ = line.split(" ")
        folder = PurePosixPath(place.replace("\\040", " "))
        if path.absolute().is_relative_to(folder):
            found[len(folder.parts)] = kind
    return found[max(found)] if found else ""
