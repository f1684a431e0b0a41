"""Any number of copies of a project that people grade, settle, merge, dump and load by clocks that are wrong.

The model knows no ledger: a copy is the set of what was said in it or came by merging, and each saying knows
which others of the same matter its speaker had before them. What counts is one that no other knew of.
"""

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from annotator.errors import ProjectError
from annotator.evaluation.options import Options
from annotator.project import data_import, history, judging, maintenance, text_twin
from annotator.project.adjudication import adjudicate
from annotator.project.data_import import ImportChoices
from annotator.project.project import Project
from annotator.project.state import state_of
from annotator.records import Dataset, Document, Query
from annotator.storage.care import integrity
from annotator.storage.ledger import events
from annotator.storage.reads import lookup
from tests.project.conftest import add
from tests.project.test_clocks import MINUTE, START, at

Key = tuple[str, int]
"""Who said it (nobody for what is settled), and of which candidate."""

WHO = st.sampled_from(["Ana", "Ben"])
ONE = st.integers(1, 3)
GRADES = st.integers(0, 5)


@dataclass(frozen=True, slots=True)
class Saying:
    """One grade, or none, with the minute it was said by the clock, and the sayings that it goes beyond."""

    key: Key
    grade: int | None
    minute: int
    knew: frozenset["Saying"]
    number: int


@dataclass(slots=True)
class Copy:
    """What the model knows of one copy; an import's saying is withdrawn where its key is among those."""

    path: Path
    said: set[Saying] = field(default_factory=set)
    withdrawn: set[Key] = field(default_factory=set)

    def may_count(self, until: float = np.inf) -> dict[Key, set[int | None]]:
        """Return what may count of each matter: whatever no other saying of that time knew of."""
        known = [one for one in self.said if one.minute <= until and one.key not in self.withdrawn]
        passed = {old for one in known for old in one.knew}
        found: dict[Key, set[int | None]] = {}
        for one in known:
            if one not in passed:
                found.setdefault(one.key, set()).add(one.grade)
        return found


def counts(project: Project, as_of: str = "") -> dict[Key, int]:
    """Return what counts in a project."""
    state = state_of(project, Options(as_of=as_of))
    names = {key: name for key, name, *_ in state.annotators}
    judged, (pairs, grades) = state.judged, state.settled
    with state.rows() as db:
        ids = [lookup.candidate_ids(db, one.tolist()) for one in (judged.candidate, pairs.candidate)]
    who = [names[key] for key in judged.annotator.tolist()]
    rows = [*zip(who, ids[0], judged.grade.tolist(), strict=True)]
    rows += [("", name, grade) for name, grade in zip(ids[1], grades.tolist(), strict=True)]
    return {(name, int(candidate[1:])): grade for name, candidate, grade in rows if grade >= 0}


