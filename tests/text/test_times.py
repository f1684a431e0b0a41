"""Times as people read them."""

import re
from datetime import UTC, datetime

from annotator.text.times import MINUTES, SECONDS, in_words, local_time


def test_a_window_shows_this_computers_time_without_its_distance_from_utc() -> None:
    moment = datetime(2026, 11, 20, 23, 59, 7, tzinfo=UTC)
    here, stamp = moment.astimezone(), moment.timestamp() * 1000
    assert local_time(stamp, SECONDS) == here.isoformat(" ", "seconds")[:19]
    assert local_time(stamp, MINUTES) == here.isoformat(" ", "minutes")[:16]
    assert datetime.fromisoformat(local_time(stamp)) == moment
    assert not re.search(r"[+-]\d\d:\d\d", in_words(moment.isoformat(" ", "minutes")))
