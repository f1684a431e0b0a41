"""`api.evaluate` from DataFrames with whole-number ids against pytrec_eval from its dicts, CPU time."""

import time

import numpy as np
import pandas
import pytrec_eval

from annotator import api

QUERIES, DEPTH, JUDGED = 2_000, 100, 40
GOAL = 3.0
MEASURES = {"map": "AP", "ndcg_cut_10": "nDCG@10", "recip_rank": "RR", "P_10": "P@10", "recall_100": "R@100"}


def tables(in_order: bool, seed: int = 1) -> tuple[pandas.DataFrame, pandas.DataFrame]:
    """Return seeded qrels and a run of QUERIES x DEPTH rows: best first, as a system writes it, or not."""
    random = np.random.default_rng(seed)
    ranked = np.argsort(random.random((QUERIES, 4 * DEPTH)), axis=1)
    query = np.repeat(np.arange(QUERIES), DEPTH)
    score = random.random((QUERIES, DEPTH))
    score = (-np.sort(-score, axis=1) if in_order else score).ravel()
    run = pandas.DataFrame({"query_id": query, "doc_id": ranked[:, :DEPTH].ravel(), "score": score})
    judged = np.argsort(random.random((QUERIES, 4 * DEPTH)), axis=1)[:, :JUDGED]
    grades = random.integers(0, 4, QUERIES * JUDGED)
    query = np.repeat(np.arange(QUERIES), JUDGED)
    return pandas.DataFrame({"query_id": query, "doc_id": judged.ravel(), "relevance": grades}), run


def dicts(table: pandas.DataFrame, value: str, kind: type) -> dict[str, dict[str, float]]:
    """Return a table as pytrec_eval wants it."""
    made: dict[str, dict[str, float]] = {}
    rows = zip(table["query_id"].tolist(), table["doc_id"].tolist(), table[value].tolist(), strict=True)
    for query, document, number in rows:
        made.setdefault(str(query), {})[str(document)] = kind(number)
    return made


def main() -> None:
    """Print the ratio for a run that stands in order, and for one that does not."""
    for in_order in (True, False):
        compare(in_order)


def compare(in_order: bool) -> None:
    """Evaluate the same tables with both, three times each, and print the ratio of the best times."""
    qrels, run = tables(in_order)
    their_qrels, their_run = dicts(qrels, "relevance", int), dicts(run, "score", float)
    theirs, ours = [], []
    for _ in range(3):
        start = time.process_time()
        expected = pytrec_eval.RelevanceEvaluator(their_qrels, set(MEASURES)).evaluate(their_run)
        middle = time.process_time()
        scores = api.evaluate(qrels, run, list(MEASURES.values()))
        end = time.process_time()
        theirs.append(middle - start)
        ours.append(end - middle)
    difference = max(
        abs(float(value) - expected[query][name])
        for name, measure in MEASURES.items()
        for query, value in zip(scores.result.query_ids, scores.result.of("run", measure), strict=True)
    )
    order = "best first" if in_order else "in any order"
    print(
        f"API, {QUERIES:,} queries x {DEPTH}, {order}: {min(theirs) / min(ours):.1f}x pytrec_eval (goal "
        f"{GOAL:.0f}x), ours {min(ours) * 1000:.0f} ms, largest difference {difference:.0e}"
    )


if __name__ == "__main__":
    main()
