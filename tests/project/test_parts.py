"""Rankings in a folder of Parquet files: whoever does the parts, the scores are those of the whole."""

import pickle
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotator import api
from annotator.errors import InputError, MeasureError, Stopped, UserError
from annotator.evaluation.options import Options
from annotator.evaluation.results import EvaluationResult
from annotator.metrics.catalogue import CATALOGUE
from annotator.project import engines, parts
from annotator.project.engines import Engine
from annotator.project.files import evaluate_runs
from annotator.project.score_files import packed, read_scores, unpacked, write_scores
from annotator.watch import UNWATCHED, Watch
from tests.examples import examples
from tests.project import deadly

Row = tuple[str, str, str, float]
"""System, query, document, score."""

QUERIES = ("q1", "q2", "q3", "q4", "unjudged")
DOCUMENTS = tuple(f"d{number}" for number in range(8))
MEASURES = tuple(
    one.bind(None if one.at is None or one.at.name == "recall" else 3).name
    for one in CATALOGUE
    if one.needs == "grades" and not (one.at is not None and one.at.name == "recall")
)
ARRAYS = ("scores", "counted", "retrieved", "relevant", "judged", "judged_at_10", "tied", "tie_range")


def write_qrels(path: Path, judged: dict[tuple[str, str], int]) -> Path:
    path.write_text(
        "".join(f"{query} 0 {name} {grade}\n" for (query, name), grade in judged.items()), "utf-8"
    )
    return path


GROUPS = st.sampled_from([1, 3, None])
"""So many rows stand in a group, which has texts of its own."""


def write_part(path: Path, rows: Sequence[Row], group: int | None = None) -> None:
    columns = dict(zip(("system", "query_id", "document_id", "score"), zip(*rows, strict=True), strict=True))
    path.parent.mkdir(exist_ok=True)
    pq.write_table(pa.table(columns), path, row_group_size=group)


def write_runs(folder: Path, rows: Sequence[Row]) -> list[Path]:
    """Write a TREC run for each system, by name."""
    lines = defaultdict(list)
    for system, query, document, score in rows:
        lines[system].append(f"{query} Q0 {document} 0 {score!r} {system}\n")
    folder.mkdir(exist_ok=True)
    for system, some in lines.items():
        (folder / f"{system}.run").write_text("".join(some), "utf-8")
    return [folder / f"{system}.run" for system in sorted(lines)]


def differing(one: EvaluationResult, other: EvaluationResult) -> list[str]:
    """Return the names of what is not the same to the last bit; who is left out may stand in any order."""
    values = ("systems", "measures", "query_ids", "options", "provenance", "query_texts", "tags", "notes")
    return [
        *(name for name in values if getattr(one, name) != getattr(other, name)),
        *(["left_out"] if sorted(one.left_out) != sorted(other.left_out) else []),
        *(
            name
            for name in ARRAYS
            if (getattr(one, name) is None) != (getattr(other, name) is None)
            or (
                getattr(one, name) is not None
                and not np.array_equal(getattr(one, name), getattr(other, name), equal_nan=name != "counted")
            )
        ),
    ]


rows_drawn = st.lists(
    st.tuples(
        st.sampled_from(("alpha", "beta", "gamma")),
        st.sampled_from(QUERIES),
        st.sampled_from(DOCUMENTS),
        st.sampled_from([0.0, 1.0, 1.0, 0.1, 0.30000000000000004, -1e-7]),
    ),
    min_size=12,
    max_size=60,
    unique_by=lambda row: row[:3],
)
judged_drawn = st.dictionaries(
    st.tuples(
        st.sampled_from((*QUERIES[:-1], "only judged")).map(lambda one: one.replace(" ", "-")),
        st.sampled_from(DOCUMENTS),
    ),
    st.integers(-1, 5),
    min_size=1,
    max_size=30,
)
options_drawn = st.builds(
    Options,
    measures=st.just(MEASURES),
    rel=st.integers(1, 3),
    judged_only=st.booleans(),
    skip_without_relevant=st.booleans(),
    fully_judged_to=st.none() | st.integers(1, 3),
    systems=st.sampled_from([(), (), ("beta",), ("gamma", "alpha")]),
    queries=st.sampled_from([(), (), ("q1", "q3")]),
)


