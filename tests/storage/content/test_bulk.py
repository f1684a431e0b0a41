from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from annotator.errors import ChoiceError, ProjectError, Stopped, UserError
from annotator.records import (
    Answer,
    Dataset,
    Document,
    GoldAnswer,
    GoldList,
    JudgmentTable,
    Query,
    RunTable,
    answer_id,
)
from annotator.storage.content import digests
from annotator.storage.content.bulk import import_dataset
from annotator.storage.content.contents import Import
from annotator.storage.ledger import events
from annotator.storage.reads import arrays, holdings
from annotator.storage.store import Store
from annotator.watch import Watch
from tests.storage.projects import empty_store, run_of

FILE = Import(annotator="imported:seeds", source="seeds.json")
OVER = Import(annotator="imported:seeds", source="seeds.json", replace=True)


def judged(rows: Sequence[tuple[str, str, int]]) -> JudgmentTable:
    """Return a judgment table from (query, candidate, grade)."""
    queries = sorted({row[0] for row in rows})
    candidates = sorted({row[1] for row in rows})
    return JudgmentTable(
        queries,
        candidates,
        np.array([queries.index(row[0]) for row in rows], dtype=np.int32),
        np.array([candidates.index(row[1]) for row in rows], dtype=np.int32),
        np.array([row[2] for row in rows]),
        "qrels.txt",
    )


SITE = Dataset(
    queries=[Query("q1", "opening hours", ("short",)), Query("q2", "parking")],
    documents=[Document("d1", "Hours", "Open from nine."), Document("d2", "", "Park behind the house.")],
    runs=[run_of("bm25", {"q1": ["d1", "d3"], "q2": ["d2", "d1", "d3"]})],
    judgments=judged([("q1", "d1", 5), ("q2", "d2", 4), ("q2", "d9", 0)]),
    gold=[GoldList("q1", (GoldAnswer("from nine", ("at 9",)),)), GoldList("q2", unanswerable=True)],
)


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Store]:
    with empty_store(tmp_path / "empty.annot") as store:
        yield store


def ranking(store: Store, system: str, query: str) -> list[str]:
    """Return the ids that a system's current run returned for a query, best first."""
    (run,) = [one for one in holdings.runs(store.db) if one.name == system]
    ids = dict(store.db.execute("SELECT id, external FROM candidate"))
    keys = {key: one.id for key, one in holdings.queries(store.db)}
    return [
        ids[one]
        for key, candidates, _, _ in arrays.rankings(store.db, run.key)
        for one in candidates.tolist()
        if keys[key] == query
    ]


def test_everything_of_a_data_set_is_read_back(empty: Store) -> None:
    event, counts = import_dataset(empty, SITE, FILE)
    assert [query for _, query in holdings.queries(empty.db)] == list(SITE.queries)
    assert list(holdings.documents(empty.db)) == list(SITE.documents)
    assert ranking(empty, "bm25", "q2") == ["d2", "d1", "d3"]
    assert empty.value("", "gold", ("q1",)) == {"answers": [{"text": "from nine", "aliases": ["at 9"]}]}
    assert empty.value("", "gold", ("q2",)) == {"unanswerable": True}
    value = empty.value("imported:seeds", "grade", ("q2", "d9"))
    assert value == {"state": "graded", "grade": 0, "time": event.time}
    assert counts.added == {
        "queries": 2,
        "documents": 2,
        "runs": 1,
        "ranked candidates": 5,
        "judgments": 3,
        "gold answers": 2,
    }


def test_the_import_is_one_event_that_states_what_it_brought(empty: Store) -> None:
    event, _ = import_dataset(empty, SITE, FILE)
    assert event.task == "import"
    assert event.after["runs"][0]["rows"] == 5
    assert event.after["judgments"]["rows"] == 3
    assert event.after["gold"] == 2
    kinds = [one.task for one in events.all_events(empty.db)]
    assert kinds == ["session", "import", "gold", "gold"]


