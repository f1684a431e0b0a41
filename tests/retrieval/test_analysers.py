"""How text becomes terms."""

import pytest

from annotator.retrieval.analysers import ANALYSERS, SENTENCES, Analyser, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Who is Thor's brother?", ["who", "is", "thor's", "brother"]),
        ("the ‘quoted’ don’t", ["the", "quoted", "don't"]),
        ("well-known, 3.14/snake_case", ["well", "known", "3", "14", "snake", "case"]),
        ("ÜBER Straße", ["über", "straße"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("東京 tower", ["東", "京", "tower"]),
        ("🦸 … —", []),
        ("", []),
    ],
)
def test_words_are_letters_marks_and_digits_in_lower_case(text: str, expected: list[str]) -> None:
    assert list(words(text)) == expected


def test_composed_and_decomposed_letters_are_one_word() -> None:
    assert list(words("caf\u00e9")) == list(words("cafe\u0301"))


def test_the_standard_analyser_keeps_the_forms_that_stemming_brings_together() -> None:
    assert Analyser("standard")("climbed climbing climbs") == ["climbed", "climbing", "climbs"]
    assert Analyser("stemming")("climbed climbing climbs") == ["climb"] * 3


def test_stemming_follows_the_language() -> None:
    assert Analyser("stemming", "de")("Häuser Hauses") == ["haus", "haus"]


def test_stop_words_are_left_out_only_when_asked() -> None:
    text = "the end of the world"
    assert Analyser("standard")(text) == text.split()
    assert Analyser("standard", without_stop_words=True)(text) == ["end", "world"]
    assert "und" not in Analyser("standard", "de", without_stop_words=True)("Sturm und Drang")


def test_an_unknown_analyser_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="standard, stemming"):
        Analyser("magic")


def test_every_analyser_is_explained() -> None:
    assert set(SENTENCES) == set(ANALYSERS)
