"""What people graded differently, and the grade that settles it: adjudication."""

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from textwrap import shorten

import numpy as np

from annotator.errors import UserError
from annotator.project.browse import SHOWN_TEXT
from annotator.project.citations import cited_in, cited_words
from annotator.project.grade_table import NO_GRADE, graded_of, ranges
from annotator.project.judged_by import settled_by
from annotator.project.judging import checked
from annotator.project.preferences import texts_of
from annotator.project.project import Project
from annotator.project.settings import setting, value_of
from annotator.project.state import as_called, named_pairs
from annotator.project.stored_values import settled_grade
from annotator.project.views import Change, Pair, Written, written_in
from annotator.storage.ledger import current_values
from annotator.storage.reads import arrays, holdings, lookup
from annotator.storage.reads.states import State
from annotator.tasks import CITATION, PREFERENCE, SUPPORT, checked_level

BEGINNING = 40
"""So many characters of each of two answers name the pair."""


@dataclass(frozen=True, slots=True)
class Disagreement(Pair):
    """A candidate that two or more graded differently; `settled` is the adjudicated grade, if there is one.

    `grades` are ascending and without names: who adjudicates need not know who said what. Of one that is
    settled they may have come to agree since, or be gone: it counts all the same. `model` is the grade by a
    model that differs from theirs, not to be told before it is settled.
    """

    grades: tuple[int, ...]
    settled: int | None
    model: int | None = None
    ending: tuple[str, ...] = ()
    """What its subject says after query and candidate, where it is no grade."""

    @property
    def range(self) -> int:
        """The distance between the highest and the lowest grade."""
        return self.grades[-1] - self.grades[0] if self.grades else 0


def disagreements(
    state: State, at_least: int = 1, with_settled: bool = False, only: Container[str] | None = None
) -> list[Disagreement]:
    """Return what people graded differently by `at_least`, the furthest apart first, then by ids.

    What is settled already is left out unless asked for, and then all of it is there, for it counts whatever
    became of the grades. Queries that are not among `only` are left out always.
    """
    graded = graded_of(state, only)
    table = graded.table[:, [not model for model in graded.models]]
    apart = graded.pairs.codes[ranges(table) >= max(at_least, 1)]
    settled, settled_grade = state.settled
    known = dict(zip(settled.codes.tolist(), settled_grade.tolist(), strict=True))
    listed = np.union1d(apart, settled.codes) if with_settled else np.setdiff1d(apart, settled.codes)
    pairs = named_pairs(state, arrays.Pairs(listed >> 32, listed & 0xFFFFFFFF), range(len(listed)))
    given = {
        code: tuple(sorted(grade for grade in row if grade != NO_GRADE))
        for code, row in zip(graded.pairs.codes.tolist(), table.tolist(), strict=True)
        if code in known or len(set(row)) > 1
    }
    disputed = [
        Disagreement(*pair, given.get(code, ()), known.get(code))
        for pair, code in zip(pairs, listed.tolist(), strict=True)
        if only is None or pair[2] in only
    ]
    disputed = with_endings(state, disputed)
    return sorted(disputed, key=lambda one: (-one.range, one.query_id, one.candidate_id))


def with_endings(state: State, disputed: Sequence[Disagreement]) -> list[Disagreement]:
    """Return disagreements with what their subjects say after query and candidate, where it is no grade."""
    if not state.items:
        ending = (state.judged_by,) if state.judged_by else ()
        return [replace(one, ending=ending) for one in as_called(state, disputed)]
    with state.rows() as db:
        of = [state.items[one.candidate] for one in disputed]
        keys = current_values.known_keys(db, "candidate", {subject[1] for subject in of})
        both = state.judged_by == PREFERENCE.name  # then two answers are called by how their texts begin
        names = {name for subject in of for name in subject[1 if both else 2 :]}
        called = lookup.texts_of_answers(db, names)
        if both:
            called = {name: shorten(text, BEGINNING, placeholder="…") for name, text in called.items()}
        cited = cited_words(db, of) if state.judged_by == CITATION.name else {}
    return [
        replace(
            one,
            candidate=keys[subject[1]],
            candidate_id=cited.get(subject, " · ".join(called.get(name, name) for name in subject[1:])),
            ending=subject[2:],
        )
        for one, subject in zip(disputed, of, strict=True)
    ]


def adjudicate(
    project: Project,
    query: int,
    candidate: int,
    grade: int | None,
    reason: str = "",
    milliseconds: int | None = None,
    *,
    annotator: str | None = None,
    judged_by: str = "",
    ending: tuple[str, ...] = (),
) -> Change:
    """Settle a disagreement by a grade that wins over every combining rule; None takes it back.

    It is an action of the project's annotator, or of the one named, who gave it before another took over;
    their undo takes it back, and it is no grade of theirs. What is `judged_by` in the place of the grades has
    levels in theirs. Raises UserError for a number that is not on the scale.
    """
    task, usual, levels = settled_by({"aspects": value_of(project, "aspects")}, judged_by)
    ending = ending or usual
    if grade is not None and checked_level(task, grade) not in range(levels):
        raise UserError(f"{grade} is no level of {judged_by}; they go from 0 to {levels - 1}.")
    value = None if grade is None else {"grade": grade, "reason": checked(reason, "reason")}
    store, who = project.store, annotator or project.annotator
    with store.writing() as db:
        subject = (*lookup.pair_ids(db, query, candidate), *ending)
        before = store.value(who, task, subject)
        store.record(who, task, subject, value, milliseconds=milliseconds, how="adjudication")
    return Change(
        task,
        query,
        candidate,
        settled_grade(before),
        grade,
        ending=ending,
        said=f"Settled: grade {grade}." if grade is not None else "No longer settled.",
    )


def shown(
    project: Project, query: int, candidate: int, judged_by: str = "", ending: tuple[str, ...] = ()
) -> tuple[str, tuple[Written, ...], str]:
    """Return what a query asks, all that a candidate says, and why it was settled as it is, if it is.

    That is its title, its text, and the passage that a predicted answer stands in, below the nugget that the
    `ending` names; or one of its sentences and the passage that it cites, or another answer beside it.
    """
    with project.store.reading() as db:
        asked = "".join(one.text for _, one in holdings.queries(db, [query]))
        task, usual, _ = settled_by({"aspects": setting(db, "aspects")}, judged_by)
        subject = (*lookup.pair_ids(db, query, candidate), *(ending or usual))
        settled = current_values.read(db, task, 0, subject) or {}
        content = lookup.contents(db, [candidate], 0)[candidate]
        text = lookup.full_text(db, candidate), written_in(content.fields)
        parts: tuple[Written, ...] = ((content.title, ""), text, (content.passage, ""))
        for one in cited_in(db, [content], SHOWN_TEXT).questions(candidate):
            if one.ending == ending:
                parts = ((one.title, ""), (one.meaning, ""), (one.passage, one.format))
        if judged_by == SUPPORT.name:
            nugget = dict(lookup.nuggets_of(db, query)).get(ending[0], {}).get("text", "")
            parts = (("NUGGET", ""), (nugget, ""), ("ANSWER", ""), *parts)
        if judged_by == PREFERENCE.name:
            other = current_values.candidate_key(db, ending[0])
            parts = (("FIRST", ""), *texts_of(db, candidate), ("SECOND", ""), *texts_of(db, other))
        return asked, tuple(one for one in parts if one[0]), settled.get("reason", "")
