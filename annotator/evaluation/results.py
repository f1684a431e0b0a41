"""What an evaluation hands back: one value that the panels show, the reports write and the CLI prints."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from annotator.evaluation.options import Options

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from annotator.metrics.measures import Measure


@dataclass(frozen=True, slots=True)
class Assigned:
    """Who was to judge what, and how far it is: terms, the identity of the event, and sums over the people.

    `shares` are parts in proportion, or with `numbers` numbers of queries; `judgments` are those that each
    candidate needs. `places` counts a candidate once for each person who is to judge it, `decided` those of
    them that are graded, skipped or could not be told.
    """

    shares: tuple[tuple[str, int], ...]
    numbers: bool
    judgments: int
    seed: int
    event: str
    queries: int
    places: int
    decided: int


@dataclass(frozen=True, slots=True)
class PartJudges:
    """Who judged how many parts of answers that measures read, as `nuggets`; so many were settled."""

    what: str
    names: tuple[str, ...]
    counts: tuple[int, ...]
    settled: int


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a result comes from, printed with it so that it can be made again.

    `command` reproduces the result; `ledger_head` is the hash that an altered ledger would not have;
    `changed` is the time of the last change of what was evaluated (UTC ms), never the time of printing.
    """

    name: str
    version: str
    command: str = ""
    ledger_head: str = ""
    changed: int | None = None
    annotators: tuple[str, ...] = ()
    judged_by: str = ""
    """What stands in the place of the grades, and what its levels mean, "" where the grades stand."""
    combining: str = ""
    """How the grades of several annotators became one, "" where there are not several."""
    settled: int = 0
    """The grades of so many candidates were settled, which wins over every rule."""
    unblinded: int = 0
    practice: int = 0
    """So many practice queries are left out."""
    together: tuple[tuple[int, int], ...] = ()
    """How many grades each annotator gave with the rest of a query, and with a near-duplicate."""
    assigned: Assigned | None = None
    parts: tuple[PartJudges, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class EvaluationResult:
    """Scores of systems under measures for every query.

    `scores[s, m, q]` is float64; `counted[s, q]` says whether the query counts in the system's mean (a query
    that a measure cannot score, such as a question without gold answers for EM, is NaN and is left out too).
    `judged_at_10[s, q]`, `retrieved[s, q]`, `relevant[q]` and `judged[q]` tell how far the scores can be
    trusted. `tied[s, q]` counts the candidates that share their score with another, -1 where that is not
    known. `left_out` lists (query, why) for what no mean contains.
    """

    systems: tuple[str, ...]
    measures: tuple["Measure", ...]
    query_ids: tuple[str, ...]
    scores: "NDArray[np.float64]"
    counted: "NDArray[np.bool_]"
    options: Options
    provenance: Provenance
    query_texts: tuple[str, ...] = ()
    tags: tuple[tuple[str, ...], ...] = ()
    retrieved: "NDArray[np.int64] | None" = None
    relevant: "NDArray[np.int64] | None" = None
    judged: "NDArray[np.int64] | None" = None
    judged_at_10: "NDArray[np.float64] | None" = None
    tied: "NDArray[np.int64] | None" = None
    tie_range: "NDArray[np.float64] | None" = None
    """Where candidates share scores: `scores` at worst and at best over their orders, float64[2, s, m, q]."""
    left_out: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()

    def of(self, system: str, measure: str) -> "NDArray[np.float64]":
        """Return the scores of one system under one measure, one per query, NaN where it has none."""
        row: NDArray[np.float64] = self.scores[self.systems.index(system), self.position(measure)]
        return row

    def position(self, measure: str) -> int:
        """Return the place of a measure by its printed name."""
        return [one.name for one in self.measures].index(measure)

    def mean(self, system: str, measure: str, queries: Sequence[int] | None = None) -> float:
        """Return a system's aggregate under a measure over the counted queries (or some of them)."""
        return self._aggregate(self.scores, system, measure, queries)

    def n_tied(self, system: str) -> int | None:
        """Return how many of a system's candidates share their score with another, None if unknown."""
        row = None if self.tied is None else self.tied[self.systems.index(system)]
        return None if row is None or (row < 0).any() else int(row.sum())

    def mean_by_ties(self, system: str, measure: str) -> tuple[float, float] | None:
        """Return the lowest and highest aggregate that orders of equal scores could give, None if unknown."""
        claimed = self.measures[self.position(measure)].claims("ties")
        if self.tie_range is None or self.n_tied(system) is None or not claimed:
            return None
        worst, best = (self._aggregate(scores, system, measure, None) for scores in self.tie_range)
        return worst, best

    def _aggregate(
        self, scores: "NDArray[np.float64]", system: str, measure: str, queries: Sequence[int] | None
    ) -> float:
        import numpy as np

        at = self.position(measure)
        row = self.systems.index(system)
        values = scores[row, at]
        use = self.counted[row] & ~np.isnan(values)
        if queries is not None:
            chosen = np.zeros(len(use), dtype=bool)
            chosen[list(queries)] = True
            use &= chosen
        return self.measures[at].aggregate(values[use])
