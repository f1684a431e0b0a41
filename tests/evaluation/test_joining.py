import numpy as np
import pytest

from annotator.evaluation import joining
from annotator.evaluation.joining import join

CODES = 50


@pytest.fixture(params=["by blocks", "by sorting"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Force one of the two ways: tiny blocks that hold 3 queries, or none at all."""
    monkeypatch.setattr(joining, "TABLE", 3 * CODES)
    monkeypatch.setattr(joining, "ROWS_OF_A_BLOCK", 0 if request.param == "by blocks" else 10**9)
    return request.param


def made(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    ranked = np.unique(random.integers(0, 10 * CODES, 200))
    known = np.unique(random.integers(0, 12 * CODES, 150))
    return ranked // CODES, ranked % CODES, known


@pytest.mark.parametrize("seed", range(5))
def test_judged_rows_are_found_with_their_place(way: str, seed: int) -> None:
    query, code, known = made(seed)
    found = join(query, code, CODES, known)
    place = {key: at for at, key in enumerate(known.tolist())}
    keys = (query * CODES + code).tolist()
    assert found.rows.tolist() == [row for row, key in enumerate(keys) if key in place]
    assert found.at.tolist() == [place[keys[row]] for row in found.rows.tolist()]
    assert found.twice is None


@pytest.mark.parametrize("row", [0, 77, 150])
def test_a_row_that_comes_twice_is_named(way: str, row: int) -> None:
    query, code, known = made(1)
    query, code = np.insert(query, row, query[row]), np.insert(code, row + 1, code[row])
    twice = join(query, code, CODES, known).twice
    assert twice is not None
    assert (query[twice], code[twice]) == (query[row], code[row])


def test_no_rows_and_nothing_judged_find_nothing(way: str) -> None:
    none = np.zeros(0, dtype=np.int64)
    query, code, known = made(2)
    assert join(none, none, CODES, known).rows.tolist() == []
    assert join(query, code, CODES, none).rows.tolist() == []
