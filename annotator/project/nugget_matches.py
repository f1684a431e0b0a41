"""What the answers that systems rank first say of the nuggets: combined over annotators as grades are."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotator.evaluation.options import Options
from annotator.metrics.judged_parts import UNSAID
from annotator.metrics.nuggets import NuggetTable
from annotator.project.judged_by import by
from annotator.project.nuggets import Nugget, nuggets_of
from annotator.project.state import qrels_of
from annotator.storage.ledger.current_values import known_keys
from annotator.storage.reads import arrays
from annotator.storage.reads.states import State
from annotator.tasks import NUGGET, SUPPORT, Task, settling


@dataclass(frozen=True, slots=True)
class NuggetMatches:
    """The nuggets of each query (by key), and how far candidates (by key) support them (by id)."""

    queries: Mapping[int, tuple[Nugget, ...]]
    levels: Mapping[tuple[int, int, *tuple[str, ...]], int]

    def table(self, db: sqlite3.Connection, run: int, queries: NDArray[np.int64]) -> NuggetTable:
        """Return a run's answers at rank 1 beside the nuggets of some queries (keys, ascending)."""
        first = arrays.firsts(db, run)
        rows = [
            (at, one, self.levels.get((key, first.get(key, 0), one.id), UNSAID))
            for at, key in enumerate(queries.tolist())
            for one in self.queries.get(key, ())
        ]
        return NuggetTable(
            np.array([at for at, _, _ in rows], np.int64),
            np.array([one.importance == "vital" for _, one, _ in rows], np.bool_),
            np.array([level for _, _, level in rows], np.int64),
            np.array([key in first for key in queries.tolist()], np.bool_),
            tuple(one.text for _, one, _ in rows),
        )


def nugget_matches(state: State, db: sqlite3.Connection, options: Options) -> NuggetMatches | None:
    """Return the nuggets of a state and what was said of them; None where there are none."""
    keys = {one.id: key for key, one in state.queries.items()}
    stored: dict[int, list[tuple[str, Mapping[str, object]]]] = {}
    for said in state.said.get(NUGGET.name, ()):
        query, name = said.subject
        if query in keys and "into" not in said.value:
            stored.setdefault(keys[query], []).append((name, said.value))
    if not stored:
        return None
    queries = {key: nuggets_of(some) for key, some in stored.items()}
    return NuggetMatches(queries, levels_of(state, db, SUPPORT, options))


def levels_of(
    state: State, db: sqlite3.Connection, task: Task, options: Options
) -> dict[tuple[int, int, *tuple[str, ...]], int]:
    """Return what was said under a task, combined as grades are, by query and candidate (keys) and ending."""
    if not {task.name, settling(task).name} & state.said.keys():
        return {}
    said = by(state, task.name)
    qrels = qrels_of(said, options)
    candidates = known_keys(db, "candidate", {one[1] for one in said.items})
    found = zip(qrels.pairs.query.tolist(), qrels.pairs.candidate.tolist(), qrels.grade.tolist(), strict=True)
    of = [(query, said.items[at], level) for query, at, level in found]
    return {(query, candidates[one[1]], *one[2:]): level for query, one, level in of}
