"""Two answers side by side: which pairs are asked about, how sides are drawn, what is said and settled."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.errors import UserError
from annotator.evaluation.options import Options
from annotator.project import browse, history, judging, lead_role, practice
from annotator.project.adjudication import adjudicate, disagreements, shown
from annotator.project.annotator_agreement import agreement
from annotator.project.preferences import SideBySide, Verdict, prefer, side_by_side, to_prefer
from annotator.project.project import Project
from annotator.project.project_scores import evaluate_project
from annotator.project.snapshots import take_snapshot
from annotator.project.state import state_of
from annotator.records import Answer, Dataset, Query
from annotator.storage.care import integrity
from annotator.storage.reads.preferred import Two
from tests.project.conftest import add, run_table
from tests.project.scores import by

BY_PREFERENCE = Options(judged_by="preference")
ANSWERS = {
    "red": {"q1": "Ducks dive.", "q2": "Yes.", "q3": "Ten years."},
    "green": {"q1": "Ducks dabble.", "q2": "Yes.", "q3": "Long."},
    "blue": {"q1": "Ducks dive.", "q2": "No."},
}


def answered(project: Project, answers: dict[str, dict[str, str]] = ANSWERS) -> None:
    """Bring what systems answer, one answer to each question."""
    queries = sorted({query for some in answers.values() for query in some})
    made = {
        name: {query: Answer(query, text) for query, text in some.items()} for name, some in answers.items()
    }
    runs = [
        run_table(name, {query: [one.id] for query, one in some.items()}, answers=True)
        for name, some in made.items()
    ]
    every = {one.id: one for some in made.values() for one in some.values()}
    asked = [Query(name, f"What of {name}?") for name in queries]
    add(project, Dataset(queries=asked, answers=[*every.values()], runs=runs))


@pytest.fixture
def answers(tmp_path: Path) -> Iterator[Project]:
    """A project of three systems' answers to three questions, opened by Ann."""
    with Project.create(tmp_path / "answers.annot", "Answers", annotator="Ann") as made:
        answered(made)
        yield made


def say(project: Project, name: str, two: Two, verdict: Verdict | None) -> None:
    """Let somebody say which side is better, as they see the two."""
    seen = side_by_side(by(project, name), two)
    prefer(project, two.query, *seen.keys, verdict)


def say_better(project: Project, name: str, text: str, *others: str) -> None:
    """Let somebody prefer the answer with a text to the one with another, wherever they stand."""
    for two in to_prefer(by(project, name)).pairs:
        seen = side_by_side(project, two)
        texts = texts_of(seen)
        if text in texts and any(other in texts for other in others):
            prefer(project, two.query, *seen.keys, ("left", "right")[texts.index(text)])


def texts_of(seen: SideBySide) -> list[str]:
    """Return what stands on the left and on the right, of answers without titles."""
    return [text for ((text, _),) in seen.texts]


def test_every_two_different_answers_that_systems_rank_first_are_asked_about_once(answers: Project) -> None:
    found = [{*texts_of(side_by_side(answers, two))} for two in to_prefer(answers).pairs]
    assert found == [{"Ducks dive.", "Ducks dabble."}, {"Yes.", "No."}, {"Ten years.", "Long."}]
    second = browse.key_of(answers, "q2")
    judging.set_grade(answers, second, browse.query(answers, second).candidates[0].key, 1)
    lead_role.take(answers)
    practice.mark(answers, second)
    assert [two.subject[0] for two in to_prefer(answers).pairs] == ["q1", "q3"]


def test_sides_are_drawn_for_everybody_and_stay(answers: Project) -> None:
    """Of 200 people about half see the pair in either order; whoever looks again sees it as before."""
    two = to_prefer(answers).pairs[0]
    drawn = [side_by_side(by(answers, f"p{at}"), two).keys for at in range(200)]
    assert drawn == [side_by_side(by(answers, f"p{at}"), two).keys for at in range(200)]
    assert 60 <= drawn.count((two.first, two.second)) <= 140, "by chance once in 70 million times"
    assert {*drawn} == {(two.first, two.second), (two.second, two.first)}


