"""Gold answers, notes of queries and what is recorded of unblinding."""

import pytest

from annotator.errors import UserError
from annotator.evaluation.options import Options
from annotator.project import blindness, browse, history, judging
from annotator.project.project import Project
from annotator.project.provenance import provenance
from annotator.project.state import state_of
from annotator.records import GoldAnswer, GoldList

MJOLNIR, *OTHERS = map(GoldAnswer, ("Mjolnir", "Stormbreaker", "Jarnbjorn"))


def test_gold_answers_are_stored_in_order_with_their_other_wordings(answers: Project) -> None:
    gold = GoldList("thor", (GoldAnswer("Stormbreaker", ("the axe",), None, 3, 9), GoldAnswer("Mjolnir")))
    change = judging.set_gold(answers, 2, gold)
    assert change.after == gold
    assert browse.query(answers, 2).gold == gold.answers


def test_undo_brings_the_old_gold_answers_back(answers: Project) -> None:
    before = browse.query(answers, 2).gold
    judging.set_gold(answers, 2, GoldList("thor", (GoldAnswer("an axe"),)))
    undone = history.undo(answers)
    assert undone is not None
    became = "“Mjolnir”, “Stormbreaker”, “Jarnbjorn” became “an axe”"
    assert undone.said == f"Undone: gold answer of “Thor's weapon?”: {became}"
    assert browse.query(answers, 2).gold == before


def test_unanswerable_is_a_mark_and_no_empty_list(answers: Project) -> None:
    judging.set_gold(answers, 2, GoldList("thor"))
    assert not browse.query(answers, 2).unanswerable
    judging.set_gold(answers, 2, GoldList("thor", unanswerable=True))
    assert browse.query(answers, 2).unanswerable


@pytest.mark.parametrize(
    "gold",
    [
        GoldList("thor", (GoldAnswer("an axe"),), unanswerable=True),
        GoldList("thor", (GoldAnswer("  "),)),
        GoldList("thor", (GoldAnswer("axe", ("",)),)),
        GoldList("thor", (GoldAnswer("axe\x00"),)),
    ],
)
def test_gold_answers_that_make_no_sense_are_refused(answers: Project, gold: GoldList) -> None:
    before = browse.query(answers, 2).gold
    with pytest.raises(UserError):
        judging.set_gold(answers, 2, gold)
    assert browse.query(answers, 2).gold == before


def test_note_and_difficulty_of_a_query_stand_side_by_side(answers: Project) -> None:
    judging.set_query_part(answers, 1, {"note": "ambiguous"})
    judging.set_query_part(answers, 1, {"difficulty": "hard"})
    view = browse.query(answers, 1)
    assert (view.note, view.difficulty) == ("ambiguous", "hard")
    judging.set_query_part(answers, 1, {"note": ""})
    assert browse.query(answers, 1).note == ""
    assert browse.query(answers, 1).difficulty == "hard"


def test_unblinding_is_recorded_and_told_in_results(project: Project) -> None:
    blindness.unblind(project, 1)
    assert history.history(project, 1)[0].task == "unblind"
    candidate = browse.query(project, 1).candidates[0].key
    judging.set_grade(project, 1, candidate, 3)
    assert provenance(state_of(project), Options()).unblinded == 1
    assert history.undo(project) is not None
    assert history.undo(project) is None, "that scores were shown cannot be undone"


@pytest.mark.parametrize(
    ("after", "said"),
    [
        ((MJOLNIR, OTHERS[0]), "gold answer of thor: “Jarnbjorn” removed"),
        ((MJOLNIR, *OTHERS, GoldAnswer("an axe")), "gold answer of thor: “an axe”"),
        ((GoldAnswer("Mjölnir"), *OTHERS), "gold answer of thor: “Mjolnir” became “Mjölnir”"),
        ((GoldAnswer("Mjolnir", ("Mjölnir",)), *OTHERS), "gold answer of thor: “Mjölnir”"),
        ((*OTHERS, MJOLNIR), "order of the gold answers of thor: Stormbreaker, Jarnbjorn, Mjolnir"),
    ],
)
def test_the_history_says_what_became_of_the_gold_answers(
    answers: Project, after: tuple[GoldAnswer, ...], said: str
) -> None:
    thor = browse.key_of(answers, "thor")
    judging.set_gold(answers, thor, GoldList("thor", after))
    assert history.history(answers, thor)[0].said == said
    assert (undone := history.undo(answers)) is not None
    assert undone.said == "Undone: " + said.replace(" thor", " “Thor's weapon?”"), "in words, not by its id"


def test_undoing_another_wording_says_both(answers: Project) -> None:
    """What was done is told, not the text that stands there in the end."""
    thor = browse.key_of(answers, "thor")
    judging.set_gold(answers, thor, GoldList("thor", (GoldAnswer("Mjölnir"), *OTHERS)))
    undone = history.undo(answers)
    assert undone is not None
    assert undone.said == "Undone: gold answer of “Thor's weapon?”: “Mjolnir” became “Mjölnir”"


def test_marking_as_unanswerable_is_said_in_words(answers: Project) -> None:
    thor = browse.key_of(answers, "thor")
    judging.set_gold(answers, thor, GoldList("thor", (), True))
    assert history.history(answers, thor)[0].said == "thor is unanswerable"
    assert (undone := history.undo(answers)) is not None
    assert undone.said == "Undone: “Thor's weapon?” is unanswerable"
