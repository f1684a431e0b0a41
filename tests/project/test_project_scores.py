"""A project's scores: from the grades of one or several annotators, from gold answers, or from both."""

from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

from annotator.errors import MeasureError, Stopped, UserError
from annotator.evaluation.evaluator import ranked_by_gold
from annotator.evaluation.options import GoldMatch, Options
from annotator.evaluation.results import EvaluationResult
from annotator.project import browse, data_import, judging, panel, project_scores, settings
from annotator.project.data_import import ImportChoices
from annotator.project.project import Project
from annotator.project.project_scores import collected
from annotator.project.state import state_of
from annotator.records import Answer, Dataset, GoldList
from annotator.storage.reads import lookup as stored
from annotator.watch import Watch
from tests.project import scores
from tests.project.conftest import add, run_table


def grade(project: Project, query: int, grades: dict[str, int]) -> None:
    keys = {one.id: one.key for one in browse.query(project, query).candidates}
    for candidate, value in grades.items():
        judging.set_grade(project, query, keys[candidate], value)


def test_grades_become_scores_of_every_system(project: Project) -> None:
    grade(project, 1, {"d1": 3, "d2": 0, "d3": 2})
    result = project_scores.evaluate_project(project, Options(measures=("nDCG@10", "RR", "P@5")))
    assert result.systems == ("alpha", "beta")
    assert result.query_ids == ("q1",)
    ideal = 3 + 2 / np.log2(3)
    assert result.of("alpha", "nDCG@10")[0] == pytest.approx((3 + 2 / np.log2(4)) / ideal)
    assert result.of("beta", "nDCG@10")[0] == pytest.approx((2 + 3 / np.log2(3)) / ideal)
    assert result.of("alpha", "P@5").tolist() == [0.4]
    assert result.judged_at_10 is not None
    assert result.judged_at_10[:, 0].tolist() == [0.3, 0.2]
    assert dict(result.left_out) == {"q2": "it has no judgments", "q3": "it has no judgments"}


def test_a_query_that_a_system_does_not_answer_counts_as_zero(project: Project) -> None:
    grade(project, 3, {"d1": 5})
    result = project_scores.evaluate_project(project, Options(measures=("RR",)))
    assert [result.mean(system, "RR") for system in result.systems] == [0.0, 1.0]


def test_several_annotators_are_combined_by_the_rule_that_is_printed(project: Project) -> None:
    for name, value in (("Ann", 5), ("Bob", 1), ("Cem", 0)):
        project.use_annotator(name)
        grade(project, 3, {"d1": value})
    values = {
        rule: project_scores.evaluate_project(project, Options(measures=("CG@1",), combine=rule)).of(
            "beta", "CG@1"
        )[0]  # type: ignore[arg-type]
        for rule in ("median", "latest", "mean", "max", "min")
    }
    assert values == {"median": 1, "latest": 0, "mean": 2, "max": 5, "min": 0}
    alone = project_scores.evaluate_project(project, Options(measures=("CG@1",), annotator="Ann"))
    assert alone.of("beta", "CG@1")[0] == 5
    assert alone.provenance.annotators == ("Ann",)
    with pytest.raises(UserError, match="Zoe"):
        project_scores.evaluate_project(project, Options(annotator="Zoe"))


def test_a_models_judgments_are_never_mixed_in_silently(project: Project, tmp_path: Path) -> None:
    (tmp_path / "model.qrels").write_text("q3 0 d1 5\n", "utf-8")
    plan = data_import.plan_import(
        project, [tmp_path / "model.qrels"], ImportChoices(annotator="gpt", model=True)
    )
    data_import.run_import(project, plan)
    grade(project, 3, {"d1": 0})
    result = project_scores.evaluate_project(project, Options(measures=("CG@1",)))
    assert result.of("beta", "CG@1")[0] == 0
    assert any("gpt" in note for note in result.notes)
    assert (
        project_scores.evaluate_project(project, Options(measures=("CG@1",), annotator="gpt")).of(
            "beta", "CG@1"
        )[0]
        == 5
    )


