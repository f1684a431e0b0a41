"""Times as people read them."""

import re
from datetime import UTC, datetime

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
WRITTEN_OUT = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d.*[+-]\d\d:\d\d")

MINUTES, SECONDS = "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S"
"""How a window shows times: they are this computer's, which nobody there has to be told."""


def local_time(milliseconds: float, form: str = "") -> str:
    """Return a time in UTC ms in this computer's time zone, in a form or else with its distance from UTC.

    What no calendar holds, as a clock may say that is wrong, stays seconds.

    >>> local_time(-9e18)
    '-9,000,000,000,000,000 s after 1970'
    """
    try:
        when = datetime.fromtimestamp(milliseconds // 1000, UTC).astimezone()
        return when.strftime(form) if form else when.isoformat(" ", "seconds")
    except (ValueError, OverflowError, OSError):
        return f"{milliseconds // 1000:,.0f} s after 1970"


def in_words(moment: str) -> str:
    """Return a moment that is written out with its weekday, in this computer's time; else what it is.

    >>> in_words("first round")
    'first round'
    """
    if not WRITTEN_OUT.match(moment):
        return moment
    when = datetime.fromisoformat(moment).astimezone()
    return f"{DAYS[when.weekday()].title()} {when:%Y-%m-%d %H:%M %Z}"
