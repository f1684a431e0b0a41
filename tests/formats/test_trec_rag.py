"""Generated answers and topics of TREC RAG in both layouts: predicted answers that know what they cite."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotator.errors import InputError
from annotator.formats.declaration import Reading
from annotator.formats.registry import FORMATS, sniff
from annotator.formats.trec_rag import FORMAT, cited_by
from annotator.project import data_import, text_twin
from annotator.project.data_export import ExportChoices, export
from annotator.project.maintenance import check
from annotator.project.project import Project
from annotator.records import Answer, Dataset, Query
from tests.formats.datasets import content, run_of

REFERENCES = ["msmarco_v2.1_doc_16_1#3_12", "msmarco_v2.1_doc_12_2#0_39", "msmarco_v2.1_doc_14_1#9_24"]
SENTENCES = [("Ducks live for ten years.", [1, 0]), ("Geese live longer.", [])]
TEXT = "Ducks live for ten years. Geese live longer."


def layout(year: int, by_id: bool = False, as_object: bool = False, **others: object) -> dict[str, object]:
    """Return one line in the layout of a year's guidelines, with texts of our own."""
    cited = [[REFERENCES[at] if by_id else at for at in places] for _, places in SENTENCES]
    answer = [{"text": text, "citations": each} for (text, _), each in zip(SENTENCES, cited, strict=True)]
    references: object = {one: 1 / (at + 1) for at, one in enumerate(REFERENCES)} if as_object else REFERENCES
    told = {"references": references, "answer": answer}
    if year == 2024:
        head = {"run_id": "ours", "topic_id": "7", "topic": "how old do ducks get"}
        return {**head, **told, "response_length": 8, **others}
    metadata = {"team_id": "us", "run_id": "ours", "type": "automatic", "narrative_id": 7}
    return {"metadata": {**metadata, "narrative": "how old do ducks get", "prompt": "…"}, **told, **others}


def write(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


@pytest.mark.parametrize(
    ("row", "left_out"),
    [
        (layout(2024), "response_length"),
        (layout(2025), "metadata.team_id, metadata.type, metadata.prompt"),
        (layout(2025, by_id=True), "metadata.team_id, metadata.type, metadata.prompt"),
        (layout(2025, as_object=True), "metadata.team_id, metadata.type, metadata.prompt"),
    ],
)
def test_both_layouts_become_the_same_answer(tmp_path: Path, row: dict[str, object], left_out: str) -> None:
    path = write(tmp_path / "some.jsonl", row)
    assert sniff(path) is FORMAT
    found = FORMAT.read(path)
    (answer,) = found.answers
    assert (answer.query_id, answer.text) == ("7", TEXT)
    assert [TEXT[start:end] for start, end, _ in cited_by(answer)[1]] == [text for text, _ in SENTENCES]
    assert [cited for *_, cited in cited_by(answer)[1]] == [[REFERENCES[1], REFERENCES[0]], []]
    assert cited_by(answer)[0] == REFERENCES
    assert list(found.queries) == [Query("7", "how old do ducks get")]
    assert [(run.system, run.ids_of_answers) for run in found.runs] == [("ours", True)]
    assert found.notes == (f"some.jsonl: left out, as answers have no place for them: {left_out}.",)


@pytest.mark.parametrize(
    ("row", "wrong"),
    [
        (
            layout(2024, topic_id="8", answer=[{"text": "x", "citations": [3]}]),
            "cites number 3 of 3 references",
        ),
        (layout(2024, topic_id="8", answer=[{"text": "x", "citations": [-1]}]), "cites number -1"),
        (layout(2024, topic_id="8", answer=[{"text": "x", "citations": ["d"]}]), 'cites "d", which is none'),
        (layout(2024, topic_id="8", answer=[{"text": "x", "citations": [True]}]), "cites true"),
        (layout(2024, topic_id="8", answer=[{"citations": []}]), "sentence 1: 'text' is missing"),
        (layout(2024, topic_id="8", answer="a text"), "'answer' is no list"),
        (layout(2024, topic_id="8", answer=[], references=["a", "a"]), "the reference 'a' is given twice"),
        (layout(2024), "answers the topic '7' twice"),
        (layout(2024, run_id="other", topic="what else"), "stated otherwise before"),
        (layout(2025, metadata=[]), "metadata: is no JSON object"),
    ],
)
def test_what_cannot_be_taken_is_named_with_its_line(
    tmp_path: Path, row: dict[str, object], wrong: str
) -> None:
    path = write(tmp_path / "a", layout(2024), row)
    with pytest.raises(InputError) as caught:
        FORMAT.read(path)
    assert {one.line for one in caught.value.problems} == {2}
    assert wrong in str(caught.value)


def test_topics_are_queries(tmp_path: Path) -> None:
    rows = {"id": "1", "title": "I want to know how ducks live."}, {"id": 2, "title": "And geese?"}
    path = write(tmp_path / "trec_rag_2025_queries.jsonl", *rows)
    assert sniff(path) is FORMAT
    assert list(FORMAT.read(path).queries) == [
        Query("1", "I want to know how ducks live."),
        Query("2", "And geese?"),
    ]
    assert sniff(write(tmp_path / "pages.jsonl", *rows)) is FORMATS["jsonl"]
    both = write(tmp_path / "both.jsonl", {"id": "1", "title": "Ducks", "narrative": "How do ducks live?"})
    assert sniff(both) is FORMAT
    told = FORMAT.read(both)
    assert (list(told.queries), told.notes) == (
        [Query("1", "How do ducks live?")],
        ("both.jsonl: left out, as a topic has no place for them: title.",),
    )
    with pytest.raises(InputError, match="a:2: the query id '1' is given twice"):
        FORMAT.read(write(tmp_path / "a", {"id": 1, "narrative": "x"}, {"id": "1", "narrative": "y"}))
    (tmp_path / "trec_rag_2024_queries.tsv").write_text("2024-1\thow old do ducks get\n")
    assert sniff(tmp_path / "trec_rag_2024_queries.tsv") is FORMATS["msmarco"]


words = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=9)


