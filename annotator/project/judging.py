"""What an annotator says: of a candidate (grade, skip, can't tell, flag, note, rationale), and of a query."""

from collections.abc import Iterable, Mapping
from typing import Any

from annotator.errors import UserError
from annotator.project import finished, history
from annotator.project.aspects import aspects_of
from annotator.project.citations import cited_in
from annotator.project.project import Project
from annotator.project.settings import setting
from annotator.project.stored_values import gold_list, judgment_view, settled_grade
from annotator.project.views import Asked, Change
from annotator.records import GoldList, text_problem
from annotator.storage.ledger import current_values
from annotator.storage.ledger.current_values import of_gold
from annotator.storage.reads import lookup
from annotator.storage.reads.lookup import nuggets_of, pair_ids, query_id
from annotator.tasks import CITATION, GRADE, RATING, SUPPORT, TOGETHER, Task, checked_level

NOTHING_THERE = "There is no grade here to take away."
NOTHING_OPEN = "Nothing of it is left undecided."


def set_grade(
    project: Project,
    query: int,
    candidate: int,
    grade: int,
    *,
    milliseconds: int | None = None,
    how: str = "key",
) -> Change:
    """Grade a candidate; raises UserError for a number that is not on the scale of 0 to 5."""
    decision = {"state": "graded", "grade": checked_level(GRADE.name, grade)}
    return judge(project, query, candidate, decision, milliseconds, how)


def skip(
    project: Project, query: int, candidate: int, *, milliseconds: int | None = None, how: str = "key"
) -> Change:
    """Pass over a candidate."""
    return judge(project, query, candidate, {"state": "skipped"}, milliseconds, how)


def cannot_tell(
    project: Project,
    query: int,
    candidate: int,
    reason: str = "",
    *,
    milliseconds: int | None = None,
    how: str = "key",
) -> Change:
    """Say that one cannot tell, and why; it never counts as 0."""
    decision = {"state": "cannot_tell", "reason": reason}
    return judge(project, query, candidate, decision, milliseconds, how)


def clear(project: Project, query: int, candidate: int, *, how: str = "key") -> Change:
    """Take a grade or state away."""
    return judge(project, query, candidate, {}, None, how)


def judge(
    project: Project,
    query: int,
    candidate: int,
    parts: Mapping[str, Any],
    milliseconds: int | None = None,
    how: str = "key",
) -> Change:
    """Store parts of a judgment: a `state` with `grade` or `reason`, or what stands beside it, as a `note`.

    A decision takes the place of the one before; no parts at all take it away.
    """
    for name, value in parts.items():
        if isinstance(value, str):
            checked(value, name)
    replaced = GRADE.decision if not parts or "state" in parts else ()
    with project.store.writing() as db:
        subject = pair_ids(db, query, candidate)
        before = project.store.value(project.annotator, GRADE.name, subject) or {}
        kept = {name: value for name, value in before.items() if name not in replaced}
        blind = finished.blind(db, project.annotator, query)
        event = project.store.record(
            project.annotator,
            GRADE.name,
            subject,
            {**kept, **parts},
            milliseconds=milliseconds,
            blind=blind,
            how=how,
        )
    stored = event.after if event else before
    sentence = "" if event or parts else NOTHING_THERE
    views = judgment_view(before), judgment_view(stored)
    clock = event.clock if event else 0
    return Change(GRADE.name, int(query), int(candidate), *views, said=sentence, clock=clock)


def grade_rest(project: Project, query: int, candidates: Iterable[int]) -> Change:
    """Give 0 to those of some candidates that the annotator has not decided on, as one action."""
    return _together(project, query, 0, candidates, {"how": "rest"})


def grade_near_duplicates(project: Project, query: int, of: int, candidates: Iterable[int]) -> Change:
    """Give a candidate's grade to those near-duplicates of it that are undecided, as one action."""
    with project.store.writing() as db:
        subject = pair_ids(db, query, of)
        grade = (project.store.value(project.annotator, GRADE.name, subject) or {}).get("grade")
        if grade is None:
            raise UserError("This candidate has no grade of yours that its near-duplicates could have, too.")
        return _together(project, query, grade, candidates, {"how": "duplicate", "of": subject[1]})


