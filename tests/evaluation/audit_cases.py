"""What audits are simulated on: two systems over judged queries, and models that stand in for people."""

import gzip
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from annotator.evaluation.audit import Population
from annotator.evaluation.next_judgment import UNJUDGED, TwoRankings, leverage

HIGHEST = 5.0

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Case:
    """Two systems' tops with everybody's true grades: one row per pair of query and candidate."""

    query: NDArray[np.int64]
    first: NDArray[np.int64]
    second: NDArray[np.int64]
    grade: NDArray[np.int64]
    depth: int

    @property
    def pull(self) -> Floats:
        return leverage(self.rankings, self.depth)

    @property
    def rankings(self) -> TwoRankings:
        return TwoRankings(self.query, self.first, self.second, np.full(len(self.query), UNJUDGED))

    @property
    def truth(self) -> float:
        """By how much the second system is better when everything is judged."""
        return float(self.pull @ self.grade)

    def population(self, model: Floats | None = None) -> tuple[Population, Floats]:
        """Return the pairs that can be drawn and what they gain, the model's grades as predictions."""
        rows = np.flatnonzero(self.pull)
        weight = self.pull[rows] * HIGHEST
        predicted = np.zeros(len(rows)) if model is None else model[rows] / HIGHEST
        return Population(weight, np.abs(weight), predicted), self.grade[rows] / HIGHEST


def of_rankings(grades: dict[str, int], rankings: list[tuple[list[str], list[str]]], depth: int) -> Case:
    """Return two systems' tops, one pair of rankings for each query; what has no grade is not relevant."""
    rows = []
    for query, (first, second) in enumerate(rankings):
        places = [{name: rank for rank, name in enumerate(one[:depth], 1)} for one in (first, second)]
        rows += [
            (query, places[0].get(name, 0), places[1].get(name, 0), grades.get(name, 0))
            for name in sorted(set(places[0]) | set(places[1]))
        ]
    return Case(*np.array(rows, dtype=np.int64).T, depth)


@cache
def robust(folder: Path, depth: int) -> Case:
    """Return the two official runs of TREC's Robust track 2003 with the assessors' grades."""
    grades, rankings = robust_grades(folder), []
    runs = [_run(folder / f"robust03/{name}.gz") for name in ("NLPR03vb10", "uic0301")]
    for query in sorted(runs[0]):
        rankings.append(tuple([f"{query} {name}" for name in run[query]] for run in runs))
    return of_rankings(
        {f"{q} {d}": g for q, some in grades.items() for d, g in some.items()}, rankings, depth
    )


@cache
def robust_grades(folder: Path) -> dict[str, dict[str, int]]:
    """Return the assessors' grades by query and document."""
    grades: dict[str, dict[str, int]] = {}
    with gzip.open(folder / "robust03/robust03_qrels.txt.gz", "rt") as file:
        for line in file:
            query, _, document, grade = line.split()
            grades.setdefault(query, {})[document] = max(0, int(grade))
    return grades


def _run(path: Path) -> dict[str, list[str]]:
    rows: dict[str, list[tuple[float, str]]] = {}
    with gzip.open(path, "rt") as file:
        for line in file:
            query, _, document, _, score, _ = line.split()
            rows.setdefault(query, []).append((float(score), document))
    return {query: [name for _, name in sorted(some, reverse=True)] for query, some in rows.items()}


def drawn_grades(seed: int, queries: int = 60) -> dict[str, dict[str, int]]:
    """Return judgments as a collection has them: few good candidates, more the deeper one looks."""
    random = np.random.default_rng(seed)
    share = (0.62, 0.16, 0.1, 0.06, 0.04, 0.02)
    return {
        f"q{query}": {f"d{one}": int(grade) for one, grade in enumerate(random.choice(6, 120, p=share))}
        for query in range(queries)
    }


def reranker_against_recall(grades: dict[str, dict[str, int]], seed: int) -> Case:
    """Return a system with ten good candidates in a bad order, and a reranker with few, in the best order.

    The reranker has the better first ranks and loses over the ten, as when a strong reranker stands behind
    weak retrieval.
    """
    random = np.random.default_rng(seed)
    flat, rankings = {}, []
    for query, some in grades.items():
        names = [f"{query} {name}" for name in some]
        flat |= dict(zip(names, some.values(), strict=True))
        best = sorted(names, key=lambda one: -flat[one])[:40]
        if flat[best[9]] == 0:
            continue
        recall = sorted(best[:10], key=lambda one: flat[one] + random.normal(0, 0.2))
        rest = [one for one in names if one not in recall]
        poor = [*random.permutation(best[10:14])[:2], *random.permutation(rest)[:12]]
        reranked = sorted(dict.fromkeys(poor), key=lambda one: -flat[one])[:9]
        rankings.append((recall, [str(one) for one in (best[0], *reranked)]))
    return of_rankings(flat, rankings, 10)


def alike(grades: dict[str, dict[str, int]], depth: int) -> Case:
    """Return two systems that rank the same judged candidates by their grades, one with more noise."""
    random = np.random.default_rng(5)
    flat, rankings = {}, []
    for query, some in grades.items():
        names = [f"{query} {name}" for name in some]
        flat |= dict(zip(names, some.values(), strict=True))
        both = [sorted(names, key=lambda one: -flat[one] + random.normal(0, noise)) for noise in (3.0, 2.0)]
        rankings.append((both[0], both[1]))
    return of_rankings(flat, rankings, depth)


def tuned_model(case: Case, seed: int) -> Floats:
    """Return the grades of a model that likes what the first system ranks high, whatever people say."""
    random = np.random.default_rng(seed)
    liked = np.where(case.first > 0, 5.0 - case.first / 4, 0.0)
    return np.clip(np.round(liked + random.normal(0, 0.5, len(liked))), 0, 5)


def noise_model(case: Case, seed: int) -> Floats:
    """Return grades that have nothing to do with anything."""
    return np.random.default_rng(seed).integers(0, 6, len(case.grade)).astype(np.float64)


def good_model(case: Case, seed: int) -> Floats:
    """Return people's grades, one off here and there."""
    random = np.random.default_rng(seed)
    return np.clip(case.grade + random.choice((-1, 0, 0, 1), len(case.grade)), 0, 5).astype(np.float64)
