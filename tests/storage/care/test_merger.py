import json
import random
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from annotator.errors import DamagedError, ProjectError
from annotator.project import text_twin
from annotator.project.project import Project
from annotator.records import Answer, Dataset, Document, JudgmentTable, Query, RunTable
from annotator.storage.care import integrity, merger, taking_in
from annotator.storage.content import plain_rows, withdrawal
from annotator.storage.content.bulk import import_dataset
from annotator.storage.content.contents import Import
from annotator.storage.ledger import arrivals, undo_stack
from annotator.storage.reads import holdings
from annotator.storage.store import Store
from tests.storage.projects import empty_store, run_of


def text_of(path: Path) -> str:
    """Return everything that a project holds, without internal keys."""
    with Store.open(path, read_only=True) as store:
        db = store.db
        parts = [
            *(list(read(db)) for read in (plain_rows.queries, plain_rows.documents, plain_rows.answers)),
            *(list(read(db)) for read in (plain_rows.gold, plain_rows.ledger)),
            [
                [plain_rows.run_head(run), run.current, *plain_rows.rankings(db, run.key)]
                for run in holdings.runs(db, current_only=False)
            ],
            [[name, *plain_rows.imported(db, key)] for key, name in plain_rows.imports_with_judgments(db)],
            sorted(map(str, db.execute(
                "SELECT a.name, q.external, c.external, state, grade, beside, j.time FROM judgment j "
                "JOIN annotator a ON a.id = j.annotator JOIN query q ON q.id = j.query "
                "JOIN candidate c ON c.id = j.candidate"
            ))),
        ]  # fmt: skip
        assert integrity.check(db) == []
    return json.dumps(parts)


@pytest.fixture
def two(full: Store, tmp_path: Path) -> tuple[Path, Path]:
    """Return two copies of one project, closed."""
    full.close()
    shutil.copy(full.path, tmp_path / "second.annot")
    return full.path, tmp_path / "second.annot"


def act(path: Path, *actions: Callable[[Store], object]) -> None:
    """Open a project, do something, close it."""
    with Store.open(path) as store:
        for action in actions:
            action(store)


def grade(value: int, annotator: str = "Ana", candidate: str = "d1") -> Callable[[Store], object]:
    return lambda store: store.record(
        annotator, "grade", ("q2", candidate), {"state": "graded", "grade": value}
    )


def test_what_either_side_did_is_in_the_merged_file(two: tuple[Path, Path], tmp_path: Path) -> None:
    act(two[0], grade(5, "Ana", "d2"))
    act(two[1], grade(0, "Cleo", "d3"), grade(1, "Cleo", "d1"))
    merged = merger.merge(*two, tmp_path / "merged.annot")
    assert (merged.only_first, merged.only_second, merged.conflicts) == (2, 3, ())
    assert merged.brought == (("Cleo", "grade", 2), ("Cleo", "session", 1))
    with Store.open(tmp_path / "merged.annot") as store:
        assert store.value("Ana", "grade", ("q2", "d2"))["grade"] == 5
        assert store.value("Cleo", "grade", ("q2", "d3"))["grade"] == 0
        assert store.value("Ana", "grade", ("q2", "d1"))["grade"] == 3


def test_a_value_that_both_changed_is_a_conflict_and_the_later_event_counts(
    two: tuple[Path, Path], tmp_path: Path
) -> None:
    act(two[0], grade(5))
    act(two[1], grade(4, "Ben"), grade(0))
    (conflict,) = merger.merge(*two, tmp_path / "merged.annot").conflicts
    assert (conflict.kind, conflict.subject, conflict.annotator) == ("grade", ("q2", "d1"), "Ana")
    assert (conflict.kept["grade"], conflict.other["grade"]) == (0, 5)


