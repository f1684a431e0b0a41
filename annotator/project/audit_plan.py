"""The plan of a comparison with a limited risk: stored before anything is drawn, and what it draws from.

A plan is an event. It fixes the systems and their runs, the measure, the risk, the seed, what was known of
each pair when it was made and what a model said of it, so that the order of drawing and every result follow
from it and from the blocks that were closed since. What changes afterwards changes nothing: another plan is
a new plan.
"""

import hashlib
import json
import sqlite3
from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

import numpy as np

from annotator.errors import UserError
from annotator.metrics.catalogue import parse
from annotator.storage.ledger.current_values import canonical
from annotator.storage.reads import holdings
from annotator.storage.reads.states import State
from annotator.tasks import CombiningRule

NEARLY_LINEAR = "nDCG"
"""The one measure whose intervals are approximate: the ideal of each query is estimated too."""

SIMULATED = (
    "In three simulated cases by nDCG with a limit of 5%, 8% to 19% of 2,000 comparisons each missed the "
    "truth at some look."
)
"""What is said with every plan by it; `tests/project/test_audit_ndcg.py --nightly` counts."""

LEAST = 30
"""The smallest sample that is looked at once: its interval is approximate, and for few not even that."""

Purpose = Literal["difference", "means"]
PLAN, CLOSED = "plan", "block"
"""The tasks of a plan and of a block of draws that was closed."""

UNKNOWN = "-"
"""Stands for a grade that is not known, in the texts that hold one character for each pair."""

