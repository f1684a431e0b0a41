from pathlib import Path

import pytest

from annotator.errors import InputError
from annotator.formats.declaration import Reading
from annotator.formats.quepid import FORMAT
from annotator.records import Dataset, JudgmentTable, Query


def read(path: Path, text: str, **mapping: str) -> Dataset:
    path.write_text(text)
    return FORMAT.read(path, Reading(mapping=mapping))


def grades(table: JudgmentTable | None) -> list[tuple[str, str, int]]:
    assert table is not None
    codes = zip(table.query, table.candidate, table.grade.tolist(), strict=True)
    return [
        (table.query_ids[query], table.candidate_ids[candidate], grade) for query, candidate, grade in codes
    ]


def test_a_query_is_known_by_its_text_and_unrated_pairs_are_not_judged(tmp_path: Path) -> None:
    found = read(
        tmp_path / "a.csv", 'query,docid,rating\n"star, wars",1,3\nstar trek,2,\nstar trek,3,1.0\nx,4,\n'
    )
    assert list(found.queries) == [Query(one, one) for one in ("star, wars", "star trek", "x")]
    assert grades(found.judgments) == [("star, wars", "1", 3), ("star trek", "3", 1)]


def test_one_judge_of_a_book_is_read_at_a_time(tmp_path: Path) -> None:
    text = "query,docid,Ann,Ben\nq,1,3,2\nq,2,,0\n"
    with pytest.raises(InputError, match=r"several judges \(Ann, Ben\)"):
        read(tmp_path / "book.csv", text)
    assert grades(read(tmp_path / "book.csv", text, grade="Ann").judgments) == [("q", "1", 3)]
    assert grades(read(tmp_path / "book.csv", text, grade="Ben").judgments) == [("q", "1", 2), ("q", "2", 0)]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("query,docid,rating\nq,1,2.5\n", ":2: the rating '2.5' is not a whole number"),
        ("query,docid,rating\nq,1,2\nq,1,3\n", ":3: '1' is judged for query 'q' twice"),
        ("query,docid,rating\n,1,2\n", ":2: an id is empty"),
        ("query,docid\nq,1\n", "needs the columns"),
        ("query,docid,rating\n", "holds no ratings"),
    ],
)
def test_ratings_that_cannot_be_taken_are_named(tmp_path: Path, text: str, what: str) -> None:
    with pytest.raises(InputError, match=what):
        read(tmp_path / "a.csv", text)


def test_a_query_of_two_lines_is_called_by_them_in_one(tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text('query,docid,rating\n"where\nis it",d1,3\n"where\nis it",d2,0\n')
    read = FORMAT.read(path)
    assert [(one.id, one.text) for one in read.queries] == [("where is it", "where\nis it")]
    assert list(read.judged()) == [("where is it", "d1", 3), ("where is it", "d2", 0)]
