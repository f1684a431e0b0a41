"""Places that are risky for a project file."""

from pathlib import Path

import pytest

from annotator.project import file_location


@pytest.mark.parametrize("name", ["Dropbox", "OneDrive - Linden Bay", "Google Drive", "Nextcloud"])
def test_a_synchronised_folder_is_recognised_by_its_name(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name / "work"
    folder.mkdir(parents=True)
    assert "synchronised" in file_location.warning(folder / "p.annot")


def test_a_synchronised_folder_is_recognised_by_what_stands_in_it(tmp_path: Path) -> None:
    (tmp_path / ".stfolder").mkdir()
    assert "synchronised" in file_location.warning(tmp_path / "p.annot")


def test_a_folder_of_another_computer_is_recognised(tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(f"disk / ext4 rw 0 0\nserver:/x {tmp_path}/far nfs4 rw 0 0\n", "utf-8")
    assert "another computer" in file_location.warning(tmp_path / "far" / "a" / "p.annot", mounts)
    assert file_location.warning(tmp_path / "near" / "p.annot", mounts) == ""
    assert not file_location.on_network(tmp_path / "p.annot", tmp_path / "no mounts")


def test_a_conflict_copy_is_offered_for_merging(tmp_path: Path) -> None:
    for name in ("p.annot", "p (Ann's conflicted copy 2026-11-20).annot", "p2.annot", "q conflict.annot"):
        (tmp_path / name).touch()
    copies = file_location.conflict_copies(tmp_path / "p.annot")
    assert [one.name for one in copies] == ["p (Ann's conflicted copy 2026-11-20).annot"]
    assert "merge" in file_location.warning(tmp_path / "p.annot")


def test_an_ordinary_folder_says_nothing(tmp_path: Path) -> None:
    assert file_location.warning(tmp_path / "p.annot", tmp_path / "none") == ""
