"""Whether an annotator has finished a query, so that its ranks and scores cannot lead them any more.

Who grades finishes a query by deciding on each of its candidates. What is asked beside the grade counts by
task, where the annotator has begun with it: all that is asked of the candidates under that task is to be
said. Who never grades in the project, practice aside, finishes a query by such tasks alone; by preferences
with all of the query's pairs.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping

from annotator.project.aspects import aspects_of
from annotator.project.citations import Cited, cited_in
from annotator.project.nuggets import nuggets_of
from annotator.project.settings import setting
from annotator.project.views import Asked, QueryView
from annotator.storage.reads import lookup, query_list, said_beside
from annotator.storage.reads.preferred import twos_of
from annotator.tasks import CITATION, JUDGED, PREFERENCE, RATING, SUPPORT

TASKS = tuple(one.name for one in JUDGED)


def questions(db: sqlite3.Connection, query: int) -> tuple[Asked, ...]:
    """Return what is asked of each candidate of a query beside the grade: the aspects, then the nuggets."""
    aspects = (
        Asked(RATING.name, (one.name,), one.name, one.meaning, one.values)
        for one in aspects_of({"aspects": setting(db, "aspects")})
        if one.asked
    )
    nuggets = (
        Asked(SUPPORT.name, (one.id,), one.text, one.importance, SUPPORT.words)
        for one in nuggets_of(lookup.nuggets_of(db, query))
        if not one.into
    )
    return (*aspects, *nuggets)


def finished(view: QueryView) -> bool:
    """Say whether what the annotator judges a query by is judged this moment."""
    asked = (
        (one.task, (one.task, *one.ending) in candidate.said)
        for candidate in view.candidates
        for one in view.asked_of(candidate)
    )
    grades = view.grades or view.decided > 0
    return _finished((*asked, *(() if grades else view.preferred)), view.complete, grades)


def _finished(asked: Iterable[tuple[str, bool]], complete: bool, grades: bool) -> bool:
    """Say so of one query, from what is asked beside the grade: the task, and whether it is said."""
    said = defaultdict[str, list[bool]](list)
    for task, there in asked:
        said[task].append(there)
    begun = [some for some in said.values() if any(some)]
    return all(map(all, begun)) and (complete or (bool(begun) and not grades))


def finished_among(
    db: sqlite3.Connection, annotator: int, queries: Collection[int], complete: Collection[int]
) -> set[int]:
    """Return those of some queries that are finished, of which these are complete by their grades alone."""
    begun = query_list.begun_beside(db, annotator, queries, TASKS)
    found = {one for one in queries if one in complete and one not in begun}
    if begun:
        grades = query_list.grades(db, annotator)
        found |= {
            one for one in begun if _finished(_asked(db, one, annotator, grades), one in complete, grades)
        }
    return found


def finished_beside(db: sqlite3.Connection, annotator: int, queries: Collection[int]) -> set[int]:
    """Return those of some queries that are finished for somebody who never grades."""
    return set() if query_list.grades(db, annotator) else finished_among(db, annotator, queries, ())


def unsaid(view: QueryView) -> list[int]:
    """Return the places of the candidates of which something is still to be said.

    That is a grade; for who never grades what is asked beside it under the tasks that they have begun with.
    Of a finished query it is nothing.
    """
    if finished(view):
        return []
    of_each = [view.asked_of(one) for one in view.candidates]
    said = [one.said.keys() for one in view.candidates]
    begun = {
        one.task
        for some, there in zip(of_each, said, strict=True)
        for one in some
        if (one.task, *one.ending) in there
    }
    if view.grades or view.decided or not begun:
        return [at for at, one in enumerate(view.candidates) if one.judgment.state is None]
    return [
        at
        for at, some in enumerate(of_each)
        if any(one.task in begun and (one.task, *one.ending) not in said[at] for one in some)
    ]


def _asked(
    db: sqlite3.Connection, query: int, annotator: int, grades: bool, before: int | None = None
) -> Iterator[tuple[str, bool]]:
    """Yield what is asked beside the grade of the candidates of a query: the task, and whether it is said.

    With `before` (the key of an event), whether it was said then.
    """
    said = said_beside.said_of(db, query, annotator, before)
    pool = lookup.pool(db, query, setting(db, "pool_depth"))
    citing = any(name[0] == CITATION.name for some in said.values() for name in some)
    cited = cited_in(db, lookup.contents(db, pool, 1).values(), 1) if citing else Cited({}, {})
    of_each = questions(db, query)
    for one in pool:
        for asked in (*of_each, *cited.questions(one)):
            yield asked.task, (asked.task, *asked.ending) in said.get(one, {})
    if not grades:
        yield from side_by_side(db, query, said)


def side_by_side(
    db: sqlite3.Connection, query: int, said: Mapping[int, Container[tuple[str, ...]]]
) -> Iterator[tuple[str, bool]]:
    """Yield, of every two answers that stand side by side, the task and whether it is said."""
    for two in twos_of(db, query):
        yield PREFERENCE.name, (PREFERENCE.name, *two.subject[2:]) in said.get(two.first, ())


def blind(db: sqlite3.Connection, annotator: str, query: int) -> bool:
    """Say whether what the annotator says of a query now is said without its ranks, scores and systems.

    Who had finished it by something else than grades could see them, also where it is open again since they
    judge it by more, or took something back.
    """
    me = lookup.annotator_key(db, annotator)
    begun = query_list.begun_beside(db, me, [query], TASKS)
    if _revealed(db, me, query, begun):
        return False
    if not begun:
        return True
    first = said_beside.first_decision(db, me)
    finished_before = first is not None and _finished(_asked(db, query, me, False, first), False, False)
    return not (finished_before or said_beside.said_unblinded(db, query, me))


def revealed(db: sqlite3.Connection, annotator: str, query: int) -> bool:
    """Say whether ranks, scores and systems of a query may be seen: it is finished, or unblinded."""
    me = lookup.annotator_key(db, annotator)
    return _revealed(db, me, query, query_list.begun_beside(db, me, [query], TASKS))


def _revealed(db: sqlite3.Connection, me: int, query: int, begun: Collection[int]) -> bool:
    """Say so of a query with which somebody has begun by something else than grades if it is in `begun`."""
    if query_list.unblinded_among(db, me, [query]):
        return True
    complete = False
    if query_list.decided(db, me, [query]):
        unfinished = query_list.unfinished(me, setting(db, "pool_depth"), query_list.has_runs(db))
        complete = not len(query_list.query_keys(db, [("query.id = ?", (query,)), unfinished]))
    if not begun:
        return complete
    grades = query_list.grades(db, me)
    return _finished(_asked(db, query, me, grades), complete, grades)
