"""Scores in rows: what programs read."""

from dataclasses import replace

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotator.evaluation.results import EvaluationResult
from annotator.evaluation.score_rows import long_scores, per_query_and_system
from annotator.metrics.catalogue import parse_all


def test_the_long_form_leaves_out_what_has_no_value_and_has_means_when_asked(
    result: EvaluationResult,
) -> None:
    rows = long_scores(result).rows
    assert ("old", "q4", "RR") not in [row[:3] for row in rows]
    assert len(rows) == 2 * (4 + 3)
    with_means = long_scores(result, means=True).rows
    assert ("old", "all", "RR", 0.5, None) in with_means
    assert sorted(set(with_means) - set(rows)) == sorted(row for row in with_means if row[1] == "all")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(st.booleans(), min_size=4, max_size=4), min_size=2, max_size=2))
def test_a_score_of_a_missing_ranking_is_told_from_one_that_found_nothing(result, there):
    some = replace(result, retrieved=np.where(there, 10, 0))
    names = [one.name for one in long_scores(some).columns]
    assert names == ["system", "query", "measure", "value", "no_ranking"]
    for one in (some, replace(some, measures=parse_all(["EM", "TokenF1"]))):
        for system, query, _, _, missing in long_scores(one).rows:
            has = there[one.systems.index(system)][one.query_ids.index(query)]
            assert missing == ("no" if has else "yes")
        wide = per_query_and_system(one)
        at = [column.name for column in wide.columns].index("no_ranking")
        told = ["no" if has else "yes" for query in zip(*there, strict=True) for has in query]
        assert wide.data[at] == told


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
