"""What is judged by: the grades, or in their place what is said under an aspect or another task."""

from collections.abc import Container, Mapping
from dataclasses import dataclass, replace
from typing import Any

from annotator.errors import UserError
from annotator.project.aspects import aspects_of
from annotator.project.nuggets import resolved
from annotator.storage.reads import states
from annotator.storage.reads.states import State
from annotator.tasks import ADJUDICATION, JUDGED, PAIR, RATING, Task, settling


@dataclass(frozen=True, slots=True)
class JudgedBy:
    """One thing that can stand in the place of the grades: its name, and what its levels are called.

    It is what is said under `task` about subjects with this `ending`.
    """

    name: str
    task: Task
    ending: tuple[str, ...]
    words: tuple[str, ...]

    @property
    def of_pairs(self) -> bool:
        """Whether it is said of a query's candidate alone, as grades are, so that it ranks systems."""
        return len(self.task.subject) - len(self.ending) == len(PAIR)

    @property
    def sentence(self) -> str:
        """What its levels mean: `Faithful: 0 no, 1 partly, 2 yes`."""
        return f"{self.name}: {', '.join(f'{level} {words}' for level, words in enumerate(self.words))}"


def offered(settings: Mapping[str, Any], tasks: Container[str] = ()) -> dict[str, JudgedBy]:
    """Return what a project can be judged by beside the grades, by name.

    It has these settings, and something is said under these `tasks`.
    """
    own = [JudgedBy(one.name, RATING, (one.name,), one.values) for one in aspects_of(settings)]
    declared = [JudgedBy(one.name, one, (), one.words) for one in JUDGED if one.words and one.name in tasks]
    return {one.name: one for one in (*own, *declared)}


def by(state: State, name: str) -> State:
    """Return the state in which what is said by this name stands where the grades stand; "" is the grades.

    Raises UserError for a name that the project does not know.
    """
    if not name:
        return state
    known = offered(state.settings, state.said)
    if name not in known:
        there = ", ".join(known)
        raise UserError(
            f"There is nothing called {name!r} to judge by here; "
            + (f"there are: {there}." if there else "the grades are all that there is.")
        )
    one = known[name]
    state = replace(state, said=resolved(state.said))
    found = states.instead(state, one.task, one.ending)
    return replace(found, judged_by=name, levels=len(one.words))


def sentence(state: State) -> str:
    """Return what the levels mean that stand in the place of the grades; "" where the grades stand."""
    if not state.judged_by:
        return ""
    return offered(state.settings, (state.judged_by,))[state.judged_by].sentence


def words_of(state: State) -> tuple[str, ...]:
    """Return what the levels are called that stand in the place of the grades; nothing for grades."""
    return offered(state.settings, (state.judged_by,))[state.judged_by].words if state.judged_by else ()


def settled_by(settings: Mapping[str, Any], name: str) -> tuple[str, tuple[str, ...], int]:
    """Return the task that settles disagreements by a name, the ending of its subjects, and its levels."""
    if not name:
        return ADJUDICATION.name, (), len(ADJUDICATION.levels)
    one = offered(settings, (name,))[name]
    return settling(one.task).name, one.ending, len(one.words)
