"""Who judges which queries: recorded as a whole by a lead, seen by everybody as their own queue."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotator.errors import UserError
from annotator.evaluation.options import Options
from annotator.project import assignments, browse, history, judging, lead_role, maintenance, text_twin
from annotator.project.assignments import Terms
from annotator.project.project import Project
from annotator.project.report_files import Choice, write_report
from annotator.project.snapshots import take_snapshot
from annotator.project.state import state_of
from annotator.project.views import Filters
from annotator.records import Dataset, Query
from annotator.storage.care import integrity, recovery
from annotator.storage.ledger import event_fold
from annotator.text.counts import counted
from tests.examples import examples
from tests.project.conftest import add, copied

MINE = Filters(assigned=True)


@pytest.fixture
def led(project: Project) -> Project:
    """Return the project of three queries, Ann being its lead."""
    lead_role.take(project)
    return project


def dealt(project: Project, shares: Mapping[str, int], judgments: int = 1, **terms: object) -> None:
    """Assign the project's queries to people."""
    planned = assignments.deal_out(assignments.ground(project), Terms(shares, judgments, **terms))
    assignments.assign(project, planned)


def queues(project: Project, people: Sequence[str]) -> dict[str, list[int]]:
    """Return the queries that are listed for each person."""
    here = project.annotator
    listed = {}
    for name in people:
        project.use_annotator(name)
        listed[name] = browse.query_keys(project, MINE).tolist()
    project.use_annotator(here)
    return listed


def test_everybody_sees_their_own_queue_and_may_see_all(led: Project) -> None:
    dealt(led, {"Bo": 2, "Cy": 1})
    listed = queues(led, ["Ann", "Bo", "Cy"])
    assert sorted(listed["Bo"] + listed["Cy"]) == [1, 2, 3]
    assert len(listed["Bo"]) == 2
    assert listed["Ann"] == [1, 2, 3], "nothing is assigned to her, so nothing is left out"
    led.use_annotator("Cy")
    assert browse.query_keys(led).tolist() == [1, 2, 3]
    judging.set_grade(led, listed["Bo"][0], browse.query(led, listed["Bo"][0]).candidates[0].key, 4)


def test_the_queue_goes_with_the_other_filters(led: Project) -> None:
    dealt(led, {"Ann": 2, "Bo": 1})
    mine = browse.query_keys(led, MINE).tolist()
    for filters in (Filters(tags=("animal",)), Filters(text="ducks"), Filters(states=("unjudged",))):
        others = browse.query_keys(led, filters).tolist()
        both = Filters(**{name: getattr(filters, name) for name in ("tags", "text", "states")}, assigned=True)
        assert browse.query_keys(led, both).tolist() == [key for key in mine if key in others]


@pytest.mark.parametrize("seed", range(4))
def test_a_queue_stands_in_the_order_of_the_import(led: Project, seed: int) -> None:
    dealt(led, {"Bo": 1, "Cy": 1, "Di": 1}, 2, seed=seed)
    assert all(keys == sorted(keys) and len(keys) == 2 for keys in queues(led, ["Bo", "Cy", "Di"]).values())


def test_what_is_assigned_is_counted_for_its_annotator(led: Project) -> None:
    dealt(led, {"Ann": 1, "Bo": 1}, 1, seed=3)
    mine = browse.query_keys(led, MINE).tolist()
    judging.set_grade(led, mine[0], browse.query(led, mine[0]).candidates[0].key, 0)
    other = min({1, 2, 3} - {*mine})
    judging.skip(led, other, browse.query(led, other).candidates[0].key)
    whole = browse.contents(led)
    pools = {key: len(browse.query(led, key).candidates) for key in (1, 2, 3)}
    assert (whole.queue, whole.queue_pool, whole.queue_decided) == ({*mine}, sum(map(pools.get, mine)), 1)
    assert (whole.pool, whole.decided) == (sum(pools.values()), 2)
    led.use_annotator("Cy")
    assert (browse.contents(led).queue, browse.contents(led).queue_pool) == (frozenset(), 0)


