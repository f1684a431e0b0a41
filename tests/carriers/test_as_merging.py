"""An exchange comes to the same as merging the copies, whatever their people did."""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from annotator.errors import UserError
from annotator.project import maintenance, sharing
from annotator.project.project import Project
from annotator.records import Answer, Dataset, Document, GoldAnswer, GoldList, JudgmentTable, Query
from annotator.storage.care import merger
from annotator.storage.content import withdrawal
from annotator.storage.content.bulk import import_dataset
from annotator.storage.content.contents import Import
from annotator.storage.ledger import undo_stack
from annotator.storage.store import Store
from tests.carriers.conftest import NewPlace
from tests.carriers.test_sharing import twin
from tests.storage.projects import fill, run_of

QUERIES, DOCUMENTS = ("q1", "q2", "q3"), ("d1", "d2", "d3", "d4")
GIVEN, IMPORTED = ("grade", "undo", "setting", "settle"), ("import", "judged", "run")
Step = tuple[str, int, int, int]

few = settings(
    max_examples=3,
    phases=(Phase.explicit, Phase.generate, Phase.shrink),
    suppress_health_check=list(HealthCheck),
)


def steps(*what: str) -> st.SearchStrategy[list[Step]]:
    """Return what one person may do before the next exchange."""
    number = st.integers(0, 3)
    return st.lists(st.tuples(st.sampled_from(what), number, number, number), max_size=5)


def do(store: Store, who: str, step: Step) -> None:
    """Let somebody do one thing, where it can be done."""
    what, first, second, third = step
    query, document = QUERIES[first % 3], DOCUMENTS[second]
    how = Import(f"{who}'s", f"{who}{third}", "import", replace=True)
    try:
        if what == "grade":
            store.record(who, "grade", (query, document), {"state": "graded", "grade": third})
        elif what == "undo":
            undo_stack.undo(store, who)
        elif what == "setting":
            store.record(who, "setting", ("about",), f"{who} {third}")
        elif what == "settle":
            store.record(who, "adjudication", (query, document), {"grade": third, "reason": ""})
        elif what == "withdraw":
            made = [event for event, in_force in withdrawal.imports(store) if in_force]
            if made:
                withdrawal.withdraw(store, made[first % len(made)].identity, who)
        else:
            import_dataset(store, brought(what, who, first, second, third), how)
    except UserError:
        pass  # such as a grade of what nobody has brought yet


def brought(what: str, who: str, first: int, second: int, third: int) -> Dataset:
    """Return what somebody imports: texts and gold answers, judgments, or a run."""
    query, document = QUERIES[first % 3], DOCUMENTS[second]
    if what == "run":
        return Dataset(runs=[run_of(f"run {third % 2}", {query: [document, f"only {who}"]})])
    if what == "judged":
        at = np.zeros(1, dtype=np.int32)
        return Dataset(judgments=JudgmentTable([query], [document], at, at, np.array([third])))
    return Dataset(
        queries=[Query(query, f"text {third}")],
        documents=[Document(document, "", f"text {third % 2}"), Document(f"{who} {third}", "", "own")],
        answers=[Answer(query, f"answer {third}")],
        gold=[GoldList(query, (GoldAnswer(f"gold {third}"),))] if second == 0 else [],
    )


@pytest.fixture
def team(new_place: NewPlace, tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Path]:
    """Return a function that makes the copies of Ana, who shared her project, and of Ben, who joined."""

    def made() -> Path:
        folder, place = tmp_path_factory.mktemp("team"), new_place()
        with Project.create(folder / "Ana.annot", "Team", annotator="Ana") as ana:
            fill(ana.store)
            sharing.share(ana, place)
        sharing.join(place, folder / "Ben.annot")
        return folder

    return made


def offline(folder: Path, steps: tuple[list[Step], list[Step]]) -> list[Project]:
    """Let Ana and Ben do some things each, and return their copies."""
    copies = [Project.open(folder / f"{who}.annot", annotator=who) for who in ("Ana", "Ben")]
    for copy, some in zip(copies, steps, strict=True):
        for step in some:
            do(copy.store, copy.annotator, step)
    return copies


