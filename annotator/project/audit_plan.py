"""The plan of a comparison with a limited risk: stored before anything is drawn, and what it draws from.

A plan is an event. It fixes the systems and their runs, the measure, the risk, the seed, what was known of
each pair when it was made and what a model said of it, so that the order of drawing and every result follow
from it and from the blocks that were closed since. What changes afterwards changes nothing: another plan is
a new plan.
"""

import hashlib
import sqlite3
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from annotator.errors import UserError
from annotator.evaluation.audit import BLOCK, Population, drawing_order, linear
from annotator.evaluation.options import Options
from annotator.metrics.catalogue import parse
from annotator.project.judging import checked
from annotator.project.project import Project
from annotator.project.state import Qrels, named_pairs, qrels_of, runs_of
from annotator.project.views import Change
from annotator.storage.ledger import events
from annotator.storage.ledger.current_values import canonical
from annotator.storage.reads import arrays, holdings
from annotator.storage.reads.states import State
from annotator.tasks import CombiningRule

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

NEARLY_LINEAR = "nDCG"
"""The one measure whose intervals are approximate: the ideal of each query is estimated too."""

Purpose = Literal["difference", "means"]
PLAN, CLOSED = "plan", "block"
"""The tasks of a plan and of a block of draws that was closed."""

UNKNOWN = "-"
"""Stands for a grade that is not known, in the texts that hold one character for each pair."""

RULES = """\
The grade of a pair is the one that the project's rule makes of several annotators', as it stands when its
block is closed; a grade that is changed afterwards changes nothing that was drawn.
Skip and can't tell count as grade 0, as in every score, where nobody gave a grade.
A grade that is given outside the draw is not looked at until its pair is drawn; then it counts.
A block counts when all of its pairs are decided; one left half done does not count, and nothing is looked at
inside it.
Judgments that were there before the plan are known values, never part of the sample."""
"""One rule for each case, stated with every plan."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What somebody plans: each of `systems` against `baseline`, or with purpose `means` every one's mean.

    `margin` is the smallest difference that matters, 0 for any. `model` names the annotator whose grades
    stand in for missing ones, nobody when empty.
    """

    baseline: str
    systems: tuple[str, ...]
    measure: str = "DCG@10"
    purpose: Purpose = "difference"
    risk: float = 0.05
    margin: float = 0.0
    seed: int = 1
    model: str = ""

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
    `combine` the rule for several annotators' grades.
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
    name: str = ""
    annotator: str = ""
    time: int = 0

    @property
    def approximate(self) -> bool:
        """Whether intervals hold only as the draws become many: the measure is nearly linear."""
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
        for name in ("choices", "name", "annotator", "time"):
            del stored[name]
        return {**asdict(self.choices), **stored}


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """What a plan draws from: the pool's pairs in the order of their ids, and those that are drawn in turn.

    `worth` is what each adds to each system's sum at the highest gain, float64[systems, pairs]; `discount`
    that by rank, `gain` each grade's share of it. `chance` is what its chance to be drawn is proportional
    to: for a difference how far the ranks of a system and the baseline weigh apart, the furthest of
    several; for means (and where every pair moves the ideal) the highest worth, so that every pair that
    counts has a chance. `rows` are the pairs that were not known and can be drawn, `order` the places among
    them in the order of drawing.
    """

    keys: tuple[tuple[int, int], ...]
    ids: tuple[tuple[str, str], ...]
    discount: Floats
    gain: Floats
    worth: Floats
    chance: Floats
    rows: Ints
    order: Ints

    @property
    def drawn_rows(self) -> Ints:
        """The rows of the pool in the order of drawing."""
        return self.rows[self.order]


