"""Gold answers, notes of queries and what is recorded of unblinding."""

import pytest

from annotator.errors import UserError
from annotator.project.project import Project
from annotator.records import GoldAnswer, GoldList


def test_gold_answers_are_stored_in_order_with_their_other_wordings(answers: Project) -> None:
    gold = GoldList("thor", (GoldAnswer("Stormbreaker", ("the axe",), None, 3, 9), GoldAnswer("Mjolnir")))
    change = answers.set_gold(2, gold)
    assert change.after == gold
    assert answers.query(2).gold == gold.answers


def test_undo_brings_the_old_gold_answers_back(answers: Project) -> None:
    before = answers.query(2).gold
    answers.set_gold(2, GoldList("thor", (GoldAnswer("an axe"),)))
    undone = answers.undo()
    assert undone is not None
    assert undone.said == "Undone: gold answers of thor: an axe"
    assert answers.query(2).gold == before


def test_unanswerable_is_a_mark_and_no_empty_list(answers: Project) -> None:
    answers.set_gold(2, GoldList("thor"))
    assert not answers.query(2).unanswerable
    answers.set_gold(2, GoldList("thor", unanswerable=True))
    assert answers.query(2).unanswerable


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
    before = answers.query(2).gold
    with pytest.raises(UserError):
        answers.set_gold(2, gold)
    assert answers.query(2).gold == before


def test_note_and_difficulty_of_a_query_stand_side_by_side(answers: Project) -> None:
    answers.set_query_note(1, "ambiguous")
    answers.set_difficulty(1, "hard")
    view = answers.query(1)
    assert (view.note, view.difficulty) == ("ambiguous", "hard")
    answers.set_query_note(1, "")
    assert answers.query(1).note == ""
    assert answers.query(1).difficulty == "hard"


def test_unblinding_is_recorded_and_told_in_results(project: Project) -> None:
    project.unblind(1)
    assert project.provenance().unblinded == 1
    assert project.history(1)[0].kind == "unblind"
    assert project.undo() is None
