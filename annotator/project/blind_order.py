"""The blind order of a query's candidates: seeded, mixed over the ranks, always the same."""

import hashlib
from collections.abc import Mapping

BATCH = 5
"""So many candidates in a row come one from each stretch of the ranks, so that a batch mixes levels."""


def blind_order(seed: str, best_rank: Mapping[int, int | None], ids: Mapping[int, str]) -> list[int]:
    """Return the candidates' keys so that their place says nothing of their rank.

    The candidates are cut by their best rank into `BATCH` stretches, each is shuffled, and every batch takes
    one of each, shuffled again. `seed` and the external ids decide, so a copy of the project shows the same.
    """

    def lot(candidate: int, purpose: str) -> bytes:
        return hashlib.sha256(
            f"{seed}\0{purpose}\0{ids[candidate]}".encode("utf-8", "surrogatepass")
        ).digest()

    by_rank = sorted(best_rank, key=lambda one: (best_rank[one] or 1 << 40, lot(one, "rank")))
    size = -(-len(by_rank) // BATCH)
    batch = {}
    for start in range(0, len(by_rank), max(size, 1)):
        stretch = sorted(by_rank[start : start + size], key=lambda one: lot(one, "stretch"))
        batch.update({candidate: place for place, candidate in enumerate(stretch)})
    return sorted(by_rank, key=lambda one: (batch[one], lot(one, "batch")))


def by_depth(seed: str, best_rank: Mapping[int, int | None], ids: Mapping[int, str]) -> list[int]:
    """Return the candidates' keys, the first five ranks of any system before the next five.

    Within five ranks the order is blind.
    """
    blind = blind_order(seed, best_rank, ids)
    return sorted(blind, key=lambda one: ((best_rank[one] or 1 << 40) - 1) // BATCH)
