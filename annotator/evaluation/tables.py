"""From columns of ids, grades and scores to a `Collection`: what dicts and DataFrames are evaluated through.

Ids may be strings or whole numbers; a mixture is compared as strings. A run's order is trec_eval's: score
descending, then id descending by UTF-8 bytes.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotator import ranking_order
from annotator.errors import UserError
from annotator.evaluation.evaluator import Collection, SystemRows
from annotator.evaluation.judged_rows import join
from annotator.metrics.collection import Ranked
from annotator.metrics.ties import count_tied, find

Ids = NDArray[Any]
"""A column of ids: int64, or objects that are strings."""


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Three columns of equal length: query ids, candidate ids, and a grade or a score each."""

    query: Ids
    candidate: Ids
    value: NDArray[np.float64] | NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """The qrels as codes: `query` and `candidate` say where the ids of a pair stand, pairs ascending."""

    query_ids: Ids
    candidate_ids: Ids
    query: NDArray[np.int64]
    candidate: NDArray[np.int64]
    grade: NDArray[np.int32]

    def beside(self, ids: Ids) -> tuple[NDArray[np.int64], int, NDArray[np.int64], NDArray[np.int32]]:
        """Return a run's candidates as numbers, a limit above them, and the pairs about them with grades.

        A pair is query * limit + number; pairs ascend. Whole numbers that are small enough stay themselves.
        """
        if ids.dtype != object and len(ids) and len(self.candidate_ids):
            limit = max(int(ids.max()), int(self.candidate_ids[-1])) + 1
            if min(int(ids.min()), int(self.candidate_ids[0])) >= 0 and limit * len(self.query_ids) < 1 << 62:
                return ids, limit, self.query * limit + self.candidate_ids[self.candidate], self.grade
        distinct, number = _codes(ids)
        place = _positions(distinct, self.candidate_ids)[self.candidate]
        kept = np.flatnonzero(place >= 0)
        pair = self.query[kept] * len(distinct) + place[kept]
        order = np.argsort(pair)
        return number, len(distinct), pair[order], self.grade[kept[order]]


def collect(qrels: Rows, runs: Mapping[str, Rows]) -> Collection:
    """Return the collection of some qrels and named runs.

    Raises UserError for qrels without a row, a pair judged or ranked twice and scores that are not finite,
    UnicodeEncodeError for an id or a name with half a surrogate pair.
    """
    if not len(qrels.query):
        raise UserError("The qrels judge nothing; give at least one judgment.")
    textual = any(column.dtype == object for rows in (qrels, *runs.values()) for column in _ids(rows))
    if textual:
        qrels, runs = _as_text(qrels), {name: _as_text(rows) for name, rows in runs.items()}
    judged = _judged(qrels)
    left_out: dict[str, None] = {}
    systems = []
    for name, rows in runs.items():
        system, unknown = _system(name, judged, rows)
        systems.append(system)
        left_out.update(dict.fromkeys(str(one) for one in unknown))
    _refuse_halves((*runs, *left_out))
    return Collection(
        query_ids=tuple(str(one) for one in judged.query_ids.tolist()),
        systems=tuple(systems),
        left_out=tuple((query, "it has no judgments") for query in left_out),
        names=partial(_names, qrels, runs),
    )


def _names(
    qrels: Rows, runs: Mapping[str, Rows], system: str, query: str
) -> tuple[list[str], dict[str, int]]:
    """Return the candidates of one query in a run's order, and the grade of each judged one."""
    judged, ranked = _of_query(qrels, query), _of_query(runs[system], query)
    of_one = np.zeros(len(ranked.value), np.int64)
    order, _ = _ordered(of_one, ranked.value.astype(np.float64), ranked.candidate)
    names = ranked.candidate[order]
    grades = zip(map(str, judged.candidate.tolist()), judged.value.tolist(), strict=True)
    return [str(one) for one in names.tolist()], dict(grades)


def _of_query(rows: Rows, query: str) -> Rows:
    at = np.flatnonzero(np.array([str(one) == query for one in rows.query.tolist()], dtype=bool))
    return Rows(rows.query[at], rows.candidate[at], rows.value[at])


