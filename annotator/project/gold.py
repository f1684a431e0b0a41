"""What is stored for a query itself: gold answers, note, difficulty, that it was unblinded."""

from annotator.errors import UserError
from annotator.project.judging import checked
from annotator.project.stored import gold_list
from annotator.project.views import Change
from annotator.records import GoldList
from annotator.storage.asking import query_id
from annotator.storage.current import of_gold
from annotator.storage.store import Store


def set_gold(store: Store, annotator: str, query: int, gold: GoldList) -> Change:
    """Replace the gold answers of a query, or mark it unanswerable; not both."""
    if gold.unanswerable and gold.answers:
        raise UserError("A question marked unanswerable has no gold answers; remove them or the mark.")
    for answer in gold.answers:
        for text in answer.wordings:
            checked(text, "answer")
            if not text.strip():
                raise UserError("A gold answer is empty; write it or remove it.")
    with store.writing() as db:
        external = query_id(db, query)
        before = gold_list(external, store.value(annotator, "gold", (external,)))
        store.record(annotator, "gold", (external,), of_gold(gold), how="editor")
        after = gold_list(external, store.value(annotator, "gold", (external,)))
    return Change("gold", int(query), before=before, after=after)


def set_query_part(store: Store, annotator: str, query: int, part: dict[str, str]) -> Change:
    """Store `note` or `difficulty` of a query."""
    for name, text in part.items():
        checked(text, name)
    with store.writing() as db:
        subject = (query_id(db, query),)
        before = store.value(annotator, "query", subject) or {}
        after = {name: text for name, text in {**before, **part}.items() if text} or None
        store.record(annotator, "query", subject, after, how="editor")
    return Change("query", int(query), before=before, after=after or {})


def unblind(store: Store, annotator: str, query: int) -> Change:
    """Record that the annotator asked to see a query's ranks, scores and systems before it was complete."""
    with store.writing() as db:
        subject = (query_id(db, query),)
        before = bool(store.value(annotator, "unblind", subject))
        store.record(annotator, "unblind", subject, True, how="asked")
    return Change("unblind", int(query), before=before, after=True)
