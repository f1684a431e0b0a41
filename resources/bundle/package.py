"""Makes a Debian package of a bundle: `python package.py BUNDLE FOLDER`, where Annotator is installed."""

import gzip
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

import typer.main

from annotator.commands.program import app
from annotator.project import notices

NAME, ID = "relevance-annotator", "local.relevance_annotator.annotator"
HERE = Path(__file__).parent
WHO = "The Annotator authors <annotator@localhost>"
SUMMARY = "grade search results and evaluate them exactly"

CONTROL = """\
Package: {name}
Version: {version}
Architecture: {architecture}
Maintainer: {who}
Installed-Size: {size}
Depends: {depends}
Section: science
Priority: optional
Description: {summary}
 Annotator is a desktop app in which people grade search results and predicted
 answers, and in which the grades turn into evaluation figures in the same
 window. One project is one file; there is no server, no account, no network.
"""

OVERRIDES = {
    "a program with its own Python and its packages, built elsewhere and taken as they are": (
        "embedded-library",
        "unstripped-binary-or-object",
        "custom-library-search-path",
        "shared-library-lacks-prerequisites",
        "library-not-linked-against-libc",
        "hardening-no-fortify-functions",
        "hardening-no-pie",
        "package-contains-documentation-outside-usr-share-doc",
        "extra-license-file",
    ),
    "fonts of packages, which look for them beside themselves; Hanken Grotesk's licence, the OFL, allows "
    "what a flag in its files does not": (
        "font-in-non-font-package",
        "font-outside-font-dir",
        "duplicate-font-file",
        "opentype-font-prohibits-installable-embedding",
    ),
    "no address is invented": (
        "bogus-mail-host",
        "bogus-mail-host-in-debian-changelog",
    ),
}
"""What lintian is not to look for, by reason."""


def main(bundle: Path, folder: Path) -> Path:
    """Write the package into a folder and return its place."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name) / NAME
        fill(root, bundle)
        control = CONTROL.format(
            name=NAME,
            version=version(NAME),
            architecture=said("dpkg", "--print-architecture"),
            who=WHO,
            size=sum(one.lstat().st_size for one in root.rglob("*")) // 1024,
            depends=depends(root),
            summary=SUMMARY,
        )
        write(root / "DEBIAN" / "control", control)
        target = folder / f"{NAME}_{version(NAME)}_{said('dpkg', '--print-architecture')}.deb"
        said("dpkg-deb", "--root-owner-group", "-Zxz", "-z9", "--build", root, target)
        return target


def fill(root: Path, bundle: Path) -> None:
    """Lay the bundle out as the system wants it, with what makes it known to the desktop."""
    shutil.copytree(bundle, root / "usr/lib" / NAME, symlinks=True)
    share, doc = root / "usr/share", root / "usr/share/doc" / NAME
    for place in (root / "usr/lib").rglob("*"):
        if not place.is_symlink():
            place.chmod(0o755 if place.is_dir() or place == root / "usr/lib" / NAME / "annotator" else 0o644)
    (root / "usr/bin").mkdir()
    (root / "usr/bin/annotator").symlink_to(f"../lib/{NAME}/annotator")
    write(share / "applications" / f"{ID}.desktop", (HERE / f"{ID}.desktop").read_text("utf-8"))
    write(share / "metainfo" / f"{ID}.metainfo.xml", (HERE / f"{ID}.metainfo.xml").read_text("utf-8"))
    write(share / "mime/packages" / f"{NAME}.xml", (HERE / f"{ID}.mime.xml").read_text("utf-8"))
    icon = (HERE.parent / "icons/annotator.svg").read_text("utf-8")
    write(share / "icons/hicolor/scalable/apps" / f"{ID}.svg", icon)
    write(doc / "copyright", copyright_text())
    write(
        doc / "changelog.gz",
        f"""\
{NAME} ({version(NAME)}) unstable; urgency=medium

  * What is new stands in Annotator's own changelog.

 -- {WHO}  Thu, 26 Nov 2026 00:00:00 +0000
""",
    )
    write(share / "man/man1/annotator.1.gz", manual())
    overrides = [
        line for why, tags in OVERRIDES.items() for line in (f"# {why}", *(f"{NAME}: {tag}" for tag in tags))
    ]
    write(share / "lintian/overrides" / NAME, "\n".join(overrides) + "\n")
    for place in (root, *root.rglob("*")):
        if place.is_dir():
            place.chmod(0o755)


def write(path: Path, text: str) -> None:
    """Write a text, packed where its name says so, the same bytes each time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    content = text.encode()
    path.write_bytes(gzip.compress(content, 9, mtime=0) if path.suffix == ".gz" else content)
    path.chmod(0o644)


def copyright_text() -> str:
    """Return the licences: ours in full, then each package's as it names it."""
    ours = (HERE.parents[1] / "LICENSE").read_text("utf-8")
    listed = "".join(f" {one.name} {one.version}: {one.licence}\n" for one in notices.components())
    return (
        f"Annotator\n\n{ours}\nThird-party software, with the licence that each package names:\n\n{listed}\n"
        f"The texts of these licences lie in /usr/lib/{NAME}/_internal, in the folders *.dist-info.\n"
        f"Qt and PySide6 are used under the GNU Lesser General Public License, version 3, which stands in\n"
        f"/usr/share/common-licenses/LGPL-3. Their libraries are files of their own in\n"
        f"/usr/lib/{NAME}/_internal/PySide6, and you may put others in their place.\n"
    )


def manual() -> str:
    """Return the manual page: every command with its first sentence."""
    group = typer.main.get_command(app)
    lines = [f'.TH ANNOTATOR 1 "" "Annotator {version(NAME)}"', ".SH NAME", f"annotator \\- {SUMMARY}"]
    lines += [".SH SYNOPSIS", "annotator [PROJECT]", ".br", "annotator COMMAND ...", ".SH COMMANDS"]
    for name, command in group.commands.items():  # type: ignore[attr-defined]
        if not command.hidden:
            sentence = (command.help or "").partition("\n\n")[0].replace("\n", " ").replace("-", "\\-")
            lines += [".TP", f".B {name}", sentence]
    return "\n".join([*lines, ".PP", "annotator COMMAND \\-\\-help explains each.", ""])


def depends(root: Path) -> str:
    """Return the packages of the system whose libraries the bundle asks for and does not bring."""
    files = [one for one in root.rglob("*") if one.is_file() and one.read_bytes()[:4] == b"\x7fELF"]
    asked = {name for one in files for name in re.findall(r"NEEDED\s+(\S+)", said("objdump", "-p", one))}
    packages = set()
    for name in sorted(asked - {one.name for one in files}):
        found = subprocess.run(["dpkg", "-S", f"*/{name}"], capture_output=True, text=True, check=False)
        if found.returncode:
            sys.stderr.write(f"{name} is not on this computer, so the package does not ask for it.\n")
        else:
            packages.add(found.stdout.partition(":")[0])
    return ", ".join([f"libc6 (>= {platform.libc_ver()[1]})", *sorted(packages - {"libc6"})])


def said(*words: object) -> str:
    """Run a tool and return what it prints."""
    return subprocess.run(list(map(str, words)), check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


if __name__ == "__main__":
    print(main(Path(sys.argv[1]), Path(sys.argv[2])))