def take_away(project: Project, query: int, candidates: Iterable[int]) -> Change:
    """Take the decisions on some candidates away, as one action, to practise on them again."""
    return _together(project, query, None, candidates, {"how": "repeat"})


def _together(
    project: Project, query: int, grade: int | None, candidates: Iterable[int], how: dict[str, str]
) -> Change:
    """Give one grade to those candidates that are undecided: one event says so and how, theirs follow.

    Without a grade, take away what was decided of the others.
    """
    store, who = project.store, project.annotator
    with store.writing() as db:
        decided = lookup.judgments_of(db, query, lookup.annotator_key(db, who))
        before = {int(one): decided.get(int(one)) or {} for one in candidates}
        ids = {
            one: lookup.candidate_id(db, one)
            for one, value in before.items()
            if (value.get("state") is None) == (grade is not None)
        }
        if not ids:
            return Change(TOGETHER.name, int(query), before={}, after={}, said=NOTHING_OPEN)
        blind = finished.blind(db, who, query)
        subject = (query_id(db, query),)
        value = {**how, "grade": grade, "candidates": [*ids.values()]}
        action = store.record(who, TOGETHER.name, subject, value, blind=blind, how=how["how"])
        assert action is not None
        said = {} if grade is None else {"state": "graded", "grade": grade, "how": how["how"]}
        for one, name in ids.items():
            kept = {part: word for part, word in before[one].items() if part not in GRADE.decision}
            store.record(who, GRADE.name, (*subject, name), {**kept, **said}, blind=blind, how=how["how"])
    return history.change_of(project, action, "Given" if said else "Taken away")


def say(
    project: Project,
    task: Task,
    subject: tuple[str, ...],
    level: int | None,
    beside: Mapping[str, Any] = {},
    *,
    milliseconds: int | None = None,
    how: str = "key",
) -> Change:
    """Say one of the levels of a task that everybody judges by for themselves; None takes it away.

    `beside` are further parts of the value. Raises UserError for what is no level of it.
    """
    with project.store.writing() as db:
        query, candidate = current_values.keys(db, task.name, subject)
        before = project.store.value(project.annotator, task.name, subject)
        value = None
        if level is not None:
            value = {"grade": checked_level(task.name, level), **beside, "time": project.store.moment}
            if before and {**before, "time": None} == {**value, "time": None}:
                value = before
        blind = query is not None and finished.blind(db, project.annotator, query)
        who = project.annotator
        project.store.record(who, task.name, subject, value, milliseconds=milliseconds, blind=blind, how=how)
    return Change(task.name, query, candidate, settled_grade(before), level, ending=subject[2:])


def answer(
    project: Project,
    query: int,
    candidate: int,
    asked: Asked,
    level: int | None,
    milliseconds: int | None = None,
) -> Change:
    """Say one of the levels of what is asked of a candidate beside the grade; None takes it away."""
    if asked.task == CITATION.name:
        return cite(project, query, candidate, *asked.ending, level=level, milliseconds=milliseconds)
    verb = support if asked.task == SUPPORT.name else rate
    return verb(project, query, candidate, asked.ending[0], level, milliseconds=milliseconds)


def support(
    project: Project,
    query: int,
    candidate: int,
    nugget: str,
    level: int | None,
    *,
    milliseconds: int | None = None,
    how: str = "key",
) -> Change:
    """Say whether a candidate says what a nugget (by id) says: 2, partly (1) or not (0); None takes it back.

    Raises UserError for a nugget that is not there or was merged into another, and for any other level.
    """
    with project.store.writing() as db:
        known = {one for one, value in nuggets_of(db, query) if "into" not in value}
        if nugget not in known:
            raise UserError("This nugget is not there any more, or was merged into another one.")
        words = {} if level is None else {"as": SUPPORT.words[checked_level(SUPPORT.name, level)]}
        subject = (*pair_ids(db, query, candidate), nugget)
        return say(project, SUPPORT, subject, level, words, milliseconds=milliseconds, how=how)


