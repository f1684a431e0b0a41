"""A query without a ranking counts as 0, is shown as 0*, and the caption says how many there are."""

import dataclasses

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from annotator.evaluation.comparison_tables import contrasts
from annotator.evaluation.options import Options
from annotator.evaluation.results import EvaluationResult, Provenance
from annotator.evaluation.summary_tables import estimates, per_query, summary
from annotator.metrics.catalogue import parse_all
from annotator.reports import csv, html, markdown
from annotator.reports.report import Report, Section

SYSTEMS = ("old", "new")


def result_of(retrieved: list[list[int]]) -> EvaluationResult:
    lengths = np.array(retrieved)
    shape = 2, lengths.shape[1]
    return EvaluationResult(
        systems=SYSTEMS,
        measures=parse_all(("nDCG@10", "EM", "RR")),
        query_ids=tuple(f"q{at}" for at in range(shape[1])),
        scores=np.where(lengths[:, None, :] > 0, 0.5, 0.0).repeat(3, axis=1),
        counted=np.ones(shape, dtype=bool),
        options=Options(),
        provenance=Provenance("made", "0"),
        retrieved=lengths,
    )


LENGTHS = st.integers(1, 6).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, 2), min_size=n, max_size=n), min_size=2, max_size=2)
)


@given(LENGTHS)
def test_exactly_the_zeros_of_missing_rankings_bear_the_sign(retrieved: list[list[int]]) -> None:
    table = per_query(result_of(retrieved))
    names = [column.title for column in table.columns]
    marked = {(row, names[at]) for row, at in table.marks}
    gone = [
        (row, system)
        for system, of in zip(SYSTEMS, retrieved, strict=True)
        for row, n in enumerate(of)
        if not n
    ]
    assert marked == {(row, f"{name} {system}") for row, system in gone for name in ("nDCG@10", "EM", "RR")}
    assert {table.rows[row][at] for row, at in table.marks} <= {0.0}
    among = ", of 2 systems together" * (len({system for _, system in gone}) == 2)
    times = f"({len(gone)} time{'s' * (len(gone) != 1)}{among}): it counts as 0."
    assert table.caption == (f"* no ranking for the query {times}" if gone else "")


def test_every_table_of_queries_and_every_format_shows_it_and_a_csv_keeps_a_plain_0() -> None:
    result = result_of([[0, 3], [2, 0]])
    table = per_query(result)
    for write in (html.write, markdown.write):
        text = write(Report("R", "", (Section("per-query", "Per query", tables=(table,)),)))
        assert "0.0000*" in text.replace("<sup>", "")
    head, first, second = csv.write(table).splitlines()
    assert head.endswith(",no_ranking")
    assert first == "q0,0.0,0.5,0.0,0.5,0.0,0.5,old"
    assert second.endswith(",new")
    other = contrasts(result, "RR", "old", "new")
    assert {(other.rows[row][0], at) for row, at in other.marks} == {("q0", 1), ("q1", 2)}
    assert "(2 times, of 2 systems together)" in other.caption
    assert set(contrasts(result, "EM", "old", "new").marks) == set(other.marks)


def test_where_lengths_are_not_known_nothing_is_said() -> None:
    unknown = dataclasses.replace(result_of([[0], [1]]), retrieved=None)
    assert per_query(unknown).marks == {}


@given(LENGTHS)
def test_the_least_score_of_a_system_without_a_ranking_bears_the_sign(retrieved: list[list[int]]) -> None:
    table = estimates(result_of(retrieved))
    least = [column.title for column in table.columns].index("Min")
    gone = {system: of.count(0) for system, of in zip(SYSTEMS, retrieved, strict=True) if 0 in of}
    assert {(table.rows[row][:2], at) for row, at in table.marks} == {
        ((system, measure), least) for system in gone for measure in ("nDCG@10", "EM", "RR")
    }
    assert {table.rows[row][at] for row, at in table.marks} <= {0.0}
    times = sum(gone.values())
    among = ", of 2 systems together" * (len(gone) == 2)
    said = f"({times} time{'s' * (times != 1)}{among}): it counts as 0."
    assert table.caption.endswith(said) == bool(gone)
    kept = [dict(zip([one.name for one in table.columns], row, strict=True)) for row in table.rows]
    counts = {(one["system"], one["measure"]): one.get("no_ranking") for one in kept}
    for (system, _), count in counts.items():
        assert (count or 0) == gone.get(str(system), 0)


@given(LENGTHS)
def test_means_say_which_systems_lack_rankings_for_how_many_queries(retrieved: list[list[int]]) -> None:
    caption = summary(result_of(retrieved)).caption
    for system, of in zip(SYSTEMS, retrieved, strict=True):
        words = f"{system} has none for {of.count(0)} quer{'y' if of.count(0) == 1 else 'ies'}"
        assert (words in caption) == (0 in of)
    many = result_of([[0]] * 2)
    many = dataclasses.replace(
        many,
        systems=tuple("abcdef"),
        scores=many.scores.repeat(3, axis=0),
        counted=many.counted.repeat(3, axis=0),
        retrieved=np.zeros((6, 1), int),
    )
    assert "c has none for 1 query, 3 more systems lack some." in summary(many).caption


def test_a_score_that_needs_no_ranking_bears_no_sign() -> None:
    counts = dataclasses.replace(result_of([[0, 1], [1, 1]]), measures=parse_all(("nDCG@10", "EM", "NumRel")))
    counts.scores[0, 2, 0], counts.scores[0, 1, 0] = 7, np.nan  # as many are relevant; no gold answer
    table = per_query(counts)
    assert {(row, table.columns[at].title) for row, at in table.marks} == {(0, "nDCG@10 old")}