def test_skipped_and_cannot_tell_are_unjudged_and_not_zero(project: Project) -> None:
    grade(project, 1, {"d1": 3})
    keys = {one.id: one.key for one in browse.query(project, 1).candidates}
    judging.skip(project, 1, keys["d2"])
    judging.cannot_tell(project, 1, keys["d3"])
    result = project_scores.evaluate_project(project, Options(measures=("Judged@5", "RR")))
    assert result.of("alpha", "Judged@5")[0] == 0.2
    assert result.judged is not None
    assert result.judged.tolist() == [1]


def test_gold_answers_alone_are_enough(answers: Project) -> None:
    result = project_scores.evaluate_project(
        answers, Options(measures=("EM", "TokenF1", "RR"), relevance=GoldMatch("em"))
    )
    assert result.query_ids == ("iron", "thor")
    assert result.of("reader", "EM").tolist() == [1, 0]
    assert result.of("reader", "RR").tolist() == [1, 0.5]


def test_gold_order_gains_give_the_articles_value(answers: Project) -> None:
    match = GoldMatch("em", gains="gold-order")
    result = project_scores.evaluate_project(answers, Options(measures=("nDCG",), relevance=match))
    assert result.of("reader", "nDCG")[1] == pytest.approx(0.607492, abs=5e-7)


def test_a_measure_of_texts_beside_grades_leaves_out_what_it_cannot_score(answers: Project) -> None:
    keys = {one.text: one.key for one in browse.query(answers, 1).candidates}
    judging.set_grade(answers, 1, keys["Stark"], 4)
    result = project_scores.evaluate_project(answers, Options(measures=("EM", "RR")))
    assert np.isnan(result.of("reader", "RR")[1])
    assert result.mean("reader", "RR") == 0.5
    assert result.mean("reader", "EM") == 0.5


def test_a_measure_of_texts_without_answers_says_what_to_do(project: Project) -> None:
    grade(project, 1, {"d1": 3})
    with pytest.raises(MeasureError, match="import predictions"):
        project_scores.evaluate_project(project, Options(measures=("EM",)))


def test_only_chosen_queries_systems_and_tags_are_evaluated(project: Project) -> None:
    grade(project, 1, {"d1": 3})
    grade(project, 2, {"d6": 1})
    assert project_scores.evaluate_project(project, Options(tags=("farm",))).query_ids == ("q2",)
    assert project_scores.evaluate_project(project, Options(queries=("q1",))).query_ids == ("q1",)
    assert project_scores.evaluate_project(project, Options(systems=("beta", "beta"))).systems == ("beta",), (
        "named once or twice"
    )
    for wrong, told in (
        (Options(queries=("q3",)), "There is no"),
        (Options(systems=("gamma",)), "alpha, beta"),
    ):
        with pytest.raises(MeasureError, match=told):
            project_scores.evaluate_project(project, wrong)


def test_answerable_and_unanswerable_questions_are_told_apart_by_tag(answers: Project) -> None:
    options = Options(measures=("EM",))
    before = project_scores.evaluate_project(answers, options)
    first = before.query_ids[0]
    judging.set_gold(answers, browse.key_of(answers, first), GoldList(first, unanswerable=True))
    after = project_scores.evaluate_project(answers, options)
    assert after.tags[0] == (*before.tags[0], "NoAns")
    assert after.tags[1:] == tuple((*tags, "HasAns") for tags in before.tags[1:])
    assert project_scores.evaluate_project(answers, replace(options, tags=("NoAns",))).query_ids == (first,)


def test_queries_can_be_left_out_of_the_mean(project: Project) -> None:
    grade(project, 1, {"d1": 3, "d2": 0, "d3": 0, "d4": 0})
    grade(project, 2, {"d6": 0})
    plain = project_scores.evaluate_project(project, Options(measures=("RR",)))
    assert plain.mean("alpha", "RR") == 0.5
    relevant = project_scores.evaluate_project(project, Options(measures=("RR",), skip_without_relevant=True))
    assert relevant.mean("alpha", "RR") == 1.0
    complete = project_scores.evaluate_project(project, Options(measures=("RR",), fully_judged_to=4))
    assert complete.counted.tolist() == [[True, False], [False, False]]


def test_judged_only_removes_what_nobody_judged_and_says_so_in_the_name(project: Project) -> None:
    grade(project, 1, {"d4": 3})
    result = project_scores.evaluate_project(project, Options(measures=("RR",), judged_only=True))
    assert result.measures[0].name == "RR(judged_only=True)"
    assert result.scores[0, 0, 0] == 1.0