def test_what_a_merge_told_is_not_told_again_until_both_change_it_anew(
    two: tuple[Path, Path], tmp_path: Path
) -> None:
    both = tmp_path / "merged.annot"
    act(two[0], grade(5))
    act(two[1], grade(0))
    assert len(merger.merge(*two, both).conflicts) == 1
    for number, other in enumerate(two):
        assert merger.merge(both, other, tmp_path / f"{number}.annot").conflicts == ()
        assert merger.merge(other, both, tmp_path / f"{number}-turned.annot").conflicts == ()
    act(both, grade(2))
    act(two[1], grade(4))
    (conflict,) = merger.merge(both, two[1], tmp_path / "anew.annot").conflicts
    assert {conflict.kept["grade"], conflict.other["grade"]} == {2, 4}


def test_a_value_that_both_changed_in_turns_is_one_conflict_of_what_came_last(
    two: tuple[Path, Path], tmp_path: Path
) -> None:
    for side, value in ((0, 5), (1, 0), (0, 4)):
        act(two[side], grade(value))
    (conflict,) = merger.merge(*two, tmp_path / "merged.annot").conflicts
    assert (conflict.kept["grade"], conflict.other["grade"]) == (4, 0)


def brought(
    name: str, grade: int, candidate: str = "d1", system: str | None = None
) -> Callable[[Store], object]:
    """Import one judgment of q2, and a run."""
    one = np.zeros(1, np.int32)
    table = JudgmentTable(["q2"], [candidate], one, one, np.array([grade]), name)
    score = np.array([float(grade)])
    runs = [RunTable(system, ["q2"], [candidate], one, one, one + 1, score, name)] if system else []
    how = Import("Dora", name, "person", replace=True)
    return lambda store: import_dataset(store, Dataset(runs=runs, judgments=table), how)


def said(path: Path, annotator: str, candidate: str) -> int:
    """Return a grade for q2."""
    with Store.open(path, read_only=True) as store:
        return int(store.value(annotator, "grade", ("q2", candidate))["grade"])


def test_judgments_and_runs_that_both_sides_imported_otherwise_are_conflicts(
    two: tuple[Path, Path], tmp_path: Path
) -> None:
    act(two[0], brought("a", 2, "d1", "bm25"), brought("a2", 1, "d2"), brought("a3", 3, "d3"))
    act(two[1], brought("b", 5, "d1", "bm25"), grade(4, "Dora", "d2"), brought("b3", 3, "d3"))
    target = tmp_path / "merged.annot"
    found = merger.merge(*two, target).conflicts
    assert {(one.kind, *one.subject) for one in found} == {
        ("grade", "q2", "d1"),
        ("grade", "q2", "d2"),
        ("run", "bm25"),
    }
    ways = {one.subject[-1]: (one.kept, one.other) for one in found}
    assert sorted(one["grade"] for one in ways["d1"]) == [2, 5]
    assert sorted(one["grade"] for one in ways["d2"]) == [1, 4]
    assert {ways[one][0]["grade"] for one in ("d1", "d2")} == {
        said(target, "Dora", one) for one in ("d1", "d2")
    }
    assert sorted(ways["bm25"]) == ["a", "b"]
    turned = merger.merge(*reversed(two), tmp_path / "turned.annot").conflicts
    assert sorted(map(repr, turned)) == sorted(map(repr, found))
    assert merger.merge(target, two[0], tmp_path / "again.annot").conflicts == ()


def test_what_an_import_repeats_is_a_conflict_where_it_was_said_first(
    two: tuple[Path, Path], tmp_path: Path
) -> None:
    act(two[0], brought("a", 2), brought("other", 1, "d2"))
    shutil.copy(two[0], two[1])
    act(two[0], grade(4, "Dora"), grade(4, "Dora", "d2"))
    act(
        two[1],
        grade(5, "Ben", "d9"),
        brought("again", 2),
        brought("x", 3, "d2"),
        brought("y", 3, "d2"),
    )
    (found,) = merger.merge(*two, tmp_path / "merged.annot").conflicts
    assert (found.subject, found.kept["grade"], found.other["grade"]) == (("q2", "d2"), 3, 4)
    assert said(tmp_path / "merged.annot", "Dora", "d1") == 4

    def back(store: Store) -> None:
        (name,) = [one.identity for one, _ in withdrawal.imports(store) if one.after["source"] == "x"]
        withdrawal.withdraw(store, name, "Ana")

    act(two[1], back)
    (found,) = merger.merge(*two, tmp_path / "back.annot").conflicts
    assert (found.subject, found.kept["grade"], found.other["grade"]) == (("q2", "d2"), 3, 4)
    assert said(tmp_path / "back.annot", "Dora", "d2") == 3


