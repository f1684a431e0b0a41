import json
import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.errors import InputError
from annotator.formats.declaration import Reading
from annotator.formats.registry import FORMATS
from annotator.formats.table_columns import mapping_of
from annotator.records import Answer, Dataset, Document, GoldAnswer, GoldList, Query
from tests.formats.datasets import content, places


def read(path: Path, text: str, **reading: object) -> Dataset:
    path.write_text(text, "utf-8", newline="")
    return FORMATS["csv"].read(path, Reading(**reading))  # type: ignore[arg-type]


def problems(path: Path, text: str) -> list[tuple[int | None, str]]:
    with pytest.raises(InputError) as caught:
        read(path, text)
    return [(one.line, one.message) for one in caught.value.problems]


def test_a_table_that_repeats_everything_reads_like_one_that_does_not(tmp_path: Path) -> None:
    dense = read(
        tmp_path / "dense.csv",
        "query_id,query,document_id,title,system,rank,score,grade\n"
        "1,first,a,A,s,1,2.5,3\n1,first,b,B,s,2,1.5,\n1,first,a,A,t,1,9,3\n",
    )
    sparse = read(
        tmp_path / "sparse.csv",
        "query_id,query,document_id,title,system,rank,score,grade\n"
        "1,first,,,,,,\n,,a,A,,,,\n,,b,B,,,,\n1,,a,,s,1,2.5,\n1,,b,,s,2,1.5,\n1,,a,,t,1,9,\n1,,a,,,,,3\n",
    )
    assert content(dense) == content(sparse)
    assert list(dense.queries) == [Query("1", "first")]
    assert [one.id for one in dense.documents] == ["a", "b"]


def test_ids_stay_texts(tmp_path: Path) -> None:
    found = read(tmp_path / "a.csv", "query_id,document_id,grade\n007,1e5,1\nNA,null,0\n")
    table = found.judgments
    assert table is not None
    assert list(table.query_ids) == ["007", "NA"]
    assert list(table.candidate_ids) == ["1e5", "null"]


def test_predicted_answers_also_the_empty_one(tmp_path: Path) -> None:
    found = read(tmp_path / "a.csv", "question,prediction,rank,system\nWho?,Thor,1,s\nWho?,,2,s\n")
    assert found.answers == [Answer("Who?", "Thor"), Answer("Who?", "")]
    assert places(found.runs[0]) == {"Who?": [Answer("Who?", "Thor").id, Answer("Who?", "").id]}
    assert found.runs[0].ids_of_answers


def test_gold_answers_keep_their_order_and_aliases(tmp_path: Path) -> None:
    text = 'query_id,gold,aliases,unanswerable\n1,Mjolnir,"[""the hammer""]",\n1,Stormbreaker,,\n2,,,yes\n'
    found = read(tmp_path / "a.csv", text)
    answers = (GoldAnswer("Mjolnir", ("the hammer",)), GoldAnswer("Stormbreaker"))
    assert found.gold == [GoldList("1", answers), GoldList("2", (), True)]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_the_delimiter_follows_the_header(tmp_path: Path, delimiter: str) -> None:
    rows = (("query_id", "query"), ("1", '"a, b; c"'))
    text = "\r\n".join(delimiter.join(row) for row in rows)
    assert list(read(tmp_path / "a.csv", text).queries) == [Query("1", "a, b; c")]


def test_blank_lines_above_the_header_are_passed_over_and_counted(tmp_path: Path) -> None:
    found = read(tmp_path / "a.csv", "\n  \nquery_id;query\n\n1;what\n")
    assert list(found.queries) == [Query("1", "what")]
    ((line, what),) = problems(tmp_path / "a.csv", "\n\nquery_id;query\n1\n")
    assert (line, what[:11]) == (4, "has 1 cells")


def test_without_ranks_and_scores_the_order_of_the_rows_counts(tmp_path: Path) -> None:
    found = read(tmp_path / "mine.csv", "query_id,document_id,system\n1,b,s\n1,a,s\n")
    assert places(found.runs[0]) == {"1": ["b", "a"]}
    assert found.runs[0].order_rule == "given"


def test_columns_can_be_mapped(tmp_path: Path) -> None:
    mapping = {"query_id": "Frage", "document_id": "Treffer", "grade": "Note"}
    found = read(tmp_path / "a.csv", "Frage,Treffer,Note,Platz\nx,d,4,1\n", mapping=mapping, system="s")
    assert found.judgments is not None
    assert found.judgments.grade.tolist() == [4]
    assert found.runs == []


