"""A comparison with a limited risk, from the plan to the sentence: what counts, when, and what is claimed."""

import math
import re
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.errors import MeasureError, UserError
from annotator.evaluation.options import ComparisonChoice, Options
from annotator.evaluation.pairs import compare_all
from annotator.project import (
    audit_claim,
    audit_plan,
    audit_result,
    browse,
    history,
    judging,
    maintenance,
    report_files,
    text_twin,
)
from annotator.project.audit_compare import beside
from annotator.project.audit_plan import SIMULATED, Choices, plan_called, plans
from annotator.project.audit_result import UNDECIDED, block_of, close_blocks, result
from annotator.project.audit_sample import make_plan, sample_of
from annotator.project.maintenance import merge
from annotator.project.project import Project
from annotator.project.project_scores import evaluate_project
from annotator.project.settings import set_setting
from annotator.project.snapshots import take_snapshot
from annotator.project.state import state_of
from annotator.records import Dataset, JudgmentTable, Query
from annotator.reports.report_formats import Choice
from annotator.storage.care import integrity
from annotator.storage.content.bulk import import_dataset
from annotator.storage.content.contents import Import
from tests.project.conftest import add, made_in, run_table

QUERIES = 18


def rankings(shift: int) -> dict[str, list[str]]:
    """Ten of twelve candidates for every query, each system in another order."""
    random = np.random.default_rng(shift)
    return {f"q{one:02}": [f"d{one:02}-{at}" for at in random.permutation(12)[:10]] for one in range(QUERIES)}


def true_grade(candidate: str) -> int:
    """What everybody would give: two good ones among twelve."""
    return max(0, 5 - 2 * int(candidate.rpartition("-")[2]))


def sorted_rankings() -> dict[str, list[str]]:
    return {query: sorted(some, key=true_grade, reverse=True) for query, some in rankings(2).items()}


def tops(name: str, depth: int) -> Iterator[tuple[str, str]]:
    ranked = {"old": rankings(1), "new": sorted_rankings(), "other - one": rankings(3)}[name]
    return ((query, one) for query, some in ranked.items() for one in some[:depth])


