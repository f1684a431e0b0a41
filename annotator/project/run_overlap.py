"""How alike the systems of a project rank: asked of the rankings alone, before anything is judged."""

from collections.abc import Container, Sequence
from itertools import combinations

import numpy as np

from annotator.errors import UserError
from annotator.evaluation.options import Options
from annotator.evaluation.rank_overlap import PERSISTENCE, overlap_table, rank_overlap
from annotator.evaluation.result_table import Table
from annotator.project.state import runs_of
from annotator.storage.reads import arrays
from annotator.storage.reads.states import State
from annotator.watch import UNWATCHED, Watch

DEEPEST = 1_000
"""Ranks below this one are not looked at."""


def chosen_queries(state: State, options: Options) -> set[str] | None:
    """Return the queries that the options choose by id and tag, judged or not; None where they choose none.

    Raises UserError for a query or tag that is not there.
    """
    if not options.queries and not options.tags:
        return None
    tags_of = {query.id: query.tags for query in state.queries.values()}
    for what, asked, known in (
        ("query", options.queries, tags_of.keys()),
        ("tag", options.tags, {tag for own in tags_of.values() for tag in own}),
    ):
        if unknown := sorted({*asked} - {*known}):
            raise UserError(f"There is no {what} {unknown[0]!r} here.")
    return {
        query
        for query, own in tags_of.items()
        if (not options.queries or query in options.queries)
        and (not options.tags or {*options.tags} & {*own})
    }


def overlap(
    state: State,
    systems: Sequence[str] = (),
    p: float = PERSISTENCE,
    only: Container[str] | None = None,
    watch: Watch = UNWATCHED,
) -> Table:
    """Return the rank-biased overlap of every two systems, or of those named, over the queries both rank.

    `only` keeps all other queries out of it. Raises UserError for a persistence that is none, a system that
    is not there, and fewer than two; Stopped.
    """
    if not 0 < p < 1:
        raise UserError(f"The persistence of rank-biased overlap lies between 0 and 1; {p:g} does not.")
    names = list(dict.fromkeys(systems)) or [run.name for run in state.runs]
    runs = runs_of(state, names)
    if len(runs) < 2:
        raise UserError("It takes two systems to ask how alike they rank.")
    pairs = list(combinations(range(len(runs)), 2))
    ranked = []
    with state.rows() as db:
        for done, run in enumerate(runs):
            watch.step(done, len(runs) + len(pairs), f"Reading {run.name}")
            ranked.append(
                {
                    query: keys[:DEEPEST]
                    for query, keys, *_ in arrays.rankings(db, run.key)
                    if query in state.queries and (only is None or state.queries[query].id in only)
                }
            )
    rows = []
    for done, (one, other) in enumerate(pairs, len(runs)):
        watch.step(done, len(runs) + len(pairs), "Comparing rankings")
        both = sorted(ranked[one].keys() & ranked[other].keys())
        values = np.array([rank_overlap(ranked[one][query], ranked[other][query], p) for query in both])
        rows.append((names[one], names[other], values))
    every = set[int]().union(*ranked)
    gone = {
        name: sorted(state.queries[query].id for query in every - of.keys())
        for name, of in zip(names, ranked, strict=True)
    }
    return overlap_table(rows, p, {name: queries for name, queries in gone.items() if queries})
