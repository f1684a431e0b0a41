"""Runs of any order and kind become files of whole rankings, which score as the runs do."""

import gzip
from collections import defaultdict
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotator.errors import InputError, Stopped, UserError
from annotator.evaluation.options import Options
from annotator.formats import parquet_runs, run_pieces, text_lines
from annotator.project import partition as partitioning
from annotator.project import parts
from annotator.project.files import evaluate_runs
from annotator.project.partition import partition
from annotator.watch import Watch
from tests.examples import examples
from tests.project.test_parts import (
    GROUPS,
    Row,
    differing,
    judged_drawn,
    rows_drawn,
    write_part,
    write_qrels,
    write_runs,
)

OPTIONS = Options(measures=("nDCG@3", "AP", "Judged@2"))


def lines(rows: list[Row]) -> str:
    return "".join(f"{query} Q0 {document} 0 {score!r} {system}\n" for system, query, document, score in rows)


def rows_in(folder: Path) -> dict[str, list[Row]]:
    """Return the rows of every file."""
    names = ("system", "query_id", "document_id", "score")
    tables = {one.name: pq.read_table(one) for one in sorted(folder.iterdir())}
    return {
        name: list(zip(*(table[column].to_pylist() for column in names), strict=True))
        for name, table in tables.items()
    }


@settings(
    max_examples=examples(25, 300), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    rows=rows_drawn,
    judged=judged_drawn,
    data=st.data(),
    per_file=st.sampled_from([1, 4, 1000]),
    at_once=st.sampled_from([1, 5, 1000]),
)
def test_runs_in_any_files_and_order_become_files_of_whole_rankings(
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    rows: list[Row],
    judged: dict[tuple[str, str], int],
    data: st.DataObject,
    per_file: int,
    at_once: int,
) -> None:
    folder = tmp_path_factory.mktemp("drawn")
    monkeypatch.setattr(partitioning, "HELD", 100 * at_once)  # of bytes, of which a row takes some 30
    for module in (partitioning, run_pieces, parquet_runs):
        monkeypatch.setattr(module, "AT_ONCE", at_once)
    monkeypatch.setattr(text_lines, "BLOCK", 40 * at_once)
    runs: list[Path] = []
    shards: dict[int, list[Row]] = defaultdict(list)
    for row in data.draw(st.permutations(rows)):
        shards[data.draw(st.integers(0, 2), "shard")].append(row)
    for number, some in shards.items():
        kind = data.draw(st.sampled_from(["trec", "gzip", "parquet"]), "kind")
        runs.append(folder / f"{number}.{kind}")
        if kind == "parquet":
            write_part(runs[-1], some, data.draw(GROUPS))
        else:
            text = lines(some).encode()
            runs[-1].write_bytes(gzip.compress(text) if kind == "gzip" else text)
    done = partition(runs, folder / "parts", per_file)
    found = rows_in(folder / "parts")
    assert sorted(row for some in found.values() for row in some) == sorted(rows)
    assert (done.files, done.rows, set(done.systems)) == (len(found), len(rows), {row[0] for row in rows})
    where = [{row[1] for row in some} for some in found.values()]
    assert sum(map(len, where)) == len(set().union(*where)), "every query is in one file"
    for some in found.values():
        assert some == sorted(
            sorted(some, key=lambda row: row[2], reverse=True), key=lambda row: (*row[:2], -row[3])
        )
    qrels = write_qrels(folder / "qrels.txt", judged)
    wanted = evaluate_runs(qrels, write_runs(folder / "runs", rows), OPTIONS)
    assert differing(parts.evaluate_folder(qrels, folder / "parts", OPTIONS), wanted) == []


def test_files_hold_about_so_many_rows(tmp_path: Path) -> None:
    rows = [("s", f"q{query}", f"d{place}", float(place)) for query in range(60) for place in range(10)]
    (tmp_path / "s.run").write_text(lines(rows))
    assert partition([tmp_path / "s.run"], tmp_path / "parts", rows=100).files == 6
    assert all(20 <= len(some) <= 200 for some in rows_in(tmp_path / "parts").values())


