"""What counts as an action: only what changes something is recorded, and only that is taken back."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotator.grades import MEANINGS
from annotator.project import blindness, browse, history, judging
from annotator.project.adjudication import adjudicate
from annotator.project.project import Project
from annotator.project.settings import set_setting, value_of
from annotator.project.views import UNJUDGED
from annotator.records import GoldAnswer, GoldList
from tests.examples import examples
from tests.project.conftest import copied

Verb = Callable[[Project], object]

PLACES = st.sampled_from([(1, 0), (1, 1), (3, 0)])
WORDS = st.sampled_from(["", "a pond", "two lakes"])
ANSWERS = st.sampled_from([(), (GoldAnswer("pond"),), (GoldAnswer("pond", ("lake",)), GoldAnswer("sea"))])
CHOICES = st.sampled_from(
    [
        *(("show_others", value) for value in (None, False, True)),
        *(("combining", value) for value in (None, "median", "mean")),
        *(("pool_depth", value) for value in (None, 10, 3)),
        *(("meanings", value) for value in (None, list(MEANINGS), ["a", "b", "c", "d", "e", "f"])),
    ]
)
"""Settings at their defaults, taken back to them, and at something else."""


def on_a_candidate(act: Callable[..., object], *words: st.SearchStrategy[Any]) -> st.SearchStrategy[Verb]:
    """Draw a verb of one candidate and what it is given."""

    def verb(place: tuple[int, int], *given: Any) -> Verb:
        query, at = place
        return lambda project: act(project, query, candidates(project, query)[at], *given)

    return st.builds(verb, PLACES, *words)


def on_a_query(act: Callable[..., object], *words: st.SearchStrategy[Any]) -> st.SearchStrategy[Verb]:
    """Draw a verb of one query and what it is given."""
    return st.builds(lambda place, *given: lambda project: act(project, place[0], *given), PLACES, *words)


def settling(place: tuple[int, int], grade: int | None, reason: str) -> Verb:
    """Return the verb that settles a candidate, or takes that back."""
    query, at = place
    return lambda project: adjudicate(project, query, candidates(project, query)[at], grade, reason)


VERBS = st.one_of(
    on_a_candidate(judging.set_grade, st.sampled_from([0, 3])),
    on_a_candidate(judging.skip),
    on_a_candidate(judging.cannot_tell, WORDS),
    on_a_candidate(judging.clear),
    on_a_candidate(judging.set_mark, st.just("flag"), st.booleans()),
    on_a_candidate(judging.set_mark, st.just("note"), WORDS),
    on_a_candidate(judging.set_mark, st.just("rationale"), WORDS),
    on_a_query(judging.set_query_part, st.fixed_dictionaries({"note": WORDS})),
    on_a_query(
        judging.set_query_part,
        st.fixed_dictionaries({"difficulty": st.sampled_from(["", "hard"])}, optional={"note": WORDS}),
    ),
    on_a_query(blindness.unblind),
    st.builds(
        lambda place, some: (
            lambda project: judging.grade_rest(
                project, place[0], [one for at, one in enumerate(candidates(project, place[0])) if at in some]
            )
        ),
        PLACES,
        st.sets(st.integers(0, 4)),
    ),
    st.builds(
        lambda place, answers: (
            lambda project: judging.set_gold(project, place[0], GoldList(f"q{place[0]}", answers))
        ),
        PLACES,
        ANSWERS,
    ),
    st.builds(
        lambda place, on: (
            lambda project: (
                None
                if browse.query(project, place[0]).gold
                else judging.set_gold(project, place[0], GoldList("", (), on))
            )
        ),
        PLACES,
        st.booleans(),
    ),
    st.builds(lambda choice: lambda project: set_setting(project, *choice), CHOICES),
    st.builds(settling, PLACES, st.sampled_from([None, 0, 4]), st.sampled_from(["", "both misread it"])),
    st.just(history.undo),
    st.just(history.redo),
)


def candidates(project: Project, query: int) -> list[int]:
    """Return the candidates of a query by key, whatever their order is for the annotator."""
    return sorted(one.key for one in browse.query(project, query).candidates)


def undoable(project: Project) -> object:
    """Return everything that the verbs change and undo takes back, as one reads it in the project."""
    views = {key: browse.query(project, key, "by query") for key in (1, 3)}
    judged = {
        (key, one.key): one.judgment
        for key, view in views.items()
        for one in view.candidates
        if one.judgment != UNJUDGED
    }
    asked = {key: (view.gold, view.unanswerable, view.note, view.difficulty) for key, view in views.items()}
    with project.store.reading() as db:
        settled = db.execute("SELECT subject, value FROM value WHERE task = 'adjudication'").fetchall()
    chosen = [value_of(project, name) for name in ("show_others", "combining", "pool_depth", "meanings")]
    return judged, asked, sorted(settled), chosen


def unblinded(project: Project) -> object:
    return [browse.query(project, key).unblinded for key in (1, 3)]


def events(project: Project) -> int:
    """Count what was recorded, without the events that open a session."""
    return len(history.history(project, limit=1_000))


@given(st.lists(VERBS, max_size=16))
@settings(max_examples=examples(30, 60), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_an_event_is_recorded_exactly_when_something_changes_and_undo_takes_back_every_change(
    ducks: Path, verbs: list[Verb]
) -> None:
    with TemporaryDirectory() as folder, Project.open(copied(ducks, Path(folder)), "Ann") as project:
        begin = undoable(project)
        done: list[object] = []
        taken_back: list[object] = []
        for verb in verbs:
            before, count = (undoable(project), unblinded(project)), events(project)
            verb(project)
            after = undoable(project), unblinded(project)
            assert events(project) - count == (after != before)
            if verb is history.undo:
                assert after[0] == (done[-1] if done else before[0])
                taken_back += [before[0]] if done else []
                del done[-1:]
            elif verb is history.redo:
                assert after[0] == (taken_back[-1] if taken_back else before[0])
                done += [before[0]] if taken_back else []
                del taken_back[-1:]
            elif after[0] != before[0]:
                done.append(before[0])
                taken_back.clear()
        for state in reversed(done):
            assert history.undo(project) is not None
            assert undoable(project) == state
        assert undoable(project) == begin