@pytest.mark.parametrize(
    ("header", "role", "column"),
    [
        ("qid,text_query,docno,rel", "document_id", "docno"),
        ("id,title", "document_id", "id"),
        ("id,question", "query_id", "id"),
        ("query,docid", "query_id", "query"),
        ("Query ID,Doc-ID,Rating", "grade", "Rating"),
    ],
)
def test_headers_are_guessed(header: str, role: str, column: str) -> None:
    assert mapping_of(header.split(","), {})[role] == column


def test_a_role_can_be_told_to_be_in_no_column() -> None:
    found = mapping_of(["qid", "docid", "rating"], {"grade": "", "document_id": ""})
    assert found == {"query_id": "qid"}
    assert mapping_of(["id", "title"], {"document_id": ""}) == {"title": "title"}


@pytest.mark.parametrize(
    ("rows", "line", "what"),
    [
        ("1,first,d,1\n1,second,d,1", 3, "stated otherwise"),
        ("1,first,d,x", 2, "not a whole number"),
        ("1,first,d,1\n1,first,d,2", 3, "graded otherwise"),
        ("1,first,d", 2, "has 3 cells, the header has 4"),
        ('1,"first,d,1', 2, "cannot be split"),
        ('1,"fi"rst,d,1', 2, "cannot be split"),
        ("1,first,,3", 2, "in a row without a document or an answer"),
        ('1,"a\nb",d,1\nall,x,d,1', 4, "names the mean"),
    ],
)
def test_a_row_that_cannot_be_taken_is_named(tmp_path: Path, rows: str, line: int, what: str) -> None:
    found = problems(tmp_path / "a.csv", f"query_id,query,document_id,grade\n{rows}\n")
    assert [(where, what in message) for where, message in found] == [(line, True)]


def test_a_passage_must_hold_its_answer_where_it_says(tmp_path: Path) -> None:
    header = "query_id,answer,passage,start,end\n"
    found = read(tmp_path / "a.csv", f"{header}1,b😀,a b😀 c,2,4\n")
    assert found.answers == [Answer("1", "b😀", "a b😀 c", 2, 4)]
    assert problems(tmp_path / "a.csv", f"{header}1,b,a b c,1,2\n")[0][0] == 2


def test_a_table_without_ids_or_with_a_column_twice_is_refused(tmp_path: Path) -> None:
    assert "no column for the query's" in problems(tmp_path / "a.csv", "x,y\n1,2\n")[0][1]
    assert "two columns are named 'a'" in problems(tmp_path / "a.csv", "a,a\n1,2\n")[0][1]
    with pytest.raises(InputError, match="no role 'nonsense'"):
        read(tmp_path / "a.csv", "query_id,query\n1,x\n", mapping={"nonsense": "query"})
    with pytest.raises(InputError, match="no column 'z'"):
        read(tmp_path / "a.csv", "query_id,query\n1,x\n", mapping={"query": "z"})


def test_json_lines_take_numbers_lists_and_objects_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(
        '{"query_id": 7, "query": "x", "tags": ["a", "b"], "query_fields": {"n": 1}}\n'
        '{"query_id": 7, "document_id": "d", "score": 1.5, "rank": 1, "system": null}\n'
        '{"document_id": "d", "title": "T", "document_fields": {"price": 2.5}}\n'
    )
    found = FORMATS["jsonl"].read(tmp_path / "a.jsonl")
    assert list(found.queries) == [Query("7", "x", ("a", "b"), fields={"n": 1})]
    assert list(found.documents) == [Document("d", "T", fields={"price": 2.5})]
    assert found.runs[0].system == "a"
    assert found.runs[0].score is not None
    assert found.runs[0].score.tolist() == [1.5]


def test_an_answer_beside_a_document_is_the_candidate_and_the_document_its_passage(tmp_path: Path) -> None:
    found = read(
        tmp_path / "a.csv",
        "query_id,document_id,text,answer,start,end,system,rank,grade\n"
        "1,d1,Geese walk.,Geese,0,5,s,1,4\n1,d1,Geese walk.,walk,,,s,2,0\n"
        "1,d2,,swim,,,s,3,\n,d2,Ducks swim.,,,,,,\n",
    )
    assert found.answers == [
        Answer("1", "Geese", "Geese walk.", 0, 5),
        Answer("1", "walk", "Geese walk."),
        Answer("1", "swim", "Ducks swim."),
    ], "also where another row has the text"
    assert [one.id for one in found.documents] == ["d1", "d2"]
    assert places(found.runs[0]) == {"1": [one.id for one in found.answers]}
    assert found.runs[0].ids_of_answers
    assert found.judgments is not None
    assert list(found.judgments.candidate_ids) == [found.answers[0].id, found.answers[1].id]
    assert not any("passage" in note for note in found.notes)