def test_the_result_says_how_to_make_it_again(project: Project) -> None:
    grade(project, 1, {"d1": 3})
    options = Options(measures=("P(rel=3)@5",), combine="max", tags=("animal",), judged_only=True)
    told = project_scores.evaluate_project(project, options).provenance
    assert told.command == (
        "annotator evaluate ducks.annot -m 'P(rel=3)@5' --tag animal --combine max --rel 1 --judged-only"
    )
    assert told.ledger_head == project.store.head()


def test_an_evaluation_tells_how_far_it_is_and_stops_when_asked(project: Project) -> None:
    grade(project, 1, {"d1": 3})
    told: list[tuple[int, int, str]] = []
    watch = Watch(on_progress=lambda *one: told.append(one))
    project_scores.evaluate_project(project, Options(), watch=watch)
    assert told == [
        *((0, 2, "Reading alpha"), (1, 2, "Reading beta")),
        *((0, 2, "alpha"), (1, 2, "beta")),
    ]
    told.clear()
    project_scores.evaluate_project(project, Options(systems=("beta",)), watch=watch)
    assert told == [(0, 1, "Reading beta"), (0, 1, "beta")], "what nobody asks for is not read"
    with pytest.raises(Stopped):
        project_scores.evaluate_project(project, Options(), watch=Watch(should_stop=lambda: True))
    told.clear()
    with pytest.raises(Stopped):
        project_scores.evaluate_project(
            project, Options(), watch=replace(watch, should_stop=lambda: len(told) == 1)
        )
    assert told == [(0, 2, "Reading alpha")], "it stops between two systems"


