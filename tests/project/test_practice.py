"""Practice: whom it is for, what it is compared with, when that is shown; and that it counts in nothing."""

import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from annotator.errors import UserError
from annotator.evaluation import conventions_text
from annotator.evaluation.options import Options
from annotator.project import (
    adjudication,
    annotator_agreement,
    assignments,
    audit_plan,
    audit_sample,
    blinding_shift,
    blindness,
    browse,
    coverage,
    data_export,
    decisions,
    figure_data,
    history,
    judging,
    lead_role,
    practice,
    self_agreement,
    text_twin,
)
from annotator.project.adjudication import adjudicate
from annotator.project.data_export import ExportChoices
from annotator.project.project import Project
from annotator.project.project_scores import evaluate_project
from annotator.project.report_files import Choice, write_bundle, write_report
from annotator.project.settings import set_setting
from annotator.project.snapshots import take_snapshot
from annotator.project.state import earlier, state_of
from annotator.project.views import Filters
from annotator.records import Dataset, Document, GoldAnswer, GoldList, Query
from annotator.reports.sections import ORIGIN
from annotator.storage.care.integrity import check
from tests.project.conftest import add, run_table
from tests.project.scores import by, explain


def keys(project: Project, query: int = 1) -> list[int]:
    return sorted(one.key for one in browse.query(project, query).candidates)


def grade(project: Project, who: str, grades: Sequence[int | None], query: int = 1) -> None:
    """Let somebody grade a query's candidates, in the order of their keys."""
    by(project, who)
    for key, one in zip(keys(project, query), grades, strict=False):
        if one is not None:
            judging.set_grade(project, query, key, one, milliseconds=900)


@pytest.fixture
def led(project: Project) -> Project:
    """Return a project whose first query Lea and Max judged and Lea made one for practice."""
    grade(project, "Lea", [0, 2, 4, 5, 1])
    grade(project, "Max", [1, 2, 5, 5, 1])
    lead_role.take(by(project, "Lea"))
    judging.set_mark(project, 1, keys(project)[0], "rationale", "says nothing of wild ones")
    assert practice.mark(project, 1).said == "“wild ducks” is for practice and counts in nothing from now on."
    return project


def test_only_a_lead_marks_and_only_what_was_judged(project: Project) -> None:
    grade(project, "Lea", [3], query=1)
    with pytest.raises(UserError, match="has not taken the role of lead"):
        practice.mark(project, 1)
    lead_role.take(project)
    with pytest.raises(UserError, match="Nobody has judged this query yet"):
        practice.mark(project, 2)
    practice.mark(project, 1)
    assert browse.query(project, 1).practice
    history.undo(project)
    assert not browse.query(project, 1).practice


def test_who_is_new_sees_practice_queries_alone_until_the_real_work_begins(led: Project) -> None:
    by(led, "Nia")
    assert practice.practising(led) == practice.Practising((1,), 0)
    assert browse.query_keys(led).tolist() == [1]
    assert browse.query_keys(led, Filters(states=("unjudged",))).tolist() == [1]
    assert (browse.contents(led).pool, browse.contents(led).decided) == (5, 0)
    judging.set_grade(led, 1, keys(led)[0], 3)
    assert browse.contents(led).decided == 1
    practice.begin_work(led)
    assert practice.practising(led) is None
    assert browse.query_keys(led).tolist() == [1, 2, 3]
    assert browse.query_keys(led, Filters(states=("unjudged",))).tolist() == [2, 3]
    assert (browse.contents(led).pool, browse.contents(led).decided) == (5, 0)
    assert history.history(led, limit=1)[0].said == "real work begun"
    history.undo(led)
    assert practice.practising(led) == practice.Practising((1,), 0)


def test_who_judged_before_or_is_at_work_does_not_practise(led: Project) -> None:
    for who in ("Lea", "Max"):
        assert practice.practising(by(led, who)) is None
        assert not browse.query(led, 1).learning
    grade(led, "Old", [3], query=2)
    assert practice.practising(led) is None


