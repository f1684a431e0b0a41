"""Taking back and doing again: an annotator's own latest actions, also after a restart."""

from annotator.project.stored import gold_list, judgment_view
from annotator.project.views import Change
from annotator.storage.current import candidate_key, query_key
from annotator.storage.events import Event
from annotator.storage.store import Store

STATES = {"skipped": "skip", "cannot_tell": "can't tell"}


def undo(store: Store, annotator: str) -> Change | None:
    """Take back the annotator's newest action; None when there is nothing to take back.

    Raises LockedError when somebody changed the value since.
    """
    event = store.undo(annotator)
    return change_of(store, event, "Undone") if event else None


def redo(store: Store, annotator: str) -> Change | None:
    """Do again what the newest undo took back; None when there is nothing."""
    event = store.redo(annotator)
    return change_of(store, event, "Done again") if event else None


def change_of(store: Store, event: Event, verb: str) -> Change:
    """Return an event as a change; `verb` begins the sentence for the status line."""
    query = candidate = None
    before, after = event.before, event.after
    if event.kind in ("judgment", "adjudication"):
        query, candidate = query_key(store.db, event.subject[0]), candidate_key(store.db, event.subject[1])
        before, after = judgment_view(before), judgment_view(after)
    elif event.kind in ("gold", "query"):
        query = query_key(store.db, event.subject[0])
        if event.kind == "gold":
            before, after = gold_list(event.subject[0], before), gold_list(event.subject[0], after)
    elif event.kind == "setting":
        before, after = {event.subject[0]: before}, {event.subject[0]: after}
    undoes = event.how == "undo"
    told = said(event.kind, event.subject, event.before if undoes else event.after)
    return Change(event.kind, query, candidate, before, after, undoes=True, said=f"{verb}: {told}")


def said(kind: str, subject: tuple[str, ...], value: object) -> str:
    """Return in words what an event set: `grade 3 of doc-7`."""
    stored = value if isinstance(value, dict) else {}
    of = subject[-1] if subject else ""
    if kind == "judgment":
        if stored.get("state") == "graded":
            return f"grade {stored['grade']} of {of}"
        if stored.get("state"):
            reason = f" ({stored['reason']})" if stored.get("reason") else ""
            return f"{STATES[stored['state']]}{reason} for {of}"
        marks = [name for name in ("flagged", "note", "rationale") if stored.get(name)]
        return f"{', '.join(marks) or 'no grade'} for {of}"
    if kind == "gold":
        if stored.get("unanswerable"):
            return f"{of} is unanswerable"
        texts = ", ".join(one["text"] for one in stored.get("answers", ()))
        return f"gold answers of {of}: {texts or 'none'}"
    if kind == "adjudication":
        return f"adjudicated grade {stored.get('grade', '–')} of {of}"
    if kind == "repeat":
        return f"grade {stored.get('grade', '–')} when asked again for {of}"
    words = {"query": "note of query", "unblind": "unblinded", "setting": "setting", "snapshot": "snapshot"}
    return f"{words.get(kind, kind)} {of}".strip()
