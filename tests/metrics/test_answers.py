import json
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.errors import MeasureError
from annotator.metrics import answers
from annotator.metrics.answer_parts import best_in_top
from annotator.metrics.answers import AnswerTable
from annotator.metrics.catalogue import parse
from annotator.text.normalisers import NORMALISERS, compared
from tests.examples import examples
from tests.metrics import squad_scripts as peer

WORDS = st.lists(st.sampled_from(["the", "a", "tony", "Stark", "stark.", "-", "42", ""]), max_size=5).map(
    " ".join
)


def table(predictions, gold, unanswerable=None, **options):
    """A table of ranked predictions per query: lists of texts."""
    rows = [(q, r, text) for q, texts in enumerate(predictions) for r, text in enumerate(texts, 1)]
    query, rank, texts = map(list, zip(*rows, strict=True)) if rows else ([], [], [])
    return AnswerTable.build(query, rank, texts, gold, unanswerable, **options)


def one(match, prediction, wordings, **options):
    """The score of a single prediction of a single query with one gold answer."""
    return best_in_top(table([[prediction]], [[wordings]], **options), match)[0]


def top_accuracy(ranked, match, threshold, depth):
    """Top-k accuracy as a user asks for it, by its name."""
    return parse(f"TopAcc(match='{match}',threshold={threshold})@{depth}").per_answers(ranked)


@pytest.mark.parametrize(
    ("prediction", "gold", "value"),
    [
        ("Tony Stark", "Anthony Edward Stark", 0.4),
        ("Stark", "Tony Stark", 2 / 3),
        ("Tony", "Tony Stark", 2 / 3),
        ("Elon Musk", "Tony Stark", 0.0),
        ("the the cat", "cat the", 1.0),
        ("no no no", "no no yes", 2 / 3),
    ],
)
def test_token_f1_of_the_worked_examples(prediction, gold, value):
    assert one("f1", prediction, [gold]) == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize(
    ("normaliser", "prediction", "gold", "value"),
    [
        ("mlqa-zh", "北京", "北京大学", 2 / 3),
        ("characters", "東京", "東京都", 0.8),
        ("characters", "東京都", "京都", 0.8),
        ("squad1", "東京", "東京都", 0.0),
        ("mlqa-de", "Donau", "die Donau", 1.0),
        ("squad1", "Donau", "die Donau", 2 / 3),
    ],
)
def test_token_f1_counts_the_tokens_of_the_language(normaliser, prediction, gold, value):
    assert one("f1", prediction, [gold], normaliser=normaliser) == pytest.approx(value, abs=1e-12)


def test_exact_match_does_not_know_that_the_us_is_the_united_states_unless_an_alias_says_so():
    assert one("em", "the US", ["the United States"]) == 0
    assert one("em", "the US", ["the United States", "U.S."]) == 1


def test_top_accuracy_finds_the_second_answer_at_k_2_with_the_threshold_included():
    ranked = table([["Elon Musk", "Tony"]], [[["Tony Stark"]]])
    assert top_accuracy(ranked, "f1", 2 / 3, 1).tolist() == [0]
    assert top_accuracy(ranked, "f1", 2 / 3, 2).tolist() == [1]
    assert top_accuracy(ranked, "f1", 0.67, 2).tolist() == [0]
    assert top_accuracy(ranked, "overlap", 1.0, 2).tolist() == [1]


@pytest.mark.parametrize(
    ("prediction", "gold", "precision", "recall", "contained"),
    [
        ("It is Tony Stark, of course.", "Tony Stark", 2 / 6, 1, 1),
        ("Stark", "Tony Stark", 1, 1 / 2, 0),
        ("Stark Tony", "Tony Stark", 1, 1, 0),
        ("a party", "art", 0, 0, 0),
        ("no no no", "no no yes", 2 / 3, 2 / 3, 0),
        ("", "Tony Stark", 0, 0, 0),
    ],
)
def test_token_precision_recall_and_containment_by_hand(prediction, gold, precision, recall, contained):
    ranked = table([[prediction]], [[[gold]]])
    found = [parse(name).per_answers(ranked)[0] for name in ("TokenP", "TokenR", "Contains")]
    assert found == pytest.approx([precision, recall, contained], abs=1e-12)