@pytest.fixture(scope="module")
def pond(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with made_in(tmp_path_factory, "Pond") as made:
        queries = [Query(query, query) for query in rankings(1)]
        runs = [run_table("old", rankings(1)), run_table("new", sorted_rankings())]
        add(made, Dataset(queries=queries, runs=[*runs, run_table("other - one", rankings(3))]))
        return made.path


@pytest.fixture
def project(pond: Path, tmp_path: Path) -> Iterator[Project]:
    with Project.open(Path(shutil.copy(pond, tmp_path / "pond.annot")), annotator="Ann") as opened:
        yield opened


def planned(project: Project, name: str = "first", **choices: object) -> None:
    chosen = {"baseline": "old", "systems": ("new",), "seed": 3} | choices
    make_plan(project, state_of(project), name, Choices(**chosen))


def give(
    project: Project, rows: Iterable[tuple[str, str, int]], name: str = "", kind: str = "person"
) -> None:
    """Give grades to pairs (query, candidate), all at once."""
    rows = list(rows)
    queries, ids = (sorted({row[at] for row in rows}) for at in (0, 1))
    table = JudgmentTable(
        queries,
        ids,
        np.array([queries.index(one) for one, _, _ in rows], np.int32),
        np.array([ids.index(one) for _, one, _ in rows], np.int32),
        np.array([grade for _, _, grade in rows], np.int64),
    )
    who = Import(name or project.annotator, "test", kind, replace=True)
    import_dataset(project.store, Dataset(judgments=table), who)


def judge(project: Project, name: str = "first", but: int = 0) -> None:
    """Judge the open block, all but some pairs of it."""
    state = state_of(project)
    _, pairs = block_of(state, plan_called(state, name))
    some = pairs[: len(pairs) - but]
    give(project, ((one.query_id, one.candidate_id, true_grade(one.candidate_id)) for one in some))


def everything() -> Iterator[tuple[str, str, int]]:
    """Every pair with its true grade."""
    for number in range(QUERIES):
        for at in range(12):
            yield f"q{number:02}", f"d{number:02}-{at}", true_grade(f"-{at}")


def truth(project: Project, measure: str = "DCG@10") -> float:
    """The difference of new and old when everything is judged, as Compare has it."""
    give(project, everything())
    scores = evaluate_project(project, Options(measures=(measure,)))
    name = scores.measures[0].name
    return scores.mean("new", name) - scores.mean("old", name)


def test_judging_block_after_block_ends_with_what_judging_everything_shows(project: Project) -> None:
    planned(project)
    widths = []
    for number in range(1, 50):
        now = result(state_of(project), "first")
        widths.append(now.findings[0].high - now.findings[0].low)
        if now.closed:
            break
        judge(project)
        assert close_blocks(project, "first").said == "1 block of first closed"
        assert block_of(state_of(project), plan_called(state_of(project), "first"))[0] == number + 1
    (found,) = now.findings
    assert widths == sorted(widths, reverse=True)
    assert found.decided == 1
    assert now.judged < now.matter
    said = audit_claim.sentence(now)
    assert said.startswith("new is better than old by ")
    assert "as judging this whole pool would show; the risk that this is wrong is at most 5%." in said
    assert f"{now.judged} of {now.matter} that matter judged, 0 were known before." in said
    assert "The plan stood in the ledger before the first drawn grade." in said
    assert f"{QUERIES} queries, the pool to rank 10 and this measure" in said
    assert "stood before it" not in said
    low, high = (float(one) for one in re.findall(r"by ([\d.]+) to ([\d.]+) DCG@10", said)[0])
    assert low - 5e-5 <= truth(project) <= high + 5e-5
    assert result(state_of(project), "first").findings == now.findings, "what is graded since changes nothing"


@pytest.mark.parametrize("measure", ["DCG@10", "P(rel=3)@10", "RBP@10", "CG@5", "nDCG@10"])
def test_the_whole_pool_gives_the_difference_that_evaluate_gives(project: Project, measure: str) -> None:
    planned(project, measure=measure)
    while block_of(state_of(project), plan_called(state_of(project), "first"))[1]:
        judge(project)
        close_blocks(project, "first")
    (found,) = result(state_of(project), "first").findings
    assert found.exact
    assert found.low == found.high == found.estimate
    said = audit_claim.sentence(result(state_of(project), "first", 1))
    assert ("approximately 5%, which is not proved" in said) == (measure == "nDCG@10")
    assert (SIMULATED in said) == (measure == "nDCG@10")
    if measure == "nDCG@10":  # the ideal is that of the two systems' pool
        return
    assert found.estimate == pytest.approx(truth(project, measure))


def test_only_whole_blocks_count_and_looking_early_shows_nothing(project: Project) -> None:
    planned(project)
    start = result(state_of(project), "first")
    judge(project, but=1)
    assert close_blocks(project, "first").said == "This block is not done yet."
    # as text, here and below: an estimate before the first block is NaN, which equals nothing
    assert str(result(state_of(project), "first").findings) == str(start.findings)


@pytest.mark.parametrize("measure", ["DCG@10", "nDCG@10"])
def test_before_the_first_block_nothing_is_estimated_and_only_what_is_certain_is_said(
    project: Project, measure: str
) -> None:
    planned(project, measure=measure)
    start = result(state_of(project), "first")
    (row,) = audit_claim.findings(start).rows
    said = audit_claim.sentence(start)
    assert math.isnan(row[1])
    assert "risk" not in said
    assert "before the first drawn grade" not in said
    if measure == "nDCG@10":  # the ideals are not known, so no bound of a difference is
        assert math.isnan(row[2])
        assert math.isnan(row[3])
        assert said.startswith("new less old: nothing is drawn yet.")
        return
    assert "nothing is drawn yet, and these bounds are certain." in said
    discounts = {
        name: {
            (query, one): 5 / np.log2(rank + 1) / QUERIES
            for query, some in ranked.items()
            for rank, one in enumerate(some, 1)
        }
        for name, ranked in (("old", rankings(1)), ("new", sorted_rankings()))
    }
    pulls = [
        discounts["new"].get(pair, 0.0) - discounts["old"].get(pair, 0.0)
        for pair in discounts["new"] | discounts["old"]
    ]
    assert row[2] == pytest.approx(sum(min(one, 0) for one in pulls))
    assert row[3] == pytest.approx(sum(max(one, 0) for one in pulls))


def test_a_result_names_the_plans_about_the_same_systems_that_stood_before(project: Project) -> None:
    planned(project)
    planned(project, "other", baseline="old", systems=("other - one",))
    planned(project, "again", seed=9)
    before = [result(state_of(project), name).before for name in ("first", "other", "again")]
    assert before == [(), (), ("first",)]
    said = audit_claim.sentence(result(state_of(project), "again"))
    assert "A plan about some of these systems stood before it (first): the risk is that of this plan" in said


@pytest.mark.parametrize(
    ("several", "purpose"), [(False, "difference"), (True, "difference"), (True, "means")]
)
def test_compares_figure_stands_beside_the_claim_with_the_queries_it_uses_and_why(
    project: Project, several: bool, purpose: str
) -> None:
    systems = ("new", "other - one") if several else ("new",)
    planned(project, systems=systems, purpose=purpose, measure="P@5")
    state = state_of(project)
    assert "the plan it can use none yet (in 18 nothing is judged)." in beside(state, result(state, "first"))
    give(project, (row for row in everything() if row[0] < "q11"))
    state = state_of(project)
    said = beside(state, result(state, "first"), frozenset(f"q{one:02}" for one in range(8)))
    assert (
        "of the 18 queries of the plan it uses 8 (in 7 nothing is judged; the scores of 3 are hidden" in said
    )
    pool = {(query, one) for name in ("old", *systems) for query, one in tops(name, 5)}
    unjudged = sum(query >= "q11" for query, _ in pool)
    assert f"It takes the {unjudged} of {len(pool)} in the pool without a grade for not relevant." in said
    told = beside(state, result(state, "first"))
    scores = evaluate_project(project, Options(measures=("P@5",), systems=("old", *systems)))
    baseline = "old" if several and purpose == "difference" else None
    for one in compare_all(scores, ComparisonChoice(baseline)):
        assert one.sentence in told or one.turned().sentence in told
        assert one.identity in told


def test_compares_figure_says_when_a_run_was_replaced(project: Project) -> None:
    give(project, everything())
    with pytest.raises(UserError, match="No unjudged candidate"):
        planned(project)
    judging.clear(project, 1, browse.query(project, 1).candidates[0].key)
    planned(project)
    now = result(state_of(project), "first")
    assert "replaced" not in beside(state_of(project), now)
    new_run = Dataset(runs=[run_table("new", rankings(9))])
    import_dataset(project.store, new_run, Import("Ann", "again", "person", replace=True))
    assert "the plan's were replaced since" in beside(state_of(project), now)


def test_skip_and_cannot_tell_end_a_pair_and_count_as_zero(
    project: Project, pond: Path, tmp_path: Path
) -> None:
    planned(project)
    state = state_of(project)
    _, pairs = block_of(state, plan_called(state, "first"))
    for at, one in enumerate(pairs):
        verb = judging.skip if at % 2 else judging.cannot_tell
        verb(project, one.query, one.candidate)
    assert all(one.grade != UNDECIDED for one in block_of(state_of(project), plan_called(state, "first"))[1])
    close_blocks(project, "first")
    now = result(state_of(project), "first")
    assert f"that matter judged ({len(pairs)} skipped or not told: as grade 0)" in audit_claim.sentence(now)
    skipped = now.findings[0]
    with Project.open(Path(shutil.copy(pond, tmp_path / "zeros.annot")), annotator="Ann") as zeros:
        planned(zeros)
        give(zeros, ((one.query_id, one.candidate_id, 0) for one in pairs))
        close_blocks(zeros, "first")
        assert result(state_of(zeros), "first").findings[0] == skipped


def test_a_grade_that_is_changed_after_the_look_and_one_outside_the_draw_change_nothing(
    project: Project,
) -> None:
    planned(project)
    state = state_of(project)
    _, pairs = block_of(state, plan_called(state, "first"))
    judge(project)
    close_blocks(project, "first")
    before = result(state_of(project), "first").findings
    for one in pairs[:20]:
        judging.set_grade(project, one.query, one.candidate, 5 - true_grade(one.candidate_id))
    _, following = block_of(state_of(project), plan_called(state, "first"))
    for one in following[:10]:
        judging.set_grade(project, one.query, one.candidate, 5)
    assert str(result(state_of(project), "first").findings) == str(before)
    judge(project)
    close_blocks(project, "first")
    grades = "".join(audit_plan.closed_blocks(state_of(project), plan_called(state, "first")))
    assert len(grades) == 100


def test_several_grades_become_one_by_the_rule_that_held_when_it_was_planned(project: Project) -> None:
    set_setting(project, "combining", "max")
    planned(project)
    set_setting(project, "combining", "min")
    _, pairs = block_of(state_of(project), plan_called(state_of(project), "first"))
    for grade, who in ((4, "Bo"), (1, "Cy")):
        give(project, ((one.query_id, one.candidate_id, grade) for one in pairs), who)
    judging.cannot_tell(project, pairs[0].query, pairs[0].candidate)
    close_blocks(project, "first")
    state = state_of(project)
    assert audit_plan.closed_blocks(state, plan_called(state, "first")) == ["4" * len(pairs)]


def test_what_was_known_before_is_never_drawn(project: Project) -> None:
    give(project, (row for row in everything() if row[0] < "q10"))
    planned(project)
    now = result(state_of(project), "first")
    sample = sample_of(state_of(project), plan_called(state_of(project), "first"))
    assert {sample.ids[row][0] for row in sample.drawn_rows.tolist()} == {
        f"q{one:02}" for one in range(10, 18)
    }
    assert now.known > 80
    assert now.matter == now.known + len(sample.rows)
    assert f"{now.known} were known before" in audit_claim.sentence(now)


def with_model(project: Project, name: str, liked: str) -> None:
    """Import a model's grades: true ones, or 5 for whatever one system ranks first."""
    likes = {
        query: some[:3] for query, some in (sorted_rankings() if liked == "new" else rankings(1)).items()
    }
    rows = (
        (query, one, grade if liked == "truth" else 5 * (one in likes[query]))
        for query, one, grade in everything()
    )
    give(project, rows, name, "model")


@pytest.mark.parametrize("liked", ["truth", "old"])
def test_a_model_never_turns_the_result_and_its_conclusion_is_judged(project: Project, liked: str) -> None:
    with_model(project, "judge-1", liked)
    planned(project, model="judge-1", systems=("new", "other - one"))
    while not (now := result(state_of(project), "first")).closed:
        judge(project)
        close_blocks(project, "first")
    table = {row[0]: row for row in audit_claim.findings(now).rows}
    assert table["new - old"][4] == "better"
    assert table["new - old"][6] == ("confirmed" if liked == "truth" else "overturned")
    said = audit_claim.sentence(now)
    assert "; the grades of judge-1 could not bias it" in said
    assert "the risk that any of these comparisons is wrong is at most 5%" in said
    assert "other - one" in said


def test_means_get_intervals_that_hold_what_full_judging_shows(project: Project) -> None:
    with_model(project, "judge-1", "truth")
    planned(project, purpose="means", model="judge-1")
    for _ in range(3):
        judge(project)
        close_blocks(project, "first")
    now = result(state_of(project), "first")
    assert [one.name for one in now.findings] == ["old", "new", "new - old"]
    truth(project)
    scores = evaluate_project(project, Options(measures=("DCG@10",)))
    for one in now.findings[:2]:
        assert one.low <= scores.mean(one.name, "DCG@10") <= one.high
        assert one.high - one.low < 5


@pytest.mark.parametrize("model", ["", "judge-1"])
def test_a_sample_of_fixed_size_is_looked_at_once_and_says_so(project: Project, model: str) -> None:
    with_model(project, "judge-1", "truth")
    planned(project, purpose="means", model=model, sample=90)
    start = result(state_of(project), "first")
    judge(project, but=1)
    assert close_blocks(project, "first").said == "This block is not done yet."
    assert str(result(state_of(project), "first").findings) == str(start.findings)
    judge(project)
    close_blocks(project, "first")
    state = state_of(project)
    now = result(state, "first")
    assert (now.judged, now.closed, now.blocks) == (90, True, 1)
    assert block_of(state, plan_called(state, "first"))[1] == []
    said = audit_claim.sentence(now)
    assert "the risk that this is wrong is approximately 5%, for one look at a sample of fixed size." in said
    assert "Each interval by itself holds with approximately 95%." in said
    assert "at most 5%" not in said
    planned(project, "blocks", purpose="means", model=model)
    truth(project)
    scores = evaluate_project(project, Options(measures=("DCG@10",)))
    for one in now.findings[:2]:
        assert one.low <= scores.mean(one.name, "DCG@10") <= one.high
        assert one.high - one.low < (1 if model else 5)


@pytest.mark.parametrize("liked", ["truth", "old"])
def test_the_model_is_calibrated_grade_by_grade_within_what_full_judging_shows(
    project: Project, liked: str
) -> None:
    with_model(project, "judge-1", liked)
    planned(project, purpose="means", model="judge-1")
    for _ in range(4):
        judge(project)
        close_blocks(project, "first")
    state = state_of(project)
    now, plan = result(state, "first"), plan_called(state, "first")
    sample = sample_of(state, plan)
    people = np.array([true_grade(candidate) / 5 for _, candidate in sample.ids])
    model = np.array([int(one) for one in plan.predicted])
    assert [one.grade for one in now.calibration] == sorted(set(model.tolist()))
    for one in now.calibration:
        assert one.pairs == int((model == one.grade).sum())
        assert one.predicted == one.grade / 5
        assert one.low - 1e-9 <= people[model == one.grade].mean() <= one.high + 1e-9
    assert sum(one.high - one.low < 0.9 for one in now.calibration) > 0
    rows = audit_claim.calibration(now).rows
    assert [row[0] for row in rows] == [one.grade for one in now.calibration]


def test_the_margin_ends_it_when_no_difference_matters(project: Project) -> None:
    planned(project, systems=("other - one",), measure="P@10", margin=0.2)
    while not (now := result(state_of(project), "first")).closed:
        judge(project)
        close_blocks(project, "first")
    assert now.findings[0].decided is None
    assert "other - one and old differ by less than 0.2 P@10" in audit_claim.sentence(now)


def test_systems_that_rank_alike_leave_nothing_to_draw(project: Project) -> None:
    add(project, Dataset(runs=[run_table("copy", rankings(1))]))
    with pytest.raises(UserError, match="No unjudged candidate in the first 10"):
        planned(project, systems=("copy",))


def test_a_changed_plan_is_a_new_plan_and_a_taken_name_is_refused(project: Project) -> None:
    planned(project)
    with pytest.raises(UserError, match="A changed plan is a new plan"):
        planned(project, seed=4)
    planned(project, "second", seed=4)
    assert [(one.name, one.choices.seed, one.annotator) for one in plans(state_of(project))] == [
        ("first", 3, "Ann"),
        ("second", 4, "Ann"),
    ]
    with pytest.raises(UserError, match="there are: first, second"):
        result(state_of(project), "third")


def test_a_plan_is_not_stored_when_somebody_graded_since_it_was_looked_at(project: Project) -> None:
    state = state_of(project)
    judging.set_grade(project, 1, browse.query(project, 1).candidates[0].key, 3)
    with pytest.raises(UserError, match="graded meanwhile"):
        make_plan(project, state, "first", Choices(baseline="old", systems=("new",)))
    assert plans(state_of(project)) == []


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"systems": ()}, "at least one other"),
        ({"systems": ("old",)}, "each once"),
        ({"risk": 0.5}, "0.001 to 0.2"),
        ({"margin": -1.0}, "0 or more"),
        ({"systems": ("nobody",)}, "no system 'nobody'"),
        ({"model": "nobody"}, "No model called 'nobody'"),
        ({"sample": 200}, "looked at once is for means"),
        ({"model": "judge-1", "measure": "nDCG@10"}, "further than the ideals are known"),
        ({"sample": 200, "purpose": "means", "measure": "nDCG@10"}, "further than the ideals are known"),
        ({"sample": 29, "purpose": "means"}, "30 draws or more"),
        ({"measure": "DCG"}, "DCG@10"),
    ],
)
def test_what_cannot_be_planned_is_refused_in_words(project: Project, choices: dict, said: str) -> None:
    with pytest.raises(UserError, match=said):
        planned(project, **choices)
    assert plans(state_of(project)) == []


