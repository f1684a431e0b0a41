"""What is being written is kept apart, and what a program that was killed left is deleted, nothing else."""

import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from annotator import unfinished

WRITER = """
import sys
from pathlib import Path
from annotator import unfinished
with unfinished.folder_in(Path(sys.argv[1])) as new:
    (new / "half").write_text("half")
    print(new, flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return an empty folder to write in."""
    (tmp_path / "place").mkdir()
    return tmp_path / "place"


def test_what_another_program_writes_stays_and_goes_with_the_next_writer_once_it_is_killed(
    place: Path,
) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(place)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout
        half = Path(other.stdout.readline().strip()) / "half"
        with unfinished.folder_in(place):
            assert half.read_text() == "half"
            assert len(unfinished.there(place)) == 2
        assert [half.parents[1]] == unfinished.there(place)
        other.kill()
    assert half.exists()
    with unfinished.folder_in(place):
        assert not half.exists()
    assert list(place.iterdir()) == []


@pytest.mark.parametrize("left", ["nothing", "a lock", "a lock and content"])
def test_what_is_left_at_any_moment_is_abandoned(place: Path, left: str) -> None:
    folder = place / f".{unfinished.computer()}-0123abcd.part"
    folder.mkdir()
    if "lock" in left:
        (folder / unfinished.LOCK).touch()
    if "content" in left:
        (folder / unfinished.CONTENT / "deep").mkdir(parents=True)
        (folder / unfinished.CONTENT / "deep" / "half").touch()
    with unfinished.folder_in(place):
        assert not folder.exists()


def test_what_is_not_ours_is_never_deleted(place: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    (mine / unfinished.CONTENT).mkdir(parents=True)
    (mine / unfinished.LOCK).touch()
    (place / f".{unfinished.computer()}-link0000.part").symlink_to(mine, target_is_directory=True)
    texts = place / f".{unfinished.computer()}-texts000.part"
    texts.mkdir()
    (texts / "text").touch()
    (place / f".{unfinished.computer()}-files000.part").touch()
    elsewhere = place / ".01234567-89abcdef.part"
    shutil.copytree(mine, elsewhere)
    assert elsewhere in unfinished.there(place)
    before = sorted(tmp_path.rglob("*"))
    with unfinished.folder_in(place):
        pass
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("begun", ["made", "locked"])
def test_who_is_taken_for_abandoned_before_the_lock_begins_anew(
    place: Path, begun: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the making of a folder and its lock another program deletes it."""
    name, stage = ("open", os.open) if begun == "made" else ("take", unfinished.take)
    times: list[Path] = []

    def raced(*arguments: object, **named: object) -> object:
        if not times:
            times.extend(unfinished.there(place))
            unfinished._drop_abandoned(times[0])
        return stage(*arguments, **named)  # type: ignore[operator]

    monkeypatch.setattr(os if begun == "made" else unfinished, name, raced)
    with unfinished.folder_in(place) as new:
        assert new.parent not in times
        assert unfinished.there(place) == [new.parent]


def test_who_finds_the_lock_taken_by_somebody_who_clears_begins_anew(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take, cleared, locks = unfinished.take, list[Path](), list[int]()

    def taken(descriptor: int) -> None:
        if not cleared:
            cleared.extend(unfinished.there(place))
            locks.append(os.open(cleared[0] / unfinished.LOCK, os.O_RDWR))
            take(locks[0])
        take(descriptor)

    monkeypatch.setattr(unfinished, "take", taken)
    with unfinished.folder_in(place) as new:
        assert new.parent not in cleared
    assert unfinished.there(place) == cleared
    os.close(locks[0])


@pytest.mark.skipif(sys.platform == "win32", reason="Windows deletes no open file")
def test_a_lock_is_given_up_when_its_file_is_gone(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else who waits for it would take the folder for its own, just before it goes."""
    closed, close = [], os.close
    with unfinished.folder_in(place) as new:
        lock = new.parent / unfinished.LOCK
        assert lock.exists()
        monkeypatch.setattr(os, "close", lambda one: (closed.append(lock.exists()), close(one))[1])
    assert closed[-1] is False


def test_many_writers_in_one_folder_delete_nothing_of_each_other(place: Path) -> None:
    wrong: list[BaseException] = []

    def write(name: str) -> None:
        try:
            for _ in range(30):
                with unfinished.folder_in(place) as new:
                    (new / name).write_text("whole")
                    os.replace(new / name, place / name)
        except BaseException as error:  # noqa: BLE001
            wrong.append(error)

    threads = [threading.Thread(target=write, args=(f"file {number}",)) for number in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert wrong == []
    assert sorted(one.name for one in place.iterdir()) == [f"file {number}" for number in range(4)]
