"""Segments and pages of MS MARCO v2.1."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from annotator.errors import InputError
from annotator.formats.msmarco_segments import FORMAT
from annotator.formats.registry import sniff
from annotator.records import Dataset, Document
from tests.formats.datasets import content, datasets

SEGMENT = {
    "docid": "msmarco_v2.1_doc_51_7#2_16",
    "url": "https://example.org/ducks",
    "title": "Ducks",
    "headings": "Ducks\nHow they live",
    "segment": "A duck lives on and beside water.",
    "start_char": 1445,
    "end_char": 2466,
}


@pytest.mark.parametrize("text", ["segment", "body"])
def test_a_segment_has_its_text_and_all_else_as_fields(tmp_path: Path, text: str) -> None:
    row = {name if name != "segment" else text: value for name, value in SEGMENT.items()}
    path = tmp_path / "msmarco_v2.1_doc_segmented_00.json"
    path.write_text(json.dumps(row) + "\n")
    assert sniff(path) is FORMAT
    fields = {name: SEGMENT[name] for name in ("url", "headings", "start_char", "end_char")}
    wanted = Document("msmarco_v2.1_doc_51_7#2_16", "Ducks", "A duck lives on and beside water.", fields)
    assert list(FORMAT.read(path).documents) == [wanted]


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(datasets())
def test_documents_come_back_with_their_fields(tmp_path: Path, dataset: Dataset) -> None:
    documents = list(dataset.documents)
    if documents:
        FORMAT.write(dataset, tmp_path / "a")
        assert content(FORMAT.read(tmp_path / "a"))["documents"] == content(dataset)["documents"]


def test_a_segment_given_twice_or_without_an_id_is_named_with_its_line(tmp_path: Path) -> None:
    rows = [SEGMENT, SEGMENT, {**SEGMENT, "docid": None}, {**SEGMENT, "docid": "x", "segment": 3}]
    (tmp_path / "a").write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(InputError) as caught:
        FORMAT.read(tmp_path / "a")
    assert [one.line for one in caught.value.problems] == [2, 3, 4]
