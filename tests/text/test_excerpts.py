from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.text.excerpts import excerpt

FILLER = "Nothing of interest is said in this sentence at all. "
TEXT = (
    FILLER * 5
    + "Arya is the daughter of Ned. "
    + FILLER * 5
    + "Ned Stark is the father of Arya Stark. "
    + FILLER * 5
)


def test_the_sentences_that_hold_the_rare_words_of_the_query_are_shown_in_their_order():
    shown = excerpt(TEXT, "Who is the father of Arya Stark?", length=90)
    assert shown.text == "… Arya is the daughter of Ned. … Ned Stark is the father of Arya Stark. …"
    assert not shown.whole


def test_room_that_is_left_goes_to_the_neighbours_of_the_best_sentence():
    shown = excerpt(
        "First here. " + FILLER * 4 + "Thor has a hammer. Loki has none. " + FILLER * 4, "hammer", 45
    )
    assert shown.text == "… Thor has a hammer. Loki has none. …"


def test_a_short_text_is_shown_whole():
    shown = excerpt(" Short.  Text ", "text")
    assert (shown.text, shown.parts, shown.whole) == (" Short.  Text ", ((0, 14),), True)
    assert excerpt("", "text").parts == ()


def test_a_part_left_out_behind_a_line_starts_the_next_one():
    lines = ["- a hammer", *["- nothing of interest"] * 9, "- one more hammer"]
    shown = excerpt("\n".join(lines), "hammer", length=40)
    assert shown.text == "- a hammer\n… - one more hammer"
    assert shown.source(shown.text.index("one")) == "\n".join(lines).index("one")


def test_without_a_word_of_the_query_the_beginning_is_shown():
    shown = excerpt("First sentence here. " + TEXT, "zebra", length=80)
    assert shown.text.startswith("First sentence here. Nothing")
    assert shown.text.endswith(" …")


def test_a_long_sentence_is_cut_around_the_word():
    text = "blah " * 80 + "needle " + "blah " * 80
    shown = excerpt(text, "needle", length=60)
    assert "needle" in shown.text
    assert len(shown.text) <= 64
    assert shown.text.startswith("… blah")
    assert shown.text.endswith("blah …")


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.sampled_from(["Thor has a hammer.", "No.", "Odin sleeps.", "\n\n", "東京。", "x" * 90]),
        max_size=20,
    ),
    st.sampled_from(["hammer", "Odin 東京", ""]),
    st.integers(20, 120),
)
def test_every_visible_position_leads_back_to_the_same_character(pieces, query, length):
    text = " ".join(pieces)
    shown = excerpt(text, query, length)
    assert shown == excerpt(text, query, length)
    back = [shown.source(position) for position in range(len(shown.text))]
    kept = {i for start, end in shown.parts for i in range(start, end)}
    assert kept == {at for at in back if at is not None and at in kept}
    for char, at in zip(shown.text, back, strict=True):
        assert at is None or at not in kept or text[at] == char


def test_a_selection_up_to_the_end_of_a_piece_can_be_stored():
    shown = excerpt(TEXT, "father of Arya Stark", length=45)
    start = shown.text.index("Stark is")
    end = shown.text.index(" …", start)
    assert TEXT[shown.source(start) : shown.source(end)] == "Stark is the father of Arya Stark."
