"""Rules that map a file's grades to the scale of 0 to 5, and the scale back to a file's.

A rule is a list of cases, `-1=skip,0=0,1=3,2=5`, or a line, `0..2=0..5`, which maps the ends to the ends and
what is between them, decimals too, to the nearest grade (halves upwards). A case may name a word,
`Highly Relevant=4`; one with a comma stands between quotes.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from annotator import grades
from annotator.errors import ChoiceError, UserError
from annotator.formats import numbers

SKIP = -1
"""Stands for "skipped" among mapped grades."""

MOST_NAMED = 10

FIRST_WORD = 2**31
"""The words of a rule count from here among the numbers of a file, which end before it."""

DECIMALS = 2 * FIRST_WORD
"""The decimals that a line maps to grade g count as this number and g."""

_PART = re.compile(r'(?:"[^"]*"|[^,])+')
_TARGET = re.compile(r"skip|\d")
_CASE = re.compile(r"([+-]?\d{1,9})=(skip|\d)")
_LINE = re.compile(r"([+-]?\d{1,9})\.\.([+-]?\d{1,9})=(\d)\.\.(\d)")
_HELP = "Write cases such as -1=skip,0=0,1=3,2=5 or Fair=2,Good=4, or a line such as 0..2=0..5."


class Words(dict[str, int]):
    """What a file may have instead of whole numbers, with the number that stands for it among the cases.

    These are the words of a rule, and decimals on one of its `lines` (first, last, low, high).
    """

    def __init__(self, words: Mapping[str, int], lines: Sequence[tuple[int, int, int, int]]) -> None:
        super().__init__(words)
        self.lines = lines

    def get(self, text: str, default: int | None = None) -> int | None:  # type: ignore[override]
        """Return the number that stands for a text, `default` for a text that the rule does not know."""
        if text in self or numbers.decimal(text) is None:
            return super().get(text, default)
        value = Fraction(text)
        on = (one for one in self.lines if one[0] <= value <= one[1])
        return next((DECIMALS + _nearest(value, *one) for one in on), default)


@dataclass(frozen=True, slots=True)
class GradeRule:
    """Maps the whole numbers of a file; what it does not name is refused, unless it is on the scale already
    and the rule is empty. `words` are what a file may have instead of numbers, each with the number that
    stands for it among the cases.
    """

    text: str
    cases: Mapping[int, int]
    words: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def sentence(self) -> str:
        """What the rule does, in words."""
        if not self.text:
            return f"Grades are taken as they are: whole numbers from {grades.LOWEST} to {grades.HIGHEST}."
        parts = []
        of = {value: grade for value, grade in self.cases.items() if value < DECIMALS}
        for target in sorted(set(of.values())):
            known = sorted(value for value, grade in of.items() if grade == target)
            words = [word for word, number in self.words.items() if number in known]
            named = [one for one in (_ranges([one for one in known if one < FIRST_WORD]), *words) if one]
            become = "left out" if target == SKIP else f"grade {target}"
            parts.append(f"{', '.join(named)} → {become}")
        lines = self.words.lines if isinstance(self.words, Words) else ()
        parts += [f"decimals from {a} to {b} → the nearest of {low} to {high}" for a, b, low, high in lines]
        return f"{'; '.join(parts)}. Any other {'grade' if self.words else 'number'} is refused."

    def apply(
        self, values: NDArray[np.int64], lines: NDArray[np.int64] | None = None, source: str = ""
    ) -> NDArray[np.int64]:
        """Return a grade, or `SKIP`, for each value.

        Raises ChoiceError that lists the values without one, with the `lines` of the source they stand in.
        """
        distinct, first, place, counts = np.unique(
            values, return_index=True, return_inverse=True, return_counts=True
        )
        unknown = [at for at, value in enumerate(distinct.tolist()) if value not in self.cases]
        if unknown:
            where = {at: "" if lines is None else f"{source}:{lines[first[at]]}" for at in unknown}
            shown = ", ".join(_found(distinct[at], where[at], counts[at] - 1) for at in unknown[:MOST_NAMED])
            more = f" and {len(unknown) - MOST_NAMED:,} more" if unknown[MOST_NAMED:] else ""
            raise ChoiceError(
                f"These grades are not on the scale of {grades.LOWEST} to {grades.HIGHEST} and no rule maps "
                f"them: {shown}{more}. Nothing was imported. {_HELP}",
                "grades",
            )
        mapped = np.array([self.cases[value] for value in distinct.tolist()], np.int64)
        return mapped[place] if len(mapped) else values

    def back(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the file's number for each grade; raises UserError for grades that no case leads to.

        Where several numbers lead to one grade, the smallest is taken.
        """
        inverse: dict[int, int] = {}
        for number in sorted(one for one in self.cases if one < FIRST_WORD):
            inverse.setdefault(self.cases[number], number)
        distinct, place = np.unique(values, return_inverse=True)
        unknown = [value for value in distinct.tolist() if value not in inverse]
        if unknown:
            shown = ", ".join(map(str, unknown))
            raise UserError(
                f"The rule {self.text} leads from no number to grade {shown}, so it cannot be turned back."
            )
        mapped = np.array([inverse[value] for value in distinct.tolist()], np.int64)
        return mapped[place] if len(mapped) else values


