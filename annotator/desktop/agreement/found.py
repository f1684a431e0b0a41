"""What the Agreement page shows, read and computed beside the window's thread."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from annotator.errors import Stopped, UserError
from annotator.evaluation import agreement_tables
from annotator.evaluation.options import Options
from annotator.evaluation.result_table import Column, Table, intervals_below
from annotator.figures.subject import Subject
from annotator.project import blindness, judged_by
from annotator.project.state import state_of
from annotator.text.names import pair
from annotator.watch import Watch

if TYPE_CHECKING:
    from annotator.project.adjudication import Disagreement
    from annotator.project.annotator_agreement import (
        NamedPair,
        ProjectAgreement,
        QueryAgreement,
        RankingEffect,
    )
    from annotator.project.judged_by import JudgedBy
    from annotator.project.model_agreement import ModelAgreement
    from annotator.project.project import Project


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What the page shows; `seen` are the queries of which a blind annotator may see others' grades."""

    agreement: "ProjectAgreement"
    disagreements: "list[Disagreement]"
    effect: "RankingEffect | None"
    subject: Subject
    coefficients: Table
    models: "ModelAgreement"
    differing: "dict[str, list[Disagreement]]"
    alone: list[Table]
    hidden: int
    seen: frozenset[str]
    origin: tuple[str, ...]
    judged_by: str
    meaning: str
    offered: "dict[str, JudgedBy]"

    @property
    def levels(self) -> tuple[str, ...]:
        """What the levels are called that stand in the place of the grades; empty for grades."""
        return self.offered[self.judged_by].words if self.judged_by else ()


def gather(project: "Project", options: Options, together: bool, watch: Watch) -> Found:
    """Read and compute everything, beside the window's thread."""
    from annotator.project import adjudication, annotator_agreement, figure_data, model_agreement
    from annotator.project.leniency import lenient
    from annotator.project.provenance import origin

    seen, hidden = blindness.seen_queries(project)
    only = seen if hidden else None
    state = state_of(project)
    offered = judged_by.offered(state.settings, state.said)
    options = replace(options, judged_by=options.judged_by if options.judged_by in offered else "")
    state = judged_by.by(state, options.judged_by)
    agreed = annotator_agreement.agreement(state, only=only, together=together)
    people = [(one.first, one.second, one.agreement) for one in agreed.pairs]
    try:
        effect = annotator_agreement.ranking_effect(
            state, options, only=only, together=together, watch=watch.silent
        )
    except Stopped:
        raise
    except UserError:
        effect = None
    subject = figure_data.judging_subject(state, named=True, only=only, agreed=agreed, together=together)
    told_of = [project.annotator] if hidden else agreed.annotators
    each = lenient(state, {name: name for name in told_of}, only=only, together=together)
    models = model_agreement.against_people(state, options, only=only, together=together, watch=watch.silent)
    subject = figure_data.with_others(subject, each, models.pairs)
    return Found(
        agreed,
        adjudication.disagreements(state, with_settled=True, only=only),
        effect,
        subject,
        agreement_tables.by_group(agreed.overall, people).noted(agreed.together),
        models,
        model_agreement.differing(state, with_settled=True, only=only),
        [
            *annotator_agreement.with_oneself(state, {name: name for name in told_of}, side_by_side=True),
            *each,
        ],
        hidden,
        seen,
        origin(state, options, only),
        options.judged_by,
        judged_by.sentence(state),
        offered,
    )


RANGE = (
    "Mean range: the highest minus the lowest judgment of a candidate, on average over the candidates that "
    "two or more judged. Queries without any such candidate are left out."
)


def by_query(queries: "Sequence[QueryAgreement]") -> Table:
    """Return how far apart the judgments of each query are as a table."""
    columns = (
        Column("Query", "text", key="query_id"),
        Column("Text", "text", key="text"),
        Column("Mean range", decimals=2, key="mean_range", note="Highest minus lowest judgment of one."),
        Column("Candidates", "count", key="items", note="Judged by two or more."),
    )
    return replace(Table.of("queries", "Queries", queries, columns), caption=RANGE if queries else "")


DRAWN = {"model-agreement": ("leniency", "alpha", "kappa"), "leniency": ("leniency", "scatter")}
"""The estimates of tables whose intervals are drawn."""


def drawn(table: Table) -> Table:
    """Return a table with its intervals where the page draws them."""
    for estimate in DRAWN.get(table.key, ()):
        table = intervals_below(table, estimate, f"{estimate}_low", f"{estimate}_high")
    return table


def pair_in_words(one: "NamedPair") -> str:
    """Return what a pair is called, and whether one of them is a model."""
    return pair(one.first, one.second) + (" (a model's judgments)" if one.with_model else "")
