"""Made-up collections: the same rankings for our kernel and, as dictionaries, for its peers."""

from dataclasses import dataclass

from hypothesis import strategies as st

from annotator.metrics.catalogue import CATALOGUE, parse
from annotator.metrics.collection import Ranked
from annotator.metrics.measures import Measure


@dataclass(frozen=True)
class Listed:
    """One query: (document, score, grade or None) as retrieved, (document, grade) as judged and missed."""

    retrieved: tuple[tuple[str, float, int | None], ...]
    missed: tuple[tuple[str, int], ...]

    @property
    def in_order(self) -> list[tuple[str, float, int | None]]:
        """Score descending, then document id descending."""
        return sorted(self.retrieved, key=lambda row: (row[1], row[0]), reverse=True)

    @property
    def grades(self) -> dict[str, int]:
        return {name: grade for name, _, grade in self.retrieved if grade is not None} | dict(self.missed)


@dataclass(frozen=True)
class Case:
    """A collection of queries."""

    queries: tuple[Listed, ...]

    @property
    def ranked(self) -> Ranked:
        return Ranked.of_rankings(
            [[grade for _, _, grade in one.in_order] for one in self.queries],
            [[grade for _, grade in one.missed] for one in self.queries],
        )

    @property
    def qrels(self) -> dict[str, dict[str, int]]:
        return {f"q{i}": one.grades for i, one in enumerate(self.queries)}

    @property
    def run(self) -> dict[str, dict[str, float]]:
        return {
            f"q{i}": {name: score for name, score, _ in one.retrieved} for i, one in enumerate(self.queries)
        }


@st.composite
def listed(draw: st.DrawFn, lowest: int = 0, highest: int = 5, ties: bool = True, least: int = 0) -> Listed:
    """One query with 1 to 12 documents retrieved, some unjudged, some tied, and up to 5 missed."""
    grade = st.one_of(st.none(), st.integers(lowest, highest))
    grades = draw(st.lists(grade, min_size=1, max_size=12))
    score = st.integers(0, 6 if ties else 1000).map(float)
    scores = draw(st.lists(score, min_size=len(grades), max_size=len(grades), unique=not ties))
    missed = draw(st.lists(st.integers(lowest, highest), min_size=least, max_size=5))
    names = draw(st.permutations([f"d{i:02d}" for i in range(len(grades) + len(missed))]))
    retrieved = tuple(zip(names[: len(grades)], scores, grades, strict=True))
    return Listed(retrieved, tuple(zip(names[len(grades) :], missed, strict=True)))


def cases(
    lowest: int = 0, highest: int = 5, ties: bool = True, least: int = 0, most: int = 3
) -> st.SearchStrategy[Case]:
    """Collections of 1 to `most` queries; `least` documents of each are judged and missed."""
    one = listed(lowest, highest, ties, least)
    return st.lists(one, min_size=1, max_size=most).map(lambda queries: Case(tuple(queries)))


def every_measure(cutoffs: tuple[int, ...] = (3,)) -> list[Measure]:
    """Every measure of grades in the catalogue, whole and cut where it can be."""
    found = []
    for declaration in CATALOGUE:
        if declaration.needs != "grades":
            continue
        at = declaration.at
        if at is None or at.default is None:
            found.append(parse(declaration.key))
        if at is not None and at.name == "recall":
            found += [parse(f"{declaration.key}@{recall}") for recall in (0, 0.4, 1)]
        elif at is not None:
            found += [parse(f"{declaration.key}@{k}") for k in cutoffs]
    return found
