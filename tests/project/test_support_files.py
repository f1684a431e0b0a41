"""What is judged of citations in files of TREC's RAG track and of RAGDoll: taken whole or not, and back."""

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.errors import InputError
from annotator.evaluation.options import Options
from annotator.project import browse, data_import, judging
from annotator.project.data_export import ExportChoices, export
from annotator.project.data_import import ImportChoices
from annotator.project.project import Project
from annotator.project.project_scores import evaluate_project
from tests.examples import examples
from tests.project.cited import ANSWERS, PARTS, line, made
from tests.project.scores import by

PEOPLE = map("person {}".format, count())


@pytest.fixture(scope="module")
def cited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """A project of two answers, of whose six citations two name passages that it does not have."""
    path = tmp_path_factory.mktemp("cited") / "cited.annot"
    made(path)
    with Project.open(path, annotator="Ann") as project:
        yield project


def ragdoll(system: str, levels: list[list[int]], **other: Any) -> str:
    """Return a line as RAGDoll's `assemble_support_assignments` makes it of an answer."""
    sentences = [
        {
            "sentenceID": at,
            "text": text,
            "citations": [
                {"citationID": place, "reference": name, "support": str(level)}
                for place, (name, level) in enumerate(zip(cites, given, strict=True))
            ],
        }
        for at, ((text, cites), given) in enumerate(zip(ANSWERS[system], levels, strict=True))
    ]
    return json.dumps(
        {"topic_id": "q", "narrative_id": "q", "run_id": system, "sentences": sentences, **other}
    )


def of_2024(system: str, scores: list[list[str | None]]) -> str:
    """Return an answer with what a model said, as the organisers' `support_evaluation_gpt4o.py` writes it."""
    whole = json.loads(line(system))
    judged = [
        {
            "answer": one["text"],
            "citations": one["citations"],
            "count": len(one["citations"]),
            "eval_scores": given,
            "gpt-4o_responses": ["Full Support"] * len(given),
        }
        for one, given in zip(whole["answer"], scores, strict=True)
    ]
    return json.dumps({**whole, "support_eval": judged, "segments": PARTS})


def written(folder: Path, *lines: str) -> Path:
    path = folder / "support.jsonl"
    path.write_text("".join(f"{one}\n" for one in lines), "utf-8")
    return path


def take(project: Project, path: Path, name: str | None) -> str:
    chosen = ImportChoices(annotator=name, replace=True)
    return data_import.run_import(project, data_import.plan_import(project, [path], chosen)).said


def said(project: Project) -> dict[str, dict[str, int]]:
    """Return what the annotator said, by the first word but one of the answer, passage and sentence."""
    candidates = browse.query(project, browse.key_of(project, "q")).candidates
    return {
        one.text.split()[1]: {f"{of[1]} {of[2]}": level for of, level in one.said.items()}
        for one in candidates
    }


def test_what_ragdoll_wrote_is_scored_and_what_names_other_passages_is_left_out(
    cited: Project, tmp_path: Path
) -> None:
    path = written(
        tmp_path, ragdoll("long", [[2], [1, 0], []]), ragdoll("brief", [[2, 1], [0], [-1]], judge="x")
    )
    plan = data_import.plan_import(cited, [path], ImportChoices(annotator="Ann"))
    assert plan.taken_for == [
        "support.jsonl: Judged citations",
        "support.jsonl: left out, as support has no place for them: judge.",
    ]
    assert plan.files[0].brings == ("6 judged citations",)
    assert plan.tally.sentences(would=True) == [
        "judged citations: 4 would be added, 2 left out, as the project does not have the passage"
    ]
    data_import.run_import(cited, plan)
    by(cited, "Ann")
    assert said(cited) == {
        "live": {"0-25 p1": 2, "26-36 p2": 1, "26-36 p1": 0},
        "are": {"0-21 p2": 1},
    }
    scores = evaluate_project(
        cited, Options(measures=("SupportPrecision", "SupportRecallFirst"), annotator="Ann")
    )
    assert scores.mean("long", "SupportPrecision") == (1 + (0.5 + 0) / 2) / 2
    assert scores.mean("long", "SupportRecallFirst") == (1 + 0.5 + 0) / 3


