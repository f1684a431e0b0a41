"""A result under the preset `cQA` as the tables that community question answering prints.

They count as Severyn's script and the SemEval-2016 task 3 scorer do: what is to be had is counted within the
candidate list, MAP divides by the relevant found in the top N, MRR is cut at N, and queries without a
relevant candidate count in every mean.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from annotator.evaluation.result_table import Cells, Column, Table
from annotator.evaluation.results import EvaluationResult
from annotator.metrics.collection import Floats, Ints
from annotator.metrics.measures import Measure

COLUMNS = (
    ("REC-1", "Per cent of the questions with a hit in the top k."),
    ("ACC", "Hits as per cent of the k places of every question."),
    ("AC1", "Hits as a share of what was to be had in k places."),
    ("AC2", "Hits."),
)


@dataclass(frozen=True, slots=True, eq=False)
class CqaTable:
    """The table of one system over n queries; entry k - 1 of each array belongs to the top k.

    `rec1` is per cent of the queries with a hit; `acc` hits per cent of k n places; `ac1` hits as a share of
    what was to be had, 0 to 1; `ac2` the hits themselves. `avgrec` is the mean of `ac1`, `map` is 0 to 1,
    `mrr` is per cent.
    """

    queries: int
    rec1: Floats
    acc: Floats
    ac1: Floats
    ac2: Ints
    avgrec: float
    map: float
    mrr: float


def cqa_of(result: EvaluationResult) -> dict[str, CqaTable]:
    """Return the table of each system, to the depth that the measures reach; empty without the measures.

    The queries are those that count in the system's means and have a score by each of the measures: those
    with gold answers alone have none by grades.
    """
    places = {(one.key, one.cutoff): at for at, one in enumerate(result.measures) if _plain(one)}
    depth = 0
    while ("Success", depth + 1) in places and ("P", depth + 1) in places:
        depth += 1
    others = [("NumRelRet", None), ("AP", depth), ("RR", depth)]
    if not depth or any(one not in places for one in others):
        return {}
    shown = [(key, k) for key in ("Success", "P") for k in range(1, depth + 1)]
    tables = {}
    for row, system in enumerate(result.systems):
        scores = result.scores[row][[places[one] for one in (*shown, *others)]]
        scores = scores[:, result.counted[row] & ~np.isnan(scores).any(axis=0)]
        listed, average_precision, reciprocal_rank = scores[2 * depth :]
        success, precision = scores[:depth], scores[depth : 2 * depth]
        tables[system] = _table(success, precision, listed, average_precision, reciprocal_rank)
    return tables


def _table(
    success: Floats, precision: Floats, listed: Floats, average_precision: Floats, reciprocal_rank: Floats
) -> CqaTable:
    """Return the table from scores of n queries: Success and P at each k float64[N, n], the others [n].

    `listed` is how many relevant candidates each ranking holds. Without queries everything is 0.
    """
    depth, n = success.shape
    cutoffs = np.arange(1, depth + 1)
    hits = np.rint(precision.sum(axis=1) * cutoffs).astype(np.int64)
    possible = np.minimum(listed, cutoffs[:, None]).sum(axis=1)
    ac1 = hits / np.maximum(possible, 1)
    questions = max(n, 1)
    return CqaTable(
        queries=n,
        rec1=100.0 * success.sum(axis=1) / questions,
        acc=100.0 * hits / (cutoffs * questions),
        ac1=ac1,
        ac2=hits,
        avgrec=float(ac1.mean()),
        map=float(average_precision.sum() / questions),
        mrr=float(100.0 * reciprocal_rank.sum() / questions),
    )


def named_values(result: EvaluationResult, system: str) -> dict[str, float]:
    """Return the numbers of a system's tables under the names they have there: MRR, AC1@3; none without."""
    one = cqa_of(result).get(system)
    if one is None:
        return {}
    each = zip(COLUMNS, (one.rec1, one.acc, one.ac1, one.ac2), strict=True)
    at_k = {f"{title}@{k}": float(value) for (title, _), values in each for k, value in enumerate(values, 1)}
    return {"MRR": one.mrr, "MAP": one.map, "AvgRec": one.avgrec, **at_k}


def _plain(one: Measure) -> bool:
    """Say whether a measure is computed as the preset asks for it."""
    return one.key != "AP" or one.parameters["norm"] == "rel_ret"


def cqa_tables(result: EvaluationResult) -> tuple[Table, ...]:
    """Return one table with a row per system and one with a row per k, the systems side by side."""
    tables = cqa_of(result)
    return (_means(tables), _at_k(tables)) if tables else ()


def cqa_printed(result: EvaluationResult) -> tuple[Table, ...]:
    """Return the tables as they are printed: a row per system, then the systems' one below the other."""
    tables = cqa_of(result)
    each = (
        replace(_at_k({name: one}), key=f"cqa-at-k-{at}") for at, (name, one) in enumerate(tables.items(), 1)
    )
    return (_means(tables), *each) if tables else ()


def _means(tables: Mapping[str, CqaTable]) -> Table:
    return Table.of_rows(
        "cqa",
        "MRR, MAP and AvgRec",
        (
            Column("System", "text", key="system"),
            Column("MRR", decimals=2, best="high", note="Mean reciprocal rank, in per cent.", key="mrr"),
            Column("MAP", best="high", note="Average precision over what the top holds.", key="map"),
            Column("AvgRec", best="high", note="The mean of AC1 over every k.", key="avgrec"),
            Column("Questions", "count", key="questions"),
        ),
        [(name, one.mrr, one.map, one.avgrec, one.queries) for name, one in tables.items()],
    )


def _at_k(tables: Mapping[str, CqaTable]) -> Table:
    """Return one row per k, the systems side by side; a single one has its name in the title alone."""
    alone = "".join(tables) if len(tables) == 1 else ""
    columns = [Column("k", "count")]
    data: list[Cells] = [list(range(1, len(next(iter(tables.values())).rec1) + 1))]
    for name, one in tables.items():
        data += [one.rec1.tolist(), one.acc.tolist(), one.ac1.tolist(), one.ac2.tolist()]
        columns += [
            Column(
                title if alone else f"{title} {name}", "count" if title == "AC2" else "number", 2, note=note
            )
            for title, note in COLUMNS
        ]
    title = f"{alone or 'Question answering'} at each k"
    return Table("cqa-at-k", title, tuple(columns), tuple(data))
