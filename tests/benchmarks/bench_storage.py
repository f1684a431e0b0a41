"""The project file against bare sqlite3: a bulk import, and one grade in a project of a million judgments."""

import resource
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from annotator.project import judging
from annotator.project.project import Project
from annotator.records import Dataset, JudgmentTable, RunTable
from annotator.storage.care import integrity
from annotator.storage.content.bulk import import_dataset
from annotator.storage.content.contents import Import

QUERIES, DEPTH, DOCUMENTS = 7_000, 1_000, 500_000
JUDGED = 143
"""Judged candidates of each query: about a million in all."""

GRADES = 300


def run_table() -> RunTable:
    """Return a seeded run, queries and ranks in order, documents at random."""
    chance = np.random.default_rng(1)
    candidate = np.concatenate([chance.choice(DOCUMENTS, DEPTH, replace=False) for _ in range(QUERIES)])
    used, codes = np.unique(candidate, return_inverse=True)
    return RunTable(
        "bm25",
        [f"q{number}" for number in range(QUERIES)],
        [f"doc{number}" for number in used.tolist()],
        np.repeat(np.arange(QUERIES, dtype=np.int32), DEPTH),
        codes.astype(np.int32),
        np.tile(np.arange(1, DEPTH + 1, dtype=np.int32), QUERIES),
        np.tile(np.linspace(30, 1, DEPTH), QUERIES),
    )


def judgment_table(run: RunTable) -> JudgmentTable:
    """Return judgments of the first candidates of every query."""
    chosen = run.rank <= JUDGED
    grade = np.random.default_rng(2).integers(0, 6, int(chosen.sum()))
    return JudgmentTable(run.query_ids, run.candidate_ids, run.query[chosen], run.candidate[chosen], grade)


def bare_import(path: Path, run: RunTable) -> float:
    """Insert the same rows with executemany, sorted as their key is; return CPU seconds."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA synchronous = EXTRA")
    db.execute(
        "CREATE TABLE ranking(run INTEGER, query INTEGER, candidate INTEGER, rank INTEGER, score REAL, "
        "PRIMARY KEY (run, query, candidate)) WITHOUT ROWID"
    )
    db.execute("CREATE TABLE candidate(id INTEGER PRIMARY KEY, external TEXT UNIQUE)")
    start = time.process_time()
    order = np.argsort((run.query.astype(np.int64) << 32) | run.candidate, kind="stable")
    db.execute("BEGIN IMMEDIATE")
    db.executemany(
        "INSERT INTO candidate(external) VALUES (?)", ((one,) for one in sorted(run.candidate_ids))
    )
    assert run.score is not None
    for first in range(0, len(order), 100_000):
        part = order[first : first + 100_000]
        columns = [run.query[part], run.candidate[part], run.rank[part], run.score[part]]
        rows = zip([1] * len(part), *(column.tolist() for column in columns), strict=True)
        db.executemany("INSERT INTO ranking VALUES (?, ?, ?, ?, ?)", rows)
    db.execute("COMMIT")
    seconds = time.process_time() - start
    db.close()
    return seconds


def milliseconds(work: Callable[[int], object], times: int) -> list[float]:
    """Return how long each call took."""
    found = []
    for number in range(times):
        start = time.perf_counter()
        work(number)
        found.append((time.perf_counter() - start) * 1_000)
    return found


def main() -> None:
    """Print the ratio of the import, and what one grade costs above a bare commit on the same disk."""
    run = run_table()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bare = bare_import(folder / "bare.db", run)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        project = Project.create(folder / "big.annot", "big", annotator="Ana")
        start = time.process_time()
        import_dataset(project.store, Dataset(runs=[run]), Import("imported:run", "run"))
        ours = time.process_time() - start
        more = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1_000
        print(
            f"P8 bulk import of {len(run.query):,} rows: {ours / bare:.2f}x bare executemany (goal 1.5x), "
            f"{more:.0f} MB above what the rows take"
        )
        import_dataset(
            project.store, Dataset(judgments=judgment_table(run)), Import("imported:qrels", "qrels")
        )
        plain = sqlite3.connect(folder / "plain.db", isolation_level=None)
        plain.execute("PRAGMA synchronous = EXTRA")
        plain.execute("CREATE TABLE grade(value)")

        def commit(number: int) -> None:
            plain.execute("BEGIN IMMEDIATE")
            plain.execute("INSERT INTO grade VALUES (?)", (number,))
            plain.execute("COMMIT")

        bare_times, our_times = [], []
        for block in range(10):
            bare_times += milliseconds(commit, GRADES // 10)
            our_times += milliseconds(
                lambda number, block=block: judging.set_grade(
                    project,  # type: ignore[misc]
                    1 + (number * 211 + block) % QUERIES,
                    1 + (number * 7_919 + block) % 100_000,
                    number % 6,
                ),
                GRADES // 10,
            )
        plain.close()
        more_than = [
            statistics.quantiles(our_times, n=100)[at] - statistics.quantiles(bare_times, n=100)[at]
            for at in (49, 98)
        ]
        print(
            f"P9 one grade beside {QUERIES * JUDGED:,} judgments: {more_than[0]:.1f} ms (p50) and "
            f"{more_than[1]:.1f} ms (p99) above a bare commit (goals 3 and 16 with painting)"
        )
        start = time.process_time()
        findings = integrity.check(project.store.db)
        print(f"a check of all of it: {time.process_time() - start:.1f} s of CPU, {len(findings)} findings")
        project.close()


if __name__ == "__main__":
    main()
