"""What Compare says of the systems of a plan: whether more queries would say the same as its claim."""

from collections.abc import Container, Iterator

import numpy as np

from annotator.evaluation.options import ComparisonChoice, Options
from annotator.evaluation.pairs import compare_all, one_of
from annotator.evaluation.subsets import narrowed
from annotator.metrics.catalogue import parse
from annotator.project.audit_plan import Plan
from annotator.project.audit_result import AuditResult
from annotator.project.audit_sample import Sample, sample_of
from annotator.project.project_scores import evaluated
from annotator.project.state import qrels_of, runs_of
from annotator.storage.reads.states import State
from annotator.text.counts import counted


def beside(state: State, result: AuditResult, seen: Container[str] | None = None) -> str:
    """Return what Compare finds by the grades of now, over how many of the plan's queries, and why so many.

    `seen` are the queries whose scores the annotator may see, None for all.
    """
    plan = result.plan
    sample = sample_of(state, plan)
    chosen = plan.choices
    options = Options((parse(chosen.measure).name,), chosen.everyone, combine=plan.combine)
    found = evaluated(state, options)
    shown = found if seen is None else narrowed(found, seen)
    planned = frozenset(query for query, _ in sample.ids)
    why = "; ".join(_why(planned, frozenset(found.query_ids), frozenset(shown.query_ids)))
    used = len(planned.intersection(shown.query_ids))
    queries = counted(plan.queries, "query", "queries")
    asked = f"Whether more queries would say the same, Compare asks: of the {queries}"
    if not shown.query_ids:
        return f"{asked} of the plan it can use none yet ({why})."
    baseline = chosen.baseline if chosen.purpose == "difference" and len(chosen.systems) > 1 else None
    pairs = compare_all(shown, ComparisonChoice(baseline))
    said = [
        one_of(pairs, shown, options.measures[0], one.systems[1], one.systems[0]).sentence
        for one in result.findings
        if one.is_difference
    ]
    reason = f" ({why})" if why else ""
    by = f" Comparison {pairs[0].identity}."
    return f"{asked} of the plan it uses {used}{reason}. {' '.join(said)}{by}{_unjudged(state, plan, sample)}"


def _why(planned: frozenset[str], judged: frozenset[str], shown: frozenset[str]) -> Iterator[str]:
    """Say why Compare uses other queries than the plan."""
    if unjudged := len(planned - judged):
        yield f"in {unjudged:,} nothing is judged"
    if hidden := len((planned & judged) - shown):
        yield f"the scores of {hidden:,} are hidden until you have finished them"
    if more := len(shown - planned):
        yield f"beside them it uses {more:,} for which these systems have nothing to rank"


def _unjudged(state: State, plan: Plan, sample: Sample) -> str:
    """Say what Compare, unlike the plan, makes of what is unjudged, and of a run that was replaced."""
    graded = qrels_of(state, Options(combine=plan.combine)).pairs.codes
    pool = np.array([(query << 32) | candidate for query, candidate in sample.keys])
    missing = int((~np.isin(pool, graded)).sum())
    said = ""
    if missing:
        said = f" It takes the {missing:,} of {len(pool):,} in the pool without a grade for not relevant."
    if tuple(run.event for run in runs_of(state, plan.choices.everyone)) != plan.runs:
        said += " It is made of the runs that are current; the plan's were replaced since."
    return said
