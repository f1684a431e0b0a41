"""What a project is ready for, so that whoever has brought something in is told how to go on."""

from dataclasses import dataclass
from typing import Literal

from annotator.project.browse import contents
from annotator.project.project import Project
from annotator.project.views import Contents
from annotator.storage.reads import lookup
from annotator.text.counts import counted


@dataclass(frozen=True, slots=True)
class NextStep:
    """One thing that can be done now, and why in a sentence."""

    what: Literal["grade", "evaluate", "baseline"]
    why: str


def next_steps(project: Project) -> tuple[NextStep, ...]:
    """Return what can be done with a project as it is, the likeliest first; nothing while parts are missing.

    Nothing is told that those who grade may not see: only that there is something, and how much.
    """
    now = contents(project)
    with project.store.reading() as db:
        return tuple(_steps(now, lookup.can_be_retrieved(db)))


def _steps(now: Contents, retrievable: bool) -> list[NextStep]:
    steps = []
    if retrievable and not now.systems:
        why = "No system has ranked the documents yet; BM25 can, and its candidates can then be graded."
        steps.append(NextStep("baseline", why))
    if (left := now.pool - now.decided) > 0:
        wait = "candidate waits" if left == 1 else "candidates wait"
        steps.append(NextStep("grade", f"{left:,} {wait} for your grade."))
    if now.systems and (by := _by(now)):
        steps.append(NextStep("evaluate", f"Scores of {counted(len(now.systems), 'system')} from {by}."))
    return steps


def _by(now: Contents) -> str:
    """Return in words what systems are scored by, empty if there is nothing."""
    judged = ["judgments"] if any(one.graded for one in now.annotators) else []
    gold = ["gold answers"] if now.gold and now.answers else []
    return " and ".join(judged + gold)
