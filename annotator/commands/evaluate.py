"""Scores on the command line: evaluate, explain, measures."""

import inspect
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from annotator.commands import choices, forms, large_jobs, printout, progress
from annotator.commands.choices import Layout
from annotator.errors import MeasureError, UserError
from annotator.evaluation.options import ANSWER_MEASURES, Options
from annotator.evaluation.results import EvaluationResult
from annotator.grades import HIGHEST

if TYPE_CHECKING:
    from annotator.evaluation.result_table import Table
    from annotator.metrics.conventions import Convention
    from annotator.metrics.explanation import Explanation
    from annotator.metrics.measures import Declaration, Measure

    UnderConvention = tuple[Convention, str, str]


@choices.with_options()
def evaluate(
    options: Options,
    said: Set[str],
    project: choices.EitherProject = None,
    qrels: choices.QrelsFile = None,
    run: choices.RunFiles = None,
    highest_grade: choices.HighestGrade = HIGHEST,
    gold: choices.GoldFile = None,
    predictions: choices.PredictionFiles = None,
    no_answer: choices.NoAnswer = None,
    no_answer_from: choices.NoAnswerFrom = 1.0,
    best_no_answer: Annotated[
        bool,
        typer.Option(
            "--best-no-answer",
            help="With --no-answer: which threshold would have served best (SQuAD's best_f1).",
        ),
    ] = False,
    per_query: Annotated[bool, typer.Option("--per-query", help="Also one value per query.")] = False,
    means: Annotated[
        bool, typer.Option("--means", help="With --per-query as CSV: the means too, as rows of a query all.")
    ] = False,
    estimates: Annotated[
        bool, typer.Option("--estimates", help="Intervals, SD, quartiles instead: how each mean is spread.")
    ] = False,
    by_tag: Annotated[bool, typer.Option("--by-tag", help="The mean of each query tag instead.")] = False,
    difficulty: Annotated[
        bool,
        typer.Option(
            "--difficulty",
            help="Systems on hard and easy queries instead; with --per-query, how hard each query is.",
        ),
    ] = False,
    layout: choices.LayoutOption = Layout.TABLE,
    output: choices.Output = None,
    convention: Annotated[
        str | None, typer.Option(help="Compute as this tool does: trec_eval, quepid, …, or all side by side.")
    ] = None,
    engine: large_jobs.EngineName = None,
    jobs: large_jobs.Jobs = None,
    part: large_jobs.Share = None,
) -> None:
    """Print the scores of systems: of a project, or of files; or write all of them (`-o scores.parquet`).

    PROJECT may be such a file of scores, too.

    Examples:

    `annotator evaluate search.annot -m nDCG@10 -m P@5 --per-query`

    `annotator evaluate --qrels qrels.txt --run bm25.run --run dense.run -m AP --format csv`

    `annotator evaluate search.annot -m AP --difficulty --per-query`

    `annotator evaluate --gold dev.json --predictions answers.json -m EM -m TokenF1`

    `annotator evaluate --qrels qrels.txt --run parts/ --engine local -o scores.parquet`
    """
    from annotator.formats.declaration import Reading
    from annotator.project import files, project_scores

    options = replace(options, highest_grade=highest_grade)
    forms.check_forms(options, project, qrels, run, gold, predictions)
    other = per_query or estimates or by_tag or difficulty or bool(convention)
    large_jobs.check_words(run, engine, jobs, part, output, other or layout is not Layout.TABLE)
    if no_answer is not None and not predictions:
        raise typer.BadParameter("it goes with --predictions", param_hint="--no-answer")
    if means and not (per_query and layout is Layout.CSV):
        raise typer.BadParameter("it goes with --per-query --format csv", param_hint="--means")
    if best_no_answer:
        if other or no_answer_from != 1.0:
            raise typer.BadParameter("it prints a table of its own", param_hint="--best-no-answer")
        _put_best_no_answer(options, gold, predictions or [], no_answer, layout, output)
        return
    if project is not None and large_jobs.is_scores(project):
        if convention is not None:
            raise typer.BadParameter("it is settled in a file of scores", param_hint="--convention")
        result, named = large_jobs.scores_in(project, options), list["UnderConvention"]()
    elif project is not None:
        with choices.reading(project) as opened, progress.shown("Evaluating") as watch:
            asked = choices.measured(options, said, opened)
            verb = partial(project_scores.evaluate_project, opened, watch=watch)
            result, named = _evaluated(asked, convention, verb)
    elif qrels is not None:
        options = replace(options, measures=options.measures or choices.DEFAULT_MEASURES)
        scoring = large_jobs.scoring(qrels, run or [], engine, jobs, output)
        if part is not None:
            large_jobs.score_share(scoring, part, options)
            return
        result, named = _evaluated(options, convention, scoring)
    else:
        assert gold is not None
        default = ANSWER_MEASURES if options.relevance is None else choices.DEFAULT_MEASURES
        options = replace(options, measures=options.measures or default)
        reading = Reading(no_answer=no_answer, no_answer_from=no_answer_from)
        result, named = _evaluated(
            options, convention, lambda asked: files.evaluate_answers(gold, predictions or [], asked, reading)
        )
    if output is not None and large_jobs.is_scores(output):
        large_jobs.put_scores(result, output)
        return
    table = _chosen_table(result, named, estimates, by_tag)
    if difficulty:
        table = _difficulty(result, per_query)
    if table is not None:
        printout.put_table(table, layout, output)
    else:
        printout.put_result(result, per_query, means, layout, output)
    printout.put_remarks(result, table is None and layout is Layout.TABLE and output is None)


