"""What is evaluated: a project, judgments with runs, or gold answers with predictions; and what fits it."""

from pathlib import Path

import typer

from annotator.evaluation.options import Options

OF_PROJECTS = ("annotator", "combine", "as_of", "judged_by")
OF_ANSWERS = ("relevance", "normaliser", "stemming", "language", "model")
"""Options that mean nothing for files, and for runs in files."""


def check_forms(
    options: Options,
    project: Path | None,
    qrels: Path | None,
    run: list[Path] | None,
    gold: Path | None,
    predictions: list[Path] | None,
) -> None:
    """End with wrong usage unless a project is given, judgments with runs, or gold with predicted answers.

    So does an option that would change nothing there.
    """
    if sum((project is not None, bool(qrels or run), bool(gold or predictions))) != 1:
        raise typer.BadParameter("give one of: PROJECT, --qrels with --run, --gold with --predictions")
    if bool(qrels) != bool(run) or bool(gold) != bool(predictions):
        raise typer.BadParameter("--qrels goes with --run, --gold goes with --predictions")
    idle = dict.fromkeys(OF_PROJECTS, "PROJECT") if project is None else {}
    if qrels is None:
        idle["highest_grade"] = "--qrels"
    else:
        idle |= dict.fromkeys(OF_ANSWERS, "PROJECT, or with --gold and --predictions")
    if gold is not None:
        idle["rel"] = "grades: PROJECT, or --qrels and --run; of gains, write P(rel=2)@5"
    for name, where in idle.items():
        if getattr(options, name) != getattr(Options(), name):
            raise typer.BadParameter(f"it goes with {where}", param_hint=flag_of(name))


def flag_of(option: str) -> str:
    """Return the flag that sets a field of `Options`."""
    return "--match" if option == "relevance" else f"--{option.replace('_', '-')}"
