import numpy as np
import pytest

from annotator.errors import DamagedError
from annotator.records import Dataset
from annotator.storage.content.bulk import import_dataset
from annotator.storage.content.contents import Import
from annotator.storage.reads import arrays, holdings
from annotator.storage.store import Store
from tests.storage.projects import run_of

HOW = Import("imported:x", "x.run")


def ids_of(store: Store, pairs: arrays.Pairs) -> list[tuple[str, str]]:
    """Return pairs as external ids."""
    queries = dict(store.db.execute("SELECT id, external FROM query"))
    candidates = dict(store.db.execute("SELECT id, external FROM candidate"))
    keys = zip(pairs.query.tolist(), pairs.candidate.tolist(), strict=True)
    return [(queries[query], candidates[candidate]) for query, candidate in keys]


@pytest.fixture
def deep(store: Store) -> Store:
    """Return a project with two runs of unlike depth, and some judgments."""
    runs = [
        run_of(
            "long",
            {"q0": [f"d{number}" for number in range(6)] + [f"x{n}" for n in range(150)], "q1": ["d5"]},
        ),
        run_of("short", {"q1": ["d2", "d1"], "q2": ["x149"]}),
    ]
    import_dataset(store, Dataset(runs=runs), HOW)
    for candidate in ("d1", "x120", "d5"):
        store.record("Ana", "grade", ("q0", candidate), {"state": "graded", "grade": 2})
    store.record("Ben", "grade", ("q0", "d1"), {"state": "skipped"})
    store.record("Ben", "grade", ("q1", "d1"), {"state": "graded", "grade": 0})
    return store


@pytest.mark.parametrize("piece", [1, 3, 20_000])
def test_a_run_ranks_some_pairs_and_did_not_return_the_others(
    deep: Store, piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrays, "PIECE", piece)
    long, short = holdings.runs(deep.db)
    judged = arrays.judgments(deep.db)
    pairs = arrays.Pairs.of(judged.query, judged.candidate)
    asked = ids_of(deep, pairs)
    found = dict(zip(asked, arrays.ranks(deep.db, long.key, pairs).tolist(), strict=True))
    assert found == {("q0", "d1"): 2, ("q0", "d5"): 6, ("q0", "x120"): 127, ("q1", "d1"): 0}
    found = dict(zip(asked, arrays.ranks(deep.db, short.key, pairs).tolist(), strict=True))
    assert found == dict.fromkeys(asked, 0) | {("q1", "d1"): 2}


@pytest.mark.parametrize(("depth", "size"), [(1, 4), (10, 13), (100, 103), (130, 133), (1_000, 156 + 1)])
def test_the_top_of_a_run_at_any_depth(deep: Store, depth: int, size: int) -> None:
    run = holdings.runs(deep.db)[0]
    found = arrays.top(deep.db, run.key, depth)
    assert len(found.query) == min(depth, 156) + 1
    assert len(arrays.pools(deep.db, depth).query) >= size - 2


def test_judgments_come_as_columns(deep: Store) -> None:
    found = arrays.judgments(deep.db)
    states = [arrays.STATES[code] for code in found.state.tolist()]
    assert states == ["graded", "graded", "graded", "skipped", "graded"]
    assert found.grade.tolist() == [2, 2, 2, -1, 0]
    bens = arrays.judgments(deep.db, found.annotator[-1])
    assert (len(bens.query), bens.where(bens.grade >= 0).grade.tolist()) == (2, [0])


def test_a_run_is_read_back_as_the_table_it_came_from(deep: Store) -> None:
    table = arrays.run_table(deep.db, holdings.runs(deep.db)[0])
    ids = np.array(table.candidate_ids, dtype=object)[table.candidate]
    assert table.query_ids == ["q0", "q1"]
    assert ids[table.query == 0].tolist()[:7] == ["d0", "d1", "d2", "d3", "d4", "d5", "x0"]
    assert table.score is not None
    assert table.score[:2].tolist() == [1.0, 0.5]


def test_no_rows_are_empty_columns(store: Store) -> None:
    assert arrays.judgments(store.db).query.shape == (0,)
    assert arrays.pools(store.db, 10).codes.shape == (0,)


def test_what_is_no_number_is_damage() -> None:
    with pytest.raises(DamagedError, match="no number"):
        arrays.table([(1, None)], 2)


def test_a_run_that_lost_its_lengths_has_no_top(deep: Store) -> None:
    with deep.writing() as db:
        db.execute("DELETE FROM ranking_length")
    assert arrays.top(deep.db, 1, 10).query.shape == (0,)
    assert list(arrays.rankings(deep.db, 1)) == []
