"""What a blind annotator may see of scores and of others: the queries that they finished, or asked to see."""

from collections.abc import Sequence
from dataclasses import replace

from annotator.project.finished import finished_among, revealed
from annotator.project.project import Project
from annotator.project.settings import setting
from annotator.project.views import Change, HistoryLine
from annotator.storage.ledger import current_values
from annotator.storage.reads import arrays, lookup, practice, query_list
from annotator.tasks import TOGETHER
from annotator.text.counts import counted

HIDDEN = "judged; shown when you have finished the query"


def seen_queries(project: Project) -> tuple[frozenset[str], int]:
    """Return the ids of the queries that the annotator has finished or unblinded, and how many others are."""
    with project.store.reading() as db:
        hidden = hidden_keys(project)
        keys, ids = arrays.external_ids(db, "query")
    seen = [one for key, one in zip(keys.tolist(), ids, strict=True) if key not in hidden]
    return frozenset(seen), len(hidden)


def hidden_keys(project: Project) -> set[int]:
    """Return the keys of the queries whose scores would unblind the annotator; practice ones have none."""
    with project.store.reading() as db:
        me = lookup.annotator_key(db, project.annotator)
        condition = query_list.unfinished(me, setting(db, "pool_depth"), query_list.has_runs(db))
        counting = practice.only(False)
        unfinished = set(query_list.query_keys(db, [condition, counting], in_pieces=True).tolist())
        every = set(query_list.query_keys(db, [counting]).tolist())
        hidden = every - finished_among(db, me, every, every - unfinished)
        return hidden - query_list.unblinded_among(db, me, sorted(hidden))


def as_seen(project: Project, lines: Sequence[HistoryLine]) -> list[HistoryLine]:
    """Return lines of a history without what others judged of queries that the annotator is blind for."""
    of_others = [
        one
        for one in lines
        if (one.candidate_id is not None or one.task == TOGETHER.name) and one.annotator != project.annotator
    ]
    with project.store.reading() as db:
        blind = {
            one
            for one in {line.query_id or "" for line in of_others}
            if not revealed(db, project.annotator, current_values.query_key(db, one))
        }
    hidden = {id(one) for one in of_others if one.query_id in blind}
    return [replace(one, said=HIDDEN) if id(one) in hidden else one for one in lines]


def unblind(project: Project, query: int) -> Change:
    """Record that the annotator asked to see a query's ranks, scores and systems before it was complete."""
    with project.store.writing() as db:
        subject = (lookup.query_id(db, query),)
        before = bool(project.store.value(project.annotator, "unblind", subject))
        project.store.record(project.annotator, "unblind", subject, True, how="asked")
    return Change("unblind", int(query), before=before, after=True)


def unblind_all(project: Project) -> Change:
    """Record that the annotator asked to see the scores of all unfinished queries, in one transaction."""
    hidden = sorted(hidden_keys(project))
    with project.store.writing() as db:
        for key in hidden:
            project.store.record(
                project.annotator, "unblind", (lookup.query_id(db, key),), True, how="scores"
            )
    return Change("unblind", after=len(hidden), said=f"Unblinded {counted(len(hidden), 'query', 'queries')}.")
