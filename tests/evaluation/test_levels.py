"""Each test keeps its level under its own null hypothesis, and the help tells how often each is wrong."""

from collections.abc import Callable

import pytest
from scipy import stats

from annotator.places import place
from tests.evaluation import levels

RULE = 0.001
"""A row fails when a true rate of 5%, or that of the help, would give its counts more rarely than this."""


def told() -> dict[str, list[float]]:
    """The rows of the help's tables, in per cent."""
    text = (place("resources") / "help" / "comparisons.md").read_text("utf-8")
    rows = [[part.strip() for part in line.strip("| ").split("|")] for line in text.splitlines()]
    known = [row for row in rows if row[0] in {**levels.OWN, **levels.OTHER}]
    return {name: [float(one) for one in cells] for name, *cells in known}


@pytest.mark.parametrize("name", levels.OWN)
def test_a_test_rejects_what_it_assumes_no_more_often_than_its_level(
    name: str, count: Callable[[int, int], int]
) -> None:
    worlds = count(60, levels.WORLDS)
    (counts,) = levels.measured({name: levels.OWN[name]}, worlds, seed=7).values()
    for n, times in zip(levels.QUERIES, counts, strict=True):
        assert stats.binomtest(times, worlds, 0.05, "greater").pvalue > RULE, f"{n} queries"
    if "normal" in name:
        assert stats.binomtest(counts[-1], worlds, 0.05).pvalue > RULE, "not below it either"


def test_the_help_holds_the_table_that_is_measured(count: Callable[[int, int], int]) -> None:
    """All of it, to the digit, in a nightly run; else as far as a few of its worlds can tell."""
    found = told()
    rows = {**levels.OWN, **levels.OTHER}
    assert list(found) == list(rows)
    worlds = count(40, levels.WORLDS)
    for name, counts in levels.measured(rows, worlds, levels.SEED).items():
        if worlds == levels.WORLDS:
            assert [f"{100 * times / worlds:.1f}" for times in counts] == [
                f"{one:.1f}" for one in found[name]
            ]
        for n, times, percent in zip(levels.QUERIES, counts, found[name], strict=True):
            then = round(levels.WORLDS * percent / 100)
            table = [[times, worlds - times], [then, levels.WORLDS - then]]
            assert stats.fisher_exact(table).pvalue > RULE / (len(rows) * 5), f"{name}, {n} queries"


def test_the_tests_of_means_keep_their_level_best_where_means_are_skewed() -> None:
    """What the help says in words of its second table is so in its numbers."""
    found = told()
    assert found["sign test: skewed differences, mean 0"][-1] > 50
    assert found["Wilcoxon test: skewed differences, mean 0"][-1] > 20
    for name in ("paired t test", "randomisation test"):
        assert found[f"{name}: skewed differences, mean 0"][-1] < 8
    assert all(row == sorted(row) for name, row in found.items() if name.startswith("sign test: skewed"))
