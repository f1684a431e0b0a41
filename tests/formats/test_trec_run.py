import gzip
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotator.errors import InputError, UserError
from annotator.formats import trec_run
from annotator.formats.declaration import Reading
from annotator.formats.hits import hits_of_run
from annotator.formats.judged_pairs import qrels_of, qrels_of_table
from annotator.formats.rows import JudgmentRows
from annotator.formats.run_pieces import pieces
from annotator.formats.text_lines import Problems
from annotator.records import Dataset, RunTable
from tests.formats.datasets import run_of


def read(path: Path, text: str, **told: str) -> list[RunTable]:
    path.write_bytes(text.encode())
    return list(trec_run.FORMAT.read(path, Reading(**told)).runs)


def order(run: RunTable) -> list[tuple[str, str, int]]:
    return [
        (run.query_ids[q], run.candidate_ids[c], int(r))
        for q, c, r in zip(run.query, run.candidate, run.rank, strict=True)
    ]


def problems(path: Path, text: str) -> list[tuple[int | None, str]]:
    with pytest.raises(InputError) as caught:
        read(path, text)
    assert {one.file for one in caught.value.problems} == {str(path)}
    return [(one.line, one.message) for one in caught.value.problems]


def test_the_order_is_by_score_and_the_rank_column_is_not_read(tmp_path: Path) -> None:
    (run,) = read(tmp_path / "a", "1 Q0 low 1 0.5 t\n1 Q0 high 2 3e1 t\n2 Q0 x 9 -2 t\n1 Q0 mid 3 +7. t\n")
    assert order(run) == [("1", "high", 1), ("1", "mid", 2), ("1", "low", 3), ("2", "x", 1)]
    assert run.score is not None
    assert run.score.tolist() == [30.0, 7.0, 0.5, -2.0]


def test_tied_scores_are_ordered_by_id_descending_in_utf8_bytes(tmp_path: Path) -> None:
    text = "".join(f"1 Q0 {name} 1 1.0 t\n" for name in ("a", "b", "B", "é", "\U0001f600", "\uffee"))
    (run,) = read(tmp_path / "a", text)
    assert [name for _, name, _ in order(run)] == sorted(
        ("a", "b", "B", "é", "\U0001f600", "\uffee"), key=str.encode, reverse=True
    )


def test_scores_are_compared_as_doubles(tmp_path: Path) -> None:
    (run,) = read(tmp_path / "a", "1 Q0 a 1 1.00000001 t\n1 Q0 b 1 1.00000002 t\n1 Q0 c 1 1.0 t\n")
    assert [name for _, name, _ in order(run)] == ["b", "a", "c"]


def test_tabs_crlf_a_bom_blank_lines_and_comments_are_understood(tmp_path: Path) -> None:
    (run,) = read(tmp_path / "a", "\ufeff# a comment of any length\r\n\r\n  1\tQ0 #d   1\t2 tag \r\n")
    assert order(run) == [("1", "#d", 1)]
    assert run.system == "tag"


def test_a_gzipped_file_reads_like_a_plain_one(tmp_path: Path) -> None:
    path = tmp_path / "a.run.gz"
    path.write_bytes(gzip.compress(b"1 Q0 d 1 2 t\n"))
    assert order(trec_run.FORMAT.read(path).runs[0]) == [("1", "d", 1)]


def test_each_tag_is_a_system(tmp_path: Path) -> None:
    first, second = read(tmp_path / "a", "1 Q0 d 1 2 A\n1 Q0 d 1 2 B\n1 Q0 e 2 1 A\n")
    assert (first.system, len(first.query)) == ("A", 2)
    assert (second.system, len(second.query)) == ("B", 1)


def test_the_system_can_be_named_when_there_is_one(tmp_path: Path) -> None:
    assert read(tmp_path / "a", "1 Q0 d 1 2 A\n", system="mine")[0].system == "mine"
    with pytest.raises(InputError, match="2 systems"):
        read(tmp_path / "a", "1 Q0 d 1 2 A\n1 Q0 d 1 2 B\n", system="mine")


@pytest.mark.parametrize("score", ["nan", "inf", "-Infinity", "1_0", "0x1", "١", "1e999", "", "1,5"])
def test_a_score_that_is_no_finite_number_is_refused(tmp_path: Path, score: str) -> None:
    ((line, _),) = problems(tmp_path / "a", f"1 Q0 d 1 2 t\n1 Q0 e 1 {score} t\n")
    assert line == 2


def test_the_same_candidate_twice_in_a_ranking_is_refused_at_its_second_line(tmp_path: Path) -> None:
    text = "1 Q0 d 1 3 t\n2 Q0 d 1 3 t\n1 Q0 e 2 2 t\n1 Q0 d 3 1 t\n"
    ((line, message),) = problems(tmp_path / "a", text)
    assert line == 4
    assert "'d'" in message


def test_what_stands_behind_the_tag_is_not_read(tmp_path: Path) -> None:
    (run,) = read(tmp_path / "a", "1 Q0 d 1 3 t more of\n1 Q0 e 2 1 t\n")
    assert order(run) == [("1", "d", 1), ("1", "e", 2)]


