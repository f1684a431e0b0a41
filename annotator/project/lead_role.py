"""The role of lead: taken on purpose, recorded, given back; a convention between honest people.

Whoever has it says what holds for everybody, such as who judges which queries. Anybody can take it and nobody
is stopped by it: it says who spoke for the project, and protects nothing.
"""

from annotator.errors import UserError
from annotator.project.project import Project
from annotator.project.views import Change
from annotator.storage.reads import lookup
from annotator.tasks import LEAD

CONVENTION = "It is a convention between honest people, not a protection: anybody can take it."


def leads(project: Project) -> tuple[str, ...]:
    """Return who has the role, in the order they came to the project."""
    with project.store.reading() as db:
        return tuple(lookup.leads(db))


def is_lead(project: Project) -> bool:
    """Say whether the current annotator has the role."""
    return project.annotator in leads(project)


def take(project: Project) -> Change:
    """Record that the current annotator takes the role."""
    return _say(project, True, f"{project.annotator} has the role of lead now.")


def give_back(project: Project) -> Change:
    """Record that the current annotator gives the role back."""
    return _say(project, None, f"{project.annotator} gave the role of lead back.")


def refuse_others(project: Project) -> None:
    """Raise UserError, which names the way on, when the current annotator has not taken the role."""
    if not is_lead(project):
        raise UserError(not_lead(project.annotator))


def not_lead(who: str) -> str:
    """Say that somebody would have to take the role first."""
    return f"{who} has not taken the role of lead. Take it first: it is recorded."


def _say(project: Project, value: bool | None, sentence: str) -> Change:
    with project.store.writing():
        before = project.store.value(project.annotator, LEAD.name, ())
        project.store.record(project.annotator, LEAD.name, (), value, how="asked")
    return Change(LEAD.name, before=before, after=value, said=sentence)
