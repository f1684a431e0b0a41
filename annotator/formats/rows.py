"""Rows of runs and judgments collected while a file is read, and turned into columns at its end."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from annotator import ranking_order
from annotator.formats.text_lines import Problems
from annotator.records import MEAN_ID, Dataset, JudgmentTable, RunTable, id_problem


def query_id_problem(text: str) -> str | None:
    """Say what makes a text unusable as a query's id, or None when it is fine."""
    if text == MEAN_ID:
        return f"the query id {MEAN_ID!r} names the mean in exports; rename the query"
    return id_problem(text)


@dataclass(slots=True)
class Codes:
    """External ids numbered in the order of their first appearance; a bad id is named where it appears."""

    problems: Problems
    what: str
    numbers: dict[str | bytes, int] = field(default_factory=dict)
    ids: list[str] = field(default_factory=list)

    def number(self, token: str | bytes, line: int | None) -> int:
        """Return the number of an id given as text or as UTF-8."""
        known = self.numbers.get(token)
        if known is not None:
            return known
        try:
            text = token if isinstance(token, str) else token.decode("utf-8")
        except UnicodeDecodeError as error:
            text = ""
            self.problems.add(
                line, f"the byte 0x{error.object[error.start]:02X} is not UTF-8; save the file as UTF-8"
            )
        else:
            wrong = query_id_problem(text) if self.what == "query" else id_problem(text)
            if wrong:
                self.problems.add(line, wrong)
        self.numbers[token] = len(self.ids)
        self.ids.append(text)
        return len(self.ids) - 1


class _Rows:
    """Rows as they are read; a pair that comes twice is a problem of its second line."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.queries = Codes(problems, "query")
        self.candidates = Codes(problems, "candidate")
        self._query, self._candidate, self._line = array("i"), array("i"), array("q")

    def __len__(self) -> int:
        return len(self._line)

    def _pairs(self, what: str) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the columns of queries and candidates; every row that repeats an earlier pair is named."""
        query, candidate = np.array(self._query, np.int32), np.array(self._candidate, np.int32)
        pair = query.astype(np.int64) * max(len(self.candidates.ids), 1) + candidate
        order = np.argsort(pair, kind="stable")
        for at in order[1:][pair[order][1:] == pair[order][:-1]]:
            row = f"{self.candidates.ids[candidate[at]]!r} {what} for query {self.queries.ids[query[at]]!r}"
            self.problems.add(self._line[at] or None, f"{row} twice; keep one of the rows")
        self.problems.named.sort(key=lambda one: (one.line or 0, one.column or 1_000_000))
        return query, candidate


class JudgmentRows(_Rows):
    """Judgments as they are read."""

    def __init__(self, problems: Problems) -> None:
        super().__init__(problems)
        self._grade = array("q")

    def add(
        self, query: str | bytes, candidate: str | bytes, grade: int, line: int | None, word: bool = False
    ) -> None:
        """Take one judgment; `word` says that the grade stands for one, and so is beyond all numbers."""
        if not word and not -(2**31) <= grade < 2**31:
            self.problems.add(line, f"the grade {grade:.15g} is out of any scale; check the column")
            grade = 0
        self._query.append(self.queries.number(query, line))
        self._candidate.append(self.candidates.number(candidate, line))
        self._grade.append(grade)
        self._line.append(line or 0)

    def table(self, source: str) -> JudgmentTable:
        """Return the judgments as columns, in the order of the file."""
        query, candidate = self._pairs("is judged")
        grade, line = np.array(self._grade, np.int64), np.array(self._line, np.int64)
        known = line if len(line) and line.all() else None
        return JudgmentTable(self.queries.ids, self.candidates.ids, query, candidate, grade, source, known)


