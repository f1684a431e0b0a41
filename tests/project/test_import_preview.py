"""The first look at a file before it is imported."""

from pathlib import Path

import pytest

from annotator.project.import_preview import Glance, glance, mapping_told


def looked_at(folder: Path, text: str, key: str | None = None) -> Glance:
    (folder / "file.txt").write_text(text, "utf-8")
    return glance(folder / "file.txt", key)


def test_a_run_shows_its_fields_as_columns(tmp_path: Path) -> None:
    seen = looked_at(tmp_path, "q1 Q0 d1 1 2.0 a\nq1\tQ0  d2 2 1.0 a\n")
    assert (seen.key, seen.header) == ("trec-run", ())
    assert seen.rows[1] == ("q1", "Q0", "d2", "2", "1.0", "a")
    assert not seen.mapped
    assert seen.holds({}) == {"runs"}


def test_a_table_shows_its_cells_under_its_header_with_a_guess(tmp_path: Path) -> None:
    seen = looked_at(tmp_path, 'qid,docno,rating,"why, then"\nq1,d1,3,"a ""b"""\n')
    assert seen.header == ("qid", "docno", "rating", "why, then")
    assert seen.rows == (("q1", "d1", "3", 'a "b"'),)
    assert seen.guessed() == {"qid": "query_id", "docno": "document_id", "rating": "grade"}
    assert seen.holds(seen.guessed()) == {"judgments"}


@pytest.mark.parametrize(
    ("text", "key", "header"),
    [
        ("frage;treffer\nq1;d1\n", "csv", ("frage", "treffer")),
        ('frage,treffer\nq1,"d1, and ""more"""\n', "csv", ("frage", "treffer")),
        ('{"frage": "q1", "n": 3}\n{"frage": "q2", "mehr": null}\n', "jsonl", ("frage", "n", "mehr")),
    ],
)
def test_a_table_of_unknown_columns_is_offered_for_mapping(
    tmp_path: Path, text: str, key: str, header: tuple[str, ...]
) -> None:
    seen = looked_at(tmp_path, text)
    assert (seen.key, seen.header, seen.mapped, seen.guessed()) == (key, header, True, {})


def test_a_file_that_is_one_object_is_no_table_of_its_members(tmp_path: Path) -> None:
    seen = looked_at(tmp_path, '{"q1": "Rollo", "q2": "the 10th century"}')
    assert (seen.key, seen.header, len(seen.rows[0])) == ("squad-predictions", (), 1)


@pytest.mark.parametrize("text", ["", "Dear reader,\nno data.\n", "{\n", 'a,"b\nc,d,e', "\x00\x01\x02"])
def test_what_is_nothing_known_is_shown_as_it_is(tmp_path: Path, text: str) -> None:
    assert looked_at(tmp_path, text).key is None
    assert looked_at(tmp_path, text, "csv").key == "csv"


def test_a_file_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    seen = glance(tmp_path / "gone.run")
    assert (seen.key, seen.rows) == (None, ())
    assert "gone.run cannot be read" in seen.problem


def test_what_is_said_of_columns_leaves_nothing_to_guess() -> None:
    told = mapping_told({"urteil": "grade"})
    assert told["grade"] == "urteil"
    assert told["query_id"] == ""


def test_a_folder_in_no_format_shows_its_files_and_why_it_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    looked_at(tmp_path / "runs", "q1 Q0 d1 1 2.0 a\n")
    seen = glance(tmp_path / "runs")
    assert (seen.key, seen.rows) == (None, (("file.txt",),))
    assert "is a folder" in seen.problem
