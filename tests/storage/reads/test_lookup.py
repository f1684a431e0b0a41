"""Counting a project in short pieces, so that a grade is stored in between."""

from pathlib import Path

import pytest

from annotator.storage.reads import arrays, holdings, lookup
from annotator.storage.store import Store
from tests.storage.projects import empty_store


@pytest.mark.parametrize("piece", [1, 2, 3, 20_000])
def test_what_is_counted_in_pieces_is_the_whole(
    full: Store, piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents, answers = (
        full.db.execute(f"SELECT count(*) FROM candidate WHERE query {test}").fetchone()[0]
        for test in ("IS NULL", "NOT NULL")
    )
    run = holdings.runs(full.db)[0].key
    lengths = full.db.execute("SELECT query, length FROM ranking_length WHERE run = ?", (run,)).fetchall()
    monkeypatch.setattr(lookup, "PIECE", piece)
    monkeypatch.setattr(arrays, "PIECE", piece)
    counts = lookup.counts(full.db)
    assert documents > 3
    assert answers > 0
    assert (counts["documents"], counts["answers"]) == (documents, answers)
    query, length = arrays.lengths(full.db, run)
    assert sorted(lengths) == list(zip(query.tolist(), length.tolist(), strict=True))


def test_nothing_is_counted_in_an_empty_project(tmp_path: Path) -> None:
    with empty_store(tmp_path / "empty.annot") as empty:
        assert set(lookup.counts(empty.db).values()) == {0}
