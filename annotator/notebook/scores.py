"""What `evaluate` returns: the scores, their means, explanations and comparisons."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from html import escape
from typing import TYPE_CHECKING, Any, TypeAlias

from annotator.errors import MeasureError, UserError
from annotator.evaluation.conventions_text import remarks
from annotator.evaluation.family import Family
from annotator.evaluation.options import ComparisonChoice, Correction, Options, Over, Test
from annotator.evaluation.results import EvaluationResult
from annotator.metrics import catalogue

if TYPE_CHECKING:
    import pandas

    from annotator.evaluation.comparison import Comparison
    from annotator.evaluation.equivalence import Equivalence
    from annotator.metrics.answer_explanation import AnswerExplanation
    from annotator.metrics.explanation import Explanation

TakeApart: TypeAlias = 'Callable[[Options, str, str], "Explanation | AnswerExplanation"]'


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
