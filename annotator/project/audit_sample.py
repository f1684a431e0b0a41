"""What a plan draws from: the pairs of the pool, those that can matter, the order of drawing."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotator.errors import UserError
from annotator.evaluation.audit import BLOCK, Population, drawing_keys, linear
from annotator.evaluation.options import Options
from annotator.metrics.catalogue import parse
from annotator.project.audit_plan import NEARLY_LINEAR, PLAN, SIMULATED, UNKNOWN, Choices, Plan
from annotator.project.judging import checked
from annotator.project.project import Project
from annotator.project.state import Qrels, named_pairs, qrels_of, runs_of
from annotator.project.views import Change
from annotator.storage.ledger import events
from annotator.storage.reads import arrays, holdings
from annotator.storage.reads.states import State

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """What a plan draws from: the pool's pairs in the order of their ids, and those that are drawn in turn.

    `worth` is what each adds to each system's sum at the highest gain, float64[systems, pairs]; `discount`
    that by rank, `gain` each grade's share of it. `chance` is what its chance to be drawn is proportional
    to: for a difference how far the ranks of a system and the baseline weigh apart, the furthest of
    several; for means (and where every pair moves the ideal) the highest worth, so that every pair that
    counts has a chance. `rows` are the pairs that were not known and can be drawn, `turn` the keys that they
    are drawn by, float64[rows], and `order` the places among them in the order of drawing.
    """

    keys: tuple[tuple[int, int], ...]
    ids: tuple[tuple[str, str], ...]
    discount: Floats
    gain: Floats
    worth: Floats
    chance: Floats
    rows: Ints
    turn: Floats
    order: Ints

    @property
    def drawn_rows(self) -> Ints:
        """The rows of the pool in the order of drawing."""
        return self.rows[self.order]


def proposed(state: State, choices: Choices) -> tuple[Plan, Sample]:
    """Return the plan that these choices mean today and what it would draw from; nothing is stored."""
    depth = _depth(choices.measure)
    if parse(choices.measure).key == NEARLY_LINEAR and (choices.model or choices.sample):
        raise UserError(
            "Under nDCG a model's grades, or a sample of fixed size, would narrow intervals further than the "
            "ideals are known. Plan without them, or by DCG."
        )
    runs = runs_of(state, choices.everyone)
    combine = state.settings["combining"]
    pairs, ranks, keys, ids = _pool(state, [run.key for run in runs], depth)
    known = _grades(qrels_of(state, Options(combine=combine)), pairs)
    predicted = np.full(len(ids), -1)
    if choices.model:
        if choices.model not in [name for _, name, kind, *_ in state.annotators if kind == "model"]:
            raise UserError(
                f"No model called {choices.model!r} has judged here; import its grades with --annotator "
                "and --model."
            )
        predicted = _grades(qrels_of(state, Options(annotator=choices.model)), pairs)
    plan = Plan(
        choices=choices,
        depth=depth,
        block=choices.sample or BLOCK,
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
        if name in {subject[0] for subject, _ in holdings.values(db, PLAN)}:
            raise UserError(
                f"There is a plan {name!r} already. A changed plan is a new plan: give it another name."
            )
        if events.head(db) != plan.head:
            raise UserError("Somebody graded meanwhile, so the plan was not stored. Make it again.")
        project.store.record(project.annotator, PLAN, plan.called(name), plan.value, how="plan")
    said = f"Plan {name}: {len(sample.rows):,} pairs can be drawn"
    if plan.approximate:
        said = f"{said}. {SIMULATED}"
    return Change(PLAN, after=plan.value, said=said)


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
    grades = np.frombuffer(text.encode(), np.uint8).astype(np.int64) - ord("0")
    return np.where(grades < 0, -1, grades)


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
    turn = drawing_keys(chance[rows], [ids[row] for row in rows.tolist()], plan.choices.seed, plan.subject[0])
    order = np.argsort(turn, kind="stable")
    return Sample(keys, ids, discount, gain, worth, chance, rows, turn, order)


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