def _judged(qrels: Rows) -> Judged:
    query_ids, query = _codes(qrels.query)
    candidate_ids, candidate = _codes(qrels.candidate)
    scale = np.iinfo(np.int32)
    grade = np.clip(qrels.value, scale.min, scale.max).astype(np.int32)
    if (grade != qrels.value).any():
        at = np.flatnonzero(grade != qrels.value)[0]
        raise UserError(
            f"The qrels give {qrels.candidate[at]} of query {qrels.query[at]} the grade {qrels.value[at]}, "
            "which is out of any scale; check the column."
        )
    key = query * len(candidate_ids) + candidate
    if (key[1:] <= key[:-1]).any():
        order = np.argsort(key)
        twice = np.flatnonzero(key[order[1:]] == key[order[:-1]])
        if len(twice):
            at = order[twice[0]]
            pair = f"{qrels.candidate[at]} twice for query {qrels.query[at]}"
            raise UserError(f"The qrels judge {pair}; keep one of the two rows.")
        query, candidate, grade = query[order], candidate[order], grade[order]
    return Judged(query_ids, candidate_ids, query, candidate, grade)


def _system(name: str, judged: Judged, rows: Rows) -> tuple[SystemRows, list[object]]:
    """Return one system's judged hits, and the ids of queries that nobody judged."""
    score, candidate = rows.value.astype(np.float64, copy=False), rows.candidate
    query, bounds, unknown = _rankings(judged.query_ids, rows.query)
    if (query < 0).any():
        keep = np.repeat(query >= 0, np.diff(bounds))
        score, candidate = _finite(name, rows, score)[keep], candidate[keep]
        lengths = np.diff(bounds)[query >= 0]
        query, bounds = query[query >= 0], np.concatenate(([0], np.cumsum(lengths)))
    ties = None
    tied = np.zeros(len(judged.query_ids), dtype=np.int64)
    if _in_order(query, bounds, score):
        _finite(name, rows, score[np.concatenate((bounds[:-1], bounds[1:] - 1))])
    else:
        each = np.repeat(query, np.diff(bounds))
        order, shares = _ordered(each, _finite(name, rows, score), candidate)
        each, candidate = each[order], candidate[order]
        query, bounds = _runs(each)
        if shares.any():
            ties = find(each, score[order])
            tied = count_tied(each, ties, len(tied))
    retrieved = np.zeros(len(tied), dtype=np.int64)
    retrieved[query] = np.diff(bounds)
    number, limit, pair, grade = judged.beside(candidate)
    hits, at, twice = join(query, bounds, number, limit, pair)
    if twice is not None:
        query_id = judged.query_ids[query[np.searchsorted(bounds, twice, "right") - 1]]
        raise UserError(
            f"{name} ranks {candidate[twice]} twice for query {query_id}; keep its best place only."
        )
    first = np.zeros(len(tied), dtype=np.int64)
    first[query] = bounds[:-1]
    of = pair[at] // limit
    ranked = Ranked.build(
        query=of,
        rank=(hits - first[of] + 1).astype(np.int32),
        grade=grade[at],
        retrieved=retrieved,
        judged_query=judged.query,
        judged_grade=judged.grade,
    )
    return SystemRows(name, ranked, tied=tied, ties=None if ties is None else ties.at(hits)), unknown


def _rankings(known: Ids, ids: Ids) -> tuple[NDArray[np.int64], NDArray[np.int64], list[object]]:
    """Return the query (-1: nobody judged it) the bounds of every stretch of rows, and unjudged ids."""
    if ids.dtype == object:
        each = _positions(known, ids)
        return *_runs(each), list(dict.fromkeys(ids[each < 0].tolist()))
    of_run, bounds = _runs(ids)
    query = _places_of(known, of_run)
    return query, bounds, list(dict.fromkeys(of_run[query < 0].tolist()))


