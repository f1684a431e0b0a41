"""Sentences of generated answers against the passages that they cite: judged, settled, scored, explained."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.errors import UserError
from annotator.evaluation.options import Options
from annotator.project import browse, history, judging
from annotator.project.annotator_agreement import adjudicate, agreement, disagreements, shown
from annotator.project.project import Project
from annotator.project.state import state_of
from annotator.project.views import CandidateView, QueryView
from annotator.storage.care import integrity
from tests.project.cited import PARTS, made
from tests.project.scores import by

BY_CITATION = Options(judged_by="citation")
FIRST, SECOND = "0-25", "26-36"


@pytest.fixture
def cited(tmp_path: Path) -> Iterator[Project]:
    """A project of answers that cite passages, opened by Ann."""
    made(tmp_path / "cited.annot")
    with Project.open(tmp_path / "cited.annot", annotator="Ann") as opened:
        yield opened


def view(project: Project) -> QueryView:
    return browse.query(project, browse.key_of(project, "q"))


def answer(project: Project, start: str = "Ducks live") -> CandidateView:
    return next(one for one in view(project).candidates if one.text.startswith(start))


def say(project: Project, sentence: str, passage: str, level: int | None) -> None:
    judging.cite(project, view(project).key, answer(project).key, sentence, passage, level=level)


def test_each_sentence_is_asked_against_each_passage_that_it_cites_and_that_is_there(cited: Project) -> None:
    asked = view(cited).asked_of(answer(cited))
    assert [(one.title, one.meaning, one.passage) for one in asked] == [
        ("Ducks live for ten years.", "cites Title p1", PARTS["p1"]),
        ("Ducks fly.", "cites Title p2", PARTS["p2"]),
        ("Ducks fly.", "cites Title p1", PARTS["p1"]),
    ]
    assert asked[0].values == ("no support", "partial support", "full support")
    assert answer(cited).missing == ()
    other = answer(cited, "Ducks are")
    assert [one.ending[1] for one in other.questions] == ["p2", "p1"]
    assert other.missing == ("p9",)


def test_what_is_said_of_a_citation_is_ones_own_undone_and_kept_in_words(cited: Project) -> None:
    one = view(cited).asked_of(answer(cited))[1]
    judging.answer(cited, view(cited).key, answer(cited).key, one, 1)
    assert answer(cited).said == {("citation", SECOND, "p2"): 1}
    assert history.history(cited)[0].said == (
        "support of the sentence at 26-36 by p2: partial support for "
        "“Ducks live for ten years. Ducks fly. They are nice.”"
    )
    by(cited, "Ben")
    assert answer(cited).said == {}
    by(cited, "Ann")
    history.undo(cited)
    assert answer(cited).said == {}
    assert integrity.check(cited.store.db) == []


@pytest.mark.parametrize(
    ("sentence", "passage", "level", "wrong"),
    [
        (FIRST, "p2", 1, "No sentence at 0-25 cites 'p2' here"),
        ("0-24", "p1", 1, "No sentence at 0-24"),
        (FIRST, "p1", 3, "grades go from 0 to 2"),
    ],
)
def test_what_is_no_citation_and_no_level_is_refused(
    cited: Project, sentence: str, passage: str, level: int, wrong: str
) -> None:
    before = cited.store.head()
    with pytest.raises(UserError, match=wrong):
        say(cited, sentence, passage, level)
    assert cited.store.head() == before


def test_people_disagree_on_one_citation_and_settle_that(cited: Project) -> None:
    for name, level in (("Ann", 2), ("Ben", 0)):
        say(by(cited, name), FIRST, "p1", level)
        say(cited, SECOND, "p1", 1)
    found = agreement(state_of(cited, BY_CITATION))
    assert found.pairs[0].agreement.confusion.tolist() == [[0, 0, 0], [0, 1, 0], [1, 0, 0]]
    (apart,) = disagreements(state_of(cited, BY_CITATION))
    assert (apart.grades, apart.ending) == ((0, 2), (FIRST, "p1"))
    told = shown(cited, apart.query, apart.candidate, "citation", apart.ending)
    assert told[1] == "Ducks live for ten years.\n\ncites Title p1\n\nDucks live long."
    adjudicate(cited, apart.query, apart.candidate, 2, judged_by="citation", ending=apart.ending)
    assert disagreements(state_of(cited, BY_CITATION)) == []
    assert history.history(cited)[0].said.startswith("support of the sentence at 0-25 by p1 settled by 2")