def test_a_measure_that_is_no_sum_is_refused(project: Project) -> None:
    with pytest.raises(MeasureError, match="AP@10 is no sum of gains by rank"):
        planned(project, measure="AP@10")


def test_the_same_result_comes_from_the_exported_project(project: Project, tmp_path: Path) -> None:
    planned(project)
    for _ in range(2):
        judge(project)
        close_blocks(project, "first")
    text_twin.dump(project, tmp_path / "twin")
    with text_twin.load(tmp_path / "twin", tmp_path / "copy.annot") as copy:
        ours, theirs = (result(state_of(one), "first") for one in (project, copy))
        assert (theirs.findings, theirs.head) == (ours.findings, ours.head)
        assert audit_claim.sentence(theirs) == audit_claim.sentence(ours)
        assert not integrity.check(copy.store.db)


def test_a_run_that_took_another_ones_place_leaves_the_plan_as_it_was(project: Project) -> None:
    planned(project)
    before = result(state_of(project), "first").findings
    new_run = Dataset(runs=[run_table("new", rankings(9))])
    import_dataset(project.store, new_run, Import("Ann", "again", "person", replace=True))
    assert str(result(state_of(project), "first").findings) == str(before)


def test_grades_from_a_copy_that_the_plan_could_not_know_are_told(project: Project, tmp_path: Path) -> None:
    project.store.db.execute("SELECT 1")
    other = Path(shutil.copy(project.path, tmp_path / "other.annot"))
    with Project.open(other, annotator="Bo") as copy:
        give(copy, (row for row in everything() if int(row[1].rpartition("-")[2]) < 6))
    for grade in range(6):  # a clock that is ahead: the plan comes later in the fold
        give(project, ((query, one, grade) for query, one, _ in everything() if query == "q00"))
    give(project, ((query, one, 1) for query, one, _ in everything() if "q00" < query < "q10"))
    planned(project)
    path = project.path
    project.close()
    merge(path, other, tmp_path / "both.annot")
    with Project.open(tmp_path / "both.annot", annotator="Ann") as both:
        judge(both)
        close_blocks(both, "first")
        now = result(state_of(both), "first")
        assert now.earlier > 0
        said = audit_claim.sentence(now)
        assert (
            f"Before the plan, which did not know it, somebody graded {now.earlier} drawn pairs: in" in said
        )
        assert "stood in the ledger before the first" not in said