def _runs(values: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the value and the bounds of every stretch of equal values."""
    starts = np.concatenate(([0] * (len(values) > 0), np.flatnonzero(values[1:] != values[:-1]) + 1)).astype(
        np.int64
    )
    return values[starts], np.append(starts, len(values))


def _in_order(query: NDArray[np.int64], bounds: NDArray[np.int64], score: NDArray[np.float64]) -> bool:
    """Say whether the queries ascend and in each the scores descend, none tied."""
    falls = score[1:] < score[:-1]
    falls[bounds[1:-1] - 1] = True
    return bool((query[1:] > query[:-1]).all() and falls.all())


def _finite(name: str, rows: Rows, score: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the scores, some of the rows'; raises UserError when one is not finite."""
    if not np.isfinite(score).all():
        at = np.flatnonzero(~np.isfinite(rows.value))[0]
        raise UserError(
            f"{name} scores {rows.candidate[at]} of query {rows.query[at]} with {rows.value[at]}, which is "
            "no finite number; mend or leave out that row."
        )
    return score


def _ordered(
    query: NDArray[np.int64], score: NDArray[np.float64], candidate: Ids
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the order of rows, and which rows of it are tied with the row above."""

    def falling_ids(rows: NDArray[np.int64]) -> NDArray[np.int64]:
        names = [str(one).encode("utf-8", "surrogatepass") for one in candidate[rows].tolist()]
        place = {name: at for at, name in enumerate(sorted(set(names), reverse=True))}
        return np.array([place[name] for name in names], np.int64)

    return ranking_order.ranked(query, score, falling_ids)


def _codes(ids: Ids) -> tuple[Ids, NDArray[np.int64]]:
    """Return the distinct ids (texts in their first order, numbers ascending) and each row's place."""
    if ids.dtype != object:
        return _number_codes(ids)
    import pandas

    code, distinct = pandas.factorize(ids)
    _refuse_halves(distinct)
    return np.asarray(distinct, dtype=object), code.astype(np.int64)


def _refuse_halves(texts: Iterable[str]) -> None:
    """Raise UnicodeEncodeError for half a surrogate pair, which not every pandas refuses."""
    "".join(texts).encode()


def _number_codes(ids: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    if not len(ids) or not _close_together(ids):
        distinct, code = np.unique(ids, return_inverse=True)
        return distinct, code.astype(np.int64)
    lowest = int(ids.min())
    present = np.zeros(int(ids.max()) - lowest + 1, dtype=bool)
    present[ids - lowest] = True
    distinct = np.flatnonzero(present)
    place = np.zeros(len(present), dtype=np.int64)
    place[distinct] = np.arange(len(distinct))
    return distinct + lowest, place[ids - lowest]


def _places_of(known: NDArray[np.int64], numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return where each number stands in an ascending list of distinct ones, -1 where it does not.

    By a table where the numbers lie close together, which is several times faster than bisection.
    """
    if not len(known) or not len(numbers):
        return np.full(len(numbers), -1, dtype=np.int64)
    if not _close_together(known):
        at = np.minimum(np.searchsorted(known, numbers), len(known) - 1)
        return np.where(known[at] == numbers, at, -1)
    lowest, highest = int(known[0]), int(known[-1])
    table = np.full(highest - lowest + 2, -1, dtype=np.int32)
    table[known - lowest] = np.arange(len(known))
    if int(numbers.min()) < lowest or int(numbers.max()) > highest:
        numbers = np.where((numbers < lowest) | (numbers > highest), highest + 1, numbers)
    return table[numbers - lowest].astype(np.int64)


def _close_together(numbers: NDArray[np.int64]) -> bool:
    """Say whether a table over the numbers' whole range is small beside the numbers."""
    return int(numbers.max()) - int(numbers.min()) <= 8 * len(numbers) + 1_000_000


def _positions(known: Ids, ids: Ids) -> NDArray[np.int64]:
    """Return where each id stands among the known ones, -1 where it does not."""
    if ids.dtype != object:
        return _places_of(known, ids)
    import pandas

    return np.asarray(pandas.Index(known, dtype=object).get_indexer(pandas.Index(ids)), dtype=np.int64)


def _ids(rows: Rows) -> tuple[Ids, Ids]:
    return rows.query, rows.candidate


def _as_text(rows: Rows) -> Rows:
    return Rows(_text(rows.query), _text(rows.candidate), rows.value)


def _text(ids: Ids) -> NDArray[np.object_]:
    if ids.dtype == object and all(type(one) is str for one in ids):
        return ids
    return np.array([str(one) for one in ids.tolist()], dtype=object)