def proposed(state: State, choices: Choices) -> tuple[Plan, Sample]:
    """Return the plan that these choices mean today and what it would draw from; nothing is stored."""
    depth = _depth(choices.measure)
    runs = runs_of(state, choices.everyone)
    combine = state.settings["combining"]
    pairs, ranks, keys, ids = _pool(state, [run.key for run in runs], depth)
    known = _grades(qrels_of(state, Options(combine=combine)), pairs)
    predicted = np.full(len(ids), -1)
    if choices.model:
        if choices.model not in [name for _, name, kind, *_ in state.annotators if kind == "model"]:
            raise UserError(
                f"No model called {choices.model!r} has judged here; import its grades with --model."
            )
        predicted = _grades(qrels_of(state, Options(annotator=choices.model)), pairs)
    plan = Plan(
        choices=choices,
        depth=depth,
        block=BLOCK,
        combine=combine,
        runs=tuple(run.event for run in runs),
        queries=len({query for query, _ in ids}),
        pool=_digest(ids, ranks),
        known=_text(known),
        predicted=_text(predicted) if choices.model else "",
        head=state.head,
    )
    sample = _sample(plan, ranks, keys, ids)
    if not len(sample.rows):
        raise UserError(
            f"No unjudged candidate in the first {depth} can tell these systems apart; see Compare."
        )
    return plan, sample


def make_plan(project: Project, state: State, name: str, choices: Choices) -> Change:
    """Store a plan under a name, before anything is drawn; raises UserError for a name that a plan has."""
    checked(name, "name")
    if not name.strip():
        raise UserError("A plan needs a name.")
    plan, sample = proposed(state, choices)
    with project.store.writing() as db:
        if (name,) in dict(holdings.values(db, PLAN)):
            raise UserError(
                f"There is a plan {name!r} already. A changed plan is a new plan: give it another name."
            )
        if events.head(db) != plan.head:
            raise UserError("Somebody graded meanwhile, so the plan was not stored. Make it again.")
        project.store.record(project.annotator, PLAN, (name,), plan.value, how="plan")
    return Change(PLAN, after=plan.value, said=f"Plan {name}: {len(sample.rows):,} pairs can be drawn")


def plans(state: State) -> list[Plan]:
    """Return the plans, oldest first."""
    with state.rows() as db:
        stored = holdings.values(db, PLAN)
        made = {
            name: (time, who)
            for name, time, who in db.execute(
                "SELECT subject ->> '$[0]', time, name FROM event JOIN annotator ON annotator.id = annotator "
                "WHERE task = ? ORDER BY event.id",
                (PLAN,),
            ).fetchall()
        }
    read = [_read(subject[0], value, *made[subject[0]]) for subject, value in stored]
    return sorted(read, key=lambda one: (one.time, one.name))


def plan_called(state: State, name: str) -> Plan:
    """Return a plan by its name; raises UserError when there is none."""
    there = {one.name: one for one in plans(state)}
    if name not in there:
        names = ", ".join(there) or "none yet"
        raise UserError(f"There is no plan {name!r} here; there are: {names}.")
    return there[name]


def plan_event(db: sqlite3.Connection, name: str) -> int:
    """Return the key of the event that stored a plan."""
    sql = "SELECT max(id) FROM event WHERE task = ? AND subject = ?"
    return int(db.execute(sql, (PLAN, canonical([name]))).fetchone()[0])


def _read(name: str, value: dict[str, Any], time: int, annotator: str) -> Plan:
    stored: dict[str, Any] = {key: tuple(one) if isinstance(one, list) else one for key, one in value.items()}
    chosen = {key: stored.pop(key) for key in Choices.__dataclass_fields__}
    return Plan(choices=Choices(**chosen), **stored, name=name, time=time, annotator=annotator)


def sample_of(state: State, plan: Plan) -> Sample:
    """Return what a plan draws from; raises UserError when a run that it names is gone."""
    with state.rows() as db:
        there = {(run.event, run.name): run.key for run in holdings.runs(db, current_only=False)}
    try:
        runs = [there[one] for one in zip(plan.runs, plan.choices.everyone, strict=True)]
    except KeyError as error:
        raise UserError(
            f"The run of {error.args[0][1]} that {plan.name!r} draws from was taken back. Make a new plan."
        ) from None
    _, ranks, keys, ids = _pool(state, runs, plan.depth)
    if _digest(ids, ranks) != plan.pool:
        raise UserError(
            f"The rankings that the plan {plan.name!r} draws from are others now, or one of its queries is "
            "for practice. Make a new plan."
        )
    return _sample(plan, ranks, keys, ids)