def merged(project: Project, other: Path, tmp_path: Path) -> Project:
    """Close a project, merge another copy into it and open what comes of it."""
    project.close()
    found = merge(project.path, other, tmp_path / "both.annot")
    assert {one.kind for one in found.conflicts} <= {"block", "grade"}
    return Project.open(tmp_path / "both.annot", annotator="Ann")


def test_plans_of_one_name_from_two_copies_both_stand_each_with_its_own_blocks(
    project: Project, tmp_path: Path
) -> None:
    other = Path(shutil.copy(project.path, tmp_path / "other.annot"))
    planned(project)
    judge(project)
    close_blocks(project, "first")
    ours = result(state_of(project), "first")
    with Project.open(other, annotator="Bo") as copy:
        planned(copy, seed=4)
        theirs = result(state_of(copy), "first")
    with merged(project, other, tmp_path) as both:
        one, two = sorted(plans(state_of(both)), key=lambda plan: plan.choices.seed)
        assert one.name.startswith("first (")
        assert one.name != two.name
        assert str(result(state_of(both), one.name).findings) == str(ours.findings)
        assert str(result(state_of(both), two.name).findings) == str(theirs.findings)
        assert result(state_of(both), max(one, two, key=lambda plan: plan.time).name).before


def test_a_block_that_two_copies_closed_with_other_grades_is_told_and_the_later_counts(
    project: Project, tmp_path: Path
) -> None:
    planned(project)
    other = Path(shutil.copy(project.path, tmp_path / "other.annot"))
    judge(project)
    close_blocks(project, "first")
    with Project.open(other, annotator="Bo") as copy:
        for one in block_of(state_of(copy), plan_called(state_of(copy), "first"))[1]:
            judging.set_grade(copy, one.query, one.candidate, 3)
        close_blocks(copy, "first")
        theirs = result(state_of(copy), "first")
    with merged(project, other, tmp_path) as both:
        now = result(state_of(both), "first")
        assert now.findings == theirs.findings, "fifty grades make it the later one"
        assert "1 block had been closed with other grades in another copy" in audit_claim.sentence(now)


