"""The options that several commands share, each declared once."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from annotator.evaluation.options import GoldMatch, Options


class Layout(StrEnum):
    """How a command prints a result."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"


class Rule(StrEnum):
    """How the grades of several annotators become one."""

    MEDIAN = "median"
    LATEST = "latest"
    MEAN = "mean"
    MAJORITY = "majority"
    MAX = "max"
    MIN = "min"


ProjectFile = Annotated[Path, typer.Argument(metavar="PROJECT", help="A project file (.annot).")]
Systems = Annotated[list[str] | None, typer.Option("--system", "-s", help="Only this system; repeatable.")]
Measures = Annotated[
    list[str] | None,
    typer.Option("--measure", "-m", help="A measure such as nDCG@10, or a preset such as QA; repeatable."),
]
LayoutOption = Annotated[Layout, typer.Option("--format", help="How to print the result.")]
Output = Annotated[Path | None, typer.Option("--output", "-o", help="Write to this file instead.")]
Rel = Annotated[int, typer.Option(help="A candidate is relevant from this grade on.")]
Combine = Annotated[Rule, typer.Option(help="How the grades of several annotators become one.")]
Annotator = Annotated[str | None, typer.Option(help="Only this annotator's judgments.")]
Tags = Annotated[list[str] | None, typer.Option("--tag", help="Only queries with this tag; repeatable.")]
Queries = Annotated[list[str] | None, typer.Option("--query", "-q", help="Only this query; repeatable.")]
JudgedOnly = Annotated[bool, typer.Option("--judged-only", help="Take unjudged candidates out first.")]
Match = Annotated[
    str | None, typer.Option(help="Relevance from the gold answers: em, f1, overlap, or a semantic score.")
]
Threshold = Annotated[float, typer.Option(help="With --match: the score from which an answer is a match.")]
Credit = Annotated[str, typer.Option(help="With --match: credit a gold answer once, or all its hits.")]
Gains = Annotated[str, typer.Option(help="With --match: gains, binary or gold-order.")]
Normaliser = Annotated[
    str, typer.Option(help="What EM and F1 compare: squad1, squad2, triviaqa, none, unicode.")
]
Stemming = Annotated[bool, typer.Option("--stemming", help="Compare stems instead of words.")]
ModelName = Annotated[
    str, typer.Option("--model", help="The language model of semantic measures, where there are several.")
]
AsOf = Annotated[str, typer.Option(help="As of a snapshot, or a date such as 2026-11-20.")]
Seed = Annotated[int, typer.Option(help="Seed of everything random; the same seed, the same numbers.")]


def gold_match(
    match: str | None, threshold: float, credit: str, gains: str, normaliser: str
) -> GoldMatch | None:
    """Return the gold match that the options describe, None for grades."""
    if match is None:
        return None
    if credit not in ("once", "all"):
        raise typer.BadParameter(f"{credit!r} is neither once nor all", param_hint="--credit")
    if gains not in ("binary", "gold-order"):
        raise typer.BadParameter(f"{gains!r} is neither binary nor gold-order", param_hint="--gains")
    return GoldMatch(
        match=match,
        threshold=threshold,
        credit="once" if credit == "once" else "all",
        gains="binary" if gains == "binary" else "gold-order",
        normaliser=normaliser,
    )


DEFAULT_MEASURES = Options().measures
