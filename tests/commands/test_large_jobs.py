"""Folders of parts on the command line: scored by whom one likes, in shares, and all gathered."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import Result

Run = Callable[..., Result]

QRELS = "q1 0 a 3\nq1 0 b 0\nq1 0 c 2\nq2 0 a 1\nq3 0 e 2\n"
PARTS = {
    "one": [("plain", "q1", "b", 9.5), ("plain", "q1", "a", 8.0), ("plain", "q9", "a", 3.0)],
    "two": [("plain", "q2", "a", 3.0), ("other", "q2", "b", 3.0), ("other", "q2", "a", 1.0)],
}


@pytest.fixture
def words(tmp_path: Path) -> tuple[object, ...]:
    """Return how a folder of two parts is named."""
    (tmp_path / "qrels.txt").write_text(QRELS, "utf-8")
    (tmp_path / "parts").mkdir()
    for name, rows in PARTS.items():
        columns = zip(("system", "query_id", "document_id", "score"), zip(*rows, strict=True), strict=True)
        pq.write_table(pa.table(dict(columns)), tmp_path / "parts" / f"{name}.parquet")
    return "evaluate", "--qrels", tmp_path / "qrels.txt", "--run", tmp_path / "parts", "-m", "RR"


def test_a_folder_is_evaluated_and_its_scores_are_written(
    run: Run, words: tuple[object, ...], tmp_path: Path
) -> None:
    printed = run(*words, "--format", "csv", "--per-query")
    assert printed.exit_code == 0, printed.stderr
    assert printed.stdout.splitlines() == [
        "system,query,measure,value,no_ranking",
        "other,q1,RR,0.0,yes",
        "other,q2,RR,0.5,no",
        "other,q3,RR,0.0,yes",
        "plain,q1,RR,0.5,no",
        "plain,q2,RR,1.0,no",
        "plain,q3,RR,0.0,yes",
    ]
    assert "q9" in printed.stderr
    written = run(*words, "-o", tmp_path / "scores.parquet")
    assert (written.exit_code, written.stdout) == (0, f"{tmp_path / 'scores.parquet'}\n")
    table = pq.read_table(tmp_path / "scores.parquet")
    assert [table[name].to_pylist() for name in ("system", "query", "RR", "retrieved")] == [
        ["other"] * 3 + ["plain"] * 3,
        ["q1", "q2", "q3"] * 2,
        [0.0, 0.5, 0.0, 0.5, 1.0, 0.0],
        [0, 2, 0, 2, 1, 0],
    ]
    assert sorted(one.name for one in tmp_path.iterdir() if "scores" in one.name) == ["scores.parquet"]


def test_shares_are_gathered_to_what_one_process_writes(
    run: Run, words: tuple[object, ...], tmp_path: Path
) -> None:
    run(*words, "-o", tmp_path / "alone.parquet")
    output = tmp_path / "scores.parquet"
    said = [run(*words, "--part", f"{share}/2", "-o", output).stdout for share in (1, 2)]
    assert said == [f"1 part is scored and kept in {output}.parts\n"] * 2
    gathered = run("gather", "--qrels", tmp_path / "qrels.txt", "-o", output)
    assert gathered.exit_code == 0, gathered.stderr
    assert output.read_bytes() == (tmp_path / "alone.parquet").read_bytes()
    again = run("gather", "--qrels", tmp_path / "qrels.txt", "-o", output)
    assert (again.exit_code, "holds no scores of parts" in again.stderr) == (1, True)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--engine", "spark"), "none of local, dask"),
        (("--engine", "dask:"), "none of local, dask"),
        (("--engine", "dask:tcp://host:8786", "--jobs", "2"), "its own workers"),
        (("--part", "1/2"), "give -o NAME.parquet"),
        (("--part", "3/2", "-o", "s.parquet"), "the third of eight shares"),
        (("-o", "s.parquet", "--per-query"), "in its own layout"),
        (("--run", "other.run"), "stands alone"),
    ],
)
def test_words_that_do_not_fit_are_wrong_usage(
    run: Run, words: tuple[object, ...], more: tuple[str, ...], said: str
) -> None:
    result = run(*words, *more)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.replace("│", " ").split())


def test_an_engine_without_a_folder_is_wrong_usage(run: Run, tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text(QRELS, "utf-8")
    words = "evaluate", "--qrels", tmp_path / "qrels.txt", "--run", tmp_path / "qrels.txt", "--jobs", "2"
    assert run(*words).exit_code == 2


def test_an_empty_folder_says_how_to_fill_it(run: Run, words: tuple[object, ...], tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    result = run("evaluate", "--qrels", tmp_path / "qrels.txt", "--run", tmp_path / "empty")
    assert (result.exit_code, "annotator partition" in result.stderr) == (1, True)


def test_runs_are_partitioned_and_their_folder_is_evaluated(run: Run, tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text(QRELS, "utf-8")
    both = "q1 Q0 b 1 9.5 one\nq1 Q0 b 1 9.5 two\nq2 Q0 a 1 3 two\nq1 Q0 a 2 8 one\n"
    (tmp_path / "both.run").write_text(both, "utf-8")
    made = run("partition", tmp_path / "both.run", "-o", tmp_path / "parts", "--rows", 2)
    assert made.exit_code == 0, made.stderr
    assert made.stdout.startswith("4 rows of one, two in ")
    words = (
        "evaluate",
        "--qrels",
        tmp_path / "qrels.txt",
        "-m",
        "RR",
        "--format",
        "csv",
        "--per-query",
        "--run",
    )
    scores = [run(*words, tmp_path / name).stdout for name in ("parts", "both.run")]
    assert scores[0] == scores[1] != ""


RUNS = {
    "bm25": "q1 Q0 b 1 9 bm25\nq1 Q0 a 2 8 bm25\nq2 Q0 a 1 3 bm25\nq2 Q0 x 2 3 bm25\nq3 Q0 x 1 1 bm25\n",
    "dense": "q1 Q0 a 1 9 dense\nq1 Q0 c 2 8 dense\nq2 Q0 x 1 3 dense\nq3 Q0 e 1 2 dense\n",
}


@pytest.fixture
def project(run: Run, tmp_path: Path) -> Path:
    """Return a project with three judged queries and two systems."""
    (tmp_path / "qrels.txt").write_text(QRELS, "utf-8")
    for name, text in RUNS.items():
        (tmp_path / f"{name}.run").write_text(text, "utf-8")
    run("new", tmp_path / "p.annot", "--name", "P")
    files = [tmp_path / name for name in ("qrels.txt", "bm25.run", "dense.run")]
    assert run("import", tmp_path / "p.annot", *files).exit_code == 0
    return tmp_path / "p.annot"


@pytest.mark.parametrize(
    "words",
    [
        ("compare", "--format", "csv"),
        ("compare", "-m", "AP", "--test", "t", "--difference", "0.1"),
        ("compare", "--correlation", "kendall", "--format", "json", "-m", "AP", "-m", "RR"),
        ("evaluate", "--format", "json", "--per-query", "-q", "q1", "-q", "q3", "-s", "dense"),
        ("evaluate", "--estimates", "--seed", "7"),
        ("evaluate", "--difficulty", "--per-query", "--format", "csv"),
    ],
    ids=lambda words: " ".join(words[:3]),
)
def test_scores_in_a_file_are_compared_and_printed_as_the_project_is(
    run: Run, project: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    measures = [] if "-m" in words else ["-m", "nDCG@2", "-m", "AP", "-m", "RR"]
    scores = tmp_path / "scores.parquet"
    assert run("evaluate", project, "-m", "nDCG@2", "-m", "AP", "-m", "RR", "-o", scores).exit_code == 0
    name, *more = words
    of_scores, of_project = run(name, scores, *more), run(name, project, *more, *measures)
    assert of_scores.exit_code == 0, of_scores.stderr
    assert of_scores.stdout == of_project.stdout != ""


def test_a_report_of_scores_is_that_of_the_project_as_far_as_it_goes_and_says_how_to_make_it_again(
    run: Run, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run("evaluate", project, "-m", "nDCG@2", "-m", "AP", "-o", "scores.parquet")
    for source in (project, "scores.parquet"):
        done = run(
            "report", source, "-o", f"{source}.csv", "--table", "per-query", "-m", "nDCG@2", "-m", "AP"
        )
        assert done.exit_code == 0, done.stderr
    assert Path("scores.parquet.csv").read_bytes() == Path(f"{project}.csv").read_bytes()
    assert (
        run("report", "scores.parquet", "-o", "report.html", "-m", "AP", "--baseline", "bm25").exit_code == 0
    )
    first = Path("report.html").read_text("utf-8")
    (again,) = set(re.findall(r"annotator report scores\.parquet[^<]*", first))
    assert run(*shlex.split(again)[1:]).exit_code == 0
    assert Path("report.html").read_text("utf-8") == first
    assert "is better than" in first or "is ahead of" in first
    assert "ledger head" in first.casefold()


@pytest.mark.parametrize(
    ("words", "said", "status"),
    [
        (("evaluate", "--rel", "2"), "settled in a file of scores", 2),
        (("evaluate", "--convention", "trec_eval"), "settled in a file of scores", 2),
        (("compare", "--overlap", "0.9"), "holds no rankings", 2),
        (("evaluate", "-m", "P@7"), "holds no scores of the measure P@7; of this kind: AP", 1),
        (("compare", "-s", "gone"), "no scores of the system gone; of this kind: bm25, dense", 1),
        (("evaluate", "-q", "q7"), "no scores of the query q7", 1),
        (("report", "-o", "r.html", "--explain", "q1"), "hold no rankings", 1),
        (("report", "-o", "folder"), "hold no rankings", 1),
        (("report", "-o", "f.png", "--figure", "query"), "nothing to draw", 1),
    ],
    ids=lambda one: " ".join(one[:2]) if isinstance(one, tuple) else "",
)
def test_what_scores_alone_cannot_tell_is_said(
    run: Run, project: Path, tmp_path: Path, words: tuple[str, ...], said: str, status: int
) -> None:
    run("evaluate", project, "-m", "AP", "-o", tmp_path / "s.parquet")
    name, *more = words
    result = run(name, tmp_path / "s.parquet", *more)
    assert (result.exit_code, said in " ".join(result.stderr.replace("│", " ").split())) == (status, True)