def _depth(measure: str) -> int:
    """Return how deep a measure looks; raises UserError for one without a cut-off."""
    parsed = parse(measure)
    if not isinstance(parsed.cutoff, int):
        raise UserError(f"Say how deep the pool is: {parsed.name}@10, for example, asks for the first ten.")
    return parsed.cutoff


def _pool(
    state: State, runs: Sequence[int], depth: int
) -> tuple[arrays.Pairs, Ints, tuple[tuple[int, int], ...], tuple[tuple[str, str], ...]]:
    """Return the union of the runs' tops with ranks and names, in the order of the external ids."""
    with state.rows() as db:
        tops = [state.of_queries(arrays.top(db, run, depth)) for run in runs]
        pairs = arrays.Pairs.of(
            np.concatenate([top.query for top in tops]), np.concatenate([top.candidate for top in tops])
        )
        ranks = np.stack([arrays.ranks(db, run, pairs) for run in runs])
    named = named_pairs(state, pairs, np.arange(len(pairs.query)))
    order = sorted(range(len(named)), key=lambda at: named[at][2:])
    ranks = np.where(ranks > depth, 0, ranks)[:, order]
    keys = tuple(named[at][:2] for at in order)
    ids = tuple(named[at][2:] for at in order)
    sorted_pairs = arrays.Pairs(*(np.array([one[at] for one in keys], dtype=np.int64) for at in (0, 1)))
    return sorted_pairs, ranks, keys, ids


def _grades(qrels: Qrels, pairs: arrays.Pairs) -> Ints:
    """Return the grade of each pair, -1 where there is none."""
    grade = np.full(len(pairs.query), -1, dtype=np.int64)
    known = np.isin(pairs.codes, qrels.pairs.codes)
    grade[known] = qrels.grade[np.searchsorted(qrels.pairs.codes, pairs.codes[known])]
    return grade


def _text(grades: Ints) -> str:
    return "".join(UNKNOWN if one < 0 else str(one) for one in grades.tolist())


def grades_of(text: str) -> Ints:
    """Return the grades that a text holds, one character each, -1 for `UNKNOWN`."""
    return np.array([-1 if one == UNKNOWN else int(one) for one in text], dtype=np.int64)


def _digest(ids: Sequence[tuple[str, str]], ranks: Ints) -> str:
    lines = (
        f"{query}\0{candidate}\0{row}\n"
        for (query, candidate), row in zip(ids, ranks.T.tolist(), strict=True)
    )
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _sample(
    plan: Plan, ranks: Ints, keys: tuple[tuple[int, int], ...], ids: tuple[tuple[str, str], ...]
) -> Sample:
    name = parse(plan.choices.measure).name
    discount, gain = linear(parse(name.removeprefix("n") if plan.approximate else name), plan.depth)
    worth = np.append(0.0, discount)[ranks]
    chance: Floats = worth.max(axis=0)
    if plan.choices.purpose == "difference" and not plan.approximate:
        chance = np.abs(worth[1:] - worth[:1]).max(axis=0)
    rows = np.flatnonzero((chance > TINY * chance.max(initial=0.0)) & (grades_of(plan.known) < 0))
    order = drawing_order(chance[rows], [ids[row] for row in rows.tolist()], plan.choices.seed)
    return Sample(keys, ids, discount, gain, worth, chance, rows, order)


TINY = 1e-12


def population(plan: Plan, sample: Sample, weight: Floats) -> Population:
    """Return what can be drawn, for what adds up the gains with these weights, float64[pairs]."""
    known = grades_of(plan.known)
    there = known >= 0
    predicted = np.zeros(len(sample.rows))
    if plan.predicted:
        model = grades_of(plan.predicted)[sample.rows]
        predicted = np.where(model >= 0, sample.gain[model], 0.0)
    return Population(
        weight[sample.rows],
        sample.chance[sample.rows],
        predicted,
        float(weight[there] @ sample.gain[known[there]]),
    )