def test_the_digests_that_an_import_states_are_those_of_the_stored_rows(empty: Store) -> None:
    event, _ = import_dataset(empty, SITE, FILE)
    (run,) = holdings.runs(empty.db)
    assert event.after["runs"][0]["digest"] == run.digest == digests.stored_run(empty.db, run.key)
    key = empty.db.execute("SELECT event FROM run").fetchone()[0]
    assert event.after["judgments"]["digest"] == digests.stored_imported(empty.db, key)
    for name in ("queries", "documents"):
        assert event.after[name] == digests.of_rows(digests.SETS[name](empty.db))


def test_hits_and_lengths_are_what_the_measures_need(empty: Store) -> None:
    import_dataset(empty, SITE, FILE)
    (run,) = holdings.runs(empty.db)
    judged = arrays.judgments(empty.db)
    pairs = arrays.Pairs.of(judged.query, judged.candidate)
    rank = arrays.ranks(empty.db, run.key, pairs)
    ids = {key: query.id for key, query in holdings.queries(empty.db)}
    names = dict(empty.db.execute("SELECT id, external FROM candidate"))
    found = [
        (ids[query], names[candidate], place)
        for query, candidate, place in zip(
            pairs.query.tolist(), pairs.candidate.tolist(), rank.tolist(), strict=True
        )
    ]
    assert [one for one in found if one[2]] == [("q1", "d1", 1), ("q2", "d2", 1)]
    assert [part.tolist() for part in arrays.lengths(empty.db, run.key)] == [[1, 2], [2, 3]]


def test_the_pool_is_the_top_of_the_runs_and_what_is_judged(empty: Store) -> None:
    import_dataset(empty, SITE, FILE)
    names = dict(empty.db.execute("SELECT id, external FROM candidate"))
    pools = arrays.pools(empty.db, 1)
    offered = [
        (query, names[one]) for query, one in zip(pools.query.tolist(), pools.candidate.tolist(), strict=True)
    ]
    assert offered == [(1, "d1"), (2, "d2"), (2, "d9")]


def test_importing_the_same_again_changes_nothing_but_the_ledger(empty: Store) -> None:
    content = Dataset(queries=SITE.queries, documents=SITE.documents, gold=SITE.gold)
    import_dataset(empty, content, FILE)
    before = list(empty.db.execute("SELECT * FROM content JOIN digest"))
    _, counts = import_dataset(empty, content, FILE)
    assert counts.same == {"queries": 2, "documents": 2, "gold answers": 2}
    assert not counts.added
    assert list(empty.db.execute("SELECT * FROM content JOIN digest")) == before


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (Dataset(queries=[Query("q1", "closing hours")]), "'q1' is in the project already"),
        (Dataset(documents=[Document("d1", "Hours", "Open from ten.")]), "'d1' is in the project already"),
        (Dataset(gold=[GoldList("q1", (GoldAnswer("at ten"),))]), "'q1' is in the project already"),
        (Dataset(runs=[run_of("bm25", {"q1": ["d2"]})]), "has a run already"),
        (Dataset(judgments=judged([("q1", "d1", 2)])), "has judged 1 of these pairs"),
    ],
)
def test_other_content_under_a_known_name_is_refused_unless_it_replaces(
    empty: Store, other: Dataset, message: str
) -> None:
    import_dataset(empty, SITE, FILE)
    before = list(empty.db.iterdump())
    with pytest.raises(ChoiceError, match=message) as refused:
        import_dataset(empty, other, FILE)
    assert "replace" in refused.value.choices
    assert list(empty.db.iterdump()) == before
    import_dataset(empty, other, OVER)
    for name in ("queries", "documents"):
        assert events.stated(empty.db)[name] == digests.of_rows(digests.SETS[name](empty.db))


