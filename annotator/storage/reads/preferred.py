"""What two systems rank first for the same query, and which of the two people prefer."""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from annotator.storage.file.access import TOP
from annotator.storage.ledger.current_values import Subject
from annotator.storage.reads import arrays, holdings
from annotator.storage.reads.holdings import StoredRun
from annotator.storage.reads.query_list import SOME, keys_text
from annotator.tasks import PREFERENCE


class Two(NamedTuple):
    """Two answers to a query by their keys, and by their ids: the subject of a preference between them.

    The first is the one whose id sorts first.
    """

    query: int
    first: int
    second: int
    subject: Subject


class Match(NamedTuple):
    """What two runs, by their positions, rank first for a query; `two` is None where it is the same.

    `swapped` says that the first of the two answers is the other run's.
    """

    query: int
    one: int
    other: int
    two: Two | None
    swapped: bool = False


def two_of(query: int, query_id: str, a: tuple[int, str], b: tuple[int, str]) -> Two:
    """Return two answers, each a key and an id, whichever is named first."""
    (first, first_id), (second, second_id) = sorted((a, b), key=lambda one: one[1])
    return Two(query, first, second, (query_id, first_id, second_id))


def matches(db: sqlite3.Connection, runs: Sequence[StoredRun]) -> Iterator[Match]:
    """Yield what every two runs rank first, query by query, where both are answers or both documents."""
    ranked = [arrays.firsts(db, run.key) for run in runs]
    known = ids_and_kinds(db, {one for some in ranked for one in some.values()})
    for key, query in holdings.queries(db):
        there = [(at, some[key]) for at, some in enumerate(ranked) if key in some]
        for (one, a), (other, b) in combinations(there, 2):
            (a_id, a_answers), (b_id, b_answers) = known[a], known[b]
            if a == b:
                yield Match(key, one, other, None)
            elif a_answers == b_answers:
                two = two_of(key, query.id, (a, a_id), (b, b_id))
                yield Match(key, one, other, two, two.first == b)


def twos_of(db: sqlite3.Connection, query: int) -> set[Two]:
    """Return every two different answers, or documents, that systems rank first for a query."""
    firsts = db.execute(
        "SELECT candidate.external, candidate.id, candidate.query IS NOT NULL, query.external FROM run "
        f"CROSS JOIN ranking ON run = run.id AND ranking.query = ? AND rank <= {TOP} AND rank = 1 "
        "JOIN candidate ON candidate.id = candidate JOIN query ON query.id = ranking.query "
        "WHERE run.current",
        (query,),
    ).fetchall()
    return {
        two_of(query, query_id, (a, a_id), (b, b_id))
        for (a_id, a, a_answers, query_id), (b_id, b, b_answers, _) in combinations({*firsts}, 2)
        if a_answers == b_answers
    }


def ids_and_kinds(db: sqlite3.Connection, candidates: Iterable[int]) -> dict[int, tuple[str, bool]]:
    """Return the external ids of some candidates by key, and which of them are predicted answers."""
    sql = f"SELECT id, external, query IS NOT NULL FROM candidate WHERE id IN {SOME}"
    rows = db.execute(sql, (keys_text(sorted(candidates)),))
    return {key: (external, bool(answers)) for key, external, answers in rows}


def levels(db: sqlite3.Connection, annotator: int) -> dict[Subject, int]:
    """Return which of two answers an annotator prefers: a level by subject."""
    stored = holdings.values_of(db, (PREFERENCE.name,))
    return {
        tuple(json.loads(subject)): json.loads(value)["grade"]
        for (_, who, subject), value in stored
        if who == annotator
    }
