"""The scale that people grade on, 0 to 5, and the words for it."""

LOWEST = 0
HIGHEST = 5
GRADES = tuple(range(LOWEST, HIGHEST + 1))

MEANINGS = (
    "Irrelevant",
    "Marginal",
    "Fair",
    "Good",
    "Very good",
    "Perfect",
)
"""What each grade means unless the project's lead words it otherwise; index = grade."""

RELEVANT_FROM = 1
"""A candidate is relevant from this grade on unless a measure says otherwise (`P(rel=3)@10`)."""


def is_grade(value: object) -> bool:
    """Say whether a value is a whole number on the scale; True and False are not grades."""
    return isinstance(value, int) and not isinstance(value, bool) and LOWEST <= value <= HIGHEST
