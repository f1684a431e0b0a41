"""Grades, states, marks and what surrounds them, on a real project file."""

from collections.abc import Callable
from pathlib import Path

import pytest

from annotator.errors import Stopped, UserError
from annotator.project import blindness, browse, data_import, history, judging, settings
from annotator.project.blindness import HIDDEN
from annotator.project.browse import prepare_search
from annotator.project.event_words import said
from annotator.project.project import Project
from annotator.project.views import UNJUDGED, Filters, JudgmentView
from annotator.records import GoldAnswer, GoldList
from annotator.storage.care.integrity import check
from annotator.storage.ledger.events import all_events
from annotator.storage.reads import search
from annotator.watch import Watch


def first(project: Project, query: int = 1) -> int:
    return browse.query(project, query).candidates[0].key


def seen(project: Project, query: int, candidate: int) -> JudgmentView:
    return next(one.judgment for one in browse.query(project, query).candidates if one.key == candidate)


def test_a_grade_is_stored_and_survives_closing(project: Project) -> None:
    candidate = first(project)
    change = judging.set_grade(project, 1, candidate, 4, milliseconds=1200)
    assert (change.before, change.query, change.candidate) == (UNJUDGED, 1, candidate)
    project.close()
    with Project.open(project.path, annotator="Ann") as again:
        judgment = seen(again, 1, candidate)
    assert (judgment.state, judgment.grade, judgment.milliseconds, judgment.quick) == (
        "graded",
        4,
        1200,
        False,
    )
    assert judgment == change.after


def test_a_judgment_under_a_quarter_second_is_stored_and_marked(project: Project) -> None:
    assert judging.set_grade(project, 1, first(project), 2, milliseconds=249).after.quick  # type: ignore[attr-defined]
    assert not judging.set_grade(project, 1, first(project), 3, milliseconds=250).after.quick  # type: ignore[attr-defined]


@pytest.mark.parametrize("grade", [-1, 6, True, 2.0, "3"])
def test_what_is_not_on_the_scale_is_refused_and_nothing_changes(project: Project, grade: object) -> None:
    candidate = first(project)
    head = project.store.head()
    with pytest.raises(UserError, match="not a grade"):
        judging.set_grade(project, 1, candidate, grade)  # type: ignore[arg-type]
    assert project.store.head() == head


def test_every_pair_is_in_a_stated_condition(project: Project) -> None:
    one, two, three, *_ = (each.key for each in browse.query(project, 1).candidates)
    judging.skip(project, 1, one)
    judging.cannot_tell(project, 1, two, "wrong language")
    states = {each.key: each.judgment.state for each in browse.query(project, 1).candidates}
    assert (states[one], states[two], states[three]) == ("skipped", "cannot_tell", None)
    assert seen(project, 1, two).reason == "wrong language"


def test_a_new_grade_replaces_the_state_and_keeps_flag_note_and_rationale(project: Project) -> None:
    candidate = first(project)
    judging.cannot_tell(project, 1, candidate, "unsure")
    judging.set_mark(project, 1, candidate, "flag", True)
    judging.set_mark(project, 1, candidate, "note", "look again")
    judging.set_mark(project, 1, candidate, "rationale", "about ducks")
    judging.set_grade(project, 1, candidate, 5)
    judgment = seen(project, 1, candidate)
    assert (judgment.grade, judgment.reason) == (5, "")
    assert judgment.marks == {"flag": True, "note": "look again", "rationale": "about ducks"}
    judging.clear(project, 1, candidate)
    judgment = seen(project, 1, candidate)
    assert (judgment.state, judgment.marks.get("note")) == (None, "look again")


def test_a_note_with_a_control_character_is_refused_in_a_sentence(project: Project) -> None:
    with pytest.raises(UserError, match="control character"):
        judging.set_mark(project, 1, first(project), "note", "bell \x07")


def test_blind_shows_no_rank_and_a_complete_query_shows_all(project: Project) -> None:
    view = browse.query(project, 3)
    assert not view.revealed
    assert all(one.places == () for one in view.candidates)
    judging.set_grade(project, 3, view.candidates[0].key, 1)
    view = browse.query(project, 3)
    assert view.revealed
    assert [(one.system, one.rank) for one in view.candidates[0].places] == [("beta", 1)]


