"""Time at work: counted with the window in front, not while idle; rate and time left follow from it."""

import pytest

from annotator.desktop.grade.timing import FEW, IDLE_MS, Pace, Stopwatch, duration


class Clock:
    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_time_runs_from_the_restart(clock: Clock) -> None:
    watch = Stopwatch(clock)
    clock.now = 700
    watch.restart()
    clock.now = 1_900
    assert watch.elapsed() == 1_200


def test_time_with_the_window_away_does_not_count(clock: Clock) -> None:
    watch = Stopwatch(clock)
    clock.now = 1_000
    watch.run(False)
    clock.now = 90_000
    watch.run(True)
    clock.now = 90_500
    assert watch.elapsed() == 1_500


def test_a_long_stretch_without_a_key_counts_as_idle(clock: Clock) -> None:
    watch = Stopwatch(clock)
    clock.now = 2_000
    watch.touch()
    clock.now = 2_000 + 10 * IDLE_MS
    assert watch.elapsed() == 2_000 + IDLE_MS


def test_rate_and_time_left_follow_from_the_time_at_work() -> None:
    pace = Pace()
    for _ in range(10):
        pace.add(18_000, "3")
    assert pace.per_hour() == pytest.approx(200)
    assert pace.words(10, 110) == "10 of 110 done  ·  200 an hour  ·  30 min left"
    assert pace.words(10, 310) == "10 of 310 done  ·  200 an hour  ·  1 h 30 min left"
    assert pace.words(10, 870) == "10 of 870 done  ·  200 an hour  ·  4 h left"
    pace.add(20_000, "skipped")
    assert pace.summary() == "This session: 11 in 3 min. Grade 3:\u00a010, skipped:\u00a01"


@pytest.mark.parametrize("few", range(FEW))
def test_of_few_judgments_no_rate_is_told(few: int) -> None:
    pace = Pace()
    for _ in range(few):
        pace.add(900, "3")
    assert pace.words(few, 30) == f"{few} of 30 done"
    assert Pace().summary() == "Nothing judged in this session yet."


@pytest.mark.parametrize(
    ("hours", "words"), [(0.001, "1 min"), (0.5, "30 min"), (3 + 1 / 3, "3 h 20 min"), (250, "250 h")]
)
def test_durations_in_words(hours: float, words: str) -> None:
    assert duration(hours) == words
