"""Runs that are stored while they are read: the same as runs held whole, in memory that stays flat."""

import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.errors import InputError, Stopped
from annotator.formats import trec_run
from annotator.formats.declaration import Reading
from annotator.project import data_import
from annotator.project.data_import import ImportChoices
from annotator.project.project import Project
from annotator.storage.care import integrity
from annotator.storage.content import bulk
from annotator.storage.content.bulk import import_dataset
from annotator.storage.content.contents import Import
from annotator.storage.reads import holdings
from annotator.watch import Watch

DEPTH = 50


def write_run(path: Path, queries: int, offset: int = 0) -> Path:
    """Write a run whose candidates are mostly new ones in each query, some of them tied."""
    with path.open("w") as file:
        for query in range(queries):
            for rank in range(DEPTH):
                candidate = f"doc-{(query * 37 + rank * 7919) % 1_000_003:07}"
                file.write(f"q{query + offset} Q0 {candidate} {rank + 1} {(DEPTH - rank) // 2} bm25\n")
    return path


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let ten queries be a batch, and the blocks of a file hold some fifty."""
    monkeypatch.setattr(bulk, "BATCH", 10 * DEPTH)
    monkeypatch.setattr(bulk, "ROWS", 3 * DEPTH)
    monkeypatch.setattr("annotator.formats.text_lines.BLOCK", 80_000)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Project.create(tmp_path / "long.annot", "Long", annotator="Ana") as made:
        yield made


@pytest.mark.usefixtures("small_batches")
def test_a_run_stored_in_pieces_is_the_run_stored_whole(project: Project, tmp_path: Path) -> None:
    path = write_run(tmp_path / "bm25.run", 120)
    data_import.run_import(project, data_import.plan_import(project, [path], ImportChoices(system="pieces")))
    whole = trec_run.FORMAT.read(path, Reading("whole"))
    import_dataset(project.store, whole, Import("Ana", path.name, "person"))
    one, other = holdings.runs(project.store.db)
    assert (one.digest, one.queries, one.rows) == (other.digest, 120, 120 * DEPTH)
    assert integrity.check(project.store.db) == []


@pytest.mark.usefixtures("small_batches")
def test_a_run_whose_queries_are_mixed_is_taken_too(project: Project, tmp_path: Path) -> None:
    lines = write_run(tmp_path / "bm25.run", 60).read_text().splitlines(keepends=True)
    mixed = tmp_path / "mixed.run"
    mixed.write_text("".join(lines[start] for shift in range(DEPTH) for start in range(shift, 3000, DEPTH)))
    data_import.run_import(
        project, data_import.plan_import(project, [tmp_path / "bm25.run"], ImportChoices(system="sorted"))
    )
    data_import.run_import(project, data_import.plan_import(project, [mixed], ImportChoices(system="mixed")))
    one, other = holdings.runs(project.store.db)
    assert one.digest == other.digest


@pytest.mark.usefixtures("small_batches")
def test_memory_follows_the_batch_and_not_the_length_of_the_run(project: Project, tmp_path: Path) -> None:
    def most(system: str, queries: int, offset: int) -> int:
        path = write_run(tmp_path / f"{system}.run", queries, offset)
        tracemalloc.start()
        data_import.run_import(
            project, data_import.plan_import(project, [path], ImportChoices(system=system))
        )
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return peak

    most("first", 20, 0)
    assert most("long", 500, 1_000) < 1.5 * most("short", 80, 2_000)


@pytest.mark.usefixtures("small_batches")
def test_somebody_may_look_and_stop_at_every_chunk(project: Project, tmp_path: Path) -> None:
    plan = data_import.plan_import(project, [write_run(tmp_path / "bm25.run", 100)])
    told: list[int] = []
    watch = Watch("", lambda done, total, what: told.append(done), lambda: max(told, default=0) > 0)
    with pytest.raises(Stopped):
        data_import.run_import(project, plan, watch)
    assert len(told) > 10 * DEPTH / bulk.ROWS
    assert holdings.runs(project.store.db) == []


def test_a_file_that_was_changed_since_the_look_is_not_imported(project: Project, tmp_path: Path) -> None:
    path = write_run(tmp_path / "bm25.run", 3)
    plan = data_import.plan_import(project, [path])
    write_run(path, 4)
    with pytest.raises(InputError, match="was changed after it was looked at"):
        data_import.run_import(project, plan)
    assert holdings.runs(project.store.db) == []
