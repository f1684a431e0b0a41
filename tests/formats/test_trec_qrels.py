from pathlib import Path

import pytest

from annotator.errors import InputError, UserError
from annotator.formats.judged_pairs import qrels_of
from annotator.formats.trec_qrels import FORMAT
from annotator.records import Dataset


def test_judgments_keep_the_files_own_grades(tmp_path: Path) -> None:
    (tmp_path / "q").write_text("1 0 a -2\n1 0 b +17\n2 0 a 0\n")
    table = FORMAT.read(tmp_path / "q").judgments
    assert table is not None
    assert table.grade.tolist() == [-2, 17, 0]
    assert [table.query_ids[code] for code in table.query] == ["1", "1", "2"]
    assert [table.candidate_ids[code] for code in table.candidate] == ["a", "b", "a"]


@pytest.mark.parametrize(
    ("line", "column", "wrong"),
    [
        ("1 0 a 1.0", 7, "'1.0'"),
        ("1 0 a x", 7, "'x'"),
        ("1 0 a", None, "3 columns"),
        ("1 0 a b 1", None, "more than 4"),
        ("1 0 d 1", None, "twice"),
        ("1 0 e\x00 1", 6, "NUL"),
        ("1 0 e 99999999999", None, "out of any scale"),
    ],
)
def test_what_cannot_be_taken_is_named_with_its_place(
    tmp_path: Path, line: str, column: int | None, wrong: str
) -> None:
    (tmp_path / "q").write_text(f"1 0 d 1\n{line}\n")
    with pytest.raises(InputError) as caught:
        FORMAT.read(tmp_path / "q")
    first = caught.value.problems[0]
    assert (first.line, first.column) == (2, column)
    assert wrong in first.message


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "q").write_text("# nothing\n")
    with pytest.raises(InputError, match="no judgments"):
        FORMAT.read(tmp_path / "q")


def test_a_row_that_begins_with_a_number_sign_is_a_comment_as_in_trec_eval_and_told_of(
    tmp_path: Path,
) -> None:
    (tmp_path / "q").write_text("#query 0 document grade\n1 0 #d 1\n  #2 0 d 1\n# 3 0 d\n# a note\n")
    dataset = FORMAT.read(tmp_path / "q")
    assert list(dataset.judged()) == [("1", "#d", 1)]
    assert dataset.notes == (
        "q: 2 lines begin with # (#query) and are left out as comments, as trec_eval 10 does.",
    )
    assert qrels_of(tmp_path / "q").notes == dataset.notes
    assert qrels_of(tmp_path / "q").query_ids == ("1",)


def test_a_query_that_would_be_a_comment_is_not_written(tmp_path: Path) -> None:
    (tmp_path / "q").write_text("1 0 #d 1\n")
    table = FORMAT.read(tmp_path / "q").judgments
    assert table is not None
    FORMAT.write(Dataset(judgments=table), tmp_path / "out")
    table.query_ids[0] = "#1"  # type: ignore[index]
    with pytest.raises(UserError, match="'#1'"):
        FORMAT.write(Dataset(judgments=table), tmp_path / "none")
    assert (tmp_path / "out").read_text() == "1 0 #d 1\n"
    assert not (tmp_path / "none").exists()


def test_an_id_with_a_blank_is_not_written(tmp_path: Path) -> None:
    (tmp_path / "q").write_text("1 0 d 1\n")
    table = FORMAT.read(tmp_path / "q").judgments
    assert table is not None
    table.candidate_ids[0] = "a b"  # type: ignore[index]
    with pytest.raises(UserError, match="'a b'"):
        FORMAT.write(Dataset(judgments=table), tmp_path / "out")
    assert not (tmp_path / "out").exists()
