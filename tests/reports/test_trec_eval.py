"""The command for trec_eval."""

import pytest

from annotator.metrics.catalogue import parse, parse_all
from annotator.reports.trec_eval import files_of, option, script


@pytest.mark.parametrize(
    ("name", "flag"),
    [
        ("P@5", "P.5"),
        ("AP", "map"),
        ("AP@10", "map_cut.10"),
        ("nDCG@10", "ndcg_cut.10"),
        ("R@100", "recall.100"),
        ("IPrec@0.1", "iprec_at_recall.0.1"),
        ("P(rel=3)@5", "P.5"),
        ("nDCG(dcg='exp-log2')@10", None),
        ("ERR@10", None),
        ("NumRel", "num_rel"),
        ("NumRel(rel=2)", None),
    ],
)
def test_a_measure_has_its_flag_or_none(name: str, flag: str | None) -> None:
    assert option(parse(name)) == flag


def test_each_threshold_has_its_own_call_and_names_are_quoted() -> None:
    text = script(parse_all(["P@5", "P(rel=2)@5", "ERR@10"]), "qrels.txt", ["my run.run"])
    assert files_of(text) == ["qrels.txt", "my run.run", "evaluate.sh"]
    assert files_of(f"#!/bin/sh\ntrue {text}") == []
    assert text.splitlines() == [
        "#!/bin/sh",
        "# Written by Annotator: qrels.txt 'my run.run' evaluate.sh",
        "# trec_eval has no counterpart of ERR(max_rel=5)@10",
        "trec_eval -c -q -l 1 -m P.5 qrels.txt 'my run.run'",
        "trec_eval -c -q -l 2 -m P.5 qrels.txt 'my run.run'",
    ]