def test_an_answer_whose_document_has_no_text_says_that_no_passage_is_shown(tmp_path: Path) -> None:
    found = read(tmp_path / "a.csv", "query_id,document_id,answer,rank,system\n1,d9,Geese,1,s\n1,d9,,2,t\n")
    assert found.answers == [Answer("1", "Geese")]
    assert (
        "a.csv: the document of one answer has no text in this table, so no passage is shown." in found.notes
    )
    assert [run.ids_of_answers for run in found.runs] == [True, False], "without an answer it is the document"


def test_an_answer_must_stand_in_its_document_where_the_table_says(tmp_path: Path) -> None:
    text = "query_id,document_id,text,answer,start,end\n1,d1,Geese walk.,Geese,6,10\n"
    assert problems(tmp_path / "a.csv", text) == [
        (2, "the answer does not stand at character 6 of the document 'd1'")
    ]


ODD = st.text(st.sampled_from("ab \"[],;|'\n😀"), min_size=1, max_size=8)
ANSWERS = st.lists(ODD, max_size=4, unique=True)


@given(answers=ANSWERS, key=st.sampled_from(["csv", "jsonl"]))
def test_a_json_list_in_a_cell_is_several_gold_answers(answers: list[str], key: str) -> None:
    cell = json.dumps(answers)
    text = f'query_id,gold\n1,"{cell.replace(chr(34), chr(34) * 2)}"\n'
    if key == "jsonl":
        text = json.dumps({"query_id": "1", "gold": answers})
    assert gold_in(text, key) == answers


@given(answers=ANSWERS, separator=st.sampled_from(["|", " / ", ";"]))
def test_a_separator_that_is_named_divides_a_cell(answers: list[str], separator: str) -> None:
    plain = [one.strip().replace(separator, "") for one in answers if '["' not in one and '[ "' not in one]
    plain = list(dict.fromkeys(one for one in plain if one and separator not in one))
    cell = separator.join(plain)
    if re.match(r"\[\s*[\"\]]", cell) or separator.join(plain) != cell or not plain:
        return
    text = f'query_id,gold\n1,"{cell.replace(chr(34), chr(34) * 2)}"\n'
    divided = [one.strip() for one in cell.split(separator)]
    assert gold_in(text, "csv", separator) == list(dict.fromkeys(one for one in divided if one))


@given(answer=ODD)
def test_a_gold_answer_that_looks_like_a_list_comes_back_as_it_was(answer: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for key in ("csv", "jsonl"):
            path = Path(folder, f"gold.{key}")
            FORMATS[key].write(Dataset(gold=[GoldList("1", (GoldAnswer(answer),))]), path)
            (one,) = FORMATS[key].read(path).gold
            assert [wording.text for wording in one.answers] == [answer]


def test_a_cell_that_looks_like_several_gold_answers_is_told_how_to_give_them(tmp_path: Path) -> None:
    text = "query_id,gold\n1,now|then\n2,\"['a', 'b']\"\n3,plain\n"
    (note,) = read(tmp_path / "gold.csv", text).notes
    assert note.startswith("gold.csv: 2 cells of gold answers with | or ;")
    assert "give each answer a row of its own" in note
    assert read(tmp_path / "gold.csv", "query_id,gold\n3,plain\n").notes == ()


def test_a_broken_list_of_gold_answers_is_refused_where_it_stands(tmp_path: Path) -> None:
    found = problems(tmp_path / "gold.csv", 'query_id,gold\n1,"[""Ann"", ""Anna"\n')
    assert found[0][0] == 2


def gold_in(text: str, key: str, separator: str = "") -> list[str]:
    """Return the gold answers of a file with one query."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "gold")
        path.write_text(text, "utf-8", newline="")
        gold = FORMATS[key].read(path, Reading(gold_separator=separator)).gold
    return [answer.text for one in gold for answer in one.answers]