RULES = """\
The grade of a pair is the one that the project's rule makes of several annotators', as it stands when its
block is closed; a grade that is changed afterwards changes nothing that was drawn.
Where nobody gave a grade, skip and can't tell count as grade 0, as scores count what is unjudged.
A grade that is given outside the draw is not looked at until its pair is drawn; then it counts.
A block counts when all of its pairs are decided; one left half done does not count, and nothing is looked at
inside it. Where two copies of the project closed the same block, the later one counts.
Judgments that were there before the plan are known values, never part of the sample."""
"""One rule for each case, stated with every plan."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What somebody plans: each of `systems` against `baseline`, or with purpose `means` every one's mean.

    `margin` is the smallest difference that matters, 0 for any. `model` names the annotator whose grades
    stand in for missing ones, nobody when empty. `sample` is how many draws are looked at once, all together,
    for means; 0 for blocks that are looked at one after the other.
    """

    baseline: str
    systems: tuple[str, ...]
    measure: str = "DCG@10"
    purpose: Purpose = "difference"
    risk: float = 0.05
    margin: float = 0.0
    seed: int = 1
    model: str = ""
    sample: int = 0

    def __post_init__(self) -> None:
        everyone = (self.baseline, *self.systems)
        if not self.systems or len(set(everyone)) < len(everyone):
            raise UserError("Name a baseline and at least one other system, each once.")
        if not 0.001 <= self.risk <= 0.2:
            raise UserError(f"The limit of the risk goes from 0.001 to 0.2, not {self.risk:g}.")
        if not 0 <= self.margin < np.inf:
            raise UserError(f"The smallest difference that matters is 0 or more, not {self.margin:g}.")
        if self.purpose not in get_args(Purpose):
            raise UserError(f"A plan is for a difference or for means, not for {self.purpose!r}.")
        if self.sample and (self.sample < LEAST or self.purpose != "means"):
            raise UserError(f"A sample that is looked at once is for means, and has {LEAST} draws or more.")

    @property
    def everyone(self) -> tuple[str, ...]:
        """All systems, the baseline first."""
        return (self.baseline, *self.systems)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A plan as it is stored: the choices, and what they were made on.

    `runs` names the import of each system's run, baseline first. Of the pool's pairs, in the order of their
    ids, `known` holds a character each, the grade or `UNKNOWN`, and so does `predicted` for the model's
    grades; `pool` is a digest of the pairs and their ranks. `head` is the ledger's before the plan,
    `combine` the rule for several annotators' grades. `subject` is the name it was given and a digest of all
    this; `name` is what it is called, with the digest where copies that were merged had given the same.
    """

    choices: Choices
    depth: int
    block: int
    combine: CombiningRule
    runs: tuple[str, ...]
    queries: int
    pool: str
    known: str
    predicted: str
    head: str
    subject: tuple[str, ...] = ("", "")
    name: str = ""
    annotator: str = ""
    time: int = 0

    @property
    def approximate(self) -> bool:
        """Whether the measure is nearly linear, so that intervals hold only as the draws become many."""
        return parse(self.choices.measure).key == NEARLY_LINEAR

    @property
    def risk_of_each(self) -> float:
        """The risk of one of several differences, so that the limit holds for all together (Bonferroni)."""
        several = self.choices.purpose == "difference"
        return self.choices.risk / (len(self.choices.systems) if several else 1)

    @property
    def value(self) -> dict[str, Any]:
        """What the event holds."""
        stored = asdict(self)
        for name in ("choices", "subject", "name", "annotator", "time"):
            del stored[name]
        return {**asdict(self.choices), **stored}

    def called(self, name: str) -> tuple[str, str]:
        """Return the subject of the event that stores this plan under a name."""
        return name, hashlib.sha256(canonical(self.value).encode()).hexdigest()[:12]


def plans(state: State) -> list[Plan]:
    """Return the plans, oldest first."""
    with state.rows() as db:
        stored = said(state, db, PLAN)
        made = {
            tuple(json.loads(subject)): (time, who)
            for subject, time, who in db.execute(
                "SELECT subject, time, name FROM event JOIN annotator ON annotator.id = annotator "
                "WHERE task = ? ORDER BY event.id",
                (PLAN,),
            ).fetchall()
        }
    given = Counter(subject[0] for subject, _ in stored)
    read = [_read(subject, given[subject[0]] > 1, value, *made[subject]) for subject, value in stored]
    return sorted(read, key=lambda one: (one.time, one.name))


def said(state: State, db: sqlite3.Connection, task: str) -> list[tuple[tuple[str, ...], Any]]:
    """Return (subject, value) of what holds under a task at the moment of the state."""
    if not state.as_of:
        return holdings.values(db, task)
    sql = "SELECT subject, after FROM event WHERE task = ? AND id <= ? AND time <= ? ORDER BY id"
    rows = db.execute(sql, (task, *state.until)).fetchall()
    return [(tuple(json.loads(one)), json.loads(value)) for one, value in dict(rows).items()]


def plan_called(state: State, name: str) -> Plan:
    """Return a plan by its name; raises UserError when there is none."""
    there = {one.name: one for one in plans(state)}
    if name not in there:
        names = ", ".join(there) or "none yet"
        raise UserError(f"There is no plan {name!r} here; there are: {names}.")
    return there[name]


def plan_event(db: sqlite3.Connection, plan: Plan) -> int:
    """Return the key of the event that stored a plan first: copies may hold the same one."""
    sql = "SELECT min(id) FROM event WHERE task = ? AND subject = ?"
    return int(db.execute(sql, (PLAN, canonical([*plan.subject]))).fetchone()[0])


def closed_blocks(state: State, plan: Plan) -> list[str]:
    """Return the grades of the closed blocks, one character for each pair in the order of drawing."""
    with state.rows() as db:
        closed = said(state, db, CLOSED)
    stored = {number: value for (*subject, number), value in closed if tuple(subject) == plan.subject}
    blocks: list[str] = []
    while (number := str(len(blocks) + 1)) in stored:
        blocks.append(stored[number])
    return blocks


def closed_anew(state: State, plan: Plan, count: int) -> int:
    """Return how many of the first blocks were closed with other grades before, in another copy."""
    sql = (
        "SELECT count(*) FROM (SELECT 1 FROM event WHERE task = ? AND id <= ? AND time <= ? AND subject IN "
        "(SELECT value FROM json_each(?)) GROUP BY subject HAVING count(DISTINCT after) > 1)"
    )
    subjects = tuple(canonical([*plan.subject, str(one + 1)]) for one in range(count))
    with state.rows() as db:
        return int(db.execute(sql, (CLOSED, *state.until, canonical([*subjects]))).fetchone()[0])


def _read(subject: tuple[str, ...], apart: bool, value: dict[str, Any], time: int, annotator: str) -> Plan:
    stored: dict[str, Any] = {key: tuple(one) if isinstance(one, list) else one for key, one in value.items()}
    chosen = {key: stored.pop(key) for key in Choices.__dataclass_fields__ if key in stored}
    name = f"{subject[0]} ({subject[1]})" if apart else subject[0]
    stored |= {"subject": subject, "name": name, "time": time, "annotator": annotator}
    return Plan(choices=Choices(**chosen), **stored)
