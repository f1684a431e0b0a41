"""Who judges which query: dealt by lot from a seed, in shares, and as near as it can be to what was before.

The number of people for each query comes first, then that whoever has begun a query keeps it, then the
shares; what is left open, the lot decides. The same is dealt whatever the order of queries and people.
"""

import hashlib
from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction
from math import floor

from annotator.watch import UNWATCHED, Watch

Pair = tuple[str, str]
"""A query's id and a person's name."""

Dealt = dict[str, list[str]]
"""The people of each query."""


def deal(
    queries: Collection[str],
    shares: Mapping[str, int],
    needed: int,
    seed: int,
    before: Iterable[Pair] = (),
    begun: AbstractSet[Pair] = frozenset(),
    count: int | None = None,
    watch: Watch = UNWATCHED,
) -> Dealt:
    """Give every query, or `count` of them, `needed` different people, or all where there are fewer.

    Everybody gets their part of the places in proportion to their share, rounded up or down, but no query
    twice, and not less than they have `begun`: their share times one factor, which is the same for everybody
    whom neither limit holds. Who had queries `before` gives one away only when they have too many, or when
    the places cannot be filled otherwise. Queries that somebody has are the first to be among the `count`.
    """
    had = {*before}
    first = {query for query, _ in had | begun}
    order = sorted({*queries}, key=lambda query: (query not in first, lot(seed, query), query))[:count]
    return _Deal(order, shares, needed, seed, had, begun, watch).people


def lot(seed: int, *of: str) -> bytes:
    """Return what is drawn for a query, or for a person in one: by the seed and nothing else."""
    text = "\0".join((str(seed), *of))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def covered(queries: Collection[str], numbers: Mapping[str, int], needed: int) -> int:
    """Return for how many of the queries the numbers of queries that people take are enough.

    >>> covered(["q1", "q2", "q3", "q4"], {"Ann": 3, "Bo": 2, "Cy": 1}, 2)
    3
    """
    people = min(needed, len(numbers))
    enough = (
        count
        for count in range(len(queries), 0, -1)
        if sum(min(number, count) for number in numbers.values()) >= count * people
    )
    return next(enough, 0)


def quotas(shares: Mapping[str, int], places: int, least: Mapping[str, int], most: int) -> dict[str, int]:
    """Return how many places each person gets: the share times one factor, within the limits, rounded.

    Nobody gets less than their `least` or more than `most`. Where parts are left over, the largest fractions
    are rounded up; of equal ones those of earlier names.

    >>> quotas({"Ann": 50, "Bo": 30, "Cy": 20}, 8, {"Cy": 3}, 4)
    {'Ann': 3, 'Bo': 2, 'Cy': 3}
    """
    factor = _factor(shares, places, least, most)
    exact = {name: _clamped(shares, factor, least, most, name) for name in shares}
    whole = {name: floor(part) for name, part in exact.items()}
    fractions = sorted(exact, key=lambda name: (whole[name] - exact[name], name))
    up = fractions[: places - sum(whole.values())]
    return {name: count + (name in up) for name, count in whole.items()}


def _clamped(
    shares: Mapping[str, int], factor: Fraction, least: Mapping[str, int], most: int, name: str
) -> Fraction:
    return min(max(shares[name] * factor, Fraction(least.get(name, 0))), Fraction(most))


def _factor(shares: Mapping[str, int], places: int, least: Mapping[str, int], most: int) -> Fraction:
    """Return the factor by which the shares, within their limits, come to so many places."""

    def total(factor: Fraction) -> Fraction:
        return sum((_clamped(shares, factor, least, most, name) for name in shares), Fraction(0))

    low = Fraction(0)
    limits = {
        Fraction(limit, share) for name, share in shares.items() for limit in (least.get(name, 0), most)
    }
    for high in sorted(limits):
        if total(high) >= places:
            under, over = total(low), total(high)
            return low if over == under else low + (high - low) * (places - under) / (over - under)
        low = high
    return low


