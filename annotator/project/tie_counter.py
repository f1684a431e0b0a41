"""Which candidates of a stored run share their score, so that the system left their order open."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotator.evaluation.evaluator import SystemRows
from annotator.evaluation.options import Options
from annotator.metrics.collection import Ranked
from annotator.metrics.ties import Ties
from annotator.storage.reads import arrays
from annotator.storage.reads.holdings import StoredRun
from annotator.watch import Watch

MOST_ROWS = 100_000
"""More are looked through only when asked to: an evaluation reads what is judged, ties ask for all."""


@dataclass(frozen=True, slots=True)
class TieCounter:
    """Counts the ties of runs; rankings that are `known` are not looked through again."""

    known: arrays.KnownTies
    options: Options
    watch: Watch

    def of(
        self, db: sqlite3.Connection, run: StoredRun, ranked: Ranked, queries: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64] | None, Ties | None]:
        """Return how many candidates of each query (keys, ascending) are tied, and the groups of the hits.

        A run that came in its own order has no ties; those of queries that nobody judged do not count. Both
        are None where the rankings are too long to look through unasked. Raises Stopped.
        """
        tied = np.zeros(len(queries), dtype=np.int64)
        if run.order_rule == "given":
            return tied, None
        long = ranked.retrieved.sum() > MOST_ROWS
        if long and not (self.options.count_ties and self._is_chosen(run.name)):
            return None, None
        groups = Ties(ranked.rank.copy(), ranked.rank.copy())
        places = np.flatnonzero(ranked.retrieved > 1).tolist()
        for done, at in enumerate(places):
            place = run.event, run.key, int(queries[at])
            if long and place not in self.known:
                self.watch.step(done, len(places), f"Counting the ties of {run.name}")
            if place not in self.known:
                self.known[place] = arrays.tied(db, *place[1:])
            first, last = self.known[place]
            if not len(first):
                continue
            tied[at] = (last - first + 1).sum()
            hits = slice(*ranked.hit_offsets[at : at + 2])
            group = np.searchsorted(first, ranked.rank[hits], side="right") - 1
            inside = np.flatnonzero((group >= 0) & (ranked.rank[hits] <= last[group]))
            groups.first[hits][inside] = first[group[inside]]
            groups.last[hits][inside] = last[group[inside]]
        return tied, groups

    def uncounted(self, systems: Sequence[SystemRows]) -> tuple[str, ...]:
        """Return a sentence that names the systems whose ties were not counted, none where all were."""
        names = ", ".join(one.name for one in systems if one.tied is None and self._is_chosen(one.name))
        sentence = (
            f"Ties were not counted for {names}: their rankings hold more than {MOST_ROWS:,} candidates. "
            "The menu of the queries offers to, as does --count-ties on the command line."
        )
        return (sentence,) if names else ()

    def _is_chosen(self, system: str) -> bool:
        return not self.options.systems or system in self.options.systems
