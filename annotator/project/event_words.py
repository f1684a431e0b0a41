"""What events did, in words: for histories, and for the status line of undo and redo."""

from collections.abc import Mapping
from textwrap import shorten
from typing import Any

from annotator.project.views import EMPTY_ANSWER
from annotator.storage.ledger.events import Event
from annotator.tasks import (
    ASSIGNMENT,
    GRADE,
    JUDGED,
    LEAD,
    NUGGET,
    PRACTICE,
    PREFERENCE,
    READY,
    TOGETHER,
    WITH_OTHERS,
    Task,
    declared,
    settling,
)
from annotator.text.counts import counted

SAID = {one.name for judged in JUDGED for one in (judged, settling(judged))}
"""The tasks under which a level is said."""

STATES = {"skipped": "skip", "cannot_tell": "can't tell"}
SHOWN = 60
"""So many characters of a text stand in a sentence."""


def said(event: Event, answers: Mapping[str, str], query: str = "") -> str:
    """Return in words what an event did, or what the one did that it takes back: `grade 3 of doc-7`.

    `answers` are the texts of predicted answers and nuggets by their ids, which tell a person nothing. Where
    the words of a `query` are given they stand for its id.
    """
    before, after = event.before, event.after
    if event.how == "undo" and event.task != TOGETHER.name:
        before, after = after, before
    at = 1 if event.task in SAID else -1
    of = _called(event.subject[at] if event.subject else "", answers)
    asked = quoted(query) if query else next(iter(event.subject), "")
    old, new = (one if isinstance(one, dict) else {} for one in (before, after))
    if event.task == GRADE.name:
        how = f", {WITH_OTHERS[event.how]}" if event.how in WITH_OTHERS else ""
        return f"{_judged(old, new, of)}{how}"
    if event.task == PRACTICE.name:
        return f"query {asked} is {'' if after else 'no longer '}for practice"
    if event.task == READY.name:
        return "real work begun" if after else "no longer begun with the real work"
    if event.task == TOGETHER.name:
        return _together(new, asked, _called(new.get("of", ""), answers))
    if event.task == "gold":
        return _gold(old, new, asked)
    if event.task == "adjudication":
        return _settled(new, of)
    if event.task == "repeat":
        return f"grade {new['grade']} when asked again for {of}" if new else f"what was asked again for {of}"
    if event.task in (PREFERENCE.name, settling(PREFERENCE).name):
        return _preferred(declared(event.task), new, of, _called(event.subject[2], answers))
    if event.task in SAID:
        about = _called(event.subject[2], answers)
        if event.subject[3:]:
            about = f"support of {_sentence(event.subject, answers)} by {event.subject[3]}"
        return _level(declared(event.task), new, of, about)
    if event.task == NUGGET.name:
        return _nugget(old, new, asked)
    if event.task == "query":
        return f"{_parts(old, new, {'difficulty': 'difficulty', 'note': 'note'}) or 'note'} of query {asked}"
    if event.task == "setting":
        parts = after if isinstance(after, list) else [after]
        plain = ", ".join(str(one) for one in parts if one != "" and isinstance(one, (str, int, float)))
        return f"setting {of.replace('_', ' ')}{f': {_short(plain)}' if plain else ''}"
    if event.task == "plan":
        return f"plan {event.subject[0]}"
    if event.task == "block":
        return f"block {event.subject[2]} of plan {event.subject[0]} closed"
    if event.task == LEAD.name:
        return "took the role of lead" if after else "gave the role of lead back"
    if event.task == ASSIGNMENT.name:
        return assigned(after) if after else "took the assignment back"
    words = {"unblind": "unblinded", "text": "another text of"}
    return f"{words.get(event.task, declared(event.task).title)} {of}".strip()


def _sentence(subject: tuple[str, ...], answers: Mapping[str, str]) -> str:
    """Return the sentence of an answer that a citation is of; where it stands if the text is not there."""
    start, _, end = subject[2].partition("-")
    words = answers.get(subject[1], "")[int(start) : int(end)]
    return f"“{_short(words)}”" if words else f"the sentence at {subject[2]}"


def _called(name: str, answers: Mapping[str, str]) -> str:
    if name in answers and not answers[name]:
        return EMPTY_ANSWER
    return quoted(answers[name]) if name in answers else name


def quoted(text: str) -> str:
    """Return a text, or the beginning of a long one, as it stands in a sentence."""
    return f"“{_short(text)}”"


def _together(new: dict[str, Any], query: str, of: str) -> str:
    """Return what was given together: `grade 0 for the rest of q1: 14 candidates`."""
    count = len(new["candidates"])
    if new["how"] == "repeat":
        return f"grades of {query} taken away to practise again: {counted(count, 'candidate')}"
    if new["how"] == "rest":
        return f"grade {new['grade']} for the rest of {query}: {counted(count, 'candidate')}"
    return f"grade {new['grade']} for {counted(count, 'near-duplicate')} of {of}"


