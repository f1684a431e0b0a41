import numpy as np
import pytest

from annotator.evaluation import judged_rows
from annotator.evaluation.judged_rows import Joined, join

CODES = 50


@pytest.fixture(params=[1, 30, 10**9])
def rows_at_a_time(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Look up one query at a time, a few, and all at once."""
    monkeypatch.setattr(judged_rows, "ROWS", request.param)


def joined(query: np.ndarray, code: np.ndarray, known: np.ndarray) -> Joined:
    starts = np.flatnonzero(np.diff(query, prepend=-1))
    return join(query[starts], np.append(starts, len(query)), code, CODES, known)


def made(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    ranked = np.unique(random.integers(0, 10 * CODES, 200))
    known = np.unique(random.integers(0, 12 * CODES, 150))
    return ranked // CODES, ranked % CODES, known


@pytest.mark.parametrize("seed", range(5))
def test_judged_rows_are_found_with_their_place(rows_at_a_time: None, seed: int) -> None:
    query, code, known = made(seed)
    found = joined(query, code, known)
    place = {key: at for at, key in enumerate(known.tolist())}
    keys = (query * CODES + code).tolist()
    assert found.rows.tolist() == [row for row, key in enumerate(keys) if key in place]
    assert found.at.tolist() == [place[keys[row]] for row in found.rows.tolist()]
    assert found.twice is None


@pytest.mark.parametrize("rows", [1, 10**9])
def test_keys_that_want_the_same_entry_of_the_table_are_told_apart(
    monkeypatch: pytest.MonkeyPatch, rows: int
) -> None:
    monkeypatch.setattr(judged_rows, "ROWS", rows)
    query, code, known = made(3)
    apart = joined(query, code, known)
    monkeypatch.setattr(judged_rows, "MIX", np.uint64(0))
    together = joined(query, code, known)
    assert together.twice is None
    assert (together.rows.tolist(), together.at.tolist()) == (apart.rows.tolist(), apart.at.tolist())


@pytest.mark.parametrize("row", [0, 77, 150])
def test_a_row_that_comes_twice_is_named(rows_at_a_time: None, row: int) -> None:
    query, code, known = made(1)
    query, code = np.insert(query, row, query[row]), np.insert(code, row + 1, code[row])
    twice = joined(query, code, known).twice
    assert twice is not None
    assert (query[twice], code[twice]) == (query[row], code[row])


def test_no_rows_and_nothing_judged_find_nothing(rows_at_a_time: None) -> None:
    none = np.zeros(0, dtype=np.int64)
    query, code, known = made(2)
    assert joined(none, none, known).rows.tolist() == []
    assert joined(query, code, none).rows.tolist() == []
