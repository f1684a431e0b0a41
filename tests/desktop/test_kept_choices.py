"""The window's choices and log: for the user alone, and forgotten with a project."""

import os
from pathlib import Path

import pytest

from annotator import kept_files
from annotator.desktop import icons, log
from annotator.desktop.preferences import Settings


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_others_cannot_read_what_the_window_remembers_and_does(
    tmp_path: Path, umask: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log, "BYTES", 200)
    icons.folder.cache_clear()
    before = os.umask(umask)
    try:
        settings = Settings()
        for number in range(3):
            settings.grades(tmp_path / f"{number}.annot", "Ana")
            settings._store.sync()
        for number in range(20):
            log.note(f"line {number}")
        icons.drawn.__wrapped__("flag", "#123456")
    finally:
        os.umask(before)
    files = [one for one in (tmp_path / "home").rglob("*") if one.is_file()]
    names = {one.name for one in files}
    assert {"window.ini", "annotator.log", "annotator.log.1", "flag-123456.svg"} <= names
    assert {kept_files.mode_of(one) for one in files} == {0o600}


def test_the_window_forgets_a_project_and_no_other(tmp_path: Path) -> None:
    first, second = tmp_path / "first.annot", tmp_path / "second.annot"
    settings = Settings()
    for path in (first, second):
        path.touch()
        settings.opened(path)
        settings.left(path, f"About {path.stem}")
        settings.grades(path, "Ana")
    (tmp_path / "link").symlink_to(tmp_path)
    Settings().forget(tmp_path / "link" / "home" / ".." / first.name)
    again = Settings()
    assert again.recent() == [second]
    assert again.of(first).get("name", "") == again.of(first).get("annotator", "") == ""
    assert again.of(second).get("name", "") == "About second"
    text = kept_files.place("window").read_text()
    assert "first" not in text
    assert "second" in text
