"""Whether annotators grade otherwise once they are no longer blind."""

from dataclasses import dataclass

import numpy as np

from annotator.evaluation.statistics import Estimate, difference_of_means
from annotator.storage.reads import lookup
from annotator.storage.reads.states import State


@dataclass(frozen=True, slots=True)
class BlindShift:
    """How many grades an annotator gave blind and after seeing scores or systems, the means and the shift."""

    annotator: str
    blind: int
    seen: int
    blind_mean: float
    seen_mean: float
    shift: Estimate


def blind_shifts(state: State) -> list[BlindShift]:
    """Return the shift of everybody who has given grades both blind and after.

    Grades that were changed later count as they were given, each time; what was undone too.
    """
    names = {key: name for key, name, *_ in state.annotators}
    with state.rows() as db:
        annotator, was_blind, grade = lookup.given_grades(
            db, state.until, [one.id for one in state.practice.values()]
        )
    shifts = []
    for key in np.unique(annotator).tolist():
        mine = annotator == key
        blind, seen = grade[mine & (was_blind == 1)], grade[mine & (was_blind == 0)]
        if len(blind) and len(seen):
            shift = difference_of_means(blind, seen)
            means = float(blind.mean()), float(seen.mean())
            shifts.append(BlindShift(names[key], len(blind), len(seen), *means, shift))
    return shifts
