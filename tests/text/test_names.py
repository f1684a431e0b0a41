"""Names of systems that are cut stay told apart."""

from functools import partial
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from annotator.text.names import short, told_apart


def differing_in_one_place(letters: str, least: int) -> st.SearchStrategy[list[str]]:
    """Draw names that begin and end alike, at least so many."""
    alike = st.text(letters, max_size=40)
    middles = st.sets(st.text("01", min_size=1, max_size=3), min_size=least, max_size=6).map(sorted)
    return st.builds(
        lambda before, some, behind: [f"{before}{one}{behind}" for one in some], alike, middles, alike
    )


@given(differing_in_one_place("ab-", 1), st.integers(8, 40))
def test_names_that_differ_in_one_place_are_told_apart_in_any_room(names: list[str], room: int) -> None:
    shown = told_apart(names, partial(short, length=room))
    assert len({*shown}) == len(names)
    assert max(map(len, shown)) <= room
    if max(map(len, names)) <= room:
        assert shown == names


PIECES = st.sampled_from(
    ["Annegret ", "Annemarie ", "Johannes", "Johanna", " – ", "of the Institute", "1", "2"]
)


@given(st.lists(st.lists(PIECES, max_size=6).map("".join), max_size=8), st.integers(1, 40))
def test_no_more_names_are_alike_than_where_all_are_cut_alone(names: list[str], room: int) -> None:
    cut = partial(short, length=room)
    shown = told_apart(names, cut)
    assert len({*shown}) >= len({*map(cut, names)})
    assert max(map(len, shown), default=0) <= room


@given(differing_in_one_place("ab -", 2), st.integers(19, 40), st.sampled_from(["", ", 70 items"]))
def test_of_pairs_both_names_are_seen_and_no_label_stands_for_two(
    people: list[str], room: int, told: str
) -> None:
    pairs = [f"{a} – {b}{told}" for a, b in combinations(people, 2)]
    shown = told_apart(pairs, partial(short, length=room))
    assert len({*shown}) == len(shown)
    for label, pair in zip(shown, pairs, strict=True):
        assert len(label) <= room
        for part, name in zip(label.split(" – "), pair.split(" – "), strict=True):
            seen = [one for one in part.split("…") if one]
            assert seen
            assert all(one in name for one in seen)


def test_dots_stand_for_what_names_share_only_where_they_have_to() -> None:
    cut = partial(short, length=16)
    assert told_apart(["bm25-robust-title-k1", "bm25-robust-title-k2"], cut) == [
        "bm25-ro…title-k1",
        "bm25-ro…title-k2",
    ]
    assert told_apart(["bm25-robust-run-01-of-winter", "bm25-robust-run-02-of-winter"], cut) == [
        "…-run-01-of-wi…",
        "…-run-02-of-wi…",
    ]
    others = ["nDCG(over='retrieved')@10", "nDCG(over='everything')@10"]
    names = ["bm25-robust-run-01-of-winter", "bm25-robust-run-02-of-winter", *others]
    assert told_apart(names, cut) == [
        "…-run-01-of-wi…",
        "…-run-02-of-wi…",
        "nDCG(ov…ved')@10",
        "nDCG(ov…ing')@10",
    ]
    assert told_apart(["the-same-name-twice-over"] * 2, cut) == ["the-sam…ice-over"] * 2
    assert told_apart([], cut) == []
