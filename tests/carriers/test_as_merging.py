"""An exchange comes to the same as merging the copies, whatever their people did."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from annotator.errors import UserError
from annotator.project import maintenance, sharing
from annotator.project.project import Project
from annotator.records import (
    AnnotatorKind,
    Answer,
    Dataset,
    Document,
    GoldAnswer,
    GoldList,
    JudgmentTable,
    Query,
    answer_id,
)
from annotator.storage.care import integrity, merger
from annotator.storage.content import withdrawal
from annotator.storage.content.bulk import import_dataset
from annotator.storage.content.contents import Import
from annotator.storage.ledger import chain, undo_stack
from annotator.storage.store import Store
from tests.carriers.conftest import NewPlace
from tests.carriers.test_sharing import twin
from tests.storage.projects import fill, run_of

PEOPLE = ("Ana", "Ben", "Cy")
QUERIES, DOCUMENTS = ("q1", "q3", "q4", "q5"), ("d1", "d3", "d4", "d5")
ANSWERS = ("Thor", "Loki")
GIVEN = ("grade", "undo", "setting", "settle", "note")
WHAT = (*GIVEN, "texts", "texts", "texts", "texts", "judged", "run", "withdraw", "withdraw", "withdraw")


def do(store: Store, who: str, random: Random) -> None:
    """Let somebody do one thing, where it can be done."""
    what, number = random.choice(WHAT), random.randrange(4)
    query = random.choice(QUERIES)
    candidate = random.choice((*DOCUMENTS, answer_id(query, random.choice(ANSWERS))))
    try:
        if what == "grade":
            store.record(who, "grade", (query, candidate), {"state": "graded", "grade": number})
        elif what == "undo":
            undo_stack.undo(store, who)
        elif what == "setting":
            store.record(who, "setting", ("about",), f"{who} {number}")
        elif what == "settle":
            store.record(who, "adjudication", (query, candidate), {"grade": number, "reason": ""})
        elif what == "note":
            store.record(who, "query", (query,), {"note": f"{number}"} if number else None)
        elif what == "withdraw":
            made = [event for event, in_force in withdrawal.imports(store) if in_force]
            if made:
                withdrawal.withdraw(store, random.choice(made).identity, who)
        else:
            whose: tuple[str, AnnotatorKind] = random.choice(((who, "person"), (f"{who}'s", "import")))
            how = Import(whose[0], f"{who}{number}", whose[1], replace=True)
            import_dataset(store, brought(what, who, random), how)
    except UserError:
        pass  # such as a grade of what nobody has brought yet


def brought(what: str, who: str, random: Random) -> Dataset:
    """Return what somebody imports: texts and gold answers, judgments, or a run."""

    def some(ids: tuple[str, ...]) -> list[str]:
        return random.sample(ids, random.randint(0, 2))

    query, number = random.choice(QUERIES), random.randrange(4)
    if what == "run":
        answers = [answer_id(query, one) for one in some(ANSWERS)] if number else []
        return Dataset(runs=[run_of(f"run {number % 2}", {query: [*some(DOCUMENTS), *answers, who]})])
    if what == "judged":
        at = np.zeros(1, dtype=np.int32)
        judged = JudgmentTable([query], [random.choice(DOCUMENTS)], at, at, np.array([number]))
        return Dataset(judgments=judged)
    return Dataset(
        queries=[Query(one, random.choice(("", "one", "two"))) for one in some(QUERIES)],
        documents=[Document(one, "", random.choice(("", "one", "two"))) for one in some(DOCUMENTS)],
        answers=[
            Answer(query, one, f"{one} came.", 0, len(one)) if random.randrange(2) else Answer(query, one)
            for one in some(ANSWERS)
        ],
        gold=[GoldList(one, (GoldAnswer(f"gold {number}"),)) for one in some(QUERIES)[:1]],
    )


Team = Callable[[], tuple[str, Path]]


@pytest.fixture
def team(new_place: NewPlace, tmp_path_factory: pytest.TempPathFactory) -> Team:
    """Return a function that makes the copies of Ana, who shared her project, and of who joined."""

    def made() -> tuple[str, Path]:
        folder, place = tmp_path_factory.mktemp("team"), new_place()
        with Project.create(folder / "Ana.annot", "Team", annotator="Ana") as ana:
            fill(ana.store)
            sharing.share(ana, place)
        for name in PEOPLE[1:]:
            sharing.join(place, folder / f"{name}.annot")
        return place, folder

    return made


def opened(folder: Path, name: str) -> Project:
    """Open somebody's copy, in a new session."""
    return Project.open(folder / f"{name}.annot", annotator=name)