@pytest.mark.parametrize(("most", "limit", "files"), [(40, 4_000, 40), (500, 120, 60)])
def test_no_more_files_are_written_than_may_be_open_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int, limit: int, files: int
) -> None:
    resource = pytest.importorskip("resource", reason="Windows has no such limit")
    rows = [("s", f"q{query}", "d", 1.0) for query in range(900)]
    (tmp_path / "s.run").write_text(lines(rows))
    monkeypatch.setattr(partitioning, "MOST_FILES", most)
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(limit, before[1]), before[1]))
    try:
        done = partition([tmp_path / "s.run"], tmp_path / "parts", rows=1)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    found = rows_in(tmp_path / "parts")
    assert done.files == len(found) == files
    assert sorted(row for some in found.values() for row in some) == sorted(rows)


def test_given_ranks_keep_their_order_as_scores(tmp_path: Path) -> None:
    table = pa.table({"qid": ["q1", "q1"], "docid": ["a", "b"], "rank": [2, 1], "score": [9.0, 1.0]})
    pq.write_table(table, tmp_path / "mine.parquet")
    partition([tmp_path / "mine.parquet"], tmp_path / "parts")
    assert rows_in(tmp_path / "parts") == {
        "part-0001.parquet": [("mine", "q1", "b", -1.0), ("mine", "q1", "a", -2.0)]
    }


def test_a_run_that_cannot_be_taken_is_named_with_its_place_and_leaves_nothing(tmp_path: Path) -> None:
    good = "".join(f"q{at} Q0 d{at} 1 0.5 s\n" for at in range(50))
    (tmp_path / "bad.run").write_text(good + "q1 Q0 d1 1 half s\n")
    with pytest.raises(InputError) as refused:
        partition([tmp_path / "bad.run"], tmp_path / "parts")
    (problem,) = refused.value.problems
    assert (problem.file, problem.line, problem.column) == (str(tmp_path / "bad.run"), 51, 12)
    rows = {"query_id": ["q1", "q2"], "document_id": ["a", None], "score": [1.0, 2.0]}
    pq.write_table(pa.table(rows), tmp_path / "bad.parquet")
    with pytest.raises(InputError, match=r"bad\.parquet:2"):
        partition([tmp_path / "bad.parquet"], tmp_path / "parts")
    (tmp_path / "runs.csv").write_text("query_id,document_id,score\nq1,a,1\n")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1" + bytes(range(256)) + b"PAR1")
    with pytest.raises(InputError, match=r"broken\.parquet: is no sound Parquet file"):
        partition([tmp_path / "broken.parquet"], tmp_path / "parts")
    with pytest.raises(UserError, match="neither a TREC run nor a Parquet table"):
        partition([tmp_path / "runs.csv"], tmp_path / "parts")
    assert not (tmp_path / "parts").exists()


@pytest.mark.parametrize("kind", ["trec", "parquet"])
def test_it_is_told_all_the_time_how_far_reading_and_writing_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(parquet_runs, "AT_ONCE", 10)
    monkeypatch.setattr(text_lines, "BLOCK", 200)
    rows = [("s", f"q{query}", f"d{place}", float(place)) for query in range(20) for place in range(10)]
    run = tmp_path / f"my.{kind}"
    if kind == "parquet":
        write_part(run, rows)
    else:
        run.write_text(lines(rows))
    told: list[tuple[int, int, str]] = []
    partition([run], tmp_path / "parts", 50, Watch(on_progress=lambda *one: told.append(one)))
    shares = [done / total for done, total, _ in told]
    assert shares == sorted(shares)
    for what in (f"Reading {run.name}", "Writing files"):
        assert len({done for done, _, said in told if said == what}) >= 4, "several times, each further"


def test_a_folder_with_files_in_it_is_refused_and_stopping_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "good.run").write_text("q1 Q0 d1 1 0.5 s\n")
    with pytest.raises(UserError, match=r"holds good\.run; nothing was changed"):
        partition([tmp_path / "good.run"], tmp_path)
    with pytest.raises(Stopped, match="nothing was written"):
        partition([tmp_path / "good.run"], tmp_path / "new", watch=Watch(should_stop=lambda: True))
    with pytest.raises(UserError, match="no file"):
        partition([tmp_path / "gone.run"], tmp_path / "new")
    assert [one.name for one in tmp_path.iterdir() if one.name != "home"] == ["good.run"]
