"""P7: every measure for every query of a project, against fetching all of its ranking rows; CPU time."""

import tempfile
import time
from pathlib import Path

import numpy as np

from annotator.evaluation.options import Options
from annotator.project import project_scores
from annotator.project.project import Project
from annotator.records import Dataset, JudgmentTable, RunTable
from annotator.storage.content.bulk import import_dataset
from annotator.storage.content.contents import Import

QUERIES, JUDGED = 1_000, 20
SIZES = (1_000_000, 7_000_000)
GOALS = (0.2, 2.0)
OPTIONS = Options(
    measures=("AP", "RR", "nDCG@10", "nDCG", "P@10", "R@100", "ERR@10", "RBP", "Bpref", "Rprec")
)


def make(path: Path, rows: int) -> None:
    """Write a project with one run of so many rows and 20 judgments for each of 1,000 queries."""
    random = np.random.default_rng(1)
    depth = rows // QUERIES
    ids = [f"document-{number}" for number in range(2 * depth)]
    queries = [f"q{number}" for number in range(QUERIES)]
    query = np.repeat(np.arange(QUERIES, dtype=np.int32), depth)
    start = random.integers(0, len(ids), QUERIES)
    candidate = ((start[:, None] + np.arange(depth)[None]) % len(ids)).astype(np.int32)
    rank = np.tile(np.arange(1, depth + 1, dtype=np.int32), QUERIES)
    run = RunTable("system", queries, ids, query, candidate.ravel(), rank, 1.0 / rank, "made")
    places = np.sort(random.permuted(np.tile(np.arange(depth), (QUERIES, 1)), axis=1)[:, :JUDGED], axis=1)
    judgments = JudgmentTable(
        queries,
        ids,
        np.repeat(np.arange(QUERIES, dtype=np.int32), JUDGED),
        np.take_along_axis(candidate, places, axis=1).ravel(),
        random.integers(0, 6, QUERIES * JUDGED),
        "made",
    )
    with Project.create(path, "Made") as project:
        import_dataset(project.store, Dataset(runs=[run], judgments=judgments), Import("made", "made"))


def timed(path: Path) -> tuple[float, float]:
    """Return the seconds of opening and evaluating, and of fetching every ranking row."""
    start = time.process_time()
    with Project.open(path, read_only=True) as project:
        project_scores.evaluate_project(project, OPTIONS)
        middle = time.process_time()
        project.store.db.execute("SELECT query, candidate, rank, score FROM ranking").fetchall()
    return middle - start, time.process_time() - middle


def main(sizes: tuple[int, int] = SIZES) -> None:
    """Make a project of each size and print both ratios."""
    with tempfile.TemporaryDirectory() as folder:
        seconds = []
        for rows in sizes:
            path = Path(folder) / f"{rows}.annot"
            make(path, rows)
            timed(path)
            ours, fetching = timed(path)
            seconds.append(ours)
            ratio = ours / fetching
            print(f"P7 {rows:,} rows: {ratio:.2f} of fetching all rows (goal {GOALS[0]}), {ours:.2f} s")
    print(f"P7 {sizes[1]:,} rows take {seconds[1] / seconds[0]:.1f}x of {sizes[0]:,} (goal {GOALS[1]:.0f}x)")


if __name__ == "__main__":
    main()
