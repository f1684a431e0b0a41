"""When a query is finished for who grades, and for who judges by nuggets, citations or aspects alone."""

from collections.abc import Iterator
from itertools import count

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from annotator.project import assignments, blindness, browse, judging, lead_role, practice
from annotator.project import settings as kept
from annotator.project.finished import finished, revealed, unsaid
from annotator.project.history import history
from annotator.project.nuggets import Nugget, set_nuggets
from annotator.project.preferences import prefer, to_prefer
from annotator.project.project import Project
from annotator.project.views import Filters
from annotator.records import Answer, Dataset, Query
from annotator.tasks import JUDGED, PREFERENCE
from tests.examples import examples
from tests.project.cited import made
from tests.project.conftest import add, run_table
from tests.project.scores import by

PEOPLE = map("person {}".format, count())
HOW_MUCH = st.sampled_from(("none", "some", "all"))


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """A project that asks for an aspect, nuggets and citations of three answers; and another query."""
    folder = tmp_path_factory.mktemp("asking")
    made(folder / "asking.annot")
    with Project.open(folder / "asking.annot", annotator="Ann") as project:
        drake = Answer("other", "A drake.")
        quack = Answer("q", "They quack.")
        runs = [run_table("drake", {"other": [drake.id], "q": [quack.id]}, answers=True)]
        add(project, Dataset(queries=[Query("other", "drakes")], answers=[drake, quack], runs=runs))
        aspect = {"name": "Fluent", "meaning": "", "values": ["no", "yes"], "asked": True}
        kept.set_setting(project, "aspects", [aspect])
        set_nuggets(project, browse.key_of(project, "q"), [Nugget("Ducks fly."), Nugget("Ducks swim.")])
        yield project


def begin(project: Project) -> int:
    """Let somebody new have the project; return the key of the query that asks."""
    by(project, next(PEOPLE))
    return browse.key_of(project, "q")


def part(things: list[tuple[int, int]], how_much: str) -> list[tuple[int, int]]:
    """Return none, about a half, or all of some things."""
    return things[: {"none": 0, "some": (len(things) + 1) // 2, "all": len(things)}[how_much]]


def judge(project: Project, query: int, amounts: dict[str, str]) -> None:
    """Give so many of the candidates of a query grades, and say so much of what is asked under each task."""
    view = browse.query(project, query)
    with project.store.writing():
        for one in view.candidates[: {"none": 0, "some": 1, "all": 3}[amounts["grade"]]]:
            judging.skip(project, query, one.key)
        for task in JUDGED:
            asked = [
                (one.key, at)
                for one in view.candidates
                for at, each in enumerate(view.asked_of(one))
                if each.task == task.name
            ]
            for key, at in part(asked, amounts[task.name]):
                candidate = next(one for one in view.candidates if one.key == key)
                judging.answer(project, query, key, view.asked_of(candidate)[at], 1)
        pairs = [one for one in to_prefer(project).pairs if one.query == query]
        for two in pairs[: {"none": 0, "some": 1, "all": 3}[amounts["preference"]]]:
            prefer(project, query, two.first, two.second, "equal")


@given(
    st.fixed_dictionaries(dict.fromkeys(("grade", *(one.name for one in JUDGED)), HOW_MUCH)),
    st.booleans(),
)
@example(
    {"grade": "none", "rating": "none", "support": "all", "citation": "none", "preference": "none"}, False
)
@example(
    {"grade": "none", "rating": "none", "support": "all", "citation": "none", "preference": "none"}, True
)
@example(
    {"grade": "none", "rating": "none", "support": "none", "citation": "none", "preference": "all"}, False
)
@settings(max_examples=examples(15, 160), deadline=None)
def test_a_query_is_finished_when_what_one_judges_it_by_is_judged(
    asking: Project, amounts: dict[str, str], grades_elsewhere: bool
) -> None:
    query = begin(asking)
    if grades_elsewhere:
        other = browse.key_of(asking, "other")
        (key,) = (one.key for one in browse.query(asking, other).candidates)
        judging.set_grade(asking, other, key, 1)
    assert not browse.query(asking, query).revealed
    judge(asking, query, amounts)
    grades = amounts["grade"] != "none" or grades_elsewhere
    counting = [one.name for one in JUDGED if one is not PREFERENCE or not grades]
    beside = [amounts[one] for one in counting if amounts[one] != "none"]
    by_grades = amounts["grade"] == "all"
    alone = bool(beside) and not grades
    expected = all(one == "all" for one in beside) and (by_grades or alone)
    view = browse.query(asking, query)
    assert view.revealed == expected
    assert finished(view) == expected, "the window follows each key with this"
    (row,) = browse.query_rows(asking, [query])
    assert (row.revealed, row.decided) == (expected, row.pool if expected else view.decided)
    with asking.store.reading() as db:
        assert revealed(db, asking.annotator, query) == expected
    assert (query not in blindness.hidden_keys(asking)) == expected
    assert ("q" in blindness.seen_queries(asking)[0]) == expected
    open_ones = browse.query_keys(asking, Filters(states=("unjudged",)))
    assert (query in open_ones) == (not expected and not by_grades)
    told = {amounts[one.name] for one in JUDGED if one is not PREFERENCE} - {"none"}
    assert (unsaid(view) == []) == (by_grades or expected or (not grades and told == {"all"}))
    done = view.decided + (row.pool if expected and not grades else 0) + grades_elsewhere
    assert browse.contents(asking).decided == done
    could_see = by_grades or (beside[:1] == ["all"] and not grades)
    for where, at in (("other", 0), ("q", 0), ("q", 1)):
        key = browse.key_of(asking, where)
        judging.set_grade(asking, key, browse.query(asking, key).candidates[at].key, 2)
    assert [one.blind for one in history(asking, query)[:2]] == [not could_see] * 2


def test_a_queue_is_done_as_far_as_its_queries_are_finished(asking: Project) -> None:
    query, me = begin(asking), asking.annotator
    lead_role.take(asking)
    terms = assignments.Terms({me: 1.0}, 1, 7)
    assignments.assign(asking, assignments.Assignment(terms, {"q": (me,), "other": (me,)}))
    judge(
        asking, query, {**dict.fromkeys(("grade", *(one.name for one in JUDGED)), "none"), "support": "all"}
    )
    size = len(browse.query(asking, query).candidates)
    (one,) = (one for one in assignments.progress(asking)[0] if one.name == me)
    assert (one.queries, one.complete, one.candidates, one.decided) == (2, 1, size + 1, size)
    counted = browse.contents(asking)
    assert (counted.queue_decided, counted.queue_pool) == (size, size + 1)
    assignments.take_back(asking)
    lead_role.give_back(asking)


def test_practice_is_graded_and_makes_nobody_one_who_grades(asking: Project) -> None:
    query = begin(asking)
    other = browse.key_of(asking, "other")
    lead_role.take(asking)
    practice.mark(asking, other)
    (key,) = (one.key for one in browse.query(asking, other).candidates)
    judging.set_grade(asking, other, key, 1)
    judge(
        asking,
        query,
        {"grade": "none", "rating": "none", "support": "none", "citation": "all", "preference": "none"},
    )
    assert browse.query(asking, query).revealed
    practice.mark(asking, other, False)
    assert not browse.query(asking, query).revealed