@st.composite
def generated(draw: st.DrawFn) -> Dataset:
    """Return the answers of a system to two topics, with citations."""
    answers = []
    for query in ("q1", "q2"):
        references = draw(st.lists(st.sampled_from(["a", "b c", "é#1"]), unique=True))
        text, sentences = "", []
        for sentence in draw(st.lists(words, min_size=1, max_size=3)):
            start = len(text) + bool(text)
            text = f"{text} {sentence}" if text else sentence
            cited = draw(st.lists(st.sampled_from(references), unique=True)) if references else []
            sentences.append({"start": start, "end": len(text), "citations": cited})
        cites = text and (references or sentences[1:])
        fields: dict[str, Any] = {"sentences": sentences, "references": references} if cites else {}
        answers.append(Answer(query, text, fields=fields))
    rows = [(one.query_id, one.id, 0.0) for one in answers]
    return Dataset(answers=answers, runs=[run_of("ours", rows, "given", False, True)])


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(dataset=generated())
@pytest.mark.parametrize("key", ["trec-rag", "jsonl", "csv"])
def test_answers_come_back_with_what_they_cite(tmp_path: Path, key: str, dataset: Dataset) -> None:
    FORMATS[key].write(dataset, tmp_path / "a")
    assert FORMATS[key].losses(dataset) == []
    assert content(FORMATS[key].read(tmp_path / "a", Reading())) == content(dataset)


@pytest.mark.parametrize("first", [0, 1])
def test_a_project_keeps_what_answers_cite_through_dump_load_and_export(tmp_path: Path, first: int) -> None:
    plain = tmp_path / "plain.jsonl"
    plain.write_text(json.dumps({"query_id": "7", "answer": TEXT, "system": "first", "rank": 1}) + "\n")
    cited = write(tmp_path / "cited.jsonl", layout(2025))
    with Project.create(tmp_path / "p.annot", "p", annotator="Ann") as project:
        for path in (plain, cited)[:: 1 - 2 * first]:
            data_import.run_import(project, data_import.plan_import(project, [path]))
        export(project, "trec-rag", tmp_path / "out.jsonl", ExportChoices(systems=("ours",)))
        text_twin.dump(project, tmp_path / "dump")
    assert check(tmp_path / "p.annot")[0] == ()
    text_twin.load(tmp_path / "dump", tmp_path / "copy.annot").close()
    assert check(tmp_path / "copy.annot")[0] == ()
    with Project.open(tmp_path / "copy.annot", read_only=True) as project:
        export(project, "trec-rag", tmp_path / "copied.jsonl", ExportChoices(systems=("ours",)))
    found = [content(FORMAT.read(tmp_path / name)) for name in ("out.jsonl", "copied.jsonl")]
    wanted = content(FORMAT.read(cited))
    assert found == [wanted, wanted]


@pytest.mark.parametrize(
    "fields", [{"sentences": "x", "references": []}, {"references": [1], "sentences": []}, {}]
)
def test_fields_of_another_meaning_make_one_sentence(tmp_path: Path, fields: dict[str, object]) -> None:
    assert cited_by(Answer("q", "a text", fields=fields)) == ([], [(0, 6, [])])  # type: ignore[arg-type]
