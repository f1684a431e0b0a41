"""What is kept outside of projects: the help names it, and none but the user gets at it."""

import os
import stat
from pathlib import Path

import pytest

from annotator import kept_files

HELP = Path(__file__).parents[1] / "resources" / "help" / "data.md"
LINUX = {
    "data": "~/.local/share/annotator",
    "cache": "~/.cache/annotator",
    "config": "~/.config/annotator",
    "state": "~/.local/state/annotator",
}


def test_the_help_says_what_lies_where() -> None:
    lines = HELP.read_text("utf-8").splitlines()
    start = lines.index("| file or folder | what it holds | `annotator forget PROJECT` removes |") + 2
    for line, (what, kept) in zip(lines[start:], kept_files.KEPT.items(), strict=False):
        removes = "what is the project's" if kept.of_project or what == "window" else "nothing"
        assert line == f"| `{LINUX[kept.folder]}/{kept.name}` | {kept.holds} | {removes} |"
    assert lines[start + len(kept_files.KEPT)] == ""


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="the help names the places on Linux")
def test_these_are_the_places_on_linux(monkeypatch: pytest.MonkeyPatch) -> None:
    for word in ("DATA", "CACHE", "STATE", "CONFIG"):
        monkeypatch.delenv(f"XDG_{word}_HOME")
    for folder, place in LINUX.items():
        assert kept_files.top(folder) == Path(place).expanduser()


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
def test_a_folder_that_was_open_to_others_is_closed() -> None:
    top = kept_files.top("data")
    top.mkdir(parents=True)
    top.chmod(0o755)
    kept_files.made(top / "backups" / "one")
    assert stat.S_IMODE(top.stat().st_mode) == 0o700


def test_what_a_file_holds_already_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "one").write_text("content")
    kept_files.new(tmp_path / "one")
    assert (tmp_path / "one").read_text() == "content"
