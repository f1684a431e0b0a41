import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotator.errors import InputError
from annotator.formats import column_scanner, hits, judged_pairs, text_lines, trec_qrels, trec_run
from annotator.formats.declaration import Reading
from tests.examples import examples

Row = tuple[str, int, int]


def expected(run: Path, qrels: Path) -> list[tuple[str, list[Row], dict[str, int]]]:
    """Return per system the hits and lengths, looked up one by one in what the plain readers read."""
    table = trec_qrels.FORMAT.read(qrels).judgments
    assert table is not None
    grades = {
        (table.query_ids[q], table.candidate_ids[c]): int(g)
        for q, c, g in zip(table.query, table.candidate, table.grade, strict=True)
    }
    found = []
    for one in trec_run.read_plainly(run, Reading()).runs:
        rows: list[Row] = []
        lengths = dict.fromkeys(table.query_ids, 0)
        for q, c, rank in zip(one.query, one.candidate, one.rank, strict=True):
            pair = one.query_ids[q], one.candidate_ids[c]
            if pair[0] in lengths:
                lengths[pair[0]] += 1
            if pair in grades:
                rows.append((pair[0], int(rank), grades[pair]))
        found.append((one.system, sorted(rows), lengths))
    return found


def scanned(run: Path, qrels: Path) -> list[tuple[str, list[Row], dict[str, int]]]:
    judged = judged_pairs.qrels_of(qrels)
    found = []
    for one in hits.hits_of_run(run, judged):
        ids = [judged.query_ids[q] for q in one.query]
        rows = list(zip(ids, one.rank.tolist(), one.grade.tolist(), strict=True))
        assert rows == sorted(rows, key=lambda row: (judged.query_ids.index(row[0]), row[1]))
        lengths = dict(zip(judged.query_ids, one.retrieved.tolist(), strict=True))
        found.append((one.system, sorted(rows), lengths))
    return found


ids = st.one_of(
    st.integers(0, 12).map(str),
    st.sampled_from(
        ["é", "#", "#1", "clueweb12-0000-00-00001", "clueweb12-0000-00-00002", "\U0001f600x", "a\xa0b"]
    ),
    st.text("ab", min_size=7, max_size=9),
)
scores = st.one_of(
    st.integers(-3, 3).map(str),
    st.sampled_from(["1.5", "1.50", "-0.25", "+2", "1e1", ".5", "5.", "1.00000001", "1.00000002", "-1E-3"]),
    st.floats(-1e6, 1e6).map(repr),
    st.decimals(-100, 100, places=4).map(str),
)
blanks = st.sampled_from([" ", "\t", "  ", " \t "])


@st.composite
def run_texts(draw: st.DrawFn) -> str:
    rows = draw(st.lists(st.tuples(ids, ids, scores), min_size=1, max_size=40, unique_by=lambda row: row[:2]))
    if draw(st.booleans()):
        rows.sort(key=lambda row: row[0])
    plain = draw(st.booleans())
    lines = []
    for query, candidate, score in rows:
        if query == "#":
            query = "1"
            continue
        blank = " " if plain else draw(blanks)
        lines.append(blank.join((query, "Q0", candidate, "0", score, "tag")))
        if not plain and draw(st.integers(0, 9)) == 0:
            lines.append(draw(st.sampled_from(["", "# a note", "# a b c d e", "   "])))
    return "\n".join(lines) + draw(st.sampled_from(["", "\n"]))


@st.composite
def qrels_texts(draw: st.DrawFn) -> str:
    pairs = draw(st.lists(st.tuples(ids, ids), min_size=1, max_size=40, unique=True))
    grade = st.integers(-2, 6)
    return "".join(f"{query} 0 {candidate} {draw(grade)}\n" for query, candidate in pairs if query != "#")


@settings(
    max_examples=examples(30, 80),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(run=run_texts(), qrels=qrels_texts(), block=st.sampled_from([64, 300, 1 << 20]))
def test_scanning_finds_what_the_plain_readers_find(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: str, qrels: str, block: int
) -> None:
    monkeypatch.setattr(text_lines, "BLOCK", block)
    (tmp_path / "run").write_text(run, "utf-8")
    (tmp_path / "qrels").write_text(qrels, "utf-8")
    try:
        wanted = expected(tmp_path / "run", tmp_path / "qrels")
    except InputError as error:
        with pytest.raises(InputError, match=re.escape(str(error))):
            scanned(tmp_path / "run", tmp_path / "qrels")
    else:
        assert scanned(tmp_path / "run", tmp_path / "qrels") == wanted


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(run=run_texts(), block=st.sampled_from([64, 1 << 20]))
def test_a_run_read_by_columns_is_the_run_read_line_by_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: str, block: int
) -> None:
    monkeypatch.setattr(text_lines, "BLOCK", block)
    (tmp_path / "run").write_text(run, "utf-8")
    try:
        (plain,) = trec_run.read_plainly(tmp_path / "run", Reading()).runs
    except InputError as error:
        with pytest.raises(InputError, match=re.escape(str(error))):
            trec_run.FORMAT.read(tmp_path / "run")
        return
    (found,) = trec_run.FORMAT.read(tmp_path / "run").runs
    assert list(found.query_ids) == list(plain.query_ids)
    assert (found.query == plain.query).all()
    assert [found.candidate_ids[c] for c in found.candidate] == [
        plain.candidate_ids[c] for c in plain.candidate
    ]
    assert found.rank.tolist() == plain.rank.tolist()
    assert found.score is not None
    assert plain.score is not None
    assert found.score.tolist() == plain.score.tolist()


