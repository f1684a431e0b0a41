from pathlib import Path

import pytest

from annotator.errors import InputError
from annotator.formats.beir import FORMAT
from annotator.records import Document, Query


def dataset(folder: Path) -> Path:
    """Write a small dataset as the benchmark hands it out."""
    (folder / "qrels").mkdir(parents=True)
    (folder / "corpus.jsonl").write_text(
        '{"_id": "d1", "title": "", "text": "one", "metadata": {"url": "x"}}\n{"_id": "d2", "text": "two"}\n'
    )
    (folder / "queries.jsonl").write_text('{"_id": "1", "text": "what", "metadata": {}}\n')
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n1\td1\t2\n1\td2\t0\n")
    (folder / "qrels" / "train.tsv").write_text("query-id\tcorpus-id\tscore\n1\td9\t1\n")
    return folder


def test_a_folder_is_read_with_its_test_judgments(tmp_path: Path) -> None:
    found = FORMAT.read(dataset(tmp_path / "d"))
    assert list(found.queries) == [Query("1", "what")]
    assert list(found.documents) == [Document("d1", "", "one", {"url": "x"}), Document("d2", "", "two")]
    assert found.judgments is not None
    assert found.judgments.grade.tolist() == [2, 0]


def test_documents_are_read_from_the_file_each_time(tmp_path: Path) -> None:
    found = FORMAT.read(dataset(tmp_path / "d") / "corpus.jsonl")
    assert len(list(found.documents)) == len(list(found.documents)) == 2


def test_several_qrels_without_a_test_set_must_be_chosen(tmp_path: Path) -> None:
    folder = dataset(tmp_path / "d")
    (folder / "qrels" / "test.tsv").rename(folder / "qrels" / "dev.tsv")
    with pytest.raises(InputError, match=r"several qrels \(qrels/dev.tsv, qrels/train.tsv\)"):
        FORMAT.read(folder)


def test_a_document_given_twice_is_refused_before_anything_is_stored(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_text('{"_id": "d", "text": "a"}\n{"_id": "d", "text": "b"}\n')
    with pytest.raises(InputError, match=r"corpus\.jsonl:2: the document id 'd' is given twice"):
        FORMAT.read(path)


def test_a_folder_without_its_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"holds no corpus\.jsonl"):
        FORMAT.read(tmp_path)


@pytest.mark.parametrize("name", ["queries.jsonl", "corpus.jsonl"])
def test_what_is_wrong_in_the_first_line_is_named_once(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text('{"_id": \n{"_id": "1", "text": "x"}\n')
    with pytest.raises(InputError, match=r"^[^\n]*:1:9: is not valid JSON[^\n]*$"):
        FORMAT.read(tmp_path / name)


def test_judgments_without_one_of_their_columns_are_refused(tmp_path: Path) -> None:
    folder = dataset(tmp_path / "d")
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\trelevance\n1\td1\t2\n")
    with pytest.raises(InputError, match=r"test\.tsv:1: has no column score; it needs query-id"):
        FORMAT.read(folder)
