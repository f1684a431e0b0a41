"""What makes a bundle known to a desktop says what the program is; `./dev bundle` makes one."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest

from annotator.errors import how_to_install
from annotator.places import SUFFIX
from annotator.storage.file import access

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "resources" / "bundle"
(ID,) = (one.name.removesuffix(".desktop") for one in FOLDER.glob("*.desktop"))
ENTRY, ABOUT, MIME = (FOLDER / f"{ID}.{kind}" for kind in ("desktop", "metainfo.xml", "mime.xml"))


def test_a_file_is_known_by_its_name_and_by_what_every_project_begins_with() -> None:
    (kind,) = ElementTree.parse(MIME).getroot()
    spaces = {"m": "http://www.freedesktop.org/standards/shared-mime-info"}
    (name,) = kind.findall("m:glob", spaces)
    (number,) = kind.findall("m:magic/m:match/m:match", spaces)
    assert name.get("pattern") == f"*{SUFFIX}"
    assert (number.get("offset"), int(str(number.get("value")), 16)) == ("68", access.APPLICATION_ID)
    assert f"MimeType={kind.get('type')};" in ENTRY.read_text("utf-8").splitlines()


def test_the_desktop_is_told_of_this_version_under_the_name_that_windows_bear() -> None:
    about = ElementTree.parse(ABOUT).getroot()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert about.findtext("id") == ID
    assert next(one.get("version") for one in about.iter("release")) == project["version"]
    assert about.findtext("launchable") == ENTRY.name
    start = (ROOT / "annotator" / "desktop" / "app.py").read_text("utf-8")
    assert re.findall(r'setDesktopFileName\(\s*"(.*?)"', start) == [ID]
    assert ID in (FOLDER / "package.py").read_text("utf-8")


@pytest.mark.parametrize(
    "words",
    [("desktop-file-validate", ENTRY), ("appstreamcli", "validate", "--no-net", ABOUT)],
    ids=lambda words: words[0],
)
def test_the_desktops_own_tools_find_nothing_wrong(words: tuple[object, ...]) -> None:
    if shutil.which(str(words[0])) is None:
        pytest.skip(f"{words[0]} is not installed")
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_bundle_names_no_folder_of_its_own_to_install_into(monkeypatch: pytest.MonkeyPatch) -> None:
    assert how_to_install("parquet") == "pip install -e '.[parquet]' in Annotator's folder"
    monkeypatch.setattr("sys.frozen", True, raising=False)
    assert how_to_install("parquet").startswith("pip install -e '.[parquet]' in a clone of Annotator")
