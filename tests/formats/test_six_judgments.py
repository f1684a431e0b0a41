"""Judgments in the six columns of a run: read where they are said to be, asked about without ranks."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotator.errors import InputError
from annotator.formats.registry import FORMATS, hits_in, qrels_in, read_file, sniff
from annotator.formats.six_judgments import FORMAT

GUIDELINES = """\
1 Q0 msmarco_v2.1_doc_16_1#3_12 3 1 my-qrel
1 Q0 msmarco_v2.1_doc_12_2#0_39 2 1 my-qrel
1 Q0 msmarco_v2.1_doc_14_1#9_24 3 1 my-qrel
"""
"""The layout of the example in the TREC 2025 RAG Track Guidelines."""


def test_judgments_are_read_where_they_are_said_to_be_and_what_is_left_out_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text(GUIDELINES)
    found = FORMAT.read(tmp_path / "a.tsv")
    assert [(query, grade) for query, _, grade in found.judged()] == [("1", 3), ("1", 2), ("1", 3)]
    assert found.notes == ("a.tsv: left out, as judgments have no place for them: confidence, tag.",)


def test_where_the_fourth_column_cannot_hold_ranks_the_option_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text(GUIDELINES)
    with pytest.raises(InputError, match=r"--as judgments.*--as trec-run") as caught:
        read_file(tmp_path / "a.tsv")
    assert "3 stands for 'msmarco_v2.1_doc_16_1#3_12' and for 'msmarco_v2.1_doc_14_1#9_24'" in str(
        caught.value
    )
    assert [len(one.query) for one in FORMATS["trec-run"].read(tmp_path / "a.tsv").runs] == [3]


def test_where_a_run_or_judgments_are_wanted_nothing_is_asked(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text(GUIDELINES)
    qrels = qrels_in(tmp_path / "a.tsv")
    assert qrels.grade.tolist() == [3, 2, 3]
    (hits,) = hits_in(tmp_path / "a.tsv", qrels)
    assert len(hits.rank) == 3


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lengths=st.lists(st.integers(1, 9), min_size=1, max_size=4), first=st.integers(0, 1), data=st.data())
def test_any_order_of_whole_ranks_is_a_run_and_any_repeated_one_is_asked_about(
    tmp_path: Path, lengths: list[int], first: int, data: st.DataObject
) -> None:
    rows = [
        f"{query} Q0 d{rank} {rank} {1 / (rank + 1)} tag\n"
        for query, length in enumerate(lengths)
        for rank in data.draw(st.permutations(range(first, first + length)))
    ]
    path = tmp_path / "some"
    path.write_text("".join(rows))
    assert sniff(path) is FORMATS["trec-run"]
    again = data.draw(st.integers(0, len(rows) - 1))
    query, _, document, *rest = rows[again].split()
    path.write_text("".join([*rows, " ".join([query, "Q0", f"{document}x", *rest]) + "\n"]))
    assert sniff(path) is (FORMATS["trec-run"] if len({row.split()[3] for row in rows}) == 1 else None)
    path.write_text("".join([*rows, rows[again]]))
    assert sniff(path) is FORMATS["trec-run"], "a row given twice is a mistake of a run"


@pytest.mark.parametrize(
    ("line", "column", "wrong"),
    [
        ("1 Q0 a 1.0 1 t", 8, "'1.0' is not a whole number"),
        ("1 Q0 a 1", None, "4 columns where query, Q0, document, grade, confidence and tag"),
        ("1 Q0 a 1 1 t more", None, "more than 6 columns"),
        ("1 Q0 d 3 1 t", None, "is judged for query '1' twice"),
        ("1 Q0 a 2 1 other", None, "judgments of 't' and of 'other'; import those of each tag"),
    ],
)
def test_what_cannot_be_taken_is_named_with_its_place(
    tmp_path: Path, line: str, column: int | None, wrong: str
) -> None:
    (tmp_path / "q").write_text(f"1 Q0 d 1 1 t\n{line}\n")
    with pytest.raises(InputError) as caught:
        FORMAT.read(tmp_path / "q")
    (first,) = caught.value.problems
    assert (first.line, first.column) == (2, column)
    assert wrong in first.message
