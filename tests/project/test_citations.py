"""Sentences of generated answers against the passages that they cite: judged, settled, scored, explained."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from annotator import api
from annotator.commands.program import app
from annotator.errors import MeasureError, UserError
from annotator.evaluation import conventions_text
from annotator.evaluation.options import Options
from annotator.evaluation.results import PartJudges
from annotator.project import browse, history, judging
from annotator.project.adjudication import adjudicate, disagreements, shown
from annotator.project.annotator_agreement import agreement
from annotator.project.project import Project
from annotator.project.project_scores import evaluate_project
from annotator.project.snapshots import take_snapshot
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
    assert other.missing == ("p9", "p8"), "one has no text, one is not there"


def test_what_is_said_of_a_citation_is_ones_own_undone_and_kept_in_words(cited: Project) -> None:
    one = view(cited).asked_of(answer(cited))[1]
    judging.answer(cited, view(cited).key, answer(cited).key, one, 1)
    assert answer(cited).said == {("citation", SECOND, "p2"): 1}
    assert history.history(cited)[0].said == (
        "support of “Ducks fly.” by p2: partial support for "
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
    assert apart.candidate_id == "Ducks live for ten years. · Title p1"
    told = shown(cited, apart.query, apart.candidate, "citation", apart.ending)
    assert told[1] == tuple(
        (one, "") for one in ("Ducks live for ten years.", "cites Title p1", "Ducks live long.")
    )
    adjudicate(cited, apart.query, apart.candidate, 2, judged_by="citation", ending=apart.ending)
    assert disagreements(state_of(cited, BY_CITATION)) == []
    assert history.history(cited)[0].said.startswith(
        "support of “Ducks live for ten years.” by p1 settled by 2"
    )
    of_both, of_one = (
        evaluate_project(cited, Options(measures=("SupportRecall",), annotator=who)) for who in (None, "Ben")
    )
    assert of_both.provenance.parts == (PartJudges("citations", ("Ann", "Ben"), (2, 2), 1),)
    assert of_one.provenance.parts == (PartJudges("citations", ("Ben",), (2,), 0),)
    assert "Support of citations by Ann (2), Ben (2); 1 settled." in conventions_text.provenance(of_both)
    assert evaluate_project(cited, Options(measures=("RR",))).provenance.parts == ()


SCORES = ("SupportPrecision", "SupportRecall", "SupportPrecisionFirst", "SupportRecallFirst")


def judged(project: Project) -> None:
    """Say of all that can be read: of `long` 1 fully, then no and partly; of `brief` partly, then fully."""
    key = view(project).key
    for start, levels in (("Ducks live", (2, 0, 1)), ("Ducks are", (1, 2))):
        one = answer(project, start)
        for asked, level in zip(one.questions, levels, strict=True):
            judging.answer(project, key, one.key, asked, level)


def scores(project: Project, system: str, **options: object) -> list[float]:
    asked = Options(measures=("support",), **options)  # type: ignore[arg-type]
    result = evaluate_project(project, asked)
    return [round(result.mean(system, name), 4) for name in SCORES]


def test_systems_are_scored_by_the_support_of_what_they_rank_first(cited: Project) -> None:
    """`long`: 1, the mean of 0 and ½, nothing; `brief`: ½ beside a missing one, missing alone, 1."""
    judged(cited)
    assert scores(cited, "long") == [0.625, 0.4167, 0.5, 0.3333]
    assert scores(cited, "brief") == [0.75, 0.75, 1, 1]
    result = evaluate_project(cited, Options(measures=("support",)))
    assert (
        "Left out: 2 citations of answers at rank 1, as the project does not have the passages."
        in result.notes
    )
    say(by(cited, "Ben"), FIRST, "p1", 0)
    assert scores(cited, "long") == [0.125, 0.0833, 0, 0], "of 2 and 0 the lower one counts"
    assert scores(cited, "long", annotator="Ann") == [0.625, 0.4167, 0.5, 0.3333]
    adjudicate(cited, view(cited).key, answer(cited).key, 1, judged_by="citation", ending=(FIRST, "p1"))
    assert scores(cited, "long") == [0.375, 0.25, 0.25, 0.1667]


def test_first_citations_alone_are_scored_before_the_others_are_judged(cited: Project) -> None:
    say(cited, FIRST, "p1", 1)
    say(cited, SECOND, "p2", 2)
    result = evaluate_project(cited, Options(measures=("support",)))
    assert np.isnan([result.of("long", name)[0] for name in SCORES]).tolist() == [True, True, False, False]
    assert result.mean("long", "SupportRecallFirst") == 0.5
    assert (
        "SupportRecall of long leaves out 1 of 1 question: no answer cites anything, or not all that counts "
        "is judged." in result.notes
    )


def test_what_was_said_at_a_moment_counts_and_notebooks_compare_and_explain(cited: Project) -> None:
    judged(cited)
    take_snapshot(cited, "then")
    say(cited, FIRST, "p1", 0)
    assert scores(cited, "long")[3] == 0
    assert scores(cited, "long", as_of="then")[3] == 0.3333
    scored = api.evaluate(cited, measures=["SupportRecallFirst"])
    assert scored.compare("long", "brief").difference == 1
    assert scored.explain("q", system="brief").rows[0].said == "p9: not here, p2: partial support"


def test_the_command_line_explains_which_sentences_lack_support(cited: Project) -> None:
    judged(cited)
    cited.store.close()
    words = [str(cited.path), "-s", "long", "-q", "q", "-m", "SupportRecall"]
    printed = CliRunner().invoke(app, ["explain", *words, "--format", "csv"])
    assert printed.stdout.splitlines() == [
        "sentence,cites,support,weight,contribution,cost",
        "They are nice.,nothing,no support,1.0,0.0,0.3333333333333333",
        'Ducks fly.,"p2, p1","p2: no support, p1: partial support",1.0,0.08333333333333333,0.25',
        "Ducks live for ten years.,p1,full support,1.0,0.3333333333333333,0.0",
    ]
    evaluated = CliRunner().invoke(app, ["evaluate", str(cited.path), "-m", "support", "--format", "csv"])
    assert "long,all,SupportPrecisionFirst,0.5\n" in evaluated.stdout


def test_without_answers_that_cite_it_is_said_what_is_asked_for(project: Project) -> None:
    judging.set_grade(project, browse.key_of(project, "q1"), 1, 3)
    with pytest.raises(MeasureError, match="asks for answers whose sentences cite passages"):
        evaluate_project(project, Options(measures=("SupportRecall",)))
