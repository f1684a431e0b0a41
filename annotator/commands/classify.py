"""A threshold as a classifier on the command line."""

from typing import Annotated

import typer

from annotator.commands import choices, printout
from annotator.commands.choices import Layout
from annotator.evaluation.options import Options


def classify(
    project: choices.ProjectFile,
    match: choices.Match = "em",
    threshold: choices.Threshold = 1.0,
    rel: Annotated[int, typer.Option(help="Grades from this one on are taken for positive.")] = 3,
    annotator: Annotated[
        list[str] | None,
        typer.Option(help="Instead of a match: an annotator, and whom to take for true; give it twice."),
    ] = None,
    normaliser: choices.Normaliser = "squad1",
    stemming: choices.Stemming = False,
    language: choices.Language = "",
    combine: choices.Combine = None,
    together: choices.Together = False,
    every: Annotated[bool, typer.Option("--sweep", help="One line for every threshold.")] = False,
    layout: choices.LayoutOption = Layout.TABLE,
    output: choices.Output = None,
) -> None:
    """Hold matches of answers against grades, or two annotators: confusion, rates, F1 and MCC.

    Example: `annotator classify heroes.annot --match f1 --threshold 0.5 --rel 3`
    """
    from annotator.evaluation.options import GoldMatch
    from annotator.project import thresholds
    from annotator.project.state import state_of

    if annotator and len(annotator) != 2:
        raise typer.BadParameter(
            "name two annotators, the second is taken for true", param_hint="--annotator"
        )
    with choices.reading(project) as opened:
        options = choices.combined(Options(stemming=stemming, language=language), combine, opened)
        state = state_of(opened)
        if annotator:
            predicted, true = annotator
            classified = thresholds.annotator_against_annotator(state, predicted, true, rel, together)
        else:
            chosen = GoldMatch(match or "em", threshold, normaliser=normaliser)
            classified = thresholds.match_against_grades(state, chosen, rel, options, together)
            printout.put_basis(options, state)
    printout.put_uncaptioned(classified.together, layout)
    if every:
        printout.put_table(thresholds.sweep_table(classified), layout, output)
    elif layout is Layout.TABLE:
        tables = thresholds.confusion_table(classified), thresholds.rates_table(classified)
        printout.put("".join(map(printout.as_table, tables)), output)
    else:
        printout.put_table(thresholds.rates_table(classified), layout, output)
