"""A report that holds one of everything, with texts that would break a careless writer."""

import pytest

from annotator.evaluation.result_table import Column, Table
from annotator.evaluation.results import EvaluationResult
from annotator.figures.distributions import grade_distribution, time_per_judgment
from annotator.figures.subject import Subject
from annotator.reports.report import Figure, Report, Section
from tests.known_result import known_result

NASTY = '=cmd|" /C calc"!A0</td><script>alert(1)</script>&\\_$#{}'


@pytest.fixture(scope="session")
def table() -> Table:
    return Table.of_rows(
        "summary",
        "Means of <everything>",
        (
            Column("System", "text"),
            Column("nDCG@10", best="high", bar=True),
            Column("p", "p"),
            Column("g", "grade"),
        ),
        [
            ("a_1", 0.51234567890123, 1e-05, 5),
            (NASTY, 0.6, 0.0312, 0),
            ("c", None, None, 2),
            ("-5", -0.25, 1.0, 1),
        ],
        caption="Over 12 queries.",
        marks={(1, 1): "†"},
    )


@pytest.fixture(scope="session")
def report(table: Table) -> Report:
    subject = Subject(grade_counts={"one": [3, 4, 5, 1, 2, 9]}, seconds=[1, 2, 3.5, 8])
    figures = (
        Figure("grades", "Grades", lambda theme: grade_distribution(subject, theme)),
        Figure("time", "Time <b>", lambda theme: time_per_judgment(subject, theme), "In seconds."),
    )
    section = Section(
        "summary",
        "Summary",
        ("A sentence with <markup> & *stars*.",),
        (table,),
        figures,
        command="annotator report x.annot -o y.html",
        formulas=(("nDCG@10", r"\mathrm{nDCG}@k = \frac{\mathrm{DCG}@k}{\mathrm{IDCG}@k}"),),
    )
    empty = Section(
        "empty", "Nothing here", tables=(Table.of_rows("none", "Empty", (Column("a", "text"),), []),)
    )
    return Report("A <report>", "12 queries", (section, empty))


@pytest.fixture
def result() -> EvaluationResult:
    return known_result()
