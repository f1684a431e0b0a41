"""Rankings in Parquet files: what is scanned by columns is what the reader of plain tables finds."""

from pathlib import Path
from typing import NoReturn

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotator.errors import InputError, UserError
from annotator.formats import parquet_runs, registry
from annotator.formats.declaration import Format
from annotator.formats.hits import RunHits, hits_of_table
from annotator.formats.judged_pairs import qrels_of
from tests.examples import examples

IDS = st.one_of(
    st.integers(0, 6).map(str),
    st.sampled_from(
        ["é", "a b", "x" * 70, "x" * 70 + "y", "\U0001f600x", "all", "", "a\tb", "a\x85b", "a\x90b"]
    ),
)
GOOD = st.one_of(st.integers(0, 9).map(str), st.sampled_from(["é", "a b", "x" * 70, "x" * 70 + "y"]))
SCORES = st.one_of(st.integers(-2, 2).map(float), st.sampled_from([0.1, 1e300, float("nan"), float("inf")]))
JUDGED = [(query, document) for query in ("0", "1", "2", "é") for document in ("0", "1", "2", "é", "x" * 70)]


@st.composite
def tables(draw: st.DrawFn) -> pa.Table:
    """Draw a table of rankings: mostly sound, its rows together or mixed, columns of one type or another."""
    ids = draw(st.sampled_from([GOOD, GOOD, GOOD, IDS]))
    scores = draw(st.sampled_from([st.integers(-2, 2).map(float), SCORES]))
    systems = st.sampled_from(["a", "b", "c"][: draw(st.integers(1, 3))])
    unique = draw(st.sampled_from([True, True, True, False]))
    rows = draw(
        st.lists(
            st.tuples(systems, ids, ids, scores, st.integers(1, 3 if draw(st.booleans()) else 10**6)),
            min_size=1,
            max_size=40,
            unique_by=(lambda row: row[:3]) if unique else None,
        )
    )
    order = draw(st.sampled_from(["mixed", "system", "query"]))
    if order != "mixed":
        rows.sort(key=lambda row: row[:2] if order == "system" else row[1::-1])
    system, query, document, score, rank = zip(*rows, strict=True)
    named = {"qid": query, "document_id": document}
    if draw(st.booleans()):
        named["system"] = system
    kind = draw(st.sampled_from(["score", "rank", "both", "score", "neither"]))
    if kind in ("score", "both"):
        named["score"] = score
    if kind in ("rank", "both"):
        named["rank"] = rank
    table = pa.table(named)
    texts = draw(st.sampled_from([pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())]))
    for at, name in enumerate(table.column_names):
        if table.schema.field(name).type == pa.string():
            numbers = name != "system" and all(one.isdecimal() for one in table[name].to_pylist())
            kept = pa.int64() if numbers and draw(st.booleans()) else texts
            table = table.set_column(at, name, table[name].cast(kept))
    return table


def as_values(found: list[RunHits]) -> list[tuple[object, ...]]:
    columns = ("query", "rank", "grade", "retrieved", "tied", "first", "last")
    return [(one.system, one.unjudged, *(getattr(one, name).tolist() for name in columns)) for one in found]


@settings(
    max_examples=examples(50, 600), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(table=tables(), at_once=st.sampled_from([1, 3, 1 << 16]), data_page=st.sampled_from([True, False]))
def test_scanning_finds_what_the_reader_of_tables_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: pa.Table, at_once: int, data_page: bool
) -> None:
    monkeypatch.setattr(parquet_runs, "AT_ONCE", at_once)
    (tmp_path / "qrels").write_text(
        "".join(f"{query} 0 {document} {at % 4}\n" for at, (query, document) in enumerate(JUDGED)), "utf-8"
    )
    qrels = qrels_of(tmp_path / "qrels")
    path = tmp_path / "run.parquet"
    pq.write_table(table, path, row_group_size=7, use_dictionary=data_page)
    try:
        wanted = [hits_of_table(one, qrels) for one in registry.read_file(path).runs]
        why = "" if wanted else f"{path} holds no ranking (Parquet table); give a run file."
    except InputError as error:
        why = str(error)
    if why:
        with pytest.raises(UserError) as refused:
            registry.hits_in(path, qrels)
        assert str(refused.value) == why
    else:
        assert as_values(registry.hits_in(path, qrels)) == as_values(wanted)


@pytest.mark.parametrize("mixed", [False, True])
def test_sound_rankings_are_scanned_and_not_read_row_by_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mixed: bool
) -> None:
    (tmp_path / "qrels").write_text("q1 0 a 1\n", "utf-8")
    queries = ["q1", "q2", "q1"] if mixed else ["q1", "q1", "q2"]
    run = pa.table({"query_id": queries, "document_id": ["b", "c", "a"], "score": [2.5, 1.0, 0.5]})
    pq.write_table(run, tmp_path / "run.parquet")

    def refuse(*_: object, **__: object) -> NoReturn:
        raise AssertionError("the slow path was taken")

    monkeypatch.setattr(Format, "read", refuse)
    (found,) = registry.hits_in(tmp_path / "run.parquet", qrels_of(tmp_path / "qrels"))
    assert (found.system, found.unjudged) == ("run", ("q2",))
    assert np.array_equal(found.rank, [2] if mixed else [])