def test_only_a_lead_assigns_and_only_to_people(led: Project) -> None:
    planned = assignments.deal_out(assignments.ground(led), Terms({"Bo": 1}))
    led.use_annotator("Bo")
    with pytest.raises(UserError, match="Bo has not taken the role of lead"):
        assignments.assign(led, planned)
    with pytest.raises(UserError, match="Bo has not taken the role of lead"):
        assignments.take_back(led)
    led.use_annotator("Ann")
    led.store.record("imported", "setting", ("about",), "x", annotator_kind="import")
    for name, why in (("imported", "judgments that were imported"), ("a\nb", "control character")):
        with pytest.raises(UserError, match=why):
            dealt(led, {name: 1})
    assert assignments.assignment(led) is None


@pytest.mark.parametrize(
    ("shares", "judgments", "why"),
    [
        ({}, 1, "Nobody is named"),
        ({"Bo": 0}, 1, "Nobody is named"),
        ({"Bo": -1}, 1, "for Bo goes from 1"),
        ({"Bo": 1}, 0, "for judgments goes from 1"),
        ({"Bo": 10**9}, 1, "for Bo goes from 1"),
    ],
)
def test_terms_that_make_no_sense_are_refused(
    led: Project, shares: dict[str, int], judgments: int, why: str
) -> None:
    with pytest.raises(UserError, match=why):
        dealt(led, shares, judgments)


def test_a_project_without_queries_has_nothing_to_assign(tmp_path: Path) -> None:
    with Project.create(tmp_path / "empty.annot", "Empty", annotator="Ann") as empty:
        lead_role.take(empty)
        with pytest.raises(UserError, match="There is no query to assign yet"):
            dealt(empty, {"Bo": 1})
        assert assignments.assignment(empty) is None


def test_queries_that_come_later_are_nobodys_until_a_lead_assigns_again(led: Project) -> None:
    dealt(led, {"Bo": 1, "Cy": 1})
    before = queues(led, ["Bo", "Cy"])
    add(led, Dataset(queries=[Query("q4", "swans"), Query("q5", "geese")]))
    assert queues(led, ["Bo", "Cy"]) == before
    assert assignments.progress(led)[1] == 2
    assert assignments.left_over(2) == "2 queries are assigned to nobody."
    dealt(led, {"Bo": 1, "Cy": 1})
    after = queues(led, ["Bo", "Cy"])
    assert assignments.progress(led)[1] == 0
    assert all({*before[name]} <= {*after[name]} for name in before)


def test_who_has_begun_keeps_it_unless_all_is_dealt_anew(led: Project) -> None:
    led.use_annotator("Bo")
    for key in (1, 2, 3):
        judging.set_grade(led, key, browse.query(led, key).candidates[0].key, 4)
    led.use_annotator("Ann")
    dealt(led, {"Bo": 1, "Cy": 2})
    assert queues(led, ["Bo"]) == {"Bo": [1, 2, 3]}
    dealt(led, {"Bo": 1, "Cy": 2}, keep=False)
    assert {name: len(keys) for name, keys in queues(led, ["Bo", "Cy"]).items()} == {"Bo": 1, "Cy": 2}


def test_it_is_told_undone_and_taken_back(led: Project) -> None:
    dealt(led, {"Bo": 1, "Cy": 1}, 2, seed=5)
    dealt(led, {"Bo": 1, "Cy": 1}, 2, seed=5)
    assignments.take_back(led)
    history.undo(led)
    assert [(one.annotator, one.said) for one in history.history(led, limit=4)] == [
        ("Ann", "undone: took the assignment back"),
        ("Ann", "took the assignment back"),
        ("Ann", "assigned 3 queries to Bo, Cy (2 judgments a candidate)"),
        ("Ann", "took the role of lead"),
    ]
    assert queues(led, ["Bo", "Cy"]) == {"Bo": [1, 2, 3], "Cy": [1, 2, 3]}
    now = assignments.assignment(led)
    assert now is not None
    assert (now.terms.shares, now.terms.judgments, now.terms.seed) == ({"Bo": 1, "Cy": 1}, 2, 5)


