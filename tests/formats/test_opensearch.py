"""Judgment lists of OpenSearch's Search Relevance Workbench."""

import json
from pathlib import Path

import pytest

from annotator.errors import InputError
from annotator.formats import grade_rules
from annotator.formats.declaration import Reading
from annotator.formats.grade_words import WordGrades
from annotator.formats.opensearch import FORMAT
from annotator.formats.registry import sniff
from annotator.records import Query

LIST = {
    "name": "Imported Judgments",
    "type": "IMPORT_JUDGMENT",
    "judgmentRatings": [
        {"query": "red duck", "ratings": [{"docId": "a", "rating": "3.000"}, {"docId": "b", "rating": 0}]},
        {"query": "blue duck", "ratings": [{"rating": "1.0", "docId": "a"}]},
    ],
}
SERVED = {"took": 36, "hits": {"total": {"value": 1}, "hits": [{"_id": "x", "_source": {"id": "x", **LIST}}]}}
"""The layouts of the request and of the answer in the documentation."""


@pytest.mark.parametrize(("held", "left_out"), [(LIST, "name, type"), (SERVED, "id, name, type")])
def test_a_list_is_read_as_it_was_sent_or_as_the_server_gives_it(
    tmp_path: Path, held: object, left_out: str
) -> None:
    (tmp_path / "a.json").write_text(json.dumps(held))
    assert sniff(tmp_path / "a.json") is FORMAT
    found = FORMAT.read(tmp_path / "a.json")
    assert list(found.judged()) == [("red duck", "a", 3), ("red duck", "b", 0), ("blue duck", "a", 1)]
    assert list(found.queries) == [Query("red duck", "red duck"), Query("blue duck", "blue duck")]
    assert found.notes == (f"a.json: left out, as judgments have no place for them: {left_out}.",)


@pytest.mark.parametrize(
    ("ratings", "wrong"),
    [
        ([{"docId": "a", "rating": "0.37"}], "query 1, rating 1: the grade '0.37' is not a whole number"),
        ([{"docId": "a", "rating": 1}, {"docId": "a", "rating": 2}], "is judged for query 'x' twice"),
        ([{"rating": 1}], "'docId' is missing"),
        ("many", "'ratings' is no list"),
    ],
)
def test_what_cannot_be_taken_is_named(tmp_path: Path, ratings: object, wrong: str) -> None:
    (tmp_path / "a").write_text(json.dumps({"judgmentRatings": [{"query": "x", "ratings": ratings}]}))
    with pytest.raises(InputError, match="a:1: ") as caught:
        FORMAT.read(tmp_path / "a")
    assert wrong in str(caught.value)


def test_decimals_of_models_and_clicks_need_a_rule(tmp_path: Path) -> None:
    rated = [{"docId": str(at), "rating": rating} for at, rating in enumerate(("0.5", 1.0, "0.09", "1.000"))]
    (tmp_path / "a").write_text(json.dumps({"judgmentRatings": [{"query": "x", "ratings": rated}]}))
    with pytest.raises(WordGrades) as caught:
        FORMAT.read(tmp_path / "a")
    assert caught.value.question == (
        "These grades are no whole numbers: '0.5' (a:1), '0.09' (a:1). Nothing was imported. Say which grade "
        "each is, such as 0.5=4, or map a line of them, such as 0..1=0..5."
    )
    rule = grade_rules.parse("0..1=0..5")
    table = FORMAT.read(tmp_path / "a", Reading(words=rule.words)).judgments
    assert rule.apply(table.grade).tolist() == [3, 5, 0, 5]


def test_several_lists_in_one_answer_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(json.dumps({"hits": {"hits": [{"_source": LIST}, {"_source": LIST}]}}))
    with pytest.raises(InputError, match="those of several lists; give one list"):
        FORMAT.read(tmp_path / "a")
