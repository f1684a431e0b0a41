"""Several files' contents as one dataset."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import length_hint

import numpy as np

from annotator.errors import UserError
from annotator.records import Dataset, Document, JudgmentTable


@dataclass(frozen=True, slots=True)
class Documents:
    """Documents that are read anew each time they are gone through."""

    read: Callable[[], Iterable[Document]]
    items: int = 0

    def __length_hint__(self) -> int:
        return self.items

    def __iter__(self) -> Iterator[Document]:
        return iter(self.read())


def join(datasets: Sequence[Dataset]) -> Dataset:
    """Return the datasets together, in their order; documents stay unread until they are asked for."""
    if len(datasets) == 1:
        return datasets[0]
    documents = tuple(one.documents for one in datasets if one.documents != ())
    known = sum(map(length_hint, documents))
    return Dataset(
        queries=[query for one in datasets for query in one.queries],
        documents=Documents(lambda: chain.from_iterable(documents), known) if documents else (),
        answers=[answer for one in datasets for answer in one.answers],
        gold=[gold for one in datasets for gold in one.gold],
        runs=[run for one in datasets for run in one.runs],
        long_runs=[run for one in datasets for run in one.long_runs],
        judgments=_joined_judgments([one.judgments for one in datasets if one.judgments is not None]),
        notes=tuple(note for one in datasets for note in one.notes),
        people=_joined_people([one.people for one in datasets]),
        said=[said for one in datasets for said in one.said],
    )


def _joined_people(files: Sequence[Mapping[str, JudgmentTable]]) -> dict[str, JudgmentTable]:
    """Return the judgments of each person in all files; raises UserError for a pair judged in two of them."""
    names = dict.fromkeys(name for people in files for name in people)
    tables = {name: [people[name] for people in files if name in people] for name in names}
    joined = {name: _joined_judgments(given) for name, given in tables.items()}
    return {name: table for name, table in joined.items() if table is not None}


def _joined_judgments(tables: Sequence[JudgmentTable]) -> JudgmentTable | None:
    """Return judgments of several files as one table; raises UserError when two judge the same pair."""
    if len(tables) < 2:
        return tables[0] if tables else None
    queries: dict[str, int] = {}
    candidates: dict[str, int] = {}
    query, candidate = [], []
    for table in tables:
        query.append(_recoded(table.query_ids, table.query, queries))
        candidate.append(_recoded(table.candidate_ids, table.candidate, candidates))
    joined = JudgmentTable(
        query_ids=list(queries),
        candidate_ids=list(candidates),
        query=np.concatenate(query),
        candidate=np.concatenate(candidate),
        grade=np.concatenate([table.grade for table in tables]),
        source=", ".join(table.source for table in tables),
        model=tables[0].model if len({table.model for table in tables}) == 1 else "",
    )
    pairs = joined.query.astype(np.int64) * len(candidates) + joined.candidate
    values, counts = np.unique(pairs, return_counts=True)
    if (counts > 1).any():
        at = divmod(int(values[counts > 1][0]), len(candidates))
        pair = f"{joined.candidate_ids[at[1]]!r} for query {joined.query_ids[at[0]]!r}"
        raise UserError(
            f"{joined.source}: both judge {pair}. Import them one by one, each under its annotator's name."
        )
    return joined


def _recoded(
    ids: Sequence[str], codes: "np.ndarray[tuple[int], np.dtype[np.int32]]", places: dict[str, int]
) -> "np.ndarray[tuple[int], np.dtype[np.int32]]":
    """Return codes into `places` for codes into `ids`; `places` grows by the ids it lacks."""
    new = np.array([places.setdefault(one, len(places)) for one in ids], dtype=np.int32)
    return new[codes] if len(new) else codes
