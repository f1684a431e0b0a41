"""Whatever people write comes back from the text twin as it was: quotes, controls allowed, scripts, twins."""

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.project import browse, judging, text_twin
from annotator.project.project import Project
from annotator.project.settings import value_of
from annotator.records import (
    Answer,
    Dataset,
    Document,
    GoldAnswer,
    GoldList,
    JudgmentTable,
    Query,
    RunTable,
    id_problem,
    text_problem,
)
from tests.project.conftest import add

ODD = [
    "001",
    "=1+1",
    "@SUM(A1)",
    '"',
    "a\tb",
    "a\nb",
    "a\r\nb",
    "שלום",
    "\u202eabc",
    "日本語",
    "🦆",
    "é",
    "e\u0301",
]
ODD += ["\u2028", "NA", "null", "a,b;c", "{}", "[1]", "\\", "'", "<b>", "&amp;", " ", "\ufeff"]
printable = st.text(st.characters(exclude_categories=("Cc", "Cs")), max_size=8)
texts = st.one_of(st.sampled_from(ODD), printable).filter(lambda text: not text_problem(text, "text"))
ids = texts.filter(lambda text: not id_problem(text) and text != "all" and not text.startswith("answer:"))
fields = st.dictionaries(
    texts,
    st.one_of(texts, st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.none()),
    max_size=2,
)


@st.composite
def datasets(draw: st.DrawFn) -> Dataset:
    queries = draw(st.lists(ids, min_size=1, max_size=3, unique=True))
    documents = draw(st.lists(ids, min_size=1, max_size=3, unique=True))
    answers = [Answer(query, draw(texts), draw(texts)) for query in queries]
    pairs = draw(
        st.lists(
            st.tuples(st.integers(0, len(queries) - 1), st.integers(0, len(documents) - 1)),
            min_size=1,
            max_size=6,
            unique=True,
        )
    )
    query, candidate = np.array(sorted(pairs), dtype=np.int32).T
    rank = np.array([int((query[:at] == one).sum()) + 1 for at, one in enumerate(query)], dtype=np.int32)
    score = np.array(draw(st.lists(st.floats(-1e300, 1e300), min_size=len(rank), max_size=len(rank))))
    grade = np.array([at % 6 for at in range(len(rank))])
    return Dataset(
        queries=[
            Query(one, draw(texts), tuple(draw(st.lists(texts, max_size=2, unique=True)))) for one in queries
        ],
        documents=[Document(one, draw(texts), draw(texts), draw(fields)) for one in documents],
        answers=answers,
        gold=[GoldList(queries[0], (GoldAnswer(draw(ids), (draw(ids),)),))],
        runs=[RunTable(draw(ids), queries, documents, query, candidate, rank, score, "made")],
        judgments=JudgmentTable(queries, documents, query, candidate, grade, "made"),
    )


@settings(max_examples=8, deadline=None)
@given(datasets(), texts, st.data())
def test_any_project_comes_back_byte_for_byte(dataset: Dataset, note: str, data: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        place = Path(folder)
        name = data.draw(texts)
        with Project.create(place / "made.annot", name, annotator="Ann") as project:
            add(project, dataset)
            view = next(
                one
                for one in map(partial(browse.query, project), browse.query_keys(project).tolist())
                if one.candidates
            )
            judging.set_query_part(project, view.key, {"note": note})
            judging.cannot_tell(project, view.key, view.candidates[0].key, note)
            first = text_twin.dump(project, place / "one")
            with text_twin.load(place / "one", place / "copy.annot") as copy:
                assert text_twin.dump(copy, place / "two") == first
                assert value_of(copy, "name") == name
                assert {
                    one.id: one for one in map(partial(browse.query, copy), browse.query_keys(copy).tolist())
                }.keys() == {
                    one.id for one in map(partial(browse.query, project), browse.query_keys(project).tolist())
                }
        for file in (place / "one").rglob("*.*"):
            assert file.read_bytes() == (place / "two" / file.relative_to(place / "one")).read_bytes()
