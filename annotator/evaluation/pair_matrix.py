"""All pairs of systems under one measure as a square: who is ahead of whom, by how much, and how sure."""

from collections.abc import Sequence
from dataclasses import replace

from annotator.evaluation.comparison import Comparison
from annotator.evaluation.comparison_tables import OPEN, SIGNIFICANT, how_compared, signs_in_words
from annotator.evaluation.result_table import Cell, Column, Place, Table, explaining_what_is_shown


def pair_matrix(compared: Sequence[Comparison], measure: str) -> Table:
    """Return the differences of the means, row minus column, the best first; what is not compared is empty.

    Shades go from the largest difference below zero to the largest above it.
    """
    under_it = [one for one in compared if one.measure == measure]
    means = {one.first: one.first_mean for one in under_it} | {
        one.second: one.second_mean for one in under_it
    }
    names = sorted(means, key=lambda name: (means[name] != means[name], -means[name]))
    place = {name: at for at, name in enumerate(names)}
    cells: list[list[Cell]] = [[None] * len(names) for _ in names]
    marks: dict[Place, str] = {}
    for one in under_it:
        first, second = place[one.first], place[one.second]
        cells[first][second], cells[second][first] = one.difference, -one.difference
        sign = SIGNIFICANT if one.significant else OPEN if one.open else ""
        if sign:
            marks |= {(first, second + 1): sign, (second, first + 1): sign}
    most = max((abs(one.difference) for one in under_it), default=0.0)
    columns = (
        Column("System", "text", key="system"),
        *(
            Column(name, note=f"The mean of each row's system minus that of {name}.", shade=(-most, most))
            for name in names
        ),
    )
    if not under_it:
        return Table("pairs", f"{measure}, every pair", columns, (names,))
    explains = signs_in_words(under_it[0].alpha)
    caption = f"Mean {measure} of the row minus that of the column. {how_compared(under_it, False)}"
    caption = " ".join((caption, *explains.values()))
    table = Table("pairs", f"{measure}, every pair", columns, (names, *cells), caption, marks)
    return explaining_what_is_shown(replace(table, explains=explains))
