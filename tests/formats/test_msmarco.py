from pathlib import Path

import pytest

from annotator.errors import InputError
from annotator.formats.declaration import Reading
from annotator.formats.msmarco import FORMAT
from annotator.formats.registry import sniff
from annotator.records import Dataset, Document, Query
from tests.formats.datasets import places


def read(path: Path, text: str) -> Dataset:
    path.write_text(text)
    return FORMAT.read(path)


def test_two_columns_are_queries_or_by_name_a_collection(tmp_path: Path) -> None:
    assert list(read(tmp_path / "queries.tsv", "7\twhat is it\n").queries) == [Query("7", "what is it")]
    found = read(tmp_path / "collection.tsv", '7\tit is "that"\n')
    assert list(found.documents) == [Document("7", text='it is "that"')]


@pytest.mark.parametrize("name", ["queries.tsv", "topics.tsv", "questions.tsv"])
@pytest.mark.parametrize("header", ["", "query_id\tquery\n", "id\ttext\n"])
def test_queries_with_ids_of_letters_are_known_by_the_name_of_the_file_and_a_header_is_none_of_them(
    tmp_path: Path, name: str, header: str
) -> None:
    path = tmp_path / name
    found = read(path, f"{header}q1\twhat is it\nq2\twhere\n")
    assert sniff(path) is FORMAT
    assert list(found.queries) == [Query("q1", "what is it"), Query("q2", "where")]


def test_three_columns_are_a_run_in_the_order_of_its_ranks(tmp_path: Path) -> None:
    (run,) = read(tmp_path / "run.bm25%2Frm3.tsv", "1\ta\t2\n1\tb\t1\n2\ta\t1\n").runs
    assert run.system == "bm25/rm3"
    assert places(run) == {"1": ["b", "a"], "2": ["a"]}
    assert run.score is None


def test_two_rows_of_one_rank_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="rank 1 of query '1' is taken twice") as caught:
        read(tmp_path / "run.x.tsv", "1\ta\t1\n1\tb\t2\n1\tc\t1\n")
    assert caught.value.problems[0].line in (1, 3)


def test_a_top_1000_file_repeats_queries_and_passages(tmp_path: Path) -> None:
    found = read(tmp_path / "top1000.tsv", "1\t7\twhat\tthat\n1\t8\twhat\tthis\n2\t7\twho\tthat\n")
    assert list(found.queries) == [Query("1", "what"), Query("2", "who")]
    assert list(found.documents) == [Document("7", text="that"), Document("8", text="this")]


def test_its_qrels_are_trec_qrels(tmp_path: Path) -> None:
    found = read(tmp_path / "qrels.tsv", "1\t0\t7\t1\n")
    assert found.judgments is not None
    assert found.judgments.candidate_ids == ["7"]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("1\ta\n2\n", "has 1 tab-separated cells"),
        ("1\ta\n1\tb\n", "given twice"),
        ("1\n", "two, three or four"),
    ],
)
def test_odd_rows_are_refused(tmp_path: Path, text: str, what: str) -> None:
    with pytest.raises(InputError, match=what):
        read(tmp_path / "queries.tsv", text)


def test_the_system_can_be_named(tmp_path: Path) -> None:
    (tmp_path / "r.tsv").write_text("1\ta\t1\n")
    assert FORMAT.read(tmp_path / "r.tsv", Reading(system="mine")).runs[0].system == "mine"
