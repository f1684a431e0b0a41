"""P1, P3, P4, P5: evaluating files, as a whole process, against trec_eval built with -O3.

The environment variable TREC_EVAL names its binary; without it only our own cost is printed.
"""

import os
import tempfile
from pathlib import Path

from tests.benchmarks.made_runs import QUERIES, cost, ours, write_qrels, write_run

MEASURES = ("nDCG@10", "AP", "RR")
THEIRS = ("-m", "ndcg_cut.10", "-m", "map", "-m", "recip_rank")


def compare(what: str, qrels: Path, run: Path, goal: float, memory_goal: float | None = None) -> None:
    """Print one line: how many times faster, and how much of the memory."""
    mine = cost(ours(qrels, run, MEASURES))
    binary = os.environ.get("TREC_EVAL")
    if not binary:
        print(f"{what}: ours {mine.seconds:.2f} s, {mine.megabytes:.0f} MB (set TREC_EVAL for the ratio)")
        return
    theirs = cost([binary, *THEIRS, str(qrels), str(run)])
    print(f"{what}: {theirs.seconds / mine.seconds:.1f}x (goal {goal:g}x)", end="")
    if memory_goal is not None:
        print(f"; P4 memory {mine.megabytes / theirs.megabytes:.2f}x (goal {memory_goal:.2f}x)", end="")
    print(f"; ours {mine.seconds:.2f} s, {mine.megabytes:.0f} MB")


def main() -> None:
    """Print every ratio."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run, binary, graded = folder / "run", folder / "binary", folder / "graded"
        rows = write_run(run)
        write_qrels(binary, 1)
        compare(f"P1 {rows:,} rows, binary", binary, run, 5, 0.10)
        judged = write_qrels(graded, 100)
        compare(f"P3 {judged:,} graded judgments", graded, run, 3, 0.30)
        judged = write_qrels(graded, 143)
        compare(f"P5 {judged:,} judged rows", graded, run, 1)
        write_run(run, shuffled=True)
        compare("P5 a shuffled run", binary, run, 1.5)
        write_run(run, long=True)
        write_qrels(graded, 100, long=True)
        compare("P3 ids of 25 characters", graded, run, 3)
        write_run(run, QUERIES // 4)
        quarter, full = (cost(ours(binary, one, MEASURES), 1).megabytes for one in (run, _full(folder)))
        print(f"P4 memory of four times the rows: {full / quarter:.2f}x (flat is 1x)")


def _full(folder: Path) -> Path:
    write_run(folder / "full")
    return folder / "full"


if __name__ == "__main__":
    main()