def live(folder: Path, random: Random) -> None:
    """Let everybody work in their own copies, exchange, and merge each other's, as it comes."""
    for turn in range(random.randint(4, 10)):
        one, other = random.sample(PEOPLE, 2)
        with opened(folder, one) as copy:
            for _ in range(random.randint(0, 3)):
                do(copy.store, one, random)
            if random.random() < 0.4:
                exchange(copy, random)
                do(copy.store, one, random)
        if random.random() < 0.1:
            merged = folder / f"merged in turn {turn}.annot"
            merger.merge(folder / f"{one}.annot", folder / f"{other}.annot", merged)
            merged.replace(folder / f"{one}.annot")


def exchange(copy: Project, random: Random) -> None:
    """Exchange in steps of some size, between which the program might end: the file is sound behind each."""
    one = sharing.Exchange(copy)
    one.look()
    while one.ready:
        one.take(random.choice((1, 3, 200)))
        assert integrity.check(copy.store.db) == []
    one.hand_over()
    one.carrier.close()


def all_texts(place: str, folder: Path, random: Random) -> dict[str, str]:
    """Return the twin of every copy once all exchanged, of merging them before, and of who joins then."""
    paths = [folder / f"{name}.annot" for name in random.sample(PEOPLE, len(PEOPLE))]
    merged = folder / "merged.annot"
    merger.merge(paths[0], paths[1], folder / "two.annot")
    merger.merge(paths[2], folder / "two.annot", merged)
    copies = [opened(folder, name) for name in PEOPLE]
    for _ in range(3):
        done = [sharing.exchange(copy) for copy in copies]
    assert [(one.behind, one.waiting, one.problems) for one in done] == [(0, 0, ())] * len(copies)
    sharing.join(place, folder / "joined.annot")
    merger.merge(merged, paths[0], folder / "again.annot")
    copies += [Project.open(folder / f"{name}.annot") for name in ("merged", "joined", "again")]
    texts = {copy.path.stem: twin(copy) for copy in copies}
    for copy in copies:
        copy.close()
    return texts


def test_every_copy_comes_to_the_same_as_a_merge_and_as_who_joins_late(
    team: Team,
    monkeypatch: pytest.MonkeyPatch,
    count: Callable[[int, int], int],
    counted: Callable[[str], None],
) -> None:
    seeds = [1, 2] if count(0, 1) == 0 else Random().sample(range(1 << 32), 150)
    for seed in seeds:
        random = Random(seed)
        names = SimpleNamespace(token_hex=lambda size, random=random: random.randbytes(size).hex())
        monkeypatch.setattr(chain, "secrets", names)  # by which events of the same clock are ordered
        place, folder = team()
        live(folder, random)
        texts = all_texts(place, folder, random)
        assert len(set(texts.values())) == 1, (seed, folder, texts)
    counted(f"{len(seeds)} histories of {len(PEOPLE)} people: all copies equal")


def test_copies_stay_sound_where_an_earlier_version_took_back_without_stating_what_goes(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ana takes back the document that Ben judges meanwhile: its text is gone in her copy, not in his."""
    _, folder = team()
    record = Store.record

    def as_before(self: Store, *words: Any, **named: Any) -> object:
        *others, after = words
        if others[1] == "import":
            after = {part: value for part, value in after.items() if part not in ("gone", "new")}
        return record(self, *others, after, **named)

    monkeypatch.setattr(Store, "record", as_before)
    own = Dataset(documents=[Document("own", "", "text")])
    acts: list[tuple[Callable[[Store], object] | None, Callable[[Store], object] | None]] = [
        (lambda store: import_dataset(store, own, Import("Ana", "own", "person")), None),
        (
            lambda store: withdrawal.withdraw(store, withdrawal.imports(store)[0][0].identity, "Ana"),
            grade("Ben", "own", 1),
        ),
        (grade("Ana", "d1", 1), None),
        (grade("Ana", "d1", 2), None),
        (None, grade("Ben", "d1", 1)),
    ]
    left_out = []
    for both in acts:
        copies = [opened(folder, name) for name in ("Ana", "Ben")]
        for copy, act in zip(copies, both, strict=True):
            if act is not None:
                act(copy.store)
        done = [sharing.exchange(one) for one in (*copies, copies[0])]
        left_out.append(any("states other documents" in one for one in done[1].problems))
        for copy in copies:
            assert maintenance.check(copy.path)[0] == ()
            copy.close()
    assert left_out == [False, False, True, True, False]


def grade(who: str, document: str, value: int) -> Callable[[Store], object]:
    """Return what gives somebody's grade to a document."""
    return lambda store: store.record(who, "grade", ("q1", document), {"state": "graded", "grade": value})
