"""The choices that a project stores, each with what it is until somebody sets it."""

import sqlite3
from collections.abc import Container
from dataclasses import replace
from typing import Any

from annotator.errors import UserError
from annotator.evaluation.options import ANSWER_MEASURES, Options, with_stems
from annotator.grades import MEANINGS, RELEVANT_FROM
from annotator.project.aspects import refuse_wrong
from annotator.project.judged_by import offered
from annotator.project.project import Project
from annotator.project.views import Change
from annotator.storage.ledger import current_values
from annotator.storage.reads import lookup
from annotator.tasks import GRADE

DEFAULTS: dict[str, Any] = {
    "name": "",
    "about": "",
    "pool_depth": 10,
    "combining": GRADE.combine,
    "meanings": list(MEANINGS),
    "examples": [""] * len(MEANINGS),
    "guidelines": "",
    "field_line": "",
    "relevant_from": RELEVANT_FROM,
    "language": "en",
    "show_others": False,
    "repeat_share": 0.0,
    "mappings": {},
    "aspects": [],
}
"""`aspects` are those of `aspects.py`; `examples` is one text per grade; `field_line` the template of a
document's other fields (empty: all by name); `repeat_share` the part of one's own pairs that is asked again;
`mappings` the saved column mappings of table files by name."""

DEEPEST_POOL = 1_000


def setting(db: sqlite3.Connection, name: str, default: Any = None) -> Any:
    """Return a setting's value; what nobody set is the default given, or the project's own."""
    stored = current_values.read(db, "setting", 0, (name,))
    if stored is not None:
        return stored
    return DEFAULTS.get(name) if default is None else default


def set_setting(project: Project, name: str, value: Any, how: str = "settings") -> Change:
    """Store a setting; None goes back to the default. Raises UserError for a value that makes no sense."""
    meant = DEFAULTS.get(name) if value is None else value
    refuse_unfit(name, meant)
    before: Any = setting(project.store.db, name)
    if name == "aspects":
        refuse_wrong(project.store.db, before, meant or ())
    if meant != before:
        project.store.record(project.annotator, "setting", (name,), value, how=how)
    return Change("setting", before={name: before}, after={name: setting(project.store.db, name)})


def refuse_unfit(name: str, value: Any) -> None:
    """Raise UserError for a value that a setting cannot have in any project."""
    if name == "pool_depth" and not (isinstance(value, int) and 1 <= value <= DEEPEST_POOL):
        raise UserError(f"A pool goes down to rank 1 to {DEEPEST_POOL:,}, not {value!r}.")
    if name == "language":
        with_stems(value)


def value_of(project: Project, name: str, default: Any = None) -> Any:
    """Return a setting of a project; what nobody set is the default given, or the project's own."""
    with project.store.reading() as db:
        return setting(db, name, default)


def usual_options(project: Project, options: Options = Options(), said: Container[str] = ()) -> Options:
    """Return options in which what nobody `said` is what the project's settings and contents ask for.

    These are its measures (those of answers where there are gold answers and no grade), from which grade on a
    candidate is relevant, and how several annotators' grades become one. Where something is judged by in the
    place of the grades: the mean level of what is ranked first, and how often it is the highest one.
    """
    with project.store.reading() as db:
        usual = {"rel": setting(db, "relevant_from"), "combine": setting(db, "combining")}
        only_answers = lookup.only_answers(db)
        by = offered({"aspects": setting(db, "aspects")}).get(options.judged_by)
    if by is not None:
        usual |= {"rel": Options().rel, "measures": ("CG@1", f"P(rel={len(by.words) - 1})@1")}
    elif options.relevance is None and only_answers:
        usual["measures"] = ANSWER_MEASURES
    return replace(options, **{name: value for name, value in usual.items() if name not in said})
