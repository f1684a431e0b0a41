"""What was done: the last grades, the history of a pair or of the project, taking back and doing again."""

from annotator.project import blindness
from annotator.project.event_words import said
from annotator.project.project import Project
from annotator.project.stored_values import gold_list, judgment_view, settled_grade
from annotator.project.views import Change, HistoryLine, JudgmentView, RecentGrade
from annotator.storage.ledger import current_values, events, undo_stack
from annotator.storage.ledger.events import Event
from annotator.storage.reads import lookup
from annotator.tasks import GRADE, STATED, TOGETHER, WITH_OTHERS, parts

PAGE = 100
LABEL = 60


def recent(project: Project, count: int = 10) -> list[RecentGrade]:
    """Return the annotator's last decisions, newest first, each pair once and as it stands now."""
    latest: dict[tuple[str, ...], RecentGrade] = {}
    before: int | None = None
    with project.store.reading() as db:
        while len(latest) < count:
            page = events.history(
                db, annotator=project.annotator, tasks=(GRADE.name,), limit=4 * count, before=before
            )
            if not page:
                break
            before = page[-1][0]
            for _, event in page:
                if event.subject in latest or len(latest) == count:
                    continue
                judgment = judgment_view(project.store.value(project.annotator, GRADE.name, event.subject))
                if judgment.state is not None:
                    query = current_values.query_key(db, event.subject[0])
                    candidate = current_values.candidate_key(db, event.subject[1])
                    content = lookup.contents(db, [candidate], LABEL)[candidate]
                    label = content.title or content.text or content.id
                    latest[event.subject] = RecentGrade(query, candidate, event.subject[0], label, judgment)
    return list(latest.values())


def history(
    project: Project,
    query: int | None = None,
    candidate: int | None = None,
    limit: int = PAGE,
    as_seen: bool = False,
) -> list[HistoryLine]:
    """Return the newest events first: of a pair, of a query with its candidates, or of the project.

    `as_seen` keeps from a blind annotator what others judged.
    """
    with project.store.reading() as db:
        page = events.history(
            db,
            query_id=None if query is None else lookup.query_id(db, query),
            candidate_id=None if candidate is None else lookup.candidate_id(db, candidate),
            limit=limit,
        )
        named = [parts(event.task, event.subject) for _, event in page]
        answers = lookup.texts_of_answers(db, {one for (_, event) in page for one in named_candidates(event)})
        altered = {event.identity for _, event in page if events.altered(db, event)}
    undone = {event.undoes for _, event in page if taken_back(event)}
    lines = [
        HistoryLine(
            time=event.time,
            annotator=event.annotator,
            task=event.task,
            said=ALTERED if event.identity in altered else f"{HOW.get(event.how, '')}{said(event, answers)}",
            milliseconds=event.milliseconds,
            blind=event.blind,
            query_id=of.get("query"),
            candidate_id=of.get("candidate"),
            answer=answers.get(of.get("candidate", ""), ""),
            undone=event.identity in undone,
            identity=event.identity,
        )
        for (_, event), of in zip(page, named, strict=True)
    ]
    return blindness.as_seen(project, lines) if as_seen else lines


ALTERED = "changed in the file, so it is not shown"
HOW = {"undo": "undone: ", "redo": "done again: "}


def undo(project: Project) -> Change | None:
    """Take back an annotator's own newest action that nobody changed since, None without one."""
    newest = next(undo_stack.undoable(project.store.db, project.annotator), None)
    event = undo_stack.undo(project.store, project.annotator)
    if event is None or newest is None:
        return None
    if event.undoes == newest.identity:
        return change_of(project, event, "Undone")
    passed = _in_words(project, newest)
    return change_of(project, event, f"Changed by somebody else since: {passed}. Undone instead")


def redo(project: Project) -> Change | None:
    """Do again what undo took back; None when there is nothing."""
    event = undo_stack.redo(project.store, project.annotator)
    return change_of(project, event, "Done again") if event else None


def taken_back(event: Event) -> bool:
    """Say whether an event is an undo, also of one of several grades that were given, or taken, together."""
    if event.how not in WITH_OTHERS or event.undoes is None:
        return event.how == "undo"
    return ("state" in (event.after or {})) == (event.how == "repeat")


def named_candidates(event: Event) -> tuple[str, ...]:
    """Return the ids of the candidates that the words for an event name."""
    of = (event.after or {}).get("of") if event.task == TOGETHER.name else None
    return (*event.subject[1:], *([of] if of else []))


def answers_of(project: Project, event: Event) -> dict[str, str]:
    """Return the texts of the predicted answers that the words for an event name, by their ids."""
    return lookup.texts_of_answers(project.store.db, named_candidates(event))


def _in_words(project: Project, event: Event) -> str:
    """Return what an event did, for the status line: no id stands there of what has words."""
    asked = lookup.text_of_query(project.store.db, event.subject[0]) if event.subject else ""
    return said(event, answers_of(project, event), asked)


def given(project: Project, action: Event) -> tuple[dict[int, JudgmentView], dict[int, JudgmentView]]:
    """Return what an action made of several judgments: those before and after it by candidate."""
    grades = list(events.given_with(project.store.db, action))
    keys = [current_values.candidate_key(project.store.db, one.subject[1]) for one in grades]
    before = {key: judgment_view(one.before) for key, one in zip(keys, grades, strict=True)}
    return before, {key: judgment_view(one.after) for key, one in zip(keys, grades, strict=True)}


def change_of(project: Project, event: Event, verb: str) -> Change:
    """Return an event as a change; `verb` begins the sentence for the status line."""
    before, after = event.before, event.after
    query, candidate = current_values.keys(project.store.db, event.task, event.subject)
    if event.task == TOGETHER.name:
        before, after = given(project, event)
    elif candidate is not None:
        shown = judgment_view if event.task in (GRADE.name, "repeat") else settled_grade
        before, after = shown(before), shown(after)
    elif event.task == "gold":
        before, after = gold_list(event.subject[0], before), gold_list(event.subject[0], after)
    elif event.task == "setting":
        before, after = {event.subject[0]: before}, {event.subject[0]: after}
    words = f"{verb}: {_in_words(project, event)}"
    undoes = event.undoes is not None
    ending = event.subject[2:] if event.task in STATED else ()
    return Change(event.task, query, candidate, before, after, undoes, ending, words, event.clock)