AS_THEY_ARE = GradeRule("", {grade: grade for grade in grades.GRADES})


def _found(value: int, where: str, further: int) -> str:
    """Return `7 (x.qrels:3 and 2 more)`."""
    rest = f" and {further:,} more" if further else ""
    return f"{value} ({where}{rest})" if where else str(value)


def _ranges(whole: Sequence[int]) -> str:
    """Return `0, 2 to 5` for ascending numbers."""
    ranges: list[list[int]] = []
    for number in whole:
        if ranges and ranges[-1][-1] == number - 1:
            ranges[-1].append(number)
        else:
            ranges.append([number])
    return ", ".join(str(one[0]) if len(one) == 1 else f"{one[0]} to {one[-1]}" for one in ranges)


def parse(text: str) -> GradeRule:
    """Return the rule a text states; raises UserError that says how to write one."""
    if not text.strip():
        return AS_THEY_ARE
    cases: dict[int, int] = {}
    words: dict[str, int] = {}
    lines: list[tuple[int, int, int, int]] = []
    for part in _PART.findall(text):
        bare = re.sub(r"\s", "", part)
        line = _LINE.fullmatch(bare)
        case = _CASE.fullmatch(bare)
        name, _, target = (one.strip() for one in part.rpartition("="))
        if len(name) > 2 and name[0] == name[-1] == '"':
            name = name[1:-1]
        if line:
            first, last, low, high = map(int, line.groups())
            new = _line(first, last, low, high, bare)
            lines.append((first, last, low, high))
        elif case:
            new = {int(case[1]): _grade(case[2])}
        elif name and _TARGET.fullmatch(target):
            if name in words:
                raise UserError(f"The grade rule maps {name!r} twice; keep one of the cases.")
            words[name] = FIRST_WORD + len(words)
            new = {words[name]: _grade(target)}
        else:
            raise UserError(f"The grade rule {part!r} cannot be read. {_HELP}")
        if twice := sorted(cases.keys() & new.keys()):
            raise UserError(f"The grade rule maps {twice[0]} twice; keep one of the cases.")
        cases |= new
    wrong = [grade for grade in cases.values() if grade != SKIP and not grades.is_grade(grade)]
    if wrong:
        raise UserError(f"{wrong[0]} is not a grade from {grades.LOWEST} to {grades.HIGHEST}. {_HELP}")
    if lines:
        cases |= {DECIMALS + grade: grade for grade in grades.GRADES}
    return GradeRule(text.strip(), cases, Words(words, lines))


def _grade(target: str) -> int:
    return SKIP if target == "skip" else int(target)


def _line(first: int, last: int, low: int, high: int, part: str) -> dict[int, int]:
    if not first < last <= first + 1000:
        raise UserError(
            f"The grade rule {part!r} needs a smaller and a larger number before the sign. {_HELP}"
        )
    return {value: _nearest(value, first, last, low, high) for value in range(first, last + 1)}


def _nearest(value: int | Fraction, first: int, last: int, low: int, high: int) -> int:
    """Return the grade nearest to a value on a line, halves upwards."""
    steps = last - first
    return int((2 * ((value - first) * high + (last - value) * low) + steps) // (2 * steps))
