"""Made-up datasets with everything that breaks files: quotes, line ends, formulas, scripts, twins."""

from pathlib import Path

from hypothesis import strategies as st

from annotator.formats.rows import JudgmentRows, RunRows
from annotator.formats.text_lines import Problems
from annotator.records import (
    Answer,
    Dataset,
    Document,
    GoldAnswer,
    GoldList,
    Json,
    JudgmentTable,
    Query,
    RunTable,
)

NASTY = (
    *("007", "1.0", "NA", "null", "true", "=1+1", "+5", "-5", "@x", "＝1", "\t=cmd"),
    *("'quoted'", '"', '""', 'a "b" c', ",", ";", "a,b;c|d", "a\tb", "a\nb", "a\r\nb", "a\rb"),
    *(" lead", "trail ", "a  b", "#", "# note", "[x]", '["x"]', "{}", "\\", "\\n", "\u2028", "\xa0"),
    *("שלום", "مرحبا ١٢", "漢字", "\U0001f600", "é", "e\u0301", "<top>", "&amp;", "<b>", "AT&T", "Number: 3"),
)

characters = st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\ufeff")
some_text = st.one_of(st.sampled_from(NASTY), st.text(characters, min_size=1, max_size=12))
texts = st.one_of(st.just(""), some_text)


def usable(text: str) -> str:
    """Return a text that may be an id."""
    return f"x{text}" if text == "all" or not text.strip() else text


ids = st.one_of(
    st.sampled_from([one for one in NASTY if not set(one) & set("\t\n\r")]),
    st.text(characters, min_size=1, max_size=8),
).map(usable)
plain_ids = ids.map(lambda text: text.replace(" ", "_").replace("#", "+").replace("{", "("))
fields: st.SearchStrategy[dict[str, Json]] = st.dictionaries(
    some_text, st.one_of(texts, st.integers(-5, 5), st.none(), st.lists(texts, max_size=2)), max_size=2
)
grades = st.integers(0, 5)
orders = st.sampled_from([("score", True), ("given", True), ("given", False)])


def run_of(
    system: str,
    rows: list[tuple[str, str, float]],
    order: str = "score",
    scored: bool = True,
    answers: bool = False,
) -> RunTable:
    """Return a run in the order of its scores, or in the given one with or without scores beside it."""
    found = RunRows(Problems(Path("made up")), system)
    for place, (query, candidate, score) in enumerate(rows):
        found.add(query, candidate, score if order == "score" else place, None, score)
    return found.by_score("", answers) if order == "score" else found.by_rank("", scored, answers)


def judged(rows: list[tuple[str, str, int]]) -> JudgmentTable | None:
    found = JudgmentRows(Problems(Path("made up")))
    for row in rows:
        found.add(*row, None)
    return found.table("") if rows else None


@st.composite
def datasets(draw: st.DrawFn, plain: bool = False) -> Dataset:
    """Return a dataset; `plain` keeps blanks out of its ids and names."""
    names = plain_ids if plain else ids
    query_ids = draw(st.lists(names, min_size=1, max_size=4, unique=True))
    document_ids = draw(st.lists(names, min_size=1, max_size=5, unique=True))
    tags = st.lists(texts, max_size=2).map(tuple)
    queries = [Query(one, draw(texts), draw(tags), draw(texts), draw(fields)) for one in query_ids]
    documents = [Document(one, draw(texts), draw(texts), draw(fields)) for one in document_ids]
    pairs = st.tuples(st.sampled_from(query_ids), st.sampled_from(document_ids))
    score = st.one_of(st.integers(-3, 3).map(float), st.floats(-1e9, 1e9))
    places = st.tuples(pairs, score)
    runs = [
        run_of(system, [(*pair, value) for pair, value in rows], *draw(orders))
        for system in draw(st.lists(names, max_size=2, unique=True))
        if (rows := draw(st.lists(places, min_size=1, max_size=8, unique_by=lambda row: row[0])))
    ]
    rows = draw(st.lists(st.tuples(pairs, grades), min_size=1, max_size=8, unique_by=lambda row: row[0]))
    return Dataset(queries, documents, (), draw(golds(query_ids)), runs, judged([(*p, g) for p, g in rows]))


@st.composite
def golds(draw: st.DrawFn, query_ids: list[str]) -> list[GoldList]:
    found = []
    for query in query_ids:
        if draw(st.booleans()):
            answers = draw(
                st.lists(st.builds(GoldAnswer, some_text, st.lists(texts, max_size=2).map(tuple)), max_size=2)
            )
            answers = list(dict.fromkeys(answers))
            found.append(GoldList(query, tuple(answers), unanswerable=not answers))
    return found


@st.composite
def predictions(draw: st.DrawFn, several: bool = True) -> Dataset:
    """Return predicted answers of one system, n best where `several`."""
    query_ids = draw(st.lists(ids, min_size=1, max_size=4, unique=True))
    best = st.lists(texts, min_size=1, max_size=3 if several else 1, unique=True)
    return predictions_of({query: draw(best) for query in query_ids})


def content(dataset: Dataset) -> dict[str, object]:
    """Return what a dataset says, for comparing, without orders that mean nothing."""
    table = dataset.judgments
    return {
        "queries": {one.id: one for one in dataset.queries},
        "documents": {one.id: one for one in dataset.documents},
        "answers": {one.id: one for one in dataset.answers},
        "gold": {one.query_id: one for one in dataset.gold},
        "runs": {run.system: places(run) for run in dataset.runs},
        "scores": {run.system: scores(run) for run in dataset.runs},
        "judgments": set()
        if table is None
        else {
            (table.query_ids[q], table.candidate_ids[c], g)
            for q, c, g in zip(table.query, table.candidate, table.grade.tolist(), strict=True)
        },
    }


def scores(run: RunTable) -> dict[tuple[str, str], float] | None:
    """Return the score of each query's candidates, None where the run has none."""
    if run.score is None:
        return None
    pairs = zip(run.query, run.candidate, run.score.tolist(), strict=True)
    return {(run.query_ids[query], run.candidate_ids[candidate]): score for query, candidate, score in pairs}


def places(run: RunTable) -> dict[str, list[str]]:
    """Return each query's candidates in their order."""
    found: dict[str, list[str]] = {}
    for query, candidate, rank in zip(run.query, run.candidate, run.rank, strict=True):
        row = found.setdefault(run.query_ids[query], [])
        row.append(run.candidate_ids[candidate])
        assert rank == len(row)
    return found


def predictions_of(texts: dict[str, list[str]]) -> Dataset:
    """Return one system's predicted answers to each query, best first."""
    answers = [Answer(query, text) for query, best in texts.items() for text in best]
    return Dataset(
        answers=answers,
        runs=[run_of("system", [(one.query_id, one.id, 0.0) for one in answers], "given", False, True)],
    )