@pytest.mark.parametrize("identity", ["my doc", "FR 940202", "a 1 b"])
def test_an_id_with_a_blank_shifts_the_columns_and_is_refused(tmp_path: Path, identity: str) -> None:
    ((line, message),) = problems(tmp_path / "a", f"1 Q0 {identity} 1 3 t\n")
    assert line == 1
    assert "more than 6 columns" in message


JSON_LINES = st.sampled_from(
    ['{"qid": "1", "a": 2, "b": 3}', "{ Q0 d 1 3 t", "{1 Q0 d 1 3 t", "  {} Q0 d 1 3 t"]
)


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(JSON_LINES, st.integers(0, 3), st.integers(0, 3))
def test_a_line_that_begins_as_json_is_never_a_row_wherever_it_stands(
    tmp_path: Path, line: str, before: int, behind: int
) -> None:
    path = tmp_path / "a"
    rows = [f"1 Q0 {at} 1 3 t" for at in range(before + behind)]
    path.write_text("\n".join((*rows[:before], line, *rows[before:])), "utf-8")
    judged = JudgmentRows(Problems(path))
    judged.add("{1", "d", 1, None)
    qrels = qrels_of_table(judged.table("which may have such an id"))
    ways: list[Callable[[], object]] = [
        lambda: trec_run.FORMAT.read(path),
        lambda: trec_run.FORMAT.read(path, Reading(in_pieces=True)),
        lambda: list(pieces(path, trec_run.FORMAT, Reading())),
        lambda: hits_of_run(path, qrels),
    ]
    for way in ways:
        with pytest.raises(InputError) as caught:
            way()
        (problem,) = caught.value.problems
        assert (problem.line, problem.column) == (before + 1, line.index("{") + 1)


def test_the_query_id_all_is_refused_because_it_names_the_mean(tmp_path: Path) -> None:
    assert problems(tmp_path / "a", "all Q0 d 1 3 t\n")[0][0] == 1


def test_a_hundred_problems_are_named_and_the_rest_counted(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1 Q0 d\n" * 250)
    with pytest.raises(InputError, match="and 150 more") as caught:
        trec_run.FORMAT.read(tmp_path / "a")
    assert len(caught.value.problems) == 100


def test_a_run_without_scores_keeps_its_order_when_written(tmp_path: Path) -> None:
    n = 3000
    rows = np.arange(n, dtype=np.int32)
    run = RunTable("s", ["q"], [f"d{i}" for i in range(n)], np.zeros(n, np.int32), rows, rows + 1)
    trec_run.FORMAT.write(Dataset(runs=[run]), tmp_path / "a.run")
    (again,) = trec_run.FORMAT.read(tmp_path / "a.run").runs
    assert [name for _, name, _ in order(again)] == run.candidate_ids


@pytest.mark.parametrize(("scores", "written"), [((0.5, 0.9, 0.1), [1, 0.5, 1 / 3]), ((9, 8, 7), [9, 8, 7])])
def test_scores_beside_ranks_are_written_where_they_give_the_same_order(
    tmp_path: Path, scores: tuple[float, ...], written: list[float]
) -> None:
    run = run_of("s", [("q", name, score) for name, score in zip("bca", scores, strict=True)], "given")
    dataset = Dataset(runs=[run])
    trec_run.FORMAT.write(dataset, tmp_path / "a.run")
    (again,) = trec_run.FORMAT.read(tmp_path / "a.run").runs
    assert order(again) == [("q", "b", 1), ("q", "c", 2), ("q", "a", 3)]
    assert again.score is not None
    assert again.score.tolist() == written
    lost = ["The ranks of s are not in the order of its scores: 1/rank is written instead of them."]
    assert trec_run.FORMAT.losses(dataset) == (lost if written[0] == 1 else [])


def test_a_refusal_keeps_no_file_open(tmp_path: Path) -> None:
    (tmp_path / "a.run").write_text("1 Q0 d 1 three t\n", "utf-8")
    (tmp_path / "a.qrels").write_text("1 0 d\n", "utf-8")
    for read, name in ((trec_run.FORMAT.read, "a.run"), (qrels_of, "a.qrels")):
        with pytest.raises(InputError) as caught:
            read(tmp_path / name)
        assert caught.value.__context__ is None, "what it came from would hold the file it was reading"


def test_a_system_named_with_blanks_leaves_with_others_in_their_place_and_says_so(tmp_path: Path) -> None:
    (run,) = read(tmp_path / "in.run", "q1 Q0 d1 1 2.0 a\n")
    named = Dataset(runs=[replace(run, system="my new\tsystem")])
    assert trec_run.FORMAT.losses(named) == [
        "The system 'my new\\tsystem' is called my_new_system: blanks cannot stand in its name."
    ]
    trec_run.FORMAT.write(named, tmp_path / "out.run")
    assert (tmp_path / "out.run").read_text() == "q1 Q0 d1 1 2 my_new_system\n"
    both = Dataset(runs=[*named.runs, replace(run, system="my new system")])
    with pytest.raises(UserError, match="would be called my_new_system"):
        trec_run.FORMAT.write(both, tmp_path / "both.run")
    assert not (tmp_path / "both.run").exists()
