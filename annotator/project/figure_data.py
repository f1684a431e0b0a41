"""What figures show of the judgments themselves: grades by annotator, time at work, drift."""

from collections.abc import Container, Sequence
from dataclasses import replace

import numpy as np

from annotator.evaluation.agreement import drift
from annotator.evaluation.model_tables import ModelPair
from annotator.evaluation.result_table import Table
from annotator.figures.subject import Confusion, Interval, Subject
from annotator.project.annotator_agreement import NamedPair, ProjectAgreement
from annotator.project.judged_by import words_of
from annotator.project.state import decided_alone, judged_of
from annotator.storage.reads import lookup
from annotator.storage.reads.states import State
from annotator.text import names

COEFFICIENT = "Krippendorff's alpha, ordinal"
"""What the figure of pairs shows: it takes the order of the grades and chance into account."""


def judging_subject(
    state: State,
    named: bool,
    measure: str = "",
    only: Container[str] | None = None,
    agreed: ProjectAgreement | None = None,
    together: bool = False,
) -> Subject:
    """Return how often each grade was given, how long it took, the mean grade along each one's work.

    `found` adds the coefficient of each pair and the confusion of the first. People have numbers, in the
    order in which a result names them, unless `named`. `only` keeps the grades of all other queries out.
    Grades that were given together with others took no time, and are not told along somebody's work; how
    often each grade was given leaves them out, too, unless `together`.
    """
    held, said = decided_alone(state, together, only)
    known = [(key, name, kind == "model") for key, name, kind, graded, _ in state.annotators if graded]
    judged = judged_of(held, only)
    with state.rows() as db:
        rows = lookup.times_taken(db, state.until)
    practice = {query.id for query in state.practice.values()}
    people = [name for _, name, is_model in known if not is_model]
    called = {name: name if named else f"annotator {at}" for at, name in enumerate(people, 1)}
    counts, drifts = {}, {}
    for key, name, _ in known:
        mine = (judged.annotator == key) & (judged.grade >= 0)
        if not mine.any():
            continue
        shown = called.get(name, name)
        counts[shown] = np.bincount(judged.grade[mine], minlength=state.levels).tolist()
        mine &= judged.how == 0
        if mine.any() and 0 <= judged.time[mine].min() < judged.time[mine].max():  # an import has no order
            order = np.argsort(judged.time[mine], kind="stable")
            drifts[shown] = drift(np.arange(1, len(order) + 1), judged.grade[mine][order])
    pairs = [
        replace(one, first=called.get(one.first, one.first), second=called.get(one.second, one.second))
        for one in (agreed.pairs if agreed else ())
    ]
    return Subject(
        measure=measure,
        levels=words_of(state),
        grade_counts=counts,
        seconds=[
            milliseconds / 1000
            for milliseconds, query in rows
            if query not in practice and (only is None or query in only)
        ],
        drifts=drifts,
        confusion=confusion_of(pairs[0], words_of(state)) if pairs else None,
        intervals=_intervals(pairs),
        intervals_title=COEFFICIENT,
        together=said,
    )


def _intervals(pairs: Sequence[NamedPair]) -> list[Interval]:
    """Return the coefficient of each pair that has enough in common."""
    rows = []
    for pair in pairs:
        one = next(each for each in pair.agreement.coefficients if each.name == COEFFICIENT)
        if one.enough:
            rows.append(Interval(names.pair(pair.first, pair.second), one.value, one.low, one.high))
    return rows


def confusion_of(pair: NamedPair, words: Sequence[str] = ()) -> Confusion:
    """Return the grades of two annotators against each other, or the levels that are called by `words`."""
    _, levels, _ = Subject(levels=words).ticks
    return Confusion(pair.agreement.confusion, levels, levels, pair.first, pair.second)


def with_others(subject: Subject, each: Sequence[Table] = (), pairs: Sequence[ModelPair] = ()) -> Subject:
    """Return a subject with each annotator beside the others, and models beside people.

    `each` has the table of leniency, whose rows without numbers are not drawn.
    """
    rows = [
        dict(zip([column.name for column in table.columns], row, strict=True))
        for table in each
        if table.key == "leniency"
        for row in table.rows
    ]

    def intervals(name: str) -> list[Interval]:
        ends = name, f"{name}_low", f"{name}_high"
        known = [row for row in rows if row[name] is not None]
        return [Interval(str(row["annotator"]), *(float(row[end] or 0) for end in ends)) for row in known]

    return replace(
        subject,
        lenient=intervals("leniency"),
        scatter=intervals("scatter"),
        calibration={
            names.pair(pair.model, pair.person): [
                (one.grade, one.by_model, *one.mean[:3]) for one in pair.against.grades if one.by_model
            ]
            for pair in pairs
        },
    )
