"""What is compared with what, and how: one value, so that a comparison has one p wherever it is shown."""

import hashlib
import json
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from itertools import combinations

from annotator.errors import UserError
from annotator.evaluation.options import ComparisonChoice, Correction, Options, Over, Test
from annotator.evaluation.results import EvaluationResult
from annotator.evaluation.statistics import CORRECTIONS, OVER, TESTS
from annotator.metrics.measures import Measure

DIGITS = 8
"""So many digits of its hash name a family."""


@dataclass(frozen=True)
class Family:
    """Comparisons that are made together: all that their p-values and verdicts depend on but the judgments.

    `options` are those of the evaluation (whose grades, as of when, seed, …); its measures, systems, queries
    and tags are empty there, because they stand here as what was evaluated. Tukey's test is its own
    correction, for each measure. `tags` are empty where all queries are compared together. `not_compared` are
    the measures that were evaluated beside: what only counts is neither better nor worse, and what is no mean
    over the queries has no mean difference.
    """

    measures: tuple[str, ...]
    systems: tuple[str, ...]
    baseline: str | None
    test: Test
    correction: Correction
    alpha: float
    over: Over
    tags: tuple[str, ...]
    options: Options
    queries: tuple[str, ...] = field(repr=False)
    not_compared: tuple[str, ...] = field(default=(), compare=False)

    @classmethod
    def of(cls, result: EvaluationResult, choice: ComparisonChoice = ComparisonChoice()) -> "Family":
        """Return what a choice compares in a result.

        Raises UserError for a test, correction, level or system that is not known, for a single system, and
        where no measure or no tag is there to compare by.
        """
        _refuse_unknown(result, choice)
        names = tuple(one.name for one in result.measures)
        measures = compared_measures(result)
        own_correction = choice.test == "tukey"
        return cls(
            measures,
            result.systems,
            choice.baseline,
            choice.test,
            "none" if own_correction else choice.correction,
            choice.alpha,
            "measure" if own_correction else choice.over,
            tuple(sorted({tag for own in result.tags for tag in own})) if choice.by_tag else (),
            replace(result.options, measures=(), systems=(), queries=(), tags=()),
            result.query_ids,
            tuple(name for name in names if name not in measures),
        )

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The systems that are compared, two and two: the baseline comes first."""
        if self.baseline is None:
            return list(combinations(self.systems, 2))
        return [(self.baseline, other) for other in self.systems if other != self.baseline]

    @cached_property
    def identity(self) -> str:
        """A short name of what is compared: the same wherever it is shown, another for anything else."""
        parts = {name: value for name, value in asdict(self).items() if name != "not_compared"}
        text = json.dumps(parts, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def compared_measures(result: EvaluationResult) -> tuple[str, ...]:
    """Return the measures that systems can be compared by: more is better, and their score is a mean."""
    return tuple(one.name for one in result.measures if can_compare(one))


def can_compare(measure: Measure) -> bool:
    """Say whether more of a measure is better, and the score of systems its mean over the queries."""
    return measure.declaration.aggregation == "mean" and not measure.declaration.only_shown


def _refuse_unknown(result: EvaluationResult, choice: ComparisonChoice) -> None:
    systems = result.systems
    if choice.test not in TESTS:
        raise UserError(f"There is no test {choice.test!r}; there are {', '.join(TESTS)}.")
    if choice.correction not in CORRECTIONS:
        raise UserError(f"There is no correction {choice.correction!r}; there are {', '.join(CORRECTIONS)}.")
    if len(systems) < 2:
        raise UserError(f"There is nothing to compare {systems[0]} with; name two systems or more.")
    if choice.baseline is not None and choice.baseline not in systems:
        raise UserError(f"There is no system {choice.baseline} here; there are {', '.join(systems)}.")
    if choice.over not in OVER:
        raise UserError(f"p-values are corrected over one of {', '.join(OVER)}, not {choice.over!r}.")
    if not 0 < choice.alpha < 1:
        raise UserError(f"The level lies between 0 and 1, such as 0.05; {choice.alpha:g} does not.")
    if not compared_measures(result):
        names = ", ".join(one.name for one in result.measures)
        raise UserError(
            f"Systems cannot be compared by {names}: it counts, or is no mean over queries; add nDCG@10."
        )
    if choice.by_tag and not any(result.tags):
        raise UserError("No query that is evaluated has a tag, so there is nothing to compare by tag.")
