"""What changed since a snapshot or a date: which judgments and rankings, and which scores by how much."""

from dataclasses import dataclass

import numpy as np

from annotator.evaluation.options import Options
from annotator.evaluation.result_table import Cell, Column, Table
from annotator.evaluation.results import EvaluationResult
from annotator.project.project_scores import evaluated
from annotator.project.snapshots import backwards
from annotator.project.state import earlier, qrels_of
from annotator.project.views import Pair
from annotator.storage.reads import lookup
from annotator.storage.reads.states import State
from annotator.watch import UNWATCHED, Watch

NONE = -1


@dataclass(frozen=True, slots=True)
class ChangedGrade(Pair):
    """One pair whose combined grade is another one now; None where there is none."""

    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class ChangedScore:
    """One query's score of one system that is another one now."""

    system: str
    measure: str
    query_id: str
    before: float
    after: float

    @property
    def change(self) -> float:
        """The score now minus the one then."""
        return self.after - self.before


@dataclass(frozen=True, slots=True, eq=False)
class Since:
    """The results of both moments and what lies between them; `systems` are those whose run changed.

    `notes` say where recorded times run backwards.
    """

    then: EvaluationResult
    now: EvaluationResult
    grades: tuple[ChangedGrade, ...]
    systems: tuple[str, ...]
    scores: tuple[ChangedScore, ...]
    notes: tuple[str, ...]


def since(
    state: State,
    options: Options,
    as_of: str,
    watch: Watch = UNWATCHED,
) -> Since:
    """Compare a state with what it was at a snapshot or a date, under the same options."""
    old = earlier(state, as_of)
    then = evaluated(old, options, watch=watch)
    now = evaluated(state, options, watch=watch)
    before, after = qrels_of(old, options), qrels_of(state, options)
    codes = np.union1d(before.pairs.codes, after.pairs.codes)
    grades = np.full((2, len(codes)), NONE)
    grades[0, np.searchsorted(codes, before.pairs.codes)] = before.grade
    grades[1, np.searchsorted(codes, after.pairs.codes)] = after.grade
    rows = np.flatnonzero(grades[0] != grades[1])
    queries, candidates = (codes[rows] >> 32).tolist(), (codes[rows] & 0xFFFFFFFF).tolist()
    with state.rows() as db:
        names = lookup.names(db, candidates)
    pairs = zip(queries, candidates, *grades[:, rows].tolist(), strict=True)
    changed = tuple(
        ChangedGrade(q, c, state.queries[q].id, names[c], _known(a), _known(b)) for q, c, a, b in pairs
    )
    digests = [{run.name: run.digest for run in one.runs} for one in (old, state)]
    systems = sorted(
        name for name in {*digests[0], *digests[1]} if digests[0].get(name) != digests[1].get(name)
    )
    return Since(then, now, changed, tuple(systems), tuple(_scores(then, now)), backwards(old))


def _known(grade: int) -> int | None:
    return None if grade == NONE else grade


def _scores(then: EvaluationResult, now: EvaluationResult) -> list[ChangedScore]:
    """Return the scores that differ, of systems and queries that both moments have."""
    places = {query: at for at, query in enumerate(then.query_ids)}
    changed = []
    for system in now.systems:
        if system not in then.systems:
            continue
        for measure in now.measures:
            old, new = then.of(system, measure.name), now.of(system, measure.name)
            for at, query in enumerate(now.query_ids):
                if query in places and not np.isclose(old[places[query]], new[at], equal_nan=True):
                    changed.append(
                        ChangedScore(system, measure.name, query, float(old[places[query]]), float(new[at]))
                    )
    return changed


GRADES = (
    Column("Query", "text", key="query"),
    Column("Candidate", "text", key="candidate"),
    Column("Then", "grade", key="before"),
    Column("Now", "grade", key="after"),
)
CHANGED = (Column("Then", key="before"), Column("Now", key="after"), Column("Change", key="change"))
NAMED = (Column("System", "text", key="system"), Column("Measure", "text", key="measure"))
SCORES = (Column("Query", "text", key="query"), *NAMED, *CHANGED)


def changed_means(since: Since) -> Table:
    """Return every mean at both moments, for the systems that both have."""
    rows: list[tuple[Cell, ...]] = []
    for system in since.now.systems:
        if system not in since.then.systems:
            continue
        for measure in since.now.measures:
            then, now = since.then.mean(system, measure.name), since.now.mean(system, measure.name)
            rows.append((system, measure.name, then, now, now - then))
    return Table.of_rows("means", "Means then and now", (*NAMED, *CHANGED), rows)


def changed_grades(since: Since) -> Table:
    """Return the pairs whose combined grade is another one now."""
    rows = [(one.query_id, one.candidate_id, one.before, one.after) for one in since.grades]
    return Table.of_rows("changed-grades", "Changed judgments", GRADES, rows)


def changed_scores(since: Since) -> Table:
    """Return the scores that are other ones now."""
    rows = [
        (one.query_id, one.system, one.measure, one.before, one.after, one.change) for one in since.scores
    ]
    return Table.of_rows("changed-scores", "Changed scores", SCORES, rows)