def test_grades_that_a_copy_held_before_the_plan_are_told_however_many_they_are(
    project: Project, tmp_path: Path
) -> None:
    other = Path(shutil.copy(project.path, tmp_path / "other.annot"))
    with Project.open(other, annotator="Bo") as copy:
        for query in browse.query_keys(copy).tolist():
            for one in browse.query(copy, query).candidates:
                judging.set_grade(copy, query, one.key, 1)
    planned(project)
    with merged(project, other, tmp_path) as both:
        close_blocks(both, "first")
        now = result(state_of(both), "first")
        assert now.judged == now.earlier > 0


def test_an_import_of_grades_that_was_taken_back_before_the_plan_is_told(project: Project) -> None:
    give(project, everything())
    maintenance.withdraw(project, maintenance.imports(project)[0].identity)
    planned(project)
    judge(project)
    close_blocks(project, "first")
    said = audit_claim.sentence(result(state_of(project), "first"))
    assert "Before the plan 1 import of grades had been taken back, so these may have been known." in said
    assert "stood in the ledger" not in said


def test_who_only_skipped_before_the_plan_graded_nothing(project: Project) -> None:
    for query in browse.query_keys(project).tolist()[:9]:
        for at, one in enumerate(browse.query(project, query).candidates[:6]):
            (judging.cannot_tell, judging.skip)[at % 2](project, query, one.key)
    planned(project)
    judge(project)
    close_blocks(project, "first")
    now = result(state_of(project), "first")
    assert (now.blocks, now.earlier) == (1, 0)
    assert "The plan stood in the ledger before the first drawn grade." in audit_claim.sentence(now)