def test_of_two_leads_in_two_copies_the_later_counts_and_the_history_tells_both(
    led: Project, tmp_path: Path
) -> None:
    other = tmp_path / "other.annot"
    maintenance.save_copy(led, other)
    dealt(led, {"Cy": 1})
    path = led.path
    led.close()
    with Project.open(other, annotator="Bo") as copy:
        lead_role.take(copy)
        dealt(copy, {"Di": 1})
    merged = [
        maintenance.merge(*pair, tmp_path / f"merged{at}.annot")
        for at, pair in enumerate(((path, other), (other, path)))
    ]
    for at, one in enumerate(merged):
        (conflict,) = one.conflicts
        assert conflict.kind == "assignment"
        sides = {maintenance.in_words(side) for side in (conflict.kept, conflict.other)}
        assert sides == {f"assigned 3 queries to {name} (1 judgment a candidate)" for name in ("Cy", "Di")}
        with Project.open(tmp_path / f"merged{at}.annot") as both:
            kept = "Cy" if "Cy" in maintenance.in_words(conflict.kept) else "Di"
            assert [(one.name, one.queries) for one in assignments.progress(both)[0]] == [(kept, 3)]
            told = [line.said for line in history.history(both) if line.task == "assignment"]
            assert {*told} == sides
            assert integrity.check(both.store.db) == []
    assert merged[0].conflicts == merged[1].conflicts


def test_taking_an_import_back_takes_its_queries_out_of_the_queues(led: Project) -> None:
    add(led, Dataset(queries=[Query("q4", "swans")]))
    dealt(led, {"Bo": 1})
    newest = max((one for one in maintenance.imports(led) if one.in_force), key=lambda one: one.time)
    maintenance.withdraw(led, newest.identity)
    assert queues(led, ["Bo"]) == {"Bo": [1, 2, 3]}
    assert [one.queries for one in assignments.progress(led)[0]] == [3]


NAMES = st.sampled_from(["Ann", "Bo", "“Zoë” \N{GRINNING FACE}", "$.people", "a=1", "x, y", "ש"])
STEPS = st.lists(
    st.one_of(
        st.tuples(
            st.just("assign"), st.dictionaries(NAMES, st.integers(1, 9), min_size=1), st.integers(1, 3)
        ),
        st.tuples(st.just("grade"), NAMES, st.integers(1, 3)),
        st.tuples(st.sampled_from(["take_back", "undo", "redo"])),
    ),
    max_size=12,
)


@settings(max_examples=examples(8, 25))
@given(steps=STEPS)
def test_whatever_is_done_everything_that_serves_grades_serves_it(
    tmp_path_factory: pytest.TempPathFactory, ducks: Path, steps: Sequence[tuple[object, ...]]
) -> None:
    folder = tmp_path_factory.mktemp("steps")
    past: list[object] = [None]
    ahead: list[object] = []
    with Project.open(copied(ducks, folder), annotator="lead") as project:
        lead_role.take(project)
        for step, *given_to in steps:
            if step == "grade":
                name, query = given_to
                project.use_annotator(str(name))
                judging.set_grade(project, query, browse.query(project, query).candidates[0].key, 3)
                project.use_annotator("lead")
            elif step == "undo" and len(past) > 1:
                history.undo(project)
                ahead.append(past.pop())
            elif step == "redo" and ahead:
                history.redo(project)
                past.append(ahead.pop())
            elif step in ("assign", "take_back"):
                dealt(project, *given_to) if step == "assign" else assignments.take_back(project)
                now = assignments.assignment(project)
                if now != past[-1]:
                    past.append(now)
                    ahead.clear()
            assert assignments.assignment(project) == past[-1]
        told = assignments.progress(project)
        assert [(one.queries, one.complete, one.candidates, one.decided) for one in told[0]] == [
            counted_by_hand(project, one.name) for one in told[0]
        ]
        assert integrity.check(project.store.db) == []
        before = list(project.store.db.iterdump())
        with project.store.writing() as db:
            db.execute("DELETE FROM value")
            event_fold.write_current(db)
        assert list(project.store.db.iterdump()) == before
        text_twin.dump(project, folder / "text")
        path = project.path
    text_twin.load(folder / "text", folder / "loaded.annot").close()
    recovery.recover(path, folder / "recovered.annot")
    for name in ("loaded", "recovered"):
        with Project.open(folder / f"{name}.annot") as other:
            assert assignments.assignment(other) == past[-1]
            assert [one.name for one in assignments.progress(other)[0]] == [one.name for one in told[0]]


