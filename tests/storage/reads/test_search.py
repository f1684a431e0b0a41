"""Words looked for in queries: what one pass over all texts finds is what looking at each of them finds."""

import sqlite3
from contextlib import closing

from hypothesis import given
from hypothesis import strategies as st

from annotator.records import Dataset, Query
from annotator.storage.content.bulk import import_dataset
from annotator.storage.content.contents import Import
from annotator.storage.reads.search import QueryTexts
from annotator.storage.store import Store

TEXTS = st.text("abAB ß\nÉé語🙂%_\\", max_size=12)


def found(store: Store, words: str) -> list[int]:
    return store.query_texts.containing(store.db, words).tolist()


@given(st.lists(TEXTS, max_size=8), st.text("abAB ßSÉé語🙂%_\\q1", min_size=1, max_size=3))
def test_the_queries_found_are_those_whose_id_or_text_has_the_words(texts: list[str], words: str) -> None:
    rows = [(number, f"q{number}", text) for number, text in enumerate(texts, start=1)]
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("CREATE TABLE digest (name, digest)")
        db.execute("CREATE TABLE query (id INTEGER PRIMARY KEY, external, text)")
        db.executemany("INSERT INTO query VALUES (?, ?, ?)", rows)
        expected = [key for key, *texts in rows if any(words.casefold() in one.casefold() for one in texts)]
        assert QueryTexts().containing(db, words).tolist() == expected


def test_words_are_not_found_across_an_id_and_a_text_or_two_queries(store: Store) -> None:
    import_dataset(store, Dataset([Query("left", "right"), Query("next", "last")]), Import("test", "test"))
    assert len(found(store, "left")) == len(found(store, "right")) == 1
    assert found(store, "leftright") == found(store, "rightnext") == []


def test_queries_that_came_since_are_found(store: Store) -> None:
    import_dataset(store, Dataset([Query("first", "rivers of France")]), Import("test", "test"))
    before = found(store, "rivers")
    import_dataset(store, Dataset([Query("second", "RIVERS of Spain")]), Import("test", "test"))
    assert len(before) == 1
    assert found(store, "rivers") == [*before, before[0] + 1]
