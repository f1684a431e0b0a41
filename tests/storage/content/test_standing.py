"""Which texts stand once imports were taken back, looked at rule by rule."""

from annotator.records import Dataset, Document, Query
from annotator.storage.content import digests, standing
from annotator.storage.content.bulk import import_dataset
from annotator.storage.content.contents import Import
from annotator.storage.ledger import events
from annotator.storage.ledger.current_values import canonical
from annotator.storage.reads import holdings
from annotator.storage.store import Store

HOW = Import("Ana", "texts", "person", replace=True)


def brought(store: Store, **what: str) -> tuple[str, int]:
    """Import documents with these texts; return the name and the key of the import."""
    documents = [Document(name, "", text) for name, text in what.items()]
    event, _ = import_dataset(store, Dataset(documents=documents), HOW)
    return event.identity, standing.key_of(store.db, event.identity)


def texts(store: Store) -> dict[str, str]:
    """Return the texts of documents by id."""
    return {one.id: one.text for one in holdings.documents(store.db)}


def test_an_id_that_went_with_several_imports_went_with_the_last_of_them(full: Store) -> None:
    (one, first), (other, second), (third, _) = (brought(full, **{f"d{at}": "new"}) for at in (7, 8, 9))
    for back, gone in ((third, {other: ["d7"]}), (other, {one: ["d7", "d8"]})):
        after = {"gone": {name: {"documents": ids} for name, ids in gone.items()}}
        full.record("Ana", "import", ("texts",), after, how="withdraw", undoes=back)
    assert standing.gone(full.db) == {("documents", "d7"): second, ("documents", "d8"): first}


def test_what_goes_with_an_import_is_what_it_or_an_earlier_one_brought(full: Store) -> None:
    _, (name, _), _ = (brought(full, **{f"d{at}": "new"}) for at in (7, 8, 9))
    with full.writing(checked=False) as db:
        standing.take_away(db, {name: {"documents": ["d7", "d8", "d9"]}})
        assert texts(full).keys() == {"d1", "d2", "d9"}
        full.record("Ana", "setting", ("about",), "x")


def test_a_query_that_went_keeps_no_text_and_is_told(full: Store) -> None:
    event, _ = import_dataset(full, Dataset(queries=[Query("q8", "late")]), HOW)
    with full.writing(checked=False) as db:
        blank = standing.take_away(db, {event.identity: {"queries": ["q8", "q9"]}})
        assert blank == {'["queries","q8"]'}
        assert db.execute("SELECT text, event FROM query WHERE external = 'q8'").fetchall() == [("", None)]
        full.record("Ana", "setting", ("about",), "x")


def test_a_text_counts_unless_a_later_import_brought_it_or_it_went_with_one(full: Store) -> None:
    """`d6` is new, `d7` was brought before, `d8` behind, `d9` went with this import, and `d5` before it."""
    brought(full, d7="first")
    _, key = brought(full, d1="this one")
    brought(full, d8="last")
    rows = [{"id": f"d{at}", "text": "late"} for at in (5, 6, 7, 8, 9)]
    gone = {("documents", "d5"): key - 1, ("documents", "d9"): key, ("queries", "d6"): key + 1}
    with full.writing(checked=False) as db:
        touched = standing.put_texts(db, "documents", key, rows, gone)
        stated = events.stated(db)
        digests.recount(db)
        assert events.stated(db) == stated
        assert texts(full).items() >= {"d5": "late", "d6": "late", "d7": "late", "d8": "last"}.items()
        assert "d9" not in texts(full)
        assert touched == {canonical(["documents", "d7"])}
        full.record("Ana", "setting", ("about",), "x")


def test_a_text_that_an_event_states_is_written_again_behind_an_import_that_arrives(full: Store) -> None:
    brought(full, d7="first")
    _, key = brought(full, d1="this one")
    full.record("Ana", "text", ("documents", "d6"), {"text": "stated"}, how="import")
    with full.writing(checked=False) as db:
        touched = standing.put_texts(db, "documents", key, [{"id": "d6", "text": "late"}], {})
        assert touched == {canonical(["documents", "d6"])}
        full.record("Ana", "setting", ("about",), "x")