@pytest.mark.parametrize("verdict", ["left", "equal", "right"])
def test_a_preference_is_recorded_with_the_side_each_answer_stood_on(
    answers: Project, verdict: Verdict
) -> None:
    two = to_prefer(answers).pairs[0]
    for name in ("Ann", "p1", "p2", "p3", "p4"):  # some of whom see the first answer on the right
        say(answers, name, two, verdict)
        seen = side_by_side(answers, two)
        assert seen.verdict == verdict
        stored = answers.store.value(name, "preference", two.subject)
        left, right = (
            two.subject[1:].index(one.id) for one in (browse_content(answers, key) for key in seen.keys)
        )
        assert stored["left"] == two.subject[1 + left]
        assert stored["grade"] == {"left": 2 * left, "equal": 1, "right": 2 * right}[verdict]
    assert integrity.check(answers.store.db) == []


def browse_content(project: Project, key: int) -> object:
    """Return a candidate by its key."""
    views = (browse.query(project, at) for at in browse.query_keys(project).tolist())
    return next(one for view in views for one in view.candidates if one.key == key)


def test_it_is_ones_own_told_in_words_undone_and_done_again(answers: Project) -> None:
    say_better(answers, "Ann", "Ducks dive.", "Ducks dabble.")
    two = to_prefer(answers).pairs[0]
    assert history.history(answers)[0].said == "preferred: “Ducks dive.” to “Ducks dabble.”"
    assert side_by_side(by(answers, "Ben"), two).verdict is None
    undone = history.undo(by(answers, "Ann"))
    assert undone is not None
    assert (undone.query, undone.candidate, undone.ending) == (two.query, two.first, two.subject[2:])
    assert to_prefer(answers).said == {}
    history.redo(answers)
    assert [*to_prefer(answers).said] == [two.subject]
    say(answers, "Ann", two, None)
    assert side_by_side(answers, two).verdict is None
    said = history.history(answers)[0].said
    assert said.startswith("preference taken back: “Ducks d")
    say(answers, "Ann", two, "equal")
    assert history.history(answers)[0].said.startswith("equal: “Ducks d")


def test_what_is_no_preference_is_refused(answers: Project) -> None:
    one, other, _ = to_prefer(answers).pairs
    before = answers.store.head()
    for left, right, verdict, wrong in (
        (one.first, one.second, "best", "it is left, equal or right"),
        (one.first, one.first, "left", "two answers to one query that differ"),
        (one.first, other.first, "left", "two answers to one query that differ"),
    ):
        with pytest.raises(UserError, match=wrong):
            prefer(answers, one.query, left, right, verdict)  # type: ignore[arg-type]
    assert answers.store.head() == before


def test_people_disagree_on_a_preference_and_settle_it(answers: Project) -> None:
    say_better(answers, "Ann", "Ducks dive.", "Ducks dabble.")
    take_snapshot(answers, "then")
    say_better(answers, "Ben", "Ducks dabble.", "Ducks dive.")
    for name in ("Ann", "Ben"):
        say_better(answers, name, "Yes.", "No.")
    found = agreement(state_of(answers, BY_PREFERENCE))
    assert found.pairs[0].agreement.n == 2
    with pytest.raises(UserError, match="“annotator preferences” and the Compare page, tab Preferences"):
        evaluate_project(answers, BY_PREFERENCE)
    (apart,) = disagreements(state_of(answers, BY_PREFERENCE))
    assert disagreements(state_of(answers, Options(judged_by="preference", as_of="then"))) == []
    two = to_prefer(answers).pairs[0]
    assert (apart.grades, apart.ending) == ((0, 2), two.subject[2:])
    first, second = ("Ducks dive.", "Ducks dabble.")[
        :: 1 if apart.candidate_id.startswith("Ducks dive") else -1
    ]
    assert apart.candidate_id == f"{first} · {second}"
    asked, text, _ = shown(answers, apart.query, apart.candidate, "preference", apart.ending)
    assert (asked, [one for one, _ in text]) == ("What of q1?", ["FIRST", first, "SECOND", second])
    adjudicate(answers, apart.query, apart.candidate, 2, judged_by="preference", ending=apart.ending)
    assert disagreements(state_of(answers, BY_PREFERENCE)) == []
    assert history.history(answers)[0].said == f"settled as preferred: “{second}” to “{first}”"