def test_the_blind_order_is_stable_and_each_annotators_own(project: Project) -> None:
    order = [one.key for one in browse.query(project, 1).candidates]
    assert order == [one.key for one in browse.query(project, 1).candidates]
    orders = set()
    for name in ("Ann", "Bob", "Cem", "Dag", "Eve"):
        project.use_annotator(name)
        orders.add(tuple(one.key for one in browse.query(project, 1).candidates))
    assert len(orders) > 1
    assert {tuple(sorted(one)) for one in orders} == {tuple(sorted(order))}


def test_a_revealed_query_stands_in_the_first_systems_order(project: Project) -> None:
    blindness.unblind(project, 1)
    view = browse.query(project, 1)
    assert view.unblinded
    assert [one.id for one in view.candidates] == ["d1", "d2", "d3", "d4", "d5"]


def test_each_annotator_sees_only_their_own_grades(project: Project) -> None:
    candidate = first(project)
    judging.set_grade(project, 1, candidate, 5)
    project.use_annotator("Bob")
    assert seen(project, 1, candidate) == UNJUDGED
    judging.set_grade(project, 1, candidate, 1)
    project.use_annotator("Ann")
    assert seen(project, 1, candidate).grade == 5
    assert [(one.name, one.graded) for one in browse.annotators(project)] == [("Ann", 1), ("Bob", 1)]


def test_the_project_may_let_annotators_see_each_others_grades_once_they_are_not_blind(
    project: Project,
) -> None:
    candidate = first(project)
    judging.set_grade(project, 1, candidate, 5)
    judging.skip(project, 1, browse.query(project, 1).candidates[1].key)
    project.use_annotator("Bob")

    def others() -> dict[int, tuple[tuple[str, int], ...]]:
        return {one.key: one.others for one in browse.query(project, 1).candidates if one.others}

    settings.set_setting(project, "show_others", True)
    assert not others(), "a blind annotator sees nobody's"
    blindness.unblind(project, 1)
    assert others() == {candidate: (("Ann", 5),)}
    judging.set_grade(project, 1, candidate, 2)
    assert others() == {candidate: (("Ann", 5),)}, "one's own is no other's"
    settings.set_setting(project, "show_others", False)
    assert not others()


def test_undo_takes_back_ones_own_latest_and_redo_does_it_again(project: Project) -> None:
    candidate = first(project)
    judging.set_grade(project, 1, candidate, 2)
    judging.set_grade(project, 1, candidate, 4)
    undone = history.undo(project)
    assert undone is not None
    assert (undone.query, undone.candidate) == (1, candidate)
    assert undone.said.startswith("Undone: grade 4 of d")
    assert seen(project, 1, candidate).grade == 2
    again = history.redo(project)
    assert again is not None
    assert seen(project, 1, candidate).grade == 4
    assert history.redo(project) is None


def test_undo_is_unlimited_and_works_after_a_restart(project: Project) -> None:
    keys = [one.key for one in browse.query(project, 1).candidates]
    for key in keys:
        judging.set_grade(project, 1, key, 3)
    project.close()
    with Project.open(project.path, annotator="Ann") as again:
        for _ in keys:
            assert history.undo(again) is not None
        assert history.undo(again) is None
        assert all(one.judgment == UNJUDGED for one in browse.query(again, 1).candidates)


def test_undo_leaves_another_persons_work_alone(project: Project) -> None:
    candidate = first(project)
    judging.set_grade(project, 1, candidate, 2)
    project.use_annotator("Bob")
    assert history.undo(project) is None
    assert judging.set_query_part(project, 1, {"note": "from Bob"}).after == {"note": "from Bob"}
    project.use_annotator("Ann")
    judging.set_query_part(project, 1, {"note": "from Ann"})
    project.use_annotator("Bob")
    with pytest.raises(UserError, match="somebody else"):
        history.undo(project)
    project.use_annotator("Ann")
    judging.set_grade(project, 1, candidate, 4)
    judging.set_gold(project, 1, GoldList("q1", (GoldAnswer("pond"),)))
    project.use_annotator("Bob")
    judging.set_gold(project, 1, GoldList("q1", (GoldAnswer("lake"),)))
    project.use_annotator("Ann")
    change = history.undo(project)
    assert change is not None
    assert change.said.startswith(
        "Changed by somebody else since: gold answer of “wild ducks”: “pond”. Undone instead: grade 4"
    )


