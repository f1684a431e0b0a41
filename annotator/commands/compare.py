"""Differences on the command line: systems compared, annotators' agreement."""

from collections.abc import Sequence, Set
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from annotator.commands import choices, large_jobs, printout, progress
from annotator.commands.choices import DEFAULT_MEASURES, Layout
from annotator.errors import UserError
from annotator.evaluation.options import ComparisonChoice, Options

if TYPE_CHECKING:
    from annotator.evaluation.comparison import Comparison
    from annotator.evaluation.equivalence import Equivalence

SENTENCES = 24
"""More comparisons than this are printed as a table, not told in sentences."""

OF_ANSWERS = (
    "match",
    "threshold",
    "credit",
    "gains",
    "normaliser",
    "stemming",
    "language",
    "model",
    "count_ties",
    "seed",
)
"""Words that mean nothing where grades are changed."""

Correlation = Annotated[
    Literal["spearman", "pearson", "kendall"] | None,
    typer.Option(
        metavar="NAME",
        help="Instead, how systems go together by the first measure, and measures by the first system: "
        "spearman, pearson or kendall.",
    ),
]


@choices.with_options()
def compare(
    options: Options,
    said: Set[str],
    comparison: ComparisonChoice,
    project: choices.ProjectFile,
    correlation: Correlation = None,
    difference: Annotated[
        float | None,
        typer.Option(
            help="Also, of a difference that matters: what is equivalent, how many queries it takes."
        ),
    ] = None,
    overlap: Annotated[
        float | None,
        typer.Option(metavar="P", help="Instead, before anything is judged: how alike they rank (RBO), 0.9."),
    ] = None,
    layout: choices.LayoutOption = Layout.TABLE,
    output: choices.Output = None,
) -> None:
    """Say whether systems differ: difference, interval, test with correction, effect, win/tie/loss.

    Few pairs are told in sentences; many, CSV and JSON come in columns, with effect size, wins, ties, losses.
    PROJECT may be a file of scores.

    Examples:

    `annotator compare search.annot -s bm25 -s dense -m nDCG@10`

    `annotator compare search.annot --baseline bm25 --test t --correction bh`

    `annotator compare search.annot -m nDCG@10 --by-tag --alpha 0.01`

    `annotator compare search.annot -m nDCG@10 -m AP --correlation spearman`

    `annotator compare search.annot -m nDCG@10 --difference 0.02`

    `annotator compare search.annot --overlap 0.9`

    `annotator compare scores.parquet --baseline bm25`
    """
    from annotator.evaluation.correlation_tables import together
    from annotator.evaluation.equivalence import equivalences
    from annotator.evaluation.pairs import compare_all
    from annotator.project import project_scores

    if sum(one is not None for one in (correlation, difference, overlap)) > 1:
        raise typer.BadParameter("give one of them", param_hint="--correlation, --difference, --overlap")
    of_scores = large_jobs.is_scores(project)
    if overlap is not None:
        if of_scores:
            raise typer.BadParameter("a file of scores holds no rankings", param_hint="--overlap")
        _put_overlap(project, options, overlap, layout, output)
        return
    if of_scores:
        result = large_jobs.scores_in(project, comparison.among(options))
    else:
        with choices.reading(project) as opened:
            usual = DEFAULT_MEASURES if correlation is None and difference is None else ("nDCG@10",)
            asked = comparison.among(choices.measured(options, said, opened, usual))
            result = project_scores.evaluate_project(opened, asked)
    if correlation is not None:
        table = together(result, result.measures[0].name, result.systems[0], correlation)
        if not len(table):
            raise UserError("One system under one measure goes with nothing; name two of either.")
        printout.put_table(table, layout, output)
    else:
        with progress.shown("Comparing") as watch:
            pairs = compare_all(result, comparison, watch)
            found = [] if difference is None else equivalences(result, pairs, difference, watch)
        _put_comparisons(pairs, found, layout, output)
    printout.put_remarks(result)


def _put_overlap(
    project: Path, options: Options, persistence: float, layout: Layout, output: Path | None
) -> None:
    """Print how alike systems rank, which no judgment is needed for."""
    from annotator.project.run_overlap import chosen_queries, overlap
    from annotator.project.state import state_of

    with choices.reading(project) as opened, progress.shown("Comparing rankings") as watch:
        state = state_of(opened, options)
        table = overlap(state, options.systems, persistence, chosen_queries(state, options), watch)
    printout.put_table(table, layout, output)


def _put_comparisons(
    pairs: "Sequence[Comparison]", found: "Sequence[Equivalence]", layout: Layout, output: Path | None
) -> None:
    """Print comparisons in sentences while they are few, and what of a difference that matters was found."""
    from annotator.evaluation.comparison_tables import comparisons, how_compared, planning, tests

    if layout is not Layout.TABLE:
        printout.put_table(planning(pairs, found) if found else tests(pairs), layout, output)
        other = "The comparisons themselves are printed without --difference." if found else ""
        printout.put_uncaptioned(other, layout)
        return
    told = "".join(f"{one.sentence}\n" for one in pairs) + how_compared(pairs)
    alike = "".join(f"{one.sentence}\n" for one in found)
    if len(pairs) > SENTENCES:
        told, alike = printout.as_table(comparisons(pairs)), ""
    alike = f"\n\n{alike}".rstrip("\n")
    printout.put(f"{told}{alike}\n\n{printout.as_table(planning(pairs, found))}", output)


