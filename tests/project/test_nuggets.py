"""Nuggets: entered, reworded, merged, and matched against answers by everybody for themselves."""

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from annotator import api
from annotator.commands.program import app
from annotator.errors import MeasureError, UserError
from annotator.evaluation.options import Options
from annotator.project import browse, explanations, history, judging, model_agreement, text_twin
from annotator.project.adjudication import adjudicate, disagreements, shown
from annotator.project.annotator_agreement import agreement
from annotator.project.nuggets import Nugget, nugget_id, nuggets, set_nuggets
from annotator.project.project import Project
from annotator.project.project_scores import evaluate_project
from annotator.project.snapshots import take_snapshot
from annotator.project.state import state_of
from annotator.storage.care import integrity, merger
from annotator.storage.store import Store
from tests.project.scores import by

BY_SUPPORT = Options(judged_by="support")
FLIES, SWIMS, EATS = Nugget("Ducks fly."), Nugget("Ducks swim."), Nugget("Ducks eat snails.", "okay")


@pytest.fixture
def query(project: Project) -> int:
    """The key of the first query, which has three nuggets."""
    key = browse.key_of(project, "q1")
    set_nuggets(project, key, [FLIES, SWIMS, EATS])
    return key


def candidate(project: Project, query: int, name: str) -> int:
    return next(one.key for one in browse.query(project, query).candidates if one.id == name)


def say(project: Project, query: int, name: str, levels: dict[str, int]) -> None:
    """Say how far a candidate supports nuggets, by their texts."""
    known = {one.text: one.id for one in nuggets(project, query)}
    for text, level in levels.items():
        judging.support(project, query, candidate(project, query, name), known[text], level)


def levels(project: Project) -> list[tuple[str, ...]]:
    """Return what counts: annotator, nugget and level, of all candidates."""
    state = state_of(project, BY_SUPPORT)
    names = {key: name for key, name, *_ in state.annotators}
    texts = {one.id: one.text for one in nuggets(project, browse.key_of(project, "q1"))}
    rows = zip(
        state.judged.annotator.tolist(),
        state.judged.candidate.tolist(),
        state.judged.grade.tolist(),
        strict=True,
    )
    return sorted((names[who], texts[state.items[at][2]], str(level)) for who, at, level in rows)


def test_nuggets_are_asked_of_each_candidate_in_their_order(project: Project, query: int) -> None:
    asked = browse.query(project, query).questions
    assert [(one.title, one.meaning) for one in asked] == [
        ("Ducks fly.", "vital"),
        ("Ducks swim.", "vital"),
        ("Ducks eat snails.", "okay"),
    ]
    assert asked[0].values == ("not", "partial", "support")
    assert asked[0].ending == (nugget_id("q1", "Ducks fly."),)
    judging.answer(project, query, candidate(project, query, "d1"), asked[0], 2)
    view = next(one for one in browse.query(project, query).candidates if one.id == "d1")
    assert view.said == {("support", *asked[0].ending): 2}
    assert [line.said for line in history.history(project, query, view.key)] == [
        "“Ducks fly.”: support for d1"
    ]


def test_a_reworded_nugget_keeps_what_was_said_of_it_and_its_history(project: Project, query: int) -> None:
    say(project, query, "d1", {"Ducks fly.": 2})
    flies, *others = nuggets(project, query)
    set_nuggets(project, query, [Nugget("Most ducks fly.", "okay", flies.id), *others])
    assert levels(project) == [("Ann", "Most ducks fly.", "2")]
    line = history.history(project, query)[0]
    assert line.said == "nugget of q1: “Ducks fly.” became “Most ducks fly.” (okay)"
    undone = history.undo(project)
    assert undone is not None
    assert undone.said.startswith("Undone: nugget of “wild ducks”")
    assert nuggets(project, query)[0].text == "Ducks fly."
    again = set_nuggets(project, query, [Nugget("Most ducks fly.", "okay", flies.id), *others, FLIES]).after
    assert len({one.id for one in again}) == 4  # type: ignore[attr-defined]


