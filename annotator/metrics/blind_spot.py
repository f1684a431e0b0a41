"""What a measure cannot see, said with a proof that a test runs."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BlindSpot:
    """What a measure cannot see, and two rankings that prove it by scoring the same under `measure`.

    A ranking is the grades in order, None for unjudged; `missed` are grades judged but not retrieved. For a
    measure of answers the two rankings stay empty and the text holds the two cases.
    """

    measure: str
    text: str
    first: tuple[int | None, ...] = ()
    second: tuple[int | None, ...] = ()
    first_missed: tuple[int, ...] = ()
    second_missed: tuple[int, ...] = ()

    @property
    def rankings(self) -> tuple[tuple[int | None, ...], tuple[int | None, ...]]:
        """The two rankings alone."""
        return self.first, self.second

    @property
    def said(self) -> str:
        """What it cannot see, and the proof."""
        if not self.first:
            return self.text
        shown = [
            " ".join("–" if grade is None else str(grade) for grade in ranking)
            + (f" (not retrieved: {' '.join(map(str, missed))})" if missed else "")
            for ranking, missed in zip(self.rankings, (self.first_missed, self.second_missed), strict=True)
        ]
        return f"{self.text} The grades {shown[0]} have the same {self.measure} as {shown[1]}."
