"""Which query comes next."""

import numpy as np
import pytest

from annotator.desktop.grade.query_order import QueryOrder


@pytest.fixture
def order() -> QueryOrder:
    return QueryOrder(np.array([30, 10, 20, 40]))


def test_neighbours_follow_the_order_and_end_at_its_ends(order: QueryOrder) -> None:
    assert [order.neighbour(10, by) for by in (-1, 1, 2, 3)] == [30, 20, 40, None]
    assert order.neighbour(99, 1) is None
    assert order.neighbour(None, 1) is None


def test_the_next_open_query_is_looked_for_round_to_the_start(order: QueryOrder) -> None:
    order.set_open(np.array([30, 20, 77]))
    assert [order.next_open(query) for query in (30, 10, 20, 40)] == [20, 20, 30, 30]
    assert order.first_open() == 30


def test_a_query_that_is_judged_to_the_end_is_passed_over_until_it_is_open_again(order: QueryOrder) -> None:
    order.set_open(np.array([30, 20]))
    order.mark(30, False)
    assert order.next_open(20) is None
    order.mark(30, True)
    assert order.next_open(20) == 30


def test_nothing_is_next_among_no_queries() -> None:
    assert QueryOrder().next_open(1) is None
    assert QueryOrder().first_open() is None


def test_what_was_judged_while_the_open_queries_were_looked_up_counts(order: QueryOrder) -> None:
    order.mark(30, False)
    order.set_open(np.array([30, 20]))
    assert order.first_open() == 20