def big_run(path: Path, mixed: bool = False, ties: bool = False, scale: int = 1) -> str:
    """Write 40 queries of 60 candidates; return the text."""
    rng = np.random.default_rng(5)
    lines = []
    for query in range(40):
        names = rng.choice(500, 60, replace=False)
        values = np.sort(rng.integers(0, 5 if ties else 10**6, 60))[::-1] / (2 if ties else 10**scale)
        lines += [f"q{query} Q0 d{n} 1 {v} s" for n, v in zip(names, values, strict=True)]
    if mixed:
        rng.shuffle(lines)
    path.write_text("\n".join(lines) + "\n")
    return path.read_text()


def big_qrels(path: Path) -> None:
    rng = np.random.default_rng(6)
    path.write_text(
        "".join(f"q{q} 0 d{d} {g}\n" for q in range(3, 45) for d, g in enumerate(rng.integers(0, 4, 300)))
    )


@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("ties", [False, True])
def test_mixed_queries_and_ties_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mixed: bool, ties: bool
) -> None:
    monkeypatch.setattr(text_lines, "BLOCK", 4096)
    big_run(tmp_path / "run", mixed, ties)
    big_qrels(tmp_path / "qrels")
    assert scanned(tmp_path / "run", tmp_path / "qrels") == expected(tmp_path / "run", tmp_path / "qrels")


@pytest.mark.parametrize("lines", [1, 3_000])
def test_a_mixed_run_that_changes_while_it_is_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: int
) -> None:
    """Tied rows are read a second time: shorter or longer then, it is not taken for the first one."""
    run = tmp_path / "run"
    text = big_run(run, mixed=True, ties=True)
    big_qrels(tmp_path / "qrels")
    real = hits.tokens

    def changing(path: Path, reading: Reading) -> Iterator[column_scanner.Table]:
        path.write_text("".join((text * 2).splitlines(keepends=True)[:lines]))
        yield from real(path, reading)

    monkeypatch.setattr(hits, "tokens", changing)
    with pytest.raises(InputError, match="was changed after it was looked at"):
        scanned(run, tmp_path / "qrels")


@pytest.mark.parametrize("bits", [12, 2])
def test_the_plain_reader_is_not_asked_for_an_ordinary_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bits: int
) -> None:
    """Nor where the queries' tokens find no room in the table of their numbers."""
    monkeypatch.setattr(text_lines, "BLOCK", 4096)
    monkeypatch.setattr(judged_pairs._Slots, "BITS", bits)
    monkeypatch.setattr(judged_pairs._Slots, "ROOM", 0)
    big_run(tmp_path / "run", mixed=True)
    big_qrels(tmp_path / "qrels")

    def never(*_: object) -> None:
        raise AssertionError("the plain reader was asked")

    monkeypatch.setattr(judged_pairs, "qrels_of_table", never)
    monkeypatch.setattr(hits, "hits_of_table", never)
    assert scanned(tmp_path / "run", tmp_path / "qrels") == expected(tmp_path / "run", tmp_path / "qrels")


def test_a_gzipped_run_has_the_same_hits(tmp_path: Path) -> None:
    text = big_run(tmp_path / "run")
    (tmp_path / "run.gz").write_bytes(gzip.compress(text.encode()))
    big_qrels(tmp_path / "qrels")
    assert scanned(tmp_path / "run.gz", tmp_path / "qrels") == scanned(tmp_path / "run", tmp_path / "qrels")


def test_tied_rows_are_counted_and_unknown_queries_listed(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("1 Q0 a 1 2 t\n1 Q0 b 1 2 t\n1 Q0 c 1 1 t\n9 Q0 a 1 1 t\n9 Q0 b 1 1 t\n")
    (tmp_path / "qrels").write_text("1 0 a 1\n2 0 a 1\n")
    (found,) = hits.hits_of_run(tmp_path / "run", judged_pairs.qrels_of(tmp_path / "qrels"))
    assert found.tied.tolist() == [2, 0]
    assert found.retrieved.tolist() == [3, 0]
    assert found.rank.tolist() == [2]
    assert found.unjudged == ("9",)


def test_the_system_is_the_tag(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("1 Q0 a 1 2 bm25\n")
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    judged = judged_pairs.qrels_of(tmp_path / "qrels")
    assert hits.hits_of_run(tmp_path / "run", judged)[0].system == "bm25"


def test_two_tags_are_two_systems(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("1 Q0 a 1 2 A\n1 Q0 b 1 1 A\n1 Q0 a 1 1 B\n")
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    found = hits.hits_of_run(tmp_path / "run", judged_pairs.qrels_of(tmp_path / "qrels"))
    assert [(one.system, one.retrieved.tolist()) for one in found] == [("A", [2]), ("B", [1])]


def test_a_candidate_twice_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("1 Q0 a 1 2 A\n1 Q0 b 1 1 A\n1 Q0 a 1 1 A\n")
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    with pytest.raises(InputError) as caught:
        hits.hits_of_run(tmp_path / "run", judged_pairs.qrels_of(tmp_path / "qrels"))
    assert caught.value.problems[0].line == 3


def test_each_hit_knows_between_which_ranks_its_score_stands(tmp_path: Path) -> None:
    rows = ["1 Q0 a 1 9 s", "1 Q0 b 2 5 s", "1 Q0 c 3 5 s", "1 Q0 d 4 5 s", "2 Q0 a 1 5 s", "2 Q0 b 2 5 s"]
    (tmp_path / "run").write_text("\n".join(rows) + "\n")
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 c 1\n2 0 a 1\n")
    found = hits.hits_of_run(tmp_path / "run", judged_pairs.qrels_of(tmp_path / "qrels"))[0]
    assert found.rank.tolist() == [1, 3, 2]
    assert (found.first.tolist(), found.last.tolist()) == ([1, 2, 1], [1, 4, 2])
