"""What a format can hold comes back as it was written."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from annotator.errors import UserError
from annotator.formats import registry
from annotator.formats.blanks import cannot_stand
from annotator.formats.declaration import IN_PROJECTS_ALONE, PART_WORDS, PARTS, Format, has
from annotator.formats.registry import FORMATS
from annotator.records import Answer, AnswerParts, Dataset, Document, GoldAnswer, GoldList, Query
from tests.formats.datasets import content, datasets, judged, predictions, run_of

quick = settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def again(form: Format, dataset: Dataset, folder: Path, name: str) -> Dataset:
    path = folder / name
    form.write(dataset, path)
    return form.read(path)


def only(form: Format, dataset: Dataset) -> Dataset:
    """Return the parts that a format holds."""
    kept = {part: getattr(dataset, part) for part in PARTS if part in form.holds}
    return Dataset(**kept)


@quick
@given(dataset=datasets())
@pytest.mark.parametrize(
    ("key", "name"), [("csv", "a.csv"), ("csv", "a.tsv"), ("jsonl", "a.jsonl"), ("csv", "a.csv.gz")]
)
def test_plain_tables_hold_everything(tmp_path: Path, key: str, name: str, dataset: Dataset) -> None:
    assert content(again(FORMATS[key], dataset, tmp_path, name)) == content(dataset)
    assert FORMATS[key].losses(dataset) == []


@quick
@given(dataset=predictions())
@pytest.mark.parametrize(
    ("key", "name"), [("csv", "a.csv"), ("jsonl", "a.jsonl"), ("squad-predictions", "system.json")]
)
def test_predicted_answers_come_back_also_the_empty_one(
    tmp_path: Path, key: str, name: str, dataset: Dataset
) -> None:
    assert content(again(FORMATS[key], dataset, tmp_path, name)) == content(dataset)


@quick
@given(dataset=predictions(several=False))
def test_one_prediction_a_question_is_written_as_the_official_script_reads_it(
    tmp_path: Path, dataset: Dataset
) -> None:
    found = again(FORMATS["squad-predictions"], dataset, tmp_path, "system.json")
    assert content(found) == content(dataset)
    assert "[" not in (tmp_path / "system.json").read_text("utf-8")[:1]


@quick
@given(dataset=datasets(plain=True))
def test_trec_files_hold_rankings_and_judgments(tmp_path: Path, dataset: Dataset) -> None:
    run, qrels = FORMATS["trec-run"], FORMATS["trec-qrels"]
    assert content(again(qrels, dataset, tmp_path, "a"))["judgments"] == content(dataset)["judgments"]
    if dataset.runs:
        assert content(again(run, dataset, tmp_path, "b"))["runs"] == content(dataset)["runs"]


@quick
@given(dataset=datasets())
def test_trec_files_refuse_ids_that_they_would_tear_apart(tmp_path: Path, dataset: Dataset) -> None:
    (tmp_path / "a").unlink(missing_ok=True)
    table = dataset.judgments
    assert table is not None
    commented = any(cannot_stand(one, first=True) for one in table.query_ids)
    if commented or any(map(cannot_stand, table.candidate_ids)):
        with pytest.raises(UserError, match="blanks"):
            FORMATS["trec-qrels"].write(dataset, tmp_path / "a")
        assert not (tmp_path / "a").exists()
    else:
        again(FORMATS["trec-qrels"], dataset, tmp_path, "a")


@quick
@given(dataset=datasets())
def test_beir_holds_all_but_tags_and_guidelines(tmp_path: Path, dataset: Dataset) -> None:
    queries = [replace(one, tags=(), guidelines="") for one in dataset.queries]
    wanted = content(only(FORMATS["beir"], replace(dataset, queries=queries)))
    assert content(again(FORMATS["beir"], dataset, tmp_path, "beir")) == wanted
    lost = any(one.tags or one.guidelines for one in dataset.queries)
    assert any("tags" in sentence for sentence in FORMATS["beir"].losses(dataset)) == lost


@quick
@given(dataset=datasets(plain=True))
def test_ms_marco_holds_ids_texts_ranks_and_judgments(tmp_path: Path, dataset: Dataset) -> None:
    for old in tmp_path.glob("m/*"):
        old.unlink()
    found, wanted = content(again(FORMATS["msmarco"], dataset, tmp_path, "m")), content(dataset)
    assert found["runs"] == wanted["runs"]
    assert found["judgments"] == wanted["judgments"]

    def on_one_line(text: str) -> str:
        return re.sub(r"\r\n|[\t\r\n]", " ", text)

    assert found["queries"] == {one.id: Query(one.id, on_one_line(one.text)) for one in dataset.queries}
    documents = found["documents"]
    assert isinstance(documents, dict)
    assert {one.id: one.text for one in documents.values()} == {
        one.id: on_one_line(one.text) for one in dataset.documents
    }


@quick
@given(dataset=datasets(plain=True))
def test_topics_hold_texts_and_guidelines_with_single_blanks(tmp_path: Path, dataset: Dataset) -> None:
    form = FORMATS["trec-topics"]
    try:
        found = again(form, dataset, tmp_path, "t")
    except UserError:
        assert any(one.id != " ".join(one.id.split()) for one in dataset.queries)
        return
    once = content(found)
    assert once == content(again(form, found, tmp_path, "t"))
    assert list(once["queries"]) == [one.id for one in dataset.queries]  # type: ignore[call-overload]
    for before, after in zip(dataset.queries, found.queries, strict=True):
        for name in ("text", "guidelines"):
            if not re.match(r"\s*(topic|narrative):", getattr(before, name), re.IGNORECASE):
                assert getattr(after, name) == " ".join(getattr(before, name).split())


@quick
@given(dataset=datasets())
@pytest.mark.parametrize("key", ["label-studio", "dict-json"])
def test_judged_pairs_come_back(tmp_path: Path, key: str, dataset: Dataset) -> None:
    found = content(again(FORMATS[key], dataset, tmp_path, "qrels.json"))
    assert found["judgments"] == content(dataset)["judgments"]
    if key == "label-studio":
        known = content(dataset)
        for part in ("queries", "documents"):
            held = found[part]
            assert isinstance(held, dict)
            assert held.items() <= known[part].items()  # type: ignore[attr-defined]


@quick
@given(dataset=datasets())
def test_quepid_holds_the_grades_of_texts(tmp_path: Path, dataset: Dataset) -> None:
    table = dataset.judgments
    assert table is not None
    named = replace(dataset, queries=[Query(one, one) for one in table.query_ids])
    found = content(again(FORMATS["quepid"], named, tmp_path, "q.csv"))
    assert found["judgments"] == content(dataset)["judgments"]


@quick
@given(dataset=datasets())
def test_a_run_in_dict_json_keeps_its_order(tmp_path: Path, dataset: Dataset) -> None:
    for run in dataset.runs:
        found = again(FORMATS["dict-json"], Dataset(runs=[run]), tmp_path, "run.json")
        assert list(content(found)["runs"].values()) == list(content(Dataset(runs=[run]))["runs"].values())  # type: ignore[attr-defined]


@quick
@given(dataset=datasets())
def test_squad_holds_questions_and_their_wordings(tmp_path: Path, dataset: Dataset) -> None:
    form = FORMATS["squad"]
    found = again(form, replace(dataset, documents=()), tmp_path, "s.json")
    assert [(one.id, one.text) for one in found.queries] == [(one.id, one.text) for one in dataset.queries]
    wanted = {one.query_id: one for one in dataset.gold}
    for one in found.gold:
        before = wanted.get(one.query_id)
        texts = [] if before is None else [text for answer in before.answers for text in answer.wordings]
        assert [text for answer in one.answers for text in answer.wordings] == list(dict.fromkeys(texts))
        assert one.unanswerable == (before is not None and before.unanswerable)
    assert content(again(form, found, tmp_path, "s.json")) == content(found)


@quick
@given(dataset=datasets())
def test_what_is_written_is_recognised(tmp_path: Path, dataset: Dataset) -> None:
    names = {"jsonl": "a.jsonl", "beir": "folder", "label-studio": "a.json", "squad": "s.json"}
    for key, name in names.items():
        FORMATS[key].write(dataset, tmp_path / name)
        found = registry.sniff(tmp_path / name)
        assert found is not None
        assert found.key == key


@pytest.mark.parametrize("ranked", ["documents", "answers"])
@pytest.mark.parametrize("key", FORMATS)
def test_what_does_not_come_back_is_said_before_and_nothing_else_is(
    tmp_path: Path, key: str, ranked: str
) -> None:
    form = FORMATS[key]
    if ranked == "answers" and "answers" not in form.holds:
        return
    full = with_everything(answers=ranked == "answers" or not form.answers_alone, ranked=ranked)
    name = f"out{next(iter(form.extensions), '')}"
    names = (name, f"run-{name}") if key == "dict-json" else (name,)  # the name says which of two it holds
    held = form.held(full)
    found = [again(form, full, tmp_path, one) for one in names] if held else []
    back = {part for part in PARTS if any(has(one, part) for one in found)}
    if held and not form.folder and full.queries[0].text.encode() in (tmp_path / name).read_bytes():
        back.add("queries")
    every = {PART_WORDS[part]: part for part in PARTS if has(full, part)} | dict.fromkeys(
        IN_PROJECTS_ALONE.values()
    )
    told = form.losses(full)
    assert {one for one in every if f"{form.title} cannot hold {one}." in told} == {
        one for one, part in every.items() if part not in back
    }
    assert len(held) == (1 if key == "dict-json" else len(back)), "what is written is said, and nothing else"
    lost = " ".join(one.partition(" cannot hold ")[2] for one in told if one != form.nothing(full))
    titled = any(document.title for one in found for document in one.documents)
    assert ("titles" in " ".join(held)) == titled
    assert not titled or "titles" not in lost
    assert "rankings" not in lost or "rankings" not in " ".join(held)


def with_everything(answers: bool, ranked: str) -> Dataset:
    """Return something of every part; without answers, of all that needs none."""
    sentence = {"start": 0, "end": 10, "citations": ["d"]}
    answer = Answer("q", "Ducks fly.", fields={"references": ["d"], "sentences": [sentence]})
    whose = ("", 0, "q", "s", answer.text)
    of_answers = ranked == "answers"
    return Dataset(
        [Query("q", "Do ducks fly?")],
        [Document("d", "Ducks", "They fly.")],
        [answer] if answers else [],
        [GoldList("q", (GoldAnswer("yes"),))],
        [run_of("s", [("q", answer.id if of_answers else "d", 1.0)], answers=of_answers)],
        judged([("q", "d", 1)]),
        said=[
            AnswerParts(*whose, nuggets=(("They fly.", "vital", 2),)),
            AnswerParts(*whose, citations=((answer.text, 0, "d", 2),) if answers else ()),
        ],
        also=frozenset(IN_PROJECTS_ALONE),
    )
