"""Tiny collections of which every order can be tried, and measures with parameters as declared, drawn."""

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import numpy as np
from hypothesis import strategies as st

from annotator.metrics.answers import MATCHES
from annotator.metrics.collection import Ranked
from annotator.metrics.measures import Declaration, Measure
from annotator.metrics.parameters import LIMITS, Parameter
from annotator.metrics.ties import Ties, find

HIGHEST = 3
Grades = tuple[int | None, ...]

WITHIN = {"rel": HIGHEST + 1, "max_rel": HIGHEST + 1, "k": 4, "recall": 1.0, "beta": 3.0, "threshold": 1.0}
"""Values above these do nothing in a tiny ranking that these do not."""


@dataclass(frozen=True)
class Tiny:
    """One query: grades in ranking order (None is unjudged), their scores, the grades of what was missed."""

    grades: Grades
    scores: tuple[int, ...]
    missed: tuple[int, ...]

    @property
    def ranked(self) -> Ranked:
        return ranked_of([self.grades], [self.missed])

    @property
    def ties(self) -> Ties:
        """The groups of the judged candidates."""
        n = len(self.grades)
        found = find(np.zeros(n, dtype=np.int64), np.array(self.scores, dtype=np.float64))
        return found.at(np.array([grade is not None for grade in self.grades], dtype=bool))

    @property
    def orders(self) -> list[Grades]:
        """Every order of candidates with the same score."""
        rows = zip(self.scores, self.grades, strict=True)
        groups = [
            [grade for _, grade in group] for _, group in itertools.groupby(rows, key=lambda row: row[0])
        ]
        parts = [sorted(set(itertools.permutations(group)), key=str) for group in groups]
        return [tuple(itertools.chain(*order)) for order in itertools.product(*parts)]


def ranked_of(rankings: Sequence[Grades], missed: Sequence[Sequence[int]]) -> Ranked:
    return Ranked.of_rankings(rankings, missed)


def arrangements(candidates: Iterable[int | None], least: int = 0) -> list[Grades]:
    """Every order of every choice of at least so many candidates."""
    all_of = list(candidates)
    found = (
        order for size in range(least, len(all_of) + 1) for order in itertools.permutations(all_of, size)
    )
    return list(dict.fromkeys(found))


@st.composite
def tiny(draw: st.DrawFn, lowest: int = -1, longest: int = 4, missed: int = 2) -> Tiny:
    """One query with up to `longest` candidates retrieved, some unjudged, some tied, and some missed."""
    grade = st.integers(lowest, HIGHEST)
    grades = draw(st.lists(st.none() | grade, max_size=longest))
    scores = draw(st.lists(st.integers(0, 2), min_size=len(grades), max_size=len(grades)))
    return Tiny(
        tuple(grades), tuple(sorted(scores, reverse=True)), tuple(draw(st.lists(grade, max_size=missed)))
    )


def measures(declaration: Declaration) -> st.SearchStrategy[Measure]:
    """The measure with every parameter drawn from what the declaration says it can be."""
    drawn = {one.name: values(one) for one in declaration.named}
    at = values(declaration.at) if declaration.at is not None else st.none()
    return st.builds(lambda at, given: declaration.bind(at, **given), at, st.fixed_dictionaries(drawn))


def values(parameter: Parameter) -> st.SearchStrategy[Any]:
    """What a parameter can be: anything that its type and its limits allow."""
    return _of_hint(parameter.hint, parameter.name)


def _of_hint(hint: Any, name: str) -> st.SearchStrategy[Any]:
    if get_origin(hint) is Literal:
        return st.sampled_from(get_args(hint))
    if get_origin(hint) in (Union, UnionType):
        return st.one_of(_of_hint(one, name) for one in get_args(hint))
    if get_origin(hint) is dict:
        return st.dictionaries(st.integers(0, HIGHEST), st.integers(0, 4), min_size=1).map(_rising)
    low, high, _ = LIMITS.get(name, (1 if name == "k" else 0, math.inf, ""))
    high = min(high, WITHIN.get(name, high))
    plain: dict[Any, st.SearchStrategy[Any]] = {
        NoneType: st.none(),
        bool: st.booleans(),
        int: st.integers(int(low), int(high)) if high < math.inf else st.nothing(),
        float: st.floats(low, high) if high < math.inf else st.nothing(),
        str: st.sampled_from(sorted(MATCHES)),
    }
    return plain[hint]


def _rising(gains: dict[int, int]) -> dict[int, float]:
    return dict(zip(sorted(gains), map(float, sorted(gains.values())), strict=True))
