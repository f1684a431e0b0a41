"""Why a value is what it is: the rank-by-rank table whose contributions sum to it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from annotator.metrics.collection import Floats, Ranked
from annotator.metrics.conventions import in_words
from annotator.metrics.ideal import has_ideal, ideal_for, reordered
from annotator.metrics.measures import Measure, divided
from annotator.text.small_tables import WriteTable, html_table, text_table

SMALL = 1e-12
SHOWN = 10
"""Ranks that get a row even where nothing is added any more."""


@dataclass(frozen=True, slots=True)
class Row:
    """One rank: what stands there, what it adds, what could stand there.

    `grade` is None for an unjudged candidate; `retrieved` is False below the end of the system's list.
    `discount` is None for measures that do not weigh ranks. `seen` and `precision` count the relevant (for
    measures without a threshold: those with a gain) up to this rank. `loss` is the ideal contribution minus
    the contribution: over all rows it sums to the ideal value minus the value. Contributions are None where
    they would not sum to the value, what is ideal where no ordering is.
    """

    rank: int
    retrieved: bool
    candidate: str | None
    grade: int | None
    gain: float
    discount: float | None
    seen: int
    precision: float
    contribution: float | None
    ideal_candidate: str | None
    ideal_grade: int | None
    ideal_gain: float | None
    ideal_contribution: float | None
    loss: float | None


@dataclass(frozen=True, slots=True)
class Explanation:
    """The value of one query taken apart; the `contribution` column of `rows` sums to `value`.

    `ideal_value` and `reordered_value` (the best order of what was retrieved) are None where no ordering is
    better than another, or none is known to be. `sentence` holds the conventions, `costs` says in words where
    most is lost and what reordering would gain, `undefined` that the value is 0 because there was nothing to
    divide by. `ideal_length` counts the candidates of the ideal ordering, below the cut-off too.
    """

    measure: Measure
    value: float
    ideal_value: float | None
    ideal_length: int
    reordered_value: float | None
    rows: tuple[Row, ...]
    sentence: str
    formula: str
    costs: str
    undefined: bool

    def _repr_html_(self) -> str:
        """Return the value, its rows and what they mean, as notebooks show them."""
        return self._written(html_table)

    def __repr__(self) -> str:
        return self._written(text_table)

    def _written(self, write: WriteTable) -> str:
        named = any(row.candidate for row in self.rows)
        fields = ["rank", *(["candidate"] if named else []), "grade", "gain", "discount", "contribution"]
        fields += ["ideal_grade", "ideal_contribution", "loss"]
        rows = [[_shown(getattr(row, name)) for name in fields] for row in self.rows]
        numeric = [name != "candidate" for name in fields]
        sentence = f"{self.measure.name} = {self.value:.4f}. {self.costs} {self.sentence}"
        return write([name.replace("_", " ") for name in fields], rows, numeric, sentence)


@dataclass(frozen=True, slots=True, eq=False)
class _Column:
    """What one ordering adds at each rank: dense arrays, entry i for rank i + 1; grade -1000 is unjudged."""

    grade: np.ndarray[tuple[int], np.dtype[np.int64]]
    gain: Floats
    contribution: Floats
    value: float
    undefined: bool


UNJUDGED = -1000


def _shown(cell: str | float | None) -> str:
    return "–" if cell is None else f"{cell:.4f}" if isinstance(cell, float) else str(cell)


def explain(
    measure: Measure,
    ranked: Ranked,
    query: int = 0,
    candidates: Sequence[str] | None = None,
    judged: Mapping[str, int] | None = None,
) -> Explanation:
    """Take apart the value of one query under a measure of grades.

    `candidates` are the names in the system's order (the table shows them), `judged` the grade of every
    judged name (they fill the ideal column, highest grade first, ties in the system's order, then by name).
    Raises TypeError for a measure of answers.
    """
    alone = ranked.one(query)
    one = measure.prepared(alone)
    actual = _column(measure, one)
    ideal = ideal_for(measure, one) if has_ideal(measure) else None
    best = _column(measure, ideal) if ideal is not None else None
    reached = float(measure.value(reordered(one))[0]) if ideal is not None else None
    depth = _depth(measure, one, actual, best)
    names = list(candidates) if candidates is not None else []
    place = {name: at for at, name in enumerate(names)}
    order = sorted(judged or {}, key=lambda name: (-(judged or {})[name], place.get(name, len(place)), name))
    if measure.parameters.get("judged_only") and judged is not None:
        names = [name for name in names if name in judged]
    if measure.parameters.get("over") == "retrieved" and candidates is not None:
        order = [name for name in order if name in place]
        order = order if len(order) == len(one.judged) else []  # the names do not reach down the whole list
    rows = tuple(_rows(measure, one, actual, best, depth, names, order))
    return Explanation(
        measure=measure,
        value=actual.value,
        ideal_value=best.value if best is not None else None,
        ideal_length=int(ideal.retrieved[0]) if ideal is not None else 0,
        reordered_value=reached,
        rows=rows,
        sentence=_sentence(measure, alone, actual.value),
        formula=measure.formula,
        costs=_costs(rows, actual.value, reached, best.value) if best and reached is not None else "",
        undefined=actual.undefined,
    )


def _column(measure: Measure, prepared: Ranked) -> _Column:
    """Spread what a single prepared query adds over its ranks."""
    one = measure.top(prepared)
    shares, divisor = measure.shares(one)
    each = divided(shares, float(np.broadcast_to(divisor, 1)[0]))
    in_ideal_order = measure.declaration.place == "judged"
    ranks = one.judged_place if in_ideal_order else one.rank.astype(np.int64)
    length = int(max(one.retrieved[0], len(one.judged), ranks.max(initial=0)))
    grade = np.full(length, UNJUDGED, dtype=np.int64)
    grade[one.rank - 1] = one.grade
    gain, contribution = np.zeros(length), np.zeros(length)
    gain[one.rank - 1] = _gain(measure, one)
    if measure.declaration.place == "retrieved":
        contribution[: one.retrieved[0]] = each[0]
    elif measure.claims("contributions"):
        contribution[ranks - 1] = each
    undefined = bool(np.broadcast_to(divisor, 1)[0] == 0)
    return _Column(grade, gain, contribution, float(measure.value(prepared)[0]), undefined)


def _gain(measure: Measure, one: Ranked) -> Floats:
    declared = measure.declaration.gain
    if declared is not None:
        gains: Floats = declared(one, **measure.arguments)
        return gains
    return one.relevant(measure.rel or 1).astype(np.float64)


def _depth(measure: Measure, one: Ranked, actual: _Column, best: _Column | None) -> int:
    """Return the last rank worth a row: at most the cut-off, at least where either order adds something."""
    lengths = [min(int(one.retrieved[0]), SHOWN)]
    for column in (actual, best):
        if column is not None:
            lengths.append(int(np.flatnonzero(column.contribution).max(initial=-1)) + 1)
    longest = max(lengths)
    return min(longest, int(measure.cutoff)) if isinstance(measure.cutoff, int) else longest


def _rows(
    measure: Measure,
    one: Ranked,
    actual: _Column,
    best: _Column | None,
    depth: int,
    names: Sequence[str],
    order: Sequence[str],
) -> list[Row]:
    weigh = measure.declaration.discount
    seen = np.cumsum(actual.gain > 0)
    parts = measure.claims("contributions")
    ideal_grades = _ideal_grades(measure, one, best)
    rows = []
    for place in range(depth):
        rank = place + 1
        inside = place < len(actual.grade)
        grade = int(actual.grade[place]) if inside else UNJUDGED
        first = int(seen[min(place, len(seen) - 1)]) if len(seen) else 0
        contribution = _at(actual.contribution, place)
        ideal_contribution = _at(best.contribution, place) if best is not None else 0.0
        rows.append(
            Row(
                rank=rank,
                retrieved=bool(rank <= one.retrieved[0]),
                candidate=names[place] if place < len(names) else None,
                grade=None if grade == UNJUDGED else grade,
                gain=_at(actual.gain, place),
                discount=float(weigh(np.float64(rank), **measure.arguments)) if weigh is not None else None,
                seen=first,
                precision=first / rank,
                contribution=contribution if parts else None,
                ideal_candidate=order[place] if place < min(len(order), len(ideal_grades)) else None,
                ideal_grade=int(ideal_grades[place]) if place < len(ideal_grades) else None,
                ideal_gain=_at(best.gain, place) if best is not None else None,
                ideal_contribution=ideal_contribution if best is not None and parts else None,
                loss=ideal_contribution - contribution if best is not None and parts else None,
            )
        )
    return rows


def _at(column: Floats, place: int) -> float:
    return float(column[place]) if place < len(column) else 0.0


def _ideal_grades(measure: Measure, one: Ranked, best: _Column | None) -> list[int]:
    """Return the grades of the ideal ordering, or of the judged candidates where these are what adds."""
    if best is not None:
        return [int(grade) for grade in best.grade if grade != UNJUDGED]
    return [int(grade) for grade in one.judged] if measure.declaration.place == "judged" else []


def _costs(rows: Sequence[Row], value: float, reordered: float, ideal_value: float) -> str:
    """Say at which rank most is lost, and what another order alone would make of it."""
    if ideal_value <= SMALL:
        return "Nothing could be gained: no judged candidate is worth anything here."
    if ideal_value - value <= SMALL:
        return "Nothing is lost: no ordering scores higher."
    if reordered - value > SMALL:
        order = f"The best order of what was retrieved would score {reordered:.4f}."
    else:
        order = "No other order of what was retrieved scores higher."
    return f"{_worst(rows)} {order}".strip()


def _worst(rows: Sequence[Row]) -> str:
    """Say which rank costs most and which do as much, "" where none costs anything alone."""
    losses = [row.loss for row in rows if row.loss is not None]
    if not losses:
        return ""
    most = max(losses)
    worst, *as_bad = [row for row in rows if row.loss is not None and most - row.loss <= SMALL]
    also = f", as {len(as_bad)} other ranks do" if len(as_bad) > 1 else ""
    also = f", as rank {as_bad[0].rank} does" if len(as_bad) == 1 else also
    costs = f"Rank {worst.rank} costs most{also}"
    if not worst.retrieved:
        stands = "nothing stands"
    elif worst.grade is None:
        stands = "an unjudged candidate stands"
    else:
        stands = f"a {worst.grade} stands"
    if worst.grade is not None and worst.ideal_grade is not None and worst.grade >= worst.ideal_grade:
        others = "stands above it" if worst.rank > 1 else "else stands in the list"
        return f"{costs}: what {others} makes its {worst.grade} count for less."
    return f"{costs}: {stands} where a {worst.ideal_grade} could be."


def _sentence(measure: Measure, alone: Ranked, value: float) -> str:
    """Return the conventions and how much of this query is known, in one sentence."""
    one = measure.top(measure.prepared(alone))
    words = in_words(measure)
    shown = int(one.retrieved[0])
    known = f"{len(one.rank)} of {shown} candidates judged" if shown else "nothing retrieved"
    sentence = f"{words[:1].upper()}{words[1:]}; {known}, {len(one.judged)} judged in all"
    open_ended = measure.declaration.open_ended
    if open_ended is not None:
        filled = measure.with_parameters(judged_only=False)
        perfect = open_ended(filled.top(filled.prepared(alone)), **measure.arguments)
        more = max(float(perfect[0]) - value, 0.0)
        sentence += f"; at most {more:.4f} more if everything unjudged were perfect"
    return f"{sentence}."
