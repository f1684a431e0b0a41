"""Dealing queries to people: so many for each query, in shares, the same from any order, near to what was."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import ceil, floor
from random import Random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_flow

from annotator.project.dealing import Dealt, Pair, covered, deal, quotas
from tests.examples import examples

IDS = st.lists(st.text(min_size=1, max_size=4), unique=True, min_size=1, max_size=25)
SHARES = st.dictionaries(
    st.text(min_size=1, max_size=3), st.integers(min_value=1, max_value=60), min_size=1, max_size=6
)
NEEDED = st.integers(min_value=1, max_value=5)
SEEDS = st.integers(min_value=0, max_value=2**40)


def pairs(dealt: Dealt) -> set[Pair]:
    return {(query, name) for query, names in dealt.items() for name in names}


def held(dealt: Dealt) -> Counter[str]:
    return Counter(name for names in dealt.values() for name in names)


def asked(shares: Mapping[str, int], places: int, least: Mapping[str, int], most: int) -> dict[str, Fraction]:
    """Return what everybody is due, found by a second way: the factor by halving an interval."""

    def due(factor: Fraction) -> dict[str, Fraction]:
        return {
            name: min(max(share * factor, Fraction(least.get(name, 0))), Fraction(most))
            for name, share in shares.items()
        }

    low, high = Fraction(0), Fraction(most + 1)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if sum(due(middle).values()) < places else (low, middle)
    return due(high)


@settings(max_examples=examples(40, 100))
@given(ids=IDS, shares=SHARES, needed=NEEDED, seed=SEEDS)
def test_every_query_gets_so_many_people_and_everybody_their_share(
    ids: Sequence[str], shares: Mapping[str, int], needed: int, seed: int
) -> None:
    dealt = deal(ids, shares, needed, seed)
    each = min(needed, len(shares))
    assert {query: len({*names}) for query, names in dealt.items()} == dict.fromkeys(ids, each)
    assert all(len({*names}) == len(names) and {*names} <= {*shares} for names in dealt.values())
    due = asked(shares, each * len(ids), {}, len(ids))
    near = Fraction(1, 1000)
    for name, count in held(dealt).items():
        assert floor(due[name] - near) <= count <= ceil(due[name] + near)


@given(ids=IDS, shares=SHARES, needed=NEEDED, seed=SEEDS, draw=st.data())
def test_it_is_the_same_from_any_order_and_another_with_another_seed(
    ids: Sequence[str], shares: Mapping[str, int], needed: int, seed: int, draw: st.DataObject
) -> None:
    dealt = pairs(deal(ids, shares, needed, seed))
    others = draw.draw(st.permutations(ids)), dict(draw.draw(st.permutations([*shares.items()])))
    assert pairs(deal(*others, needed, seed)) == dealt
    many = [f"{at}" for at in range(60)]
    two = {"Ann": 1, "Bo": 1}
    assert pairs(deal(many, two, 1, seed)) != pairs(deal(many, two, 1, seed + 1))


def test_everybody_shares_queries_with_everybody() -> None:
    dealt = deal([f"q{at}" for at in range(400)], dict.fromkeys("abcd", 25), 2, 7)
    shared = Counter(tuple(sorted(names)) for names in dealt.values())
    assert {*shared} == {*combinations("abcd", 2)}
    assert min(shared.values()) > 400 / 6 / 2, "about as often with each"


@given(ids=IDS, shares=SHARES, needed=NEEDED, seed=SEEDS, draw=st.data())
def test_who_has_begun_keeps_it_and_the_rest_goes_by_shares(
    ids: Sequence[str], shares: Mapping[str, int], needed: int, seed: int, draw: st.DataObject
) -> None:
    each = min(needed, len(shares))
    begun = {
        (query, name)
        for query in ids
        for name in draw.draw(st.lists(st.sampled_from([*shares]), unique=True, max_size=each))
    }
    dealt = deal(ids, shares, needed, seed, begun=begun)
    assert begun <= pairs(dealt)
    assert {len({*names}) for names in dealt.values()} == {each}
    least = Counter(name for _, name in begun)
    due = asked(shares, each * len(ids), least, len(ids))
    near = Fraction(1, 1000)
    fitting = all(
        floor(due[name] - near) <= count <= ceil(due[name] + near) for name, count in held(dealt).items()
    )
    counts = quotas(shares, each * len(ids), least, len(ids))
    assert fitting or not can_be_filled(ids, begun, counts, each)


def test_what_was_dealt_stays_where_that_is_possible() -> None:
    """Queries come, somebody comes or somebody goes: whoever has not too many keeps what they have.

    There is hardly any choice among so few, so that one often has to give way for another.
    """
    for turn in range(3_000):
        draw = Random(turn)
        ids = [f"q{at}" for at in range(draw.randint(1, 5))]
        shares = {name: draw.randint(1, 4) for name in draw.sample("abcd", draw.randint(2, 4))}
        needed, seed = draw.randint(1, 4), draw.randint(0, 9)
        before = pairs(deal(ids, shares, needed, seed))
        now = {name: share for name, share in shares.items() if draw.random() < 0.8} or shares
        now |= {"e": draw.randint(1, 4)} if draw.random() < 0.5 else {}
        ids += [f"new {at}" for at in range(draw.choice([0, 0, 1, 5]))]
        dealt = deal(ids, now, needed, seed, before)
        assert pairs(deal(ids[::-1], dict(reversed(now.items())), needed, seed, before)) == pairs(dealt)
        each, had = min(needed, len(now)), {pair for pair in before if pair[1] in now}
        counts, given_away = held(dealt), had - pairs(dealt)
        assert counts == +Counter(quotas(now, each * len(ids), {}, len(ids)))
        if all(Counter(name for _, name in had)[name] <= counts[name] for name in now) and given_away:
            assert not can_be_filled(ids, had, counts, each)


@given(shares=SHARES, needed=NEEDED, seed=SEEDS)
def test_among_many_queries_nobody_gives_away_more_than_their_share_asks(
    shares: Mapping[str, int], needed: int, seed: int
) -> None:
    ids = [f"q{at}" for at in range(300)]
    before = deal(ids, shares, needed, seed)
    now = deal([*ids, *map(str, range(30))], shares, needed, seed, pairs(before))
    gone = Counter(name for _, name in pairs(before) - pairs(now))
    assert all(count <= 1 for count in gone.values()), "a share may be rounded the other way"


@given(ids=IDS, numbers=SHARES, needed=NEEDED, seed=SEEDS)
def test_as_many_queries_are_dealt_as_the_numbers_are_enough_for(
    ids: Sequence[str], numbers: Mapping[str, int], needed: int, seed: int
) -> None:
    count = covered(ids, numbers, needed)
    each = min(needed, len(numbers))
    dealt = deal(ids, numbers, needed, seed, count=count)
    assert len(dealt) == count
    assert all(held(dealt)[name] <= number for name, number in numbers.items())
    if count < len(ids):
        assert sum(min(number, count + 1) for number in numbers.values()) < (count + 1) * each
    if sum(min(number, count) for number in numbers.values()) == count * each:
        assert held(dealt) == {name: min(number, count) for name, number in numbers.items() if count}
    more = deal(ids, numbers, needed, seed + 1, pairs(dealt), count=count)
    assert {*more} == {*dealt}, "what is dealt stays among the dealt"


def can_be_filled(ids: Sequence[str], kept: set[Pair], counts: Mapping[str, int], each: int) -> bool:
    """Say whether the other places can be filled so that everybody comes to their count: a flow, by scipy."""
    names = [*counts]
    lacking = {query: each - sum(pair[0] == query for pair in kept) for query in ids}
    open_to = {name: counts[name] - sum(pair[1] == name for pair in kept) for name in names}
    if min([*lacking.values(), *open_to.values()]) < 0:
        return False
    size = len(ids) + len(names) + 2
    flow = np.zeros((size, size), np.int32)
    for at, query in enumerate(ids):
        flow[-2, at] = lacking[query]
        for place, name in enumerate(names, len(ids)):
            flow[at, place] = (query, name) not in kept
    for place, name in enumerate(names, len(ids)):
        flow[place, -1] = open_to[name]
    found = maximum_flow(csr_array(flow), size - 2, size - 1).flow_value
    return bool(found == sum(lacking.values()) == sum(open_to.values()))
