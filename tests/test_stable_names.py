"""What scripts, notebooks and files rest on keeps its name: no silent break."""

import pytest

from tests.stable_names import RECORD, names, recorded

ADVICE = (
    "People's scripts and files rest on these names. Keep them beside the new ones; or, where a break is "
    f"meant, run `python -m tests.stable_names`, which rewrites {RECORD.name}, and tell it in the changelog."
)


def test_no_name_that_was_recorded_is_gone_or_means_something_else(request: pytest.FixtureRequest) -> None:
    now = names()
    gone = [line for line in recorded() if line not in set(now)]
    assert not gone, "\n".join(["These are gone or changed:", *gone, ADVICE])
    if request.config.getoption("--nightly"):
        new = [line for line in now if line not in set(recorded())]
        assert not new, "\n".join(["`python -m tests.stable_names` records what is new:", *new])