@choices.with_options("tag", "skip_without_relevant", "fully_judged_to", "count_ties", "seed")
def explain(
    options: Options,
    said: Set[str],
    query: Annotated[str, typer.Option("--query", "-q", help="The query's id.")],
    project: choices.EitherProject = None,
    qrels: choices.QrelsFile = None,
    run: choices.RunFiles = None,
    highest_grade: choices.HighestGrade = HIGHEST,
    gold: choices.GoldFile = None,
    predictions: choices.PredictionFiles = None,
    system: Annotated[str, typer.Option("--system", "-s", help="The system, where there are several.")] = "",
    measure: Annotated[str, typer.Option("--measure", "-m", help="The measure.")] = "nDCG@10",
    layout: choices.LayoutOption = Layout.TABLE,
    output: choices.Output = None,
) -> None:
    """Take one score apart, rank by rank: grade, gain, discount, contribution, what the ideal has there.

    For EM, TokenF1 and TopAcc: every prediction that counts beside every wording of the gold answers. For
    measures of nuggets and of support: every nugget or sentence, those first that cost most.

    Examples:

    `annotator explain search.annot --system bm25 --query q7 -m nDCG@10`

    `annotator explain --qrels qrels.txt --run bm25.run --query q7 -m AP`
    """
    from annotator.evaluation.explanation_tables import explained_answer, explained_parts
    from annotator.metrics import catalogue
    from annotator.metrics.answer_explanation import AnswerExplanation
    from annotator.metrics.judged_parts import PartExplanation
    from annotator.project import explanations
    from annotator.project.state import state_of

    options = replace(options, measures=(measure,), highest_grade=highest_grade)
    forms.check_forms(options, project, qrels, run, gold, predictions)
    of_grades = catalogue.parse(measure).needs == "grades"
    reason: Explanation | AnswerExplanation | PartExplanation
    state = None
    if project is not None:
        with choices.reading(project) as opened:
            options = choices.measured(options, said, opened)
            state = state_of(opened, options)
            system = system or _only(one.name for one in state.runs)
            reason = explanations.take_apart(state, options, system, query)
    else:
        from annotator.project import files
        from annotator.project.answer_models import models_for

        if qrels is not None:
            collection = files.collection_of_runs(qrels, run or [], highest=options.highest_grade)
        else:
            assert gold is not None
            collection = files.collection_of_answers(gold, predictions or [], options, models_for(options))
        system = system or _only(one.name for one in collection.systems)
        of_files = explanations.explained if of_grades else explanations.explained_answer
        reason = of_files(collection, options, system, query)
    if isinstance(reason, PartExplanation):
        table = explained_parts(reason)
    elif isinstance(reason, AnswerExplanation):
        table = explained_answer(reason)
    else:
        table = _rank_by_rank(reason, layout)
    printout.put_table(replace(table, title=f"{query}, {system}: {table.title}"), layout, output)
    if of_grades and (project is not None or options.relevance is not None):
        printout.put_basis(options, state)


def _rank_by_rank(explanation: "Explanation", layout: Layout) -> "Table":
    """Return one score rank by rank; a terminal is spared the lower ranks that add nothing."""
    from annotator.evaluation.explanation_tables import explained
    from annotator.metrics.explanation import SHOWN

    rows = tuple(
        row
        for row in explanation.rows
        if layout is not Layout.TABLE or row.rank <= SHOWN or row.contribution or row.ideal_contribution
    )
    table = explained(replace(explanation, rows=rows))
    if explanation.ideal_value is not None:
        table = replace(table, title=f"{table.title} (the ideal ordering: {explanation.ideal_value:.4f})")
    left = len(explanation.rows) - len(rows)
    caption = f"{table.caption} {left} ranks that add nothing are left out." if left else table.caption
    return replace(table, caption=caption)


def _only(systems: Iterable[str]) -> str:
    """Return the only system's name; wrong usage where there are several."""
    known = list(systems)
    if len(known) != 1:
        raise typer.BadParameter(f"name one of {', '.join(known)}", param_hint="--system")
    return known[0]


