"""What the answers that systems rank first cite, and how far that supports them: combined as grades are."""

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotator.evaluation.options import Options
from annotator.metrics.citations import MISSING, NOTHING, SupportTable
from annotator.metrics.judged_parts import UNSAID, PartTable
from annotator.project.citations import Cited, cited_in
from annotator.project.nugget_matches import levels_of
from annotator.storage.reads import arrays, lookup
from annotator.storage.reads.states import State
from annotator.tasks import CITATION
from annotator.text.counts import counted


@dataclass(frozen=True, slots=True)
class CitationSupport:
    """What answers at rank 1 cite, and how far that supports them, by query, answer, sentence and passage.

    `queries` are the keys of those where one of these answers cites something.
    """

    cited: Cited
    queries: frozenset[int]
    levels: Mapping[tuple[int, int, *tuple[str, ...]], int]

    def table(self, db: sqlite3.Connection, run: int, queries: NDArray[np.int64]) -> SupportTable:
        """Return a run's answers at rank 1, sentence by sentence, for some queries (keys, ascending)."""
        first = arrays.firsts(db, run)
        rows = [
            (at, key, first[key], one)
            for at, key in enumerate(queries.tolist())
            if key in first and key in self.queries
            for one in self.cited.answers.get(first[key], ())
        ]
        most = max((len(one.cites) for *_, one in rows), default=0)
        cites = np.full((len(rows), most), NOTHING, np.int64)
        for row, (_, key, answer, one) in enumerate(rows):
            for place, name in enumerate(one.cites):
                there = name in self.cited.passages
                level = self.levels.get((key, answer, one.name, name), UNSAID)
                cites[row, place] = level if there else MISSING
        return SupportTable(
            np.array([at for at, *_ in rows], np.int64),
            cites,
            np.array([key in first for key in queries.tolist()], np.bool_),
            np.array([key in self.queries for key in queries.tolist()], np.bool_),
            tuple(one.text for *_, one in rows),
            tuple(one.cites for *_, one in rows),
        )


def citation_support(state: State, db: sqlite3.Connection, options: Options) -> CitationSupport | None:
    """Return what the answers of a state cite and what was said of that; None where none cites anything.

    The answers of all its runs say which queries count, whichever runs are compared.
    """
    ranked = [arrays.firsts(db, run.key) for run in state.runs]
    firsts = [(key, one) for some in ranked for key, one in some.items() if key in state.queries]
    cited = cited_in(db, lookup.contents(db, {one for _, one in firsts}, 1).values(), 1)
    citing = {one for one, some in cited.answers.items() if any(sentence.cites for sentence in some)}
    queries = frozenset(key for key, one in firsts if one in citing)
    if not queries:
        return None
    return CitationSupport(cited, queries, levels_of(state, db, CITATION, options))


def without_text(tables: Iterable[PartTable]) -> tuple[str, ...]:
    """Return a sentence for the citations that count for nothing, as the project has no text of theirs."""
    missing = sum(one.missing for one in tables if isinstance(one, SupportTable))
    if not missing:
        return ()
    of = counted(missing, "citation")
    return (f"Left out: {of} of answers at rank 1, as the project does not have the passages.",)
