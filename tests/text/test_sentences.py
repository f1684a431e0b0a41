import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.text.sentences import LONGEST, sentences


def split(text):
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("He said “Stop.” Then he left.", ["He said “Stop.”", "Then he left."]),
        (
            "Dr. Strange met J. Jameson at 3.14 p.m. and left.",
            ["Dr. Strange met J. Jameson at 3.14 p.m. and left."],
        ),
        ("It costs approx. 5 francs, e.g. in Bern.", ["It costs approx. 5 francs, e.g. in Bern."]),
        ("A title\n\nA line\nthat goes on.", ["A title", "A line\nthat goes on."]),
        ("To do:\n- one\n- two\n2. three", ["To do:", "- one", "- two", "2. three"]),
        ("東京は首都です。人口は多い！", ["東京は首都です。", "人口は多い！"]),
        ("هل هذا سؤال؟ نعم.", ["هل هذا سؤال؟", "نعم."]),
        ("यह एक वाक्य है। दूसरा।", ["यह एक वाक्य है।", "दूसरा।"]),
        ("Really?! Yes… Of course.", ["Really?!", "Yes…", "Of course."]),
        ("", []),
        (" \n ", []),
    ],
)
def test_sentences_end_where_a_reader_says_they_do(text, expected):
    assert split(text) == expected


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="aB. !\n。-1", max_size=60))
def test_every_visible_character_is_in_exactly_one_sentence(text):
    found = sentences(text)
    assert all(a < b for a, b in found)
    assert all(end <= start for (_, end), (start, _) in itertools.pairwise(found))
    assert "".join(split(text)).replace("\n", "").replace(" ", "") == "".join(text.split())


def test_a_sentence_without_end_is_cut_at_white_space():
    words = "word " * 1_000
    assert all(
        end - start <= LONGEST and words[start:end].startswith("word") for start, end in sentences(words)
    )
    assert len(split("x" * (LONGEST + 1))) == 2