@settings(
    max_examples=examples(25, 300), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(rows=rows_drawn, judged=judged_drawn, options=options_drawn, data=st.data())
def test_scores_of_any_parts_are_those_of_the_runs_to_the_last_bit(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[Row],
    judged: dict[tuple[str, str], int],
    options: Options,
    data: st.DataObject,
) -> None:
    folder = tmp_path_factory.mktemp("drawn")
    qrels = write_qrels(folder / "qrels.txt", judged)
    by = data.draw(st.sampled_from([lambda row: row[1], lambda row: row[:2]]), "what stays together")
    pieces: dict[object, int] = defaultdict(lambda: data.draw(st.integers(0, 3), "part"))
    split: dict[int, list[Row]] = defaultdict(list)
    for row in rows:
        split[pieces[by(row)]].append(row)
    for number, some in split.items():
        write_part(folder / "parts" / f"{number}.parquet", some, data.draw(GROUPS))
    try:
        wanted, why = evaluate_runs(qrels, write_runs(folder / "runs", rows), options), ""
    except MeasureError as error:
        why = str(error)
    if why:
        with pytest.raises(MeasureError) as refused:
            parts.evaluate_folder(qrels, folder / "parts", options)
        assert str(refused.value) == why
        return
    found = parts.evaluate_folder(qrels, folder / "parts", options)
    assert differing(found, wanted) == []
    write_scores(found, folder / "scores.parquet")
    assert differing(read_scores(folder / "scores.parquet"), found) == []


ROWS: list[Row] = [
    (system, f"q{query}", f"d{(query * step + place) % 9}", float(10 - place // (1 + query % 2)))
    for system, step in (("alpha", 2), ("beta", 5))
    for query in range(6)
    for place in range(7 if system == "alpha" or query != 4 else 0)
]
JUDGED = {(f"q{query}", f"d{name}"): (query + name) % 4 for query in range(5) for name in range(0, 9, 2)}
OPTIONS = Options(measures=("nDCG@3", "AP", "RR"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with judgments, two runs and, in `parts`, their rows in four files of whole queries."""
    write_qrels(tmp_path / "qrels.txt", JUDGED)
    write_runs(tmp_path, ROWS)
    for number in range(4):
        some = [row for row in ROWS if int(row[1][1:]) % 4 == number]
        write_part(tmp_path / "parts" / f"part-{number}.parquet", some)
    return tmp_path


def whole(folder: Path, options: Options = OPTIONS) -> EvaluationResult:
    return evaluate_runs(folder / "qrels.txt", [folder / "alpha.run", folder / "beta.run"], options)


def of_parts(folder: Path, options: Options = OPTIONS, **how: Any) -> EvaluationResult:
    return parts.evaluate_folder(folder / "qrels.txt", folder / "parts", options, **how)


@pytest.mark.parametrize("engine", [engines.local(2), engines.dask(jobs=1)], ids=["local", "dask"])
def test_processes_and_a_dask_cluster_give_the_scores_of_the_whole(folder: Path, engine: Engine) -> None:
    assert differing(of_parts(folder, engine=engine), whole(folder)) == []


def test_an_executor_of_the_caller_is_given_the_parts(folder: Path) -> None:
    with ThreadPoolExecutor(2) as executor:
        scores = api.evaluate(folder / "qrels.txt", folder / "parts", ["nDCG@3", "AP"], executor=executor)
        assert executor.submit(int, "7").result() == 7, "it is still the caller's"
    assert scores.mean("AP", "beta") == whole(folder).mean("beta", "AP")
    assert scores.compare("alpha", "beta", "AP").first == "alpha"
    with pytest.raises(UserError, match="scores alone"):
        scores.explain("q1", "AP", "alpha")
    with ThreadPoolExecutor(1) as executor, pytest.raises(UserError, match="path of a folder"):
        api.evaluate(folder / "qrels.txt", folder / "alpha.run", ["AP"], executor=executor)


def test_a_worker_of_another_version_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def elsewhere(do: Callable[..., bytes], tasks: Sequence[Any], *_: object) -> None:
        monkeypatch.setattr(parts, "version", lambda: "0.0.1")
        do(*tasks[0])

    with pytest.raises(UserError, match=r"^Annotator 0\.0\.1 is installed where part-0"):
        of_parts(folder, engine=elsewhere)


def test_a_workers_death_costs_its_part_a_second_try(
    tmp_path: Path, count: Callable[[int, int], int]
) -> None:
    for at, engine in enumerate([engines.local(1), engines.dask(jobs=1)][: count(1, 2)]):
        deaths = tmp_path / str(at)
        deaths.mkdir()
        found: dict[int, int] = {}
        tasks = [(number, deaths, (1, 3)) for number in range(5)]
        engine(deadly.squared, tasks, found.__setitem__, UNWATCHED)
        assert found == {number: number * number for number in range(5)}
        assert {one.name for one in deaths.iterdir()} == {"1", "3"}, "both deaths were died"
        with pytest.raises(UserError, match="1 of 1 parts are not done"):
            engine(deadly.die, [(1,)], found.__setitem__, UNWATCHED)


@pytest.fixture
def scored(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of the parts that are scored from now on, in this process."""
    names: list[str] = []
    score = parts._scored

    def noted(part: Path, job: parts.Job, share: bytes) -> bytes:
        names.append(part.name)
        return score(part, job, share)

    monkeypatch.setattr(parts, "_scored", noted)
    return names


def stopped_after(count: int) -> Watch:
    """Stop when so many of the four parts are scored, each of which is looked into first."""
    looks = iter(range(-4, 100))
    return Watch(should_stop=lambda: next(looks) >= count)


def test_what_was_stopped_goes_on_with_the_parts_that_are_finished_and_proved(
    folder: Path, scored: list[str]
) -> None:
    output = folder / "scores.parquet"
    with pytest.raises(Stopped, match="3 of 4 parts are scored and kept"):
        of_parts(folder, output=output, watch=stopped_after(3))
    assert not output.exists()
    kept = sorted((folder / "scores.parquet.parts").iterdir())
    assert [one.name.partition(".")[0] for one in kept] == ["part-0", "part-1", "part-2"]
    held = bytearray(kept[0].read_bytes())
    held[len(held) // 2] ^= 1
    kept[0].write_bytes(held)
    write_part(folder / "parts" / "part-1.parquet", [row for row in ROWS if row[1] in ("q1", "q5")][::-1])
    del scored[:]
    told: list[tuple[int, int, str]] = []
    found = of_parts(folder, output=output, watch=Watch(on_progress=lambda *one: told.append(one)))
    assert scored == ["part-0.parquet", "part-1.parquet", "part-3.parquet"], "damaged, changed, missing"
    told = [one for one in told if one[2].startswith("Scored")]
    assert (told[0][:2], told[-1][:2]) == ((1, 4), (4, 4))
    assert "1 kept from before" in told[0][2]
    assert differing(found, whole(folder)) == []
    assert differing(read_scores(output), found) == []
    assert not (folder / "scores.parquet.parts").exists()


def test_parts_that_are_kept_of_other_options_are_scored_again(folder: Path, scored: list[str]) -> None:
    output = folder / "scores.parquet"
    with pytest.raises(Stopped):
        of_parts(folder, output=output, watch=stopped_after(2))
    del scored[:]
    of_parts(folder, replace(OPTIONS, rel=2), output=output)
    assert len(scored) == 4


def test_shares_of_several_machines_are_gathered_when_all_are_there(folder: Path) -> None:
    output = folder / "scores.parquet"
    asked = folder / "qrels.txt", folder / "parts"
    for share, count in ((1, 2), (2, 1)):
        with pytest.raises(UserError, match=r"holds no scores|part-[12].* not scored yet"):
            parts.gather(asked[0], output)
        assert parts.score_some(*asked, (share, 3), OPTIONS, engines.in_turn, output) == count
    parts.score_some(*asked, (3, 3), replace(OPTIONS, rel=2), engines.in_turn, output)
    with pytest.raises(UserError, match="same judgments, files, options"):
        parts.gather(asked[0], output)
    parts.score_some(*asked, (3, 3), OPTIONS, engines.in_turn, output)
    (folder / "other.txt").write_text("q1 0 d1 1\n")
    with pytest.raises(UserError, match="does not hold the judgments"):
        parts.gather(folder / "other.txt", output)
    assert differing(parts.gather(asked[0], output), whole(folder)) == []
    assert differing(read_scores(output), whole(folder)) == []


@pytest.mark.parametrize("document", ["text", "number"])
def test_a_ranking_in_two_files_is_refused_with_both_before_any_is_scored(
    folder: Path, scored: list[str], document: str
) -> None:
    late = folder / "parts" / "late.parquet"
    columns = {"run": ["beta", "beta", "gamma"], "qid": ["unjudged", "q2", "q2"], "rank": [1, 1, 1]}
    pq.write_table(pa.table({"docid": ["d0"] * 3 if document == "text" else [0] * 3, **columns}), late)
    write_part(folder / "parts" / "more.parquet", [("beta", "unjudged", "d1", 0.5)])
    with pytest.raises(UserError, match=r"query q2 by beta stands in late\.parquet and in part-2\.parquet"):
        of_parts(folder)
    assert scored == []
    late.rename(late.with_name("zero.parquet"))
    with pytest.raises(UserError, match=r"query q2 by beta stands in part-2\.parquet and in zero\.parquet"):
        parts.score_some(
            folder / "qrels.txt", folder / "parts", (1, 1), OPTIONS, engines.in_turn, folder / "s.parquet"
        )
    assert scored == []


def test_a_ranking_that_is_split_in_a_table_with_other_columns_is_refused_when_it_is_scored(
    folder: Path,
) -> None:
    row = {"run": ["beta"], "qid": ["q2"], "docid": ["d0"], "rank": [1], "title": ["A duck"]}
    pq.write_table(pa.table(row), folder / "parts" / "late.parquet")
    with pytest.raises(UserError, match=r"query q2 by beta stands in late\.parquet and in part-2\.parquet"):
        of_parts(folder)


def test_a_part_that_cannot_be_taken_is_named_with_its_row_also_by_another_process(folder: Path) -> None:
    bad = folder / "parts" / "part-3.parquet"
    write_part(bad, [("beta", "q3", "d0", 0.5), ("beta", "q3", "d0", 0.25)])
    with pytest.raises(InputError) as refused:
        of_parts(folder)
    come = pickle.loads(pickle.dumps(refused.value))  # as it comes from a worker
    (problem,) = come.problems
    assert (str(come), come.more) == (str(refused.value), 0)
    assert (problem.file, problem.line) == (str(bad), 2)
    assert "keep one of the rows" in problem.message


def test_what_is_no_file_of_scores_is_refused(folder: Path) -> None:
    for name in ("qrels.txt", "parts/part-0.parquet", "nothing.parquet"):
        with pytest.raises(UserError, match="no file"):
            read_scores(folder / name)


def test_the_same_scores_are_the_same_bytes(folder: Path) -> None:
    assert packed(of_parts(folder)) == packed(of_parts(folder))
    assert unpacked(BytesIO(packed(whole(folder), {"some": "thing"})))[1] == {"some": "thing"}


def test_scores_that_are_written_in_python_are_read_compared_and_reported(folder: Path) -> None:
    scores = api.evaluate(folder / "qrels.txt", folder / "parts", ["nDCG@3", "AP"])
    with pytest.raises(UserError, match="write the scores and read them"):
        scores.report(folder / "report.html")
    read = api.read_scores(scores.write(folder / "scores.parquet"))
    assert read.per_query.equals(scores.per_query)
    assert read.compare("alpha", "beta", "AP") == scores.compare("alpha", "beta", "AP")
    assert "AP" in read.report(folder / "report.md").read_text("utf-8")
    assert read.figure("intervals")._repr_svg_().startswith("<?xml")
