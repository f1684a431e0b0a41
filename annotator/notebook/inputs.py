"""What judgments and runs may be given as: dicts, DataFrames, files, also mixed; or a project."""

import warnings
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard

from annotator.errors import UserError
from annotator.evaluation.evaluator import Collection, refuse_beyond
from annotator.evaluation.frames import Frame, rows_of
from annotator.evaluation.tables import Rows, collect

if TYPE_CHECKING:
    from annotator.project.project import Project

PathText: TypeAlias = str | PathLike[str]
Dicts: TypeAlias = Mapping[Any, Mapping[Any, float]]
Qrels: TypeAlias = "Dicts | Frame | PathText"
Runs: TypeAlias = "Qrels | Mapping[str, Qrels] | Sequence[PathText]"

ONE_RUN = "run"
"""The name of a run that came without one."""


def is_path(one: Any) -> TypeGuard[PathText]:
    """Say whether a path is given, as text or otherwise."""
    return isinstance(one, str | PathLike)


def is_folder(one: Any) -> bool:
    """Say whether the path of a folder is given."""
    return is_path(one) and Path(one).is_dir()


def _several(run: Any) -> list[Any]:
    """Return the runs of one run, a list or a mapping of several."""
    return list(run) if isinstance(run, list | tuple) else list(_named(run).values())


def _named(run: Any) -> dict[str, Any]:
    """Return runs by name; a single one gets a name of its own, and files have their stems."""
    if isinstance(run, list | tuple):
        return named_files(run, "run")
    if isinstance(run, Mapping):
        parts = [one for one in run.values() if not isinstance(one, Mapping) or one]
        inner = [next(iter(one.values())) if isinstance(one, Mapping) else {} for one in parts]
        if any(isinstance(one, Mapping) for one in inner):
            return {str(name): one for name, one in run.items()}
    return {ONE_RUN: run}


def named_files(paths: Sequence[Any], what: str) -> dict[str, Any]:
    """Return paths of files by the stems of their names; raises UserError for anything else."""
    if not all(is_path(one) for one in paths):
        raise UserError(
            f"A list of {what}s holds paths of files; give other {what}s names: {{name: {what}}}."
        )
    named = {Path(one).stem: one for one in paths}
    if len(named) < len(paths):
        raise UserError(f"Of {len(paths)} {what}s some have one name; give them names: {{name: {what}}}.")
    return named


def _rows(table: Any, value: str, what: str) -> Rows:
    """Return a file, a dict of dicts or a DataFrame as columns."""
    if is_path(table):
        from annotator.project import files

        return (files.judged_rows if value == "relevance" else files.run_rows)(Path(table))
    return rows_of(table, value, what)


def collection(qrels: Any, run: Any, highest: int) -> Collection:
    """Return judgments and runs as what is evaluated; files alone are read by columns.

    Raises UserError for a grade above the highest of the scale, as for all that cannot be taken.
    """
    if not (is_path(qrels) and all(is_path(one) for one in _several(run))):
        judged = _rows(qrels, "relevance", "The qrels")
        named = _named(run).items()
        made = collect(judged, {name: _rows(one, "score", f"The run {name!r}") for name, one in named})
        refuse_beyond(made, highest)
        return made
    from annotator.project import files

    names = [str(name) for name in run] if isinstance(run, Mapping) else []
    return files.collection_of_runs(Path(qrels), [Path(one) for one in _several(run)], names, highest)


def is_project(one: Any) -> bool:
    """Say whether an open project is given, or the path of one."""
    return hasattr(one, "store") or (is_path(one) and str(one).endswith(".annot"))


def opened(source: Any) -> "AbstractContextManager[Project]":
    """Return a project to be used once: opened from its path, or the one at hand, which stays open.

    A warning says so where a private copy is read, because a journal lies beside the file.
    """
    from annotator.project.project import Project

    if not is_path(source):
        return nullcontext(source)
    project = Project.open(Path(source), read_only=True)
    if project.told:
        warnings.warn(project.told, stacklevel=3)
    return project
