"""The verbs for notebooks: evaluate dicts, DataFrames, files or a project.

>>> from annotator import api
>>> scores = api.evaluate({"q1": {"a": 3, "b": 0}}, {"q1": {"a": 0.2, "b": 0.9}}, ["RR", "nDCG@10"])
>>> scores.mean("RR")
0.5

`qrels` is a dict `{query: {document: grade}}` (pytrec_eval's and ranx's), a DataFrame with the columns
`query_id, doc_id, relevance` (ir_measures'), a file, or a project. `run` is a dict
`{query: {document: score}}`, a DataFrame with `query_id, doc_id, score`, a file, or several of these as
`{name: run}`; several files without names are a list. Ids may be strings or whole numbers, and DataFrames
those of pandas or polars.
"""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, fields, replace
from functools import partial
from html import escape
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, get_args

from annotator.errors import MeasureError, UserError
from annotator.evaluation.conventions_text import remarks
from annotator.evaluation.evaluator import Collection
from annotator.evaluation.evaluator import evaluate as evaluate_collection
from annotator.evaluation.family import Family
from annotator.evaluation.frames import Frame, rows_of
from annotator.evaluation.options import (
    ComparisonChoice,
    Correction,
    GoldMatch,
    Options,
    Over,
    Test,
)
from annotator.evaluation.results import EvaluationResult, Provenance
from annotator.evaluation.tables import Rows, collect
from annotator.metrics import catalogue
from annotator.tasks import CombiningRule

if TYPE_CHECKING:
    import pandas

    from annotator.evaluation.comparison import Comparison
    from annotator.evaluation.equivalence import Equivalence
    from annotator.metrics.answer_explanation import AnswerExplanation
    from annotator.metrics.explanation import Explanation
    from annotator.project.project import Project

PathText: TypeAlias = "str | PathLike[str]"
Dicts: TypeAlias = "Mapping[Any, Mapping[Any, float]]"
Qrels: TypeAlias = "Dicts | Frame | PathText | Project"
Run: TypeAlias = "Dicts | Frame | PathText"
TakeApart: TypeAlias = 'Callable[[Options, str, str], "Explanation | AnswerExplanation"]'
Runs: TypeAlias = "Run | Mapping[str, Run] | Sequence[PathText]"

OF_PROJECTS = ("annotator", "combine", "as_of", "relevance", "normaliser", "stemming", "model")
"""Options that mean nothing for judgments and runs."""

ONE_RUN = "run"
"""The name of a run that came without one."""