@settings(max_examples=150, deadline=None)
@given(WORDS, WORDS, st.sampled_from(NORMALISERS))
def test_what_two_answers_share_equals_counting_their_tokens(prediction, gold, normaliser):
    said, wanted = (compared(text, normaliser).split() for text in (prediction, gold))
    shared = sum((Counter(said) & Counter(wanted)).values())
    windows = [said[at : at + len(wanted)] for at in range(len(said) + 1)] if wanted else []
    exact = compared(prediction, normaliser) == compared(gold, normaliser)
    nothing = float(exact and normaliser == "squad2")
    expected = {
        "precision": shared / len(said) if said else nothing,
        "recall": shared / len(wanted) if wanted and said else nothing,
        "contains": float(exact or wanted in windows),
        "within": float(any(wanted[at : at + len(said)] == said for at in range(len(wanted) + 1))),
    }
    found = {name: one(name, prediction, [gold], normaliser=normaliser) for name in expected}
    assert found == pytest.approx(expected, abs=1e-12)


def test_token_precision_and_recall_may_take_different_wordings():
    ranked = table([["Tony Stark of New York"]], [[["New York City", "Stark"]]])
    assert parse("TokenP").per_answers(ranked)[0] == pytest.approx(2 / 5)
    assert parse("TokenR").per_answers(ranked)[0] == 1


PASSAGE = "Iron Man is Tony Stark, of New York."


@pytest.mark.parametrize(
    ("prediction", "value"),
    [("Tony Stark", 1), ("tony stark of", 1), ("Tony York", 0), ("on Man", 0), ("", 1), ("Stark Tony", 0)],
)
def test_an_answer_stands_in_its_passage_word_for_word(prediction, value):
    ranked = table([[prediction, "Hulk"], ["Thor"], []], [[["Thor"]]] * 3).with_passages(
        [PASSAGE, "", PASSAGE]
    )
    found = parse("InPassage").per_answers(ranked)
    assert found[0] == value
    assert np.isnan(found[1]), "without a passage nothing can be said"
    assert found[2] == 0, "no prediction is not the empty answer"
    assert parse("EM").per_answers(ranked).tolist() == [0, 1, 0], "gold answers stay what they were"


def test_an_answer_in_its_passage_need_not_be_right_nor_have_a_gold_answer():
    ranked = table([["New York"], ["Iron Man"]], [[["Tony Stark"]], []], normaliser="unicode")
    assert parse("InPassage").per_answers(ranked.with_passages([PASSAGE] * 2)).tolist() == [1, 1]


def test_without_passages_a_measure_of_passages_is_refused():
    with pytest.raises(MeasureError, match="InPassage looks for answers in their passages"):
        parse("InPassage").per_answers(table([["x"]], [[["x"]]]))


def test_containment_cannot_see_what_else_is_said():
    gold = [[["Thor"]]] * 2
    assert parse("Contains").per_answers(table([["Thor"], ["Hulk, Thor or Loki"]], gold)).tolist() == [1, 1]
    assert parse("TokenR").per_answers(table([["Thor"], ["Hulk, Thor or Loki"]], gold)).tolist() == [1, 1]
    assert parse("TokenP").per_answers(
        table([["Thor"], ["Thor"]], [[["Thor"]], [["Thor Odinson"]]])
    ).tolist() == [1, 1]


def test_texts_without_tokens_do_not_overlap():
    assert one("overlap", "the", ["a"], normaliser="squad2") == 0


def test_top_accuracy_over_exact_match_of_three_locations():
    gold = [[["Queens"], ["New York"], ["Brooklyn"]]] * 2
    ranked = table([["Boston", "Elon Musk", "Brooklyn"], ["Brooklyn", "New York", "Queens"]], gold)
    by_depth = [top_accuracy(ranked, "em", 1.0, k).tolist() for k in (1, 2, 3)]
    assert by_depth == [[0, 1], [0, 1], [1, 1]]


