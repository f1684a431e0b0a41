import gzip
import os
from pathlib import Path

import pytest

from annotator.errors import InputError, Stopped, UserError
from annotator.formats import text_lines
from annotator.formats.declaration import Reading
from annotator.formats.text_lines import Problems
from annotator.watch import Watch


def lines(path: Path, data: bytes) -> list[tuple[int, str]]:
    path.write_bytes(data)
    problems = Problems(path)
    found = list(text_lines.text_lines(path, problems, Reading()))
    problems.check()
    return found


@pytest.mark.parametrize("block", [1, 7, 1 << 20])
def test_lines_are_numbered_and_blank_ones_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(text_lines, "BLOCK", max(block, 3))
    data = "\ufeffone\r\n\n \ntwo\u2028still two\x85\nthrée".encode()
    assert lines(tmp_path / "a", data) == [(1, "one"), (4, "two\u2028still two\x85"), (5, "thrée")]


@pytest.mark.parametrize(
    ("data", "line", "column", "what"),
    [
        (b"ab\nc\0d\n", 2, 2, "NUL"),
        (b"ab\ncd\x7f\n", 2, 3, "U+007F"),
        (b"ab\n\xffd\n", 2, 1, "0xFF"),
        (b"ab\ncd\rx\n", 2, 3, "carriage return"),
        (b"ab\ncd\r", 2, 3, "carriage return"),
    ],
)
def test_odd_bytes_are_named_with_their_place(
    tmp_path: Path, data: bytes, line: int, column: int, what: str
) -> None:
    with pytest.raises(InputError) as caught:
        lines(tmp_path / "a", data)
    (problem,) = caught.value.problems
    assert (problem.line, problem.column) == (line, column)
    assert what in problem.message


def test_a_gzipped_file_is_unpacked_whatever_its_name(tmp_path: Path) -> None:
    assert lines(tmp_path / "a.txt", gzip.compress(b"one\ntwo")) == [(1, "one"), (2, "two")]


def test_a_gzipped_file_that_explodes_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_lines, "UNPACKED_FREE", 1_000)
    with pytest.raises(InputError, match="far more than its size"):
        lines(tmp_path / "a", gzip.compress(b"x" * 70 + b"\n" + b"1 2 3\n" * 200_000))


def test_a_line_without_an_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_bytes(b"x" * 5_000_000)
    with pytest.raises(InputError, match="a line is longer than 2 MB"):
        list(text_lines.blocks(tmp_path / "a", Reading(), longest_line=2_000_000))


def test_reading_reports_progress_and_can_be_stopped(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"one\n" * 1_000_000)
    seen: list[tuple[int, int, str]] = []

    def note(done: int, total: int, what: str) -> None:
        seen.append((done, total, what))

    reading = Reading(watch=Watch("enough", note, lambda: len(seen) == 2))
    with pytest.raises(Stopped, match="enough"):
        list(text_lines.blocks(tmp_path / "a", reading))
    block = text_lines.BLOCK
    assert seen == [(block, 4_000_000, "Reading a"), (2 * block, 4_000_000, "Reading a")]


@pytest.mark.skipif(os.name != "posix", reason="descriptors are swapped as POSIX does")
def test_a_disk_that_fails_while_a_file_is_read_is_told_with_its_name(tmp_path: Path) -> None:
    path = tmp_path / "bm25.run"
    path.write_text("q1 Q0 d1 1 2.0 bm25\n", "utf-8")
    folder = os.open(tmp_path, os.O_RDONLY)
    with text_lines.open_bytes(path) as stream:
        os.dup2(folder, stream.fileno())  # type: ignore[union-attr]
        with pytest.raises(UserError, match=r"bm25\.run cannot be read: "):
            stream.read(10)
    os.close(folder)
