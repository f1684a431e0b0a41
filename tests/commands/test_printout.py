"""Tables as the terminal shows them."""

import pytest

from annotator.commands.printout import as_table
from annotator.evaluation.result_table import Column, Table

COLUMNS = (
    Column("rank", "count"),
    Column("candidate", "text"),
    *(Column(name) for name in ("ideal contribution", "discount", "loss")),
)
ROWS = [(1, "waste/hazardous-materials", 0.6189, 1.0, 0.6189), (2, "fees", 0.1562, 0.6309, -0.1857)]
WHY = Table.of_rows("why", "Why", COLUMNS, ROWS, "What it adds up to.")


@pytest.mark.parametrize("width", [44, 60, 80])
def test_no_number_is_cut_in_a_narrow_terminal(width: int) -> None:
    lines = as_table(WHY, width).splitlines()
    assert max(map(len, lines)) <= width
    words = " ".join(lines).split()
    assert {"0.6189", "0.1562", "1.0000", "0.6309", "-0.1857"} <= set(words)
    assert "…" not in "".join(lines)
    assert {"contribution", "discount", "loss"} <= set(words)


def test_what_has_no_room_stands_below_under_the_same_names() -> None:
    lines = as_table(WHY, 44).splitlines()
    assert sum("fees" in line for line in lines) == 3


def test_a_wide_terminal_shows_one_table_and_the_caption_last() -> None:
    lines = as_table(WHY, 200).splitlines()
    assert sum("fees" in line for line in lines) == 1
    assert any(line.split()[-2:] == ["0.6309", "-0.1857"] for line in lines)
    assert (lines[0], lines[-1]) == ("Why", "What it adds up to.")