def test_a_replaced_run_stays_but_is_no_longer_current(empty: Store) -> None:
    import_dataset(empty, SITE, FILE)
    import_dataset(empty, Dataset(runs=[run_of("bm25", {"q1": ["d2"]})]), OVER)
    assert ranking(empty, "bm25", "q1") == ["d2"]
    assert [run.current for run in holdings.runs(empty.db, current_only=False)] == [0, 1]


def test_a_query_known_from_a_run_gets_its_text_later(empty: Store) -> None:
    import_dataset(empty, Dataset(runs=SITE.runs), FILE)
    _, counts = import_dataset(empty, Dataset(queries=SITE.queries, documents=SITE.documents), FILE)
    assert [query for _, query in holdings.queries(empty.db)] == list(SITE.queries)
    assert counts.changed == {"queries": 2}
    assert events.stated(empty.db)["queries"] == digests.of_rows(digests.query_rows(empty.db))


def test_an_answer_belongs_to_its_query_and_is_shared_by_systems(empty: Store) -> None:
    texts = ["Thor", "", "Loki"]
    ids = [answer_id("q1", text) for text in texts]
    dataset = Dataset(
        queries=[Query("q1", "who?")],
        answers=[
            Answer("q1", text, "Thor came.", 0, 4) if text == "Thor" else Answer("q1", text) for text in texts
        ],
        runs=[run_of("a", {"q1": ids}), run_of("b", {"q1": ids[:1]})],
    )
    import_dataset(empty, dataset, FILE)
    assert list(holdings.answers(empty.db)) == list(dataset.answers)
    assert ranking(empty, "a", "q1") == ids
    assert events.stated(empty.db)["answers"] == digests.of_rows(digests.answer_rows(empty.db))


def test_a_run_of_answers_that_nobody_brought_is_refused(empty: Store) -> None:
    with pytest.raises(ProjectError, match="is not in the project"):
        import_dataset(empty, Dataset(runs=[run_of("a", {"q1": [answer_id("q1", "Thor")]})]), FILE)
    assert holdings.queries(empty.db) == []


def test_a_cancelled_import_leaves_everything_as_it_was(empty: Store) -> None:
    before = list(empty.db.iterdump())
    seen: list[str] = []
    watch = Watch("", lambda done, total, what: seen.append(what), lambda: "documents" in seen)
    how = Import("imported:x", "x", watch=watch)
    with pytest.raises(Stopped):
        import_dataset(empty, SITE, how)
    assert seen == ["queries", "documents"]
    assert list(empty.db.iterdump()) == before
    empty.record("Ana", "setting", ("pool_depth",), 5)


def test_foreign_keys_are_watched_again_after_an_import(empty: Store) -> None:
    import_dataset(empty, SITE, FILE)
    assert empty.db.execute("PRAGMA foreign_keys").fetchone() == (1,)
    assert empty.db.execute("PRAGMA foreign_key_check").fetchall() == []


def test_ids_stay_the_strings_they_are(empty: Store) -> None:
    odd = ["001", "1", "1e5", "NA", "é", "e\u0301", '"', "a,b", "𝛼"]
    import_dataset(empty, Dataset(runs=[run_of("x", {"007": odd})]), FILE)
    assert ranking(empty, "x", "007") == odd


def test_a_run_that_ranks_nothing_is_refused(empty: Store) -> None:
    nothing = np.empty(0, dtype=np.int32)
    run = RunTable("none", [], [], nothing, nothing, nothing)
    with pytest.raises(ProjectError, match="ranks nothing"):
        import_dataset(empty, Dataset(runs=[run]), FILE)


@pytest.mark.parametrize("name", ["", "a\0b", "two\nlines", "\x1b[2J"])
def test_a_system_has_a_name_that_a_line_of_a_run_can_hold(empty: Store, name: str) -> None:
    before = empty.head()
    with pytest.raises(UserError, match="cannot be a system's name"):
        import_dataset(empty, Dataset(runs=[run_of(name, {"q1": ["d1"]})]), FILE)
    assert empty.head() == before