def measures(
    name: Annotated[str | None, typer.Argument(help="One measure, explained in full.")] = None,
    layout: choices.LayoutOption = Layout.TABLE,
    output: choices.Output = None,
) -> None:
    """List the measures, or explain one: what it says, what it cannot see, its parameters and formula.

    Example: `annotator measures nDCG@10`
    """
    from annotator.metrics import catalogue

    if name is not None:
        alone = {one.key.casefold(): _usual(one) for one in catalogue.CATALOGUE}
        one = alone.get(name.casefold()) or catalogue.parse(name)
        says = {each.name: each.said for each in one.declaration.named}
        lines = [f"{one.name}: {one.title}", one.sentence, "", one.blind_spot.said]
        lines += [f"{key} = {value}: {says[key]}" for key, value in one.parameters.items()]
        lines += [f"Formula: {one.formula}", f"Source: {one.declaration.source}"]
        printout.put("".join(f"{line}\n" for line in lines), output)
        return
    rows = [(one.key, one.family, one.title, one.sentence) for one in catalogue.CATALOGUE]
    printout.put_table(printout.listing(("measure", "family", "title", "what it says"), rows), layout, output)
    if layout is Layout.TABLE and output is None:
        presets = [(key, ", ".join(names)) for key, names in catalogue.PRESETS.items()]
        printout.put_table(printout.listing(("preset", "measures"), presets, "Presets"), layout, None)
        absent = [(", ".join(names.split()), why) for names, why in catalogue.LEFT_OUT.items()]
        printout.put_table(printout.listing(("elsewhere", "why"), absent, "Left out"), layout, None)


def _usual(declaration: "Declaration") -> "Measure":
    """Return a measure with its defaults, cut where it must be."""
    at = declaration.at
    needed = at is not None and at.default is inspect.Parameter.empty
    return declaration.bind((0.1 if at.name == "recall" else 10) if at is not None and needed else None)


def _under(convention: str, options: Options) -> "list[UnderConvention]":
    """Return what measures are under one convention or all: (tool, as asked for, as computed)."""
    from annotator.metrics import catalogue
    from annotator.metrics.conventions import CONVENTIONS, under

    known = {one.key.casefold(): one for one in CONVENTIONS}
    if convention != "all" and convention.casefold() not in known:
        names = ", ".join(("all", *(one.key for one in CONVENTIONS)))
        raise typer.BadParameter(f"{convention!r} is none of {names}", param_hint="--convention")
    chosen = CONVENTIONS if convention == "all" else (known[convention.casefold()],)
    meant_by_tool = {}
    for measure in catalogue.parse_all(options.measures, rel=options.relevant_from):
        for one in chosen:
            meant = under(one, measure)
            if meant is not None:
                meant_by_tool[one.title, meant.name] = one, measure.name, meant.name
    if not meant_by_tool:
        raise MeasureError(f"{chosen[0].title} has none of these measures; ask for AP or nDCG@10.")
    return list(meant_by_tool.values())


def _evaluated(
    options: Options, convention: str | None, evaluated: Callable[[Options], EvaluationResult]
) -> tuple[EvaluationResult, "list[UnderConvention]"]:
    """Return the result, and what `_under` says of it where a convention is asked for."""
    named = _under(convention, options) if convention is not None else []
    if named:
        options = replace(options, measures=tuple(dict.fromkeys(name for _, _, name in named)))
    return evaluated(options), named


def _put_best_no_answer(
    options: Options,
    gold: Path | None,
    predictions: Sequence[Path],
    no_answer: Path | None,
    layout: Layout,
    output: Path | None,
) -> None:
    """Print what the best no-answer thresholds would have given; the warning stands by it in every layout."""
    from annotator.project.no_answer import WARNING, best_no_answer

    if no_answer is None or gold is None:
        raise typer.BadParameter("it goes with --no-answer", param_hint="--best-no-answer")
    options = replace(options, measures=options.measures or ANSWER_MEASURES)
    table, result = best_no_answer(gold, predictions, no_answer, options)
    in_caption = layout is Layout.TABLE
    printout.put_table(table, layout, output)
    printout.put_remarks(result if in_caption else replace(result, notes=(WARNING, *result.notes)))


def _chosen_table(
    result: EvaluationResult, named: "list[UnderConvention]", estimates: bool, by_tag: bool
) -> "Table | None":
    """Return the table that is printed instead of the means, None where they are."""
    from annotator.evaluation import comparison_tables, summary_tables

    if named:
        title = "The same judgments under other tools' conventions"
        return comparison_tables.under_conventions(result, named, title)
    if estimates:
        return summary_tables.estimates(result)
    if not by_tag:
        return None
    tags = summary_tables.tags(result)
    if not len(tags):
        raise UserError("The queries have no tags.")
    return tags


def _difficulty(result: EvaluationResult, per_query: bool) -> "Table":
    """Return how systems do on hard and easy queries, or how hard each query is."""
    from annotator.evaluation import query_difficulty

    found = query_difficulty.needed(result)
    return query_difficulty.by_query(found) if per_query else query_difficulty.by_system(found)
