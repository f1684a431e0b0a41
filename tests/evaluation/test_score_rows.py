"""Scores in rows: what programs read."""

from annotator.evaluation.results import EvaluationResult
from annotator.evaluation.score_rows import long_scores, per_query_and_system


def test_the_long_form_leaves_out_what_has_no_value_and_has_means_when_asked(
    result: EvaluationResult,
) -> None:
    rows = long_scores(result).rows
    assert ("old", "q4", "RR") not in [row[:3] for row in rows]
    assert len(rows) == 2 * (4 + 3)
    with_means = long_scores(result, means=True).rows
    assert ("old", "all", "RR", 0.5) in with_means
    assert sorted(set(with_means) - set(rows)) == sorted(row for row in with_means if row[1] == "all")


def test_each_query_has_a_row_for_each_system_with_its_own_scores(result: EvaluationResult) -> None:
    table = per_query_and_system(result)
    names = [one.name for one in table.columns]
    for row in table.rows:
        told = dict(zip(names, row, strict=True))
        query = result.query_ids.index(str(told["query"]))
        system = str(told["system"])
        for measure in ("nDCG@10", "RR"):
            expected = float(result.of(system, measure)[query])
            assert told[measure] == expected or expected != expected
        assert result.relevant is not None
        assert told["relevant"] == result.relevant[query]
    pairs = [(row[names.index("query")], row[names.index("system")]) for row in table.rows]
    assert sorted(pairs) == sorted((q, s) for q in result.query_ids for s in result.systems)
