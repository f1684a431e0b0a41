"""Grades of a table that may be words, as annotation tools have them: `Highly Relevant`, or a list of one.

doccano exports the labels of a text as a list, and Argilla the responses to a question (`grade.responses`);
sources: `data_export` in doccano's repository, `records/_io` in Argilla's.
"""

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from annotator.errors import InputError
from annotator.formats import numbers
from annotator.formats.grade_rules import FIRST_WORD
from annotator.formats.strict_json import parse
from annotator.formats.text_lines import Problems

MOST_NAMED = 10
_LIST = re.compile(r"\[.*\]", re.DOTALL)


class WordGrades(InputError):
    """All grades of a file are words; `question` asks what grades they are."""

    def __init__(self, problems: Problems, question: str) -> None:
        self.question = question
        super().__init__(problems.named, problems.more)


class GradeWords:
    """The words that a rule for grades knows, and those it does not."""

    def __init__(self, known: Mapping[str, int]) -> None:
        self._known = known
        self._unknown: Counter[str] = Counter()
        self._first: dict[str, int] = {}
        self._taken = False

    def is_word(self, grade: int) -> bool:
        """Say whether a grade stands for a word."""
        return grade >= FIRST_WORD

    def grade(self, cell: str, line: int) -> tuple[int | None, str]:
        """Return the grade that a cell holds, None for an empty list, and what is wrong with it, else ""."""
        text, wrong = _single(cell)
        if wrong or not text:
            return None, wrong
        grade = numbers.whole_cell(text)
        if grade is None:
            grade = self._known.get(text.strip())
        elif self.is_word(grade):
            return None, f"the grade {grade} is out of any scale; check the column"
        if grade is not None:
            self._taken = True
            return grade, ""
        self._unknown[text.strip()] += 1
        self._first.setdefault(text.strip(), line)
        return None, f"the grade {text[:40]!r} is not a whole number{_but(text)}; {mended(text, whole=True)}"

    def ask(self, path: Path, problems: Problems) -> None:
        """Raise WordGrades where grades are words, or decimals, without a rule, and all else is sound.

        One odd grade is a mistake, and so are words among numbers.
        """
        decimal = all(numbers.decimal(one) is not None for one in self._unknown)
        if (
            (self._taken and not decimal)
            or self._unknown.total() < 2
            or len(problems) != self._unknown.total()
        ):
            return
        shown = ", ".join(
            f"{word[:60]!r} ({path.name}:{self._first[word]}{_further(count - 1)})"
            for word, count in self._unknown.most_common(MOST_NAMED)
        )
        more = _further(max(len(self._unknown) - MOST_NAMED, 0))
        first, *_ = self._unknown
        what = "no whole numbers" if decimal else "words"
        each = "Say which grade each is, such as"
        how = f"{each} {first[:60]}=4" + (", or map a line of them, such as 0..1=0..5" if decimal else "")
        raise WordGrades(
            problems,
            f"These grades are {what}: {shown}{more}. Nothing was imported. {how}.",
        )


def _single(cell: str) -> tuple[str, str]:
    """Return the only member of a cell that is a JSON list, else the cell, and what is wrong with it."""
    if not _LIST.fullmatch(cell):
        return cell, ""
    value = parse(cell, Problems(Path()))
    if not isinstance(value, list) or any(isinstance(one, list | dict) for one in value):
        return cell, ""
    if len(value) > 1:
        return "", f"holds {len(value)} grades, {cell[:60]}; keep one, or give each a row of its own"
    return "".join(map(str, value)), ""


def mended(cell: str, whole: bool) -> str:
    """Return how to mend a number, or a whole one, that cannot be read."""
    point = cell.strip().replace(",", ".", 1)
    comma = "," in cell and (numbers.whole_cell if whole else numbers.decimal)(point) is not None
    return f"write {point} with a point" if comma else "write one"


def _but(text: str) -> str:
    return "" if numbers.decimal(text.replace(",", ".")) is not None else " and no word that a rule maps"


def _further(count: int) -> str:
    return f" and {count:,} more" if count else ""