def test_a_question_without_gold_answer_and_without_mark_is_not_scored():
    scores = best_in_top(table([["x"], ["x"]], [[], [["x"]]]), "em")
    assert np.isnan(scores[0])
    assert scores[1] == 1


@pytest.mark.parametrize("normaliser", NORMALISERS)
@pytest.mark.parametrize("match", sorted(answers.MATCHES))
def test_a_question_marked_unanswerable_is_right_exactly_when_the_answer_is_empty(normaliser, match):
    ranked = table([[""], ["x"], []], [[], [], []], [True] * 3, normaliser=normaliser)
    assert best_in_top(ranked, match).tolist() == [1, 0, 0]


def test_no_prediction_is_not_the_empty_answer():
    ranked = table([[], [""]], [[["the"]], [["the"]]], normaliser="squad2")
    assert best_in_top(ranked, "em").tolist() == [0, 1]


def test_nothing_against_nothing_is_equal_but_has_no_f1_except_under_squad2():
    assert one("em", "the", ["a"]) == 1
    assert one("f1", "the", ["a"]) == 0
    assert one("f1", "the", ["a"], normaliser="squad2") == 1


def test_only_the_prediction_at_rank_1_counts_for_em():
    assert best_in_top(table([["x", "y"]], [[["y"]]]), "em").tolist() == [0]


def test_stemming_lets_inflected_answers_match():
    assert one("em", "running shoes", ["run shoe"]) == 0
    assert one("em", "running shoes", ["run shoe"], stemming="en") == 1


@settings(max_examples=examples(50, 150), deadline=None)
@given(st.lists(st.tuples(WORDS, st.lists(WORDS, min_size=1, max_size=4)), min_size=1, max_size=6))
def test_em_and_f1_equal_the_published_scripts(questions):
    predictions = [[prediction] for prediction, _ in questions]
    for normaliser, script in (("squad1", peer.squad1), ("squad2", peer.squad2)):
        expected = [script(prediction, golds) for prediction, golds in questions]
        for gold in (
            [[golds] for _, golds in questions],
            [[[text] for text in golds] for _, golds in questions],
        ):
            ours = table(predictions, gold, normaliser=normaliser)
            assert best_in_top(ours, "em") == pytest.approx([em for em, _ in expected], abs=1e-12)
            assert best_in_top(ours, "f1") == pytest.approx([f1 for _, f1 in expected], abs=1e-12)


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=12), st.text(max_size=12))
def test_any_text_is_normalised_as_the_published_scripts_do(left, right):
    assert compared(left, "squad1") == peer.normalize_squad(left)
    assert compared(left, "triviaqa") == peer.normalize_triviaqa(left)
    assert one("f1", left, [right], normaliser="triviaqa") == pytest.approx(
        peer.f1(left, right, peer.normalize_triviaqa), abs=1e-12
    )


def test_the_gold_reciprocal_rank_looks_up_the_top_answer_in_the_gold_list():
    gold = [[["Queens"], ["New York"], ["Brooklyn"]]] * 3
    ranked = table([["Elon Musk", "Queens"], ["Queens"], ["brooklyn"]], gold)
    assert parse("GoldRR").per_answers(ranked) == pytest.approx([0, 1, 1 / 3])


def test_rows_may_come_in_any_order():
    shuffled = AnswerTable.build([1, 0, 0], [1, 2, 1], ["z", "y", "x"], [[["x"]], [["z"]]])
    assert [shuffled.texts[i] for i in shuffled.predictions] == ["x", "y", "z"]
    assert best_in_top(shuffled, "em").tolist() == [1, 1]


