"""Damaged files: nothing that changed leaves the program unnoticed, and nothing crashes or hangs."""

import random
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from annotator.errors import UserError
from annotator.project import browse, text_twin
from annotator.project.project import Project
from annotator.storage.care import integrity
from annotator.storage.store import Store
from tests.storage.projects import empty_store, fill

Count = Callable[[int, int], int]
IMPORT = re.compile(r', "import": "[0-9a-f]+:[0-9]+"(?=})')
Damage = Callable[[bytearray, random.Random], None]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    with empty_store(tmp_path / "good.annot") as store:
        fill(store)
    return tmp_path / "good.annot"


def flip_a_bit(content: bytearray, chance: random.Random) -> None:
    content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)


def zero_a_sector(content: bytearray, chance: random.Random) -> None:
    start = chance.randrange(len(content) // 512) * 512
    content[start : start + 512] = bytes(512)


def fill_a_page_with_noise(content: bytearray, chance: random.Random) -> None:
    start = chance.randrange(len(content) // 4096) * 4096
    content[start : start + 4096] = chance.randbytes(4096)


def cut_the_end_off(content: bytearray, chance: random.Random) -> None:
    del content[chance.randrange(len(content)) :]


def leaves(path: Path, folder: Path) -> dict[str, str] | None:
    """Use a file as a person would and return what is written out, by file, None when it is refused.

    Which import brought a document is left out: it decides only what goes when that is taken back.
    """
    try:
        with Project.open(path, annotator="Ana", read_only=True) as project:
            try:
                browse.contents(project)
                for row in browse.query_rows(project, browse.query_keys(project)):
                    browse.query(project, row.key)
            except UserError:
                pass
            text_twin.dump(project, folder)
    except UserError:
        return None
    files = [file for file in folder.rglob("*") if file.is_file()]
    return {file.name: IMPORT.sub("", file.read_text("utf-8")) for file in files}


@pytest.mark.parametrize(
    ("damage", "in_ci", "at_night"),
    [
        (flip_a_bit, 100, 1_000),
        (zero_a_sector, 30, 300),
        (fill_a_page_with_noise, 30, 300),
        (cut_the_end_off, 30, 300),
    ],
)
def test_what_leaves_the_program_is_what_was_stored_or_nothing(
    project: Path, tmp_path: Path, damage: Damage, in_ci: int, at_night: int, count: Count
) -> None:
    chance = random.Random(7)
    good = project.read_bytes()
    expected = leaves(project, tmp_path / "good")
    assert expected
    refused = 0
    for number in range(count(in_ci, at_night)):
        content = bytearray(good)
        damage(content, chance)
        path = tmp_path / f"damaged{number}.annot"
        path.write_bytes(content)
        found = leaves(path, tmp_path / "twin")
        assert found in (None, expected)
        refused += found is None
        assert path.read_bytes() == bytes(content)
        path.unlink()
    assert refused


def test_the_check_names_the_part_and_the_sound_rest_can_be_read(project: Path) -> None:
    content = bytearray(project.read_bytes())
    at = content.index(b"Park behind the house.")
    content[at] ^= 1
    project.write_bytes(content)
    with Store.open(project, read_only=True) as store:
        (finding,) = integrity.check(store.db)
        assert str(finding) == "contents: the documents are not those that were imported"
        assert store.value("Ana", "grade", ("q2", "d1"))["grade"] == 3


def test_control_without_the_check_of_hashes_changed_data_leaves(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = leaves(project, tmp_path / "good")
    monkeypatch.setattr(integrity, "check", lambda *_: [])
    raw = sqlite3.connect(project)
    raw.execute("UPDATE judgment SET grade = 5 WHERE grade = 3")
    raw.execute("UPDATE value SET value = replace(value, 'behind', 'before') WHERE task = 'gold'")
    raw.commit()
    raw.close()
    assert leaves(project, tmp_path / "twin") not in (None, expected)


def test_control_sqlites_own_checks_pass_changed_data(project: Path, tmp_path: Path) -> None:
    chance = random.Random(7)
    good = project.read_bytes()
    raw = sqlite3.connect(project)
    before = list(raw.iterdump())
    raw.close()
    unnoticed = 0
    for number in range(60):
        content = bytearray(good)
        flip_a_bit(content, chance)
        path = tmp_path / f"flipped{number}.db"
        path.write_bytes(content)
        raw = sqlite3.connect(path)
        try:
            if raw.execute("PRAGMA quick_check").fetchall() == [("ok",)]:
                unnoticed += list(raw.iterdump()) != before
        except sqlite3.Error:
            pass
        finally:
            raw.close()
    assert unnoticed
