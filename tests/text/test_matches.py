import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.text.matches import WORD, phrase_spans, query_words, whole_words, word_matches, word_spans


def found(text, spans):
    return [text[start:end] for start, end in spans]


def test_words_with_the_same_stem_are_found_and_parts_of_words_are_not():
    text = "Retrieval of retrieved things: it RETRIEVES the irretrievable."
    assert found(text, word_spans(text, "retrieving")) == ["Retrieval", "retrieved", "RETRIEVES"]


def test_words_without_meaning_are_only_looked_for_when_there_are_no_others():
    assert query_words("Who is the father of Arya?") == ["father", "arya"]
    assert query_words("To be or not to be") == ["not"]
    assert query_words("The Who") == ["the", "who"]


def test_each_match_says_which_stem_it_was_found_by():
    assert word_matches("cities and a city", "city") == [((0, 6), "citi"), ((13, 17), "citi")]


def test_the_language_chooses_the_stems():
    assert found("Haus Häuser", word_spans("Haus Häuser", "häuser", "de")) == ["Haus", "Häuser"]


@pytest.mark.parametrize(
    ("text", "query", "expected"),
    [
        ("日本の首都は東京です", "東京", ["東京"]),
        ("東京の人口", "東京都の人口", ["東京", "人口"]),
        ("ในประเทศไทย", "ประเทศ", ["ประเทศ"]),
        ("עיר הבירה היא ירושלים", "ירושלים", ["ירושלים"]),
        ("दिल्ली भारत की राजधानी", "दिल्ली", ["दिल्ली"]),
    ],
)
def test_other_scripts_are_searched_too(text, query, expected):
    assert found(text, word_spans(text, query)) == expected


def test_spans_count_code_points_behind_an_emoji():
    assert word_spans("🦸🏽 hero", "hero") == [(3, 7)]


@pytest.mark.parametrize(
    ("text", "phrase", "expected"),
    [
        ("the U.S. and Russia", "US", ["U.S"]),
        ("the US and Russia", "U.S.", ["US"]),
        ("a New-York minute in new  york", "New York", ["new  york"]),
        ("Lord of the Rings", "Lord of Rings", ["Lord of the Rings"]),
        ("Starks and a stark Stark", "Stark", ["stark", "Stark"]),
        ("Superman is a man", "man", ["man"]),
        ("costs 1,000 francs", "1000", ["1,000"]),
        ("首都は東京です", "東京", ["東京"]),
        ("Research & Development at work", "research development", ["Research & Development"]),
        ("R & D at work", "R & D", ["R & D"]),
        ("black - and - white", "black and white", ["black - and - white"]),
        ("anything", "the", []),
        ("anything", "", []),
    ],
)
def test_phrases_are_found_as_answers_are_compared(text, phrase, expected):
    assert found(text, phrase_spans(text, [phrase])) == expected


def test_overlapping_phrases_are_joined():
    text = "Anthony Edward Stark"
    assert found(text, phrase_spans(text, ["Anthony Edward", "Edward Stark"])) == [text]


def test_the_number_of_matches_can_be_limited():
    text = "stark tony " * 50
    assert [span for span, _ in word_matches(text, "tony", limit=3)] == [(6, 10), (17, 21), (28, 32)]


def test_a_query_without_words_matches_nothing():
    assert word_spans("some text", "?!") == []


@given(st.text("ab9é'’ \n.-中文ไ𝒳\u0301"), st.integers(0, 30), st.integers(0, 30))
def test_a_selection_is_drawn_out_to_whole_words(text: str, one: int, other: int) -> None:
    start, end = sorted((min(one, len(text)), min(other, len(text))))
    left, right = whole_words(text, start, end)
    chosen = text[start:end].strip()
    if not chosen:
        assert left == right
        return
    first = start + len(text[start:end]) - len(text[start:end].lstrip())
    last = start + len(text[start:end].rstrip())
    assert all(one in "'’. \n-" for one in text[first:left] + text[right:last]), "only marks are left out"
    assert left <= first or text[first - 1].strip()
    assert right >= last or text[last].strip()
    assert text[left:right] == text[left:right].strip()
    assert whole_words(text, left, right) == (left, right)
    spaced = [match.span() for match in WORD.finditer(text) if not re.search("[中文ไ]", match[0])]
    assert not any(first < at < last for first, last in spaced for at in (left, right))


@pytest.mark.parametrize(
    ("text", "selected", "words"),
    [
        ("The Eldfell crater", "dfel", "Eldfell"),
        ("The Eldfell crater", "fell cra", "Eldfell crater"),
        ("The Eldfell crater", " crater", "crater"),
        ("It doesn't erupt", "esn", "doesn't"),
        ("über Nacht", "be", "über"),
        ("冰岛的火山很多", "岛的火", "岛的火"),
        ("about 42km", "4", "42km"),
        ("(Eldfell), 1973", "(Eld", "(Eldfell"),
        ("Eldfell (a crater)", "Eldfell (", "Eldfell"),
        ("(Eldfell), a “crater”", "), a “", "a"),
        ("They said: “Stop”", "said: “", "said:"),
        ("It is over – so long", "over – ", "over –"),
    ],
)
def test_half_words_become_whole_ones(text: str, selected: str, words: str) -> None:
    start = text.index(selected)
    assert slice_of(text, whole_words(text, start, start + len(selected))) == words


def slice_of(text: str, span: tuple[int, int]) -> str:
    return text[span[0] : span[1]]