def test_the_name_given_at_creation_is_not_taken_back(project: Project) -> None:
    assert history.undo(project) is None
    assert settings.value_of(project, "name") == "Ducks"


def test_the_last_grades_stand_newest_first_each_pair_once(project: Project) -> None:
    one, two, *_ = (each.key for each in browse.query(project, 1).candidates)
    judging.set_grade(project, 1, one, 1)
    judging.set_grade(project, 1, two, 2)
    judging.set_grade(project, 1, one, 3)
    assert [(each.candidate, each.judgment.grade) for each in history.recent(project)] == [(one, 3), (two, 2)]
    history.undo(project)
    assert [(each.candidate, each.judgment.grade) for each in history.recent(project, 1)] == [(one, 1)]


def test_the_history_of_a_pair_says_who_what_and_how_long(project: Project) -> None:
    candidate = first(project)
    judging.set_grade(project, 1, candidate, 1, milliseconds=700)
    history.undo(project)
    undone, graded = history.history(project, 1, candidate)
    assert (graded.annotator, graded.milliseconds, graded.blind, graded.undone) == ("Ann", 700, True, True)
    assert graded.said.startswith("grade 1 of d")
    assert undone.said.startswith("undone")


def test_the_history_keeps_what_others_judged_from_a_blind_annotator(project: Project) -> None:
    candidate = first(project)
    judging.set_grade(project, 1, candidate, 5)
    project.use_annotator("Bob")
    for lines in (
        history.history(project, 1, candidate, as_seen=True),
        history.history(project, as_seen=True),
    ):
        [line] = [one for one in lines if one.candidate_id]
        assert (line.annotator, line.said) == ("Ann", HIDDEN)
    assert history.history(project, 1, candidate)[0].said.startswith("grade 5"), (
        "whoever asks for all of it gets it"
    )
    judging.set_grade(project, 1, candidate, 0)
    mine, hers = history.history(project, 1, candidate, as_seen=True)
    assert mine.said.startswith("grade 0"), "one's own are shown"
    assert hers.said == HIDDEN
    for one in browse.query(project, 1).candidates:
        judging.set_grade(project, 1, one.key, 1)
    assert history.history(project, 1, candidate, as_seen=True)[-1].said.startswith("grade 5")
    project.use_annotator("Cem")
    assert history.history(project, 1, candidate, as_seen=True)[-1].said == HIDDEN
    blindness.unblind(project, 1)
    assert history.history(project, 1, candidate, as_seen=True)[-1].said.startswith("grade 5")


def test_reading_only_refuses_to_grade_and_says_so(project: Project) -> None:
    candidate = first(project)
    project.close()
    with Project.open(project.path, read_only=True) as looking:
        with pytest.raises(UserError, match="reading only"):
            judging.set_grade(looking, 1, candidate, 3)
        assert browse.contents(looking).queries == 3


def test_counts_and_rows_follow_the_grades(project: Project) -> None:
    assert [
        (row.id, row.decided, row.pool, row.revealed) for row in browse.query_rows(project, [1, 2, 3])
    ] == [
        ("q1", 0, 5, False),
        ("q2", 0, 4, False),
        ("q3", 0, 1, False),
    ]
    judging.set_grade(project, 3, first(project, 3), 2)
    assert browse.query_rows(project, [3])[0].revealed
    contents = browse.contents(project)
    assert (contents.pool, contents.decided, contents.documents) == (10, 1, 8)
    assert [system.name for system in contents.systems] == ["alpha", "beta"]
    assert contents.tags == ("animal", "farm")


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(), [1, 2, 3]),
        (Filters(states=("unjudged",)), [1, 2]),
        (Filters(states=("skipped",)), [1]),
        (Filters(states=("flag",)), [2]),
        (Filters(states=("note",)), [2]),
        (Filters(states=("skipped", "flag")), [1, 2]),
        (Filters(grades=(2, 3)), [3]),
        (Filters(tags=("farm",)), [2]),
        (Filters(system="alpha"), [1, 2]),
        (Filters(text="WILD"), [1]),
        (Filters(text="q2"), [2]),
        (Filters(text="100%"), []),
        (Filters(order="disagreements"), [3]),
        (Filters(order="my earlier ones"), [1, 3]),
        (Filters(tags=("animal",), text="tame"), [2]),
    ],
)
def test_filters_let_through_what_they_name(project: Project, filters: Filters, expected: list[int]) -> None:
    judging.skip(project, 1, first(project))
    judging.set_mark(project, 2, first(project, 2), "flag", True)
    judging.set_mark(project, 2, first(project, 2), "note", "hm")
    drake = first(project, 3)
    judging.set_grade(project, 3, drake, 2)
    project.use_annotator("Bob")
    judging.set_grade(project, 3, drake, 0)
    project.use_annotator("Ann")
    assert browse.query_keys(project, filters).tolist() == expected