def test_what_was_said_of_a_merged_nugget_counts_for_the_other_unless_that_was_judged_too(
    project: Project, query: int
) -> None:
    say(project, query, "d1", {"Ducks fly.": 0, "Ducks swim.": 2})
    say(by(project, "Ben"), query, "d1", {"Ducks swim.": 1})
    flies, swims, eats = nuggets(project, query)
    set_nuggets(project, query, [flies, Nugget(swims.text, swims.importance, swims.id, flies.id), eats])
    assert levels(project) == [("Ann", "Ducks fly.", "0"), ("Ben", "Ducks fly.", "1")]
    assert [one.title for one in browse.query(project, query).questions] == [
        "Ducks fly.",
        "Ducks eat snails.",
    ]
    with pytest.raises(UserError, match="not there any more, or was merged"):
        judging.support(project, query, candidate(project, query, "d1"), swims.id, 1)
    history.undo(project)
    assert len(levels(project)) == 3
    set_nuggets(project, query, [swims])
    assert levels(project) == [("Ann", "Ducks swim.", "2"), ("Ben", "Ducks swim.", "1")]


def test_people_disagree_on_one_nugget_and_settle_that(project: Project, query: int) -> None:
    say(project, query, "d1", {"Ducks fly.": 2, "Ducks swim.": 1})
    say(by(project, "Ben"), query, "d1", {"Ducks fly.": 0, "Ducks swim.": 1})
    found = agreement(state_of(project, BY_SUPPORT))
    assert found.pairs[0].agreement.confusion.tolist() == [[0, 0, 0], [0, 1, 0], [1, 0, 0]]
    (apart,) = disagreements(state_of(project, BY_SUPPORT))
    flies = nugget_id("q1", "Ducks fly.")
    assert (apart.candidate_id, apart.grades, apart.ending) == ("d1 · Ducks fly.", (0, 2), (flies,))
    assert apart.candidate == candidate(project, query, "d1")
    _, texts, _ = shown(project, query, apart.candidate, "support", apart.ending)
    assert [one for one, _ in texts][:3] == ["NUGGET", "Ducks fly.", "ANSWER"]
    change = adjudicate(project, query, apart.candidate, 2, judged_by="support", ending=apart.ending)
    assert (change.kind, change.ending) == ("settled_support", (flies,))
    assert disagreements(state_of(project, BY_SUPPORT)) == []
    with pytest.raises(UserError, match="support is not said of a candidate alone"):
        evaluate_project(project, BY_SUPPORT)


def test_where_a_model_differs_is_settled_for_its_answer_and_nugget(project: Project, query: int) -> None:
    say(project, query, "d3", {"Ducks fly.": 2})
    flies, d3 = nugget_id("q1", "Ducks fly."), candidate(project, query, "d3")
    subject, value = ("q1", "d3", flies), {"grade": 0, "as": "not", "time": 1}
    project.store.record("model:x", "support", subject, value, annotator_kind="model")
    ((one,),) = model_agreement.differing(state_of(project, BY_SUPPORT)).values()
    assert (one.candidate, one.ending, one.grades, one.model) == (d3, (flies,), (2,), 0)
    adjudicate(project, one.query, one.candidate, 1, judged_by="support", ending=one.ending)
    assert project.store.value("Ann", "settled_support", subject)["grade"] == 1


def test_the_same_nugget_entered_in_two_copies_is_one(project: Project, query: int, tmp_path: Path) -> None:
    text_twin.dump(project, tmp_path / "text")
    text_twin.load(tmp_path / "text", tmp_path / "other.annot").close()
    dives = Nugget("Ducks dive.")
    project.store.close()
    for path, name in ((project.path, "Ann"), (tmp_path / "other.annot", "Ben")):
        with Project.open(path, annotator=name) as one:
            set_nuggets(one, query, [*nuggets(one, query), dives])
            say(one, query, "d1", {"Ducks dive.": 2})
    assert merger.merge(project.path, tmp_path / "other.annot", tmp_path / "both.annot").conflicts == ()
    with Store.open(tmp_path / "both.annot") as store:
        assert integrity.check(store.db) == []
        assert [one.text for one in nuggets(Project(store), query)][3:] == ["Ducks dive."]
        assert len(state_of(Project(store), BY_SUPPORT).judged.grade) == 2


@pytest.mark.parametrize(
    ("wanted", "wrong"),
    [
        ([FLIES, FLIES], "“Ducks fly.” is there twice"),
        ([Nugget(" ")], "a nugget is empty"),
        ([Nugget("a" * 2_001)], "at most 2,000 characters"),
        ([Nugget("a\x00")], "the nugget holds the control character"),
        ([Nugget("a", "vital", "x", "y")], "merged into a nugget that is not there"),
    ],
)
def test_nuggets_that_cannot_be_are_refused(
    project: Project, query: int, wanted: list[Nugget], wrong: str
) -> None:
    before = nuggets(project, query)
    with pytest.raises(UserError, match=wrong):
        set_nuggets(project, query, wanted)
    assert nuggets(project, query) == before


