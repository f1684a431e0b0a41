"""Everybody's grades side by side: a row for each query and candidate, a column for each annotator."""

from collections.abc import Container
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotator import grades
from annotator.project.state import judged_of
from annotator.storage.reads import arrays
from annotator.storage.reads.states import State

Ints = NDArray[np.int64]

NO_GRADE = -1


@dataclass(frozen=True, slots=True, eq=False)
class Graded:
    """All grades as a table: `table[i, a]` is annotator a's grade of pair i, -1 for none."""

    names: tuple[str, ...]
    models: tuple[bool, ...]
    pairs: arrays.Pairs
    table: Ints

    @property
    def people(self) -> list[int]:
        """The columns that are no model's."""
        return [at for at, model in enumerate(self.models) if not model]

    def called(self, named: bool) -> dict[str, str]:
        """Return what people are called where they have numbers unless `named`, in the order of a result."""
        return {
            self.names[at]: self.names[at] if named else f"annotator {number}"
            for number, at in enumerate(self.people, 1)
        }


def graded_of(state: State, only: Container[str] | None = None) -> Graded:
    """Return all grades, or those of some queries; who graded nothing at all is left out."""
    who = [(key, name, kind) for key, name, kind, graded, _ in state.annotators if graded]
    judged = judged_of(state, only)
    judged = judged.where(judged.grade >= 0)
    codes = (judged.query << 32) | judged.candidate
    distinct, row = np.unique(codes, return_inverse=True)
    keys = np.array([key for key, _, _ in who], np.int64)
    order = np.argsort(keys)
    table = np.full((len(distinct), len(who)), NO_GRADE, np.int64)
    if len(who):
        table[row, order[np.searchsorted(keys[order], judged.annotator)]] = judged.grade
    return Graded(
        tuple(name for _, name, _ in who),
        tuple(kind == "model" for _, _, kind in who),
        arrays.Pairs(distinct >> 32, distinct & 0xFFFFFFFF),
        table,
    )


def ranges(table: Ints) -> Ints:
    """Return the distance of the highest from the lowest grade of each row, -1 below two grades."""
    there = table != NO_GRADE
    high = table.max(axis=1, initial=NO_GRADE)
    low = np.where(there, table, grades.HIGHEST).min(axis=1, initial=grades.HIGHEST)
    return np.where(there.sum(axis=1) >= 2, high - low, -1)
