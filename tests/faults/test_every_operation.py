"""Every file operation of every verb fails: nothing acknowledged is lost, it is told, a second try works.

As SQLite's own tests do: the n-th operation fails, for every n until none is left to fail.
"""

import json
import os
import platform
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.faults.sweeping import FAULTS
from tests.faults.swept_verbs import VERBS

Ask = Callable[..., Any]
Count = Callable[[int, int], int]

HERE = Path(__file__).parent
ALL = 10_000


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """Return what asks the program of the sweep."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None or platform.system() != "Linux":
        pytest.skip("operations are counted by a library that Linux preloads and a C compiler makes")
    folder = tmp_path_factory.mktemp("sweep")
    calls = folder / "failing_calls.so"
    source = HERE / "failing_calls.c"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", calls, source, "-ldl"], check=True)
    program = subprocess.Popen(
        [sys.executable, "-m", "tests.faults.sweeping", str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=HERE.parents[1],
        env={**os.environ, "LD_PRELOAD": str(calls), "OPENBLAS_NUM_THREADS": "1"},
    )
    stdin, stdout = program.stdin, program.stdout
    assert stdin
    assert stdout

    def asked(*words: object) -> Any:
        stdin.write(json.dumps(words) + "\n")
        stdin.flush()
        return json.loads(stdout.readline())

    with program:
        yield asked
        stdin.close()


@pytest.mark.parametrize("verb", VERBS)
def test_whichever_operation_fails_nothing_is_lost_and_a_second_try_works(
    ask: Ask, verb: str, count: Count, counted: Callable[[str], None]
) -> None:
    chance = random.Random(verb)
    operations, cases, found = ask(verb), 0, []
    for fault in chance.sample(list(FAULTS), count(3, len(FAULTS))):
        there = range(1, operations[fault] + 1)
        for at in chance.sample(there, min(len(there), count(1, ALL))):
            cases += 1
            found += [f"{fault} at {at}: {one}" for one in ask(verb, fault, at)]
    counted(f"{verb}: {cases} operations failed, {len(found)} findings")
    assert found == []