SCORES = ("NuggetStrictVital", "NuggetStrictAll", "NuggetVital", "NuggetAll", "NuggetWeighted")


def scores(project: Project, **options: object) -> list[float]:
    """Return what each measure of nuggets gives `alpha`, which ranks d1 first for q1."""
    result = evaluate_project(project, Options(measures=("nuggets",), **options))  # type: ignore[arg-type]
    return [round(result.mean("alpha", name), 4) for name in SCORES]


def test_systems_are_scored_by_the_nuggets_of_what_they_rank_first(project: Project, query: int) -> None:
    say(project, query, "d1", {"Ducks fly.": 2, "Ducks swim.": 1, "Ducks eat snails.": 2})
    say(by(project, "Ben"), query, "d1", {"Ducks fly.": 0})
    result = evaluate_project(project, Options(measures=("nuggets", "nDCG@10")))
    assert result.query_ids == ("q1",)
    assert scores(project) == [0, 0.3333, 0.25, 0.5, 0.2]  # of 2 and 0 the lower one counts
    assert scores(project, annotator="Ann") == [0.5, 0.6667, 0.75, 0.8333, 0.6]
    assert scores(project, combine="max") == scores(project, annotator="Ann")
    ids = (nugget_id("q1", "Ducks fly."),)
    adjudicate(project, query, candidate(project, query, "d1"), 2, judged_by="support", ending=ids)
    assert scores(project) == scores(project, annotator="Ann")
    assert np.isnan(result.of("beta", "NuggetAll")).all(), "nobody judged what it ranks first"
    left_out = "NuggetAll of beta leaves out 1 of 1 question: no nuggets, or not all that count are judged."
    assert left_out in result.notes
    assert not [one for one in result.notes if "of alpha" in one]
    one = explanations.explain_parts(
        state_of(project), Options(measures=("NuggetWeighted",), annotator="Ann"), "alpha", "q1"
    )
    assert (one.rows[0].text, round(one.rows[0].cost, 4)) == ("Ducks swim.", 0.4)
    assert one.sentence == "Most was lost by “Ducks swim.” (0.4000)."


def test_the_command_line_and_notebooks_print_and_explain_nugget_scores(project: Project, query: int) -> None:
    say(project, query, "d1", {"Ducks fly.": 2, "Ducks swim.": 1, "Ducks eat snails.": 0})
    scored = api.evaluate(project, measures=["NuggetAll", "strict_vital_score"], systems="alpha")
    assert (scored.mean("NuggetAll"), scored.mean("NuggetStrictVital")) == (0.5, 0.5)
    assert scored.explain("q1", "NuggetAll").value == 0.5
    project.store.close()
    words = [str(project.path), "-s", "alpha", "-q", "q1", "-m", "NuggetVital"]
    printed = CliRunner().invoke(app, ["explain", *words, "--format", "csv"])
    assert printed.stdout.splitlines()[:2] == [
        "nugget,importance,support,weight,contribution,cost",
        "Ducks swim.,vital,partial,1.0,0.25,0.25",
    ]
    evaluated = CliRunner().invoke(app, ["evaluate", *words, "--format", "csv"])
    assert "0.75" in evaluated.stdout


def test_what_there_was_at_a_moment_counts_and_a_project_without_nuggets_says_so(
    project: Project, query: int
) -> None:
    say(project, query, "d1", {"Ducks fly.": 2, "Ducks swim.": 1, "Ducks eat snails.": 0})
    take_snapshot(project, "then")
    flies, *_ = nuggets(project, query)
    set_nuggets(project, query, [flies, Nugget("Ducks dive.", into=flies.id)])
    assert scores(project) == [1, 1, 1, 1, 1]
    assert scores(project, as_of="then") == [0.5, 0.3333, 0.75, 0.5, 0.4]
    set_nuggets(project, query, [])
    judging.set_grade(project, query, candidate(project, query, "d1"), 3)
    with pytest.raises(MeasureError, match="NuggetStrictVital asks for nuggets, and there are none here"):
        scores(project)