def test_the_real_answers_score_as_the_official_scripts_say(reference_data):
    folder = reference_data / "squad"
    expected = json.loads((folder / "expected.json").read_text("utf-8"))
    for file, normaliser in {
        "predictions_v1.1_bert_ensemble.json": "squad1",
        "predictions_v1.1_logistic_regression.json": "squad1",
        "predictions_v2.0_bert_single.json": "squad2",
    }.items():
        source = "answerable_subset_v1.1.json" if normaliser == "squad1" else "san_mrc_dev_subset_v2.json"
        data = json.loads((folder / source).read_text("utf-8"))["data"]
        asked = [qa for article in data for part in article["paragraphs"] for qa in part["qas"]]
        predicted = json.loads((folder / file).read_text("utf-8"))
        gold = [[[gold["text"] for gold in qa["answers"]]] if qa["answers"] else [] for qa in asked]
        marks = np.array([not qa["answers"] for qa in asked])
        ranked = table([[predicted[qa["id"]]] for qa in asked], gold, marks, normaliser=normaliser)
        em, f1 = (100 * best_in_top(ranked, match) for match in ("em", "f1"))
        wanted = expected[file]
        assert em.mean() == pytest.approx(wanted.get("exact_match", wanted.get("exact")), abs=1e-9)
        assert f1.mean() == pytest.approx(wanted["f1"], abs=1e-9)
        if normaliser == "squad2":
            assert em[~marks].mean() == pytest.approx(wanted["HasAns_exact"], abs=1e-9)
            assert f1[~marks].mean() == pytest.approx(wanted["HasAns_f1"], abs=1e-9)
            assert em[marks].mean() == pytest.approx(wanted["NoAns_exact"], abs=1e-9)
            assert f1[marks].mean() == pytest.approx(wanted["NoAns_f1"], abs=1e-9)


def test_the_measures_go_by_their_names():
    ranked = table([["Tony", "Tony Stark"], ["x"]], [[["Tony Stark"]], []])
    for name, value in {"EM": 0, "TokenF1": 2 / 3, "TopAcc@1": 0, "TopAcc@2": 1, "GoldRR": 0}.items():
        scores = parse(name).per_answers(ranked)
        assert scores[0] == pytest.approx(value)
        assert np.isnan(scores[1])


def test_an_unknown_match_is_refused_with_those_there_are():
    ranked = table([["x"]], [[["x"]]])
    with pytest.raises(MeasureError, match="no match 'sound'; there are em, f1, overlap"):
        parse("TopAcc(match='sound')@1").per_answers(ranked)


def test_an_unknown_normaliser_is_refused_with_those_there_are():
    ranked = table([["x"]], [[["x"]]], normaliser="squad3")
    with pytest.raises(MeasureError, match="no normaliser 'squad3'; there are squad1, squad2, triviaqa"):
        parse("EM").per_answers(ranked)


def test_gold_reciprocal_rank_of_a_marked_question_is_that_of_the_empty_answer():
    ranked = table([[""], ["x"]], [[], []], [True, True])
    assert parse("GoldRR").per_answers(ranked).tolist() == [1, 0]


def test_exact_match_cannot_tell_nearly_right_from_wholly_wrong():
    assert one("em", "Tony Starc", ["Tony Stark"]) == one("em", "Elon Musk", ["Tony Stark"]) == 0


def test_token_f1_cannot_see_the_order_of_words_nor_a_turned_meaning():
    assert one("f1", "dog bites man", ["man bites dog"]) == 1
    assert one("f1", "he did not win", ["he did win"]) == one("f1", "he did surely win", ["he did win"])


def test_top_k_accuracy_cannot_see_the_rank_of_the_right_answer_nor_a_second_one():
    gold = [[["x"], ["y"]]] * 3
    ranked = table([["x", "a", "b"], ["a", "b", "x"], ["x", "y", "b"]], gold)
    assert top_accuracy(ranked, "em", 1.0, 3).tolist() == [1, 1, 1]


def test_gold_reciprocal_rank_cannot_see_any_answer_but_the_first():
    assert parse("GoldRR").per_answers(table([["a", "x"], ["a", "b"]], [[["x"]]] * 2)).tolist() == [0, 0]
