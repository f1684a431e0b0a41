"""Nuggets of a query: the short statements that a good answer makes, each vital or merely okay.

They are the project's; whether a candidate says one is a `SUPPORT`, everybody's own. The words and the idea
are those of Voorhees 2003 and of Pradeep et al. 2025 (arXiv:2504.15068).
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from annotator.errors import UserError
from annotator.project.project import Project
from annotator.project.views import Change
from annotator.records import text_problem
from annotator.storage.reads import lookup
from annotator.storage.reads.states import Said
from annotator.tasks import NUGGET, SUPPORT, settling

Importance = Literal["vital", "okay"]
LONGEST = 2_000
IMPORTANCES: tuple[Importance, ...] = ("vital", "okay")


@dataclass(frozen=True, slots=True)
class Nugget:
    """One nugget; without an id it is new. One that was merged `into` another (its id) is judged no more."""

    text: str
    importance: Importance = "vital"
    id: str = ""
    into: str = ""


def nugget_id(query_id: str, text: str) -> str:
    """Return the id of a nugget that is entered: the same in every copy of a project."""
    digest = hashlib.sha256(f"{query_id}\0{text}".encode("utf-8", "surrogatepass")).hexdigest()
    return f"nugget:{digest[:16]}"


def nuggets_of(stored: Iterable[tuple[str, Mapping[str, Any]]]) -> tuple[Nugget, ...]:
    """Return the nuggets of stored values by id, in the order of their list."""
    rows = sorted((value.get("place", 0), one, value) for one, value in stored)
    return tuple(
        Nugget(value["text"], value["importance"], one, value.get("into", "")) for _, one, value in rows
    )


def nuggets(project: Project, query: int) -> tuple[Nugget, ...]:
    """Return the nuggets of a query, those that were merged among them."""
    with project.store.reading() as db:
        return nuggets_of(lookup.nuggets_of(db, query))


def set_nuggets(project: Project, query: int, wanted: Sequence[Nugget], how: str = "editor") -> Change:
    """Make these the nuggets of a query, in this order: new ones, reworded ones, merged ones; others go.

    Each that changes is an event. Raises UserError for a text that is empty, given twice, or cannot be
    stored, and for one that is merged into what is not there, or is merged itself.
    """
    with project.store.writing() as db:
        external = lookup.query_id(db, query)
        before = nuggets_of(lookup.nuggets_of(db, query))
        refuse_unfit(wanted)
        after = tuple(named(external, wanted, before))
        kept = {one.id for one in after}
        values: dict[str, dict[str, Any] | None] = {one.id: None for one in before if one.id not in kept}
        for place, one in enumerate(after):
            values[one.id] = stored_nugget(one, place)
        for one_id, value_then in values.items():
            project.store.record(project.annotator, NUGGET.name, (external, one_id), value_then, how=how)
    return Change(NUGGET.name, int(query), before=before, after=after)


def stored_nugget(one: Nugget, place: int) -> dict[str, Any]:
    """Return what is stored of a nugget at a place of its list."""
    value: dict[str, Any] = {"text": one.text, "importance": one.importance, "place": place}
    return {**value, "into": one.into} if one.into else value


def named(query_id: str, wanted: Sequence[Nugget], before: Sequence[Nugget]) -> Iterator[Nugget]:
    """Yield nuggets with ids; one whose text another one was entered with gets an id of its own."""
    taken = {one.id for one in (*wanted, *before) if one.id}
    for one in wanted:
        text, name = one.text, one.id or nugget_id(query_id, one.text)
        while not one.id and name in taken:
            text += "\0"
            name = nugget_id(query_id, text)
        taken.add(name)
        yield replace(one, id=name)


def refuse_unfit(nuggets: Sequence[Nugget]) -> None:
    """Raise UserError for nuggets that cannot be kept together."""
    texts = [one.text for one in nuggets]
    judged = {one.id for one in nuggets if not one.into}
    for one in nuggets:
        wrong = text_problem(one.text, "nugget")
        if wrong or not one.text.strip():
            raise UserError(f"This cannot be saved: {wrong or 'a nugget is empty; write it or remove it'}.")
        if len(one.text) > LONGEST:
            raise UserError(f"A nugget is a short statement of at most {LONGEST:,} characters; split it.")
        if texts.count(one.text) > 1:
            raise UserError(f"The nugget “{one.text}” is there twice; remove one of the two.")
        if one.importance not in IMPORTANCES:
            raise UserError(f"A nugget is vital or okay, not {one.importance!r}.")
        if one.into and one.into not in judged:
            raise UserError(f"“{one.text}” is merged into a nugget that is not there, or is merged itself.")


def resolved(said: Mapping[str, tuple[Said, ...]]) -> dict[str, tuple[Said, ...]]:
    """Return what is said in a state with that of merged nuggets said of what they were merged into.

    What somebody said of that one itself comes first, else the highest level that they said of those merged
    into it. What is said of a nugget that is not there any more is left out.
    """
    into = {one.subject: one.value.get("into") or one.subject[1] for one in said.get(NUGGET.name, ())}
    found = dict(said)
    for task in (SUPPORT.name, settling(SUPPORT).name):
        best: dict[tuple[int, tuple[str, ...]], tuple[bool, int, Any]] = {}
        for who, (query, candidate, nugget), value in said.get(task, ()):
            if (to := into.get((query, nugget))) is not None:
                of = who, (query, candidate, to)
                best[of] = max(
                    best.get(of, (False, -1, None)), (to == nugget, value["grade"], value), key=_rank
                )
        found[task] = tuple(Said(*of, value) for of, (_, _, value) in sorted(best.items(), key=_of))
    return found


def _rank(one: tuple[bool, int, Any]) -> tuple[bool, int]:
    return one[:2]


def _of(one: tuple[tuple[int, tuple[str, ...]], object]) -> tuple[int, tuple[str, ...]]:
    return one[0]
