"""Each fast path is taken for what it was made for: the slow one beside it would raise here.

Both give the same, which other tests hold; without these, nobody would notice that only the slow one is left.
"""

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import numpy as np
import pandas as pd
import pytest

from annotator import api
from annotator.evaluation import tables
from annotator.formats import hits, judged_pairs, trec_run
from annotator.formats.declaration import Reading
from annotator.project import files
from annotator.text import normalisers

QRELS = b"q1 0 d1 3\nq1 0 d2 0\nq2 0 d1 1\n"
RUNS = {
    "blanks": b"q1 Q0 d1 1 2.5 sys\nq1 Q0 d2 2 1.5 sys\nq2 Q0 d1 1 0.5 sys\n",
    "tabs": b"q1\tQ0\td1\t1\t2.5\tsys\nq2\tQ0\td1\t1\t0.5\tsys\n",
    "Windows' line ends": b"q1 Q0 d1 1 2.5 sys\r\nq2 Q0 d1 1 0.5 sys\r\n",
    "whole and negative scores": b"q1 Q0 d1 1 -2 sys\nq2 Q0 d1 1 -0.25 sys\n",
    "tied scores": b"q1 Q0 d1 1 1 sys\nq1 Q0 d2 2 1 sys\n",
    "many blanks": b"q1  Q0   d1 1 2.5   sys\nq2 Q0 d1 1 0.5 sys  \n",
    "no last line end": b"q1 Q0 d1 1 2.5 sys",
    "queries mixed": b"q1 Q0 d1 1 2.5 sys\nq2 Q0 d1 1 0.5 sys\nq1 Q0 d2 2 1.5 sys\n",
}


def refuse(*_: object, **__: object) -> NoReturn:
    raise AssertionError("the slow path was taken")


@pytest.fixture(params=RUNS)
def run(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "sys.run"
    path.write_bytes(RUNS[request.param])
    return path


@pytest.fixture
def qrels(tmp_path: Path) -> Path:
    path = tmp_path / "judged.qrels"
    path.write_bytes(QRELS)
    return path


def packed(path: Path) -> Path:
    """Return the same file, gzipped."""
    other = path.with_name(f"{path.name}.gz")
    other.write_bytes(gzip.compress(path.read_bytes()))
    return other


@pytest.mark.parametrize("made", [lambda path: path, packed], ids=["plain", "gzipped"])
def test_trec_files_are_evaluated_by_columns(
    run: Path, qrels: Path, made: Callable[[Path], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trec_run, "read_plainly", refuse)
    monkeypatch.setattr(hits, "hits_of_table", refuse)
    monkeypatch.setattr(judged_pairs, "qrels_of_table", refuse)
    assert files.collection_of_runs(made(qrels), [made(run)], []).systems[0].ranked.rank.tolist()


def test_a_trec_run_is_imported_by_columns(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trec_run, "read_plainly", refuse)
    assert trec_run.read(run, Reading()).runs[0].query_ids[0] == "q1"
    mixed = b"q2" in run.read_bytes().partition(b"\nq1")[0] and run.read_bytes().count(b"q1") > 1
    assert len(trec_run.read(run, Reading(in_pieces=True)).long_runs) == (not mixed)


@pytest.mark.parametrize("first", [0, 10**12], ids=["small ids", "large ids that lie close together"])
def test_numbers_as_ids_are_looked_up_in_tables(first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [(first + query, first + document, 3 - document % 4) for query in (1, 2) for document in range(9)]
    qrels = pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance"])
    run = pd.DataFrame(
        [(query, document, -document) for query, document, _ in rows], columns=["query_id", "doc_id", "score"]
    )
    expected = api.evaluate(qrels, run, ["nDCG@10"]).mean("nDCG@10")
    monkeypatch.setattr(np, "unique", refuse)
    monkeypatch.setattr(tables, "_text", refuse)
    monkeypatch.setattr(tables, "_ordered", refuse)  # rows that stand best first are not sorted
    assert api.evaluate(qrels, run, ["nDCG@10"]).mean("nDCG@10") == expected


def test_many_texts_are_normalised_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["The Infinity Gauntlet!", "", "a  an the", "été — “Thor”", "two\nlines"]
    for name in normalisers.NORMALISERS:
        expected = [normalisers.compared(one, name) for one in texts]
        with monkeypatch.context() as patch:
            patch.setattr(normalisers, "tokens", refuse)
            assert normalisers.compared_all(texts, name) == expected