def cite(
    project: Project,
    query: int,
    candidate: int,
    sentence: str,
    cited: str,
    *,
    level: int | None,
    milliseconds: int | None = None,
    how: str = "key",
) -> Change:
    """Say whether a passage (by id) supports a sentence of an answer that cites it.

    The sentence is named by its place in the text, such as `0-25`. The level is 2 fully, 1 partly, 0 not;
    None takes it back. Raises UserError for a sentence that cites no such passage, for a passage whose text
    is not in the project, and for any other level.
    """
    with project.store.writing() as db:
        content = lookup.contents(db, [candidate], 1)
        found = cited_in(db, content.values(), 1)
        if (sentence, cited) not in {one.ending for one in found.questions(candidate)}:
            raise UserError(
                f"No sentence at {sentence} cites {cited!r} here, or the project does not have its text."
            )
        words = {} if level is None else {"as": CITATION.words[checked_level(CITATION.name, level)]}
        subject = (*pair_ids(db, query, candidate), sentence, cited)
        return say(project, CITATION, subject, level, words, milliseconds=milliseconds, how=how)


def rate(
    project: Project,
    query: int,
    candidate: int,
    aspect: str,
    level: int | None,
    *,
    milliseconds: int | None = None,
    how: str = "key",
) -> Change:
    """Say which value of an aspect a candidate has, by its place (0 for the lowest); None takes it away.

    Raises UserError for an aspect or a value that is not there.
    """
    with project.store.writing() as db:
        known = {one.name: one for one in aspects_of({"aspects": setting(db, "aspects")})}
        if aspect not in known:
            raise UserError(f"There is no aspect {aspect!r} here; there are: {', '.join(known) or 'none'}.")
        values = known[aspect].values
        if level is not None and level not in range(len(values)):
            raise UserError(f"{level!r} is no value of {aspect}; they go from 0 to {len(values) - 1}.")
        subject = (*pair_ids(db, query, candidate), aspect)
        words = {} if level is None else {"as": values[level]}
        return say(project, RATING, subject, level, words, milliseconds=milliseconds, how=how)


def set_mark(project: Project, query: int, candidate: int, mark: str, value: bool | str) -> Change:
    """Put a mark (of `GRADE.marks`) beside the decision; False or no words take it away."""
    given = {one.name: one.given for one in GRADE.marks}[mark]
    return judge(project, query, candidate, {mark: value}, None, HOW[given])


HOW = {"switch": "key", "text": "editor", "selection": "selection"}
"""How a mark is given, as events record it."""


def set_gold(project: Project, query: int, gold: GoldList) -> Change:
    """Replace the gold answers of a query, or mark it unanswerable; not both."""
    if gold.unanswerable and gold.answers:
        raise UserError("A question marked unanswerable has no gold answers; remove them or the mark.")
    for answer in gold.answers:
        for text in answer.wordings:
            checked(text, "answer")
            if not text.strip():
                raise UserError("A gold answer is empty; write it or remove it.")
    with project.store.writing() as db:
        external = query_id(db, query)
        before = gold_list(external, project.store.value(project.annotator, "gold", (external,)))
        project.store.record(project.annotator, "gold", (external,), of_gold(gold), how="editor")
        after = gold_list(external, project.store.value(project.annotator, "gold", (external,)))
    return Change("gold", int(query), before=before, after=after)


def set_query_part(project: Project, query: int, part: dict[str, str]) -> Change:
    """Store `note` or `difficulty` of a query."""
    for name, text in part.items():
        checked(text, name)
    with project.store.writing() as db:
        subject = (query_id(db, query),)
        before = project.store.value(project.annotator, "query", subject) or {}
        after = {name: text for name, text in {**before, **part}.items() if text} or None
        project.store.record(project.annotator, "query", subject, after, how="editor")
    return Change("query", int(query), before=before, after=after or {})


def checked(text: str, what: str) -> str:
    """Return a text that can be stored; raises UserError that says what is wrong with it."""
    wrong = text_problem(text, what)
    if wrong:
        raise UserError(f"This cannot be saved: {wrong}.")
    return text
