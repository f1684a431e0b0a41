"""The options that several commands share, each declared once."""

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

import typer

from annotator.commands.output import ORIGIN, file_option
from annotator.commands.speech import say
from annotator.errors import UserError
from annotator.evaluation.options import (
    ComparisonChoice,
    Correction,
    GoldMatch,
    Options,
    Over,
    Test,
    with_stems,
)
from annotator.tasks import CombiningRule

if TYPE_CHECKING:
    from annotator.project.project import Project


class Layout(StrEnum):
    """How a command prints a result."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"


def known_language(code: str) -> str:
    """Return the code of a language that has stems, or none; ends with wrong usage for another."""
    try:
        return code and with_stems(code)
    except UserError as error:
        raise typer.BadParameter(str(error)) from error


COMBINING = ", ".join(get_args(CombiningRule))
ProjectFile = Annotated[Path, typer.Argument(metavar="PROJECT", help="A project file (.annot).")]
EitherProject = Annotated[
    Path | None, typer.Argument(metavar="PROJECT", help="A project file; or give files, below.")
]
QrelsFile = Annotated[
    Path | None, typer.Option("--qrels", help="Judgments in a file (TREC qrels and others).")
]
HighestGrade = Annotated[
    int, typer.Option(min=1, metavar="GRADE", help="With --qrels: how high the scale of the judgments goes.")
]
RunFiles = Annotated[list[Path] | None, typer.Option("--run", help="A run in a file; repeatable.")]
GoldFile = Annotated[Path | None, typer.Option("--gold", help="Questions with gold answers (SQuAD).")]
PredictionFiles = Annotated[
    list[Path] | None, typer.Option("--predictions", help="Predicted answers; repeatable.")
]
Systems = Annotated[list[str] | None, typer.Option("--system", "-s", help="Only this system; repeatable.")]
Measures = Annotated[
    list[str] | None,
    typer.Option("--measure", "-m", help="A measure such as nDCG@10, or a preset such as QA; repeatable."),
]
OneMeasure = Annotated[
    list[str] | None,
    typer.Option("--measure", "-m", help="The measure, such as nDCG@10, which is the default."),
]
LayoutOption = Annotated[Layout, typer.Option("--format", help="How to print the result.")]
Output = Annotated[
    Path | None,
    file_option("Write to this file instead."),
]
Rel = Annotated[
    int | None,
    typer.Option(
        metavar="GRADE",
        help="A candidate is relevant from this grade on.",
        show_default="the project's",
    ),
]
Combine = Annotated[
    CombiningRule | None,
    typer.Option(
        metavar="RULE",
        help=f"How several annotators' grades become one: {COMBINING}.",
        show_default="the project's",
    ),
]
Annotator = Annotated[str | None, typer.Option(help="Only this annotator's judgments.")]
Tags = Annotated[list[str] | None, typer.Option("--tag", help="Only queries with this tag; repeatable.")]
Queries = Annotated[list[str] | None, typer.Option("--query", "-q", help="Only this query; repeatable.")]
JudgedOnly = Annotated[bool, typer.Option("--judged-only", help="Take unjudged candidates out first.")]
SkipWithoutRelevant = Annotated[
    bool, typer.Option("--skip-without-relevant", help="Leave out queries that nothing is relevant for.")
]
FullyJudgedTo = Annotated[
    int | None, typer.Option(min=1, metavar="K", help="Only queries whose first K candidates are all judged.")
]
Match = Annotated[
    str | None,
    typer.Option(
        help="Relevance from the gold answers: em, f1, precision, recall, contains, overlap, or a semantic "
        "score."
    ),
]
Threshold = Annotated[float, typer.Option(help="With --match: the score from which an answer is a match.")]
Credit = Annotated[
    Literal["once", "all"], typer.Option(help="With --match: credit a gold answer once, or all its hits.")
]
Gains = Annotated[
    Literal["binary", "gold-order"],
    typer.Option(metavar="GAIN", help="With --match: what a hit gains: binary or gold-order."),
]
Replace = Annotated[
    bool, typer.Option("--replace", help="Make this the system's current run, in place of the one it has.")
]
NoAnswer = Annotated[
    Path | None, typer.Option(help="No-answer probabilities of the predictions (SQuAD's na_prob.json).")
]
NoAnswerFrom = Annotated[
    float, typer.Option(help="With --no-answer: an answer becomes empty above this probability.")
]
Normaliser = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="How answers are reduced before they are compared: squad1, squad2, triviaqa, none, mlqa-ar, "
        "mlqa-de, mlqa-en, mlqa-es, mlqa-hi, mlqa-vi, mlqa-zh, unicode, characters (Chinese, Japanese).",
    ),
]
Stemming = Annotated[bool, typer.Option("--stemming", help="Compare stems instead of words.")]
Language = Annotated[
    str,
    typer.Option(
        metavar="CODE",
        help="With --stemming: the language of the stems, such as de; default: the project's, of files en.",
        callback=known_language,
    ),
]
ModelName = Annotated[
    str, typer.Option("--model", help="The language model of semantic measures, where there are several.")
]
AsOf = Annotated[
    str, typer.Option(help="As of a snapshot, or: last Friday, yesterday 14:00, 2 hours ago, 2026-11-20.")
]
JudgedBy = Annotated[
    str, typer.Option(metavar="NAME", help="In place of the grades: an aspect of the project, by its name.")
]
CountTies = Annotated[
    bool, typer.Option("--count-ties", help="Look for equal scores in long stored rankings too.")
]
TestName = Annotated[
    Test, typer.Option(metavar="TEST", help=f"The paired test: {', '.join(get_args(Test))}.")
]
CorrectionName = Annotated[
    Correction,
    typer.Option(
        metavar="NAME",
        help=f"For many comparisons: {', '.join(get_args(Correction))}. Tukey's test takes none.",
    ),
]
Baseline = Annotated[
    str | None, typer.Option(metavar="SYSTEM", help="Compare each system with this one, not every pair.")
]
Alpha = Annotated[
    float, typer.Option(metavar="LEVEL", help="The level of the tests: with 0.05 the intervals are of 95%.")
]
OverWhat = Annotated[
    Over,
    typer.Option(
        metavar="WHAT", help="Correct over the comparisons of each measure, or of all: measure, all."
    ),
]
ByTag = Annotated[bool, typer.Option("--by-tag", help="Compare over the queries of each tag.")]
Together = Annotated[
    bool,
    typer.Option(
        "--with-together", help="Count grades given with the rest of a query or with a near-duplicate, too."
    ),
]
Seed = Annotated[int, typer.Option(help="Seed of everything random; the same seed, the same numbers.")]


DEFAULT_MEASURES = Options().measures


def options_of(
    system: Systems = None,
    measure: Measures = None,
    rel: Rel = None,
    combine: Combine = None,
    annotator: Annotator = None,
    tag: Tags = None,
    query: Queries = None,
    judged_only: JudgedOnly = False,
    skip_without_relevant: SkipWithoutRelevant = False,
    fully_judged_to: FullyJudgedTo = None,
    match: Match = None,
    threshold: Threshold = 1.0,
    credit: Credit = "once",
    gains: Gains = "binary",
    normaliser: Normaliser = "squad1",
    stemming: Stemming = False,
    language: Language = "",
    as_of: AsOf = "",
    model: ModelName = "",
    judged_by: JudgedBy = "",
    count_ties: CountTies = False,
    seed: Seed = 1,
) -> Options:
    """Return the options of an evaluation that the words ask for; no measures where none are named."""
    if not match and (threshold, credit, gains) != (1.0, "once", "binary"):
        raise typer.BadParameter("give --match with them", param_hint="--threshold, --credit, --gains")
    if match and rel is not None:
        raise typer.BadParameter(
            "it is a grade, and --match takes none; of gains, write P(rel=2)@5", param_hint="--rel"
        )
    if language and not stemming:
        raise typer.BadParameter("it goes with --stemming", param_hint="--language")
    return Options(
        measures=tuple(measure or ()),
        systems=tuple(system or ()),
        relevance=GoldMatch(match, threshold, credit, gains, normaliser) if match else None,
        combine=combine or Options().combine,
        annotator=annotator,
        rel=Options().rel if rel is None else rel,
        judged_only=judged_only,
        skip_without_relevant=skip_without_relevant,
        fully_judged_to=fully_judged_to,
        queries=tuple(query or ()),
        tags=tuple(tag or ()),
        normaliser=normaliser,
        stemming=stemming,
        language=language,
        as_of=as_of,
        model=model,
        judged_by=judged_by,
        count_ties=count_ties,
        seed=seed,
    )


def comparison_of(
    test: TestName = "randomisation",
    correction: CorrectionName = "holm",
    baseline: Baseline = None,
    alpha: Alpha = 0.05,
    over: OverWhat = "measure",
    by_tag: ByTag = False,
) -> ComparisonChoice:
    """Return how the words ask systems to be compared."""
    return ComparisonChoice(baseline, test, correction, alpha, over, by_tag)


def one_measure(measures: Sequence[str] | None) -> tuple[str, ...]:
    """Return the one measure that a command asks by, nDCG@10 where none is named; ends where more are."""
    if len(measures or ()) > 1:
        raise typer.BadParameter("name one measure", param_hint="--measure")
    return tuple(measures or ("nDCG@10",))


def with_options(*but: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the words of `options_of` in place of its parameter `options`, and so `comparison`.

    Not those it has itself, nor those that are named here because they mean nothing to it. Its parameter
    `said`, if it has one, names those that somebody typed.
    """

    def given_to(command: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(command)
        made = {name: makes for name, makes in MADE_OF_WORDS.items() if name in own.parameters}
        asked = {
            name: {key: one for key, one in words_of(makes).items() if key not in {*but, *own.parameters}}
            for name, makes in made.items()
        }
        kept = [each for each in own.parameters.values() if each.name not in {*made, "said"}]
        parameters = sorted(
            (*(one for words in asked.values() for one in words.values()), *kept),
            key=lambda each: each.default is not inspect.Parameter.empty,
        )

        @functools.wraps(command)
        def told(**given: Any) -> None:
            values: dict[str, object] = {}
            if "said" in own.parameters:
                values["said"] = {name for name, value in given.items() if value is not None}
            values |= {
                name: makes(**{key: given.pop(key) for key in asked[name]}) for name, makes in made.items()
            }
            command(**values, **given)

        told.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
        told.__annotations__ = {each.name: each.annotation for each in parameters}
        return told

    return given_to


def words_of(makes: Callable[..., object]) -> Mapping[str, inspect.Parameter]:
    """Return the words that a choice is made of, with what each may be."""
    return inspect.signature(makes).parameters


MADE_OF_WORDS: dict[str, Callable[..., object]] = {"options": options_of, "comparison": comparison_of}
"""What commands may ask for by these names."""


def reading(project: Path) -> "Project":
    """Open a project for reading; what that needs is loaded only now. Raises DamagedError."""
    from annotator.commands import progress
    from annotator.project.project import Project
    from annotator.project.written_from import written_from

    with progress.shown("Checking") as watch:
        opened = Project.open(project, read_only=True, watch=watch)
    if opened.told:
        say(opened.told, err=True)
    proved = opened.proved()
    ORIGIN.set((written_from(proved),))
    return proved


def measured(
    options: Options, said: Set[str], project: "Project", default: tuple[str, ...] = DEFAULT_MEASURES
) -> Options:
    """Return the options with what nobody `said` as the project has it: measures, threshold, combining."""
    from annotator.project import settings

    if options.measures:
        return settings.usual_options(project, options, {*said, "measures"})
    return settings.usual_options(project, replace(options, measures=default), said)


def combined(options: Options, combine: CombiningRule | None, project: "Project") -> Options:
    """Return the options with the rule that was typed, or the project's, and the project's threshold."""
    from annotator.project import settings

    if combine is None:
        return settings.usual_options(project, options, {"measures"})
    return settings.usual_options(project, replace(options, combine=combine), {"measures", "combine"})
