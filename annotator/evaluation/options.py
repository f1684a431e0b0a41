"""What the user chose for an evaluation, and for comparing systems: measures, rules, subset, test."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from annotator.errors import MeasureError, UserError
from annotator.grades import HIGHEST, LOWEST
from annotator.tasks import GRADE, CombiningRule
from annotator.text.stems import LANGUAGES

Test = Literal["t", "wilcoxon", "randomisation", "sign", "tukey"]
Correction = Literal["holm", "bonferroni", "bh", "none"]
Over = Literal["measure", "all"]
Width = Literal["one", "two"]
"""What a figure or a table takes of a paper that has two columns."""

ANSWER_MEASURES = ("EM", "TokenF1")
"""What is evaluated of answers unless somebody chose."""

Match = str
"""`em`, `f1` or another of `annotator.metrics.answers.MATCHES`, or the name of a semantic score."""


@dataclass(frozen=True, slots=True)
class GoldMatch:
    """Relevance from the gold answers instead of grades.

    A candidate is relevant when `match` with a gold answer reaches `threshold`; `credit='once'` credits each
    gold answer at its first hit only; `gains='gold-order'` gives answer i of n the gain n - i + 1.
    """

    match: Match = "em"
    threshold: float = 1.0
    credit: Literal["once", "all"] = "once"
    gains: Literal["binary", "gold-order"] = "binary"
    normaliser: str = "squad1"


@dataclass(frozen=True, slots=True)
class Options:
    """The choices that a result depends on; printed with every result.

    `measures` are names as typed. `systems` empty means all. `relevance` None means the grades.
    `annotator` set means that one annotator's grades alone. `queries` and `tags` narrow the queries;
    empty means all of them. `rel` is the default relevance threshold of binary measures, for grades on a
    scale that goes to `highest_grade`. `language` is that of the stems; empty means the project's, of files
    English. `model` names the language model of the measures that need one, where several are installed.
    `as_of` names a snapshot or a moment (`project/snapshots.py`): what was judged and current then.
    `judged_by` names what stands in the place of the grades, such as an aspect (`project/judged_by.py`); ""
    is the grades. `count_ties` looks for equal scores in long stored rankings too.
    """

    measures: tuple[str, ...] = ("nDCG@10", "AP", "RR", "P@5")
    systems: tuple[str, ...] = ()
    relevance: GoldMatch | None = None
    combine: CombiningRule = GRADE.combine
    annotator: str | None = None
    rel: int = 1
    highest_grade: int = HIGHEST
    judged_only: bool = False
    skip_without_relevant: bool = False
    fully_judged_to: int | None = None
    queries: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    normaliser: str = "squad1"
    stemming: bool = False
    language: str = ""
    seed: int = 1
    model: str = ""
    as_of: str = ""
    count_ties: bool = False
    judged_by: str = ""

    @property
    def relevant_from(self) -> int:
        """The grade from which a candidate is relevant; where gold answers say what is, that is any gain."""
        return self.rel if self.relevance is None else LOWEST + 1

    def of_measures(self, *printed: str) -> "Options":
        """Return the options that give the measures with these printed names alone.

        A printed name says its own threshold, and `AP` says 1: the options' is not to be added to it again.
        """
        return replace(self, measures=printed, rel=1)


def check_threshold(rel: object, highest: int = HIGHEST, of: str = "rel") -> None:
    """Raise MeasureError for a relevance threshold that is no grade above the lowest: it tells nothing apart.

    `highest` is that of the scale, `of` the name of what asks.
    """
    if not isinstance(rel, int) or isinstance(rel, bool) or not LOWEST < rel <= highest:
        raise MeasureError(
            f"{of}: what is relevant begins at a grade from {LOWEST + 1} to {highest}, not at {rel!r}; "
            "for judgments in files on a longer scale, say how high it goes: --highest-grade, in Python "
            "highest_grade."
        )


def with_stems(language: object) -> str:
    """Return the code of a language that has stems; raises UserError for anything else."""
    if not isinstance(language, str) or language not in LANGUAGES:
        raise UserError(f"{language!r} is no language with stems; there are: {', '.join(sorted(LANGUAGES))}.")
    return language


@dataclass(frozen=True, slots=True)
class ComparisonChoice:
    """How somebody wants systems compared; `Family` is what that means for one result.

    `baseline` is the system that each other one is compared with; None compares every pair. `alpha` is the
    level of the tests, and what the intervals leave out. `over` says whether the p-values of each measure are
    corrected by themselves, or those of all measures together. `by_tag` compares over each tag's queries.
    """

    baseline: str | None = None
    test: Test = "randomisation"
    correction: Correction = "holm"
    alpha: float = 0.05
    over: Over = "measure"
    by_tag: bool = False

    def among(self, options: Options) -> Options:
        """Return options whose systems, where some are named, have the baseline among them."""
        if not options.systems or self.baseline in (None, *options.systems):
            return options
        return replace(options, systems=(str(self.baseline), *options.systems))

    def fitting(self, systems: Sequence[str]) -> "ComparisonChoice":
        """Return the choice where its baseline may be gone: the first system stands in."""
        lost = self.baseline is not None and self.baseline not in systems
        return replace(self, baseline=systems[0]) if lost else self
