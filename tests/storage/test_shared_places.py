from pathlib import Path

import pytest

from annotator.storage.shared_places import warning

MOUNTS = "/dev/sda / ext4 rw 0 0\nserver:/x /home/ana/my\\040team nfs4 rw 0 0\n//pc/y /mnt/y cifs rw 0 0\n"


@pytest.fixture
def mounts(tmp_path: Path) -> Path:
    (tmp_path / "mounts").write_text(MOUNTS)
    return tmp_path / "mounts"


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/home/ana/Dropbox/x.annot", "Dropbox synchronises"),
        ("/home/ana/Dropbox (Work)/deep/x.annot", "Dropbox synchronises"),
        ("/home/ana/OneDrive - University/x.annot", "OneDrive synchronises"),
        ("/home/ana/my team/x.annot", "network drive"),
        ("/mnt/y/deep/x.annot", "network drive"),
    ],
)
def test_a_place_that_is_shared_is_told(path: str, words: str, mounts: Path) -> None:
    assert words in (warning(Path(path), mounts) or "")


@pytest.mark.parametrize("path", ["/home/ana/x.annot", "/home/ana/dropbox.annot", "/mnt/yard/x.annot"])
def test_an_ordinary_place_is_not(path: str, mounts: Path) -> None:
    assert warning(Path(path), mounts) is None


def test_a_system_that_lists_no_mounts_warns_of_none(tmp_path: Path) -> None:
    assert warning(tmp_path / "x.annot", tmp_path / "none") is None
