"""P6: the kernel from integer codes against pytrec_eval from its dictionaries, in processor time."""

import time

import numpy as np
import pytrec_eval

from annotator.evaluation.tables import Rows, collect
from annotator.metrics.catalogue import parse_all

MEASURES = {
    "map": "AP",
    "ndcg": "nDCG",
    "ndcg_cut_10": "nDCG@10",
    "recip_rank": "RR",
    "P_10": "P@10",
    "recall_1000": "R@1000",
    "Rprec": "Rprec",
    "bpref": "Bpref",
}
ASKED = {"map", "ndcg", "ndcg_cut.10", "recip_rank", "P.10", "recall.1000", "Rprec", "bpref"}
SIZES = ((1_000, 1_000, 3.0), (6_980, 1_000, 20.0))
"""Queries, candidates for each, the ratio to reach."""
JUDGED, DOCUMENTS = 100, 100_000


def made(queries: int, depth: int, seed: int = 1) -> tuple[Rows, Rows]:
    """Return seeded qrels and a run as columns of whole numbers; the run stands as a system writes it."""
    random = np.random.default_rng(seed)
    ranking = np.concatenate([random.choice(DOCUMENTS, depth, replace=False) for _ in range(queries)])
    query = np.repeat(np.arange(queries), depth)
    score = np.tile(np.arange(depth, 0, -1, dtype=np.float64), queries)
    inside = random.choice(len(query), queries * JUDGED // 2, replace=False)
    outside = np.repeat(np.arange(queries), JUDGED // 2), random.integers(0, DOCUMENTS, queries * JUDGED // 2)
    pairs = np.concatenate((query[inside] * DOCUMENTS + ranking[inside], outside[0] * DOCUMENTS + outside[1]))
    pairs = np.unique(pairs)
    grades = random.choice(6, len(pairs), p=[0.6, 0.15, 0.1, 0.07, 0.05, 0.03])
    return Rows(pairs // DOCUMENTS, pairs % DOCUMENTS, grades), Rows(query, ranking, score)


def as_dicts(rows: Rows) -> dict[str, dict[str, float]]:
    """Return the columns as pytrec_eval wants them."""
    found: dict[str, dict[str, float]] = {}
    names = [f"doc{number}" for number in range(DOCUMENTS)]
    columns = (rows.query.tolist(), rows.candidate.tolist(), rows.value.tolist())
    for query, document, value in zip(*columns, strict=True):
        found.setdefault(str(query), {})[names[document]] = value
    return found


def main() -> None:
    """Print the ratio for a million and for seven million rows."""
    for queries, depth, goal in SIZES:
        qrels, run = made(queries, depth)
        their_qrels, their_run = as_dicts(qrels), as_dicts(run)
        start = time.process_time()
        theirs = pytrec_eval.RelevanceEvaluator(their_qrels, ASKED).evaluate(their_run)
        middle = time.process_time()
        collection = collect(qrels, {"run": run})
        joined = time.process_time()
        ranked = collection.systems[0].ranked
        ours = {one.name: one.per_query(ranked) for one in parse_all(MEASURES.values())}
        end = time.process_time()
        difference = max(
            abs(ours[own][place] - theirs[query][name])
            for place, query in enumerate(collection.query_ids)
            for name, own in MEASURES.items()
        )
        ratio, alone = (middle - start) / (end - middle), (middle - start) / (end - joined)
        print(
            f"P6 {len(MEASURES)} measures, {queries * depth:,} rows of codes: {ratio:.1f}x pytrec_eval "
            f"(goal {goal:.0f}x), ours {1000 * (end - middle):.0f} ms; the kernel alone {alone:.0f}x, "
            f"{1000 * (end - joined):.0f} ms; largest difference {difference:.0e}"
        )


if __name__ == "__main__":
    main()
