"""What is unjudged, what that leaves open, what to judge next and what would put the other system ahead."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotator.errors import MeasureError, Stopped, UserError
from annotator.evaluation.options import GoldMatch, Options
from annotator.evaluation.pairs import paired
from annotator.metrics.bounds import LOWEST, WITHOUT_BOUNDS
from annotator.project import browse, coverage, decisions, judging, project_scores
from annotator.project.project import Project
from annotator.project.state import as_called, state_of
from annotator.watch import Watch
from tests.examples import examples
from tests.metrics.throwaway import bare, offer
from tests.project.conftest import copied


def grade(project: Project, query: int, grades: dict[str, int]) -> None:
    keys = {one.id: one.key for one in browse.query(project, query).candidates}
    for candidate, value in grades.items():
        judging.set_grade(project, query, keys[candidate], value)


def test_the_unjudged_of_every_top_are_counted(project: Project) -> None:
    grade(project, 1, {"d1": 3, "d3": 0})
    found = coverage.coverage(state_of(project), depth=2)
    assert (found.systems, found.query_ids) == (("alpha", "beta"), ("q1", "q2", "q3"))
    assert found.offered.tolist() == [[2, 2, 0], [2, 2, 1]]
    assert found.unjudged.tolist() == [[1, 2, 0], [0, 2, 1]]


def test_a_project_without_runs_covers_nothing(tmp_path: Path) -> None:
    with Project.create(tmp_path / "empty.annot", "Empty") as empty:
        found = coverage.coverage(state_of(empty))
        assert (found.systems, found.query_ids) == ((), ())
        assert coverage.judging_list(state_of(empty)) == []


def test_bounds_hold_what_a_mean_may_still_become_and_shrink(project: Project) -> None:
    grade(project, 1, {"d1": 3})
    options = Options(measures=("P@5",))
    wide = {one.system: one for one in coverage.score_bounds(state_of(project), options)}
    assert (wide["alpha"].worst, wide["alpha"].best) == (pytest.approx(0.2), pytest.approx(0.8))
    grade(project, 1, {"d2": LOWEST, "d3": 5, "d4": LOWEST, "d5": LOWEST})
    closed = {one.system: one for one in coverage.score_bounds(state_of(project), options)}
    assert closed["alpha"].worst == closed["alpha"].best == pytest.approx(0.4)
    value = project_scores.evaluate_project(project, options).mean("alpha", "P@5")
    assert closed["alpha"].estimate == pytest.approx(value)


def test_the_judging_list_begins_with_what_most_systems_rank_highest(project: Project) -> None:
    grade(project, 1, {"d1": 3})
    rows = coverage.judging_list(state_of(project))
    assert [(one.query_id, one.candidate_id, one.best_rank, one.systems) for one in rows[:3]] == [
        ("q1", "d3", 1, 2),
        ("q1", "d2", 2, 1),
        ("q1", "d5", 3, 1),
    ]
    assert len(rows) == browse.contents(project).pool - 1


def test_the_next_judgment_is_where_the_systems_differ_most(project: Project) -> None:
    rows = decisions.to_judge_next(state_of(project), "alpha", "beta", count=3)
    assert rows[0].query_id in ("q2", "q3")
    both = [
        one for one in decisions.to_judge_next(state_of(project), "alpha", "beta") if one.query_id == "q1"
    ]
    assert [one.candidate_id for one in both][-1] in ("d1", "d2", "d3", "d4", "d5")
    with pytest.raises(UserError, match="gamma"):
        decisions.to_judge_next(state_of(project), "alpha", "gamma")


@given(
    queries=st.sets(st.sampled_from(["q1", "q2", "q3"])), tags=st.sets(st.sampled_from(["animal", "farm"]))
)
@settings(
    max_examples=examples(10, 16), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_what_to_judge_next_is_of_the_chosen_queries(
    project: Project, queries: set[str], tags: set[str]
) -> None:
    state = state_of(project)
    every = decisions.to_judge_next(state, "alpha", "beta")
    options = Options(queries=tuple(queries), tags=tuple(tags))
    tagged = {one.id for one in state.queries.values() if not tags or tags & {*one.tags}}
    wanted = tagged & (queries or tagged)
    found = decisions.to_judge_next(state, "alpha", "beta", options=options)
    assert found == [one for one in every if one.query_id in wanted]
    with pytest.raises(UserError, match="no tag 'nowhere'"):
        decisions.to_judge_next(state, "alpha", "beta", options=Options(tags=("nowhere",)))


def test_of_a_measure_without_bounds_it_is_said_why(project: Project) -> None:
    grade(project, 1, {"d1": 3})
    options = Options(measures=("P@2", "Q@2"))
    state = state_of(project)
    bounds = coverage.score_bounds(state, options)
    for table in (
        coverage.bounds_of_means(bounds, coverage.coverage(state, options=options)),
        coverage.bounds_of_scores(bounds),
    ):
        assert table.caption.endswith(f"No bounds for Q@2: {WITHOUT_BOUNDS}")
    only = [one for one in bounds if one.measure == "P@2"]
    assert coverage.bounds_of_scores(only).caption == ""
    means = coverage.bounds_of_means(only, coverage.coverage(state, options=options))
    titles = [one.title for one in means.columns if one.title not in ("System", "Measure", "Mean")]
    assert len(titles) == 5
    for title in titles:  # none of the means is left to be guessed
        assert title.partition(" in the top")[0] in means.caption


CHOSEN: list[dict[str, object]] = [
    {},
    {"tags": ("animal",)},
    {"tags": ("farm",), "judged_only": True},
    {"queries": ("q1", "q3")},
    {"judged_only": True},
    {"fully_judged_to": 2},
    {"skip_without_relevant": True, "rel": 2},
    {"annotator": "Ann", "combine": "max"},
]


@settings(max_examples=12, deadline=None)
@given(
    grades=st.dictionaries(st.sampled_from([f"d{at}" for at in range(1, 9)]), st.integers(0, 5), min_size=3),
    names=st.permutations(["alpha", "beta"]),
    measure=st.sampled_from(["nDCG@10", "P(rel=2)@3", "AP"]),
    chosen=st.sampled_from(CHOSEN),
)
def test_changed_grades_put_the_other_system_ahead_over_the_queries_that_count(
    ducks: Path,
    tmp_path_factory: pytest.TempPathFactory,
    grades: dict[str, int],
    names: list[str],
    measure: str,
    chosen: dict[str, object],
) -> None:
    """Before and after, the difference is what evaluating the same queries with the same options says."""
    first, second = names
    options = replace(Options(measures=(measure,)), **chosen)  # type: ignore[arg-type]
    with Project.open(copied(ducks, tmp_path_factory.mktemp("what")), annotator="Ann") as project:
        keys = {one.id: one.key for query in (1, 2, 3) for one in browse.query(project, query).candidates}
        for query in (1, 2, 3):
            there = {one.id for one in browse.query(project, query).candidates}
            grade(project, query, {name: level for name, level in grades.items() if name in there})
        try:
            result = project_scores.evaluate_project(project, options)
        except UserError:
            return  # no query has the tag, or is judged
        named = result.measures[0].name
        queries, differences = paired(result, named, first, second)
        if not len(queries):
            return
        found = decisions.what_if(state_of(project), first, second, options)
        assert f"{second} minus {first}" in found.basis
        assert f"over {len(queries)} quer" in found.basis
        for change in found.changes:
            assert keys[change.candidate_id] == change.candidate
            judging.set_grade(project, change.query, change.candidate, change.after)
        before = differences.mean()
        if found.changes:
            told = found.sentence.partition(f"{second} minus {first}, goes from ")[2].split()[0]
            assert np.isclose(float(told), before, rtol=1e-3, atol=5e-5)
        again = project_scores.evaluate_project(project, options)
        if found.flipped and np.array_equal(again.counted, result.counted):
            after = paired(again, named, first, second)[1].mean()
            assert np.isclose(after, found.changes[-1].difference)
            assert before * after < 0
            put = (first, second) if after < 0 else (second, first)
            assert (
                "put{} {} ahead of {} by mean".format("s" * (len(found.changes) == 1), *put) in found.sentence
            )


def test_what_does_not_come_from_grades_is_not_changed_by_them(project: Project) -> None:
    grade(project, 1, {"d1": 5, "d3": 1, "d2": 0})
    state = state_of(project)
    for options in (Options(measures=("EM",)), Options(measures=("nDCG@10",), relevance=GoldMatch())):
        with pytest.raises(MeasureError, match="does not come from grades"):
            decisions.what_if(state, "alpha", "beta", options)


def test_bounds_can_be_stopped_between_two_systems(project: Project) -> None:
    grade(project, 1, {"d1": 3})
    told: list[tuple[int, int, str]] = []
    watch = Watch("", lambda *one: told.append(one), lambda: len(told) == 1)
    with pytest.raises(Stopped, match="bounds"):
        coverage.score_bounds(state_of(project), Options(measures=("P@5",)), watch)
    assert told == [(0, 2, "Computing bounds")]


def test_bounds_are_over_the_queries_and_systems_that_the_options_choose(project: Project) -> None:
    grade(project, 1, {"d1": 3})
    grade(project, 2, {"d6": 0})
    one_query = Options(measures=("P@5",), systems=("alpha",), queries=("q1",))
    (found,) = coverage.score_bounds(state_of(project), one_query)
    assert (found.system, found.worst, found.best) == ("alpha", pytest.approx(0.2), pytest.approx(0.8))
    assert found.mean == found.reordered == pytest.approx(0.2)
    assert found.by_query.rows == [("q1", 4, *map(pytest.approx, (0.2, 0.2, found.estimate, 0.8)))]
    relevant_only = Options(measures=("P@5",), systems=("alpha",), skip_without_relevant=True)
    (skipped,) = coverage.score_bounds(state_of(project), relevant_only)
    assert (skipped.worst, skipped.best) == (found.worst, found.best)
    judged_only = Options(measures=("P@2",), systems=("alpha",), judged_only=True)
    (closed,) = coverage.score_bounds(state_of(project), judged_only)
    assert (closed.worst, closed.best) == (pytest.approx((0.5 + 0) / 2), pytest.approx((1 + 0.5) / 2))


def test_the_best_order_of_a_systems_own_candidates_stands_beside_its_mean(project: Project) -> None:
    grade(project, 1, {"d1": 0, "d2": 5})
    first, _ = coverage.score_bounds(
        state_of(project), Options(measures=("RR", "Judged@2"), systems=("alpha",))
    )
    assert (first.mean, first.reordered) == (0.5, 1.0)
    (counted,) = coverage.score_bounds(state_of(project), Options(measures=("NumRel",), systems=("alpha",)))
    assert (counted.mean, counted.reordered) == (1, None)


def test_no_grade_moves_a_score_whose_relevance_comes_from_gold_answers(answers: Project) -> None:
    options = Options(measures=("RR",), relevance=GoldMatch())
    result = project_scores.evaluate_project(answers, options)
    for one in coverage.score_bounds(state_of(answers), options):
        assert one.worst == one.best == pytest.approx(result.mean(one.system, "RR"))


def test_a_predicted_answer_is_called_by_its_text_where_people_read_what_to_judge(answers: Project) -> None:
    state = state_of(answers)
    (asked, *_) = rows = coverage.judging_list(state)
    texts = {one.key: one.text for one in browse.query(answers, asked.query).candidates}
    (called, *_) = as_called(state, rows)
    assert called == replace(asked, candidate_id=texts[asked.candidate])
    assert called != asked


def test_a_measure_that_does_not_claim_bounds_has_none(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer(monkeypatch, bare)
    grade(project, 1, {"d1": 3})
    (found,) = coverage.score_bounds(state_of(project), Options(measures=("Bare",), systems=("alpha",)))
    assert (found.mean, found.worst, found.estimate, found.best, found.reordered) == (1, *(None,) * 4)
    assert found.by_query.rows == [("q1", 4, 1, None, None, None)]
    assert "is not known" in found.by_query.caption