def assigned(value: Mapping[str, Any]) -> str:
    """Return who was given how much to judge: `assigned 20 queries to Ann, Bo (2 judgments a candidate)`."""
    queries = sum(len(group["queries"]) for group in value["groups"])
    people = _short(", ".join(value["shares"]))
    many = f"{counted(value['judgments'], 'judgment')} a candidate"
    return f"assigned {counted(queries, 'query', 'queries')} to {people} ({many})"


def _settled(new: dict[str, Any], of: str) -> str:
    """Return how a disagreement was settled: `settled by grade 4: doc-7 (both misread it)`."""
    reason = f" ({_short(new['reason'])})" if new.get("reason") else ""
    return f"settled by grade {new['grade']}: {of}{reason}" if new else f"no longer settled: {of}"


def _level(task: Task, new: dict[str, Any], of: str, about: str) -> str:
    """Return which level was said: `Faithful: partly for doc-7`, `Faithful settled by 2: doc-7`."""
    if not new:
        return f"{about} {'no longer settled' if task.settles else 'taken back'}: {of}"
    level = new["grade"]
    words = new.get("as") or dict(enumerate(task.words)).get(level, str(level))
    reason = f" ({_short(new['reason'])})" if new.get("reason") else ""
    return f"{about} settled by {words}: {of}{reason}" if task.settles else f"{about}: {words} for {of}"


def _preferred(task: Task, new: dict[str, Any], first: str, second: str) -> str:
    """Return which of two answers was preferred: `preferred: a1 to a2`, `equal: a1 and a2`."""
    if not new:
        return f"preference {'no longer settled' if task.settles else 'taken back'}: {first} and {second}"
    reason = f" ({_short(new['reason'])})" if new.get("reason") else ""
    better, worse = (second, first) if new["grade"] == PREFERENCE.levels[-1] else (first, second)
    word = f"equal: {first} and {second}" if new["grade"] == 1 else f"preferred: {better} to {worse}"
    return f"{'settled as ' if task.settles else ''}{word}{reason}"


def _nugget(old: dict[str, Any], new: dict[str, Any], query: str) -> str:
    """Return what became of a nugget: `nugget of q1: “born in 1856” (vital)`."""
    if not new:
        return f"nugget of {query} removed: “{_short(old.get('text', ''))}”"
    told = f"“{_short(new['text'])}” ({new['importance']})"
    if new.get("into"):
        return f"nugget of {query} merged into another: {told}"
    if old and old.get("text") != new["text"]:
        return f"nugget of {query}: “{_short(old['text'])}” became {told}"
    return f"nugget of {query}: {told}"


def _judged(old: dict[str, Any], new: dict[str, Any], of: str) -> str:
    """Return what became of a judgment: its decision if that changed, else what stands beside it."""
    decided = any(old.get(name) != new.get(name) for name in GRADE.decision)
    beside = _parts(old, new, {one.name: one.said for one in GRADE.marks})
    if beside and not decided:
        return f"{beside} for {of}"
    if not new.get("state") or new["state"] == "graded":
        return f"{'grade ' + str(new['grade']) if new.get('state') else 'no grade'} of {of}"
    reason = f" ({new['reason']})" if new.get("reason") else ""
    return f"{STATES[new['state']]}{reason} for {of}"


def _parts(old: dict[str, Any], new: dict[str, Any], names: Mapping[str, str]) -> str:
    """Return what changed of these, by the words for each: `note “look again”, not flagged`."""
    changed = {name: words for name, words in names.items() if old.get(name) != new.get(name)}
    return ", ".join(_part(words, old.get(name), new.get(name)) for name, words in changed.items())


def _part(words: str, old: object, new: object) -> str:
    if not new:
        return f"no {words}" if isinstance(old, str) else f"not {words}"
    return f"{words} “{_short(new)}”" if isinstance(new, str) else words


def _gold(old: dict[str, Any], new: dict[str, Any], of: str) -> str:
    """Return what became of gold answers: which wordings came, went, or gave way to others."""
    if bool(old.get("unanswerable")) != bool(new.get("unanswerable")):
        return f"{of} is {'unanswerable' if new.get('unanswerable') else 'answerable'}"
    wordings = [
        [text for one in value.get("answers", ()) for text in (one["text"], *one.get("aliases", ()))]
        for value in (old, new)
    ]
    gone, come = (
        ", ".join(f"“{_short(text)}”" for text in one if text not in other)
        for one, other in (wordings, wordings[::-1])
    )
    if gone and come:
        return f"gold answer of {of}: {gone} became {come}"
    if gone or come:
        return f"gold answer of {of}: {come or f'{gone} removed'}"
    return f"order of the gold answers of {of}: {', '.join(map(_short, wordings[1]))}"


def _short(value: object) -> str:
    return shorten(str(value), SHOWN, placeholder="…")
