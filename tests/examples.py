"""How many examples hypothesis draws: fewer in CI than at night, where a test is slow."""

from hypothesis import settings


def examples(in_ci: int, at_night: int) -> int:
    """Return how many this run draws, for `max_examples`."""
    return at_night if settings.get_current_profile_name() == "nightly" else in_ci