@dataclass(frozen=True, eq=False)
class Scores:
    """What `evaluate` returns: the result, and how one of its scores is taken apart."""

    result: EvaluationResult
    take_apart: TakeApart
    """Options whose first measure counts, system, query -> explanation."""
    _compared: "dict[Family, list[Comparison]]" = field(default_factory=dict, init=False, repr=False)
    """The comparisons that were asked for before."""

    @property
    def summary(self) -> "pandas.DataFrame":
        """The mean (or the measure's own aggregate): one row per system, one column per measure."""
        import pandas

        names = [one.name for one in self.result.measures]
        rows = [[self.result.mean(system, name) for name in names] for system in self.result.systems]
        index = pandas.Index(self.result.systems, name="system")
        return pandas.DataFrame(rows, index=index, columns=pandas.Index(names, name="measure"))

    @property
    def per_query(self) -> "pandas.DataFrame":
        """The scores of each query: rows (system, query), one column per measure; NaN where there is none."""
        import pandas

        result = self.result
        index = pandas.MultiIndex.from_product([result.systems, result.query_ids], names=["system", "query"])
        values = result.scores.transpose(0, 2, 1).reshape(len(index), len(result.measures))
        return pandas.DataFrame(values, index=index, columns=[one.name for one in result.measures])

    def mean(self, measure: str, system: str | None = None) -> float:
        """Return one system's mean under a measure (of the only system, if none is named)."""
        return self.result.mean(self._system(system), self._name(measure))

    def explain(
        self, query: str, measure: str | None = None, system: str | None = None
    ) -> "Explanation | AnswerExplanation":
        """Return the rank-by-rank table whose contributions sum to one query's score.

        For a measure of answers: every prediction that counts beside every wording of the gold answers.
        """
        options = self.result.options.of_measures(self._printed(measure))
        return self.take_apart(options, self._system(system), str(query))

    def compare(
        self,
        first: str,
        second: str,
        measure: str | None = None,
        *,
        test: Test = "randomisation",
        correction: Correction = "holm",
        baseline: str | None = None,
        alpha: float = 0.05,
        over: Over = "measure",
        tag: str = "",
    ) -> "Comparison":
        """Return the paired comparison of two systems: difference, interval, test, effect and a sentence.

        Its p is that of the Compare page: corrected with the comparisons of all systems under this measure,
        or `over="all"` measures. With a baseline each system is compared with it alone. With a tag it is
        about the queries that have it, and p is corrected over all tags too.
        """
        from annotator.evaluation.pairs import compare_all, one_of

        name = self._name(measure)
        choice = ComparisonChoice(baseline, test, correction, alpha, over, bool(tag))
        family = Family.of(self.result, choice)
        if family not in self._compared:
            self._compared[family] = compare_all(self.result, choice)
        return one_of(self._compared[family], self.result, name, first, second, tag)

    def equivalence(
        self, first: str, second: str, difference: float, measure: str | None = None, **choice: Any
    ) -> "Equivalence":
        """Return whether the second is no worse than the first by a difference that matters, or both.

        `choice` is what `compare` takes: test, correction, baseline, alpha, over, tag.
        """
        from annotator.evaluation.equivalence import equivalences

        one = self.compare(first, second, measure, **choice)
        found = equivalences(self.result, self._compared[one.family], difference)
        there = next(
            each
            for each in found
            if (each.comparison.measure, each.comparison.tag) == (one.measure, one.tag)
            and {each.comparison.first, each.comparison.second} == {first, second}
        )
        if there.comparison.first == first:
            return there
        return replace(there, comparison=one, p_second=there.p_first, p_first=there.p_second)

    def _repr_html_(self) -> str:
        """Return the means with their intervals as a table, and what to mind, which notebooks show."""
        from annotator.evaluation.summary_tables import summary

        notes = "".join(f"<p><small>{escape(one)}</small></p>" for one in remarks(self.result))
        return summary(self.result)._repr_html_() + notes

    def __repr__(self) -> str:
        return "\n".join((repr(self.summary), *remarks(self.result)))

    def _system(self, name: str | None) -> str:
        if name is None and len(self.result.systems) > 1:
            raise UserError(f"Name one of the systems: {', '.join(self.result.systems)}.")
        if name is not None and name not in self.result.systems:
            raise UserError(f"There is no system {name!r} here; there are: {', '.join(self.result.systems)}.")
        return self.result.systems[0] if name is None else name

    def _printed(self, measure: str | None) -> str:
        """Return the printed name of a measure as it is typed or printed; of the first one for None."""
        known = [one.name for one in self.result.measures]
        if measure is None or measure in known:
            return measure or known[0]
        return catalogue.parse(measure, rel=self.result.options.rel).name

    def _name(self, measure: str | None) -> str:
        """Return the printed name of a measure that was asked for; raises MeasureError for any other."""
        name = self._printed(measure)
        known = [one.name for one in self.result.measures]
        if name not in known:
            raise MeasureError(f"{name} was not asked for; there are: {', '.join(known)}.")
        return name


def evaluate(
    qrels: Qrels, run: "Runs | None" = None, measures: Iterable[object] | None = None, **options: Any
) -> Scores:
    """Evaluate one or several runs against judgments, or the systems of a project.

    A measure is a name, or what prints as one, such as ir_measures' own. `options` are the fields of
    `annotator.evaluation.options.Options` (`rel`, `judged_only`, `queries`, …).
    Raises UserError (MeasureError, InputError) with a sentence for what cannot be taken.
    """
    chosen = _options(options if measures is None else {**options, "measures": measures})
    if not chosen.measures:
        raise MeasureError("No measure was asked for; name one such as nDCG@10.")
    if run is None:
        said = options.keys() if measures is None else {*options, "measures"}
        return Scores(_of_project(qrels, chosen, said), partial(_explained_in_project, qrels))
    if hasattr(qrels, "store") or (_is_path(qrels) and str(qrels).endswith(".annot")):
        raise UserError("A project brings its own runs; evaluate it alone, or import the run first.")
    for name in OF_PROJECTS:
        if getattr(chosen, name) != getattr(Options(), name):
            raise UserError(f"The option {name} goes with a project alone; leave it out.")
    collection = _of_files(qrels, run) if _only_paths(qrels, run) else _of_tables(qrels, run)
    result = evaluate_collection(collection, chosen, Provenance(name="notebook", version=_version()))
    return Scores(result, partial(_explained, collection))