def test_an_import_that_only_one_side_has_is_no_conflict(two: tuple[Path, Path], tmp_path: Path) -> None:
    act(two[0], brought("a", 2), brought("a2", 4), grade(3, "Ana", "d2"))
    act(two[1], grade(1, "Ben", "d1"))
    assert merger.merge(*two, tmp_path / "merged.annot").conflicts == ()


def test_the_same_decision_on_both_sides_is_no_conflict(two: tuple[Path, Path], tmp_path: Path) -> None:
    for path in two:
        act(path, lambda store: store.record("Ana", "setting", ("pool_depth",), 7))
    assert merger.merge(*two, tmp_path / "merged.annot").conflicts == ()


def test_content_of_both_is_united_and_a_text_replaced_on_one_side_counts(
    two: tuple[Path, Path], tmp_path: Path
) -> None:
    how = Import("imported:x", "x.json", replace=True)
    first = Dataset(
        queries=[Query("q2", "parking?"), Query("q3", "bus")], runs=[run_of("new", {"q3": ["d1"]})]
    )
    second = Dataset(documents=[Document("d1", "Hours", "Open from ten, closed at noon.")])
    act(two[0], lambda store: import_dataset(store, first, how))
    act(two[1], lambda store: import_dataset(store, second, how))
    merged = merger.merge(*two, tmp_path / "merged.annot")
    assert merged.conflicts == ()
    with Store.open(tmp_path / "merged.annot") as store:
        assert holdings.queries(store.db)[1][1].text == "parking?"
        assert next(iter(holdings.documents(store.db))).text == "Open from ten, closed at noon."
        assert [query.id for _, query in holdings.queries(store.db)] == ["q1", "q2", "q3"]
        assert {run.name for run in holdings.runs(store.db)} == {"bm25", "dense", "new"}
        assert integrity.check(store.db) == []
        grade(2)(store)
        assert integrity.check(store.db) == []


def test_texts_that_both_sides_brought_or_replaced_are_conflicts(
    two: tuple[Path, Path], tmp_path: Path
) -> None:
    how = Import("imported:x", "x.json", replace=True)
    act(two[1], grade(2, "Ben"))  # so that what this side brings comes later in the ledger
    for path, text in zip(two, ("somewhat longer", "short"), strict=True):
        documents = [Document("d1", "", text), Document("d5", "", text)]
        act(path, lambda store, documents=documents: import_dataset(store, Dataset(documents=documents), how))
    merged = merger.merge(*two, tmp_path / "merged.annot")
    assert {(one.kind, one.subject) for one in merged.conflicts} == {
        ("text", ("documents", "d1")),
        ("documents", ("d5",)),
    }
    for side in two:
        again = merger.merge(tmp_path / "merged.annot", side, tmp_path / f"again with {side.name}")
        assert again.conflicts == (), "it was told"
    with Store.open(tmp_path / "merged.annot") as store:
        assert [one.text for one in holdings.documents(store.db) if one.id != "d2"] == ["short", "short"]
        assert integrity.check(store.db) == []


def test_an_import_withdrawn_on_one_side_is_withdrawn_in_both(two: tuple[Path, Path], tmp_path: Path) -> None:
    act(two[0], lambda store: withdrawal.withdraw(store, withdrawal.imports(store)[0][0].identity, "Ana"))
    act(two[1], grade(1))
    merger.merge(*two, tmp_path / "merged.annot")
    with Store.open(tmp_path / "merged.annot") as store:
        assert holdings.runs(store.db) == []
        assert store.value("imported:qrels", "grade", ("q2", "d2")) is None


