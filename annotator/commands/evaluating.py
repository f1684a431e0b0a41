"""Scores on the command line: evaluate, explain, measures."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from annotator.commands import choices, printing
from annotator.commands.choices import Layout
from annotator.errors import MeasureError
from annotator.evaluation.options import Options
from annotator.evaluation.results import EvaluationResult

if TYPE_CHECKING:
    from annotator.metrics.answer_explaining import AnswerExplanation


def register(app: typer.Typer) -> None:
    """Add this module's commands."""
    app.command("evaluate")(evaluate)
    app.command("explain")(explain)
    app.command("measures")(measures)


def evaluate(
    project: Annotated[Path | None, typer.Argument(help="A project file; or give files, below.")] = None,
    qrels: Annotated[Path | None, typer.Option(help="Judgments in a file (TREC qrels and others).")] = None,
    run: Annotated[list[Path] | None, typer.Option(help="A run in a file; repeatable.")] = None,
    gold: Annotated[Path | None, typer.Option(help="Questions with gold answers (SQuAD).")] = None,
    predictions: Annotated[list[Path] | None, typer.Option(help="Predicted answers; repeatable.")] = None,
    system: choices.Systems = None,
    measure: choices.Measures = None,
    per_query: Annotated[bool, typer.Option("--per-query", help="Also one value per query.")] = False,
    layout: choices.LayoutOption = Layout.TABLE,
    output: choices.Output = None,
    convention: Annotated[
        str | None, typer.Option(help="Compute as this tool does: trec_eval, quepid, …, or all side by side.")
    ] = None,
    rel: choices.Rel = 1,
    combine: choices.Combine = choices.Rule.MEDIAN,
    annotator: choices.Annotator = None,
    tag: choices.Tags = None,
    query: choices.Queries = None,
    judged_only: choices.JudgedOnly = False,
    skip_without_relevant: Annotated[
        bool, typer.Option("--skip-without-relevant", help="Leave out queries that nothing is relevant for.")
    ] = False,
    fully_judged_to: Annotated[
        int | None, typer.Option(help="Only queries whose first K candidates are all judged.")
    ] = None,
    match: choices.Match = None,
    threshold: choices.Threshold = 1.0,
    credit: choices.Credit = "once",
    gains: choices.Gains = "binary",
    normaliser: choices.Normaliser = "squad1",
    stemming: choices.Stemming = False,
    as_of: choices.AsOf = "",
    model: choices.ModelName = "",
) -> None:
    """Print the scores of systems: of a project, or of files.

    Examples:

    `annotator evaluate search.annot -m nDCG@10 -m P@5 --per-query`

    `annotator evaluate --qrels qrels.txt --run bm25.run --run dense.run -m AP --format csv`

    `annotator evaluate --gold dev.json --predictions answers.json -m EM -m TokenF1`
    """
    default = ("EM", "TokenF1") if gold is not None else choices.DEFAULT_MEASURES
    default = ("EM", "TokenF1") if gold is not None else choices.DEFAULT_MEASURES
    options = Options(
        measures=tuple(measure or default),
        systems=tuple(system or ()),
        relevance=choices.gold_match(match, threshold, credit, gains, normaliser),
        combine=combine.value,
        annotator=annotator,
        rel=rel,
        judged_only=judged_only,
        skip_without_relevant=skip_without_relevant,
        fully_judged_to=fully_judged_to,
        queries=tuple(query or ()),
        tags=tuple(tag or ()),
        normaliser=normaliser,
        stemming=stemming,
        as_of=as_of,
        model=model,
    )
    named = _under(convention, options) if convention is not None else {}
    if named:
        options = replace(options, measures=tuple(dict.fromkeys(name for _, name in named)))
    result = _evaluated(options, project, qrels, run, gold, predictions)
    if named:
        rows = [
            (tool, written, name, system_name, result.mean(system_name, name))
            for (tool, name), written in named.items()
            for system_name in result.systems
        ]
        head = ("convention", "measure", "computed as", "system", "value")
        printing.put_table("The same judgments under other tools' conventions", head, rows, layout, output)
        return
    printing.put_result(result, per_query, layout, output)