def exchange(copies: list[Project]) -> None:
    """Let all exchange until everybody has everything."""
    for copy in (*copies, copies[0]):
        done = sharing.exchange(copy)
        assert (done.waiting, done.problems) == (0, ())


@few
@given(rounds=st.lists(st.tuples(steps(*GIVEN, *IMPORTED), steps(*GIVEN, *IMPORTED)), min_size=1, max_size=2))
def test_copies_that_exchanged_are_what_merging_them_gives(
    team: Callable[[], Path], rounds: list[tuple[list[Step], list[Step]]]
) -> None:
    folder = team()
    for number, done in enumerate(rounds):
        copies = offline(folder, done)
        merger.merge(copies[0].path, copies[1].path, folder / f"merged {number}.annot")
        exchange(copies)
        with Project.open(folder / f"merged {number}.annot") as merged:
            assert content(copies[0]) == content(copies[1]) == content(merged)
        for copy in copies:
            copy.close()


def content(project: Project) -> dict[str, str]:
    """Return all that a project holds as text, but for which of two imports brought the same text first."""
    twin(project)
    folder = project.path.with_suffix(".text")
    files = {one: one.read_text("utf-8") for one in folder.rglob("*.jsonl")}
    texts = {"queries.jsonl", "documents.jsonl", "answers.jsonl"}
    return {
        str(one.relative_to(folder)): re.sub(r', "import": "[^"]*"}', "}", text)
        if one.name in texts
        else text
        for one, text in files.items()
    }


@few
@given(
    rounds=st.lists(st.tuples(steps(*GIVEN, *IMPORTED, "withdraw"), steps(*GIVEN)), min_size=1, max_size=2)
)
@example([([("import", 0, 2, 1)], []), ([("withdraw", 0, 0, 0), ("import", 0, 2, 0)], [("grade", 0, 2, 2)])])
def test_what_the_lead_imports_and_takes_back_is_the_same_everywhere(
    team: Callable[[], Path], rounds: list[tuple[list[Step], list[Step]]]
) -> None:
    folder = team()
    for done in rounds:
        copies = offline(folder, done)
        exchange(copies)
        assert twin(copies[0]) == twin(copies[1])
        for copy in copies:
            copy.close()


def test_judgments_of_a_query_that_was_taken_back_meanwhile_arrive(team: Callable[[], Path]) -> None:
    folder = team()
    for done in (([("import", 2, 2, 1)], []), ([("withdraw", 0, 0, 0)], [("grade", 2, 2, 2)])):
        copies = offline(folder, done)
        exchange(copies)
        for copy in copies:
            assert maintenance.check(copy.path)[0] == ()
            copy.close()
    with Project.open(copies[0].path) as ana:
        assert ana.store.value("Ben", "grade", ("q3", "d3"))["grade"] == 2


def test_a_session_that_states_other_texts_is_left_out_until_both_went_on(team: Callable[[], Path]) -> None:
    """Ana takes back the document that Ben judges meanwhile: its text is gone in her copy, not in his."""
    folder, more, again = team(), [("grade", 1, 1, 1)], [("grade", 1, 1, 2)]
    exchange(copies := offline(folder, ([("import", 0, 2, 1)], [])))
    ana, ben = copies
    for back, judged in (
        ([("withdraw", 0, 0, 0)], [("grade", 0, 2, 2)]),
        (more, []),
        (again, []),
        ([], more),
    ):
        for copy in (ana, ben):
            copy.close()
        ana, ben = offline(folder, (back, judged))
        problems = [sharing.exchange(copy).problems for copy in (ana, ben, ana)][1]
        assert bool(problems) == (back in (more, again))
        assert bool(problems) == any("states other documents" in one for one in problems)
        assert [maintenance.check(copy.path)[0] for copy in (ana, ben)] == [(), ()]
    for copy in (ana, ben):
        copy.close()