def agreement(
    project: choices.ProjectFile,
    measure: choices.OneMeasure = None,
    seed: choices.Seed = 1,
    together: choices.Together = False,
    leniency: Annotated[
        bool, typer.Option("--leniency", help="Instead, how far each one's grades lie from the others'.")
    ] = False,
    judged_by: choices.JudgedBy = "",
    models: Annotated[
        bool, typer.Option("--models", help="Models' grades against people's instead, model by person.")
    ] = False,
    layout: choices.LayoutOption = Layout.TABLE,
    output: choices.Output = None,
) -> None:
    """Say how far annotators agree, pair by pair, and whether their grades rank the systems alike.

    CSV and JSON hold the first table alone: the coefficients, or what is asked for instead of them.

    Examples:

    `annotator agreement search.annot -m nDCG@10`

    `annotator agreement search.annot --models`

    `annotator agreement search.annot --leniency --format csv`

    `annotator agreement search.annot --judged-by Faithful`
    """
    from annotator.evaluation.agreement_tables import coefficients, confusion
    from annotator.project import annotator_agreement as agreeing
    from annotator.project import model_agreement
    from annotator.project.judged_by import sentence
    from annotator.project.leniency import needed
    from annotator.project.state import decided_alone, state_of

    options = Options(measures=choices.one_measure(measure), seed=seed, judged_by=judged_by)
    with choices.reading(project) as opened:
        options = choices.combined(options, None, opened)
        state = state_of(opened, options)
        if leniency:
            first, *more = needed(state, seed, together)
        elif models:
            first, *more = model_agreement.needed(state, options, together)
        else:
            agreed = agreeing.agreement(state, seed, together=together)
            pairs = [(one.first, one.second, one.agreement) for one in agreed.pairs]
            first = coefficients(agreed.overall, pairs).noted(agreed.together).noted(sentence(state))
            more = [confusion(*one) for one in pairs]
            if state.runs and not state.items:
                more.append(agreeing.ranking_effect(state, options, together=together).table())
    printout.put_uncaptioned(decided_alone(state, together)[1], layout)
    if layout is Layout.TABLE:
        printout.put("\n".join(map(printout.as_table, (first, *more))), output)
    else:
        printout.put_table(first, layout, output)


def ranking_effect(
    project: choices.ProjectFile,
    measure: choices.OneMeasure = None,
    annotator: Annotated[
        list[str] | None,
        typer.Option("--annotator", metavar="NAME", help="Only these annotators; default: all people."),
    ] = None,
    together: choices.Together = False,
    layout: choices.LayoutOption = Layout.TABLE,
    output: choices.Output = None,
) -> None:
    """Say how each annotator's judgments alone would rank the systems: means, places, and how alike they are.

    Example: `annotator ranking-effect search.annot -m nDCG@10`
    """
    from annotator.project import annotator_agreement as agreeing
    from annotator.project.state import state_of

    options = Options(measures=choices.one_measure(measure))
    with choices.reading(project) as opened:
        options = choices.combined(options, None, opened)
        found = agreeing.ranking_effect(state_of(opened), options, annotator or (), together=together)
    printout.put_uncaptioned(found.together, layout)
    printout.put_table(found.table(), layout, output)


@choices.with_options(*OF_ANSWERS)
def what_if(
    options: Options,
    said: Set[str],
    project: choices.ProjectFile,
    system: Annotated[list[str], typer.Option("--system", "-s", help="The two systems; give it twice.")],
    layout: choices.LayoutOption = Layout.TABLE,
    output: choices.Output = None,
) -> None:
    """Say which grades would have to be others for the other one of two systems to be ahead.

    The difference is that of the means, second minus first; changes are tried one after the other, always the
    one that moves it furthest, so fewer may do. Who is ahead by the mean is no result of a test.

    Example: `annotator what-if search.annot -s bm25 -s dense -m nDCG@10`
    """
    from annotator.project import decisions
    from annotator.project.state import state_of

    if len(system) != 2:
        raise typer.BadParameter("name two systems", param_hint="--system")
    choices.one_measure(options.measures)
    first, second = system
    with choices.reading(project) as opened:
        options = choices.measured(options, said, opened, ("nDCG@10",))
        state = state_of(opened, options)
        found = decisions.what_if(state, first, second, options)
    table = decisions.changed_grades(found)
    if layout is Layout.TABLE:
        printout.put(f"{printout.as_table(table)}{found.sentence}\n", output)
    else:
        printout.put_table(table, layout, output)
    printout.put_uncaptioned(f"{found.sentence} {found.basis}", layout)
    printout.put_basis(options, state)