def test_words_of_documents_are_found_once_they_are_indexed(project: Project) -> None:
    def found(text: str) -> list[int]:
        return browse.query_keys(project, Filters(text=text)).tolist()

    assert found("Document 7") == []
    prepare_search(project.store)
    assert found("Document 7") == [2]
    assert found("document 1 duc") == [1, 3]
    assert found("nothing of the kind") == []
    assert found("wild") == [1]
    assert found('"') == []
    judging.set_mark(project, 1, first(project), "note", "Zanzibar")
    assert found("zanzi") == [1]
    project.use_annotator("Bob")
    assert found("zanzi") == []


def test_a_stopped_indexing_leaves_no_index(project: Project) -> None:
    with pytest.raises(Stopped):
        prepare_search(project.store, Watch(should_stop=lambda: True))
    assert browse.query_keys(project, Filters(text="Document 7")).tolist() == []


def test_a_deeper_pool_offers_more(project: Project) -> None:
    settings.set_setting(project, "pool_depth", 1)
    assert [one.id for one in browse.query(project, 1).candidates if one.id in ("d1", "d3")]
    assert browse.query_rows(project, [1])[0].pool == 2
    settings.set_setting(project, "pool_depth", 1_000)
    assert browse.query_rows(project, [1])[0].pool > 2
    with pytest.raises(UserError, match="rank 1 to 1,000"):
        settings.set_setting(project, "pool_depth", 0)


def test_a_name_of_an_import_is_no_persons_name(project: Project, tmp_path: Path) -> None:
    (tmp_path / "q.qrels").write_text("q1 0 d1 3\n", "utf-8")
    data_import.run_import(project, data_import.plan_import(project, [tmp_path / "q.qrels"]))
    with pytest.raises(UserError, match="imported"):
        project.use_annotator("imported:q")


@pytest.mark.parametrize(
    "spoil",
    [Path.unlink, lambda path: path.write_bytes(b"no index" * 999), lambda path: path.write_bytes(b"")],
)
def test_a_deleted_or_broken_index_of_words_is_made_again_and_the_project_is_as_it_was(
    project: Project, spoil: Callable[[Path], object]
) -> None:
    prepare_search(project.store)
    with project.store.reading() as db:
        path = search.place(db, settings.value_of(project, "pool_depth"))
    wanted = Filters(text="Document 7")
    assert browse.query_keys(project, wanted).tolist() == [2]
    spoil(path)
    assert browse.query_keys(project, wanted).tolist() == []
    assert browse.query_keys(project, Filters(text="wild")).tolist() == [1], "queries are found without it"
    prepare_search(project.store)
    assert browse.query_keys(project, wanted).tolist() == [2]
    with project.store.reading() as db:
        assert check(db) == []


def test_a_predicted_answer_is_called_by_its_text_where_one_reads_what_was_done(answers: Project) -> None:
    view = browse.query(answers, 2)
    one = view.candidates[0]
    assert one.kind == "answer"
    judging.set_grade(answers, 2, one.key, 3)
    [line] = history.history(answers, 2, one.key)
    assert line.said == f"grade 3 of “{one.text}”"
    assert (line.candidate_id, line.answer) == (one.id, one.text)
    undone = history.undo(answers)
    assert undone is not None
    assert undone.said == f"Undone: grade 3 of “{one.text}”"
    *_, last = all_events(answers.store.db)
    assert said(last, {one.id: ""}) == "grade 3 of (empty answer)"