def _options(given: Mapping[str, Any]) -> Options:
    """Return options; one text stands for a list of one, and the name of a match for a gold match."""
    usual = {one.name: one.default for one in fields(Options)}
    taken = dict(given)
    for name, value in given.items():
        if name not in usual:
            raise UserError(f"There is no option {name!r}; there are: {', '.join(usual)}.")
        if isinstance(usual[name], tuple):
            taken[name] = (value,) if isinstance(value, str) else tuple(map(_name, value))
        if name == "relevance" and isinstance(value, str):
            taken[name] = GoldMatch(value)
        if name == "combine" and value not in get_args(CombiningRule):
            raise UserError(f"combine is one of {', '.join(get_args(CombiningRule))}, not {value!r}.")
    return Options(**taken)


def _name(one: Any) -> str:
    """Return what is named; ir_measures' own Judged divides by the length of a short list.

    Raises MeasureError for gains and Compat of ir_measures, which say less than ours do.
    """
    if getattr(one, "params", {}).get("gains"):
        raise MeasureError(
            f"In ir_measures a grade without a gain in {one} gains itself; write the measure as a text with "
            "the gain of every grade, such as 'nDCG(gains={0:0,1:1,2:3})@10'."
        )
    kind = getattr(one, "NAME", "")
    if kind == "Compat":
        raise MeasureError(
            f"ir_measures ends {one} with the longer of ranking and ideal; write the measure as a text with "
            "the depth you mean, such as 'Compat@1000'."
        )
    if kind == "Judged":
        return str(one).replace("Judged", "Judged(norm='retrieved')", 1)
    return str(one)


def _explained(collection: Collection, options: Options, system: str, query: str) -> "Explanation":
    from annotator.project.explanations import explained

    return explained(collection, options, system, query)


def _explained_in_project(
    source: Any, options: Options, system: str, query: str
) -> "Explanation | AnswerExplanation":
    from annotator.project.explanations import explain_answer, explain_in_project
    from annotator.project.state import state_of

    with _opened(source) as project:
        if catalogue.parse(options.measures[0]).needs == "grades":
            return explain_in_project(state_of(project, options), options, system, query)
        return explain_answer(state_of(project, options), options, system, query)


def _is_path(one: Any) -> bool:
    return isinstance(one, str | PathLike)


def _only_paths(qrels: Any, run: Any) -> bool:
    return _is_path(qrels) and all(_is_path(one) for one in _several(run))


def _several(run: Any) -> list[Any]:
    """Return the runs of one run, a list or a mapping of several."""
    return list(run) if isinstance(run, list | tuple) else list(_named(run).values())


def _named(run: Any) -> dict[str, Any]:
    """Return runs by name; a single one gets a name of its own, and files have their stems."""
    if isinstance(run, list | tuple):
        if not all(_is_path(one) for one in run):
            raise UserError("A list of runs holds paths of files; give other runs their names: {name: run}.")
        named = {Path(one).stem: one for one in run}
        if len(named) < len(run):
            raise UserError(f"Of {len(run)} runs some have one name; give them names: {{name: run}}.")
        return named
    if isinstance(run, Mapping):
        parts = [one for one in run.values() if not isinstance(one, Mapping) or one]
        inner = [next(iter(one.values())) if isinstance(one, Mapping) else {} for one in parts]
        if any(isinstance(one, Mapping) for one in inner):
            return {str(name): one for name, one in run.items()}
    return {ONE_RUN: run}


def _rows(table: Any, value: str, what: str) -> Rows:
    """Return a file, a dict of dicts or a DataFrame as columns."""
    if _is_path(table):
        from annotator.project import files

        return (files.judged_rows if value == "relevance" else files.run_rows)(Path(table))
    return rows_of(table, value, what)


def _of_tables(qrels: Any, run: Any) -> Collection:
    judged = _rows(qrels, "relevance", "The qrels")
    return collect(
        judged, {name: _rows(one, "score", f"The run {name!r}") for name, one in _named(run).items()}
    )


def _of_files(qrels: Any, run: Any) -> Collection:
    from annotator.project import files

    names = [str(name) for name in run] if isinstance(run, Mapping) else []
    paths = [Path(one) for one in _several(run)]
    return files.collection_of_runs(Path(qrels), paths, names)


def _of_project(source: Any, options: Options, said: Container[str]) -> EvaluationResult:
    from annotator.project import project_scores, settings

    if not _is_path(source) and not hasattr(source, "store"):
        raise UserError("Give a run beside the qrels, or the path of a project alone.")
    with _opened(source) as project:
        return project_scores.evaluate_project(project, settings.usual_options(project, options, said))


def _opened(source: Any) -> "AbstractContextManager[Project]":
    """Return a project to be used once: opened from its path, or the one at hand, which stays open."""
    from annotator.project.project import Project

    return Project.open(Path(source), read_only=True) if _is_path(source) else nullcontext(source)


def _version() -> str:
    from annotator.project.version import version

    return version()
