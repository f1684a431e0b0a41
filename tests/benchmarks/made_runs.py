"""Seeded runs and qrels for the benchmarks, and the cost of a program: processor time and peak memory."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

PROGRAM = "from annotator.cli import main; main()"
DEPTH = 1_000
PASSAGES = 8_841_823
QUERIES = int(os.environ.get("ANNOTATOR_BENCH_QUERIES", "6980"))
"""6,980 queries make the 7M rows that the goals are stated for; fewer make a quick look."""


def ids_of(numbers: Sequence[int], long: bool) -> list[str]:
    """Return candidate ids of up to 7 characters, or of 25."""
    return [f"clueweb12-{one:08d}-{one % 97:06d}" if long else str(one) for one in numbers]


def rankings(queries: int, long: bool = False) -> Iterator[tuple[str, list[str], list[float]]]:
    """Yield (query id, candidate ids, scores descending), the same in every call."""
    rng = np.random.default_rng(7)
    for query in range(queries):
        numbers = rng.choice(PASSAGES, DEPTH, replace=False).tolist()
        scores = np.sort(rng.gamma(3, 4, DEPTH))[::-1].tolist()
        yield str(1_000 + query * 151), ids_of(numbers, long), scores


def write_run(path: Path, queries: int = QUERIES, long: bool = False, shuffled: bool = False) -> int:
    """Write a TREC run and return its number of rows."""
    lines = [
        f"{query} Q0 {candidate} {rank} {score:.6f} made"
        for query, candidates, scores in rankings(queries, long)
        for rank, (candidate, score) in enumerate(zip(candidates, scores, strict=True), 1)
    ]
    if shuffled:
        np.random.default_rng(3).shuffle(lines)
    path.write_text("\n".join(lines) + "\n")
    return len(lines)


def write_qrels(path: Path, each: int, queries: int = QUERIES, long: bool = False) -> int:
    """Write `each` judgments a query, two thirds of them retrieved, and return how many there are.

    With one a query every grade is 1, else they are 0 to 3.
    """
    rng = np.random.default_rng(8)
    rows = 0
    with path.open("w") as file:
        for query, candidates, _ in rankings(queries, long):
            retrieved = [candidates[at] for at in rng.choice(DEPTH, max(1, each * 2 // 3), replace=False)]
            missed = [f"x{candidate}" for candidate in retrieved[: each - len(retrieved)]]
            for candidate in retrieved + missed:
                grade = 1 if each == 1 else int(rng.integers(0, 4))
                file.write(f"{query} 0 {candidate} {grade}\n")
                rows += 1
    return rows


@dataclass(frozen=True, slots=True)
class Cost:
    """What a program took: processor seconds of its own and the system's, peak memory in MB."""

    seconds: float
    megabytes: float


MEASURING = """
import os, subprocess, sys
with subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL) as process:
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
print(process.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
"""
"""Run in a small process: a child starts with the peak memory of the process it was forked from."""


def cost(command: Sequence[str], times: int = 2) -> Cost:
    """Run a program and return its lowest cost; raises CalledProcessError when it fails.

    Processor time and not time on the clock: the machine may be busy with other things.
    """
    found = []
    for _ in range(times):
        done = subprocess.run([sys.executable, "-c", MEASURING, *command], stdout=subprocess.PIPE, check=True)
        status, seconds, megabytes = done.stdout.split()
        if int(status):
            raise subprocess.CalledProcessError(int(status), list(command))
        found.append(Cost(float(seconds), float(megabytes)))
    return min(found, key=lambda one: one.seconds)


def ours(qrels: Path, run: Path, measures: Sequence[str]) -> list[str]:
    """Return the command that evaluates with this project."""
    asked = [part for name in measures for part in ("-m", name)]
    return [sys.executable, "-c", PROGRAM, "evaluate", "--qrels", str(qrels), "--run", str(run), *asked]