class RunRows(_Rows):
    """One system's rows as they are read, in any order."""

    def __init__(self, problems: Problems, system: str) -> None:
        super().__init__(problems)
        self.system = system
        self._value, self._score = array("d"), array("d")

    def add(
        self,
        query: str | bytes,
        candidate: str | bytes,
        value: float,
        line: int | None,
        score: float | None = None,
    ) -> None:
        """Take one row; `value` is its score, or its rank (then `score` may come beside it)."""
        self._query.append(self.queries.number(query, line))
        self._candidate.append(self.candidates.number(candidate, line))
        self._value.append(value)
        self._score.append(value if score is None else score)
        self._line.append(line or 0)

    def by_score(self, source: str, answers: bool = False) -> RunTable:
        """Return the rankings in the order of the scores: see `by_score`."""
        return self._table(source, "score", scored=True, answers=answers)

    def by_rank(self, source: str, scored: bool = False, answers: bool = False) -> RunTable:
        """Return the rankings in the order of the ranks that the file gives, with the scores beside them."""
        return self._table(source, "given", scored, answers)

    def _table(self, source: str, rule: Literal["score", "given"], scored: bool, answers: bool) -> RunTable:
        query, candidate = self._pairs(f"stands in {self.system}'s ranking")
        value = np.array(self._value, np.float64)
        order = by_score(query, candidate, value if rule == "score" else -value, self.candidates.ids)
        if rule == "given":
            self._name_shared_ranks(query[order], value[order], order)
        query = query[order]
        return RunTable(
            system=self.system,
            query_ids=self.queries.ids,
            candidate_ids=self.candidates.ids,
            query=query,
            candidate=candidate[order],
            rank=ranks(query),
            score=np.array(self._score, np.float64)[order] if scored else None,
            source=source,
            order_rule=rule,
            ids_of_answers=answers,
        )

    def _name_shared_ranks(
        self, query: NDArray[np.int32], rank: NDArray[np.float64], order: NDArray[np.int64]
    ) -> None:
        shared = np.flatnonzero((query[1:] == query[:-1]) & (rank[1:] == rank[:-1])) + 1
        for at in shared:
            place = f"rank {rank[at]:g} of query {self.queries.ids[query[at]]!r}"
            self.problems.add(self._line[order[at]] or None, f"{place} is taken twice; give each row its own")


def by_score(
    query: NDArray[np.int32], candidate: NDArray[np.int32], score: NDArray[np.float64], ids: Sequence[str]
) -> NDArray[np.int64]:
    """Return the order of trec_eval 10: query as numbered, score descending, then id descending."""

    def falling_ids(rows: NDArray[np.int64]) -> NDArray[np.int64]:
        codes, at = np.unique(candidate[rows], return_inverse=True)
        place = np.empty(len(codes), np.int64)
        names = [ids[code] for code in codes.tolist()]
        place[sorted(range(len(codes)), key=names.__getitem__, reverse=True)] = np.arange(len(codes))
        return place[at]

    return ranking_order.ranked(query, score, falling_ids)[0]


def with_ordering_scores(run: RunTable) -> RunTable:
    """Return a run for a file that is ordered by its scores: with 1/rank where its own give another order."""
    if run.score is not None and run.order_rule == "score":
        return run
    if run.score is not None:
        query = np.cumsum(np.diff(run.query, prepend=run.query[:1]) != 0, dtype=np.int32)
        order = by_score(query, run.candidate, run.score, run.candidate_ids)
        if (order[1:] > order[:-1]).all():
            return run
    return replace(run, score=1.0 / run.rank)


def replaced_scores(dataset: Dataset) -> list[str]:
    """Return what is lost of runs whose scores `with_ordering_scores` does not keep."""
    return [
        f"The ranks of {run.system} are not in the order of its scores: 1/rank is written instead of them."
        for run in dataset.runs
        if run.score is not None and with_ordering_scores(run) is not run
    ]


def ranks(query: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return 1, 2, 3 ... for the rows of each query; the rows of a query stand together."""
    rows = np.arange(len(query), dtype=np.int32)
    starts = np.flatnonzero(np.diff(query, prepend=-1)).astype(np.int32)
    return rows - np.repeat(starts, np.diff(starts, append=len(query))) + np.int32(1)