def test_a_grade_that_was_taken_back_before_the_plan_is_told(project: Project) -> None:
    for one in browse.query(project, 1).candidates:
        judging.set_grade(project, 1, one.key, 4)
        judging.clear(project, 1, one.key)
    planned(project)
    judge(project)
    close_blocks(project, "first")
    now = result(state_of(project), "first")
    assert now.earlier > 0
    assert "or the grade was taken back." in audit_claim.sentence(now)


def test_plans_and_blocks_stand_in_the_history_and_are_not_undone(project: Project) -> None:
    planned(project)
    judge(project, but=1)
    (last,) = (
        one for one in block_of(state_of(project), plans(state_of(project))[0])[1] if one.grade == UNDECIDED
    )
    judging.set_grade(project, last.query, last.candidate, 2)
    close_blocks(project, "first")
    lines = [one.said for one in history.history(project, limit=200)]
    assert lines[0] == "block 1 of plan first closed"
    assert lines[-1].startswith("plan first") or "plan first" in lines
    assert history.undo(project).said.startswith("Undone: grade")
    assert len(plans(state_of(project))) == 1


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.sampled_from(["DCG@10", "P(rel=3)@5", "RBP@10"]))
def test_a_sentence_says_what_its_numbers_say(seed: int, measure: str) -> None:
    random = np.random.default_rng(seed)
    choices = Choices(baseline="a", systems=("b",), measure=measure, margin=0.05)
    plan = audit_plan.Plan(
        choices=choices,
        depth=10,
        block=50,
        combine="median",
        runs=("", ""),
        queries=7,
        pool="",
        known="",
        predicted="",
        head="",
    )
    low, high = np.sort(random.normal(0, random.choice([0.02, 0.3]), 2))
    exact = bool(random.integers(2))
    if exact:
        low = high
    decided = audit_result.audit.decided(low, high, 0.05)
    found = audit_result.Finding(
        systems=("b", "a"),
        estimate=(low + high) / 2,
        low=low,
        high=high,
        decided=decided,
        exact=exact,
        model_alone=None,
        path=(),
        still=None,
    )
    now = audit_result.AuditResult(
        plan=plan,
        findings=(found,),
        calibration=(),
        blocks=1,
        judged=1,
        matter=2,
        known=0,
        earlier=0,
        before=(),
        head="",
    )
    said = audit_claim.said_of(now, found)
    assert ("b is better than a" in said) == (low > 0)
    assert ("a is better than b" in said) == (high < 0)
    assert ("differ by less" in said) == (not exact and low <= 0 <= high and max(-low, high) <= 0.05)
    assert ("Between b and a nothing is decided" in said) == (not exact and decided == 0)
    assert ("at most 5%" in said) == (not exact)