def explain(
    project: choices.ProjectFile,
    system: Annotated[str, typer.Option("--system", "-s", help="The system.")],
    query: Annotated[str, typer.Option("--query", "-q", help="The query's id.")],
    measure: Annotated[str, typer.Option("--measure", "-m", help="The measure.")] = "nDCG@10",
    rel: choices.Rel = 1,
    combine: choices.Combine = choices.Rule.MEDIAN,
    annotator: choices.Annotator = None,
    layout: choices.LayoutOption = Layout.TABLE,
    output: choices.Output = None,
) -> None:
    """Take one score apart, rank by rank: grade, gain, discount, contribution, what the ideal has there.

    For EM, TokenF1 and TopAcc: every prediction that counts beside every wording of the gold answers.

    Example: `annotator explain search.annot --system bm25 --query q7 -m nDCG@10`
    """
    from annotator.metrics import catalogue
    from annotator.project.project import Project

    options = Options(measures=(measure,), combine=combine.value, annotator=annotator, rel=rel)
    with Project.open(project, read_only=True) as opened:
        if catalogue.parse(measure).needs != "grades":
            answer = opened.explain_answer(system, query, measure, options)
            _put_answer(answer, f"{answer.measure.name} of {query} for {system}", layout, output)
            return
        found = opened.explain(system, query, measure, options)
    fields = ("rank", "candidate", "grade", "gain", "discount", "precision", "contribution")
    ideal = ("ideal_candidate", "ideal_grade", "ideal_contribution", "loss")
    rows = [[getattr(row, name) for name in (*fields, *ideal)] for row in found.rows]
    head = [name.replace("_", " ") for name in (*fields, *ideal)]
    printing.put_table(f"{found.measure.name} of {query} for {system}", head, rows, layout, output)
    if layout is Layout.TABLE and output is None:
        best = "" if found.ideal_value is None else f" (the ideal ordering: {found.ideal_value:.4f})"
        typer.echo(f"Sum: {found.value:.4f}{best}\n{found.sentence}\n{found.costs}".rstrip())


def _put_answer(found: "AnswerExplanation", title: str, layout: Layout, output: Path | None) -> None:
    """Print a score of answers taken apart; the row that decides is marked."""
    fields = ("rank", "prediction", "gold", "wording", "precision", "recall", "match", "decides")
    rows = [
        [*(getattr(row, name) for name in fields[:-1]), "yes" if row.decides else "", " ".join(row.common)]
        for row in found.rows
    ]
    printing.put_table(title, (*fields, "common"), rows, layout, output)
    if layout is Layout.TABLE and output is None:
        typer.echo(f"Value: {found.value:.4f}\n{found.sentence}")


def measures(
    name: Annotated[str | None, typer.Argument(help="One measure, explained in full.")] = None,
    layout: choices.LayoutOption = Layout.TABLE,
) -> None:
    """List the measures, or explain one: what it says, what it cannot see, its parameters and formula.

    Example: `annotator measures nDCG@10`
    """
    from annotator.metrics import catalogue
    from annotator.metrics.parameters import PARAMETERS

    if name is not None:
        one = catalogue.parse(name)
        lines = [f"{one.name}: {one.title}", one.sentence, "", f"Cannot see: {one.blind_spot.text}"]
        lines += [f"{key} = {value}: {PARAMETERS[key]}" for key, value in one.parameters.items()]
        typer.echo("\n".join([*lines, f"Formula: {one.formula}", f"Source: {one.declaration.source}"]))
        return
    rows = [(one.key, one.family, one.title, one.sentence) for one in catalogue.CATALOGUE]
    printing.put_table("", ("measure", "family", "title", "what it says"), rows, layout, None)
    if layout is Layout.TABLE:
        presets = [(key, ", ".join(names)) for key, names in catalogue.PRESETS.items()]
        printing.put_table("Presets", ("preset", "measures"), presets, layout, None)


def _under(convention: str, options: Options) -> dict[tuple[str, str], str]:
    """Return (tool, measure as it computes it) -> the measure as asked, for one convention or all."""
    from annotator.metrics import catalogue
    from annotator.metrics.conventions import CONVENTIONS, under

    known = {one.key.casefold(): one for one in CONVENTIONS}
    if convention != "all" and convention.casefold() not in known:
        names = ", ".join(("all", *(one.key for one in CONVENTIONS)))
        raise typer.BadParameter(f"{convention!r} is none of {names}", param_hint="--convention")
    chosen = CONVENTIONS if convention == "all" else (known[convention.casefold()],)
    found = {}
    for measure in catalogue.parse_all(options.measures, rel=options.rel):
        for one in chosen:
            meant = under(one, measure)
            if meant is not None:
                found[one.title, meant.name] = measure.name
    if not found:
        raise MeasureError(f"{chosen[0].title} has none of these measures; ask for AP or nDCG@10.")
    return found


def _evaluated(
    options: Options,
    project: Path | None,
    qrels: Path | None,
    run: list[Path] | None,
    gold: Path | None,
    predictions: list[Path] | None,
) -> EvaluationResult:
    """Evaluate what the words name; raises BadParameter unless exactly one form is used in full."""
    forms = [project is not None, bool(qrels or run), bool(gold or predictions)]
    if sum(forms) != 1:
        raise typer.BadParameter("give one of: PROJECT, --qrels with --run, --gold with --predictions")
    if project is not None:
        from annotator.project.project import Project

        with Project.open(project, read_only=True) as opened:
            return opened.evaluate(options)
    from annotator.project import files

    if qrels is not None and run:
        return files.evaluate_runs(qrels, run, options)
    if gold is not None and predictions:
        return files.evaluate_answers(gold, predictions, options)
    raise typer.BadParameter("--qrels goes with --run, --gold goes with --predictions")
