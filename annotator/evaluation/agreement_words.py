"""What a coefficient of agreement means, in words that its numbers carry."""

import math

from annotator.evaluation.agreement import Coefficient
from annotator.text.counts import counted

RELIABLE, TENTATIVE = 0.8, 0.667
"""Krippendorff (2004, p. 241): rely on data from the first on, conclude tentatively from the second on."""


def alpha_in_words(one: Coefficient) -> str:
    """Say what Krippendorff's alpha means, and where its interval lies; "" where there is none."""
    if not one.enough or math.isnan(one.value):
        return ""
    return (
        f"The annotators differ {1 - one.value:.0%} as much as judgments dealt out by chance would: at 0% "
        f"alpha is 1, at 100% it is 0. Judgments further apart weigh more. {_where(one.low, one.high)}"
    ).strip()


def together_in_words(number: int, counting: bool) -> str:
    """Say how many grades nobody decided on one by one, and whether they count; nothing without any."""
    if not number:
        return ""
    them = f"{counted(number, 'grade')} given with the rest of a query or with a near-duplicate"
    count, are = ("counts", "is") if number == 1 else ("count", "are")
    return f"{them} {count}, too." if counting else f"{them} {are} left out."


def _where(low: float, high: float) -> str:
    """Say on which side of the two customary values an interval lies."""
    if math.isnan(low):
        return ""
    if low >= RELIABLE:
        return f"The whole interval is at least {RELIABLE:g}, from where on Krippendorff relies on data."
    if high < TENTATIVE:
        return f"The interval lies below {TENTATIVE:g}, where Krippendorff draws no conclusion yet."
    if low >= TENTATIVE and high < RELIABLE:
        between = f"between {TENTATIVE:g} and {RELIABLE:g}"
        return f"The interval lies {between}, where Krippendorff draws tentative conclusions."
    crossed = [f"{value:g}" for value in (TENTATIVE, RELIABLE) if low < value <= high]
    return (
        f"Krippendorff relies on data from {RELIABLE:g} on and concludes tentatively from {TENTATIVE:g} on; "
        f"the interval has {' and '.join(crossed)} inside."
    )
