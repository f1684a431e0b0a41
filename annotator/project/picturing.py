"""What figures show of the judgments themselves: grades by annotator, time at work, drift."""

from collections.abc import Container

import numpy as np

from annotator.evaluation.agreement import drift
from annotator.figures.subject import Confusion, Interval, Subject
from annotator.grades import GRADES
from annotator.project.agreement import NamedPair, ProjectAgreement
from annotator.storage import arrays, asking
from annotator.storage.store import Store

COEFFICIENT = "Krippendorff's alpha, ordinal"
"""What the figure of pairs shows: it takes the order of the grades and chance into account."""


def judging_subject(
    store: Store, named: bool, measure: str = "", only: Container[str] | None = None
) -> Subject:
    """Return how often each grade was given, how long it took, and the mean grade along each one's work.

    Annotators have numbers, in the order they came, unless `named`. `only` keeps the grades of all other
    queries out of it.
    """
    with store.reading() as db:
        people = {key: name for key, name, *_ in asking.annotators(db)}
        judged = arrays.judgments(db)
        if only is not None:
            judged = arrays.of_queries(db, judged, only)
        rows = db.execute(
            "SELECT milliseconds FROM event WHERE kind = 'judgment' AND milliseconds > 0 ORDER BY id"
        ).fetchall()
    counts, drifts = {}, {}
    for at, (key, name) in enumerate(people.items(), 1):
        mine = (judged.annotator == key) & (judged.grade >= 0)
        if not mine.any():
            continue
        called = name if named else f"annotator {at}"
        counts[called] = np.bincount(judged.grade[mine], minlength=len(GRADES)).tolist()
        if (judged.time[mine] >= 0).all():
            order = np.argsort(judged.time[mine], kind="stable")
            drifts[called] = drift(np.arange(1, len(order) + 1), judged.grade[mine][order])
    seconds = [one[0] / 1000 for one in rows]
    return Subject(measure=measure, grade_counts=counts, seconds=seconds, drifts=drifts)


def pair_intervals(found: ProjectAgreement) -> list[Interval]:
    """Return the coefficient of each pair that has enough in common, for the figure of pairs."""
    rows = []
    for pair in found.pairs:
        one = next(each for each in pair.agreement.coefficients if each.name == COEFFICIENT)
        if one.enough:
            rows.append(Interval(f"{pair.first} – {pair.second}", one.value, one.low, one.high))
    return rows


def confusion_of(pair: NamedPair) -> Confusion:
    """Return the grades of two annotators against each other."""
    levels = [str(grade) for grade in GRADES]
    return Confusion(pair.agreement.confusion, levels, levels, pair.first, pair.second)
