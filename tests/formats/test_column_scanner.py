import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.formats import column_scanner, numbers
from annotator.formats.column_scanner import Odd

DECIMALS = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.decimals(-(10**9), 10**9, places=6).map("{:f}".format),
    st.integers(-(10**20), 10**20).map(str),
    st.sampled_from(["+1.5", ".5", "5.", "-.25", "1e5", "1.e-3", "0", "-0", "9007199254740993", "0.1"]),
)


def column(tokens: list[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    table = column_scanner.table([f"x {token}\n".encode() for token in tokens], 2)
    return table.data, *table.bounds(1)


@settings(max_examples=150, deadline=None)
@given(st.lists(DECIMALS, min_size=1, max_size=20))
def test_decimals_are_the_nearest_doubles(tokens: list[str]) -> None:
    found = column_scanner.decimals(*column(tokens))
    assert found.tolist() == [float(token) for token in tokens]


@settings(max_examples=80, deadline=None)
@given(
    st.one_of(
        st.tuples(st.lists(st.integers(-(10**8) + 1, 10**8 - 1), min_size=1, max_size=20), st.integers(0, 6)),
        st.tuples(st.lists(st.integers(-(10**14) + 1, 10**14 - 1), min_size=1, max_size=20), st.just(6)),
    )
)
def test_numbers_with_equally_many_decimals_are_read_eight_digits_at_a_time(
    case: tuple[list[int], int],
) -> None:
    values, after = case
    tokens = [f"{value / 10**after:.{after}f}" for value in values]
    found = column_scanner.fixed_point(*column(tokens), after=after)
    assert found is not None
    assert found.tolist() == values


@pytest.mark.parametrize(
    "token", ["nan", "inf", "1_0", "1,5", "--1", "1.2.3", "-", ".", "1e", "e5", "1e999", "0x1", "٣"]
)
def test_what_is_no_finite_decimal_is_odd(token: str) -> None:
    assert numbers.decimal(token) is None
    with pytest.raises(Odd):
        column_scanner.decimals(*column(["1.5", token, "2.5"]))


@pytest.mark.parametrize(
    "block",
    [
        b"a b\nc\n",
        b"a b c\n",
        b"a\nb c d\n",
        b"a b\x00c d\n",
        b"a \xff\n",
        b"a b\rc d\n",
        "a \x85b\x80\n".encode(),
    ],
)
def test_a_block_that_is_not_two_columns_of_text_is_odd(block: bytes) -> None:
    with pytest.raises(Odd):
        column_scanner.table([block], 2)


@pytest.mark.parametrize(
    "block", [b"a b\nc d", b"  a\t\tb \r\n\r\nc d\r\n", b"# note\na b\n# x\nc d\n", b"\na b\n\n\nc d\n"]
)
def test_white_space_and_comments_are_tidied(block: bytes) -> None:
    table = column_scanner.table([block], 2)
    tokens = [
        table.data[start:end].tobytes()
        for pair in zip(zip(*table.bounds(0), strict=True), zip(*table.bounds(1), strict=True), strict=True)
        for start, end in pair
    ]
    assert tokens == [b"a", b"b", b"c", b"d"]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text("abé", min_size=1, max_size=30), min_size=1, max_size=20))
def test_words_are_equal_exactly_when_the_tokens_are(tokens: list[str]) -> None:
    data, starts, ends = column(tokens)
    rows = list(zip(*(part.tolist() for part in column_scanner.words(data, starts, ends)), strict=True))
    for one, row in zip(tokens, rows, strict=True):
        for other, other_row in zip(tokens, rows, strict=True):
            assert (one == other) == (row == other_row)
