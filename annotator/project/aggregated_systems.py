"""Systems put together: the rankings of several runs become one new system, to be judged and compared."""

import sqlite3
from collections.abc import Sequence
from dataclasses import replace as replaced

import numpy as np

from annotator.errors import UserError
from annotator.evaluation.aggregation import (
    RULE_SENTENCES,
    SCALE_SENTENCES,
    SHORT_SENTENCES,
    Rankings,
    Rule,
    Scale,
    aggregate,
    grades_as_ranking,
)
from annotator.project.project import Project
from annotator.project.state import runs_of, state_of
from annotator.project.views import Change
from annotator.records import Dataset, RunTable
from annotator.storage.content.bulk import import_dataset
from annotator.storage.content.contents import CANCELLED, Import
from annotator.storage.reads import arrays
from annotator.text.counts import counted
from annotator.watch import UNWATCHED, Watch

RULES = RULE_SENTENCES
"""Rule -> what a candidate gathers under it."""

SCALES = SCALE_SENTENCES
"""Scale -> how the scores of several systems are made comparable."""


def combine_systems(
    project: Project,
    systems: Sequence[str],
    rule: Rule = "rrf",
    *,
    name: str = "",
    scale: Scale = "minmax",
    top_k: int = 1_000,
    replace: bool = False,
    watch: Watch = UNWATCHED,
) -> Change:
    """Aggregate the current runs of two systems or more and store the result as a system.

    An empty `name` is made of the rule and the systems. Raises UserError for fewer than two systems or one
    that is not there, ProjectError when the new system is there and `replace` is off, and Stopped.
    """
    chosen = _two_or_more(systems, "systems")
    state = state_of(project)
    with state.rows() as db:
        parts = [_rankings(db, run.key) for run in runs_of(state, chosen)]
    how = Import(project.annotator, "", "person", replace, watch=watch.saying(CANCELLED))
    return _stored(project, parts, chosen, rule, scale, name, top_k, how)


def combine_annotators(
    project: Project,
    names: Sequence[str],
    rule: Rule = "borda",
    *,
    name: str = "",
    scale: Scale = "minmax",
    replace: bool = False,
) -> Change:
    """Take annotators' grades as rankings, aggregate them and store the consensus as a system.

    Candidates of one grade are tied. Raises as `combine_systems` does.
    """
    chosen = _two_or_more(names, "annotators")
    state = state_of(project)
    people = {person: key for key, person, _, graded, _ in state.annotators if graded}
    for one in chosen:
        if one not in people:
            raise UserError(f"Nobody called {one!r} has graded here; there are: {', '.join(people)}.")
    parts = []
    for one in chosen:
        judged = state.judged.where((state.judged.annotator == people[one]) & (state.judged.grade >= 0))
        parts.append(grades_as_ranking(judged.query, judged.candidate, judged.grade))
    return _stored(
        project, parts, chosen, rule, scale, name, None, Import(project.annotator, "", "person", replace)
    )


def _two_or_more(names: Sequence[str], what: str) -> list[str]:
    """Return the distinct names; raises UserError when there are not at least two."""
    chosen = list(dict.fromkeys(names))
    if len(chosen) < 2:
        raise UserError(f"Name at least two {what} to put together.")
    return chosen


def _stored(
    project: Project,
    parts: Sequence[Rankings],
    chosen: Sequence[str],
    rule: Rule,
    scale: Scale,
    name: str,
    top_k: int | None,
    how: Import,
) -> Change:
    """Aggregate rankings and keep the result as a system."""
    told = f" ({scale})" if rule in ("combsum", "combmnz") else ""
    source = f"{rule}{told} of {', '.join(chosen)}"
    with project.store.reading() as db:
        combined = aggregate(parts, rule, scale)
        run = _run(db, combined, name or f"{rule}-{'-'.join(chosen)}", source, top_k or len(combined.rank))
    import_dataset(project.store, Dataset(runs=[run]), replaced(how, source=source))
    candidates = counted(len(run.rank), "ranked candidate")
    of = counted(len(run.query_ids), "query", "queries")
    sentence = f"{run.system}: {candidates} for {of} ({source})."
    return Change("system", after=run.system, said=f"{sentence} {SHORT_SENTENCES[rule]}")


def _rankings(db: sqlite3.Connection, run: int) -> Rankings:
    """Return a run's rankings as columns of keys; scores only where all are known."""
    parts = [
        (np.full(len(rank), query, np.int64), candidate, rank.astype(np.float64), score)
        for query, candidate, rank, score in arrays.rankings(db, run)
    ]
    if not parts:
        nothing = np.zeros(0, np.int64)
        return Rankings(nothing, nothing, np.zeros(0))
    query, candidate, rank, score = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Rankings(query, candidate, rank, None if np.isnan(score).any() else score)


def _run(db: sqlite3.Connection, combined: Rankings, name: str, source: str, top_k: int) -> RunTable:
    """Return the best `top_k` of each query as a run with external ids."""
    kept = combined.rank <= top_k
    columns = []
    for kind, keys in (("query", combined.query[kept]), ("candidate", combined.candidate[kept])):
        used, place = np.unique(keys, return_inverse=True)
        known, ids = arrays.external_ids(db, kind)
        columns.append(([ids[at] for at in np.searchsorted(known, used)], place.astype(np.int32)))
    (query_ids, query), (candidate_ids, candidate) = columns
    assert combined.score is not None
    return RunTable(
        name,
        query_ids,
        candidate_ids,
        query,
        candidate,
        combined.rank[kept].astype(np.int32),
        combined.score[kept],
        source=source,
        order_rule="given",
    )