def texts_from(*documents: Document) -> Callable[[Store], object]:
    """Import documents, and an answer that stands in for what else comes with them."""
    what = Dataset(documents=list(documents), answers=[Answer("q1", "Loki")])
    return lambda store: import_dataset(store, what, Import("Dora", "texts", "person", replace=True))


def take_back_last(store: Store) -> None:
    """Take back the newest import in force."""
    withdrawal.withdraw(store, next(one.identity for one, there in withdrawal.imports(store) if there), "Ana")


def test_who_took_back_and_imported_again_keeps_that_beside_a_copy_that_knows_nothing_of_it(
    two: tuple[Path, Path], tmp_path: Path
) -> None:
    again = texts_from(Document("d8", "", "new"))
    act(two[0], take_back_last, again, again)  # so that texts brought again might hold what is gone
    for number, sides in enumerate((two, two[::-1])):
        merger.merge(*sides, tmp_path / f"{number}.annot")
        assert text_of(tmp_path / f"{number}.annot") == text_of(two[0])


def test_what_two_imported_without_knowing_of_each_other_goes_once_both_are_taken_back(
    two: tuple[Path, Path], tmp_path: Path
) -> None:
    for path in two:
        act(path, texts_from(Document("d8", "", "eight")))
    merger.merge(*two, tmp_path / "merged.annot")
    with Store.open(tmp_path / "merged.annot") as store:
        for left in (["d1", "d2", "d8"], ["d1", "d2"]):
            take_back_last(store)
            assert [one.id for one in holdings.documents(store.db)] == left
            assert integrity.check(store.db) == []


@pytest.mark.parametrize("graded", ["d1", "d8"])
def test_a_text_in_force_counts_before_a_fuller_one_that_was_taken_back(
    two: tuple[Path, Path], tmp_path: Path, graded: str
) -> None:
    act(two[0], texts_from(Document("d8", "Title", "a long text")))
    shutil.copy(two[0], two[1])
    act(two[0], take_back_last, texts_from(Document("d8", "", "new")))
    act(two[1], grade(2, "Ben", graded))
    for number, sides in enumerate((two, two[::-1])):
        merger.merge(*sides, tmp_path / f"{number}.annot")
        with Store.open(tmp_path / f"{number}.annot", read_only=True) as store:
            assert [one for one in holdings.documents(store.db) if one.id == "d8"] == [
                Document("d8", "", "new")
            ]
    assert text_of(tmp_path / "0.annot") == text_of(tmp_path / "1.annot")


def test_what_was_said_of_a_candidate_stays_when_its_import_was_taken_back(
    two: tuple[Path, Path], tmp_path: Path
) -> None:
    merged, again = tmp_path / "merged.annot", tmp_path / "again.annot"
    with Store.open(two[1]) as store:
        run = run_of("brings", {"q1": ["new"]})
        event, _ = import_dataset(store, Dataset(runs=[run]), Import("Ben", "x", "person", replace=True))
        store.record("Ben", "grade", ("q1", "new"), {"state": "graded", "grade": 5})
        store.record("Ben", "adjudication", ("q1", "new"), {"grade": 4, "reason": ""})
        withdrawal.withdraw(store, event.identity, "Ben")
    merger.merge(*two, merged)
    with Project.open(merged) as project:
        text_twin.dump(project, tmp_path / "text")
    text_twin.load(tmp_path / "text", again).close()
    for path in (merged, again):
        with Store.open(path, read_only=True) as store:
            assert integrity.check(store.db) == []
            assert store.value("Ben", "grade", ("q1", "new"))["grade"] == 5
            assert store.value("Ben", "adjudication", ("q1", "new"))["grade"] == 4


def test_a_session_is_not_taken_in_without_the_one_it_began_with(two: tuple[Path, Path]) -> None:
    act(two[1], grade(1))
    act(two[1], grade(2))
    with Store.open(two[1], read_only=True) as store:
        *_, session = store.db.execute("SELECT identity FROM session ORDER BY id").fetchall()
        told = arrivals.of_session(store.db, *session, 0, 1)
        last = [arrivals.Arrived._make((*one.columns, one.hash)) for one in told]
    with Store.open(two[0]) as store:
        taken = taking_in.take(store, last, lambda _: [])
        assert taken.left == {session[0]: (0, "it waits for events that were left out")}
        assert taken.events == []
        assert integrity.check(store.db) == []


