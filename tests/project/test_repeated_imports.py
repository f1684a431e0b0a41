"""Importing a grade again changes nothing: held against a model of copies that import, change and merge."""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from annotator.project import text_twin
from annotator.project.project import Project
from annotator.records import Dataset, Document, JudgmentTable, Query
from annotator.storage.care import integrity, merger, recovery
from annotator.storage.content import withdrawal
from annotator.storage.content.bulk import import_dataset
from annotator.storage.content.contents import Import
from annotator.storage.ledger import event_fold, events, undo_stack
from annotator.storage.ledger.events import Event, Until
from annotator.storage.store import Store
from tests.examples import examples

ME = "Dora"
DOCUMENTS = ("d1", "d2")
Place = tuple[int, str, int]
Judged = dict[str, Any]


def place_of(event: Event) -> Place:
    """Return where an event stands in every copy."""
    return event.clock, event.session, event.sequence


@dataclass
class Model:
    """What one copy holds, said without events: what was given where, and which imports say so.

    A grade that imports gave counts where the first of them gave it, as long as one of them stands; one that
    was taken back never stood. `imports` says where each begins and where it ends.
    """

    given: dict[tuple[Place, str], Judged] = field(default_factory=dict)
    saying: dict[tuple[Place, str], set[Place]] = field(default_factory=dict)
    imports: dict[Place, Place] = field(default_factory=dict)
    withdrawn: set[Place] = field(default_factory=set)

    def joined(self, *others: "Model") -> "Model":
        """Return the union of some copies."""
        both = Model()
        for one in (self, *others):
            both.given |= one.given
            both.imports |= one.imports
            both.withdrawn |= one.withdrawn
            for key, places in one.saying.items():
                both.saying[key] = both.saying.get(key, set()) | places
        return both

    def held(self, until: Place = (1 << 60, "", 0)) -> dict[str, tuple[Place, Judged]]:
        """Return what holds, and where it was given, by document."""
        now = {}
        for (place, document), value in sorted(self.given.items(), key=lambda one: one[0]):
            says = self.saying.get((place, document))
            if any(one <= until for one in (says - self.withdrawn if says is not None else {place})):
                now[document] = place, value
        return {document: held for document, held in now.items() if held[1]}

    def grade(self, event: Event | None) -> None:
        """Take over what somebody did by hand."""
        if event is not None and event.task == "grade":
            self.given[place_of(event), event.subject[1]] = plain(event.after)

    def bring(self, grades: dict[str, int], event: Event, end: Place) -> None:
        """Take over an import, which ended there."""
        held, place = self.held(), place_of(event)
        self.imports[place] = end
        for document, grade in grades.items():
            value = {"state": "graded", "grade": grade}
            if document in held and held[document][1] == value:
                if (held[document][0], document) in self.saying:
                    self.saying[held[document][0], document].add(place)
            else:
                self.given[place, document], self.saying[place, document] = value, {place}


def plain(value: Judged | None) -> Judged:
    """Return a judgment without its times."""
    return {name: part for name, part in (value or {}).items() if name not in ("time", "milliseconds")}


def in_file(store: Store) -> dict[str, Judged]:
    """Return what a file says that Dora judged, proved sound."""
    assert integrity.check(store.db) == []
    said = {document: plain(store.value(ME, "grade", ("q1", document))) for document in DOCUMENTS}
    return {document: value for document, value in said.items() if value}


def bring(store: Store, grades: dict[str, int]) -> Event:
    """Import grades of q1 as Dora's."""
    documents = np.arange(len(grades), dtype=np.int32)
    table = JudgmentTable(
        ["q1"], [*grades], np.zeros_like(documents), documents, np.array([*grades.values()]), "x.qrels"
    )
    return import_dataset(store, Dataset(judgments=table), Import(ME, "x.qrels", "person", replace=True))[0]


def last(store: Store) -> Event:
    """Return the newest event."""
    *_, event = events.all_events(store.db)
    return event


def act(store: Store, model: Model, what: str, given: Any) -> None:
    """Do one thing, in the file and in the model."""
    match what:
        case "import":
            event = bring(store, given)
            model.bring(given, event, place_of(last(store)))
        case "grade":
            document, grade = given
            value = {"state": "graded", "grade": grade}
            model.grade(store.record(ME, "grade", ("q1", document), value))
        case "flag":
            value = store.value(ME, "grade", ("q1", given)) or {}
            model.grade(store.record(ME, "grade", ("q1", given), {**value, "flag": True}))
        case "undo":
            model.grade(undo_stack.undo(store, ME))
        case "withdraw":
            late = [one for one, in_force in withdrawal.imports(store) if in_force][:-1]
            if late:
                event = late[given % len(late)]
                withdrawal.withdraw(store, event.identity, ME)
                model.withdrawn.add(place_of(event))
    assert in_file(store) == {document: value for document, (_, value) in model.held().items()}


