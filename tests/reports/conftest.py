"""A report that holds one of everything, with texts that would break a careless writer."""

import numpy as np
import pytest

from annotator.evaluation.options import Options
from annotator.evaluation.result_table import Column, Table
from annotator.evaluation.results import EvaluationResult, Provenance
from annotator.figures.distributions import grade_distribution, time_per_judgment
from annotator.figures.subject import Subject
from annotator.metrics.catalogue import parse_all
from annotator.reports.report import Figure, Report, Section

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
    scores = np.array(
        [
            [[1.0, 0.5, 0.25, 0.0], [1.0, 0.5, 0.0, np.nan]],
            [[0.5, 0.5, 0.75, 1.0], [0.0, 1.0, 0.5, np.nan]],
        ]
    )
    return EvaluationResult(
        systems=("old", "new"),
        measures=parse_all(["nDCG@10", "RR"]),
        query_ids=("q1", "q2", "q3", "q4"),
        scores=scores,
        counted=np.ones((2, 4), dtype=bool),
        options=Options(measures=("nDCG@10", "RR")),
        provenance=Provenance(
            "sample", "0.1.0", command="annotator evaluate sample.annot", ledger_head="a" * 64
        ),
        query_texts=("first", "second", "third", "fourth"),
        tags=(("short",), ("short", "long"), ("long",), ()),
        retrieved=np.full((2, 4), 10),
        relevant=np.array([2, 1, 3, 0]),
        judged=np.array([5, 5, 5, 2]),
        judged_at_10=np.array([[1.0, 1.0, 0.5, 0.2], [1.0, 0.9, 0.5, 0.1]]),
        left_out=(("q9", "it has no judgment"),),
    )
