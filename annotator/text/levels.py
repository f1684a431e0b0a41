"""The words for levels that stand in the place of grades."""

import re

WORDS = {"grade": "level", "grades": "levels", "graded": "judged"}
_GRADE = re.compile(r"\bgrade[sd]?\b", re.IGNORECASE)


def as_levels(text: str) -> str:
    """Return what is said of grades as it is said of levels.

    >>> as_levels("Grades of candidates that both graded")
    'Levels of candidates that both judged'
    """

    def other(match: re.Match[str]) -> str:
        word = WORDS[match[0].lower()]
        return word.capitalize() if match[0][0].isupper() else word

    return _GRADE.sub(other, text)
