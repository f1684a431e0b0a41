"""Whether another measure, or the same one as another tool computes it, would order the systems otherwise."""

from dataclasses import replace
from typing import TYPE_CHECKING

from annotator.desktop.layouts import FLUSH, column
from annotator.desktop.results.table_choice import TableChoice
from annotator.desktop.results.tabs import ProjectTab
from annotator.desktop.worker import Worker
from annotator.evaluation import comparison_tables, correlation_tables
from annotator.evaluation.result_table import Table, columns_of, intervals_below
from annotator.evaluation.results import EvaluationResult
from annotator.evaluation.subsets import narrowed
from annotator.metrics.conventions import side_by_side
from annotator.project.state import State
from annotator.theme import Theme
from annotator.watch import Watch

if TYPE_CHECKING:
    from annotator.project.project import Project


class ConventionsTab(ProjectTab):
    """The systems in order under each measure, what goes together, and a measure as other tools have it."""

    def __init__(self, project: "Project", worker: Worker, theme: Theme) -> None:
        super().__init__(project, worker)
        self.tables = TableChoice("measures and conventions", theme)
        self.views = (self.tables,)
        column(self.job, (self.tables, 1), on=self, around=FLUSH)

    def show_measure(self, state: State, result: EvaluationResult, name: str) -> None:
        """Show a result's systems under all its measures, and compute one of them as other tools do."""
        tables = (
            comparison_tables.orders(result),
            intervals_below(correlation_tables.together(result, name, result.systems[0]), "value"),
        )
        measure = result.measures[result.position(name)]
        tools = side_by_side(measure) if measure.needs == "grades" else []
        names = tuple(dict.fromkeys(one.name for _, one in tools))
        options, seen = replace(result.options, measures=names), frozenset(result.query_ids)

        def job(watch: Watch) -> Table:
            from annotator.project.project_scores import evaluated

            other = narrowed(evaluated(state, options, watch=watch), seen)
            named = [(tool, measure.name, one.name) for tool, one in tools]
            return comparison_tables.under_conventions(other, named, f"{name} as other tools have it")

        def show(others: Table) -> None:
            at = {one.name: place for place, one in enumerate(others.columns)}
            words = [at.pop(name) for name in ("convention", "computed_as", "in_words")]
            del at["measure"]  # which the title names
            self.tables.show_tables((*tables, columns_of(others, [*words, *at.values()])))

        self.tables.show_tables(tables)
        if names:
            self.job.run("Evaluating under other conventions", job, show)
