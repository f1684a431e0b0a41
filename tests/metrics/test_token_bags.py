"""Shared tokens, held against Python's own multisets."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.metrics import token_bags
from annotator.metrics.token_bags import TokenBags

texts = st.lists(
    st.lists(st.sampled_from(["a", "b", "cat", "ß", "a1"]), max_size=7).map(" ".join), min_size=1
)


@given(texts, st.data(), st.sampled_from([1, 5, 1 << 20]))
def test_what_two_texts_share_is_the_intersection_of_their_multisets(
    texts: list[str], data: st.DataObject, block: int
) -> None:
    places = st.lists(st.integers(0, len(texts) - 1), max_size=20)
    left = data.draw(places)
    right = data.draw(st.lists(st.integers(0, len(texts) - 1), min_size=len(left), max_size=len(left)))
    bags = TokenBags.of(texts, np.array([len(one.split()) for one in texts]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(token_bags, "BLOCK", block)
        found = bags.shared(np.array(left, np.int64), np.array(right, np.int64))
    bag = [Counter(one.split()) for one in texts]
    assert found.tolist() == [(bag[a] & bag[b]).total() for a, b in zip(left, right, strict=True)]
