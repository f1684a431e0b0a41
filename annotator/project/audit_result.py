"""What a plan's draws prove so far: blocks that are handed out and closed, intervals, what is claimed."""

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from annotator.errors import UserError
from annotator.evaluation import audit
from annotator.evaluation.audit_fixed import fixed_interval, inclusion
from annotator.evaluation.options import Options
from annotator.project.audit_plan import (
    CLOSED,
    Plan,
    closed_anew,
    closed_blocks,
    plan_called,
    plan_event,
    plans,
)
from annotator.project.audit_sample import Sample, grades_of, population, sample_of
from annotator.project.project import Project
from annotator.project.state import qrels_of, state_of
from annotator.project.views import Change, Pair
from annotator.storage.reads import lookup
from annotator.storage.reads.states import State
from annotator.text.counts import counted

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

NOT_TOLD = "n"
"""Stands in a closed block for a pair that nobody graded, though somebody skipped it or could not tell."""


@dataclass(frozen=True, slots=True)
class DrawnPair(Pair):
    """A pair of a block: `grade` is what counts of it, `NOT_GRADED`, or `UNDECIDED`."""

    grade: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What is known of the difference of one system less another, or of one system's mean.

    `decided` is 1 (better), -1 (worse), 0 (open) or None (within the margin); of a mean nothing is to
    decide. `path` holds how many were drawn, estimate, low and high after each closed block; the estimate is
    NaN before anything was drawn, and so are low and high of an approximate interval. `exact` says
    that nothing is left to draw, `model_alone` what would be said if the model's grades were right, `still`
    how many are likely still to be drawn if the rest is like what was.
    """

    systems: tuple[str, ...]
    estimate: float
    low: float
    high: float
    decided: int | None
    exact: bool
    model_alone: float | None
    path: tuple[tuple[int, float, float, float], ...]
    still: int | None

    @property
    def name(self) -> str:
        """The system, or the two of a difference: `dense - bm25`."""
        return " - ".join(self.systems)

    @property
    def is_difference(self) -> bool:
        """Whether it is the difference of two systems."""
        return len(self.systems) == 2


@dataclass(frozen=True, slots=True)
class Calibration:
    """What people give on average where the model gives one grade, as a share of the highest gain."""

    grade: int
    pairs: int
    predicted: float
    estimate: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditResult:
    """What a plan claims by now: `judged` of `matter` pairs were drawn and judged, `known` known before.

    `earlier` counts drawn pairs with grades from before the plan that it did not know, `withdrawn` imports of
    grades that were taken back before it, which are not there to be looked into. `untold` of the judged pairs
    have no grade, and `anew` blocks were closed with other grades in another copy. `before` names the plans
    about two of its systems or more that are older.
    """

    plan: Plan
    findings: tuple[Finding, ...]
    calibration: tuple[Calibration, ...]
    blocks: int
    judged: int
    matter: int
    known: int
    earlier: int
    withdrawn: int = 0
    untold: int = 0
    anew: int = 0
    before: tuple[str, ...]
    head: str

    @property
    def closed(self) -> bool:
        """Whether nothing is open: all is decided, or judged as far as it matters or was to be drawn."""
        if self.plan.choices.sample:
            return self.blocks > 0
        return all(not one.is_difference or one.decided != 0 or one.exact for one in self.findings)


def block_of(state: State, plan: Plan, sample: Sample | None = None) -> tuple[int, list[DrawnPair]]:
    """Return the number of the open block, from 1, and its pairs grouped by query; none at the end."""
    sample = sample or sample_of(state, plan)
    closed = closed_blocks(state, plan)
    rows = _open_rows(plan, sample, closed)
    grades = _standing(state, plan, sample, rows)
    pairs = [_pair(sample, row, grade) for row, grade in sorted(zip(rows.tolist(), grades, strict=True))]
    return len(closed) + 1, pairs


def _open_rows(plan: Plan, sample: Sample, closed: Sequence[str]) -> Ints:
    """Return the rows of the pool that are drawn behind the closed blocks, in the order of drawing."""
    if plan.choices.sample and closed:
        return sample.drawn_rows[:0]
    start = len(closed) * plan.block
    return sample.drawn_rows[start : start + plan.block]


def _pair(sample: Sample, row: int, grade: int) -> DrawnPair:
    query, candidate = sample.keys[row]
    return DrawnPair(query, candidate, *sample.ids[row], grade)


def close_blocks(project: Project, name: str) -> Change:
    """Look: record the grades of every block that is decided to its end; says how many there are.

    What is recorded counts from then on, whatever is graded anew.
    """
    closed = 0
    while _close(project, name):
        closed += 1
    said = f"{counted(closed, 'block')} of {name} closed" if closed else "This block is not done yet."
    return Change(CLOSED, after={"name": name, "blocks": closed}, said=said)


def _close(project: Project, name: str) -> bool:
    """Record the next block if it is done; it is read and recorded in one piece."""
    state = state_of(project)
    plan = plan_called(state, name)
    sample = sample_of(state, plan)
    closed = closed_blocks(state, plan)
    rows = _open_rows(plan, sample, closed)
    grades = _standing(state, plan, sample, rows)
    if not len(rows) or min(grades) < NOT_GRADED:
        return False
    text = "".join(NOT_TOLD if grade == NOT_GRADED else str(grade) for grade in grades)
    subject = (*plan.subject, str(len(closed) + 1))
    return project.store.record(project.annotator, CLOSED, subject, text, how="look") is not None


NOT_GRADED, UNDECIDED = -1, -2


def _standing(state: State, plan: Plan, sample: Sample, rows: Ints) -> list[int]:
    """Return what counts of some pairs now: a grade, `NOT_GRADED` (skipped, can't tell) or `UNDECIDED`."""
    qrels = qrels_of(state, Options(combine=plan.combine))
    graded = dict(zip(qrels.pairs.codes.tolist(), qrels.grade.tolist(), strict=True))
    models = [key for key, _, kind, *_ in state.annotators if kind == "model"]
    judged = state.judged.where((state.judged.state > 0) & ~np.isin(state.judged.annotator, models))
    decided = set(((judged.query << 32) | judged.candidate).tolist())
    codes = ((query << 32) | candidate for query, candidate in (sample.keys[row] for row in rows.tolist()))
    return [graded.get(code, NOT_GRADED if code in decided else UNDECIDED) for code in codes]


def results(state: State) -> list[AuditResult]:
    """Return what every plan claims, oldest first; a plan whose runs are gone claims nothing any more."""
    claims = []
    for plan in plans(state):
        with suppress(UserError):
            claims.append(result(state, plan.name))
    return claims


def result(state: State, name: str, blocks: int | None = None) -> AuditResult:
    """Return what a plan claims by its closed blocks, or by the first of them."""
    plan = plan_called(state, name)
    sample = sample_of(state, plan)
    texts = closed_blocks(state, plan)[:blocks]
    gain = sample.gain[[0 if one == NOT_TOLD else int(one) for one in "".join(texts)]]
    ends = [0, *np.cumsum([len(one) for one in texts]).tolist()]
    looks = [_targets(plan, sample, gain[:end]) for end in ends]
    findings = [
        _finding(plan, sample, systems, [look[at][1] for look in looks], gain, ends)
        for at, (systems, _) in enumerate(looks[-1])
    ]
    moving = np.any([weight != 0 for _, weight in looks[-1]], axis=0)
    known = grades_of(plan.known) >= 0
    earlier, withdrawn = _graded_earlier(state, plan, sample, len(gain))
    return AuditResult(
        plan=plan,
        findings=tuple(findings),
        calibration=_calibration(plan, sample, gain),
        blocks=len(texts),
        judged=len(gain),
        matter=int(moving[known].sum() + len(sample.rows)),
        known=int(moving[known].sum()),
        earlier=earlier,
        withdrawn=withdrawn,
        untold="".join(texts).count(NOT_TOLD),
        anew=closed_anew(state, plan, len(texts)),
        before=_before(state, plan),
        head=state.head,
    )


def _before(state: State, plan: Plan) -> tuple[str, ...]:
    """Return the names of the older plans that compare some of the same systems."""
    names = set(plan.choices.everyone)
    older = (one for one in plans(state) if (one.time, one.name) < (plan.time, plan.name))
    return tuple(one.name for one in older if len(names.intersection(one.choices.everyone)) > 1)


def _graded_earlier(state: State, plan: Plan, sample: Sample, count: int) -> tuple[int, int]:
    """Return how many drawn pairs bear a grade from before the plan, and how many imports left none."""
    drawn_ids = [list(sample.ids[row]) for row in sample.drawn_rows[:count].tolist()]
    with state.rows() as db:
        event = plan_event(db, plan)
        return lookup.graded_before(db, drawn_ids, event), lookup.withdrawn_before(db, event)


def _targets(plan: Plan, sample: Sample, gain: Floats) -> list[tuple[tuple[str, ...], Floats]]:
    """Return what is estimated, by its systems, and what each pair adds to it at the highest gain."""
    worth = sample.worth / plan.queries
    if plan.approximate:
        worth = worth * _over_ideal(plan, sample, gain)
    names = plan.choices.everyone
    if plan.choices.purpose == "difference":
        return [((name, names[0]), worth[at] - worth[0]) for at, name in enumerate(names) if at]
    targets: list[tuple[tuple[str, ...], Floats]] = [((name,), worth[at]) for at, name in enumerate(names)]
    for one, other in combinations(range(len(names)), 2):
        targets.append(((names[other], names[one]), worth[other] - worth[one]))
    return targets


def _calibration(plan: Plan, sample: Sample, gain: Floats) -> tuple[Calibration, ...]:
    """Return how right the model's grades are, one by one; a plan for means alone has a chance for each."""
    if plan.choices.purpose != "means" or not plan.predicted:
        return ()
    model, open_ones = grades_of(plan.predicted), np.zeros(len(plan.predicted), dtype=bool)
    open_ones[sample.rows] = True
    counts = open_ones | (grades_of(plan.known) >= 0)
    each = []
    for grade in np.unique(model[counts & (model >= 0)]).tolist():
        these = counts & (model == grade)
        drawn_from = population(plan, sample, these / these.sum())
        estimate, low, high = _interval(plan, sample, drawn_from, gain, plan.choices.risk)
        if high > low and not these[sample.drawn_rows[: len(gain)]].any():
            estimate = math.nan
        each.append(Calibration(grade, int(these.sum()), float(sample.gain[grade]), estimate, low, high))
    return tuple(each)


def _interval(
    plan: Plan, sample: Sample, drawn_from: audit.Population, gain: Floats, risk: float
) -> tuple[float, float, float]:
    """Return estimate, low and high by what was drawn first and gained so; NaN for what nothing is known of.

    What is certain before anything was drawn is not, where every query's ideal is guessed.
    """
    taken = sample.order[: len(gain)]
    if plan.choices.sample and len(gain):
        included = inclusion(sample.chance[sample.rows], sample.turn, sample.order, len(gain))
        return fixed_interval(drawn_from, taken, gain, included, risk)
    draws = audit.drawn(drawn_from, taken, gain, plan.block)
    if plan.approximate and not len(gain):
        return math.nan, math.nan, math.nan
    low, high = (audit.approximate_interval if plan.approximate else audit.interval)(draws, risk)
    return min(max(draws.estimate, low), high), low, high


def _over_ideal(plan: Plan, sample: Sample, gain: Floats) -> Floats:
    """Return one over the ideal of each pair's query, as far as it can be told by now; 0 where it is 0.

    What is not drawn yet is expected to gain what those drawn gained on average, also with a model: the best
    of many grades that scatter are too good, and the ideal with them.
    """
    known = grades_of(plan.known)
    drawn_rows = sample.drawn_rows[: len(gain)]
    usual = float(np.average(gain, weights=1 / sample.chance[drawn_rows])) if len(gain) else 0.5
    gains = np.where(known >= 0, sample.gain[known], usual)
    gains[drawn_rows] = gain
    query = np.unique([one[0] for one in sample.keys], return_inverse=True)[1].reshape(-1)
    order = np.lexsort((-gains, query))
    place = np.arange(len(order)) - np.searchsorted(query[order], query[order])
    discount = np.append(sample.discount, 0.0)[np.minimum(place, plan.depth)]
    ideal = np.bincount(query[order], discount * gains[order])[query]
    return np.divide(1.0, ideal, where=ideal > 0, out=np.zeros(len(ideal)))


def _finding(
    plan: Plan,
    sample: Sample,
    systems: tuple[str, ...],
    weights: Sequence[Floats],
    gain: Floats,
    ends: Sequence[int],
) -> Finding:
    """Return what is known of one target after each of the closed blocks."""
    risk = plan.risk_of_each
    path: list[tuple[int, float, float, float]] = []
    for end, weight in zip(ends, weights, strict=True):
        drawn_from = population(plan, sample, weight)
        estimate, low, high = _interval(plan, sample, drawn_from, gain[:end], risk)
        if path and not plan.approximate:  # rounding apart, no later interval is wider
            low, high = max(low, path[-1][2]), min(high, path[-1][3])
        path.append((end, estimate, low, high))
    _, estimate, low, high = path[-1]
    exact = ends[-1] == len(sample.order)
    decided = audit.decided(low, high, plan.choices.margin) if len(systems) == 2 else 0
    decidable = len(systems) == 2 and not plan.approximate and not plan.choices.sample
    open_still = decidable and decided == 0 and not exact
    alone = drawn_from.known + float(drawn_from.weight @ drawn_from.predicted) if plan.predicted else None
    still = None
    if open_still:
        still = audit.still_to_draw(drawn_from, sample.order, gain, plan.block, risk, plan.choices.margin)
    return Finding(
        systems=systems,
        estimate=min(max(estimate, low), high),
        low=low,
        high=high,
        decided=decided,
        exact=exact,
        model_alone=alone,
        path=tuple(path),
        still=still,
    )
