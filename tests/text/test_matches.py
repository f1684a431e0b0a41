import pytest

from annotator.text.matches import phrase_spans, query_words, word_matches, word_spans


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