def counted_by_hand(project: Project, name: str) -> tuple[int, int, int, int]:
    """Return the queries of a person, how many are complete, their candidates and how many are decided on."""
    now = assignments.assignment(project)
    assert now is not None
    here = project.annotator
    project.use_annotator(name)
    mine = [key for key in (1, 2, 3) if name in now.people.get(browse.query(project, key).id, ())]
    views = [browse.query(project, key) for key in mine]
    project.use_annotator(here)
    return (
        len(views),
        sum(one.complete for one in views),
        sum(len(one.candidates) for one in views),
        sum(one.decided for one in views),
    )


@given(
    shares=st.dictionaries(st.sampled_from(["Ann", "Bo", "Cy"]), st.integers(1, 9), min_size=1),
    judgments=st.integers(1, 3),
    seed=st.integers(0, 2**40),
    graded=st.lists(st.tuples(st.sampled_from(["Ann", "Bo"]), st.integers(1, 3)), max_size=4),
)
@settings(
    max_examples=examples(4, 15), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_reports_name_the_assignment_and_how_far_it_was_and_keep_the_pseudonyms(
    ducks: Path, shares: dict[str, int], judgments: int, seed: int, graded: list[tuple[str, int]]
) -> None:
    with TemporaryDirectory() as folder, Project.open(copied(ducks, Path(folder)), "Ann") as project:
        lead_role.take(project)
        judging.set_grade(project, 1, browse.query(project, 1).candidates[0].key, 3)
        dealt(project, shares, judgments, seed=seed)
        take_snapshot(project, "then")
        before = text_of(project, True)
        for name, query in graded:
            project.use_annotator(name)
            for candidate in browse.query(project, query).candidates:
                judging.set_grade(project, query, candidate.key, 2)
        project.use_annotator("Ann")
        people, _ = assignments.progress(project)
        known = assignments.assigned(state_of(project))
        assert known is not None
        assert dict(known.shares) == shares
        assert (known.judgments, known.seed, known.queries) == (judgments, seed, 3)
        assert known.places == sum(one.candidates for one in people)
        assert known.decided == sum(one.decided for one in people)
        named, numbered = text_of(project, True), text_of(project, False)
        told = ", ".join(f"{name} {share}" for name, share in sorted(shares.items()))
        assert f"in shares ({told}), with {counted(judgments, 'judgment')}" in named
        assert f"seed {seed}, event {known.event}" in named
        assert not [name for name in ("Ann", "Bo", "Cy") if re.search(rf"\b{name}\b", numbered)]
        assert text_of(project, True) == named
        line = next(one for one in before.splitlines() if "Assigned:" in one)
        assert line in text_of(project, True, as_of="then")
        assignments.take_back(project)
        assert assignments.assigned(state_of(project)) is None
        assert "Assigned:" not in text_of(project, True)
        assert line in text_of(project, True, as_of="then")


def text_of(project: Project, named: bool, as_of: str = "") -> str:
    """Return a report on where its numbers come from."""
    path = project.path.with_name("report.md")
    options = Options(measures=("CG@2",), as_of=as_of)
    write_report(project, path, options, Choice("markdown", sections=("provenance",), named=named))
    return path.read_text("utf-8")
