"""Dict JSON, as pytrec_eval and ranx take it: query id -> candidate id -> number.

Whole numbers are grades, numbers with a point are scores; a file name that says run or qrels decides for a
file of whole numbers, and what is written where there are judgments and runs. A run is ordered as a TREC run
is.
"""

from collections.abc import Mapping
from itertools import chain
from pathlib import Path

from annotator.formats.declaration import Format, Head, Reading, Writing
from annotator.formats.rows import JudgmentRows, RunRows, replaced_scores, with_ordering_scores
from annotator.formats.strict_json import first_value, json_file, number_of, write_object
from annotator.formats.text_lines import Problems, refusal
from annotator.formats.whole_files import only_run, replacing, stem
from annotator.records import Dataset, Json

BOTH = (
    "Dict JSON holds judgments or a run: the runs are left out, or the judgments where the file's name says "
    "run, as bm25.run.json does."
)
NAMELESS = "Dict JSON has no name of a system: read again, it is called as the file is."
LAYOUT = 'holds no table of numbers: {"query": {"candidate": 1, ...}, ...}'


def recognises(head: Head) -> bool:
    """Say whether the file begins as an object of objects of numbers."""
    value = first_value(first_value(head.text))
    return value[:1].isdigit() or value[:1] == "-"


def read(path: Path, reading: Reading) -> Dataset:
    """Return judgments or one run; the system is `bm25` of `bm25.json` or `bm25.run.json` unless named."""
    problems = Problems(path)
    table = json_file(path, problems, reading)
    if not isinstance(table, dict):
        raise refusal(path, LAYOUT, 1)
    ranked = RunRows(problems, reading.system or stem(path).removesuffix(".run"))
    judged = JudgmentRows(problems)
    is_run = reading.system is not None or _is_run(path.name.lower(), table)
    for query, candidates in table.items():
        if not isinstance(candidates, dict):
            problems.add(1, f"query {query[:60]!r} has no object of candidates; {LAYOUT}")
            continue
        for candidate, number in candidates.items():
            value = number_of(number)
            if value is None:
                problems.add(1, f"{candidate[:60]!r} of query {query[:60]!r} has no number; write one")
            elif is_run:
                ranked.add(query, candidate, value, 1)
            else:
                judged.add(query, candidate, int(value), 1)
    problems.check()
    if not len(ranked) + len(judged):
        raise refusal(path, LAYOUT, 1)
    return (
        Dataset(runs=[ranked.by_score(path.name)]) if is_run else Dataset(judgments=judged.table(path.name))
    )


def _is_run(name: str, table: Mapping[str, Json]) -> bool:
    """Say whether a file is a run by its name, or by a number with a point."""
    if _says_run(name):
        return True
    inner = (one.values() for one in table.values() if isinstance(one, dict))
    return any(isinstance(number, float) for number in chain.from_iterable(inner))


def _says_run(name: str) -> bool:
    return "run" in name and "qrel" not in name


def write(dataset: Dataset, path: Path, writing: Writing) -> None:
    """Write the judgments, else one system's scores, or 1/rank where they do not give its order.

    A file whose name says run is one where there are both.
    """
    by_query: dict[str, dict[str, float | None]] = {}
    if dataset.judgments is not None and not (dataset.runs and _says_run(path.name.lower())):
        for query, candidate, grade in dataset.judged():
            by_query.setdefault(query, {})[candidate] = grade
    else:
        run = only_run(dataset, answers=any(one.ids_of_answers for one in dataset.runs))
        for query, candidate, _, score in with_ordering_scores(run).rows():
            by_query.setdefault(query, {})[candidate] = score
        if dataset.judgments is not None:
            writing.notes.extend(replaced_scores(dataset))
    with replacing(path, writing.step) as file:
        write_object(file, by_query.items())


def details(dataset: Dataset) -> list[str]:
    """Return what is lost of runs, all of it beside judgments."""
    if dataset.judgments is not None and dataset.runs:
        return [BOTH, NAMELESS]
    return [NAMELESS, *replaced_scores(dataset)] if dataset.runs else []


FORMAT = Format(
    key="dict-json",
    title="Dict JSON (pytrec_eval, ranx)",
    extensions=(".json",),
    holds=frozenset({"runs", "judgments"}),
    recognises=recognises,
    reader=read,
    writer=write,
    details=details,
    one_system=True,
    either="the judgments, or one system's ranking where the file's name says run",
)