def test_an_altered_side_is_refused(two: tuple[Path, Path], tmp_path: Path) -> None:
    raw = sqlite3.connect(two[1])
    raw.execute("UPDATE judgment SET grade = 5 WHERE grade = 3")
    raw.commit()
    raw.close()
    with pytest.raises(DamagedError, match="nothing was merged"):
        merger.merge(*two, tmp_path / "merged.annot")
    assert not (tmp_path / "merged.annot").exists()


def test_a_merge_never_replaces_a_file(two: tuple[Path, Path]) -> None:
    before = two[1].read_bytes()
    with pytest.raises(ProjectError, match="exists already"):
        merger.merge(*two, two[1])
    assert two[1].read_bytes() == before


def test_different_projects_are_merged_only_when_asked_for(two: tuple[Path, Path], tmp_path: Path) -> None:
    for name, query in (("other", "q9"), ("kin", "q2")):
        with empty_store(tmp_path / f"{name}.annot") as store:
            import_dataset(store, Dataset(queries=[Query(query, "new")]), Import("imported:x", "x.json"))
    target = tmp_path / "merged.annot"
    with pytest.raises(ProjectError, match="no query in common, so nothing was merged"):
        merger.merge(two[0], tmp_path / "other.annot", target)
    assert not target.exists()
    assert not merger.merge(two[0], tmp_path / "other.annot", target, unrelated=True).related
    assert merger.merge(two[0], tmp_path / "kin.annot", tmp_path / "with kin.annot").related
    with Store.open(target) as store:
        assert [query.id for _, query in holdings.queries(store.db)] == ["q1", "q2", "q9"]
        assert integrity.check(store.db) == []


def do(path: Path, chance: random.Random) -> None:
    """Grade, undo, import or take an import back a few times, each time in one or two sessions."""
    for _ in range(chance.randrange(3)):
        with Store.open(path) as store:
            for _ in range(chance.randrange(4)):
                annotator = chance.choice(["Ana", "Ben"])
                kind = chance.random()
                if kind < 0.2:
                    undo_stack.undo(store, annotator)
                elif kind < 0.4:
                    text = chance.choice(["Open.", "Closed."])
                    brought = Dataset(queries=[Query("q2", text)], documents=[Document("d3", "", text)])
                    import_dataset(store, brought, Import("imported:x", "x.json", replace=True))
                elif kind < 0.5:
                    late = [one for one, in_force in withdrawal.imports(store) if in_force]
                    if late:
                        withdrawal.withdraw(store, late[0].identity, annotator)
                else:
                    grade(chance.randrange(6), annotator, chance.choice(["d1", "d2", "d3"]))(store)


@pytest.mark.parametrize("seed", range(8))
def test_merging_depends_on_no_order_and_twice_is_once(
    two: tuple[Path, Path], tmp_path: Path, seed: int
) -> None:
    chance = random.Random(seed)
    a, b, c = (Path(shutil.copy(two[0], tmp_path / f"{name}.annot")) for name in "abc")
    for path in (a, b, c):
        do(path, chance)

    def merged(one: Path, other: Path) -> Path:
        target = tmp_path / f"({one.stem}+{other.stem}).annot"
        told[one, other] = merger.merge(one, other, target).conflicts
        return target

    told: dict[tuple[Path, Path], tuple[merger.Conflict, ...]] = {}
    ab = merged(a, b)
    assert text_of(ab) == text_of(merged(b, a))
    assert text_of(merged(ab, a)) == text_of(ab) == text_of(merged(ab, ab))
    assert told[ab, a] == told[ab, ab] == (), "what was merged says nothing new"
    assert text_of(merged(ab, c)) == text_of(merged(a, merged(b, c)))