def test_who_leads_does_not_practise_also_without_a_judgment(led: Project) -> None:
    lead_role.take(by(led, "New"))
    assert practice.practising(led) is None
    assert browse.query_keys(led).tolist() == [1, 2, 3]
    practice.mark(led, 1, on=False)
    practice.mark(led, 1)
    assert practice.practising(led) is None
    lead_role.give_back(led)
    assert practice.practising(led) == practice.Practising((1,), 0)


def test_what_stands_is_shown_when_all_is_judged_and_not_before(led: Project) -> None:
    grade(led, "Nia", [0, 2, 0, 5])
    with pytest.raises(UserError, match="once you have said something of every candidate"):
        practice.review(led, 1)
    judging.skip(led, 1, keys(led)[4])
    found = practice.review(led, 1)
    rows = {
        one.candidate.key: (one.candidate.judgment.grade, one.grade, one.difference) for one in found.rows
    }
    assert next(iter(rows.values())) == (0, 4, -4), "the furthest apart first"
    assert [rows[key] for key in keys(led)] == [(0, 0, 0), (2, 2, 0), (0, 4, -4), (5, 5, 0), (None, 1, None)]
    assert (found.same, found.both) == (3, 4)
    words = {one.candidate.key: one.words for one in found.rows}
    assert words[keys(led)[0]] == ("Rationale: “says nothing of wild ones”",)


def test_what_another_beginner_gave_is_never_compared_with(led: Project) -> None:
    grade(led, "Kim", [5, 5, 5, 5, 5])
    grade(led, "Kai", [5, 5, 5, 5, 5])
    grade(led, "Nia", [1, 1, 1, 1, 1])
    before = [(one.candidate.key, one.grade) for one in practice.review(led, 1).rows]
    assert dict(before) == dict(zip(keys(led), (0, 2, 4, 5, 1), strict=True))
    grade(led, "Lea", [3], query=1)  # whom it was compared with already may change it
    grade(led, "Max", [3], query=1)
    after = {one.candidate.key: one.grade for one in practice.review(by(led, "Nia"), 1).rows}
    assert after[keys(led)[0]] == 3


def test_what_was_settled_stands_and_says_why(led: Project) -> None:
    key = keys(led)[2]
    adjudicate(by(led, "Lea"), 1, key, 3, "half of it is about tame ones")
    grade(led, "Nia", [1, 1, 1, 1, 1])
    (row,) = [one for one in practice.review(led, 1).rows if one.candidate.key == key]
    assert (row.grade, row.words) == (3, ("Settled: half of it is about tame ones",))


@pytest.mark.parametrize("rule", ["median", "max", "min"])
def test_it_is_combined_as_the_project_combines(led: Project, rule: str) -> None:
    set_setting(led, "combining", rule)
    grade(led, "Nia", [1, 1, 1, 1, 1])
    stands = {one.candidate.key: one.grade for one in practice.review(led, 1).rows}
    both = zip([0, 2, 4, 5, 1], [1, 2, 5, 5, 1], strict=True)
    assert [stands[key] for key in keys(led)] == [max(one) if rule == "max" else min(one) for one in both]


def test_practising_again_takes_ones_own_decisions_away_as_one_action(led: Project) -> None:
    grade(led, "Nia", [1, 2, 3, 4, 5])
    judging.set_mark(led, 1, keys(led)[0], "flag", True)
    before = [one.judgment for one in browse.query(led, 1).candidates]
    change = practice.repeat(led, 1)
    assert change.said == "Taken away: grades of “wild ducks” taken away to practise again: 5 candidates"
    now = {one.key: one.judgment for one in browse.query(led, 1).candidates}
    assert {one.state for one in now.values()} == {None}
    assert now[keys(led)[0]].marks == {"flag": True}
    with pytest.raises(UserError, match="once you have said"):
        practice.review(led, 1)
    history.undo(led)
    assert [one.judgment for one in browse.query(led, 1).candidates] == before
    assert check(led.store.db) == []
    lines = history.history(led, 1, keys(led)[1])
    assert [line.undone for line in lines if line.annotator == "Nia"] == [False, True, False]