ONE = st.sampled_from(DOCUMENTS)
GRADES = st.sampled_from([2, 4])
ACTS = st.one_of(
    st.tuples(st.just("import"), st.dictionaries(ONE, GRADES, min_size=1)),
    st.tuples(st.just("grade"), st.tuples(ONE, GRADES)),
    st.tuples(st.just("flag"), ONE),
    st.tuples(st.just("undo"), st.none()),
    st.tuples(st.just("withdraw"), st.integers(0, 3)),
)
COPY = st.integers(0, 2)
STEPS = st.lists(
    st.one_of(st.tuples(COPY, ACTS), st.tuples(COPY, ACTS), st.tuples(COPY, COPY)), min_size=3, max_size=9
)

START: list[bytes] = []


def start(path: Path) -> Path:
    """Write a project with a query and two documents, made once."""
    if not START:
        with Store.create(path) as store:
            documents = [Document(one, "", one) for one in DOCUMENTS]
            import_dataset(store, Dataset([Query("q1", "ducks")], documents), Import("imported:x", "x"))
        START.append(path.read_bytes())
    path.write_bytes(START[0])
    return path


def merged(folder: Path, number: Iterator[int], *paths: Path) -> Path:
    """Merge some files, one after the other, into a new one."""
    first, *others = paths
    for other in others:
        target = folder / f"{next(number)}.annot"
        merger.merge(first, other, target)
        first = target
    return first


def judgments(path: Path) -> list[tuple[object, ...]]:
    """Return every judgment with its time, proved sound."""
    with Store.open(path, read_only=True) as store:
        assert integrity.check(store.db) == []
        return store.db.execute(
            "SELECT name, external, state, grade, time, beside FROM judgment JOIN annotator "
            "ON annotator.id = annotator JOIN candidate ON candidate.id = candidate ORDER BY 1, 2"
        ).fetchall()


def held_until(store: Store, key: int) -> dict[str, int]:
    """Return the grades that held once the event with this key was recorded."""
    folded = event_fold.fold(store.db, Until(key))
    ids = dict(store.db.execute("SELECT id, external FROM candidate").fetchall())
    return {ids[row[2]]: row[4] for row in event_fold.judgment_rows(store.db, folded.winners) if row[3]}


AGAIN = [
    (0, ("import", {"d1": 2})),
    (1, 0),
    (0, ("grade", ("d1", 4))),
    (1, ("import", {"d1": 2, "d2": 4})),
    (1, ("import", {"d1": 2})),
]


@settings(max_examples=examples(5, 400))
@given(steps=STEPS)
@example(steps=AGAIN)
@example(steps=[*AGAIN[:4], (1, ("withdraw", 1)), (2, 1), (2, ("import", {"d1": 2}))])
def test_copies_come_to_what_was_said_first_in_whatever_order_they_merge(steps: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        numbers = iter(range(1_000))
        copies = [start(Path(folder) / f"copy{number}.annot") for number in range(3)]
        models = [Model(), Model(), Model()]
        for one, what in steps:
            if isinstance(what, int):
                if one != what:
                    copies[one] = merged(Path(folder), numbers, copies[one], copies[what])
                    models[one] = models[one].joined(models[what])
            else:
                with Store.open(copies[one]) as store:
                    act(store, models[one], *what)
        a, b, c = copies
        whole = merged(Path(folder), numbers, a, b, c)
        turned = merged(Path(folder), numbers, c, merged(Path(folder), numbers, b, a))
        model = models[0].joined(*models[1:])
        assert judgments(whole) == judgments(turned)
        with Store.open(whole) as store:
            assert in_file(store) == {document: value for document, (_, value) in model.held().items()}
            for key, event in events.history(store.db, limit=1_000):
                place = place_of(event)
                if not any(first <= place < end for first, end in model.imports.items()):
                    then = model.held(place).items()
                    graded = {one: value["grade"] for one, (_, value) in then if "grade" in value}
                    assert held_until(store, key) == graded
        recovery.recover(whole, Path(folder) / "recovered.annot")
        assert judgments(Path(folder) / "recovered.annot") == judgments(whole)
        with Project.open(whole, read_only=True) as project:
            digest = text_twin.dump(project, Path(folder) / "twin")
        with text_twin.load(Path(folder) / "twin", Path(folder) / "loaded.annot") as loaded:
            assert text_twin.dump(loaded, Path(folder) / "again") == digest
        assert judgments(Path(folder) / "loaded.annot") == judgments(whole)
