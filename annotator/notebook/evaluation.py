"""Judgments and runs, or the systems of a project, evaluated."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from annotator.errors import UserError
from annotator.evaluation.evaluator import evaluate as evaluate_collection
from annotator.evaluation.options import GoldMatch, Options
from annotator.evaluation.results import EvaluationResult, Provenance
from annotator.grades import HIGHEST
from annotator.notebook.choices import options_of
from annotator.notebook.inputs import (
    PathText,
    Qrels,
    Runs,
    collection,
    is_folder,
    is_path,
    is_project,
    opened,
)
from annotator.notebook.plain_errors import in_a_sentence
from annotator.notebook.scores import Scores
from annotator.tasks import CombiningRule

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from annotator.project.project import Project

OF_PROJECTS = (
    *("annotator", "combine", "as_of", "relevance", "normaliser", "stemming", "language", "model"),
    *("count_ties", "judged_by"),
)
"""Options that mean nothing for judgments and runs."""


@in_a_sentence
def evaluate(
    qrels: "Qrels | Project",
    run: "Runs | None" = None,
    measures: "str | Iterable[object] | None" = None,
    *,
    systems: "str | Iterable[str]" = (),
    queries: "str | Iterable[str]" = (),
    tags: "str | Iterable[str]" = (),
    rel: int | None = None,
    highest_grade: int = HIGHEST,
    judged_only: bool = False,
    skip_without_relevant: bool = False,
    fully_judged_to: int | None = None,
    annotator: str | None = None,
    combine: CombiningRule | None = None,
    as_of: str = "",
    relevance: str | GoldMatch | None = None,
    normaliser: str = "squad1",
    stemming: bool = False,
    language: str = "",
    model: str = "",
    count_ties: bool = False,
    judged_by: str = "",
    seed: int = 1,
    executor: "Executor | None" = None,
) -> Scores:
    """Evaluate one or several runs against judgments, or the systems of a project.

    A measure is a name, or what prints as one, such as ir_measures' own. The options are those of
    `annotator.evaluation.options.Options`; `rel`, `combine` and the measures are a project's own unless said.
    Grades go from 0 to `highest_grade`; negative ones count as irrelevant. A run may be the path of a folder
    of Parquet files that hold whole rankings; then an `executor` with the interface of `concurrent.futures`
    (`ProcessPoolExecutor`, Dask's `Client.get_executor()`) is given the files, else they are scored one after
    the other. Raises UserError (MeasureError,
    InputError) with a sentence for what cannot be taken.

    >>> scores = evaluate({"q1": {"a": 3, "b": 0}}, {"q1": {"a": 0.2, "b": 0.9}}, ["RR", "nDCG@10"])
    >>> scores.mean("RR")
    0.5
    """
    named = dict(locals())
    given = {name: value for name, value in named.items() if name not in BESIDE}
    options = options_of(given)
    if run is None and highest_grade != HIGHEST:
        raise UserError("The grades of a project go from 0 to 5, so leave highest_grade out.")
    if run is None:
        return _of_project(qrels, options, {name for name, value in given.items() if value is not None})
    if is_project(qrels):
        raise UserError("A project brings its own runs; evaluate it alone, or import the run first.")
    for name in OF_PROJECTS:
        if getattr(options, name) != getattr(Options(), name):
            raise UserError(f"The option {name} goes with a project alone; leave it out.")
    from annotator.project.version import version

    if is_folder(run):
        return Scores(_of_folder(qrels, run, options, executor), None)
    if executor is not None:
        raise UserError(
            "An executor scores the files of a folder: give as the run the path of a folder of Parquet files "
            "that hold whole rankings."
        )
    taken = collection(qrels, run, options.highest_grade)
    result = evaluate_collection(taken, options, Provenance(name="notebook", version=version()))
    return Scores(result, taken)


BESIDE = ("qrels", "run", "executor")
"""What `evaluate` takes that is no option."""


@in_a_sentence
def read_scores(path: PathText) -> Scores:
    """Return the scores in a file that `Scores.write` or `annotator evaluate -o NAME.parquet` wrote.

    They can be compared, drawn and reported; to take one apart takes the ranking. Raises UserError for any
    other file.
    """
    from annotator.project.score_files import scores_of

    return Scores(scores_of(Path(path), Options(measures=())), None)


def _of_folder(qrels: Any, run: Any, options: Options, executor: "Executor | None") -> EvaluationResult:
    from annotator.project import engines, parts

    if not is_path(qrels):
        raise UserError("The judgments for a folder of Parquet files are a file; give its path.")
    engine = engines.in_turn if executor is None else engines.on(executor)
    return parts.evaluate_folder(Path(qrels), Path(run), options, engine)


def _of_project(source: Any, options: Options, said: set[str]) -> Scores:
    from annotator.project import project_scores, settings

    if not is_project(source) and not is_path(source):
        raise UserError("Give a run beside the qrels, or the path of a project alone.")
    with opened(source) as project:
        asked = settings.usual_options(project, options, said)
        return Scores(project_scores.evaluate_project(project, asked), source)