@pytest.mark.parametrize("ending", ["html", "json", "markdown", "latex"])
def test_a_report_says_what_is_claimed_with_plan_seed_and_head_and_again_the_same(
    project: Project, tmp_path: Path, ending: str
) -> None:
    planned(project)
    judge(project)
    close_blocks(project, "first")
    text_twin.dump(project, tmp_path / "twin")
    options, choice = Options(measures=("P@5",)), Choice(ending, sections=("audits", "provenance"))
    report_files.write_report(project, tmp_path / f"one.{ending}", options, choice)
    (tmp_path / "again").mkdir()
    with text_twin.load(tmp_path / "twin", tmp_path / "again" / project.path.name) as copy:
        report_files.write_report(copy, tmp_path / f"two.{ending}", options, choice)
    assert (tmp_path / f"one.{ending}").read_bytes() == (tmp_path / f"two.{ending}").read_bytes()
    written = (tmp_path / f"one.{ending}").read_text("utf-8")
    assert "that matter judged" in written
    assert ("as judging this whole pool would show" in written) == (ending != "latex")  # tables alone
    assert "Ledger head before the plan" in written
    assert plan_called(state_of(project), "first").head in written.replace("\\allowbreak ", "")


def test_a_report_as_of_a_moment_knows_the_blocks_that_were_closed_by_then(project: Project) -> None:
    planned(project)
    take_snapshot(project, "planned")
    judge(project)
    close_blocks(project, "first")
    earlier, now = (result(state_of(project, Options(as_of=moment)), "first") for moment in ("planned", ""))
    assert (earlier.blocks, now.blocks) == (0, 1)
    looks = [len(audit_claim.audited(one, "").looks) for one in (earlier, now)]
    assert looks == [0, len(now.findings)], "nothing is drawn of no look"
    planned(project, "second")
    assert [one.name for one in plans(state_of(project, Options(as_of="planned")))] == ["first"]


def test_a_plan_whose_run_was_taken_back_says_so_and_leaves_reports_whole(project: Project) -> None:
    planned(project, systems=("other - one",))
    brought = maintenance.imports(project)[-1]
    maintenance.withdraw(project, brought.identity)
    with pytest.raises(UserError, match="was taken back"):
        result(state_of(project), "first")
    assert audit_result.results(state_of(project)) == []
