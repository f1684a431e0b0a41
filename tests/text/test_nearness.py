from annotator.text.nearness import near_misses


def test_a_text_that_already_matches_is_no_near_miss():
    assert near_misses(["N.Y.C.", "the NYC"], ["NYC"]) == []


def test_spellings_and_longer_forms_are_offered_nearest_first():
    offered = near_misses(["Boston", "Tony", "Stark Tony", "Tony Starck"], ["Tony Stark"])
    assert [text for text, _ in offered] == ["Stark Tony", "Tony Starck", "Tony"]


def test_the_empty_answer_is_never_offered():
    assert near_misses(["", "the"], ["Thor"]) == []
    assert near_misses(["Thor"], [""]) == []
