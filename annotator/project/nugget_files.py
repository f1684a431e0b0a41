"""Nuggets, or what one annotator said of them, in a file by themselves, as nuggetizer reads it."""

from dataclasses import replace
from pathlib import Path

from annotator.errors import UserError
from annotator.evaluation.options import Options
from annotator.formats.beside import say_beside
from annotator.formats.declaration import Writing
from annotator.formats.registry import FORMATS
from annotator.project import browse
from annotator.project.answer_parts import stored
from annotator.project.project import Project
from annotator.project.state import state_of
from annotator.project.written_from import written_from
from annotator.records import AnswerParts, Dataset
from annotator.tasks import NUGGET
from annotator.text.counts import counted


def write_nuggets(project: Project, path: Path, annotator: str = "") -> str:
    """Write the nuggets of all queries, or with an annotator what that one assigned to which answers.

    Nuggets that were merged into others are left out. Returns what was written.
    """
    if annotator and annotator not in {one.name for one in browse.annotators(project)}:
        raise UserError(f"Nobody called {annotator!r} has done anything here.")
    options = Options(annotator=annotator or None)
    state = state_of(project, options)
    with state.rows() as db:
        ids = {key: query.id for key, query in state.queries.items()}
        said = [one for one in stored(state, db, options, ids) if one.nuggets]
    if annotator:
        lines = [_assigned(one) for one in said if any(level is not None for *_, level in one.nuggets)]
    else:
        lines = [*{one.query_id: _without_levels(one) for one in said}.values()]
    FORMATS["nuggets"].write(Dataset([*state.queries.values()], said=lines), path, Writing())
    say_beside(path, [written_from(project, state.head)])
    count = counted(sum(len(one.nuggets) for one in lines), "assignment" if annotator else "nugget")
    merged = sum("into" in one.value for one in state.said.get(NUGGET.name, ()))
    left = f" {counted(merged, 'nugget was', 'nuggets were')} left out, merged into others." if merged else ""
    return f"{path.name}: {count} of {counted(len(lines), 'line')} written.{left}"


def _assigned(one: AnswerParts) -> AnswerParts:
    return replace(one, nuggets=tuple(each for each in one.nuggets if each[2] is not None))


def _without_levels(one: AnswerParts) -> AnswerParts:
    nuggets = tuple((text, importance, None) for text, importance, _ in one.nuggets)
    return AnswerParts("", 0, one.query_id, nuggets=nuggets)
