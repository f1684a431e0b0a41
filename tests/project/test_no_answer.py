"""The best no-answer thresholds of a project are those of the files that came into it."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotator.errors import UserError
from annotator.evaluation.options import GoldMatch, Options
from annotator.project.data_import import plan_import, run_import
from annotator.project.no_answer import WARNING, best_no_answer, best_no_answer_of
from annotator.project.project import Project
from annotator.project.state import state_of

WORDS = st.sampled_from(["Thor", "Tony Stark", "the Hulk", ""])


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    gold=st.lists(st.lists(WORDS.filter(bool), max_size=2), min_size=1, max_size=6),
    predicted=st.lists(WORDS, min_size=6, max_size=6),
    doubts=st.lists(st.none() | st.floats(0, 1), min_size=6, max_size=6),
    normaliser=st.sampled_from(["squad1", "squad2", "none"]),
)
def test_a_project_finds_the_thresholds_that_its_files_give(
    tmp_path_factory: pytest.TempPathFactory,
    gold: list[list[str]],
    predicted: list[str],
    doubts: list[float | None],
    normaliser: str,
) -> None:
    folder = tmp_path_factory.mktemp("squad")
    context = "Thor, Tony Stark and the Hulk."
    paragraph = {
        "context": context,
        "qas": [
            {
                "id": f"q{at}",
                "question": "Who?",
                "is_impossible": not answers,
                "answers": [{"text": one, "answer_start": context.index(one)} for one in answers],
            }
            for at, answers in enumerate(gold)
        ],
    }
    squad, answers_file, na_prob = folder / "squad.json", folder / "reader.json", folder / "na_prob.json"
    squad.write_text(json.dumps({"version": "v2.0", "data": [{"title": "t", "paragraphs": [paragraph]}]}))
    texts = {f"q{at}": predicted[at] for at in range(len(gold))}
    answers_file.write_text(json.dumps(texts))
    known = {f"q{at}": doubts[at] for at in range(len(gold)) if doubts[at] is not None}
    na_prob.write_text(json.dumps(known))
    options = Options(measures=("EM", "TokenF1"), normaliser=normaliser)
    table, _ = best_no_answer(squad, [answers_file], na_prob, options)
    with Project.create(folder / "p.annot", "P", annotator="Ann") as project:
        run_import(project, plan_import(project, [squad, answers_file]))
        found = best_no_answer_of(state_of(project), options, na_prob)
        assert found.rows == table.rows
        assert WARNING in found.caption
        assert ("as sure" in found.caption) == (len(known) < len(gold))
        ranked = Options(measures=("nDCG@10",), normaliser=normaliser, relevance=GoldMatch())
        assert best_no_answer_of(state_of(project), ranked, na_prob).rows == found.rows


def test_without_predicted_answers_it_is_said_what_is_missing(tmp_path: Path) -> None:
    run, na_prob = tmp_path / "bm25.run", tmp_path / "na_prob.json"
    run.write_text("q1 Q0 d1 1 2.5 bm25\n")
    na_prob.write_text("{}")
    with Project.create(tmp_path / "p.annot", "P", annotator="Ann") as project:
        run_import(project, plan_import(project, [run]))
        with pytest.raises(UserError, match="No system here has predicted answers"):
            best_no_answer_of(state_of(project), Options(), na_prob)
