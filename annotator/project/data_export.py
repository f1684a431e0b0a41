"""A project handed to other programs: as a file of any known format, whole or not at all."""

import sqlite3
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar, overload

import numpy as np

from annotator.errors import UserError
from annotator.evaluation.conventions_text import practice_left_out
from annotator.evaluation.options import Options
from annotator.formats import grade_rules
from annotator.formats.beside import say_beside
from annotator.formats.declaration import Part, Writing
from annotator.formats.merged_datasets import Documents
from annotator.formats.registry import FORMATS, format_named
from annotator.project import answer_parts, text_twin
from annotator.project.project import Project
from annotator.project.state import qrels_of, state_of
from annotator.project.stored_values import gold_list
from annotator.project.written_from import written_from
from annotator.records import Dataset, JudgmentTable, RunTable
from annotator.storage.reads import arrays, holdings, lookup
from annotator.storage.reads.states import State
from annotator.tasks import PREFERENCE, RATING, settling
from annotator.watch import UNWATCHED, Watch

Content = TypeVar("Content")


@dataclass(frozen=True, slots=True)
class ExportChoices:
    """What the user says beside format and file.

    `options` combine the annotators; `systems` narrow the runs; `grades` is the rule that the grades were
    imported by, turned back; `for_spreadsheets` guards cells that a spreadsheet would take for a formula;
    `only` keeps all other queries out, though not their documents; the text twin alone names people, if
    `named`.
    """

    options: Options = field(default_factory=Options)
    systems: tuple[str, ...] = ()
    grades: str | None = None
    for_spreadsheets: bool = False
    only: Container[str] | None = None
    named: bool = True


@dataclass(frozen=True, slots=True)
class Target:
    """What can be written: a format, or the text twin, which is `whole`.

    Of a format are told the `parts` that stand in a file, and whether it `guards` cells for spreadsheets.
    """

    key: str
    title: str
    ending: str = ""
    folder: bool = False
    whole: bool = False
    parts: frozenset[Part] = frozenset()
    guards: bool = False


ALSO = {"aspects": RATING, "preferences": PREFERENCE}
"""What no format holds, and what is said there."""

BESIDE = "Only plain text of everything holds the rest, such as who judged what, settings and the history."
"""What is said of every format: none holds all of a project."""

UNNAMED = "The names of people are left out; they are called annotator 1, 2 and so on."

NOTHING_LOST = "Nothing of the project would be lost."
"""What is said where no sentence says what would be lost: of the text twin with its names alone."""

TWIN = Target("text", "Plain text of everything", folder=True, whole=True)


def targets() -> list[Target]:
    """Return every format that can be written, by title, and the text twin."""
    return [
        *(
            Target(
                one.key,
                one.title,
                "" if one.folder else next(iter(one.extensions), ""),
                one.folder,
                parts=one.written,
                guards=one.guards,
            )
            for one in sorted(FORMATS.values(), key=lambda one: one.title.casefold())
        ),
        TWIN,
    ]


def to_folder(key: str) -> bool:
    """Say whether a format is written as a folder; raises UserError for a format that is none."""
    return key == TWIN.key or format_named(key).folder


def export(
    project: Project,
    key: str,
    path: Path,
    choices: ExportChoices,
    watch: Watch = UNWATCHED,
) -> list[str]:
    """Write what a format can hold, and return in sentences what it cannot and what else is to be said.

    Beside it is said from which ledger head it is; plain text of everything holds the ledger itself. Raises
    DamagedError when the project does not match its own hashes, UserError for what cannot be written or has
    nothing to write, and Stopped; the file is then what it was.
    """
    if key == TWIN.key:
        text_twin.dump(project, path, choices.named, watch)
        return _unnamed(choices)
    watch = watch.saying(text_twin.STOPPED)
    state = state_of(project, choices.options, watch)
    told = write(state, key, path, choices, watch)
    say_beside(path, [written_from(project, state.head)])
    return [*told, BESIDE]


def write(state: State, key: str, path: Path, choices: ExportChoices, watch: Watch = UNWATCHED) -> list[str]:
    """Write what a format can hold of one state, and return in sentences what it cannot."""

    def step(written: int) -> None:
        watch.step(0, 0, f"Writing, {written / 1e6:.0f} MB")

    layout = format_named(key)
    with state.rows() as db:
        dataset = dataset_of(state, db, choices, lambda: step(0))
        short = replace(dataset, runs=first_places(dataset.runs))
        if nothing := layout.nothing(short):
            raise UserError(nothing)
        writing = Writing(choices.for_spreadsheets, step)
        layout.write(dataset, path, writing)
        return [*writing.notes, *_left_out(state), *layout.losses(short)]


def outlook(project: Project, key: str, choices: ExportChoices) -> tuple[list[str], list[str]]:
    """Return in words what would be written, and in sentences what a format cannot hold of this project."""
    if key == TWIN.key:
        return ["everything, with its history"], _unnamed(choices)
    layout = format_named(key)
    state = state_of(project, choices.options)
    with state.rows() as db:
        dataset = dataset_of(state, db, choices)
        short = replace(dataset, runs=first_places(dataset.runs))
        return layout.held(short), [*_left_out(state), *layout.losses(short), BESIDE]


