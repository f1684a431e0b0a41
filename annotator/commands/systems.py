"""Systems made from what a project holds, on the command line: retrieve, aggregate."""

from functools import partial
from typing import Annotated, Literal

import typer

from annotator.commands import choices, progress
from annotator.commands.speech import say


def retrieve(
    project: choices.ProjectFile,
    analyzer: Annotated[
        Literal["standard", "stemming"], typer.Option(help="Words as they are, or their stems.")
    ] = "standard",
    system: Annotated[str, typer.Option(help="The new system's name; default bm25-ANALYZER.")] = "",
    top_k: Annotated[int, typer.Option("--top", min=1, help="How many documents a query gets.")] = 100,
    k1: Annotated[float, typer.Option(min=0, help="How fast repeated words stop to matter.")] = 0.9,
    b: Annotated[float, typer.Option(min=0, max=1, help="How much long documents pay.")] = 0.4,
    lucene: Annotated[bool, typer.Option("--lucene", help="Lucene's defaults: k1 1.2, b 0.75.")] = False,
    no_stop_words: Annotated[
        bool, typer.Option("--no-stop-words", help="Leave out the commonest words of the language.")
    ] = False,
    language: Annotated[
        str,
        typer.Option(help="Language of the stems; default: the project's.", callback=choices.known_language),
    ] = "",
    replace: choices.Replace = False,
) -> None:
    """Rank the project's own documents for its queries with BM25, and keep the result as a system.

    Example: `annotator retrieve lab.annot --analyzer stemming --system stemming`
    """
    from annotator.project.retrieved_system import PRESETS
    from annotator.project.retrieved_system import retrieve as retrieved

    if lucene:
        k1, b = PRESETS["1.2/0.75"]
    with progress.opened(project, "Ranking") as (opened, watch):
        change = retrieved(
            opened,
            analyzer,
            system=system,
            language=language,
            without_stop_words=no_stop_words,
            k1=k1,
            b=b,
            top_k=top_k,
            replace=replace,
            watch=watch,
        )
    say(change.said)


def aggregate(
    project: choices.ProjectFile,
    system: Annotated[
        list[str] | None, typer.Option("--system", "-s", help="A system to put in; two or more.")
    ] = None,
    annotator: Annotated[
        list[str] | None, typer.Option(help="Instead of systems: annotators, whose grades are the rankings.")
    ] = None,
    rule: Annotated[
        Literal["borda", "borda+1", "copeland", "rrf", "combsum", "combmnz"],
        typer.Option(help="What a candidate gathers from each system."),
    ] = "rrf",
    scale: Annotated[
        Literal["minmax", "max", "sum", "zscore"],
        typer.Option(help="How combsum and combmnz make scores comparable."),
    ] = "minmax",
    name: Annotated[str, typer.Option(help="The new system's name; default: the rule and the systems.")] = "",
    top_k: Annotated[int, typer.Option("--top", min=1, help="How many candidates a query keeps.")] = 1_000,
    replace: choices.Replace = False,
) -> None:
    """Put the rankings of several systems, or annotators, together into a new one: Borda and its relatives.

    Example: `annotator aggregate search.annot -s bm25 -s dense --rule rrf --name fused`
    """
    from annotator.project.aggregated_systems import combine_annotators, combine_systems

    if bool(system) == bool(annotator):
        raise typer.BadParameter("name either systems or annotators", param_hint="--system")
    with progress.opened(project, "Aggregating") as (opened, watch):
        if annotator:
            combined = partial(combine_annotators, names=annotator)
        else:
            combined = partial(combine_systems, systems=system or [], top_k=top_k, watch=watch)
        change = combined(opened, rule=rule, name=name, scale=scale, replace=replace)
    say(change.said)
