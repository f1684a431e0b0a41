"""A small result with known numbers: two systems, two measures, four queries, two tags."""

import numpy as np

from annotator.evaluation.options import Options
from annotator.evaluation.results import EvaluationResult, Provenance
from annotator.metrics.catalogue import parse_all


def known_result() -> EvaluationResult:
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