class Copies(RuleBasedStateMachine):
    """Steps in copies of one project, each with the clock of its moment."""

    copies = Bundle("copies")

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(mkdtemp(dir=os.environ["HOME"]))
        self.number = 0
        self.minute = 0
        self.patch = pytest.MonkeyPatch()
        self.patch.setattr(events, "now", lambda: START + self.minute * MINUTE)

    def teardown(self) -> None:
        self.patch.undo()
        shutil.rmtree(self.folder)

    def new_path(self) -> Path:
        self.number += 1
        return self.folder / f"copy{self.number}.annot"

    def say(self, copy: Copy, key: Key, grade: int | None) -> None:
        self.number += 1
        knew = frozenset(one for one in copy.said if one.key == key)
        copy.said.add(Saying(key, grade, self.minute, knew, self.number))

    def check(self, copy: Copy, project: Project) -> None:
        """Hold a project against the model, in the present and at a moment."""
        for as_of, until in (("", np.inf), (at(5), 5)):
            found, may = counts(project, as_of), copy.may_count(until)
            if as_of:  # what an import brought is not there at any time once it is taken back
                found, may = (
                    {key: one for key, one in each.items() if not key[0].startswith("imported")}
                    for each in (found, may)
                )
            assert found.keys() <= may.keys()
            assert all(found.get(key) in grades for key, grades in may.items())
        assert integrity.check(project.store.db) == []

    @initialize(target=copies)
    def begin(self) -> Copy:
        copy = Copy(self.new_path())
        with Project.create(copy.path, "Copies", "Ana") as project:
            documents = [Document(f"d{number}", "", "ducks") for number in range(1, 4)]
            add(project, Dataset(queries=[Query("q1", "ducks")], documents=documents))
        return copy

    @rule(minute=st.integers(0, 9))
    def clock_jumps(self, minute: int) -> None:
        self.minute = minute

    @rule(target=copies, copy=copies)
    def copied(self, copy: Copy) -> Copy:
        other = Copy(self.new_path(), set(copy.said), set(copy.withdrawn))
        with Project.open(copy.path, read_only=True) as project:
            maintenance.save_copy(project, other.path)
        return other

    @rule(copy=copies, who=WHO, one=ONE, grade=GRADES, undone=st.integers(0, 2))
    def grade(self, copy: Copy, who: str, one: int, grade: int, undone: int) -> None:
        """Grade, maybe undo that, and maybe redo it."""
        with Project.open(copy.path, who) as project:
            before = counts(project).get((who, one))
            judging.set_grade(project, 1, one, grade)
            if grade != before:
                self.say(copy, (who, one), grade)
                for verb, value in ((history.undo, before), (history.redo, grade))[:undone]:
                    verb(project)
                    self.say(copy, (who, one), value)
            self.check(copy, project)

    @rule(copy=copies, who=WHO, one=ONE, grade=GRADES)
    def settle(self, copy: Copy, who: str, one: int, grade: int) -> None:
        with Project.open(copy.path, who) as project:
            before = counts(project).get(("", one))
            adjudicate(project, 1, one, grade, "")
            if grade != before:
                self.say(copy, ("", one), grade)
            self.check(copy, project)

    @rule(copy=copies, one=ONE, grade=GRADES)
    def imported(self, copy: Copy, one: int, grade: int) -> None:
        self.number += 1
        name, file = f"imported:{self.number}", self.folder / f"{self.number}.qrels"
        file.write_text(f"q1 0 d{one} {grade}\n")
        with Project.open(copy.path, "Ana") as project:
            choices = ImportChoices(annotator=name)
            data_import.run_import(project, data_import.plan_import(project, [file], choices))
            self.say(copy, (name, one), grade)
            self.check(copy, project)

    @rule(copy=copies)
    def withdraw(self, copy: Copy) -> None:
        with Project.open(copy.path, "Ben") as project:
            for one in maintenance.imports(project):
                if one.in_force and one.annotator.startswith("imported"):
                    maintenance.withdraw(project, one.identity)
                    copy.withdrawn |= {said.key for said in copy.said if said.key[0] == one.annotator}
                    break
            self.check(copy, project)

    @rule(target=copies, first=copies, second=copies)
    def merge(self, first: Copy, second: Copy) -> Copy:
        """Merge in both orders, which gives the same."""
        both = Copy(self.new_path(), first.said | second.said, first.withdrawn | second.withdrawn)
        maintenance.merge(first.path, second.path, both.path)
        other = self.new_path()
        maintenance.merge(second.path, first.path, other)
        assert maintenance.head_of(both.path) == maintenance.head_of(other)
        with Project.open(both.path, read_only=True) as project, Project.open(other, read_only=True) as same:
            self.check(both, project)
            assert counts(project) == counts(same)
        return both

    @rule(target=copies, copy=copies)
    def through_text(self, copy: Copy) -> Copy:
        loaded = Copy(self.new_path(), set(copy.said), set(copy.withdrawn))
        with Project.open(copy.path, read_only=True) as project:
            digest = text_twin.dump(project, loaded.path.with_suffix(".text"))
        with text_twin.load(loaded.path.with_suffix(".text"), loaded.path) as project:
            self.check(loaded, project)
            assert text_twin.dump(project, loaded.path.with_suffix(".again")) == digest
        return loaded

    @rule(copy=copies, other=copies, one=ONE, grade=GRADES)
    def swapped_while_open(self, copy: Copy, other: Copy, one: int, grade: int) -> None:
        """Put another copy in the place of one that is open: nothing goes into it."""
        with Project.open(copy.path, "Ana") as project:
            new = self.new_path()
            shutil.copy(other.path, new)
            os.replace(new, copy.path)
            with pytest.raises(ProjectError, match="stored nowhere"):
                adjudicate(project, 1, one, grade, f"{self.number}")
        copy.said, copy.withdrawn = set(other.said), set(other.withdrawn)
        with Project.open(copy.path, read_only=True) as project:
            self.check(copy, project)


def test_whatever_is_done_in_copies_what_counts_is_what_was_said_last_knowing_the_rest(
    count: Callable[[int, int], int],
) -> None:
    run_state_machine_as_test(
        Copies,
        settings=settings(max_examples=count(6, 300), stateful_step_count=count(12, 30), deadline=None),
    )
