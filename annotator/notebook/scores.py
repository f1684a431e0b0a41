"""What an evaluation hands back: the scores, their means, explanations, comparisons, figures and reports."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from annotator.errors import MeasureError, UserError
from annotator.evaluation.conventions_text import remarks
from annotator.evaluation.evaluator import Collection
from annotator.evaluation.family import Family
from annotator.evaluation.options import ComparisonChoice, Correction, Over, Test, Width
from annotator.evaluation.results import EvaluationResult
from annotator.metrics import catalogue
from annotator.notebook.inputs import PathText, opened
from annotator.notebook.pictures import Picture
from annotator.notebook.plain_errors import in_a_sentence
from annotator.notebook.table_frames import frame_of

if TYPE_CHECKING:
    import pandas

    from annotator.evaluation.comparison import Comparison
    from annotator.evaluation.equivalence import Equivalence
    from annotator.metrics.answer_explanation import AnswerExplanation
    from annotator.metrics.explanation import Explanation
    from annotator.metrics.judged_parts import PartExplanation
    from annotator.project.project import Project


@dataclass(frozen=True, eq=False)
class Scores:
    """What `evaluate` and `evaluate_answers` return; `source` is what was, None for scores alone."""

    result: EvaluationResult
    source: "Collection | PathText | Project | None"
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

    @in_a_sentence
    def mean(self, measure: str, system: str | None = None) -> float:
        """Return one system's mean under a measure (of the only system, if none is named)."""
        return self.result.mean(self._system(system), self._name(measure))

    @in_a_sentence
    def explain(
        self, query: str, measure: str | None = None, system: str | None = None
    ) -> "Explanation | AnswerExplanation | PartExplanation":
        """Return the rank-by-rank table whose contributions sum to one query's score.

        For a measure of answers: every prediction that counts beside every wording of the gold answers; for
        one of nuggets or support: every nugget or sentence, those first that cost most.
        """
        from annotator.project import explanations
        from annotator.project.state import state_of

        options = self.result.options.of_measures(self._printed(measure))
        system = self._system(system)
        of_grades = catalogue.parse(options.measures[0]).needs == "grades"
        if self.source is None:
            raise UserError("These are scores alone; evaluate the file of the ranking to take them apart.")
        if isinstance(self.source, Collection):
            of_tables = explanations.explained if of_grades else explanations.explained_answer
            return of_tables(self.source, options, system, str(query))
        with opened(self.source) as project:
            return explanations.take_apart(state_of(project, options), options, system, str(query))

    @in_a_sentence
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
        from annotator.evaluation.pairs import one_of

        name = self._name(measure)
        made = self._made(ComparisonChoice(baseline, test, correction, alpha, over, bool(tag)))
        return one_of(made, self.result, name, first, second, tag)

    @in_a_sentence
    def compare_all(
        self,
        *,
        test: Test = "randomisation",
        correction: Correction = "holm",
        baseline: str | None = None,
        alpha: float = 0.05,
        over: Over = "measure",
        by_tag: bool = False,
    ) -> "pandas.DataFrame":
        """Return every comparison as a row, under every measure: what `annotator compare --format csv` has.

        Each p is the one that `compare` gives with the same choices.
        """
        from annotator.evaluation.comparison_tables import tests

        return frame_of(tests(self._made(ComparisonChoice(baseline, test, correction, alpha, over, by_tag))))

    @in_a_sentence
    def equivalence(
        self,
        first: str,
        second: str,
        difference: float,
        measure: str | None = None,
        *,
        test: Test = "randomisation",
        correction: Correction = "holm",
        baseline: str | None = None,
        alpha: float = 0.05,
        over: Over = "measure",
        tag: str = "",
    ) -> "Equivalence":
        """Return whether the second is no worse than the first by a difference that matters, or both."""
        from annotator.evaluation.equivalence import equivalences
        from annotator.evaluation.pairs import one_of

        made = self._made(ComparisonChoice(baseline, test, correction, alpha, over, bool(tag)))
        one = one_of(made, self.result, self._name(measure), first, second, tag)
        there = next(
            each
            for each in equivalences(self.result, made, difference)
            if (each.comparison.measure, each.comparison.tag) == (one.measure, one.tag)
            and {each.comparison.first, each.comparison.second} == {first, second}
        )
        if there.comparison.first == first:
            return there
        return replace(there, comparison=one, p_second=there.p_first, p_first=there.p_second)

    @in_a_sentence
    def difficulty(self, measure: str | None = None, *, per_query: bool = False) -> "pandas.DataFrame":
        """Return how systems do on hard and easy queries; `per_query`, how hard each query is.

        It is what `annotator evaluate --difficulty --format csv` prints; of every measure, or the one named.
        """
        from annotator.evaluation import query_difficulty

        if measure is None:
            found = query_difficulty.needed(self.result)
        else:
            found = [query_difficulty.difficulty(self.result, self._name(measure))]
        return frame_of((query_difficulty.by_query if per_query else query_difficulty.by_system)(found))

    @in_a_sentence
    def figure(self, key: str = "intervals", *, named: bool = False) -> Picture:
        """Return a figure, which a notebook shows and `write` writes as PDF, SVG or PNG.

        The keys are those of `annotator report --figure`. Figures of the judgments themselves (grades,
        agreement, time, drift) are there for projects alone, which tell annotators by name when `named`.
        """
        from annotator.project import report_files

        if self.source is None or isinstance(self.source, Collection):
            return Picture(key, report_files.figure_of_result(self.result, self.source, key))
        with opened(self.source) as project:
            return Picture(key, report_files.figure_of(project, self.result.options, key, named))

    @in_a_sentence
    def report(
        self,
        path: PathText,
        *,
        section: str | Sequence[str] = (),
        table: str = "",
        column: str | Sequence[str] = (),
        digits: int | None = None,
        figure: str | Sequence[str] = (),
        explain: str | Sequence[str] = (),
        width: Width | None = None,
        means: bool = False,
        named: bool = False,
        test: Test = "randomisation",
        correction: Correction = "holm",
        baseline: str | None = None,
        alpha: float = 0.05,
        over: Over = "measure",
        difference: float | None = None,
    ) -> Path:
        """Write a report of the project as it is now, with the options of these scores; return its path.

        The file's ending says the format, and the words are those of `annotator report`. Raises UserError
        for scores of tables and runs, which no report can say how to make again; write them to a file of
        scores, and `read_scores` gives some that can.
        """
        from annotator.project import browse, report_files
        from annotator.project.report_files import Choice

        if isinstance(self.source, Collection) or not (self.source or self.result.provenance.command):
            raise UserError(
                "A report says how to make it again, so it is made of a project, or of scores that were "
                "read from a file: import the files, or write the scores and read them."
            )
        file = Path(path)
        choice = Choice(
            format=report_files.format_of(file.name),
            sections=_listed(section),
            table=table,
            columns=_listed(column),
            digits=digits,
            means=means,
            queries=_listed(explain),
            figures=_listed(figure) or Choice().figures,
            width=width,
            named=named,
            comparison=ComparisonChoice(baseline, test, correction, alpha, over),
            difference=difference,
        )
        if (wrong := report_files.unfitting(choice)) is not None:
            raise UserError(f"{wrong[0]}: {wrong[1]}.")
        if self.source is None:
            note = report_files.write_report_of_scores(self.result, file, choice)
        else:
            with opened(self.source) as project:
                for one in choice.queries:
                    browse.key_of(project, one)  # a query that is not there is said, not left out
                note = report_files.write_report(project, file, self.result.options, choice)
        if note:
            warnings.warn(note, stacklevel=2)
        return file

    @in_a_sentence
    def write(self, path: PathText) -> Path:
        """Write all scores to a file (`.parquet`), which `read_scores` and `annotator compare` take."""
        from annotator.project.score_files import write_scores

        write_scores(self.result, Path(path))
        return Path(path)

    def _made(self, choice: ComparisonChoice) -> "list[Comparison]":
        from annotator.evaluation.pairs import compare_all

        family = Family.of(self.result, choice)
        if family not in self._compared:
            self._compared[family] = compare_all(self.result, choice)
        return self._compared[family]

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
        return catalogue.parse(measure, rel=self.result.options.relevant_from).name

    def _name(self, measure: str | None) -> str:
        """Return the printed name of a measure that was asked for; raises MeasureError for any other."""
        name = self._printed(measure)
        known = [one.name for one in self.result.measures]
        if name not in known:
            raise MeasureError(f"{name} was not asked for; there are: {', '.join(known)}.")
        return name


def _listed(given: str | Sequence[str]) -> tuple[str, ...]:
    """Return one text as a list of one."""
    return (given,) if isinstance(given, str) else tuple(given)
