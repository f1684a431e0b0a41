"""Practice: queries that beginners grade first, and how their grades differ from those given before.

A practice query counts in nothing; see `State.practice`. What is compared with is what those say who judged
it before it was marked, combined as everywhere, or settled; never what another beginner gave.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from annotator.errors import UserError
from annotator.evaluation.grade_combination import combine
from annotator.project import browse, judging, lead_role
from annotator.project.event_words import quoted
from annotator.project.project import Project
from annotator.project.settings import setting
from annotator.project.views import CandidateView, Change, QueryRow
from annotator.storage.reads import lookup, query_list
from annotator.storage.reads import practice as stored
from annotator.tasks import GRADE, PRACTICE, READY

NOT_JUDGED = "Nobody has judged this query yet, so there would be nothing to compare with. Judge it first."
DONE = "This practice query is done: go on with the next one, grade it again, or start the real work."
NOT_YET = "The comparison is shown once you have said something of every candidate of the query."


@dataclass(frozen=True, slots=True)
class Compared:
    """One candidate of a practice query: what the annotator said, what stands, and the words beside that."""

    candidate: CandidateView
    grade: int | None
    words: tuple[str, ...]

    @property
    def difference(self) -> int | None:
        """The annotator's grade minus the one that stands, None where there are not both."""
        mine = self.candidate.judgment.grade
        return None if mine is None or self.grade is None else mine - self.grade


@dataclass(frozen=True, slots=True)
class Review:
    """A practice query that an annotator has finished; those candidates first that differ most."""

    query: int
    title: str
    guidelines: str
    rows: tuple[Compared, ...]

    @property
    def both(self) -> int:
        """How many candidates have both grades."""
        return sum(one.difference is not None for one in self.rows)

    @property
    def same(self) -> int:
        """How many of them have the same grade twice."""
        return sum(one.difference == 0 for one in self.rows)


@dataclass(frozen=True, slots=True)
class Practising:
    """How far an annotator is who practises: the keys of the queries, and how many of them are finished."""

    queries: tuple[int, ...]
    done: int


def mark(project: Project, query: int, on: bool = True) -> Change:
    """Make a query one for practice, or an ordinary one again; for a lead.

    Raises UserError for anybody else, and for a query that nobody has judged.
    """
    lead_role.refuse_others(project)
    with project.store.writing() as db:
        name = lookup.query_id(db, query)
        if on and not _references(db, query, 0):
            raise UserError(NOT_JUDGED)
        before = bool(project.store.value(project.annotator, PRACTICE.name, (name,)))
        project.store.record(project.annotator, PRACTICE.name, (name,), True if on else None, how="asked")
        asked = lookup.text_of_query(project.store.db, name)
    told = _marked(quoted(asked) if asked else name, on)
    return Change(PRACTICE.name, int(query), before=before, after=on, said=told)


def _marked(query: str, on: bool) -> str:
    return f"{query} {'is for practice and counts in nothing' if on else 'counts again'} from now on."


def mark_all(project: Project, query_ids: Sequence[str], on: bool = True) -> list[str]:
    """Do this for some queries by their ids, all of them or none; return what became of each in words."""
    keys = [browse.key_of(project, one) for one in query_ids]
    with project.store.writing():
        for key in keys:
            mark(project, key, on)
    return [_marked(one, on) for one in query_ids]


def practice_queries(project: Project) -> list[QueryRow]:
    """Return the practice queries, as the current annotator has them."""
    with project.store.reading() as db:
        keys = stored.queries(db)
    return browse.query_rows(project, keys)


def practising(project: Project) -> Practising | None:
    """Return how far the annotator is who has still to practise; None for who has not."""
    with project.store.reading() as db:
        me = lookup.annotator_key(db, project.annotator)
        queries = stored.due(db, me)
        if not queries:
            return None
        condition = query_list.unfinished(me, setting(db, "pool_depth"), query_list.has_runs(db))
        left = set(query_list.query_keys(db, [condition, stored.only()]).tolist())
        return Practising(tuple(queries), sum(key not in left for key in queries))


def begin_work(project: Project) -> Change:
    """Record that the annotator has practised and begins the real work."""
    with project.store.writing():
        project.store.record(project.annotator, READY.name, (), True, how="asked")
    return Change(READY.name, after=True, said=f"{project.annotator} begins the real work.")


def repeat(project: Project, query: int) -> Change:
    """Take the annotator's decisions on a practice query away, as one action, to practise it again."""
    return judging.take_away(project, query, [one.key for one in browse.query(project, query).candidates])


def review(project: Project, query: int) -> Review:
    """Return where the annotator and what stands differ; raises UserError before the query is finished."""
    view = browse.query(project, query)
    if not view.learning or not view.complete:
        raise UserError(NOT_YET)
    with project.store.reading() as db:
        me = lookup.annotator_key(db, project.annotator)
        grades, words = _references(db, query, me), _words(db, query, me)
    rows = [Compared(one, grades.get(one.key), tuple(words[one.key])) for one in view.candidates]
    far = sorted(rows, key=lambda one: -abs(one.difference or 0))
    return Review(view.key, view.title, view.guidelines, tuple(far))


def _references(db: sqlite3.Connection, query: int, me: int) -> dict[int, int]:
    """Return the grade that stands for each candidate of a query without one's own."""
    said = [one for one in stored.said_of(db, query, stored.judges(db, query) - {me}) if one[1] is not None]
    candidates, grades, times, _ = zip(*said, strict=True) if said else ((), (), (), ())
    keys, combined = combine(candidates, grades, times, setting(db, "combining"))
    settled = {candidate: value["grade"] for candidate, value in stored.settled_of(db, query)}
    return dict(zip(keys.tolist(), combined.tolist(), strict=True)) | settled


def _words(db: sqlite3.Connection, query: int, me: int) -> dict[int, list[str]]:
    """Return what is written beside what stands: rationales, notes, and why something was settled."""
    words: dict[int, list[str]] = defaultdict(list)
    for candidate, value in stored.settled_of(db, query):
        words[candidate] += [f"Settled: {value['reason']}"] if value.get("reason") else []
    for candidate, _, _, beside in stored.said_of(db, query, stored.judges(db, query) - {me}):
        words[candidate] += [
            f"{one.said.capitalize()}: “{beside[one.name]}”"
            for one in GRADE.marks
            if one.given != "switch" and beside.get(one.name)
        ]
    return words