def test_a_copy_as_text_and_the_history_keep_it(led: Project, tmp_path: Path) -> None:
    grade(led, "Nia", [1, 2, 3, 4, 5])
    practice.repeat(led, 1)
    practice.begin_work(led)
    text_twin.dump(led, tmp_path / "one")
    with text_twin.load(tmp_path / "one", tmp_path / "copy.annot") as copy:
        assert copy.store.head() == led.store.head()
        assert practice.practising(by(copy, "Nia")) is None
        assert practice.practising(by(copy, "Zoe")) is not None
    assert "query q1 is for practice" in [line.said for line in history.history(led)]
    by(led, "Lea")
    practice.mark(led, 1, on=False)
    assert history.history(led, limit=1)[0].said == "query q1 is no longer for practice"


# That it counts in nothing

QUERIES, DOCUMENTS = 6, 8


def dataset(kept: Sequence[int], seed: int) -> Dataset:
    """Return some of six queries with the rankings of two systems and gold answers, drawn by a seed."""
    draw = np.random.default_rng(seed)
    ranked = {
        system: {
            f"q{query}": [f"d{one}" for one in draw.permutation(DOCUMENTS)[: draw.integers(3, DOCUMENTS)]]
            for query in range(QUERIES)
        }
        for system in ("alpha", "beta")
    }
    return Dataset(
        queries=[Query(f"q{query}", f"ducks {query}", ("even",) if query % 2 == 0 else ()) for query in kept],
        documents=[Document(f"d{one}", f"Title {one}", f"Duck number {one}.") for one in range(DOCUMENTS)],
        gold=[GoldList(f"q{query}", (GoldAnswer("duck"),)) for query in kept if query % 3 == 0],
        runs=[
            run_table(system, {name: one for name, one in of.items() if int(name[1:]) in kept})
            for system, of in ranked.items()
        ],
    )


def judge(project: Project, seed: int) -> None:
    """Let three people judge what is there, by lots that follow from the ids alone."""
    set_setting(project, "repeat_share", 1.0)
    for number, who in enumerate(("Lea", "Max", "Ann")):
        by(project, who)
        for query in browse.query_keys(project).tolist():
            view = browse.query(project, query)
            for one in sorted(view.candidates, key=lambda one: one.id):
                draw = np.random.default_rng([seed, number, int(view.id[1:]), int(one.id[1:])])
                if draw.random() < 0.25:
                    judging.set_grade(
                        project,
                        query,
                        one.key,
                        int(draw.integers(6)),
                        milliseconds=int(draw.integers(300, 9000)),
                    )
            left = [one.key for one in browse.query(project, query).candidates if not one.judgment.state]
            if who == "Max" and int(view.id[1:]) in (1, 2):
                judging.grade_rest(project, query, left)
            else:
                for key in left[:1]:
                    judging.skip(project, query, key)


@pytest.fixture(params=[(1, (0, 4)), (2, (3,)), (3, (1, 2, 5))], ids=str)
def both(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Project, Project]]:
    """Return a project with practice queries that a beginner worked on, and one that never had them."""
    seed, left_out = request.param
    kept = [query for query in range(QUERIES) if query not in left_out]
    with Project.create(tmp_path / "with.annot", "Ducks", annotator="Lea") as whole:
        add(whole, dataset(range(QUERIES), seed))
        judge(whole, seed)
        lead_role.take(by(whole, "Lea"))
        for query in left_out:
            key = browse.key_of(whole, f"q{query}")
            candidate = browse.query(whole, key).candidates[0].key
            adjudicate(whole, key, candidate, 2)
            practice.mark(whole, key)
        for query in left_out:
            key = browse.key_of(whole, f"q{query}")
            judging.grade_rest(by(whole, "Nia"), key, keys(whole, key))
        with Project.create(tmp_path / "without.annot", "Ducks", annotator="Lea") as without:
            add(without, dataset(kept, seed))
            judge(without, seed)
            yield whole, without


OPTIONS = Options(measures=("nDCG@10", "AP", "P@2", "Judged@3", "infAP"))


