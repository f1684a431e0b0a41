"""Gold answers, notes of queries and what is recorded of unblinding."""

import pytest

from annotator.errors import UserError
from annotator.evaluation.options import Options
from annotator.project.project import Project
from annotator.project.provenance import provenance
from annotator.records import GoldAnswer, GoldList

MJOLNIR, *OTHERS = map(GoldAnswer, ("Mjolnir", "Stormbreaker", "Jarnbjorn"))


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
    assert (
        undone.said == "Undone: gold answer of thor: “Mjolnir”, “Stormbreaker”, “Jarnbjorn” became “an axe”"
    )
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
    assert provenance(project.state(), Options()).unblinded == 1
    assert project.history(1)[0].task == "unblind"
    assert project.undo() is None


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
    thor = answers.key_of("thor")
    answers.set_gold(thor, GoldList("thor", after))
    assert answers.history(thor)[0].said == said
    assert (undone := answers.undo()) is not None
    assert undone.said == f"Undone: {said}"


def test_undoing_another_wording_says_both(answers: Project) -> None:
    """What was done is told, not the text that stands there in the end."""
    thor = answers.key_of("thor")
    answers.set_gold(thor, GoldList("thor", (GoldAnswer("Mjölnir"), *OTHERS)))
    undone = answers.undo()
    assert undone is not None
    assert undone.said == "Undone: gold answer of thor: “Mjolnir” became “Mjölnir”"


def test_marking_as_unanswerable_is_said_in_words(answers: Project) -> None:
    thor = answers.key_of("thor")
    answers.set_gold(thor, GoldList("thor", (), True))
    assert answers.history(thor)[0].said == "thor is unanswerable"
    assert (undone := answers.undo()) is not None
    assert undone.said == "Undone: thor is unanswerable"
