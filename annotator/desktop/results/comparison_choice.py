"""How systems are compared: chosen on the Compare page, the same on the Report page, remembered."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, get_args

from annotator.evaluation.options import ComparisonChoice, Correction, Over, Test

if TYPE_CHECKING:
    from annotator.desktop.pages import Surroundings
    from annotator.evaluation.results import EvaluationResult

KNOWN: dict[str, tuple[str, ...]] = {
    "test": get_args(Test),
    "correction": get_args(Correction),
    "over": get_args(Over),
}
LEVELS = (0.1, 0.05, 0.01, 0.001)
"""The levels that are offered."""


def comparison_of(surroundings: "Surroundings") -> ComparisonChoice:
    """Return how systems are compared: as chosen since the project was opened, else as chosen last."""
    chosen = surroundings.choices.comparison
    return chosen or remembered_comparison(surroundings.settings.get("compare", dict[str, object]()))


def keep_comparison(surroundings: "Surroundings", choice: ComparisonChoice) -> None:
    """Compare systems like this on every page, also when the project is opened again."""
    surroundings.choices.comparison = choice
    surroundings.settings.set("compare", asdict(choice))


def remembered_comparison(kept: dict[str, object]) -> ComparisonChoice:
    """Return the choice made last; what does not fit any more is left as usual."""
    usual = asdict(ComparisonChoice())
    values: dict[str, Any] = {
        name: value
        for name, value in kept.items()
        if name in usual and (_known(name, value) or (name == "alpha" and value in LEVELS))
    }
    return ComparisonChoice(**values)


def _known(name: str, value: object) -> bool:
    return isinstance(value, str) and value in KNOWN.get(name, (value,))


def fitting(choice: ComparisonChoice, result: "EvaluationResult") -> ComparisonChoice:
    """Return the choice for a result that may lack its baseline."""
    return choice.fitting(result.systems)
