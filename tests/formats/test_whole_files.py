import errno
import gzip
import os
from pathlib import Path

import pytest

from annotator.errors import UserError
from annotator.formats.whole_files import file_name, named_by, replacing, stem


def test_a_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    with replacing(tmp_path / "a") as file:
        file.write("new\r\n\n")
        assert (tmp_path / "a").read_text() == "old"
    assert (tmp_path / "a").read_bytes() == b"new\r\n\n"
    assert list(tmp_path.glob(".*")) == []


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_text("old")

    def fail() -> None:
        with replacing(tmp_path / "a.gz") as file:
            file.write("new")
            raise KeyError("made up")

    with pytest.raises(KeyError):
        fail()
    assert (tmp_path / "a.gz").read_text() == "old"
    assert [one.name for one in tmp_path.iterdir() if one.is_file()] == ["a.gz"]


def test_a_packed_file_is_the_same_each_time(tmp_path: Path) -> None:
    for name in ("a.gz", "b.gz"):
        with replacing(tmp_path / name) as file:
            file.write("text")
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()
    assert gzip.decompress((tmp_path / "a.gz").read_bytes()) == b"text"


def test_folders_on_the_way_are_made_and_go_again_where_nothing_is_written(tmp_path: Path) -> None:
    def fail() -> None:
        with replacing(tmp_path / "new" / "way" / "a"):
            raise KeyError("made up")

    before = list(tmp_path.iterdir())
    with pytest.raises(KeyError):
        fail()
    assert list(tmp_path.iterdir()) == before
    with replacing(tmp_path / "new" / "way" / "a") as file:
        file.write("text")
    assert (tmp_path / "new" / "way" / "a").read_text() == "text"


def test_a_file_in_the_place_of_a_folder_is_told_to_the_user(tmp_path: Path) -> None:
    (tmp_path / "none").write_text("mine")
    with pytest.raises(UserError, match="none is a file"), replacing(tmp_path / "none" / "a"):
        pass
    assert (tmp_path / "none").read_text() == "mine"


@pytest.mark.parametrize("name", ["bm25", "a/b", "../x", "C:\\x", "é", "a b", "100%"])
def test_a_systems_name_is_safe_in_a_files_name_and_comes_back(tmp_path: Path, name: str) -> None:
    path = tmp_path / f"run.{file_name(name)}.tsv"
    assert path.parent == tmp_path
    assert named_by(path, "run.") == name


def test_the_stem_is_the_name_without_its_endings() -> None:
    assert [stem(Path(name)) for name in ("runs/bm25.run.gz", "b.c.txt", ".hidden")] == [
        "bm25",
        "b.c",
        ".hidden",
    ]


@pytest.mark.parametrize(("number", "room"), [(errno.ENOSPC, True), (errno.EACCES, False)])
def test_only_of_a_full_disk_it_is_said_to_make_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, room: bool
) -> None:
    def fail(_: int) -> None:
        raise OSError(number, "")

    monkeypatch.setattr(os, "fsync", fail)
    with (
        pytest.raises(UserError, match="choose another place") as said,
        replacing(tmp_path / "a.csv") as file,
    ):
        file.write("x")
    assert ("make room" in str(said.value)) is room
    assert not (tmp_path / "a.csv").exists()