def test_what_a_model_said_beside_the_answers_of_2024_is_the_models(cited: Project, tmp_path: Path) -> None:
    path = written(tmp_path, of_2024("long", [["FS"], [None, "NS"], []]))
    assert "judged citations: 2 added" in take(cited, path, None)
    assert [one.kind for one in browse.annotators(cited) if one.name == "model:gpt-4o"] == ["model"]
    plan = data_import.plan_import(cited, [path], ImportChoices(replace=True))
    assert plan.dataset.notes == ("support.jsonl: left out, as answers have no place for them: segments.",)
    assert plan.tally.same["judged citations"] == 2


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({"topic_id": "nobody"}, ":2: the project has no query 'nobody'"),
        ({"run_id": "nobody"}, ":2: the project does not have the answer of these judgments"),
        ({"sentences": [{"text": "Ducks sing.", "citations": []}]}, ":2: 'Ducks sing.' is not sentence 1 of"),
        (
            {
                "sentences": [
                    {"text": ANSWERS["long"][0][0], "citations": [{"reference": "p2", "support": 1}]}
                ]
            },
            ":2: sentence 1 does not cite 'p2'",
        ),
        (
            {"sentences": [{"text": "x", "citations": [{"reference": "p2", "support": "3"}]}]},
            ":2: sentence 1, citation 1: 'support' is \"3\", none of -1, 0, 1, 2",
        ),
        ({"sentences": {}}, ":2: 'sentences' is no list"),
    ],
)
def test_a_file_is_taken_whole_or_not_at_all(
    cited: Project, tmp_path: Path, change: dict[str, Any], wrong: str
) -> None:
    head = cited.store.head()
    path = written(
        tmp_path, ragdoll("brief", [[2, 1], [0], [2]]), ragdoll("long", [[2], [1, 0], []], **change)
    )
    with pytest.raises(InputError) as caught:
        take(cited, path, next(PEOPLE))
    assert [str(one).removeprefix(str(path)).startswith(wrong) for one in caught.value.problems] == [True]
    assert cited.store.head() == head


@pytest.mark.parametrize(
    ("old", "new", "wrong"),
    [
        ('"FS"', '"XS"', 'support_eval 1: the score "XS" is none of FS, PS, NS, null'),
        ('"answer": "Ducks fly."', '"answer": "Ducks sing."', "support_eval 2: 'Ducks sing.' is no sentence"),
        ('["FS"]', '["FS", "PS"]', "support_eval 1: has 2 scores of 1 citations"),
        ('"gpt-4o_responses"', '"x_responses": [], "y_responses"', "is of several models (x, y)"),
    ],
)
def test_what_does_not_fit_beside_an_answer_is_named(
    cited: Project, tmp_path: Path, old: str, new: str, wrong: str
) -> None:
    text = of_2024("long", [["FS"], ["PS", "NS"], []])
    assert old in text
    with pytest.raises(InputError) as caught:
        take(cited, written(tmp_path, text.replace(old, new)), next(PEOPLE))
    assert wrong in str(caught.value)


LEVELS = st.one_of(st.none(), st.integers(0, 2))


@given(
    levels=st.lists(LEVELS, min_size=5, max_size=5).filter(any), key=st.sampled_from(["support", "trec-rag"])
)
@settings(max_examples=examples(6, 100), deadline=None)
def test_what_is_written_comes_back_as_it_was(
    cited: Project, tmp_path_factory: pytest.TempPathFactory, levels: list[int | None], key: str
) -> None:
    name, other, folder = next(PEOPLE), next(PEOPLE), tmp_path_factory.mktemp("written")
    by(cited, name)
    query = browse.key_of(cited, "q")
    asked = [
        (one.key, each)
        for one in sorted(browse.query(cited, query).candidates, key=lambda one: one.text)
        for each in one.questions
    ]
    with cited.store.writing():
        for (candidate, each), level in zip(asked, levels, strict=True):
            judging.answer(cited, query, candidate, each, level)
    wanted = said(cited)
    export(cited, key, folder / "written.jsonl", ExportChoices(Options(annotator=name)))
    take(cited, folder / "written.jsonl", other)
    assert said(by(cited, other)) == wanted
    export(cited, key, folder / "again.jsonl", ExportChoices(Options(annotator=other)))
    assert (folder / "again.jsonl").read_bytes() == (folder / "written.jsonl").read_bytes()