def test_every_score_is_that_of_the_project_without_it(both: tuple[Project, Project]) -> None:
    whole, without = (evaluate_project(one, OPTIONS) for one in both)
    assert whole.query_ids == without.query_ids
    for name in ("scores", "counted", "relevant", "judged", "judged_at_10", "retrieved"):
        assert np.array_equal(getattr(whole, name), getattr(without, name), equal_nan=name == "scores"), name
    assert whole.left_out == without.left_out
    count = len(state_of(both[0]).practice)
    said = conventions_text.practice_left_out(count)
    assert said.startswith(f"{count} practice ")
    assert said in conventions_text.provenance(whole)
    assert said in conventions_text.remarks(whole)
    assert "practice" not in " ".join(
        (*conventions_text.provenance(without), *conventions_text.remarks(without))
    )


def test_agreement_times_and_coverage_are_those_of_the_project_without_it(
    both: tuple[Project, Project],
) -> None:
    told = []
    for project in both:
        state = state_of(project)
        found = annotator_agreement.agreement(state)
        subject = figure_data.judging_subject(state, named=True)
        top = coverage.coverage(state)
        told.append(
            (
                found.annotators,
                found.overall,
                found.together,
                [(one.first, one.second, one.agreement.confusion.tolist()) for one in found.pairs],
                [(one.query_id, one.items, one.mean_range) for one in found.queries],
                [(one.query_id, one.candidate_id) for one in adjudication.disagreements(state)],
                [self_agreement.self_agreement(state, name).n for name in found.annotators],
                [(one.annotator, one.blind, one.shift) for one in blinding_shift.blind_shifts(state)],
                (subject.grade_counts, sorted(subject.seconds), subject.drifts),
                (top.query_ids, top.unjudged.tolist(), top.offered.tolist()),
                [(one.mean, one.worst, one.best) for one in coverage.score_bounds(state, OPTIONS)],
                [(one.query_id, one.candidate_id) for one in coverage.judging_list(state)],
                [(one.query_id, one.candidate_id) for one in decisions.to_judge_next(state, "alpha", "beta")],
                [row[1:] for row in state.annotators if row[4]],
            )
        )
    assert all(told[0][place] for place in (0, 1, 3, 4, 9, 10, 11, 12)), "there is something to compare"
    assert [repr(one) for one in told[0]] == [repr(one) for one in told[1]]


def test_what_is_exported_is_that_of_the_project_without_it_and_says_so(
    both: tuple[Project, Project], tmp_path: Path
) -> None:
    for at, project in enumerate(both):
        folder = tmp_path / str(at)
        folder.mkdir()
        for key, name in (("trec-qrels", "q"), ("trec-topics", "t"), ("csv", "c"), ("jsonl", "j")):
            said = data_export.export(project, key, folder / name, ExportChoices())
            assert any("left out" in one and "practice" in one for one in said) == (at == 0)
        choices = ExportChoices(systems=("alpha",))
        data_export.export(project, "trec-run", folder / "r", choices)
        write_bundle(project, folder / "bundle", OPTIONS)
    for name in ("q", "t", "c", "j", "r", "bundle/qrels.txt", "bundle/alpha.run", "bundle/beta.run"):
        assert (tmp_path / "0" / name).read_bytes() == (tmp_path / "1" / name).read_bytes(), name


def test_a_report_is_that_of_the_project_without_it_but_for_where_it_comes_from(
    both: tuple[Project, Project], tmp_path: Path
) -> None:
    texts = []
    for project in both:
        choice = Choice("markdown", ("summary", "per-query", "tags", "agreement", "unjudged"))
        write_report(project, tmp_path / "report.md", OPTIONS, choice)
        texts.append((tmp_path / "report.md").read_text("utf-8"))
    (found, of_all), (alone, of_one) = (text.split(f"\n## {ORIGIN}\n") for text in texts)
    assert found == alone
    assert re.search(r"\d practice quer(y is|ies are) left out", of_all)
    assert "practice" not in of_one


def test_a_moment_has_the_practice_queries_that_it_had(led: Project) -> None:
    take_snapshot(by(led, "Lea"), "with practice")
    practice.mark(led, 1, on=False)
    take_snapshot(led, "without")
    state = state_of(led)
    assert not state.practice
    assert [len(earlier(state, name).practice) for name in ("with practice", "without")] == [1, 0]
    assert [len(earlier(state, name).judged.grade) for name in ("with practice", "without")] == [0, 10]
    again = earlier(earlier(state, "with practice"), "without")
    assert [*again.queries] == [*state.queries]
    practice.mark(led, 1)
    assert len(earlier(state_of(led), "without").judged.grade) == 10