class _Deal:
    """One deal: `people` of each query, `count` of each person, `quota` that each is to come to."""

    def __init__(
        self,
        queries: Sequence[str],
        shares: Mapping[str, int],
        needed: int,
        seed: int,
        before: AbstractSet[Pair],
        begun: AbstractSet[Pair],
        watch: Watch,
    ) -> None:
        self._seed = seed
        self._shares = dict(sorted(shares.items()))
        self._places = min(needed, len(shares))
        self.people: Dealt = {query: [] for query in queries}
        kept = self._keep(begun)
        least = Counter(name for _, name in kept)
        had = kept | self._keep(before)
        every = self._places * len(self.people)
        self._quota = quotas(self._shares, every, least, len(self.people))
        self._count = Counter(name for some in self.people.values() for name in some)
        for query in watch.each(iter(self.people), len(self.people), "queries"):
            self._fill(query)
        for stay in (had, kept):
            while self._swap_directly(stay) or self._swap_along_a_path(stay):
                watch.look()

    def _keep(self, pairs: AbstractSet[Pair]) -> set[Pair]:
        """Leave people with their queries, as far as there are places; return those that stay."""
        stay = set()
        there = (pair for pair in pairs if pair[0] in self.people and pair[1] in self._shares)
        for query, name in sorted(there, key=lambda pair: (lot(self._seed, *pair), pair)):
            if len(self.people[query]) < self._places and name not in self.people[query]:
                self.people[query].append(name)
                stay.add((query, name))
        return stay

    def _fill(self, query: str) -> None:
        """Give a query the people that it lacks: those to whom most is lacking."""
        have = self.people[query]
        lacking = self._places - len(have)
        if not lacking:
            return
        others = [name for name in self._shares if name not in have]
        others.sort(key=lambda name: (self._count[name] - self._quota[name], lot(self._seed, query, name)))
        for name in others[:lacking]:
            self._give(query, name)

    def _give(self, query: str, name: str, instead_of: str | None = None) -> None:
        if instead_of is not None:
            self.people[query].remove(instead_of)
            self._count[instead_of] -= 1
        self.people[query].append(name)
        self._count[name] += 1

    def _over(self, name: str) -> int:
        return self._count[name] - self._quota[name]

    def _swap_directly(self, stay: AbstractSet[Pair]) -> bool:
        """Let in each query who has too many give way to who has too few; say whether there was one.

        Nobody is taken from a query in which they `stay`.
        """
        swapped = False
        for query, have in self.people.items():
            if not any(self._over(name) > 0 for name in self._shares):
                return False
            movable = [name for name in have if (query, name) not in stay]
            giving = max(movable, key=self._over, default="")
            taking = min((name for name in self._shares if name not in have), key=self._over, default="")
            if giving and taking and self._over(giving) > 0 > self._over(taking):
                self._give(query, taking, giving)
                swapped = True
        return swapped

    def _swap_along_a_path(self, stay: AbstractSet[Pair]) -> bool:
        """Let one who has too many give way over others to one who has too few, if that can be."""
        for name in self._shares:
            if self._over(name) > 0:
                came: dict[str, tuple[str, str]] = {name: ("", "")}
                ahead = deque([name])
                while ahead:
                    giving = ahead.popleft()
                    if self._over(giving) < 0:
                        self._follow(giving, came)
                        return True
                    for query, taking in self._ways(giving, stay):
                        if taking not in came:
                            came[taking] = (query, giving)
                            ahead.append(taking)
        return False

    def _ways(self, giving: str, stay: AbstractSet[Pair]) -> Iterator[tuple[str, str]]:
        """Yield (query, person) for each who may take this one's place in a query."""
        for query, have in self.people.items():
            if giving in have and (query, giving) not in stay:
                yield from ((query, name) for name in self._shares if name not in have)

    def _follow(self, name: str, came: Mapping[str, tuple[str, str]]) -> None:
        while came[name][0]:
            query, giving = came[name]
            self._give(query, name, giving)
            name = giving
