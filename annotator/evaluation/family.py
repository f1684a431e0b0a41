"""What is compared with what, and how: one value, so that a comparison has one p wherever it is shown."""

import hashlib
import json
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from itertools import combinations

from annotator.errors import UserError
from annotator.evaluation.options import FEW_SYSTEMS, ComparisonChoice, Correction, Options, Test
from annotator.evaluation.results import EvaluationResult
from annotator.evaluation.statistics import CORRECTIONS, TESTS
from annotator.metrics.catalogue import parse

DIGITS = 8
"""So many digits of its hash name a family."""


@dataclass(frozen=True)
class Family:
    """Comparisons that are made and corrected together: all that their p-values depend on but the judgments.

    `options` are those of the evaluation (whose grades, as of when, seed, …); its measures, systems, queries
    and tags are empty there, because they stand here as what was evaluated. Tukey's test is its own
    correction. `not_compared` are the measures that were evaluated beside.
    """

    measures: tuple[str, ...]
    systems: tuple[str, ...]
    baseline: str | None
    test: Test
    correction: Correction
    options: Options
    queries: tuple[str, ...] = field(repr=False)
    not_compared: tuple[str, ...] = field(default=(), compare=False)

    @classmethod
    def of(cls, result: EvaluationResult, choice: ComparisonChoice = ComparisonChoice()) -> "Family":
        """Return what a choice compares in a result.

        Raises UserError for a test, correction, system or measure that is not known, and for a single system.
        """
        _refuse_unknown(result, choice)
        names = tuple(one.name for one in result.measures)
        measures = names
        if len(result.systems) > FEW_SYSTEMS:
            measures = (evaluated_name(result, choice.by) if choice.by else names[0],)
        return cls(
            measures,
            result.systems,
            choice.baseline,
            choice.test,
            "none" if choice.test == "tukey" else choice.correction,
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


def evaluated_name(result: EvaluationResult, measure: str) -> str:
    """Return the printed name of a measure as it is typed or printed; raises UserError for any other."""
    known = [one.name for one in result.measures]
    name = measure if measure in known else parse(measure, rel=result.options.rel).name
    if name not in known:
        raise UserError(f"{name} was not evaluated; there are {', '.join(known)}.")
    return name


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
    if choice.by:
        evaluated_name(result, choice.by)
