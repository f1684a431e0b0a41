"""A data set with something of everything, and a project filled with it by two annotators."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from annotator.records import (
    Answer,
    Dataset,
    Document,
    GoldAnswer,
    GoldList,
    JudgmentTable,
    Query,
    RunTable,
    answer_id,
)
from annotator.storage.content.bulk import import_dataset
from annotator.storage.content.contents import Import
from annotator.storage.ledger import undo_stack
from annotator.storage.store import Store


def empty_store(path: Path) -> Store:
    """Make an empty project file and open it for writing."""
    with Store.create(path):
        pass
    return Store.open(path)


def run_of(system: str, rankings: dict[str, Sequence[str]]) -> RunTable:
    """Return a run from ids in ranking order."""
    queries = list(rankings)
    candidates = sorted({one for ranking in rankings.values() for one in ranking})
    rows = [
        (queries.index(query), candidates.index(one), rank)
        for query, ranking in rankings.items()
        for rank, one in enumerate(ranking, 1)
    ]
    columns = np.array(rows, dtype=np.int32).T
    return RunTable(
        system, queries, candidates, *columns, 1 / columns[2].astype(float), source=f"{system}.run"
    )


def whole_dataset() -> Dataset:
    """Return a data set with something of everything."""
    thor = answer_id("q1", "Thor")
    return Dataset(
        queries=[Query("q1", "Who came?", ("short", "é")), Query("q2", "parking", fields={"site": 3})],
        documents=[Document("d1", "Hours", "Open from nine."), Document("d2", "", "Park behind the house.")],
        answers=[Answer("q1", "Thor", "Thor came.", 0, 4), Answer("q1", "")],
        runs=[run_of("bm25", {"q1": [thor], "q2": ["d2", "d1", "d3"]}), run_of("dense", {"q2": ["d1"]})],
        judgments=JudgmentTable(
            ["q1", "q2"],
            ["d1", "d2", "d9"],
            np.array([0, 1, 1], dtype=np.int32),
            np.array([0, 1, 2], dtype=np.int32),
            np.array([5, 4, 0]),
            "qrels.txt",
        ),
        gold=[GoldList("q1", (GoldAnswer("Thor", ("the thunderer",)),)), GoldList("q2", unanswerable=True)],
    )


def fill(store: Store) -> None:
    """Import `whole_dataset` and let two annotators do something of everything."""
    import_dataset(store, whole_dataset(), Import("imported:qrels", "qrels.txt"))
    store.record("Ana", "grade", ("q2", "d1"), {"state": "graded", "grade": 3}, milliseconds=900)
    store.record("Ben", "grade", ("q2", "d1"), {"state": "cannot_tell", "reason": "cut off"})
    store.record("Ana", "grade", ("q2", "d2"), {"flag": True, "note": "later"})
    store.record(
        "Ana", "gold", ("q2",), {"answers": [{"text": "behind", "document": "d2", "start": 5, "end": 11}]}
    )
    store.record("Ana", "query", ("q1",), {"note": "easy", "difficulty": "low"})
    store.record("Ana", "setting", ("pool_depth",), 20)
    store.record("Ana", "snapshot", ("first",), {"measures": ["AP"]})
    store.record("Ana", "unblind", ("q1",), True)
    store.record("Ana", "adjudication", ("q2", "d1"), {"grade": 4, "reason": ""})
    store.record("Ana", "grade", ("q2", "d1"), {"state": "graded", "grade": 4})
    undo_stack.undo(store, "Ana")
