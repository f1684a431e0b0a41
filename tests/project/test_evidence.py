"""The evidence for a score: both orderings, bounds, and what a blind annotator may see."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.evaluation.conventions_text import provenance
from annotator.evaluation.options import GoldMatch, Options
from annotator.project import blindness, browse, data_import, history, judging, panel, snapshots
from annotator.project.project import Project
from annotator.project.project_scores import evaluate_project
from annotator.project.state import state_of
from tests.examples import examples
from tests.metrics.throwaway import bare, offer
from tests.project import scores

RUN = "".join(f"q1 Q0 d{rank} {rank} {10 - rank} sys\n" for rank in range(1, 5)) + "q2 Q0 d1 1 9 sys\n"


def with_run(folder: Path) -> Project:
    """Return a project with one run of two queries."""
    run = folder / "sys.run"
    run.write_text(RUN)
    project = Project.create(folder / "p.annot", "p", annotator="ann")
    data_import.run_import(project, data_import.plan_import(project, [run]))
    return project


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with with_run(tmp_path) as project:
        yield project


def grade(project: Project, query: int, **grades: int) -> None:
    keys = {one.id: one.key for one in browse.query(project, query).candidates}
    for name, grade in grades.items():
        judging.set_grade(project, query, keys[name], grade)


def test_both_orderings_stand_beside_each_other(project: Project) -> None:
    grade(project, 1, d1=0, d3=5)
    found = scores.evidence(project, "sys", "q1", Options(measures=("nDCG@10",)))
    assert [(one.name, one.grade) for one in found.actual] == [
        ("d1", 0),
        ("d2", None),
        ("d3", 5),
        ("d4", None),
    ]
    assert [(one.name, one.grade) for one in found.ideal] == [("d3", 5), ("d1", 0)]
    assert found.explanation.value == pytest.approx(0.5)
    assert sum(row.contribution for row in found.explanation.rows) == pytest.approx(found.explanation.value)


def test_what_stands_below_the_ranks_that_are_shown_is_retrieved_all_the_same(tmp_path: Path) -> None:
    run = tmp_path / "sys.run"
    run.write_text("".join(f"q1 Q0 d{rank} {rank} {200 - rank} sys\n" for rank in range(1, 121)))
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("q1 0 d1 1\nq1 0 d119 2\nq1 0 d115 2\nq1 0 gone 2\n")
    with Project.create(tmp_path / "p.annot", "p", annotator="ann") as project:
        data_import.run_import(project, data_import.plan_import(project, [run]))
        data_import.run_import(project, data_import.plan_import(project, [qrels]))
        found = scores.evidence(project, "sys", "q1", Options(measures=("nDCG(over='retrieved')@10",)))
    assert [(one.name, one.grade) for one in found.ideal] == [("d115", 2), ("d119", 2), ("d1", 1)]
    assert [row.ideal_candidate for row in found.explanation.rows[:3]] == ["d115", "d119", "d1"]


def test_the_bounds_hold_the_value_and_close_when_all_is_judged(project: Project) -> None:
    grade(project, 1, d1=0, d3=5)
    found = scores.evidence(project, "sys", "q1", Options(measures=("DCG@10",)))
    assert found.unjudged == 2
    assert found.bounds is not None
    worst, estimate, best = found.bounds
    assert worst == pytest.approx(found.explanation.value)
    assert worst <= estimate <= best
    assert best > worst
    assert found.ends == (("d2", 0, 5), ("d4", 0, 5))
    grade(project, 1, d2=1, d4=1)
    closed = scores.evidence(project, "sys", "q1", Options(measures=("DCG@10",)))
    assert closed.bounds == pytest.approx((closed.explanation.value,) * 3)


def test_only_finished_queries_may_be_seen_until_all_are_unblinded(project: Project) -> None:
    assert blindness.seen_queries(project) == (frozenset(), 2)
    grade(project, 2, d1=3)
    assert blindness.seen_queries(project) == (frozenset({"q2"}), 1)
    change = blindness.unblind_all(project)
    assert change.kind == "unblind"
    assert blindness.seen_queries(project) == (frozenset({"q1", "q2"}), 0)
    assert browse.query(project, 1).unblinded
    assert any(line.task == "unblind" and line.annotator == "ann" for line in history.history(project))


ACTS = st.lists(
    st.tuples(
        st.sampled_from(["ann", "bob"]), st.sampled_from([1, 2]), st.sampled_from(["look", "grade", "clear"])
    ),
    max_size=8,
)


@settings(max_examples=examples(30, 100))
@given(acts=ACTS, split=st.integers(0, 8))
def test_only_who_looked_and_judged_is_counted_now_and_as_of_then(
    tmp_path_factory: pytest.TempPathFactory, acts: list[tuple[str, int, str]], split: int
) -> None:
    project = with_run(tmp_path_factory.mktemp("looked"))
    looked, judged = set[tuple[str, int]](), set[tuple[str, int]]()
    early = 0

    def counted() -> int:
        return len({query for who, query in looked & judged})

    for at, (who, query, act) in enumerate(acts):
        if at == split:
            snapshots.take_snapshot(project, "then")
            early = counted()
        project.use_annotator(who)
        candidate = browse.query(project, query).candidates[0].key
        if act == "look":
            blindness.unblind(project, query)
            looked.add((who, query))
        elif act == "grade":
            judging.set_grade(project, query, candidate, 3)
            judged.add((who, query))
        else:
            judging.clear(project, query, candidate)
            judged.discard((who, query))
    assert state_of(project).unblinded == counted()
    if split < len(acts):
        assert state_of(project, Options(as_of="then")).unblinded == early
    project.close()


def test_who_only_looked_at_imported_judgments_is_not_named_beside_them(
    project: Project, tmp_path: Path
) -> None:
    (tmp_path / "q.qrels").write_text("q1 0 d1 3\nq2 0 d1 1\n", "utf-8")
    data_import.run_import(project, data_import.plan_import(project, [tmp_path / "q.qrels"]))
    blindness.unblind_all(project)
    told = " ".join(provenance(evaluate_project(project, Options())))
    assert "asked to see" not in told
    judging.set_grade(project, 1, browse.query(project, 1).candidates[0].key, 2)
    told = " ".join(provenance(evaluate_project(project, Options())))
    assert (
        "In 1 query somebody who judged it had asked to see ranks and scores before it was complete." in told
    )


def test_another_annotator_stays_blind(project: Project) -> None:
    blindness.unblind_all(project)
    project.use_annotator("bob")
    assert blindness.seen_queries(project) == (frozenset(), 2)


def test_a_predicted_answer_without_words_is_named(tmp_path: Path) -> None:
    said = tmp_path / "sys.json"
    said.write_text('{"q1": ""}')
    with Project.create(tmp_path / "p.annot", "p", annotator="ann") as project:
        data_import.run_import(project, data_import.plan_import(project, [said]))
        (empty,) = browse.query(project, 1).candidates
        judging.set_grade(project, 1, empty.key, 4)
        found = scores.evidence(project, "sys", "q1", Options(measures=("nDCG@10",)))
        assert [one.name for one in (*found.actual, *found.ideal)] == ["(empty answer)"] * 2
        assert panel.query_panel(project, 1, ["nDCG@10"]).ideal_ordering == (("(empty answer)", 4),)


def test_what_a_measure_does_not_claim_is_not_evidence(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer(monkeypatch, bare)
    grade(project, 1, d1=0, d3=5)
    found = scores.evidence(project, "sys", "q1", Options(measures=("Bare",)))
    assert found.explanation.value == 1
    assert (found.bounds, found.ends, found.ideal) == (None, (), ())
    assert found.unjudged == 2


def test_the_ideal_ordering_is_the_one_that_the_explanation_counts(project: Project) -> None:
    grade(project, 1, d1=0, d3=5)
    found = scores.evidence(project, "sys", "q1", Options(measures=("SetP",)))
    assert ([one.name for one in found.ideal], found.explanation.ideal_value) == (["d3"], 1)


def test_an_answer_below_the_cut_off_is_shown_with_the_gain_that_it_is_credited(answers: Project) -> None:
    options = Options(measures=("RR@1",), relevance=GoldMatch())
    found = scores.evidence(answers, "reader", "thor", options)
    assert [one.grade for one in found.actual] == [0, 1, 1]
    assert found.explanation.value == 0
