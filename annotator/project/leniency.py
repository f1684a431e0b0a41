"""How lenient each annotator of a project is beside the others."""

from collections.abc import Container, Mapping

from annotator.errors import UserError
from annotator.evaluation.leniency import leniencies, leniency_table
from annotator.evaluation.result_table import Table
from annotator.project.grade_table import graded_of
from annotator.project.state import decided_alone
from annotator.storage.reads.states import State


def lenient(
    state: State,
    called: Mapping[str, str] | None = None,
    seed: int = 1,
    only: Container[str] | None = None,
    together: bool = False,
) -> list[Table]:
    """Return how far people's grades lie from the others', as one table; none where nobody shares an item.

    `called` has the annotators to tell of, and the names they are called by; without it everybody is named.
    Models take no part. `only` keeps the grades of all other queries out of it; those that were given with
    the rest of a query or with a near-duplicate are left out unless `together`.
    """
    state, said = decided_alone(state, together, only)
    graded = graded_of(state, only)
    people = list(graded.people)
    names = tuple(graded.names[at] for at in people)
    names = names if called is None else tuple(called.get(name, "") for name in names)
    found = [one for one in leniencies(names, graded.table[:, people], seed) if one.annotator and one.mean.n]
    table = leniency_table(found).noted(said)
    return [table.in_levels() if state.judged_by else table] if found else []


def needed(state: State, seed: int = 1, together: bool = False) -> list[Table]:
    """Return the table of leniency; raises UserError where nobody shares an item."""
    tables = lenient(state, seed=seed, together=together)
    if not tables:
        raise UserError("Leniency is beside others: it takes candidates that two people graded.")
    return tables
