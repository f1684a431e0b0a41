"""Times as people read them."""

from datetime import UTC, datetime


def local_time(milliseconds: float, short: bool = False) -> str:
    """Return a time in UTC ms in this computer's time zone, with its distance from UTC.

    A `short` one is without that and the seconds.

    What no calendar holds, as a clock may say that is wrong, stays seconds.

    >>> local_time(-9e18)
    '-9,000,000,000,000,000 s after 1970'
    """
    try:
        when = datetime.fromtimestamp(milliseconds // 1000, UTC).astimezone()
        return when.strftime("%Y-%m-%d %H:%M") if short else when.isoformat(" ", "seconds")
    except (ValueError, OverflowError, OSError):
        return f"{milliseconds // 1000:,.0f} s after 1970"
