"""Conventions and provenance in words."""

import dataclasses

import numpy as np

from annotator.evaluation.conventions_text import conventions, provenance, utc
from annotator.evaluation.options import GoldMatch
from annotator.evaluation.results import EvaluationResult
from annotator.metrics.catalogue import parse_all


def said(result: EvaluationResult, people: tuple[str, ...] = (), **options: object) -> str:
    changed = dataclasses.replace(
        result,
        options=dataclasses.replace(result.options, **options),  # type: ignore[arg-type]
        provenance=dataclasses.replace(result.provenance, annotators=people),
    )
    return "\n".join(conventions(changed))


def test_the_usual_choices_are_said_too(result: EvaluationResult) -> None:
    text = said(result)
    assert "combined by" not in text
    assert "relevant from grade 1 on" in text
    assert "An unjudged candidate counts as not relevant" in text
    assert "there are 1." in text, "one query has nothing relevant"
    assert "nDCG@10: " in text
    assert "Texts are compared" not in text, "no answer is"


def test_every_other_choice_is_said(result: EvaluationResult) -> None:
    assert "removed from the rankings" in said(result, judged_only=True)
    assert "are left out" in said(result, skip_without_relevant=True)
    assert "top 5 is fully judged" in said(result, fully_judged_to=5)
    assert "long, short" in said(result, tags=("long", "short"))
    assert "gold answer by f1 from 0.5" in said(result, relevance=GoldMatch("f1", 0.5))
    assert "grades of one annotator, ann." in said(result, ("ann",))
    assert "several annotators combined by the median" in said(result, ("ann", "ben"))


def test_measures_of_answers_alone_say_nothing_of_relevant_candidates(result: EvaluationResult) -> None:
    of_answers = dataclasses.replace(result, measures=parse_all(["EM", "TokenF1"]), relevant=np.zeros(4, int))
    text = said(of_answers)
    assert "relevant" not in text
    assert "judg" not in text.lower(), "the means are over what gold answers score"
    assert "over the queries that can be scored" in text
    assert "without a, an, the (squad1)." in text
    assert "EM: whether the answer at rank 1 is, after normalising, word for word one" in text
    assert "TokenF1: how much the answer at rank 1 and the nearest gold answer have in common" in text
    assert "marked unanswerable is right exactly when the predicted answer is empty" in text
    assert "as they stand, taken to their stems (none)." in said(of_answers, normaliser="none", stemming=True)
    top = dataclasses.replace(of_answers, measures=parse_all(["TopAcc(match='f1',threshold=0.5)@3"]))
    assert "well enough; it matches by f1 from 0.5 on; cut after rank 3." in said(top)
    assert "are left out" in said(of_answers, skip_without_relevant=True), "an option that was chosen is told"
    assert "there are 4." in said(dataclasses.replace(of_answers, measures=parse_all(["EM", "AP"])))


def test_the_provenance_names_version_seed_and_ledger(result: EvaluationResult) -> None:
    text = "\n".join(provenance(result))
    assert "Annotator 0.1.0 from sample, seed 1" in text
    assert "a" * 64 in text


def test_a_time_is_written_in_utc() -> None:
    assert utc(0) == "1970-01-01 00:00:00 UTC"