def test_nobody_is_asked_again_about_practice(led: Project) -> None:
    set_setting(led, "repeat_share", 1.0)
    grade(led, "Nia", [1, 2, 3, 4, 5])
    for _ in range(5):
        grade(led, "Nia", [0, 1, 2, 3, 4])
        grade(led, "Nia", [5, 4, 3, 2, 1])
    assert list(self_agreement.due(led)) == []


def test_a_merge_keeps_whom_it_is_compared_with(led: Project, tmp_path: Path) -> None:
    from annotator.storage.care import merger

    led.close()
    shutil.copy(led.path, tmp_path / "other.annot")
    for path, who in ((led.path, "Nia"), (tmp_path / "other.annot", "Kim")):
        with Project.open(path, who) as project:
            grade(project, who, [5, 5, 5, 5, 5])
    merger.merge(led.path, tmp_path / "other.annot", tmp_path / "merged.annot")
    with Project.open(tmp_path / "merged.annot", "Nia") as merged:
        stands = {one.candidate.key: one.grade for one in practice.review(merged, 1).rows}
        assert [stands[key] for key in keys(merged)] == [0, 2, 4, 5, 1]


def test_showing_all_scores_unblinds_no_practice_query(led: Project) -> None:
    blindness.unblind_all(by(led, "Nia"))
    unblinded = [browse.query(led, query).unblinded for query in (1, 2, 3)]
    assert unblinded == [False, True, True]


def test_no_score_of_a_practice_query_can_be_asked_for(led: Project) -> None:
    grade(led, "Lea", [3, 2], query=2)
    with pytest.raises(UserError, match="q1"):
        explain(led, "alpha", "q1", "AP")


def test_practice_comes_before_what_is_assigned_and_is_no_part_of_it(led: Project) -> None:
    everything = assignments.Terms({"Nia": 3, "Max": 0}, 1)
    assignments.assign(led, assignments.deal_out(assignments.ground(led), everything))
    mine = Filters(assigned=True)
    assert browse.query_keys(by(led, "Nia"), mine).tolist() == [1]
    assert browse.contents(led).queue == frozenset()
    grade(led, "Nia", [1, 2, 3, 4, 5])
    practice.begin_work(led)
    assert browse.query_keys(led, mine).tolist() == [2, 3]
    found = browse.contents(led)
    assert (found.queue, found.queue_pool, found.queue_decided) == ({2, 3}, found.pool, 0)


def test_what_is_dealt_and_what_is_nobodys_leaves_practice_out(led: Project) -> None:
    by(led, "Lea")
    ground = assignments.ground(led)
    assert sorted(ground.sizes) == ["q2", "q3"]
    practice.mark(led, 1, on=False)
    assignments.assign(led, assignments.deal_out(assignments.ground(led), assignments.Terms({"Nia": 1}, 1)))
    practice.mark(led, 1)
    ((nia,), left) = assignments.progress(led)
    assert (nia.queries, nia.candidates, left) == (2, 5, 0)


def test_a_plan_draws_from_no_practice_query(both: tuple[Project, Project]) -> None:
    chosen = audit_plan.Choices("alpha", ("beta",), "P@3")
    whole, without = (audit_sample.proposed(state_of(project), chosen)[0] for project in both)
    assert (whole.pool, whole.known) == (without.pool, without.known)


def test_answers_to_a_practice_question_count_in_no_score(answers: Project) -> None:
    grade(answers, "Lea", [3, 3])
    lead_role.take(answers)
    before = evaluate_project(answers, Options(measures=("EM", "TokenF1")))
    assert before.query_ids == ("iron", "thor")
    practice.mark(answers, 1)
    result = evaluate_project(answers, Options(measures=("EM", "TokenF1")))
    assert (result.query_ids, result.left_out) == (("thor",), ())
    assert result.of("reader", "EM").tolist() == before.of("reader", "EM")[1:].tolist()
