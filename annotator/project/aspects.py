"""What a project asks of each candidate beside the grade: its aspects, with a few worded values each.

Aspects are the setting `aspects`. What somebody says under one is a `RATING`: everybody's own, blind as a
grade is, undone as a grade is, and read as grades are (`judged_by.by`).
"""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotator.errors import UserError
from annotator.records import id_problem, text_problem
from annotator.storage.reads import lookup
from annotator.tasks import RATING, TASKS

FEWEST, MOST = 2, len(RATING.levels)
LONGEST = 60
"""So many characters a name or a value may have: it stands on a card."""


@dataclass(frozen=True, slots=True)
class Aspect:
    """One thing that is asked of each candidate: `Faithful`, what that means, and its values, lowest first.

    One that is no longer `asked` keeps what was said under it.
    """

    name: str
    meaning: str
    values: tuple[str, ...]
    asked: bool = True

    @property
    def stored(self) -> dict[str, Any]:
        """It as a part of the setting."""
        return {"name": self.name, "meaning": self.meaning, "values": list(self.values), "asked": self.asked}


def aspects_of(settings: Mapping[str, Any]) -> tuple[Aspect, ...]:
    """Return the aspects that the settings of a project name, in their order."""
    return tuple(
        Aspect(one["name"], one["meaning"], tuple(one["values"]), one["asked"]) for one in settings["aspects"]
    )


def refuse_unfit(stored: Sequence[Mapping[str, Any]]) -> None:
    """Raise UserError for aspects that cannot be."""
    new = aspects_of({"aspects": stored})
    names = [one.name for one in new]
    for one in new:
        if not one.name.strip() or one.name != one.name.strip() or id_problem(one.name):
            raise UserError("An aspect has no name that can be stored; give it one, such as Faithful.")
        if one.name.casefold() in {name.casefold() for name in TASKS} or names.count(one.name) > 1:
            raise UserError(f"The name {one.name} is taken; call the aspect otherwise.")
        if not FEWEST <= len(one.values) <= MOST:
            raise UserError(
                f"{one.name} has {len(one.values)} values; name {FEWEST} to {MOST}, the lowest first."
            )
        if len(set(one.values)) < len(one.values) or not all(map(str.strip, one.values)):
            raise UserError(f"Two values of {one.name} are the same, or one is empty; word each its own way.")
        for words in (one.name, one.meaning, *one.values):
            if wrong := text_problem(words, f"aspect {one.name}"):
                raise UserError(f"This cannot be saved: {wrong}.")
        for words in (one.name, *one.values):
            if len(words) > LONGEST:
                raise UserError(f"“{words[:LONGEST]}…” is longer than {LONGEST} characters; shorten it.")


def refuse_wrong(
    db: sqlite3.Connection, before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]
) -> None:
    """Raise UserError for aspects that cannot be, or whose values would mean something else than was said."""
    refuse_unfit(after)
    kept = {one.name: one for one in aspects_of({"aspects": after})}
    for old in aspects_of({"aspects": before}):
        same = kept.get(old.name)
        if (same is None or len(same.values) != len(old.values)) and lookup.rated(db, old.name):
            raise UserError(
                f"Somebody has judged by {old.name} already: reword its values, but keep their number, or "
                "stop asking for it; what was said stays."
            )