def test_a_long_evaluation_comes_system_by_system(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    grade(project, 1, {"d1": 3, "d3": 1})
    parts: list[EvaluationResult] = []
    monkeypatch.setattr("annotator.project.project_scores.PART_SECONDS", float("inf"))
    project_scores.evaluate_project(project, Options(), on_part=parts.append)
    assert parts == [], "a short one comes at once"
    monkeypatch.setattr("annotator.project.project_scores.PART_SECONDS", 0.0)
    whole = project_scores.evaluate_project(project, Options(), on_part=parts.append)
    assert [one.systems for one in parts] == [("alpha",)]
    project_scores.evaluate_project(project, Options(systems=("beta", "alpha")), on_part=parts.append)
    assert parts.pop().options.systems == ("beta", "alpha"), "what was asked for stands in a part"
    assert parts[0].scores.tolist() == whole.scores[:1].tolist()
    project_scores.evaluate_project(project, Options(systems=("beta",)), on_part=parts.append)
    assert len(parts) == 1, "systems that nobody asked for are not shown"


def test_the_panel_shows_one_query_against_its_ideal(project: Project) -> None:
    grade(project, 1, {"d1": 2, "d3": 5, "d5": 1})
    shown = panel.query_panel(project, 1, ["nDCG@10", "CG@3"])
    assert (shown.system, shown.systems) == ("alpha", ("alpha", "beta"))
    assert shown.gained == (2, 2, 7, 7)
    assert shown.ideal == (5, 7, 8, 8)
    assert shown.ideal_ordering == (("d3", 5), ("d1", 2), ("d5", 1))
    whole = project_scores.evaluate_project(project, Options(measures=("nDCG@10", "CG@3")))
    assert [value for _, value in shown.values] == whole.scores[0, :, 0].tolist()
    assert panel.query_panel(project, 1, ["RR"], "beta").system == "beta"


def test_the_panel_of_a_question_shows_its_answer_scores(answers: Project) -> None:
    shown = panel.query_panel(answers, 1, ["EM", "nDCG@10"])
    assert shown.values == (("EM", 1.0), ("nDCG@10", None))


def test_the_panel_counts_as_many_answers_as_the_score_does(answers: Project) -> None:
    said = [Answer("iron", f"Number {number}") for number in range(1, 12)] + [Answer("iron", "Tony Stark")]
    run = run_table("talker", {"iron": [one.id for one in said]}, answers=True)
    add(answers, Dataset(answers=said, runs=[run]))
    names = ["TopAcc@11", "TopAcc@12"]
    shown = panel.query_panel(answers, 1, names, "talker")
    result = project_scores.evaluate_project(
        answers, Options(measures=tuple(names), systems=("talker",), queries=("iron",))
    )
    assert [value for _, value in shown.values] == result.scores[0, :, 0].tolist() == [0, 1]


def test_an_explanation_names_candidates_and_sums_to_the_score(project: Project) -> None:
    grade(project, 1, {"d1": 2, "d3": 5})
    found = scores.explain(project, "alpha", "q1", "DCG@10")
    assert [row.candidate for row in found.rows] == ["d1", "d2", "d3", "d4"]
    assert sum(row.contribution for row in found.rows) == pytest.approx(found.value)
    assert [row.ideal_candidate for row in found.rows[:2]] == ["d3", "d1"]
    for words in (("gamma", "q1", "AP"), ("alpha", "q2", "AP"), ("alpha", "q1", "EM")):
        with pytest.raises(MeasureError):
            scores.explain(project, *words)


def test_a_gold_match_of_systems_that_rank_documents_is_refused_by_their_names(project: Project) -> None:
    with pytest.raises(MeasureError, match="rank documents: alpha, beta"):
        project_scores.evaluate_project(project, Options(relevance=GoldMatch("em")))


def test_what_is_explained_by_gold_match_is_the_same_match(answers: Project) -> None:
    options = Options(relevance=GoldMatch("em"))
    found = scores.explain(answers, "reader", "thor", "RR", options)
    assert found.value == 0.5
    collection = collected(state_of(answers), options)
    table = collection.systems[0].answers
    assert table is not None
    assert (
        ranked_by_gold(table, GoldMatch("em")).judged.tolist() == collection.systems[0].ranked.judged.tolist()
    )
    with answers.store.reading() as db:
        assert stored.ranking(db, 1, 2, 1)[0][1] == "Infinity Gauntlet"


def test_what_nobody_said_is_as_the_project_has_it(project: Project, answers: Project) -> None:
    assert settings.usual_options(project) == Options()
    settings.set_setting(project, "relevant_from", 3)
    settings.set_setting(project, "combining", "max")
    assert settings.usual_options(project) == Options(rel=3, combine="max")
    assert settings.usual_options(project, Options(rel=1), {"rel"}) == Options(rel=1, combine="max")
    assert settings.usual_options(answers).measures == ("EM", "TokenF1")
    assert settings.usual_options(answers, Options(), {"measures"}) == Options()
    assert settings.usual_options(answers, Options(relevance=GoldMatch())).measures == Options().measures
    judging.set_grade(answers, 1, browse.query(answers, 1).candidates[0].key, 2)
    assert settings.usual_options(answers) == Options()


@pytest.mark.parametrize("gains", ["binary", "gold-order"])
def test_the_grade_from_which_a_candidate_is_relevant_says_nothing_of_gold_answers(
    answers: Project, gains: Literal["binary", "gold-order"]
) -> None:
    asked = Options(("P@1", "AP", "Success@2"), relevance=GoldMatch(gains=gains), skip_without_relevant=True)
    plain = project_scores.evaluate_project(answers, asked)
    assert plain.scores.max() == 1.0
    settings.set_setting(answers, "relevant_from", 3)
    usual = settings.usual_options(answers, asked, {"measures"})
    then = project_scores.evaluate_project(answers, usual)
    assert np.array_equal(then.scores, plain.scores)
    assert np.array_equal(then.counted, plain.counted)
    assert "--rel" not in then.provenance.command


@pytest.mark.parametrize("stored", [(1, "median"), (3, "max")])
@pytest.mark.parametrize("chosen", [(1, "median"), (3, "max"), (2, "median")])
def test_the_command_names_what_it_would_else_take_from_the_settings(
    project: Project, stored: tuple[int, str], chosen: tuple[int, str]
) -> None:
    """Whatever the settings are by the time it is typed, it means the same."""
    settings.set_setting(project, "relevant_from", stored[0])
    settings.set_setting(project, "combining", stored[1])
    grade(project, 1, {"d1": 3})
    said = project_scores.evaluate_project(
        project, Options(rel=chosen[0], combine=chosen[1])
    ).provenance.command
    assert f"--combine {chosen[1]} --rel {chosen[0]}" in said