def _unnamed(choices: ExportChoices) -> list[str]:
    return [] if choices.named else [UNNAMED]


def _left_out(state: State) -> list[str]:
    return [practice_left_out(len(state.practice))] if state.practice else []


def first_places(runs: Sequence[RunTable]) -> list[RunTable]:
    """Return of each run of a project what shows what of it would be lost.

    That is the first place; of predicted answers, and of scores that need not give the order, all places.
    """
    assert isinstance(runs, Runs)
    firsts = []
    for number, run in enumerate(runs.found):
        key, candidates, ranks, scores = next(arrays.rankings(runs.db, run.key))
        ids = lookup.candidate_ids(runs.db, candidates[:1].tolist())
        at, score = np.zeros(1, np.int32), None if np.isnan(scores[0]) else scores[:1]
        answers = ids[0].startswith("answer:")
        if answers or (score is not None and run.order_rule == "given"):
            firsts.append(runs[number])
            continue
        rank = ranks[:1].astype(np.int32)
        firsts.append(RunTable(run.name, [str(key)], ids, at, at, rank, score, ids_of_answers=answers))
    return firsts


def dataset_of(
    state: State, db: sqlite3.Connection, choices: ExportChoices, step: Callable[[], None] | None = None
) -> Dataset:
    """Return what a state holds; documents and runs are read when they are asked for.

    `step` is called while a run is read; it may raise.
    """
    only = choices.only
    ids = {key: query.id for key, query in state.queries.items() if only is None or query.id in only}
    only = frozenset(ids.values()) if state.practice else only
    runs = [one for one in state.runs if not choices.systems or one.name in choices.systems]
    missing = set(choices.systems) - {one.name for one in runs}
    if missing:
        raise UserError(f"There is no system called {', '.join(sorted(missing))} here.")
    there = holdings.has_documents(db)
    return Dataset(
        queries=[query for key, query in state.queries.items() if key in ids],
        documents=Documents(lambda: as_it_was(state, db, holdings.documents(db))) if there else (),
        answers=[
            one for one in as_it_was(state, db, holdings.answers(db)) if only is None or one.query_id in only
        ],
        gold=[gold_list(ids[key], value) for key, value in state.gold.items() if key in ids],
        runs=Runs(state, db, runs, only, step),
        judgments=judgments_of(state, db, ids, choices),
        said=[*answer_parts.stored(state, db, choices.options, ids)],
        also=frozenset(
            name for name, task in ALSO.items() if {task.name, settling(task).name} & state.said.keys()
        ),
    )


def as_it_was(state: State, db: sqlite3.Connection, contents: Iterable[Content]) -> Iterator[Content]:
    """Yield contents; raises ProjectError behind them when an import may have changed some since."""
    yield from contents
    state.refuse_imported(db)


def judgments_of(
    state: State, db: sqlite3.Connection, ids: Mapping[int, str], choices: ExportChoices
) -> JudgmentTable | None:
    """Return the judgments as the evaluator sees them, in the numbers of the file they came from."""
    qrels = qrels_of(state, choices.options)
    kept = np.isin(qrels.pairs.query, list(ids))
    if not kept.any():
        return None
    query_keys, query = np.unique(qrels.pairs.query[kept], return_inverse=True)
    candidate_keys, candidate = np.unique(qrels.pairs.candidate[kept], return_inverse=True)
    grade = qrels.grade[kept]
    if choices.grades is not None:
        grade = grade_rules.parse(choices.grades).back(grade)
    models = {name for _, name, kind, *_ in state.annotators if kind == "model"}
    alone = choices.options.annotator or ""
    return JudgmentTable(
        query_ids=[ids[key] for key in query_keys.tolist()],
        candidate_ids=lookup.candidate_ids(db, candidate_keys.tolist()),
        query=query.astype(np.int32),
        candidate=candidate.astype(np.int32),
        grade=grade,
        source="project",
        model=alone.removeprefix("model:") if alone in models else "",
    )


@dataclass(frozen=True, slots=True)
class Runs(Sequence[RunTable]):
    """A state's runs, each read when it is asked for."""

    state: State
    db: sqlite3.Connection
    found: Sequence[holdings.StoredRun]
    only: Container[str] | None = None
    step: Callable[[], None] | None = None

    def __len__(self) -> int:
        return len(self.found)

    @overload
    def __getitem__(self, at: int) -> RunTable: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[RunTable]: ...

    def __getitem__(self, at: int | slice) -> RunTable | Sequence[RunTable]:
        """Read one run, or stand for some."""
        if isinstance(at, slice):
            return replace(self, found=self.found[at])
        with self.state.unless_withdrawn(self.db):
            table = arrays.run_table(self.db, self.found[at], self.step)
        if self.only is not None:
            kept = np.array([one in self.only for one in table.query_ids], dtype=bool)[table.query]
            columns = {name: getattr(table, name)[kept] for name in ("query", "candidate", "rank")}
            table = replace(table, score=None if table.score is None else table.score[kept], **columns)
        return replace(table, ids_of_answers=all(one.startswith("answer:") for one in table.candidate_ids))
