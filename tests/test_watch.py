import sqlite3

import pytest

from annotator.errors import Stopped
from annotator.watch import FINE, UNWATCHED, Watch

Told = tuple[int, int, str]


def test_the_parts_of_something_long_tell_how_far_the_whole_of_it_is() -> None:
    told: list[Told] = []
    first, nothing, second = Watch("", lambda *one: told.append(one)).parts([3, 0, 1])
    first.step(1, 2, "queries")
    nothing.step(0, 0, "answers")
    inner, _ = second.parts([1, 1])
    inner.step(1, 2, "runs")
    second.step(5, 4, "more than was announced")
    assert told == [
        (FINE * 3 // 8, FINE, "queries"),
        (FINE * 3 // 4, FINE, "answers"),
        (round(FINE * (3 / 4 + 1 / 16)), FINE, "runs"),
        (FINE, FINE, "more than was announced"),
    ]


def test_parts_of_which_nothing_is_there_are_parts_nevertheless() -> None:
    assert list(UNWATCHED.parts([])) == []
    assert list(UNWATCHED.parts([0, 0])) == [UNWATCHED, UNWATCHED]


def test_rows_are_told_of_after_every_thousand_and_somebody_may_stop_there() -> None:
    told: list[Told] = []
    watch = Watch("enough", lambda *one: told.append(one), lambda: len(told) == 2)
    rows = watch.each(range(5_000), 5_000, "rows")
    passed = []
    with pytest.raises(Stopped, match="enough"):
        passed.extend(rows)
    assert told == [(0, 5_000, "rows"), (1_000, 5_000, "rows")]


def test_a_long_statement_is_stopped_and_another_error_is_what_it_was() -> None:
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
    db = sqlite3.connect(":memory:")
    try:
        with pytest.raises(Stopped, match="enough"), Watch("enough", None, lambda: True).over(db):
            db.execute(endless)
        with pytest.raises(sqlite3.OperationalError), Watch("", None, lambda: False).over(db):
            db.execute("SELECT * FROM nothing")
    finally:
        db.close()


def test_who_stops_is_told_what_became_of_the_action() -> None:
    inner = Watch("a part", should_stop=lambda: True)
    assert inner.asked()
    assert not UNWATCHED.asked()
    with pytest.raises(Stopped, match="the whole"):
        inner.saying("the whole").look()
    with pytest.raises(Stopped, match="a part"):
        inner.look()


def test_nobody_is_told_of_a_silent_part_which_may_be_stopped() -> None:
    told: list[Told] = []
    watch = Watch("enough", lambda *one: told.append(one), lambda: len(told) == 1)
    watch.silent.step(0, 2, "unheard of")
    watch.step(1, 2, "heard of")
    with pytest.raises(Stopped, match="enough"):
        watch.silent.step(2, 2, "unheard of")
    assert told == [(1, 2, "heard of")]
