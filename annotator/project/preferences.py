"""Which of two answers is better: what two systems rank first for a query, side by side, without names.

Two systems that give the same answer cannot be told apart by it: that pair is not asked about.
"""

import hashlib
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from annotator.errors import UserError
from annotator.project.judging import say
from annotator.project.project import Project
from annotator.project.views import EMPTY_ANSWER, Change, Written, written_in
from annotator.storage.ledger.current_values import Subject
from annotator.storage.reads import holdings, lookup, practice, preferred, query_list
from annotator.storage.reads.preferred import Two
from annotator.tasks import PREFERENCE

Verdict = Literal["left", "equal", "right"]
VERDICTS: tuple[Verdict, ...] = ("left", "equal", "right")
"""In the order of the levels of a pair whose first answer stands on the left."""

NO_TEXT = "(The text is not in the project.)"


@dataclass(frozen=True, slots=True)
class ToPrefer:
    """The pairs that an annotator is asked about, in their order, and what they said, by subject."""

    pairs: tuple[Two, ...]
    said: Mapping[Subject, int]


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Two answers as they stand before an annotator, left and right, and what was said of them."""

    two: Two
    asked: str
    keys: tuple[int, int]
    texts: tuple[tuple[Written, ...], tuple[Written, ...]]
    verdict: Verdict | None


def to_prefer(project: Project) -> ToPrefer:
    """Return the pairs that the annotator is asked about: of their queue, or of all queries without one.

    Practice queries are left out. Within a query, pairs come in an order by lot.
    """
    with project.store.reading() as db:
        queue = {*query_list.assigned(db, project.annotator).tolist()}
        left_out = {*practice.queries(db).tolist()}
        found = {one.two for one in preferred.matches(db, holdings.runs(db)) if one.two is not None}
        said = preferred.levels(db, lookup.annotator_key(db, project.annotator))
    pairs = [one for one in found if one.query not in left_out and (not queue or one.query in queue)]
    pairs.sort(key=lambda one: (one.query, _lot(project, "order", one)))
    return ToPrefer(tuple(pairs), said)


def side_by_side(project: Project, two: Two) -> SideBySide:
    """Return two answers as the annotator sees them: who stands on the left is drawn for everybody anew.

    The draw follows from the project, the annotator and the answers, so that it stays.
    """
    swapped = bool(_lot(project, "side", two)[0] & 1)
    keys = (two.second, two.first) if swapped else (two.first, two.second)
    with project.store.reading() as db:
        asked = "".join(one.text or one.id for _, one in holdings.queries(db, [two.query]))
        value = project.store.value(project.annotator, PREFERENCE.name, two.subject)
        left, right = (texts_of(db, one) for one in keys)
    verdict = None if value is None else _turned(value["grade"], swapped)
    return SideBySide(two, asked, keys, (left, right), verdict)


def prefer(
    project: Project,
    query: int,
    left: int,
    right: int,
    verdict: Verdict | None,
    *,
    milliseconds: int | None = None,
    how: str = "key",
) -> Change:
    """Say which of two answers (keys) that stood side by side is better; None takes it back.

    Which one stood on the left is recorded with it. Raises UserError for another verdict, for an answer
    beside itself, and for one to another query.
    """
    if verdict is not None and verdict not in VERDICTS:
        raise UserError(f"{verdict!r} is no preference; it is left, equal or right.")
    with project.store.writing() as db:
        answers = lookup.contents(db, {left, right}, 0)
        if left == right or any(one.query not in (None, query) for one in answers.values()):
            raise UserError("A preference is between two answers to one query that differ.")
        name = lookup.query_id(db, query)
        two = preferred.two_of(query, name, *((key, answers[key].id) for key in (left, right)))
        level, beside = None, {}
        if verdict is not None:
            level = VERDICTS.index(_turned(VERDICTS.index(verdict), two.first == right))
            beside = {"as": PREFERENCE.words[level], "left": answers[left].id}
        return say(project, PREFERENCE, two.subject, level, beside, milliseconds=milliseconds, how=how)


def texts_of(db: sqlite3.Connection, candidate: int) -> tuple[Written, ...]:
    """Return what a candidate says: its title, if it has one, and all of its text."""
    content = lookup.contents(db, [candidate], 0)[candidate]
    nothing = NO_TEXT if content.query is None else EMPTY_ANSWER
    said = (content.title, ""), (lookup.full_text(db, candidate), written_in(content.fields))
    return tuple(one for one in said if one[0]) or ((nothing, ""),)


def _turned(level: int, swapped: bool) -> Verdict:
    """Return the side that a level stands for, where the second answer stands on the left if `swapped`."""
    return VERDICTS[::-1][level] if swapped else VERDICTS[level]


def _lot(project: Project, purpose: str, two: Two) -> bytes:
    """Return what is drawn for the annotator and a pair, the same in every copy of the project."""
    of = "\0".join((project.store.identity, project.annotator, purpose, *two.subject))
    return hashlib.sha256(of.encode("utf-8", "surrogatepass")).digest()
